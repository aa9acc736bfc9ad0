/* spring.c - a linear spring. */
#include "laws.h"
#include "engine/elastic.h"

enum { STIFFNESS };

static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "force for each metre"},
  {0},
};

static inline ElasticPoint Curve(const PetscReal p[], PetscReal displacement)
{
  return (ElasticPoint){.force = p[STIFFNESS] * displacement, .slope = p[STIFFNESS]};
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

const JointLaw joint_law_spring = {
  .name          = "spring",
  .summary       = "linear spring",
  .equation      = "f = stiffness d",
  .source        = "Hooke",
  .parameters    = parameters,
  .dim           = 1,
  .traits        = JOINT_LINEAR | JOINT_ELASTIC,
  .limit         = Limit,
  .evaluate      = Evaluate,
  .differentiate = Differentiate,
};
