/* stability_locate.c - where on a curve a multiplier passes -1, or a pair the unit circle. */
#include "harmonic/stability.h"

typedef struct {
  Stability       *stability;
  StabilityKind    kind;
  StabilityResult *result;
} Passing;

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

static PetscErrorCode Evaluate(Curve *curve, void *context, PetscReal *value)
{
  const Passing *const passing = context;

  PetscFunctionBegin;
  PetscCall(StabilityOfPoint(passing->stability, curve, passing->result));
  *value = Beyond(passing->result, passing->kind);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All points with the same steps, so that the function is smooth. */
PetscErrorCode StabilityLocate(Stability *stability, Curve *curve, const CurvePoint *from, const CurvePoint *to, StabilityKind kind,
                               StabilityResult *result, PetscBool *found)
{
  const StabilityOptions kept    = stability->options;
  Passing                passing = {stability, kind, result};

  PetscFunctionBegin;
  stability->options.least_steps = PetscMax(kept.least_steps, kept.most_steps / 4);
  stability->options.accuracy    = 1.0;
  stability->options.most_steps  = 2 * stability->options.least_steps;
  PetscCall(CurveFindRoot(curve, from, to, Evaluate, &passing, found));
  stability->options = kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}
