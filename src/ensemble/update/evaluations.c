/*
  evaluations.c - the case with other numbers, for many of them at once: each rank computes the next one when it is free, alone, and all get all
  of it, so that whatever decides by these numbers decides the same on every rank.
*/
#include "update_private.h"
#include <limits.h>
#include <math.h>

struct Evaluations {
  Update     *update;
  Variants   *variants;
  MPI_Comm    world;
  PetscMPIInt stopped;
  Sample      sample;
};

PetscErrorCode EvaluationsCreate(Update *update, Evaluations **evaluations)
{
  PetscMPIInt size;

  PetscFunctionBegin;
  PetscCall(PetscNew(evaluations));
  (*evaluations)->update = update;
  (*evaluations)->world  = PETSC_COMM_WORLD;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PETSC_COMM_WORLD = PETSC_COMM_SELF;
  PetscCall(VariantsCreate(&update->ensemble, (PetscBool)(size == 1), &(*evaluations)->variants));
  PetscCall(PetscMalloc1(update->ensemble.num_values, &(*evaluations)->sample.outputs));
  EvaluationsPredict(*evaluations, PETSC_FALSE);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EvaluationsPredict(Evaluations *evaluations, PetscBool predict)
{
  VariantsNeed(evaluations->variants, predict ? evaluations->update->ensemble.needed : evaluations->update->fitted);
}

PetscErrorCode EvaluationsDestroy(Evaluations **evaluations)
{
  PetscFunctionBegin;
  PetscCall(VariantsDestroy(&(*evaluations)->variants));
  PETSC_COMM_WORLD = (*evaluations)->world;
  PetscCall(PetscFree((*evaluations)->sample.outputs));
  PetscCall(PetscFree(*evaluations));
  PetscFunctionReturn(PETSC_SUCCESS);
}

MPI_Comm EvaluationsWorld(const Evaluations *evaluations)
{
  return evaluations->world;
}

PetscBool EvaluationsStopped(const Evaluations *evaluations)
{
  return (PetscBool)(evaluations->stopped != 0);
}

PetscErrorCode EvaluationsAgree(Evaluations *evaluations)
{
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &evaluations->stopped, 1, MPI_INT, MPI_MAX, evaluations->world));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Outputs that a study had before it stopped are used. */
static PetscErrorCode ComputeOne(Evaluations *evaluations, const PetscReal values[], PetscReal outputs[])
{
  const PetscInt num = evaluations->update->ensemble.num_values;

  PetscFunctionBegin;
  PetscCall(VariantsCompute(evaluations->variants, 1, &values, NULL, &evaluations->sample));
  PetscCall(PetscArraycpy(outputs, evaluations->sample.outputs, num));
  evaluations->update->num_evaluated++;
  if (evaluations->sample.status == SAMPLE_NONE) evaluations->stopped = 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The reason of the first one that failed is that of some rank. */
static PetscErrorCode ShareReason(MPI_Comm comm, PetscMPIInt first, char reason[])
{
  struct {
    int index, rank;
  } mine, least;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  mine.index = first;
  mine.rank  = rank;
  PetscCallMPI(MPI_Allreduce(&mine, &least, 1, MPI_2INT, MPI_MINLOC, comm));
  PetscCallMPI(MPI_Bcast(reason, RESULT_TEXT_LENGTH, MPI_CHAR, least.rank, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers that this rank has not computed are zero, and the sum of all ranks is everything; of what is not a number, the sum is none either. */
static PetscErrorCode ComputeShare(Evaluations *evaluations, MPI_Comm comm, PetscInt count, const PetscReal values[], PetscReal outputs[],
                                   PetscMPIInt *first, char why[])
{
  const PetscInt num = evaluations->update->ensemble.num_values, size = evaluations->update->num_unknowns;
  HandOut       *out;
  PetscInt       next, took;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(outputs, count * num));
  PetscCall(HandOutCreate(comm, count, NULL, &out));
  for (;;) {
    PetscCall(HandOutTake(out, 1, &next, &took));
    if (took == 0) break;
    if (!evaluations->stopped) PetscCall(ComputeOne(evaluations, values + next * size, outputs + next * num));
    if (evaluations->sample.status == SAMPLE_DONE || next >= *first) continue;
    *first = (PetscMPIInt)next;
    PetscCall(PetscStrncpy(why, evaluations->sample.reason, RESULT_TEXT_LENGTH));
  }
  PetscCall(HandOutDestroy(&out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EvaluationsCompute(Evaluations *evaluations, MPI_Comm comm, PetscInt count, const PetscReal values[], PetscReal outputs[],
                                  char reason[])
{
  const PetscInt num                     = evaluations->update->ensemble.num_values;
  PetscMPIInt    first                   = INT_MAX;
  char           why[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(ComputeShare(evaluations, comm, count, values, outputs, &first, why));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, outputs, (PetscMPIInt)(count * num), MPIU_REAL, MPI_SUM, comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &evaluations->stopped, 1, MPI_INT, MPI_MAX, comm));
  if (reason) {
    PetscCall(ShareReason(comm, first, why));
    PetscCall(PetscStrncpy(reason, why, RESULT_TEXT_LENGTH));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EvaluatedCreate(const Update *update, Evaluated *evaluated)
{
  const PetscInt num = update->ensemble.num_values;

  PetscFunctionBegin;
  *evaluated = (Evaluated){0};
  PetscCall(PetscMalloc2(num, &evaluated->outputs, num * update->num_unknowns, &evaluated->slopes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EvaluatedDestroy(Evaluated *evaluated)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(evaluated->outputs, evaluated->slopes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A step that is small beside the number, but large beside what a study errs. */
static PetscReal StepOf(const Update *update, const Unknown *unknown, PetscReal value)
{
  const PetscReal width = unknown->fit.most - unknown->fit.least;
  PetscReal       size  = PetscAbsReal(value);

  if (unknown->scale != SCALE_LOGARITHMIC) size = PetscMax(size, PetscAbsReal(unknown->fit.start));
  if (size == 0) size = width < PETSC_INFINITY ? 0.1 * width : 1;
  return update->step * size;
}

/* Values [1 + 2 num_unknowns]: the point itself, then one step down and one up of each unknown, no farther than its bounds. */
static void PlaceSteps(const Update *update, const PetscReal values[], PetscReal points[])
{
  const PetscInt size = update->num_unknowns;

  for (PetscInt k = 0; k <= 2 * size; k++)
    for (PetscInt p = 0; p < size; p++) points[k * size + p] = values[p];
  for (PetscInt p = 0; p < size; p++) {
    const Unknown *const u    = &update->unknowns[p];
    const PetscReal      step = StepOf(update, u, values[p]);

    points[(1 + 2 * p) * size + p] = PetscMax(values[p] - step, u->fit.least);
    points[(2 + 2 * p) * size + p] = PetscMin(values[p] + step, u->fit.most);
  }
}

/* Where there is nothing on one side, the point itself is that end. */
static PetscReal Slope(PetscReal at, const PetscReal place[2], PetscReal middle, const PetscReal output[2])
{
  const PetscReal low = isfinite(output[0]) ? output[0] : at, high = isfinite(output[1]) ? output[1] : at;
  const PetscReal from = isfinite(output[0]) ? place[0] : middle, to = isfinite(output[1]) ? place[1] : middle;

  return to > from ? (high - low) / (to - from) : 0;
}

PetscErrorCode EvaluationsDifferentiate(Evaluations *evaluations, MPI_Comm comm, const PetscReal values[], Evaluated *evaluated)
{
  const Update *const update = evaluations->update;
  const PetscInt      size = update->num_unknowns, num = update->ensemble.num_values, count = 1 + 2 * size;
  PetscReal          *points, *outputs;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count * size, &points, count * num, &outputs));
  PlaceSteps(update, values, points);
  PetscCall(EvaluationsCompute(evaluations, comm, count, points, outputs, NULL));
  PetscCall(PetscArraycpy(evaluated->outputs, outputs, num));
  for (PetscInt i = 0; i < num; i++)
    for (PetscInt p = 0; p < size; p++)
      evaluated->slopes[i * size + p] = Slope(outputs[i], (const PetscReal[]){points[(1 + 2 * p) * size + p], points[(2 + 2 * p) * size + p]},
                                              values[p], (const PetscReal[]){outputs[(1 + 2 * p) * num + i], outputs[(2 + 2 * p) * num + i]});
  PetscCall(PetscFree2(points, outputs));
  PetscFunctionReturn(PETSC_SUCCESS);
}
