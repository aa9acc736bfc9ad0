/*
  curve.h - curves of periodic motions, followed by their arc length.

  Unknowns are the harmonics of the joints' motions and one parameter more than there are equations beside the balance: the frequency; the
  logarithm of the level; frequency and the logarithm of the level along a resonance; or frequency, damping and the logarithm of the amplitude
  of a nonlinear mode. Where a parameter scales the motion, z = x / s is followed in place of x. A step goes along the tangent and comes back
  orthogonally to it. Lengths are measured in parts of the motion, of the frequency and of the damping, and in logarithms, so that neither units
  nor the number of rows matter.

  Harmonics and samples are chosen so that the estimated error of each point is below `accuracy`: see curve_accuracy.c.
*/
#pragma once
#include "harmonic/equation.h"

enum { CURVE_MOST_PARAMETERS = 3 };

enum { CURVE_SAFETY = 2 }; /* an estimated error this many times as large must be below the accuracy */

typedef struct {
  PetscReal accuracy;           /* of a point, of its largest harmonic of a joint's motion; 0: harmonics and samples stay as they are */
  PetscInt  harmonics, samples; /* the first ones; 0: chosen */
  PetscInt  most_harmonics, most_samples;
  PetscReal largest_step; /* in the measure of the arc */
  PetscInt  most_points;
} CurveOptions;

typedef enum {
  CURVE_GOES_ON,
  CURVE_ENDED,       /* at the end of its range */
  CURVE_TURNED_BACK, /* it left its range where it began */
  CURVE_MOST_POINTS,
  CURVE_LEAST_STEP,
  CURVE_NO_BEGINNING, /* Newton's method did not find the first point */
  CURVE_INACCURATE,   /* with more harmonics or samples neither this point nor the last was found */
  CURVE_FLOATS,       /* a rigid mode moves joints, and has no mean */
  CURVE_PEAK_ENDED,   /* it met a minimum, and there is none beyond */
  CURVE_BROKEN_OFF    /* by the user, or by who accepts points */
} CurveEnd;

extern const char *const curve_ends[]; /* what people read */

typedef struct {
  PetscReal left_out, kept; /* estimated errors: by harmonics left out, and of those kept, of the largest harmonic */
  PetscReal by_samples;     /* the part of `kept` that samples owe */
} CurveError;

/* What a curve goes along: where the coordinate of a mode is in quadrature to its load, or where a first harmonic is largest. */
typedef struct {
  PetscInt             mode; /* from 0, where that begins at a small level */
  PetscBool            peak;
  const HarmonicPlace *place; /* of a peak: the motion; NULL: the coordinate */
} HarmonicResonance;

/* Where a curve is. */
typedef struct {
  PetscReal *y;       /* [n + num_parameters] z, parameters */
  PetscReal *tangent; /* likewise, of unit length in the measure */
} CurvePoint;

typedef struct {
  const HarmonicStructure *structure;
  CurveOptions             options;
  HarmonicSetting          setting;                          /* of the present point; what is no parameter stays */
  PetscInt                 num_parameters, num_equations;    /* the latter: beside the balance, of a mode or a resonance */
  HarmonicParameter        parameter[CURVE_MOST_PARAMETERS]; /* the last is the leading one, whose range is gone through */
  PetscBool                scales;                           /* the leading parameter is a logarithm that scales the motion */
  PetscBool                odd;
  HarmonicBasis           *basis, *finer_basis;
  HarmonicEquation        *equation, *finer;     /* the latter of twice as many harmonics and samples */
  CurvePoint               point, last, earlier; /* the present one, and the two that were accepted before it */
  PetscReal               *measure;              /* [n + num_parameters] */
  PetscReal                largest;              /* harmonic of the point that this is of */
  struct CurveSystem      *system;               /* Newton's equation */
  PetscReal                step;                 /* the next, in the measure */
  PetscInt                 iterations, num_points, rejected, num_inaccurate;
  PetscReal                bend;          /* angle between the last two tangents */
  PetscReal                rejected_bend; /* that for which a step was rejected last */
  PetscInt                 alike;         /* how often in a row it was the same */
  CurveError               error;         /* of the present point */
  PetscBool                at_end;        /* the present point is an end of the range, where the leading parameter is given */
  CurveEnd                 end;

  PetscInt  first_harmonics, first_samples; /* it never takes fewer */
  PetscInt  easy[2];                        /* points in a row that fewer harmonics, fewer samples would have been enough for */
  PetscInt  easy_points;                    /* that many make it take fewer */
  PetscBool taken_away;                     /* since harmonics or samples were added last */

  PetscBool                  along_resonance;
  HarmonicResonance          resonance;
  struct ResonanceCondition *condition; /* of that; NULL elsewhere */
} Curve;

/* A curve of motions under the loads of the structure, by frequency at a level, by level at a frequency or along a resonance; or of a nonlinear
   mode (from 0) by amplitude. The structure is borrowed, and the place of a resonance. Local, all of it. */
PetscErrorCode CurveCreateByFrequency(const HarmonicStructure *structure, CurveOptions options, PetscReal level, Curve **curve);
PetscErrorCode CurveCreateByLevel(const HarmonicStructure *structure, CurveOptions options, PetscReal frequency, Curve **curve);
/* By level along a resonance, whose mode must have a frequency and a load. */
PetscErrorCode CurveCreateAlongResonance(const HarmonicStructure *structure, CurveOptions options, HarmonicResonance resonance, Curve **curve);
PetscErrorCode CurveCreateOfMode(const HarmonicStructure *structure, CurveOptions options, PetscInt mode, Curve **curve);
PetscErrorCode CurveDestroy(Curve **curve);

/* What it does at each point: the curve has its setting, its equation with G, its error. Asks to go on. */
typedef PetscErrorCode (*CurveAccept)(Curve *curve, void *context, PetscBool *go_on);

/* Follows it from one value of the leading parameter (W, level, amplitude) to another, in either direction. */
PetscErrorCode CurveFollow(Curve *curve, PetscReal from, PetscReal to, CurveAccept accept, void *context);

/* What it takes to go on later as if nothing had been, as numbers: to be called while a point is accepted, which is kept with them. */
PetscInt CurveStateSize(const Curve *curve);
void     CurveStatePack(const Curve *curve, PetscReal numbers[]);
/* Follows a curve that has just been created on from there. `fits` is false, and nothing has been done, where the numbers do not solve its
   equation: a structure whose modes are others. */
PetscErrorCode CurveContinue(Curve *curve, PetscReal from, PetscReal to, PetscInt count, const PetscReal numbers[], CurveAccept accept, void *context,
                             PetscBool *fits);

/* x of the present point: [n] of its equation. */
void CurveMotions(const Curve *curve, PetscReal x[]);
/* Change of the leading parameter along the curve, of unit length: 0 at a fold. */
PetscReal CurveHeading(const Curve *curve);

/* Goes along the curve from the last point to a part of the way to the present one, both included in 0 to 1: the present point becomes
   that, and is not judged. False where Newton's method does not find it. */
PetscErrorCode CurveInterpolate(Curve *curve, const CurvePoint *from, const CurvePoint *to, PetscReal part, PetscBool *found);
/* Where a function of points changes its sign between two of them, and its largest value around the last point, between the earlier and the
   present one: the present point becomes that. */
typedef PetscErrorCode (*CurveFunction)(Curve *curve, void *context, PetscReal *value);
PetscErrorCode CurveFindRoot(Curve *curve, const CurvePoint *from, const CurvePoint *to, CurveFunction function, void *context, PetscBool *found);
PetscErrorCode CurveFindPeak(Curve *curve, CurveFunction function, void *context, PetscBool *found);

/* Points are copied when they are kept. */
PetscErrorCode CurvePointCreate(const Curve *curve, CurvePoint *point);
PetscErrorCode CurvePointCopy(const Curve *curve, const CurvePoint *from, CurvePoint *to);
PetscErrorCode CurvePointDestroy(CurvePoint *point);
