/* fit_law.c - the study that finds parameters of a law from loops or from ring-downs. */
#include "fit_law.h"

#define OF(member) offsetof(FitLawKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `fit_law`"},
  {.key = "law", .kind = INPUT_NODE, .offset = OF(law), .fallback = INPUT_REQUIRED,
   .help = "{law: NAME, the parameters that are known}; see `dovetail help laws NAME`"},
  {.key = "find", .kind = INPUT_NODE, .offset = OF(find), .fallback = INPUT_REQUIRED,
   .help = "parameters of the law to identify, {PARAMETER: {start, least, most}, ...} or {PARAMETER: START, ...}"},
  {.key = "beside", .kind = INPUT_NODE, .offset = OF(beside), .help = "a spring and a dashpot in parallel with the law, known or to be identified: {stiffness, damping}"},
  {.key = "data", .kind = INPUT_NODE, .offset = OF(data),
   .help = "loops: a record or a list of records, each from rest, of one whole cycle, or of several cycles; or give `ring_down`"},
  {.key = "ring_down", .kind = INPUT_NODE, .offset = OF(ring_down), .help = "frequency and damping from decays, instead of loops: {of, mode, stiffness, damping}"},
  {.key = "starts", .kind = INPUT_COUNT, .offset = OF(starts), .fallback = 40, .most = 100000,
   .help = "number of starting points besides the given one, within a factor of ten of it or within the bounds; the best are iterated to the end"},
  {.key = "warm_up", .kind = INPUT_COUNT, .offset = OF(warm_up), .fallback = INPUT_OPTIONAL, .least = 1, .most = 1000,
   .help = "number of times that a closed loop is repeated before it is compared; default: 1 for laws that obey Masing's rules, 10 for others, which forget slowly"},
  {.key = NULL}
};
// clang-format on

static const InputTable fit_law_table = {
  "fit_law", "parameters of a law, identified from loops or ring-downs by least squares, with confidence intervals", fields};
static const InputTable data_table = {"fit_law.data[]", "motion and force of a joint", loop_data_fields};

static const InputTable *const own_tables[] = {&fit_law_table, &fit_law_find_table,      &fit_law_beside_table,
                                               &data_table,    &fit_law_ring_down_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

static PetscErrorCode ReadRecords(const InputNode *node, const Study *study, FitLaw *fit)
{
  const PetscInt count = InputIsList(node) ? InputCount(node) : 1;

  PetscFunctionBegin;
  if (count == 0) PetscCall(InputComplain(node, "expected a record or a list of records, found none"));
  PetscCall(PetscCalloc1(count, &fit->records));
  for (fit->num_records = 0; fit->num_records < count; fit->num_records++)
    PetscCall(LoopDataRead(InputIsList(node) ? InputItem(node, fit->num_records) : node, &data_table, study, &fit->records[fit->num_records]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  static const char *const sources[] = {"data", "ring_down", NULL}, *const of_loops[] = {"beside", NULL};
  const PetscInt complaints = InputNumComplaints(InputDocumentOf(node));
  FitLaw        *fit;
  PetscInt       source;

  PetscFunctionBegin;
  PetscCall(PetscNew(&fit));
  study->data = fit;
  PetscCall(InputRead(node, &fit_law_table, &fit->keys));
  PetscCall(StudySetName(study, node, fit->keys.name));
  if (fit->keys.law && fit->keys.find) PetscCall(FitLawReadUnknowns(&fit->keys, &fit->law));
  fit->law.num_starts = fit->keys.starts;
  fit->law.warm_up    = fit->keys.warm_up;
  if (fit->law.law && !fit->keys.warm_up) fit->law.warm_up = fit->law.law->traits & JOINT_MASING ? 1 : 10;
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  PetscCall(InputExclusive(node, sources, PETSC_TRUE, &source));
  if (source == 0 && fit->keys.data) PetscCall(ReadRecords(fit->keys.data, study, fit));
  if (source == 1 && fit->keys.ring_down) PetscCall(FitLawReadRingDown(fit->keys.ring_down, study, fit));
  if (source == 1) PetscCall(InputRefuseKeys(node, of_loops, "says nothing beside `ring_down`, which has a spring and a dashpot of its own"));
  else if (fit->keys.beside && fit->law.law) PetscCall(FitLawReadBeside(fit->keys.beside, fit));
  if (InputNumComplaints(InputDocumentOf(node)) == complaints) PetscCall(FitLawDeclare(study->name, study->findings, fit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  FitLaw *fit = study->data;

  PetscFunctionBegin;
  if (!fit) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt r = 0; r < fit->num_records; r++) PetscCall(LoopDataDestroy(&fit->records[r]));
  PetscCall(PetscFree(fit->records));
  PetscCall(PetscFree(fit->record_findings));
  PetscCall(PetscFree(fit->sources));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const FitLaw *fit = study->data;

  PetscFunctionBegin;
  fprintf(out, "  fit_law %-26s %s, %" PetscInt_FMT " unknown%s, ", study->name, fit->law.law->name, fit->law.num_unknowns,
          fit->law.num_unknowns == 1 ? "" : "s");
  if (fit->num_sources) fprintf(out, "from decays of mode %" PetscInt_FMT "\n", fit->mode);
  else fprintf(out, "from %" PetscInt_FMT " record%s\n", fit->num_records, fit->num_records == 1 ? "" : "s");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By the user; it is found anew when the case is resumed. */
static PetscBool IsBrokenOff(const FitLawFound *found)
{
  return (PetscBool)(!found->found && InterruptAsked());
}

static PetscErrorCode FitRecords(const FitLaw *fit, const Result *result, FitLawFound *found)
{
  LoopSamples *samples;
  LoopRecord  *records;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(fit->num_records, &samples, fit->num_records, &records));
  for (PetscInt r = 0; r < fit->num_records; r++) {
    PetscCall(LoopDataFind(&fit->records[r], result, &samples[r]));
    records[r] = samples[r].record;
  }
  PetscCall(LawFitLoops(&fit->law, fit->num_records, records, &found->found, &found->fit, found->reason, sizeof(found->reason)));
  if (!IsBrokenOff(found)) PetscCall(FitLawWrite(fit, found, records, NULL, result));
  for (PetscInt r = 0; r < fit->num_records; r++) PetscCall(LoopSamplesDestroy(&samples[r]));
  PetscCall(PetscFree2(samples, records));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FitDecays(const FitLaw *fit, const Result *result, FitLawFound *found)
{
  PetscReal      amplitudes[2] = {PETSC_MAX_REAL, 0.0};
  RingDownPoint *points;
  PetscInt       count;

  PetscFunctionBegin;
  PetscCall(DecayCompile(fit->num_sources, fit->sources, result, fit->mode, &count, &points));
  PetscCall(LawFitDecays(&fit->law, count, points, &found->found, &found->fit, found->reason, sizeof(found->reason)));
  for (PetscInt i = 0; i < count; i++) {
    if (!points[i].trusted) continue;
    amplitudes[0] = PetscMin(amplitudes[0], points[i].amplitude);
    amplitudes[1] = PetscMax(amplitudes[1], points[i].amplitude);
  }
  if (!IsBrokenOff(found)) PetscCall(FitLawWrite(fit, found, NULL, amplitudes, result));
  PetscCall(PetscFree(points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rank 0 computes; all learn whether a law was found. One that no data carry is nature's refusal. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  const FitLaw *fit   = study->data;
  FitLawFound   found = {.found = PETSC_FALSE};
  PetscBool     broken_off;
  PetscMPIInt   rank;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD)); /* what other ranks computed is there */
  if (rank == 0 && fit->num_sources) PetscCall(FitDecays(fit, result, &found));
  else if (rank == 0) PetscCall(FitRecords(fit, result, &found));
  broken_off = IsBrokenOff(&found);
  PetscCallMPI(MPI_Bcast(&broken_off, 1, MPIU_BOOL, 0, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Bcast(&found.found, 1, MPIU_BOOL, 0, PETSC_COMM_WORLD));
  if (broken_off) outcome->num_unfinished++;
  else if (!found.found) outcome->num_stopped++;
  if (rank == 0 && !broken_off) PetscCall(FitLawPrint(study->name, fit, &found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_fit_law = {
  .name         = "fit_law",
  .summary      = "parameters of any law, identified from loops or ring-downs",
  .tables       = tables,
  .outputs      = fit_law_outputs,
  .stands_alone = StudyAlwaysAlone,
  .read         = Read,
  .group        = StudyOwnGroup,
  .describe     = Describe,
  .run          = Compute,
  .destroy      = Destroy,
};
