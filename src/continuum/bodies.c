/* bodies.c - does anything float free? Every rigid motion of bodies must strain something or be seen by the boundary. */
#include "bodies.h"
#include "dense.h"
#include <petscblaslapack.h>

static const PetscReal held      = 1e-12; /* least square of what is strained or seen, against the largest */
static const PetscReal different = 1e-13; /* least square of how far a rigid motion of a body differs from its others */

enum { SIX = 6, BLOCK = SIX * SIX };

/* The columns of `change` combine six motions with these scalar products into orthonormal ones; those that a small body (a
   point, a line) does not have become zero. */
static PetscErrorCode Orthonormalise(const PetscReal product[BLOCK], PetscReal change[BLOCK])
{
  PetscReal length[SIX], eigenvalue[SIX], vectors[BLOCK];

  PetscFunctionBegin;
  for (PetscInt a = 0; a < SIX; a++) length[a] = product[a * SIX + a] > 0.0 ? PetscSqrtReal(product[a * SIX + a]) : 1.0;
  for (PetscInt a = 0; a < SIX; a++)
    for (PetscInt b = 0; b < SIX; b++) vectors[a * SIX + b] = product[a * SIX + b] / (length[a] * length[b]);
  PetscCall(Diagonalise(SIX, vectors, eigenvalue));
  for (PetscInt c = 0; c < SIX; c++)
    for (PetscInt a = 0; a < SIX; a++)
      change[c * SIX + a] = eigenvalue[c] > different ? vectors[c * SIX + a] / (length[a] * PetscSqrtReal(eigenvalue[c])) : 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rigid motions of all bodies, made orthonormal in each. */
typedef struct {
  const Continuum *continuum;
  PetscInt         num_local, num_motions; /* unknowns of this rank; six motions for each body */
  PetscReal       *motion;                 /* of each of this rank's unknowns in the motions of its body, [num_local, 6] */
  PetscReal       *change;                 /* [num_parts, 6, 6], of Orthonormalise */
  PetscReal       *strained;               /* motion^T K motion, [num_motions, num_motions] */
  PetscReal       *seen;                   /* rows motion, [num_motions, m] */
} Bodies;

static PetscErrorCode BodiesCreate(const Continuum *continuum, PetscInt m, Bodies *bodies)
{
  const PetscInt     P = continuum->num_parts;
  const PetscScalar *rigid;
  PetscInt           stride;
  PetscReal         *product;

  PetscFunctionBegin;
  bodies->continuum   = continuum;
  bodies->num_motions = P * SIX;
  PetscCall(MatGetLocalSize(continuum->rigid, &bodies->num_local, NULL));
  PetscCall(PetscCalloc4(bodies->num_local * SIX, &bodies->motion, P * BLOCK, &bodies->change, (size_t)(P * SIX) * (size_t)(P * SIX),
                         &bodies->strained, (size_t)(P * SIX) * (size_t)m, &bodies->seen));
  PetscCall(PetscCalloc1(P * BLOCK, &product));
  PetscCall(MatDenseGetLDA(continuum->rigid, &stride));
  PetscCall(MatDenseGetArrayRead(continuum->rigid, &rigid));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt a = 0; a < SIX; a++)
      for (PetscInt b = 0; b < SIX; b++) product[continuum->part[i] * BLOCK + a * SIX + b] += rigid[a * stride + i] * rigid[b * stride + i];
  PetscCall(SumOverRanks(continuum->rigid, product, (size_t)(P * BLOCK)));
  for (PetscInt p = 0; p < P; p++) PetscCall(Orthonormalise(product + p * BLOCK, bodies->change + p * BLOCK));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt c = 0; c < SIX; c++)
      for (PetscInt a = 0; a < SIX; a++)
        bodies->motion[i * SIX + c] += rigid[a * stride + i] * bodies->change[continuum->part[i] * BLOCK + c * SIX + a];
  PetscCall(MatDenseRestoreArrayRead(continuum->rigid, &rigid));
  PetscCall(PetscFree(product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BodiesDestroy(Bodies *bodies)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(bodies->motion, bodies->change, bodies->strained, bodies->seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Moves one body and leaves the others where they are: springs between bodies are strained too. */
static PetscErrorCode StrainBody(const Bodies *bodies, PetscInt body, Mat moved)
{
  const PetscInt *const part = bodies->continuum->part;
  const PetscScalar    *force;
  PetscScalar          *x;
  PetscInt              stride;
  Mat                   forces;

  PetscFunctionBegin;
  PetscCall(MatDenseGetLDA(moved, &stride));
  PetscCall(MatDenseGetArrayWrite(moved, &x));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt c = 0; c < SIX; c++) x[c * stride + i] = part[i] == body ? bodies->motion[i * SIX + c] : 0.0;
  PetscCall(MatDenseRestoreArrayWrite(moved, &x));
  PetscCall(MultiplyColumns(bodies->continuum->K, moved, &forces));
  PetscCall(MatDenseGetLDA(forces, &stride));
  PetscCall(MatDenseGetArrayRead(forces, &force));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt c = 0; c < SIX; c++)
      for (PetscInt a = 0; a < SIX; a++)
        bodies->strained[(body * SIX + c) * bodies->num_motions + part[i] * SIX + a] += bodies->motion[i * SIX + a] * force[c * stride + i];
  PetscCall(MatDenseRestoreArrayRead(forces, &force));
  PetscCall(MatDestroy(&forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode StrainBodies(const Bodies *bodies)
{
  Mat moved;

  PetscFunctionBegin;
  PetscCall(MatDuplicate(bodies->continuum->rigid, MAT_DO_NOT_COPY_VALUES, &moved));
  for (PetscInt p = 0; p < bodies->continuum->num_parts; p++) PetscCall(StrainBody(bodies, p, moved));
  PetscCall(MatDestroy(&moved));
  PetscCall(SumOverRanks(bodies->continuum->K, bodies->strained, (size_t)bodies->num_motions * (size_t)bodies->num_motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much the rows of R see of each motion of each body. */
static PetscErrorCode SeeBodies(const Bodies *bodies, const Boundary *boundary)
{
  const PetscInt    *row;
  const PetscScalar *weight;
  PetscInt           first, end, count;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(boundary->rows, &first, &end));
  for (PetscInt i = first; i < end; i++) {
    PetscCall(MatGetRow(boundary->rows, i, &count, &row, &weight));
    for (PetscInt e = 0; e < count; e++)
      for (PetscInt a = 0; a < SIX; a++)
        bodies->seen[(bodies->continuum->part[i - first] * SIX + a) * boundary->m + row[e]] += weight[e] * bodies->motion[(i - first) * SIX + a];
    PetscCall(MatRestoreRow(boundary->rows, i, &count, &row, &weight));
  }
  PetscCall(SumOverRanks(boundary->rows, bodies->seen, (size_t)bodies->num_motions * (size_t)boundary->m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a stiffness like that of the diagonal of K would strain, for each body: the scale of `strained`. */
static PetscErrorCode StiffnessOfBodies(const Bodies *bodies, PetscReal stiffness[])
{
  const PetscScalar *value;
  Vec                diagonal;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(stiffness, bodies->continuum->num_parts));
  PetscCall(MatCreateVecs(bodies->continuum->K, &diagonal, NULL));
  PetscCall(MatGetDiagonal(bodies->continuum->K, diagonal));
  PetscCall(VecGetArrayRead(diagonal, &value));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt a = 0; a < SIX; a++) stiffness[bodies->continuum->part[i]] += PetscAbsReal(value[i]) * PetscSqr(bodies->motion[i * SIX + a]);
  PetscCall(VecRestoreArrayRead(diagonal, &value));
  PetscCall(VecDestroy(&diagonal));
  PetscCall(SumOverRanks(bodies->continuum->K, stiffness, (size_t)bodies->continuum->num_parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* strained += seen^T seen, both without unit: its null space is what nothing holds. Motions that a body does not have are held. */
static PetscErrorCode CombineHolds(const Bodies *bodies, PetscInt m)
{
  const PetscInt size = bodies->num_motions;
  PetscReal     *stiffness, *sight;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(bodies->continuum->num_parts, &stiffness, bodies->continuum->num_parts, &sight));
  PetscCall(StiffnessOfBodies(bodies, stiffness));
  for (PetscInt a = 0; a < size; a++)
    for (PetscInt j = 0; j < m; j++) sight[a / SIX] += PetscSqr(bodies->seen[a * m + j]);
  for (PetscInt p = 0; p < bodies->continuum->num_parts; p++) {
    if (stiffness[p] == 0.0) stiffness[p] = 1.0;
    if (sight[p] == 0.0) sight[p] = 1.0;
  }
  for (PetscInt a = 0; a < size; a++)
    for (PetscInt b = 0; b < size; b++) {
      PetscReal product = 0.0;

      for (PetscInt j = 0; j < m; j++) product += bodies->seen[a * m + j] * bodies->seen[b * m + j];
      bodies->strained[a * size + b] = bodies->strained[a * size + b] / PetscSqrtReal(stiffness[a / SIX] * stiffness[b / SIX]) +
                                       product / PetscSqrtReal(sight[a / SIX] * sight[b / SIX]);
    }
  for (PetscInt a = 0; a < size; a++) {
    const PetscReal *const change = bodies->change + a * SIX;
    PetscReal              most   = 0.0;

    for (PetscInt d = 0; d < SIX; d++) most = PetscMax(most, PetscAbsReal(change[d]));
    if (most == 0.0) bodies->strained[a * size + a] = 1.0;
  }
  PetscCall(PetscFree2(stiffness, sight));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal SquareOfBody(const PetscReal vector[], PetscInt part)
{
  PetscReal sum = 0.0;

  for (PetscInt a = 0; a < SIX; a++) sum += PetscSqr(vector[part * SIX + a]);
  return sum;
}

/* Of free motions (orthonormal vectors) the body that moves most, and how it moves in the one where it moves most. */
static void DescribeFreedom(const Bodies *bodies, const PetscReal vectors[], ContinuumFault *fault)
{
  const PetscInt size   = bodies->num_motions;
  PetscInt       vector = 0;
  PetscReal      most = 0.0, largest = 0.0;

  for (PetscInt p = 0; p < bodies->continuum->num_parts; p++) {
    PetscReal share = 0.0;

    for (PetscInt v = 0; v < fault->count; v++) share += SquareOfBody(vectors + v * size, p);
    if (share <= most * (1.0 + 1e-6)) continue;
    most        = share;
    fault->part = p;
  }
  for (PetscInt v = 1; v < fault->count; v++)
    if (SquareOfBody(vectors + v * size, fault->part) > SquareOfBody(vectors + vector * size, fault->part)) vector = v;
  for (PetscInt d = 0; d < SIX; d++) {
    fault->motion[d] = 0.0;
    for (PetscInt c = 0; c < SIX; c++)
      fault->motion[d] += bodies->change[fault->part * BLOCK + c * SIX + d] * vectors[vector * size + fault->part * SIX + c];
    if (PetscAbsReal(fault->motion[d]) > PetscAbsReal(largest)) largest = fault->motion[d];
  }
  for (PetscInt d = 0; d < SIX; d++) fault->motion[d] /= largest;
}

PetscErrorCode BodiesCheck(const Boundary *boundary, const Continuum *continuum, ContinuumFault *fault)
{
  Bodies     bodies;
  PetscReal *eigenvalue;
  PetscInt   first = 0;

  PetscFunctionBegin;
  PetscCall(BodiesCreate(continuum, boundary->m, &bodies));
  PetscCall(StrainBodies(&bodies));
  PetscCall(SeeBodies(&bodies, boundary));
  PetscCall(CombineHolds(&bodies, boundary->m));
  PetscCall(PetscMalloc1(bodies.num_motions, &eigenvalue));
  PetscCall(Diagonalise(bodies.num_motions, bodies.strained, eigenvalue));
  while (first < bodies.num_motions && eigenvalue[first] < -held) first++; /* negative stiffness is a fault of another kind */
  while (first + fault->count < bodies.num_motions && eigenvalue[first + fault->count] <= held) fault->count++;
  if (fault->count) {
    fault->reason = CONTINUUM_FREE_PART;
    DescribeFreedom(&bodies, bodies.strained + first * bodies.num_motions, fault);
  }
  PetscCall(PetscFree(eigenvalue));
  PetscCall(BodiesDestroy(&bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}
