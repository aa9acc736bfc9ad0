/*
  touch.h - points of two rough faces that press on each other, slide in any direction, part and meet again.

  Normal and tangential stiffness grow with the share of the area that touches [eqs 1, 2 of voldrich2009]; friction holds within a
  circle whose radius changes with the load [eqs 3 to 5]. A step maps the elastic trial force back onto the circle. A law says how much
  friction there is. Inline, so that the compiler puts a point into the loops over blocks. See NOTES.md.
*/
#pragma once
#include "functions.h"

/* The parameters that all laws of faces begin with, and the constants that follow. */
enum {
  TOUCH_NORMAL_STIFFNESS,
  TOUCH_NORMAL_OTHER,
  TOUCH_TANGENTIAL_STIFFNESS,
  TOUCH_TANGENTIAL_OTHER,
  TOUCH_ROUGHNESS_ONE,
  TOUCH_ROUGHNESS_OTHER,
  TOUCH_PRELOAD,
  TOUCH_GAP,
  TOUCH_MU,
  TOUCH_NUM_PARAMETERS
};

enum { TOUCH_NORMAL, TOUCH_TANGENTIAL, TOUCH_ROUGHNESS, TOUCH_PER_ROUGHNESS, TOUCH_FRICTION, TOUCH_NUM_CONSTANTS };

enum { TOUCH_DIM = 3 };                /* x, in which the faces approach when it falls; y; z */
enum { TOUCH_DEPTH, TOUCH_NUM_LOCAL }; /* of a point at rest */
/* How far it has slipped, and whether in the last step; of rough faces what the law has taken beyond its store, with where the last step ended: the
   tangential stiffness beyond that at rest and the square of the stretch; and, for laws with JOINT_VISCOUS, how fast it slipped in the last step. */
enum {
  TOUCH_SLIP_Y,
  TOUCH_SLIP_Z,
  TOUCH_SLIPS,
  TOUCH_EXCHANGED,
  TOUCH_STIFFER,
  TOUCH_SQUARE,
  TOUCH_NUM_STATES,
  TOUCH_SPEED = TOUCH_NUM_STATES,
  TOUCH_NUM_VISCOUS_STATES
};

#define TOUCH_FACE(key, in, what) \
  { \
    .name = key, .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .shared = PETSC_TRUE, .unit = in, .help = what \
  }

#define TOUCH_OTHER_FACE(key, in) \
  { \
    .name = key, .fallback = INPUT_OPTIONAL, .most = PETSC_INFINITY, .above = PETSC_TRUE, .shared = PETSC_TRUE, .unit = in, \
    .help = "that of the other face; rigid when not given" \
  }

#define TOUCH_PARAMETERS(of_friction) \
  TOUCH_FACE("normal_stiffness", "N/m", "k_N: against pressing, where all of the face touches"), TOUCH_OTHER_FACE("normal_stiffness_other", "N/m"), \
    TOUCH_FACE("tangential_stiffness", "N/m", "k_T: against sliding, where all of the face touches"), \
    TOUCH_OTHER_FACE("tangential_stiffness_other", "N/m"), \
    {.name = "roughness", .fallback = 0, .most = PETSC_INFINITY, .unit = "m", .help = "R: depth at which all of the face touches; 0: smooth"}, \
    {.name = "roughness_other", .fallback = 0, .most = PETSC_INFINITY, .unit = "m", .help = "that of the other face"}, \
    {.name     = "preload", \
     .fallback = 0, \
     .most     = PETSC_INFINITY, \
     .local    = PETSC_TRUE, \
     .unit     = "N", \
     .help     = "F_N0: presses the faces together at rest"}, \
    {.name = "gap", .fallback = 0, .most = PETSC_INFINITY, .local = PETSC_TRUE, .unit = "m", .help = "between the faces at rest, without preload"}, \
  { \
    .name = "friction", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .help = of_friction \
  }

#define TOUCH_EQUATION \
  "u = u_0 - d_x, t = u / R, share = 3 t^2 - 2 t^3 up to t = 1, then 1\n" \
  "F_N = k_N R (t^3 - t^4 / 2) up to t = 1, then k_N (u - R/2); F_N = 0 where u <= 0;   f_x = F_N0 - F_N, F_N(u_0) = F_N0\n" \
  "stick: f_yz = k_T share (d_yz - s), |f_yz| < mu F_N;   slip: f_yz = mu F_N s'/|s'|;   apart: s = d_yz, no force\n" \
  "both faces together: 1/k_N = 1/k_N1 + 1/k_N2, 1/k_T likewise, R^2 = R_1^2 + R_2^2\n" \
  "stored: int F_N du + k_T share (d_yz - s)^2 / 2. Rough faces with friction have no potential: pressed by du while they are sheared, they also\n" \
  "give k_T share' (d_yz - s)^2 du / 2 that they never took, or lose it where they part; a result tells that sum as `exchanged`"

const char *TouchRefuse(const PetscReal parameters[]);
void        TouchPrepare(const PetscReal parameters[], PetscReal constants[]);
void        TouchPrepareLocal(const PetscReal parameters[], const PetscReal constants[], PetscReal local[]);
void        TouchLimit(const JointBlock *block, JointState state, PetscReal stiffness[]);
void        TouchInspect(const JointBlock *block, const JointHistory *history, const JointMotion *motion, PetscReal state[], PetscReal pressing[]);

void TouchStore(const JointBlock *block, const JointHistory *history, const JointMotion *motion, PetscReal stored[], PetscReal exchanged[]);

/* What presses on a point and what holds it at a depth, with their slopes. */
typedef struct {
  PetscReal load, load_slope;   /* [N] [N/m] */
  PetscReal hold, hold_slope;   /* tangential stiffness [N/m] [N/m^2] */
  PetscReal reach_slope, bends; /* slopes, by the depth, of load / hold, the stretch at which it slips at mu = 1, and of that slope */
} TouchGrip;

/* A smooth face touches altogether as soon as it touches, at u = 0. */
static inline TouchGrip TouchPress(const PetscReal c[], PetscReal depth)
{
  const PetscReal rough = c[TOUCH_ROUGHNESS], t = PetscMin(PetscMax(depth * c[TOUCH_PER_ROUGHNESS], 0), 1);
  const PetscReal share = rough > 0 ? t * t * (3 - 2 * t) : depth >= 0, beyond = PetscMax(depth - rough, 0);
  const PetscReal ratio = c[TOUCH_NORMAL] / c[TOUCH_TANGENTIAL], per_part = 1 / (3 - 2 * t);

  return (TouchGrip){
    .load       = c[TOUCH_NORMAL] * (rough * t * t * t * (1 - t / 2) + beyond),
    .load_slope = c[TOUCH_NORMAL] * share,
    .hold       = c[TOUCH_TANGENTIAL] * share,
    .hold_slope = 6 * c[TOUCH_TANGENTIAL] * t * (1 - t) * c[TOUCH_PER_ROUGHNESS],

    .reach_slope = ratio * (rough > 0 ? (3 - t * (3 - t)) * per_part * per_part : 1),
    .bends       = t < 1 ? ratio * c[TOUCH_PER_ROUGHNESS] * 3 * per_part * per_part * per_part : 0,
  };
}

static inline PetscReal TouchClip(PetscReal value, PetscReal least, PetscReal most)
{
  return PetscMin(PetscMax(value, least), most);
}

/* F_N(rest) - F_N(rest - rise), to the round-off of itself and not of a preload that may be a million times as large: from the
   differences of t and of what lies beyond R, into which the rise goes without being added to the depth. */
static inline PetscReal TouchRelieve(const PetscReal c[], PetscReal rest, PetscReal rise)
{
  const PetscReal rough = c[TOUCH_ROUGHNESS], per_rough = c[TOUCH_PER_ROUGHNESS];
  const PetscReal old = TouchClip(rest * per_rough, 0, 1), less = TouchClip(rise * per_rough - (rest * per_rough - old), old - 1, old),
                  t      = old - less;
  const PetscReal beyond = PetscMin(rise - PetscMin(rest - rough, 0), PetscMax(rest - rough, 0));

  return c[TOUCH_NORMAL] * (rough * less * (old * old + old * t + t * t - 0.5 * (old + t) * (old * old + t * t)) + beyond);
}

/* The tangential force is `pull` times the stretch (y, z) of the spring that holds; the part `keep` of the stretch remains, the rest is
   slip. */
typedef struct {
  TouchGrip grip;
  PetscReal friction;
  PetscReal y, z, pull, keep;
  PetscReal over;                  /* 1 / stretch where it slips, else 0 */
  PetscReal turn;                  /* pull / stretch^2 where it slips, else 0 */
  PetscReal by_depth, by_friction; /* of pull */
} TouchStep;

static inline TouchStep TouchFollow(const PetscReal c[], PetscReal friction, PetscReal depth, PetscReal y, PetscReal z)
{
  const TouchGrip grip    = TouchPress(c, depth);
  const PetscReal stretch = PetscSqrtReal(y * y + z * z), limit = friction * grip.load;
  const PetscBool slips = (PetscBool)(grip.hold * stretch > limit);
  const PetscReal over  = slips ? 1 / stretch : 0;

  return (TouchStep){
    .grip        = grip,
    .friction    = friction,
    .y           = y,
    .z           = z,
    .pull        = slips ? limit * over : grip.hold,
    .keep        = slips ? limit * over / grip.hold : grip.hold > 0,
    .over        = over,
    .turn        = limit * over * over * over,
    .by_depth    = slips ? friction * grip.load_slope * over : grip.hold_slope,
    .by_friction = grip.load * over,
  };
}

/* Friction, and its derivative by the speed at which the point slipped in the last step. */
typedef PetscReal (*TouchFriction)(const PetscReal constants[], PetscReal speed, PetscReal *slope);

/* A point of a block, moved. */
static inline TouchStep TouchMove(const JointBlock *block, const JointHistory *history, const PetscReal displacement[], PetscInt i,
                                  TouchFriction friction, PetscReal *slope)
{
  const PetscInt   n     = block->num_points;
  const PetscReal *s     = history->states;
  const PetscReal  speed = history->num_states > TOUCH_SPEED ? s[TOUCH_SPEED * n + i] : 0;

  return TouchFollow(block->constants, friction(block->constants, speed, slope), block->local[i * TOUCH_NUM_LOCAL + TOUCH_DEPTH] - displacement[i],
                     displacement[n + i] - s[TOUCH_SLIP_Y * n + i], displacement[2 * n + i] - s[TOUCH_SLIP_Z * n + i]);
}

/* Not symmetric: the load changes the friction, but sliding not the load. */
static inline void TouchWriteTangent(const TouchStep *step, PetscInt n, PetscInt i, PetscReal stiffness[])
{
  stiffness[i]         = step->grip.load_slope;
  stiffness[n + i]     = 0;
  stiffness[2 * n + i] = 0;
  stiffness[3 * n + i] = -step->by_depth * step->y;
  stiffness[4 * n + i] = step->pull - step->turn * step->y * step->y;
  stiffness[5 * n + i] = -step->turn * step->y * step->z;
  stiffness[6 * n + i] = -step->by_depth * step->z;
  stiffness[7 * n + i] = -step->turn * step->y * step->z;
  stiffness[8 * n + i] = step->pull - step->turn * step->z * step->z;
}

/* The friction is that of the last step's speed, so nothing depends on the velocity of this one [errata]. */
static inline void TouchEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result,
                                 TouchFriction friction)
{
  const PetscInt n = block->num_points;

  for (PetscInt i = 0; i < n; i++) {
    PetscReal       slope;
    const TouchStep step = TouchMove(block, history, motion->displacement, i, friction, &slope);

    result->force[i]         = TouchRelieve(block->constants, block->local[i * TOUCH_NUM_LOCAL + TOUCH_DEPTH], motion->displacement[i]);
    result->force[n + i]     = step.pull * step.y;
    result->force[2 * n + i] = step.pull * step.z;
    if (result->stiffness) TouchWriteTangent(&step, n, i, result->stiffness);
    if (result->loss) result->loss[i] = step.pull * (1 - step.keep) * (step.y * step.y + step.z * step.z);
  }
  for (PetscInt i = 0; result->damping && i < TOUCH_DIM * TOUCH_DIM * n; i++) result->damping[i] = 0;
}

/* |s'|, of d = s + stretch where it slips: the stretch has the direction of the force, turns with it, and is as long as friction and load let it
   be, mu load / hold. So |s'| is the speed along the force, less that at which the stretch grows; not |d'|, of which the turning takes a part. */
static inline PetscReal TouchSpeed(const TouchStep *step, const PetscReal velocity[], PetscInt n, PetscInt i)
{
  const PetscReal along = step->y * velocity[n + i] + step->z * velocity[2 * n + i];

  return step->over > 0 ? PetscMax(0, along * step->over + step->friction * step->grip.reach_slope * velocity[i]) : 0;
}

/* - k_T share' w^2 du / 2 of the way: the square by trapezoids, which is exact where it does not change. Smooth faces have no slope of the share. */
static inline void TouchExchange(const JointBlock *block, const TouchStep *step, PetscInt i, PetscReal states[])
{
  const PetscInt  n       = block->num_points;
  const PetscReal rest    = TouchPress(block->constants, block->local[i * TOUCH_NUM_LOCAL + TOUCH_DEPTH]).hold;
  const PetscReal stiffer = block->constants[TOUCH_ROUGHNESS] > 0 ? step->grip.hold - rest : 0;
  const PetscReal square  = step->keep * step->keep * (step->y * step->y + step->z * step->z);

  states[TOUCH_EXCHANGED * n + i] -= 0.25 * (states[TOUCH_SQUARE * n + i] + square) * (stiffer - states[TOUCH_STIFFER * n + i]);
  states[TOUCH_STIFFER * n + i] = stiffer;
  states[TOUCH_SQUARE * n + i]  = square;
}

static inline PetscErrorCode TouchCommit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                                         PetscReal dissipated[], TouchFriction friction)
{
  const PetscInt n = block->num_points;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    PetscReal       slope;
    const TouchStep step = TouchMove(block, history, motion->displacement, i, friction, &slope);

    history->states[TOUCH_SLIP_Y * n + i] += (1 - step.keep) * step.y;
    history->states[TOUCH_SLIP_Z * n + i] += (1 - step.keep) * step.z;
    history->states[TOUCH_SLIPS * n + i] = step.by_friction > 0;
    TouchExchange(block, &step, i, history->states);
    if (history->num_states > TOUCH_SPEED) history->states[TOUCH_SPEED * n + i] = TouchSpeed(&step, motion->velocity, n, i);
    dissipated[i] += result->loss[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The change of a speed of slip for changes of the motion, of the stretch (dy, dz) and of the friction. */
static inline PetscReal TouchDifferentiateSpeed(const TouchStep *step, const JointMotion *motion, const JointMotion *dmotion,
                                                const PetscReal dstretch[], PetscReal dfriction, PetscInt n, PetscInt i)
{
  const PetscReal *v = motion->velocity, *dv = dmotion->velocity;
  const PetscReal  y = step->y * step->over, z = step->z * step->over, turned = (dstretch[1] * y - dstretch[0] * z) * step->over;
  const PetscReal  reach = step->grip.reach_slope;

  if (TouchSpeed(step, v, n, i) == 0) return 0;
  return y * dv[n + i] + z * dv[2 * n + i] + turned * (y * v[2 * n + i] - z * v[n + i]) + step->friction * reach * dv[i] +
         (dfriction * reach - step->friction * step->grip.bends * dmotion->displacement[i]) * v[i];
}

/* The change of what TouchExchange does, for a change of the depth and of the stretch that is kept (dy, dz). */
static inline void TouchDifferentiateExchange(const JointBlock *block, const JointHistory *history, const TouchStep *step, PetscInt i,
                                              PetscReal ddepth, const PetscReal dstretch[], PetscReal ds[])
{
  const PetscInt   n     = block->num_points;
  const PetscReal *s     = history->states;
  const PetscReal  rough = block->constants[TOUCH_ROUGHNESS] > 0, square = step->keep * step->keep * (step->y * step->y + step->z * step->z);
  const PetscReal  rest = TouchPress(block->constants, block->local[i * TOUCH_NUM_LOCAL + TOUCH_DEPTH]).hold;
  const PetscReal  rise = rough * (step->grip.hold - rest) - s[TOUCH_STIFFER * n + i], dstiffer = rough * step->grip.hold_slope * ddepth;
  const PetscReal  dsquare = 2 * step->keep * (step->y * dstretch[0] + step->z * dstretch[1]);

  ds[TOUCH_EXCHANGED * n + i] -=
    0.25 * ((ds[TOUCH_SQUARE * n + i] + dsquare) * rise + (s[TOUCH_SQUARE * n + i] + square) * (dstiffer - ds[TOUCH_STIFFER * n + i]));
  ds[TOUCH_STIFFER * n + i] = dstiffer;
  ds[TOUCH_SQUARE * n + i]  = dsquare;
}

/* The slip follows the motion but for the stretch that is kept, force / hold. */
static inline PetscErrorCode TouchDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion,
                                                const JointMotion *dmotion, JointHistory *dhistory, PetscReal dforce[], TouchFriction friction)
{
  const PetscInt   n  = block->num_points;
  const PetscReal *d  = dmotion->displacement;
  PetscReal *const ds = dhistory->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    PetscReal       slope;
    const TouchStep step = TouchMove(block, history, motion->displacement, i, friction, &slope);
    const PetscReal dy = d[n + i] - ds[TOUCH_SLIP_Y * n + i], dz = d[2 * n + i] - ds[TOUCH_SLIP_Z * n + i];
    const PetscReal dfriction = history->num_states > TOUCH_SPEED ? slope * ds[TOUCH_SPEED * n + i] : 0;
    const PetscReal dpull     = step.by_friction * dfriction - step.by_depth * d[i] - step.turn * (step.y * dy + step.z * dz);
    const PetscReal hold = step.grip.hold, dkeep = hold > 0 ? (dpull + step.keep * step.grip.hold_slope * d[i]) / hold : 0;

    dforce[i]         = step.grip.load_slope * d[i];
    dforce[n + i]     = step.pull * dy + dpull * step.y;
    dforce[2 * n + i] = step.pull * dz + dpull * step.z;
    ds[TOUCH_SLIP_Y * n + i] += (1 - step.keep) * dy - dkeep * step.y;
    ds[TOUCH_SLIP_Z * n + i] += (1 - step.keep) * dz - dkeep * step.z;
    ds[TOUCH_SLIPS * n + i] = 0;
    TouchDifferentiateExchange(block, history, &step, i, -d[i], (PetscReal[]){step.keep * dy + dkeep * step.y, step.keep * dz + dkeep * step.z}, ds);
    if (history->num_states > TOUCH_SPEED)
      ds[TOUCH_SPEED * n + i] = TouchDifferentiateSpeed(&step, motion, dmotion, (PetscReal[]){dy, dz}, dfriction, n, i);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A law of this engine: its functions around a friction, and the members of JointLaw that they are. */
#define TOUCH_FUNCTIONS(Friction) \
  JOINT_EVALUATE(TouchEvaluate, Friction) \
  JOINT_COMMIT(TouchCommit, Friction) \
  JOINT_DIFFERENTIATE(TouchDifferentiate, Friction)
#define TOUCH_LAW \
  .dim = TOUCH_DIM, .num_local = TOUCH_NUM_LOCAL, .prepare_local = TouchPrepareLocal, .limit = TouchLimit, .evaluate = Evaluate, .commit = Commit, \
  .inspect = TouchInspect, .store = TouchStore, .differentiate = Differentiate
