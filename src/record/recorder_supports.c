/* recorder_supports.c - the channels of moving supports: the force that it takes to move each as it moves, or to hold it. */
#include "recorder.h"

// clang-format off
static const OutputField fields[] = {
  {"reaction", RESULT_REAL, {"samples"}, "N", "that moves the support as it moves, or holds it [N m of a rotation]; its motion is that of its point"},
  {0}
};
// clang-format on

const OutputTable recorder_support_table = {"transient/RUN/moving_supports/POINT/DIRECTION", "histories of a moving support", fields, NULL};

PetscErrorCode RecorderDeclareSupports(Recorder *recorder, const Names *names, Findings *findings, const char *group, PetscInt *offset)
{
  PetscFunctionBegin;
  recorder->num_supports = names->num_supports;
  for (PetscInt s = 0; s < names->num_supports; s++) {
    const char *direction, *point = NamesSupport(names, s, &direction);
    Finding    *finding;

    PetscCall(FindingsAdd(findings, &recorder_support_table, &finding, "%s/moving_supports/%s/%s", group, point, direction));
    PetscCall(FindingSetSize(finding, "samples", recorder->num_samples));
    RecorderAddChannel(recorder, finding, 0, 1, (*offset)++);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
