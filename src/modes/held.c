/* held.c - motions in which joints that stick without any give stand still. */
#include "held.h"

/* The rows of B of these joints, dense: [count, num_unknowns]. */
static PetscErrorCode TakeRows(const System *system, PetscInt *count, PetscReal **rows)
{
  const PetscInt n = system->num_unknowns;

  PetscFunctionBegin;
  *count = 0;
  for (PetscInt r = 0; r < system->names.num_nonlinear; r++) *count += system->names.rows[r].sticks;
  PetscCall(PetscCalloc1((size_t)*count * (size_t)n, rows));
  for (PetscInt r = 0, k = 0; r < system->names.num_nonlinear; r++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           num_values;

    if (!system->names.rows[r].sticks) continue;
    PetscCall(MatGetRow(system->B, r, &num_values, &column, &value));
    for (PetscInt j = 0; j < num_values; j++) (*rows)[(size_t)k * (size_t)n + (size_t)column[j]] = value[j];
    PetscCall(MatRestoreRow(system->B, r, &num_values, &column, &value));
    k++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt LargestOf(PetscInt n, const PetscReal row[])
{
  PetscInt largest = 0;

  for (PetscInt j = 1; j < n; j++)
    if (PetscAbsReal(row[j]) > PetscAbsReal(row[largest])) largest = j;
  return largest;
}

/* Gauss and Jordan: each row is left with a 1 at an unknown of its own, its pivot, where the others have nothing. A row that others imply has
   none, -1. */
static PetscInt Eliminate(PetscInt count, PetscInt n, PetscReal rows[], PetscInt pivot[])
{
  const PetscReal implied = 1e-10; /* of factors of order one */
  PetscInt        rank    = 0;

  for (PetscInt k = 0; k < count; k++) {
    PetscReal *const row   = rows + (size_t)k * (size_t)n;
    const PetscInt   own   = LargestOf(n, row);
    const PetscReal  scale = row[own];

    pivot[k] = PetscAbsReal(scale) > implied ? own : -1;
    if (pivot[k] < 0) continue;
    rank++;
    for (PetscInt j = 0; j < n; j++) row[j] /= scale;
    for (PetscInt i = 0; i < count; i++) {
      PetscReal *const other  = rows + (size_t)i * (size_t)n;
      const PetscReal  factor = i == k ? 0.0 : other[own];

      for (PetscInt j = 0; factor != 0.0 && j < n; j++) other[j] -= factor * row[j];
      if (i != k) other[own] = 0.0;
    }
  }
  return rank;
}

PetscErrorCode HeldCount(const System *system, PetscInt *count)
{
  PetscInt   num_rows, *pivot;
  PetscReal *rows;

  PetscFunctionBegin;
  PetscCall(TakeRows(system, &num_rows, &rows));
  PetscCall(PetscMalloc1(num_rows, &pivot));
  *count = Eliminate(num_rows, system->num_unknowns, rows, pivot);
  PetscCall(PetscFree(pivot));
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The place of each unknown among those that are free; -1 - k where row k makes it follow. */
static PetscErrorCode FindPlaces(PetscInt count, const PetscInt pivot[], PetscInt n, PetscInt place[], Held *held)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &held->free));
  PetscCall(PetscArrayzero(place, n));
  for (PetscInt k = 0; k < count; k++)
    if (pivot[k] >= 0) place[pivot[k]] = -1 - k;
  for (PetscInt j = 0; j < n; j++) {
    if (place[j] < 0) continue;
    place[j]                     = held->num_free;
    held->free[held->num_free++] = j;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillZ(PetscInt n, const PetscReal rows[], const PetscInt place[], Held *held)
{
  PetscFunctionBegin;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, held->num_free, 2, NULL, &held->Z));
  PetscCall(MatSetOption(held->Z, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  for (PetscInt i = 0; i < n; i++) {
    if (place[i] >= 0) PetscCall(MatSetValue(held->Z, i, place[i], 1.0, INSERT_VALUES));
    for (PetscInt j = 0; place[i] < 0 && j < n; j++) {
      const PetscReal follows = -rows[(size_t)(-1 - place[i]) * (size_t)n + (size_t)j];

      if (place[j] >= 0 && follows != 0.0) PetscCall(MatSetValue(held->Z, i, place[j], follows, INSERT_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(held->Z, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(held->Z, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HeldCreate(const System *system, Held *held)
{
  const PetscInt n = system->num_unknowns;
  PetscInt       count, *pivot, *place;
  PetscReal     *rows;

  PetscFunctionBegin;
  *held = (Held){0};
  PetscCall(TakeRows(system, &count, &rows));
  PetscCall(PetscMalloc2(count, &pivot, n, &place));
  Eliminate(count, n, rows, pivot);
  PetscCall(FindPlaces(count, pivot, n, place, held));
  PetscCall(FillZ(n, rows, place, held));
  PetscCall(PetscFree2(pivot, place));
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HeldDestroy(Held *held)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(&held->Z));
  PetscCall(PetscFree(held->free));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HeldProject(const Held *held, Mat A, Mat *projected)
{
  PetscFunctionBegin;
  PetscCall(MatPtAP(A, held->Z, MAT_INITIAL_MATRIX, PETSC_DEFAULT, projected));
  PetscCall(MatSetOption(*projected, MAT_SYMMETRIC, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HeldExpand(const Held *held, const PetscReal z[], PetscReal u[])
{
  PetscInt  n, largest = 0;
  PetscBool negative;
  Vec       from, to;

  PetscFunctionBegin;
  PetscCall(MatGetSize(held->Z, &n, NULL));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, held->num_free, z, &from));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, u, &to));
  PetscCall(MatMult(held->Z, from, to));
  PetscCall(VecDestroy(&from));
  PetscCall(VecDestroy(&to));
  for (PetscInt j = 1; j < n; j++)
    if (PetscAbsReal(u[j]) > PetscAbsReal(u[largest]) * (1.0 + 1e-6)) largest = j;
  negative = (PetscBool)(u[largest] < 0.0);
  for (PetscInt j = 0; negative && j < n; j++) u[j] = -u[j];
  PetscFunctionReturn(PETSC_SUCCESS);
}
