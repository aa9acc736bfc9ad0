/* period.c - a point of a joint over a period: choosing how, and what all ways share. */
#include "period_kinds.h"
#include "rows.h"

const PeriodKind *PeriodKindOf(const JointLaw *law)
{
  if (law->traits & JOINT_MASING) return &period_masing;
  return (law->traits & JOINT_ELASTIC) && !(law->traits & JOINT_VISCOUS) && law->dim == 1 ? &period_elastic : &period_marched;
}

PetscErrorCode PeriodCreate(const SystemBlock *block, const HarmonicBasis *basis, const PetscReal sense[], Period **period)
{
  const PetscInt dim = block->block.law->dim;

  PetscFunctionBegin;
  PetscCall(PetscNew(period));
  **period = (Period){.block = block, .basis = basis, .kind = PeriodKindOf(block->block.law), .sense = sense, .dim = dim};
  PetscCall(PetscMalloc2(dim * basis->num_functions, &(*period)->shifted, dim, &(*period)->transmitted));
  PetscCall((*period)->kind->create(*period));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PeriodDestroy(Period **period)
{
  PetscFunctionBegin;
  if (!*period) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall((*period)->kind->destroy(*period));
  PetscCall(PetscFree2((*period)->shifted, (*period)->transmitted));
  PetscCall(PetscFree(*period));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motions that the law is asked for. */
static void Shift(Period *period, PetscInt point, const PetscReal x[])
{
  const SystemBlock *const block = period->block;
  const PetscInt           P = period->basis->num_functions, mean = HarmonicFunction(period->basis, 0);

  for (PetscInt i = 0; i < period->dim * P; i++) period->shifted[i] = x[i];
  for (PetscInt c = 0; block->offset && mean >= 0 && c < period->dim; c++)
    period->shifted[c * P + mean] += block->offset[c * block->block.num_points + point];
}

static void Scale(PetscReal area, PetscInt count, PetscReal values[])
{
  for (PetscInt i = 0; values && i < count; i++) values[i] *= area;
}

PetscErrorCode PeriodEvaluate(Period *period, PetscInt point, PetscReal frequency, const PetscReal x[], PetscReal force[], PetscReal tangent[],
                              PetscReal by_frequency[], PeriodVerdict *verdict)
{
  const SystemBlock *const block = period->block;
  const PetscInt           dim = period->dim, P = period->basis->num_functions, mean = HarmonicFunction(period->basis, 0);

  PetscFunctionBeginHot;
  *verdict = (PeriodVerdict){.periods = 1};
  if (by_frequency) PetscCall(PetscArrayzero(by_frequency, dim * P));
  Shift(period, point, x);
  PetscCall(period->kind->evaluate(period, point, frequency, period->shifted, force, tangent, by_frequency, verdict));
  if (block->area) {
    Scale(block->area[point], dim * P, force);
    Scale(block->area[point], dim * P * dim * P, tangent);
    Scale(block->area[point], dim * P, by_frequency);
  }
  for (PetscInt c = 0; block->rest && mean >= 0 && c < dim; c++) force[c * P + mean] -= block->rest[c * block->block.num_points + point];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal PeriodLoss(const HarmonicBasis *basis, const PetscReal x[], const PetscReal force[])
{
  PetscReal sum = 0.0;

  for (PetscInt h = 0; h < basis->num_harmonics; h++) {
    const PetscInt j = basis->first[h];

    if (basis->harmonic[h]) sum += PETSC_PI * (PetscReal)basis->harmonic[h] * (x[j + 1] * force[j] - x[j] * force[j + 1]);
  }
  return sum;
}

PetscBool PeriodMoves(const SystemBlock *block, PetscInt component)
{
  const PetscInt n = block->block.num_points;

  return (PetscBool)(block->first[(component + 1) * n] > block->first[component * n]);
}

PetscErrorCode PeriodSamplesCreate(const Period *period, PeriodSamples *samples)
{
  const HarmonicBasis *const basis = period->basis;
  const JointBlock *const    block = &period->block->block;
  const PetscInt             count = (basis->stretch + WIDE_LANES - 1) / WIDE_LANES * WIDE_LANES;

  PetscFunctionBegin;
  samples->count = count;
  PetscCall(JointBlockCreate(block->law, block->parameters, count, &samples->block));
  PetscCall(JointHistoryCreate(&samples->block, &samples->untouched));
  samples->point = JointBlockPoint(&samples->block, 0);
  PetscCall(WideAllocateStructs(1, &samples->room, &samples->lanes));
  PetscCall(JointLanesCreateUntouched(&samples->point, samples->lanes));
  PetscCall(PetscCalloc5(count, &samples->motion, count, &samples->force, count, &samples->slope, RowsPadded(basis->num_waves), &samples->work,
                         5 * basis->num_functions, &samples->row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PeriodSamplesDestroy(PeriodSamples *samples)
{
  PetscFunctionBegin;
  PetscCall(JointLanesDestroy(samples->lanes));
  PetscCall(PetscFree(samples->room));
  PetscCall(JointHistoryDestroy(&samples->untouched));
  PetscCall(JointBlockDestroy(&samples->block));
  PetscCall(PetscFree5(samples->motion, samples->force, samples->slope, samples->work, samples->row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void PeriodSamplesEvaluate(const PeriodSamples *samples)
{
  const JointLaw *const law    = samples->block.law;
  const JointMotion     motion = {samples->motion, NULL};
  JointForce            result = {samples->force, samples->slope, NULL, NULL};

  if (samples->lanes->law) law->lanes->untouched(samples->lanes, samples->count, samples->motion, samples->force, samples->slope);
  else law->evaluate(&samples->block, &samples->untouched, &motion, &result);
}

void PeriodSamplesAt(const PeriodSamples *samples, PetscReal motion, PetscReal *force, PetscReal *slope)
{
  const JointHistory history = {
    .num_points = 1, .num_states = samples->untouched.num_states, .states = samples->untouched.states, .turning = samples->untouched.turning};
  const JointMotion at     = {&motion, NULL};
  JointForce        result = {force, slope, NULL, NULL};

  samples->point.law->evaluate(&samples->point, &history, &at, &result);
}
