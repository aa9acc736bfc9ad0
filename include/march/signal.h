/*
  signal.h - shapes of time of unit amplitude.

  A signal is zero before its start; its value is a function of the time since then. To add one: its value in signal.c, a line
  in signal_kinds, and its table of keys in load.c.
*/
#pragma once
#include "base.h"

typedef enum { SIGNAL_HALF_SINE, SIGNAL_HARMONIC, SIGNAL_CHIRP, SIGNAL_STEP, SIGNAL_TABLE, SIGNAL_RANDOM, NUM_SIGNALS } SignalKind;

extern const char *const signal_names[NUM_SIGNALS + 1]; /* ends with NULL */
extern const char *const sweep_names[];                 /* of a chirp; ends with NULL */

typedef struct {
  SignalKind       kind;
  PetscReal        start;         /* [s] */
  PetscReal        duration;      /* [s] 0 for no end, where that is possible */
  PetscReal        frequency;     /* [Hz] */
  PetscReal        end_frequency; /* [Hz] */
  PetscReal        phase;         /* [rad] */
  PetscReal        rise;          /* [s] */
  PetscInt         sweep;         /* index in sweep_names */
  PetscReal        until;         /* [s] when the motion ends; 0: it goes on */
  PetscBool        steady;        /* a sine that has always been there, and always will */
  PetscInt         num_samples;
  const PetscReal *samples; /* time [s], value, time, value, ...; times ascend */

  /* Of random ones: lines A cos + B sin, 1 / duration apart from `frequency` on, as A, B, A, B, ...; at the start the integral of the samples that has
     no mean, and that of this one [s, s^2], and what of them is not that of the lines. */
  PetscInt         num_lines;
  const PetscReal *lines;
  PetscReal        origin[2], images[2];
} Signal;

/* A piece of a stationary Gaussian process of this one-sided spectral density, [num_points, 2] frequency [Hz] and density [of the signal's unit
   squared, /Hz], straight between points in logarithms of both and zero outside: the same for one seed everywhere. Over the signal's duration, and so
   dense that it is right up to the highest frequency. Samples and lines go to `room`, of twice as many numbers as there are of both; where that is
   NULL they are only counted. Local. */
PetscErrorCode NoiseSample(PetscInt num_points, const PetscReal spectrum[], PetscInt seed, PetscReal room[], Signal *signal);

/* At a jump the mean of its two sides, which is what keeps steps that meet there of second order; where the motion itself begins, at time
   0, or ends, that side which belongs to it. Local. */
PetscReal SignalValue(const Signal *signal, PetscReal time);
/* Its value and its first two rates of change, likewise the mean of both sides where they jump, without the impulses of the jumps. Local. */
void SignalRates(const Signal *signal, PetscReal time, PetscReal rates[3]);
/* The next time after this one at which a rate may jump; PETSC_MAX_REAL when there is none. Local. */
PetscReal SignalNextBreak(const Signal *signal, PetscReal time);
/* Whether the value jumps, order 0, or its first rate, order 1, while the motion goes on. Local. */
PetscBool SignalJumps(const Signal *signal, PetscInt order);
/* Its shortest period or half period, which steps must resolve [s]; 0 when it has none, or is not known yet. Local. */
PetscReal SignalFastest(const Signal *signal);
/* When it is over [s]; PETSC_MAX_REAL when it never is. Local. */
PetscReal SignalEnd(const Signal *signal);
