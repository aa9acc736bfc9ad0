/* period_masing.c - a law with Masing's rules over one period: exact where it turns, mended where it slips as a whole. */
#include "masing_path.h"
#include "rows.h"

typedef struct {
  PeriodSamples samples;
  MasingPath    path;
  PetscInt      num_corners;
  PetscReal     corner[JOINT_MAX_CORNERS], jump[JOINT_MAX_CORNERS]; /* along the virgin curve; how much steeper it is behind */
} Masing;

static PetscErrorCode Create(Period *period)
{
  Masing *masing;

  PetscFunctionBegin;
  PetscCall(PetscNew(&masing));
  period->data       = masing;
  masing->path.basis = period->basis;
  PetscCall(PeriodSamplesCreate(period, &masing->samples));
  if (masing->samples.block.law->corners) masing->num_corners = masing->samples.block.law->corners(&masing->samples.block, masing->corner);
  for (PetscInt c = 0; c < masing->num_corners; c++) {
    PetscReal force, below, above;

    PeriodSamplesAt(&masing->samples, masing->corner[c] * (1.0 - 1e-12), &force, &below);
    PeriodSamplesAt(&masing->samples, masing->corner[c] * (1.0 + 1e-12), &force, &above);
    masing->jump[c] = above - below;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Period *period)
{
  Masing *masing = period->data;

  PetscFunctionBegin;
  PetscCall(PeriodSamplesDestroy(&masing->samples));
  PetscCall(MasingPathDestroy(&masing->path));
  PetscCall(PetscFree(period->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Samples of a piece, as the virgin curve is asked for: (d - d_r) / 2. */
static void HalveBranches(Masing *masing)
{
  const MasingPath *const path   = &masing->path;
  PetscReal *const        motion = masing->samples.motion;

  for (PetscInt p = 0; p < path->num_pieces; p++) {
    const PathPiece *const piece = &path->pieces[p];
    const PetscReal        scale = piece->origin == PATH_VIRGIN ? 1.0 : 0.5;

    const PetscReal begin = piece->motion;
    const PetscInt  end   = piece->first + piece->count;

    for (PetscInt n = piece->first; n < end; n++) motion[n] = scale * (motion[n] - begin);
  }
}

static void DoubleBranches(Masing *masing)
{
  const MasingPath *const path  = &masing->path;
  PetscReal *const        force = masing->samples.force;

  for (PetscInt p = 0; p < path->num_pieces; p++) {
    const PathPiece *const piece = &path->pieces[p];
    const PetscReal        scale = piece->origin == PATH_VIRGIN ? 1.0 : 2.0;

    const PetscReal begin = piece->force;
    const PetscInt  end   = piece->first + piece->count;

    for (PetscInt n = piece->first; n < end; n++) force[n] = begin + scale * force[n];
  }
}

/* Sums of a function, and of the function times the slopes, over the samples of a piece. */
static void SumFunction(PetscInt count, const PetscReal function[], const PetscReal slope[], PetscReal *sum, PetscReal *weighed)
{
  RowsLanes sums = {0.0}, products = {0.0};
  PetscInt  n = 0;

  for (; n + ROWS_LANES <= count; n += ROWS_LANES) {
    sums += RowsLoad(function + n);
    products += RowsLoad(function + n) * RowsLoad(slope + n);
  }
  *sum     = RowsSum(sums);
  *weighed = RowsSum(products);
  for (; n < count; n++) {
    *sum += function[n];
    *weighed += function[n] * slope[n];
  }
}

/* A branch carries the changes of its beginning: S (df_r)^T - T (phi_r)^T with S = sum psi, T = sum psi t over its samples. */
static void AddBeginnings(Masing *masing, PetscReal tangent[])
{
  const MasingPath *const    path  = &masing->path;
  const HarmonicBasis *const basis = path->basis;
  const PetscInt             P     = basis->num_functions;
  const PetscReal           *slope = masing->samples.slope;

  for (PetscInt p = 0; p < path->num_pieces; p++) {
    const PathPiece *const piece = &path->pieces[p];
    const PetscReal       *force, *value;

    if (piece->origin < 0) continue;
    force = path->force + piece->origin * P;
    value = path->value + piece->origin * P;
    for (PetscInt i = 0; i < P; i++) {
      PetscReal sum, weighed;

      SumFunction(piece->count, basis->function + i * basis->stretch + piece->first, slope + piece->first, &sum, &weighed);
      sum *= basis->weight[i];
      weighed *= basis->weight[i];
      for (PetscInt j = 0; j < P; j++) tangent[i * P + j] += sum * force[j] - weighed * value[j];
    }
  }
}

/* Between which angles a piece passes this motion, as halved samples show; false where it does not. */
static PetscBool FindCrossing(const Masing *masing, const PathPiece *piece, const PetscReal x[], PetscReal halved, PeriodCorner *corner)
{
  const HarmonicBasis *const basis = masing->path.basis;
  const PetscReal            step  = 2.0 * PETSC_PI / (PetscReal)basis->num_samples;
  const PetscInt             end   = piece->first + piece->count;
  PetscInt                   n     = piece->first;
  PetscReal                  start, last, slope, curvature;

  HarmonicMotionAt(basis, x, piece->to, &last, &slope, &curvature);
  if (piece->sense * (last - piece->motion) < 2.0 * halved) return PETSC_FALSE;
  while (n < end && piece->sense * masing->samples.motion[n] < halved) n++;
  corner->lower = n > piece->first ? step * (PetscReal)(n - 1) : piece->from;
  corner->upper = n < end ? step * (PetscReal)n : piece->to;
  HarmonicMotionAt(basis, x, corner->lower, &start, &slope, &curvature);
  return (PetscBool)(piece->sense * (start - piece->motion) < 2.0 * halved);
}

/* Where a branch comes to full slip, or another jump of its slope; the slope jumps back where the run ends. */
static void MendCorners(Masing *masing, const PetscReal x[], PetscReal force[], PetscReal tangent[])
{
  const MasingPath *const path = &masing->path;

  for (PetscInt p = 0; p < path->num_pieces; p++)
    for (PetscInt c = 0; c < masing->num_corners; c++) {
      const PathPiece *const piece  = &path->pieces[p];
      PeriodCorner           corner = {.motion = piece->motion + piece->sense * 2.0 * masing->corner[c], .jump = masing->jump[c]};

      if (piece->origin == PATH_VIRGIN) continue;
      if (piece->origin >= 0) corner.dmotion = path->value + piece->origin * path->basis->num_functions;
      if (!FindCrossing(masing, piece, x, masing->corner[c], &corner)) continue;
      PeriodAddCorner(path->basis, x, &corner, masing->samples.row, force, tangent);
      if (piece->turns) PeriodAddTurn(path->basis, x, piece->end, -masing->jump[c], masing->samples.row, force, tangent);
    }
}

/* A joint that stands still: on the branch where it was left. */
static PetscErrorCode EvaluateAtRest(const Period *period, PetscInt point, const PetscReal x[], PetscReal force[], PetscReal tangent[])
{
  const PeriodSamples *const samples = &((const Masing *)period->data)->samples;
  const JointHistory *const  from    = period->block->memory;
  const HarmonicBasis *const basis   = period->basis;
  const PetscInt             P = basis->num_functions, mean = HarmonicFunction(basis, 0);
  const JointBlock           view   = JointBlockPoint(&samples->block, 0);
  const PetscReal            motion = mean < 0 ? 0.0 : x[mean];
  const JointMotion          at     = {&motion, NULL};
  PetscReal                  value = 0.0, slope = 0.0;
  JointForce                 result  = {&value, &slope, NULL, NULL};
  JointHistory               history = {.num_points = 1, .num_states = view.law->num_states};

  PetscFunctionBeginHot;
  PetscCall(PetscCalloc1(history.num_states, &history.states));
  history.turning = from ? &from->turning[point] : samples->untouched.turning;
  for (PetscInt s = 0; from && s < from->num_states; s++) history.states[s] = from->states[s * from->num_points + point];
  view.law->evaluate(&view, &history, &at, &result);
  PetscCall(PetscFree(history.states));
  PetscCall(PetscArrayzero(force, P));
  if (mean >= 0) force[mean] = value;
  if (tangent) PetscCall(PetscArrayzero(tangent, P * P));
  for (PetscInt i = 0; tangent && i < P; i++) tangent[i * P + i] = slope;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Evaluate(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                               PetscReal by_frequency[], PeriodVerdict *verdict)
{
  Masing *const              masing  = period->data;
  PeriodSamples *const       samples = &masing->samples;
  const HarmonicBasis *const basis   = period->basis;
  const JointHistory *const  memory  = period->block->memory;

  PetscFunctionBeginHot;
  HarmonicSample(basis, x, samples->work, samples->motion);
  PetscCall(MasingPathFindExtremes(&masing->path, x, samples->motion, memory ? memory->states[point] : 0.0));
  if (masing->path.num_extremes == 0) {
    PetscCall(EvaluateAtRest(period, point, x, force, tangent));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(MasingPathFollow(&masing->path, samples, memory, point));
  HalveBranches(masing);
  PeriodSamplesEvaluate(samples);
  DoubleBranches(masing);
  HarmonicAnalyse(basis, samples->force, force);
  if (tangent) {
    PetscCall(PetscArrayzero(tangent, basis->num_functions * basis->num_functions));
    HarmonicAddProduct(basis, samples->slope, basis->num_functions, samples->work, tangent);
    AddBeginnings(masing, tangent);
  }
  MendCorners(masing, x, force, tangent);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PeriodKind period_masing = {Create, Destroy, Evaluate};
