/* rough_interface.c - two rough surfaces pressed together by a constant load: the sum of their asperities. */
#include "laws.h"
#include "engine/rough.h"
#include "engine/tabulated_lanes.h"

static const char *Refuse(const PetscReal p[])
{
  const RoughSurface surface = RoughSurfaceFrom(p);

  return RoughRefuse(&surface);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  const RoughSurface surface = RoughSurfaceFrom(p);
  const RoughModel   model   = RoughFindModel(&surface);

  TabulatedPrepare(model.stiffness, model.slip_motion, RoughSlope, &model, constants);
}

MASING_FUNCTIONS(TabulatedBackbone)
MASING_LANES(TabulatedBackbone, TabulatedWideBackbone, NULL, TABULATED_TABLE)

const JointLaw joint_law_rough_interface = {
  .name          = "rough_interface",
  .summary       = "two rough surfaces under a constant load, by the sum of their asperities",
  .equation      = "virgin curve: F(u) = mu (F_n - P(y_c + xi u / lambda))   for u < x_L, mu F_n beyond\n"
                   "P(y)   = eta A (4/3) E R^(1/2) int_y^(cut sigma) (z - y)^(3/2) phi(z) dz,   P(y_c) = F_n\n"
                   "phi: normal distribution of heights, of deviation sigma;   lambda = mu E / (4 G)\n"
                   "1/E    = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2\n"
                   "1/G    = (2 - nu_1)/G_1 + (2 - nu_2)/G_2,   G_i = E_i / (2 (1 + nu_i))\n"
                   "xi     = stiffness K_T over that of Mindlin's spheres, where K_T = gamma F_n / sigma, gamma = mu / lambda, if not given\n"
                   "x_L    = lambda (cut sigma - y_c) / xi\n"
                   "other paths: f = f_r +- 2 F(|d - d_r| / 2) from the last reversal (d_r, f_r), by Masing's rules",
  .source        = "Greenwood and Williamson 1966; Jamshidi and Koochakinejad 2021, eqs 1 to 34",
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
