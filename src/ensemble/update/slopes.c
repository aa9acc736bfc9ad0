/*
  slopes.c - how outputs change with the numbers: exactly where the studies estimate them for a structure that differs a little, by central differences
  of the whole case else.
*/
#include "update_private.h"
#include <math.h>

PetscErrorCode EvaluatedCreate(const Update *update, Evaluated *evaluated)
{
  const PetscInt num = update->ensemble.num_values;

  PetscFunctionBegin;
  *evaluated = (Evaluated){0};
  PetscCall(PetscMalloc3(num, &evaluated->outputs, num * update->num_unknowns, &evaluated->slopes, update->num_targets, &evaluated->exact));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EvaluatedDestroy(Evaluated *evaluated)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(evaluated->outputs, evaluated->slopes, evaluated->exact));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A part of a number that is small beside it, but large beside what a study errs. */
static PetscReal StepOf(const Unknown *unknown, PetscReal value, PetscReal part)
{
  const PetscReal width = unknown->fit.most - unknown->fit.least;
  PetscReal       size  = PetscAbsReal(value);

  if (unknown->scale != SCALE_LOGARITHMIC) size = PetscMax(size, PetscAbsReal(unknown->fit.start));
  if (size == 0) size = width < PETSC_INFINITY ? 0.1 * width : 1;
  return part * size;
}

/* A step down and one up of each number, no farther than its bounds. */
static void PlaceSteps(const Update *update, PetscReal part, const PetscReal values[], PetscReal low[], PetscReal high[])
{
  for (PetscInt p = 0; p < update->num_unknowns; p++) {
    const Unknown *const u    = &update->unknowns[p];
    const PetscReal      step = StepOf(u, values[p], part);

    low[p]  = PetscMax(values[p] - step, u->fit.least);
    high[p] = PetscMin(values[p] + step, u->fit.most);
  }
}

/* Values [1 + 2 num_unknowns]: the point itself, then one step down and one up of each number. */
static void PlacePoints(PetscInt size, const PetscReal values[], const PetscReal low[], const PetscReal high[], PetscReal points[])
{
  for (PetscInt k = 0; k <= 2 * size; k++)
    for (PetscInt p = 0; p < size; p++) points[k * size + p] = k == 1 + 2 * p ? low[p] : k == 2 + 2 * p ? high[p] : values[p];
}

/* Where there is nothing on one side, the point itself is that end. */
static PetscReal Slope(PetscReal at, const PetscReal place[2], PetscReal middle, const PetscReal output[2])
{
  const PetscReal low = isfinite(output[0]) ? output[0] : at, high = isfinite(output[1]) ? output[1] : at;
  const PetscReal from = isfinite(output[0]) ? place[0] : middle, to = isfinite(output[1]) ? place[1] : middle;

  return to > from ? (high - low) / (to - from) : 0;
}

/* Slopes [num_values, num_unknowns] by differences. */
static PetscErrorCode FindDifferences(Evaluations *evaluations, MPI_Comm comm, const Update *update, const PetscReal values[], PetscReal outputs[],
                                      PetscReal slopes[])
{
  const PetscInt size = update->num_unknowns, num = update->ensemble.num_values, count = 1 + 2 * size;
  PetscReal     *points, *found, low[FIT_MAX_UNKNOWNS], high[FIT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count * size, &points, count * num, &found));
  PlaceSteps(update, update->step, values, low, high);
  PlacePoints(size, values, low, high, points);
  PetscCall(EvaluationsCompute(evaluations, comm, count, points, found, NULL));
  PetscCall(PetscArraycpy(outputs, found, num));
  for (PetscInt i = 0; i < num; i++)
    for (PetscInt p = 0; p < size; p++)
      slopes[i * size + p] = Slope(found[i], (const PetscReal[]){low[p], high[p]}, values[p],
                                   (const PetscReal[]){found[(1 + 2 * p) * num + i], found[(2 + 2 * p) * num + i]});
  PetscCall(PetscFree2(points, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The numbers of a target among those of all outputs: a row of slopes for each. */
static PetscReal *SlopesOf(const Update *update, PetscInt target, PetscReal slopes[])
{
  return slopes + update->offset[update->targets[target].output] * update->num_unknowns;
}

/* Which targets have exact slopes at these values, and whether all have that have a value at all. */
static PetscBool JudgeTargets(const Update *update, Evaluated *evaluated)
{
  PetscBool all = PETSC_TRUE;

  for (PetscInt t = 0; t < update->num_targets; t++) {
    const Target *const    target = &update->targets[t];
    const PetscReal *const values = TargetOutputs(update, t, evaluated->outputs), *const slopes = SlopesOf(update, t, evaluated->slopes);

    evaluated->exact[t] = target->exact;
    for (PetscInt i = 0; target->exact && i < target->count * update->num_unknowns; i++)
      if (!isfinite(slopes[i]) && isfinite(values[i / update->num_unknowns])) evaluated->exact[t] = PETSC_FALSE;
    all = (PetscBool)(all && evaluated->exact[t]);
  }
  return all;
}

/* The step does not matter where the structure depends on the number linearly or as its square, but for round-off; of a cube it leaves 1e-8. */
static PetscErrorCode FindExact(Evaluations *evaluations, MPI_Comm comm, const Update *update, const PetscReal values[], Evaluated *evaluated)
{
  const PetscReal part = 1e-4;
  PetscReal       low[FIT_MAX_UNKNOWNS], high[FIT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  PlaceSteps(update, part, values, low, high);
  PetscCall(EvaluationsEstimate(evaluations, comm, values, low, high, evaluated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EvaluationsDifferentiate(Evaluations *evaluations, MPI_Comm comm, const Update *update, const PetscReal values[], Evaluated *evaluated)
{
  const PetscInt size = update->num_unknowns;
  PetscReal     *slopes;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(evaluated->exact, update->num_targets));
  if (TargetsNumExact(update)) PetscCall(FindExact(evaluations, comm, update, values, evaluated));
  if (TargetsNumExact(update) && JudgeTargets(update, evaluated)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(update->ensemble.num_values * size, &slopes));
  PetscCall(FindDifferences(evaluations, comm, update, values, evaluated->outputs, slopes));
  for (PetscInt t = 0; t < update->num_targets; t++)
    if (!evaluated->exact[t])
      PetscCall(PetscArraycpy(SlopesOf(update, t, evaluated->slopes), SlopesOf(update, t, slopes), update->targets[t].count * size));
  PetscCall(PetscFree(slopes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
