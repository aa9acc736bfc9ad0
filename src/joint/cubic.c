/* cubic.c - a spring with a linear and a cubic part. */
#include "laws.h"
#include "engine/elastic.h"

enum { STIFFNESS, CUBIC };

/* No bounds: a negative stiffness makes a bistable joint, a negative cubic part a softening one. */
static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .unit = "N/m", .help = "slope at rest"},
  {.name = "cubic", .fallback = JOINT_REQUIRED, .unit = "N/m^3", .help = "factor of the cubed displacement; negative softens"},
  {0},
};

static inline ElasticPoint Curve(const PetscReal p[], PetscReal displacement)
{
  const PetscReal square = displacement * displacement;

  return (ElasticPoint){.force = (p[STIFFNESS] + p[CUBIC] * square) * displacement, .slope = p[STIFFNESS] + 3 * p[CUBIC] * square};
}

static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  (void)state;
  ElasticLimit(block, stiffness, Curve);
}

static void Evaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result)
{
  (void)history;
  ElasticEvaluate(block, motion, result, Curve);
}

static PetscErrorCode Differentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                    JointHistory *dhistory, PetscReal dforce[])
{
  PetscFunctionBeginHot;
  (void)history;
  (void)dhistory;
  ElasticDifferentiate(block, motion, dmotion, dforce, Curve);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const JointLaw joint_law_cubic = {
  .name          = "cubic",
  .summary       = "spring with a linear and a cubic part",
  .equation      = "f = stiffness d + cubic d^3",
  .source        = "Duffing",
  .parameters    = parameters,
  .dim           = 1,
  .traits        = JOINT_ELASTIC,
  .limit         = Limit,
  .evaluate      = Evaluate,
  .differentiate = Differentiate,
};
