/*
  eigen.c - eigenvectors by LAPACK or by Krylov-Schur, and their refinement.

  LAPACK finds each lambda to the round-off of the largest, Krylov-Schur to that of the shift. Where they differ by many powers
  of ten, the low ones would be noise, and so would the small components of their vectors. Both are put right by projecting
  K and M on the vectors, for the products see every component with its own relative accuracy.
*/
#include "eigen.h"
#include <slepceps.h>
#include <slepcblaslapack.h>

enum {
  DENSE_LIMIT   = 400,  /* unknowns up to which LAPACK finds all vectors in no time */
  LARGEST_DENSE = 30000 /* unknowns whose work array LAPACK can still count: 2 n^2 in 32 bits */
};

static const PetscReal trusted = 1e-4; /* part of the largest lambda down to which the others are accurate enough to refine */
static const PetscReal turned  = 1e-8; /* larger corrections, of nearly multiple lambda, are noise, and their squares are not negligible */

/* K y = lambda M y, both dense: K becomes the vectors, in ascending order; M is lost. */
static PetscErrorCode SolveDense(Mat K, Mat M, PetscReal lambda[])
{
  PetscInt     n;
  PetscBLASInt size, kind = 1, room = -1, integer_room = -1, integer, *integers, info;
  PetscReal   *stiffness, *mass, *work, most;

  PetscFunctionBegin;
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(PetscBLASIntCast(n, &size));
  PetscCall(MatDenseGetArray(K, &stiffness));
  PetscCall(MatDenseGetArray(M, &mass));
  LAPACKsygvd_(&kind, "V", "L", &size, stiffness, &size, mass, &size, lambda, &most, &room, &integer, &integer_room, &info);
  room         = (PetscBLASInt)most;
  integer_room = integer;
  PetscCall(PetscMalloc2(room, &work, integer_room, &integers));
  PetscCallBLAS("LAPACKsygvd",
                LAPACKsygvd_(&kind, "V", "L", &size, stiffness, &size, mass, &size, lambda, work, &room, integers, &integer_room, &info));
  PetscCheck(info <= size, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "the mass matrix is not positive definite at unknown %d", (int)(info - size));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK sygvd failed: info = %d", (int)info);
  PetscCall(PetscFree2(work, integers));
  PetscCall(MatDenseRestoreArray(K, &stiffness));
  PetscCall(MatDenseRestoreArray(M, &mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AllByLapack(Mat K, Mat M, PetscReal lambda[], Mat *X)
{
  Mat mass;

  PetscFunctionBegin;
  PetscCall(MatConvert(K, MATSEQDENSE, MAT_INITIAL_MATRIX, X));
  PetscCall(MatConvert(M, MATSEQDENSE, MAT_INITIAL_MATRIX, &mass));
  PetscCall(SolveDense(*X, mass, lambda));
  PetscCall(MatDestroy(&mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* X^T A X */
static PetscErrorCode Project(Mat A, Mat X, Mat *projected)
{
  Mat product;

  PetscFunctionBegin;
  PetscCall(MatMatMult(A, X, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product));
  PetscCall(MatTransposeMatMult(X, product, MAT_INITIAL_MATRIX, PETSC_DEFAULT, projected));
  PetscCall(MatDestroy(&product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The best vectors within the span of the columns first to last - 1 [Rayleigh-Ritz]. */
static PetscErrorCode Ritz(Mat K, Mat M, Mat X, PetscInt first, PetscInt last, PetscReal lambda[])
{
  Mat group, stiffness, mass, better;

  PetscFunctionBegin;
  PetscCall(MatDenseGetSubMatrix(X, PETSC_DECIDE, PETSC_DECIDE, first, last, &group));
  PetscCall(Project(K, group, &stiffness));
  PetscCall(Project(M, group, &mass));
  PetscCall(SolveDense(stiffness, mass, lambda + first));
  PetscCall(MatMatMult(group, stiffness, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &better));
  PetscCall(MatCopy(better, group, SAME_NONZERO_PATTERN));
  PetscCall(MatDenseRestoreSubMatrix(X, &group));
  PetscCall(MatDestroy(&stiffness));
  PetscCall(MatDestroy(&mass));
  PetscCall(MatDestroy(&better));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The least |K_ii| / M_ii that is not zero. */
static PetscErrorCode LeastRatio(Mat K, Mat M, PetscReal *least)
{
  PetscInt         n;
  Vec              stiffness, mass;
  const PetscReal *k, *m;

  PetscFunctionBegin;
  *least = PETSC_MAX_REAL;
  PetscCall(MatCreateVecs(K, &stiffness, &mass));
  PetscCall(MatGetDiagonal(K, stiffness));
  PetscCall(MatGetDiagonal(M, mass));
  PetscCall(VecGetLocalSize(mass, &n));
  PetscCall(VecGetArrayRead(stiffness, &k));
  PetscCall(VecGetArrayRead(mass, &m));
  for (PetscInt i = 0; i < n; i++)
    if (k[i] != 0.0) *least = PetscMin(*least, PetscAbsReal(k[i]) / m[i]);
  PetscCall(VecRestoreArrayRead(stiffness, &k));
  PetscCall(VecRestoreArrayRead(mass, &m));
  PetscCall(VecDestroy(&stiffness));
  PetscCall(VecDestroy(&mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A shift below the spectrum: K - shift M is positive definite even when the structure can float. Small against the spectrum,
   however stiff or light some parts are, but not against the round-off of K. */
static PetscErrorCode ChooseShift(Mat K, Mat M, PetscReal *shift)
{
  PetscReal stiffness, mass, least;

  PetscFunctionBegin;
  PetscCall(MatGetTrace(K, &stiffness));
  PetscCall(MatGetTrace(M, &mass));
  PetscCall(LeastRatio(K, M, &least));
  *shift = least < PETSC_MAX_REAL ? -PetscMax(1e-8 * least, 1e-14 * PetscAbsReal(stiffness) / mass) : -1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateKrylov(Mat K, Mat M, PetscInt count, EPS *eps)
{
  PetscReal shift = 0.0;
  ST        st;
  KSP       ksp;
  PC        pc;

  PetscFunctionBegin;
  PetscCall(ChooseShift(K, M, &shift));
  PetscCall(EPSCreate(PETSC_COMM_SELF, eps));
  PetscCall(EPSSetOperators(*eps, K, M));
  PetscCall(EPSSetProblemType(*eps, EPS_GHEP));
  PetscCall(EPSSetDimensions(*eps, count, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(EPSSetTarget(*eps, shift));
  PetscCall(EPSSetWhichEigenpairs(*eps, EPS_TARGET_MAGNITUDE));
  PetscCall(EPSSetTolerances(*eps, 1e-10, PETSC_DEFAULT));
  PetscCall(EPSGetST(*eps, &st));
  PetscCall(STSetType(st, STSINVERT));
  PetscCall(STGetKSP(st, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCCHOLESKY));
  PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  PetscCall(EPSSetFromOptions(*eps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How many lambda lie below the shift, where iterations do not look for them: those of an unstable structure [Sylvester's law of
   inertia]. */
static PetscErrorCode CountBelowShift(EPS eps, PetscInt *below)
{
  ST  st;
  KSP ksp;
  PC  pc;
  Mat factor;

  PetscFunctionBegin;
  PetscCall(EPSSetUp(eps));
  PetscCall(EPSGetST(eps, &st));
  PetscCall(STGetKSP(st, &ksp));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetUp(pc));
  PetscCall(PCFactorGetMatrix(pc, &factor));
  PetscCall(MatGetInertia(factor, below, NULL, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NearestByKrylov(EPS eps, PetscInt count, Mat *X)
{
  PetscInt n, found;
  Mat      K;
  Vec      x;

  PetscFunctionBegin;
  PetscCall(EPSSolve(eps));
  PetscCall(EPSGetConverged(eps, &found));
  PetscCheck(found >= count, PETSC_COMM_SELF, PETSC_ERR_CONV_FAILED, "only %" PetscInt_FMT " of %" PetscInt_FMT " modes converged", found, count);
  PetscCall(EPSGetOperators(eps, &K, NULL));
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, n, count, NULL, X));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(MatDenseGetColumnVecWrite(*X, k, &x));
    PetscCall(EPSGetEigenvector(eps, k, x, NULL));
    PetscCall(MatDenseRestoreColumnVecWrite(*X, k, &x));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A few by iterations, unless there are some below zero. */
static PetscErrorCode LowestByKrylov(Mat K, Mat M, PetscInt count, PetscReal lambda[], Mat *X)
{
  EPS      eps;
  PetscInt n, below;

  PetscFunctionBegin;
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(CreateKrylov(K, M, count, &eps));
  PetscCall(CountBelowShift(eps, &below));
  if (below > 0 && n <= LARGEST_DENSE) PetscCall(AllByLapack(K, M, lambda, X));
  else {
    if (below > 0) LogWarn("%" PetscInt_FMT " modes are unstable; those far from zero are not found", below);
    PetscCall(NearestByKrylov(eps, count, X));
    PetscCall(Ritz(K, M, *X, 0, count, lambda));
  }
  PetscCall(EPSDestroy(&eps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the columns first to last - 1, which ascend, keeps those whose lambda is small beside the largest of them. */
static void Narrow(const PetscReal lambda[], PetscInt *first, PetscInt *last)
{
  const PetscReal bound = trusted * PetscMax(PetscAbsReal(lambda[*first]), PetscAbsReal(lambda[*last - 1]));

  while (*first < *last && PetscAbsReal(lambda[*first]) >= bound) ++*first;
  while (*last > *first && PetscAbsReal(lambda[*last - 1]) >= bound) --*last;
}

/* Group by group downwards, each in the round-off of its own largest lambda. */
static PetscErrorCode ResolveLow(Mat K, Mat M, PetscInt count, Mat X, PetscReal lambda[])
{
  PetscInt first = 0, last = count;

  PetscFunctionBegin;
  for (Narrow(lambda, &first, &last); first < last; Narrow(lambda, &first, &last)) PetscCall(Ritz(K, M, X, first, last, lambda));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From S = X^T K X and R = X^T M X - 1 to the matrix E for which X + X E has neither, to first order: E + E^T = -R and
   S + E^T S + S E diagonal [Ogita and Aishima 2018]. It replaces R. */
static void FindCorrection(PetscInt n, const PetscReal S[], PetscReal R[])
{
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j <= i; j++) {
      const size_t    below = (size_t)j * (size_t)n + (size_t)i, above = (size_t)i * (size_t)n + (size_t)j;
      const PetscReal lambda_i = S[(size_t)i * (size_t)(n + 1)], lambda_j = S[(size_t)j * (size_t)(n + 1)];
      const PetscReal r = 0.5 * (R[below] + R[above]), s = 0.5 * (S[below] + S[above]), gap = lambda_j - lambda_i;
      const PetscBool apart = (PetscBool)(PetscMax(PetscAbsReal(s - lambda_j * r), PetscAbsReal(s - lambda_i * r)) < turned * PetscAbsReal(gap));

      R[below] = apart ? (s - lambda_j * r) / gap : -0.5 * r;
      R[above] = apart ? (s - lambda_i * r) / -gap : -0.5 * r;
    }
}

/* Removes what is left of K and M between the vectors, and with it the errors of their small components. */
static PetscErrorCode Correct(Mat K, Mat M, Mat X)
{
  Mat              stiffness, mass, change;
  PetscInt         n;
  const PetscReal *S;
  PetscReal       *R;

  PetscFunctionBegin;
  PetscCall(Project(K, X, &stiffness));
  PetscCall(Project(M, X, &mass));
  PetscCall(MatShift(mass, -1.0));
  PetscCall(MatGetSize(mass, &n, NULL));
  PetscCall(MatDenseGetArrayRead(stiffness, &S));
  PetscCall(MatDenseGetArray(mass, &R));
  FindCorrection(n, S, R);
  PetscCall(MatDenseRestoreArrayRead(stiffness, &S));
  PetscCall(MatDenseRestoreArray(mass, &R));
  PetscCall(MatDestroy(&stiffness));
  PetscCall(MatMatMult(X, mass, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &change));
  PetscCall(MatAXPY(X, 1.0, change, SAME_NONZERO_PATTERN));
  PetscCall(MatDestroy(&mass));
  PetscCall(MatDestroy(&change));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool EigenFindsAll(PetscInt num_unknowns)
{
  return (PetscBool)(num_unknowns <= DENSE_LIMIT);
}

PetscErrorCode EigenLowest(Mat K, Mat M, PetscInt count, Mat *X)
{
  PetscInt   n;
  PetscReal *lambda;

  PetscFunctionBegin;
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(PetscMalloc1(n, &lambda));
  if (EigenFindsAll(n) || (count > n / 4 && n <= LARGEST_DENSE)) PetscCall(AllByLapack(K, M, lambda, X));
  else PetscCall(LowestByKrylov(K, M, count, lambda, X));
  PetscCall(MatGetSize(*X, NULL, &count));
  PetscCall(ResolveLow(K, M, count, *X, lambda));
  PetscCall(Correct(K, M, *X));
  PetscCall(PetscFree(lambda));
  PetscFunctionReturn(PETSC_SUCCESS);
}
