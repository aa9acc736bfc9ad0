/* modal_iwan.c - the study of modal Iwan models, one for each of some modes. */
#include "modal_iwan.h"
#include "modal_model.h"
#include "studies.h"

typedef struct {
  const char      *name;
  const InputNode *modes;
} Keys;

typedef struct {
  PetscInt  mode;
  ModalIwan model;
} ModeKeys;

typedef struct {
  Keys         keys;
  PetscInt     count;
  PetscInt    *modes;  /* from 1 */
  ModalIwan   *models; /* of each mode */
  ResultArray *arrays; /* [count, MODAL_IWAN_SIZE] */
} ModalIwanStudy;

#define OF(member) offsetof(Keys, member)
#define OF_MODE(member) offsetof(ModeKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "of the study and its group in the result; `modal_iwan` when not given"},
  {.key = "modes", .kind = INPUT_NODE, .offset = OF(modes), .fallback = INPUT_REQUIRED,
   .help = "parameters that are known, measured or published: a list of modes"},
  {.key = NULL}
};

/* The bounds are those of the law iwan4. */
static const InputField mode_fields[] = {
  {.key = "mode", .kind = INPUT_COUNT, .offset = OF_MODE(mode), .fallback = INPUT_REQUIRED, .least = 1, .most = PETSC_INFINITY,
   .help = "number of the mode with joints stuck, from 1"},
  {.key = "stiffness", .kind = INPUT_REAL, .offset = OF_MODE(model.stiffness), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .unit = "1/s^2",
   .help = "K_inf: square of the frequency [rad/s] while the joints slip"},
  {.key = "damping", .kind = INPUT_REAL, .offset = OF_MODE(model.damping), .fallback = INPUT_REQUIRED, .most = 1,
   .help = "zeta_0: ratio of the critical damping, while the joints stick"},
  {.key = "slip_force", .kind = INPUT_REAL, .offset = OF_MODE(model.slip_force), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "N kg^-1/2",
   .help = "F_S: force at which all of the element slips"},
  {.key = "tangent", .kind = INPUT_REAL, .offset = OF_MODE(model.tangent), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "1/s^2",
   .help = "K_T: what the joints add to `stiffness` while they stick"},
  {.key = "chi", .kind = INPUT_REAL, .offset = OF_MODE(model.chi), .fallback = INPUT_REQUIRED, .least = -1, .above = PETSC_TRUE,
   .help = "dissipation in microslip grows with amplitude^(chi+3)"},
  {.key = "beta", .kind = INPUT_REAL, .offset = OF_MODE(model.beta), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY,
   .help = "stiffness of the sliders that slip last over that of all others"},
  {.key = NULL}
};
// clang-format on

static const InputTable modal_iwan_table = {"modal_iwan",
                                            "modal Iwan models: some modes, each on its own with a joint, for the `model` of a transient", fields};
static const InputTable mode_table       = {"modes[]", "the model of one mode", mode_fields};

static const InputTable *const own_tables[] = {&modal_iwan_table, &mode_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

/* The parameters in the order of the struct, by the names of the case file. */
static const char *const parameter_names[MODAL_IWAN_SIZE] = {"stiffness", "damping", "slip_force", "tangent", "chi", "beta"};

static void ListParameters(const ModalIwan *model, PetscReal values[MODAL_IWAN_SIZE])
{
  const PetscReal list[MODAL_IWAN_SIZE] = {model->stiffness, model->damping, model->slip_force, model->tangent, model->chi, model->beta};

  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) values[i] = list[i];
}

static PetscErrorCode CheckMode(const InputNode *item, const System *system, const ModalIwanStudy *known, PetscInt mode)
{
  const InputNode *const node = InputFind(item, "mode");

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (system && mode > system->num_unknowns)
    PetscCall(InputComplain(node, "there are %" PetscInt_FMT " modes, got %" PetscInt_FMT, system->num_unknowns, mode));
  for (PetscInt i = 0; i < known->count; i++)
    if (known->modes[i] == mode) PetscCall(InputComplain(node, "mode %" PetscInt_FMT " has a model already, in item %" PetscInt_FMT, mode, i + 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMode(const InputNode *item, const System *system, ModalIwanStudy *found)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(item));
  ModeKeys       keys           = {0};
  PetscReal      parameters[JOINT_MAX_PARAMETERS];

  PetscFunctionBegin;
  PetscCall(InputRead(item, &mode_table, &keys));
  PetscCall(CheckMode(item, system, found, keys.mode));
  if (InputNumComplaints(InputDocumentOf(item)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  if (ModalModelElement(&keys.model, parameters)->refuse(parameters))
    PetscCall(InputComplain(item, "slip_force / tangent is not a displacement at which a mode can slip"));
  found->modes[found->count]    = keys.mode;
  found->models[found->count++] = keys.model;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadModes(const InputNode *list, const System *system, ModalIwanStudy *found)
{
  const PetscInt count = list && InputIsList(list) ? InputCount(list) : 0;

  PetscFunctionBegin;
  if (list && count == 0) PetscCall(InputComplain(list, "expected a list of modes: - {mode: 7, stiffness: ..., damping: ..., ...}"));
  PetscCall(PetscMalloc3(count, &found->modes, count, &found->models, count * MODAL_IWAN_SIZE, &found->arrays));
  for (PetscInt i = 0; i < count; i++) PetscCall(ReadMode(InputItem(list, i), system, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const System *system, Study *study)
{
  ModalIwanStudy *found;

  PetscFunctionBegin;
  PetscCall(PetscNew(&found));
  study->data = found;
  PetscCall(InputRead(node, &modal_iwan_table, &found->keys));
  if (!found->keys.name) found->keys.name = "modal_iwan";
  study->name = found->keys.name;
  PetscCall(InputCheckName(InputFind(node, "name") ? InputFind(node, "name") : node, found->keys.name));
  if (system && system->continuum) {
    PetscCall(InputComplain(node, "needs a mesh that is reduced: give the case a reduction, for instance {craig_bampton: {modes: 20}}"));
    system = NULL;
  }
  PetscCall(ReadModes(found->keys.modes, system, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  ModalIwanStudy *found = study->data;

  PetscFunctionBegin;
  if (!found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3(found->modes, found->models, found->arrays));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *Group(const Study *study, PetscInt i)
{
  return i == 0 ? study->name : NULL;
}

static PetscErrorCode Describe(const Study *study, const System *system, FILE *out)
{
  const ModalIwanStudy *found = study->data;

  PetscFunctionBegin;
  fprintf(out, "  modal_iwan %-23s mode", study->name);
  for (PetscInt i = 0; i < found->count; i++) fprintf(out, "%s %" PetscInt_FMT, i ? "," : "", found->modes[i]);
  fprintf(out, ", as given\n");
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

static PetscErrorCode Prepare(Study *study, Subject *subject, Result *result)
{
  ModalIwanStudy  *found = study->data;
  const PetscInt64 one   = 1;
  const Modes     *modes;
  PetscInt         highest = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < found->count; i++) highest = PetscMax(highest, found->modes[i]);
  PetscCall(SubjectModes(subject, JOINT_STUCK, highest, &modes));
  PetscCall(CheckFrequencies(study, modes));
  for (PetscInt i = 0; i < found->count; i++)
    for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) {
      char path[PETSC_MAX_PATH_LEN];

      PetscCall(PetscSNPrintf(path, sizeof(path), "/modal_iwan/%s/mode%" PetscInt_FMT "/%s", study->name, found->modes[i], parameter_names[p]));
      PetscCall(ResultReserve(result, path, RESULT_REAL, 1, &one, &found->arrays[i * MODAL_IWAN_SIZE + p]));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Collect(Study *study, PetscInt *count, ResultArray **arrays)
{
  ModalIwanStudy *found = study->data;

  PetscFunctionBegin;
  *count = found->count * MODAL_IWAN_SIZE;
  for (PetscInt i = 0; arrays && i < *count; i++) arrays[i] = &found->arrays[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Write(const ModalIwanStudy *found, const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < found->count; i++) {
    PetscReal values[MODAL_IWAN_SIZE];

    ListParameters(&found->models[i], values);
    for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) PetscCall(ResultWriteRows(result, &found->arrays[i * MODAL_IWAN_SIZE + p], 0, 1, &values[p]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Print(const Study *study)
{
  const ModalIwanStudy *found = study->data;

  ReportSay("\nmodal_iwan %s: %" PetscInt_FMT " mode%s\n  mode", study->name, found->count, found->count == 1 ? "" : "s");
  for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) ReportSay("  %12s", parameter_names[p]);
  ReportSay("\n");
  for (PetscInt i = 0; i < found->count; i++) {
    PetscReal values[MODAL_IWAN_SIZE];

    ListParameters(&found->models[i], values);
    ReportSay("  %4" PetscInt_FMT, found->modes[i]);
    for (PetscInt p = 0; p < MODAL_IWAN_SIZE; p++) ReportSay("  %12.6g", values[p]);
    ReportSay("\n");
  }
}

static PetscErrorCode Run(Study *study, Subject *subject, Result *result, PetscBool resumed, Outcome *outcome)
{
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(Write(study->data, result));
  Print(study);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModalIwanStudyModel(const Study *study, PetscInt *count, const PetscInt **modes, const ModalIwan **models)
{
  const ModalIwanStudy *found = study->data;

  PetscFunctionBegin;
  *count  = found->count;
  *modes  = found->modes;
  *models = found->models;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_modal_iwan = {
  .name     = "modal_iwan",
  .summary  = "modal Iwan models of some modes, for transients to move",
  .tables   = tables,
  .read     = Read,
  .group    = Group,
  .describe = Describe,
  .prepare  = Prepare,
  .collect  = Collect,
  .run      = Run,
  .destroy  = Destroy,
};
