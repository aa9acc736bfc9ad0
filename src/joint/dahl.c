/* dahl.c - Dahl's law of friction: the tangent falls with a power of the distance to the slip force. */
#include "laws.h"
#include "engine/dahl_lanes.h"
#include "engine/slip.h"

enum { STIFFNESS, SLIP_FORCE, ALPHA };

static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "tangent at rest"},
  {.name = "slip_force", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N", .help = "force in full slip"},
  {.name = "alpha", .fallback = 1, .least = 0, .most = 2, .help = "power with which the tangent falls"},
  {0},
};

static const JointSample samples[] = {
  {.what = "exponential", .parameters = {[STIFFNESS] = 1.2, [SLIP_FORCE] = 0.6, [ALPHA] = 1}},
  {.what = "as a contact of spheres", .parameters = {[STIFFNESS] = 1.2, [SLIP_FORCE] = 0.6, [ALPHA] = 1.0 / 3}},
  {.what = "slow", .parameters = {[STIFFNESS] = 1, [SLIP_FORCE] = 0.7, [ALPHA] = 1.4}},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  return SlipRefuse(p[SLIP_FORCE], p[STIFFNESS]);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  DahlPrepare(&(DahlCurve){.stiffness = p[STIFFNESS], .alpha = p[ALPHA], .base = 1, .scale = 1 / p[SLIP_FORCE], .slip_force = p[SLIP_FORCE]},
              constants);
}

static const JointDerived derived[] = {
  {"length", "m", "slip_force / stiffness"},
  {"slip_displacement", "m", "motion from rest at which all slips; there is none for alpha >= 1"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  values[0] = p[SLIP_FORCE] / p[STIFFNESS];
  values[1] = p[ALPHA] < 1 ? values[0] / (1 - p[ALPHA]) : (PetscReal)NAN;
}

RATE_FUNCTIONS(DahlStep, DahlLoss)
RATE_LANES(DahlWideStep, DahlWideLoss, NULL, DAHL_NUM_CONSTANTS, DAHL_NUM_KNOWN)

const JointLaw joint_law_dahl = {
  .name          = "dahl",
  .summary       = "Dahl's law of friction",
  .equation      = "df/dd = stiffness (1 - sgn(d') f / slip_force)^alpha, |f| <= slip_force",
  .source        = "Dahl 1968; Peyret et al. 2017, eq. 10",
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
