/* ramberg_osgood.c - the curve of Ramberg and Osgood, given by its inverse: a spring and a power of the force, one after the other. */
#include "laws.h"
#include "engine/exponential_lanes.h"
#include "engine/masing_lanes.h"
#include "engine/polynomial_lanes.h"
#include "engine/slip.h"

enum { STIFFNESS, YIELD_FORCE, ALPHA, EXPONENT };
enum { TANGENT, PER_YIELD_MOTION, POWER, PER_POWER, LOG_ALPHA, LOSS, START };

/* Where the search for a point of the curve starts: two tables of cubics. */
enum { START_CELLS = 64, START_PER_UNIT = 4, START_TERMS = 4, START_SIDE = START_CELLS * START_TERMS, NUM_CONSTANTS = START + 2 * START_SIDE };

static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "k: tangent at rest"},
  {.name     = "yield_force",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "F_y: force at which the motion is 1 + alpha times that of the spring alone"},
  {.name     = "alpha",
   .fallback = 0.42857142857142855,
   .most     = 1e6,
   .above    = PETSC_TRUE,
   .help     = "motion of the power over that of the spring at yield_force; 3/7: there the secant stiffness is 0.7 k"},
  {.name = "exponent", .fallback = JOINT_REQUIRED, .least = 1, .most = 100, .above = PETSC_TRUE, .help = "n: power of the force"},
  {0},
};

static const JointSample samples[] = {
  {.what = "a usual curve", .parameters = {[STIFFNESS] = 1.2, [YIELD_FORCE] = 0.6, [ALPHA] = 0.5, [EXPONENT] = 7}},
  {.what = "a blunt curve", .parameters = {[STIFFNESS] = 1, [YIELD_FORCE] = 0.4, [ALPHA] = 1.3, [EXPONENT] = 1.7}},
  {.what = "a sharp curve", .parameters = {[STIFFNESS] = 1.1, [YIELD_FORCE] = 0.5, [ALPHA] = 0.1, [EXPONENT] = 40}},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  return SlipRefuse(p[YIELD_FORCE], p[STIFFNESS]);
}

/* Below the first level r is right to round-off at once; so it is without motion, and infinitely far away. */
#define LEAST_LEVEL (-40.0)
#define MOST_LEVEL 1e6
#define NEAR 1e-4  /* of a change, whose fourth power is lost */
#define SHORT 0.34 /* of one whose exponential the series gives */
enum { MOST_STEPS = 60 };

/* The motion of the power over that of the spring, r = alpha (F / F_y)^(n-1), where both together are y = k u / F_y. With F / F_y = y / (1 + r)
   its logarithm l is the root of l + (n - 1) ln(1 + exp(l)) = ln(alpha) + (n - 1) ln(y), the level. The left side rises and is convex;
   Householder's step of third order finds the root from a start above or near. */
static inline PetscReal Search(PetscReal n, PetscReal level, PetscReal start, PetscReal *l)
{
  PetscReal r = Exponential(start), change = 0;

  *l = start;
  for (PetscInt i = 0; i < MOST_STEPS; i++) {
    const PetscReal share = r / (1 + r), slope = RowsRoundedOne((n - 1) * share), first = 1 + slope;
    const PetscReal second = slope * (1 - share), third = second * (1 - 2 * share), off = *l + (n - 1) * Logarithm(1 + r) - level;
    const PetscReal square = RowsRoundedOne(first * first), bent = RowsRoundedOne(off * second);

    change = -off * (square - bent / 2) / (first * (square - bent) + off * off * third / 6);
    *l += change;
    if (PetscAbsReal(change) < NEAR) break;
    r = PetscAbsReal(change) < SHORT ? r + r * ExponentialSeries(change, 0) : Exponential(*l);
  }
  return r * (1 + change * (1 + change / 2 * (1 + change / 3)));
}

/* The asymptotes of l, one for each sign of the level. */
static inline PetscReal Asymptote(const PetscReal c[], PetscReal level)
{
  return level > 0 ? level * c[PER_POWER] : level;
}

/* What l is beside its asymptotes, in cells along each; it is nothing beyond the last. */
static void PrepareStart(PetscReal constants[])
{
  for (PetscInt i = 0; i < 2 * START_CELLS; i++) {
    PetscReal values[START_TERMS];

    for (PetscInt k = 0; k < START_TERMS; k++) {
      const PetscReal distance = ((PetscReal)(i % START_CELLS) + PolynomialPoint(START_TERMS, k)) / START_PER_UNIT;
      const PetscReal along    = i < START_CELLS ? -distance : distance;

      Search(constants[POWER], i < START_CELLS ? along : along * constants[POWER], along, &values[k]);
      values[k] -= along;
    }
    PolynomialThrough(START_TERMS, values, constants + START + i * START_TERMS);
  }
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  constants[TANGENT]          = p[STIFFNESS];
  constants[PER_YIELD_MOTION] = p[STIFFNESS] / p[YIELD_FORCE];
  constants[POWER]            = p[EXPONENT];
  constants[PER_POWER]        = 1 / p[EXPONENT];
  constants[LOG_ALPHA]        = PetscLogReal(p[ALPHA]);
  constants[LOSS]             = p[STIFFNESS] * (p[EXPONENT] - 1) / (p[EXPONENT] + 1);
  PrepareStart(constants);
}

/* l to some 1e-5. */
static inline PetscReal Start(const PetscReal c[], PetscReal level)
{
  const PetscReal along = Asymptote(c, level), place = START_PER_UNIT * PetscAbsReal(along);
  const PetscInt  index = place < START_CELLS ? (PetscInt)place : 0;

  if (!(place < START_CELLS)) return along;
  return along + PolynomialValue(START_TERMS, c + START + (level > 0 ? START_SIDE : 0) + index * START_TERMS, place - (PetscReal)index);
}

static inline PetscReal Ratio(const PetscReal c[], PetscReal y)
{
  const PetscReal level = c[LOG_ALPHA] + (c[POWER] - 1) * Logarithm(y);
  PetscReal       l;

  if (!(level > LEAST_LEVEL && level < MOST_LEVEL)) return Exponential(Asymptote(c, level));
  return Search(c[POWER], level, Start(c, level), &l);
}

/* The same in all lanes; those that have arrived wait. */
static inline Wide WideSearch(Wide n, Wide level, Wide start, WideMask pending)
{
  Wide l = start, r = ExponentialWide(l), change = {0.0};

  for (PetscInt i = 0; i < MOST_STEPS && WideBits(pending); i++) {
    const Wide share = r / (1.0 + r), slope = WideRounded((n - 1.0) * share), first = 1.0 + slope;
    const Wide second = slope * (1.0 - share), third = second * (1.0 - 2.0 * share), off = l + (n - 1.0) * LogarithmWide(1.0 + r) - level;
    const Wide square = WideRounded(first * first), bent = WideRounded(off * second);
    WideMask   brief;

    change = WideSelect(pending, -off * (square - bent / 2.0) / (first * (square - bent) + off * off * third / 6.0), change);
    pending &= ~(WideAbs(change) < NEAR);
    if (!WideBits(pending)) break;
    l     = WideSelect(pending, l + change, l);
    brief = WideAbs(change) < SHORT;
    r     = WideSelect(pending,
                   WideBits(pending & ~brief) ? WideSelect(brief, r + r * ExponentialWideSeries(change, WideOf(0)), ExponentialWide(l))
                                                  : r + r * ExponentialWideSeries(change, WideOf(0)),
                       r);
  }
  return r * (1.0 + change * (1.0 + change / 2.0 * (1.0 + change / 3.0)));
}

static inline Wide WideStart(const JointLanes *lanes, Wide level, Wide along)
{
  const Wide            place  = (PetscReal)START_PER_UNIT * WideAbs(along);
  const WideMask        inside = place < START_CELLS, index = __builtin_convertvector(WideSelect(inside, place, WideOf(0)), WideMask);
  const PolynomialLanes terms = PolynomialLanesAt(lanes, START + ((level > 0.0) & START_SIDE) + index * START_TERMS);

  return WideSelect(inside, along + PolynomialWideValue(START_TERMS, &terms, place - __builtin_convertvector(index, Wide)), along);
}

static inline Wide WideRatio(const JointLanes *lanes, Wide y)
{
  const Wide *const c     = lanes->constants;
  const Wide        level = c[LOG_ALPHA] + (c[POWER] - 1.0) * LogarithmWide(y), along = WideSelect(level > 0.0, level * c[PER_POWER], level);
  const WideMask    usual = (level > LEAST_LEVEL) & (level < MOST_LEVEL);
  const Wide        start = WideSelect(usual, WideStart(lanes, level, along), along);

  return WideSelect(usual, WideSearch(c[POWER], level, start, usual & lanes->busy), ExponentialWide(along));
}

static inline MasingBackbone Backbone(const PetscReal c[], PetscReal u)
{
  const PetscReal r = Ratio(c, u * c[PER_YIELD_MOTION]), spring = u / (1 + r);

  return (MasingBackbone){
    .force = c[TANGENT] * spring,
    .slope = c[TANGENT] / (1 + c[POWER] * r),
    .loss  = c[LOSS] * spring * spring * r,
  };
}

static inline MasingWideBackbone WideBackbone(const JointLanes *lanes, Wide u)
{
  const Wide *const c = lanes->constants;
  const Wide        r = WideRatio(lanes, u * c[PER_YIELD_MOTION]), spring = u / (1.0 + r);

  return (MasingWideBackbone){
    .force = c[TANGENT] * spring,
    .slope = c[TANGENT] / (1.0 + c[POWER] * r),
    .loss  = c[LOSS] * spring * spring * r,
  };
}

static const JointDerived derived[] = {
  {"yield_displacement", "m", "motion from rest at yield_force, (1 + alpha) F_y / k"},
  {"length", "m", "F_y / k: motion of the spring at yield_force"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  values[1] = p[YIELD_FORCE] / p[STIFFNESS];
  values[0] = values[1] * (1 + p[ALPHA]);
}

MASING_FUNCTIONS(Backbone)
MASING_LANES(Backbone, WideBackbone, NULL, START)

const JointLaw joint_law_ramberg_osgood = {
  .name          = "ramberg_osgood",
  .summary       = "Ramberg-Osgood curve with Masing's rules: yields without end",
  .equation      = "virgin curve: u(F) = F / stiffness (1 + alpha (F / yield_force)^(exponent - 1))\n"
                   "other paths: f = f_r +- 2 F(|d - d_r| / 2) from the last reversal (d_r, f_r), by Masing's rules\n"
                   "there is no slip force: the tangent falls to 0 without reaching it",
  .source        = "Ramberg and Osgood 1943; Jennings 1964",
  .parameters    = parameters,
  .samples       = samples,
  .traits        = JOINT_MASING | JOINT_NEVER_LEVELS_OFF,
  .refuse        = Refuse,
  .num_constants = NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .lanes         = &lane_law,
  MASING_LAW,
};
