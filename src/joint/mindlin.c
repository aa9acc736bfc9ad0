/* mindlin.c - two spheres pressed together by a constant load that slide on each other, given by their circle of contact. */
#include "laws.h"
#include "engine/mindlin.h"

enum { CONTACT_RADIUS, SHEAR_MODULUS, FRICTION, LOAD };

static const JointParameter parameters[] = {
  {.name     = "contact_radius",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "m",
   .help     = "a: radius of the circle of contact under the load"},
  {.name     = "shear_modulus",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "Pa",
   .help     = "G: combined, 1/G = (2 - nu_1)/G_1 + (2 - nu_2)/G_2; one over the G* of peyret2017"},
  {.name = "friction", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .help = "mu: coefficient of friction"},
  {.name     = "load",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "N: constant force that presses the spheres together"},
  {0},
};

const char *MindlinRefuse(PetscReal contact_radius, PetscReal shear_modulus, PetscReal slip_force)
{
  return MasingRefuse(slip_force, 8 * contact_radius * shear_modulus);
}

PetscInt MindlinCountConstants(const PetscReal p[])
{
  (void)p;
  return MINDLIN_NUM_CONSTANTS;
}

void MindlinPrepare(PetscReal contact_radius, PetscReal shear_modulus, PetscReal slip_force, PetscReal constants[])
{
  constants[MINDLIN_STIFFNESS]       = 8 * contact_radius * shear_modulus;
  constants[MINDLIN_SLIP_FORCE]      = slip_force;
  constants[MINDLIN_SLIP_MOTION]     = 1.5 * slip_force / constants[MINDLIN_STIFFNESS];
  constants[MINDLIN_PER_SLIP_MOTION] = 1 / constants[MINDLIN_SLIP_MOTION];
  constants[MINDLIN_LOSS]            = slip_force * constants[MINDLIN_SLIP_MOTION] / 5;
}

/* With r = sqrt(1 - w): 1 - r^3 and 1 - 5 r^2 + 5 r^3 - r^5, written by their factors of 1 - r = w / (1 + r), which keeps them
   exact where w is small. */
static inline MasingBackbone Backbone(const PetscReal c[], PetscReal u)
{
  const PetscReal w = u * c[MINDLIN_PER_SLIP_MOTION];
  PetscReal       root, slip;

  if (w >= 1) {
    return (MasingBackbone){
      .force = c[MINDLIN_SLIP_FORCE],
      .loss  = c[MINDLIN_LOSS] + c[MINDLIN_SLIP_FORCE] * (u - c[MINDLIN_SLIP_MOTION]),
    };
  }
  root = PetscSqrtReal(1 - w);
  slip = w / (1 + root);
  return (MasingBackbone){
    .force = c[MINDLIN_SLIP_FORCE] * slip * (1 + root * (1 + root)),
    .slope = c[MINDLIN_STIFFNESS] * root,
    .loss  = c[MINDLIN_LOSS] * slip * slip * slip * (1 + root * (3 + root)),
  };
}

void MindlinLimit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  MasingLimit(block, state, stiffness, Backbone);
}

void MindlinEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result)
{
  MasingEvaluate(block, history, motion, result, Backbone);
}

PetscErrorCode MindlinCommit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                             PetscReal dissipated[])
{
  return MasingCommit(block, history, motion, result, dissipated, Backbone);
}

PetscErrorCode MindlinDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                    JointHistory *dhistory, PetscReal dforce[])
{
  return MasingDifferentiate(block, history, motion, dmotion, dhistory, dforce, Backbone);
}

static const char *Refuse(const PetscReal p[])
{
  return MindlinRefuse(p[CONTACT_RADIUS], p[SHEAR_MODULUS], p[FRICTION] * p[LOAD]);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  MindlinPrepare(p[CONTACT_RADIUS], p[SHEAR_MODULUS], p[FRICTION] * p[LOAD], constants);
}

static const JointDerived derived[] = {
  {"stiffness", "N/m", "tangent at rest, 8 a G"},
  {"slip_force", "N", "mu N"},
  {"slip_displacement", "m", "u_c: motion from rest at which all of the contact slips"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  PetscReal constants[MINDLIN_NUM_CONSTANTS];

  Prepare(p, constants);
  values[0] = constants[MINDLIN_STIFFNESS];
  values[1] = constants[MINDLIN_SLIP_FORCE];
  values[2] = constants[MINDLIN_SLIP_MOTION];
}

const JointLaw joint_law_mindlin = {
  .name            = "mindlin",
  .summary         = "Mindlin's contact of two spheres that slide on each other, given by its circle",
  .equation        = "virgin curve: F(u) = mu N (1 - (1 - u / u_c)^(3/2))   for u < u_c, mu N beyond\n"
                     "u_c = 3 mu N / (16 a G); stiffness while stuck 8 a G\n"
                     "other paths: f = f_r +- 2 F(|d - d_r| / 2) from the last reversal (d_r, f_r), by Masing's rules\n"
                     "the law `mindlin_spheres` finds a and G from radii and moduli",
  .source          = "Mindlin 1949; Peyret et al. 2017, eqs 6 to 15, whose Full-Dahl model with alpha = 1/3 this is",
  .parameters      = parameters,
  .dim             = 1,
  .num_states      = MASING_NUM_STATES,
  .traits          = JOINT_MASING,
  .refuse          = Refuse,
  .count_constants = MindlinCountConstants,
  .prepare         = Prepare,
  .derived         = derived,
  .derive          = Derive,
  .limit           = MindlinLimit,
  .evaluate        = MindlinEvaluate,
  .commit          = MindlinCommit,
  .differentiate   = MindlinDifferentiate,
};
