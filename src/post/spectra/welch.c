/* welch.c - power spectral densities by Welch's method. */
#include <fftw3.h> /* before PETSc brings complex.h, which would change the type of its numbers */
#include "post/spectra.h"

PetscInt SpectrumLines(PetscInt segment)
{
  return segment / 2 + 1;
}

static PetscReal Hann(PetscInt i, PetscInt segment)
{
  return 0.5 - 0.5 * PetscCosReal(2.0 * PETSC_PI * (PetscReal)i / (PetscReal)segment);
}

static PetscReal Mean(PetscInt count, const PetscReal values[])
{
  PetscReal sum = 0.0;

  for (PetscInt i = 0; i < count; i++) sum += values[i];
  return sum / (PetscReal)count;
}

/* Adds the squares of the lines of each segment; how many there were. */
static PetscErrorCode AddSegments(PetscInt count, const PetscReal values[], PetscInt segment, PetscInt *num_segments, PetscReal sums[])
{
  PetscReal    *samples = fftw_alloc_real((size_t)segment);
  fftw_complex *line    = fftw_alloc_complex((size_t)segment / 2 + 1);
  fftw_plan     plan    = fftw_plan_dft_r2c_1d((int)segment, samples, line, FFTW_ESTIMATE);

  PetscFunctionBegin;
  PetscCheck(samples && line && plan, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for %" PetscInt_FMT " samples", segment);
  *num_segments = 0;
  for (PetscInt first = 0; first + segment <= count; first += PetscMax(segment / 2, 1), ++*num_segments) {
    const PetscReal mean = Mean(segment, values + first);

    for (PetscInt i = 0; i < segment; i++) samples[i] = Hann(i, segment) * (values[first + i] - mean);
    fftw_execute(plan);
    for (PetscInt k = 0; k < SpectrumLines(segment); k++) sums[k] += PetscSqr(line[k][0]) + PetscSqr(line[k][1]);
  }
  fftw_destroy_plan(plan);
  fftw_free(line);
  fftw_free(samples);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A density that is a mean of m has 1 + 1/m times the square of the true one; segments that overlap by half under Hann's window count for
   m = 18 n^2 / (19 n - 1) [Welch 1967]. */
static PetscReal SquareIntegral(const Spectrum *spectrum, const PetscReal density[])
{
  const PetscReal n = (PetscReal)spectrum->num_segments, m = 18.0 * n * n / (19.0 * n - 1.0);
  PetscReal       sum = 0.0;

  for (PetscInt k = 0; k < spectrum->num_lines; k++) sum += PetscSqr(density[k]) * spectrum->spacing;
  return sum / (1.0 + 1.0 / m);
}

PetscErrorCode SpectrumFind(PetscInt count, const PetscReal values[], PetscReal step, PetscInt segment, Spectrum *spectrum, PetscReal density[])
{
  const PetscReal mean = Mean(count, values), window = 0.375 * (PetscReal)segment; /* the sum of the squares of Hann's */
  PetscReal       squares = 0.0;

  PetscFunctionBegin;
  *spectrum = (Spectrum){.num_lines = SpectrumLines(segment), .spacing = 1.0 / ((PetscReal)segment * step)};
  for (PetscInt i = 0; i < count; i++) squares += PetscSqr(values[i] - mean);
  spectrum->rms = PetscSqrtReal(squares / (PetscReal)count);
  PetscCall(PetscArrayzero(density, spectrum->num_lines));
  PetscCall(AddSegments(count, values, segment, &spectrum->num_segments, density));
  for (PetscInt k = 0; k < spectrum->num_lines; k++) {
    const PetscReal sides = k == 0 || 2 * k == segment ? 1.0 : 2.0;

    density[k] *= sides * step / (window * (PetscReal)spectrum->num_segments);
  }
  if (spectrum->rms > 0.0) spectrum->error = 0.5 * PetscSqrtReal(SquareIntegral(spectrum, density) / ((PetscReal)count * step)) / spectrum->rms;
  PetscFunctionReturn(PETSC_SUCCESS);
}
