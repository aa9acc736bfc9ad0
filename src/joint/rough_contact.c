/* rough_contact.c - rough faces in contact under constant Coulomb friction. */
#include "laws.h"
#include "engine/touch.h"

static const JointParameter parameters[] = {TOUCH_PARAMETERS("mu: coefficient of friction"), {0}};

static PetscInt CountConstants(const PetscReal p[])
{
  (void)p;
  return TOUCH_NUM_CONSTANTS;
}

static inline PetscReal Friction(const PetscReal c[], PetscReal speed, PetscReal *slope)
{
  (void)speed;
  *slope = 0;
  return c[TOUCH_FRICTION];
}

static void Evaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result)
{
  TouchEvaluate(block, history, motion, result, Friction);
}

static PetscErrorCode Commit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                             PetscReal dissipated[])
{
  return TouchCommit(block, history, motion, result, dissipated, Friction);
}

static PetscErrorCode Differentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                    JointHistory *dhistory, PetscReal dforce[])
{
  return TouchDifferentiate(block, history, motion, dmotion, dhistory, dforce, Friction);
}

const JointLaw joint_law_rough_contact = {
  .name            = "rough_contact",
  .summary         = "rough faces that press, stick, slip in any direction, part and meet again",
  .equation        = TOUCH_EQUATION,
  .source          = "Voldrich 2009, eqs 1 to 5; Yang, Chu, Menq 1998",
  .parameters      = parameters,
  .dim             = TOUCH_DIM,
  .num_states      = TOUCH_NUM_STATES,
  .num_local       = TOUCH_NUM_LOCAL,
  .refuse          = TouchRefuse,
  .count_constants = CountConstants,
  .prepare         = TouchPrepare,
  .prepare_local   = TouchPrepareLocal,
  .limit           = TouchLimit,
  .evaluate        = Evaluate,
  .commit          = Commit,
  .inspect         = TouchInspect,
  .differentiate   = Differentiate,
};
