/* saturation.c - the tables of saturation.h. */
#include "saturation.h"
#include <math.h>
#include "gauss.h"
#include "polynomial.h"

/* The integrals int_0^w w^(p-1) dw / (1 -+ w^N), p = 1 for the time and N + 2 for the loss; v = w^N. */
typedef struct {
  PetscReal power, back;
} Curve;

/* sum z^k / (p + k N): the integral over w^p, for |z| <= 1/2. */
static PetscReal Series(const Curve *curve, PetscReal p, PetscReal z)
{
  PetscReal sum = 0, factor = 1;

  for (PetscInt k = 0; PetscAbsReal(factor) > 1e-18; k++, factor *= z) sum += factor / (p + (PetscReal)k * curve->power);
  return sum;
}

/* (v^a - 1) / (1 - v) integrated from 1/2: what is left of v^a / (1 - v) without its pole. */
static PetscReal IntegrateRest(PetscReal a, PetscReal v)
{
  const PetscReal half = (v - 0.5) / 2;
  PetscReal       sum  = 0;

  for (PetscInt k = 0; k < 2 * GAUSS_PAIRS; k++) {
    const PetscReal left = 0.5 - half * (1 + (k % 2 ? -1 : 1) * gauss_nodes[k / 2]);

    sum += gauss_weights[k / 2] * expm1(a * log1p(-left)) / left;
  }
  return half * sum;
}

/* The integral without -ln(1 - v) / N, for v >= 1/2. */
static PetscReal High(const Curve *curve, PetscReal p, PetscReal v)
{
  const PetscReal share = p / curve->power;

  return PetscPowReal(0.5, share) * Series(curve, p, 0.5) + (PetscLogReal(0.5) + IntegrateRest(share - 1, v)) / curve->power;
}

/* The integral of the unloading side over |w|^p, at x = u |w|^N: beyond x = 1/2 in panels of ln x. */
static PetscReal Back(const Curve *curve, PetscReal p, PetscReal x)
{
  const PetscReal share = p / curve->power, way = PetscLogReal(2 * x);
  const PetscInt  panels = x > 0.5 ? 1 + (PetscInt)way : 0;
  PetscReal       sum    = 0;

  if (panels == 0) return Series(curve, p, -x);
  for (PetscInt i = 0; i < panels; i++) {
    for (PetscInt k = 0; k < 2 * GAUSS_PAIRS; k++) {
      const PetscReal place = (PetscReal)i + 0.5 * (1 + (k % 2 ? -1 : 1) * gauss_nodes[k / 2]), log = place * way / (PetscReal)panels;

      sum += gauss_weights[k / 2] * PetscExpReal(share * (log - way)) / (1 + 0.5 * PetscExpReal(log));
    }
  }
  return PetscExpReal(-share * way) * Series(curve, p, -0.5) + sum * way / (2 * (PetscReal)panels * curve->power);
}

/* u |w|^N at a place in the tables of the unloading side. */
static PetscReal BackPlace(const Curve *curve, PetscReal place)
{
  return expm1(place * log1p(curve->back));
}

/* The time of |w| on the side of the table, and its derivative by |w|. */
static PetscReal TimeOf(const PetscReal c[], PetscReal sign, PetscReal w, PetscReal *slope)
{
  const Saturation s = SaturationFrom(c, sign * w);

  *slope = 1 / s.rate;
  return sign * s.time;
}

/* |w| at a time, by Newton's method from the side of which it cannot be left: the time of the loading side is convex, of the other concave. */
static PetscReal Solve(const PetscReal c[], PetscReal sign, PetscReal time, PetscReal start)
{
  PetscReal w = start;

  for (PetscInt i = 0; i < 200; i++) {
    PetscReal       slope;
    const PetscReal change = (TimeOf(c, sign, w, &slope) - time) / slope;

    w -= change;
    if (PetscAbsReal(change) < 1e-15 * w) break;
  }
  return w;
}

/* w at a time of the loading side above w^N = 1/2, with l = -ln(1 - v) as the unknown: N time = l + N times the table, d/dl = v^(1/N - 1). */
static PetscReal SolveHigh(const Curve *curve, const PetscReal c[], PetscReal time)
{
  const PetscReal N = curve->power;
  PetscReal       l = N * (time - c[SATURATION_HALF]) + PetscLogReal(2), v = 0.5;

  for (PetscInt i = 0; i < 50; i++) {
    PetscReal change;

    v      = -expm1(-l);
    change = (l + N * (SaturationLook(c, SATURATION_HIGH_TIME, 2 * v - 1) - time)) * PetscPowReal(v, 1 - 1 / N);
    l -= change;
    if (PetscAbsReal(change) < 1e-15 * l) break;
  }
  return PetscPowReal(-expm1(-l), 1 / N);
}

static PetscReal Value(const Curve *curve, const PetscReal c[], SaturationTable table, PetscReal place)
{
  const PetscReal N = curve->power, loss = N + 2;
  PetscReal       time;

  switch (table) {
  case SATURATION_LOW_TIME:
    return Series(curve, 1, place / 2);
  case SATURATION_LOW_LOSS:
    return Series(curve, loss, place / 2);
  case SATURATION_LOW_MOTION:
    time = c[SATURATION_HALF] * PetscPowReal(place, 1 / N);
    return Solve(c, 1, time, PetscMin(time, PetscPowReal(0.5, 1 / N))) / time;
  case SATURATION_HIGH_TIME:
    return High(curve, 1, 0.5 + place / 2);
  case SATURATION_HIGH_LOSS:
    return High(curve, loss, 0.5 + place / 2) - High(curve, 1, 0.5 + place / 2);
  case SATURATION_HIGH_MOTION:
    return SolveHigh(curve, c, c[SATURATION_HALF] - PetscLogReal(place) / N);
  case SATURATION_BACK_TIME:
    return Back(curve, 1, BackPlace(curve, place));
  case SATURATION_BACK_LOSS:
    return Back(curve, loss, BackPlace(curve, place));
  default:
    time = PetscPowReal(1 - PetscSqr(1 - place), 1 / N) / c[SATURATION_PER_BEGIN];
    return Solve(c, -1, time, time) / time;
  }
}

static void PrepareTable(const Curve *curve, SaturationTable table, PetscReal constants[])
{
  PetscReal *const terms = constants + SATURATION_TABLES + table * SATURATION_TABLE;

  for (PetscInt i = 0; i < SATURATION_PIECES; i++) {
    PetscReal values[SATURATION_PIECE_TERMS];

    for (PetscInt k = 0; k < SATURATION_PIECE_TERMS; k++)
      values[k] = Value(curve, constants, table, ((PetscReal)i + PolynomialPoint(SATURATION_PIECE_TERMS, k)) / SATURATION_PIECES);
    PolynomialThrough(SATURATION_PIECE_TERMS, values, terms + i * SATURATION_PIECE_TERMS);
  }
}

/* The tables of w are inverses of those of the time. */
void SaturationPrepare(PetscReal power, PetscReal back, PetscReal constants[])
{
  static const SaturationTable order[] = {SATURATION_LOW_TIME,   SATURATION_HIGH_TIME,   SATURATION_BACK_TIME,
                                          SATURATION_LOW_LOSS,   SATURATION_HIGH_LOSS,   SATURATION_BACK_LOSS,
                                          SATURATION_LOW_MOTION, SATURATION_HIGH_MOTION, SATURATION_BACK_MOTION};
  const Curve                  curve   = {power, back};

  constants[SATURATION_POWER]     = power;
  constants[SATURATION_PER_POWER] = 1 / power;
  constants[SATURATION_BACK]      = back;
  constants[SATURATION_HALF]      = PetscPowReal(0.5, 1 / power) * Series(&curve, 1, 0.5);
  constants[SATURATION_PER_HALF]  = 1 / constants[SATURATION_HALF];
  constants[SATURATION_PER_LOG]   = back > 0 ? 1 / log1p(back) : 0; /* without u the tables are of constants */
  constants[SATURATION_PER_BEGIN] = 1 / Back(&curve, 1, back);
  PowerPrepare(power, constants + SATURATION_RAISE);
  for (PetscInt i = 0; i < SATURATION_NUM_TABLES; i++) PrepareTable(&curve, order[i], constants);
}
