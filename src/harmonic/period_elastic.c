/* period_elastic.c - a law whose force is a function of the motion: sampled, and mended where its slope jumps. */
#include "masing_path.h"

typedef struct {
  PeriodSamples samples;
  MasingPath    path; /* for its extremes */
} Elastic;

static PetscErrorCode Create(Period *period)
{
  Elastic *elastic;

  PetscFunctionBegin;
  PetscCall(PetscNew(&elastic));
  period->data        = elastic;
  elastic->path.basis = period->basis;
  PetscCall(PeriodSamplesCreate(period, &elastic->samples));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Period *period)
{
  Elastic *elastic = period->data;

  PetscFunctionBegin;
  PetscCall(PeriodSamplesDestroy(&elastic->samples));
  PetscCall(MasingPathDestroy(&elastic->path));
  PetscCall(PetscFree(period->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much steeper the law is behind a motion than before it, as motions grow. */
static PetscReal JumpOfSlope(const PeriodSamples *samples, PetscReal motion)
{
  const PetscReal aside = 1e-9 * PetscMax(PetscAbsReal(motion), PETSC_SMALL);
  PetscReal       force, below, above;

  PeriodSamplesAt(samples, motion - aside, &force, &below);
  PeriodSamplesAt(samples, motion + aside, &force, &above);
  return above - below;
}

/* The motion passes a corner once at most between two extremes: the samples between which it does. */
static void MendRun(const Period *period, const PetscReal x[], const PathExtreme *from, const PathExtreme *to, PetscReal until, PetscReal motion,
                    PetscReal jump, PetscReal force[], PetscReal tangent[])
{
  Elastic *const  elastic = period->data;
  const PetscReal step = 2.0 * PETSC_PI / (PetscReal)period->basis->num_samples, sense = to->motion > from->motion ? 1.0 : -1.0;
  PetscInt        n      = (PetscInt)PetscCeilReal(from->theta / step);
  PeriodCorner    corner = {from->theta, until, motion, sense * jump, NULL};

  if ((from->motion < motion) == (to->motion < motion)) return;
  for (; step * (PetscReal)n < until && sense * (HarmonicSampleOf(period->basis, elastic->samples.motion, n) - motion) < 0.0; n++)
    corner.lower = step * (PetscReal)n;
  corner.lower = PetscMax(corner.lower, from->theta);
  corner.upper = PetscMin(step * (PetscReal)n, until);
  PeriodAddCorner(period->basis, x, &corner, elastic->samples.row, force, tangent);
}

static PetscErrorCode MendCorners(const Period *period, const PetscReal x[], PetscReal force[], PetscReal tangent[])
{
  Elastic *const elastic = period->data;
  MasingPath    *path    = &elastic->path;
  PetscReal      motion[JOINT_MAX_CORNERS];
  const PetscInt count = elastic->samples.block.law->corners(&elastic->samples.block, motion);

  PetscFunctionBeginHot;
  PetscCall(MasingPathFindExtremes(path, x, elastic->samples.motion, 0.0));
  for (PetscInt c = 0; c < count; c++) {
    const PetscReal jump = JumpOfSlope(&elastic->samples, motion[c]);

    for (PetscInt i = 0; i < path->num_runs; i++) {
      const PathExtreme *const next  = &path->extremes[(i + 1) % path->num_extremes];
      const PetscReal          until = i + 1 < path->num_extremes ? next->theta : path->extremes[0].theta + 2.0 * PETSC_PI;

      MendRun(period, x, &path->extremes[i], next, until, motion[c], jump, force, tangent);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Evaluate(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                               PetscReal by_frequency[], PeriodVerdict *verdict)
{
  PeriodSamples *const       samples = &((Elastic *)period->data)->samples;
  const HarmonicBasis *const basis   = period->basis;

  PetscFunctionBeginHot;
  HarmonicSample(basis, x, samples->work, samples->motion);
  PeriodSamplesEvaluate(samples);
  HarmonicAnalyse(basis, samples->force, force);
  if (tangent) PetscCall(PetscArrayzero(tangent, basis->num_functions * basis->num_functions));
  if (tangent) HarmonicAddProduct(basis, samples->slope, basis->num_functions, samples->work, tangent);
  if (samples->block.law->corners) PetscCall(MendCorners(period, x, force, tangent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PeriodKind period_elastic = {Create, Destroy, Evaluate};
