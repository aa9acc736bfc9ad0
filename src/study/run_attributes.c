/* run_attributes.c - what the result tells of a run before it has run. */
#include "transient.h"

static PetscErrorCode WriteNumbers(const Run *run, const char *group, Result *result)
{
  PetscFunctionBegin;
  PetscCall(ResultAttributeCount(result, group, "number", run->number));
  PetscCall(ResultAttributeReal(result, group, "level", run->level));
  PetscCall(ResultAttributeReal(result, group, "time_step", run->options.time_step));
  PetscCall(ResultAttributeCount(result, group, "steps_asked", run->steps));
  PetscCall(ResultAttributeText(result, group, "method", step_method_names[run->options.method]));
  if (run->options.method != METHOD_NEWMARK) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResultAttributeReal(result, group, "beta", run->options.rule.beta));
  PetscCall(ResultAttributeReal(result, group, "gamma", run->options.rule.gamma));
  PetscCall(ResultAttributeReal(result, group, "alpha", run->options.rule.alpha));
  PetscCall(ResultAttributeReal(result, group, "tolerance", run->options.tolerance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The point that a row of T belongs to. */
static const char *MotionPoint(const System *system, PetscInt motion)
{
  PetscInt p = 0;

  while (motion >= system->points[p].first_row + system->points[p].num_components) p++;
  return system->points[p].name;
}

/* Where, how strongly and when the first load of the run pushes: enough to tell the runs of a study apart. */
static PetscErrorCode WriteLoad(const Run *run, const System *system, const char *group, Result *result)
{
  const Load *load = &run->loads[0];

  PetscFunctionBegin;
  if (run->num_loads == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResultAttributeText(result, group, "load", signal_names[load->signal.kind]));
  PetscCall(ResultAttributeReal(result, group, "amplitude", load->amplitude));
  if (load->signal.duration > 0.0) PetscCall(ResultAttributeReal(result, group, "duration", load->signal.duration));
  if (load->place == LOAD_ON_SHAPE) {
    PetscCall(ResultAttributeCount(result, group, "mode", load->mode));
    PetscCall(ResultAttributeText(result, group, "joints", joint_state_names[load->joints]));
  } else if (load->place == LOAD_ON_BASE) {
    PetscCall(ResultAttributeText(result, group, "base", direction_names[load->direction]));
  } else if (load->place == LOAD_ON_PATTERN) {
    PetscCall(ResultAttributeText(result, group, "pattern", system->patterns[load->pattern].name));
  } else PetscCall(ResultAttributeText(result, group, "point", MotionPoint(system, load->motion)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunPlace(const Run *run, const System *system, char place[RESULT_TEXT_LENGTH])
{
  const Load *load = &run->loads[0];

  PetscFunctionBegin;
  if (run->num_loads == 0) PetscCall(PetscStrncpy(place, "initial motion", RESULT_TEXT_LENGTH));
  else if (load->place == LOAD_ON_SHAPE) PetscCall(PetscSNPrintf(place, RESULT_TEXT_LENGTH, "mode %" PetscInt_FMT, load->mode));
  else if (load->place == LOAD_ON_BASE) PetscCall(PetscSNPrintf(place, RESULT_TEXT_LENGTH, "base %s", direction_names[load->direction]));
  else if (load->place == LOAD_ON_PATTERN) PetscCall(PetscStrncpy(place, system->patterns[load->pattern].name, RESULT_TEXT_LENGTH));
  else PetscCall(PetscStrncpy(place, MotionPoint(system, load->motion), RESULT_TEXT_LENGTH));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunWriteAttributes(const Run *run, const char *study, const char *model, const System *system, const char *group, Result *result)
{
  PetscFunctionBegin;
  PetscCall(ResultAttributeText(result, group, "study", study));
  if (model) PetscCall(ResultAttributeText(result, group, "model", model));
  PetscCall(WriteNumbers(run, group, result));
  PetscCall(WriteLoad(run, system, group, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
