/* iwan_misfit.h - the deviation of a modal Iwan model from the points of a ring-down curve, and its minimum. */
#pragma once
#include "../decays/log_points.h"
#include "iwan_curves.h"

/* The six unknowns of a fit. They are chosen so that points in microslip depend on the first four alone. */
enum {
  LN_STUCK,   /* ln(stiffness + tangent) */
  LN_DAMPING, /* ln damping */
  LN_DROP,    /* ln of tangent / stiffness (middle / phi_max)^(chi + 1) / (1 + beta) */
  CHI,        /* chi */
  LN_PHI_MAX, /* ln(phi_max / middle) */
  LN_BETA     /* ln(1 + beta) */
};

/* Least squares of the logarithms of frequency and damping, with a linear loss for large deviations [Huber 1964]. A weak prior pulls the
   unknowns towards `center`; it matters only for those that the points do not determine. */
typedef struct {
  PetscInt        count;
  const LogPoint *points;
  PetscReal       ln_middle;                                       /* ln of the middle amplitude, which is the unit of amplitudes */
  PetscReal       omega_variance, zeta_variance;                   /* of the model, in addition to those of the points */
  PetscReal       center[MODAL_IWAN_SIZE], width[MODAL_IWAN_SIZE]; /* mean and standard deviation of the prior; width 0: none */
  PetscReal       low[MODAL_IWAN_SIZE], high[MODAL_IWAN_SIZE];
} IwanMisfit;

/* Half the sum of squares, and its gradient and Gauss-Newton matrix [row-major]; both may be NULL. Local. */
PetscReal IwanMisfitEvaluate(const IwanMisfit *misfit, const PetscReal x[], PetscReal gradient[], PetscReal normal[]);

/* The variances of the model that the deviations imply: their mean squares less the variances of the points, extremes limited. Local. */
void IwanMisfitVariances(const IwanMisfit *misfit, const PetscReal x[], PetscReal *omega, PetscReal *zeta);

/* Moves x to the minimum near it and gives the value there. Local. */
PetscErrorCode IwanMisfitMinimise(IwanMisfit *misfit, PetscReal x[], PetscReal *value);

/* The curves of the model with these unknowns; amplitudes are in units of the middle one. Local. */
void IwanMisfitCurves(const PetscReal x[], IwanCurves *curves);

/* The model at the minimum, with intervals and misfits. Local. */
PetscErrorCode IwanMisfitReport(const IwanMisfit *misfit, const PetscReal x[], ModalIwanFit *fit);
