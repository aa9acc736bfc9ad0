/*
  curve_accuracy.c - how exact a point of a curve is, and the harmonics and samples that it takes.

  The forces are evaluated with twice as many harmonics and samples. What is left over in the new harmonics is what was left out: d_k = -R'_k.
  With that put in, what is left over in the old ones is what they lack: dX = -J^-1 R''. The samples' share of it is -J^-1 R'. The change is
  looked for across the curve, where J is regular, at folds too: it is how far the point is from the true curve. At the very frequency of the point
  the true motion differs by more, about 1 / |heading| times as much: where the curve is steep, and without bound at a fold. Over 123 solutions the estimates were 0.45 to 1.2 times the true error
  (10 and 90 %), 0.07 at the least: hence twice the estimate is compared.
*/
#include "curve_steps.h"
#include "resonance.h"

static const PetscReal WORTH        = 0.7;  /* of the accuracy: what makes it worth while to take more */
static const PetscReal ROUGHLY      = 1e-2; /* what an iteration may leave over of an estimate */
static const PetscReal EASY         = 0.25; /* of that: harmonics as small as this are not missed */
static const PetscReal EASY_SAMPLES = 0.04; /* of that: with half as many samples errors are four to twenty times as large */
enum {
  EASY_POINTS      = 4,
  MOST_EASY_POINTS = 64
}; /* in a row, until harmonics or samples are taken away; twice as many when they had to be given back */

/* R of the finer equation, in the places of this one, and those of a mode. */
static void TakeResidual(const Curve *curve, PetscReal right[])
{
  const HarmonicEquation *const e = curve->equation, *const f = curve->finer;

  HarmonicCarry(f->basis, f->residual, e->m, e->basis, right);
  for (PetscInt i = 0; i < e->n; i++) right[i] = -right[i];
  for (PetscInt q = 0; q < curve->num_equations; q++) right[e->n + q] = -f->mode_equation[q];
  right[e->n + curve->num_parameters - 1] = 0.0;
}

/* How much the solution changes by what was left over, relative to itself. */
static PetscErrorCode Missing(Curve *curve, PetscReal largest, PetscReal right[], PetscReal change[], PetscReal *missing)
{
  const PetscInt n = curve->equation->n;

  PetscFunctionBeginHot;
  TakeResidual(curve, right);
  PetscCall(CurveSystemSolve(curve, ROUGHLY, right, change));
  if (PetscIsInfOrNanReal(change[n])) { /* it was not solved, and all may be missing */
    *missing = 1.0;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  *missing = HarmonicLargest(n, change) / largest;
  for (PetscInt p = 0; p < curve->num_parameters; p++) *missing = PetscMax(*missing, PetscAbsReal(change[n + p]) / curve->measure[n + p]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* New harmonics take what is left over in them. */
static PetscReal PutIn(const Curve *curve, PetscReal x[])
{
  const HarmonicEquation *const f       = curve->finer;
  const PetscInt                P       = f->basis->num_functions;
  PetscReal                     largest = 0.0;

  for (PetscInt r = 0; r < f->m; r++)
    for (PetscInt h = 0; h < f->basis->num_harmonics; h++)
      for (PetscInt w = 0; w < 2 && HarmonicFunction(curve->basis, f->basis->harmonic[h]) < 0; w++) {
        const PetscInt i = r * P + f->basis->first[h] + w;

        x[i]    = -f->residual[i];
        largest = PetscMax(largest, PetscAbsReal(x[i]));
      }
  return largest;
}

/* The finer equation at x, and what holds beside it. */
static PetscErrorCode EvaluateFiner(Curve *curve, const PetscReal x[])
{
  PetscFunctionBeginHot;
  PetscCall(HarmonicEquationEvaluate(curve->finer, x, curve->setting, PETSC_FALSE));
  if (curve->along_resonance) PetscCall(ResonanceConditionCheck(curve->condition, curve->finer));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveEstimate(Curve *curve)
{
  const HarmonicEquation *const e = curve->equation;
  PetscReal                    *x, *finer, *right, *change, largest;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc4(e->n, &x, curve->finer->n, &finer, e->n + curve->num_parameters, &right, e->n + curve->num_parameters, &change));
  CurveMotions(curve, x);
  largest = HarmonicLargest(e->n, x);
  if (largest == 0.0) largest = 1.0; /* nothing moves the joints, and nothing is left out */
  HarmonicCarry(curve->basis, x, e->m, curve->finer_basis, finer);
  PetscCall(EvaluateFiner(curve, finer));
  PetscCall(Missing(curve, largest, right, change, &curve->error.by_samples));
  curve->error.left_out = PutIn(curve, finer) / largest;
  PetscCall(EvaluateFiner(curve, finer));
  PetscCall(Missing(curve, largest, right, change, &curve->error.kept));
  PetscCall(PetscFree4(x, finer, right, change));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which of both is to blame: what is worth it, and the larger one in any case. */
static PetscErrorCode Refine(Curve *curve)
{
  const CurveError error        = curve->error;
  const PetscReal  by_harmonics = PetscMax(error.left_out, PetscAbsReal(error.kept - error.by_samples));
  const PetscReal  bound        = WORTH * PetscMin(curve->options.accuracy / CURVE_SAFETY, PetscMax(by_harmonics, error.by_samples));
  PetscInt         H = curve->basis->highest, N = curve->basis->num_samples;

  PetscFunctionBegin;
  if (by_harmonics > bound) H = PetscMin(H + PetscMax(2, H / 2), curve->options.most_harmonics);
  if (error.by_samples > bound) N = PetscMin(2 * N, curve->options.most_samples);
  N = PetscMin(PetscMax(N, 8 * (H + 1)), PetscMax(N, curve->options.most_samples));
  if (H == curve->basis->highest && N == curve->basis->num_samples) PetscFunctionReturn(PETSC_SUCCESS);
  if (curve->taken_away) curve->easy_points = PetscMin(2 * curve->easy_points, MOST_EASY_POINTS);
  curve->taken_away = PETSC_FALSE;
  PetscCall(CurveRefine(curve, H, N));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next smaller number of harmonics and samples: what grew to the present ones. */
static PetscInt FewerHarmonics(const Curve *curve)
{
  const PetscInt H = curve->basis->highest, fewer = PetscMax(2 * H / 3, curve->first_harmonics);

  return curve->odd && fewer % 2 == 0 ? fewer + 1 : fewer;
}

static PetscInt FewerSamples(const Curve *curve, PetscInt harmonics)
{
  const PetscInt N = curve->basis->num_samples, fewer = N / 2;

  return N % 2 == 0 && fewer >= PetscMax(8 * (harmonics + 1), curve->first_samples) ? fewer : N;
}

/* The largest harmonic above H, of the largest of all. */
static PetscReal Above(const Curve *curve, PetscInt H)
{
  const HarmonicBasis *const basis   = curve->basis;
  PetscReal                  largest = 0.0, above = 0.0;

  for (PetscInt i = 0; i < curve->equation->n; i++) {
    const PetscInt  j    = i % basis->num_functions;
    const PetscReal size = PetscAbsReal(curve->point.y[i]);

    largest = PetscMax(largest, size);
    if (HarmonicFunction(basis, H + 1) >= 0 ? j >= HarmonicFunction(basis, H + 1) : j >= HarmonicFunction(basis, H + 2))
      above = PetscMax(above, size);
  }
  return largest > 0.0 ? above / largest : 0.0;
}

/* Counts points that would do with less. */
static void CountEasy(Curve *curve)
{
  const PetscReal bound = WORTH * curve->options.accuracy / CURVE_SAFETY;
  const PetscInt  H     = FewerHarmonics(curve);
  const PetscBool small = (PetscBool)(H < curve->basis->highest && Above(curve, H) < EASY * bound && curve->error.kept < EASY * bound);

  curve->easy[0] = small ? curve->easy[0] + 1 : 0;
  curve->easy[1] =
    FewerSamples(curve, curve->basis->highest) < curve->basis->num_samples && curve->error.kept < EASY_SAMPLES * bound ? curve->easy[1] + 1 : 0;
}

PetscErrorCode CurveTakeAway(Curve *curve)
{
  const PetscInt H = curve->easy[0] >= curve->easy_points ? FewerHarmonics(curve) : curve->basis->highest;
  const PetscInt N = curve->easy[1] >= curve->easy_points ? FewerSamples(curve, H) : curve->basis->num_samples;

  PetscFunctionBegin;
  if (curve->options.accuracy == 0.0 || (H == curve->basis->highest && N == curve->basis->num_samples)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CurveRefine(curve, H, N));
  curve->easy[0] = curve->easy[1] = 0;
  curve->taken_away               = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* At an end of its range the leading parameter stays where it is. */
static PetscErrorCode CorrectAcross(Curve *curve, PetscBool *found)
{
  PetscReal *normal;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(curve->equation->n + curve->num_parameters, &normal));
  if (curve->at_end) CurvePointAlong(curve, normal);
  else CurveNormal(curve, curve->point.tangent, normal);
  PetscCall(CurveCorrect(curve, normal, 12, PETSC_TRUE, found));
  PetscCall(PetscFree(normal));
  if (*found) PetscCall(CurveFindTangentAlong(curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was left out, d_k = -R_k as far as the new harmonics reach, is what to begin from. */
static PetscErrorCode PutInNew(Curve *curve, PetscInt known)
{
  const HarmonicEquation *const e    = curve->equation;
  const PetscInt                P    = e->basis->num_functions;
  const PetscReal               size = CurveSize(curve);

  PetscFunctionBegin;
  PetscCall(CurveEvaluate(curve, PETSC_FALSE));
  for (PetscInt h = 0; h < e->basis->num_harmonics; h++)
    for (PetscInt r = 0; r < e->m && e->basis->harmonic[h] > known; r++)
      for (PetscInt i = r * P + e->basis->first[h]; i < r * P + e->basis->first[h] + 2; i++) curve->point.y[i] -= e->residual[i] / size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The point as it was, on the harmonics and samples that it was found with. */
static PetscErrorCode GoBack(Curve *curve, PetscInt harmonics, PetscInt samples, const PetscReal y[], PetscBool *found)
{
  PetscFunctionBegin;
  PetscCall(CurveRefine(curve, harmonics, samples));
  PetscCall(PetscArraycpy(curve->point.y, y, curve->equation->n + curve->num_parameters));
  CurveTakeMeasure(curve);
  PetscCall(CorrectAcross(curve, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last point on the new harmonics and samples, from which another step is tried. */
static PetscErrorCode ReturnToLast(Curve *curve, PetscBool *found)
{
  PetscFunctionBegin;
  PetscCall(CurvePointCopy(curve, &curve->last, &curve->point));
  CurveTakeMeasure(curve);
  PetscCall(CorrectAcross(curve, found));
  if (*found) PetscCall(CurvePointCopy(curve, &curve->point, &curve->last));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Goes over to more harmonics or samples: the point is found with them; or the last point is, from which a smaller step is tried; or both stay as
   they were, and the point is not exact enough. */
static PetscErrorCode TryFiner(Curve *curve, CurveJudgement *judgement)
{
  const PetscInt   H = curve->basis->highest, N = curve->basis->num_samples, width = curve->equation->n + curve->num_parameters;
  const CurveError error = curve->error;
  PetscReal       *y;
  PetscBool        found;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(width, &y));
  PetscCall(PetscArraycpy(y, curve->point.y, width));
  PetscCall(Refine(curve));
  if (H == curve->basis->highest && N == curve->basis->num_samples) *judgement = CURVE_NOT_ACCURATE;
  else {
    if (curve->basis->highest > H) PetscCall(PutInNew(curve, H));
    PetscCall(CorrectAcross(curve, &found));
    *judgement = CURVE_ACCURATE;
    if (!found && curve->num_points > 0) {
      PetscCall(ReturnToLast(curve, &found));
      *judgement = CURVE_AGAIN;
    }
    if (!found) {
      PetscCall(GoBack(curve, H, N, y, &found));
      *judgement   = found ? CURVE_NOT_ACCURATE : CURVE_LOST;
      curve->error = error;
    }
  }
  PetscCall(PetscFree(y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveMakeAccurate(Curve *curve, CurveJudgement *judgement)
{
  PetscFunctionBegin;
  for (*judgement = CURVE_ACCURATE; *judgement == CURVE_ACCURATE;) {
    PetscCall(CurveEstimate(curve));
    if (curve->options.accuracy == 0.0 || CURVE_SAFETY * PetscMax(curve->error.left_out, curve->error.kept) <= curve->options.accuracy) break;
    if (curve->basis->highest >= curve->options.most_harmonics && curve->basis->num_samples >= curve->options.most_samples)
      *judgement = CURVE_NOT_ACCURATE;
    else PetscCall(TryFiner(curve, judgement));
  }
  CountEasy(curve);
  PetscFunctionReturn(PETSC_SUCCESS);
}
