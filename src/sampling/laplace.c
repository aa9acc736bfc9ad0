/*
  laplace.c - a normal distribution about the point of highest posterior.

      log Z = log posterior + dim / 2 log 2 pi + 1 / 2 log det C,   C = H^-1     [Tierney, Kadane 1986]
*/
#include "sampling/evidence.h"
#include <math.h>
#include <petscblaslapack.h>

/* `laplace->covariance` is the Hessian, and becomes its inverse. */
static PetscErrorCode Invert(Laplace *laplace)
{
  PetscReal *const C = laplace->covariance;
  PetscBLASInt     n, info;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(laplace->dim, &n));
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("U", &n, C, &n, &info));
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK potrf gave %d", (int)info);
  laplace->definite = (PetscBool)(info == 0);
  if (!laplace->definite) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < laplace->dim; i++) laplace->log_determinant -= 2.0 * PetscLogReal(C[i * (laplace->dim + 1)]);
  PetscCallBLAS("LAPACKpotri", LAPACKpotri_("U", &n, C, &n, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK potri gave %d", (int)info);
  for (PetscInt i = 0; i < laplace->dim; i++) { /* LAPACK's upper half, by columns, is the lower one by rows */
    for (PetscInt j = 0; j < i; j++) C[j * laplace->dim + i] = C[i * laplace->dim + j];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LaplaceOfHessian(PetscInt dim, const PetscReal hessian[], Laplace *laplace)
{
  PetscFunctionBegin;
  *laplace = (Laplace){.dim = dim};
  PetscCall(PetscMalloc1(dim * dim, &laplace->covariance));
  PetscCall(PetscArraycpy(laplace->covariance, hessian, dim * dim));
  PetscCall(Invert(laplace));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LaplaceOfJacobian(PetscInt dim, PetscInt num_residuals, const PetscReal jacobian[], const PetscReal prior_precision[],
                                 Laplace *laplace)
{
  const PetscReal one = 1.0;
  PetscBLASInt    n, rows;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(dim, &n));
  PetscCall(PetscBLASIntCast(num_residuals, &rows));
  *laplace = (Laplace){.dim = dim};
  PetscCall(PetscCalloc1(dim * dim, &laplace->covariance));
  if (prior_precision) PetscCall(PetscArraycpy(laplace->covariance, prior_precision, dim * dim));
  if (rows) PetscCallBLAS("BLASsyrk", BLASsyrk_("U", "N", &n, &rows, &one, jacobian, &n, &one, laplace->covariance, &n));
  PetscCall(Invert(laplace));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LaplaceDestroy(Laplace *laplace)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(laplace->covariance));
  *laplace = (Laplace){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal LaplaceLogEvidence(const Laplace *laplace, PetscReal log_posterior)
{
  if (!laplace->definite) return (PetscReal)NAN;
  return log_posterior + 0.5 * ((PetscReal)laplace->dim * PetscLogReal(2.0 * PETSC_PI) + laplace->log_determinant);
}

PetscReal LogEvidenceByBic(PetscReal log_likelihood, PetscInt num_parameters, PetscInt num_data)
{
  return log_likelihood - 0.5 * (PetscReal)num_parameters * PetscLogReal((PetscReal)num_data);
}
