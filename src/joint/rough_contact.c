/* rough_contact.c - rough faces in contact under constant Coulomb friction. */
#include "laws.h"
#include "engine/touch.h"

static const JointParameter parameters[] = {TOUCH_PARAMETERS("mu: coefficient of friction"), {0}};

static const JointSample samples[] = {
  {.what       = "smooth, preloaded",
   .parameters = {[TOUCH_NORMAL_STIFFNESS] = 1.3, [TOUCH_TANGENTIAL_STIFFNESS] = 0.9, [TOUCH_PRELOAD] = 1, [TOUCH_MU] = 0.4}},
  {.what       = "two rough faces, preloaded",
   .parameters = {[TOUCH_NORMAL_STIFFNESS]     = 1.3,
                  [TOUCH_NORMAL_OTHER]         = 2,
                  [TOUCH_TANGENTIAL_STIFFNESS] = 0.9,
                  [TOUCH_TANGENTIAL_OTHER]     = 3,
                  [TOUCH_ROUGHNESS_ONE]        = 0.5,
                  [TOUCH_ROUGHNESS_OTHER]      = 0.3,
                  [TOUCH_PRELOAD]              = 0.2,
                  [TOUCH_MU]                   = 0.7}},
  {.what = "a rough face behind a gap",
   .parameters =
     {[TOUCH_NORMAL_STIFFNESS] = 1, [TOUCH_TANGENTIAL_STIFFNESS] = 1.2, [TOUCH_ROUGHNESS_ONE] = 0.4, [TOUCH_GAP] = 0.1, [TOUCH_MU] = 0.5}},
  {0},
};

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
  .samples       = samples,
  .num_states    = TOUCH_NUM_STATES,
  .refuse        = TouchRefuse,
  .num_constants = TOUCH_NUM_CONSTANTS,
  .prepare       = TouchPrepare,
  TOUCH_LAW,
};
