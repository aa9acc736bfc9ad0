/* log_points.h - points of ring-down curves in their logarithms, as fits compare them. */
#pragma once
#include "post/decays.h"

typedef struct {
  PetscReal ln_amplitude, ln_omega, ln_zeta;
  PetscReal omega_variance, zeta_variance; /* of the logarithms: the point's own */
} LogPoint;

/* Those that are trusted and make sense; the caller frees them. Local. */
PetscErrorCode LogPointsGather(PetscInt count, const RingDownPoint points[], PetscInt *num_usable, LogPoint **usable);

/* How large the variances may be, at most, of a model that explains its points; and the least that is thought of them. */
PetscBool LogPointsExplained(PetscReal omega_variance, PetscReal zeta_variance);
#define LEAST_OMEGA_VARIANCE (1e-6 * 1e-6)
#define LEAST_ZETA_VARIANCE (1e-4 * 1e-4)
