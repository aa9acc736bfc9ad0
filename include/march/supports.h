/*
  supports.h - moving supports in a march: where loads have them, what they push the rest by, and what it takes to move them.

      M u'' + C u' + K0 u + B^T g = p - K_s u_s - C_s u_s' - M_s u_s'',   d = B u + B_s u_s

  Of the damping, discrete dampers and Rayleigh's factors are those of the matrices with the supports. Ratios of modes belong to the structure
  with its supports held: they damp what moves beside u = Psi u_s, Psi = -K0^-1 K_s, which the supports alone would move it by at rest, so that
  a rigid motion of all supports is not damped.
*/
#pragma once
#include "march/linear.h"
#include "march/load.h"

typedef struct {
  PetscReal *motion[NUM_COURSES]; /* [count] displacement, velocity, acceleration of the supports */
  PetscReal *force;               /* [n] what they push the coordinates by */
  PetscReal *pushed;              /* [count] what the loads on places are on them */
} SupportsAt;

typedef struct {
  const System *system;
  const Linear *linear;
  PetscInt      count, n, num_loads;
  const Load   *loads;
  Course       *courses;                    /* [num_loads], of loads that move a support */
  PetscReal    *stiffness, *damping, *mass; /* [count, n] K_s, C_s, M_s in the coordinates */
  PetscReal    *own_damping;                /* [count, count] C_ss */
  PetscReal    *load_share;                 /* [num_loads, count] a unit of each load's signal on the supports */
  SupportsAt    old, new;                   /* at the start of a step, and at its end */
  PetscReal    *u, *v;                      /* [n] at the start of a step */
  PetscReal    *reaction, *mean;            /* [count] then; work */
} Supports;

/* NULL where the System has none. `linear` and `loads` must outlive it. */
PetscErrorCode SupportsCreate(ModeCache *cache, const Linear *linear, PetscInt num_loads, const Load loads[], PetscReal step, Supports **supports);
PetscErrorCode SupportsDestroy(Supports **supports);
/* Loads, or steps, have changed, and the time is counted from 0 again. Local, as all that follows. */
void SupportsRetime(Supports *supports, PetscReal step);

/* Where they are at a time, under the values of the loads' signals then. Hot, as all that follows. */
void SupportsFind(Supports *supports, PetscReal time, const PetscReal signal[], SupportsAt *at);
/* What was new is old. */
void SupportsKeep(Supports *supports);
/* The motion, or a rate of it, that they give a place: B_s u_s. */
PetscReal SupportsPlace(const Supports *supports, const SupportsAt *at, CourseGiven kind, PetscInt place);
/* What moves each of them, `old` or `new`, at a state then: [count]. */
void SupportsReact(const Supports *supports, const SupportsAt *at, const State *state, PetscReal reaction[]);
/* Around a step: remembers where it starts; corrects work and damping, which the linear part has counted without them. */
void SupportsBegin(Supports *supports, const State *state);
void SupportsCount(Supports *supports, PetscReal h, State *state);
/* What they add to the energies, at the start of the next step. */
void SupportsEnergy(const Supports *supports, const State *state, PetscReal *kinetic, PetscReal *strain);
