/* cubic.c - a spring with a linear and a cubic part. */
#include "laws.h"
#include "engine/elastic_lanes.h"

enum { STIFFNESS, CUBIC, NUM_PARAMETERS };

/* No bounds: a negative stiffness makes a bistable joint, a negative cubic part a softening one. */
static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .unit = "N/m", .help = "slope at rest"},
  {.name = "cubic", .fallback = JOINT_REQUIRED, .unit = "N/m^3", .help = "factor of the cubed displacement; negative softens"},
  {0},
};

static const JointSample samples[] = {
  {.what = "hardening", .parameters = {[STIFFNESS] = 0.8, [CUBIC] = 0.5}},
  {.what = "softening", .parameters = {[STIFFNESS] = 1.5, [CUBIC] = -0.1}},
  {0},
};

static inline ElasticPoint Curve(const PetscReal p[], PetscReal displacement)
{
  const PetscReal square = displacement * displacement;

  return (ElasticPoint){.force = (p[STIFFNESS] + p[CUBIC] * square) * displacement, .slope = p[STIFFNESS] + 3 * p[CUBIC] * square};
}

static inline ElasticWidePoint WideCurve(const Wide p[], Wide displacement)
{
  const Wide square = displacement * displacement;

  return (ElasticWidePoint){.force = (p[STIFFNESS] + p[CUBIC] * square) * displacement, .slope = p[STIFFNESS] + 3.0 * p[CUBIC] * square};
}

ELASTIC_FUNCTIONS(Curve)
ELASTIC_LANES(WideCurve, NUM_PARAMETERS)

const JointLaw joint_law_cubic = {
  .name       = "cubic",
  .summary    = "spring with a linear and a cubic part",
  .equation   = "f = stiffness d + cubic d^3",
  .source     = "Duffing",
  .parameters = parameters,
  .samples    = samples,
  .traits     = JOINT_ELASTIC,
  .lanes      = &lane_law,
  ELASTIC_LAW,
};
