/* mindlin_dahl_simplified.c - the branches of a steady cycle of known force as one Dahl law, without memory. */
#include "laws.h"
#include "engine/dahl_lanes.h"
#include "engine/slip.h"

enum { STIFFNESS, SLIP_FORCE, ALPHA, CYCLE_FORCE };

static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "tangent after a reversal"},
  {.name = "slip_force", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N", .help = "force in full slip"},
  {.name     = "alpha",
   .fallback = 0.3333333333333333,
   .least    = 0,
   .most     = 1,
   .help     = "power with which the tangent falls; 1/3 is the contact of spheres"},
  {.name     = "cycle_force",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "T*, the force at the reversals of the steady cycle"},
  {0},
};

static const JointSample samples[] = {
  {.what = "contact of spheres", .parameters = {[STIFFNESS] = 1.2, [SLIP_FORCE] = 0.6, [ALPHA] = 1.0 / 3, [CYCLE_FORCE] = 0.5}},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  if (p[CYCLE_FORCE] > p[SLIP_FORCE]) return "cycle_force must not be above slip_force, which no cycle reaches";
  return SlipRefuse(p[SLIP_FORCE], p[STIFFNESS]);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  DahlPrepare(&(DahlCurve){.stiffness  = p[STIFFNESS],
                           .alpha      = p[ALPHA],
                           .base       = 1 - p[CYCLE_FORCE] / (2 * p[SLIP_FORCE]),
                           .scale      = 1 / (2 * p[SLIP_FORCE]),
                           .slip_force = p[SLIP_FORCE]},
              constants);
}

static const JointDerived derived[] = {
  {"length", "m", "slip_force / stiffness"},
  {"rest_stiffness", "N/m", "tangent without force"},
  {"cycle_displacement", "m", "delta*: amplitude of the steady cycle of cycle_force; there is none for alpha = 1 and cycle_force = slip_force"},
  {0},
};

/* Half the way from w = 1 to 1 - T* / T_c. */
static void Derive(const PetscReal p[], PetscReal values[])
{
  const PetscReal left = 1 - p[CYCLE_FORCE] / p[SLIP_FORCE], e = 1 - p[ALPHA];

  values[0] = p[SLIP_FORCE] / p[STIFFNESS];
  values[1] = p[STIFFNESS] * PetscPowReal(1 - p[CYCLE_FORCE] / (2 * p[SLIP_FORCE]), p[ALPHA]);
  if (e > 0) values[2] = values[0] * (1 - PetscPowReal(left, e)) / e;
  else values[2] = left > 0 ? -values[0] * PetscLogReal(left) : (PetscReal)NAN;
}

RATE_FUNCTIONS(DahlStep, DahlLoss)
RATE_LANES(DahlWideStep, DahlWideLoss, NULL, DAHL_NUM_CONSTANTS, DAHL_NUM_KNOWN)

const JointLaw joint_law_mindlin_dahl_simplified = {
  .name          = "mindlin_dahl_simplified",
  .summary       = "Simplified-Dahl: Mindlin's contact in cycles of one known force",
  .equation      = "df/dd = stiffness (1 - (cycle_force + sgn(d') f) / (2 slip_force))^alpha, |f| <= slip_force\n"
                   "it forgets its wrong beginning within a few cycles of that force",
  .source        = "Peyret et al. 2017, eq. 27 from the start, stopped at the slip force",
  .parameters    = parameters,
  .samples       = samples,
  .num_states    = RATE_NUM_STATES,
  .refuse        = Refuse,
  .num_constants = DAHL_NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .limit         = DahlLimit,
  .lanes         = &lane_law,
  RATE_LAW,
};
