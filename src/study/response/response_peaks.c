/* response_peaks.c - whether the frequencies of a curve are close enough to each other for its peaks. */
#include "response.h"

enum { LEAST_POINTS = 5 }; /* fewer are no curve, but frequencies that the case is about */

/* A peak of a linear oscillator with damping ratio zeta rises above the line between its neighbours by this share where frequencies are zeta omega
   apart; the true height may then be a tenth above the highest point. */
static const PetscReal allowed = 0.2;

static PetscErrorCode AddRows(const Response *response, const ResponseCurve *curve, const Result *result, ResponseTrack *track)
{
  PetscReal frequency, *amplitude;
  PetscBool has;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(response->watched.count, &amplitude));
  for (PetscInt row = 0; row < response->num_base + response->keys.refine; row++) {
    PetscCall(ResponseHasPoint(curve, row, result, &has));
    if (!has) continue;
    PetscCall(FindingRead(curve->finding, RESPONSE_FREQUENCY, row, 1, &frequency, result));
    PetscCall(FindingRead(curve->finding, RESPONSE_AMPLITUDE, row, 1, amplitude, result));
    PetscCall(ResponseTrackAdd(track, frequency, amplitude, PETSC_FALSE, NULL));
  }
  PetscCall(PetscFree(amplitude));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The sharpest peak of the reference motion: how far it rises above the line between its neighbours, by its height. */
static PetscReal Sharpest(const ResponseTrack *track, PetscInt motion, PetscInt *peak)
{
  PetscReal most = 0.0;

  for (PetscInt k = 1; k + 1 < track->count; k++) {
    const PetscReal *f = track->frequency + k, *a = track->amplitude + k * track->num_motions + motion;
    const PetscReal  before = a[-track->num_motions], after = a[track->num_motions], share = (f[0] - f[-1]) / (f[1] - f[-1]);
    const PetscReal  rise = 1.0 - ((1.0 - share) * before + share * after) / a[0];

    if (!(a[0] > before && a[0] > after && rise > most)) continue;
    most  = rise;
    *peak = k;
  }
  return most;
}

PetscErrorCode ResponseWarnOfPeaks(const char *name, const Response *response, const ResponseCurve *curve, const Result *result)
{
  const PetscInt capacity = response->num_base + response->keys.refine;
  PetscInt       peak     = 0;
  ResponseTrack  track;
  PetscReal     *scale;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(response->watched.count, &scale));
  PetscCall(ResponseTrackCreate(capacity, response->watched.count, scale, &track));
  PetscCall(AddRows(response, curve, result, &track));
  if (track.count >= LEAST_POINTS && track.count == capacity && Sharpest(&track, response->reference_motion, &peak) > allowed)
    LogWarn(
      "response %s, %s: the peak of %s near %.5g Hz is narrower than the frequencies around it, %.5g to %.5g Hz, are apart: it may be higher by "
      "a tenth and more; give `refine` or more frequencies",
      name, curve->name, response->watched.motions[response->reference_motion].name, track.frequency[peak], track.frequency[peak - 1],
      track.frequency[peak + 1]);
  PetscCall(ResponseTrackDestroy(&track));
  PetscCall(PetscFree(scale));
  PetscFunctionReturn(PETSC_SUCCESS);
}
