/* iwan_misfit.c - how far a modal Iwan model is from the points of a ring-down, and the model that is nearest. */
#include "iwan_misfit.h"
#include <petsctao.h>

enum { MAX_ITERATIONS = 100 };

#define HUBER 2.5 /* standard deviations; keeps 99 % of the efficiency of least squares for normal errors */

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

/* Adds the square of a deviation, divided by its standard deviation. */
static PetscReal AddSquare(Dual deviation, PetscReal variance, PetscReal gradient[], PetscReal normal[])
{
  const PetscReal size   = PetscAbsReal(deviation.value) / PetscSqrtReal(variance);
  const PetscReal weight = (size <= HUBER ? 1 : HUBER / size) / variance;

  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) {
    if (gradient) gradient[i] += weight * deviation.value * deviation.slope[i];
    for (PetscInt j = 0; normal && j < MODAL_IWAN_SIZE; j++) normal[i * MODAL_IWAN_SIZE + j] += weight * deviation.slope[i] * deviation.slope[j];
  }
  return size <= HUBER ? 0.5 * size * size : HUBER * (size - 0.5 * HUBER);
}

static void Deviations(const IwanMisfit *misfit, const IwanCurves *curves, const IwanPoint *point, Dual *omega, Dual *zeta)
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
    const IwanPoint *point = &misfit->points[i];
    Dual             omega, zeta;

    Deviations(misfit, &curves, point, &omega, &zeta);
    value += AddSquare(omega, misfit->omega_variance + point->omega_variance, gradient, normal);
    value += AddSquare(zeta, misfit->zeta_variance + point->zeta_variance, gradient, normal);
  }
  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) {
    if (misfit->width[i] > 0) value += AddSquare(DualParameter(x[i] - misfit->center[i], i), PetscSqr(misfit->width[i]), gradient, normal);
  }
  return value;
}

static PetscReal ExcessSquare(PetscReal deviation, PetscReal own, PetscReal model)
{
  return PetscMin(PetscSqr(deviation), PetscSqr(HUBER) * (own + model)) - own;
}

void IwanMisfitVariances(const IwanMisfit *misfit, const PetscReal x[], PetscReal *omega, PetscReal *zeta)
{
  const PetscReal freedom = (PetscReal)misfit->count - 0.5 * MODAL_IWAN_SIZE; /* both kinds share the unknowns */
  IwanCurves      curves;

  IwanMisfitCurves(x, &curves);
  *omega = *zeta = 0;
  for (PetscInt i = 0; i < misfit->count; i++) {
    const IwanPoint *point = &misfit->points[i];
    Dual             of_omega, of_zeta;

    Deviations(misfit, &curves, point, &of_omega, &of_zeta);
    *omega += ExcessSquare(of_omega.value, point->omega_variance, misfit->omega_variance) / freedom;
    *zeta += ExcessSquare(of_zeta.value, point->zeta_variance, misfit->zeta_variance) / freedom;
  }
}

static PetscErrorCode ValueAndGradient(Tao tao, Vec at, PetscReal *value, Vec gradient, void *context)
{
  const PetscScalar *x;
  PetscScalar       *slope;

  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(at, &x));
  PetscCall(VecGetArrayWrite(gradient, &slope));
  *value = IwanMisfitEvaluate(context, x, slope, NULL);
  PetscCall(VecRestoreArrayWrite(gradient, &slope));
  PetscCall(VecRestoreArrayRead(at, &x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NormalMatrix(Tao tao, Vec at, Mat normal, Mat preconditioner, void *context)
{
  const PetscScalar *x;
  PetscScalar       *entries;
  PetscReal          gradient[MODAL_IWAN_SIZE];

  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(at, &x));
  PetscCall(MatDenseGetArrayWrite(normal, &entries));
  IwanMisfitEvaluate(context, x, gradient, entries);
  PetscCall(MatDenseRestoreArrayWrite(normal, &entries));
  PetscCall(VecRestoreArrayRead(at, &x));
  PetscCall(MatAssemblyBegin(normal, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(normal, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Small against what the points leave open of each unknown; a bound holds what would leave it. */
static PetscBool IsMinimum(const IwanMisfit *misfit, const PetscReal x[])
{
  PetscReal gradient[MODAL_IWAN_SIZE], normal[MODAL_IWAN_SIZE * MODAL_IWAN_SIZE], sum = 0;

  IwanMisfitEvaluate(misfit, x, gradient, normal);
  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) {
    const PetscBool held = PetscNot(!(x[i] <= misfit->low[i] && gradient[i] > 0) && !(x[i] >= misfit->high[i] && gradient[i] < 0));

    if (!held) sum += PetscSqr(gradient[i]) / normal[i * (MODAL_IWAN_SIZE + 1)];
  }
  return sum < PetscSqr(1e-7) ? PETSC_TRUE : PETSC_FALSE;
}

static PetscErrorCode TestConvergence(Tao tao, void *context)
{
  const PetscScalar *x;
  PetscBool          minimum;
  PetscInt           iteration;
  Vec                at;

  PetscFunctionBegin;
  PetscCall(TaoGetIterationNumber(tao, &iteration));
  PetscCall(TaoGetSolution(tao, &at));
  PetscCall(VecGetArrayRead(at, &x));
  minimum = IsMinimum(context, x);
  PetscCall(VecRestoreArrayRead(at, &x));
  if (minimum) PetscCall(TaoSetConvergedReason(tao, TAO_CONVERGED_USER));
  else if (iteration >= MAX_ITERATIONS) PetscCall(TaoSetConvergedReason(tao, TAO_DIVERGED_MAXITS));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Gauss-Newton steps within a trust region and the bounds. */
static PetscErrorCode SolverCreate(IwanMisfit *misfit, Mat normal, Tao *tao)
{
  KSP ksp;
  PC  pc;

  PetscFunctionBegin;
  PetscCall(TaoCreate(PETSC_COMM_SELF, tao));
  PetscCall(TaoSetType(*tao, TAOBNTR));
  PetscCall(TaoSetObjectiveAndGradient(*tao, NULL, ValueAndGradient, misfit));
  PetscCall(TaoSetHessian(*tao, normal, normal, NormalMatrix, misfit));
  PetscCall(TaoSetConvergenceTest(*tao, TestConvergence, misfit));
  PetscCall(TaoGetKSP(*tao, &ksp));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCCHOLESKY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode IwanMisfitMinimise(IwanMisfit *misfit, PetscReal x[], PetscReal *value)
{
  Tao tao;
  Vec at, low, high;
  Mat normal;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, MODAL_IWAN_SIZE, x, &at));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, MODAL_IWAN_SIZE, misfit->low, &low));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, MODAL_IWAN_SIZE, misfit->high, &high));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, MODAL_IWAN_SIZE, MODAL_IWAN_SIZE, NULL, &normal));
  PetscCall(SolverCreate(misfit, normal, &tao));
  PetscCall(TaoSetSolution(tao, at));
  PetscCall(TaoSetVariableBounds(tao, low, high));
  PetscCall(TaoSolve(tao));
  PetscCall(TaoDestroy(&tao));
  PetscCall(MatDestroy(&normal));
  PetscCall(VecDestroy(&high));
  PetscCall(VecDestroy(&low));
  PetscCall(VecDestroy(&at));
  *value = IwanMisfitEvaluate(misfit, x, NULL, NULL);
  PetscFunctionReturn(PETSC_SUCCESS);
}
