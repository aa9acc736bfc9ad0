/*
  autocorrelation.c - integrated autocorrelation time.

      tau = 1 + 2 sum_{t=1}^M rho(t),   M the least with M >= 5 tau(M)     [Sokal 1997, section 3]

  rho is the mean over the walkers, about the mean of all of them, so that walkers that stay in different places do not agree too soon.
*/
#include "autocorrelation.h"
#include <math.h>

static const PetscReal window = 5.0;

/* The mean over walkers of the products of numbers that are `lag` steps apart, divided by all steps: its sum stays bounded. */
static PetscReal Covariance(PetscInt num_steps, PetscInt num_walkers, PetscInt stride, const PetscReal series[], PetscReal mean, PetscInt lag)
{
  const PetscInt numbers = (num_steps - lag) * num_walkers;
  PetscReal      sum     = 0.0;

  for (PetscInt i = 0; i < numbers; i++) sum += (series[i * stride] - mean) * (series[(i + lag * num_walkers) * stride] - mean);
  return sum / ((PetscReal)num_steps * (PetscReal)num_walkers);
}

PetscReal AutocorrelationTime(PetscInt num_steps, PetscInt num_walkers, PetscInt stride, const PetscReal series[])
{
  PetscReal mean = 0.0, variance, time = 1.0;

  for (PetscInt i = 0; i < num_steps * num_walkers; i++) mean += series[i * stride] / ((PetscReal)num_steps * (PetscReal)num_walkers);
  variance = Covariance(num_steps, num_walkers, stride, series, mean, 0);
  if (!(variance > PetscSqr(16.0 * PETSC_MACHINE_EPSILON * mean))) return (PetscReal)NAN;
  for (PetscInt lag = 1; lag < num_steps && (PetscReal)(lag - 1) < window * time; lag++) {
    time += 2.0 * Covariance(num_steps, num_walkers, stride, series, mean, lag) / variance;
  }
  return PetscMax(time, 1.0);
}

void AutocorrelatedMean(PetscInt num_steps, PetscInt num_walkers, const PetscReal series[], PetscReal *mean, PetscReal *error)
{
  const PetscInt  count    = num_steps * num_walkers;
  const PetscReal time     = AutocorrelationTime(num_steps, num_walkers, 1, series);
  PetscReal       variance = 0.0;

  *mean = 0.0;
  for (PetscInt i = 0; i < count; i++) *mean += series[i] / (PetscReal)count;
  for (PetscInt i = 0; i < count; i++) variance += PetscSqr(series[i] - *mean) / (PetscReal)(count - 1);
  *error = PetscSqrtReal(variance * (isnan(time) ? 1.0 : time) / (PetscReal)count);
}
