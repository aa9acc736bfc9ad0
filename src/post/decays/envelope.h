/* envelope.h - the amplitude and the phase of a record. */
#pragma once
#include "post/decays.h"

/* ln A and phase of a record, taken as A cos(phase), at the samples first, first + 1, ... of it: those that its ends do not disturb. */
typedef struct {
  PetscInt   first, count;
  PetscReal *log_amplitude, *phase;
} Envelope;

/* By the Hilbert transform, of what the record holds between two frequencies [rad/s]; 0 and infinity for all of it. `edge` cycles
   at both ends are dropped. No samples where the record is too short or silent. Local. */
PetscErrorCode EnvelopeFind(const Record *record, PetscReal lowest, PetscReal highest, PetscReal edge, Envelope *envelope);
/* Keeps the longest stretch along which one harmonic stands out from noise and from other motions. Local. */
PetscErrorCode EnvelopeKeepClear(Envelope *envelope);
PetscErrorCode EnvelopeCut(Envelope *envelope, PetscInt first, PetscInt end); /* samples first to end - 1 remain */
PetscErrorCode EnvelopeDestroy(Envelope *envelope);
