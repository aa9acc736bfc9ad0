/*
  moments.c - means and deviations of distributions.

  Closed forms where they lose no digits. The others are integrals over the standard normal place z, or over the logarithm: the closed forms of
  a truncated normal distribution are small differences where its tails or a narrow range are left. The deviation is taken about the mean.
*/
#include "sampling/distribution.h"
#include "gauss.h"
#include "normal.h"
#include <math.h>

enum { NUM_PANELS = 128 };

typedef struct {
  const Distribution *distribution;
  PetscReal           offset; /* what is taken from the value */
  PetscReal           middle; /* in whose density weights are, which can be very small */
  PetscInt            power;
} Moment;

/* The value, less an offset, to a power, weighted; `z` is the logarithm where that is what is uniform. */
static PetscReal Integrand(PetscReal z, void *context)
{
  const Moment *const       moment = (const Moment *)context;
  const Distribution *const d      = moment->distribution;
  const PetscReal           s      = d->kind == DISTRIBUTION_LOG_UNIFORM ? z : d->centre + d->spread * z;
  const PetscReal           value  = (d->kind == DISTRIBUTION_NORMAL ? s : PetscExpReal(s)) - moment->offset;
  const PetscReal           weight = d->kind == DISTRIBUTION_LOG_UNIFORM ? 1.0 : PetscExpReal(0.5 * (moment->middle - z) * (moment->middle + z));

  return weight * (moment->power == 0 ? 1.0 : moment->power == 1 ? value : value * value);
}

/* Where the weights, those of the squares of lognormal values, too, are more than 1e-18 of the largest one. */
static void FindRange(const Distribution *d, PetscReal *from, PetscReal *to, PetscReal *middle)
{
  const PetscReal reach = 9.0, far = d->kind == DISTRIBUTION_LOGNORMAL ? reach + 2.0 * d->spread : reach;

  if (d->kind == DISTRIBUTION_LOG_UNIFORM) {
    *from   = PetscLogReal(d->from);
    *to     = *from + log1p((d->to - d->from) / d->from);
    *middle = 0.0;
    return;
  }
  *from   = d->kind == DISTRIBUTION_NORMAL ? (d->from - d->centre) / d->spread
            : d->from > 0.0                ? (PetscLogReal(d->from) - d->centre) / d->spread
                                           : -reach;
  *to     = ((d->kind == DISTRIBUTION_NORMAL ? d->to : PetscLogReal(d->to)) - d->centre) / d->spread;
  *middle = PetscMin(PetscMax(0.0, *from), *to);
  *from   = PetscMax(*from, *middle > 0.0 ? *middle : -PetscSqrtReal(*middle * *middle + reach * reach));
  *to     = PetscMin(*to, PetscSqrtReal(*middle * *middle + far * far));
}

static void Integrate(const Distribution *d, PetscReal *mean, PetscReal *deviation)
{
  Moment    moment = {.distribution = d};
  PetscReal from, to, all, offset;

  FindRange(d, &from, &to, &moment.middle);
  all           = GaussIntegral(from, to, NUM_PANELS, Integrand, &moment);
  moment.offset = offset = d->from > 0.0 && d->kind != DISTRIBUTION_NORMAL ? d->from : d->kind == DISTRIBUTION_NORMAL ? d->centre : 0.0;
  moment.power           = 1;
  *mean                  = offset + GaussIntegral(from, to, NUM_PANELS, Integrand, &moment) / all;
  moment.offset          = *mean;
  moment.power           = 2;
  *deviation             = PetscSqrtReal(GaussIntegral(from, to, NUM_PANELS, Integrand, &moment) / all);
}

static void OfList(const Distribution *d, PetscReal *mean, PetscReal *deviation)
{
  PetscReal sum = 0.0, squares = 0.0;

  for (PetscInt i = 0; i < d->count; i++) sum += d->values[i];
  *mean = sum / (PetscReal)d->count;
  for (PetscInt i = 0; i < d->count; i++) squares += (d->values[i] - *mean) * (d->values[i] - *mean);
  *deviation = PetscSqrtReal(squares / (PetscReal)d->count);
}

static void OfWhole(const Distribution *d, PetscReal *mean, PetscReal *deviation)
{
  const PetscReal square = d->spread * d->spread;

  *mean      = d->kind == DISTRIBUTION_NORMAL ? d->centre : PetscExpReal(d->centre + 0.5 * square);
  *deviation = d->kind == DISTRIBUTION_NORMAL ? d->spread : *mean * PetscSqrtReal(expm1(square));
}

static void OfTriangle(const Distribution *d, PetscReal *mean, PetscReal *deviation)
{
  const PetscReal width = d->to - d->from, left = d->peak - d->from, right = d->to - d->peak;

  *mean      = d->from + (width + left) / 3.0;
  *deviation = PetscSqrtReal((width * width - left * right) / 18.0);
}

static void FindMoments(const Distribution *d, PetscReal *mean, PetscReal *deviation)
{
  const PetscBool normal = (PetscBool)(d->kind == DISTRIBUTION_NORMAL || d->kind == DISTRIBUTION_LOGNORMAL);
  const PetscBool below  = (PetscBool)(d->kind == DISTRIBUTION_NORMAL ? PetscIsInfReal(d->from) : d->from <= 0.0);

  if (DistributionIsDiscrete(d)) OfList(d, mean, deviation);
  else if (normal && below && PetscIsInfReal(d->to)) OfWhole(d, mean, deviation);
  else if (d->kind == DISTRIBUTION_TRIANGULAR) OfTriangle(d, mean, deviation);
  else if (d->kind == DISTRIBUTION_UNIFORM) {
    *mean      = d->from + 0.5 * (d->to - d->from);
    *deviation = (d->to - d->from) / PetscSqrtReal(12.0);
  } else Integrate(d, mean, deviation);
}

PetscReal DistributionMean(const Distribution *distribution)
{
  PetscReal mean, deviation;

  FindMoments(distribution, &mean, &deviation);
  return mean;
}

PetscReal DistributionDeviation(const Distribution *distribution)
{
  PetscReal mean, deviation;

  FindMoments(distribution, &mean, &deviation);
  return deviation;
}
