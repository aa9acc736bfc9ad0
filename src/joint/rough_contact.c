/* rough_contact.c - rough faces in contact under constant Coulomb friction. */
#include "laws.h"
#include "engine/touch.h"

static const JointParameter parameters[] = {TOUCH_PARAMETERS("mu: coefficient of friction"), {0}};

static inline PetscReal Friction(const PetscReal c[], PetscReal speed, PetscReal *slope)
{
  (void)speed;
  *slope = 0;
  return c[TOUCH_FRICTION];
}

TOUCH_FUNCTIONS(Friction)

const JointLaw joint_law_rough_contact = {
  .name          = "rough_contact",
  .summary       = "rough faces that press, stick, slip in any direction, part and meet again",
  .equation      = TOUCH_EQUATION,
  .source        = "Voldrich 2009, eqs 1 to 5; Yang, Chu, Menq 1998",
  .parameters    = parameters,
  .num_states    = TOUCH_NUM_STATES,
  .refuse        = TouchRefuse,
  .num_constants = TOUCH_NUM_CONSTANTS,
  .prepare       = TouchPrepare,
  TOUCH_LAW,
};
