/* grid_group.c - the elements of one group, and their nodes, as all there is to draw. */
#include "fields.h"

/* Those that this rank has, in the order of their block, whatever that of the group. */
static PetscErrorCode FindElements(const MeshGroup *group, PetscInt b, const MeshBlock *block, Cells *cells)
{
  PetscBool *drawn;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(block->count, &drawn));
  for (PetscInt i = 0; i < group->count; i++)
    if (group->elements[i].block == b) drawn[group->elements[i].index] = PETSC_TRUE;
  PetscCall(PetscMalloc1(block->count, &cells->elements));
  cells->count = 0;
  for (PetscInt i = 0; i < block->count; i++)
    if (drawn[i]) cells->elements[cells->count++] = i;
  PetscCall(PetscMalloc1(cells->count, &cells->groups));
  for (PetscInt i = 0; i < cells->count; i++) cells->groups[i] = group->number;
  PetscCall(PetscFree(drawn));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of all ranks. */
static PetscErrorCode FindCells(const Mesh *mesh, const MeshGroup *group, Grid *grid)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++) {
    const MeshBlock *const block = MeshGetBlock(mesh, b);
    Cells *const           cells = &grid->cells[grid->num_cells];
    PetscInt               total;

    if (mesh_shapes[block->shape].dim != group->dim) continue;
    *cells = (Cells){.mesh = mesh, .block = block, .cell = &vtk_cells[block->shape], .corners_before = grid->totals[2]};
    PetscCall(FindElements(group, b, block, cells));
    PetscCallMPI(MPI_Allreduce(&cells->count, &total, 1, MPIU_INT, MPI_SUM, MeshComm(mesh)));
    grid->num_cells++;
    grid->totals[1] += total;
    grid->totals[2] += (PetscInt64)total * cells->cell->num_corners;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which nodes any rank's cells have: one letter for each node of the mesh, on all ranks. */
static PetscErrorCode FlagNodes(const Mesh *mesh, const Grid *grid, char used[])
{
  PetscMPIInt total;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(used, MeshGetNodes(mesh)->total));
  for (PetscInt c = 0; c < grid->num_cells; c++) {
    const Cells *const cells = &grid->cells[c];
    const PetscInt     width = mesh_shapes[cells->block->shape].num_nodes;

    for (PetscInt i = 0; i < cells->count; i++)
      for (PetscInt k = 0; k < width; k++) used[cells->block->nodes[cells->elements[i] * width + k]] = 1;
  }
  PetscCall(PetscMPIIntCast(MeshGetNodes(mesh)->total, &total));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, used, total, MPI_CHAR, MPI_MAX, MeshComm(mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CopyNodes(const MeshNodes *nodes, Grid *grid)
{
  PetscReal  *coordinates;
  PetscInt64 *tags;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(3 * grid->num_nodes, &coordinates, grid->num_nodes, &tags));
  for (PetscInt i = 0; i < grid->num_nodes; i++) {
    PetscCall(PetscArraycpy(coordinates + 3 * i, nodes->coordinates + 3 * grid->nodes[i], 3));
    tags[i] = nodes->tags[grid->nodes[i]];
  }
  grid->coordinates = coordinates;
  grid->tags        = tags;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridCreateGroup(const Mesh *mesh, const MeshGroup *group, Grid *grid)
{
  const MeshNodes *const nodes = MeshGetNodes(mesh);
  PetscInt               next  = 0;
  char                  *used;

  PetscFunctionBegin;
  *grid = (Grid){.totals = {0}};
  PetscCall(FindCells(mesh, group, grid));
  PetscCall(PetscMalloc1(nodes->total, &used));
  PetscCall(FlagNodes(mesh, grid, used));
  PetscCall(PetscMalloc1(nodes->total, &grid->row));
  PetscCall(PetscMalloc1(nodes->count, &grid->nodes));
  for (PetscInt i = 0; i < nodes->total; i++) {
    grid->row[i] = next;
    if (used[i] && i >= nodes->first && i < nodes->first + nodes->count) grid->nodes[grid->num_nodes++] = i - nodes->first;
    next += used[i];
  }
  grid->totals[0] = next;
  for (PetscInt c = 0; c < grid->num_cells; c++) grid->cells[c].row = grid->row;
  PetscCall(CopyNodes(nodes, grid));
  PetscCall(PetscFree(used));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void GridKeepNodes(const Grid *grid, PetscInt width, PetscReal values[])
{
  for (PetscInt i = 0; grid->nodes && i < grid->num_nodes; i++)
    for (PetscInt c = 0; c < width; c++) values[i * width + c] = values[grid->nodes[i] * width + c];
}
