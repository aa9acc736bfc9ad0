/*
  mean_tangents.h - the balance of harmonics of a structure whose points each keep the mean of their tangents over a period, solved exactly.

  Harmonics then go apart, and the equation 1 + H_k A' of all of them has one real matrix of the active rows, T, beside what modes add:

      T = 1 + R' A'        (1 + W_k E) z = W_k F T^-1 b        y = T^-1 b - X z
      F = (B Phi)^T A'     X = T^-1 B Phi     E = F X          W_k = 1 / Z_k of the lowest modes; R': R, and all others by their compliance

  It is what an iteration for the true tangents begins from.
*/
#pragma once
#include "harmonic/equation.h"
#include <petscblaslapack.h>

typedef struct {
  PetscInt      rows, low, capacity; /* active rows; modes with inertia; rows that there is room for */
  PetscReal    *factors;             /* [rows, rows] T by columns, factored; unused where R' is nothing */
  PetscBool     is_unit;             /* T is 1 */
  PetscBLASInt *pivots;
  PetscReal    *force, *motion; /* [rows, low] F^T; X by columns */
  PetscReal    *of_modes;       /* [num_harmonics, 2 low, 2 low] 1 + W_k E, factored */
  PetscBLASInt *mode_pivots;
  PetscReal    *shared, *q, *y; /* [low, low] E; [num_functions, low]; [num_functions, rows]: work */
} MeanTangents;

/* Room for modes and harmonics of an equation. Local, all of it. */
PetscErrorCode MeanTangentsCreate(const HarmonicEquation *equation, MeanTangents *mean);
PetscErrorCode MeanTangentsDestroy(MeanTangents *mean);
/* At the motion at which the equation was differentiated last; `regular` is false where it cannot be solved. */
PetscErrorCode MeanTangentsFactor(const HarmonicEquation *equation, MeanTangents *mean, PetscBool *regular);
/* [num_active]. Hot. */
PetscErrorCode MeanTangentsSolve(const HarmonicEquation *equation, MeanTangents *mean, const PetscReal b[], PetscReal y[]);
