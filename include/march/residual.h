/*
  residual.h - the motion that modes left out of a System add in a march: static, as they have no mass.

      x = R (p - B^T g),   g = f - k d

  at joints, where it is part of the balance, at loads, which do work on it, and at whatever is watched. Without such modes all of it is
  nothing.
*/
#pragma once
#include "march/linear.h"
#include "march/load.h"

typedef struct {
  const System *system;
  PetscInt      m, num_loads;
  Influence     joints;                    /* between the nonlinear rows */
  PetscReal    *matrix;                    /* [m, m] of it, where it is formed; else NULL */
  PetscReal    *loads;                     /* [num_loads, m + num_loads]: of each load under -g of each row and a unit of each signal */
  PetscReal    *load_factor;               /* [num_loads] of the place of each load: its amplitude and sign */
  PetscInt     *load_place;                /* -1 of a mode shape, which pushes no mode that was left out */
  PetscReal    *force, *old_force, *moved; /* [m + num_loads] -g and the values of the signals; work */
} Residual;

/* NULL where the System has no residual. `linear` and `loads` must outlive it. */
PetscErrorCode ResidualCreate(const Linear *linear, PetscInt num_loads, const Load loads[], Residual **residual);
PetscErrorCode ResidualDestroy(Residual **residual);

/* What a place moves by under -g of each row and a unit of each load's signal: [m + num_loads]. */
PetscErrorCode ResidualRow(const Residual *residual, PetscInt place, PetscReal row[]);
/* The same of the sum of all places, each with its share: [num_places]. */
PetscErrorCode ResidualMean(const Residual *residual, const PetscReal shares[], PetscReal row[]);

/* -g and the signals together. Hot, local, as all that follows. */
void ResidualForces(const Residual *residual, const PetscReal remainder[], const PetscReal signal[], PetscReal force[]);
/* Adds what the loads alone do to the joints' rows: [m]. */
void ResidualAddLoads(const Residual *residual, const PetscReal signal[], PetscReal motion[]);
/* What the loads do on its motion in a step, their values being the mean [J]. */
PetscReal ResidualWork(Residual *residual, const PetscReal old_remainder[], const PetscReal old_signal[], const PetscReal remainder[],
                       const PetscReal signal[]);
/* Its strain energy [J]. */
PetscReal ResidualEnergy(Residual *residual, const State *state, const PetscReal signal[]);
