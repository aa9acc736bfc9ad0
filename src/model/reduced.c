/* reduced.c - the mesh made small: assembled, reduced to the motions that are kept, put into the System. */
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

static PetscErrorCode RowsCreate(const Model *model, Rows *rows)
{
  const Structure *const structure = model->structure;
  PetscInt               room      = 0;

  PetscFunctionBegin;
  *rows = (Rows){0, 0, NULL, NULL, NULL};
  for (PetscInt s = 0; s < structure->num_sites; s++) room += (SPACE + SPACE * SPACE) * structure->sites[s].num_nodes;
  PetscCall(PetscMalloc3(room, &rows->row, room, &rows->column, room, &rows->value));
  for (PetscInt k = 0; k < structure->num_kept; k++) {
    const ModelPoint *const point = PointOf(model, structure->kept[k]);

    PetscCall(AddRow(structure, point, structure->kept[k] - point->first, rows));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateR(const Model *model, Mat *R)
{
  const Structure *const structure = model->structure;
  Rows                   rows;

  PetscFunctionBegin;
  PetscCall(RowsCreate(model, &rows));
  PetscCall(MatCreate(MeshComm(structure->mesh), R));
  PetscCall(MatSetSizes(*R, PETSC_DECIDE, structure->unknowns.num_local, rows.num_rows, structure->unknowns.num_total));
  PetscCall(MatSetType(*R, MATAIJ));
  PetscCall(MatSetPreallocationCOO(*R, rows.num_entries, rows.row, rows.column));
  PetscCall(MatSetValuesCOO(*R, rows.value, INSERT_VALUES));
  PetscCall(PetscFree3(rows.row, rows.column, rows.value));
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
static PetscErrorCode AddBodies(const Structure *structure, ReductionModel *reduction, PetscInt part[])
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
    MatCreateDense(MeshComm(structure->mesh), unknowns->num_local, PETSC_DECIDE, unknowns->num_total, NUM_DIRECTIONS, NULL, &reduction->rigid));
  PetscCall(MatDenseGetArrayWrite(reduction->rigid, &motion));
  PetscCallMPI(MPI_Scan(&unknowns->num_local, &first, 1, MPIU_INT, MPI_SUM, MeshComm(structure->mesh)));
  first -= unknowns->num_local;
  for (PetscInt i = 0; i < SPACE * unknowns->num_blocks; i++) {
    const PetscInt slot = unknowns->slot[i / SPACE], node = slot / 2, local = unknowns->number[i] - first;

    if (unknowns->number[i] < 0) continue;
    part[local]         = MeshPartOfNode(structure->mesh, MeshGetNodes(structure->mesh)->first + node);
    number[part[local]] = 1;
    for (PetscInt m = 0; m < NUM_DIRECTIONS; m++)
      motion[m * unknowns->num_local + local] =
        RigidMotion(m, i % SPACE + (slot % 2 ? SPACE : 0), MeshGetNodes(structure->mesh)->coordinates + SPACE * node, centre);
  }
  PetscCall(MatDenseRestoreArrayWrite(reduction->rigid, &motion));
  PetscCall(MatAssemblyBegin(reduction->rigid, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(reduction->rigid, MAT_FINAL_ASSEMBLY));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, number, (PetscMPIInt)num_all, MPIU_INT, MPI_MAX, MeshComm(structure->mesh)));
  for (PetscInt p = 0; p < num_all; p++) number[p] = number[p] ? reduction->num_parts++ : -1;
  for (PetscInt i = 0; i < unknowns->num_local; i++) part[i] = number[part[i]];
  PetscCall(PetscFree(number));
  reduction->part = part;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complaints of what a reduction cannot do. */

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
static PetscErrorCode NameBody(const Structure *structure, const ReductionModel *reduction, PetscInt body, char text[], size_t size)
{
  const Unknowns *const unknowns  = &structure->unknowns;
  PetscInt              mesh_part = -1;

  PetscFunctionBegin;
  for (PetscInt i = 0, local = 0; i < SPACE * unknowns->num_blocks; i++) {
    if (unknowns->number[i] < 0) continue;
    if (reduction->part[local++] == body)
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

static PetscErrorCode ComplainOfFreedom(const Structure *structure, const ReductionModel *reduction, const ReductionFault *fault)
{
  char body[512];

  PetscFunctionBegin;
  PetscCall(NameBody(structure, reduction, fault->part, body, sizeof(body)));
  PetscCall(InputComplain(structure->reduction_node,
                          "part %s floats free: %" PetscInt_FMT " of the rigid motions are held by no support and seen by no kept point; keep or "
                          "connect more points on it",
                          body, fault->count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainOfRows(const Model *model, const ReductionFault *fault)
{
  char row[128], other[128];

  PetscFunctionBegin;
  PetscCall(NameRow(model, fault->row, row, sizeof(row)));
  if (fault->reason == REDUCTION_EMPTY_ROW) {
    PetscCall(InputComplain(model->structure->reduction_node, "%s does not move: all of its nodes are held by supports", row));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(NameRow(model, fault->other_row, other, sizeof(other)));
  PetscCall(InputComplain(model->structure->reduction_node,
                          "the motion of %s follows from those kept before it, above all from %s; keep one of them only", row, other));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Complain(const Model *model, const ReductionModel *reduction, const Reduction *reduced)
{
  const ReductionFault *const fault = &reduced->fault;
  const InputNode *const      node  = model->structure->reduction_node;

  PetscFunctionBegin;
  switch (fault->reason) {
  case REDUCTION_DONE:
    break;
  case REDUCTION_EMPTY_ROW:
  case REDUCTION_DEPENDENT_ROW:
    PetscCall(ComplainOfRows(model, fault));
    break;
  case REDUCTION_FREE_PART:
    PetscCall(ComplainOfFreedom(model->structure, reduction, fault));
    break;
  case REDUCTION_SINGULAR:
    PetscCall(
      InputComplain(node, "%" PetscInt_FMT " motions strain nothing while the kept points are at rest: parts hang together by single nodes or edges",
                    fault->count));
    break;
  case REDUCTION_INDEFINITE:
    PetscCall(InputComplain(node, "the stiffness has %" PetscInt_FMT " directions of negative energy", fault->count));
    break;
  case REDUCTION_NOT_FACTORED:
    PetscCall(
      InputComplain(node, "the stiffness could not be factored (MUMPS %" PetscInt_FMT "); -9, -13 and -19 mean too little memory", fault->count));
    break;
  case REDUCTION_NOT_CONVERGED:
    PetscCall(InputComplain(node, "only %" PetscInt_FMT " modes converged", fault->count));
    break;
  case REDUCTION_MISSED_MODES:
    PetscCall(InputComplain(node, "%" PetscInt_FMT " modes were missed; ask for a few more", fault->count));
    break;
  case REDUCTION_INACCURATE:
    PetscCall(InputComplain(node, "the reduction is inaccurate: a relative error of %.3g", reduced->error));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Putting the reduced structure into the System. */

static PetscErrorCode AddMatrices(const Structure *structure, const Numbering *numbering, System *system)
{
  Reduction *const reduction = structure->reduction;
  GivenMatrices    matrices  = {.node = structure->reduction_node, .size = reduction->size, .mass = reduction->M, .stiffness = reduction->K};

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(matrices.size, &matrices.coordinates));
  for (PetscInt i = 0; i < matrices.size; i++)
    matrices.coordinates[i] = i < structure->num_kept ? structure->kept[i] : structure->first_mode + i - structure->num_kept;
  PetscCall(MatricesAdd(&matrices, numbering, system));
  PetscCall(PetscFree(matrices.coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt UnknownOf(const Structure *structure, const Numbering *numbering, PetscInt i)
{
  return numbering->unknown[i < structure->num_kept ? structure->kept[i] : structure->first_mode + i - structure->num_kept];
}

/* For ModelExpand, when the numbering is gone. */
static PetscErrorCode KeepNumbers(Structure *structure, const Numbering *numbering)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(structure->reduced));
  PetscCall(PetscMalloc1(structure->reduction->size, &structure->reduced));
  for (PetscInt i = 0; i < structure->reduction->size; i++) structure->reduced[i] = UnknownOf(structure, numbering, i);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T^T M r */
static PetscErrorCode AddBase(const Structure *structure, const Assembly *assembly, const Numbering *numbering, System *system)
{
  PetscReal *inertia;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(structure->reduction->size, &inertia));
  for (PetscInt d = 0; d < SPACE; d++) {
    PetscCall(ReductionProject(structure->reduction, assembly->inertia[d], inertia));
    for (PetscInt i = 0; i < structure->reduction->size; i++) PetscCall(SystemAddBase(system, d, UnknownOf(structure, numbering, i), inertia[i]));
    PetscCall(SystemAddBaseMass(system, d, assembly->mass));
  }
  PetscCall(PetscFree(inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motion of a point that is not kept: its row times T. */
static PetscErrorCode AddFollower(const Model *model, PetscInt p, PetscInt component, Vec row, const Numbering *numbering, System *system)
{
  const Structure *const  structure = model->structure;
  const ModelPoint *const point     = &model->points[p];
  PetscReal              *factor;
  SiteTerm                term;

  PetscFunctionBegin;
  PetscCall(VecZeroEntries(row));
  for (PetscInt i = 0; SiteTermOf(point->site, point->direction[component], i, &term); i++)
    PetscCall(VecSetValue(row, UnknownsFind(structure, term.node, term.direction), term.factor, ADD_VALUES));
  PetscCall(VecAssemblyBegin(row));
  PetscCall(VecAssemblyEnd(row));
  PetscCall(PetscMalloc1(structure->reduction->size, &factor));
  PetscCall(ReductionProject(structure->reduction, row, factor));
  for (PetscInt i = 0; i < structure->reduction->size; i++)
    if (factor[i] != 0.0) PetscCall(SystemAddFollower(system, p, component, UnknownOf(structure, numbering, i), factor[i]));
  PetscCall(PetscFree(factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddFollowers(const Model *model, const Assembly *assembly, const Numbering *numbering, System *system)
{
  Vec row;

  PetscFunctionBegin;
  PetscCall(VecDuplicate(assembly->inertia[0], &row));
  PetscCall(VecSetOption(row, VEC_IGNORE_NEGATIVE_INDICES, PETSC_TRUE));
  for (PetscInt p = 0; p < model->num_points; p++)
    for (PetscInt c = 0; c < model->points[p].num_components && model->points[p].site && !model->points[p].kept; c++)
      if (!model->points[p].fixed[c]) PetscCall(AddFollower(model, p, c, row, numbering, system));
  PetscCall(VecDestroy(&row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Reduce(const Model *model, const Assembly *assembly, PetscBool *fine)
{
  Structure *const structure = model->structure;
  ReductionModel   reduction = {.K = assembly->K, .M = assembly->M};
  PetscInt        *part;

  PetscFunctionBegin;
  PetscCall(CreateR(model, &reduction.R));
  PetscCall(PetscMalloc1(structure->unknowns.num_local, &part));
  PetscCall(AddBodies(structure, &reduction, part));
  PetscCall(ReductionCompute(&reduction, &structure->options, &structure->reduction));
  PetscCall(Complain(model, &reduction, structure->reduction));
  *fine = (PetscBool)(structure->reduction->fault.reason == REDUCTION_DONE);
  PetscCall(PetscFree(part));
  PetscCall(MatDestroy(&reduction.R));
  PetscCall(MatDestroy(&reduction.rigid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StructureBuild(const Model *model, const Numbering *numbering, System *system)
{
  Structure *const structure = model->structure;
  Assembly         assembly;
  PetscBool        fine;
  PetscLogDouble   start, end;
  LogStage         stage;

  PetscFunctionBegin;
  if (!structure) PetscFunctionReturn(PETSC_SUCCESS);
  LogStageBegin(&stage, "reduction of %" PetscInt_FMT " unknowns to %" PetscInt_FMT, structure->unknowns.num_total,
                structure->num_kept + structure->num_modes);
  PetscCall(PetscTime(&start));
  PetscCall(AssemblyCreate(structure, &assembly, &fine));
  PetscCall(PetscTime(&end));
  LogDetail("stiffness and mass assembled in %.3f s", end - start);
  structure->mass = assembly.mass;
  PetscCall(ReductionDestroy(&structure->reduction));
  if (fine) PetscCall(Reduce(model, &assembly, &fine));
  if (fine) {
    PetscCall(KeepNumbers(structure, numbering));
    PetscCall(AddMatrices(structure, numbering, system));
    system->accuracy = 1e-13; /* rigid motions were seen to strain K_bb by 1e-12 of its largest entry: so much for each entry of a row */
    PetscCall(AddBase(structure, &assembly, numbering, system));
    PetscCall(AddFollowers(model, &assembly, numbering, system));
    LogStageEnd(&stage);
  }
  PetscCall(AssemblyDestroy(&assembly));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const Mesh *ModelMesh(const Model *model)
{
  return model->structure ? model->structure->mesh : NULL;
}

/* The displacements of the blocks that this rank owns; those of rotations are left out, held ones are zero. */
static void ToNodes(const Structure *structure, PetscInt first, const PetscScalar unknown[], PetscReal displacement[])
{
  const Unknowns *const unknowns = &structure->unknowns;

  for (PetscInt b = 0; b < unknowns->num_blocks; b++)
    for (PetscInt c = 0; c < SPACE && unknowns->slot[b] % 2 == 0; c++) {
      const PetscInt number = unknowns->number[SPACE * b + c];

      if (number >= 0) displacement[SPACE * (unknowns->slot[b] / 2) + c] = unknown[number - first];
    }
}

PetscErrorCode ModelExpand(const Model *model, const PetscReal unknowns[], PetscReal displacement[])
{
  const Structure *const structure = model->structure;
  const PetscInt         size      = structure->reduction->size;
  const PetscScalar     *value;
  PetscReal             *reduced;
  PetscInt               first;
  Vec                    motion;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &reduced));
  for (PetscInt i = 0; i < size; i++) reduced[i] = structure->reduced[i] == GROUND ? 0.0 : unknowns[structure->reduced[i]];
  PetscCall(VecCreateMPI(MeshComm(structure->mesh), structure->unknowns.num_local, structure->unknowns.num_total, &motion));
  PetscCall(ReductionExpand(structure->reduction, reduced, motion));
  PetscCall(VecGetOwnershipRange(motion, &first, NULL));
  PetscCall(PetscArrayzero(displacement, SPACE * MeshGetNodes(structure->mesh)->count));
  PetscCall(VecGetArrayRead(motion, &value));
  ToNodes(structure, first, value, displacement);
  PetscCall(VecRestoreArrayRead(motion, &value));
  PetscCall(VecDestroy(&motion));
  PetscCall(PetscFree(reduced));
  PetscFunctionReturn(PETSC_SUCCESS);
}
