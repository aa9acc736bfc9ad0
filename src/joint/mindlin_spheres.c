/* mindlin_spheres.c - Mindlin's contact, its circle found from the spheres, their elasticity and the load, after Hertz. */
#include "laws.h"
#include "engine/contact.h"
#include "engine/mindlin.h"

enum { RADIUS_1, RADIUS_2, BODIES, FRICTION = BODIES + CONTACT_NUM_PARAMETERS, LOAD };

static const JointParameter parameters[] = {
  {.name = "radius_1", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "m", .help = "radius of one sphere"},
  {.name     = "radius_2",
   .fallback = INPUT_OPTIONAL,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "m",
   .help     = "radius of the other sphere; without it a plane"},
  CONTACT_PARAMETERS,
  {.name = "friction", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .help = "mu: coefficient of friction"},
  {.name     = "load",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "N: constant force that presses the spheres together"},
  {0},
};

static const JointSample samples[] = {
  {.what       = "two spheres",
   .parameters = {[RADIUS_1]                   = 2,
                  [RADIUS_2]                   = 2,
                  [BODIES + CONTACT_YOUNG_1]   = 0.85,
                  [BODIES + CONTACT_POISSON_1] = 0.3,
                  [BODIES + CONTACT_YOUNG_2]   = 0.85,
                  [BODIES + CONTACT_POISSON_2] = 0.3,
                  [FRICTION]                   = 0.5,
                  [LOAD]                       = 1.4}},
  {.what       = "a sphere on a plane",
   .parameters = {[RADIUS_1]                   = 1,
                  [BODIES + CONTACT_YOUNG_1]   = 1.5,
                  [BODIES + CONTACT_POISSON_1] = 0.2,
                  [BODIES + CONTACT_YOUNG_2]   = 0.6,
                  [BODIES + CONTACT_POISSON_2] = 0.4,
                  [FRICTION]                   = 0.4,
                  [LOAD]                       = 1.4}},
  {0},
};

/* Eqs 1 to 3 of peyret2017; a radius that is not given is 0. */
static PetscReal ContactRadius(const PetscReal p[])
{
  const PetscReal curvature = 1 / p[RADIUS_1] + (p[RADIUS_2] > 0 ? 1 / p[RADIUS_2] : 0);

  return PetscPowReal(0.75 * p[LOAD] / (curvature * ContactModulus(p + BODIES)), 1.0 / 3);
}

static const char *Refuse(const PetscReal p[])
{
  return MindlinRefuse(ContactRadius(p), ContactShearModulus(p + BODIES), p[FRICTION] * p[LOAD]);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  MindlinPrepare(ContactRadius(p), ContactShearModulus(p + BODIES), p[FRICTION] * p[LOAD], constants);
}

static const JointDerived derived[] = {
  {"contact_radius", "m", "a: of the circle of contact under the load"},
  {"modulus", "Pa", "E: combined, against pressing together"},
  {"shear_modulus", "Pa", "G: combined, against sliding; one over the G* of peyret2017"},
  {"stiffness", "N/m", "tangent at rest, 8 a G"},
  {"slip_force", "N", "mu N"},
  {"slip_displacement", "m", "u_c: motion from rest at which all of the contact slips"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  PetscReal constants[MINDLIN_NUM_CONSTANTS];

  Prepare(p, constants);
  values[0] = ContactRadius(p);
  values[1] = ContactModulus(p + BODIES);
  values[2] = ContactShearModulus(p + BODIES);
  values[3] = constants[MINDLIN_STIFFNESS];
  values[4] = constants[MINDLIN_SLIP_FORCE];
  values[5] = constants[MINDLIN_SLIP_MOTION];
}

MASING_FUNCTIONS(MindlinBackbone)
MASING_LANES(MindlinBackbone, MindlinWideBackbone, NULL, MINDLIN_NUM_CONSTANTS)

const JointLaw joint_law_mindlin_spheres = {
  .name          = "mindlin_spheres",
  .summary       = "the law `mindlin`, given by radii and moduli of the spheres",
  .equation      = "the law `mindlin` with\n"
                   "a^3 = 3 N / (4 E (1/R_1 + 1/R_2)),   R_1, R_2: radii\n"
                   "1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2\n"
                   "1/G = (2 - nu_1)/G_1 + (2 - nu_2)/G_2,   G_i = E_i / (2 (1 + nu_i))",
  .source        = "Mindlin 1949; Peyret et al. 2017, eqs 1 to 3 and 7",
  .parameters    = parameters,
  .samples       = samples,
  .traits        = JOINT_MASING,
  .refuse        = Refuse,
  .num_constants = MINDLIN_NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .lanes         = &lane_law,
  MASING_LAW,
};
