/* ramberg_osgood.c - the curve of Ramberg and Osgood, given by its inverse: a spring and a power of the force, one after the other. */
#include "laws.h"
#include <math.h>
#include "engine/masing.h"
#include "engine/slip.h"

enum { STIFFNESS, YIELD_FORCE, ALPHA, EXPONENT };
enum { TANGENT, PER_YIELD_MOTION, POWER, LOG_ALPHA, LOSS, NUM_CONSTANTS };

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

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  constants[TANGENT]          = p[STIFFNESS];
  constants[PER_YIELD_MOTION] = p[STIFFNESS] / p[YIELD_FORCE];
  constants[POWER]            = p[EXPONENT];
  constants[LOG_ALPHA]        = PetscLogReal(p[ALPHA]);
  constants[LOSS]             = p[STIFFNESS] * (p[EXPONENT] - 1) / (p[EXPONENT] + 1);
}

/* The motion of the power over that of the spring, r = alpha (F / F_y)^(n-1), where both together are y = k u / F_y. With F / F_y = y / (1 + r)
   its logarithm l is the root of l + (n - 1) ln(1 + exp(l)) = ln(alpha) + (n - 1) ln(y). The left side rises and is convex; Householder's
   step of third order finds the root from above, mostly in two. */
static inline PetscReal Ratio(const PetscReal c[], PetscReal y)
{
  const PetscReal n = c[POWER], level = c[LOG_ALPHA] + (n - 1) * PetscLogReal(y);
  PetscReal       l = level > 0 ? level / n : level, r = PetscExpReal(l), change = 1;

  if (!(level > -40 && level < 1e6)) return r; /* right to round-off; so it is without motion, and infinitely far away */
  for (PetscInt i = 0; i < 60; i++) {
    const PetscReal share = r / (1 + r), first = 1 + (n - 1) * share, second = (n - 1) * share * (1 - share), third = second * (1 - 2 * share);
    const PetscReal off = l + (n - 1) * PetscLogReal(1 + r) - level;

    change = -off * (first * first - off * second / 2) / (first * (first * first - off * second) + off * off * third / 6);
    if (PetscAbsReal(change) < 1e-4) break;
    l += change;
    r = PetscExpReal(l);
  }
  return r * (1 + change * (1 + change / 2 * (1 + change / 3)));
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
  MASING_LAW,
};
