/*
  evidence.c - the evidence from the samples of a chain alone.

  With g the density of the normal distribution of the first half of the steps where (x - m)^T C^-1 (x - m) < r^2, over the probability to lie there,
  about 1/2,

      1 / Z = E[g / (L prior)]  over the second half                      [Gelfand, Dey 1994; Geweke 1999, section 4.3]

  For a normal posterior all terms that are not zero are equal. For another one the ellipsoid has places of low posterior, whose terms are large and
  rare, and the error is told too small: then half of the samples are not within it, and the bridge is to be used.
*/
#include "sampling/evidence.h"
#include "autocorrelation.h"
#include "chain_private.h"
#include "normal_fit.h"
#include <math.h>

enum { LEAST_STEPS = 16 };

static const PetscReal most_asymmetry = 0.1; /* of the share of samples in the ellipsoid, about 1/2 */

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

/* The terms of the second half, all over the largest one, whose logarithm is returned; their share that is not zero. */
static PetscReal FillTerms(const Chain *chain, PetscInt first, const NormalFit *fit, PetscReal terms[], PetscReal *share)
{
  const PetscInt  dim = chain->dim, start = first * chain->num_walkers, count = chain->num_steps * chain->num_walkers - start;
  const PetscReal radius = SquaredRadius(dim), constant = fit->log_constant - PetscLogReal(ChiSquareCdf(dim, radius));
  PetscReal       most   = -(PetscReal)INFINITY;
  PetscInt        within = 0;

  for (PetscInt s = 0; s < count; s++) {
    const PetscReal square = NormalFitSquare(fit, chain->points + (start + s) * dim);

    terms[s] = square < radius ? constant - 0.5 * square - chain->log_densities[start + s] : -(PetscReal)INFINITY;
    within += square < radius;
    most = PetscMax(most, terms[s]);
  }
  for (PetscInt s = 0; s < count; s++) terms[s] = PetscExpReal(terms[s] - most);
  *share = (PetscReal)within / (PetscReal)count;
  return most;
}

PetscErrorCode ChainFindEvidence(const Chain *chain, PetscInt num_discarded, ChainEvidence *evidence)
{
  const PetscInt kept = chain->num_steps - num_discarded, middle = num_discarded + kept / 2, rest = chain->num_steps - middle;
  PetscReal      share = 0.0;
  Summary        term;
  NormalFit      fit;

  PetscFunctionBegin;
  *evidence = (ChainEvidence){(PetscReal)NAN, (PetscReal)NAN, PETSC_FALSE};
  if (kept < LEAST_STEPS) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NormalFitOfChain(chain, num_discarded, middle, &fit));
  if (fit.definite) {
    PetscReal *terms, most;

    PetscCall(PetscMalloc1(rest * chain->num_walkers, &terms));
    most = FillTerms(chain, middle, &fit, terms, &share);
    PetscCall(AutocorrelatedMean(rest, chain->num_walkers, 1, terms, &term));
    if (share > 0.0) {
      evidence->log_evidence = -most - PetscLogReal(term.mean);
      evidence->error        = term.mean_error / term.mean;
      evidence->trusted      = (PetscBool)(PetscAbsReal(share - 0.5) < most_asymmetry);
    }
    PetscCall(PetscFree(terms));
  }
  PetscCall(NormalFitDestroy(&fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}
