/* bouc_wen.c - the Bouc-Wen law: exact for N = 1, by sub-steps otherwise. */
#include <math.h>
#include "laws.h"
#include "rate.h"

enum { K_L, K_H, GROWTH, B, C, EXPONENT };
enum { LOADING = EXPONENT + 1, UNLOADING, MOST, NUM_CONSTANTS };

static const JointParameter parameters[] = {
  {.name = "k_l", .fallback = 0, .most = PETSC_INFINITY, .unit = "N/m", .help = "elastic spring"},
  {.name = "k_h", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "hysteretic spring"},
  {.name = "A", .fallback = 1, .most = PETSC_INFINITY, .above = PETSC_TRUE, .help = "growth of z at rest"},
  {.name = "B", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "1/m^N", .help = "limits z in either direction"},
  {.name = "C", .fallback = 0, .unit = "1/m^N", .help = "limits z when loading more than when unloading"},
  {.name = "N", .fallback = 1, .least = 1, .most = 100, .help = "sharpness of the passage into slip"},
  {0},
};

/* It gives back no more than it took when -B <= C <= B [Erlicher, Point 2004]; without B + C > 0 nothing limits z. */
static const char *Refuse(const PetscReal p[])
{
  if (p[C] > p[B]) return "C must not be above B: unloading would create energy";
  if (p[C] <= -p[B]) return "C must be above -B: the force would have no limit";
  return NULL;
}

static PetscInt CountConstants(const PetscReal p[])
{
  (void)p;
  return NUM_CONSTANTS;
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  for (PetscInt i = 0; i <= EXPONENT; i++) constants[i] = p[i];
  constants[LOADING]   = p[B] + p[C];
  constants[UNLOADING] = p[B] - p[C];
  constants[MOST]      = PetscPowReal(p[GROWTH] / constants[LOADING], 1 / p[EXPONENT]);
}

/* In direction s of the step eta = s z obeys d eta/dy = A - (B + C) eta^N where eta > 0 and A + (B - C) |eta|^N where not. */
typedef struct {
  PetscReal eta, memory, area; /* z along the step, its derivative by the start, int eta dy */
} Passage;

/* N = 1, on one side of 0: d eta/dy = A - relax eta. */
static inline Passage Relax(const PetscReal c[], PetscReal eta, PetscReal relax, PetscReal y)
{
  const PetscReal kept = -expm1(-relax * y), gain = relax * y > 0 ? kept / relax : y;

  return (Passage){.eta = eta + (c[GROWTH] - relax * eta) * gain, .memory = 1 - kept};
}

/* int of that: the mean of the engine, which cancels nothing. */
static PetscReal RelaxArea(const PetscReal c[], PetscReal eta, PetscReal relax, PetscReal y)
{
  return y * RateRelax(eta, relax, y, 0, &c[GROWTH]).mean;
}

/* How far it is to eta = 0 for N = 1. */
static inline PetscReal FindZero(const PetscReal c[], PetscReal eta)
{
  const PetscReal ratio = -c[UNLOADING] * eta / c[GROWTH];

  return ratio > 0 ? log1p(ratio) / c[UNLOADING] : -eta / c[GROWTH];
}

static Passage PassExactly(const PetscReal c[], PetscReal eta, PetscReal y, PetscBool with_area)
{
  const PetscReal zero  = eta < 0 ? PetscMin(y, FindZero(c, eta)) : 0;
  Passage         first = {eta, 1, 0}, second;

  if (zero > 0) {
    first = Relax(c, eta, c[UNLOADING], zero);
    if (with_area) first.area = RelaxArea(c, eta, c[UNLOADING], zero);
    if (zero == y) return first;
    first.eta = 0;
  }
  second = Relax(c, first.eta, c[LOADING], y - zero);
  if (with_area) second.area = RelaxArea(c, first.eta, c[LOADING], y - zero);
  return (Passage){second.eta, first.memory * second.memory, first.area + second.area};
}

/* |z|^N, and its derivative by |z|. */
static PetscReal Power(const PetscReal c[], PetscReal z, PetscReal *slope)
{
  const PetscReal lower = PetscPowReal(z, c[EXPONENT] - 1);

  *slope = c[EXPONENT] * lower;
  return lower * z;
}

static PetscReal Loading(const PetscReal c[], PetscReal y, PetscReal eta, PetscReal *change)
{
  const PetscReal power = Power(c, PetscMax(0, eta), change);

  (void)y;
  *change *= -c[LOADING];
  return c[GROWTH] - c[LOADING] * power;
}

static PetscReal Unloading(const PetscReal c[], PetscReal y, PetscReal eta, PetscReal *change)
{
  const PetscReal power = Power(c, PetscMax(0, -eta), change);

  (void)y;
  *change *= -c[UNLOADING];
  return c[GROWTH] + c[UNLOADING] * power;
}

/* dy/d|eta| of unloading: it does not depend on y. */
static PetscReal Way(const PetscReal c[], PetscReal eta, PetscReal y, PetscReal *change)
{
  PetscReal slope;

  (void)y;
  *change = 0;
  return 1 / (c[GROWTH] + c[UNLOADING] * Power(c, PetscMax(0, eta), &slope));
}

/* Any N: past 40 lengths MOST / A of loading nothing changes any more, exp(-40) being below a rounding. */
static Passage PassBySteps(const PetscReal c[], PetscReal eta, PetscReal y)
{
  const PetscReal length = c[MOST] / c[GROWTH];
  Passage         first  = {eta, 1, 0};
  PetscReal       rest   = y, moving;
  RateTrace       trace;

  if (eta < 0) {
    const RateTrace way = RateIntegrate(Way, c, 0, 0, -eta, length);

    if (y < way.force) {
      trace = RateIntegrate(Unloading, c, 0, eta, y, c[MOST]);
      return (Passage){trace.force, trace.memory, trace.work};
    }
    first = (Passage){0, c[GROWTH] * Way(c, -eta, 0, &rest), way.work + eta * way.force};
    rest  = y - way.force;
  }
  moving = PetscMin(rest, 40 * length);
  trace  = RateIntegrate(Loading, c, 0, PetscMin(first.eta, c[MOST]), moving, c[MOST]);
  return (Passage){trace.force, first.memory * (moving < rest ? 0 : trace.memory), first.area + trace.work + trace.force * (rest - moving)};
}

static inline Passage Pass(const PetscReal c[], const RatePath *path, PetscBool with_area)
{
  const PetscReal y = PetscAbsReal(path->end - path->start), z = (path->force - c[K_L] * path->start) / c[K_H];
  const PetscReal eta = y == 0 ? PetscAbsReal(z) : PetscCopysignReal(1, path->end - path->start) * z;

  return c[EXPONENT] == 1 ? PassExactly(c, eta, y, with_area) : PassBySteps(c, eta, y);
}

static inline RatePoint Step(const PetscReal c[], const RatePath *path)
{
  const PetscReal sense = PetscCopysignReal(1, path->end == path->start ? path->force - c[K_L] * path->start : path->end - path->start);
  const Passage   pass  = Pass(c, path, PETSC_FALSE);
  const PetscReal power = c[EXPONENT] == 1 ? PetscAbsReal(pass.eta) : PetscPowReal(PetscAbsReal(pass.eta), c[EXPONENT]);
  const PetscReal slope = c[K_H] * (pass.eta < 0 ? c[GROWTH] + c[UNLOADING] * power : c[GROWTH] - c[LOADING] * power);

  return (RatePoint){
    .force       = c[K_L] * path->end + c[K_H] * sense * pass.eta,
    .slope       = c[K_L] + slope,
    .start_slope = -slope - c[K_L] * pass.memory,
    .memory      = pass.memory,
  };
}

/* The work on z less what k_h z^2 / (2 A) stores more. */
static PetscReal Loss(const PetscReal c[], const RatePath *path, PetscReal force)
{
  const PetscReal z_0 = (path->force - c[K_L] * path->start) / c[K_H], z = (force - c[K_L] * path->end) / c[K_H];

  return c[K_H] * (Pass(c, path, PETSC_TRUE).area - (z - z_0) * (z + z_0) / (2 * c[GROWTH]));
}

static const JointDerived derived[] = {
  {"z_max", "m", "limit of z, (A / (B + C))^(1/N)"},
  {"limit_force", "N", "force of the hysteretic part in full slip, k_h z_max"},
  {"stuck_stiffness", "N/m", "tangent at rest, k_l + k_h A"},
  {"length", "m", "motion over which z builds up, z_max / A"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  values[0] = PetscPowReal(p[GROWTH] / (p[B] + p[C]), 1 / p[EXPONENT]);
  values[1] = p[K_H] * values[0];
  values[2] = p[K_L] + p[K_H] * p[GROWTH];
  values[3] = values[0] / p[GROWTH];
}

static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  const PetscReal *p = block->parameters;

  stiffness[0] = state == JOINT_SLIPPING ? p[K_L] : p[K_L] + p[K_H] * p[GROWTH];
}

static void Evaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result)
{
  RateEvaluate(block, history, motion, result, Step, Loss);
}

static PetscErrorCode Differentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, const JointMotion *dmotion,
                                    JointHistory *dhistory, PetscReal dforce[])
{
  return RateDifferentiate(block, history, motion, dmotion, dhistory, dforce, Step);
}

const JointLaw joint_law_bouc_wen = {
  .name            = "bouc_wen",
  .summary         = "Bouc-Wen law",
  .equation        = "f = k_l d + k_h z\n"
                     "dz/dd = A - (B sgn(d' z) + C) |z|^N",
  .source          = "Jamshidi, Koochakinejad 2021, eq. 44; Ismail et al. 2009",
  .parameters      = parameters,
  .dim             = 1,
  .num_states      = RATE_NUM_STATES,
  .refuse          = Refuse,
  .count_constants = CountConstants,
  .prepare         = Prepare,
  .derived         = derived,
  .derive          = Derive,
  .limit           = Limit,
  .evaluate        = Evaluate,
  .commit          = RateCommit,
  .differentiate   = Differentiate,
};
