/*
  touch.h - points of two rough faces that press on each other, slide in any direction, part and meet again.

  Normal and tangential stiffness grow with the share of the area that touches [eqs 1, 2 of voldrich2009]; friction holds within a
  circle whose radius changes with the load [eqs 3 to 5]. A step goes from the last motion to the next along a straight line: faces meet and part
  within it, and what slips is dragged within the circle (slide.h). A law says how much friction there is. Inline, so that the compiler puts a point
  into the loops over blocks. See NOTES.md.
*/
#pragma once
#include "functions.h"
#include "slide.h"

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

enum { TOUCH_NORMAL, TOUCH_TANGENTIAL, TOUCH_ROUGHNESS, TOUCH_PER_ROUGHNESS, TOUCH_RATIO, TOUCH_FRICTION, TOUCH_NUM_CONSTANTS };

#define TOUCH_ROUND_OFF 2e-15 /* of a square: a stretch of the radius, to its last digits, is not beyond it */
enum { TOUCH_MOST_ITERATIONS = 60 };
enum { TOUCH_DIM = 3 };                /* x, in which the faces approach when it falls; y; z */
enum { TOUCH_DEPTH, TOUCH_NUM_LOCAL }; /* of a point at rest */
/* Where the last step ended; how far it has slipped, and whether in that step; of rough faces what the law has taken beyond its store; and, for laws
   with JOINT_VISCOUS, how fast it slipped at the end of that step. */
enum {
  TOUCH_LAST_X,
  TOUCH_LAST_Y,
  TOUCH_LAST_Z,
  TOUCH_SLIP_Y,
  TOUCH_SLIP_Z,
  TOUCH_SLIPS,
  TOUCH_EXCHANGED,
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
  "of each step, taken as straight, the onset of slip and the turning of its direction are exact, and the faces meet and part within it\n" \
  "both faces together: 1/k_N = 1/k_N1 + 1/k_N2, 1/k_T likewise, R^2 = R_1^2 + R_2^2\n" \
  "stored: int F_N du + k_T share (d_yz - s)^2 / 2. Rough faces with friction have no potential: pressed by du while they are sheared, they also\n" \
  "give k_T share' (d_yz - s)^2 du / 2 that they never took, or lose it where they part; a result tells that sum as `exchanged`"

const char *TouchRefuse(const PetscReal parameters[]);
void        TouchPrepare(const PetscReal parameters[], PetscReal constants[]);
void        TouchPrepareLocal(const PetscReal parameters[], const PetscReal constants[], PetscReal local[]);
void        TouchLimit(const JointBlock *block, JointState state, PetscReal stiffness[]);
void        TouchInspect(const JointBlock *block, const JointHistory *history, const JointMotion *motion, PetscReal state[], PetscReal pressing[]);

void TouchStore(const JointBlock *block, const JointHistory *history, const JointMotion *motion, PetscReal stored[], PetscReal exchanged[]);

/* What presses on a point and what holds it at a depth, with their slopes; and load / hold, the stretch at which it slips at mu = 1. */
typedef struct {
  PetscReal load, load_slope;          /* [N] [N/m] */
  PetscReal hold, hold_slope;          /* tangential stiffness [N/m] [N/m^2] */
  PetscReal reach, reach_slope, bends; /* [m]; by the depth, and the slope of that slope */
} TouchGrip;

/* It touches altogether as soon as it touches, at u = 0. */
static inline TouchGrip TouchPressSmooth(const PetscReal c[], PetscReal depth)
{
  const PetscReal share = depth >= 0, beyond = PetscMax(depth, 0);

  return (TouchGrip){
    .load        = c[TOUCH_NORMAL] * beyond,
    .load_slope  = c[TOUCH_NORMAL] * share,
    .hold        = c[TOUCH_TANGENTIAL] * share,
    .reach       = c[TOUCH_RATIO] * beyond,
    .reach_slope = depth > 0 ? c[TOUCH_RATIO] : 0,
  };
}

static inline TouchGrip TouchPress(const PetscReal c[], PetscReal depth)
{
  const PetscReal rough = c[TOUCH_ROUGHNESS], t = PetscMin(PetscMax(depth * c[TOUCH_PER_ROUGHNESS], 0), 1);
  const PetscReal share = t * t * (3 - 2 * t), beyond = PetscMax(depth - rough, 0);
  const PetscReal ratio = c[TOUCH_RATIO], per_part = 1 / (3 - 2 * t), touches = depth > 0;

  if (rough == 0) return TouchPressSmooth(c, depth);
  return (TouchGrip){
    .load       = c[TOUCH_NORMAL] * (rough * t * t * t * (1 - t / 2) + beyond),
    .load_slope = c[TOUCH_NORMAL] * share,
    .hold       = c[TOUCH_TANGENTIAL] * share,
    .hold_slope = 6 * c[TOUCH_TANGENTIAL] * t * (1 - t) * c[TOUCH_PER_ROUGHNESS],

    .reach       = ratio * (rough * t * (1 - t / 2) * per_part + beyond),
    .reach_slope = touches * ratio * (3 - t * (3 - t)) * per_part * per_part,
    .bends       = t < 1 ? touches * ratio * c[TOUCH_PER_ROUGHNESS] * 3 * per_part * per_part * per_part : 0,
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

/* A step of a point: what it sticks by is a stretch in all of it, what it slips by a Slide. */
typedef struct {
  TouchGrip grip;
  PetscReal friction;
  PetscReal before, depth;                 /* at its beginning and end */
  PetscReal share, per_meeting;            /* the part of it in which they touch; 1 / (depth - before) where they meet in it, else 0 */
  PetscReal gone[2], begin[2], stretch[2]; /* motion along the faces; stretch at the beginning, and at the end if it sticks */
  PetscReal limit, radius;                 /* friction times load, and times reach */
  PetscBool slips;
} TouchStep;

/* The part of a step in which the faces touch: all of it, but for where they meet or part. */
static inline PetscReal TouchShare(PetscReal before, PetscReal depth)
{
  const PetscReal least = PetscMin(before, depth), most = PetscMax(before, depth);

  if (least >= 0) return 1;
  return most > 0 ? most / (most - least) : 0;
}

/* Friction, and its derivative by the speed at which the point slipped in the last step. */
typedef PetscReal (*TouchFriction)(const PetscReal constants[], PetscReal speed, PetscReal *slope);

/* A point of a block, moved. Before they meet, and after they have parted, nothing is stretched. */
static inline TouchStep TouchMove(const JointBlock *block, const JointHistory *history, const PetscReal d[], PetscInt i, TouchFriction friction,
                                  PetscReal *slope)
{
  const PetscInt   n     = block->num_points;
  const PetscReal *s     = history->states;
  const PetscReal  rest  = block->local[i * TOUCH_NUM_LOCAL + TOUCH_DEPTH];
  const PetscReal  speed = history->num_states > TOUCH_SPEED ? s[TOUCH_SPEED * n + i] : 0;
  TouchStep        step  = {.before = rest - s[TOUCH_LAST_X * n + i], .depth = rest - d[i]};

  step.grip        = TouchPress(block->constants, step.depth);
  step.friction    = friction(block->constants, speed, slope);
  step.limit       = step.friction * step.grip.load;
  step.radius      = step.friction * step.grip.reach;
  step.share       = TouchShare(step.before, step.depth);
  step.per_meeting = step.before < 0 && step.depth > 0 ? 1 / (step.depth - step.before) : 0;
  for (PetscInt c = 0; c < 2; c++) {
    const PetscReal last = s[(TOUCH_LAST_Y + c) * n + i], slip = s[(TOUCH_SLIP_Y + c) * n + i], now = d[(1 + c) * n + i];

    step.gone[c]    = now - last;
    step.begin[c]   = last - slip;
    step.stretch[c] = now - slip - (1 - step.share) * step.gone[c];
  }
  step.slips = (PetscBool)(step.stretch[0] * step.stretch[0] + step.stretch[1] * step.stretch[1] > step.radius * step.radius);
  return step;
}

/* The radius at the beginning, and its change: never less than the stretch, of which a friction that falls has left some beyond it. */
static inline PetscReal TouchFrom(const PetscReal c[], const TouchStep *step, PetscReal dbefore, const PetscReal dbegin[2], PetscReal dfriction,
                                  PetscReal *change)
{
  const TouchGrip grip   = TouchPress(c, step->before);
  const PetscReal radius = step->friction * grip.reach, square = step->begin[0] * step->begin[0] + step->begin[1] * step->begin[1];
  PetscReal       stretch;

  if (square <= radius * radius * (1 + TOUCH_ROUND_OFF)) {
    *change = dfriction * grip.reach + step->friction * grip.reach_slope * dbefore;
    return radius;
  }
  stretch = PetscSqrtReal(square);
  *change = (step->begin[0] * dbegin[0] + step->begin[1] * dbegin[1]) / stretch;
  return stretch;
}

static inline void TouchSlide(const PetscReal c[], const TouchStep *step, Slide *slide)
{
  const PetscReal still[2] = {0, 0}, way[2] = {step->share * step->gone[0], step->share * step->gone[1]};
  PetscReal       change;

  SlideAlong(step->begin, way, TouchFrom(c, step, 0, still, 0, &change), step->radius, slide);
}

/* Not symmetric: the load changes the friction, but sliding not the load; and what slips further turns further. */
static inline void TouchWriteStuck(const TouchStep *step, PetscInt n, PetscInt i, PetscReal stiffness[])
{
  const TouchGrip *grip    = &step->grip;
  const PetscReal  meeting = grip->hold * (1 - step->share) * step->per_meeting;

  stiffness[3 * n + i] = -grip->hold_slope * step->stretch[0] - meeting * step->gone[0];
  stiffness[4 * n + i] = grip->hold * step->share;
  stiffness[5 * n + i] = 0;
  stiffness[6 * n + i] = -grip->hold_slope * step->stretch[1] - meeting * step->gone[1];
  stiffness[7 * n + i] = 0;
  stiffness[8 * n + i] = grip->hold * step->share;
}

static inline void TouchWriteSliding(const TouchStep *step, Slide *slide, PetscInt n, PetscInt i, PetscReal stiffness[])
{
  const PetscReal load_slope = step->friction * step->grip.load_slope, radius_slope = step->friction * step->grip.reach_slope;
  const PetscReal left[2] = {-step->limit * slide->n[1], step->limit * slide->n[0]}, meeting = (1 - step->share) * step->per_meeting;
  SlideSlopes     by;
  PetscReal       by_depth;

  SlideDifferentiate(slide, &by);
  by_depth = by.to * radius_slope + meeting * (by.way[0] * step->gone[0] + by.way[1] * step->gone[1]);
  for (PetscInt c = 0; c < 2; c++) {
    stiffness[(3 + 3 * c) * n + i] = -load_slope * slide->n[c] - left[c] * by_depth;
    stiffness[(4 + 3 * c) * n + i] = left[c] * by.way[0] * step->share;
    stiffness[(5 + 3 * c) * n + i] = left[c] * by.way[1] * step->share;
  }
}

/* Of a point that slips: the mean of its friction while it does, times the length. */
static inline PetscReal TouchLoss(const PetscReal c[], const TouchStep *step, const Slide *slide)
{
  const PetscReal first = step->friction * TouchPress(c, step->before).load, onset = first + slide->stuck * (step->limit - first);

  return 0.5 * (onset + step->limit) * SlideLength(slide);
}

/* The friction is that of the last step's speed, so nothing depends on the velocity of this one [errata]. */
static inline void TouchEvaluate(const JointBlock *block, const JointHistory *history, const JointMotion *motion, JointForce *result,
                                 TouchFriction friction)
{
  const PetscInt n = block->num_points;

  for (PetscInt i = 0; i < n; i++) {
    PetscReal       slope;
    const TouchStep step  = TouchMove(block, history, motion->displacement, i, friction, &slope);
    Slide           slide = {0};

    if (step.slips) TouchSlide(block->constants, &step, &slide);
    result->force[i] = TouchRelieve(block->constants, block->local[i * TOUCH_NUM_LOCAL + TOUCH_DEPTH], motion->displacement[i]);
    for (PetscInt c = 0; c < 2; c++) result->force[(1 + c) * n + i] = step.slips ? step.limit * slide.n[c] : step.grip.hold * step.stretch[c];
    if (result->loss) result->loss[i] = step.slips ? TouchLoss(block->constants, &step, &slide) : 0;
    if (!result->stiffness) continue;
    result->stiffness[i]         = step.grip.load_slope;
    result->stiffness[n + i]     = 0;
    result->stiffness[2 * n + i] = 0;
    if (step.slips) TouchWriteSliding(&step, &slide, n, i, result->stiffness);
    else TouchWriteStuck(&step, n, i, result->stiffness);
  }
  for (PetscInt i = 0; result->damping && i < TOUCH_DIM * TOUCH_DIM * n; i++) result->damping[i] = 0;
}

/* |s'|, of d = s + stretch where it slips: the stretch has the direction of the force, turns with it, and is as long as friction and load let it
   be, mu load / hold. So |s'| is the speed along the force, less that at which the stretch grows; not |d'|, of which the turning takes a part.
   Friction is that of this speed itself, S = along + mu(S) rise: with that of the step it would swing about it from one step to the next. mu is
   convex, so Newton's rule from S = along comes near the root from one side; of two roots it finds the one at which it slips faster. */
static inline PetscReal TouchSpeed(const PetscReal c[], const TouchStep *step, const Slide *slide, const PetscReal velocity[], PetscInt n, PetscInt i,
                                   TouchFriction friction)
{
  const PetscReal along = slide->n[0] * velocity[n + i] + slide->n[1] * velocity[2 * n + i], rise = step->grip.reach_slope * velocity[i];
  PetscReal       speed = PetscMax(0, along);

  if (step->grip.load <= 0) return 0;
  for (PetscInt k = 0; k < TOUCH_MOST_ITERATIONS && rise != 0; k++) {
    PetscReal       slope;
    const PetscReal excess = speed - along - friction(c, speed, &slope) * rise, per_speed = 1 - slope * rise, next = speed - excess / per_speed;

    if (per_speed <= 0 || next <= 0) return 0;
    if (rise > 0 ? next <= speed : next >= speed) break; /* no further than round-off */
    speed = next;
  }
  return speed;
}

/* - k_T share' w^2 du / 2 of the way: the square by trapezoids, which is exact where it does not change. Smooth faces have no slope of the share. */
static inline PetscReal TouchExchange(const PetscReal c[], const TouchStep *step, const PetscReal kept[2])
{
  const PetscReal stiffer = c[TOUCH_ROUGHNESS] > 0 ? step->grip.hold - TouchPress(c, step->before).hold : 0;
  const PetscReal squares = step->begin[0] * step->begin[0] + step->begin[1] * step->begin[1] + kept[0] * kept[0] + kept[1] * kept[1];

  return -0.25 * squares * stiffer;
}

/* What the stretch is at the end: none of faces that are apart. */
static inline void TouchKeep(const TouchStep *step, const Slide *slide, PetscReal kept[2])
{
  for (PetscInt c = 0; c < 2; c++) kept[c] = step->slips ? step->radius * slide->n[c] : step->grip.hold > 0 ? step->stretch[c] : 0;
}

/* A point that sticks keeps its slip to the last digit. */
static inline PetscErrorCode TouchCommit(const JointBlock *block, JointHistory *history, const JointMotion *motion, const JointForce *result,
                                         PetscReal dissipated[], TouchFriction friction)
{
  const PetscInt   n = block->num_points;
  PetscReal *const s = history->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    PetscReal       slope, kept[2];
    const TouchStep step  = TouchMove(block, history, motion->displacement, i, friction, &slope);
    Slide           slide = {0};

    if (step.slips) TouchSlide(block->constants, &step, &slide);
    TouchKeep(&step, &slide, kept);
    s[TOUCH_EXCHANGED * n + i] += TouchExchange(block->constants, &step, kept);
    s[TOUCH_SLIPS * n + i] = step.slips && step.grip.load > 0;
    if (history->num_states > TOUCH_SPEED)
      s[TOUCH_SPEED * n + i] = step.slips ? TouchSpeed(block->constants, &step, &slide, motion->velocity, n, i, friction) : 0;
    s[TOUCH_LAST_X * n + i] = motion->displacement[i];
    for (PetscInt c = 0; c < 2; c++) {
      const PetscReal now = motion->displacement[(1 + c) * n + i];

      if (step.slips || step.share < 1) s[(TOUCH_SLIP_Y + c) * n + i] = now - kept[c];
      s[(TOUCH_LAST_Y + c) * n + i] = now;
    }
    dissipated[i] += result->loss[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Changes of what a step takes, and of what it gives: the stretch that is kept, the force along the faces, and the direction of slip. */
typedef struct {
  PetscReal depth, before, friction, gone[2], begin[2];
  PetscReal kept[2], force[2], angle;
} TouchChange;

static inline TouchChange TouchTakeChange(const JointBlock *block, const JointHistory *history, const JointMotion *dmotion,
                                          const JointHistory *dhistory, PetscInt i, PetscReal slope)
{
  const PetscInt         n = block->num_points;
  const PetscReal *const d = dmotion->displacement, *const s = dhistory->states;
  TouchChange change = {.depth = -d[i], .before = -s[TOUCH_LAST_X * n + i]};

  if (history->num_states > TOUCH_SPEED) change.friction = slope * s[TOUCH_SPEED * n + i];
  for (PetscInt c = 0; c < 2; c++) {
    change.gone[c]  = d[(1 + c) * n + i] - s[(TOUCH_LAST_Y + c) * n + i];
    change.begin[c] = s[(TOUCH_LAST_Y + c) * n + i] - s[(TOUCH_SLIP_Y + c) * n + i];
  }
  return change;
}

/* The change of the way on which they touch. */
static inline void TouchChangeWay(const TouchStep *step, const TouchChange *change, PetscReal dway[2])
{
  const PetscReal dshare = ((1 - step->share) * change->depth + step->share * change->before) * step->per_meeting;

  for (PetscInt c = 0; c < 2; c++) dway[c] = step->share * change->gone[c] + dshare * step->gone[c];
}

static inline void TouchChangeStuck(const TouchStep *step, TouchChange *change)
{
  PetscReal dway[2];

  TouchChangeWay(step, change, dway);
  for (PetscInt c = 0; c < 2; c++) {
    change->kept[c]  = step->grip.hold > 0 ? change->begin[c] + dway[c] : 0;
    change->force[c] = step->grip.hold_slope * change->depth * step->stretch[c] + step->grip.hold * change->kept[c];
  }
}

static inline void TouchChangeSliding(const PetscReal c[], const TouchStep *step, Slide *slide, TouchChange *change)
{
  const PetscReal dlimit  = change->friction * step->grip.load + step->friction * step->grip.load_slope * change->depth;
  const PetscReal dradius = change->friction * step->grip.reach + step->friction * step->grip.reach_slope * change->depth;
  const PetscReal left[2] = {-slide->n[1], slide->n[0]};
  SlideSlopes     by;
  PetscReal       dfrom, dway[2];

  SlideDifferentiate(slide, &by);
  TouchFrom(c, step, change->before, change->begin, change->friction, &dfrom);
  TouchChangeWay(step, change, dway);
  change->angle = by.from * dfrom + by.to * dradius;
  for (PetscInt k = 0; k < 2; k++) change->angle += by.begin[k] * change->begin[k] + by.way[k] * dway[k];
  for (PetscInt k = 0; k < 2; k++) {
    change->kept[k]  = dradius * slide->n[k] + step->radius * change->angle * left[k];
    change->force[k] = dlimit * slide->n[k] + step->limit * change->angle * left[k];
  }
}

static inline PetscReal TouchChangeSpeed(const PetscReal c[], const TouchStep *step, const Slide *slide, const TouchChange *change,
                                         const JointMotion *motion, const JointMotion *dmotion, PetscInt n, PetscInt i, TouchFriction friction)
{
  const PetscReal *const v = motion->velocity, *const dv = dmotion->velocity, *const along = slide->n;
  const PetscReal reach = step->grip.reach_slope, dreach = step->grip.bends * change->depth;
  const PetscReal speed = TouchSpeed(c, step, slide, v, n, i, friction);
  PetscReal       slope, mu;

  if (speed == 0) return 0;
  mu = friction(c, speed, &slope);
  return (along[0] * dv[n + i] + along[1] * dv[2 * n + i] + change->angle * (along[0] * v[2 * n + i] - along[1] * v[n + i]) +
          mu * (reach * dv[i] + dreach * v[i])) /
         (1 - slope * reach * v[i]);
}

/* Of what TouchExchange gives. */
static inline PetscReal TouchChangeExchange(const PetscReal c[], const TouchStep *step, const PetscReal kept[2], const TouchChange *change)
{
  const TouchGrip before  = TouchPress(c, step->before);
  const PetscReal stiffer = step->grip.hold - before.hold, dstiffer = step->grip.hold_slope * change->depth - before.hold_slope * change->before;
  PetscReal       squares = 0, dsquares = 0;

  if (c[TOUCH_ROUGHNESS] == 0) return 0;
  for (PetscInt k = 0; k < 2; k++) {
    squares += step->begin[k] * step->begin[k] + kept[k] * kept[k];
    dsquares += 2 * (step->begin[k] * change->begin[k] + kept[k] * change->kept[k]);
  }
  return -0.25 * (dsquares * stiffer + squares * dstiffer);
}

/* The slip follows the motion but for the stretch that is kept. */
static inline PetscErrorCode TouchDifferentiate(const JointBlock *block, const JointHistory *history, const JointMotion *motion,
                                                const JointMotion *dmotion, JointHistory *dhistory, PetscReal dforce[], TouchFriction friction)
{
  const PetscInt         n = block->num_points;
  const PetscReal *const c = block->constants, *const d = dmotion->displacement;
  PetscReal *const ds = dhistory->states;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < n; i++) {
    PetscReal       slope, kept[2];
    const TouchStep step   = TouchMove(block, history, motion->displacement, i, friction, &slope);
    TouchChange     change = TouchTakeChange(block, history, dmotion, dhistory, i, slope);
    Slide           slide  = {0};

    if (step.slips) TouchSlide(c, &step, &slide);
    if (step.slips) TouchChangeSliding(c, &step, &slide, &change);
    else TouchChangeStuck(&step, &change);
    TouchKeep(&step, &slide, kept);
    dforce[i] = step.grip.load_slope * d[i];
    ds[TOUCH_EXCHANGED * n + i] += TouchChangeExchange(c, &step, kept, &change);
    ds[TOUCH_SLIPS * n + i] = 0;
    if (history->num_states > TOUCH_SPEED)
      ds[TOUCH_SPEED * n + i] = step.slips ? TouchChangeSpeed(c, &step, &slide, &change, motion, dmotion, n, i, friction) : 0;
    ds[TOUCH_LAST_X * n + i] = d[i];
    for (PetscInt k = 0; k < 2; k++) {
      dforce[(1 + k) * n + i]        = change.force[k];
      ds[(TOUCH_SLIP_Y + k) * n + i] = d[(1 + k) * n + i] - change.kept[k];
      ds[(TOUCH_LAST_Y + k) * n + i] = d[(1 + k) * n + i];
    }
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
