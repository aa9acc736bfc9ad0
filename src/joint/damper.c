/* damper.c - a linear viscous damper. */
#include "laws.h"

enum { DAMPING };

static const JointParameter parameters[] = {
  {.name = "damping", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .unit = "N s/m", .help = "force for each metre a second"},
  {0},
};

static const JointSample samples[] = {
  {.what = "a dashpot", .parameters = {[DAMPING] = 0.7}},
  {0},
};

static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  (void)block;
  (void)state;
  stiffness[0] = 0;
}

static void Evaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result)
{
  const PetscReal damping = block->parameters[DAMPING];

  (void)history;
  for (PetscInt i = 0; i < block->num_points; i++) {
    result->force[i] = damping * motion->velocity[i];
    if (result->stiffness) result->stiffness[i] = 0;
    if (result->damping) result->damping[i] = damping;
  }
}

static PetscErrorCode Differentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                    JointHistory *dhistory, PetscReal dforce[])
{
  PetscFunctionBeginHot;
  (void)history;
  (void)motion;
  (void)dhistory;
  for (PetscInt i = 0; i < block->num_points; i++) dforce[i] = block->parameters[DAMPING] * dmotion->velocity[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What it dissipates depends on time, which `commit` does not know: whoever holds C counts it. */
const JointLaw joint_law_damper = {
  .name          = "damper",
  .summary       = "linear viscous damper",
  .equation      = "f = damping d'",
  .source        = "Newton",
  .parameters    = parameters,
  .samples       = samples,
  .dim           = 1,
  .traits        = JOINT_LINEAR | JOINT_VISCOUS,
  .limit         = Limit,
  .evaluate      = Evaluate,
  .differentiate = Differentiate,
};
