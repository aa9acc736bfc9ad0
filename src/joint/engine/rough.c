/* rough.c - asperities of Gaussian heights, each a contact of Mindlin, and the exponential that fits their sum. */
#include "rough.h"
#include "gauss.h"
#include "slip.h"

enum { ROUGHNESS, ASPERITY_RADIUS, DENSITY, BODIES, AREA = BODIES + CONTACT_NUM_PARAMETERS, LOAD, FRICTION, CUT, CORRECTION };
enum { NUM_BISECTIONS = 200 };

#define ROUGH_POSITIVE(key, in, what) \
  { \
    .name = key, .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = in, .help = what \
  }

const JointParameter rough_parameters[] = {
  ROUGH_POSITIVE("roughness", "m", "sigma: standard deviation of the heights of asperities, of both surfaces together"),
  ROUGH_POSITIVE("asperity_radius", "m", "R: radius of the tips of asperities, 1/R = 1/R_1 + 1/R_2"),
  ROUGH_POSITIVE("density", "1/m^2", "eta: asperities per area"),
  CONTACT_PARAMETERS,
  ROUGH_POSITIVE("area", "m^2", "A: area over which the surfaces face each other"),
  ROUGH_POSITIVE("load", "N", "F_n: constant force that presses the surfaces together"),
  ROUGH_POSITIVE("friction", NULL, "mu: coefficient of friction"),
  {.name = "cut", .fallback = 3, .most = 10, .above = PETSC_TRUE, .help = "no asperity is higher than this times the roughness"},
  {.name     = "correction",
   .fallback = INPUT_OPTIONAL,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .help     = "xi: stiffness over that of Mindlin's spheres; without it the stiffness is gamma F_n / sigma"},
  {0},
};

const JointSample rough_samples[] = {
  {.what       = "two rough surfaces",
   .parameters = {[ROUGHNESS]                  = 0.3,
                  [ASPERITY_RADIUS]            = 0.3,
                  [DENSITY]                    = 2,
                  [BODIES + CONTACT_YOUNG_1]   = 1.1,
                  [BODIES + CONTACT_POISSON_1] = 0.3,
                  [BODIES + CONTACT_YOUNG_2]   = 1.1,
                  [BODIES + CONTACT_POISSON_2] = 0.3,
                  [AREA]                       = 1.5,
                  [LOAD]                       = 0.3,
                  [FRICTION]                   = 0.9,
                  [CUT]                        = 3}},
  {0},
};

RoughSurface RoughSurfaceFrom(const PetscReal p[])
{
  return (RoughSurface){
    .roughness       = p[ROUGHNESS],
    .asperity_radius = p[ASPERITY_RADIUS],
    .density         = p[DENSITY],
    .modulus         = ContactModulus(p + BODIES),
    .shear_modulus   = ContactShearModulus(p + BODIES),
    .area            = p[AREA],
    .load            = p[LOAD],
    .friction        = p[FRICTION],
    .cut             = p[CUT],
    .correction      = p[CORRECTION],
  };
}

/* int_from^to 2 q^(2 power) phi(lowest + q^2) dq, phi being the density of the normal distribution. */
static PetscReal SumPanel(PetscInt power, PetscReal lowest, PetscReal from, PetscReal to)
{
  const PetscReal half = (to - from) / 2, middle = (to + from) / 2;
  PetscReal       sum = 0;

  for (PetscInt k = 0; k < 2 * GAUSS_PAIRS; k++) {
    const PetscReal q = middle + (k % 2 ? -half : half) * gauss_nodes[k / 2], height = lowest + q * q;

    sum += gauss_weights[k / 2] * (power == 1 ? q * q : q * q * q * q) * PetscExpReal(-height * height / 2);
  }
  return 2 * half * sum / PetscSqrtReal(2 * PETSC_PI);
}

/* J_(power - 1/2): int (w)^(power - 1/2) phi over asperities pressed in by w, the highest by `depth`, in units of the roughness. The
   root at w = 0 is removed by w = q^2. Heights below -9 do not count. */
static PetscReal Moment(PetscInt power, PetscReal cut, PetscReal depth)
{
  const PetscReal lowest = cut - depth, begin = PetscMax(0, -9 - lowest);
  const PetscInt  num_panels = 1 + (PetscInt)(depth - begin);
  PetscReal       sum        = 0;

  for (PetscInt i = 0; i < num_panels; i++) {
    const PetscReal from = begin + (depth - begin) * (PetscReal)i / (PetscReal)num_panels;
    const PetscReal to   = begin + (depth - begin) * (PetscReal)(i + 1) / (PetscReal)num_panels;

    sum += SumPanel(power, lowest, PetscSqrtReal(from), PetscSqrtReal(to));
  }
  return sum;
}

/* The load over eta A K sigma^(3/2), with K of eq. 4: what J_(3/2) has to be [eq. 6]. */
static PetscReal Pressing(const RoughSurface *s)
{
  const PetscReal scale = s->density * s->area * 4 / 3 * s->modulus * PetscSqrtReal(s->asperity_radius);

  return s->load / (scale * s->roughness * PetscSqrtReal(s->roughness));
}

/* Between these depths J_(3/2) rises without end; beyond, mean planes would be pressed through each other by ten roughnesses. */
static const PetscReal least_depth = 1e-30;

static PetscReal MostDepth(const RoughSurface *s)
{
  return s->cut + 10;
}

/* Bisection of the logarithm: slow, and never wrong. */
static PetscReal FindDepth(const RoughSurface *s)
{
  const PetscReal pressing = Pressing(s);
  PetscReal       low = least_depth, high = MostDepth(s);

  for (PetscInt i = 0; i < NUM_BISECTIONS; i++) {
    const PetscReal middle = PetscSqrtReal(low) * PetscSqrtReal(high);

    if (middle <= low || middle >= high) break;
    if (Moment(2, s->cut, middle) < pressing) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/* 1/W - 1/(e^W - 1): where the middle of the slope lies, 1/2 without decay. */
static PetscReal DecayFullness(PetscReal decay)
{
  const PetscReal square = decay * decay;

  if (decay > 0.1) return 1 / decay - 1 / expm1(decay);
  return 0.5 - decay / 12 * (1 - square / 60 * (1 - square / 42 * (1 - square / 40)));
}

/* The one root of eq. 39 (errata), less than 1/r. */
static PetscReal FindDecay(PetscReal fullness)
{
  PetscReal low = 0, high = 1 / fullness;

  for (PetscInt i = 0; i < NUM_BISECTIONS; i++) {
    const PetscReal middle = (low + high) / 2;

    if (middle <= low || middle >= high) break;
    if (DecayFullness(middle) > fullness) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

static void FitExponential(RoughModel *model)
{
  const PetscReal nothing = (PetscReal)NAN;

  model->decay         = model->fullness < 0.5 ? FindDecay(model->fullness) : nothing;
  model->decaying      = -model->stiffness / expm1(-model->decay);
  model->level         = model->stiffness / expm1(model->decay);
  model->bouc_wen_b    = model->decay / (2 * model->slip_motion);
  model->bouc_wen_fall = 1 / expm1(model->decay);
}

RoughModel RoughFindModel(const RoughSurface *s)
{
  RoughModel      model = {.cut = s->cut, .depth = FindDepth(s), .slip_force = s->friction * s->load};
  const PetscReal J05 = Moment(1, s->cut, model.depth), J15 = Moment(2, s->cut, model.depth);
  const PetscReal mindlin   = 8 * s->shear_modulus * s->density * s->area * PetscSqrtReal(s->asperity_radius * s->roughness) * J05; /* eq. 26 */
  const PetscReal per_depth = s->friction * s->modulus / (4 * s->shear_modulus); /* lambda of eq. 12, for any two bodies */

  model.separation  = s->roughness * (s->cut - model.depth);
  model.correction  = s->correction > 0 ? s->correction : 2 * J15 / (3 * J05);
  model.stiffness   = model.correction * mindlin;
  model.slip_motion = per_depth * s->roughness * model.depth / model.correction;
  model.fullness    = 2 * J15 / (3 * J05 * model.depth);
  FitExponential(&model);
  return model;
}

const char *RoughRefuse(const RoughSurface *s)
{
  const PetscReal pressing = Pressing(s);
  RoughModel      model;

  if (!(pressing > Moment(2, s->cut, least_depth))) return "the load is too small to press even the highest asperities together";
  if (!(pressing < Moment(2, s->cut, MostDepth(s))))
    return "the load presses the mean planes of the surfaces through each other by more than ten times the roughness";
  model = RoughFindModel(s);
  return SlipRefuse(model.slip_force, model.stiffness);
}

PetscReal RoughSlope(const void *context, PetscReal left)
{
  const RoughModel *const model = context;

  return Moment(1, model->cut, model->depth * left * left) / Moment(1, model->cut, model->depth);
}

PetscReal RoughExponentialSlope(const void *context, PetscReal left)
{
  const RoughModel *const model = context;

  return expm1(model->decay * left * left) / expm1(model->decay);
}

#define ROUGH_FIT "; there is none unless fullness < 1/2"

/* The constants of appendix C of jamshidi2021, in the form that has a memory; see NOTES.md. */
const JointDerived rough_derived[] = {
  {"separation", "m", "y_c: distance of the mean planes"},
  {"slip_force", "N", "Q_L = mu F_n"},
  {"stiffness", "N/m", "K_T: tangent at rest"},
  {"correction", NULL, "xi: stiffness over that of Mindlin's spheres"},
  {"slip_displacement", "m", "x_L: motion from rest at which all asperities slide"},
  {"fullness", NULL, "r = Q_L / (K_T x_L)"},
  {"Lambda_0", "N/m", "of the exponential fit Lambda_1 exp(-Omega_1 u / x_L) - Lambda_0" ROUGH_FIT},
  {"Lambda_1", "N/m", "of the exponential fit"},
  {"Omega_1", NULL, "of the exponential fit"},
  {"k_h", "N/m", "of the Bouc-Wen model f = k_h z, dz/dd = A - (B sgn(d' z) + C) |z|^N until full slip: K_T" ROUGH_FIT},
  {"bouc_wen_A", NULL, "A at rest; on a branch that left (d_r, z_r) in direction s: A = 1 + s B (z_r + bouc_wen_fall (d_r - d))"},
  {"bouc_wen_B", "1/m", "B = Omega_1 / (2 x_L) on branches; twice that on the virgin curve, where A = 1 - B bouc_wen_fall |d|"},
  {"bouc_wen_fall", NULL, "Lambda_0 / K_T"},
  {"bouc_wen_C", "1/m", "C"},
  {"bouc_wen_N", NULL, "N"},
  {0},
};

void RoughDerive(const PetscReal p[], PetscReal values[])
{
  const RoughSurface surface = RoughSurfaceFrom(p);
  const RoughModel   m       = RoughFindModel(&surface);
  const PetscBool    fits    = (PetscBool)!PetscIsNanReal(m.decay);
  const PetscReal    none    = (PetscReal)NAN;
  const PetscReal    all[]   = {
         m.separation,    m.slip_force, m.stiffness,     m.correction,    m.slip_motion,
         m.fullness,      m.level,      m.decaying,      m.decay,         fits ? m.stiffness : none,
    fits ? 1 : none, m.bouc_wen_b, m.bouc_wen_fall, fits ? 0 : none, fits ? 1 : none,
  };

  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) values[i] = all[i];
}
