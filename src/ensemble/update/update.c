/* update.c - the key `update`: read, described, and computed behind the studies of the case. */
#include "update_private.h"
#include <math.h>

typedef struct {
  const InputNode *find, *targets, *posterior, *predict;
  PetscInt         starts;
  PetscReal        step;
} UpdateKeys;

static const char *const methods[] = {"laplace", "chain", NULL};

#define OF(member) offsetof(UpdateKeys, member)
#define OF_POSTERIOR(member) offsetof(PosteriorKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "find", .kind = INPUT_NODE, .offset = OF(find), .fallback = INPUT_REQUIRED, .help = "what is to be found: {NAME: {path, start, least, most, DISTRIBUTION}, ...}"},
  {.key = "targets", .kind = INPUT_NODE, .offset = OF(targets), .fallback = INPUT_REQUIRED,
   .help = "what was measured: {NAME: {path, value, uncertainty}, ...}, or {NAME: {path, over, data, uncertainty}} for curves"},
  {.key = "starts", .kind = INPUT_COUNT, .offset = OF(starts), .fallback = 4, .least = 1, .most = 100000,
   .help = "number of starts of least squares: that of `find`, and points spread over the priors, or between the bounds"},
  {.key = "step", .kind = INPUT_REAL, .offset = OF(step), .fallback = 1e-3, .least = 1e-8, .most = 0.1,
   .help = "step of the differences by which slopes are found, relative to each number; larger where studies are less accurate than a thousandth of it"},
  {.key = "posterior", .kind = INPUT_NODE, .offset = OF(posterior), .fallback = INPUT_OPTIONAL, .help = "how the posterior is found, and how many draws are made of it: {method, ...}; default: by Laplace's approximation"},
  {.key = "predict", .kind = INPUT_NODE, .offset = OF(predict), .fallback = INPUT_OPTIONAL,
   .help = "outputs that are not fitted, of which bands are computed: {NAME: PATH, ...}, or {NAME: {path, ...}} with the keys of `vary.outputs`"},
  {0},
};

static const InputField posterior_fields[] = {
  {.key = "method", .kind = INPUT_WORD, .offset = OF_POSTERIOR(method), .fallback = POSTERIOR_LAPLACE, .words = methods,
   .help = "by a normal distribution about the best values, which costs nothing, or by a chain of walkers, which is right for any posterior"},
  {.key = "walkers", .kind = INPUT_COUNT, .offset = OF_POSTERIOR(walkers), .fallback = INPUT_OPTIONAL, .least = 4, .most = 100000,
   .help = "of a chain: number of walkers, even, at least twice that of the numbers; default: four times, at least 16"},
  {.key = "steps", .kind = INPUT_COUNT, .offset = OF_POSTERIOR(steps), .fallback = 3000, .least = 8, .most = PETSC_MAX_INT, .help = "of a chain: number of steps; each computes the case once for each walker"},
  {.key = "discard", .kind = INPUT_COUNT, .offset = OF_POSTERIOR(discard), .fallback = INPUT_OPTIONAL, .least = 0, .most = PETSC_MAX_INT, .help = "of a chain: steps at its beginning that do not count; default: a fifth"},
  {.key = "bridge", .kind = INPUT_COUNT, .offset = OF_POSTERIOR(bridge), .fallback = 1000, .least = 0, .most = PETSC_MAX_INT,
   .help = "of a chain: points that are computed besides for the evidence; 0: by the steps alone, which is right for posteriors that are about normal"},
  {.key = "draws", .kind = INPUT_COUNT, .offset = OF_POSTERIOR(draws), .fallback = 200, .least = 2, .most = PETSC_MAX_INT, .help = "number of draws of the posterior with which predictions are computed"},
  {.key = "confidence", .kind = INPUT_REAL, .offset = OF_POSTERIOR(confidence), .fallback = 0.95, .least = 0.5, .most = 0.9999, .help = "probability of credible intervals and bands"},
  {.key = "seed", .kind = INPUT_COUNT, .offset = OF_POSTERIOR(seed), .fallback = 1, .least = 0, .most = PETSC_MAX_INT, .help = "another number, other chances: of starts, chains and draws"},
  {0},
};
// clang-format on

static const InputTable update_table = {
  .name = "update", .summary = "numbers of the case that are found from measurements, and how well they are known then", .fields = fields};
static const InputTable posterior_table = {
  .name = "update.posterior", .summary = "the posterior distribution of the numbers", .fields = posterior_fields};

const InputTable *const update_tables[] = {&update_table,
                                           &update_find_table,
                                           &update_target_table,
                                           &update_data_table,
                                           &vary_grid_table,
                                           &posterior_table,
                                           &distribution_tables[DISTRIBUTION_UNIFORM],
                                           &distribution_tables[DISTRIBUTION_NORMAL],
                                           &distribution_tables[DISTRIBUTION_LOGNORMAL],
                                           &distribution_tables[DISTRIBUTION_TRIANGULAR],
                                           &distribution_tables[DISTRIBUTION_LOG_UNIFORM],
                                           NULL};

static PetscErrorCode ReadPosterior(const InputNode *node, Update *update)
{
  static const char *const of_chains[] = {"walkers", "steps", "discard", "bridge", NULL};
  PosteriorKeys *const     keys        = &update->posterior;
  const PetscInt           least = 2 * update->num_unknowns, usual = 16;

  PetscFunctionBegin;
  *keys = (PosteriorKeys){.method = POSTERIOR_LAPLACE, .draws = 200, .seed = 1, .confidence = 0.95};
  if (node) PetscCall(InputRead(node, &posterior_table, keys));
  if (node && keys->method != POSTERIOR_CHAIN) PetscCall(InputRefuseKeys(node, of_chains, "it belongs to `method: chain`"));
  if (keys->method != POSTERIOR_CHAIN) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputFind(node, "walkers")) keys->walkers = PetscMax(usual, 2 * least);
  if (!InputFind(node, "discard")) keys->discard = keys->steps / 5;
  if (keys->walkers % 2 || keys->walkers < least)
    PetscCall(InputComplain(InputFind(node, "walkers"), "must be even, and at least twice the %" PetscInt_FMT " numbers, got %" PetscInt_FMT,
                            update->num_unknowns, keys->walkers));
  if (keys->discard + 8 > keys->steps)
    PetscCall(InputComplain(node, "at least 8 steps must be left, got %" PetscInt_FMT " of which %" PetscInt_FMT " are discarded", keys->steps,
                            keys->discard));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of a sample come first, then its curves. */
static PetscErrorCode FindOffsets(Update *update)
{
  PetscInt next = update->ensemble.num_numbers;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(update->ensemble.num_outputs, &update->offset));
  for (PetscInt i = 0; i < update->ensemble.num_outputs; i++) {
    const Output *const output = &update->ensemble.outputs[i];

    update->offset[i] = output->is_curve ? next : output->column;
    next += output->is_curve ? output->count : 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadKeys(const InputNode *node, Case *the_case, Update *u)
{
  UpdateKeys keys = {0};

  PetscFunctionBegin;
  PetscCall(InputRead(node, &update_table, &keys));
  u->num_starts = keys.starts;
  u->step       = keys.step;
  if (the_case->vary) PetscCall(InputComplain(node, "a case is varied or updated, not both: `predict` gives the spread of other outputs"));
  if (keys.find) PetscCall(UnknownsRead(keys.find, the_case, u));
  if (keys.targets) PetscCall(TargetsRead(keys.targets, the_case, u));
  u->first_predicted = u->ensemble.num_outputs;
  if (keys.predict) PetscCall(OutputsRead(keys.predict, the_case, &u->ensemble));
  OutputsFollow(&u->ensemble);
  u->num_predicted = u->ensemble.num_outputs - u->first_predicted;
  PetscCall(ReadPosterior(keys.posterior, u));
  PetscCall(FindOffsets(u));
  if (InputNumComplaints(the_case->document)) PetscFunctionReturn(PETSC_SUCCESS); /* studies with faults have no findings */
  CaseLend(the_case, u->ensemble.change);
  PetscCall(NeedsFind(&u->ensemble, u->ensemble.num_outputs, &u->ensemble.needed));
  PetscCall(NeedsFind(&u->ensemble, u->first_predicted, &u->fitted));
  PetscCall(UpdateTablesAdd(u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UpdateRead(Case *the_case, Update **update)
{
  PetscFunctionBegin;
  *update = NULL;
  if (!the_case->update) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(update));
  (*update)->ensemble.node     = the_case->update;
  (*update)->ensemble.the_case = the_case;
  PetscCall(FindingsCreate(&(*update)->ensemble.findings));
  PetscCall(ReadKeys(the_case->update, the_case, *update));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UpdateDestroy(Update **update)
{
  PetscFunctionBegin;
  if (!*update) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ParametersDestroy(&(*update)->ensemble));
  PetscCall(OutputsDestroy(&(*update)->ensemble));
  PetscCall(FindingsDestroy(&(*update)->ensemble.findings));
  PetscCall(PetscFree((*update)->unknowns));
  PetscCall(PetscFree((*update)->targets));
  PetscCall(PetscFree((*update)->offset));
  PetscCall(PetscFree((*update)->fitted));
  PetscCall(PetscFree((*update)->ensemble.needed));
  PetscCall(PetscFree(*update));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UpdateMeasure(Update *update)
{
  PetscReal values[FIT_MAX_UNKNOWNS];
  Variants *variants;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < update->num_unknowns; p++) values[p] = update->unknowns[p].fit.start;
  PetscCall(VariantsCreate(&update->ensemble, PETSC_TRUE, &variants));
  PetscCall(VariantsMeasure(variants, values, &update->seconds));
  PetscCall(VariantsDestroy(&variants));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void DescribePredictions(const Update *u, FILE *out)
{
  fprintf(out, "    %" PetscInt_FMT " prediction%s with %" PetscInt_FMT " draws, each of which computes ", u->num_predicted,
          u->num_predicted == 1 ? "" : "s", u->posterior.draws);
  NeedsDescribe(u->ensemble.the_case, u->ensemble.needed, out);
  fprintf(out, "\n");
}

/* What a step of the search takes: exact derivatives a structure on both sides of each number, others the whole case there. */
static void DescribeStep(const Update *u, FILE *out)
{
  const PetscInt sides = 2 * u->num_unknowns, num_exact = TargetsNumExact(u);

  fprintf(out, "each step takes %" PetscInt_FMT " evaluation%s of the case", num_exact == u->num_targets ? 1 : sides + 1 + (num_exact > 0),
          num_exact == u->num_targets ? "" : "s");
  if (num_exact) fprintf(out, " and builds %" PetscInt_FMT " structures, for exact sensitivities", sides);
  if (num_exact && num_exact < u->num_targets) fprintf(out, " of %" PetscInt_FMT " target%s", num_exact, num_exact == 1 ? "" : "s");
  fprintf(out, "\n");
}

static void DescribeUnknowns(const Update *u, FILE *out)
{
  for (PetscInt p = 0; p < u->num_unknowns; p++)
    fprintf(out, "    %s: from %g%s%s, prior %s, of %s\n", u->ensemble.parameters[p].name, u->unknowns[p].fit.start,
            u->ensemble.parameters[p].unit[0] ? " " : "", u->ensemble.parameters[p].unit,
            u->unknowns[p].has_prior ? distribution_names[u->unknowns[p].prior.kind] : "none", InputPath(u->ensemble.parameters[p].places[0]));
}

static PetscErrorCode Describe(const void *context, FILE *out)
{
  const Update *const u = context;

  PetscFunctionBegin;
  fprintf(out, "  update: %" PetscInt_FMT " number%s from %" PetscInt_FMT " dat%s of %" PetscInt_FMT " target%s, %" PetscInt_FMT " start%s; ",
          u->num_unknowns, u->num_unknowns == 1 ? "" : "s", u->num_data, u->num_data == 1 ? "um" : "a", u->num_targets,
          u->num_targets == 1 ? "" : "s", u->num_starts, u->num_starts == 1 ? "" : "s");
  DescribeStep(u, out);
  DescribeUnknowns(u, out);
  if (u->posterior.method == POSTERIOR_CHAIN)
    fprintf(out, "    a chain of %" PetscInt_FMT " steps of %" PetscInt_FMT " walkers: %" PetscInt_FMT " evaluations\n", u->posterior.steps,
            u->posterior.walkers, u->posterior.steps * u->posterior.walkers + u->posterior.bridge);
  fprintf(out, "    each evaluation computes ");
  NeedsDescribe(u->ensemble.the_case, u->fitted, out);
  fprintf(out, "\n");
  if (u->seconds > 0) fprintf(out, "    it takes %.2g s to be read and built, and then the time of these studies\n", u->seconds);
  if (u->num_predicted) DescribePredictions(u, out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Count(Update *update, MPI_Comm world)
{
  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &update->num_evaluated, 1, MPIU_INT64, MPI_SUM, world));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &update->num_built, 1, MPIU_INT64, MPI_SUM, world));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The search, and what follows from it. The start is computed for what there is to compare with. */
static PetscErrorCode Find(Update *update, Evaluations *evaluations, const Result *result, PetscBool resumed, Updated *updated, Outcome *outcome)
{
  const MPI_Comm world = EvaluationsWorld(evaluations);
  PetscReal      values[FIT_MAX_UNKNOWNS];
  Evaluated      start, best;
  PetscMPIInt    rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(world, &rank));
  PetscCall(EvaluatedCreate(update, &start));
  PetscCall(EvaluatedCreate(update, &best));
  for (PetscInt p = 0; p < update->num_unknowns; p++) values[p] = update->unknowns[p].fit.start;
  PetscCall(EvaluationsCompute(evaluations, world, 1, values, start.outputs, NULL));
  PetscCall(SearchRun(update, evaluations, result, updated));
  if (updated->found.found) PetscCall(EvaluationsDifferentiate(evaluations, world, update, updated->values, &best));
  if (updated->found.found && !EvaluationsStopped(evaluations))
    PetscCall(PosteriorRun(update, evaluations, &best, result, resumed, updated, outcome));
  if (!EvaluationsStopped(evaluations)) PetscCall(PredictionsRun(update, evaluations, updated, result));
  PetscCall(Count(update, world));
  if (rank == 0 && !EvaluationsStopped(evaluations)) {
    PetscCall(UpdateWrite(update, &start, &best, updated, result));
    PetscCall(UpdatePrint(update, &start, &best, updated));
    if (updated->found.found) PetscCall(UpdatePrintPosterior(update, result));
    if (updated->found.found) PetscCall(UpdatePrintPredictions(update, result));
  }
  PetscCall(EvaluatedDestroy(&best));
  PetscCall(EvaluatedDestroy(&start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Run(void *context, Result *result, PetscBool resumed, Outcome *outcome)
{
  Update *const update  = context;
  Updated       updated = {0};
  Evaluations  *evaluations;
  LogStage      stage;

  PetscFunctionBegin;
  if (outcome->num_unfinished) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  LogStageBegin(&stage, "update");
  PetscCall(EvaluationsCreate(update, &evaluations));
  PetscCall(Find(update, evaluations, result, resumed, &updated, outcome));
  if (EvaluationsStopped(evaluations)) {
    ReportSay("\nupdate: broken off\n");
    outcome->num_unfinished++;
  } else outcome->num_stopped += !updated.found.converged;
  PetscCall(EvaluationsDestroy(&evaluations));
  PetscCall(LaplaceDestroy(&updated.laplace));
  PetscCall(PetscFree(updated.draws));
  LogStageEnd(&stage);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CaseSequel *UpdateSequel(Update *update)
{
  update->sequel = (CaseSequel){.findings = update->ensemble.findings, .context = update, .run = Run, .describe = Describe};
  return &update->sequel;
}
