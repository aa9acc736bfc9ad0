/*
  dahl.h - the step of dF/dx = stiffness w^alpha, w = base - s scale F, s = sgn dx: autonomous, so that it is exact.

  Dahl's law has base = 1 and scale = 1 / slip_force; the simplified form of Mindlin's contact doubles the slip force and
  lowers the base, and stops at the slip force.
*/
#pragma once
#include "rate.h"
#include "softening.h"

typedef struct {
  PetscReal stiffness, alpha;
  PetscReal base, scale;
  PetscReal slip_force;
} DahlCurve;

enum { DAHL_STIFFNESS, DAHL_EXPONENT, DAHL_BASE, DAHL_SCALE, DAHL_PER_SCALE, DAHL_LEAST, DAHL_AT_REST, DAHL_NUM_CONSTANTS };

static inline void DahlPrepare(const DahlCurve *curve, PetscReal constants[])
{
  constants[DAHL_STIFFNESS] = curve->stiffness;
  constants[DAHL_EXPONENT]  = 1 - curve->alpha;
  constants[DAHL_BASE]      = curve->base;
  constants[DAHL_SCALE]     = curve->scale;
  constants[DAHL_PER_SCALE] = 1 / curve->scale;
  constants[DAHL_LEAST]     = PetscMax(0, curve->base - curve->scale * curve->slip_force); /* w in full slip */
  constants[DAHL_AT_REST]   = curve->stiffness * PetscPowReal(curve->base, curve->alpha);  /* tangent without force */
}

static inline PetscReal DahlLeft(const PetscReal c[], const RatePath *path)
{
  return PetscMax(c[DAHL_LEAST], c[DAHL_BASE] - RateSense(path) * c[DAHL_SCALE] * path->force);
}

static inline RatePoint DahlStep(const PetscReal c[], const RatePath *path)
{
  const PetscReal sense = RateSense(path), w_0 = DahlLeft(c, path), e = c[DAHL_EXPONENT];
  const PetscReal length = c[DAHL_STIFFNESS] * c[DAHL_SCALE] * PetscAbsReal(path->end - path->start);
  PetscReal       power, w = Soften(e, w_0, length, &power), slope = c[DAHL_STIFFNESS] * power, memory = 0;

  if (w <= c[DAHL_LEAST]) {
    w     = c[DAHL_LEAST];
    slope = 0;
  } else {
    memory = power / (e == 0 ? w_0 : w_0 / PetscPowReal(w_0, e));
  }
  return (RatePoint){.force = sense * (c[DAHL_BASE] - w) * c[DAHL_PER_SCALE], .slope = slope, .start_slope = -slope, .memory = memory};
}

/* int w d rho until w = w_0 exp(logarithm), where rho is w_0^e (1 - exp(e logarithm)) / e. */
static inline PetscReal DahlArea(PetscReal e, PetscReal w_0, PetscReal logarithm)
{
  return PetscPowReal(w_0, 1 + e) * (1 + e == 0 ? -logarithm : -expm1((1 + e) * logarithm) / (1 + e));
}

/* The work less what is stored: F^2 / 2 over the tangent without force. The rest is F (1 - (tangent / that)) dx, never negative. */
static inline PetscReal DahlLoss(const PetscReal c[], const RatePath *path, PetscReal force)
{
  const PetscReal w_0 = DahlLeft(c, path), e = c[DAHL_EXPONENT], per_length = c[DAHL_STIFFNESS] * c[DAHL_SCALE];
  const PetscReal rho = per_length * PetscAbsReal(path->end - path->start), power = PetscPowReal(w_0, e);
  PetscReal       area = 0, left, least;

  if (w_0 > c[DAHL_LEAST]) {
    left  = SofteningLogarithm(e, rho / power);
    least = c[DAHL_LEAST] > 0 ? PetscLogReal(c[DAHL_LEAST] / w_0) : -PETSC_INFINITY;
    area  = DahlArea(e, w_0, PetscMax(left, least));
    if (left < least) area += c[DAHL_LEAST] * (rho + power * (e == 0 ? least : expm1(e * least) / e));
  } else {
    area = c[DAHL_LEAST] * rho;
  }
  return (c[DAHL_BASE] * rho - area) * c[DAHL_PER_SCALE] / per_length - (force - path->force) * (force + path->force) / (2 * c[DAHL_AT_REST]);
}

static inline void DahlLimit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  stiffness[0] = state == JOINT_SLIPPING ? 0 : block->constants[DAHL_AT_REST];
}
