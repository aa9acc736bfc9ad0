/*
  evidence.c - the evidence from the samples of a chain.

  With m, C the mean and covariance of the first half of the steps and g the density of N(m, C) where (x - m)^T C^-1 (x - m) < r^2, over the
  probability to lie there, 1/2,

      1 / Z = E[g / (L prior)]  over the second half                      [Gelfand, Dey 1994; Geweke 1999, section 4.3]

  The terms are bounded, as the tails are left out; for a normal posterior all that are not zero are equal. The error is that of a mean over as
  many independent terms as their own autocorrelation time tells.
*/
#include "sampling/evidence.h"
#include "autocorrelation.h"
#include "chain_private.h"
#include <math.h>
#include <petscblaslapack.h>

enum { LEAST_STEPS = 16 };

/* The probability that a sum of dim squares of standard normal numbers is below x: incomplete gamma function P(dim / 2, x / 2) by its series. */
static PetscReal ChiSquareCdf(PetscInt dim, PetscReal x)
{
  const PetscReal a = 0.5 * (PetscReal)dim, half = 0.5 * x;
  PetscReal       term = PetscExpReal(a * PetscLogReal(half) - half - lgamma(a + 1.0)), sum = term;

  for (PetscInt i = 1; term > 1e-17 * sum; i++) sum += term *= half / (a + (PetscReal)i);
  return sum;
}

/* About the median of that sum [Wilson, Hilferty 1931]. */
static PetscReal SquaredRadius(PetscInt dim)
{
  const PetscReal n = (PetscReal)dim, root = 1.0 - 2.0 / (9.0 * n);

  return n * root * root * root;
}

/* Mean, and the factor R of C = R^T R with its columns; whether there is one. */
static PetscErrorCode Fit(const Chain *chain, PetscInt first, PetscInt end, PetscReal mean[], PetscReal factor[], PetscBool *definite)
{
  const PetscInt dim = chain->dim, start = first * chain->num_walkers, stop = end * chain->num_walkers;
  PetscBLASInt   n, info;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(dim, &n));
  PetscCall(PetscArrayzero(mean, dim));
  PetscCall(PetscArrayzero(factor, dim * dim));
  for (PetscInt s = start; s < stop; s++) {
    for (PetscInt i = 0; i < dim; i++) mean[i] += chain->points[s * dim + i] / (PetscReal)(stop - start);
  }
  for (PetscInt s = start; s < stop; s++) {
    const PetscReal *const x = chain->points + s * dim;

    for (PetscInt i = 0; i < dim; i++) {
      for (PetscInt j = 0; j < dim; j++) factor[i * dim + j] += (x[i] - mean[i]) * (x[j] - mean[j]) / (PetscReal)(stop - start - 1);
    }
  }
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("U", &n, factor, &n, &info));
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK potrf gave %d", (int)info);
  *definite = (PetscBool)(info == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* |R^-T (x - m)|^2, the factor being lower by rows. */
static PetscReal SquaredDistance(PetscInt dim, const PetscReal x[], const PetscReal mean[], const PetscReal factor[], PetscReal solved[])
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < dim; i++) {
    solved[i] = x[i] - mean[i];
    for (PetscInt j = 0; j < i; j++) solved[i] -= factor[i * dim + j] * solved[j];
    solved[i] /= factor[i * dim + i];
    sum += solved[i] * solved[i];
  }
  return sum;
}

/* The terms of the second half, all over the largest one, whose logarithm is returned; their share that is not zero. */
static PetscReal FillTerms(const Chain *chain, PetscInt first, const PetscReal mean[], const PetscReal factor[], PetscReal solved[],
                           PetscReal terms[], PetscReal *share)
{
  const PetscInt  dim = chain->dim, start = first * chain->num_walkers, count = chain->num_steps * chain->num_walkers - start;
  const PetscReal radius = SquaredRadius(dim);
  PetscReal constant = -0.5 * (PetscReal)dim * PetscLogReal(2.0 * PETSC_PI) - PetscLogReal(ChiSquareCdf(dim, radius)), most = -(PetscReal)INFINITY;
  PetscInt  within = 0;

  for (PetscInt i = 0; i < dim; i++) constant -= PetscLogReal(factor[i * (dim + 1)]);
  for (PetscInt s = 0; s < count; s++) {
    const PetscReal square = SquaredDistance(dim, chain->points + (start + s) * dim, mean, factor, solved);

    terms[s] = square < radius ? constant - 0.5 * square - chain->log_densities[start + s] : -(PetscReal)INFINITY;
    within += square < radius;
    most = PetscMax(most, terms[s]);
  }
  for (PetscInt s = 0; s < count; s++) terms[s] = PetscExpReal(terms[s] - most);
  *share = (PetscReal)within / (PetscReal)count;
  return most;
}

static void Average(const Chain *chain, PetscInt num_steps, const PetscReal terms[], PetscReal most, ChainEvidence *evidence)
{
  const PetscInt  count = num_steps * chain->num_walkers;
  const PetscReal time  = AutocorrelationTime(num_steps, chain->num_walkers, 1, terms);
  PetscReal       mean = 0.0, variance = 0.0;

  for (PetscInt s = 0; s < count; s++) mean += terms[s] / (PetscReal)count;
  for (PetscInt s = 0; s < count; s++) variance += PetscSqr(terms[s] - mean) / (PetscReal)(count - 1);
  evidence->log_evidence = -most - PetscLogReal(mean);
  evidence->error        = PetscSqrtReal(variance * time / (PetscReal)count) / mean;
}

PetscErrorCode ChainFindEvidence(const Chain *chain, PetscInt num_discarded, ChainEvidence *evidence)
{
  const PetscInt dim = chain->dim, kept = chain->num_steps - num_discarded, middle = num_discarded + kept / 2, rest = chain->num_steps - middle;
  PetscReal     *mean, *factor, *solved, *terms, most;
  PetscBool      definite = PETSC_FALSE;

  PetscFunctionBegin;
  *evidence = (ChainEvidence){(PetscReal)NAN, (PetscReal)NAN, 0.0};
  if (kept < LEAST_STEPS) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc4(dim, &mean, dim * dim, &factor, dim, &solved, rest * chain->num_walkers, &terms));
  PetscCall(Fit(chain, num_discarded, middle, mean, factor, &definite));
  if (definite) {
    most = FillTerms(chain, middle, mean, factor, solved, terms, &evidence->share);
    if (evidence->share > 0.0) Average(chain, rest, terms, most, evidence);
  }
  PetscCall(PetscFree4(mean, factor, solved, terms));
  PetscFunctionReturn(PETSC_SUCCESS);
}
