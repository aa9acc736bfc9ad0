/* recorder_loads.c - the histories of the loads. */
#include "recorder.h"

enum { SIGNAL, LOADS, UNITS };

// clang-format off
static const OutputField fields[] = {
  [SIGNAL] = {"signal", RESULT_REAL, {"samples", "loads"}, NULL, "what each load is at the times of the samples, with its amplitude and the level of the run; units are in `units`"},
  [LOADS]  = {"loads", RESULT_TEXT, {"loads"}, NULL, "where each acts: `tip z`, `base x`, `mode 7 stuck`, or its pattern"},
  [UNITS]  = {"units", RESULT_TEXT, {"loads"}, NULL, "N or N m at a point, m/s^2 or rad/s^2 of a base, what is given of a support, N kg^-1/2 on a shape; 1 on a pattern, of which a pressure has Pa"},
  {0}
};
// clang-format on

const OutputTable recorder_load_table = {"transient/RUN/loads", "histories of the loads", fields, NULL};

/* "tip z" */
static PetscErrorCode NameMotion(const Names *names, PetscInt motion, size_t size, char name[])
{
  const NamedPoint *const point = &names->points[NamesPointOfMotion(names, motion)];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(name, size, "%s %s", point->name, direction_names[point->direction[motion - point->first_motion]]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NameLoad(const Names *names, const Load *load, size_t size, char name[])
{
  PetscFunctionBegin;
  switch (load->place) {
  case LOAD_ON_SHAPE:
    PetscCall(PetscSNPrintf(name, size, "mode %" PetscInt_FMT " %s", load->mode, joint_state_names[load->joints]));
    break;
  case LOAD_ON_BASE:
    PetscCall(PetscSNPrintf(name, size, "base %s", direction_names[load->direction]));
    break;
  case LOAD_ON_PATTERN:
    PetscCall(PetscStrncpy(name, names->patterns[load->pattern], size));
    break;
  case LOAD_ON_SUPPORT:
    PetscCall(NameMotion(names, names->support_motion[load->support], size, name));
    break;
  default:
    PetscCall(NameMotion(names, load->motion, size, name));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderDeclareLoads(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt count, const Load loads[])
{
  Finding     *finding;
  const char **names_of, **units;
  char(*text)[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc3(count, &names_of, count, &units, count, &text));
  PetscCall(FindingsAdd(findings, &recorder_load_table, &finding, "%s/loads", group));
  PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
  PetscCall(FindingSetSize(finding, "loads", count));
  for (PetscInt l = 0; l < count; l++) {
    PetscCall(NameLoad(names, &loads[l], sizeof(text[l]), text[l]));
    names_of[l] = text[l];
    units[l]    = LoadUnit(&loads[l], names);
  }
  PetscCall(FindingGiveTexts(finding, LOADS, count, names_of));
  PetscCall(FindingGiveTexts(finding, UNITS, count, units));
  PetscCall(PetscFree3(names_of, units, text));
  recorder->loads_offset = recorder->frame_width;
  RecorderAddChannel(recorder, finding, SIGNAL, count, recorder->frame_width);
  recorder->frame_width += count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void RecorderFrameLoads(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[])
{
  if (!recorder->loads_offset) return;
  for (PetscInt l = 0; l < stepper->num_loads; l++) frame[l] = stepper->loads[l].amplitude * SignalValue(&stepper->loads[l].signal, state->time);
}
