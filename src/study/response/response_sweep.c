/* response_sweep.c - the curves of a response: up, down, or each frequency from rest; then refined. */
#include <math.h>
#include "response.h"

static PetscInt Capacity(const Response *response)
{
  return response->num_base + response->keys.refine;
}

/* What row `row` of the curve says, for its refinement. */
static PetscErrorCode Keep(const ResponseMarch *march, PetscInt row, PetscBool halves, ResponseTrack *track)
{
  const PetscBool rests = (PetscBool)(march->curve->direction == RESPONSE_REST);
  PetscReal       frequency, *amplitude;

  PetscFunctionBegin;
  if (march->response->keys.refine == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(track->num_motions, &amplitude));
  PetscCall(FindingRead(march->curve->finding, RESPONSE_FREQUENCY, row, 1, &frequency, march->result));
  PetscCall(FindingRead(march->curve->finding, RESPONSE_AMPLITUDE, row, 1, amplitude, march->result));
  PetscCall(ResponseTrackAdd(track, frequency, amplitude, halves, rests ? NULL : march->state));
  PetscCall(PetscFree(amplitude));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the refinement of an interval begins: at rest, or at the end of the interval that the sweep reached first. */
static PetscErrorCode TakeUp(ResponseMarch *march, const ResponseTrack *track, PetscInt interval)
{
  const PetscInt from = march->curve->direction == RESPONSE_UP ? interval : interval + 1;

  PetscFunctionBegin;
  if (march->curve->direction == RESPONSE_REST) PetscCall(StateDestroy(&march->state));
  else PetscCall(StateUnpack(march->state, track->size[from], track->state[from]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows that an earlier session has written are taken as they are; only curves from rest have some, sweeps begin anew. */
static PetscErrorCode Refine(ResponseMarch *march, ResponseTrack *track, PetscBool *done)
{
  const PetscBool rests = (PetscBool)(march->curve->direction == RESPONSE_REST);

  PetscFunctionBegin;
  for (PetscInt row = march->response->num_base; *done && row < Capacity(march->response); row++) {
    const PetscInt interval = ResponseTrackChoose(track);
    PetscBool      has      = PETSC_FALSE;
    ResponsePoint  point;

    if (interval < 0) break;
    if (rests) PetscCall(ResponseHasPoint(march->curve, row, march->result, &has));
    if (!has) {
      PetscCall(TakeUp(march, track, interval));
      PetscCall(ResponseDwell(march, 0.5 * (track->frequency[interval] + track->frequency[interval + 1]), row, &point, done));
    }
    if (*done) PetscCall(Keep(march, row, PETSC_TRUE, track));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Finish(const ResponseMarch *march)
{
  const PetscInt64 finished = 1;

  PetscFunctionBegin;
  PetscCall(FindingWrite(march->curve->finding, RESPONSE_FINISHED, 0, 1, &finished, march->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseSweep(ResponseMarch *march)
{
  const Response *response = march->response;
  const PetscInt  last     = response->num_base - 1;
  ResponseTrack   track;
  ResponsePoint   point = {0};
  PetscBool       done  = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(ResponseTrackCreate(Capacity(response), response->watched.count, march->steady->scale, &track));
  for (PetscInt k = 0; done && k <= last && !point.stopped; k++) {
    const PetscInt row = march->curve->direction == RESPONSE_UP ? k : last - k;

    PetscCall(ResponseDwell(march, response->frequency[row], row, &point, &done));
    if (done) PetscCall(Keep(march, row, PETSC_FALSE, &track));
  }
  if (done && response->keys.refine) PetscCall(Refine(march, &track, &done));
  if (done) PetscCall(Finish(march));
  PetscCall(ResponseTrackDestroy(&track));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseFromRest(ResponseMarch *march, PetscMPIInt rank, PetscMPIInt size, PetscBool resumed)
{
  PetscBool done = PETSC_TRUE;

  PetscFunctionBegin;
  for (PetscInt i = rank; done && i < march->response->num_base; i += size) {
    PetscBool     has = PETSC_FALSE;
    ResponsePoint point;

    if (resumed) PetscCall(ResponseHasPoint(march->curve, i, march->result, &has));
    if (has) continue;
    PetscCall(StateDestroy(&march->state));
    PetscCall(ResponseDwell(march, march->response->frequency[i], i, &point, &done));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseRefineFromRest(ResponseMarch *march)
{
  const Response *response = march->response;
  ResponseTrack   track;
  PetscBool       done = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(ResponseTrackCreate(Capacity(response), response->watched.count, march->steady->scale, &track));
  for (PetscInt i = 0; done && i < response->num_base; i++) {
    PetscCall(ResponseHasPoint(march->curve, i, march->result, &done));
    if (done) PetscCall(Keep(march, i, PETSC_FALSE, &track));
  }
  if (done && response->keys.refine) PetscCall(Refine(march, &track, &done));
  if (done) PetscCall(Finish(march));
  PetscCall(ResponseTrackDestroy(&track));
  PetscFunctionReturn(PETSC_SUCCESS);
}
