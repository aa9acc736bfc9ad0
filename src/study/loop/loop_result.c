/* loop_result.c - what is kept and said of loops. */
#include <math.h>
#include <string.h>
#include "loop.h"

enum {
  TIME,
  DISPLACEMENT,
  VELOCITY,
  FORCE,
  DISSIPATED,
  REVERSALS,
  CYCLES,
  BEGIN = CYCLES,
  END,
  AMPLITUDE,
  AREA,
  CYCLE_DISSIPATED,
  SECANT_STIFFNESS,
  PEAK_FORCE,
  DAMPING,
  NUM_FIELDS
};

// clang-format off
static const OutputField fields[NUM_FIELDS + 1] = {
  [TIME]             = {"time", RESULT_REAL, {"samples"}, "s", "times of the samples"},
  [DISPLACEMENT]     = {"displacement", RESULT_REAL, {"samples"}, "m or rad", "prescribed displacement"},
  [VELOCITY]         = {"velocity", RESULT_REAL, {"samples"}, "m/s or rad/s", "likewise"},
  [FORCE]            = {"force", RESULT_REAL, {"samples"}, "N or N m", "force of all laws together"},
  [DISSIPATED]       = {"dissipated", RESULT_REAL, {"samples"}, "J", "energy dissipated so far"},
  [REVERSALS]        = {"reversals", RESULT_COUNT, {"reversals"}, NULL, "numbers of the samples, from 0, at which the path reverses"},
  [BEGIN]            = {"cycles/begin", RESULT_REAL, {"cycles"}, "s", "start of each cycle, from a reversal to the next but one: neighbours share half of themselves, so that their energies add up to twice those of the path; take every second cycle for a sum"},
  [END]              = {"cycles/end", RESULT_REAL, {"cycles"}, "s", "end of each cycle"},
  [AMPLITUDE]        = {"cycles/amplitude", RESULT_REAL, {"cycles"}, "m or rad", "half of the range of the displacement"},
  [AREA]             = {"cycles/area", RESULT_REAL, {"cycles"}, "J", "work of the force around the loop, which is closed by a straight line if it is open"},
  [CYCLE_DISSIPATED] = {"cycles/dissipated", RESULT_REAL, {"cycles"}, "J", "energy that the laws dissipate in the cycle, by their own account"},
  [SECANT_STIFFNESS] = {"cycles/secant_stiffness", RESULT_REAL, {"cycles"}, "N/m or N m/rad", "secant stiffness between the extremes of the displacement"},
  [PEAK_FORCE]       = {"cycles/peak_force", RESULT_REAL, {"cycles"}, "N or N m", "largest absolute force"},
  [DAMPING]          = {"cycles/damping", RESULT_REAL, {"cycles"}, NULL, "equivalent damping ratio from area and secant stiffness; NaN where the secant stiffness is not positive"},
};

static const OutputField facts[] = {
  {"laws", RESULT_TEXT, {0}, NULL, "names of the laws, joined by +"},
  {"path", RESULT_TEXT, {0}, NULL, "kind of the path"},
  {"begin", RESULT_REAL, {0}, "s", "time of the first sample"},
  {"end", RESULT_REAL, {0}, "s", "time of the last sample"},
  {0}
};

static const OutputField quantities[] = {
  {"QUANTITY", RESULT_REAL, {0}, "SI", "each quantity that the law derives, with its own unit; NaN where there is none; see `dovetail help laws NAME`"},
  {0}
};
// clang-format on

const OutputTable loop_output         = {"loop/NAME", "laws under a prescribed displacement", fields, facts};
const OutputTable loop_derived_output = {"loop/NAME/derived/LAW", "quantities that follow from the parameters of a law", quantities, NULL};

static const char *OwnName(const NamedLaw *law)
{
  return law->name ? law->name : law->law->name;
}

/* That of the case, else its kind, with a number when another one has it already. */
static PetscErrorCode NameLaw(const Loop *loop, PetscInt law, char name[RESULT_TEXT_LENGTH])
{
  const char *own    = OwnName(&loop->laws[law]);
  PetscInt    number = 1;

  PetscFunctionBegin;
  for (PetscInt l = 0; l < law; l++) number += !strcmp(OwnName(&loop->laws[l]), own);
  if (number > 1) PetscCall(PetscSNPrintf(name, RESULT_TEXT_LENGTH, "%s_%" PetscInt_FMT, own, number));
  else PetscCall(PetscStrncpy(name, own, RESULT_TEXT_LENGTH));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopNameLaws(const Loop *loop, char names[RESULT_TEXT_LENGTH])
{
  PetscFunctionBegin;
  names[0] = 0;
  for (PetscInt l = 0; l < loop->num_laws; l++) {
    char name[RESULT_TEXT_LENGTH];

    PetscCall(NameLaw(loop, l, name));
    if (l) PetscCall(PetscStrlcat(names, " + ", RESULT_TEXT_LENGTH));
    PetscCall(PetscStrlcat(names, name, RESULT_TEXT_LENGTH));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each law has quantities of its own. */
static PetscErrorCode DeclareDerived(const char *name, const Loop *loop, PetscInt l, Findings *findings)
{
  const JointLaw    *law     = loop->laws[l].law;
  LoopDerived *const derived = &loop->derived[l];
  PetscReal          values[JOINT_MAX_PARAMETERS];
  char               own[RESULT_TEXT_LENGTH];
  Finding           *finding;

  PetscFunctionBegin;
  if (!law->derived) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NameLaw(loop, l, own));
  for (PetscInt i = 0; law->derived[i].name; i++)
    derived->fields[i] = (OutputField){law->derived[i].name, RESULT_REAL, {NULL}, law->derived[i].unit, law->derived[i].help};
  derived->table = (OutputTable){loop_derived_output.path, loop_derived_output.summary, derived->fields, NULL};
  PetscCall(FindingsAdd(findings, &derived->table, &finding, "/loop/%s/derived/%s", name, own));
  law->derive(loop->laws[l].parameters, values);
  for (PetscInt i = 0; law->derived[i].name; i++) PetscCall(FindingGive(finding, i, &values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopDeclare(const char *name, Findings *findings, Loop *loop)
{
  const PathSamples *samples = &loop->samples;
  char               laws[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &loop_output, &loop->finding, "/loop/%s", name));
  PetscCall(FindingSetSize(loop->finding, "samples", samples->count));
  PetscCall(FindingSetSize(loop->finding, "reversals", samples->num_reversals));
  PetscCall(FindingSetSize(loop->finding, "cycles", loop->num_cycles));
  PetscCall(LoopNameLaws(loop, laws));
  PetscCall(FindingSayText(loop->finding, "laws", laws));
  PetscCall(FindingSayText(loop->finding, "path", path_names[loop->kind]));
  PetscCall(FindingSayReal(loop->finding, "begin", samples->time[0]));
  PetscCall(FindingSayReal(loop->finding, "end", samples->time[samples->count - 1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopDeclareDerived(const char *name, Findings *findings, Loop *loop)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(loop->num_laws, &loop->derived));
  for (PetscInt l = 0; l < loop->num_laws; l++) PetscCall(DeclareDerived(name, loop, l, findings));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The fields of a cycle. */
static void CycleValues(const Loop *loop, const LoopCycle *cycle, PetscReal values[NUM_FIELDS])
{
  values[BEGIN]            = loop->samples.time[cycle->first];
  values[END]              = loop->samples.time[cycle->last];
  values[AMPLITUDE]        = cycle->amplitude;
  values[AREA]             = cycle->area;
  values[CYCLE_DISSIPATED] = loop->dissipated[cycle->last] - loop->dissipated[cycle->first];
  values[SECANT_STIFFNESS] = cycle->secant_stiffness;
  values[PEAK_FORCE]       = cycle->peak_force;
  values[DAMPING]          = cycle->damping;
}

static PetscErrorCode WriteReversals(const Loop *loop, const Result *result)
{
  const PetscInt count = loop->samples.num_reversals;
  PetscInt64    *reversals;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &reversals));
  for (PetscInt i = 0; i < count; i++) reversals[i] = loop->samples.reversals[i];
  PetscCall(FindingWrite(loop->finding, REVERSALS, 0, count, reversals, result));
  PetscCall(PetscFree(reversals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopWrite(const Loop *loop, const Result *result)
{
  const PathSamples *samples = &loop->samples;
  PetscReal          values[NUM_FIELDS];

  PetscFunctionBegin;
  PetscCall(FindingWrite(loop->finding, TIME, 0, samples->count, samples->time, result));
  PetscCall(FindingWrite(loop->finding, DISPLACEMENT, 0, samples->count, samples->displacement, result));
  PetscCall(FindingWrite(loop->finding, VELOCITY, 0, samples->count, samples->velocity, result));
  PetscCall(FindingWrite(loop->finding, FORCE, 0, samples->count, loop->force, result));
  PetscCall(FindingWrite(loop->finding, DISSIPATED, 0, samples->count, loop->dissipated, result));
  PetscCall(WriteReversals(loop, result));
  for (PetscInt c = 0; c < loop->num_cycles; c++) {
    CycleValues(loop, &loop->cycles[c], values);
    for (PetscInt f = CYCLES; f < NUM_FIELDS; f++) PetscCall(FindingWrite(loop->finding, f, c, 1, &values[f], result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintCycle(const Loop *loop, PetscInt c)
{
  PetscReal values[NUM_FIELDS];

  CycleValues(loop, &loop->cycles[c], values);
  ReportSay("  %7" PetscInt_FMT "  %12.6g  %12.6g  %16.6g  %12.6g  %12.6g", c + 1, values[AMPLITUDE], values[PEAK_FORCE], values[SECANT_STIFFNESS],
            values[AREA], values[CYCLE_DISSIPATED]);
  if (isnan(values[DAMPING])) ReportSay("  %12s\n", "-");
  else ReportSay("  %12.6g\n", values[DAMPING]);
}

static void PrintCycles(const Loop *loop)
{
  const PetscInt ends = 3; /* of many the first and the last ones */

  if (loop->num_cycles == 0) {
    ReportSay("  no cycle: the path turns back %" PetscInt_FMT " times\n", loop->samples.num_reversals);
    return;
  }
  ReportSay("  %7s  %12s  %12s  %16s  %12s  %12s  %12s\n", "cycle", "amplitude", "peak force", "secant stiffness", "area [J]", "dissipated",
            "damping");
  for (PetscInt c = 0; c < loop->num_cycles; c++) {
    if (c < ends || c >= loop->num_cycles - ends) PrintCycle(loop, c);
    else if (c == ends) ReportSay("  %7s\n", "...");
  }
  if (loop->num_cycles > 1)
    ReportSay(
      "  a cycle goes from a reversal to the next but one, so that each shares half of its path with the next; for sums take every second one\n");
}

static PetscErrorCode PrintDerived(const Loop *loop, PetscInt l)
{
  const JointLaw *law = loop->laws[l].law;
  PetscReal       values[JOINT_MAX_PARAMETERS];
  char            name[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  if (!law->derived) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NameLaw(loop, l, name));
  law->derive(loop->laws[l].parameters, values);
  ReportSay("  from the parameters of %s:\n", name);
  for (PetscInt i = 0; law->derived[i].name; i++) {
    if (isnan(values[i])) ReportSay("    %-20s %12s  ", law->derived[i].name, "none");
    else ReportSay("    %-20s %12.6g  ", law->derived[i].name, values[i]);
    ReportSay("%-8s %s\n", law->derived[i].unit ? law->derived[i].unit : "", law->derived[i].help);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopPrint(const char *name, const Loop *loop)
{
  char laws[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(LoopNameLaws(loop, laws));
  ReportSay("\nloop %s: %s along a %s of %" PetscInt_FMT " samples\n", name, laws, path_names[loop->kind], loop->samples.count);
  PrintCycles(loop);
  for (PetscInt l = 0; l < loop->num_laws; l++) PetscCall(PrintDerived(loop, l));
  PetscFunctionReturn(PETSC_SUCCESS);
}
