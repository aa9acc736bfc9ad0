/*
  distribution.h - how a parameter is distributed, or which values it takes.

  A Distribution is plain data: read from a case, or filled in by its members. Its functions take a probability by both tails, where the caller
  has them, so that 1e-12 from above is as exact as 1e-12 from below. It knows nothing of what the parameter does.

  To add a kind: its name and table in distribution_read.c, its functions in distribution.c. All of it is local.
*/
#pragma once
#include "input.h"

typedef enum {
  DISTRIBUTION_UNIFORM,
  DISTRIBUTION_NORMAL,
  DISTRIBUTION_LOGNORMAL,
  DISTRIBUTION_TRIANGULAR,
  DISTRIBUTION_LOG_UNIFORM,
  DISTRIBUTION_VALUES, /* a list */
  DISTRIBUTION_GRID,   /* likewise, the list being computed */
  NUM_DISTRIBUTIONS
} DistributionKind;

extern const char *const distribution_names[NUM_DISTRIBUTIONS + 1]; /* keys of a case; ends with NULL */

/* Tables of the maps behind these keys, for the help; that of `values` has no keys. Their names are those of the keys. */
extern const InputTable distribution_tables[NUM_DISTRIBUTIONS];

/* The fields of an InputTable of a map that holds a distribution beside other keys: `member` is a `const InputNode *` of its struct, which need not
   be looked at, as DistributionRead takes the map. */
#define DISTRIBUTION_FIELDS(Struct, member) \
  DISTRIBUTION_FIELD("uniform", Struct, member, "every value from `from` to `to` is equally probable: {from, to}"), \
    DISTRIBUTION_FIELD("normal", Struct, member, "Gaussian: {mean, deviation}; truncated by `least`, `most`"), \
    DISTRIBUTION_FIELD( \
      "lognormal", Struct, member, \
      "the logarithm is Gaussian: {median, deviation}, the deviation being that of the logarithm, or {mean, coefficient_of_variation}; " \
      "truncated by `least`, `most`"), \
    DISTRIBUTION_FIELD("triangular", Struct, member, "straight from nothing at `from` to the peak and to nothing at `to`: {from, peak, to}"), \
    DISTRIBUTION_FIELD("log_uniform", Struct, member, "every logarithm from that of `from` to that of `to` is equally probable: {from, to}"), \
    DISTRIBUTION_FIELD("values", Struct, member, "a list of values"), \
    DISTRIBUTION_FIELD("grid", Struct, member, "`count` values from `from` to `to`: {from, to, count, spacing}")

#define DISTRIBUTION_FIELD(name, Struct, member, text) \
  { \
    .key = (name), .kind = INPUT_NODE, .offset = offsetof(Struct, member), .fallback = INPUT_OPTIONAL, .help = (text) \
  }

typedef struct {
  DistributionKind kind;
  PetscReal        from, to;       /* its range; of normal and lognormal where it is truncated, infinite where it is not */
  PetscReal        peak;           /* of a triangle */
  PetscReal        centre, spread; /* of normal: mean and deviation before truncation; of lognormal: those of the logarithm */
  PetscInt         count;          /* of values and grid; each is equally probable */
  const PetscReal *values;         /* as they are listed; they belong to the document */
} Distribution;

/* Reads the distribution that is among the keys of a map; exactly one must be. Numbers of it have this unit, that of the key which the parameter
   varies: NULL for none. After a complaint it is uniform from 0 to 1. */
PetscErrorCode DistributionRead(const InputNode *map, const char *unit, Distribution *distribution);

/* Whether it takes only the values of a list. */
PetscBool DistributionIsDiscrete(const Distribution *distribution);

/* The value below which lies this probability, within (0, 1); of a list that of item floor(u count). */
PetscReal DistributionQuantile(const Distribution *distribution, PetscReal u);

/* Likewise by the probabilities below and above, of which the smaller one counts; they sum to 1. */
PetscReal DistributionQuantileBetween(const Distribution *distribution, PetscReal below, PetscReal above);

/* The probability of no more than x. */
PetscReal DistributionCdf(const Distribution *distribution, PetscReal x);

/* Likewise, and the probability of more, each with its digits. */
void DistributionShares(const Distribution *distribution, PetscReal x, PetscReal *below, PetscReal *above);

/* The logarithm of the density [of 1 / unit], of a list that of the probability; minus infinity where there is none. */
PetscReal DistributionLogDensity(const Distribution *distribution, PetscReal x);

/* With truncation. */
PetscReal DistributionMean(const Distribution *distribution);
PetscReal DistributionDeviation(const Distribution *distribution);
