/* iwan_report.c - the result of a fit of a modal Iwan model: parameters, their intervals, misfits. */
#include "iwan_misfit.h"
#include "../fitting/bounded_squares.h"
#include <petscblaslapack.h>

/* The inverse of the normal matrix; the priors keep that matrix regular. */
static PetscErrorCode Covariance(const IwanMisfit *misfit, const PetscReal x[], PetscReal covariance[])
{
  const PetscBLASInt size = MODAL_IWAN_SIZE;
  PetscBLASInt       info;
  PetscReal          gradient[MODAL_IWAN_SIZE];

  PetscFunctionBegin;
  IwanMisfitEvaluate(misfit, x, gradient, covariance);
  LAPACKpotrf_("L", &size, covariance, &size, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dpotrf says %d", (int)info);
  LAPACKpotri_("L", &size, covariance, &size, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dpotri says %d", (int)info);
  for (PetscInt i = 0; i < size; i++) {
    for (PetscInt j = 0; j < i; j++) covariance[i * size + j] = covariance[j * size + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal StandardDeviation(const Dual *of, const PetscReal covariance[])
{
  PetscReal variance = 0;

  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) {
    for (PetscInt j = 0; j < MODAL_IWAN_SIZE; j++) variance += of->slope[i] * covariance[i * MODAL_IWAN_SIZE + j] * of->slope[j];
  }
  return PetscSqrtReal(variance);
}

/* A function of each parameter that is nearly normally distributed: its logarithm, ln(1 + beta), and chi itself. */
static void Numbers(const IwanMisfit *misfit, const IwanCurves *curves, const PetscReal x[], Dual numbers[])
{
  const Dual secant = DualMultiply(curves->tangent, IwanCurvesSecant(curves));

  numbers[MODAL_IWAN_STIFFNESS]  = DualLog(curves->stiffness);
  numbers[MODAL_IWAN_DAMPING]    = DualLog(curves->damping);
  numbers[MODAL_IWAN_SLIP_FORCE] = DualShift(DualLog(DualMultiply(secant, curves->phi_max)), misfit->ln_middle);
  numbers[MODAL_IWAN_TANGENT]    = DualLog(curves->tangent);
  numbers[MODAL_IWAN_CHI]        = curves->chi;
  numbers[MODAL_IWAN_BETA]       = DualParameter(x[LN_BETA], LN_BETA);
}

static ModalIwan ModelOf(const PetscReal numbers[])
{
  return (ModalIwan){.stiffness  = PetscExpReal(numbers[MODAL_IWAN_STIFFNESS]),
                     .damping    = PetscExpReal(numbers[MODAL_IWAN_DAMPING]),
                     .slip_force = PetscExpReal(numbers[MODAL_IWAN_SLIP_FORCE]),
                     .tangent    = PetscExpReal(numbers[MODAL_IWAN_TANGENT]),
                     .chi        = numbers[MODAL_IWAN_CHI],
                     .beta       = expm1(numbers[MODAL_IWAN_BETA])};
}

/* Linear theory fails for a parameter that is not determined: its interval is its full admissible range. Where the stiffness of the joints is
   not determined, that of the mode without them is not either. */
static void BoundIntervals(const PetscReal values[], PetscReal low[], PetscReal high[], PetscBool known[])
{
  const PetscReal stuck                  = PetscLogReal(PetscExpReal(values[MODAL_IWAN_STIFFNESS]) + PetscExpReal(values[MODAL_IWAN_TANGENT]));
  const PetscReal most[MODAL_IWAN_SIZE]  = {stuck, PETSC_INFINITY, PETSC_INFINITY, stuck, 0, PETSC_INFINITY};
  const PetscReal least[MODAL_IWAN_SIZE] = {-PETSC_INFINITY, -PETSC_INFINITY, -PETSC_INFINITY, -PETSC_INFINITY, -1, 0};

  if (!known[MODAL_IWAN_TANGENT]) known[MODAL_IWAN_STIFFNESS] = PETSC_FALSE;
  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) {
    low[i]  = known[i] ? PetscMax(low[i], least[i]) : least[i];
    high[i] = known[i] ? PetscMin(high[i], most[i]) : most[i];
  }
}

static PetscErrorCode ReportParameters(const IwanMisfit *misfit, const IwanCurves *curves, const PetscReal x[], ModalIwanFit *fit)
{
  const PetscReal student = StudentDeviation((PetscReal)(2 * misfit->count - MODAL_IWAN_SIZE));
  PetscReal       covariance[MODAL_IWAN_SIZE * MODAL_IWAN_SIZE], values[MODAL_IWAN_SIZE], low[MODAL_IWAN_SIZE], high[MODAL_IWAN_SIZE];
  Dual            numbers[MODAL_IWAN_SIZE];

  PetscFunctionBegin;
  PetscCall(Covariance(misfit, x, covariance));
  Numbers(misfit, curves, x, numbers);
  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) {
    const PetscReal half = student * StandardDeviation(&numbers[i], covariance);

    values[i]          = numbers[i].value;
    low[i]             = values[i] - half;
    high[i]            = values[i] + half;
    fit->determined[i] = half < (i == MODAL_IWAN_CHI ? 0.25 : PetscLogReal(2)) ? PETSC_TRUE : PETSC_FALSE;
  }
  BoundIntervals(values, low, high, fit->determined);
  fit->model = ModelOf(values);
  fit->low   = ModelOf(low);
  fit->high  = ModelOf(high);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void ReportMisfit(const IwanMisfit *misfit, const IwanCurves *curves, ModalIwanFit *fit)
{
  PetscReal omega_sum = 0, zeta_sum = 0;

  fit->num_points      = misfit->count;
  fit->num_micro       = 0;
  fit->least_amplitude = PETSC_INFINITY;
  fit->most_amplitude  = 0;
  for (PetscInt i = 0; i < misfit->count; i++) {
    const LogPoint *point     = &misfit->points[i];
    const PetscReal amplitude = PetscExpReal(point->ln_amplitude - misfit->ln_middle);
    Dual            ln_omega, ln_zeta;

    fit->least_amplitude = PetscMin(fit->least_amplitude, PetscExpReal(point->ln_amplitude));
    fit->most_amplitude  = PetscMax(fit->most_amplitude, PetscExpReal(point->ln_amplitude));
    IwanCurvesEvaluate(curves, amplitude, &ln_omega, &ln_zeta);
    omega_sum += PetscSqr(expm1(ln_omega.value - point->ln_omega));
    zeta_sum += PetscSqr(expm1(ln_zeta.value - point->ln_zeta));
    if (amplitude < curves->phi_max.value) fit->num_micro++;
  }
  fit->omega_misfit = PetscSqrtReal(omega_sum / (PetscReal)misfit->count);
  fit->zeta_misfit  = PetscSqrtReal(zeta_sum / (PetscReal)misfit->count);
}

PetscErrorCode IwanMisfitReport(const IwanMisfit *misfit, const PetscReal x[], ModalIwanFit *fit)
{
  IwanCurves curves;

  PetscFunctionBegin;
  IwanMisfitCurves(x, &curves);
  PetscCall(ReportParameters(misfit, &curves, x, fit));
  ReportMisfit(misfit, &curves, fit);
  PetscFunctionReturn(PETSC_SUCCESS);
}
