/*
  evaluations.c - the case with other numbers, for many of them at once: each rank computes the next ones when it is free, alone, side by side
  where that gains, and all get all of it, so that whatever decides by these numbers decides the same on every rank.
*/
#include "update_private.h"
#include <limits.h>
#include <math.h>

struct Evaluations {
  Update     *update;
  Variants   *variants;
  MPI_Comm    world;
  PetscMPIInt stopped;
  Sample      samples[VARIANTS_MOST]; /* that are computed at once */
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
  for (PetscInt i = 0; i < VARIANTS_MOST; i++) PetscCall(PetscMalloc1(update->ensemble.num_values, &(*evaluations)->samples[i].outputs));
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
  for (PetscInt i = 0; i < VARIANTS_MOST; i++) PetscCall(PetscFree((*evaluations)->samples[i].outputs));
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

/* Values [count, num_unknowns], outputs [count, num_values]. Outputs that a study had before it stopped are used. */
static PetscErrorCode ComputeSome(Evaluations *evaluations, PetscInt count, const PetscReal values[], PetscReal outputs[])
{
  const PetscInt   num = evaluations->update->ensemble.num_values, size = evaluations->update->num_unknowns;
  const PetscReal *points[VARIANTS_MOST];

  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) points[i] = values + i * size;
  PetscCall(VariantsCompute(evaluations->variants, count, points, NULL, evaluations->samples));
  for (PetscInt i = 0; i < count; i++) {
    PetscCall(PetscArraycpy(outputs + i * num, evaluations->samples[i].outputs, num));
    if (evaluations->samples[i].status == SAMPLE_NONE) evaluations->stopped = 1;
  }
  evaluations->update->num_evaluated += count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As many at once as are computed side by side, but not more than the share of a rank. */
static PetscErrorCode ChooseCount(const Evaluations *evaluations, MPI_Comm comm, PetscInt count, PetscInt *at_once)
{
  PetscMPIInt num_ranks;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &num_ranks));
  *at_once = PetscMax(1, PetscMin(VariantsMost(evaluations->variants), (count + num_ranks - 1) / num_ranks)); /* who asks for none is gone */
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
  PetscInt       next, took, at_once;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(outputs, count * num));
  PetscCall(ChooseCount(evaluations, comm, count, &at_once));
  PetscCall(HandOutCreate(comm, count, NULL, &out));
  for (;;) {
    PetscCall(HandOutTake(out, at_once, &next, &took));
    if (took == 0) break;
    if (evaluations->stopped) continue;
    PetscCall(ComputeSome(evaluations, took, values + next * size, outputs + next * num));
    for (PetscInt i = 0; i < took; i++) {
      if (evaluations->samples[i].status == SAMPLE_DONE || next + i >= *first) continue;
      *first = (PetscMPIInt)(next + i);
      PetscCall(PetscStrncpy(why, evaluations->samples[i].reason, RESULT_TEXT_LENGTH));
    }
  }
  PetscCall(HandOutDestroy(&out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EvaluationsEstimate(Evaluations *evaluations, MPI_Comm comm, const PetscReal values[], const PetscReal low[], const PetscReal high[],
                                   Evaluated *evaluated)
{
  Update *const  update = evaluations->update;
  const PetscInt num = update->ensemble.num_values, size = update->num_unknowns;
  VariantSlopes  wanted = {.low = low, .high = high, .slopes = evaluated->slopes};
  PetscMPIInt    rank, num_ranks;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &num_ranks));
  wanted.first  = rank;
  wanted.stride = num_ranks;
  for (PetscInt i = 0; i < num * size; i++) evaluated->slopes[i] = i % size % num_ranks == rank ? (PetscReal)NAN : 0; /* where a fault leaves none */
  PetscCall(VariantsDifferentiate(evaluations->variants, values, &wanted, evaluations->samples));
  PetscCall(PetscArraycpy(evaluated->outputs, evaluations->samples[0].outputs, num));
  update->num_evaluated += rank == 0;
  update->num_built += wanted.num_built;
  if (evaluations->samples[0].status == SAMPLE_NONE) evaluations->stopped = 1;
  PetscCallMPI(MPI_Bcast(evaluated->outputs, (PetscMPIInt)num, MPIU_REAL, 0, comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, evaluated->slopes, (PetscMPIInt)(num * size), MPIU_REAL, MPI_SUM, comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &evaluations->stopped, 1, MPI_INT, MPI_MAX, comm));
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
