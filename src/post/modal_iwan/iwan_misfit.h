/* iwan_misfit.h - how far a modal Iwan model is from the points of a ring-down, and the model that is nearest. */
#pragma once
#include "../decays/log_points.h"
#include "iwan_curves.h"

/* The six unknowns of a fit, chosen so that points in microslip alone see the first four and nothing of the last two. */
enum {
  LN_STUCK,   /* ln(stiffness + tangent) */
  LN_DAMPING, /* ln damping */
  LN_DROP,    /* ln of tangent / stiffness (middle / phi_max)^(chi + 1) / (1 + beta) */
  CHI,        /* chi */
  LN_PHI_MAX, /* ln(phi_max / middle) */
  LN_BETA     /* ln(1 + beta) */
};

/* Least squares of the logarithms of frequency and damping, linear beyond some deviations [Huber 1964], with a weak pull towards
   `center` that only unknowns which the points do not determine can feel. */
typedef struct {
  PetscInt        count;
  const LogPoint *points;
  PetscReal       ln_middle;                                       /* amplitude, the unit of the unknowns */
  PetscReal       omega_variance, zeta_variance;                   /* of the model, added to each point's own */
  PetscReal       center[MODAL_IWAN_SIZE], width[MODAL_IWAN_SIZE]; /* standard deviation of the pull; 0: none */
  PetscReal       low[MODAL_IWAN_SIZE], high[MODAL_IWAN_SIZE];
} IwanMisfit;

/* Half the sum of squares, and its gradient and Gauss-Newton matrix [row-major]; both may be NULL. Local. */
PetscReal IwanMisfitEvaluate(const IwanMisfit *misfit, const PetscReal x[], PetscReal gradient[], PetscReal normal[]);

/* Mean squares of the deviations beyond the points' own errors, extremes cut off: what the model's variances ought to be. Local. */
void IwanMisfitVariances(const IwanMisfit *misfit, const PetscReal x[], PetscReal *omega, PetscReal *zeta);

/* Moves x to the minimum near it and gives the value there. Local. */
PetscErrorCode IwanMisfitMinimise(IwanMisfit *misfit, PetscReal x[], PetscReal *value);

/* The model of these unknowns, amplitudes in units of the middle one. Local. */
void IwanMisfitCurves(const PetscReal x[], IwanCurves *curves);

/* The model at the minimum, with its intervals, and how far it is from the points. Local. */
PetscErrorCode IwanMisfitReport(const IwanMisfit *misfit, const PetscReal x[], ModalIwanFit *fit);
