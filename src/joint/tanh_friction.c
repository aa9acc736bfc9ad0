/* tanh_friction.c - friction without stick: a hyperbolic tangent of the velocity in place of its sign. */
#include "laws.h"
#include <math.h>
#include "engine/rate.h"

enum { SLIP_FORCE, REFERENCE_VELOCITY };

static const JointParameter parameters[] = {
  {.name = "slip_force", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N", .help = "mu N: friction of fast slip"},
  {.name     = "reference_velocity",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "m/s",
   .help     = "v_0: velocity at which friction is 76 % of that; the smaller, the nearer to Coulomb's"},
  {0},
};

static const JointSample samples[] = {
  {.what = "smooth", .parameters = {[SLIP_FORCE] = 0.6, [REFERENCE_VELOCITY] = 0.8}},
  {.what = "nearer to Coulomb's", .parameters = {[SLIP_FORCE] = 0.4, [REFERENCE_VELOCITY] = 0.25}},
  {0},
};

/* The force is one of the velocity at the end alone; it is remembered for what the step dissipates. */
static inline RatePoint Step(const PetscReal p[], const RatePath *path)
{
  const PetscReal level = tanh(path->end_velocity / p[REFERENCE_VELOCITY]);

  return (RatePoint){.force = p[SLIP_FORCE] * level, .damping = p[SLIP_FORCE] / p[REFERENCE_VELOCITY] * (1 - level * level)};
}

/* All of the work, by the mean force of the step: with average acceleration that has the sign of the motion, as tanh is odd and rises. */
static inline PetscReal Loss(const PetscReal p[], const RatePath *path, PetscReal force)
{
  return (path->force + force) / 2 * (path->end - path->start);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  constants[SLIP_FORCE]         = p[SLIP_FORCE];
  constants[REFERENCE_VELOCITY] = p[REFERENCE_VELOCITY];
}

static const JointDerived derived[] = {
  {"damping", "N s/m", "slip_force / v_0: damping at rest"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  values[0] = p[SLIP_FORCE] / p[REFERENCE_VELOCITY];
}

/* It holds nothing, not at rest either. */
static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  (void)block;
  (void)state;
  stiffness[0] = 0;
}

RATE_FUNCTIONS(Step, Loss)

const JointLaw joint_law_tanh_friction = {
  .name          = "tanh_friction",
  .summary       = "friction as a smooth function of the velocity, without stick",
  .equation      = "f = slip_force tanh(d' / reference_velocity)",
  .source        = "Andersson, Soderberg, Bjorklund 2007",
  .parameters    = parameters,
  .samples       = samples,
  .num_states    = RATE_NUM_VISCOUS_STATES,
  .traits        = JOINT_VISCOUS,
  .num_constants = 2,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .limit         = Limit,
  RATE_LAW,
};
