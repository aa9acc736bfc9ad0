/*
  autocorrelation.c - integrated autocorrelation time.

      tau = 1 + 2 sum_{t=1}^M rho(t),   M the least with M >= 5 tau(M)     [Sokal 1997, section 3]

  rho is the mean over the walkers, about the mean of all of them, so that walkers that stay in different places do not agree too soon. All lags at
  once are the transform back of the mean power spectrum, of series with as many zeros behind them.
*/
#include <fftw3.h> /* before PETSc brings complex.h, which would change the type of its numbers */
#include "autocorrelation.h"
#include <math.h>

static const PetscReal window = 5.0;

/* Sums over steps and walkers of products of numbers so many steps apart, times a factor, into the first [num_steps] of `work` [2 num_steps]. */
static void Correlate(PetscInt num_steps, PetscInt num_walkers, PetscInt stride, const PetscReal series[], PetscReal mean, PetscReal work[],
                      fftw_complex spectrum[], PetscReal power[])
{
  const fftw_plan forth = fftw_plan_dft_r2c_1d(2 * (int)num_steps, work, spectrum, FFTW_ESTIMATE);
  const fftw_plan back  = fftw_plan_dft_c2r_1d(2 * (int)num_steps, spectrum, work, FFTW_ESTIMATE);

  for (PetscInt i = 0; i <= num_steps; i++) power[i] = 0.0;
  for (PetscInt walker = 0; walker < num_walkers; walker++) {
    for (PetscInt i = 0; i < num_steps; i++) {
      work[i]             = series[(i * num_walkers + walker) * stride] - mean;
      work[num_steps + i] = 0.0;
    }
    fftw_execute(forth);
    for (PetscInt i = 0; i <= num_steps; i++) power[i] += PetscSqr(spectrum[i][0]) + PetscSqr(spectrum[i][1]);
  }
  for (PetscInt i = 0; i <= num_steps; i++) {
    spectrum[i][0] = power[i];
    spectrum[i][1] = 0.0;
  }
  fftw_execute(back);
  fftw_destroy_plan(forth);
  fftw_destroy_plan(back);
}

PetscErrorCode AutocorrelationTime(PetscInt num_steps, PetscInt num_walkers, PetscInt stride, const PetscReal series[], PetscReal *time)
{
  PetscReal    *work, *power;
  fftw_complex *spectrum;
  Summary       all;

  PetscFunctionBegin;
  *time = (PetscReal)NAN;
  PetscCall(SummaryFind(num_steps * num_walkers, stride, series, &all));
  if (!(all.deviation > 16.0 * PETSC_MACHINE_EPSILON * PetscAbsReal(all.mean))) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCheck(num_steps < PETSC_MAX_INT / 2, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "%" PetscInt_FMT " steps", num_steps);
  PetscCall(PetscMalloc3(2 * num_steps, &work, num_steps + 1, &power, num_steps + 1, &spectrum));
  Correlate(num_steps, num_walkers, stride, series, all.mean, work, spectrum, power);
  *time = 1.0;
  for (PetscInt lag = 1; lag < num_steps && (PetscReal)(lag - 1) < window * *time; lag++) *time += 2.0 * work[lag] / work[0];
  *time = PetscMax(*time, 1.0);
  PetscCall(PetscFree3(work, power, spectrum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AutocorrelatedMean(PetscInt num_steps, PetscInt num_walkers, PetscInt stride, const PetscReal series[], Summary *summary)
{
  PetscReal time;

  PetscFunctionBegin;
  PetscCall(AutocorrelationTime(num_steps, num_walkers, stride, series, &time));
  PetscCall(SummaryFind(num_steps * num_walkers, stride, series, summary));
  if (!isnan(time)) summary->mean_error *= PetscSqrtReal(time);
  PetscFunctionReturn(PETSC_SUCCESS);
}
