/* run_facts.c - what is known of a run before it has run. */
#include "transient.h"

static PetscErrorCode SayNumbers(const Run *run)
{
  Finding *const        finding = run->recorder.run;
  const StepperOptions *options = &run->options;

  PetscFunctionBegin;
  PetscCall(FindingSayCount(finding, "number", run->number));
  PetscCall(FindingSayReal(finding, "level", run->level));
  PetscCall(FindingSayReal(finding, "time_step", options->time_step));
  PetscCall(FindingSayCount(finding, "steps_asked", run->steps));
  PetscCall(FindingSayText(finding, "method", step_method_names[options->method]));
  if (options->method != METHOD_NEWMARK) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingSayReal(finding, "beta", options->rule.beta));
  PetscCall(FindingSayReal(finding, "gamma", options->rule.gamma));
  PetscCall(FindingSayReal(finding, "alpha", options->rule.alpha));
  PetscCall(FindingSayReal(finding, "tolerance", options->tolerance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *PointOf(const Names *names, const Load *load)
{
  const PetscInt motion = load->place == LOAD_ON_SUPPORT ? names->support_motion[load->support] : load->motion;

  return names->points[NamesPointOfMotion(names, motion)].name;
}

/* Where the first load of the run pushes, for people. */
static PetscErrorCode SayPlace(const Run *run, const Names *names)
{
  const Load *load = &run->loads[0];
  char        place[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  if (run->num_loads == 0) PetscCall(PetscStrncpy(place, "initial motion", sizeof(place)));
  else if (load->place == LOAD_ON_SHAPE) PetscCall(PetscSNPrintf(place, sizeof(place), "mode %" PetscInt_FMT, load->mode));
  else if (load->place == LOAD_ON_BASE) PetscCall(PetscSNPrintf(place, sizeof(place), "base %s", direction_names[load->direction]));
  else if (load->place == LOAD_ON_PATTERN) PetscCall(PetscStrncpy(place, names->patterns[load->pattern], sizeof(place)));
  else PetscCall(PetscStrncpy(place, PointOf(names, load), sizeof(place)));
  PetscCall(FindingSayText(run->recorder.run, "place", place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where and how strongly the first load of the run pushes: enough to tell the runs of a study apart. */
static PetscErrorCode SayLoad(const Run *run, const Names *names)
{
  Finding *const finding = run->recorder.run;
  const Load    *load    = &run->loads[0];

  PetscFunctionBegin;
  if (run->num_loads == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingSayText(finding, "load", signal_names[load->signal.kind]));
  PetscCall(FindingSayReal(finding, "amplitude", load->amplitude));
  if (load->place == LOAD_ON_SHAPE) {
    PetscCall(FindingSayCount(finding, "mode", load->mode));
    PetscCall(FindingSayText(finding, "joints", joint_state_names[load->joints]));
  } else if (load->place == LOAD_ON_BASE) PetscCall(FindingSayText(finding, "base", direction_names[load->direction]));
  else if (load->place == LOAD_ON_PATTERN) PetscCall(FindingSayText(finding, "pattern", names->patterns[load->pattern]));
  else PetscCall(FindingSayText(finding, "point", PointOf(names, load)));
  if (load->place == LOAD_ON_SUPPORT) PetscCall(FindingSayText(finding, "moved", course_names[load->given]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunSayFacts(const Run *run, const char *study, const char *model, const Names *names)
{
  PetscFunctionBegin;
  PetscCall(FindingSayText(run->recorder.run, "study", study));
  if (model) PetscCall(FindingSayText(run->recorder.run, "model", model));
  PetscCall(SayNumbers(run));
  PetscCall(SayPlace(run, names));
  PetscCall(SayLoad(run, names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunSayTimes(const Run *run)
{
  PetscReal end = 0.0;

  PetscFunctionBegin;
  for (PetscInt l = 0; l < run->num_loads; l++) end = PetscMax(end, SignalEnd(&run->loads[l].signal));
  PetscCall(FindingSayReal(run->recorder.run, "free_from", end));
  if (run->num_loads && run->loads[0].signal.duration > 0.0) PetscCall(FindingSayReal(run->recorder.run, "duration", run->loads[0].signal.duration));
  PetscFunctionReturn(PETSC_SUCCESS);
}
