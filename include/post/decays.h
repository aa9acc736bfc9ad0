/*
  decays.h - free decays: how the frequency and the damping of a motion change with its amplitude.

  The motion is a record of numbers at equal steps of time, computed or measured. Its envelope and phase give a ring-down curve, whose
  points carry their standard deviations; the points of several decays make one curve over the amplitude.
*/
#pragma once
#include "base.h"

/* The quantity that a signal measures. Amplitudes change by the factor omega from one to the next [eq. 22 of lacayo2017]. */
typedef enum { QUANTITY_DISPLACEMENT, QUANTITY_VELOCITY, QUANTITY_ACCELERATION, NUM_QUANTITIES } Quantity;

extern const char *const quantity_names[]; /* words of the case file; the list ends with NULL */

/* Why a point of a ring-down curve is not trusted. */
typedef enum {
  DOUBT_NONE,
  DOUBT_MOTIONS,         /* one decaying harmonic does not explain the signal: other motions or noise are in it, or it grows */
  DOUBT_BAND,            /* the band cuts the motion */
  DOUBT_OTHER_FREQUENCY, /* the frequency is one that this motion cannot have */
  DOUBT_OMEGA_ERROR,     /* the error of the frequency is not accepted; */
  DOUBT_ZETA_ERROR,      /* that of the damping */
  NUM_DOUBTS
} RingDownDoubt;

/* One point of a ring-down curve: the frequency and the damping ratio of the motion at one amplitude. Errors are standard deviations. */
typedef struct {
  PetscReal     time;      /* [s] */
  PetscReal     amplitude; /* of the displacement: [m kg^1/2] of a mode, [m] of a point */
  PetscReal     omega;     /* [rad/s] */
  PetscReal     zeta;
  PetscReal     omega_error; /* [rad/s] */
  PetscReal     zeta_error;
  PetscBool     trusted; /* the signal is one decaying harmonic here, known well enough to be fitted or compared */
  RingDownDoubt doubt;   /* why not */
} RingDownPoint;

/* A motion sampled at equal time steps. */
typedef struct {
  PetscInt         count;
  PetscReal        start, step; /* [s] */
  const PetscReal *values;
  Quantity         quantity;
} Record;

/* The share of a record's energy below the lowest or above the highest frequency [rad/s]. Local. */
PetscErrorCode RecordShareOutside(const Record *record, PetscReal lowest, PetscReal highest, PetscReal *share);

/* A clear peak of a record's spectrum. */
typedef struct {
  PetscReal omega;  /* [rad/s] */
  PetscReal height; /* of twice the Fourier transform's magnitude [unit of the record times s] */
  PetscReal width;  /* between the frequencies of half its power [rad/s]: 2 zeta omega of a linear decay that the record holds to its end */
} SpectrumPeak;

/* The clear peaks by ascending frequency, of more than `most` the highest: they stand out of the lines around them, and of the valleys beside
   them, by much more than noise does. Local. */
PetscErrorCode RecordFindPeaks(const Record *record, PetscInt most, PetscInt *count, SpectrumPeak peaks[]);
/* The band [rad/s] in which to measure one of them. Local. */
void SpectrumBand(PetscInt count, const SpectrumPeak peaks[], PetscInt peak, PetscReal band[2]);

typedef struct {
  PetscReal        lowest, highest; /* band that passes the filter [rad/s]; 0 and infinity: no filter */
  PetscReal        plausible[2];    /* lowest and highest frequency that the motion can have [rad/s]; 0 and infinity: any */
  PetscReal        edge;            /* cycles dropped at both ends of the record */
  PetscReal        drop;            /* approximate fall of ln amplitude between two knots */
  PetscReal        min_cycles;      /* approximate least number of cycles between two knots */
  PetscInt         max_points;
  PetscReal        accept_omega, accept_zeta; /* largest relative errors of a trusted point */
  PetscReal        integration_step; /* [s] time step of the average-acceleration rule that computed the record: its error is corrected; 0: none */
  PetscInt         num_knots;        /* 0: knots are chosen from the data */
  const PetscReal *knots;            /* [s] */
} RingDownOptions;

typedef struct {
  PetscInt       count;
  RingDownPoint *points;
  PetscInt       num_knots; /* count + 1, or 0 */
  PetscReal     *knots;     /* [s] */
  PetscReal     *envelope;  /* amplitude of the record's own quantity at the knots */
  const char    *remark;    /* why there are no points; NULL when there are points */
} RingDownCurve;

/* Frequency and damping along a decay are the slopes of its phase and of ln amplitude between two knots; each pair of knots gives one
   point, at its middle [section 2.2 of lacayo2017]. Local. */
PetscErrorCode RingDownFind(const Record *record, const RingDownOptions *options, RingDownCurve *curve);
PetscErrorCode RingDownDestroy(RingDownCurve *curve);

/* Where the frequency rises during a decay, the envelope of the velocity falls less steeply than that of the displacement. Changes the
   damping of successive points, found by eq. 21 from a signal of this quantity, into the damping of the displacement. Local. */
void RingDownToDisplacement(PetscInt count, Quantity quantity, RingDownPoint points[]);

/* Frequency and damping as functions of the amplitude, interpolated between the trusted points of any number of decays. Logarithms are
   interpolated linearly. */
typedef struct {
  PetscInt   count;
  PetscReal *ln_amplitude, *ln_omega, *ln_zeta; /* ascending amplitudes */
} AmplitudeCurve;

PetscErrorCode AmplitudeCurveCreate(PetscInt count, const RingDownPoint points[], AmplitudeCurve *curve);
PetscErrorCode AmplitudeCurveDestroy(AmplitudeCurve *curve);
/* False where the points do not reach: outside their range, or in a gap wider than a factor of two. Local. */
PetscBool AmplitudeCurveAt(const AmplitudeCurve *curve, PetscReal amplitude, PetscReal *omega, PetscReal *zeta);
