/*
  distribution.c - quantiles, probabilities and densities of each kind.

  Normal and lognormal are truncated exactly: with z = (x - centre) / spread, or of log x, and the bounds z_from, z_to, the probability below is
  (Phi(z) - Phi(z_from)) / (Phi(z_to) - Phi(z_from)).
*/
#include "sampling/distribution.h"
#include "normal.h"
#include <math.h>

PetscBool DistributionIsDiscrete(const Distribution *d)
{
  return (PetscBool)(d->kind == DISTRIBUTION_VALUES || d->kind == DISTRIBUTION_GRID);
}

/* The logarithm of what cannot be below zero. */
static PetscReal Logarithm(PetscReal x)
{
  return x > 0.0 ? PetscLogReal(x) : -(PetscReal)INFINITY;
}

static PetscReal Standardised(const Distribution *d, PetscReal x)
{
  return ((d->kind == DISTRIBUTION_LOGNORMAL ? Logarithm(x) : x) - d->centre) / d->spread;
}

static PetscReal Within(PetscReal x, PetscReal from, PetscReal to)
{
  return PetscMin(PetscMax(x, from), to);
}

static PetscReal NormalValue(const Distribution *d, PetscReal below, PetscReal above)
{
  const PetscReal from = Standardised(d, d->from), to = Standardised(d, d->to), all = NormalBetween(from, to);
  const PetscReal x = d->centre + d->spread * NormalQuantile(NormalCdf(from) + below * all, NormalCdf(-to) + above * all);

  return Within(d->kind == DISTRIBUTION_LOGNORMAL ? PetscExpReal(x) : x, d->from, d->to);
}

static PetscReal TriangularValue(const Distribution *d, PetscReal below, PetscReal above)
{
  const PetscReal width = d->to - d->from, left = d->peak - d->from, right = d->to - d->peak;

  return below * width < left ? d->from + PetscSqrtReal(below * width * left) : d->to - PetscSqrtReal(above * width * right);
}

/* From the nearer end, whose digits are not lost so. */
static PetscReal UniformValue(const Distribution *d, PetscReal below, PetscReal above)
{
  return below < above ? d->from + below * (d->to - d->from) : d->to - above * (d->to - d->from);
}

static PetscReal LogUniformValue(const Distribution *d, PetscReal below, PetscReal above)
{
  const PetscReal x = below < above ? d->from * PetscPowReal(d->to / d->from, below) : d->to * PetscPowReal(d->from / d->to, above);

  return Within(x, d->from, d->to);
}

static PetscReal ListedValue(const Distribution *d, PetscReal below, PetscReal above)
{
  const PetscInt place = (PetscInt)PetscFloorReal(below * (PetscReal)d->count);

  (void)above;
  return d->values[PetscMin(PetscMax(place, 0), d->count - 1)];
}

PetscReal DistributionQuantileBetween(const Distribution *d, PetscReal below, PetscReal above)
{
  static PetscReal (*const values[NUM_DISTRIBUTIONS])(const Distribution *, PetscReal, PetscReal) = {
    UniformValue, NormalValue, NormalValue, TriangularValue, LogUniformValue, ListedValue, ListedValue};

  return values[d->kind](d, below, above);
}

PetscReal DistributionQuantile(const Distribution *d, PetscReal u)
{
  return DistributionQuantileBetween(d, u, 1.0 - u);
}

static void NormalShares(const Distribution *d, PetscReal x, PetscReal *below, PetscReal *above)
{
  const PetscReal from = Standardised(d, d->from), to = Standardised(d, d->to), z = Standardised(d, x), all = NormalBetween(from, to);

  *below = NormalBetween(from, z) / all;
  *above = NormalBetween(z, to) / all;
}

static void TriangularShares(const Distribution *d, PetscReal x, PetscReal *below, PetscReal *above)
{
  const PetscReal width = d->to - d->from;

  if (x < d->peak) {
    *below = (x - d->from) * (x - d->from) / (width * (d->peak - d->from));
    *above = 1.0 - *below;
  } else {
    *above = (d->to - x) * (d->to - x) / (width * (d->to - d->peak));
    *below = 1.0 - *above;
  }
}

static void UniformShares(const Distribution *d, PetscReal x, PetscReal *below, PetscReal *above)
{
  *below = (x - d->from) / (d->to - d->from);
  *above = (d->to - x) / (d->to - d->from);
}

static void LogUniformShares(const Distribution *d, PetscReal x, PetscReal *below, PetscReal *above)
{
  const PetscReal all = log1p((d->to - d->from) / d->from);

  *below = log1p((x - d->from) / d->from) / all;
  *above = log1p((d->to - x) / x) / all;
}

static void ListedShares(const Distribution *d, PetscReal x, PetscReal *below, PetscReal *above)
{
  PetscInt count = 0;

  for (PetscInt i = 0; i < d->count; i++) count += d->values[i] <= x;
  *below = (PetscReal)count / (PetscReal)d->count;
  *above = (PetscReal)(d->count - count) / (PetscReal)d->count;
}

void DistributionShares(const Distribution *d, PetscReal x, PetscReal *below, PetscReal *above)
{
  static void (*const shares[NUM_DISTRIBUTIONS])(const Distribution *, PetscReal, PetscReal *, PetscReal *) = {
    UniformShares, NormalShares, NormalShares, TriangularShares, LogUniformShares, ListedShares, ListedShares};

  *below = !DistributionIsDiscrete(d) && x >= d->to ? 1.0 : 0.0;
  *above = 1.0 - *below;
  if (DistributionIsDiscrete(d) || (x > d->from && x < d->to)) shares[d->kind](d, x, below, above);
}

PetscReal DistributionCdf(const Distribution *d, PetscReal x)
{
  PetscReal below, above;

  DistributionShares(d, x, &below, &above);
  return below;
}

static PetscReal NormalLog(const Distribution *d, PetscReal x)
{
  const PetscReal all = NormalBetween(Standardised(d, d->from), Standardised(d, d->to));

  return NormalLogDensity(Standardised(d, x)) - PetscLogReal(d->spread * all);
}

static PetscReal LognormalLog(const Distribution *d, PetscReal x)
{
  return NormalLog(d, x) - Logarithm(x);
}

static PetscReal TriangularLog(const Distribution *d, PetscReal x)
{
  const PetscReal share = x < d->peak ? (x - d->from) / (d->peak - d->from) : d->to > d->peak ? (d->to - x) / (d->to - d->peak) : 1.0;

  return Logarithm(2.0 * share / (d->to - d->from));
}

static PetscReal UniformLog(const Distribution *d, PetscReal x)
{
  (void)x;
  return -PetscLogReal(d->to - d->from);
}

static PetscReal LogUniformLog(const Distribution *d, PetscReal x)
{
  return -PetscLogReal(x * log1p((d->to - d->from) / d->from));
}

static PetscReal ListedLog(const Distribution *d, PetscReal x)
{
  for (PetscInt i = 0; i < d->count; i++) {
    if (d->values[i] == x) return -PetscLogReal((PetscReal)d->count);
  }
  return -(PetscReal)INFINITY;
}

PetscReal DistributionLogDensity(const Distribution *d, PetscReal x)
{
  static PetscReal (*const logarithms[NUM_DISTRIBUTIONS])(const Distribution *, PetscReal) = {UniformLog,    NormalLog, LognormalLog, TriangularLog,
                                                                                              LogUniformLog, ListedLog, ListedLog};

  if (!DistributionIsDiscrete(d) && (x < d->from || x > d->to || (d->kind == DISTRIBUTION_LOGNORMAL && x <= 0.0))) return -(PetscReal)INFINITY;
  return logarithms[d->kind](d, x);
}
