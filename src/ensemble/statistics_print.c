/* statistics_print.c - what the samples say, for people. */
#include "tables.h"
#include <stdio.h>
#include <string.h>

enum { LABEL_LENGTH = 80 };

/* `peak [m]`. */
static const char *LabelOf(const Output *output, char label[LABEL_LENGTH])
{
  const char *const unit = output->unit ? output->unit : "";

  snprintf(label, LABEL_LENGTH, unit[0] ? "%s [%s]" : "%s", output->name, unit);
  return label;
}

/* What there is not is a dash. */
static void SayNumber(PetscReal value, int digits)
{
  if (PetscIsNanReal(value)) ReportSay(" %12s", "-");
  else ReportSay(" %12.*g", digits, value);
}

/* A correlation or an index; there is none of an output that never changes. */
static void SayInfluence(PetscReal value)
{
  if (PetscIsNanReal(value)) ReportSay(" -");
  else ReportSay(" %.3f", value);
}

static PetscErrorCode PrintHeader(const Ensemble *e, int *widest)
{
  char label[LABEL_LENGTH];

  PetscFunctionBegin;
  *widest = 6;
  for (PetscInt i = 0; i < e->num_outputs; i++)
    if (!e->outputs[i].is_curve) *widest = (int)PetscMax(*widest, (int)strlen(LabelOf(&e->outputs[i], label)));
  ReportSay("  %-*s %12s %12s %12s %12s", *widest, "output", "nominal", "mean", "+-", "deviation");
  for (PetscInt i = 0; i < e->percentiles.count; i++) ReportSay(" %11g%%", e->percentiles.values[i]);
  ReportSay("  samples\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintTable(const Ensemble *e, const Summary summaries[], const Result *result)
{
  const PetscInt num = e->percentiles.count;
  PetscReal     *nominal, *percentile;
  char           label[LABEL_LENGTH];
  int            widest;

  PetscFunctionBegin;
  PetscCall(FindingReadReals(e->overview, "nominal", e->num_numbers, result, &nominal));
  PetscCall(FindingReadReals(e->statistics, "percentile", e->num_numbers, result, &percentile));
  PetscCall(PrintHeader(e, &widest));
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    const Summary *const summary = &summaries[PetscMax(output->column, 0)];

    if (output->is_curve) continue;
    ReportSay("  %-*s", widest, LabelOf(output, label));
    SayNumber(nominal[output->column], 5);
    SayNumber(summary->mean, 5);
    SayNumber(summary->mean_error, 2);
    SayNumber(summary->deviation, 5);
    for (PetscInt i = 0; i < num; i++) SayNumber(percentile[output->column * num + i], 5);
    ReportSay("  %7" PetscInt_FMT "\n", summary->count);
  }
  PetscCall(PetscFree(nominal));
  PetscCall(PetscFree(percentile));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where each curve is, and how many samples reach its places. */
static PetscErrorCode PrintCurves(const Ensemble *e, const Result *result)
{
  PetscFunctionBegin;
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    PetscInt64 *count, least = e->num_rows, most = 0;

    if (!output->is_curve) continue;
    PetscCall(FindingReadCounts(output->curve, "count", output->count, result, &count));
    for (PetscInt i = 0; i < output->count; i++) {
      least = PetscMin(least, count[i]);
      most  = PetscMax(most, count[i]);
    }
    ReportSay("  %s: a curve of %" PetscInt_FMT " places, each with %" PetscInt64_FMT, output->name, output->count, least);
    if (most > least) ReportSay(" to %" PetscInt64_FMT, most);
    ReportSay(" samples; its bands are in %s\n", FindingPath(output->curve));
    PetscCall(PetscFree(count));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What each output depends on most: by Sobol' indices, or by the correlation of ranks. */
static PetscErrorCode PrintInfluences(const Ensemble *e, const Result *result)
{
  const PetscBool   indices = (PetscBool)(e->method == PLAN_SOBOL_INDICES);
  const char *const keys[]  = {indices ? "first" : "spearman", indices ? "total" : "pearson"};
  PetscReal        *values[2];

  PetscFunctionBegin;
  for (PetscInt k = 0; k < 2; k++) PetscCall(FindingReadReals(e->statistics, keys[k], e->num_numbers, result, &values[k]));
  ReportSay(indices ? "  Sobol' indices, of first order and total\n" : "  correlation with each parameter, of ranks and of values\n");
  for (const Output *output = e->outputs; output < e->outputs + e->num_outputs; output++) {
    if (output->is_curve) continue;
    ReportSay("    %s:", output->name);
    for (PetscInt p = 0; p < e->num_parameters; p++) {
      ReportSay("%s %s", p ? "," : "", e->parameters[p].name);
      for (PetscInt k = 0; k < 2; k++) SayInfluence(values[k][output->column * e->num_parameters + p]);
    }
    ReportSay("\n");
  }
  PetscCall(PetscFree(values[0]));
  PetscCall(PetscFree(values[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How many samples came to which end, with the first reason of each kind. */
static PetscErrorCode PrintFailures(const Ensemble *e, const Result *result)
{
  static const char *const ends[]   = {"", "", "stopped, or without a value of some output", "refused with these numbers",
                                       "failed by a fault of the program or of a library"};
  const PetscInt           num_rows = e->num_rows;
  PetscInt64              *status, *warnings, count[5] = {0}, first[5] = {0}, num_warned = 0;
  char                     reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(FindingReadCounts(e->samples, "status", num_rows, result, &status));
  PetscCall(FindingReadCounts(e->samples, "warnings", num_rows, result, &warnings));
  for (PetscInt i = num_rows - 1; i >= 0; i--) {
    count[status[i]]++;
    first[status[i]] = i;
    num_warned += warnings[i] > 0;
    if (warnings[i] > 0 && status[i] == SAMPLE_DONE) first[SAMPLE_NONE] = i;
  }
  for (PetscInt s = SAMPLE_PARTIAL; s <= SAMPLE_FAULT; s++) {
    if (!count[s]) continue;
    PetscCall(FindingRead(e->samples, SAMPLES_REASON, first[s], 1, reason, result));
    ReportSay("  %" PetscInt64_FMT " sample%s: %s; sample %" PetscInt64_FMT ": %s\n", count[s], count[s] == 1 ? "" : "s", ends[s], first[s] + 1,
              reason);
  }
  if (num_warned) {
    PetscCall(FindingRead(e->samples, SAMPLES_REASON, first[SAMPLE_NONE], 1, reason, result));
    LogWarn("%" PetscInt64_FMT " sample%s; sample %" PetscInt64_FMT ": %s", num_warned, num_warned == 1 ? " has warnings" : "s have warnings",
            first[SAMPLE_NONE] + 1, reason);
  }
  PetscCall(PetscFree(status));
  PetscCall(PetscFree(warnings));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StatisticsPrint(const Ensemble *e, const Summary summaries[], const Result *result)
{
  PetscFunctionBegin;
  ReportSay("\nvary: %" PetscInt_FMT " sample%s of %" PetscInt_FMT " parameter%s\n", e->num_rows, e->num_rows == 1 ? "" : "s", e->num_parameters,
            e->num_parameters == 1 ? "" : "s");
  if (e->remark) ReportSay("  %s\n", e->remark);
  if (e->num_numbers) PetscCall(PrintTable(e, summaries, result));
  PetscCall(PrintCurves(e, result));
  if (e->num_numbers) PetscCall(PrintInfluences(e, result));
  PetscCall(PrintFailures(e, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
