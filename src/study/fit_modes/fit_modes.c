/* fit_modes.c - the study that finds numbers of the case from natural frequencies. */
#include "fit_modes.h"

#define OF(member) offsetof(FitModesKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `fit_modes`"},
  {.key = "find", .kind = INPUT_NODE, .offset = OF(find), .fallback = INPUT_REQUIRED,
   .help = "numbers of this case to identify, {NAME: {path, start, least, most}, ...}"},
  {.key = "targets", .kind = INPUT_NODE, .offset = OF(targets), .fallback = INPUT_REQUIRED, .help = "frequencies that the structure is to have: [{mode, frequency, uncertainty}, ...]"},
  {.key = "joints", .kind = INPUT_WORD, .offset = OF(joints), .fallback = JOINT_STUCK, .words = joint_state_names, .help = "state of the joints"},
  {.key = NULL}
};
// clang-format on

static const InputTable fit_modes_table = {
  "fit_modes",
  "numbers of the case - stiffnesses, masses, materials - identified from natural frequencies by least squares, with confidence intervals", fields};

static const InputTable *const own_tables[] = {&fit_modes_table, &fit_modes_find_table, &fit_modes_target_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt complaints = InputNumComplaints(InputDocumentOf(node));
  FitModes      *fit;

  PetscFunctionBegin;
  PetscCall(PetscNew(&fit));
  study->data = fit;
  PetscCall(InputRead(node, &fit_modes_table, &fit->keys));
  PetscCall(StudySetName(study, node, fit->keys.name));
  if (fit->keys.find) PetscCall(FitModesReadNumbers(fit->keys.find, fit));
  if (fit->keys.targets) PetscCall(FitModesReadTargets(fit->keys.targets, names, fit));
  if (InputNumComplaints(InputDocumentOf(node)) == complaints) PetscCall(FitModesDeclare(study->name, study->findings, fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  PetscFunctionBegin;
  if (study->data) PetscCall(FitModesFree(study->data));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const FitModes *fit = study->data;

  PetscFunctionBegin;
  fprintf(out,
          "  fit_modes %-24s %" PetscInt_FMT " number%s from %" PetscInt_FMT " frequenc%s, joints %s; each step builds the structure %" PetscInt_FMT
          " times\n",
          study->name, fit->num_numbers, fit->num_numbers == 1 ? "" : "s", fit->num_targets, fit->num_targets == 1 ? "y" : "ies",
          joint_state_names[fit->keys.joints], 2 * fit->num_numbers + 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The search, and the model that it has for each target. */
typedef struct {
  FitModesSearch search;
  FitModesModel  model;
} Context;

static PetscErrorCode ModelCreate(const FitModes *fit, FitModesModel *model)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc2(fit->num_targets, &model->frequency, fit->num_targets * fit->num_numbers, &model->slopes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ModelFree(FitModesModel *model)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(model->frequency, model->slopes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Relative to the frequency of the target. */
static PetscErrorCode Deviate(void *data, const PetscReal values[], PetscBool *exists, PetscReal deviations[], PetscReal slopes[])
{
  Context        *context = data;
  const FitModes *fit     = context->search.fit;
  const PetscInt  size    = fit->num_numbers;

  PetscFunctionBegin;
  PetscCall(FitModesCompute(&context->search, values, (PetscBool)(slopes != NULL), &context->model));
  *exists = context->model.exists;
  for (PetscInt i = 0; *exists && i < fit->num_targets; i++) {
    deviations[i] = context->model.frequency[i] / fit->targets[i].frequency - 1;
    for (PetscInt p = 0; slopes && p < size; p++) slopes[i * size + p] = context->model.slopes[i * size + p] / fit->targets[i].frequency;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Search(const FitModes *fit, const Model *model, FitModesFound *found)
{
  const PetscReal best    = 1e-6; /* no frequency is known better, relatively */
  Context         context = {.search = {.fit = fit, .model = model}};
  PetscReal       values[FIT_MAX_UNKNOWNS], *uncertainty;
  TargetFit       problem = {
          .num_unknowns = fit->num_numbers, .unknowns = fit->unknowns, .count = fit->num_targets, .deviate = Deviate, .context = &context};

  PetscFunctionBegin;
  PetscCall(ModelCreate(fit, &context.model));
  PetscCall(PetscMalloc1(fit->num_targets, &uncertainty));
  for (PetscInt i = 0; i < fit->num_targets; i++) uncertainty[i] = PetscMax(best, fit->targets[i].uncertainty / fit->targets[i].frequency);
  problem.uncertainty = uncertainty;
  for (PetscInt p = 0; p < fit->num_numbers; p++) values[p] = fit->unknowns[p].start;
  PetscCall(FitModesCompute(&context.search, values, PETSC_FALSE, &found->before));
  if (found->before.exists) PetscCall(TargetFitFind(&problem, &found->fit));
  for (PetscInt p = 0; p < fit->num_numbers; p++) values[p] = found->fit.parameters[p].value;
  if (found->fit.found) PetscCall(FitModesCompute(&context.search, values, PETSC_TRUE, &found->after));
  PetscCall(PetscStrncpy(found->reason,
                         found->fit.found && found->fit.converged ? "converged" : "no better values were found, though this is no minimum",
                         sizeof(found->reason)));
  if (!found->fit.found) PetscCall(PetscSNPrintf(found->reason, sizeof(found->reason), "no model at the start: %s", context.search.reason));
  found->models = context.search.models;
  PetscCall(PetscFree(uncertainty));
  PetscCall(ModelFree(&context.model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A start where there is no model, and a search that does not end, are nature's refusals. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  const FitModes *fit   = study->data;
  FitModesFound   found = {.models = 0};
  PetscMPIInt     rank;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModelCreate(fit, &found.before));
  PetscCall(ModelCreate(fit, &found.after));
  PetscCall(Search(fit, cache->model, &found));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (InterruptAsked()) outcome->num_unfinished++;
  else {
    if (!found.fit.found || !found.fit.converged) outcome->num_stopped++;
    if (rank == 0) PetscCall(FitModesWrite(fit, &found, result));
    if (rank == 0) PetscCall(FitModesPrint(study->name, fit, &found));
  }
  PetscCall(ModelFree(&found.after));
  PetscCall(ModelFree(&found.before));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_fit_modes = {
  .name     = "fit_modes",
  .summary  = "numbers of the case, identified from natural frequencies",
  .tables   = tables,
  .outputs  = fit_modes_outputs,
  .read     = Read,
  .group    = StudyOwnGroup,
  .describe = Describe,
  .run      = Compute,
  .destroy  = Destroy,
};
