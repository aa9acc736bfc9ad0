/* fit_law_result.c - what the result says of a law that was found: /fit_law/NAME. */
#include "fit_law.h"

enum {
  NAMES,
  VALUE,
  LOW,
  HIGH,
  STANDARD_ERROR,
  DETERMINED,
  AT_BOUND,
  PARAMETER_NAMES,
  PARAMETERS,
  MISFIT,
  POINTS,
  REMARK,
  CURVE_AMPLITUDE,
  CURVE_OMEGA,
  CURVE_ZETA
};

enum { RECORD_TIME, RECORD_DISPLACEMENT, RECORD_FORCE, RECORD_FITTED, RECORD_FIRST };

enum { CURVE_POINTS = 201 };

// clang-format off
static const OutputField fields[] = {
  [NAMES]           = {"names", RESULT_TEXT, {"unknowns"}, NULL, "names of the identified parameters"},
  [VALUE]           = {"value", RESULT_REAL, {"unknowns"}, "SI", "best values, each in the SI unit of its parameter"},
  [LOW]             = {"low", RESULT_REAL, {"unknowns"}, "SI", "lower ends of the 95 % confidence intervals; the lower bound for parameters that are not determined"},
  [HIGH]            = {"high", RESULT_REAL, {"unknowns"}, "SI", "upper ends of the 95 % confidence intervals, likewise"},
  [STANDARD_ERROR]  = {"standard_error", RESULT_REAL, {"unknowns"}, "SI", "standard errors of the values"},
  [DETERMINED]      = {"determined", RESULT_COUNT, {"unknowns"}, NULL, "1 where the data determine the value, otherwise 0"},
  [AT_BOUND]        = {"at_bound", RESULT_COUNT, {"unknowns"}, NULL, "1 where the value is at a bound, otherwise 0"},
  [PARAMETER_NAMES] = {"parameter_names", RESULT_TEXT, {"parameters"}, NULL, "all parameters of the law, then the spring and the dashpot in parallel with it"},
  [PARAMETERS]      = {"parameters", RESULT_REAL, {"parameters"}, "SI", "their values, each in its SI unit; ring_down.damping is a damping ratio"},
  [MISFIT]          = {"misfit", RESULT_REAL, {"quantities"}, NULL, "root mean square error of the force, relative to the largest of its record; for ring-downs, of ln omega and ln zeta"},
  [POINTS]          = {"points", RESULT_COUNT, {"1"}, NULL, "number of samples, or of points of ring-downs, that were compared with the law"},
  [REMARK]          = {"remark", RESULT_TEXT, {"1"}, NULL, "why no law was found; empty when one was"},
  [CURVE_AMPLITUDE] = {"curve_amplitude", RESULT_REAL, {"amplitudes"}, "m kg^1/2", "for ring-downs: displacement amplitudes of the mode"},
  [CURVE_OMEGA]     = {"curve_omega", RESULT_REAL, {"amplitudes"}, "rad/s", "frequency that the law has at these amplitudes"},
  [CURVE_ZETA]      = {"curve_zeta", RESULT_REAL, {"amplitudes"}, NULL, "damping ratio that the law has at these amplitudes"},
  {0}
};

static const OutputField facts[] = {
  {"law", RESULT_TEXT, {0}, NULL, "kind of the law"},
  {"of", RESULT_TEXT, {0}, NULL, "ring-downs to which the law was fitted"},
  {"mode", RESULT_COUNT, {0}, NULL, "mode that they measure, from 1"},
  {0}
};

static const OutputField record_fields[] = {
  [RECORD_TIME]         = {"time", RESULT_REAL, {"samples"}, "s", "times of the samples; rows after the last are NaN"},
  [RECORD_DISPLACEMENT] = {"displacement", RESULT_REAL, {"samples"}, "m or rad", "displacement of the record"},
  [RECORD_FORCE]        = {"force", RESULT_REAL, {"samples"}, "N or N m", "force of the record"},
  [RECORD_FITTED]       = {"fitted", RESULT_REAL, {"samples"}, "N or N m", "force of the identified law at these displacements"},
  [RECORD_FIRST]        = {"judged_from", RESULT_COUNT, {"1"}, NULL, "first sample, from 0, that was compared with the law"},
  {0}
};

static const OutputField record_facts[] = {
  {"data", RESULT_TEXT, {0}, NULL, "study or file of the record"},
  {0}
};
// clang-format on

static const OutputTable law_table    = {"fit_law/NAME", "parameters of a law, found from loops or ring-downs", fields, facts};
static const OutputTable record_table = {"fit_law/NAME/recordK", "a record to which the law was fitted, and the force of the law", record_fields,
                                         record_facts};

const OutputTable *const fit_law_outputs[] = {&law_table, &record_table, NULL};

const char *FitLawName(const FitLaw *study, PetscInt index)
{
  if (index < LAW_FIT_STIFFNESS) return study->law.law->parameters[index].name;
  if (index == LAW_FIT_STIFFNESS) return study->num_sources ? "ring_down.stiffness" : "beside.stiffness";
  return study->num_sources ? "ring_down.damping" : "beside.damping";
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

/* Of the force; of ring-downs, of frequency and damping. */
static PetscInt NumQuantities(const FitLaw *study)
{
  return study->num_sources ? 2 : 1;
}

static PetscErrorCode GiveNames(FitLaw *study)
{
  const char *names[LAW_FIT_SIZE];
  PetscInt    index[LAW_FIT_SIZE], count = ListParameters(study, index);

  PetscFunctionBegin;
  for (PetscInt p = 0; p < study->law.num_unknowns; p++) names[p] = FitLawName(study, study->law.unknowns[p].index);
  PetscCall(FindingGiveTexts(study->finding, NAMES, study->law.num_unknowns, names));
  for (PetscInt p = 0; p < count; p++) names[p] = FitLawName(study, index[p]);
  PetscCall(FindingGiveTexts(study->finding, PARAMETER_NAMES, count, names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SetSizes(FitLaw *study)
{
  PetscInt index[LAW_FIT_SIZE];

  PetscFunctionBegin;
  PetscCall(FindingSetSize(study->finding, "unknowns", study->law.num_unknowns));
  PetscCall(FindingSetSize(study->finding, "parameters", ListParameters(study, index)));
  PetscCall(FindingSetSize(study->finding, "quantities", NumQuantities(study)));
  PetscCall(FindingSetSize(study->finding, "amplitudes", CURVE_POINTS));
  for (PetscInt f = CURVE_AMPLITUDE; f <= CURVE_ZETA && !study->num_sources; f++) PetscCall(FindingOmit(study->finding, f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which ring-downs of the same result it was fitted to. */
static PetscErrorCode SaySources(const FitLaw *study)
{
  char names[RESULT_TEXT_LENGTH * 8] = "";

  PetscFunctionBegin;
  if (study->num_sources == 0) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt s = 0; s < study->num_sources; s++) {
    if (s > 0) PetscCall(PetscStrlcat(names, " ", sizeof(names)));
    PetscCall(PetscStrlcat(names, study->sources[s]->name, sizeof(names)));
  }
  PetscCall(FindingSayText(study->finding, "of", names));
  PetscCall(FindingSayCount(study->finding, "mode", study->mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DeclareRecords(const char *name, Findings *findings, FitLaw *study)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(study->num_records, &study->record_findings));
  for (PetscInt r = 0; r < study->num_records; r++) {
    Finding **const record = &study->record_findings[r];

    PetscCall(FindingsAdd(findings, &record_table, record, "/fit_law/%s/record%" PetscInt_FMT, name, r + 1));
    PetscCall(FindingSetSize(*record, "samples", study->records[r].most));
    PetscCall(FindingSayText(*record, "data", study->records[r].label));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitLawDeclare(const char *name, Findings *findings, FitLaw *study)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &law_table, &study->finding, "/fit_law/%s", name));
  PetscCall(SetSizes(study));
  PetscCall(GiveNames(study));
  PetscCall(FindingSayText(study->finding, "law", study->law.law->name));
  PetscCall(SaySources(study));
  PetscCall(DeclareRecords(name, findings, study));
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

    PetscCall(FindingWrite(study->finding, VALUE, p, 1, &found->value, result));
    PetscCall(FindingWrite(study->finding, LOW, p, 1, &found->low, result));
    PetscCall(FindingWrite(study->finding, HIGH, p, 1, &found->high, result));
    PetscCall(FindingWrite(study->finding, STANDARD_ERROR, p, 1, &found->standard_error, result));
    PetscCall(FindingWrite(study->finding, DETERMINED, p, 1, &determined, result));
    PetscCall(FindingWrite(study->finding, AT_BOUND, p, 1, &at_bound, result));
  }
  PetscCall(FindingWrite(study->finding, PARAMETERS, 0, count, values, result));
  PetscCall(FindingWrite(study->finding, MISFIT, 0, NumQuantities(study), fit->misfit, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was measured stands there also when no law was found. */
static PetscErrorCode WriteRecord(const FitLaw *study, const FitLawFound *found, const LoopRecord *record, const Finding *place, const Result *result)
{
  PetscInt   first = 0;
  PetscInt64 judged;
  PetscReal *force;

  PetscFunctionBegin;
  PetscCall(FindingWrite(place, RECORD_TIME, 0, record->count, record->time, result));
  PetscCall(FindingWrite(place, RECORD_DISPLACEMENT, 0, record->count, record->displacement, result));
  PetscCall(FindingWrite(place, RECORD_FORCE, 0, record->count, record->force, result));
  if (!found->found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(record->count, &force));
  PetscCall(LawFitForce(&study->law, found->fit.values, record, force));
  PetscCall(FindingWrite(place, RECORD_FITTED, 0, record->count, force, result));
  (void)LoopFindMemory(record, &first);
  judged = first;
  PetscCall(FindingWrite(place, RECORD_FIRST, 0, 1, &judged, result));
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
  PetscCall(FindingWrite(study->finding, CURVE_AMPLITUDE, 0, CURVE_POINTS, amplitude, result));
  PetscCall(FindingWrite(study->finding, CURVE_OMEGA, 0, CURVE_POINTS, omega, result));
  PetscCall(FindingWrite(study->finding, CURVE_ZETA, 0, CURVE_POINTS, zeta, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FitLawWrite(const FitLaw *study, const FitLawFound *found, const LoopRecord records[], const PetscReal amplitudes[2],
                           const Result *result)
{
  const PetscInt64 points                     = found->fit.num_points;
  char             remark[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(remark, found->reason, sizeof(remark)));
  PetscCall(FindingWrite(study->finding, REMARK, 0, 1, remark, result));
  PetscCall(FindingWrite(study->finding, POINTS, 0, 1, &points, result));
  for (PetscInt r = 0; r < study->num_records; r++) PetscCall(WriteRecord(study, found, &records[r], study->record_findings[r], result));
  if (!found->found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WriteUnknowns(study, &found->fit, result));
  if (study->num_sources) PetscCall(WriteCurve(study, &found->fit, amplitudes, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
