/* stability_locate.c - where on a curve a multiplier passes -1, or a pair the unit circle. */
#include "harmonic/stability.h"

enum { MOST_TRIES = 40 };

static const PetscReal NEAR = 1e-7; /* of the way between two points, and of the multiplier */

/* Beyond the circle where it is positive. Real multipliers that meet leave the axis as a pair: none is below -1 then. */
static PetscReal Beyond(const StabilityResult *result, StabilityKind kind)
{
  return kind == LEAVES_BACKWARD ? -result->backward - 1.0 : result->pair - 1.0;
}

/* A pair may become two real multipliers below -1, which is no such point: their number is even before and after. */
PetscBool StabilityPasses(const StabilityResult *one, const StabilityResult *next, StabilityKind kind)
{
  const PetscBool crosses = (PetscBool)(Beyond(one, kind) * Beyond(next, kind) < 0.0);

  if (kind == LEAVES_BACKWARD) return (PetscBool)(crosses && (one->num_backward + next->num_backward) % 2 == 1);
  return (PetscBool)(crosses && kind == LEAVES_AS_PAIR && one->pair > 0.0 && next->pair > 0.0);
}

/* The curve goes to a part of the way. */
static PetscErrorCode Evaluate(Stability *stability, Curve *curve, const CurvePoint *from, const CurvePoint *to, PetscReal part, StabilityKind kind,
                               StabilityResult *result, PetscReal *beyond, PetscBool *found)
{
  PetscFunctionBegin;
  PetscCall(CurveInterpolate(curve, from, to, part, found));
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(StabilityOfPoint(stability, curve, result));
  *beyond = Beyond(result, kind);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The chord, whose end that stays is taken for half as far (Illinois). All with the same steps, so that the function is smooth. */
static PetscErrorCode Search(Stability *stability, Curve *curve, const CurvePoint *from, const CurvePoint *to, StabilityKind kind, PetscReal *part,
                             StabilityResult *result, PetscBool *found)
{
  PetscReal a = 0.0, b = 1.0, at_a, at_b, here;
  PetscBool stays_a = PETSC_FALSE, stays_b = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(Evaluate(stability, curve, from, to, a, kind, result, &at_a, found));
  if (*found) PetscCall(Evaluate(stability, curve, from, to, b, kind, result, &at_b, found));
  if (*found) *found = (PetscBool)(at_a * at_b < 0.0);
  for (PetscInt i = 0; i < MOST_TRIES && *found; i++) {
    *part = a + (b - a) * at_a / (at_a - at_b);
    PetscCall(Evaluate(stability, curve, from, to, *part, kind, result, &here, found));
    if (!*found || PetscAbsReal(here) <= NEAR || b - a <= NEAR) break;
    if (here * at_b > 0.0) {
      b    = *part;
      at_b = here;
      if (stays_a) at_a *= 0.5;
      stays_a = PETSC_TRUE;
      stays_b = PETSC_FALSE;
    } else {
      a    = *part;
      at_a = here;
      if (stays_b) at_b *= 0.5;
      stays_b = PETSC_TRUE;
      stays_a = PETSC_FALSE;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityLocate(Stability *stability, Curve *curve, const CurvePoint *from, const CurvePoint *to, StabilityKind kind, PetscReal *part,
                               StabilityResult *result, PetscBool *found)
{
  const StabilityOptions kept = stability->options;

  PetscFunctionBegin;
  stability->options.least_steps = PetscMax(kept.least_steps, kept.most_steps / 4);
  stability->options.accuracy    = 1.0;
  stability->options.most_steps  = 2 * stability->options.least_steps;
  PetscCall(Search(stability, curve, from, to, kind, part, result, found));
  stability->options = kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}
