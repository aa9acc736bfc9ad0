/* canonical.c - one choice among all mixtures of vectors of equal frequency. */
#include "continuum/canonical.h"

static const PetscReal same  = 1e-6;  /* motions that differ by less are as large: symmetry makes many so but for round-off */
static const PetscReal equal = 1e-8;  /* relative difference of omega^2: elements of slender structures leave so much round-off in it */
static const PetscReal sure  = 100.0; /* errors: vectors that are further apart are mixed by a hundredth at most */

typedef struct {
  MPI_Comm   comm;
  PetscInt   first_row, num_rows, count;
  size_t     stride;
  PetscReal *vectors;
  PetscReal *motion; /* [num_rows] squares that mixtures of the vectors from one on move an unknown by */
  PetscReal *row;    /* [count] how they move it */
} Turning;

static PetscReal *Vector(const Turning *turning, PetscInt k)
{
  return turning->vectors + (size_t)k * turning->stride;
}

/* The unknown that mixtures of the vectors from `first` on can move most. */
static PetscErrorCode FindMostMoved(const Turning *turning, PetscInt first, PetscInt *unknown)
{
  PetscReal most = 0.0;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(turning->motion, turning->num_rows));
  for (PetscInt k = first; k < turning->count; k++)
    for (PetscInt i = 0; i < turning->num_rows; i++) turning->motion[i] += PetscSqr(Vector(turning, k)[i]);
  for (PetscInt i = 0; i < turning->num_rows; i++) most = PetscMax(most, turning->motion[i]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPIU_REAL, MPI_MAX, turning->comm));
  *unknown = PETSC_MAX_INT;
  for (PetscInt i = turning->num_rows - 1; i >= 0; i--)
    if (turning->motion[i] * (1.0 + same) >= most) *unknown = turning->first_row + i;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, unknown, 1, MPIU_INT, MPI_MIN, turning->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How all vectors move an unknown, from the rank that has it. */
static PetscErrorCode TakeRow(const Turning *turning, PetscInt unknown)
{
  const PetscInt i = unknown - turning->first_row;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < turning->count; k++) turning->row[k] = i >= 0 && i < turning->num_rows ? Vector(turning, k)[i] : 0.0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, turning->row, (PetscMPIInt)turning->count, MPIU_REAL, MPI_SUM, turning->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Vectors a and b in their plane, until b leaves the unknown at rest and a moves it in the positive direction. */
static void TurnPair(const Turning *turning, PetscInt a, PetscInt b)
{
  const PetscReal  length = PetscSqrtReal(PetscSqr(turning->row[a]) + PetscSqr(turning->row[b]));
  const PetscReal  cosine = length > 0.0 ? turning->row[a] / length : 1.0, sine = length > 0.0 ? turning->row[b] / length : 0.0;
  PetscReal *const x = Vector(turning, a), *const y = Vector(turning, b);

  for (PetscInt i = 0; i < turning->num_rows; i++) {
    const PetscReal turned = cosine * x[i] + sine * y[i];

    y[i] = cosine * y[i] - sine * x[i];
    x[i] = turned;
  }
  turning->row[a] = length;
  turning->row[b] = 0.0;
}

/* The last one has no other to turn with. */
static void ChooseSign(const Turning *turning, PetscInt k)
{
  if (turning->row[k] >= 0.0) return;
  for (PetscInt i = 0; i < turning->num_rows; i++) Vector(turning, k)[i] *= -1.0;
}

PetscErrorCode CanonicalTurn(MPI_Comm comm, PetscInt first_row, PetscInt num_rows, size_t stride, PetscInt count, PetscReal vectors[])
{
  Turning  turning = {.comm = comm, .first_row = first_row, .num_rows = num_rows, .count = count, .stride = stride, .vectors = vectors};
  PetscInt unknown;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(num_rows, &turning.motion, count, &turning.row));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(FindMostMoved(&turning, k, &unknown));
    PetscCall(TakeRow(&turning, unknown));
    for (PetscInt other = k + 1; other < count; other++) TurnPair(&turning, k, other);
    ChooseSign(&turning, k);
  }
  PetscCall(PetscFree2(turning.motion, turning.row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool AreEqual(const PetscReal value[], const PetscReal errors[], PetscInt a, PetscInt b)
{
  PetscReal most = equal * PetscMax(PetscAbsReal(value[a]), PetscAbsReal(value[b]));

  if (errors) most = PetscMin(most, sure * (errors[a] + errors[b]));
  return (PetscBool)(PetscAbsReal(value[a] - value[b]) <= most);
}

PetscInt CanonicalGroupEnd(PetscInt count, const PetscReal value[], const PetscReal errors[], PetscInt k)
{
  PetscInt end = k + 1;

  while (end < count && AreEqual(value, errors, end - 1, end)) end++;
  return end;
}

void CanonicalMean(PetscInt count, PetscReal value[])
{
  PetscReal change = 0.0;

  for (PetscInt k = 1; k < count; k++) change += value[k] - value[0];
  for (PetscInt k = count - 1; k >= 0; k--) value[k] = value[0] + change / (PetscReal)count;
}
