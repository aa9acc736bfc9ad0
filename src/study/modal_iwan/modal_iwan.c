/* modal_iwan.c - the study of modal Iwan models, one for each of some modes. */
#include "modal_iwan.h"

#define OF(member) offsetof(ModalIwanKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `modal_iwan`"},
  {.key = "of", .kind = INPUT_TEXTS, .offset = OF(of), .help = "earlier ring-downs or nonlinear modes to which the models are fitted; or give the models themselves, as `modes`"},
  {.key = "modes", .kind = INPUT_NODE, .offset = OF(modes),
   .help = "with `of`: numbers of modes, default all that are measured; otherwise a list of modes with their parameters"},
  {.key = NULL}
};
// clang-format on

static const InputTable modal_iwan_table = {"modal_iwan",
                                            "modal Iwan models: modes as oscillators with an Iwan joint each, for `model` of a transient", fields};

static const InputTable *const own_tables[] = {&modal_iwan_table, &modal_iwan_given_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

/* By the names of the case file. */
static const char *const parameter_names[MODAL_IWAN_SIZE] = {"stiffness", "damping", "slip_force", "tangent", "chi", "beta"};

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt  before = InputNumComplaints(InputDocumentOf(node));
  ModalIwanStudy *found;

  PetscFunctionBegin;
  PetscCall(PetscNew(&found));
  study->data = found;
  PetscCall(InputRead(node, &modal_iwan_table, &found->keys));
  PetscCall(StudySetName(study, node, found->keys.name));
  if (InputFind(node, "of")) PetscCall(ModalIwanReadSources(node, study, found));
  else if (found->keys.modes) PetscCall(ModalIwanReadGiven(found->keys.modes, names, found));
  else PetscCall(InputComplain(node, "give the ring-downs or nonlinear modes to fit as `of`, or the models themselves as `modes`"));
  if (found->num_sources) study->about = found->sources[0]->about;
  if (InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(ModalIwanDeclare(study->name, study->findings, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool StandsAlone(const InputNode *node)
{
  return (PetscBool)(InputFind(node, "of") != NULL);
}

static PetscErrorCode Destroy(Study *study)
{
  ModalIwanStudy *found = study->data;

  PetscFunctionBegin;
  if (!found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(found->sources));
  PetscCall(PetscFree(found->modes));
  PetscCall(PetscFree(found->models));
  PetscCall(PetscFree(found->fits));
  PetscCall(PetscFree(found->findings));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const ModalIwanStudy *found = study->data;

  PetscFunctionBegin;
  fprintf(out, "  modal_iwan %-23s mode", study->name);
  for (PetscInt i = 0; i < found->count; i++) fprintf(out, "%s %" PetscInt_FMT, i ? "," : "", found->modes[i]);
  fprintf(out, ", %s\n", found->fits ? "fitted" : "as given");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complains of modes that cannot have a model, warns of models that are another mode's. */
static PetscErrorCode CheckFrequencies(const Study *study, const Modes *modes)
{
  const ModalIwanStudy *found  = study->data;
  const PetscReal       likely = 0.1; /* more than the joints of most structures change a frequency by */

  PetscFunctionBegin;
  for (PetscInt i = 0; i < found->count; i++) {
    const InputNode *const item  = InputItem(found->keys.modes, i);
    const PetscReal        omega = modes->omega[found->modes[i] - 1], own = PetscSqrtReal(found->models[i].stiffness + found->models[i].tangent);

    if (omega == 0.0)
      PetscCall(
        InputComplain(InputFind(item, "mode"), "mode %" PetscInt_FMT " has no frequency: it moves without strain, or is unstable", found->modes[i]));
    else if (PetscAbsReal(own - omega) > likely * omega)
      LogWarn("%s: its joints stuck, the model moves at %g rad/s, but mode %" PetscInt_FMT " at %g rad/s", InputPath(item), own, found->modes[i],
              omega);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  ModalIwanStudy *found = study->data;
  const Modes    *modes;
  PetscInt        highest = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < found->count; i++) highest = PetscMax(highest, found->modes[i]);
  if (found->fits) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, highest, &modes));
  PetscCall(CheckFrequencies(study, modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the points do not determine stands in brackets: it is one of many values that fit as well. */
static void PrintValue(PetscReal value, PetscBool determined)
{
  char text[32];

  snprintf(text, sizeof(text), determined ? "%.6g" : "(%.6g)", value);
  ReportSay("  %12s", text);
}

static void PrintFit(const ModalIwanFit *fit)
{
  PetscReal value[MODAL_IWAN_SIZE], low[MODAL_IWAN_SIZE], high[MODAL_IWAN_SIZE];

  ModalIwanList(&fit->model, value);
  ModalIwanList(&fit->low, low);
  ModalIwanList(&fit->high, high);
  ReportSay("    from");
  for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) ReportSay("  %12.6g", low[p]);
  ReportSay("\n      to");
  for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) ReportSay("  %12.6g", high[p]);
  ReportSay("\n          %" PetscInt_FMT " points, %" PetscInt_FMT " in microslip; frequency within %.2g %%, damping %.2g %% (root mean square)\n",
            fit->num_points, fit->num_micro, 100.0 * fit->omega_misfit, 100.0 * fit->zeta_misfit);
  for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++)
    if (!fit->determined[p])
      ReportSay("          %s is not determined by the data: (%.6g) is one of many values that fit as well\n", parameter_names[p], value[p]);
}

static void PrintHeading(const Study *study)
{
  const ModalIwanStudy *found = study->data;

  ReportSay("\nmodal_iwan %s: %" PetscInt_FMT " mode%s%s\n", study->name, found->count, found->count == 1 ? "" : "s",
            found->fits ? ", with intervals of 95 % confidence" : "");
}

static PetscBool HasModel(const ModalIwanStudy *found, PetscInt i)
{
  return (PetscBool)(!found->fits || found->fits[i].num_points > 0);
}

/* Those that there are; of the others it has been said why not. */
static void PrintModels(const ModalIwanStudy *found)
{
  PetscInt num_models = 0;

  for (PetscInt i = 0; i < found->count; i++) num_models += HasModel(found, i);
  if (num_models == 0) return;
  ReportSay("    mode");
  for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) ReportSay("  %12s", parameter_names[p]);
  ReportSay("\n");
  for (PetscInt i = 0; i < found->count; i++) {
    PetscReal values[MODAL_IWAN_SIZE];

    if (!HasModel(found, i)) continue;
    ModalIwanList(&found->models[i], values);
    ReportSay("  %6" PetscInt_FMT, found->modes[i]);
    for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) PrintValue(values[p], (PetscBool)(!found->fits || found->fits[i].determined[p]));
    ReportSay("\n");
    if (found->fits) PrintFit(&found->fits[i]);
  }
}

/* What nature refuses, a model that the points cannot carry, stops the study and those that build on it. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  ModalIwanStudy *found = study->data;
  PetscMPIInt     rank;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  found->found = PETSC_TRUE;
  PrintHeading(study);
  if (found->fits) PetscCall(ModalIwanFitAll(result, found));
  if (!found->found) outcome->num_stopped++;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(ModalIwanWrite(found, result));
  PrintModels(found);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_modal_iwan = {
  .name         = "modal_iwan",
  .summary      = "modal Iwan models, fitted to ring-downs or nonlinear modes, or given",
  .tables       = tables,
  .outputs      = modal_iwan_tables,
  .stands_alone = StandsAlone,
  .read         = Read,
  .group        = StudyOwnGroup,
  .describe     = Describe,
  .prepare      = Prepare,
  .run          = Compute,
  .destroy      = Destroy,
};
