/*
  post.h - signals over time, and what they tell: ring-down curves, and models that are fitted to them.

  This room knows numbers over time, computed or measured, and nothing of cases, Systems or files: the studies
  of the analysis room bring the signals and keep what comes of them.
*/
#pragma once
#include "base.h"

/* What a signal is of; amplitudes change from one to the next by omega [eq. 22 of lacayo2017]. */
typedef enum { QUANTITY_DISPLACEMENT, QUANTITY_VELOCITY, QUANTITY_ACCELERATION, NUM_QUANTITIES } Quantity;

extern const char *const quantity_names[]; /* of the case file; ends with NULL */

/* A point of a ring-down curve: at this amplitude the motion has this frequency and loses energy as this damping ratio would.
   The errors are standard deviations. */
typedef struct {
  PetscReal time;      /* [s] */
  PetscReal amplitude; /* of the displacement [m kg^1/2] of a mode, [m] of a point */
  PetscReal omega;     /* [rad/s] */
  PetscReal zeta;
  PetscReal omega_error; /* [rad/s] */
  PetscReal zeta_error;
  PetscBool trusted; /* one decaying harmonic explains the signal here; what is not is no truth to fit or compare */
} RingDownPoint;

/* The modal Iwan model of one mode [eq. 7 of lacayo2017]: a unit mass on a spring, a dashpot and a four-parameter Iwan element. */
typedef struct {
  PetscReal stiffness;  /* K_inf [1/s^2], while the joints slip */
  PetscReal damping;    /* zeta_0, ratio of the critical damping while they stick */
  PetscReal slip_force; /* F_S [N kg^-1/2] */
  PetscReal tangent;    /* K_T [1/s^2], what the joints add while they stick */
  PetscReal chi, beta;
} ModalIwan;

enum { MODAL_IWAN_SIZE = 6 }; /* parameters, in the order of the struct */

/* Displacement from which all of the element slips, phi_max [eq. 10]. Local. */
PetscReal ModalIwanSlipAmplitude(const ModalIwan *model);
/* Frequency and damping of a motion of this displacement amplitude, in closed form [eqs 8 to 13, with the errata]. Local. */
void ModalIwanCurve(const ModalIwan *model, PetscReal amplitude, PetscReal *omega, PetscReal *zeta);

/* The model that explains a curve best, and how well. */
typedef struct {
  ModalIwan model;
  ModalIwan low, high;                   /* confidence intervals of 95 % */
  PetscBool determined[MODAL_IWAN_SIZE]; /* by the points: others stay at a bound, or anything would do */
  PetscReal omega_misfit, zeta_misfit;   /* root mean square of the relative differences, of the points used */
  PetscInt  num_points, num_micro;       /* used; of them in microslip */
} ModalIwanFit;

/* Least squares over the trusted points, from many starts. `found` is false where the points cannot carry a model; `reason` says why.
   The same on every call. Local. */
PetscErrorCode ModalIwanFitCurve(PetscInt count, const RingDownPoint points[], PetscBool *found, ModalIwanFit *fit, char reason[], size_t size);
