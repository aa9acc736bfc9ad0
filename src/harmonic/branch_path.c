/*
  branch_path.c - a steady path by Masing's rules with all turning points on which its branches depend.

  masing_path.c cuts a path between samples; here its ends are exact, and each piece knows the whole stack below its branch:

      df = t dd + sum_k (t_k - t_(k+1)) dd_k,   t_k the tangent on arriving at turning point k, t_(n+1) = t

  which is df_(k+1) = df_k + t_(k+1) (dd_(k+1) - dd_k) with df_0 = t_0 dd_0, put together.
*/
#include "stability_parts.h"

static const PetscReal NO_PIECE = 1e-6; /* angle; a loop that closes so near to an extreme closes there: d' = 0, so that d is 1e-12 off */

typedef struct {
  PetscReal motion, tangent;
  PetscBool kept; /* from before: it does not change */
} Turn;

typedef struct {
  PetscInt depth, capacity;
  Turn    *turns;
} Stack;

static PetscErrorCode Push(Stack *stack, Turn turn)
{
  PetscFunctionBeginHot;
  if (stack->depth == stack->capacity) {
    stack->capacity = PetscMax(8, 2 * stack->capacity);
    PetscCall(PetscRealloc(sizeof(Turn) * (size_t)stack->capacity, &stack->turns));
  }
  stack->turns[stack->depth++] = turn;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How far the path must go in its sense until the branch closes a loop; negative where it does not before `motion`. */
static PetscBool Closes(const Stack *stack, PetscReal sense, PetscReal motion, PetscReal *end)
{
  if (stack->depth == 0) return PETSC_FALSE;
  *end = stack->depth > 1 ? stack->turns[stack->depth - 2].motion : -stack->turns[0].motion;
  return (PetscBool)(sense * (motion - *end) >= 0.0);
}

static void Close(Stack *stack)
{
  stack->depth = PetscMax(0, stack->depth - 2);
}

/* Turning points of the motion itself. */
static PetscInt OwnDepth(const Stack *stack)
{
  PetscInt kept = 0;

  while (kept < stack->depth && stack->turns[kept].kept) kept++;
  return stack->depth - kept;
}

static PetscReal TangentAt(const Stack *stack, const PeriodSamples *law, PetscReal motion)
{
  PetscReal force, slope;

  PeriodSamplesAt(law, stack->depth ? 0.5 * (motion - stack->turns[stack->depth - 1].motion) : motion, &force, &slope);
  return slope;
}

static PetscErrorCode AddPiece(BranchPath *path, const Stack *stack, PetscReal from)
{
  const PetscInt depth = OwnDepth(stack);

  PetscFunctionBeginHot;
  if (path->num_pieces == path->pieces_capacity) {
    path->pieces_capacity = PetscMax(8, 2 * path->pieces_capacity);
    PetscCall(PetscRealloc(sizeof(BranchPiece) * (size_t)path->pieces_capacity, &path->pieces));
  }
  if (path->num_arrivals + depth > path->arrivals_capacity) {
    path->arrivals_capacity = 2 * (path->num_arrivals + depth);
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)path->arrivals_capacity, &path->arrival));
  }
  path->pieces[path->num_pieces++] = (BranchPiece){.from   = from,
                                                   .to     = from,
                                                   .motion = stack->depth ? stack->turns[stack->depth - 1].motion : 0.0,
                                                   .scale  = stack->depth ? 2.0 : 1.0,
                                                   .depth  = depth,
                                                   .first  = path->num_arrivals,
                                                   .turn   = -1};
  for (PetscInt k = stack->depth - depth; k < stack->depth; k++) path->arrival[path->num_arrivals++] = stack->turns[k].tangent;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal BranchAngle(const HarmonicBasis *basis, const PetscReal x[], PetscReal from, PetscReal to, PetscReal motion)
{
  PetscReal lower = from, upper = to, theta = 0.5 * (from + to), start, slope, curvature;

  HarmonicMotionAt(basis, x, from, &start, &slope, &curvature);
  for (PetscInt i = 0; i < 100; i++) {
    PetscReal value, next;

    HarmonicMotionAt(basis, x, theta, &value, &slope, &curvature);
    if ((value - motion) * (start - motion) > 0.0) lower = theta;
    else upper = theta;
    next = slope != 0.0 ? theta - (value - motion) / slope : lower;
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    if (PetscAbsReal(next - theta) <= 4.0 * PETSC_MACHINE_EPSILON) break;
    theta = next;
  }
  return theta;
}

/* From an extreme to the next. */
static PetscErrorCode Run(BranchPath *path, Stack *stack, const MasingPath *extremes, const PetscReal x[], const PeriodSamples *law, PetscInt i)
{
  const PathExtreme start = extremes->extremes[i], next = extremes->extremes[(i + 1) % extremes->num_extremes];
  const PetscReal   until = i + 1 < extremes->num_extremes ? next.theta : extremes->extremes[0].theta + 2.0 * PETSC_PI;
  const PetscReal   sense = next.motion > start.motion ? 1.0 : -1.0;
  PetscReal         theta = start.theta, end;

  PetscFunctionBeginHot;
  PetscCall(Push(stack, (Turn){start.motion, TangentAt(stack, law, start.motion), PETSC_FALSE}));
  PetscCall(AddPiece(path, stack, theta));
  while (Closes(stack, sense, next.motion, &end)) {
    theta = BranchAngle(extremes->basis, x, theta, until, end);
    Close(stack);
    if (until - theta <= NO_PIECE) continue;
    path->pieces[path->num_pieces - 1].to = theta;
    PetscCall(AddPiece(path, stack, theta));
  }
  path->pieces[path->num_pieces - 1].to   = until;
  path->pieces[path->num_pieces - 1].turn = OwnDepth(stack);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From where the joint was left to the first extreme. */
static PetscErrorCode Approach(Stack *stack, const MasingPath *extremes, const JointHistory *memory, PetscInt point)
{
  const TurningPoints *const turning = &memory->turning[point];
  const PetscReal            motion = memory->states[point], first = extremes->extremes[0].motion, sense = first < motion ? -1.0 : 1.0;
  const PetscReal            origin = turning->count ? turning->motion[turning->count - 1] : 0.0;
  PetscReal                  end;

  PetscFunctionBeginHot;
  for (PetscInt k = 0; k < turning->count; k++) PetscCall(Push(stack, (Turn){turning->motion[k], 0.0, PETSC_TRUE}));
  if ((motion - origin) * sense < 0.0) PetscCall(Push(stack, (Turn){motion, 0.0, PETSC_TRUE}));
  while (Closes(stack, sense, first, &end)) Close(stack);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is remembered may keep the first turn from closing; the second one does. */
PetscErrorCode BranchPathFollow(BranchPath *path, const MasingPath *extremes, const PetscReal x[], const PeriodSamples *law,
                                const JointHistory *memory, PetscInt point)
{
  Stack stack = {0};

  PetscFunctionBeginHot;
  if (memory) PetscCall(Approach(&stack, extremes, memory, point));
  for (PetscInt turn = 0; turn < 2; turn++) {
    path->num_pieces = path->num_arrivals = 0;
    for (PetscInt i = 0; i < extremes->num_extremes; i++) PetscCall(Run(path, &stack, extremes, x, law, i));
  }
  PetscCall(PetscFree(stack.turns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BranchPathElastic(BranchPath *path, const MasingPath *extremes)
{
  const Stack none = {0};

  PetscFunctionBeginHot;
  path->num_pieces = path->num_arrivals = 0;
  for (PetscInt i = 0; i < extremes->num_extremes; i++) {
    PetscCall(AddPiece(path, &none, extremes->extremes[i].theta));
    path->pieces[i].to = i + 1 < extremes->num_extremes ? extremes->extremes[i + 1].theta : extremes->extremes[0].theta + 2.0 * PETSC_PI;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BranchPathDestroy(BranchPath *path)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(path->pieces));
  PetscCall(PetscFree(path->arrival));
  *path = (BranchPath){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
