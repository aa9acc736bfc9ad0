/*
  noise.c - samples of a Gaussian process of a given spectral density: a sum of sines with amplitudes and phases by chance.

      s(t) = sum_k A_k cos(2 pi f_k t) + B_k sin(2 pi f_k t),   f_k = k / T,   A_k, B_k normal with variance S(f_k) / T  [Shinozuka, Deodatis 1991]

  Straight lines between samples filter a sine by sinc^2 of its frequency over that of the samples; the amplitudes make up for that.
*/
#include <fftw3.h> /* before PETSc brings complex.h, which would change the type of its numbers */
#include <math.h>
#include "march/signal.h"
#include "base/random.h"

enum { SAMPLES_IN_PERIOD = 16 }; /* of the highest frequency: images of the lines then have 0.4 % of its amplitude */

/* Two independent normal numbers of variance 1 [Box, Muller 1958]. */
static void Normal(uint64_t *state, PetscReal pair[2])
{
  const PetscReal radius = PetscSqrtReal(-2.0 * PetscLogReal(RandomUniform(RandomNext(state)))),
                  angle  = 2.0 * PETSC_PI * RandomUniform(RandomNext(state));

  pair[0] = radius * PetscCosReal(angle);
  pair[1] = radius * PetscSinReal(angle);
}

static PetscReal Density(PetscInt num_points, const PetscReal spectrum[], PetscReal frequency)
{
  const PetscReal *point = spectrum;
  PetscReal        share;

  if (frequency < spectrum[0] || frequency > spectrum[2 * num_points - 2]) return 0.0;
  while (point + 4 < spectrum + 2 * num_points && frequency > point[2]) point += 2;
  share = PetscLogReal(frequency / point[0]) / PetscLogReal(point[2] / point[0]);
  return point[1] * PetscPowReal(point[3] / point[1], share);
}

PetscErrorCode NoiseSample(PetscInt num_points, const PetscReal spectrum[], PetscReal duration, PetscInt seed, PetscInt *count, PetscReal samples[])
{
  const PetscInt n     = (PetscInt)PetscCeilReal(SAMPLES_IN_PERIOD * duration * spectrum[2 * num_points - 2]);
  uint64_t       state = (uint64_t)seed;
  fftw_complex  *line;
  fftw_plan      plan;
  PetscReal     *value;

  PetscFunctionBegin;
  *count = n + 1;
  if (!samples) PetscFunctionReturn(PETSC_SUCCESS);
  value = fftw_alloc_real((size_t)n);
  line  = fftw_alloc_complex((size_t)n / 2 + 1);
  plan  = fftw_plan_dft_c2r_1d((int)n, line, value, FFTW_ESTIMATE);
  PetscCheck(value && line && plan, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for %" PetscInt_FMT " samples", n);
  line[0][0] = line[0][1] = 0.0;
  for (PetscInt k = 1; k <= n / 2; k++) {
    const PetscReal angle = PETSC_PI * (PetscReal)k / (PetscReal)n, filter = PetscSinReal(angle) / angle;
    const PetscReal size = 0.5 * PetscSqrtReal(Density(num_points, spectrum, (PetscReal)k / duration) / duration) / (filter * filter);
    PetscReal       pair[2];

    Normal(&state, pair);
    line[k][0] = size * pair[0];
    line[k][1] = -size * pair[1];
  }
  fftw_execute(plan);
  for (PetscInt i = 0; i <= n; i++) {
    samples[2 * i]     = duration * (PetscReal)i / (PetscReal)n;
    samples[2 * i + 1] = value[i % n];
  }
  fftw_destroy_plan(plan);
  fftw_free(line);
  fftw_free(value);
  PetscFunctionReturn(PETSC_SUCCESS);
}
