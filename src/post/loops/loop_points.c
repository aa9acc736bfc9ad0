/* loop_points.c - the branches of a loop, and the slopes along them. */
#include "local_slope.h"

const char *const loop_branch_names[] = {"up", "down", "both", NULL};

/* The samples from first to last of one branch. Those at the reversals are left out, since it is not known to which branch they belong. */
typedef struct {
  PetscInt  first, last;
  PetscReal begin, end; /* displacement at its two reversals */
} Branch;

/* The slope of the polynomial fitted to the window around a sample. A `centred` window may not be shifted at the ends of the branch. */
static PetscBool FindSlope(const Branch *branch, PetscInt i, const LoopOptions *options, PetscBool centred, const PetscReal x[], const PetscReal f[],
                           PetscReal *slope)
{
  const PetscInt half = options->window / 2, count = PetscMin(options->window, branch->last - branch->first + 1);
  const PetscInt begin = PetscMin(PetscMax(i - half, branch->first), branch->last - count + 1);

  if (centred && (i - half < branch->first || i + half > branch->last)) return PETSC_FALSE;
  return LocalSlope(count, x + begin, f + begin, PetscMin(options->degree, count - 1), x[i], slope);
}

static void AddPoint(const LoopRecord *record, const Branch *branch, PetscInt i, const LoopOptions *options, LoopPoints *points)
{
  const PetscReal end = options->trim * PetscAbsReal(branch->end - branch->begin), x = record->displacement[i];
  const PetscInt  p = points->count;

  if (PetscAbsReal(x - branch->begin) < end || PetscAbsReal(x - branch->end) < end) return;
  if (record->slope) points->slope[p] = record->slope[i];
  else if (!FindSlope(branch, i, options, PETSC_TRUE, record->displacement, record->force, &points->slope[p])) return;
  if (record->velocity) points->velocity[p] = record->velocity[i];
  else if (!FindSlope(branch, i, options, PETSC_FALSE, record->time, record->displacement, &points->velocity[p])) return;
  points->displacement[p] = x;
  points->force[p]        = record->force[i];
  points->sense[p]        = branch->end > branch->begin ? 1.0 : -1.0;
  points->count++;
}

static PetscBool IsAskedFor(const Branch *branch, LoopBranch which)
{
  return (PetscBool)(which == LOOP_BOTH || (branch->end > branch->begin) == (which == LOOP_UP));
}

static void AddBranch(const LoopRecord *record, PetscInt begin, PetscInt end, const LoopOptions *options, LoopPoints *points)
{
  const PetscReal *x      = record->displacement;
  const Branch     branch = {begin + 1, end - 1, x[begin], x[end]};

  if (!IsAskedFor(&branch, options->branch)) return;
  for (PetscInt i = branch.first; i <= branch.last; i++) AddPoint(record, &branch, i, options, points);
}

PetscErrorCode LoopPointsFind(const LoopRecord *record, const LoopOptions *options, LoopPoints *points)
{
  const PetscInt n = record->count;
  PetscInt       count, *reversals;

  PetscFunctionBegin;
  points->count = 0;
  points->span  = record->slope ? 0 : options->window;
  PetscCall(PetscMalloc5(n, &points->displacement, n, &points->velocity, n, &points->force, n, &points->slope, n, &points->sense));
  PetscCall(LoopFindReversals(record, options->noise, &count, &reversals));
  for (PetscInt r = 0; r <= count && n > 0; r++) AddBranch(record, r ? reversals[r - 1] : 0, r < count ? reversals[r] : n - 1, options, points);
  PetscCall(PetscFree(reversals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopPointsDestroy(LoopPoints *points)
{
  PetscFunctionBegin;
  PetscCall(PetscFree5(points->displacement, points->velocity, points->force, points->slope, points->sense));
  PetscFunctionReturn(PETSC_SUCCESS);
}
