/* normal_fit.c - a normal distribution in several dimensions. */
#include "normal_fit.h"
#include "base/random.h"
#include "chain_private.h"
#include "normal.h"
#include <petscblaslapack.h>

static PetscErrorCode Allocate(PetscInt dim, NormalFit *fit)
{
  PetscFunctionBegin;
  *fit = (NormalFit){.dim = dim};
  PetscCall(PetscCalloc3(dim, &fit->mean, dim * dim, &fit->factor, dim, &fit->solved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* C = L L^T, in place of C; LAPACK's upper factor by columns is the lower one by rows. */
static PetscErrorCode Factorise(NormalFit *fit)
{
  PetscBLASInt n, info;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(fit->dim, &n));
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("U", &n, fit->factor, &n, &info));
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK potrf gave %d", (int)info);
  fit->definite     = (PetscBool)(info == 0);
  fit->log_constant = -0.5 * (PetscReal)fit->dim * PetscLogReal(2.0 * PETSC_PI);
  for (PetscInt i = 0; fit->definite && i < fit->dim; i++) fit->log_constant -= PetscLogReal(fit->factor[i * (fit->dim + 1)]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NormalFitCreate(PetscInt dim, const PetscReal mean[], const PetscReal covariance[], NormalFit *fit)
{
  PetscFunctionBegin;
  PetscCall(Allocate(dim, fit));
  PetscCall(PetscArraycpy(fit->mean, mean, dim));
  PetscCall(PetscArraycpy(fit->factor, covariance, dim * dim));
  PetscCall(Factorise(fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NormalFitOfChain(const Chain *chain, PetscInt first, PetscInt end, NormalFit *fit)
{
  const PetscInt dim = chain->dim, start = first * chain->num_walkers, stop = end * chain->num_walkers;

  PetscFunctionBegin;
  PetscCall(Allocate(dim, fit));
  for (PetscInt s = start; s < stop; s++) {
    for (PetscInt i = 0; i < dim; i++) fit->mean[i] += chain->points[s * dim + i] / (PetscReal)(stop - start);
  }
  for (PetscInt s = start; s < stop; s++) {
    for (PetscInt i = 0; i < dim; i++) fit->solved[i] = chain->points[s * dim + i] - fit->mean[i];
    for (PetscInt i = 0; i < dim * dim; i++) fit->factor[i] += fit->solved[i / dim] * fit->solved[i % dim] / (PetscReal)(stop - start - 1);
  }
  PetscCall(Factorise(fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NormalFitDestroy(NormalFit *fit)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(fit->mean, fit->factor, fit->solved));
  *fit = (NormalFit){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal NormalFitSquare(const NormalFit *fit, const PetscReal x[])
{
  PetscReal *const solved = fit->solved, sum = 0.0;

  for (PetscInt i = 0; i < fit->dim; i++) {
    const PetscReal *const row = fit->factor + i * fit->dim;

    solved[i] = x[i] - fit->mean[i];
    for (PetscInt j = 0; j < i; j++) solved[i] -= row[j] * solved[j];
    solved[i] /= row[i];
    sum += solved[i] * solved[i];
  }
  return sum;
}

void NormalFitDraw(const NormalFit *fit, uint64_t key, PetscReal x[])
{
  for (PetscInt i = 0; i < fit->dim; i++) x[i] = fit->mean[i];
  for (PetscInt j = 0; j < fit->dim; j++) {
    const PetscReal u = RandomUniform(RandomKey(key, (uint64_t)j)), z = NormalQuantile(u, 1.0 - u);

    for (PetscInt i = j; i < fit->dim; i++) x[i] += fit->factor[i * fit->dim + j] * z;
  }
}
