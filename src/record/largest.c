/* largest.c - how far the points of a run have moved. */
#include "record/watch.h"

static PetscErrorCode LookAt(const NamedPoint *point, const RecorderChannel *channel, PetscInt64 first, PetscInt64 count, const Result *result,
                             PetscReal largest[2])
{
  const PetscInt width = channel->width;
  PetscReal     *moved;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count * width, &moved));
  PetscCall(FindingRead(channel->finding, channel->field, first, count, moved, result));
  for (PetscInt64 i = 0; i < count; i++)
    for (PetscInt c = 0; c < width; c++) {
      PetscReal *most = &largest[point->direction[c] >= 3];

      *most = PetscMax(*most, PetscAbsReal(moved[i * width + c]));
    }
  PetscCall(PetscFree(moved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RecorderFindLargest(const Recorder *recorder, const Names *names, PetscInt64 samples, const Result *result, PetscReal largest[2])
{
  enum { PIECE = 8192 }; /* memory does not grow with the number of steps */
  const Watch *watch = recorder->watch;

  PetscFunctionBegin;
  largest[0] = largest[1] = 0.0;
  for (PetscInt p = 0; p < watch->num_points; p++)
    for (PetscInt64 first = 0; first < samples; first += PIECE)
      PetscCall(
        LookAt(&names->points[watch->points[p]], RecorderPointChannel(recorder, p), first, PetscMin(PIECE, samples - first), result, largest));
  PetscFunctionReturn(PETSC_SUCCESS);
}
