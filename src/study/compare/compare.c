/* compare.c - the study that judges a modal model by the structure itself: their frequency and damping at the same amplitude. */
#include "compare.h"

#define OF(member) offsetof(CompareKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `compare`"},
  {.key = "truth", .kind = INPUT_TEXT, .offset = OF(truth), .fallback = INPUT_REQUIRED, .help = "an earlier ring-down or nonlinear modes, of the structure"},
  {.key = "model", .kind = INPUT_TEXT, .offset = OF(model), .fallback = INPUT_REQUIRED, .help = "an earlier ring-down of the modal model"},
  {.key = "fit", .kind = INPUT_TEXT, .offset = OF(fit), .fallback = INPUT_REQUIRED,
   .help = "the `modal_iwan` of that model, which gives the amplitude at which microslip ends"},
  {.key = NULL}
};
// clang-format on

static const InputTable compare_table = {
  "compare", "comparison of the structure with its modal model: ratios of frequency and damping at the same amplitude", fields};

static const InputTable *const own_tables[] = {&compare_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  Compare       *compare;

  PetscFunctionBegin;
  PetscCall(PetscNew(&compare));
  study->data = compare;
  PetscCall(InputRead(node, &compare_table, &compare->keys));
  PetscCall(StudySetName(study, node, compare->keys.name));
  if (!compare->keys.truth || !compare->keys.model || !compare->keys.fit) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(StudyFindAmong(study, decay_studies, InputFind(node, "truth"), compare->keys.truth, &compare->truth));
  PetscCall(StudyFindAmong(study, decay_studies, InputFind(node, "model"), compare->keys.model, &compare->model));
  PetscCall(StudyFindBefore(study, "modal_iwan", InputFind(node, "fit"), compare->keys.fit, &compare->fit));
  if (compare->truth && compare->model && compare->fit) PetscCall(CompareFindDecays(node, compare));
  if (InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(CompareDeclare(study->name, study->findings, compare));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  Compare *compare = study->data;

  PetscFunctionBegin;
  if (!compare) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(compare->decays));
  PetscCall(PetscFree(compare->lines));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const Compare *compare = study->data;

  PetscFunctionBegin;
  fprintf(out, "  compare %-26s %" PetscInt_FMT " decays with the curves of %s\n", study->name, compare->num_decays, compare->model->name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Print(const Study *study)
{
  static const char *const regimes[] = {"microslip", "macroslip"};
  const Compare           *compare   = study->data;

  ReportSay("\ncompare %s: %s over the model %s, at the same amplitude\n", study->name, compare->truth->name, compare->model->name);
  ReportSay("  %4s  %-20s %-10s %6s  %-21s  %s\n", "mode", "excited at", "regime", "points", "frequency ratio", "damping ratio: mean, least, most");
  for (PetscInt i = 0; i < compare->num_lines; i++) {
    const CompareLine *line = &compare->lines[i];

    if (line->points == 0) ReportSay("  %4" PetscInt_FMT "  %-20s %-10s %6d\n", line->mode, line->place, regimes[line->regime], 0);
    else
      ReportSay("  %4" PetscInt_FMT "  %-20s %-10s %6" PetscInt_FMT "  %9.6f to %-9.6f %8.3f %8.3f %8.3f\n", line->mode, line->place,
                regimes[line->regime], line->points, line->omega[RATIO_LEAST], line->omega[RATIO_MOST], line->zeta[RATIO_MEAN],
                line->zeta[RATIO_LEAST], line->zeta[RATIO_MOST]);
  }
}

/* Rank 0 alone: there is little to do. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  PetscMPIInt rank;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) {
    PetscCall(CompareDecays(study->data, result));
    Print(study);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_compare = {
  .name         = "compare",
  .summary      = "comparison of the structure with its modal model",
  .tables       = tables,
  .outputs      = compare_tables,
  .stands_alone = StudyAlwaysAlone,
  .read         = Read,
  .group        = StudyOwnGroup,
  .describe     = Describe,
  .run          = Compute,
  .destroy      = Destroy,
};
