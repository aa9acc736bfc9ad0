/* recorder_bolts.c - the channels of bolts: their tension, T = tension at rest + V^T u. */
#include "recorder.h"

// clang-format off
static const OutputField fields[] = {
  {"tension", RESULT_REAL, {"samples"}, "N", "of a bolt, its preload included where the study is about one"},
  {0}
};
// clang-format on

const OutputTable recorder_bolt_table = {"transient/RUN/bolts/BOLT", "histories of a bolt", fields, NULL};

PetscErrorCode RecorderDeclareBolts(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt *offset)
{
  PetscFunctionBegin;
  recorder->num_bolts = names->num_bolts;
  for (PetscInt b = 0; b < names->num_bolts; b++) {
    Finding *finding;

    PetscCall(FindingsAdd(findings, &recorder_bolt_table, &finding, "%s/bolts/%s", group, names->bolts[b]));
    PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
    RecorderAddChannel(recorder, finding, 0, 1, (*offset)++);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderMapBolts(Recorder *recorder, const System *system, const Stepper *stepper)
{
  Linear *const linear = stepper->linear;
  PetscReal    *on_unknowns;
  PetscInt     *places;

  PetscFunctionBegin;
  if (recorder->num_bolts == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(system->num_unknowns, &on_unknowns, recorder->num_bolts, &places));
  PetscCall(PetscMalloc1(recorder->num_bolts * linear->n, &recorder->bolt_map));
  for (PetscInt b = 0; b < recorder->num_bolts; b++) {
    places[b] = SystemPlaceOfBolt(system, b);
    PetscCall(PetscArrayzero(on_unknowns, system->num_unknowns));
    PetscCall(SystemAddPlace(system, places[b], 1.0, on_unknowns));
    PetscCall(linear->kind->project_force(linear, on_unknowns, recorder->bolt_map + b * linear->n));
  }
  PetscCall(StepperResidualRows(stepper, recorder->num_bolts, places, &recorder->bolt_residual));
  PetscCall(PetscFree2(on_unknowns, places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void RecorderFrameBolts(const Recorder *recorder, const Stepper *stepper, const State *state, PetscReal frame[])
{
  const Linear *const linear = stepper->linear;

  RowsTimes(recorder->num_bolts, linear->n, recorder->bolt_map, state->u, frame);
  StepperAddResidual(stepper, state, recorder->num_bolts, recorder->bolt_residual, frame);
  for (PetscInt b = 0; b < recorder->num_bolts; b++) frame[b] += linear->system->bolts[b].tension;
}
