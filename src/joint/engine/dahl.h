/*
  dahl.h - the step of dF/dx = stiffness w^alpha, w = base - s scale F, s = sgn dx: autonomous, so that it is exact.

  Dahl's law has base = 1 and scale = 1 / slip_force; the simplified form of Mindlin's contact doubles the slip force and
  lowers the base, and stops at the slip force.
*/
#pragma once
#include "power.h"
#include "rate.h"
#include "softening.h"

typedef struct {
  PetscReal stiffness, alpha;
  PetscReal base, scale;
  PetscReal slip_force;
} DahlCurve;

enum {
  DAHL_STIFFNESS,
  DAHL_EXPONENT, /* e = 1 - alpha */
  DAHL_BASE,
  DAHL_SCALE,
  DAHL_PER_SCALE,
  DAHL_LEAST,
  DAHL_AT_REST,
  DAHL_RAISE, /* the power |e| */
  DAHL_NUM_CONSTANTS = DAHL_RAISE + POWER_NUM_CONSTANTS
};

static inline void DahlPrepare(const DahlCurve *curve, PetscReal constants[])
{
  constants[DAHL_STIFFNESS] = curve->stiffness;
  constants[DAHL_EXPONENT]  = 1 - curve->alpha;
  constants[DAHL_BASE]      = curve->base;
  constants[DAHL_SCALE]     = curve->scale;
  constants[DAHL_PER_SCALE] = 1 / curve->scale;
  constants[DAHL_LEAST]     = PetscMax(0, curve->base - curve->scale * curve->slip_force); /* w in full slip */
  constants[DAHL_AT_REST]   = curve->stiffness * PetscPowReal(curve->base, curve->alpha);  /* tangent without force */
  PowerPrepare(curve->alpha == 1 ? 1 : PetscAbsReal(1 - curve->alpha), constants + DAHL_RAISE);
}

static inline PetscReal DahlLeft(const PetscReal c[], const RatePath *path)
{
  return PetscMax(c[DAHL_LEAST], c[DAHL_BASE] - RateSense(path) * c[DAHL_SCALE] * path->force);
}

/* w^e, 0 <= w <= 2. */
static inline PetscReal DahlRaise(const PetscReal c[], PetscReal w)
{
  if (c[DAHL_EXPONENT] == 0) return 1;
  if (c[DAHL_EXPONENT] < 0) return 1 / PowerEvaluate(c + DAHL_RAISE, w);
  return RowsRoundedOne(PowerEvaluate(c + DAHL_RAISE, w));
}

static inline RatePoint DahlStep(const PetscReal c[], const RatePath *path)
{
  const PetscReal sense = RateSense(path), w_0 = DahlLeft(c, path), begin = DahlRaise(c, w_0);
  const PetscReal length = c[DAHL_STIFFNESS] * c[DAHL_SCALE] * PetscAbsReal(path->end - path->start);
  PetscReal       power, w = Soften(c[DAHL_EXPONENT], w_0, begin, length, &power), slope = c[DAHL_STIFFNESS] * power, memory = 0;

  if (w <= c[DAHL_LEAST]) {
    w     = c[DAHL_LEAST];
    slope = 0;
  } else {
    memory = power * begin / w_0;
  }
  return (RatePoint){.force = sense * (c[DAHL_BASE] - w) * c[DAHL_PER_SCALE], .slope = slope, .start_slope = -slope, .memory = memory};
}

/* int w d rho until w = w_0 exp(logarithm), where rho is w_0^e (1 - exp(e logarithm)) / e, and w_0^e is `begin`. */
static inline PetscReal DahlArea(PetscReal e, PetscReal w_0, PetscReal begin, PetscReal logarithm)
{
  return w_0 * begin * (1 + e == 0 ? -logarithm : -ExponentialLessOne((1 + e) * logarithm) / (1 + e));
}

/* The same from there on where w does not fall further: rho less what has been gone. */
static inline PetscReal DahlLevelArea(const PetscReal c[], PetscReal begin, PetscReal rho, PetscReal least)
{
  const PetscReal e = c[DAHL_EXPONENT];

  return c[DAHL_LEAST] * (rho + RowsRoundedOne(begin * (e == 0 ? least : ExponentialLessOne(e * least) / e)));
}

/* The work less what is stored: F^2 / 2 over the tangent without force. The rest is F (1 - (tangent / that)) dx, never negative. */
static inline PetscReal DahlLoss(const PetscReal c[], const RatePath *path, PetscReal force)
{
  const PetscReal w_0 = DahlLeft(c, path), e = c[DAHL_EXPONENT], per_length = c[DAHL_STIFFNESS] * c[DAHL_SCALE];
  const PetscReal rho = RowsRoundedOne(per_length * PetscAbsReal(path->end - path->start)), begin = DahlRaise(c, w_0);
  PetscReal       area = RowsRoundedOne(c[DAHL_LEAST] * rho), left, least;

  if (w_0 > c[DAHL_LEAST]) {
    left  = SofteningLogarithm(e, rho / begin);
    least = c[DAHL_LEAST] > 0 ? Logarithm(c[DAHL_LEAST] / w_0) : -PETSC_INFINITY;
    area  = RowsRoundedOne(DahlArea(e, w_0, begin, PetscMax(left, least)));
    if (left < least) area += RowsRoundedOne(DahlLevelArea(c, begin, rho, least));
  }
  return (c[DAHL_BASE] * rho - area) * c[DAHL_PER_SCALE] / per_length - (force - path->force) * (force + path->force) / (2 * c[DAHL_AT_REST]);
}

static inline void DahlLimit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  stiffness[0] = state == JOINT_SLIPPING ? 0 : block->constants[DAHL_AT_REST];
}
