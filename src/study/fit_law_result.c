/* fit_law_result.c - what the result, and the user, is told of a law that was found: /fit_law/NAME. */
#include "fit_law.h"

enum { VALUE, LOW, HIGH, STANDARD_ERROR, DETERMINED, AT_BOUND, PARAMETERS, MISFIT, POINTS, REMARK, CURVE_AMPLITUDE, CURVE_OMEGA, CURVE_ZETA };
enum { RECORD_TIME, RECORD_DISPLACEMENT, RECORD_FORCE, RECORD_FITTED, RECORD_FIRST };
enum { CURVE_POINTS = 201, PER_UNKNOWN = -1, PER_PARAMETER = -2, PER_CURVE = -3, PER_KIND = -4 };

static const struct {
  const char *name;
  ResultType  type;
  PetscInt64  rows;
} arrays[NUM_FIT_LAW_ARRAYS] = {
  [VALUE]           = {"value", RESULT_REAL, PER_UNKNOWN},
  [LOW]             = {"low", RESULT_REAL, PER_UNKNOWN},
  [HIGH]            = {"high", RESULT_REAL, PER_UNKNOWN},
  [STANDARD_ERROR]  = {"standard_error", RESULT_REAL, PER_UNKNOWN},
  [DETERMINED]      = {"determined", RESULT_COUNT, PER_UNKNOWN},
  [AT_BOUND]        = {"at_bound", RESULT_COUNT, PER_UNKNOWN},
  [PARAMETERS]      = {"parameters", RESULT_REAL, PER_PARAMETER},
  [MISFIT]          = {"misfit", RESULT_REAL, PER_KIND},
  [POINTS]          = {"points", RESULT_COUNT, 1},
  [REMARK]          = {"remark", RESULT_TEXT, 1},
  [CURVE_AMPLITUDE] = {"curve_amplitude", RESULT_REAL, PER_CURVE},
  [CURVE_OMEGA]     = {"curve_omega", RESULT_REAL, PER_CURVE},
  [CURVE_ZETA]      = {"curve_zeta", RESULT_REAL, PER_CURVE},
};

static const char *const record_arrays[NUM_FIT_RECORD_ARRAYS] = {"time", "displacement", "force", "fitted", "judged_from"};

const char *FitLawName(const FitLaw *study, PetscInt index)
{
  if (index < LAW_FIT_STIFFNESS) return study->law.law->parameters[index].name;
  if (index == LAW_FIT_STIFFNESS) return study->num_sources ? "ring_down.stiffness" : "beside.stiffness";
  return study->num_sources ? "ring_down.damping" : "beside.damping";
}

static const char *UnitOf(const FitLaw *study, PetscInt index)
{
  const char *unit = study->num_sources ? NULL : "N s/m"; /* of ring-downs damping is a ratio */

  if (index < LAW_FIT_STIFFNESS) unit = study->law.law->parameters[index].unit;
  else if (index == LAW_FIT_STIFFNESS) unit = "N/m";
  return unit ? unit : "";
}

static PetscBool HasBeside(const FitLaw *study)
{
  return (PetscBool)(study->keys.beside || study->num_sources);
}

/* All of the law, then the spring and the dashpot when there can be some: how many, and the place of each among the values. */
static PetscInt ListParameters(const FitLaw *study, PetscInt index[])
{
  PetscInt count = 0;

  for (; study->law.law->parameters[count].name; count++) index[count] = count;
  for (PetscInt i = LAW_FIT_STIFFNESS; HasBeside(study) && i < LAW_FIT_SIZE; i++) index[count++] = i;
  return count;
}

static PetscInt64 Rows(const FitLaw *study, PetscInt array)
{
  PetscInt index[LAW_FIT_SIZE];

  switch (arrays[array].rows) {
  case PER_UNKNOWN:
    return study->law.num_unknowns;
  case PER_PARAMETER:
    return ListParameters(study, index);
  case PER_CURVE:
    return study->num_sources ? CURVE_POINTS : 0;
  case PER_KIND:
    return study->num_sources ? 2 : 1;
  default:
    return arrays[array].rows;
  }
}

static PetscErrorCode WriteNames(const FitLaw *study, const char *group, Result *result)
{
  const char *names[LAW_FIT_SIZE];
  PetscInt    index[LAW_FIT_SIZE], count = ListParameters(study, index);
  char        path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  for (PetscInt p = 0; p < study->law.num_unknowns; p++) names[p] = FitLawName(study, study->law.unknowns[p].index);
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/names", group));
  PetscCall(ResultWriteTexts(result, path, study->law.num_unknowns, names));
  for (PetscInt p = 0; p < count; p++) names[p] = FitLawName(study, index[p]);
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/parameter_names", group));
  PetscCall(ResultWriteTexts(result, path, count, names));
  PetscCall(ResultAttributeText(result, group, "law", study->law.law->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which ring-downs of the same result it was fitted to. */
static PetscErrorCode WriteSources(const FitLaw *study, const char *group, Result *result)
{
  char names[RESULT_TEXT_LENGTH * 8] = "";

  PetscFunctionBegin;
  if (study->num_sources == 0) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt s = 0; s < study->num_sources; s++) {
    if (s > 0) PetscCall(PetscStrlcat(names, " ", sizeof(names)));
    PetscCall(PetscStrlcat(names, study->sources[s]->name, sizeof(names)));
  }
  PetscCall(ResultAttributeText(result, group, "of", names));
  PetscCall(ResultAttributeCount(result, group, "mode", study->mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReserveRecords(const char *group, FitLaw *study, Result *result)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(study->num_records * NUM_FIT_RECORD_ARRAYS, &study->record_arrays));
  for (PetscInt r = 0; r < study->num_records; r++) {
    char record[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN];

    PetscCall(PetscSNPrintf(record, sizeof(record), "%s/record%" PetscInt_FMT, group, r + 1));
    for (PetscInt a = 0; a < NUM_FIT_RECORD_ARRAYS; a++) {
      const PetscInt64 rows = a == RECORD_FIRST ? 1 : study->records[r].most;

      PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", record, record_arrays[a]));
      PetscCall(
        ResultReserve(result, path, a == RECORD_FIRST ? RESULT_COUNT : RESULT_REAL, 1, &rows, &study->record_arrays[r * NUM_FIT_RECORD_ARRAYS + a]));
    }
    PetscCall(ResultAttributeText(result, record, "data", study->records[r].label));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt FitLawNumArrays(const FitLaw *study)
{
  return study->num_sources ? NUM_FIT_LAW_ARRAYS : CURVE_AMPLITUDE;
}

PetscErrorCode FitLawReserve(const char *name, FitLaw *study, Result *result)
{
  char group[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof(group), "/fit_law/%s", name));
  for (PetscInt a = 0; a < FitLawNumArrays(study); a++) {
    const PetscInt64 rows = Rows(study, a);

    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", group, arrays[a].name));
    PetscCall(ResultReserve(result, path, arrays[a].type, 1, &rows, &study->arrays[a]));
  }
  PetscCall(WriteNames(study, group, result));
  PetscCall(WriteSources(study, group, result));
  PetscCall(ReserveRecords(group, study, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteUnknowns(const FitLaw *study, const LawFit *fit, const Result *result)
{
  PetscReal      values[LAW_FIT_SIZE];
  PetscInt       index[LAW_FIT_SIZE];
  const PetscInt count = ListParameters(study, index);

  PetscFunctionBegin;
  for (PetscInt p = 0; p < count; p++) values[p] = fit->values[index[p]];
  for (PetscInt p = 0; p < study->law.num_unknowns; p++) {
    const FitParameter *found      = &fit->parameters[p];
    const PetscInt64    determined = found->determined, at_bound = found->at_bound;

    PetscCall(ResultWriteRows(result, &study->arrays[VALUE], p, 1, &found->value));
    PetscCall(ResultWriteRows(result, &study->arrays[LOW], p, 1, &found->low));
    PetscCall(ResultWriteRows(result, &study->arrays[HIGH], p, 1, &found->high));
    PetscCall(ResultWriteRows(result, &study->arrays[STANDARD_ERROR], p, 1, &found->standard_error));
    PetscCall(ResultWriteRows(result, &study->arrays[DETERMINED], p, 1, &determined));
    PetscCall(ResultWriteRows(result, &study->arrays[AT_BOUND], p, 1, &at_bound));
  }
  PetscCall(ResultWriteRows(result, &study->arrays[PARAMETERS], 0, count, values));
  PetscCall(ResultWriteRows(result, &study->arrays[MISFIT], 0, Rows(study, MISFIT), fit->misfit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was measured stands there also when no law was found. */
static PetscErrorCode WriteRecord(const FitLaw *study, const FitLawFound *found, const LoopRecord *record, const ResultArray places[],
                                  const Result *result)
{
  PetscInt   first = 0;
  PetscInt64 judged;
  PetscReal *force;

  PetscFunctionBegin;
  PetscCall(ResultWriteRows(result, &places[RECORD_TIME], 0, record->count, record->time));
  PetscCall(ResultWriteRows(result, &places[RECORD_DISPLACEMENT], 0, record->count, record->displacement));
  PetscCall(ResultWriteRows(result, &places[RECORD_FORCE], 0, record->count, record->force));
  if (!found->found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(record->count, &force));
  PetscCall(LawFitForce(&study->law, found->fit.values, record, force));
  PetscCall(ResultWriteRows(result, &places[RECORD_FITTED], 0, record->count, force));
  (void)LoopFindMemory(record, &first);
  judged = first;
  PetscCall(ResultWriteRows(result, &places[RECORD_FIRST], 0, 1, &judged));
  PetscCall(PetscFree(force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Beyond what was measured, too, to see where it goes. */
static PetscErrorCode WriteCurve(const FitLaw *study, const LawFit *fit, const PetscReal amplitudes[2], const Result *result)
{
  const PetscReal beyond = 3.0, least = PetscLogReal(amplitudes[0] / beyond), most = PetscLogReal(amplitudes[1] * beyond);
  PetscReal       amplitude[CURVE_POINTS], omega[CURVE_POINTS], zeta[CURVE_POINTS];
  PetscBool       exists;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < CURVE_POINTS; i++) amplitude[i] = PetscExpReal(least + (most - least) * i / (CURVE_POINTS - 1));
  PetscCall(LawFitCurve(&study->law, fit->values, CURVE_POINTS, amplitude, &exists, omega, zeta));
  PetscCall(ResultWriteRows(result, &study->arrays[CURVE_AMPLITUDE], 0, CURVE_POINTS, amplitude));
  PetscCall(ResultWriteRows(result, &study->arrays[CURVE_OMEGA], 0, CURVE_POINTS, omega));
  PetscCall(ResultWriteRows(result, &study->arrays[CURVE_ZETA], 0, CURVE_POINTS, zeta));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitLawWrite(const FitLaw *study, const FitLawFound *found, const LoopRecord records[], const PetscReal amplitudes[2],
                           const Result *result)
{
  const PetscInt64 points                     = found->fit.num_points;
  char             remark[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(remark, found->reason, sizeof(remark)));
  PetscCall(ResultWriteRows(result, &study->arrays[REMARK], 0, 1, remark));
  PetscCall(ResultWriteRows(result, &study->arrays[POINTS], 0, 1, &points));
  for (PetscInt r = 0; r < study->num_records; r++)
    PetscCall(WriteRecord(study, found, &records[r], &study->record_arrays[r * NUM_FIT_RECORD_ARRAYS], result));
  if (!found->found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WriteUnknowns(study, &found->fit, result));
  if (study->num_sources) PetscCall(WriteCurve(study, &found->fit, amplitudes, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintMisfit(const FitLaw *study, const LawFit *fit)
{
  if (study->num_sources)
    ReportSay("  %" PetscInt_FMT " points; frequency within %.2g %%, damping %.2g %% (root mean square)\n", fit->num_points, 100.0 * fit->misfit[0],
              100.0 * fit->misfit[1]);
  else ReportSay("  %" PetscInt_FMT " samples; force within %.2g %% of the largest (root mean square)\n", fit->num_points, 100.0 * fit->misfit[0]);
}

/* What makes intervals no intervals of 95 %. */
static void PrintDoubts(const FitLaw *study, const LawFit *fit)
{
  const PetscReal noticeable = 0.5;

  if (study->num_sources && !(study->law.law->traits & JOINT_MASING))
    ReportSay(
      "  intervals tell of scatter only, not of what curves of laws without Masing's rule leave out: they are to first order in the damping\n");
  if (fit->shaking)
    ReportSay("  record %" PetscInt_FMT
              " turns back many times by little: if that is noise of the displacement, the law follows it and its numbers are "
              "off; smooth it\n",
              fit->shaking);
  if (fit->straight) ReportSay("  a spring alone explains these loops as well: how much of the stiffness is the law's is not known\n");
  if (fit->alike > noticeable)
    ReportSay("  what is left is not noise, neighbouring samples miss alike (correlation %.3f): intervals are too short by about %.2g\n", fit->alike,
              LawFitShortness(fit->alike));
}

/* Ready to paste. A spring that pushes along the motion is none of the law `spring`, but that of a cubic one is. */
static void PrintLaw(const FitLaw *study, const LawFit *fit)
{
  const JointParameter *parameters = study->law.law->parameters;
  const PetscReal       stiffness = fit->values[LAW_FIT_STIFFNESS], damping = fit->values[LAW_FIT_DAMPING];
  const PetscBool       list = (PetscBool)(!study->num_sources && (stiffness != 0 || damping != 0));

  ReportSay("  as a law:\n    %s{ law: %s", list ? "[" : "", study->law.law->name);
  for (PetscInt p = 0; parameters[p].name; p++)
    if (fit->values[p] != parameters[p].fallback) ReportSay(", %s: %.15g", parameters[p].name, fit->values[p]);
  ReportSay(" }");
  if (list && stiffness > 0) ReportSay(", { law: spring, stiffness: %.15g }", stiffness);
  if (list && stiffness < 0) ReportSay(", { law: cubic, stiffness: %.15g, cubic: 0 }", stiffness);
  if (list && damping > 0) ReportSay(", { law: damper, damping: %.15g }", damping);
  ReportSay(list ? "]\n" : "\n");
}

PetscErrorCode FitLawPrint(const char *name, const FitLaw *study, const FitLawFound *found)
{
  PetscFunctionBegin;
  ReportSay("\nfit_law %s: %s, with intervals of 95 %% confidence\n", name, study->law.law->name);
  if (!found->found) ReportSay("  no law: %s\n", found->reason);
  else ReportSay("  %-20s %14s %14s %14s  %s\n", "parameter", "value", "from", "to", "unit");
  for (PetscInt p = 0; found->found && p < study->law.num_unknowns; p++) {
    const PetscInt      index = study->law.unknowns[p].index;
    const FitParameter *q     = &found->fit.parameters[p];

    ReportSay("  %-20s %14.8g %14.8g %14.8g  %s%s%s\n", FitLawName(study, index), q->value, q->low, q->high, UnitOf(study, index),
              q->determined ? "" : "  not determined by the data", q->at_bound ? "  at its bound" : "");
  }
  if (found->found) PrintMisfit(study, &found->fit);
  if (found->found) PrintDoubts(study, &found->fit);
  if (found->found) PrintLaw(study, &found->fit);
  PetscFunctionReturn(PETSC_SUCCESS);
}
