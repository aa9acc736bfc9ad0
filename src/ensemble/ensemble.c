/* ensemble.c - the key `vary`: read, described, and computed behind the studies of the case. */
#include "tables.h"
#include "meshed/build.h"
#include <petsctime.h>
#include <stdlib.h>

typedef struct {
  const InputNode *parameters, *outputs, *keep;
  PlanKeys         plan;
  InputReals       percentiles, kept;
  PetscReal        confidence;
  PetscInt         ranks;
} VaryKeys;

#define OF(member) offsetof(VaryKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "parameters", .kind = INPUT_NODE, .offset = OF(parameters), .fallback = INPUT_REQUIRED,
   .help = "what is varied: {NAME: {path, DISTRIBUTION}, ...}"},
  {.key = "outputs", .kind = INPUT_NODE, .offset = OF(outputs), .fallback = INPUT_REQUIRED,
   .help = "what is kept of each sample: {NAME: PATH, ...}, or {NAME: {path, ...}} for curves and for one number of a history"},
  PLAN_FIELDS(OF(plan)),
  {.key = "percentiles", .kind = INPUT_REALS, .offset = OF(percentiles), .fallback = INPUT_OPTIONAL, .least = 0, .most = 100, .unit = "%",
   .help = "percentiles of outputs and bands of curves; default: 5, 50, 95"},
  {.key = "confidence", .kind = INPUT_REAL, .offset = OF(confidence), .fallback = 0.95, .least = 0.5, .most = 0.9999,
   .help = "probability with which intervals of percentiles and of Sobol' indices contain the true value"},
  {.key = "keep", .kind = INPUT_REALS, .offset = OF(kept), .fallback = INPUT_OPTIONAL, .least = 1, .most = PETSC_MAX_INT,
   .help = "samples whose whole results are kept, RESULT_sample_1.h5: numbers from 1; of all others only the outputs are, and only the studies that these need are computed"},
  {.key = "ranks", .kind = INPUT_COUNT, .offset = OF(ranks), .fallback = 1, .least = 1, .most = PETSC_MAX_INT,
   .help = "number of MPI ranks that compute a sample together, for meshes that need the memory of several; default: each rank its own sample"},
  {0},
};
// clang-format on

const InputTable vary_table = {.name = "vary", .summary = "numbers of the case that are varied, and what is kept of each sample", .fields = fields};

const InputTable *const ensemble_tables[] = {&vary_table,
                                             &vary_parameter_table,
                                             &vary_output_table,
                                             &vary_grid_table,
                                             &plan_correlation_table,
                                             &distribution_tables[DISTRIBUTION_UNIFORM],
                                             &distribution_tables[DISTRIBUTION_NORMAL],
                                             &distribution_tables[DISTRIBUTION_LOGNORMAL],
                                             &distribution_tables[DISTRIBUTION_TRIANGULAR],
                                             &distribution_tables[DISTRIBUTION_LOG_UNIFORM],
                                             &distribution_tables[DISTRIBUTION_GRID],
                                             NULL};

static const PetscReal usual_percentiles[] = {5, 50, 95};

static PetscErrorCode ReadPlan(const InputNode *node, const VaryKeys *keys, Ensemble *e)
{
  const char **names;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(e->num_parameters + 1, &names));
  for (PetscInt p = 0; p < e->num_parameters; p++) names[p] = e->parameters[p].name;
  PetscCall(PlanCreateFromKeys(node, &keys->plan, names, e->distributions, &e->plan));
  PetscCall(PetscFree(names));
  e->num_rows    = PlanNumRows(e->plan);
  e->num_samples = PlanNumSamples(e->plan);
  e->method      = PlanGetMethod(e->plan);
  e->remark      = PlanRemark(e->plan);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int CompareInts(const void *a, const void *b)
{
  const PetscInt one = *(const PetscInt *)a, two = *(const PetscInt *)b;

  return (one > two) - (one < two);
}

static PetscErrorCode ReadKeep(const InputNode *node, const InputReals *kept, Ensemble *e)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(kept->count, &e->keep));
  for (PetscInt i = 0; i < kept->count; i++) {
    const PetscReal number = kept->values[i];

    if (number != PetscFloorReal(number)) PetscCall(InputComplain(node, "samples are whole numbers from 1, got %g", number));
    else if (e->plan && number > e->num_rows)
      PetscCall(InputComplain(node, "there are %" PetscInt_FMT " samples, no sample %g", e->num_rows, number));
    else e->keep[e->num_keep++] = (PetscInt)number;
  }
  if (e->num_keep) qsort(e->keep, (size_t)e->num_keep, sizeof(PetscInt), CompareInts);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void TakeKeys(const VaryKeys *keys, Ensemble *e)
{
  e->percentiles  = keys->percentiles.count ? keys->percentiles : (InputReals){.count = 3, .values = usual_percentiles};
  e->confidence   = keys->confidence;
  e->ranks        = keys->ranks;
  e->seed         = keys->plan.seed;
  e->second_order = keys->plan.second_order;
}

PetscErrorCode EnsembleRead(Case *the_case, Ensemble **ensemble)
{
  const InputNode *const node = the_case->vary;
  VaryKeys               keys;
  Ensemble              *e;

  PetscFunctionBegin;
  *ensemble = NULL;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(ensemble));
  e           = *ensemble;
  e->node     = node;
  e->the_case = the_case;
  PetscCall(EnsembleTakePart(e, 1, 1));
  PetscCall(PetscMemzero(&keys, sizeof(keys)));
  PetscCall(InputRead(node, &vary_table, &keys));
  TakeKeys(&keys, e);
  PetscCall(FindingsCreate(&e->findings));
  if (keys.parameters) PetscCall(ParametersRead(keys.parameters, the_case, e));
  if (keys.outputs) PetscCall(OutputsRead(keys.outputs, the_case, e));
  if (InputNumComplaints(the_case->document)) PetscFunctionReturn(PETSC_SUCCESS); /* of studies, too, which then have no findings */
  PetscCall(ReadPlan(node, &keys, e));
  PetscCall(ReadKeep(InputFind(node, "keep"), &keys.kept, e));
  CaseLend(the_case, e->change);
  PetscCall(NeedsFind(e, e->num_outputs, &e->needed));
  if (InputNumComplaints(the_case->document) == 0) PetscCall(TablesAdd(e));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EnsembleDestroy(Ensemble **ensemble)
{
  PetscFunctionBegin;
  if (!*ensemble) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(EarlierRowsDestroy(*ensemble));
  PetscCall(PlanDestroy(&(*ensemble)->plan));
  PetscCall(ParametersDestroy(*ensemble));
  PetscCall(OutputsDestroy(*ensemble));
  PetscCall(FindingsDestroy(&(*ensemble)->findings));
  PetscCall(PetscFree((*ensemble)->keep));
  PetscCall(PetscFree((*ensemble)->needed));
  PetscCall(PetscFree(*ensemble));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void DescribeParameters(const Ensemble *e, FILE *out)
{
  for (PetscInt p = 0; p < e->num_parameters; p++) {
    const Parameter *const    parameter    = &e->parameters[p];
    const Distribution *const distribution = &e->distributions[p];

    fprintf(out, "    %s: %s%s", parameter->name, distribution_names[distribution->kind], parameter->relative ? " factors" : "");
    fprintf(out, ", mean %g, deviation %g%s%s, of %s", DistributionMean(distribution), DistributionDeviation(distribution),
            parameter->unit[0] ? " " : "", parameter->unit, InputPath(parameter->places[0]));
    if (parameter->num_places > 1) fprintf(out, " and %" PetscInt_FMT " more", parameter->num_places - 1);
    fprintf(out, " (%g)\n", parameter->nominal[0]);
  }
}

static const char *const shared_words[] = {"the structure and its modes are computed once",
                                           "the masses and the mesh are the same for all samples; what joins them is built for each",
                                           "the structure is read and built for each sample"};

/* Of a mesh that is reduced to its modes. */
static PetscBool SharesModes(const Ensemble *e)
{
  const MeshedPart *const meshed = e->the_case->model ? ModelMeshed(e->the_case->model) : NULL;

  return (PetscBool)(e->change == MODEL_JOINED && meshed && MeshedPartWantsModes(meshed));
}

PetscErrorCode EnsembleMeasure(Ensemble *e)
{
  PetscReal *values;
  Variants  *variants;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(e->num_parameters, &values));
  PlanValues(e->plan, 0, values);
  PetscCall(VariantsCreate(e, PETSC_TRUE, &variants));
  PetscCall(VariantsMeasure(variants, values, &e->seconds));
  PetscCall(VariantsDestroy(&variants));
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where no parameter is sampled, the method says nothing. */
static const char *MethodOf(const Ensemble *e)
{
  for (PetscInt p = 0; p < e->num_parameters; p++)
    if (!DistributionIsDiscrete(&e->distributions[p])) return plan_methods[e->method];
  return e->method != PLAN_SOBOL_INDICES && e->num_samples == 1 ? "all combinations" : plan_methods[e->method];
}

static PetscErrorCode Describe(const void *context, FILE *out)
{
  const Ensemble *const e   = context;
  const PetscReal       row = 8.0 * (e->num_parameters + e->num_values + 3) + RESULT_TEXT_LENGTH;

  PetscFunctionBegin;
  fprintf(out, "  vary: %" PetscInt_FMT " sample%s (%s) of %" PetscInt_FMT " parameter%s, %" PetscInt_FMT " output%s, %.3g MB of results\n",
          e->num_rows, e->num_rows == 1 ? "" : "s", MethodOf(e), e->num_parameters, e->num_parameters == 1 ? "" : "s", e->num_outputs,
          e->num_outputs == 1 ? "" : "s", 1e-6 * row * (PetscReal)e->num_rows);
  if (e->remark) fprintf(out, "    %s\n", e->remark);
  DescribeParameters(e, out);
  fprintf(out, "    %s\n", shared_words[e->change]);
  if (SharesModes(e)) fprintf(out, "    modes of the mesh are found again only where joints that stick are of another stiffness\n");
  fprintf(out, "    each sample computes ");
  NeedsDescribe(e->the_case, e->needed, out);
  fprintf(out, e->num_keep ? "; those whose results are kept compute all\n" : "\n");
  if (e->seconds > 0) fprintf(out, "    it takes %.2g s to be read and built, and then the time of these studies\n", e->seconds);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The outputs of the case itself. Those without a value would have none in all samples: they are told at once. */
static PetscErrorCode WriteNominal(const Ensemble *e, const Result *result, PetscBool *fine)
{
  PetscInt    curve = e->num_numbers, num_missing = 0;
  PetscMPIInt rank;
  PetscReal  *values;
  char        reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(PetscMalloc1(e->num_values, &values));
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    PetscCall(OutputFind(output, e->the_case, result, values + (output->is_curve ? curve : output->column), sizeof(reason), reason));
    curve += output->is_curve ? output->count : 0;
    if (!reason[0]) continue;
    num_missing++;
    LogWarn("vary: with the numbers of the case, output %s", reason);
  }
  if (rank == 0) PetscCall(TablesWriteNominal(e, values, result));
  PetscCall(PetscFree(values));
  *fine = (PetscBool)(num_missing < e->num_outputs);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Finish(const Ensemble *e, const Result *result, PetscInt missing, Outcome *outcome)
{
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (missing) ReportSay("\nvary: %" PetscInt_FMT " of %" PetscInt_FMT " samples are not computed yet\n", missing, ShareCount(e));
  else if (e->parts > 1)
    ReportSay("\nvary: part %" PetscInt_FMT " of %" PetscInt_FMT " is computed, %" PetscInt_FMT " of %" PetscInt_FMT
              " samples; `dovetail merge` unites the parts\n",
              e->part, e->parts, ShareCount(e), e->num_rows);
  else if (rank == 0) PetscCall(StatisticsWrite(e, result));
  outcome->num_unfinished += missing > 0;
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Run(void *context, Result *result, PetscBool resumed, Outcome *outcome)
{
  Ensemble *const e = context;
  PetscInt        missing, useful;
  PetscBool       fine = PETSC_FALSE;
  LogStage        stage;

  PetscFunctionBegin;
  if (outcome->num_unfinished) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD)); /* what other ranks have found of the case is in the result */
  LogStageBegin(&stage, "vary: %" PetscInt_FMT " samples", ShareCount(e));
  PetscCall(WriteNominal(e, result, &fine));
  if (!fine) {
    ReportSay("\nvary: no output has a value with the numbers of the case: no sample is computed\n");
    outcome->num_stopped++;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(EarlierRowsTake(e, result));
  PetscCall(SamplesCompute(e, result, resumed, &missing, &useful));
  PetscCall(Finish(e, result, missing, outcome));
  if (!missing && !useful) { /* the reasons have been printed */
    LogWarn("vary: no sample has a value");
    outcome->num_stopped++;
  }
  LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CaseSequel *EnsembleSequel(Ensemble *ensemble)
{
  if (!ensemble) return NULL;
  ensemble->sequel = (CaseSequel){.findings = ensemble->findings, .context = ensemble, .run = Run, .describe = Describe, .identity = ensemble->share};
  return &ensemble->sequel;
}
