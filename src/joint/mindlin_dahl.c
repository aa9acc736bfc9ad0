/* mindlin_dahl.c - Dahl's law with turning points, the Full-Dahl of Peyret et al. 2017: with alpha = 1/3 it is Mindlin's contact. */
#include "laws.h"
#include "engine/masing_lanes.h"
#include "engine/slip.h"
#include "engine/softening_lanes.h"

enum { STIFFNESS, SLIP_FORCE, ALPHA };
enum { PER_SLIP_FORCE, TANGENT, LEFT_EXPONENT, STRENGTH, SERIES, NUM_CONSTANTS = SERIES + SOFTENING_NUM_CONSTANTS };

static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "tangent at rest"},
  {.name = "slip_force", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N", .help = "force in full slip"},
  {.name     = "alpha",
   .fallback = 0.3333333333333333,
   .least    = 0,
   .most     = 1,
   .help     = "power with which the tangent falls; 1/3 is the contact of spheres"},
  {0},
};

static const JointSample samples[] = {
  {.what = "contact of spheres", .parameters = {[STIFFNESS] = 1.2, [SLIP_FORCE] = 0.6, [ALPHA] = 1.0 / 3}},
  {.what = "exponential", .parameters = {[STIFFNESS] = 1, [SLIP_FORCE] = 0.5, [ALPHA] = 1}},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  return SlipRefuse(p[SLIP_FORCE], p[STIFFNESS]);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  constants[PER_SLIP_FORCE] = p[STIFFNESS] / p[SLIP_FORCE];
  constants[TANGENT]        = p[STIFFNESS];
  constants[LEFT_EXPONENT]  = 1 - p[ALPHA];
  constants[STRENGTH]       = p[SLIP_FORCE];
  SofteningPrepare(constants[LEFT_EXPONENT], constants + SERIES);
}

/* The loss goes on with the slip force once nothing is left. */
static inline MasingBackbone Backbone(const PetscReal c[], PetscReal u)
{
  const PetscReal e = c[LEFT_EXPONENT], rho = RowsRoundedOne(c[PER_SLIP_FORCE] * u), energy = c[STRENGTH] / c[PER_SLIP_FORCE];
  const PetscReal slip = e > 0 ? PetscMax(0, rho - 1 / e) : 0;
  PetscReal       power;
  const PetscReal w = Soften(e, 1, 1, rho, &power);

  return (MasingBackbone){
    .force = c[STRENGTH] * (1 - w),
    .slope = c[TANGENT] * power,
    .loss  = energy * (RowsRoundedOne(SofteningLoss(c + SERIES, e, rho - slip)) + slip),
  };
}

static inline MasingWideBackbone WideBackbone(const JointLanes *lanes, Wide u)
{
  const Wide *const c = lanes->constants;
  const Wide        e = c[LEFT_EXPONENT], rho = WideRounded(c[PER_SLIP_FORCE] * u), energy = c[STRENGTH] / c[PER_SLIP_FORCE];
  const Wide        slip = WideSelect(e > 0.0, WideMax(WideOf(0), rho - 1.0 / e), WideOf(0));
  Wide              power;
  const Wide        w = SoftenWide(e, WideOf(1), WideOf(1), rho, &power);

  return (MasingWideBackbone){
    .force = c[STRENGTH] * (1.0 - w),
    .slope = c[TANGENT] * power,
    .loss  = energy * (WideRounded(SofteningWideLoss(c + SERIES, e, rho - slip)) + slip),
  };
}

static const JointDerived derived[] = {
  {"length", "m", "slip_force / stiffness"},
  {"slip_displacement", "m", "motion from rest at which all slips; there is none for alpha = 1"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  values[0] = p[SLIP_FORCE] / p[STIFFNESS];
  values[1] = p[ALPHA] < 1 ? values[0] / (1 - p[ALPHA]) : (PetscReal)NAN;
}

MASING_FUNCTIONS(Backbone)
MASING_LANES(Backbone, WideBackbone, NULL, NUM_CONSTANTS)

const JointLaw joint_law_mindlin_dahl = {
  .name          = "mindlin_dahl",
  .summary       = "Full-Dahl: Dahl's law with memory of reversals; alpha = 1/3 is Mindlin's contact of spheres",
  .equation      = "df/dd = stiffness (1 - |f| / slip_force)^alpha                 on the virgin curve\n"
                   "df/dd = stiffness (1 - |f - f_r| / (2 slip_force))^alpha       from the last reversal (d_r, f_r)\n"
                   "stiffness of a contact of radius a: 8 a / G*",
  .source        = "Peyret et al. 2017, eqs 19, 20, with turning points for T*",
  .parameters    = parameters,
  .samples       = samples,
  .traits        = JOINT_MASING,
  .refuse        = Refuse,
  .num_constants = NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .lanes         = &lane_law,
  MASING_LAW,
};
