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

static const JointSample samples[] = {
  {.what = "two spheres", .parameters = {[CONTACT_RADIUS] = 0.5, [SHEAR_MODULUS] = 0.25, [FRICTION] = 0.5, [LOAD] = 1.4}},
  {0},
};

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

MASING_FUNCTIONS(MindlinBackbone)
MASING_LANES(MindlinBackbone, MindlinWideBackbone, NULL, MINDLIN_NUM_CONSTANTS)

const JointLaw joint_law_mindlin = {
  .name          = "mindlin",
  .summary       = "Mindlin's contact of two spheres that slide on each other, given by its circle",
  .equation      = "virgin curve: F(u) = mu N (1 - (1 - u / u_c)^(3/2))   for u < u_c, mu N beyond\n"
                   "u_c = 3 mu N / (16 a G); stiffness while stuck 8 a G\n"
                   "other paths: f = f_r +- 2 F(|d - d_r| / 2) from the last reversal (d_r, f_r), by Masing's rules\n"
                   "the law `mindlin_spheres` finds a and G from radii and moduli",
  .source        = "Mindlin 1949; Peyret et al. 2017, eqs 6 to 15, whose Full-Dahl model with alpha = 1/3 this is",
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
