/* gap.c - a spring behind a clearance, on one side or on both. */
#include "laws.h"
#include "engine/elastic_lanes.h"

enum { STIFFNESS, CLEARANCE, SIDES, NUM_PARAMETERS };

static const JointParameter parameters[] = {
  {.name     = "stiffness",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N/m",
   .help     = "stiffness once the gap is closed"},
  {.name = "clearance", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .unit = "m", .help = "free motion before contact"},
  {.name = "sides", .fallback = 1, .least = 1, .most = 2, .whole = PETSC_TRUE, .help = "1: pushes when the two sides approach; 2: stops both ways"},
  {0},
};

static const JointSample samples[] = {
  {.what = "one side", .parameters = {[STIFFNESS] = 1.7, [CLEARANCE] = 0.3, [SIDES] = 1}},
  {.what = "both sides", .parameters = {[STIFFNESS] = 1.7, [CLEARANCE] = 0.2, [SIDES] = 2}},
  {.what = "without clearance", .parameters = {[STIFFNESS] = 1.7, [SIDES] = 1}},
  {0},
};

/* Motion just touching counts as contact, so that a gap without clearance is stiff at rest. */
static inline ElasticPoint Curve(const PetscReal p[], PetscReal displacement)
{
  const PetscReal below = displacement + p[CLEARANCE], above = displacement - p[CLEARANCE];

  if (below <= 0) return (ElasticPoint){.force = p[STIFFNESS] * below, .slope = p[STIFFNESS]};
  if (p[SIDES] > 1 && above >= 0) return (ElasticPoint){.force = p[STIFFNESS] * above, .slope = p[STIFFNESS]};
  return (ElasticPoint){0};
}

static inline ElasticWidePoint WideCurve(const Wide p[], Wide displacement)
{
  const Wide     below = displacement + p[CLEARANCE], above = displacement - p[CLEARANCE];
  const WideMask pushed = below <= 0.0, touched = pushed | ((p[SIDES] > 1.0) & (above >= 0.0));

  return (ElasticWidePoint){
    .force = WideSelect(touched, p[STIFFNESS] * WideSelect(pushed, below, above), WideOf(0)),
    .slope = WideSelect(touched, p[STIFFNESS], WideOf(0)),
  };
}

static PetscInt Corners(const JointBlock *block, PetscReal motion[])
{
  motion[0] = -block->parameters[CLEARANCE];
  motion[1] = block->parameters[CLEARANCE];
  return block->parameters[SIDES] > 1 ? 2 : 1;
}

ELASTIC_FUNCTIONS(Curve)
ELASTIC_LANES(WideCurve, NUM_PARAMETERS)

const JointLaw joint_law_gap = {
  .name       = "gap",
  .summary    = "spring behind a clearance, on one side or on both",
  .equation   = "f = stiffness (d + clearance)   where d <= -clearance\n"
                "f = stiffness (d - clearance)   where d >= clearance and sides is 2\n"
                "f = 0                           elsewhere",
  .source     = "unilateral elastic contact",
  .parameters = parameters,
  .samples    = samples,
  .traits     = JOINT_ELASTIC,
  .corners    = Corners,
  .lanes      = &lane_law,
  ELASTIC_LAW,
};
