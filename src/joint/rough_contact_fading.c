/* rough_contact_fading.c - rough faces in contact, whose friction falls with the speed of slip. */
#include "laws.h"
#include "engine/touch.h"

enum { LEAST = TOUCH_NUM_PARAMETERS, DECAY, FADE };
enum { CONSTANT_LEAST = TOUCH_NUM_CONSTANTS, CONSTANT_DECAY, CONSTANT_FADE, NUM_CONSTANTS };

static const JointParameter parameters[] = {
  TOUCH_PARAMETERS("mu_0: coefficient of friction where nothing slips"),
  {.name = "friction_fast", .fallback = 0, .most = PETSC_INFINITY, .help = "mu_inf: what is left of it in fast slip; with `decay`"},
  {.name = "decay", .fallback = 0, .most = PETSC_INFINITY, .unit = "s/m", .help = "lambda: mu = (mu_0 - mu_inf) exp(-lambda |s'|) + mu_inf"},
  {.name = "fade", .fallback = 0, .most = PETSC_INFINITY, .unit = "s/m", .help = "p: mu = mu_0 / (1 + p |s'|)"},
  {0},
};

static const JointSample samples[] = {
  {.what = "smooth, exponential decay",
   .parameters =
     {[TOUCH_NORMAL_STIFFNESS] = 1.3, [TOUCH_TANGENTIAL_STIFFNESS] = 0.9, [TOUCH_PRELOAD] = 1, [TOUCH_MU] = 0.4, [LEAST] = 0.1, [DECAY] = 1.5}},
  {.what       = "rough, hyperbolic decay",
   .parameters = {[TOUCH_NORMAL_STIFFNESS]     = 1.3,
                  [TOUCH_TANGENTIAL_STIFFNESS] = 0.9,
                  [TOUCH_ROUGHNESS_ONE]        = 0.5,
                  [TOUCH_PRELOAD]              = 0.7,
                  [TOUCH_MU]                   = 0.6,
                  [FADE]                       = 0.8}},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  if ((p[DECAY] > 0) == (p[FADE] > 0)) return "give one of `decay` and `fade`; friction that does not fall is that of the law rough_contact";
  if (p[FADE] > 0 && p[LEAST] > 0) return "friction_fast belongs to `decay`: with `fade` nothing is left of the friction in fast slip";
  if (p[LEAST] > p[TOUCH_MU]) return "friction_fast must not be above friction: it is what is left of it in fast slip";
  return TouchRefuse(p);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  TouchPrepare(p, constants);
  constants[CONSTANT_LEAST] = p[LEAST];
  constants[CONSTANT_DECAY] = p[DECAY];
  constants[CONSTANT_FADE]  = p[FADE];
}

static inline PetscReal Friction(const PetscReal c[], PetscReal speed, PetscReal *slope)
{
  PetscReal falling;

  if (c[CONSTANT_FADE] > 0) {
    falling = c[TOUCH_FRICTION] / (1 + c[CONSTANT_FADE] * speed);
    *slope  = -falling * c[CONSTANT_FADE] / (1 + c[CONSTANT_FADE] * speed);
    return falling;
  }
  falling = (c[TOUCH_FRICTION] - c[CONSTANT_LEAST]) * PetscExpReal(-c[CONSTANT_DECAY] * speed);
  *slope  = -c[CONSTANT_DECAY] * falling;
  return c[CONSTANT_LEAST] + falling;
}

TOUCH_FUNCTIONS(Friction)

const JointLaw joint_law_rough_contact_fading = {
  .name          = "rough_contact_fading",
  .summary       = "rough faces as in rough_contact, with friction that falls with the speed of slip",
  .equation      = TOUCH_EQUATION "\n"
                                  "mu = (friction - friction_fast) exp(-decay |s'|) + friction_fast,   or   mu = friction / (1 + fade |s'|),\n"
                                  "of the speed of slip s' at the end of the step before, so that slip without mass has one solution",
  .source        = "Voldrich 2009, eqs 1 to 5; Yang, Chu, Menq 1998",
  .parameters    = parameters,
  .samples       = samples,
  .num_states    = TOUCH_NUM_VISCOUS_STATES,
  .traits        = JOINT_VISCOUS,
  .refuse        = Refuse,
  .num_constants = NUM_CONSTANTS,
  .prepare       = Prepare,
  TOUCH_LAW,
};
