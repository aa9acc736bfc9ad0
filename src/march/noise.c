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

/* Along straight lines between the samples, from `once` and `twice` integrated at the beginning: the means of both. */
static void FindMeans(PetscInt count, const PetscReal samples[], PetscReal once, PetscReal twice, PetscReal means[2])
{
  const PetscReal duration = samples[2 * (count - 1)] - samples[0];

  means[0] = means[1] = 0.0;
  for (PetscInt i = 0; i + 1 < count; i++) {
    const PetscReal *const before = samples + 2 * i, *const after = before + 2;
    const PetscReal h = after[0] - before[0], gone = h * (once + h * (2.0 * before[1] + after[1]) / 6.0);

    means[1] += h * (twice + h * (0.5 * once + h * (3.0 * before[1] + after[1]) / 24.0)) / duration;
    means[0] += gone / duration;
    once += 0.5 * h * (before[1] + after[1]);
    twice += gone;
  }
}

static void FindOrigin(Signal *signal)
{
  PetscReal means[2];

  FindMeans(signal->num_samples, signal->samples, 0.0, 0.0, means);
  signal->origin[0] = -means[0];
  FindMeans(signal->num_samples, signal->samples, signal->origin[0], 0.0, means);
  signal->origin[1] = -means[1];
  for (PetscInt i = 0; i < 2; i++) signal->images[i] = signal->origin[i];
  for (PetscInt k = 0; k < signal->num_lines; k++) {
    const PetscReal omega = 2.0 * PETSC_PI * (signal->frequency + (PetscReal)k / signal->duration);

    signal->images[0] += signal->lines[2 * k + 1] / omega;
    signal->images[1] += signal->lines[2 * k] / (omega * omega);
  }
}

/* All of them take their numbers by chance, whether they lie within the spectrum or not, so that a line has the same ones in every spectrum. */
static void DrawLines(PetscInt num_points, const PetscReal spectrum[], PetscInt seed, const Signal *signal, PetscReal lines[], fftw_complex line[])
{
  const PetscInt n = signal->num_samples - 1, first = (PetscInt)PetscFloorReal(signal->frequency * signal->duration + 0.5);
  uint64_t       state = (uint64_t)seed;

  line[0][0] = line[0][1] = 0.0;
  for (PetscInt k = 1; k <= n / 2; k++) {
    const PetscReal angle = PETSC_PI * (PetscReal)k / (PetscReal)n, filter = PetscSinReal(angle) / angle;
    const PetscReal size = PetscSqrtReal(Density(num_points, spectrum, (PetscReal)k / signal->duration) / signal->duration);
    PetscReal       pair[2];

    Normal(&state, pair);
    line[k][0] = 0.5 * size * pair[0] / (filter * filter);
    line[k][1] = -0.5 * size * pair[1] / (filter * filter);
    for (PetscInt i = 0; i < 2 && k >= first && k < first + signal->num_lines; i++) lines[2 * (k - first) + i] = size * pair[i];
  }
}

static void Count(PetscInt num_points, const PetscReal spectrum[], Signal *signal)
{
  const PetscReal roundoff = 1e-12, highest = spectrum[2 * num_points - 2] * signal->duration;
  const PetscReal first = PetscMax(PetscCeilReal((1.0 - roundoff) * spectrum[0] * signal->duration), 1.0);

  signal->num_samples = (PetscInt)PetscCeilReal(SAMPLES_IN_PERIOD * highest) + 1;
  signal->frequency   = first / signal->duration;
  signal->num_lines   = (PetscInt)PetscMax(0.0, PetscFloorReal((1.0 + roundoff) * highest) - first + 1.0);
}

PetscErrorCode NoiseSample(PetscInt num_points, const PetscReal spectrum[], PetscInt seed, PetscReal room[], Signal *signal)
{
  fftw_complex *line;
  fftw_plan     plan;
  PetscReal    *value;
  PetscInt      n;

  PetscFunctionBegin;
  Count(num_points, spectrum, signal);
  if (!room) PetscFunctionReturn(PETSC_SUCCESS);
  n     = signal->num_samples - 1;
  value = fftw_alloc_real((size_t)n);
  line  = fftw_alloc_complex((size_t)n / 2 + 1);
  plan  = fftw_plan_dft_c2r_1d((int)n, line, value, FFTW_ESTIMATE);
  PetscCheck(value && line && plan, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for %" PetscInt_FMT " samples", n);
  signal->samples = room;
  signal->lines   = room + 2 * signal->num_samples;
  DrawLines(num_points, spectrum, seed, signal, room + 2 * signal->num_samples, line);
  fftw_execute(plan);
  for (PetscInt i = 0; i <= n; i++) {
    room[2 * i]     = signal->duration * (PetscReal)i / (PetscReal)n;
    room[2 * i + 1] = value[i % n];
  }
  FindOrigin(signal);
  fftw_destroy_plan(plan);
  fftw_free(line);
  fftw_free(value);
  PetscFunctionReturn(PETSC_SUCCESS);
}
