/* log_points.h - the logarithms of points of ring-down curves, which fits compare. */
#pragma once
#include "post/decays.h"

typedef struct {
  PetscReal ln_amplitude, ln_omega, ln_zeta;
  PetscReal omega_variance, zeta_variance; /* of the logarithms, from the errors of the point */
} LogPoint;

/* The points that are trusted and whose numbers are positive; the caller frees them. Local. */
PetscErrorCode LogPointsGather(PetscInt count, const RingDownPoint points[], PetscInt *num_usable, LogPoint **usable);

/* Whether a model with these variances explains its points; and the least variances that a fit assumes. */
PetscBool LogPointsExplained(PetscReal omega_variance, PetscReal zeta_variance);
#define LEAST_OMEGA_VARIANCE (1e-6 * 1e-6)
#define LEAST_ZETA_VARIANCE (1e-4 * 1e-4)
