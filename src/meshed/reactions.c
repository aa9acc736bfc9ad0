/*
  reactions.c - what the ground gives to a mesh, support by support: at rest, and as rows for motions.

      R = sum_e (K_e u_e - M_e g) - p      at nodes that are held, g the acceleration of gravity, p of pressures and of forces on points
      R = K_h u + M_h u'' + ...            of what moves, the rows K_h and M_h on the unknowns of the mesh
*/
#include "meshed_private.h"
#include <string.h>
#include "triplets.h"

typedef struct {
  PetscReal *places, *motion, *stiffness, *mass, *spread;
  PetscInt   num_rows;
  Tie        tie;
} Buffers;

static PetscErrorCode BuffersCreate(const ElementKind *kind, Buffers *buffers)
{
  const PetscInt width = mesh_shapes[kind->shape].num_nodes, size = PetscSqr(width * kind->num_unknowns);

  PetscFunctionBegin;
  buffers->num_rows = width * kind->num_unknowns;
  PetscCall(PetscMalloc5(BATCH * width * SPACE, &buffers->places, buffers->num_rows, &buffers->motion, BATCH * size, &buffers->stiffness,
                         BATCH * size, &buffers->mass, BATCH * size, &buffers->spread));
  PetscCall(TieCreate(&buffers->tie));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuffersDestroy(Buffers *buffers)
{
  PetscFunctionBegin;
  PetscCall(TieDestroy(&buffers->tie));
  PetscCall(PetscFree5(buffers->places, buffers->motion, buffers->stiffness, buffers->mass, buffers->spread));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K_e and M_e of so many elements, and where their nodes are. */
static PetscErrorCode BuffersFill(const MeshedPart *meshed, const Batch *batch, PetscInt first, PetscInt count, Buffers *buffers)
{
  const PetscInt width = mesh_shapes[batch->block->shape].num_nodes;
  PetscInt       faulty;

  PetscFunctionBegin;
  BatchPlaces(meshed, batch, first, count, buffers->places);
  PetscCall(ElementEvaluate(batch->kind, &batch->properties, count, buffers->places, buffers->stiffness, buffers->mass, &faulty));
  ElementSpreadMass(batch->kind, count, buffers->mass, buffers->spread);
  ElementMirror(count, width, batch->kind->num_unknowns, buffers->stiffness);
  ElementMirror(count, width, batch->kind->num_unknowns, buffers->spread);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K_e u_e - M_e g at the nodes of one element, six numbers each: forces, moments. */
static PetscErrorCode AddElement(const Batch *batch, PetscInt e, const Buffers *buffers, PetscInt place, const PetscReal gravity[SPACE], Vec forces)
{
  const PetscInt         width = mesh_shapes[batch->block->shape].num_nodes, each = batch->kind->num_unknowns, rows = buffers->num_rows;
  const PetscReal *const K = buffers->stiffness + place * rows * rows, *const M = buffers->spread + place * rows * rows;
  PetscReal force[MESH_MAX_NODES * NUM_DIRECTIONS] = {0.0};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < rows; i++)
    for (PetscInt j = 0; j < rows; j++) {
      const PetscReal g = j % each < SPACE ? gravity[j % each] : 0.0;

      force[NUM_DIRECTIONS * (i / each) + i % each] += K[i * rows + j] * buffers->motion[j] - M[i * rows + j] * g;
    }
  PetscCall(VecSetValuesBlocked(forces, width, batch->block->nodes + batch->elements[e] * width, force, ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddBatch(const MeshedPart *meshed, const Batch *batch, const PetscReal gravity[SPACE], Vec forces)
{
  Buffers buffers;

  PetscFunctionBegin;
  PetscCall(BuffersCreate(batch->kind, &buffers));
  for (PetscInt first = 0; first < batch->count; first += BATCH) {
    const PetscInt count = PetscMin(BATCH, batch->count - first);

    PetscCall(BuffersFill(meshed, batch, first, count, &buffers));
    for (PetscInt e = 0; e < count; e++) {
      PetscCall(StressMotion(meshed, batch, first + e, &buffers.tie, buffers.motion));
      PetscCall(AddElement(batch, first + e, &buffers, e, gravity, forces));
    }
  }
  PetscCall(BuffersDestroy(&buffers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pressures act on displacements alone. */
static PetscErrorCode SubtractPressures(const MeshedPart *meshed, const MeshedLoads *loads, PetscReal forces[])
{
  const PetscScalar *push;
  Vec                on_nodes;

  PetscFunctionBegin;
  PetscCall(NodalForcesCreate(meshed->mesh, &on_nodes));
  for (PetscInt p = 0; p < loads->num_pressures; p++) PetscCall(PressureAddOnNodes(meshed, &loads->pressures[p], on_nodes));
  PetscCall(VecGetArrayRead(on_nodes, &push));
  for (PetscInt i = 0; i < SPACE * MeshGetNodes(meshed->mesh)->count; i++) forces[NUM_DIRECTIONS * (i / SPACE) + i % SPACE] -= push[i];
  PetscCall(VecRestoreArrayRead(on_nodes, &push));
  PetscCall(VecDestroy(&on_nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a unit force or moment on a site is on its node n, as MeshMotionAdd has its motion. */
static void Share(const Site *site, PetscInt n, PetscInt direction, PetscReal share[NUM_DIRECTIONS])
{
  for (PetscInt c = 0; c < NUM_DIRECTIONS; c++) share[c] = 0.0;
  if (site->kind != SITE_AVERAGE || direction < SPACE) {
    share[direction] = site->weights ? site->weights[n] : 1.0;
    return;
  }
  for (PetscInt l = 0; l < SPACE; l++) {
    const PetscInt         j = (l + 1) % SPACE, k = (l + 2) % SPACE;
    const PetscReal *const r = site->arms[n], *const row = site->inverse[direction - SPACE];

    share[l] = site->weights[n] * (row[j] * r[k] - row[k] * r[j]);
  }
}

/* Nodes of rigid points are held with these only, if at all. */
static void SubtractPush(const MeshedPart *meshed, const MeshedPush *push, PetscReal forces[])
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  const Site *const      site  = SiteByName(meshed, push->point);

  for (PetscInt n = 0; site && site->kind != SITE_RIGID && n < site->num_nodes; n++) {
    const PetscInt i = site->nodes[n] - nodes->first;
    PetscReal      share[NUM_DIRECTIONS];

    if (i < 0 || i >= nodes->count) continue;
    Share(site, n, push->direction, share);
    for (PetscInt c = 0; c < NUM_DIRECTIONS; c++) forces[NUM_DIRECTIONS * i + c] -= push->force * share[c];
  }
}

/* Each node once, however many supports hold it. */
static PetscErrorCode SumUp(const MeshedPart *meshed, const PetscReal forces[], PetscReal reactions[])
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  const PetscInt         count = NUM_DIRECTIONS * meshed->attached.num_supports;
  Holding                holding;

  PetscFunctionBegin;
  PetscCall(HoldingCreate(meshed, &holding));
  PetscCall(PetscArrayzero(reactions, count));
  for (PetscInt n = 0; n < holding.num_nodes; n++) {
    const PetscInt i = holding.nodes[n] - nodes->first;

    if (i >= 0 && i < nodes->count) HoldingAdd(&holding, holding.nodes[n], nodes->coordinates + SPACE * i, forces + NUM_DIRECTIONS * i, reactions);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, reactions, (PetscMPIInt)count, MPIU_REAL, MPI_SUM, MeshComm(meshed->mesh)));
  PetscCall(HoldingDestroy(&holding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartFindReactions(const MeshedPart *stressed, const MeshedLoads *loads, PetscReal reactions[])
{
  const MeshNodes *const nodes = MeshGetNodes(stressed->mesh);
  PetscScalar           *force;
  Vec                    forces;

  PetscFunctionBegin;
  PetscCall(VecCreateMPI(MeshComm(stressed->mesh), NUM_DIRECTIONS * nodes->count, NUM_DIRECTIONS * nodes->total, &forces));
  PetscCall(VecSetBlockSize(forces, NUM_DIRECTIONS));
  for (PetscInt b = 0; b < stressed->made.num_batches; b++) PetscCall(AddBatch(stressed, &stressed->made.batches[b], loads->gravity, forces));
  PetscCall(VecAssemblyBegin(forces));
  PetscCall(VecAssemblyEnd(forces));
  PetscCall(VecGetArray(forces, &force));
  PetscCall(SubtractPressures(stressed, loads, force));
  for (PetscInt p = 0; p < loads->num_pushes; p++) SubtractPush(stressed, &loads->pushes[p], force);
  PetscCall(SumUp(stressed, force, reactions));
  PetscCall(VecRestoreArray(forces, &force));
  PetscCall(VecDestroy(&forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of an element's forces: K_e and M_e where they act on nodes that are held. */
typedef struct {
  const MeshedPart *meshed;
  Holding           holding;
  PetscInt          count;        /* of reactions, six of each support */
  PetscReal        *share;        /* [count] of a unit of force on a node */
  PetscReal        *of_forces[2]; /* [count, rows] K_e, M_e of one element */
  Triplets          triplets[2];  /* [6 of each node, count] */
} RowSum;

static PetscBool IsHeld(const RowSum *sum, const Batch *batch, PetscInt e)
{
  const PetscInt        width = mesh_shapes[batch->block->shape].num_nodes;
  const PetscInt *const nodes = batch->block->nodes + batch->elements[e] * width;

  for (PetscInt k = 0; k < width; k++)
    if (HoldingHas(&sum->holding, nodes[k])) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Of a unit of force on a node, row `i` of the matrices of an element. */
static void AddShares(const PetscReal *const matrices[2], PetscInt i, PetscInt num_rows, RowSum *sum)
{
  for (PetscInt r = 0; r < sum->count; r++)
    for (PetscInt m = 0; m < 2 && sum->share[r] != 0.0; m++)
      for (PetscInt j = 0; j < num_rows; j++) sum->of_forces[m][r * num_rows + j] += sum->share[r] * matrices[m][i * num_rows + j];
}

static PetscErrorCode AddElementRows(const Batch *batch, PetscInt e, PetscInt place, const Buffers *buffers, RowSum *sum)
{
  const PetscInt         width = mesh_shapes[batch->block->shape].num_nodes, each = batch->kind->num_unknowns, num_rows = buffers->num_rows;
  const PetscInt *const  nodes       = batch->block->nodes + batch->elements[e] * width;
  const PetscReal *const matrices[2] = {buffers->stiffness + place * num_rows * num_rows, buffers->spread + place * num_rows * num_rows};

  PetscFunctionBegin;
  for (PetscInt m = 0; m < 2; m++) PetscCall(PetscArrayzero(sum->of_forces[m], sum->count * num_rows));
  for (PetscInt i = 0; i < num_rows; i++) {
    PetscReal force[NUM_DIRECTIONS] = {0.0};

    if (!HoldingHas(&sum->holding, nodes[i / each])) continue;
    force[i % each] = 1.0;
    PetscCall(PetscArrayzero(sum->share, sum->count));
    HoldingAdd(&sum->holding, nodes[i / each], buffers->places + SPACE * (place * width + i / each), force, sum->share);
    AddShares(matrices, i, num_rows, sum);
  }
  for (PetscInt m = 0; m < 2; m++)
    for (PetscInt r = 0; r < sum->count; r++)
      for (PetscInt j = 0; j < num_rows; j++)
        if (sum->of_forces[m][r * num_rows + j] != 0.0)
          PetscCall(TripletsAdd(NUM_DIRECTIONS * nodes[j / each] + j % each, r, sum->of_forces[m][r * num_rows + j], &sum->triplets[m]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddBatchRows(const Batch *batch, RowSum *sum)
{
  Buffers buffers;

  PetscFunctionBegin;
  PetscCall(BuffersCreate(batch->kind, &buffers));
  PetscCall(PetscMalloc2(sum->count * buffers.num_rows, &sum->of_forces[0], sum->count * buffers.num_rows, &sum->of_forces[1]));
  for (PetscInt first = 0; first < batch->count; first += BATCH) {
    const PetscInt count = PetscMin(BATCH, batch->count - first);
    PetscInt       held  = 0;

    for (PetscInt e = 0; e < count; e++) held += IsHeld(sum, batch, first + e);
    if (held) PetscCall(BuffersFill(sum->meshed, batch, first, count, &buffers));
    for (PetscInt e = 0; e < count && held; e++)
      if (IsHeld(sum, batch, first + e)) PetscCall(AddElementRows(batch, first + e, e, &buffers, sum));
  }
  PetscCall(PetscFree2(sum->of_forces[0], sum->of_forces[1]));
  PetscCall(BuffersDestroy(&buffers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From motions of nodes to the unknowns that move them. */
static PetscErrorCode ToUnknowns(const MeshedPart *meshed, Triplets *of_nodes, PetscInt num_rows, Mat *rows)
{
  const MeshNodes *const nodes    = MeshGetNodes(meshed->mesh);
  Triplets               triplets = {0};
  Mat                    by_node;
  PetscInt               first, end;

  PetscFunctionBegin;
  PetscCall(
    TripletsMatrix(of_nodes, MeshComm(meshed->mesh), NUM_DIRECTIONS * nodes->count, NUM_DIRECTIONS * nodes->total, PETSC_DECIDE, num_rows, &by_node));
  PetscCall(MatGetOwnershipRange(by_node, &first, &end));
  for (PetscInt i = first; i < end; i++) {
    const PetscInt    *row;
    const PetscScalar *value;
    PetscInt           count;
    Term               terms[SPACE];

    PetscCall(MatGetRow(by_node, i, &count, &row, &value));
    if (count) {
      const PetscInt num_terms = UnknownsOf(meshed, i / NUM_DIRECTIONS, i % NUM_DIRECTIONS, terms);

      for (PetscInt k = 0; k < count; k++)
        for (PetscInt t = 0; t < num_terms; t++) PetscCall(TripletsAdd(row[k], terms[t].index, terms[t].factor * value[k], &triplets));
    }
    PetscCall(MatRestoreRow(by_node, i, &count, &row, &value));
  }
  PetscCall(MatDestroy(&by_node));
  PetscCall(TripletsMatrix(&triplets, MeshComm(meshed->mesh), PETSC_DECIDE, num_rows, meshed->unknowns.num_local, meshed->unknowns.num_total, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartReactionRows(const MeshedPart *meshed, Mat *stiffness, Mat *mass)
{
  RowSum sum = {.meshed = meshed, .count = NUM_DIRECTIONS * meshed->attached.num_supports};

  PetscFunctionBegin;
  PetscCall(HoldingCreate(meshed, &sum.holding));
  PetscCall(PetscMalloc1(sum.count, &sum.share));
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) PetscCall(AddBatchRows(&meshed->made.batches[b], &sum));
  PetscCall(ToUnknowns(meshed, &sum.triplets[0], sum.count, stiffness));
  PetscCall(ToUnknowns(meshed, &sum.triplets[1], sum.count, mass));
  PetscCall(PetscFree(sum.share));
  PetscCall(HoldingDestroy(&sum.holding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt MeshedPartNumSupports(const MeshedPart *meshed)
{
  return meshed->attached.num_supports;
}

PetscErrorCode MeshedPartSupportName(const MeshedPart *meshed, PetscInt s, size_t size, char name[])
{
  const Support *const support = &meshed->attached.supports[s];
  PetscInt             alike   = 1;

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(name, support->point ? support->point : support->group, size));
  for (PetscInt i = 0; i < s; i++) {
    const Support *const other = &meshed->attached.supports[i];

    alike += !strcmp(other->point ? other->point : other->group, name);
  }
  for (char *c = name; *c; c++)
    if (*c == ' ' || *c == '/') *c = '_';
  if (alike > 1) PetscCall(PetscSNPrintf(name + strlen(name), size - strlen(name), "_%" PetscInt_FMT, alike));
  PetscFunctionReturn(PETSC_SUCCESS);
}
