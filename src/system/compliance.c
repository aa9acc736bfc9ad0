/*
  compliance.c - what places move by under forces on each other, when it is known for other tangents of the joints.

      K0' = K0 + B^T D B      A' = A - A_:o D (1 + A_oo D)^-1 A_o:,   A = C K0^-1 C^T

  C are the rows of all places, o those of joints where D is not nothing [Sherman, Morrison 1950; Woodbury 1950]. Rigid motions, which strain
  no joint, are left out of A and of A'.
*/
#include "system.h"
#include <petscblaslapack.h>

typedef struct {
  PetscInt   num, count; /* places; rows that change */
  PetscInt  *row;        /* [count] */
  PetscInt  *place;      /* [num] of a row among these, else -1 */
  Mat        tangents;   /* D */
  PetscReal *known;      /* [num, num] A, then A' */
  PetscReal *rows;       /* [num, count] A_:o */
  PetscReal *turned;     /* [num, count] A_:o (1 + D A_oo)^-1 D */
} Change;

/* C Phi, of elastic modes over omega: [num, n]. */
static PetscErrorCode FindMotion(const System *same, PetscReal motion[])
{
  const SystemResidual *const residual = same->residual;
  const PetscInt              n        = same->num_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(motion, (size_t)residual->num_places * (size_t)n));
  for (PetscInt p = 0; p < residual->num_places; p++) {
    PetscReal *const row = motion + (size_t)p * (size_t)n;

    PetscCall(SystemAddPlace(same, p, 1.0, row));
    for (PetscInt k = 0; k < n; k++) row[k] = k < residual->num_rigid ? 0.0 : row[k] / PetscSqrtReal(residual->eigenvalue[k]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A: of the modes that are kept, and of those left out. */
static PetscErrorCode FindKnown(const System *same, Change *change)
{
  const size_t size = (size_t)change->num * (size_t)change->num, n = (size_t)same->num_unknowns;
  PetscReal   *motion, one                                         = 1.0;
  PetscBLASInt num, width;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &change->known));
  PetscCall(PetscArraycpy(change->known, same->residual->compliance, size));
  PetscCall(PetscMalloc1((size_t)change->num * n, &motion));
  PetscCall(FindMotion(same, motion));
  PetscCall(PetscBLASIntCast(change->num, &num));
  PetscCall(PetscBLASIntCast(same->num_unknowns, &width));
  BLASgemm_("T", "N", &num, &num, &width, &one, motion, &width, motion, &width, &one, change->known, &num);
  PetscCall(PetscFree(motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindRows(const System *system, const System *same, Change *change)
{
  Mat old;

  PetscFunctionBegin;
  PetscCall(SystemTangents(system, JOINT_STUCK, &change->tangents));
  PetscCall(SystemTangents(same, JOINT_STUCK, &old));
  PetscCall(MatrixAdd(&change->tangents, -1.0, old));
  PetscCall(MatDestroy(&old));
  PetscCall(PetscMalloc2(system->names.num_rows, &change->row, system->names.num_rows, &change->place));
  for (PetscInt r = 0; r < system->names.num_rows; r++) {
    const PetscScalar *value;
    PetscInt           num_values;
    PetscBool          changes = PETSC_FALSE;

    PetscCall(MatGetRow(change->tangents, r, &num_values, NULL, &value));
    for (PetscInt j = 0; j < num_values; j++) changes = (PetscBool)(changes || value[j] != 0.0);
    PetscCall(MatRestoreRow(change->tangents, r, &num_values, NULL, &value));
    change->place[r] = changes ? change->count : -1;
    if (changes) change->row[change->count++] = r;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeRows(Change *change)
{
  const PetscInt n = change->count;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2((size_t)change->num * (size_t)n, &change->rows, (size_t)change->num * (size_t)n, &change->turned));
  for (PetscInt p = 0; p < change->num; p++)
    for (PetscInt a = 0; a < n; a++)
      change->rows[(size_t)p * (size_t)n + (size_t)a] = change->known[(size_t)change->row[a] * (size_t)change->num + (size_t)p];
  PetscCall(PetscArraycpy(change->turned, change->rows, (size_t)change->num * (size_t)n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 1 + A_oo D, in columns. */
static PetscErrorCode FillFactors(const Change *change, PetscReal factors[])
{
  const PetscInt n = change->count;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(factors, (size_t)n * (size_t)n));
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal *const column = change->rows + (size_t)change->row[k] * (size_t)n; /* of A_oo, which is symmetric */
    const PetscInt        *other;
    const PetscScalar     *value;
    PetscInt               num_values;

    PetscCall(MatGetRow(change->tangents, change->row[k], &num_values, &other, &value));
    for (PetscInt j = 0; j < num_values; j++)
      for (PetscInt i = 0; i < n && value[j] != 0.0; i++) factors[(size_t)change->place[other[j]] * (size_t)n + (size_t)i] += column[i] * value[j];
    PetscCall(MatRestoreRow(change->tangents, change->row[k], &num_values, &other, &value));
  }
  for (PetscInt i = 0; i < n; i++) factors[(size_t)i * (size_t)(n + 1)] += 1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where something comes loose there is a pivot of nothing but round-off, of the 1 or of larger ones. */
static PetscBool IsRegular(PetscInt n, const PetscReal factors[])
{
  const PetscReal round_off = 1e-10;
  PetscReal       least = PETSC_MAX_REAL, most = 1.0;

  for (PetscInt i = 0; i < n; i++) {
    const PetscReal pivot = PetscAbsReal(factors[(size_t)i * (size_t)(n + 1)]);

    least = PetscMin(least, pivot);
    most  = PetscMax(most, pivot);
  }
  return (PetscBool)(least > round_off * most);
}

/* turned = (1 + A_oo D)^-1 A_o:, a column each. */
static PetscErrorCode Solve(Change *change, PetscBool *regular)
{
  const PetscInt n = change->count;
  PetscBLASInt   size, num, info, *pivots;
  PetscReal     *factors;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(n, &size));
  PetscCall(PetscBLASIntCast(change->num, &num));
  PetscCall(PetscMalloc2((size_t)n * (size_t)n, &factors, n, &pivots));
  PetscCall(FillFactors(change, factors));
  LAPACKgetrf_(&size, &size, factors, &size, pivots, &info);
  *regular = (PetscBool)(info == 0 && IsRegular(n, factors));
  if (*regular) LAPACKgetrs_("N", &size, &num, factors, &size, pivots, change->turned, &size, &info);
  PetscCall(PetscFree2(factors, pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* D times each column. */
static PetscErrorCode MultiplyByTangents(Change *change)
{
  const PetscInt n = change->count;
  PetscReal     *motion;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &motion));
  for (PetscInt p = 0; p < change->num; p++) {
    PetscReal *const column = change->turned + (size_t)p * (size_t)n;

    PetscCall(PetscArraycpy(motion, column, n));
    for (PetscInt a = 0; a < n; a++) {
      const PetscInt    *other;
      const PetscScalar *value;
      PetscInt           num_values;

      PetscCall(MatGetRow(change->tangents, change->row[a], &num_values, &other, &value));
      column[a] = 0.0;
      for (PetscInt j = 0; j < num_values; j++)
        if (value[j] != 0.0) column[a] += value[j] * motion[change->place[other[j]]];
      PetscCall(MatRestoreRow(change->tangents, change->row[a], &num_values, &other, &value));
    }
  }
  PetscCall(PetscFree(motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A - rows^T turned, which is symmetric: block by block of columns from the diagonal down, then the other half. */
static PetscErrorCode TakeAway(Change *change)
{
  enum { BLOCK = 256 };
  const PetscReal minus = -1.0, one = 1.0;
  const size_t    N = (size_t)change->num, n = (size_t)change->count;
  PetscBLASInt    num, size;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(change->num, &num));
  PetscCall(PetscBLASIntCast(change->count, &size));
  for (size_t first = 0; first < N; first += BLOCK) {
    const PetscBLASInt width = (PetscBLASInt)PetscMin(BLOCK, N - first), height = (PetscBLASInt)(N - first);

    BLASgemm_("T", "N", &height, &width, &size, &minus, change->rows + first * n, &size, change->turned + first * n, &size, &one,
              change->known + first * (N + 1), &num);
  }
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j < i; j++) change->known[i * N + j] = change->known[j * N + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemComplianceFrom(const System *system, const System *same, PetscReal **compliance)
{
  Change    change  = {.num = same->residual->num_places};
  PetscBool regular = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(FindKnown(same, &change));
  PetscCall(FindRows(system, same, &change));
  PetscCall(TakeRows(&change));
  if (change.count) PetscCall(Solve(&change, &regular));
  if (regular) PetscCall(MultiplyByTangents(&change));
  if (regular) PetscCall(TakeAway(&change));
  PetscCall(MatDestroy(&change.tangents));
  PetscCall(PetscFree2(change.row, change.place));
  PetscCall(PetscFree2(change.rows, change.turned));
  if (!regular) PetscCall(PetscFree(change.known));
  *compliance = change.known;
  PetscFunctionReturn(PETSC_SUCCESS);
}
