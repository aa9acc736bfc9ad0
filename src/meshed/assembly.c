/* assembly.c - stiffness and mass of the whole mesh, in symmetric blocks of three. */
#include "meshed_private.h"

/* What one rank's elements join: local slots that are numbered, element after element. */
typedef struct {
  PetscInt  num_slots, num_elements;
  PetscInt *start, *slots;  /* slots of element e are slots[start[e]], ... */
  PetscInt *end, *elements; /* elements of slot s are those before elements[end[s]], from elements[end[s - 1]] on */
} Pattern;

/* Those slots of an element that are numbered. */
static PetscInt SlotsOf(const MeshedPart *meshed, const Batch *batch, PetscInt e, PetscInt slots[])
{
  PetscInt              all[2 * MESH_MAX_NODES], count = 0;
  PetscBool             tied;
  const PetscInt *const block     = meshed->unknowns.block;
  const PetscInt        num_slots = TieSlots(meshed, batch, e, all, &tied);

  for (PetscInt i = 0; i < num_slots; i++)
    if (block[all[i]] >= 0) slots[count++] = all[i];
  return count;
}

static PetscErrorCode PatternCreate(const MeshedPart *meshed, Pattern *pattern)
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);
  PetscInt               room  = 0, next;

  PetscFunctionBegin;
  *pattern = (Pattern){.num_slots = 2 * (nodes->count + nodes->num_ghosts + meshed->attached.num_spiders)};
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    pattern->num_elements += meshed->made.batches[b].count;
    room += meshed->made.batches[b].count * 2 * mesh_shapes[meshed->made.batches[b].block->shape].num_nodes;
  }
  PetscCall(PetscMalloc2(pattern->num_elements + 1, &pattern->start, room, &pattern->slots));
  pattern->start[0] = next = 0;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++)
    for (PetscInt e = 0; e < meshed->made.batches[b].count; e++, next++)
      pattern->start[next + 1] = pattern->start[next] + SlotsOf(meshed, &meshed->made.batches[b], e, pattern->slots + pattern->start[next]);
  room = pattern->start[next];
  PetscCall(PetscCalloc2(pattern->num_slots + 1, &pattern->end, room, &pattern->elements));
  for (PetscInt i = 0; i < room; i++) pattern->end[pattern->slots[i] + 1]++;
  for (PetscInt s = 0; s < pattern->num_slots; s++) pattern->end[s + 1] += pattern->end[s];
  for (PetscInt e = 0; e < pattern->num_elements; e++) /* moves each start to the end */
    for (PetscInt i = pattern->start[e]; i < pattern->start[e + 1]; i++) pattern->elements[pattern->end[pattern->slots[i]]++] = e;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PatternDestroy(Pattern *pattern)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(pattern->start, pattern->slots));
  PetscCall(PetscFree2(pattern->end, pattern->elements));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Blocks right of the diagonal (and on it) that this rank's elements put in the row of a slot: those in columns before `last`, and the others.
   `seen` marks the slots met in rows so far with their row. */
static void CountRow(const Pattern *pattern, const PetscInt block[], PetscInt row, PetscInt last, PetscInt seen[], PetscInt *within, PetscInt *beyond)
{
  for (PetscInt a = row ? pattern->end[row - 1] : 0; a < pattern->end[row]; a++) {
    const PetscInt e = pattern->elements[a];

    for (PetscInt i = pattern->start[e]; i < pattern->start[e + 1]; i++) {
      const PetscInt slot = pattern->slots[i];

      if (seen[slot] == row || block[slot] < block[row]) continue;
      seen[slot] = row;
      if (block[slot] < last) (*within)++;
      else (*beyond)++;
    }
  }
}

/* For rows of nodes that other ranks' elements touch too, the sum of what all count: perhaps more than needed. */
static PetscErrorCode CountBlocks(const MeshedPart *meshed, PetscInt within[], PetscInt beyond[])
{
  const Unknowns *const unknowns = &meshed->unknowns;
  MPI_Comm              comm     = MeshComm(meshed->mesh);
  Pattern               pattern;
  PetscInt             *seen, *last, owner = 0, end = unknowns->first_block + unknowns->num_blocks;
  PetscMPIInt           size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PatternCreate(meshed, &pattern));
  PetscCall(PetscMalloc2(pattern.num_slots, &seen, size, &last));
  PetscCallMPI(MPI_Allgather(&end, 1, MPIU_INT, last, 1, MPIU_INT, comm));
  for (PetscInt s = 0; s < pattern.num_slots; s++) seen[s] = -1;
  for (PetscInt s = 0; s < pattern.num_slots; s++) {
    if (unknowns->block[s] < 0) continue;
    while (unknowns->block[s] >= last[owner]) owner++;                 /* ghosts come in the order of their owners, */
    while (owner > 0 && unknowns->block[s] < last[owner - 1]) owner--; /* but behind what this rank owns */
    CountRow(&pattern, unknowns->block, s, last[owner], seen, &within[s], &beyond[s]);
  }
  PetscCall(PetscFree2(seen, last));
  PetscCall(PatternDestroy(&pattern));
  PetscCall(UnknownsSum(meshed, within));
  PetscCall(UnknownsSum(meshed, beyond));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateMatrix(const Unknowns *unknowns, MPI_Comm comm, const PetscInt within[], const PetscInt beyond[], Mat *matrix)
{
  PetscFunctionBegin;
  PetscCall(MatCreate(comm, matrix));
  PetscCall(MatSetSizes(*matrix, SPACE * unknowns->num_blocks, SPACE * unknowns->num_blocks, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetType(*matrix, MATSBAIJ));
  PetscCall(MatXAIJSetPreallocation(*matrix, SPACE, within, beyond, within, beyond));
  PetscCall(MatSetOption(*matrix, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
  PetscCall(MatSetOption(*matrix, MAT_SYMMETRIC, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateMatrices(const MeshedPart *meshed, Continuum *continuum)
{
  const Unknowns *const  unknowns  = &meshed->unknowns;
  const MeshNodes *const nodes     = MeshGetNodes(meshed->mesh);
  const PetscInt         num_slots = 2 * (nodes->count + nodes->num_ghosts + meshed->attached.num_spiders);
  PetscInt              *within, *beyond;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(num_slots, &within, num_slots, &beyond));
  PetscCall(CountBlocks(meshed, within, beyond));
  for (PetscInt i = 0; i < unknowns->num_blocks; i++) { /* a slot is not below its block */
    within[i] = PetscMin(within[unknowns->slot[i]], unknowns->num_blocks - i);
    beyond[i] = PetscMin(beyond[unknowns->slot[i]], unknowns->total_blocks - unknowns->first_block - unknowns->num_blocks);
  }
  PetscCall(CreateMatrix(unknowns, MeshComm(meshed->mesh), within, beyond, &continuum->K));
  PetscCall(CreateMatrix(unknowns, MeshComm(meshed->mesh), within, beyond, &continuum->M));
  if (meshed->stress) PetscCall(CreateMatrix(unknowns, MeshComm(meshed->mesh), within, beyond, &continuum->stress));
  PetscCall(PetscFree2(within, beyond));
  for (PetscInt d = 0; d < SPACE; d++) {
    PetscCall(MatCreateVecs(continuum->K, &continuum->inertia[d], NULL));
    PetscCall(VecSetOption(continuum->inertia[d], VEC_IGNORE_NEGATIVE_INDICES, PETSC_TRUE));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Room for the matrices of BATCH elements. */
typedef struct {
  PetscInt   num_rows; /* of one element's matrix */
  PetscReal *coordinates, *stiffness, *mass, *spread;
  Tie        tie;
} Buffers;

static PetscErrorCode BuffersCreate(const ElementKind *kind, Buffers *buffers)
{
  const PetscInt width = mesh_shapes[kind->shape].num_nodes, size = BATCH * PetscSqr(width * kind->num_unknowns);

  PetscFunctionBegin;
  buffers->num_rows = width * kind->num_unknowns;
  PetscCall(PetscMalloc4(BATCH * width * SPACE, &buffers->coordinates, size, &buffers->stiffness, BATCH * PetscSqr(width * kind->mass_block),
                         &buffers->mass, size, &buffers->spread));
  PetscCall(TieCreate(&buffers->tie));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuffersDestroy(Buffers *buffers)
{
  PetscFunctionBegin;
  PetscCall(TieDestroy(&buffers->tie));
  PetscCall(PetscFree4(buffers->coordinates, buffers->stiffness, buffers->mass, buffers->spread));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What values along the axes of a slot are along an axis of the model. */
static PetscReal AlongAxis(const NodeTurn *turn, PetscInt d, const PetscReal value[SPACE])
{
  return turn ? value[0] * turn->axis[0][d] + value[1] * turn->axis[1][d] + value[2] * turn->axis[2][d] : value[d];
}

/* What axis k of a slot has of x. */
static PetscReal Share(const NodeTurn *turn, PetscInt k)
{
  if (turn) return turn->axis[k][0];
  return k == 0 ? 1.0 : 0.0;
}

/* What an element adds to the inertia of its nodes and hubs, M_e r, and to the mass, r^T M_e r. Even slots are displacements: r. */
static PetscErrorCode AddInertia(const MeshedPart *meshed, PetscInt num_slots, const PetscInt slots[], const PetscInt blocks[],
                                 const PetscReal mass[], Continuum *continuum)
{
  const PetscInt num_rows = SPACE * num_slots;
  PetscReal      inertia[SPACE][MESH_MAX_NODES * ELEMENT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  for (PetscInt i = 0; i < num_rows; i++) {
    inertia[0][i] = inertia[1][i] = inertia[2][i] = 0.0;
    for (PetscInt j = 0; j < num_slots; j++)
      for (PetscInt d = 0; d < SPACE && slots[j] % 2 == 0; d++)
        inertia[d][i] += AlongAxis(UnknownsTurn(meshed, slots[j]), d, mass + i * num_rows + SPACE * j);
    if (slots[i / SPACE] % 2 == 0) continuum->mass += Share(UnknownsTurn(meshed, slots[i / SPACE]), i % SPACE) * inertia[0][i];
  }
  for (PetscInt d = 0; d < SPACE; d++) PetscCall(VecSetValuesBlocked(continuum->inertia[d], num_slots, blocks, inertia[d], ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode InsertMatrices(const MeshedPart *meshed, PetscInt num_slots, const PetscInt slots[], const PetscReal stiffness[],
                                     const PetscReal mass[], Continuum *continuum)
{
  PetscInt blocks[2 * MESH_MAX_NODES];

  PetscFunctionBegin;
  for (PetscInt i = 0; i < num_slots; i++) blocks[i] = meshed->unknowns.block[slots[i]];
  if (stiffness) PetscCall(MatSetValuesBlocked(continuum->K, num_slots, blocks, num_slots, blocks, stiffness, ADD_VALUES));
  if (mass) PetscCall(MatSetValuesBlocked(continuum->M, num_slots, blocks, num_slots, blocks, mass, ADD_VALUES));
  if (mass) PetscCall(AddInertia(meshed, num_slots, slots, blocks, mass, continuum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One that moves as a rigid body is not strained, not even by round-off. */
static PetscErrorCode InsertTied(const MeshedPart *meshed, const PetscReal stiffness[], const PetscReal mass[], Tie *tie, Continuum *continuum)
{
  PetscFunctionBegin;
  PetscCall(TieTransform(stiffness, tie));
  if (tie->rigid) PetscCall(PetscArrayzero(tie->matrix, PetscSqr(SPACE * tie->num_slots)));
  PetscCall(InsertMatrices(meshed, tie->num_slots, tie->slots, tie->matrix, NULL, continuum));
  PetscCall(TieTransform(mass, tie));
  PetscCall(InsertMatrices(meshed, tie->num_slots, tie->slots, NULL, tie->matrix, continuum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode InsertElement(const MeshedPart *meshed, const Batch *batch, PetscInt e, const PetscReal stiffness[], const PetscReal mass[],
                                    Tie *tie, Continuum *continuum)
{
  PetscInt       slots[2 * MESH_MAX_NODES];
  PetscBool      tied;
  const PetscInt num_slots = TieSlots(meshed, batch, e, slots, &tied);

  PetscFunctionBegin;
  if (tied) {
    TieSet(meshed, batch, e, tie);
    PetscCall(InsertTied(meshed, stiffness, mass, tie, continuum));
  } else {
    PetscCall(InsertMatrices(meshed, num_slots, slots, stiffness, mass, continuum));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void BatchPlaces(const MeshedPart *meshed, const Batch *batch, PetscInt first, PetscInt count, PetscReal places[])
{
  const PetscInt         width = mesh_shapes[batch->block->shape].num_nodes;
  const PetscReal *const x     = MeshGetNodes(meshed->mesh)->coordinates;

  for (PetscInt i = 0; i < count * width; i++) {
    const PetscInt node = batch->block->local_nodes[batch->elements[first + i / width] * width + i % width];

    for (PetscInt c = 0; c < SPACE; c++) places[SPACE * i + c] = x[SPACE * node + c];
  }
}

/* Elements first, ..., first + count - 1 of a batch; `faulty` becomes the least tag of one that is inside out. */
static PetscErrorCode AddElements(const MeshedPart *meshed, const Batch *batch, PetscInt first, PetscInt count, Buffers *buffers,
                                  Continuum *continuum, PetscInt64 *faulty)
{
  const PetscInt width = mesh_shapes[batch->block->shape].num_nodes, size = PetscSqr(buffers->num_rows);
  PetscInt       bad;

  PetscFunctionBegin;
  BatchPlaces(meshed, batch, first, count, buffers->coordinates);
  PetscCall(ElementEvaluate(batch->kind, &batch->properties, count, buffers->coordinates, buffers->stiffness, buffers->mass, &bad));
  if (bad >= 0) {
    *faulty = PetscMin(*faulty, batch->block->tags[batch->elements[first + bad]]);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  ElementSpreadMass(batch->kind, count, buffers->mass, buffers->spread);
  ElementMirror(count, width, batch->kind->num_unknowns, buffers->stiffness);
  ElementMirror(count, width, batch->kind->num_unknowns, buffers->spread);
  if (meshed->stress)
    PetscCall(StressInsert(meshed, batch, first, count, buffers->coordinates, buffers->stiffness, &buffers->tie, continuum->stress));
  for (PetscInt e = 0; e < count; e++)
    PetscCall(InsertElement(meshed, batch, first + e, buffers->stiffness + e * size, buffers->spread + e * size, &buffers->tie, continuum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddBatches(const MeshedPart *meshed, Continuum *continuum, PetscInt64 *faulty)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < meshed->made.num_batches; b++) {
    const Batch *const batch = &meshed->made.batches[b];
    Buffers            buffers;

    PetscCall(BuffersCreate(batch->kind, &buffers));
    for (PetscInt first = 0; first < batch->count; first += BATCH)
      PetscCall(AddElements(meshed, batch, first, PetscMin(BATCH, batch->count - first), &buffers, continuum, faulty));
    PetscCall(BuffersDestroy(&buffers));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K holds it, too. */
static PetscErrorCode AddStress(Continuum *continuum)
{
  PetscFunctionBegin;
  if (!continuum->stress) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatAssemblyBegin(continuum->stress, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(continuum->stress, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAXPY(continuum->K, 1.0, continuum->stress, SUBSET_NONZERO_PATTERN));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Finish(const MeshedPart *meshed, Continuum *continuum)
{
  PetscFunctionBegin;
  PetscCall(MatAssemblyBegin(continuum->K, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(continuum->K, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyBegin(continuum->M, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(continuum->M, MAT_FINAL_ASSEMBLY));
  PetscCall(AddStress(continuum));
  for (PetscInt d = 0; d < SPACE; d++) {
    PetscCall(VecAssemblyBegin(continuum->inertia[d]));
    PetscCall(VecAssemblyEnd(continuum->inertia[d]));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &continuum->mass, 1, MPIU_REAL, MPIU_SUM, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Without the rows and columns of what is held in only some directions of its block, which symmetric blocks cannot leave out. */
static PetscErrorCode Restrict(IS free, Mat *matrix)
{
  Mat whole, rest;

  PetscFunctionBegin;
  PetscCall(MatConvert(*matrix, MATAIJ, MAT_INITIAL_MATRIX, &whole));
  PetscCall(MatCreateSubMatrix(whole, free, free, MAT_INITIAL_MATRIX, &rest));
  PetscCall(MatDestroy(&whole));
  PetscCall(MatDestroy(matrix));
  PetscCall(MatSetOption(rest, MAT_SYMMETRIC, PETSC_TRUE));
  *matrix = rest;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RestrictVector(IS free, Vec *vector)
{
  Vec part, rest;

  PetscFunctionBegin;
  PetscCall(VecGetSubVector(*vector, free, &part));
  PetscCall(VecDuplicate(part, &rest));
  PetscCall(VecCopy(part, rest));
  PetscCall(VecRestoreSubVector(*vector, free, &part));
  PetscCall(VecDestroy(vector));
  *vector = rest;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AssemblyFill(const MeshedPart *meshed, Continuum *continuum, PetscBool *fine)
{
  PetscInt64 faulty = INT64_MAX, ignored = 0;

  PetscFunctionBegin;
  PetscCall(CreateMatrices(meshed, continuum));
  PetscCall(AddBatches(meshed, continuum, &faulty));
  PetscCall(LeastOfRanks(MeshComm(meshed->mesh), &faulty, &ignored));
  *fine = (PetscBool)(faulty == INT64_MAX);
  if (!*fine)
    PetscCall(InputComplain(
      meshed->node, "element %" PetscInt64_FMT " of %s is inside out or flat: its nodes are in the order of a mirrored element, or it has no volume",
      faulty, MeshFile(meshed->mesh)));
  PetscCall(Finish(meshed, continuum));
  if (!meshed->unknowns.free) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Restrict(meshed->unknowns.free, &continuum->K));
  PetscCall(Restrict(meshed->unknowns.free, &continuum->M));
  if (continuum->stress) PetscCall(Restrict(meshed->unknowns.free, &continuum->stress));
  for (PetscInt d = 0; d < SPACE; d++) PetscCall(RestrictVector(meshed->unknowns.free, &continuum->inertia[d]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
