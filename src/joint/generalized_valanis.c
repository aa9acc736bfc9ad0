/* generalized_valanis.c - the generalized Valanis law: each direction has its own rate, linear in the force, with a polynomial
   of motion and velocity. The step is exact for a velocity that is linear along it. */
#include "laws.h"
#include "engine/rate.h"
#include "engine/relax.h"

/* The terms x^i v^j of P1 and P2, in the order of their parameters. */
enum { X, V, X2, XV, V2, X3, X2V, XV2, V3, X4, X5, NUM_TERMS };

static const struct {
  PetscInt x, v;
} terms[NUM_TERMS] = {{1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}, {3, 0}, {2, 1}, {1, 2}, {0, 3}, {4, 0}, {5, 0}};

enum { C1, C2, P1, BRANCHES = P1 + NUM_TERMS, D1, D2, P2, NUM_PARAMETERS = P2 + NUM_TERMS };

/* For each direction: its constant and its relaxation, then its coefficients. Then whether any of these is of the velocity. */
enum { CONSTANT, RELAX, COEFFICIENTS, NUM_BRANCH = COEFFICIENTS + NUM_TERMS, IS_VISCOUS = 2 * NUM_BRANCH, NUM_CONSTANTS };

static const JointParameter parameters[] = {
  {.name     = "C1",
   .fallback = JOINT_REQUIRED,
   .most     = PETSC_INFINITY,
   .above    = PETSC_TRUE,
   .unit     = "N/m",
   .help     = "stiffness at d = f = 0 when d' > 0"},
  {.name = "C2", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .unit = "1/m", .help = "how fast the force approaches slip"},
  {.name = "P1_x", .fallback = 0, .unit = "N/m^2", .help = "coefficient of P1: d"},
  {.name = "P1_v", .fallback = 0, .unit = "N/m^2 s", .help = "coefficient of P1: d'"},
  {.name = "P1_x2", .fallback = 0, .unit = "N/m^3", .help = "coefficient of P1: d^2"},
  {.name = "P1_xv", .fallback = 0, .unit = "N/m^3 s", .help = "coefficient of P1: d d'"},
  {.name = "P1_v2", .fallback = 0, .unit = "N/m^3 s^2", .help = "coefficient of P1: d'^2"},
  {.name = "P1_x3", .fallback = 0, .unit = "N/m^4", .help = "coefficient of P1: d^3"},
  {.name = "P1_x2v", .fallback = 0, .unit = "N/m^4 s", .help = "coefficient of P1: d^2 d'"},
  {.name = "P1_xv2", .fallback = 0, .unit = "N/m^4 s^2", .help = "coefficient of P1: d d'^2"},
  {.name = "P1_v3", .fallback = 0, .unit = "N/m^4 s^3", .help = "coefficient of P1: d'^3"},
  {.name = "P1_x4", .fallback = 0, .unit = "N/m^5", .help = "coefficient of P1: d^4"},
  {.name = "P1_x5", .fallback = 0, .unit = "N/m^6", .help = "coefficient of P1: d^5"},
  {.name     = "branches",
   .fallback = 1,
   .least    = 1,
   .most     = 2,
   .whole    = PETSC_TRUE,
   .help     = "1: a symmetric joint, D1 = C1, D2 = -C2, P2(d, d') = P1(-d, -d'); 2: d' <= 0 has its own D1, D2, P2"},
  {.name = "D1", .fallback = 0, .most = PETSC_INFINITY, .unit = "N/m", .help = "C1 when d' <= 0"},
  {.name = "D2", .fallback = 0, .unit = "1/m", .help = "C2 when d' <= 0; negative"},
  {.name = "P2_x", .fallback = 0, .unit = "N/m^2", .help = "coefficient of P2: d"},
  {.name = "P2_v", .fallback = 0, .unit = "N/m^2 s", .help = "coefficient of P2: d'"},
  {.name = "P2_x2", .fallback = 0, .unit = "N/m^3", .help = "coefficient of P2: d^2"},
  {.name = "P2_xv", .fallback = 0, .unit = "N/m^3 s", .help = "coefficient of P2: d d'"},
  {.name = "P2_v2", .fallback = 0, .unit = "N/m^3 s^2", .help = "coefficient of P2: d'^2"},
  {.name = "P2_x3", .fallback = 0, .unit = "N/m^4", .help = "coefficient of P2: d^3"},
  {.name = "P2_x2v", .fallback = 0, .unit = "N/m^4 s", .help = "coefficient of P2: d^2 d'"},
  {.name = "P2_xv2", .fallback = 0, .unit = "N/m^4 s^2", .help = "coefficient of P2: d d'^2"},
  {.name = "P2_v3", .fallback = 0, .unit = "N/m^4 s^3", .help = "coefficient of P2: d'^3"},
  {.name = "P2_x4", .fallback = 0, .unit = "N/m^5", .help = "coefficient of P2: d^4"},
  {.name = "P2_x5", .fallback = 0, .unit = "N/m^6", .help = "coefficient of P2: d^5"},
  {0},
};

static const JointSample samples[] = {
  {.what = "symmetric, straight slip lines", .parameters = {[C1] = 1.1, [C2] = 1.4, [P1 + X] = 0.3, [BRANCHES] = 1}},
  {.what       = "symmetric, slip lines that bend with motion and velocity",
   .parameters = {[C1]       = 1.1,
                  [C2]       = 1.4,
                  [P1 + X]   = 0.3,
                  [P1 + V]   = 0.2,
                  [P1 + X2]  = 0.1,
                  [P1 + V2]  = -0.1,
                  [P1 + X3]  = 0.05,
                  [P1 + X2V] = 0.03,
                  [P1 + X4]  = 0.02,
                  [P1 + X5]  = 0.01,
                  [BRANCHES] = 1},
   .traits     = JOINT_NEVER_LEVELS_OFF},
  {.what       = "two branches",
   .parameters = {[C1] = 1.1, [C2] = 1.4, [P1 + X] = 0.3, [P1 + XV2] = 0.1, [BRANCHES] = 2, [D1] = 0.9, [D2] = -1.2, [P2 + X] = -0.2, [P2 + V] = 0.1},
   .traits     = JOINT_NEVER_LEVELS_OFF},
  {0},
};

static const char *Refuse(const PetscReal p[])
{
  if (p[BRANCHES] > 1) {
    if (p[D1] <= 0) return "with branches: 2, D1 must be positive: it is the stiffness after a reversal from the right";
    if (p[D2] > 0) return "with branches: 2, D2 must not be positive: that branch would diverge (a symmetric joint has D2 = -C2)";
    return NULL;
  }
  for (PetscInt i = D1; i < NUM_PARAMETERS; i++) {
    if (p[i] != 0) return "D1, D2 and P2 are only used with branches: 2; a symmetric joint has them from C1, C2 and P1";
  }
  return NULL;
}

/* A symmetric joint gives the opposite force for the opposite path: P2(x, v) = P1(-x, -v). */
static void Prepare(const PetscReal p[], PetscReal constants[])
{
  const PetscBool two  = (PetscBool)(p[BRANCHES] > 1);
  PetscReal      *back = constants + NUM_BRANCH;

  constants[CONSTANT] = p[C1];
  constants[RELAX]    = p[C2];
  back[CONSTANT]      = two ? p[D1] : p[C1];
  back[RELAX]         = two ? -p[D2] : p[C2];

  constants[IS_VISCOUS] = 0;
  for (PetscInt i = 0; i < NUM_TERMS; i++) {
    const PetscReal mirrored = (terms[i].x + terms[i].v) % 2 ? -p[P1 + i] : p[P1 + i];

    constants[COEFFICIENTS + i] = p[P1 + i];
    back[COEFFICIENTS + i]      = two ? p[P2 + i] : mirrored;
    if (terms[i].v > 0 && (p[P1 + i] != 0 || back[COEFFICIENTS + i] != 0)) constants[IS_VISCOUS] = 1;
  }
}

/* P and dP/dv at the nodes of relax.h along a step. */
static inline void Sample(const PetscReal c[], const RatePath *path, PetscReal value[RELAX_LANES], PetscReal by_velocity[RELAX_LANES])
{
  const PetscReal dx = (path->end - path->start) / 2, dv = (path->end_velocity - path->start_velocity) / 2;

  for (PetscInt j = 0; j < RELAX_LANES; j++) {
    const PetscReal x = path->start + dx * (1 + relax_nodes[j]), v = path->start_velocity + dv * (1 + relax_nodes[j]);

    value[j] =
      v * (c[V] + v * (c[V2] + v * c[V3])) + x * (c[X] + v * (c[XV] + v * c[XV2]) + x * (c[X2] + v * c[X2V] + x * (c[X3] + x * (c[X4] + x * c[X5]))));
    by_velocity[j] = c[V] + v * (2 * c[V2] + v * 3 * c[V3]) + x * (c[XV] + 2 * c[XV2] * v + x * c[X2V]);
  }
}

/* dF/dy = forcing - relax F in direction s, with forcing = s C1 + P1 forwards and -D1 - P2 backwards. */
typedef struct {
  PetscReal sense, length, relax, memory;
  PetscReal forcing[RELAX_LANES], by_velocity[RELAX_LANES], moments[RELAX_MOMENTS];
} Passage;

static inline Passage Pass(const PetscReal c[], const RatePath *path)
{
  const PetscReal  sense  = RateSense(path);
  const PetscReal *branch = sense > 0 ? c : c + NUM_BRANCH;
  Passage          pass   = {.sense = sense, .length = PetscAbsReal(path->end - path->start), .relax = branch[RELAX]};

  Sample(branch + COEFFICIENTS, path, pass.forcing, pass.by_velocity);
  for (PetscInt j = 0; j < RELAX_LANES; j++) pass.forcing[j] = sense * (branch[CONSTANT] + pass.forcing[j]);
  pass.memory = RelaxMoments(pass.relax * pass.length, pass.moments);
  return pass;
}

/* The rate where the step ends; and what the velocities change along it, of which a longer step keeps the ends. The velocity at the end
   counts with its share (1 + t) / 2. */
static inline RatePoint Step(const PetscReal c[], const RatePath *path)
{
  const Passage   pass = Pass(c, path);
  const PetscReal dx = path->end - path->start, dv = path->end_velocity - path->start_velocity;
  PetscReal       weights[RELAX_LANES], shares[RELAX_TERMS], force, by_end = 0, by_start = 0;

  RelaxWeights(pass.moments, weights);
  force = path->force * pass.memory + pass.length * RelaxSum(weights, pass.forcing);
  if (c[IS_VISCOUS] > 0) {
    for (PetscInt k = 0; k < RELAX_TERMS; k++) shares[k] = (pass.moments[k] + pass.moments[k + 1]) / 2;
    by_start = RelaxSum(weights, pass.by_velocity);
    RelaxWeights(shares, weights);
    by_end = RelaxSum(weights, pass.by_velocity);
    by_start -= by_end;
  }
  return (RatePoint){
    .force         = force,
    .slope         = pass.sense * (pass.forcing[RELAX_LAST] - pass.relax * force) - dv * by_end,
    .start_slope   = -pass.sense * (pass.forcing[RELAX_FIRST] - pass.relax * path->force) * pass.memory - dv * by_start,
    .memory        = pass.memory,
    .damping       = dx * by_end,
    .start_damping = dx * by_start,
  };
}

/* The work less what is stored, F^2 / (2 C1): over a steady cycle all of the work. The law itself may give energy back. */
static inline PetscReal Loss(const PetscReal c[], const RatePath *path, PetscReal force)
{
  const Passage   pass = Pass(c, path);
  const PetscReal mean = RelaxMean(path->force, pass.length, pass.moments, pass.forcing);

  return pass.sense * pass.length * mean - (force - path->force) * (force + path->force) / (2 * c[CONSTANT]);
}

static const JointDerived derived[] = {
  {"length_forward", "m", "1 / C2: motion over which the force approaches slip; there is none without C2"},
  {"slip_force_forward", "N", "force of slow slip forwards where d = 0"},
  {"length_backward", "m", "-1 / D2; there is none without D2"},
  {"slip_force_backward", "N", "force of slow slip backwards where d = 0, negative"},
  {0},
};

/* Slip at no velocity is the polynomial that solves dF/dy = forcing - relax F: at d = 0 sum over forcing's terms c d^i of
   i! c / relax^(i+1), with the sign of -s at each derivative. */
static PetscReal SlipForce(const PetscReal branch[], PetscReal sense)
{
  PetscReal factorials[RELAX_TERMS] = {1}, force = branch[CONSTANT] / branch[RELAX];

  for (PetscInt k = 1; k < RELAX_TERMS; k++) factorials[k] = -sense * (PetscReal)k * factorials[k - 1] / branch[RELAX];
  for (PetscInt i = 0; i < NUM_TERMS; i++) {
    if (terms[i].v == 0) force += branch[COEFFICIENTS + i] * factorials[terms[i].x] / branch[RELAX];
  }
  return sense * force;
}

static void Derive(const PetscReal p[], PetscReal values[])
{
  PetscReal       constants[NUM_CONSTANTS];
  const PetscReal none = (PetscReal)NAN;

  Prepare(p, constants);
  for (PetscInt b = 0; b < 2; b++) {
    const PetscReal *branch = constants + b * NUM_BRANCH;

    values[2 * b]     = branch[RELAX] > 0 ? 1 / branch[RELAX] : none;
    values[2 * b + 1] = branch[RELAX] > 0 ? SlipForce(branch, b == 0 ? 1 : -1) : none;
  }
}

static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  const PetscReal *p = block->parameters;

  stiffness[0] = state == JOINT_SLIPPING && p[C2] > 0 ? p[P1] / p[C2] : p[C1];
}

RATE_FUNCTIONS(Step, Loss)

const JointLaw joint_law_generalized_valanis = {
  .name          = "generalized_valanis",
  .summary       = "generalized Valanis law: asymmetric loops, forces that depend on velocity",
  .equation      = "df/dd = C1 + P1(d, d') - C2 f   when d' > 0\n"
                   "df/dd = D1 + P2(d, d') - D2 f   when d' <= 0\n"
                   "eq. 8 with P = a d:                P1_x = a, branches: 1\n"
                   "eq. 8 with P = a d + b d^2 sgn(d'): P1_x = a, P1_x2 = b, branches: 1 (this is what eq. 11 solves)\n"
                   "eq. 8 with P = a d + b d^2 |d'|:    P1_x = a, P1_x2v = b, branches: 2, D1 = C1, D2 = -C2, P2_x = -a, P2_x2v = b",
  .source        = "Jalali et al. 2022, eqs 7, 8",
  .parameters    = parameters,
  .samples       = samples,
  .num_states    = RATE_NUM_VISCOUS_STATES,
  .traits        = JOINT_VISCOUS | JOINT_ACTIVE,
  .refuse        = Refuse,
  .num_constants = NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .limit         = Limit,
  RATE_LAW,
};
