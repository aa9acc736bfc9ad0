/*
  steady.h - when a motion under a periodic load has become periodic itself, and what it is then.

  The last 2 M + 1 cycles are kept, sample by sample. The change D of a motion is the largest difference of any sample of the last cycle
  from the same sample of one of the M cycles before, relative to 2^1/2 r, r the root mean square of what alternates: the amplitude of a
  sine. The change of a cycle is that of the motion which changes most. Motions that are 1e-6 of the largest or less, each relative to
  its scale, are judged by that instead of by themselves: they may be round-off.

  What still changes by D in M cycles and changed by D' in the M before is D q / (1 - q) away from where it goes, q = D / D', if it
  settles exponentially and as a whole: D max(1, q / (1 - q)) is the first estimate, `away`.

  A motion that settles in several ways at once, one of them slowly, is further away than that. The second estimate, `left`, takes cycles
  for vectors x_k that a linear map leads from one to the next, x_k+1 = A x_k + b, whatever A: of all combinations of the cycles that are
  kept, the one that changes least in a cycle is where they go [reduced rank extrapolation: Smith, Ford, Sidi 1987, SIAM Review 29,
  sec. 3]. With n differences u_i = x_i+1 - x_i it is exact for up to n - 1 exponentials, real or complex.
*/
#pragma once
#include "base.h"

typedef struct {
  PetscInt   num_motions, steps, window; /* steps: samples of a cycle; window: M */
  PetscInt   kept;                       /* cycles: 2 M + 1 */
  PetscReal *scale;                      /* [num_motions] how much it moves when it moves as much as the others */
  PetscReal *samples;                    /* [kept, steps, num_motions] of the last cycles: that at the end, which is phase 0, comes first */
  PetscReal *cosine, *sine;              /* [steps] of the phase of each sample */
  PetscInt   cycles;                     /* complete ones */
  PetscReal *figures;                    /* [num_motions, STEADY_FIGURES] of the last cycle */
  PetscReal *size;                       /* [num_motions] amplitude that its changes are relative to */
  PetscReal *changes;                    /* [window + 1] of the last cycles; infinite while there are not enough */
  PetscInt   worst;                      /* the motion that changed most in the last cycle */
} Steady;

#define STEADY_SHARE 1e-6 /* of the largest, each relative to its scale: below it a motion may be round-off */

enum { STEADY_MEAN, STEADY_COSINE, STEADY_SINE, STEADY_RMS, STEADY_FIGURES };

PetscErrorCode SteadyCreate(PetscInt num_motions, const PetscReal scale[], PetscInt steps, PetscInt window, Steady **steady);
PetscErrorCode SteadyDestroy(Steady **steady);

/* Forgets all cycles. Local, like all that follows. */
void SteadyBegin(Steady *steady);
/* The place of the motions after step 1 <= step <= steps of the cycle that goes on. */
PetscReal *SteadySample(Steady *steady, PetscInt step);
/* Counts the cycle whose samples are there. */
void SteadyEndCycle(Steady *steady);

/* D of the last cycle, how far away it still is by that, and q (1 when it is not known); infinite while there are not enough cycles. */
void SteadyChange(const Steady *steady, PetscReal *change, PetscReal *away, PetscReal *ratio);
/* How far away it is from where all cycles that are kept lead; infinite while there are not enough. */
PetscErrorCode SteadyLeft(const Steady *steady, PetscReal *left);

/* Of the last cycle: half the distance from peak to peak, with a parabola through each peak; a figure; harmonic h as
   amplitude sin(h phase + angle). */
PetscReal SteadyAmplitude(const Steady *steady, PetscInt motion);
PetscReal SteadyFigure(const Steady *steady, PetscInt motion, PetscInt figure);
void      SteadyHarmonic(const Steady *steady, PetscInt motion, PetscInt h, PetscReal *amplitude, PetscReal *angle);
