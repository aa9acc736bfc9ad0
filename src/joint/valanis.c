/* valanis.c - the Valanis law: exact but for the quadratic shape with the full denominator. */
#include "laws.h"
#include <math.h>
#include "engine/rate.h"
#include "engine/relax.h"
#include "engine/slip.h"
#include "engine/valanis_series.h"

enum { STIFFNESS, SLIP_STIFFNESS, STICK_LIMIT, KAPPA, SHAPE, QUADRATIC, BELOW, DENOMINATOR };
enum { LINEAR = 1, CURVED, BILINEAR };
enum { PER_LIMIT = DENOMINATOR + 1, FRACTION, SLOPE_BELOW, CURVATURE, NUM_CONSTANTS };

static const JointParameter parameters[] = {
  {.name = "stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "E0, tangent in stick"},
  {.name = "slip_stiffness", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .unit = "N/m", .help = "Et, tangent in slip"},
  {.name     = "slip_force",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "alpha0, stick limit: the force of slip is alpha0 (1 - Et / E0) above g"},
  {.name = "kappa", .fallback = JOINT_REQUIRED, .most = 1, .help = "passage from stick to slip: the nearer to 1 the sharper"},
  {.name = "shape", .fallback = 1, .least = 1, .most = 3, .whole = PETSC_TRUE, .help = "g: 1 linear, 2 quadratic, 3 bilinear"},
  {.name = "slip_stiffness_quadratic", .fallback = 0, .most = PETSC_INFINITY, .unit = "N/m^2", .help = "Et2 of the quadratic shape"},
  {.name = "slip_stiffness_below", .fallback = 0, .most = PETSC_INFINITY, .unit = "N/m", .help = "Et3 of the bilinear shape, for d <= 0"},
  {.name     = "denominator",
   .fallback = 1,
   .least    = 1,
   .most     = 2,
   .whole    = PETSC_TRUE,
   .help     = "1: g2 = g1 (case I); 2: g2 = f (case II): linear in f, and slips at (1 - kappa Et / E0) times the force"},
  {0},
};

static const JointSample samples[] = {
  {.what       = "linear",
   .parameters = {[STIFFNESS] = 1.5, [SLIP_STIFFNESS] = 0.1, [STICK_LIMIT] = 0.7, [KAPPA] = 0.6, [SHAPE] = LINEAR, [DENOMINATOR] = 1}},
  {.what = "bilinear",
   .parameters =
     {[STIFFNESS] = 1.5, [SLIP_STIFFNESS] = 0.1, [STICK_LIMIT] = 0.7, [KAPPA] = 0.6, [SHAPE] = BILINEAR, [BELOW] = 0.3, [DENOMINATOR] = 1}},
  {.what = "quadratic",
   .parameters =
     {[STIFFNESS] = 3, [SLIP_STIFFNESS] = 0.1, [STICK_LIMIT] = 0.7, [KAPPA] = 0.4, [SHAPE] = CURVED, [QUADRATIC] = 0.1, [DENOMINATOR] = 1},
   .traits = JOINT_NEVER_LEVELS_OFF},
  {.what       = "linear, case II",
   .parameters = {[STIFFNESS] = 1.5, [SLIP_STIFFNESS] = 0.1, [STICK_LIMIT] = 0.7, [KAPPA] = 0.6, [SHAPE] = LINEAR, [DENOMINATOR] = 2}},
  {.what = "quadratic, case II",
   .parameters =
     {[STIFFNESS] = 3, [SLIP_STIFFNESS] = 0.1, [STICK_LIMIT] = 0.7, [KAPPA] = 0.4, [SHAPE] = CURVED, [QUADRATIC] = 0.1, [DENOMINATOR] = 2},
   .traits = JOINT_NEVER_LEVELS_OFF},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  if (p[SLIP_STIFFNESS] >= p[STIFFNESS] || p[BELOW] >= p[STIFFNESS]) return "the stiffness in slip must be below the stiffness in stick";
  if (p[KAPPA] >= 1) return "kappa must be below 1, where the tangent has a pole";
  if (p[KAPPA] > 0.999 && p[QUADRATIC] != 0 && p[DENOMINATOR] == 1)
    return "kappa must not be above 0.999 with slip_stiffness_quadratic: a step would take thousands of others; denominator: 2 has no such bound";
  if (p[QUADRATIC] != 0 && p[SHAPE] != CURVED) return "slip_stiffness_quadratic is only used with shape: 2";
  if (p[BELOW] != 0 && p[SHAPE] != BILINEAR) return "slip_stiffness_below is only used with shape: 3";
  return SlipRefuse(p[STICK_LIMIT], p[STIFFNESS]);
}

/* PER_LIMIT is lambda / E0 of eq. 2, in the form that makes alpha0 the stick limit. */
static void Prepare(const PetscReal p[], PetscReal constants[])
{
  for (PetscInt i = 0; i <= DENOMINATOR; i++) constants[i] = p[i];
  constants[PER_LIMIT]   = 1 / (p[STICK_LIMIT] * (1 - p[KAPPA] * p[SLIP_STIFFNESS] / p[STIFFNESS]));
  constants[FRACTION]    = p[DENOMINATOR] == 1 ? p[KAPPA] : 0;
  constants[SLOPE_BELOW] = p[SHAPE] == BILINEAR ? p[BELOW] : p[SLIP_STIFFNESS];
  constants[CURVATURE]   = p[QUADRATIC];
}

/* g of eqs 3 to 5, and its integral. */
static inline PetscReal Curve(const PetscReal c[], PetscReal x)
{
  return ((x > 0 ? c[SLIP_STIFFNESS] : c[SLOPE_BELOW]) + c[CURVATURE] * PetscAbsReal(x)) * x;
}

static inline PetscReal CurveEnergy(const PetscReal c[], PetscReal x)
{
  return ((x > 0 ? c[SLIP_STIFFNESS] : c[SLOPE_BELOW]) / 2 + c[CURVATURE] * PetscAbsReal(x) / 3) * x * x;
}

static inline PetscReal Tangent(const PetscReal c[], PetscReal sense, PetscReal x, PetscReal force)
{
  const PetscReal q = sense * c[PER_LIMIT] * (force - Curve(c, x));

  return c[STIFFNESS] * (1 - q) / (1 - c[FRACTION] * q);
}

/* What a caller wants to know besides the force. */
typedef enum { FORCE = 0, WORK = 1, MEMORY = 2 } Wanted;

/* A passage on one side of x = 0. */
typedef struct {
  PetscReal force, memory, work;
} Passage;

/* L and exp(L) - 1. */
typedef struct {
  PetscReal logarithm, grown;
} Decay;

/* The change whose Newton step is y, to third order, where p is the second and third derivative over the first. */
static inline PetscReal Householder(PetscReal p, PetscReal y)
{
  return y * (1 + y * (-p / 2 + y * (p * p / 2 - p / 6)));
}

/* a L + b (exp(L) - 1) + rest = 0 for L <= 0, where the left side grows with L; it is convex or concave, so Newton converges from the
   bounds of L, and from near by four times as many digits are right after each step. */
static inline Decay SolveDecay(PetscReal a, PetscReal b, PetscReal rest)
{
  const PetscReal first = -rest / (a + b), far = (b - rest) / a;
  PetscReal       decay = PetscAbsReal(first) < 0.7 ? Householder(b / (a + b), first) : b > 0 ? PetscMin(first, far) : PetscMax(first, far);
  PetscReal       grown = 0, change;

  if (b == 0) return (Decay){first, expm1(first)};
  for (PetscInt i = 0; i < 60; i++) {
    PetscReal below;

    grown  = expm1(decay);
    below  = a + b * (1 + grown);
    change = -(a * decay + b * grown + rest) / below;
    if (PetscAbsReal(change) < 0.7) change = Householder(b * (1 + grown) / below, change);
    decay += change;
    if (PetscAbsReal(change) <= 1e-4)
      return (Decay){decay, grown + (1 + grown) * change * (1 + change * (1.0 / 2 + change * (1.0 / 6 + change / 24)))};
  }
  return (Decay){decay, expm1(decay)};
}

/* g = slope x: q = s (lambda / E0) (F - g) approaches its limit, and with delta = limit - q and a = 1 - kappa limit,
   a ln(delta / delta_0) + kappa (delta - delta_0) = -k y. */
static inline Passage PassStraight(const PetscReal c[], PetscReal start, PetscReal force, PetscReal end, Wanted wanted)
{
  const PetscReal sense = PetscCopysignReal(1, end - start), y = PetscAbsReal(end - start), kappa = c[FRACTION];
  const PetscReal slope = start + end > 0 ? c[SLIP_STIFFNESS] : c[SLOPE_BELOW];
  const PetscReal limit = (c[STIFFNESS] - slope) / (c[STIFFNESS] - kappa * slope), rate = c[PER_LIMIT] * (c[STIFFNESS] - kappa * slope);
  const PetscReal q_0 = sense * c[PER_LIMIT] * (force - slope * start), delta = limit - q_0, a = 1 - kappa * limit;
  const Decay     decay = SolveDecay(a, kappa * delta, rate * y);
  const PetscReal left = delta * (1 + decay.grown), q = limit - left;
  Passage         pass = {.force = slope * end + sense * q / c[PER_LIMIT], .memory = (1 + decay.grown) * (1 - kappa * q_0) / (1 - kappa * q)};

  if (wanted == WORK) {
    const PetscReal change = delta * decay.grown,
                    area   = -(limit * a * decay.logarithm + (limit * kappa - a) * change - kappa * change * (left + delta) / 2);

    pass.work = slope * (end - start) * (end + start) / 2 + area / (rate * c[PER_LIMIT]);
  }
  return pass;
}

/* dF/dy = s E0 + lambda (g - F) with g quadratic. */
static inline Passage PassLinear(const PetscReal c[], PetscReal start, PetscReal force, PetscReal end, Wanted wanted)
{
  const PetscReal step = end - start, length = PetscAbsReal(step), relax = c[STIFFNESS] * c[PER_LIMIT];
  PetscReal       forcing[RELAX_LANES], moments[RELAX_MOMENTS], weights[RELAX_LANES];
  Passage         pass = {.memory = RelaxMoments(relax * length, moments)};

  for (PetscInt j = 0; j < RELAX_LANES; j++)
    forcing[j] = PetscCopysignReal(c[STIFFNESS], step) + relax * Curve(c, start + step * (1 + relax_nodes[j]) / 2);
  RelaxWeights(moments, weights);
  pass.force = force * pass.memory + length * RelaxSum(weights, forcing);
  if (wanted == WORK) pass.work = step * RelaxMean(force, length, moments, forcing);
  return pass;
}

/* q = s (lambda / E0) (F - g) from (start, q) towards end, by Taylor's series with as long a step as it allows. */
static inline PetscReal Advance(const PetscReal c[], PetscReal start, PetscReal end, PetscReal *q_start, PetscReal *log_memory, PetscReal *area,
                                Wanted wanted)
{
  const PetscReal way = end - start, y = PetscAbsReal(way), scale = y * c[PER_LIMIT], away = start + end > 0 ? way : -way;
  const PetscReal falls[]          = {scale * (c[SLIP_STIFFNESS] + 2 * c[CURVATURE] * PetscAbsReal(start)), scale * 2 * c[CURVATURE] * away};
  PetscReal       q[VALANIS_TERMS] = {*q_start}, length = 1, sum, mean = 0;
  const PetscInt  count = ValanisExpand(c[FRACTION], scale * c[STIFFNESS], falls, q, &sum);

  if (count == VALANIS_TERMS) {
    length = PetscMax(1e-6, PetscMin(1, ValanisReach(q)));
    sum    = 0;
    for (PetscInt n = count - 1; n >= 0; n--) sum = sum * length + q[n];
  }
  for (PetscInt n = count - 1; n >= 0 && wanted == WORK; n--) mean = mean * length + q[n] * 2 * relax_halves[n + 1];
  if (wanted == MEMORY) *log_memory -= scale * c[STIFFNESS] * (1 - c[FRACTION]) * ValanisIntegrateSquare(c[FRACTION], count, q, length);
  *area += y * length * mean;
  *q_start = sum;
  return length < 1 ? start + length * way : end;
}

/* q where dF/dx is the slope of g: what slip settles at. */
static PetscReal SlipLevel(const PetscReal c[], PetscReal x)
{
  const PetscReal slope = c[SLIP_STIFFNESS] + 2 * c[CURVATURE] * PetscAbsReal(x);

  return PetscMax(0, c[STIFFNESS] - slope) / (c[STIFFNESS] - c[FRACTION] * PetscMin(slope, c[STIFFNESS]));
}

/* Of a long step only the last part is followed, of 25,000 steps of the series (8 (1 - kappa) stick lengths in slip) at most; before, the joint
   slips. What a Newton iterate far away asks for must not take for ever. */
static inline Passage PassBySteps(const PetscReal c[], PetscReal start, PetscReal force, PetscReal end, Wanted wanted)
{
  const PetscReal sense = PetscCopysignReal(1, end - start), length = 1 / (c[PER_LIMIT] * c[STIFFNESS]);
  const PetscReal reach = PetscMin(10000, 200000 * (1 - c[FRACTION])) * length, before = PetscAbsReal(end - start) - reach;
  const PetscReal begin = before > 0 ? end - sense * reach : start;
  PetscReal       q = sense * c[PER_LIMIT] * (force - Curve(c, start)), x = begin, log_memory = 0, area = 0;

  if (PetscIsInfOrNanReal(end)) return (Passage){end, 0, end};
  if (before > 0) {
    q    = SlipLevel(c, begin);
    area = before * (SlipLevel(c, start) + q) / 2;
  }
  while (x != end && !PetscIsInfOrNanReal(q)) {
    const PetscReal next = PetscAbsReal(end - x) > 4 * length ? x + sense * 4 * length : end;

    x = Advance(c, x, next, &q, &log_memory, &area, wanted);
  }
  return (Passage){Curve(c, end) + sense * q / c[PER_LIMIT], before > 0 ? 0 : PetscExpReal(log_memory),
                   CurveEnergy(c, end) - CurveEnergy(c, start) + area / c[PER_LIMIT]};
}

static inline Passage PassSide(const PetscReal c[], PetscReal start, PetscReal force, PetscReal end, Wanted wanted)
{
  if (c[CURVATURE] == 0) return PassStraight(c, start, force, end, wanted);
  return c[FRACTION] == 0 ? PassLinear(c, start, force, end, wanted) : PassBySteps(c, start, force, end, wanted);
}

/* g has a kink at x = 0, unless it is linear: there a passage to the other side is cut in two. */
static inline Passage Pass(const PetscReal c[], const RatePath *path, Wanted wanted)
{
  PetscReal start = path->start;
  Passage   first = {path->force, 1, 0}, last;

  if (path->start == path->end) return first;
  if (c[SHAPE] != LINEAR && path->start * path->end < 0) {
    first = PassSide(c, start, path->force, 0, wanted);
    start = 0;
  }
  last = PassSide(c, start, first.force, path->end, wanted);
  return (Passage){last.force, first.memory * last.memory, first.work + last.work};
}

static inline RatePoint Move(const PetscReal c[], const RatePath *path, Wanted wanted)
{
  const PetscReal sense = RateSense(path);
  const Passage   pass  = Pass(c, path, wanted);

  return (RatePoint){
    .force       = pass.force,
    .slope       = Tangent(c, sense, path->end, pass.force),
    .start_slope = -Tangent(c, sense, path->start, path->force) * pass.memory,
    .memory      = pass.memory,
  };
}

/* A step, and one that tells its force and tangent only. */
static inline RatePoint Step(const PetscReal c[], const RatePath *path)
{
  return Move(c, path, MEMORY);
}

static inline RatePoint ForceStep(const PetscReal c[], const RatePath *path)
{
  return Move(c, path, FORCE);
}

/* The place X of the slider, F = g(X) + E0 (x - X). Where g is as steep as E0 it stays behind. */
static PetscReal Slider(const PetscReal c[], PetscReal x, PetscReal force)
{
  const PetscReal stretch = c[STIFFNESS] * x - force, soft = c[STIFFNESS] - (stretch > 0 ? c[SLIP_STIFFNESS] : c[SLOPE_BELOW]);
  const PetscReal root = PetscSqrtReal(PetscMax(0, soft * soft - 4 * c[CURVATURE] * PetscAbsReal(stretch)));

  return 2 * PetscCopysignReal(PetscMin(PetscAbsReal(stretch), c[CURVATURE] > 0 ? soft * soft / (4 * c[CURVATURE]) : PETSC_MAX_REAL), stretch) /
         (soft + root);
}

/* The spring E0 between the slider and the end, and g, which the slider stretches. */
static PetscReal Stored(const PetscReal c[], PetscReal x, PetscReal force)
{
  const PetscReal slider = Slider(c, x, force);

  return CurveEnergy(c, slider) + (x - slider) * (Curve(c, slider) + c[STIFFNESS] * (x - slider) / 2);
}

static PetscReal Loss(const PetscReal c[], const RatePath *path, PetscReal force)
{
  return Pass(c, path, WORK).work - (Stored(c, path->end, force) - Stored(c, path->start, path->force));
}

static const JointDerived derived[] = {
  {"lambda", "1/m", "E0 / (slip_force (1 - kappa Et / E0))"},
  {"slip_offset", "N", "force of slip above g where g is straight, of stiffness Et"},
  {"length", "m", "slip_force / E0: motion over which the force builds up"},
  {0},
};

/* Where dF/dx = Et. */
static void Derive(const PetscReal p[], PetscReal values[])
{
  const PetscReal soft = 1 - p[KAPPA] * p[SLIP_STIFFNESS] / p[STIFFNESS];

  values[0] = p[STIFFNESS] / (p[STICK_LIMIT] * soft);
  values[1] = p[STICK_LIMIT] * (1 - p[SLIP_STIFFNESS] / p[STIFFNESS]) * (p[DENOMINATOR] == 1 ? 1 : soft);
  values[2] = p[STICK_LIMIT] / p[STIFFNESS];
}

static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  stiffness[0] = block->parameters[state == JOINT_SLIPPING ? SLIP_STIFFNESS : STIFFNESS];
}

JOINT_EVALUATE(RateEvaluate, ForceStep, RateRemembered)
JOINT_COMMIT(RateCommit, Loss)
JOINT_DIFFERENTIATE(RateDifferentiate, Step, RateRemembered)

const JointLaw joint_law_valanis = {
  .name          = "valanis",
  .summary       = "Valanis law of a frictional joint",
  .equation      = "df/dd = E0 (1 + s (lambda/E0) (g(d) - f)) / (1 + kappa s (lambda/E0) (g(d) - f)),   s = sgn(d')\n"
                   "lambda = E0 / (slip_force (1 - kappa Et / E0)); denominator: 2 leaves it out\n"
                   "g = Et d;   g = Et d + Et2 d |d|;   g = Et d for d > 0, Et3 d for d <= 0",
  .source        = "Valanis 1971; Jalali et al. 2022, eqs 2 to 6",
  .parameters    = parameters,
  .samples       = samples,
  .num_states    = RATE_NUM_STATES,
  .refuse        = Refuse,
  .num_constants = NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .limit         = Limit,
  RATE_LAW,
};
