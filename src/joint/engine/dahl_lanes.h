/* dahl_lanes.h - the step of dahl.h on all lanes at once: the same operations in the same order. */
#pragma once
#include "dahl.h"
#include "power_lanes.h"
#include "rate_lanes.h"
#include "softening_lanes.h"

static inline Wide DahlWideLeft(const Wide c[], const RateWidePath *path)
{
  return WideMax(c[DAHL_LEAST], c[DAHL_BASE] - RateWideSense(path) * c[DAHL_SCALE] * path->force);
}

/* DahlRaise in each lane; what slips has w = 0, which is no number for the tables of the power. */
static inline Wide DahlWideRaise(const JointLanes *lanes, Wide w)
{
  const Wide e = lanes->constants[DAHL_EXPONENT], power = PowerWide(lanes->constants + DAHL_RAISE, w, lanes->busy & (e != 0.0) & (w != 0.0));
  const Wide raised = WideSelect(w == 0.0, WideOf(0), power);

  return WideRounded(WideSelect(e == 0.0, WideOf(1), WideSelect(e < 0.0, 1.0 / raised, raised)));
}

/* w_0^e is found once for all steps from a point in one direction. */
static inline Wide DahlWideBegin(const JointLanes *lanes, const RateWidePath *path, Wide w_0)
{
  Wide *const known = path->known;

  if (WideBits(lanes->busy & ((known[0] != w_0) | (known[1] == 0.0)))) {
    known[0] = w_0;
    known[1] = DahlWideRaise(lanes, w_0);
  }
  return known[1];
}

enum { DAHL_NUM_KNOWN = 2 };

static inline RateWidePoint DahlWideStep(const JointLanes *lanes, const RateWidePath *path)
{
  const Wide *const c   = lanes->constants;
  const Wide        w_0 = DahlWideLeft(c, path), begin = DahlWideBegin(lanes, path, w_0);
  const Wide        length = c[DAHL_STIFFNESS] * c[DAHL_SCALE] * WideAbs(path->end - path->start);
  Wide              power;
  const Wide        w     = SoftenWide(c[DAHL_EXPONENT], w_0, begin, length, &power);
  const WideMask    slips = w <= c[DAHL_LEAST];

  return (RateWidePoint){
    .force = RateWideSense(path) * (c[DAHL_BASE] - WideSelect(slips, c[DAHL_LEAST], w)) * c[DAHL_PER_SCALE],
    .slope = WideSelect(slips, WideOf(0), c[DAHL_STIFFNESS] * power),
  };
}

static inline Wide DahlWideArea(Wide e, Wide w_0, Wide begin, Wide logarithm)
{
  return w_0 * begin * WideSelect(1.0 + e == 0.0, -logarithm, -ExponentialWideLessOne((1.0 + e) * logarithm) / (1.0 + e));
}

static inline Wide DahlWideLevelArea(const Wide c[], Wide begin, Wide rho, Wide least)
{
  const Wide e = c[DAHL_EXPONENT];

  return c[DAHL_LEAST] * (rho + WideRounded(begin * WideSelect(e == 0.0, least, ExponentialWideLessOne(e * least) / e)));
}

static inline Wide DahlWideLoss(const JointLanes *lanes, const RateWidePath *path, Wide force)
{
  const Wide *const c   = lanes->constants;
  const Wide        w_0 = DahlWideLeft(c, path), e = c[DAHL_EXPONENT], per_length = c[DAHL_STIFFNESS] * c[DAHL_SCALE];
  const Wide        rho = WideRounded(per_length * WideAbs(path->end - path->start)), begin = DahlWideBegin(lanes, path, w_0);
  const Wide        left  = SofteningWideLogarithm(e, rho / begin);
  const Wide        least = WideSelect(c[DAHL_LEAST] > 0.0, LogarithmWide(c[DAHL_LEAST] / w_0), WideOf(-PETSC_INFINITY));
  const Wide        falls = WideRounded(DahlWideArea(e, w_0, begin, WideMax(left, least)));
  const Wide        both  = falls + WideRounded(DahlWideLevelArea(c, begin, rho, least));
  const Wide        area  = WideSelect(w_0 > c[DAHL_LEAST], WideSelect(left < least, both, falls), WideRounded(c[DAHL_LEAST] * rho));

  return (c[DAHL_BASE] * rho - area) * c[DAHL_PER_SCALE] / per_length - (force - path->force) * (force + path->force) / (2.0 * c[DAHL_AT_REST]);
}
