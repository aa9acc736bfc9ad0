/* touch.c - what follows from the parameters of rough faces. */
#include "touch.h"
#include <math.h>

enum { MOST_ITERATIONS = 60 };

const char *TouchRefuse(const PetscReal p[])
{
  return p[TOUCH_GAP] > 0 && p[TOUCH_PRELOAD] > 0 ? "preload and gap exclude each other: faces that press on each other leave no gap" : NULL;
}

/* Springs in series; one that is not given is rigid. */
static PetscReal InSeries(PetscReal first, PetscReal second)
{
  return second > 0 ? 1 / (1 / first + 1 / second) : first;
}

/* Two rough faces are one against a smooth rigid wall [section 2.1 of voldrich2009]. */
void TouchPrepare(const PetscReal p[], PetscReal constants[])
{
  const PetscReal roughness = hypot(p[TOUCH_ROUGHNESS_ONE], p[TOUCH_ROUGHNESS_OTHER]);

  constants[TOUCH_NORMAL]        = InSeries(p[TOUCH_NORMAL_STIFFNESS], p[TOUCH_NORMAL_OTHER]);
  constants[TOUCH_TANGENTIAL]    = InSeries(p[TOUCH_TANGENTIAL_STIFFNESS], p[TOUCH_TANGENTIAL_OTHER]);
  constants[TOUCH_ROUGHNESS]     = roughness;
  constants[TOUCH_PER_ROUGHNESS] = roughness > 0 ? 1 / roughness : 0;
  constants[TOUCH_RATIO]         = constants[TOUCH_NORMAL] / constants[TOUCH_TANGENTIAL];
  constants[TOUCH_FRICTION]      = p[TOUCH_MU];
}

/* t^3 - t^4 / 2 = wanted by Newton's rule from above, where it is convex: every iterate is nearer. */
static PetscReal FindShare(PetscReal wanted)
{
  PetscReal t = PetscMin(1, cbrt(2 * wanted));

  for (PetscInt i = 0; i < MOST_ITERATIONS; i++) {
    const PetscReal next = t - (t * t * t * (1 - t / 2) - wanted) / (t * t * (3 - 2 * t));

    if (!(next < t)) break;
    t = next;
  }
  return t;
}

/* Eq. 2, inverted. */
static PetscReal FindDepth(const PetscReal c[], PetscReal load)
{
  const PetscReal wanted = load / c[TOUCH_NORMAL];

  if (2 * wanted >= c[TOUCH_ROUGHNESS]) return wanted + c[TOUCH_ROUGHNESS] / 2;
  return wanted > 0 ? c[TOUCH_ROUGHNESS] * FindShare(wanted / c[TOUCH_ROUGHNESS]) : 0;
}

void TouchPrepareLocal(const PetscReal p[], const PetscReal constants[], PetscReal local[])
{
  local[TOUCH_DEPTH] = p[TOUCH_GAP] > 0 ? -p[TOUCH_GAP] : FindDepth(constants, p[TOUCH_PRELOAD]);
}

/* Slip is under the preload. */
void TouchLimit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  const TouchGrip grip = TouchPress(block->constants, block->local[TOUCH_DEPTH]);

  for (PetscInt i = 0; i < TOUCH_DIM * TOUCH_DIM; i++) stiffness[i] = 0;
  stiffness[0] = grip.load_slope;
  if (state == JOINT_STUCK) stiffness[TOUCH_DIM + 1] = stiffness[2 * TOUCH_DIM + 2] = grip.hold;
}

void TouchInspect(const JointBlock *block, const JointHistory *history, const JointMotion *motion, PetscReal state[], PetscReal pressing[])
{
  for (PetscInt i = 0; i < block->num_points; i++) {
    const PetscReal depth = block->local[i * TOUCH_NUM_LOCAL + TOUCH_DEPTH] - motion->displacement[i];

    pressing[i] = TouchPress(block->constants, depth).load;
    if (pressing[i] > 0) state[i] = history->states[TOUCH_SLIPS * block->num_points + i] > 0 ? FACES_SLIP : FACES_STICK;
    else state[i] = FACES_OPEN;
  }
}

/* int F_N du up to a depth. */
static PetscReal PressWork(const PetscReal c[], PetscReal depth)
{
  const PetscReal rough = c[TOUCH_ROUGHNESS], t = TouchClip(depth * c[TOUCH_PER_ROUGHNESS], 0, 1), beyond = PetscMax(depth - rough, 0);

  return c[TOUCH_NORMAL] * (rough * rough * t * t * t * t * (0.25 - 0.1 * t) + 0.5 * beyond * (rough + beyond));
}

void TouchStore(const JointBlock *block, const JointHistory *history, const JointMotion *motion, PetscReal stored[], PetscReal exchanged[])
{
  const PetscInt         n = block->num_points;
  const PetscReal *const c = block->constants, *const d = motion->displacement, *const s = history->states;

  for (PetscInt i = 0; i < n; i++) {
    const PetscReal rest = block->local[i * TOUCH_NUM_LOCAL + TOUCH_DEPTH], depth = rest - d[i];
    const PetscReal y = d[n + i] - s[TOUCH_SLIP_Y * n + i], z = d[2 * n + i] - s[TOUCH_SLIP_Z * n + i];

    stored[i]    = PressWork(c, depth) - PressWork(c, rest) + TouchPress(c, rest).load * d[i] + 0.5 * TouchPress(c, depth).hold * (y * y + z * z);
    exchanged[i] = s[TOUCH_EXCHANGED * n + i];
  }
}
