/* curve_state.c - a curve on its way as numbers, to go on from there later. */
#include "curve_steps.h"

/* What is kept beside the points. */
enum {
  STATE_HARMONICS,
  STATE_SAMPLES,
  STATE_STEP,
  STATE_POINTS,
  STATE_REJECTED,
  STATE_INACCURATE,
  STATE_BEND,
  STATE_ALIKE,
  STATE_EASY,
  STATE_EASY_SAMPLES,
  STATE_EASY_POINTS,
  STATE_TAKEN_AWAY,
  STATE_HEAD
};

static PetscInt Width(const Curve *curve)
{
  return curve->equation->n + curve->num_parameters;
}

PetscInt CurveStateSize(const Curve *curve)
{
  return STATE_HEAD + 4 * Width(curve);
}

void CurveStatePack(const Curve *curve, PetscReal numbers[])
{
  const PetscInt size = 2 * Width(curve);

  numbers[STATE_HARMONICS]    = (PetscReal)curve->basis->highest;
  numbers[STATE_SAMPLES]      = (PetscReal)curve->basis->num_samples;
  numbers[STATE_STEP]         = curve->step;
  numbers[STATE_POINTS]       = (PetscReal)curve->num_points;
  numbers[STATE_REJECTED]     = (PetscReal)curve->rejected;
  numbers[STATE_INACCURATE]   = (PetscReal)curve->num_inaccurate;
  numbers[STATE_BEND]         = curve->rejected_bend;
  numbers[STATE_ALIKE]        = (PetscReal)curve->alike;
  numbers[STATE_EASY]         = (PetscReal)curve->easy[0];
  numbers[STATE_EASY_SAMPLES] = (PetscReal)curve->easy[1];
  numbers[STATE_EASY_POINTS]  = (PetscReal)curve->easy_points;
  numbers[STATE_TAKEN_AWAY]   = (PetscReal)curve->taken_away;
  for (PetscInt i = 0; i < size; i++) {
    numbers[STATE_HEAD + i]        = curve->point.y[i];
    numbers[STATE_HEAD + size + i] = curve->last.y[i];
  }
}

/* Whether a basis of these harmonics and samples is one that this curve may have. */
static PetscBool IsAllowed(const Curve *curve, PetscReal harmonics, PetscReal samples)
{
  const PetscReal most_harmonics = (PetscReal)PetscMax(curve->basis->highest, curve->options.most_harmonics);
  const PetscReal most_samples   = (PetscReal)PetscMax(curve->basis->num_samples, curve->options.most_samples);

  return (PetscBool)(harmonics >= 1.0 && harmonics <= most_harmonics && samples >= 4.0 * harmonics && samples <= most_samples);
}

PetscErrorCode CurveStateUnpack(Curve *curve, PetscInt count, const PetscReal numbers[], PetscBool *fits)
{
  const PetscReal solved = 1e-4; /* of the motion: what is left over where Newton's method has ended is far less */
  PetscInt        size;

  PetscFunctionBegin;
  *fits = (PetscBool)(count > STATE_HEAD && IsAllowed(curve, numbers[STATE_HARMONICS], numbers[STATE_SAMPLES]));
  if (!*fits) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CurveRefine(curve, (PetscInt)numbers[STATE_HARMONICS], (PetscInt)numbers[STATE_SAMPLES]));
  *fits = (PetscBool)(count == CurveStateSize(curve));
  if (!*fits) PetscFunctionReturn(PETSC_SUCCESS);
  curve->step           = numbers[STATE_STEP];
  curve->num_points     = (PetscInt)numbers[STATE_POINTS];
  curve->rejected       = (PetscInt)numbers[STATE_REJECTED];
  curve->num_inaccurate = (PetscInt)numbers[STATE_INACCURATE];
  curve->rejected_bend  = numbers[STATE_BEND];
  curve->alike          = (PetscInt)numbers[STATE_ALIKE];
  curve->easy[0]        = (PetscInt)numbers[STATE_EASY];
  curve->easy[1]        = (PetscInt)numbers[STATE_EASY_SAMPLES];
  curve->easy_points    = (PetscInt)numbers[STATE_EASY_POINTS];
  curve->taken_away     = (PetscBool)(numbers[STATE_TAKEN_AWAY] != 0.0);
  size                  = 2 * Width(curve);
  PetscCall(PetscArraycpy(curve->point.y, numbers + STATE_HEAD, size));
  PetscCall(PetscArraycpy(curve->last.y, numbers + STATE_HEAD + size, size));
  CurveTakeMeasure(curve);
  PetscCall(CurveEvaluate(curve, PETSC_TRUE));
  *fits = (PetscBool)(CurveImbalance(curve) < solved);
  if (*fits) PetscCall(CurveKeep(curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}
