/* history.c - the motion of a run, read back from the result. */
#include "transient.h"

/* Column `column` of a channel, all samples that the run has left. */
static PetscErrorCode ReadColumn(const Run *run, const Result *result, const RecorderChannel *channel, PetscInt column, PetscInt *count,
                                 PetscReal **values)
{
  PetscInt64 steps, samples;
  PetscReal *rows;

  PetscFunctionBegin;
  PetscCall(ResultReadRows(result, &run->recorder.steps, 0, 1, &steps));
  samples = steps ? RecorderSamples(run->recorder.watch, steps) : 0;
  PetscCall(PetscMalloc1(samples * channel->width, &rows));
  PetscCall(ResultReadRows(result, &channel->array, 0, samples, rows));
  for (PetscInt64 i = 0; i < samples; i++) rows[i] = rows[i * channel->width + column];
  *count  = (PetscInt)samples;
  *values = rows;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunReadMode(const Run *run, const Result *result, PetscInt mode, PetscInt *count, PetscReal **values)
{
  const Watch *watch  = run->recorder.watch;
  PetscInt     column = 0;

  PetscFunctionBegin;
  while (column < watch->num_modes && watch->modes[column] != mode) column++;
  PetscCheck(column < watch->num_modes, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "mode %" PetscInt_FMT " is not watched", mode + 1);
  PetscCall(ReadColumn(run, result, &run->recorder.channels[1 + 3 * watch->num_points + 1], column, count, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunReadMotion(const Run *run, const Result *result, const System *system, PetscInt motion, PetscInt kind, PetscInt *count,
                             PetscReal **values)
{
  const Watch *watch = run->recorder.watch;

  PetscFunctionBegin;
  for (PetscInt p = 0; p < watch->num_points; p++) {
    const SystemPoint *point  = &system->points[watch->points[p]];
    const PetscInt     column = motion - point->first_row;

    if (column < 0 || column >= point->num_components) continue;
    PetscCall(ReadColumn(run, result, &run->recorder.channels[1 + kind * watch->num_points + p], column, count, values));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  SETERRQ(PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "motion %" PetscInt_FMT " is not watched", motion);
}

/* Channels: the time, three of each point, two of the modes if any are watched, then those of the joints [recorder.c]. */
PetscErrorCode RunReadJoint(const Run *run, const Result *result, PetscInt row, PetscInt *count, PetscReal **time, PetscReal **displacement,
                            PetscReal **force)
{
  const Watch           *watch    = run->recorder.watch;
  const RecorderChannel *channels = run->recorder.channels, *joints = channels + 1 + 3 * watch->num_points + (watch->num_modes ? 2 : 0);
  PetscInt               r = 0;

  PetscFunctionBegin;
  while (r < watch->num_rows && watch->rows[r] != row) r++;
  PetscCheck(r < watch->num_rows, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "joint row %" PetscInt_FMT " is not watched", row);
  PetscCall(ReadColumn(run, result, &channels[0], 0, count, time));
  PetscCall(ReadColumn(run, result, &joints[r], 0, count, displacement));
  PetscCall(ReadColumn(run, result, &joints[watch->num_rows + r], 0, count, force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal RunFreeFrom(const Run *run)
{
  PetscReal end = 0.0;

  for (PetscInt l = 0; l < run->num_loads; l++) end = PetscMax(end, SignalEnd(&run->loads[l].signal));
  return end;
}
