/*
  decays.h - free decays: how the frequency and the damping of a motion change with its amplitude.

  The motion is a record of numbers at equal steps of time, computed or measured. Its envelope and phase give a ring-down curve, whose
  points carry their standard deviations; the points of several decays make one curve over the amplitude.
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

/* A motion, sampled at equal steps of time. */
typedef struct {
  PetscInt         count;
  PetscReal        start, step; /* [s] */
  const PetscReal *values;
  Quantity         quantity;
} Record;

/* The share of a record's energy outside of two frequencies [rad/s]. Local. */
PetscErrorCode RecordShareOutside(const Record *record, PetscReal lowest, PetscReal highest, PetscReal *share);

typedef struct {
  PetscReal        lowest, highest; /* band that is looked at [rad/s]; 0 and infinity for all */
  PetscReal        plausible[2];    /* frequencies that the motion can have [rad/s]; 0 and infinity for any */
  PetscReal        edge;            /* cycles dropped at both ends */
  PetscReal        drop;            /* of ln amplitude between knots, about */
  PetscReal        min_cycles;      /* between knots, about */
  PetscInt         max_points;
  PetscReal        accept_omega, accept_zeta; /* relative errors up to which a point is trusted */
  PetscReal        integration_step;          /* [s] of the average-acceleration rule that made the record, to be undone; 0 for none */
  PetscInt         num_knots;                 /* 0: chosen from the data */
  const PetscReal *knots;                     /* [s] */
} RingDownOptions;

typedef struct {
  PetscInt       count;
  RingDownPoint *points;
  PetscInt       num_knots; /* count + 1, or 0 */
  PetscReal     *knots;     /* [s] */
  PetscReal     *envelope;  /* of the record's quantity at the knots */
  const char    *remark;    /* why there are no points; NULL when there are */
} RingDownCurve;

/* Frequency and damping along a decay: slopes of phase and ln amplitude between knots, of which the midpoints are retained
   [section 2.2 of lacayo2017]. Local. */
PetscErrorCode RingDownFind(const Record *record, const RingDownOptions *options, RingDownCurve *curve);
PetscErrorCode RingDownDestroy(RingDownCurve *curve);

/* The envelope of a velocity falls less steeply than that of the displacement where the frequency rises meanwhile: makes of the damping
   of successive points, as eq. 21 gives it for a signal of this quantity, that of the displacement. Local. */
void RingDownToDisplacement(PetscInt count, Quantity quantity, RingDownPoint points[]);

/* Frequency and damping as functions of the amplitude, from the trusted points of any number of decays: linear in logarithms. */
typedef struct {
  PetscInt   count;
  PetscReal *ln_amplitude, *ln_omega, *ln_zeta; /* ascending amplitudes */
} AmplitudeCurve;

PetscErrorCode AmplitudeCurveCreate(PetscInt count, const RingDownPoint points[], AmplitudeCurve *curve);
PetscErrorCode AmplitudeCurveDestroy(AmplitudeCurve *curve);
/* False where no point is near: outside of all, or in a gap that no decay went through, wider than a factor of two. Local. */
PetscBool AmplitudeCurveAt(const AmplitudeCurve *curve, PetscReal amplitude, PetscReal *omega, PetscReal *zeta);
