/* largest.c - how far the points of a run have moved. */
#include "record/watch.h"

PetscErrorCode RecorderFindLargest(const Recorder *recorder, const Names *names, const Result *result, PetscReal largest[2])
{
  const Watch *watch = recorder->watch;

  PetscFunctionBegin;
  largest[0] = largest[1] = 0.0;
  for (PetscInt p = 0; p < watch->num_points; p++) {
    const NamedPoint *const point = &names->points[watch->points[p]];
    const Peak *const       peak  = &recorder->extremes.peaks[p]; /* those of points come first */
    PetscReal               most[NUM_DIRECTIONS];

    PetscCall(FindingRead(peak->finding, peak->field, 0, 1, most, result));
    for (PetscInt c = 0; c < peak->width; c++) largest[point->direction[c] >= 3] = PetscMax(largest[point->direction[c] >= 3], most[c]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
