/*
  steady.h - when a motion under a periodic load has become periodic itself, and what it is then.

  Of each cycle and each motion four numbers are kept: the mean, the first harmonic (complex), and the root mean square of what
  alternates, r. The change of a motion is the largest difference of any of them between the last cycle and one of the M before it,
  relative to 2^1/2 r, the amplitude of a sine; the change of a cycle is that of the motion which changes most. Motions
  that are 1e-6 of the largest or less, each relative to its scale, are judged by that instead of by themselves: they may be round-off.

  What still changes by D in M cycles and changed by D' in the M before is D q / (1 - q) away from where it goes, q = D / D', if it
  settles exponentially. So a motion is steady when D max(1, q / (1 - q)) is within the tolerance, the second factor no more than 100.
*/
#pragma once
#include "base.h"

typedef struct {
  PetscInt   num_motions, steps, window; /* steps: samples of a cycle; window: M */
  PetscReal *scale;                      /* [num_motions] how much it moves when it moves as much as the others */
  PetscReal *samples;                    /* [steps, num_motions] of the cycle: that at its end, which is phase 0, comes first */
  PetscReal *cosine, *sine;              /* [steps] of the phase of each sample */
  PetscInt   cycles;                     /* complete ones */
  PetscReal *figures;                    /* [window + 1, num_motions, STEADY_FIGURES] of the last cycles */
  PetscReal *changes;                    /* [window + 1] of the last cycles; infinite while there are not enough */
  PetscInt   worst;                      /* the motion that changed most in the last cycle */
} Steady;

#define STEADY_SHARE 1e-6 /* of the largest, each relative to its scale: below it a motion may be round-off */

enum { STEADY_MEAN, STEADY_COSINE, STEADY_SINE, STEADY_RMS, STEADY_FIGURES };

PetscErrorCode SteadyCreate(PetscInt num_motions, const PetscReal scale[], PetscInt steps, PetscInt window, Steady **steady);
PetscErrorCode SteadyDestroy(Steady **steady);

/* Forgets all cycles. Local, like all that follows. */
void SteadyBegin(Steady *steady);
/* The place of the motions after step 1 <= step <= steps of a cycle. */
PetscReal *SteadySample(Steady *steady, PetscInt step);
/* Counts the cycle whose samples are there. */
void SteadyEndCycle(Steady *steady);

/* D of the last cycle, how far away it still is by that, and q (1 when it is not known); infinite while there are not enough cycles. */
void SteadyChange(const Steady *steady, PetscReal *change, PetscReal *away, PetscReal *ratio);

/* Of the last cycle: half the distance from peak to peak, with a parabola through each peak; a figure; harmonic h as
   amplitude sin(h phase + angle). */
PetscReal SteadyAmplitude(const Steady *steady, PetscInt motion);
PetscReal SteadyFigure(const Steady *steady, PetscInt motion, PetscInt figure);
void      SteadyHarmonic(const Steady *steady, PetscInt motion, PetscInt h, PetscReal *amplitude, PetscReal *angle);
