/*
  unknown.c - a number to be found: where it stands, where the search starts, what was known of it before.

  A prior is the standard normal density of z, or a flat one:

      normal       value = mean + deviation z                 normal
      lognormal    ln value = ln median + deviation z         normal
      triangular   value = F^-1(Phi(z))                       normal
      uniform      value = from + (to - from) z               flat
      log_uniform  ln value = ln from + ln(to / from) z       flat
      none         value, or its logarithm for a number that must be positive, flat between its bounds

  so that least squares with a term z^2 for each normal one end where the density of z is greatest.
*/
#include "update_private.h"
#include <math.h>

typedef struct {
  InputTexts       path;
  PetscBool        relative;
  const InputNode *start, *least, *most, *distribution;
} FindKeys;

#define OF(member) offsetof(FindKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "path", .kind = INPUT_TEXTS, .offset = OF(path), .fallback = INPUT_REQUIRED,
   .help = "the number that is to be found, as messages write it: laws.slip.slip_force, springs[0].stiffness; of a list, all numbers of which take the same value"},
  {.key = "relative", .kind = INPUT_TRUTH, .offset = OF(relative), .fallback = 0, .help = "`yes`: values are factors of the numbers that stand there"},
  {.key = "start", .kind = INPUT_NODE, .offset = OF(start), .fallback = INPUT_OPTIONAL, .help = "number at which the search starts; default: the one that stands there"},
  {.key = "least", .kind = INPUT_NODE, .offset = OF(least), .fallback = INPUT_OPTIONAL,
   .help = "number: lower bound; default: 0 for a positive start without a prior, else none"},
  {.key = "most", .kind = INPUT_NODE, .offset = OF(most), .fallback = INPUT_OPTIONAL, .help = "number: upper bound; default: none"},
  DISTRIBUTION_FIELDS(FindKeys, distribution),
  {0},
};
// clang-format on

const InputTable update_find_table = {.name    = "update.find.NAME",
                                      .summary = "a number to be found, and what is known of it: at most one distribution, and not `values` or "
                                                 "`grid`; without, all values between the bounds are equally probable, "
                                                 "or all logarithms of a number that must be positive",
                                      .fields  = fields};

static const Distribution standard_normal = {.kind = DISTRIBUTION_NORMAL, .from = -(PetscReal)INFINITY, .to = (PetscReal)INFINITY, .spread = 1};

PetscReal UnknownValue(const Unknown *u, PetscReal z)
{
  PetscReal value = u->centre + u->spread * z;

  if (u->scale == SCALE_LOGARITHMIC) value = PetscExpReal(value);
  if (u->scale == SCALE_QUANTILE)
    value = DistributionQuantileBetween(&u->prior, DistributionCdf(&standard_normal, z), DistributionCdf(&standard_normal, -z));
  return PetscMin(PetscMax(value, u->fit.least), u->fit.most);
}

PetscReal UnknownPlace(const Unknown *u, PetscReal value)
{
  const PetscReal least = 1e-15;

  if (u->scale == SCALE_QUANTILE)
    return DistributionQuantile(&standard_normal, PetscMin(PetscMax(DistributionCdf(&u->prior, value), least), 1 - least));
  return ((u->scale == SCALE_LOGARITHMIC ? PetscLogReal(value) : value) - u->centre) / u->spread;
}

PetscReal UnknownSlope(const Unknown *u, PetscReal z)
{
  if (u->scale == SCALE_LINEAR) return u->spread;
  if (u->scale == SCALE_LOGARITHMIC) return u->spread * UnknownValue(u, z);
  return PetscExpReal(DistributionLogDensity(&standard_normal, z) - DistributionLogDensity(&u->prior, UnknownValue(u, z)));
}

PetscReal UnknownLogPrior(const Unknown *u, PetscReal z)
{
  const PetscReal mass = isnan(u->log_mass) ? 0 : u->log_mass;

  if (z < u->low || z > u->high) return -(PetscReal)INFINITY;
  return (u->normal ? DistributionLogDensity(&standard_normal, z) : 0) - mass;
}

void UnknownRange(const Unknown *u, Distribution *range)
{
  const PetscReal decade = 10, start = u->fit.start, least = u->fit.least, most = u->fit.most;
  const PetscBool bounded = (PetscBool)(most < PETSC_INFINITY), in_log = (PetscBool)(u->scale == SCALE_LOGARITHMIC);

  if (u->has_prior) *range = u->prior;
  else if (in_log)
    *range = (Distribution){.kind = DISTRIBUTION_LOG_UNIFORM,
                            .from = bounded && least > 0 ? least : PetscMax(start / decade, least),
                            .to   = bounded ? most : start * decade};
  else
    *range = (Distribution){.kind = DISTRIBUTION_UNIFORM,
                            .from = least > PETSC_NINFINITY ? least : start - PetscAbsReal(start),
                            .to   = bounded ? most : start + PetscAbsReal(start)};
}

static PetscErrorCode ReadReal(const InputNode *node, const char *unit, PetscReal *value)
{
  PetscFunctionBegin;
  if (node) PetscCall(InputGetReal(node, unit, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The keys of a distribution need not be there, but at most once. */
static PetscErrorCode ReadPrior(const InputNode *map, const char *unit, Unknown *u)
{
  PetscInt given = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUM_DISTRIBUTIONS; i++) given += InputFind(map, distribution_names[i]) != NULL;
  u->has_prior = (PetscBool)(given > 0);
  if (!given) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DistributionRead(map, unit, &u->prior));
  if (DistributionIsDiscrete(&u->prior))
    PetscCall(
      InputComplain(map, "a number that is found takes any value: its distribution is one of uniform, normal, lognormal, triangular, log_uniform"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What lies in the prior and between the bounds. */
static void SetBounds(const InputNode *map, PetscReal least, PetscReal most, Unknown *u)
{
  const PetscBool positive = (PetscBool)(u->fit.start > 0 && !u->has_prior && !InputFind(map, "least"));

  u->fit.least = PetscMax(positive ? 0 : least, u->has_prior ? u->prior.from : PETSC_NINFINITY);
  u->fit.most  = PetscMin(most, u->has_prior ? u->prior.to : PETSC_INFINITY);
  u->fit.above = (PetscBool)(positive || (u->has_prior && u->prior.kind == DISTRIBUTION_LOGNORMAL && u->fit.least == 0));
}

/* What a density that is bounded on both sides is divided by, or a normal one. */
static void SetDensity(Unknown *u)
{
  const PetscReal     least = u->fit.least, most = u->fit.most;
  const PetscBool     in_log = (PetscBool)(!u->has_prior && u->fit.start > 0 && (least > 0 || (least == 0 && u->fit.above)));
  const Distribution *d      = &u->prior;

  u->scale  = in_log ? SCALE_LOGARITHMIC : SCALE_LINEAR;
  u->centre = in_log ? PetscLogReal(u->fit.start) : u->fit.start;
  u->spread = in_log ? 1 : most - least < PETSC_INFINITY ? most - least : PetscAbsReal(u->fit.start);
  if (u->has_prior) {
    u->normal = (PetscBool)(d->kind == DISTRIBUTION_NORMAL || d->kind == DISTRIBUTION_LOGNORMAL || d->kind == DISTRIBUTION_TRIANGULAR);
    u->scale  = d->kind == DISTRIBUTION_TRIANGULAR                                         ? SCALE_QUANTILE
                : d->kind == DISTRIBUTION_LOGNORMAL || d->kind == DISTRIBUTION_LOG_UNIFORM ? SCALE_LOGARITHMIC
                                                                                           : SCALE_LINEAR;
    u->centre = u->normal ? d->centre : u->scale == SCALE_LOGARITHMIC ? PetscLogReal(d->from) : d->from;
    u->spread = u->normal ? d->spread : u->scale == SCALE_LOGARITHMIC ? PetscLogReal(d->to / d->from) : d->to - d->from;
  }
  u->low  = least <= PETSC_NINFINITY || (u->scale == SCALE_LOGARITHMIC && least <= 0) ? -(PetscReal)INFINITY : UnknownPlace(u, least);
  u->high = most >= PETSC_INFINITY ? (PetscReal)INFINITY : UnknownPlace(u, most);
  if (u->normal) u->log_mass = PetscLogReal(DistributionCdf(&standard_normal, u->high) - DistributionCdf(&standard_normal, u->low));
  else u->log_mass = PetscIsInfReal(u->high - u->low) ? (PetscReal)NAN : PetscLogReal(u->high - u->low);
}

/* The search needs a scale: where nothing else gives one, ten deviations of the prior do. */
static void BoundSearch(Unknown *u)
{
  const PetscReal far = 10;

  if (u->scale != SCALE_LINEAR || !u->normal) return;
  u->fit.least = PetscMax(u->fit.least, PetscMin(u->prior.centre - far * u->prior.spread, u->fit.start));
  u->fit.most  = PetscMin(u->fit.most, PetscMax(u->prior.centre + far * u->prior.spread, u->fit.start));
}

static PetscErrorCode Check(const InputNode *map, const Unknown *u)
{
  const InputNode *const node  = InputFind(map, "start") ? InputFind(map, "start") : map;
  const PetscReal        start = u->fit.start;
  const PetscBool        above = (PetscBool)(u->fit.above && start == u->fit.least);

  PetscFunctionBegin;
  if (u->fit.least >= u->fit.most) PetscCall(InputComplain(map, "nothing lies between its bounds, %g and %g", u->fit.least, u->fit.most));
  else if (start < u->fit.least || above)
    PetscCall(InputComplain(node, "the start must be %s %g, got %g", u->fit.above ? "above" : "at least", u->fit.least, start));
  else if (start > u->fit.most) PetscCall(InputComplain(node, "the start must be at most %g, got %g", u->fit.most, start));
  else if (start == 0 && !u->has_prior && !(u->fit.most - u->fit.least < PETSC_INFINITY))
    PetscCall(InputComplain(node, "a start of 0 gives no scale: give another start, both `least` and `most`, or a prior"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadOne(const InputNode *map, const char *name, Case *the_case, Update *update)
{
  const PetscInt   before    = InputNumComplaints(the_case->document);
  Parameter *const parameter = &update->ensemble.parameters[update->ensemble.num_parameters];
  Unknown *const   u         = &update->unknowns[update->num_unknowns++];
  FindKeys         keys;
  PetscReal        least = PETSC_NINFINITY, most = PETSC_INFINITY;
  const char      *unit;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(&keys, sizeof(keys)));
  PetscCall(InputRead(map, &update_find_table, &keys));
  PetscCall(ParameterAdd(map, name, &keys.path, keys.relative, the_case, &update->ensemble));
  if (InputNumComplaints(the_case->document) > before) PetscFunctionReturn(PETSC_SUCCESS);
  unit         = ParameterUnit(parameter);
  u->fit.start = keys.relative ? 1 : parameter->nominal[0];
  PetscCall(ReadReal(keys.start, unit, &u->fit.start));
  PetscCall(ReadReal(keys.least, unit, &least));
  PetscCall(ReadReal(keys.most, unit, &most));
  PetscCall(ReadPrior(map, unit, u));
  if (InputNumComplaints(the_case->document) > before) PetscFunctionReturn(PETSC_SUCCESS);
  SetBounds(map, least, most, u);
  PetscCall(Check(map, u));
  if (InputNumComplaints(the_case->document) > before) PetscFunctionReturn(PETSC_SUCCESS);
  SetDensity(u);
  BoundSearch(u);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UnknownsRead(const InputNode *map, Case *the_case, Update *update)
{
  PetscFunctionBegin;
  if (!InputIsMap(map) || InputCount(map) == 0) {
    PetscCall(InputComplain(map, "expected what is to be found, {NAME: {path: laws.slip.slip_force}, ...}"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (InputCount(map) > FIT_MAX_UNKNOWNS) {
    PetscCall(InputComplain(map, "at most %d numbers can be found at a time, got %" PetscInt_FMT, FIT_MAX_UNKNOWNS, InputCount(map)));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscCalloc2(InputCount(map), &update->ensemble.parameters, InputCount(map), &update->ensemble.distributions));
  PetscCall(PetscCalloc1(InputCount(map), &update->unknowns));
  for (PetscInt i = 0; i < InputCount(map); i++) PetscCall(ReadOne(InputItem(map, i), InputKey(map, i), the_case, update));
  PetscFunctionReturn(PETSC_SUCCESS);
}
