/* rough_exponential.c - the exponential that fits a rough interface; its Bouc-Wen model, with a memory that any path can use. */
#include "laws.h"
#include "engine/rough.h"
#include "engine/tabulated_lanes.h"

static const char *Refuse(const PetscReal p[])
{
  const RoughSurface surface = RoughSurfaceFrom(p);
  const char *const  reason  = RoughRefuse(&surface);

  if (reason) return reason;
  if (RoughFindModel(&surface).fullness < 0.5) return NULL;
  return "no falling exponential fits: mu F_n / (K_T x_L) is not below 1/2, the load presses all asperities nearly alike; take rough_interface";
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  const RoughSurface surface = RoughSurfaceFrom(p);
  const RoughModel   model   = RoughFindModel(&surface);

  TabulatedPrepare(model.stiffness, model.slip_motion, RoughExponentialSlope, &model, constants);
}

MASING_FUNCTIONS(TabulatedBackbone)
MASING_LANES(TabulatedBackbone, TabulatedWideBackbone, NULL, TABULATED_TABLE)

const JointLaw joint_law_rough_exponential = {
  .name          = "rough_exponential",
  .summary       = "two rough surfaces under a constant load, by an exponential fit of their stiffness",
  .equation      = "virgin curve: F'(u) = Lambda_1 exp(-Omega_1 u / x_L) - Lambda_0   for u < x_L, 0 beyond\n"
                   "with the stiffness K_T, slip force mu F_n and x_L of the law `rough_interface`:\n"
                   "1/Omega_1 - 1/(exp(Omega_1) - 1) = mu F_n / (K_T x_L) < 1/2\n"
                   "Lambda_1 = K_T / (1 - exp(-Omega_1)),   Lambda_0 = K_T / (exp(Omega_1) - 1)\n"
                   "other paths: f = f_r +- 2 F(|d - d_r| / 2) from the last reversal (d_r, f_r), by Masing's rules",
  .source        = "Jamshidi and Koochakinejad 2021, eqs 35 to 41; its Bouc-Wen model is the same curve",
  .parameters    = rough_parameters,
  .samples       = rough_samples,
  .traits        = JOINT_MASING,
  .refuse        = Refuse,
  .num_constants = TABULATED_NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = rough_derived,
  .derive        = RoughDerive,
  .lanes         = &lane_law,
  MASING_LAW,
};
