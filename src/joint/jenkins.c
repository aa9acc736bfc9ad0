/* jenkins.c - a spring and a Coulomb slider in series: the smallest law that sticks and slips. */
#include "laws.h"
#include "engine/masing_lanes.h"
#include "engine/slip.h"

enum { STIFFNESS, SLIP_FORCE, NUM_PARAMETERS };
enum { SLIP_MOTION = NUM_PARAMETERS, NUM_CONSTANTS };

static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "stiffness while stuck"},
  {.name     = "slip_force",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "force at which the slider moves"},
  {0},
};

static const JointSample samples[] = {
  {.what = "a slider", .parameters = {[STIFFNESS] = 1.2, [SLIP_FORCE] = 0.6}},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  return SlipRefuse(p[SLIP_FORCE], p[STIFFNESS]);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  constants[STIFFNESS]   = p[STIFFNESS];
  constants[SLIP_FORCE]  = p[SLIP_FORCE];
  constants[SLIP_MOTION] = p[SLIP_FORCE] / p[STIFFNESS];
}

static const JointDerived derived[] = {
  {"slip_displacement", "m", "motion from rest at which the slider moves"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  values[0] = p[SLIP_FORCE] / p[STIFFNESS];
}

static inline MasingBackbone Backbone(const PetscReal c[], PetscReal u)
{
  if (u < c[SLIP_MOTION]) return (MasingBackbone){.force = c[STIFFNESS] * u, .slope = c[STIFFNESS]};
  return (MasingBackbone){.force = c[SLIP_FORCE], .loss = c[SLIP_FORCE] * (u - c[SLIP_MOTION])};
}

static inline MasingWideBackbone WideBackbone(const JointLanes *lanes, Wide u)
{
  const Wide *const c      = lanes->constants;
  const WideMask    sticks = u < c[SLIP_MOTION];

  return (MasingWideBackbone){
    .force = WideSelect(sticks, c[STIFFNESS] * u, c[SLIP_FORCE]),
    .slope = WideSelect(sticks, c[STIFFNESS], WideOf(0)),
    .loss  = WideSelect(sticks, WideOf(0), c[SLIP_FORCE] * (u - c[SLIP_MOTION])),
  };
}

static PetscInt Corners(const JointBlock *block, PetscReal motion[])
{
  motion[0] = block->constants[SLIP_MOTION];
  return 1;
}

MASING_FUNCTIONS(Backbone)
MASING_LANES(Backbone, WideBackbone, NULL, NUM_CONSTANTS)

const JointLaw joint_law_jenkins = {
  .name          = "jenkins",
  .summary       = "spring and Coulomb slider in series",
  .equation      = "f = stiffness (d - x), |f| <= slip_force\n"
                   "x: position of the slider, which moves only while |f| = slip_force",
  .source        = "Jenkins 1962; Lacayo et al. 2017, Fig. A.1",
  .parameters    = parameters,
  .samples       = samples,
  .traits        = JOINT_MASING,
  .refuse        = Refuse,
  .num_constants = NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .corners       = Corners,
  .lanes         = &lane_law,
  MASING_LAW,
};
