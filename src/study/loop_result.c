/* loop_result.c - what is kept and said of loops. */
#include <math.h>
#include <string.h>
#include "loop.h"

enum { FORCE, DISSIPATED };
enum { BEGIN, END, AMPLITUDE, AREA, CYCLE_DISSIPATED, SECANT_STIFFNESS, PEAK_FORCE, DAMPING };

static const char *const sample_names[NUM_LOOP_SAMPLES] = {"force", "dissipated"};
static const char *const cycle_names[NUM_LOOP_CYCLES]   = {"begin",      "end",    "amplitude", "area", "dissipated", "secant_stiffness",
                                                           "peak_force", "damping"};

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

static PetscErrorCode WriteSamples(const char *group, const PathSamples *samples, Result *result)
{
  const char *const      names[]  = {"time", "displacement", "velocity"};
  const PetscReal *const values[] = {samples->time, samples->displacement, samples->velocity};
  const PetscInt64       count = samples->count, num_reversals = samples->num_reversals;
  PetscInt64            *reversals;
  char                   path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  for (int a = 0; a < 3; a++) {
    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", group, names[a]));
    PetscCall(ResultWriteReals(result, path, 1, &count, values[a]));
  }
  PetscCall(PetscMalloc1(num_reversals, &reversals));
  for (PetscInt i = 0; i < num_reversals; i++) reversals[i] = samples->reversals[i];
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/reversals", group));
  PetscCall(ResultWriteCounts(result, path, 1, &num_reversals, reversals));
  PetscCall(PetscFree(reversals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteDerived(const char *group, const Loop *loop, PetscInt l, Result *result)
{
  const JointLaw *law = loop->laws[l].law;
  PetscReal       values[JOINT_MAX_PARAMETERS];
  char            name[RESULT_TEXT_LENGTH], path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (!law->derived) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NameLaw(loop, l, name));
  law->derive(loop->laws[l].parameters, values);
  for (PetscInt i = 0; law->derived[i].name; i++) {
    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/derived/%s/%s", group, name, law->derived[i].name));
    PetscCall(ResultWriteReals(result, path, 0, NULL, &values[i]));
    PetscCall(ResultAttributeText(result, path, "unit", law->derived[i].unit ? law->derived[i].unit : ""));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopReserve(const char *name, Result *result, Loop *loop)
{
  const PetscInt64 samples = loop->samples.count, cycles = loop->num_cycles;
  char             group[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN], laws[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof(group), "/loop/%s", name));
  PetscCall(LoopNameLaws(loop, laws));
  PetscCall(ResultAttributeText(result, group, "laws", laws));
  PetscCall(ResultAttributeText(result, group, "path", path_names[loop->kind]));
  PetscCall(WriteSamples(group, &loop->samples, result));
  for (PetscInt a = 0; a < NUM_LOOP_SAMPLES; a++) {
    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", group, sample_names[a]));
    PetscCall(ResultReserve(result, path, RESULT_REAL, 1, &samples, &loop->sample_arrays[a]));
  }
  for (PetscInt a = 0; a < NUM_LOOP_CYCLES; a++) {
    PetscCall(PetscSNPrintf(path, sizeof(path), "%s/cycles/%s", group, cycle_names[a]));
    PetscCall(ResultReserve(result, path, RESULT_REAL, 1, &cycles, &loop->cycle_arrays[a]));
  }
  for (PetscInt l = 0; l < loop->num_laws; l++) PetscCall(WriteDerived(group, loop, l, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void CycleValues(const Loop *loop, const LoopCycle *cycle, PetscReal values[NUM_LOOP_CYCLES])
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

PetscErrorCode LoopWrite(const Loop *loop, const Result *result)
{
  PetscReal values[NUM_LOOP_CYCLES];

  PetscFunctionBegin;
  PetscCall(ResultWriteRows(result, &loop->sample_arrays[FORCE], 0, loop->samples.count, loop->force));
  PetscCall(ResultWriteRows(result, &loop->sample_arrays[DISSIPATED], 0, loop->samples.count, loop->dissipated));
  for (PetscInt c = 0; c < loop->num_cycles; c++) {
    CycleValues(loop, &loop->cycles[c], values);
    for (PetscInt a = 0; a < NUM_LOOP_CYCLES; a++) PetscCall(ResultWriteRows(result, &loop->cycle_arrays[a], c, 1, &values[a]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintCycle(const Loop *loop, PetscInt c)
{
  PetscReal values[NUM_LOOP_CYCLES];

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
