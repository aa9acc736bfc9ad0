/* curve_special.c - points of a curve between those that steps find: where a function of them is zero, or largest. */
#include "curve_steps.h"

enum { MOST_TRIES = 30 };

static const PetscReal NARROW = 1e-6; /* of the way between both points */

/* The function at a part of the way. */
static PetscErrorCode Try(Curve *curve, const CurvePoint *from, const CurvePoint *to, PetscReal part, CurveFunction function, void *context,
                          PetscReal *value, PetscBool *found)
{
  PetscFunctionBegin;
  PetscCall(CurveInterpolate(curve, from, to, part, found));
  if (*found) PetscCall(function(curve, context, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Regula falsi, with the value that stays halved (Illinois). */
PetscErrorCode CurveFindRoot(Curve *curve, const CurvePoint *from, const CurvePoint *to, CurveFunction function, void *context, PetscBool *found)
{
  PetscReal a = 0.0, b = 1.0, f_a, f_b, value;

  PetscFunctionBegin;
  PetscCall(Try(curve, from, to, a, function, context, &f_a, found));
  if (*found) PetscCall(Try(curve, from, to, b, function, context, &f_b, found));
  if (*found) *found = (PetscBool)(f_a * f_b <= 0.0);
  for (PetscInt i = 0; *found && i < MOST_TRIES && b - a > NARROW; i++) {
    const PetscReal part = f_a == f_b ? 0.5 * (a + b) : PetscMin(PetscMax((a * f_b - b * f_a) / (f_b - f_a), a + 0.1 * NARROW), b - 0.1 * NARROW);

    PetscCall(Try(curve, from, to, part, function, context, &value, found));
    if (!*found || value == 0.0) break;
    if (value * f_b < 0.0) {
      a   = b; /* the signs now lie between the old end and this one */
      f_a = f_b;
    } else f_a *= 0.5;
    b   = part;
    f_b = value;
    if (a > b) {
      const PetscReal t = a, f = f_a;

      a   = b;
      f_a = f_b;
      b   = t;
      f_b = f;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A place between 0 and 2: the earlier point, the last, the present one. */
static PetscErrorCode TryAround(Curve *curve, const CurvePoint *to, PetscReal place, CurveFunction function, void *context, PetscReal *value,
                                PetscBool *found)
{
  PetscFunctionBegin;
  if (place < 1.0) PetscCall(Try(curve, &curve->earlier, &curve->last, place, function, context, value, found));
  else PetscCall(Try(curve, &curve->last, to, place - 1.0, function, context, value, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The top of the parabola through three values, or the middle of the wider side where that does not help. */
static PetscReal Top(const PetscReal at[3], const PetscReal value[3])
{
  const PetscReal left = (at[1] - at[0]) * (value[1] - value[2]), right = (at[1] - at[2]) * (value[1] - value[0]);
  const PetscReal place = at[1] - 0.5 * ((at[1] - at[0]) * left - (at[1] - at[2]) * right) / (left - right), room = 0.02 * (at[2] - at[0]);

  if (place > at[0] + 0.1 * room && place < at[2] - 0.1 * room && PetscAbsReal(place - at[1]) > 1e-12) return place;
  return at[1] - at[0] > at[2] - at[1] ? 0.5 * (at[0] + at[1]) : 0.5 * (at[1] + at[2]);
}

/* Parabolas through the three places around the largest value so far. */
PetscErrorCode CurveFindPeak(Curve *curve, CurveFunction function, void *context, PetscBool *found)
{
  PetscReal  at[3] = {0.0, 1.0, 2.0}, value[3];
  CurvePoint present;

  PetscFunctionBegin;
  PetscCall(CurvePointCreate(curve, &present));
  PetscCall(CurvePointCopy(curve, &curve->point, &present));
  *found = PETSC_TRUE;
  for (PetscInt i = 0; *found && i < 3; i++) PetscCall(TryAround(curve, &present, at[i], function, context, &value[i], found));
  if (*found) *found = (PetscBool)(value[1] >= value[0] && value[1] >= value[2]);
  for (PetscInt i = 0; *found && i < MOST_TRIES && at[2] - at[0] > 1e-3; i++) {
    const PetscReal place = Top(at, value);
    PetscReal       here;
    PetscInt        side = place > at[1] ? 2 : 0;

    if (PetscAbsReal(place - at[1]) < 1e-5) break;
    PetscCall(TryAround(curve, &present, place, function, context, &here, found));
    if (!*found) break;
    if (here > value[1]) {
      at[2 - side]    = at[1];
      value[2 - side] = value[1];
      at[1]           = place;
      value[1]        = here;
    } else {
      at[side]    = place;
      value[side] = here;
    }
  }
  if (*found) PetscCall(TryAround(curve, &present, at[1], function, context, &value[1], found));
  if (!*found) PetscCall(CurvePointCopy(curve, &present, &curve->point));
  PetscCall(CurvePointDestroy(&present));
  PetscFunctionReturn(PETSC_SUCCESS);
}
