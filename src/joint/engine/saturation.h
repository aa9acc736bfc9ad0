/*
  saturation.h - the one curve of Bouc-Wen's law: dw/dt = 1 - w^N for w >= 0 and 1 + u |w|^N for w <= 0, with w = 0 at t = 0.

  All its solutions are parts of one, so a step is: the time of w, some time more, the w of that. Time, its inverse and the loss are
  tables of polynomials, made once; see NOTES.md. All of it is local.
*/
#pragma once
#include "exponential.h"
#include "polynomial.h"
#include "power.h"

/* Each table has pieces of equal width in its argument, which goes from 0 to 1. */
enum { SATURATION_PIECES = 16, SATURATION_PIECE_TERMS = 12, SATURATION_TABLE = SATURATION_PIECES * SATURATION_PIECE_TERMS };

/* Of the loading side below and above w^N = 1/2 and of the unloading side: time, loss, and w of the time. */
typedef enum {
  SATURATION_LOW_TIME,
  SATURATION_LOW_LOSS,
  SATURATION_LOW_MOTION,
  SATURATION_HIGH_TIME,
  SATURATION_HIGH_LOSS,
  SATURATION_HIGH_MOTION,
  SATURATION_BACK_TIME,
  SATURATION_BACK_LOSS,
  SATURATION_BACK_MOTION,
  SATURATION_NUM_TABLES
} SaturationTable;

enum {
  SATURATION_POWER,
  SATURATION_PER_POWER,
  SATURATION_BACK,      /* u */
  SATURATION_HALF,      /* time at which w^N = 1/2 */
  SATURATION_PER_HALF,  /* one over it */
  SATURATION_PER_BEGIN, /* one over the time from w = -1 to 0 */
  SATURATION_PER_LOG,   /* one over ln(1 + u) */
  SATURATION_RAISE,     /* of power.h */
  SATURATION_TABLES        = SATURATION_RAISE + POWER_NUM_CONSTANTS,
  SATURATION_NUM_CONSTANTS = SATURATION_TABLES + SATURATION_NUM_TABLES * SATURATION_TABLE
};

void SaturationPrepare(PetscReal power, PetscReal back, PetscReal constants[]);

/* A point of the curve, with v = |w|^N, and its place in the tables of time and loss. */
typedef struct {
  PetscReal w, v, rate, place, time;
} Saturation;

static inline PetscReal SaturationLook(const PetscReal c[], SaturationTable table, PetscReal argument)
{
  const PetscReal place = SATURATION_PIECES * argument;
  const PetscInt  index = place >= SATURATION_PIECES ? SATURATION_PIECES - 1 : place > 0 ? (PetscInt)place : 0; /* 0 for what is no number */

  return PolynomialValue(SATURATION_PIECE_TERMS, c + SATURATION_TABLES + table * SATURATION_TABLE + index * SATURATION_PIECE_TERMS,
                         place - (PetscReal)index);
}

/* x^N for 0 <= x <= 1. */
static inline PetscReal SaturationRaise(const PetscReal c[], PetscReal x)
{
  if (c[SATURATION_POWER] == 1) return RowsRoundedOne(x);
  if (c[SATURATION_POWER] == 2) return RowsRoundedOne(x * x);
  return RowsRoundedOne(c[SATURATION_POWER] <= POWER_MOST ? PowerEvaluate(c + SATURATION_RAISE, x) : PetscPowReal(x, c[SATURATION_POWER]));
}

/* Where in the tables a point is. Those of the unloading side are over ln(1 + u |w|^N), where they are smooth however large u is. */
static inline PetscReal SaturationPlace(const PetscReal c[], const Saturation *s)
{
  if (s->w < 0) return c[SATURATION_BACK] > 0 ? Logarithm(s->rate) * c[SATURATION_PER_LOG] : 0;
  return s->v <= 0.5 ? 2 * s->v : 2 * s->v - 1;
}

static inline Saturation SaturationOf(const PetscReal c[], PetscReal w)
{
  Saturation s = {.w = w, .v = SaturationRaise(c, PetscAbsReal(w))};

  s.rate  = w < 0 ? 1 + RowsRoundedOne(c[SATURATION_BACK] * s.v) : 1 - s.v;
  s.place = SaturationPlace(c, &s);
  return s;
}

/* The same for what rounding may have put outside: -1 <= w < 1. */
static inline Saturation SaturationWithin(const PetscReal c[], PetscReal w)
{
  return SaturationOf(c, PetscMax(-1, PetscMin(w, 1 - PETSC_MACHINE_EPSILON)));
}

/* Where w is. */
static inline Saturation SaturationFrom(const PetscReal c[], PetscReal w)
{
  Saturation s = SaturationWithin(c, w);

  if (s.w < 0) s.time = s.w * SaturationLook(c, SATURATION_BACK_TIME, s.place);
  else if (s.v <= 0.5) s.time = s.w * SaturationLook(c, SATURATION_LOW_TIME, s.place);
  else s.time = SaturationLook(c, SATURATION_HIGH_TIME, s.place) - Logarithm(s.rate) * c[SATURATION_PER_POWER];
  s.time = RowsRoundedOne(s.time);
  return s;
}

/* Where the time is. Places in the table of the unloading side are closest at its beginning, where the curve may be steep. */
static inline Saturation SaturationAt(const PetscReal c[], PetscReal time)
{
  Saturation s;
  PetscReal  w;

  if (time < 0)
    w = time * SaturationLook(c, SATURATION_BACK_MOTION, 1 - PetscSqrtReal(PetscMax(0, 1 - SaturationRaise(c, -time * c[SATURATION_PER_BEGIN]))));
  else if (time < c[SATURATION_HALF]) w = time * SaturationLook(c, SATURATION_LOW_MOTION, SaturationRaise(c, time * c[SATURATION_PER_HALF]));
  else w = SaturationLook(c, SATURATION_HIGH_MOTION, Exponential(c[SATURATION_POWER] * (c[SATURATION_HALF] - time)));
  s      = SaturationOf(c, w);
  s.time = time;
  return s;
}

/* int w (1 - dw/dt) dt from w = 0: the work on w that is not stored. */
static inline PetscReal SaturationLoss(const PetscReal c[], const Saturation *s)
{
  if (s->w < 0) return RowsRoundedOne(-s->w * s->w * c[SATURATION_BACK] * s->v * SaturationLook(c, SATURATION_BACK_LOSS, s->place));
  if (s->v <= 0.5) return RowsRoundedOne(s->w * s->w * s->v * SaturationLook(c, SATURATION_LOW_LOSS, s->place));
  return s->time + SaturationLook(c, SATURATION_HIGH_LOSS, s->place);
}
