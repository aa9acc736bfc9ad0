/* freedom.c - does anything float free? Every rigid motion of bodies must strain something or be seen by the boundary. */
#include "freedom.h"
#include "bodies.h"
#include "dense.h"

static const PetscReal held       = 1e-12; /* least square of what is strained or seen, against the largest */
static const PetscReal strained   = 1e-13; /* least energy of a motion of a body that strains it, against that of its nodes one by one */
static const PetscReal noticeable = 1e-6;  /* least part of a motion that makes it different from others */

/* What holds the bodies, and what their boundary is tied to: a matrix without unit on the motions of the bodies and y / scale. Its null
   space is what nothing holds. */
typedef struct {
  PetscInt   size, num_motions;
  PetscReal *matrix; /* [size, size] */
  PetscReal *unit;   /* of the motions of each body */
  PetscReal *scale;  /* of each y */
} Holds;

/* y of such a size that a row of R, of length one, sees as much of it as of the bodies. */
static PetscErrorCode FindScales(const Bodies *bodies, const Boundary *boundary, const ContinuumTies *ties, PetscReal scale[])
{
  const PetscReal *K;
  Vec              diagonal;

  PetscFunctionBegin;
  if (!ties) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscArrayzero(scale, ties->num));
  for (PetscInt r = 0; r < boundary->m; r++) {
    PetscReal sum = 0.0;

    for (PetscInt a = 0; a < bodies->num_motions; a++) sum += PetscSqr(bodies->seen[a * boundary->m + r]);
    if (ties->unknown[r] >= 0) scale[ties->unknown[r]] = PetscMax(scale[ties->unknown[r]], boundary->length[r] * PetscSqrtReal(sum));
  }
  PetscCall(MatCreateVecs(ties->K, &diagonal, NULL));
  PetscCall(MatGetDiagonal(ties->K, diagonal));
  PetscCall(VecGetArrayRead(diagonal, &K));
  for (PetscInt i = 0; i < ties->num; i++)
    if (scale[i] == 0.0) scale[i] = K[i] == 0.0 ? 1.0 : 1.0 / PetscSqrtReal(PetscAbsReal(K[i]));
  PetscCall(VecRestoreArrayRead(diagonal, &K));
  PetscCall(VecDestroy(&diagonal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds K of the bodies, against the stiffest in its unit. Motions that a body does not have are held. */
static PetscErrorCode HoldByStrain(const Bodies *bodies, const PetscReal stiffness[], const Holds *holds)
{
  const PetscInt num  = bodies->num_motions;
  PetscReal      most = 0.0;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < bodies->continuum->num_bodies; p++) most = PetscMax(most, stiffness[p] * PetscSqr(holds->unit[p]));
  for (PetscInt a = 0; a < num; a++) {
    PetscReal largest = 0.0;

    for (PetscInt b = 0; b < num && most > 0.0; b++)
      holds->matrix[a * holds->size + b] += bodies->strained[a * num + b] * holds->unit[a / SIX] * holds->unit[b / SIX] / most;
    for (PetscInt d = 0; d < SIX; d++) largest = PetscMax(largest, PetscAbsReal(bodies->change[a * SIX + d]));
    if (largest == 0.0) holds->matrix[a * holds->size + a] = 1.0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds g g^T for each row g of R - Z from `first` on, made of length one. */
static PetscErrorCode HoldByRows(const Bodies *bodies, const Boundary *boundary, const ContinuumTies *ties, PetscInt first, const Holds *holds)
{
  PetscReal *g;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(holds->size, &g));
  for (PetscInt r = first; r < boundary->m; r++) {
    const PetscInt y   = ties ? ties->unknown[r] : -1;
    PetscReal      sum = 0.0;

    PetscCall(PetscArrayzero(g, holds->size));
    for (PetscInt a = 0; a < bodies->num_motions; a++) g[a] = bodies->seen[a * boundary->m + r] * holds->unit[a / SIX];
    if (y >= 0) g[bodies->num_motions + y] = -holds->scale[y] / boundary->length[r];
    for (PetscInt i = 0; i < holds->size; i++) sum += PetscSqr(g[i]);
    for (PetscInt i = 0; i < holds->size && sum > 0.0; i++)
      for (PetscInt j = 0; j < holds->size && g[i] != 0.0; j++) holds->matrix[i * holds->size + j] += g[i] * g[j] / sum;
  }
  PetscCall(PetscFree(g));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds K_y, against its stiffest y. */
static PetscErrorCode HoldByTies(const ContinuumTies *ties, const Holds *holds)
{
  const PetscInt     first = holds->num_motions, *column;
  const PetscScalar *value;
  PetscReal          most = 0.0;
  PetscInt           count;

  PetscFunctionBegin;
  for (PetscInt times = 0; times < 2 && ties; times++)
    for (PetscInt i = 0; i < ties->num; i++) {
      PetscCall(MatGetRow(ties->K, i, &count, &column, &value));
      for (PetscInt e = 0; e < count; e++) {
        const PetscReal entry = value[e] * holds->scale[i] * holds->scale[column[e]];

        if (times == 0) most = PetscMax(most, PetscAbsReal(entry));
        else if (most > 0.0) holds->matrix[(first + i) * holds->size + first + column[e]] += entry / most;
      }
      PetscCall(MatRestoreRow(ties->K, i, &count, &column, &value));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By strain, ties, and the rows of R from `first_row` on. In a unit `of_each` body all are as stiff: that soft ones hold counts as well. */
static PetscErrorCode HoldsCreate(const Bodies *bodies, const Boundary *boundary, const ContinuumTies *ties, PetscInt first_row, PetscBool of_each,
                                  Holds *holds)
{
  const PetscInt p = ties ? ties->num : 0, num_bodies = bodies->continuum->num_bodies;
  PetscReal     *stiffness;

  PetscFunctionBegin;
  *holds = (Holds){.size = bodies->num_motions + p, .num_motions = bodies->num_motions};
  PetscCall(PetscCalloc3((size_t)holds->size * (size_t)holds->size, &holds->matrix, num_bodies, &holds->unit, p, &holds->scale));
  PetscCall(PetscMalloc1(num_bodies, &stiffness));
  PetscCall(BodiesStiffness(bodies, stiffness));
  for (PetscInt b = 0; b < num_bodies; b++) holds->unit[b] = of_each && stiffness[b] > 0.0 ? 1.0 / PetscSqrtReal(stiffness[b]) : 1.0;
  PetscCall(FindScales(bodies, boundary, ties, holds->scale));
  PetscCall(HoldByStrain(bodies, stiffness, holds));
  PetscCall(HoldByRows(bodies, boundary, ties, first_row, holds));
  PetscCall(HoldByTies(ties, holds));
  PetscCall(PetscFree(stiffness));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode HoldsDestroy(Holds *holds)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(holds->matrix, holds->unit, holds->scale));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The null space: `count` columns of the matrix from `first` on. Negative stiffness is a fault of another kind. */
static PetscErrorCode FindFree(const Holds *holds, PetscReal least, PetscInt *first, PetscInt *count)
{
  PetscReal *eigenvalue;

  PetscFunctionBegin;
  *first = *count = 0;
  PetscCall(PetscMalloc1(holds->size, &eigenvalue));
  PetscCall(Diagonalise(holds->size, holds->matrix, eigenvalue));
  while (*first < holds->size && eigenvalue[*first] < -least) (*first)++;
  while (*first + *count < holds->size && eigenvalue[*first + *count] <= least) (*count)++;
  PetscCall(PetscFree(eigenvalue));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal SquareOfBody(const PetscReal vector[], PetscInt body)
{
  PetscReal sum = 0.0;

  for (PetscInt a = 0; a < SIX; a++) sum += PetscSqr(vector[body * SIX + a]);
  return sum;
}

/* Of free motions (orthonormal vectors) the body that moves most, and how it moves in the one where it moves most. */
static void DescribeFreedom(const Bodies *bodies, const PetscReal vectors[], ContinuumFault *fault)
{
  const PetscInt size   = bodies->num_motions;
  PetscInt       vector = 0;
  PetscReal      most = 0.0, largest = 0.0;

  for (PetscInt p = 0; p < bodies->continuum->num_bodies; p++) {
    PetscReal share = 0.0;

    for (PetscInt v = 0; v < fault->count; v++) share += SquareOfBody(vectors + v * size, p);
    if (share <= most * (1.0 + 1e-6)) continue;
    most        = share;
    fault->body = p;
  }
  for (PetscInt v = 1; v < fault->count; v++)
    if (SquareOfBody(vectors + v * size, fault->body) > SquareOfBody(vectors + vector * size, fault->body)) vector = v;
  for (PetscInt d = 0; d < SIX; d++) {
    fault->motion[d] = 0.0;
    for (PetscInt c = 0; c < SIX; c++)
      fault->motion[d] += bodies->change[fault->body * BLOCK + c * SIX + d] * vectors[vector * size + fault->body * SIX + c];
    if (PetscAbsReal(fault->motion[d]) > PetscAbsReal(largest)) largest = fault->motion[d];
  }
  for (PetscInt d = 0; d < SIX; d++) fault->motion[d] /= largest;
}

static PetscErrorCode CheckBodies(const Bodies *bodies, const Boundary *boundary, ContinuumFault *fault)
{
  Holds    holds;
  PetscInt first;

  PetscFunctionBegin;
  PetscCall(HoldsCreate(bodies, boundary, NULL, 0, PETSC_FALSE, &holds));
  PetscCall(FindFree(&holds, held, &first, &fault->count));
  if (fault->count) {
    fault->reason = CONTINUUM_FREE_BODY;
    DescribeFreedom(bodies, holds.matrix + first * holds.size, fault);
  }
  PetscCall(HoldsDestroy(&holds));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the rows that are kept see of free motions. */
static PetscErrorCode SeeFree(const Bodies *bodies, const Holds *holds, const PetscReal free[], Boundary *boundary)
{
  const PetscInt num_kept = boundary->m - boundary->num_held, num = bodies->num_motions;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)num_kept * (size_t)boundary->num_rigid, &boundary->rigid));
  for (PetscInt v = 0; v < boundary->num_rigid; v++)
    for (PetscInt a = 0; a < num; a++)
      for (PetscInt r = 0; r < num_kept; r++)
        boundary->rigid[v * num_kept + r] += free[v * num + a] * holds->unit[a / SIX] * bodies->seen[a * boundary->m + r];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Motions of bodies that strain neither them nor what is between them, and leave the rows that are held at rest. */
static PetscErrorCode FindRigid(const Bodies *bodies, Boundary *boundary)
{
  Holds    holds;
  PetscInt first;

  PetscFunctionBegin;
  PetscCall(HoldsCreate(bodies, boundary, NULL, boundary->m - boundary->num_held, PETSC_TRUE, &holds));
  PetscCall(FindFree(&holds, strained, &first, &boundary->num_rigid));
  if (boundary->num_rigid) PetscCall(SeeFree(bodies, &holds, holds.matrix + (size_t)first * (size_t)holds.size, boundary));
  PetscCall(HoldsDestroy(&holds));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FreedomCheck(Boundary *boundary, const Continuum *continuum, ContinuumFault *fault)
{
  Bodies bodies;

  PetscFunctionBegin;
  PetscCall(BodiesCreate(boundary, continuum, &bodies));
  PetscCall(CheckBodies(&bodies, boundary, fault));
  if (fault->reason == CONTINUUM_FINE) PetscCall(FindRigid(&bodies, boundary));
  PetscCall(BodiesDestroy(&bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Null vectors in the motions of each body along and about the axes, [count, size], one after the other. */
static void ToAxes(const Bodies *bodies, const Holds *holds, PetscInt first, PetscInt count, PetscReal vectors[])
{
  for (PetscInt v = 0; v < count; v++) {
    const PetscReal *const from = holds->matrix + (size_t)(first + v) * (size_t)holds->size;
    PetscReal *const       to   = vectors + (size_t)v * (size_t)holds->size;

    for (PetscInt i = holds->num_motions; i < holds->size; i++) to[i] = holds->scale[i - holds->num_motions] * from[i];
    for (PetscInt a = 0; a < holds->num_motions; a++) {
      to[a] = 0.0;
      for (PetscInt c = 0; c < SIX; c++) to[a] += bodies->change[(a / SIX) * BLOCK + c * SIX + a % SIX] * from[(a / SIX) * SIX + c];
    }
  }
}

/* The reduced echelon form [Gauss and Jordan], which does not depend on the vectors that span the space: of a structure that floats as
   one its motions along and about the axes. */
static void MakeEchelon(PetscInt count, PetscInt size, PetscReal vectors[])
{
  for (PetscInt column = 0, done = 0; column < size && done < count; column++) {
    PetscInt  pivot = done;
    PetscReal all   = 0.0;

    for (PetscInt v = 0; v < count; v++) all = PetscMax(all, PetscAbsReal(vectors[v * size + column]));
    for (PetscInt v = done; v < count; v++)
      if (PetscAbsReal(vectors[v * size + column]) > PetscAbsReal(vectors[pivot * size + column])) pivot = v;
    if (PetscAbsReal(vectors[pivot * size + column]) <= noticeable * all) continue;
    for (PetscInt i = 0; i < size; i++) {
      const PetscReal other = vectors[done * size + i];

      vectors[done * size + i]  = vectors[pivot * size + i];
      vectors[pivot * size + i] = other;
    }
    for (PetscInt i = size - 1; i >= column; i--) vectors[done * size + i] /= vectors[done * size + column];
    for (PetscInt v = 0; v < count; v++) {
      const PetscReal factor = vectors[v * size + column];

      for (PetscInt i = column; i < size && v != done; i++) vectors[v * size + i] -= factor * vectors[done * size + i];
    }
    done++;
  }
}

/* Columns of u, and behind them y. */
static PetscErrorCode Spread(const Bodies *bodies, const Holds *holds, const PetscReal vectors[], Mat motions)
{
  const PetscScalar *rigid;
  PetscInt           num_rows, count, stride, stride_rigid;
  PetscScalar       *value;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(motions, &num_rows, NULL));
  PetscCall(MatGetSize(motions, NULL, &count));
  PetscCall(MatDenseGetLDA(motions, &stride));
  PetscCall(MatDenseGetLDA(bodies->continuum->rigid, &stride_rigid));
  PetscCall(MatDenseGetArrayRead(bodies->continuum->rigid, &rigid));
  PetscCall(MatDenseGetArrayWrite(motions, &value));
  for (PetscInt c = 0; c < count; c++) {
    const PetscReal *const vector = vectors + (size_t)c * (size_t)holds->size;
    PetscScalar *const     column = value + (size_t)c * (size_t)stride;

    for (PetscInt i = 0; i < bodies->num_local; i++) {
      column[i] = 0.0;
      for (PetscInt d = 0; d < SIX; d++) column[i] += rigid[d * stride_rigid + i] * vector[bodies->continuum->body[i] * SIX + d];
    }
    for (PetscInt i = bodies->num_local; i < num_rows; i++) column[i] = vector[holds->num_motions + i - bodies->num_local];
  }
  PetscCall(MatDenseRestoreArrayWrite(motions, &value));
  PetscCall(MatDenseRestoreArrayRead(bodies->continuum->rigid, &rigid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FreedomFind(const Boundary *boundary, const Continuum *continuum, const ContinuumTies *ties, Vec like, Mat *motions)
{
  Bodies     bodies;
  Holds      holds;
  PetscInt   first, count, num_local, n;
  PetscReal *vectors;

  PetscFunctionBegin;
  *motions = NULL;
  PetscCall(BodiesCreate(boundary, continuum, &bodies));
  PetscCall(HoldsCreate(&bodies, boundary, ties, 0, PETSC_FALSE, &holds));
  PetscCall(FindFree(&holds, held, &first, &count));
  if (count) {
    PetscCall(VecGetLocalSize(like, &num_local));
    PetscCall(VecGetSize(like, &n));
    PetscCall(MatCreateDense(PetscObjectComm((PetscObject)like), num_local, PETSC_DECIDE, n, count, NULL, motions));
    PetscCall(PetscMalloc1((size_t)count * (size_t)holds.size, &vectors));
    ToAxes(&bodies, &holds, first, count, vectors);
    MakeEchelon(count, holds.size, vectors);
    PetscCall(Spread(&bodies, &holds, vectors, *motions));
    PetscCall(PetscFree(vectors));
  }
  PetscCall(HoldsDestroy(&holds));
  PetscCall(BodiesDestroy(&bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}
