/* bouc_wen_rough.c - the Bouc-Wen law of a rough interface, with the memory of reversals that its A and B stand for. */
#include "laws.h"
#include "engine/decay_lanes.h"
#include "engine/masing_lanes.h"
#include "engine/slip.h"
#include "engine/softening_lanes.h"

enum { STIFFNESS, SLIP_DISPLACEMENT, DECAY, OFFSET, ELASTIC };
enum { LENGTH, PER_LENGTH, FALLING, AT_REST, PARALLEL, LAST_LENGTH, LAST_FORCE, LAST_LOSS, SERIES, NUM_CONSTANTS = SERIES + SOFTENING_NUM_CONSTANTS };

static const JointParameter parameters[] = {
  {.name     = "stiffness",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N/m",
   .help     = "K_T, tangent at rest without the parallel spring"},
  {.name     = "slip_displacement",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "m",
   .help     = "x_L, motion on the virgin curve at which all asperities slide"},
  {.name = "decay", .fallback = JOINT_REQUIRED, .most = 500, .above = PETSC_TRUE, .help = "W, decay of the tangent until x_L"},
  {.name     = "offset",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .unit     = "N/m",
   .help     = "Lambda_0; stiffness / (exp(decay) - 1) makes the tangent fall to zero at x_L"},
  {.name = "k_l", .fallback = 0, .most = PETSC_INFINITY, .unit = "N/m", .help = "spring in parallel"},
  {0},
};

static const JointSample samples[] = {
  {.what = "beside a spring", .parameters = {[STIFFNESS] = 1.2, [SLIP_DISPLACEMENT] = 0.8, [DECAY] = 1.7, [OFFSET] = 0.2, [ELASTIC] = 0.1}},
  {0},
};

/* Rounding in the case is no fault. */
static const char *Refuse(const PetscReal p[])
{
  if (p[OFFSET] > p[STIFFNESS] / expm1(p[DECAY]) * (1 + 1e-5))
    return "offset is above stiffness / (exp(decay) - 1): the force would fall before slip_displacement";
  return SlipRefuse(p[STIFFNESS] * p[SLIP_DISPLACEMENT], p[STIFFNESS]);
}

/* Tangent AT_REST - FALLING (1 - exp(-u / LENGTH)) up to LAST_LENGTH, the force of the interface there is LAST_FORCE. */
static void Prepare(const PetscReal p[], PetscReal constants[])
{
  constants[LENGTH]      = p[SLIP_DISPLACEMENT] / p[DECAY];
  constants[PER_LENGTH]  = 1 / constants[LENGTH];
  constants[FALLING]     = p[STIFFNESS] + p[OFFSET];
  constants[AT_REST]     = p[STIFFNESS] + p[ELASTIC];
  constants[PARALLEL]    = p[ELASTIC];
  constants[LAST_LENGTH] = p[SLIP_DISPLACEMENT];
  SofteningPrepare(0, constants + SERIES);
  constants[LAST_FORCE] = p[STIFFNESS] * p[SLIP_DISPLACEMENT] - constants[FALLING] * constants[LENGTH] * DecayBend(p[DECAY]);
  constants[LAST_LOSS]  = constants[FALLING] * constants[LENGTH] * constants[LENGTH] * SofteningLoss(constants + SERIES, 0, p[DECAY]);
}

/* The spring and the level part are elastic: only the falling part dissipates, and slip. */
static inline MasingBackbone Backbone(const PetscReal c[], PetscReal u)
{
  const PetscReal rho = RowsRoundedOne(u * c[PER_LENGTH]);

  if (u >= c[LAST_LENGTH]) {
    return (MasingBackbone){
      .force = c[LAST_FORCE] + c[PARALLEL] * u, .slope = c[PARALLEL], .loss = c[LAST_LOSS] + c[LAST_FORCE] * (u - c[LAST_LENGTH])};
  }
  return (MasingBackbone){
    .force = RowsRoundedOne(c[AT_REST] * u) - c[FALLING] * c[LENGTH] * DecayBend(rho),
    .slope = c[AT_REST] + c[FALLING] * ExponentialLessOne(-rho),
    .loss  = c[FALLING] * c[LENGTH] * c[LENGTH] * SofteningLoss(c + SERIES, 0, rho),
  };
}

static inline MasingWideBackbone WideBackbone(const JointLanes *lanes, Wide u)
{
  const Wide *const c    = lanes->constants;
  const Wide        rho  = WideRounded(u * c[PER_LENGTH]);
  const WideMask    all  = u >= c[LAST_LENGTH];
  const Wide        rest = WideRounded(c[AT_REST] * u);

  return (MasingWideBackbone){
    .force = WideSelect(all, c[LAST_FORCE] + c[PARALLEL] * u, rest - c[FALLING] * c[LENGTH] * DecayWideBend(rho)),
    .slope = WideSelect(all, c[PARALLEL], c[AT_REST] + c[FALLING] * ExponentialWideLessOne(-rho)),
    .loss  = WideSelect(all, c[LAST_LOSS] + c[LAST_FORCE] * (u - c[LAST_LENGTH]),
                        c[FALLING] * c[LENGTH] * c[LENGTH] * SofteningWideLoss(c + SERIES, WideOf(0), rho)),
  };
}

static const JointDerived derived[] = {
  {"slip_force", "N", "Q_L: force at slip_displacement without the parallel spring"},
  {"fullness", NULL, "r = Q_L / (K_T x_L)"},
  {"Lambda_1", "N/m", "stiffness + offset: the tangent is Lambda_1 exp(-decay u / x_L) - offset"},
  {"bouc_wen_B", "1/m", "B = decay / (2 x_L) on branches; twice that on the virgin curve"},
  {"bouc_wen_fall", NULL, "offset / stiffness"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  PetscReal constants[NUM_CONSTANTS];

  Prepare(p, constants);
  values[0] = constants[LAST_FORCE];
  values[1] = constants[LAST_FORCE] / (p[STIFFNESS] * p[SLIP_DISPLACEMENT]);
  values[2] = constants[FALLING];
  values[3] = p[DECAY] / (2 * p[SLIP_DISPLACEMENT]);
  values[4] = p[OFFSET] / p[STIFFNESS];
}

MASING_FUNCTIONS(Backbone)
MASING_LANES(Backbone, WideBackbone, NULL, NUM_CONSTANTS)

const JointLaw joint_law_bouc_wen_rough = {
  .name          = "bouc_wen_rough",
  .summary       = "Bouc-Wen law of a rough interface, with memory of reversals",
  .equation      = "f = k_l d + stiffness z\n"
                   "dz/dd = A - B sgn(d' z) |z|, B = decay / (2 x_L), A = 1 + s B (z_r + (offset / stiffness) (d_r - d))\n"
                   "from the last reversal (d_r, z_r) in direction s, until |d - d_r| = 2 x_L; then z stays\n"
                   "on the virgin curve: B = decay / x_L, A = 1 - (decay / x_L) (offset / stiffness) |d|, until |d| = x_L",
  .source        = "Jamshidi, Koochakinejad 2021, eqs 38, 44-48, with turning points for x_o",
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
