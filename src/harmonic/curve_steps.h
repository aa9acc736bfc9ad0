/*
  curve_steps.h - what the parts of a curve share: correcting a point, its tangent, its accuracy.
*/
#pragma once
#include "curve_system.h"

/* The setting at unknowns y; and the other way, from curve->setting to the present point. */
HarmonicSetting CurveSettingOf(const Curve *curve, const PetscReal y[]);
void            CurveTakeSetting(Curve *curve);
/* What the motion is scaled by at the present point, x = s z. */
PetscReal CurveSize(const Curve *curve);
/* Parts of what the present point has are the measure of changes from now on. */
void      CurveTakeMeasure(Curve *curve);
PetscReal CurveLength(const Curve *curve, const PetscReal change[]);
void      CurveNormal(const Curve *curve, const PetscReal direction[], PetscReal normal[]);

/* R at the present point. Hot. */
PetscErrorCode CurveEvaluate(Curve *curve, PetscBool differentiate);
/* Newton's method from the present point in a plane; careful: with halved steps. What is factored at last belongs to what is found. */
PetscErrorCode CurveCorrect(Curve *curve, const PetscReal normal[], PetscInt most_iterations, PetscBool careful, PetscBool *found);
/* Residuals of the present point in the measure of the motion. */
PetscReal      CurveImbalance(const Curve *curve);
PetscErrorCode CurveFindTangent(Curve *curve);
/* The same, in the sense of the tangent that the point has. */
PetscErrorCode CurveFindTangentAlong(Curve *curve);
/* A direction, or the normal of a plane, in which the leading parameter alone changes. */
void CurvePointAlong(const Curve *curve, PetscReal direction[]);

/* The present point, which was accepted, becomes the last one; its measure is that of what follows. */
PetscErrorCode CurveKeep(Curve *curve);
/* Takes what CurveStatePack made; `fits` is false where that does not solve the equation. */
PetscErrorCode CurveStateUnpack(Curve *curve, PetscInt count, const PetscReal numbers[], PetscBool *fits);

/* Goes over to other harmonics and samples; the present point is to be corrected then. */
PetscErrorCode CurveRefine(Curve *curve, PetscInt harmonics, PetscInt samples);
/* Estimates the error of the present point, which has just been corrected. */
PetscErrorCode CurveEstimate(Curve *curve);
typedef enum {
  CURVE_ACCURATE,
  CURVE_NOT_ACCURATE, /* the most harmonics and samples do not suffice */
  CURVE_AGAIN,        /* it was not found with more of them; the last point was: a smaller step is to be tried */
  CURVE_LOST          /* neither was */
} CurveJudgement;

/* Goes over to fewer harmonics or samples, where several points in a row would have done with them; the last point is that on fewer harmonics. */
PetscErrorCode CurveTakeAway(Curve *curve);
/* Refines until the error of the present point is small enough. */
PetscErrorCode CurveMakeAccurate(Curve *curve, CurveJudgement *judgement);
