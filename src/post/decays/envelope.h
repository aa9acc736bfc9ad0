/* envelope.h - the amplitude and the phase of a record. */
#pragma once
#include "post/decays.h"

/* ln A and phase of a record, taken as A cos(phase), at the samples first, first + 1, ... of it: those that its ends do not disturb. */
typedef struct {
  PetscInt   first, count;
  PetscReal *log_amplitude, *phase;
} Envelope;

/* By the Hilbert transform of the record, filtered to the band between two frequencies [rad/s]; 0 and infinity: no filter. `edge` cycles are
   dropped at both ends. There are no samples where the record is too short or silent. Local. */
PetscErrorCode EnvelopeFind(const Record *record, PetscReal lowest, PetscReal highest, PetscReal edge, Envelope *envelope);
/* Keeps the longest stretch along which one harmonic is larger than noise and other motions. Local. */
PetscErrorCode EnvelopeKeepClear(Envelope *envelope);
PetscErrorCode EnvelopeCut(Envelope *envelope, PetscInt first, PetscInt end); /* samples first to end - 1 remain */
PetscErrorCode EnvelopeDestroy(Envelope *envelope);
