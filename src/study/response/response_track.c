/*
  response_track.c - where a curve of a response is refined.

  At each point between two others the amplitude of a motion lies off the straight line between these by some share of its largest
  amplitude; the largest share over the motions is the bend there. An interval is worth the bends at both of its ends, so that one
  with a jump in it is worth the jump. The worthiest is halved, while it is worth more than LEAST_WORTH and has not been halved
  MAX_DEPTH times. What moves so little that it may be round-off is measured by what moves most, as in steady.h.
*/
#include "response.h"

enum { MAX_DEPTH = 5 };
static const PetscReal LEAST_WORTH = 2e-3;

PetscErrorCode ResponseTrackCreate(PetscInt capacity, PetscInt num_motions, const PetscReal scale[], ResponseTrack *track)
{
  PetscFunctionBegin;
  *track = (ResponseTrack){.num_motions = num_motions};
  PetscCall(PetscCalloc6(num_motions, &track->scale, capacity, &track->frequency, capacity * num_motions, &track->amplitude, capacity, &track->depth,
                         capacity, &track->state, capacity, &track->size));
  PetscCall(PetscArraycpy(track->scale, scale, num_motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseTrackDestroy(ResponseTrack *track)
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < track->count; k++) PetscCall(PetscFree(track->state[k]));
  PetscCall(PetscFree6(track->scale, track->frequency, track->amplitude, track->depth, track->state, track->size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MakeRoom(ResponseTrack *track, PetscInt place)
{
  const PetscInt behind = track->count - place, width = track->num_motions;

  PetscFunctionBegin;
  PetscCall(PetscArraymove(track->frequency + place + 1, track->frequency + place, behind));
  PetscCall(PetscArraymove(track->amplitude + (place + 1) * width, track->amplitude + place * width, behind * width));
  PetscCall(PetscArraymove(track->depth + place + 1, track->depth + place, behind));
  PetscCall(PetscArraymove(track->state + place + 1, track->state + place, behind));
  PetscCall(PetscArraymove(track->size + place + 1, track->size + place, behind));
  track->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseTrackAdd(ResponseTrack *track, PetscReal frequency, const PetscReal amplitude[], PetscBool halves, const State *state)
{
  PetscInt place = 0;

  PetscFunctionBegin;
  while (place < track->count && track->frequency[place] < frequency) place++;
  PetscCall(MakeRoom(track, place));
  track->frequency[place] = frequency;
  PetscCall(PetscArraycpy(track->amplitude + place * track->num_motions, amplitude, track->num_motions));
  track->depth[place] = halves ? ++track->depth[place - 1] : 0;
  track->state[place] = NULL;
  track->size[place]  = state ? StateSize(state) : 0;
  if (state) {
    PetscCall(PetscMalloc1(track->size[place], &track->state[place]));
    StatePack(state, track->state[place]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* NaN does not count. */
static PetscReal Largest(const ResponseTrack *track, PetscInt motion)
{
  PetscReal most = 0.0;

  for (PetscInt k = 0; k < track->count; k++)
    if (track->amplitude[k * track->num_motions + motion] > most) most = track->amplitude[k * track->num_motions + motion];
  return most;
}

/* What the amplitudes of each motion are measured by. */
static void FindSizes(const ResponseTrack *track, PetscReal largest[])
{
  PetscReal most = 0.0;

  for (PetscInt i = 0; i < track->num_motions; i++) {
    largest[i] = Largest(track, i);
    if (track->scale[i] > 0.0) most = PetscMax(most, largest[i] / track->scale[i]);
  }
  for (PetscInt i = 0; i < track->num_motions; i++) largest[i] = PetscMax(largest[i], STEADY_SHARE * most * track->scale[i]);
}

/* Zero at the ends of the curve, and beside points that have no amplitude. */
static PetscReal Bend(const ResponseTrack *track, PetscInt k, const PetscReal largest[])
{
  const PetscInt width = track->num_motions;
  PetscReal      most  = 0.0;

  if (k <= 0 || k >= track->count - 1) return 0.0;
  for (PetscInt i = 0; i < width; i++) {
    const PetscReal *a = track->amplitude + i, *f = track->frequency;
    const PetscReal  share = (f[k] - f[k - 1]) / (f[k + 1] - f[k - 1]);
    const PetscReal  off   = PetscAbsReal(a[k * width] - (1.0 - share) * a[(k - 1) * width] - share * a[(k + 1) * width]);

    if (off > most * largest[i]) most = off / largest[i];
  }
  return most;
}

static PetscBool IsKnown(const ResponseTrack *track, PetscInt k)
{
  return (PetscBool)(!PetscIsNanReal(track->amplitude[k * track->num_motions]));
}

PetscInt ResponseTrackChoose(const ResponseTrack *track)
{
  PetscInt   chosen = -1;
  PetscReal  most   = LEAST_WORTH;
  PetscReal *largest;

  if (PetscMalloc1(track->num_motions, &largest)) return -1;
  FindSizes(track, largest);
  for (PetscInt k = 0; k + 1 < track->count; k++) {
    const PetscReal worth = Bend(track, k, largest) + Bend(track, k + 1, largest);

    if (!(worth > most) || track->depth[k] >= MAX_DEPTH || !IsKnown(track, k) || !IsKnown(track, k + 1)) continue;
    most   = worth;
    chosen = k;
  }
  (void)PetscFree(largest);
  return chosen;
}
