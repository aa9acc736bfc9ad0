/* iwan_misfit.c - the deviation of a modal Iwan model from the points of a ring-down curve, and its minimum. */
#include "iwan_misfit.h"
#include "../fitting/bounded_squares.h"

void IwanMisfitCurves(const PetscReal x[], IwanCurves *curves)
{
  const Dual ln_stuck = DualParameter(x[LN_STUCK], LN_STUCK), ln_damping = DualParameter(x[LN_DAMPING], LN_DAMPING);
  const Dual ln_drop = DualParameter(x[LN_DROP], LN_DROP), chi = DualParameter(x[CHI], CHI);
  const Dual ln_phi_max = DualParameter(x[LN_PHI_MAX], LN_PHI_MAX), ln_beta = DualParameter(x[LN_BETA], LN_BETA);
  const Dual ratio = DualExp(DualAdd(DualAdd(ln_drop, ln_beta), DualMultiply(DualShift(chi, 1), ln_phi_max))); /* tangent / stiffness */

  *curves = (IwanCurves){
    .stiffness = DualDivide(DualExp(ln_stuck), DualShift(ratio, 1)),
    .damping   = DualExp(ln_damping),
    .phi_max   = DualExp(ln_phi_max),
    .chi       = chi,
    .share     = DualExp(DualScale(-1, ln_beta)),
  };
  curves->tangent = DualMultiply(curves->stiffness, ratio);
  IwanCurvesPrepare(curves);
}

static PetscReal AddSquare(Dual deviation, PetscReal variance, PetscReal gradient[], PetscReal normal[])
{
  return SquaresAdd(MODAL_IWAN_SIZE, deviation.value, deviation.slope, variance, HUBER, gradient, normal);
}

static void Deviations(const IwanMisfit *misfit, const IwanCurves *curves, const LogPoint *point, Dual *omega, Dual *zeta)
{
  IwanCurvesEvaluate(curves, PetscExpReal(point->ln_amplitude - misfit->ln_middle), omega, zeta);
  omega->value -= point->ln_omega;
  zeta->value -= point->ln_zeta;
}

PetscReal IwanMisfitEvaluate(const IwanMisfit *misfit, const PetscReal x[], PetscReal gradient[], PetscReal normal[])
{
  IwanCurves curves;
  PetscReal  value = 0;

  IwanMisfitCurves(x, &curves);
  for (PetscInt i = 0; gradient && i < MODAL_IWAN_SIZE; i++) gradient[i] = 0;
  for (PetscInt i = 0; normal && i < MODAL_IWAN_SIZE * MODAL_IWAN_SIZE; i++) normal[i] = 0;
  for (PetscInt i = 0; i < misfit->count; i++) {
    const LogPoint *point = &misfit->points[i];
    Dual            omega, zeta;

    Deviations(misfit, &curves, point, &omega, &zeta);
    value += AddSquare(omega, misfit->omega_variance + point->omega_variance, gradient, normal);
    value += AddSquare(zeta, misfit->zeta_variance + point->zeta_variance, gradient, normal);
  }
  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) {
    if (misfit->width[i] > 0) value += AddSquare(DualParameter(x[i] - misfit->center[i], i), PetscSqr(misfit->width[i]), gradient, normal);
  }
  return value;
}

void IwanMisfitVariances(const IwanMisfit *misfit, const PetscReal x[], PetscReal *omega, PetscReal *zeta)
{
  const PetscReal freedom = (PetscReal)misfit->count - 0.5 * MODAL_IWAN_SIZE; /* both kinds share the unknowns */
  IwanCurves      curves;

  IwanMisfitCurves(x, &curves);
  *omega = *zeta = 0;
  for (PetscInt i = 0; i < misfit->count; i++) {
    const LogPoint *point = &misfit->points[i];
    Dual            of_omega, of_zeta;

    Deviations(misfit, &curves, point, &of_omega, &of_zeta);
    *omega += SquaresExcess(of_omega.value, point->omega_variance, misfit->omega_variance, HUBER) / freedom;
    *zeta += SquaresExcess(of_zeta.value, point->zeta_variance, misfit->zeta_variance, HUBER) / freedom;
  }
}

static PetscErrorCode Evaluate(void *context, const PetscReal x[], PetscReal *value, PetscReal gradient[], PetscReal normal[])
{
  PetscFunctionBegin;
  *value = IwanMisfitEvaluate(context, x, gradient, normal);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode IwanMisfitMinimise(IwanMisfit *misfit, PetscReal x[], PetscReal *value)
{
  const BoundedSquares problem = {
    .size = MODAL_IWAN_SIZE, .low = misfit->low, .high = misfit->high, .evaluate = Evaluate, .context = misfit, .small = SQUARES_EXACT};

  PetscFunctionBegin;
  PetscCall(BoundedSquaresMinimise(&problem, x, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}
