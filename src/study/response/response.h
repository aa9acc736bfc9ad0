/*
  response.h - the study of motions under sines of many frequencies, one after another, until each has become steady.

  A curve is one level of the loads gone through in one direction: up and down, each frequency goes on from the motion of the one
  before; at rest, each begins anew. It has `num_base` frequencies of the case, and room for `refine` more that are put between them.
*/
#pragma once
#include "drift.h"
#include "measured.h"
#include "march/stepper.h"
#include "record/watch.h"
#include "steady.h"
#include "study.h"
#include "study/watched.h"

typedef enum { RESPONSE_UP, RESPONSE_DOWN, RESPONSE_REST, NUM_RESPONSE_DIRECTIONS } ResponseDirection;

extern const char *const response_directions[]; /* ends with NULL */

typedef struct {
  const char      *name, *about;
  const InputNode *frequencies, *load, *watch, *measured;
  InputTexts       direction;
  InputReals       level;
  PetscInt         method, steps, harmonics, window, min_cycles, max_cycles, refine, max_iterations;
  PetscReal        tolerance, balance;
} ResponseKeys;

/* The fields of a curve. */
enum {
  RESPONSE_FREQUENCY,
  RESPONSE_AMPLITUDE,
  RESPONSE_PHASE,
  RESPONSE_MEAN,
  RESPONSE_RMS,
  RESPONSE_HARMONICS,
  RESPONSE_HARMONIC_PHASES,
  RESPONSE_STEADY,
  RESPONSE_CHANGE,
  RESPONSE_AWAY,
  RESPONSE_HALVED,
  RESPONSE_HELD,
  RESPONSE_STEPS,
  RESPONSE_SECONDS,
  RESPONSE_CYCLES,
  RESPONSE_REASON, /* written last: a row that has one is complete */
  RESPONSE_FINISHED
};

typedef struct {
  char              name[32];
  PetscInt          number; /* among the curves, from 0 */
  PetscReal         level;
  ResponseDirection direction;
  Finding          *finding;
} ResponseCurve;

typedef struct {
  ResponseKeys      keys;
  PetscInt          num_base;
  PetscReal        *frequency; /* [num_base], ascending [Hz] */
  PetscInt          num_loads;
  Load             *loads;
  Watch             watch;
  Watched           watched;
  PetscInt          reference_motion; /* of which the program tells; -1 until it is chosen */
  PetscInt          num_curves;
  ResponseCurve    *curves;
  PetscInt          num_measured;
  MeasuredResponse *measured;
  Finding          *finding;
} Response;

extern const InputTable  response_range_table, response_watch_table;
extern const OutputTable response_study_output, response_curve_output;

/* {from, to, count, spacing} or a list; ascending, NULL after a complaint. */
PetscErrorCode ResponseFrequenciesRead(const InputNode *node, PetscInt *count, PetscReal **frequencies);

/* How a frequency ended. */
typedef struct {
  PetscReal  frequency, change, away, seconds;
  PetscBool  steady, stopped; /* stopped: by nature, in the middle of a cycle */
  PetscInt64 steps, halved, num_held;
  PetscInt   cycles;
  char       reason[RESULT_TEXT_LENGTH];
} ResponsePoint;

/* Loads and what is watched, shared by all methods. */
PetscErrorCode ResponseReadLoads(const InputNode *load, const Names *names, Response *response);
PetscErrorCode ResponseReadWatch(const InputNode *node, const Names *names, Response *response);
PetscErrorCode ResponseForget(Response *response);

/* Adds what the study finds. Local. */
PetscErrorCode ResponseDeclare(const char *name, const Names *names, Findings *findings, Response *response);
/* The rows. */
PetscErrorCode ResponseWritePoint(const Response *response, const ResponseCurve *curve, PetscInt row, const ResponsePoint *point,
                                  const Steady *steady, const Result *result);
/* Whether the row is there. */
PetscErrorCode ResponseHasPoint(const ResponseCurve *curve, PetscInt row, const Result *result, PetscBool *has);
/* The findings of what was measured; what the curves differ from it by, in the result and for people. Local. */
extern const OutputTable response_measured_table;
PetscErrorCode           ResponseDeclareMeasured(const char *name, Findings *findings, Response *response);
PetscErrorCode           ResponseCompareMeasured(const Response *response, const Result *result);
/* Warns of a peak that the frequencies of a curve, which has no room for more of them, are too far apart for. */
PetscErrorCode ResponseWarnOfPeaks(const char *name, const Response *response, const ResponseCurve *curve, const Result *result);
PetscErrorCode ResponsePrint(const char *name, const Response *response, const ModeCache *cache, const Result *result, Outcome *outcome);

/* The march of a curve: its structure, its motion. Local, all of it. */
typedef struct {
  const Response *response;
  ResponseCurve  *curve;
  const Result   *result;
  ModeCache      *cache;
  Stepper        *stepper;
  State          *state; /* NULL before the first frequency */
  Load           *loads;
  LinearRows      motion_map;      /* of all motions */
  PetscInt       *places;          /* of each motion */
  PetscReal      *motion_residual; /* what modes that were left out add; NULL without such */
  Steady         *steady;
  Drift           drift;
  Progress       *progress;
} ResponseMarch;

PetscErrorCode ResponseMarchBegin(const Response *response, ResponseCurve *curve, ModeCache *cache, const Result *result, Progress *progress,
                                  ResponseMarch *march);
PetscErrorCode ResponseMarchEnd(ResponseMarch *march);
/* Goes on from march->state, or from rest (NULL), at this frequency until the motion is steady, and writes the row. `done` is false when
   the user broke it off. */
PetscErrorCode ResponseDwell(ResponseMarch *march, PetscReal frequency, PetscInt row, ResponsePoint *point, PetscBool *done);

/* The motion that the first load pushes, where that is watched; -1 elsewhere. */
PetscInt ResponsePushedMotion(const Response *response);
/* Where none is pushed: the motion that moves most, relative to its scale, in the mode that the loads excite most at these frequencies. After
   LinearPrepare and ModeCacheGetRigid. Local. */
PetscErrorCode ResponseChooseReference(ModeCache *cache, Response *response);

/* A whole sweep, refined; of a curve from rest the frequencies of this rank, and its refinement when all of them are there. */
PetscErrorCode ResponseSweep(ResponseMarch *march);
PetscErrorCode ResponseFromRest(ResponseMarch *march, PetscMPIInt rank, PetscMPIInt size, PetscBool resumed);
PetscErrorCode ResponseRefineFromRest(ResponseMarch *march);

/* The points of a curve so far, in the order of their frequency, with what it takes to go on from each: how it is refined. */
typedef struct {
  PetscInt    count, num_motions;
  PetscReal  *frequency; /* [count] */
  PetscReal  *amplitude; /* [count, num_motions], NaN of points that have none */
  PetscReal  *scale;     /* [num_motions] how much each moves when it moves as much as the others */
  PetscInt   *depth;     /* [count] of the interval from a point to the next: how often it has been halved */
  PetscReal **state;     /* [count] a packed State, NULL where none is kept */
  PetscInt   *size;      /* [count] of that */
} ResponseTrack;

PetscErrorCode ResponseTrackCreate(PetscInt capacity, PetscInt num_motions, const PetscReal scale[], ResponseTrack *track);
PetscErrorCode ResponseTrackDestroy(ResponseTrack *track);
/* Puts a point in its place, halving the interval that it falls into when `halves`; `state` NULL: none is kept. */
PetscErrorCode ResponseTrackAdd(ResponseTrack *track, PetscReal frequency, const PetscReal amplitude[], PetscBool halves, const State *state);
/* The interval to be halved next, from point k to k + 1; -1 where nothing is to be gained. */
PetscInt ResponseTrackChoose(const ResponseTrack *track);
