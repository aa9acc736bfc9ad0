/*
  search.c - bounded least squares from many starts.

  With at least as many starts as ranks, each rank takes the next start when it is free and searches alone; with fewer, all ranks search from one
  start after the other, and share the differences. Every start ends the same in both ways.
*/
#include "update_private.h"
#include "sampling/plan.h"
#include <math.h>

typedef struct {
  Update      *update;
  Evaluations *evaluations;
  MPI_Comm     comm; /* of the ranks that search together */
  Evaluated    at;   /* the last point */
  PetscReal   *values;
  PetscReal   *deviations; /* of the data */
  TargetFit    fit;
  FitUnknown   unknowns[FIT_MAX_UNKNOWNS];
  PetscReal   *ones;
  PetscInt     num_fits; /* deviations: of the data, then of normal priors */
  char         reason[RESULT_TEXT_LENGTH];
} Search;

static PetscInt NumNormal(const Update *update)
{
  PetscInt count = 0;

  for (PetscInt p = 0; p < update->num_unknowns; p++) count += update->unknowns[p].normal;
  return count;
}

static void AddPriors(const Search *search, const PetscReal values[], PetscReal deviations[], PetscReal slopes[])
{
  const Update *const update = search->update;
  PetscInt            row    = update->num_data;

  for (PetscInt p = 0; p < update->num_unknowns; p++) {
    const Unknown *const u = &update->unknowns[p];

    if (!u->normal) continue;
    deviations[row] = UnknownPlace(u, values[p]);
    for (PetscInt q = 0; slopes && q < update->num_unknowns; q++)
      slopes[row * update->num_unknowns + q] = q == p ? 1 / UnknownSlope(u, deviations[row]) : 0;
    row++;
  }
}

/* The search asks for the value, and then for the slopes at the same place: the differences give both. */
static PetscErrorCode Deviate(void *context, const PetscReal values[], PetscBool *exists, PetscReal deviations[], PetscReal slopes[])
{
  Search *const search                  = context;
  char          why[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  *exists = PETSC_FALSE;
  if (EvaluationsStopped(search->evaluations)) PetscFunctionReturn(PETSC_SUCCESS);
  if (slopes) PetscCall(EvaluationsDifferentiate(search->evaluations, search->comm, search->update, values, &search->at));
  else PetscCall(EvaluationsCompute(search->evaluations, search->comm, 1, values, search->at.outputs, why));
  *exists = TargetsDeviate(search->update, search->at.outputs, deviations, sizeof(why), why);
  if (!*exists && !search->reason[0]) PetscCall(PetscStrncpy(search->reason, why, sizeof(search->reason)));
  if (!*exists) PetscFunctionReturn(PETSC_SUCCESS);
  if (slopes) TargetsDifferentiate(search->update, &search->at, slopes);
  AddPriors(search, values, deviations, slopes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SearchCreate(Update *update, Evaluations *evaluations, MPI_Comm comm, Search *search)
{
  const PetscReal noise = 1e-3; /* [standard deviations of an unknown]: differences of studies err, and curves have kinks */

  PetscFunctionBegin;
  *search          = (Search){.update = update, .evaluations = evaluations, .comm = comm};
  search->num_fits = update->num_data + NumNormal(update);
  PetscCall(EvaluatedCreate(update, &search->at));
  PetscCall(PetscMalloc2(search->num_fits, &search->ones, search->num_fits, &search->deviations));
  for (PetscInt i = 0; i < search->num_fits; i++) search->ones[i] = 1;
  for (PetscInt p = 0; p < update->num_unknowns; p++) search->unknowns[p] = update->unknowns[p].fit;
  search->fit = (TargetFit){.num_unknowns = update->num_unknowns,
                            .unknowns     = search->unknowns,
                            .count        = search->num_fits,
                            .uncertainty  = search->ones,
                            .deviate      = Deviate,
                            .context      = search,
                            .small        = noise};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SearchDestroy(Search *search)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(search->ones, search->deviations));
  PetscCall(EvaluatedDestroy(&search->at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From some values; those at the end, in `found`, and the sum of squares there. */
static PetscErrorCode SearchFrom(Search *search, const PetscReal start[], TargetFound *found, PetscReal *chi_square)
{
  PetscReal values[FIT_MAX_UNKNOWNS];
  PetscBool exists;

  PetscFunctionBegin;
  search->reason[0] = '\0';
  for (PetscInt p = 0; p < search->update->num_unknowns; p++) search->unknowns[p].start = start[p];
  PetscCall(TargetFitFind(&search->fit, found));
  *chi_square = (PetscReal)INFINITY;
  if (!found->found) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt p = 0; p < search->update->num_unknowns; p++) values[p] = found->parameters[p].value;
  PetscCall(Deviate(search, values, &exists, search->deviations, NULL));
  if (!exists) PetscFunctionReturn(PETSC_SUCCESS);
  *chi_square = 0;
  for (PetscInt i = 0; i < search->num_fits; i++) *chi_square += PetscSqr(search->deviations[i]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Start 0 is that of the case; the others are Sobol' points of the priors, or of what lies between the bounds. */
static PetscErrorCode PlaceStarts(const Update *update, PetscReal starts[])
{
  const PlanKeys keys = {.method = PLAN_SOBOL, .samples = update->num_starts, .seed = update->posterior.seed, .scramble = PETSC_TRUE};
  const PetscInt size = update->num_unknowns;
  Distribution   ranges[FIT_MAX_UNKNOWNS];
  PetscInt       fault;
  Plan          *plan;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < size; p++) UnknownRange(&update->unknowns[p], &ranges[p]);
  PetscCall(PlanCreate(&keys, size, ranges, NULL, &fault, &plan));
  for (PetscInt i = 0; i < update->num_starts; i++) {
    if (i > 0) PlanValues(plan, i, &starts[i * size]);
    for (PetscInt p = 0; p < size; p++) {
      const FitUnknown *const fit = &update->unknowns[p].fit;

      starts[i * size + p] = i == 0 ? fit->start : PetscMin(PetscMax(starts[i * size + p], fit->least), fit->most);
    }
  }
  PetscCall(PlanDestroy(&plan));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All starts, [num_starts]. Rows that this rank has not searched from are zero, to be summed. */
typedef struct {
  PetscReal *start, *value;                      /* [num_starts, num_unknowns] */
  PetscReal *chi_square, *converged, *unfounded; /* [num_starts] */
  char      *reason;
} Starts;

static PetscErrorCode SearchOne(Search *search, PetscInt i, Starts *starts)
{
  const PetscInt size = search->update->num_unknowns;
  PetscReal      chi_square;
  TargetFound    found;

  PetscFunctionBegin;
  PetscCall(SearchFrom(search, &starts->start[i * size], &found, &chi_square));
  starts->unfounded[i]  = !(chi_square < PETSC_INFINITY);
  starts->chi_square[i] = starts->unfounded[i] != 0 ? 0 : chi_square;
  starts->converged[i]  = found.converged;
  for (PetscInt p = 0; p < size; p++)
    starts->value[i * size + p] = starts->unfounded[i] != 0 ? starts->start[i * size + p] : found.parameters[p].value;
  PetscCall(PetscSNPrintf(&starts->reason[i * RESULT_TEXT_LENGTH], RESULT_TEXT_LENGTH, "%s",
                          starts->unfounded[i] != 0 ? search->reason
                          : found.converged         ? "converged"
                                                    : "no lower misfit was found, but it is no minimum"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SearchAll(Update *update, Evaluations *evaluations, Starts *starts)
{
  const MPI_Comm world = EvaluationsWorld(evaluations);
  const PetscInt size  = update->num_unknowns;
  PetscMPIInt    num_ranks;
  PetscBool      apart;
  Search         search;
  HandOut       *out;
  PetscInt       next, took;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(world, &num_ranks));
  apart = (PetscBool)(update->num_starts >= num_ranks && num_ranks > 1);
  PetscCall(SearchCreate(update, evaluations, apart ? PETSC_COMM_SELF : world, &search));
  if (!apart)
    for (PetscInt i = 0; i < update->num_starts; i++) PetscCall(SearchOne(&search, i, starts));
  if (apart) {
    PetscCall(HandOutCreate(world, update->num_starts, NULL, &out));
    for (;;) {
      PetscCall(HandOutTake(out, 1, &next, &took));
      if (took == 0) break;
      PetscCall(SearchOne(&search, next, starts));
    }
    PetscCall(HandOutDestroy(&out));
    PetscCall(EvaluationsAgree(evaluations));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, starts->value, (PetscMPIInt)(update->num_starts * (size + 3)), MPIU_REAL, MPI_SUM, world));
    PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, starts->reason, (PetscMPIInt)(update->num_starts * RESULT_TEXT_LENGTH), MPI_SIGNED_CHAR, MPI_SUM, world));
  }
  PetscCall(SearchDestroy(&search));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of equal ends that of the earlier start. */
static PetscInt FindBest(const Update *update, const Starts *starts)
{
  const PetscReal same = 1e-6; /* of a sum of squares of numbers of order one */
  PetscInt        best = -1;

  for (PetscInt i = 0; i < update->num_starts; i++)
    if (starts->unfounded[i] == 0 && (best < 0 || starts->chi_square[i] < starts->chi_square[best] * (1 - same) - same)) best = i;
  return best;
}

static PetscErrorCode WriteStarts(const Update *update, const Starts *starts, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < update->num_starts; i++) {
    const PetscInt64 converged  = starts->converged[i] != 0;
    const PetscReal  chi_square = starts->unfounded[i] != 0 ? (PetscReal)INFINITY : starts->chi_square[i];

    PetscCall(FindingWrite(update->starts, STARTS_START, i, 1, &starts->start[i * update->num_unknowns], result));
    PetscCall(FindingWrite(update->starts, STARTS_VALUE, i, 1, &starts->value[i * update->num_unknowns], result));
    PetscCall(FindingWrite(update->starts, STARTS_CHI_SQUARE, i, 1, &chi_square, result));
    PetscCall(FindingWrite(update->starts, STARTS_CONVERGED, i, 1, &converged, result));
    PetscCall(FindingWrite(update->starts, STARTS_REASON, i, 1, &starts->reason[i * RESULT_TEXT_LENGTH], result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Once more from the best end, by all ranks, so that all of them know all of it. */
static PetscErrorCode Settle(Update *update, Evaluations *evaluations, const PetscReal start[], Updated *updated)
{
  Search    search;
  PetscReal chi_square;

  PetscFunctionBegin;
  PetscCall(SearchCreate(update, evaluations, EvaluationsWorld(evaluations), &search));
  PetscCall(SearchFrom(&search, start, &updated->found, &chi_square));
  for (PetscInt p = 0; p < update->num_unknowns; p++) updated->values[p] = updated->found.parameters[p].value;
  updated->chi_square = 0;
  for (PetscInt i = 0; i < update->num_data && updated->found.found; i++) updated->chi_square += PetscSqr(search.deviations[i]);
  PetscCall(SearchDestroy(&search));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SearchRun(Update *update, Evaluations *evaluations, const Result *result, Updated *updated)
{
  const PetscInt num = update->num_starts, size = update->num_unknowns;
  Starts         starts;
  PetscMPIInt    rank;
  PetscInt       best;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(EvaluationsWorld(evaluations), &rank));
  PetscCall(PetscCalloc3(num * size, &starts.start, num * (size + 3), &starts.value, num * RESULT_TEXT_LENGTH, &starts.reason));
  starts.chi_square = starts.value + num * size;
  starts.converged  = starts.chi_square + num;
  starts.unfounded  = starts.converged + num;
  PetscCall(PlaceStarts(update, starts.start));
  PetscCall(SearchAll(update, evaluations, &starts));
  best = FindBest(update, &starts);
  if (rank == 0) PetscCall(WriteStarts(update, &starts, result));
  PetscCall(PetscStrncpy(updated->reason, &starts.reason[PetscMax(best, 0) * RESULT_TEXT_LENGTH], sizeof(updated->reason)));
  if (best >= 0 && !EvaluationsStopped(evaluations)) PetscCall(Settle(update, evaluations, &starts.value[best * size], updated));
  PetscCall(PetscFree3(starts.start, starts.value, starts.reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}
