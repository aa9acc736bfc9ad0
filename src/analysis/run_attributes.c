/* run_attributes.c - what the result tells of a run before it has run. */
#include "transient.h"

static PetscErrorCode WriteNumbers(const Run *run, const char *group, Result *result)
{
  PetscFunctionBegin;
  PetscCall(ResultAttributeCount(result, group, "number", run->number));
  PetscCall(ResultAttributeReal(result, group, "level", run->level));
  PetscCall(ResultAttributeReal(result, group, "time_step", run->options.time_step));
  PetscCall(ResultAttributeCount(result, group, "steps_asked", run->steps));
  PetscCall(ResultAttributeReal(result, group, "beta", run->options.rule.beta));
  PetscCall(ResultAttributeReal(result, group, "gamma", run->options.rule.gamma));
  PetscCall(ResultAttributeReal(result, group, "alpha", run->options.rule.alpha));
  PetscCall(ResultAttributeReal(result, group, "tolerance", run->options.tolerance));
  PetscFunctionReturn(PETSC_SUCCESS);
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
  } else {
    for (PetscInt p = 0; p < system->num_points; p++) {
      const SystemPoint *point = &system->points[p];

      if (load->motion >= point->first_row && load->motion < point->first_row + point->num_components)
        PetscCall(ResultAttributeText(result, group, "point", point->name));
    }
  }
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
