/* jacobian.c - Newton's equations of the joints by elimination, for steps too long to be solved by products. */
#include "jacobian.h"
#include <petscblaslapack.h>

static inline void Swap(PetscReal *a, PetscReal *b)
{
  const PetscReal kept = *a;

  *a = *b;
  *b = kept;
}

/* Gaussian elimination with row exchanges, column-major, in place: for the few joints of most structures a LAPACK call costs
   more than its work (0.35 us against 0.05 us for four). */
static PetscBool SolveSmall(PetscInt n, PetscReal A[], PetscReal b[])
{
  for (PetscInt k = 0; k < n; k++) {
    PetscInt pivot = k;

    for (PetscInt i = k + 1; i < n; i++)
      if (PetscAbsReal(A[i + k * n]) > PetscAbsReal(A[pivot + k * n])) pivot = i;
    if (A[pivot + k * n] == 0.0) return PETSC_FALSE;
    if (pivot != k) {
      for (PetscInt j = k; j < n; j++) Swap(&A[k + j * n], &A[pivot + j * n]);
      Swap(&b[k], &b[pivot]);
    }
    for (PetscInt i = k + 1; i < n; i++) {
      const PetscReal factor = A[i + k * n] / A[k + k * n];

      for (PetscInt j = k + 1; j < n; j++) A[i + j * n] -= factor * A[k + j * n];
      b[i] -= factor * b[k];
    }
  }
  for (PetscInt k = n - 1; k >= 0; k--) {
    for (PetscInt j = k + 1; j < n; j++) b[k] -= A[k + j * n] * b[j];
    b[k] /= A[k + k * n];
  }
  return PETSC_TRUE;
}

static PetscBool SolveLarge(PetscInt n, PetscReal A[], PetscBLASInt pivots[], PetscReal b[])
{
  PetscBLASInt size = (PetscBLASInt)n, one = 1, info;

  LAPACKgesv_(&size, &one, A, &size, pivots, b, &size, &info);
  return (PetscBool)(info == 0);
}

/* column j of H (tangent - stiffness) */
static void BuildColumn(const JointForces *joints, const PetscReal influence[], PetscInt j, PetscReal *restrict column)
{
  const PetscInt m = joints->m;

  for (PetscInt i = 0; i < m; i++) column[i] = 0.0;
  for (PetscInt k = 0; k < m; k++) {
    const PetscReal change = joints->tangent[k * m + j] - joints->stiffness[k * m + j];

    for (PetscInt i = 0; i < m; i++) column[i] += influence[k * m + i] * change;
  }
}

/* The same of all columns, each from the rows of its points alone. */
static void BuildByPoints(const JointForces *joints, const PetscReal influence[], PetscReal jacobian[])
{
  const PetscInt m = joints->m, width = joints->pattern.width;

  for (PetscInt i = 0; i < m * m; i++) jacobian[i] = 0.0;
  for (PetscInt k = 0; k < m; k++)
    for (PetscInt e = k * width; e < (k + 1) * width; e++) {
      const PetscReal change           = joints->tangent[e] - joints->stiffness[e];
      PetscReal *const restrict column = jacobian + joints->pattern.column[e] * m;

      for (PetscInt i = 0; change != 0.0 && i < m; i++) column[i] += influence[k * m + i] * change;
    }
}

/* J = 1 + H (tangent - stiffness), column-major; H is symmetric. */
static void Build(const JointForces *joints, const PetscReal influence[], PetscReal jacobian[])
{
  const PetscInt m = joints->m;

  if (joints->by_points) BuildByPoints(joints, influence, jacobian);
  for (PetscInt j = 0; j < m; j++) {
    PetscReal *const restrict column  = jacobian + j * m;
    const PetscReal *const restrict H = influence + j * m;

    if (joints->diagonal) {
      const PetscReal change = joints->tangent[j] - joints->stiffness[j];

#pragma omp simd
      for (PetscInt i = 0; i < m; i++) column[i] = H[i] * change;
    } else if (!joints->by_points) BuildColumn(joints, influence, j, column);
    column[j] += 1.0;
  }
}

PetscBool JacobianSolve(const JointForces *joints, const PetscReal influence[], PetscReal jacobian[], PetscBLASInt pivots[], PetscReal x[])
{
  enum { SMALL = 12 };
  const PetscInt m = RowsWhole(joints->m);

  Build(joints, influence, jacobian);
  return m <= SMALL ? SolveSmall(m, jacobian, x) : SolveLarge(m, jacobian, pivots, x);
}
