/* least_squares.c - linear least squares by orthogonal factors of LAPACK. */
#include "least_squares.h"
#include "norms.h"
#include <math.h>
#include <petscblaslapack.h>

PetscErrorCode LeastSquaresCreate(PetscInt m, PetscInt n, LeastSquares *squares)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(squares, sizeof(*squares)));
  PetscCall(PetscBLASIntCast(m, &squares->m));
  PetscCall(PetscBLASIntCast(n, &squares->n));
  PetscCall(PetscCalloc4((size_t)m * (size_t)n, &squares->A, m, &squares->b, n, &squares->length, n, &squares->z));
  PetscCall(PetscCalloc4(n * n, &squares->R, n * n, &squares->U, n * n, &squares->V, n, &squares->singular));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LeastSquaresDestroy(LeastSquares *squares)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(squares->A, squares->b, squares->length, squares->z));
  PetscCall(PetscFree4(squares->R, squares->U, squares->V, squares->singular));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void ScaleColumns(LeastSquares *squares)
{
  for (PetscInt j = 0; j < squares->n; j++) {
    PetscReal *const column = squares->A + (size_t)j * (size_t)squares->m;
    const PetscReal  length = VectorLength(squares->m, column);

    squares->length[j] = length > 0.0 ? length : 1.0;
    for (PetscInt i = 0; i < squares->m; i++) column[i] /= squares->length[j];
  }
}

/* A = Q R; b becomes Q^T b. */
static PetscErrorCode Orthogonalise(LeastSquares *squares)
{
  PetscBLASInt m = squares->m, n = squares->n, one = 1, info, size = 64 * (n + 1);
  PetscReal   *tau, *work;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &tau, size, &work));
  PetscCallBLAS("LAPACKgeqrf", LAPACKgeqrf_(&m, &n, squares->A, &m, tau, work, &size, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK geqrf gave %d", (int)info);
  PetscCallBLAS("LAPACKormqr", LAPACKormqr_("L", "T", &m, &one, &n, squares->A, &m, tau, squares->b, &m, work, &size, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK ormqr gave %d", (int)info);
  for (PetscInt j = 0; j < n; j++)
    for (PetscInt i = 0; i <= j; i++) squares->R[j * n + i] = squares->A[(size_t)j * (size_t)m + (size_t)i];
  PetscCall(PetscFree2(tau, work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Singular values of R with its columns scaled, and, unless NULL, its singular vectors U and V. */
static PetscErrorCode Decompose(const LeastSquares *squares, const PetscReal lengths[], PetscReal singular[], PetscReal U[], PetscReal V[])
{
  const char   job = U ? 'S' : 'N';
  PetscBLASInt n = squares->n, info, size = 64 * n;
  PetscReal   *A, *work, *transposed;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(n * n, &A, size, &work, n * n, &transposed));
  for (PetscInt j = 0; j < n; j++)
    for (PetscInt i = 0; i < n; i++) A[j * n + i] = squares->R[j * n + i] * (lengths ? lengths[j] : 1.0);
  PetscCallBLAS("LAPACKgesvd", LAPACKgesvd_(&job, &job, &n, &n, A, &n, singular, U, &n, transposed, &n, work, &size, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK gesvd gave %d", (int)info);
  for (PetscInt j = 0; j < n && V; j++)
    for (PetscInt k = 0; k < n; k++) V[k * n + j] = transposed[j * n + k];
  PetscCall(PetscFree3(A, work, transposed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Singular values at the level of round-off do not count for the rank. */
PetscErrorCode LeastSquaresFactor(LeastSquares *squares)
{
  const PetscReal roundoff = PETSC_MACHINE_EPSILON * squares->n * PetscSqrtReal((PetscReal)squares->m);

  PetscFunctionBegin;
  ScaleColumns(squares);
  PetscCall(Orthogonalise(squares));
  PetscCall(Decompose(squares, NULL, squares->singular, squares->U, squares->V));
  while (squares->rank < squares->n && squares->singular[squares->rank] > roundoff * squares->singular[0]) squares->rank++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The component of the solution along V_k for a right-hand side U_k. */
static PetscReal Filter(const LeastSquares *squares, PetscInt k, PetscReal factor)
{
  const PetscReal s = squares->singular[k];

  return s / (s * s + factor * factor);
}

PetscErrorCode LeastSquaresBySVD(LeastSquares *squares, PetscReal factor)
{
  const PetscInt n = squares->n;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(squares->z, n));
  for (PetscInt k = 0; k < squares->rank; k++) {
    PetscReal along = 0.0;

    for (PetscInt i = 0; i < n; i++) along += squares->U[k * n + i] * squares->b[i];
    for (PetscInt j = 0; j < n; j++) squares->z[j] += Filter(squares, k, factor) * along * squares->V[k * n + j];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The equations R z = Q^T b, with factor z = 0 below them. */
PetscErrorCode LeastSquaresByQR(LeastSquares *squares, PetscReal factor)
{
  PetscBLASInt n = squares->n, rows = 2 * n, one = 1, info, size = 64 * rows;
  PetscReal   *stacked, *right, *work;

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(rows * n, &stacked, rows, &right, size, &work));
  for (PetscInt j = 0; j < n; j++) {
    PetscCall(PetscArraycpy(stacked + j * rows, squares->R + j * n, n));
    stacked[j * rows + n + j] = factor;
    right[j]                  = squares->b[j];
  }
  PetscCallBLAS("LAPACKgels", LAPACKgels_("N", &rows, &n, &one, stacked, &rows, right, &rows, work, &size, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK gels gave %d", (int)info);
  PetscCall(PetscArraycpy(squares->z, right, n));
  PetscCall(PetscFree3(stacked, right, work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LeastSquaresCondition(const LeastSquares *squares, const PetscReal lengths[], PetscReal *condition)
{
  const PetscInt n = squares->n;
  PetscReal     *singular;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &singular));
  PetscCall(Decompose(squares, lengths, singular, NULL, NULL));
  *condition = squares->rank == n && singular[n - 1] > 0.0 ? singular[0] / singular[n - 1] : (PetscReal)INFINITY;
  PetscCall(PetscFree(singular));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* [(A^T A)^-1]_jj^(-1/2) = |R^-T e_j|^-1. A column that takes no part in a singular vector of value zero has only round-off there. */
PetscReal LeastSquaresOwn(const LeastSquares *squares, PetscInt column)
{
  const PetscReal roundoff = 1e-8;
  const PetscInt  n        = squares->n;
  PetscReal       sum      = 0.0;

  for (PetscInt k = 0; k < n; k++) {
    const PetscReal v = squares->V[k * n + column], part = v / squares->singular[k];

    if (k < squares->rank) sum += part * part;
    else if (PetscAbsReal(v) > roundoff) return 0.0;
  }
  return 1.0 / PetscSqrtReal(sum);
}

/* V diag(1 / (s^2 + factor^2)) V^T */
void LeastSquaresInverse(const LeastSquares *squares, PetscReal factor, PetscInt column, PetscReal row[])
{
  const PetscInt n = squares->n;

  for (PetscInt j = 0; j < n; j++) {
    row[j] = 0.0;
    for (PetscInt k = 0; k < squares->rank; k++)
      row[j] += squares->V[k * n + column] * squares->V[k * n + j] * Filter(squares, k, factor) / squares->singular[k];
  }
}

PetscReal LeastSquaresDeviation(const LeastSquares *squares, PetscReal factor, PetscInt column)
{
  PetscReal sum = 0.0;

  if (LeastSquaresOwn(squares, column) == 0.0) return (PetscReal)INFINITY;
  for (PetscInt k = 0; k < squares->rank; k++) {
    const PetscReal part = squares->V[k * squares->n + column] * Filter(squares, k, factor);

    sum += part * part;
  }
  return PetscSqrtReal(sum);
}
