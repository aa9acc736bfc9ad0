/*
  grid.c - a mesh as columns of a file: what formats share, the cells of VTKHDF 1.0 (docs.vtk.org, "VTK File Formats", unstructured
  grid) and of XDMF (xdmf.org, "XDMF Model and Format", mixed topology).
*/
#include "fields.h"
#include <stdio.h>

static PetscBool IsDrawn(const MeshBlock *block, PetscInt highest)
{
  return (PetscBool)(mesh_shapes[block->shape].dim == highest || mesh_shapes[block->shape].dim == 1);
}

/* The first group of several; where a block is not drawn `groups` is NULL. */
static void FillGroups(const Mesh *mesh, PetscInt64 *const groups[])
{
  for (PetscInt g = MeshNumGroups(mesh) - 1; g >= 0; g--) {
    const MeshGroup *const group = MeshGetGroup(mesh, g);

    for (PetscInt i = 0; i < group->count; i++) {
      const MeshElement element = group->elements[i];

      if (groups[element.block]) groups[element.block][element.index] = group->number;
    }
  }
}

static PetscErrorCode AddCells(const Mesh *mesh, const MeshBlock *block, PetscInt first, Grid *grid, PetscInt64 **groups)
{
  Cells *const cells = &grid->cells[grid->num_cells++];

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(block->count + 1, groups));
  *cells = (Cells){.mesh           = mesh,
                   .block          = block,
                   .cell           = &vtk_cells[block->shape],
                   .corners_before = grid->totals[2],
                   .groups         = *groups,
                   .count          = block->count,
                   .first          = first};
  grid->totals[1] += block->total;
  grid->totals[2] += (PetscInt64)block->total * cells->cell->num_corners;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridCreate(const Mesh *mesh, Grid *grid)
{
  const MeshNodes *const nodes                   = MeshGetNodes(mesh);
  PetscInt64            *groups[MESH_NUM_SHAPES] = {NULL};
  PetscInt               highest = 0, first = 0;

  PetscFunctionBegin;
  *grid = (Grid){.totals = {nodes->total}, .num_nodes = nodes->count, .coordinates = nodes->coordinates, .tags = nodes->tags};
  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++) highest = PetscMax(highest, mesh_shapes[MeshGetBlock(mesh, b)->shape].dim);
  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++) {
    if (IsDrawn(MeshGetBlock(mesh, b), highest)) PetscCall(AddCells(mesh, MeshGetBlock(mesh, b), first, grid, &groups[b]));
    first += MeshGetBlock(mesh, b)->count;
  }
  FillGroups(mesh, groups);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridDestroy(Grid *grid)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < grid->num_cells; c++) {
    PetscCall(PetscFree(grid->cells[c].groups));
    PetscCall(PetscFree(grid->cells[c].elements));
  }
  if (grid->nodes) PetscCall(PetscFree2(grid->coordinates, grid->tags));
  PetscCall(PetscFree(grid->nodes));
  PetscCall(PetscFree(grid->row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Item i of these cells is this element of the block. */
static PetscInt ElementOf(const Cells *cells, PetscInt i)
{
  return cells->elements ? cells->elements[i] : i;
}

static PetscInt RowOf(const Cells *cells, PetscInt node)
{
  return cells->row ? cells->row[node] : node;
}

static void FillTypes(const Slice *slice, PetscInt first, PetscInt count, void *rows)
{
  const Cells *const cells = slice->source;

  for (PetscInt i = 0; i < count; i++) ((unsigned char *)rows)[i] = cells->cell->type;
}

static void FillConnectivity(const Slice *slice, PetscInt first, PetscInt count, void *rows)
{
  const Cells *const cells = slice->source;
  const PetscInt     width = mesh_shapes[cells->block->shape].num_nodes;
  PetscInt64        *row   = rows;

  for (PetscInt i = first; i < first + count; i++)
    for (PetscInt k = 0; k < cells->cell->num_corners; k++)
      *row++ = RowOf(cells, cells->block->nodes[ElementOf(cells, i) * width + cells->cell->order[k]]);
}

/* Where the corners of an element end. */
static void FillOffsets(const Slice *slice, PetscInt first, PetscInt count, void *rows)
{
  const Cells *const cells = slice->source;

  for (PetscInt i = 0; i < count; i++)
    ((PetscInt64 *)rows)[i] = cells->corners_before + (PetscInt64)(cells->block->first + first + i + 1) * cells->cell->num_corners;
}

static void FillParts(const Slice *slice, PetscInt first, PetscInt count, void *rows)
{
  const Cells *const cells = slice->source;
  const PetscInt     width = mesh_shapes[cells->block->shape].num_nodes;

  for (PetscInt i = 0; i < count; i++)
    ((PetscInt64 *)rows)[i] = MeshPartOfNode(cells->mesh, cells->block->nodes[ElementOf(cells, first + i) * width]);
}

static void FillTags(const Slice *slice, PetscInt first, PetscInt count, void *rows)
{
  const Cells *const cells = slice->source;

  for (PetscInt i = 0; i < count; i++) ((PetscInt64 *)rows)[i] = cells->block->tags[ElementOf(cells, first + i)];
}

/* Each element as its type, the number of corners where the type does not tell it, and its corners. */
static PetscInt MixedLength(const VtkCell *cell)
{
  return 1 + (cell->xdmf_type <= XDMF_POLYLINE) + cell->num_xdmf_corners;
}

static void FillMixed(const Slice *slice, PetscInt first, PetscInt count, void *rows)
{
  const Cells *const   cells = slice->source;
  const VtkCell *const cell  = cells->cell;
  const PetscInt       width = mesh_shapes[cells->block->shape].num_nodes;
  PetscInt64          *row   = rows;

  for (PetscInt i = first; i < first + count; i++) {
    *row++ = cell->xdmf_type;
    if (cell->xdmf_type <= XDMF_POLYLINE) *row++ = cell->num_xdmf_corners;
    for (PetscInt k = 0; k < cell->num_xdmf_corners; k++) *row++ = RowOf(cells, cells->block->nodes[ElementOf(cells, i) * width + cell->order[k]]);
  }
}

static Column *Begin(Column **next, const char *root, const char *path, hid_t stored, PetscInt width)
{
  Column *const column = (*next)++;

  *column = (Column){.stored = stored, .width = width};
  snprintf(column->path, sizeof column->path, "/%s/%s", root, path);
  return column;
}

void GridDescribe(const Grid *grid, const char *root, Column columns[GRID_NUM_COLUMNS])
{
  Column *next = columns, *parts, *groups, *elements;

  ColumnAddSlice(Begin(&next, root, "Points", H5T_IEEE_F64LE, 3), grid->num_nodes, 1, SliceCopy, grid->coordinates);
  ColumnAddSlice(Begin(&next, root, "PointData/node", H5T_STD_I64LE, 0), grid->num_nodes, 1, SliceCopy, grid->tags);
  parts    = Begin(&next, root, "CellData/part", H5T_STD_I64LE, 0);
  groups   = Begin(&next, root, "CellData/group", H5T_STD_I64LE, 0);
  elements = Begin(&next, root, "CellData/element", H5T_STD_I64LE, 0);
  for (PetscInt c = 0; c < grid->num_cells; c++) {
    const Cells *const cells = &grid->cells[c];

    ColumnAddSlice(parts, cells->count, 1, FillParts, cells);
    ColumnAddSlice(groups, cells->count, 1, SliceCopy, cells->groups);
    ColumnAddSlice(elements, cells->count, 1, FillTags, cells);
  }
}

/* Totals are what every rank knows and rank 0 writes. */
void GridDescribeCells(const Mesh *mesh, const Grid *grid, Column columns[])
{
  static const char *const names[] = {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"};
  static const char        root[]  = "VTKHDF";
  static const PetscInt64  zero    = 0;
  Column                  *next    = columns, *connectivity, *offsets, *types;
  PetscMPIInt              rank;

  MPI_Comm_rank(MeshComm(mesh), &rank);
  for (PetscInt i = 0; i < 3; i++) ColumnAddSlice(Begin(&next, root, names[i], H5T_STD_I64LE, 0), rank == 0, 1, SliceCopy, &grid->totals[i]);
  connectivity = Begin(&next, root, "Connectivity", H5T_STD_I64LE, 0);
  offsets      = Begin(&next, root, "Offsets", H5T_STD_I64LE, 0);
  types        = Begin(&next, root, "Types", H5T_STD_U8LE, 0);
  ColumnAddSlice(offsets, rank == 0, 1, SliceCopy, &zero);
  for (PetscInt c = 0; c < grid->num_cells; c++) {
    const Cells *const cells = &grid->cells[c];

    ColumnAddSlice(connectivity, cells->count, cells->cell->num_corners, FillConnectivity, cells);
    ColumnAddSlice(offsets, cells->count, 1, FillOffsets, cells);
    ColumnAddSlice(types, cells->count, 1, FillTypes, cells);
  }
}

void GridAddElements(const Grid *grid, const PetscReal values[], Column *column)
{
  for (PetscInt c = 0; c < grid->num_cells; c++) {
    const Cells *const cells = &grid->cells[c];

    ColumnAddSlice(column, cells->count, 1, SliceCopy, values + (size_t)cells->first * (size_t)PetscMax(column->width, 1));
  }
}

void GridDescribeMixed(const Grid *grid, const char *root, Column *column)
{
  Column *next = column;

  (void)Begin(&next, root, "Topology", H5T_STD_I64LE, 0);
  for (PetscInt c = 0; c < grid->num_cells; c++)
    ColumnAddSlice(column, grid->cells[c].count, MixedLength(grid->cells[c].cell), FillMixed, &grid->cells[c]);
}
