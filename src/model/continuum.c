/* continuum.c - the meshed part of a structure as a Continuum: the motions it shows, its bodies; and complaints of what is wrong with it. */
#include "structure.h"
#include <petsctime.h>

/* Row i of R is the motion of a point; of one rank those nodes that it owns. */
typedef struct {
  PetscInt   num_rows, num_entries;
  PetscInt  *row, *column;
  PetscReal *value;
} Rows;

/* The point that has a coordinate. */
static const ModelPoint *PointOf(const Model *model, PetscInt coordinate)
{
  for (PetscInt p = 0; p < model->num_points; p++)
    if (coordinate < model->points[p].first + model->points[p].num_components) return &model->points[p];
  return NULL;
}

static PetscErrorCode AddRow(const Structure *structure, const ModelPoint *point, PetscInt component, Rows *rows)
{
  SiteTerm term;

  PetscFunctionBegin;
  for (PetscInt i = 0; SiteTermOf(point->site, point->direction[component], i, &term); i++) {
    const PetscInt unknown = UnknownsFind(structure, term.node, term.direction);

    if (unknown < 0) continue;
    rows->row[rows->num_entries]     = rows->num_rows;
    rows->column[rows->num_entries]  = unknown;
    rows->value[rows->num_entries++] = term.factor;
  }
  rows->num_rows++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RowsCreate(const Structure *structure, Rows *rows)
{
  PetscInt room = 0;

  PetscFunctionBegin;
  *rows = (Rows){0, 0, NULL, NULL, NULL};
  for (PetscInt s = 0; s < structure->num_sites; s++) room += (SPACE + SPACE * SPACE) * structure->sites[s].num_nodes;
  PetscCall(PetscMalloc3(room, &rows->row, room, &rows->column, room, &rows->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RowsToMatrix(const Structure *structure, Rows *rows, Mat *matrix)
{
  PetscFunctionBegin;
  PetscCall(MatCreate(MeshComm(structure->mesh), matrix));
  PetscCall(MatSetSizes(*matrix, PETSC_DECIDE, structure->unknowns.num_local, rows->num_rows, structure->unknowns.num_total));
  PetscCall(MatSetType(*matrix, MATAIJ));
  PetscCall(MatSetPreallocationCOO(*matrix, rows->num_entries, rows->row, rows->column));
  PetscCall(MatSetValuesCOO(*matrix, rows->value, INSERT_VALUES));
  PetscCall(PetscFree3(rows->row, rows->column, rows->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateR(const Model *model, Mat *R)
{
  const Structure *const structure = model->structure;
  Rows                   rows;

  PetscFunctionBegin;
  PetscCall(RowsCreate(structure, &rows));
  for (PetscInt k = 0; k < structure->num_kept; k++) {
    const ModelPoint *const point = PointOf(model, structure->kept[k]);

    PetscCall(AddRow(structure, point, structure->kept[k] - point->first, &rows));
  }
  PetscCall(RowsToMatrix(structure, &rows, R));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A row for each component of each point, empty where it is no follower. */
static PetscErrorCode CreateFollowers(const Model *model, Mat *followers)
{
  Rows rows;

  PetscFunctionBegin;
  PetscCall(RowsCreate(model->structure, &rows));
  for (PetscInt p = 0; p < model->num_points; p++) {
    const ModelPoint *const point = &model->points[p];

    for (PetscInt c = 0; c < point->num_components; c++)
      if (point->site && !point->kept && !point->fixed[c]) PetscCall(AddRow(model->structure, point, c, &rows));
      else rows.num_rows++;
  }
  PetscCall(RowsToMatrix(model->structure, &rows, followers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumTie(const Model *model, const Numbering *numbering, Continuum *continuum)
{
  const Structure *const structure = model->structure;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(structure->num_kept, &continuum->unknown));
  for (PetscInt k = 0; k < structure->num_kept; k++) continuum->unknown[k] = numbering->unknown[structure->kept[k]];
  PetscCall(CreateFollowers(model, &continuum->followers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a rigid motion (0 to 5: along and about x, y, z through `centre`) does to direction d of a node at x. */
static PetscReal RigidMotion(PetscInt motion, PetscInt d, const PetscReal x[SPACE], const PetscReal centre[SPACE])
{
  const PetscInt axis = motion - SPACE;

  if (motion < SPACE || d >= SPACE) return motion == d ? 1.0 : 0.0;
  if (d == (axis + 1) % SPACE) return -(x[(axis + 2) % SPACE] - centre[(axis + 2) % SPACE]); /* theta x r */
  if (d == (axis + 2) % SPACE) return x[(axis + 1) % SPACE] - centre[(axis + 1) % SPACE];
  return 0.0;
}

/* The rigid motions of the mesh's bodies, and the body of each unknown of this rank. Bodies without unknowns get no number. */
static PetscErrorCode AddBodies(const Structure *structure, Continuum *continuum)
{
  const Unknowns *const unknowns = &structure->unknowns;
  const PetscInt        num_all  = MeshNumParts(structure->mesh);
  PetscReal             lower[SPACE], upper[SPACE], centre[SPACE], *motion;
  PetscInt             *number, first = 0;

  PetscFunctionBegin;
  MeshBoundingBox(structure->mesh, lower, upper);
  for (PetscInt c = 0; c < SPACE; c++) centre[c] = 0.5 * (lower[c] + upper[c]);
  PetscCall(PetscCalloc1(num_all, &number));
  PetscCall(
    MatCreateDense(MeshComm(structure->mesh), unknowns->num_local, PETSC_DECIDE, unknowns->num_total, NUM_DIRECTIONS, NULL, &continuum->rigid));
  PetscCall(PetscMalloc1(unknowns->num_local, &continuum->part));
  PetscCall(MatDenseGetArrayWrite(continuum->rigid, &motion));
  PetscCallMPI(MPI_Scan(&unknowns->num_local, &first, 1, MPIU_INT, MPI_SUM, MeshComm(structure->mesh)));
  first -= unknowns->num_local;
  for (PetscInt i = 0; i < SPACE * unknowns->num_blocks; i++) {
    const PetscInt slot = unknowns->slot[i / SPACE], node = slot / 2, local = unknowns->number[i] - first;

    if (unknowns->number[i] < 0) continue;
    continuum->part[local]         = MeshPartOfNode(structure->mesh, MeshGetNodes(structure->mesh)->first + node);
    number[continuum->part[local]] = 1;
    for (PetscInt m = 0; m < NUM_DIRECTIONS; m++)
      motion[m * unknowns->num_local + local] =
        RigidMotion(m, i % SPACE + (slot % 2 ? SPACE : 0), MeshGetNodes(structure->mesh)->coordinates + SPACE * node, centre);
  }
  PetscCall(MatDenseRestoreArrayWrite(continuum->rigid, &motion));
  PetscCall(MatAssemblyBegin(continuum->rigid, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(continuum->rigid, MAT_FINAL_ASSEMBLY));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, number, (PetscMPIInt)num_all, MPIU_INT, MPI_MAX, MeshComm(structure->mesh)));
  for (PetscInt p = 0; p < num_all; p++) number[p] = number[p] ? continuum->num_parts++ : -1;
  for (PetscInt i = 0; i < unknowns->num_local; i++) continuum->part[i] = number[continuum->part[i]];
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumCreate(const Model *model, Continuum **continuum)
{
  const Structure *const structure = model->structure;
  PetscLogDouble         start, end;
  PetscBool              fine;

  PetscFunctionBegin;
  PetscCall(PetscNew(continuum));
  PetscCall(PetscTime(&start));
  PetscCall(AssemblyFill(structure, *continuum, &fine));
  PetscCall(PetscTime(&end));
  LogDetail("stiffness and mass assembled in %.3f s", end - start);
  if (!fine) {
    PetscCall(ContinuumDestroy(continuum));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CreateR(model, &(*continuum)->R));
  PetscCall(AddBodies(structure, *continuum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a complaint is about: how it is reduced, or the mesh. */
static const InputNode *NodeOf(const Structure *structure)
{
  return structure->reduction_node ? structure->reduction_node : structure->node;
}

/* "point 'a' in rx" */
static PetscErrorCode NameRow(const Model *model, PetscInt row, char text[], size_t size)
{
  const PetscInt          coordinate = model->structure->kept[row];
  const ModelPoint *const point      = PointOf(model, coordinate);

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(text, size, "point '%s' in %s", point->name, direction_names[point->direction[coordinate - point->first]]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The names of the groups that have nodes in a body: "'lower', 'upper'". */
static PetscErrorCode NameBody(const Structure *structure, const Continuum *continuum, PetscInt body, char text[], size_t size)
{
  const Unknowns *const unknowns  = &structure->unknowns;
  PetscInt              mesh_part = -1;

  PetscFunctionBegin;
  for (PetscInt i = 0, local = 0; i < SPACE * unknowns->num_blocks; i++) {
    if (unknowns->number[i] < 0) continue;
    if (continuum->part[local++] == body)
      mesh_part = MeshPartOfNode(structure->mesh, MeshGetNodes(structure->mesh)->first + unknowns->slot[i / SPACE] / 2);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &mesh_part, 1, MPIU_INT, MPI_MAX, MeshComm(structure->mesh)));
  text[0] = '\0';
  for (PetscInt p = 0; p < structure->num_parts; p++) {
    PetscInt found = 0;

    for (PetscInt b = 0; b < structure->num_batches; b++) {
      const Batch *const batch = &structure->batches[b];
      const PetscInt     width = mesh_shapes[batch->block->shape].num_nodes;

      for (PetscInt e = 0; e < batch->count && batch->part == &structure->parts[p] && !found; e++)
        found = MeshPartOfNode(structure->mesh, batch->block->nodes[batch->elements[e] * width]) == mesh_part;
    }
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPIU_INT, MPI_MAX, MeshComm(structure->mesh)));
    if (!found) continue;
    if (text[0]) PetscCall(PetscStrlcat(text, ", ", size));
    PetscCall(PetscStrlcat(text, "'", size));
    PetscCall(PetscStrlcat(text, structure->parts[p].name, size));
    PetscCall(PetscStrlcat(text, "'", size));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainOfFreedom(const Structure *structure, const Continuum *continuum, const ContinuumFault *fault)
{
  char body[512];

  PetscFunctionBegin;
  PetscCall(NameBody(structure, continuum, fault->part, body, sizeof(body)));
  PetscCall(InputComplain(NodeOf(structure),
                          "part %s floats free: %" PetscInt_FMT " of the rigid motions are held by no support and seen by no kept point; keep or "
                          "connect more points on it",
                          body, fault->count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainOfRows(const Model *model, const ContinuumFault *fault)
{
  char row[128], other[128];

  PetscFunctionBegin;
  PetscCall(NameRow(model, fault->row, row, sizeof(row)));
  if (fault->reason == CONTINUUM_EMPTY_ROW) {
    PetscCall(InputComplain(NodeOf(model->structure), "%s does not move: all of its nodes are held by supports", row));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(NameRow(model, fault->other_row, other, sizeof(other)));
  PetscCall(InputComplain(NodeOf(model->structure), "the motion of %s follows from those kept before it, above all from %s; keep one of them only",
                          row, other));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumComplain(const Model *model, const Continuum *continuum, const ContinuumFault *fault)
{
  const InputNode *const node = NodeOf(model->structure);

  PetscFunctionBegin;
  switch (fault->reason) {
  case CONTINUUM_FINE:
    break;
  case CONTINUUM_EMPTY_ROW:
  case CONTINUUM_DEPENDENT_ROW:
    PetscCall(ComplainOfRows(model, fault));
    break;
  case CONTINUUM_FREE_PART:
    PetscCall(ComplainOfFreedom(model->structure, continuum, fault));
    break;
  case CONTINUUM_SINGULAR:
    PetscCall(
      InputComplain(node, "%" PetscInt_FMT " motions strain nothing while the kept points are at rest: parts hang together by single nodes or edges",
                    fault->count));
    break;
  case CONTINUUM_INDEFINITE:
    PetscCall(InputComplain(node, "the stiffness has %" PetscInt_FMT " directions of negative energy", fault->count));
    break;
  case CONTINUUM_NOT_FACTORED:
    PetscCall(
      InputComplain(node, "the stiffness could not be factored (MUMPS %" PetscInt_FMT "); -9, -13 and -19 mean too little memory", fault->count));
    break;
  case CONTINUUM_NOT_CONVERGED:
    PetscCall(InputComplain(node, "only %" PetscInt_FMT " modes converged", fault->count));
    break;
  case CONTINUUM_MISSED_MODES:
    PetscCall(InputComplain(node, "%" PetscInt_FMT " modes were missed; ask for a few more", fault->count));
    break;
  case CONTINUUM_INACCURATE:
    PetscCall(InputComplain(node, "the reduction is inaccurate: a relative error of %.3g", fault->error));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
