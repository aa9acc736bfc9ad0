/* lugre.c - LuGre friction: bristles that bend, slip and are damped, and friction that falls with the speed of slip. */
#include "laws.h"
#include <math.h>
#include "engine/decay.h"
#include "engine/gauss.h"
#include "engine/rate.h"
#include "engine/slip.h"

enum { STIFFNESS, STATIC_FORCE, KINETIC_FORCE, STRIBECK_VELOCITY, BRISTLE_DAMPING, VISCOUS };
enum { BRISTLE, KINETIC, RISE, PER_VELOCITY, DAMPING, BEYOND, NUM_CONSTANTS };

static const JointParameter parameters[] = {
  {.name     = "stiffness",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N/m",
   .help     = "sigma_0: stiffness of the bristles, the tangent at rest"},
  {.name     = "static_force",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "F_s: friction of slow slip, at which the bristles slip"},
  {.name     = "kinetic_force",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N",
   .help     = "F_c: friction of fast slip, without the viscous part"},
  {.name     = "stribeck_velocity",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "m/s",
   .help     = "v_s: speed at which friction has fallen by 63 % of the way from F_s to F_c"},
  {.name     = "bristle_damping",
   .fallback = 0,
   .most     = PETSC_INFINITY,
   .unit     = "N s/m",
   .help     = "sigma_1: damping of the bristles, by the rate at which they bend"},
  {.name = "viscous", .fallback = 0, .most = PETSC_INFINITY, .unit = "N s/m", .help = "sigma_2: viscous friction, by the velocity"},
  {0},
};

static const JointSample samples[] = {
  {.what = "friction that falls with speed",
   .parameters =
     {[STIFFNESS] = 1.2, [STATIC_FORCE] = 0.7, [KINETIC_FORCE] = 0.5, [STRIBECK_VELOCITY] = 0.5, [BRISTLE_DAMPING] = 0.1, [VISCOUS] = 0.05}},
  {.what = "constant friction", .parameters = {[STIFFNESS] = 1, [STATIC_FORCE] = 0.6, [KINETIC_FORCE] = 0.6, [STRIBECK_VELOCITY] = 1}},
  {.what       = "friction that falls steeply, with too little viscous friction to be passive",
   .parameters = {[STIFFNESS] = 1.5, [STATIC_FORCE] = 0.8, [KINETIC_FORCE] = 0.4, [STRIBECK_VELOCITY] = 0.2, [BRISTLE_DAMPING] = 0.4},
   .traits     = JOINT_ACTIVE},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  if (p[KINETIC_FORCE] > p[STATIC_FORCE]) return "kinetic_force must not be above static_force; friction that grows with speed is `viscous`";
  return SlipRefuse(p[STATIC_FORCE], p[STIFFNESS]);
}

static void Prepare(const PetscReal p[], PetscReal constants[])
{
  constants[BRISTLE]      = p[STIFFNESS];
  constants[KINETIC]      = p[KINETIC_FORCE];
  constants[RISE]         = p[STATIC_FORCE] - p[KINETIC_FORCE];
  constants[PER_VELOCITY] = 1 / p[STRIBECK_VELOCITY];
  constants[DAMPING]      = p[BRISTLE_DAMPING];
  constants[BEYOND]       = p[VISCOUS];
}

/* The friction g of steady slip without the viscous part, and its slope. */
typedef struct {
  PetscReal force, slope;
} Level;

static inline Level LevelAt(const PetscReal c[], PetscReal velocity)
{
  const PetscReal ratio = velocity * c[PER_VELOCITY], rise = c[RISE] * PetscExpReal(-ratio * ratio);

  return (Level){.force = c[KINETIC] + rise, .slope = -2 * ratio * c[PER_VELOCITY] * rise};
}

/* A step, in its direction. With q = sigma_0 z and dt = sigma_0 dy / g the law is dq/dt = g - q, exactly solved for a g that is linear in
   t: then t = `span` over the step, and q = kept q_0 + start_taken g_0 + end_taken g_1. */
typedef struct {
  PetscReal sense, bent; /* q_0 */
  Level     start, end;
  PetscReal per_length, span, kept, lost, start_taken, end_taken;
} Passage;

static inline Passage Pass(const PetscReal c[], const RatePath *path)
{
  const PetscReal sense = RateSense(path);
  Passage pass = {.sense = sense, .bent = sense * path->force, .start = LevelAt(c, path->start_velocity), .end = LevelAt(c, path->end_velocity)};

  pass.per_length  = 2 * c[BRISTLE] / (pass.start.force + pass.end.force);
  pass.span        = pass.per_length * PetscAbsReal(path->end - path->start);
  pass.lost        = -expm1(-pass.span);
  pass.kept        = 1 - pass.lost;
  pass.end_taken   = pass.span > 0 ? DecayBend(pass.span) / pass.span : 0;
  pass.start_taken = pass.lost - pass.end_taken;
  return pass;
}

/* The force of the bristles, which is what is remembered. */
static inline RatePoint Step(const PetscReal c[], const RatePath *path)
{
  const Passage   pass = Pass(c, path);
  const PetscReal sum = pass.start.force + pass.end.force, change = pass.end.force - pass.start.force;
  const PetscReal share   = pass.span > 0 ? pass.start_taken / pass.span : 0.5;
  const PetscReal by_span = pass.kept * (pass.start.force - pass.bent) + change * share, by_sum = by_span * pass.span / sum;

  return (RatePoint){
    .force         = pass.sense * (pass.kept * pass.bent + pass.lost * pass.start.force + pass.end_taken * change),
    .slope         = by_span * pass.per_length,
    .start_slope   = -by_span * pass.per_length,
    .memory        = pass.kept,
    .damping       = pass.sense * (pass.end_taken - by_sum) * pass.end.slope,
    .start_damping = pass.sense * (pass.start_taken - by_sum) * pass.start.slope,
  };
}

/* With what damps the bristles, sigma_1 dz/dt of the velocity at the moment, and the viscous part. */
static inline RateForce Shown(const PetscReal c[], PetscReal bristles, PetscReal velocity)
{
  const Level     level = LevelAt(c, velocity);
  const PetscReal speed = PetscAbsReal(velocity) / level.force, by_velocity = PetscCopysignReal(1, velocity) - speed * level.slope;

  return (RateForce){
    .force       = bristles * (1 - c[DAMPING] * speed) + (c[DAMPING] + c[BEYOND]) * velocity,
    .by_memory   = 1 - c[DAMPING] * speed,
    .by_velocity = c[DAMPING] * (1 - bristles * by_velocity / level.force) + c[BEYOND],
  };
}

enum { NUM_TERMS = 14 };

/* int q^2 dt over a short step, by the series of q: its terms do not cancel as those of the closed form do. */
static PetscReal SquareShort(const Passage *pass)
{
  PetscReal terms[NUM_TERMS] = {pass->bent, pass->span * (pass->start.force - pass->bent)}, sum = 0;

  terms[2] = pass->span * (pass->end.force - pass->start.force - terms[1]) / 2;
  for (PetscInt k = 3; k < NUM_TERMS; k++) terms[k] = -pass->span * terms[k - 1] / (PetscReal)k;
  for (PetscInt i = 0; i < 2 * GAUSS_PAIRS; i++) {
    const PetscReal place = 0.5 + (i % 2 ? -0.5 : 0.5) * gauss_nodes[i / 2];
    PetscReal       q     = terms[NUM_TERMS - 1];

    for (PetscInt k = NUM_TERMS - 2; k >= 0; k--) q = q * place + terms[k];
    sum += gauss_weights[i / 2] * q * q;
  }
  return pass->span * sum / 2;
}

/* q = steady + change t / span + left exp(-t). */
static PetscReal Square(const Passage *pass)
{
  const PetscReal change = pass->end.force - pass->start.force, steady = pass->start.force - change / pass->span, left = pass->bent - steady;

  if (pass->span < 0.3) return SquareShort(pass);
  return pass->span * (steady * (steady + change) + change * change / 3) + left * left * pass->lost * (1 + pass->kept) / 2 +
         2 * left * (steady * pass->lost + change * pass->start_taken);
}

/* Of the bristles, what slips: int q^2 / g dy. What dampers take is that of the mean velocity of the step: sigma_1 dz and sigma_2 dx. */
static inline PetscReal Loss(const PetscReal c[], const RatePath *path, PetscReal bristles)
{
  const Passage   pass     = Pass(c, path);
  const PetscReal velocity = (path->start_velocity + path->end_velocity) / 2, bent = (bristles - path->force) / c[BRISTLE];

  return Square(&pass) / c[BRISTLE] + velocity * (c[DAMPING] * bent + c[BEYOND] * (path->end - path->start));
}

static const JointDerived derived[] = {
  {"length", "m", "F_s / sigma_0: motion over which the bristles bend until they slip"},
  {"stuck_damping", "N s/m", "sigma_1 + sigma_2: damping at rest"},
  {"passive_viscous", "N s/m", "sigma_1 (F_s / F_c - 1): with a smaller sigma_2 some motions get energy out of the joint"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  values[0] = p[STATIC_FORCE] / p[STIFFNESS];
  values[1] = p[BRISTLE_DAMPING] + p[VISCOUS];
  values[2] = p[BRISTLE_DAMPING] * (p[STATIC_FORCE] / p[KINETIC_FORCE] - 1);
}

static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  stiffness[0] = state == JOINT_SLIPPING ? 0 : block->constants[BRISTLE];
}

RATE_FUNCTIONS_SHOWING(Shown, Step, Loss)

const JointLaw joint_law_lugre = {
  .name          = "lugre",
  .summary       = "LuGre friction: falls with the speed of slip",
  .equation      = "f = sigma_0 z + sigma_1 dz/dt + sigma_2 d'\n"
                   "dz/dt = d' - sigma_0 |d'| z / g(d'),   g(v) = F_c + (F_s - F_c) exp(-(v / v_s)^2)\n"
                   "steady slip: f = g(d') sgn(d') + sigma_2 d'",
  .source        = "Canudas de Wit, Olsson, Astrom, Lischinsky 1995; Barabanov, Ortega 2000",
  .parameters    = parameters,
  .samples       = samples,
  .num_states    = RATE_NUM_VISCOUS_STATES,
  .traits        = JOINT_VISCOUS,
  .refuse        = Refuse,
  .num_constants = NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .limit         = Limit,
  RATE_LAW,
};
