/*
  measured.h - a measured frequency response beside the computed curves of a response.

  It is the motion over the force, H = (i Omega)^k a exp(i (phase - phase of the load)) / (level * amplitude of the load) of the first harmonic
  a sin(Omega t + phase); k is 0, 1, 2 for displacement, velocity, acceleration.
*/
#pragma once
#include "post/decays.h"
#include "study.h"

typedef struct {
  const char *name;
  PetscInt    motion; /* of the response, from 0; -1: that of which the program tells */
  Quantity    quantity;
  PetscBool   has_phase;
  PetscInt    count;
  PetscReal  *frequency;        /* [count], ascending [Hz] */
  PetscReal  *real, *imaginary; /* [count] in SI units; without phases the amplitude, and zeros */
  Finding    *finding;
} MeasuredResponse;

extern const InputTable measured_response_table;

/* A map, or a list of them; `motions` [num_motions] are the names of what is watched, and behind them NULL. Complains. Collective. */
PetscErrorCode MeasuredResponsesRead(const InputNode *node, const char *const motions[], PetscInt *count, MeasuredResponse **measured);
PetscErrorCode MeasuredResponsesDestroy(PetscInt count, MeasuredResponse *measured[]);

/* What it is at a frequency, interpolated linearly; false outside of its own frequencies. Local. */
PetscBool MeasuredResponseAt(const MeasuredResponse *measured, PetscReal frequency, PetscReal value[2]);
