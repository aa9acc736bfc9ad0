/* linear_loop.c - stretches of a periodic motion until the loop closes. */
#include "linear_loop.h"
#include <petscblaslapack.h>

static const PetscReal CLOSED   = 1e-10; /* of the gap */
static const PetscReal REGULAR  = 1e-7;  /* least pivot of sense - E: less, and memory stays as it is */
static const PetscReal PROGRESS = 0.5;   /* of the gap, by a step of Newton's rule: else it is left alone */

PetscBool LinearLoopIsClosed(const LinearLoop *loop)
{
  return (PetscBool)(loop->gap <= CLOSED);
}

static PetscReal ForceGap(const LinearStep *step, PetscInt count, PetscReal turn)
{
  PetscReal largest = 0.0, most = 0.0;

  for (PetscInt i = step->num_steps - count; i < step->num_steps; i++)
    for (PetscInt c = 0; c < step->dim; c++) {
      const PetscReal force = LinearStepForce(step, i, c);

      largest = PetscMax(largest, PetscAbsReal(force));
      most    = PetscMax(most, PetscAbsReal(force - turn * LinearStepForce(step, i - count, c)));
    }
  return largest > 0.0 ? most / largest : 0.0;
}

/* Of one state. */
static PetscReal MemoryGap(const LinearStep *step, PetscInt count, PetscInt state, PetscReal sense)
{
  const PetscInt  from   = step->num_steps - count;
  const PetscReal begins = LinearStepMemory(step, from, state);
  const PetscReal change = PetscAbsReal(LinearStepMemory(step, step->num_steps, state) - sense * begins);
  PetscReal       least = begins, most = begins;

  if (sense == 0.0) return PETSC_MAX_REAL;
  if (change == 0.0) return 0.0;
  for (PetscInt i = from + 1; i <= step->num_steps; i++) {
    const PetscReal value = LinearStepMemory(step, i, state);

    least = PetscMin(least, value);
    most  = PetscMax(most, value);
  }
  return most > least ? change / (most - least) : PETSC_MAX_REAL;
}

/* The forces of the stretch before count unless they are those of another loop, before a jump. */
static PetscReal Gap(const LinearStep *step, const LinearLoop *loop, PetscBool alone)
{
  PetscReal gap = 0.0;

  for (PetscInt u = 0; u < step->num_used; u++) gap = PetscMax(gap, MemoryGap(step, loop->count, step->used[u], loop->sense[step->used[u]]));
  return PetscMin(gap, loop->taken > 1 && !alone ? ForceGap(step, loop->count, loop->turn) : 1.0);
}

/* E: the memory at the end of the last stretch by that at its beginning, [num_used, num_used]. */
static PetscErrorCode FindByBegin(LinearStep *step, PetscInt count, PetscReal by_begin[])
{
  const PetscInt used = step->num_used, inputs = step->inputs;
  PetscReal     *rows, *next;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc2(used * inputs, &rows, used * used, &next));
  for (PetscInt e = 0; e < used * used; e++) by_begin[e] = e % (used + 1) == 0;
  for (PetscInt i = step->num_steps - count; i < step->num_steps; i++) {
    PetscCall(LinearStepRows(step, i, step->num_moved, step->num_moved + used, rows));
    for (PetscInt s = 0; s < used; s++)
      for (PetscInt r = 0; r < used; r++) {
        next[s * used + r] = 0.0;
        for (PetscInt h = 0; h < used; h++) next[s * used + r] += rows[s * inputs + inputs - used + h] * by_begin[h * used + r];
      }
    PetscCall(PetscArraycpy(by_begin, next, used * used));
  }
  PetscCall(PetscFree2(rows, next));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of the matrix are columns for LAPACK: it is factored, and solved with, as its transpose. */
PetscErrorCode LinearLoopSolve(const LinearStep *step, const PetscReal sense[], PetscReal by_begin[], PetscInt columns, PetscReal ends[],
                               PetscBool *determined)
{
  const PetscInt used = step->num_used;
  PetscBLASInt   order, one = 1, info, *pivots;
  PetscReal     *right;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(used, &order));
  PetscCall(PetscMalloc2(used, &pivots, used, &right));
  for (PetscInt e = 0; e < used * used; e++) by_begin[e] = (e % (used + 1) == 0 ? sense[step->used[e / used]] : 0.0) - by_begin[e];
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&order, &order, by_begin, &order, pivots, &info));
  *determined = (PetscBool)(info == 0);
  for (PetscInt s = 0; s < used; s++) *determined = (PetscBool)(*determined && PetscAbsReal(by_begin[s * (used + 1)]) > REGULAR);
  for (PetscInt j = 0; *determined && j < columns; j++) {
    for (PetscInt s = 0; s < used; s++) right[s] = ends[s * columns + j];
    PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("T", &order, &one, by_begin, &order, pivots, right, &order, &info));
    for (PetscInt s = 0; s < used; s++) ends[s * columns + j] = right[s];
  }
  PetscCall(PetscFree2(pivots, right));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next stretch begins with what a closed one would, as far as the last one tells. */
static PetscErrorCode Jump(LinearStep *step, LinearLoop *loop, PetscBool *jumped)
{
  const PetscInt used = step->num_used, from = step->num_steps - loop->count;
  PetscReal     *by_begin, *change;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc2(used * used, &by_begin, used, &change));
  PetscCall(FindByBegin(step, loop->count, by_begin));
  for (PetscInt u = 0; u < used; u++) {
    const PetscInt s = step->used[u];

    change[u] = LinearStepMemory(step, step->num_steps, s) - loop->sense[s] * LinearStepMemory(step, from, s);
  }
  PetscCall(LinearLoopSolve(step, loop->sense, by_begin, 1, change, jumped));
  for (PetscInt u = 0; *jumped && u < used; u++) {
    const PetscInt s = step->used[u];

    step->history.states[s] = loop->sense[s] * (LinearStepMemory(step, from, s) + change[u]);
  }
  PetscCall(PetscFree2(by_begin, change));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Newton's rule where it may be tried, until it no longer helps; false where more memory turns out to be used. */
static PetscErrorCode Hurry(LinearStep *step, LinearLoop *loop, PetscReal before, PetscBool *hurries, PetscBool *jumps, PetscBool *known)
{
  PetscFunctionBeginHot;
  *hurries = (PetscBool)(*hurries && !(*jumps && loop->gap > PROGRESS * before));
  *jumps   = PETSC_FALSE;
  if (!*hurries || loop->taken < loop->patience) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LinearStepLearn(step, step->num_steps - loop->count, known));
  if (!*known) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Jump(step, loop, jumps));
  *hurries     = *jumps;
  loop->jumped = (PetscBool)(loop->jumped || *jumps);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One attempt, with the memory that is known to be used. */
static PetscErrorCode Attempt(LinearStep *step, PetscInt point, LinearLoop *loop, PetscBool *known)
{
  PetscBool hurries = PETSC_TRUE, jumps = PETSC_FALSE;
  PetscReal before = PETSC_MAX_REAL;

  PetscFunctionBeginHot;
  LinearStepBegin(step, point);
  loop->jumped = PETSC_FALSE;
  loop->sign   = loop->turn;
  for (*known = PETSC_TRUE, loop->taken = 1; *known; loop->taken++) {
    loop->sign *= loop->turn;
    PetscCall(loop->go(loop->context, loop->sign));
    loop->gap = Gap(step, loop, jumps);
    if (LinearLoopIsClosed(loop) || loop->taken >= loop->most) break;
    PetscCall(Hurry(step, loop, before, &hurries, &jumps, known));
    before = loop->gap;
  }
  if (*known) PetscCall(LinearStepLearn(step, loop->jumped || loop->forces_alone ? step->num_steps - loop->count : 0, known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearLoopClose(LinearStep *step, PetscInt point, LinearLoop *loop)
{
  PetscBool known;

  PetscFunctionBeginHot;
  do PetscCall(Attempt(step, point, loop, &known));
  while (!known);
  PetscFunctionReturn(PETSC_SUCCESS);
}
