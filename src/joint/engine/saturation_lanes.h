/*
  saturation_lanes.h - the curve of saturation.h on all lanes at once: the same operations in the same order.

  Lanes are on different sides of the curve, and in tables of their own there, but each looks up one polynomial.
*/
#pragma once
#include "exponential_lanes.h"
#include "polynomial_lanes.h"
#include "power_lanes.h"
#include "saturation.h"

typedef struct {
  Wide w, v, rate, time; /* as of Saturation, without its place */
} SaturationWide;

/* Where each lane is on the curve: unloading, below and above w^N = 1/2. */
typedef struct {
  WideMask back, low;
} SaturationSide;

/* The constants of the curve, of which JointLanes has those from `first` on, and all of its tables in `numbers`. */
typedef struct {
  const JointLanes *lanes;
  const Wide       *c;
  PetscInt          first;
} SaturationLanes;

static inline SaturationLanes SaturationLanesOf(const JointLanes *lanes, PetscInt first)
{
  return (SaturationLanes){lanes, lanes->constants + first, first};
}

static inline WideMask SaturationTableOf(const SaturationSide *side, SaturationTable back, SaturationTable low, SaturationTable high)
{
  return (side->back & (int64_t)back) | (~side->back & ((side->low & (int64_t)low) | (~side->low & (int64_t)high)));
}

/* SaturationLook in each lane. */
static inline Wide SaturationWideLook(const SaturationLanes *l, WideMask table, Wide argument)
{
  const Wide            place   = (PetscReal)SATURATION_PIECES * argument;
  const Wide            limited = WideSelect(place >= SATURATION_PIECES, WideOf(SATURATION_PIECES - 1), WideSelect(place > 0.0, place, WideOf(0)));
  const WideMask        index   = __builtin_convertvector(limited, WideMask);
  const PolynomialLanes terms = PolynomialLanesAt(l->lanes, l->first + SATURATION_TABLES + table * SATURATION_TABLE + index * SATURATION_PIECE_TERMS);

  return PolynomialWideValue(SATURATION_PIECE_TERMS, &terms, place - __builtin_convertvector(index, Wide));
}

/* What few laws are as sharp as. */
static __attribute__((noinline)) Wide SaturationRaiseSharp(Wide x, Wide power, unsigned sharp, Wide raised)
{
  for (; sharp; sharp &= sharp - 1) {
    const PetscInt lane = __builtin_ctz(sharp);

    raised[lane] = PetscPowReal(x[lane], power[lane]);
  }
  return raised;
}

/* SaturationRaise in these lanes. */
static inline Wide SaturationWideRaise(const SaturationLanes *l, Wide x, WideMask asked)
{
  const Wide     power = l->c[SATURATION_POWER];
  const WideMask one = power == 1.0, two = power == 2.0, other = asked & l->lanes->busy & ~one & ~two;
  const unsigned sharp  = WideBits(other & (power > POWER_MOST));
  Wide           raised = WideSelect(one, x, x * x);

  if (WideBits(other)) raised = WideSelect(one | two, raised, PowerWide(l->c + SATURATION_RAISE, x, other & (power <= POWER_MOST)));
  if (PetscUnlikely(sharp)) raised = SaturationRaiseSharp(x, power, sharp, raised);
  return WideRounded(raised);
}

/* SaturationOf in each lane. */
static inline SaturationWide SaturationWideOf(const SaturationLanes *l, Wide w)
{
  const Wide v = SaturationWideRaise(l, WideAbs(w), ~(WideMask){0});

  return (SaturationWide){.w = w, .v = v, .rate = WideSelect(w < 0.0, 1.0 + WideRounded(l->c[SATURATION_BACK] * v), 1.0 - v)};
}

/* SaturationWithin in each lane. */
static inline SaturationWide SaturationWideWithin(const SaturationLanes *l, Wide w)
{
  const Wide most = WideOf(1 - PETSC_MACHINE_EPSILON);

  return SaturationWideOf(l, WideMax(WideOf(-1), WideSelect(w < most, w, most)));
}

static inline SaturationSide SaturationWideSide(const SaturationWide *s)
{
  return (SaturationSide){.back = s->w < 0.0, .low = s->v <= 0.5};
}

/* SaturationPlace in each lane, of ln(rate) where that is needed. */
static inline Wide SaturationWidePlace(const SaturationLanes *l, const SaturationWide *s, const SaturationSide *side, Wide log)
{
  return WideSelect(side->back, log * l->c[SATURATION_PER_LOG], WideSelect(side->low, 2.0 * s->v, 2.0 * s->v - 1.0));
}

/* ln(rate), or anything where no lane asks. */
static inline Wide SaturationWideLogarithm(const SaturationLanes *l, const SaturationWide *s, WideMask asked)
{
  return WideBits(l->lanes->busy & asked) ? LogarithmWide(s->rate) : WideOf(0);
}

/* SaturationFrom in each lane. */
static inline SaturationWide SaturationWideFrom(const SaturationLanes *l, Wide w)
{
  SaturationWide       s     = SaturationWideWithin(l, w);
  const SaturationSide side  = SaturationWideSide(&s);
  const Wide           log   = SaturationWideLogarithm(l, &s, side.back | ~side.low);
  const Wide           place = SaturationWidePlace(l, &s, &side, log);
  const Wide           look = SaturationWideLook(l, SaturationTableOf(&side, SATURATION_BACK_TIME, SATURATION_LOW_TIME, SATURATION_HIGH_TIME), place);

  s.time = WideRounded(WideSelect(side.back | side.low, s.w * look, look - log * l->c[SATURATION_PER_POWER]));
  return s;
}

/* SaturationAt in each lane. */
static inline SaturationWide SaturationWideAt(const SaturationLanes *l, Wide time)
{
  const SaturationSide side    = {.back = time < 0.0, .low = time < l->c[SATURATION_HALF]};
  const WideMask       powers  = side.back | side.low;
  const Wide           beneath = WideSelect(side.back, -time * l->c[SATURATION_PER_BEGIN], time * l->c[SATURATION_PER_HALF]);
  const Wide           raised  = WideBits(powers & l->lanes->busy) ? SaturationWideRaise(l, beneath, powers) : WideOf(0);
  const Wide     fallen = WideBits(~powers & l->lanes->busy) ? ExponentialWide(l->c[SATURATION_POWER] * (l->c[SATURATION_HALF] - time)) : WideOf(0);
  const Wide     place  = WideSelect(side.back, 1.0 - WideSqrt(WideMax(WideOf(0), 1.0 - raised)), WideSelect(side.low, raised, fallen));
  const Wide     look = SaturationWideLook(l, SaturationTableOf(&side, SATURATION_BACK_MOTION, SATURATION_LOW_MOTION, SATURATION_HIGH_MOTION), place);
  SaturationWide s    = SaturationWideOf(l, WideSelect(powers, time * look, look));

  s.time = time;
  return s;
}

/* SaturationLoss in each lane. */
static inline Wide SaturationWideLoss(const SaturationLanes *l, const SaturationWide *s)
{
  const SaturationSide side  = SaturationWideSide(s);
  const Wide           place = SaturationWidePlace(l, s, &side, SaturationWideLogarithm(l, s, side.back));
  const Wide           look = SaturationWideLook(l, SaturationTableOf(&side, SATURATION_BACK_LOSS, SATURATION_LOW_LOSS, SATURATION_HIGH_LOSS), place);
  const Wide           lost = WideSelect(side.back, -s->w * s->w * l->c[SATURATION_BACK] * s->v * look, s->w * s->w * s->v * look);

  return WideRounded(WideSelect(side.back | side.low, lost, s->time + look));
}
