/*
  compliance.c - what places move by under forces on each other, when it is known for other tangents of the joints.

      K0' = K0 + B^T D B      A' = A - A_:o D (1 + A_oo D)^-1 A_o:,   A = C K0^-1 C^T

  C are the rows of all places, o those of joints where D is not nothing [Sherman, Morrison 1950; Woodbury 1950]. Rigid motions, which strain
  no joint, are left out of A and of A'.
*/
#include "tangent_change.h"
#include <petscblaslapack.h>

typedef struct {
  TangentChange joints;  /* D, o */
  Compliance   *known;   /* A, then A' */
  PetscReal    *between; /* [count, count] A_oo */
  PetscReal    *rows;    /* [width, count] A_:o of the places of this slice */
  PetscReal    *turned;  /* [width, count] A_:o (1 + D A_oo)^-1 D, likewise */
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
  const PetscReal one = 1.0;
  const size_t    n   = (size_t)same->num_unknowns;
  PetscReal      *motion;
  PetscBLASInt    all, own, width;

  PetscFunctionBegin;
  PetscCall(ComplianceDuplicate(same->residual->compliance, &change->known));
  PetscCall(PetscMalloc1((size_t)change->known->num * n, &motion));
  PetscCall(FindMotion(same, motion));
  PetscCall(PetscBLASIntCast(change->known->num, &all));
  PetscCall(PetscBLASIntCast(change->known->width, &own));
  PetscCall(PetscBLASIntCast(same->num_unknowns, &width));
  if (own)
    BLASgemm_("T", "N", &own, &all, &width, &one, motion + (size_t)change->known->first * n, &width, motion, &width, &one, change->known->own, &own);
  PetscCall(PetscFree(motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeRows(Change *change)
{
  const Compliance *const known = change->known;
  const size_t            n = (size_t)change->joints.count, size = (size_t)known->width * n;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n * n, &change->between, size, &change->rows, size, &change->turned));
  PetscCall(ComplianceBetween(known, change->joints.count, change->joints.row, change->between));
  for (PetscInt p = 0; p < known->width; p++)
    for (size_t a = 0; a < n; a++) change->rows[(size_t)p * n + a] = known->slice[(size_t)change->joints.row[a] * (size_t)known->width + (size_t)p];
  PetscCall(PetscArraycpy(change->turned, change->rows, size));
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
  const PetscInt n = change->joints.count;
  PetscBLASInt   size, num, info, *pivots;
  PetscReal     *factors;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(n, &size));
  PetscCall(PetscBLASIntCast(change->known->width, &num));
  PetscCall(PetscMalloc2((size_t)n * (size_t)n, &factors, n, &pivots));
  PetscCall(PetscArrayzero(factors, (size_t)n * (size_t)n));
  for (PetscInt a = 0; a < n; a++) factors[(size_t)a * (size_t)(n + 1)] = 1.0;
  PetscCall(TangentChangeAddProduct(&change->joints, change->between, factors));
  LAPACKgetrf_(&size, &size, factors, &size, pivots, &info);
  *regular = (PetscBool)(info == 0 && IsRegular(n, factors));
  if (*regular && num) LAPACKgetrs_("N", &size, &num, factors, &size, pivots, change->turned, &size, &info);
  PetscCall(PetscFree2(factors, pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* D times each column. */
static PetscErrorCode MultiplyByTangents(Change *change)
{
  const PetscInt n = change->joints.count;
  PetscReal     *motion;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &motion));
  for (PetscInt p = 0; p < change->known->width; p++) {
    PetscReal *const column = change->turned + (size_t)p * (size_t)n;

    PetscCall(PetscArraycpy(motion, column, n));
    PetscCall(TangentChangeMultiply(&change->joints, motion, column));
  }
  PetscCall(PetscFree(motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { BLOCK = 256 }; /* places at a time */

/* A - rows^T turned between the places of this slice, which is symmetric: block by block of columns from the diagonal down, then the other half. */
static PetscErrorCode TakeAwayWithin(const Change *change)
{
  const PetscReal  minus = -1.0, one = 1.0;
  const size_t     N = (size_t)change->known->width, n = (size_t)change->joints.count;
  PetscReal *const square = change->known->own + (size_t)change->known->first * N;
  PetscBLASInt     num, size;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(change->known->width, &num));
  PetscCall(PetscBLASIntCast(change->joints.count, &size));
  for (size_t first = 0; first < N; first += BLOCK) {
    const PetscBLASInt width = (PetscBLASInt)PetscMin(BLOCK, N - first), height = (PetscBLASInt)(N - first);

    BLASgemm_("T", "N", &height, &width, &size, &minus, change->rows + first * n, &size, change->turned + first * n, &size, &one,
              square + first * (N + 1), &num);
  }
  for (size_t i = 0; i < N; i++)
    for (size_t j = 0; j < i; j++) square[i * N + j] = square[j * N + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The same with places of another rank, whose rows go round; those of this one as well. */
static PetscErrorCode TakeAwayWith(const Change *change, PetscMPIInt rank)
{
  const Compliance *const known = change->known;
  const PetscReal         minus = -1.0, one = 1.0;
  const size_t            n = (size_t)change->joints.count, N = (size_t)known->width;
  const PetscInt          start = ComplianceFirst(known, rank), end = ComplianceFirst(known, rank + 1);
  PetscReal              *rows;
  PetscBLASInt            own, size;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(known->width, &own));
  PetscCall(PetscBLASIntCast(change->joints.count, &size));
  PetscCall(PetscMalloc1(BLOCK * n, &rows));
  for (PetscInt first = start; first < end; first += BLOCK) {
    const PetscBLASInt width = (PetscBLASInt)PetscMin(BLOCK, end - first);

    if (rank == known->rank) PetscCall(PetscArraycpy(rows, change->rows + (size_t)(first - start) * n, (size_t)width * n));
    PetscCallMPI(MPI_Bcast(rows, (PetscMPIInt)width * (PetscMPIInt)n, MPIU_REAL, rank, known->comm));
    if (rank == known->rank || own == 0) continue;
    BLASgemm_("T", "N", &own, &width, &size, &minus, change->turned, &size, rows, &size, &one, known->own + (size_t)first * N, &own);
  }
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeAway(const Change *change)
{
  PetscFunctionBegin;
  PetscCall(TakeAwayWithin(change));
  for (PetscMPIInt rank = 0; rank < change->known->size && change->known->size > 1; rank++) PetscCall(TakeAwayWith(change, rank));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every rank has the factors: they must not need more room than a slice. */
static PetscBool HasRoom(const Change *change)
{
  const size_t n = (size_t)change->joints.count;

  return (PetscBool)(change->known->size == 1 || n * n <= (size_t)change->known->num * (size_t)change->known->width);
}

static PetscErrorCode TakeChange(Change *change, PetscBool *regular)
{
  PetscReal agreed;

  PetscFunctionBegin;
  *regular = HasRoom(change);
  if (change->joints.count == 0 || !*regular) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(TakeRows(change));
  PetscCall(Solve(change, regular));
  agreed = *regular ? 1.0 : 0.0;
  PetscCall(ComplianceShare(change->known, 1, &agreed));
  *regular = (PetscBool)(agreed > 0.0);
  if (*regular) PetscCall(MultiplyByTangents(change));
  if (*regular) PetscCall(TakeAway(change));
  PetscCall(PetscFree3(change->between, change->rows, change->turned));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemComplianceFrom(const System *system, const System *same, Compliance **compliance)
{
  Change    change = {0};
  PetscBool regular;

  PetscFunctionBegin;
  PetscCall(FindKnown(same, &change));
  PetscCall(TangentChangeCreate(same, JOINT_STUCK, system, JOINT_STUCK, &change.joints));
  PetscCall(TakeChange(&change, &regular));
  PetscCall(TangentChangeDestroy(&change.joints));
  if (!regular) PetscCall(ComplianceDestroy(&change.known));
  *compliance = change.known;
  PetscFunctionReturn(PETSC_SUCCESS);
}
