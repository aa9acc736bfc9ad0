/* iwan4.c - Segalman's four-parameter Iwan model: exact, or with a number of sliders as papers use it. */
#include "laws.h"
#include "engine/masing_lanes.h"
#include "engine/power_lanes.h"
#include "engine/slip.h"

enum { SLIP_FORCE, STIFFNESS, CHI, BETA, SLIDERS };

static const JointParameter parameters[] = {
  {.name     = "slip_force",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "F_S: force at which all of the joint slips"},
  {.name     = "stiffness",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N/m",
   .help     = "K_T: tangent stiffness while stuck"},
  {.name = "chi", .fallback = JOINT_REQUIRED, .least = -1, .above = PETSC_TRUE, .help = "dissipation in microslip grows with amplitude^(chi+3)"},
  {.name = "beta", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .help = "stiffness of the sliders at phi_max over that of all others"},
  {.name  = "sliders",
   .most  = 1e6,
   .whole = PETSC_TRUE,
   .help = "0: the exact law. n: n parallel sliders instead, as papers march them: slider i carries the stiffness of all that slip between (i - 1)/n "
           "and i/n of phi_max, and slips at their mean; one more carries that of those which slip at phi_max (beta)"},
  {0},
};

static const JointSample samples[] = {
  {.what = "most sliders slip at phi_max", .parameters = {[SLIP_FORCE] = 0.7, [STIFFNESS] = 1, [CHI] = -0.5, [BETA] = 5}},
  {.what = "some sliders slip at phi_max", .parameters = {[SLIP_FORCE] = 0.6, [STIFFNESS] = 1, [CHI] = -0.23, [BETA] = 0.46}},
  {.what = "equal stiffness for each strength, none at phi_max", .parameters = {[SLIP_FORCE] = 0.8, [STIFFNESS] = 1.1}},
  {.what = "most sliders weak", .parameters = {[SLIP_FORCE] = 0.5, [STIFFNESS] = 1, [CHI] = -0.9, [BETA] = 0.1}},
  {.what = "twenty sliders", .parameters = {[SLIP_FORCE] = 0.7, [STIFFNESS] = 1, [CHI] = -0.5, [BETA] = 5, [SLIDERS] = 20}},
  {0},
};

/* Constants of both forms, then the sliders: strengths [n] and the segments of their backbone, each array [n + 2]. */
enum {
  NUM_SLIDERS,
  FULL_FORCE,
  PHI_MAX,
  PHI_MAX_LOSS,
  PER_PHI_MAX,
  FULL_STIFFNESS,
  SLOPE_DROP,
  FORCE_DROP,
  LOSS_RISE,
  POWER,
  NUM_CONSTANTS = POWER + POWER_NUM_CONSTANTS
};

static const char *Refuse(const PetscReal p[])
{
  return SlipRefuse(p[SLIP_FORCE], p[STIFFNESS]);
}

static PetscInt CountConstants(const PetscReal p[])
{
  const PetscInt n = (PetscInt)p[SLIDERS];

  return NUM_CONSTANTS + (n > 0 ? n + 3 * (n + 2) : 0);
}

/* Bin i holds the sliders of strength i/n to (i+1)/n of phi_max, acting as one at their mean strength; the last slider stands
   for the delta function at phi_max. On segment i of the backbone, where i sliders slip:
   F = slipping + sticking u, loss = slipping u - spent. */
static void PrepareSliders(const PetscReal p[], PetscReal constants[])
{
  const PetscInt  n   = (PetscInt)p[SLIDERS];
  const PetscReal chi = p[CHI], share = p[STIFFNESS] / (1 + p[BETA]);
  PetscReal      *strengths = constants + NUM_CONSTANTS;
  PetscReal      *sticking = strengths + n, *slipping = sticking + n + 2, *spent = slipping + n + 2;

  slipping[0] = spent[0] = 0;
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal low = (PetscReal)i / (PetscReal)n, high = (PetscReal)(i + 1) / (PetscReal)n;
    const PetscReal stiffness = share * (PetscPowReal(high, chi + 1) - PetscPowReal(low, chi + 1));
    const PetscReal force     = share * constants[PHI_MAX] * (chi + 1) / (chi + 2) * (PetscPowReal(high, chi + 2) - PetscPowReal(low, chi + 2));

    strengths[i]    = force / stiffness;
    sticking[i]     = stiffness;
    slipping[i + 1] = slipping[i] + force;
    spent[i + 1]    = spent[i] + force * strengths[i];
  }
  sticking[n + 1] = 0;
  sticking[n]     = share * p[BETA];
  for (PetscInt i = n - 1; i >= 0; i--) sticking[i] += sticking[i + 1];
  slipping[n + 1] = p[SLIP_FORCE];
  spent[n + 1]    = spent[n] + (p[SLIP_FORCE] - slipping[n]) * constants[PHI_MAX];
}

/* phi_max, eq. 10 of lacayo2017. */
static PetscReal SlipDisplacement(const PetscReal p[])
{
  const PetscReal chi = p[CHI], beta = p[BETA];

  return p[SLIP_FORCE] * (1 + beta) / (p[STIFFNESS] * (beta + (chi + 1) / (chi + 2)));
}

/* Eqs 10 and 11 of lacayo2017, with the backbone in u / phi_max so that R, whose unit depends on chi, is not needed. */
static void Prepare(const PetscReal p[], PetscReal constants[])
{
  const PetscReal chi = p[CHI], beta = p[BETA];

  constants[NUM_SLIDERS]    = p[SLIDERS];
  constants[FULL_FORCE]     = p[SLIP_FORCE];
  constants[PHI_MAX]        = SlipDisplacement(p);
  constants[PER_PHI_MAX]    = 1 / constants[PHI_MAX];
  constants[FULL_STIFFNESS] = p[STIFFNESS];
  constants[SLOPE_DROP]     = p[STIFFNESS] / (1 + beta);
  constants[FORCE_DROP]     = constants[SLOPE_DROP] / (chi + 2);
  constants[LOSS_RISE]      = constants[FORCE_DROP] * (chi + 1) / (chi + 3);
  constants[PHI_MAX_LOSS]   = constants[LOSS_RISE] * PetscSqr(constants[PHI_MAX]);
  PowerPrepare(chi + 1, constants + POWER);
  if (p[SLIDERS] > 0) PrepareSliders(p, constants);
}

static const JointDerived derived[] = {
  {"slip_displacement", "m", "phi_max: motion from rest at which all slips"},
  {"R", "N/m^(chi+2)", "of the sliders' density R phi^chi"},
  {"S", "N/m", "stiffness of the sliders that slip at phi_max"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  const PetscReal chi = p[CHI], beta = p[BETA];

  values[0] = SlipDisplacement(p);
  values[1] = p[STIFFNESS] * (chi + 1) / ((1 + beta) * PetscPowReal(values[0], chi + 1));
  values[2] = p[STIFFNESS] * beta / (1 + beta);
}

static inline MasingBackbone ExactBackbone(const PetscReal c[], PetscReal u)
{
  PetscReal power;

  if (u >= c[PHI_MAX]) return (MasingBackbone){.force = c[FULL_FORCE], .loss = c[PHI_MAX_LOSS] + c[FULL_FORCE] * (u - c[PHI_MAX])};
  power = PowerEvaluate(c + POWER, u * c[PER_PHI_MAX]);
  return (MasingBackbone){
    .force = u * (c[FULL_STIFFNESS] - c[FORCE_DROP] * power),
    .slope = c[FULL_STIFFNESS] - c[SLOPE_DROP] * power,
    .loss  = u * u * c[LOSS_RISE] * power,
  };
}

/* The mean strength of a bin lies within the bin: as many sliders slip as bins are passed, and perhaps the one at hand. */
static inline PetscInt CountSlipping(const PetscReal c[], PetscReal u)
{
  const PetscInt n = (PetscInt)c[NUM_SLIDERS];
  PetscInt       bin;

  if (!(u < c[PHI_MAX])) return n + 1; /* what is not a number must not become a place in the table */
  bin = PetscMin((PetscInt)(u * c[PER_PHI_MAX] * c[NUM_SLIDERS]), n - 1);
  return bin + (u >= c[NUM_CONSTANTS + bin] ? 1 : 0);
}

static inline MasingBackbone SliderBackbone(const PetscReal c[], PetscReal u)
{
  const PetscInt   n = (PetscInt)c[NUM_SLIDERS], i = CountSlipping(c, u);
  const PetscReal *sticking = c + NUM_CONSTANTS + n, *slipping = sticking + n + 2, *spent = slipping + n + 2;

  return (MasingBackbone){.force = slipping[i] + sticking[i] * u, .slope = sticking[i], .loss = slipping[i] * u - spent[i]};
}

static inline MasingBackbone Backbone(const PetscReal c[], PetscReal u)
{
  return c[NUM_SLIDERS] > 0 ? SliderBackbone(c, u) : ExactBackbone(c, u);
}

static inline MasingWideBackbone WideBackbone(const JointLanes *lanes, Wide u)
{
  const Wide *const c     = lanes->constants;
  const WideMask    all   = u >= c[PHI_MAX];
  const Wide        power = PowerWide(c + POWER, WideSelect(all, WideOf(1), u * c[PER_PHI_MAX]), lanes->busy);

  return (MasingWideBackbone){
    .force = WideSelect(all, c[FULL_FORCE], u * (c[FULL_STIFFNESS] - c[FORCE_DROP] * power)),
    .slope = WideSelect(all, WideOf(0), c[FULL_STIFFNESS] - c[SLOPE_DROP] * power),
    .loss  = WideSelect(all, c[PHI_MAX_LOSS] + c[FULL_FORCE] * (u - c[PHI_MAX]), u * u * c[LOSS_RISE] * power),
  };
}

static PetscBool IsExact(const JointBlock *block)
{
  return (PetscBool)(block->constants[NUM_SLIDERS] == 0);
}

/* Those of each slider are too many. */
static PetscInt Corners(const JointBlock *block, PetscReal motion[])
{
  motion[0] = block->constants[PHI_MAX];
  return block->constants[NUM_SLIDERS] > 0 || block->parameters[BETA] == 0 ? 0 : 1;
}

MASING_FUNCTIONS(Backbone)
MASING_LANES(Backbone, WideBackbone, IsExact, NUM_CONSTANTS)

const JointLaw joint_law_iwan4 = {
  .name            = "iwan4",
  .summary         = "Segalman's four-parameter Iwan model of a bolted joint",
  .equation        = "virgin curve: F(u) = stiffness u - R u^(chi+2) / ((chi+1)(chi+2))   for u < phi_max, slip_force beyond\n"
                     "phi_max = slip_force (1 + beta) / (stiffness (beta + (chi+1)/(chi+2)))\n"
                     "R       = stiffness (chi+1) / ((1 + beta) phi_max^(chi+1))\n"
                     "other paths: f = f_r +- 2 F(|d - d_r| / 2) from the last reversal (d_r, f_r), by Masing's rules",
  .source          = "Segalman 2005; Lacayo et al. 2017, eqs 10, 11 and Appendix A",
  .parameters      = parameters,
  .samples         = samples,
  .traits          = JOINT_MASING,
  .refuse          = Refuse,
  .count_constants = CountConstants,
  .prepare         = Prepare,
  .derived         = derived,
  .derive          = Derive,
  .corners         = Corners,
  .lanes           = &lane_law,
  MASING_LAW,
};
