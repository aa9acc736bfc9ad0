/*
  spectra.h - the power spectral density of a stationary random record, and its root mean square with the error of that.
*/
#pragma once
#include "base.h"

/* One-sided densities by Welch's method: segments that overlap by half, under Hann's window, their means taken out [Welch 1967]. */
typedef struct {
  PetscInt  num_segments, num_lines;
  PetscReal spacing; /* of the lines, from 0 on [Hz] */
  PetscReal rms;     /* of the record less its mean */
  PetscReal error;   /* standard error of it */
} Spectrum;

/* Lines of segments of so many samples. Local, as what follows. */
PetscInt SpectrumLines(PetscInt segment);
/* density[num_lines] of `count` samples, at least one segment of them. The error is that of the rms of a Gaussian process: var(rms^2) = 1/T times the
   integral of the squared density over all frequencies [Bendat, Piersol 2010, 8.2.2]; peaks narrower than the lines make it too small. */
PetscErrorCode SpectrumFind(PetscInt count, const PetscReal values[], PetscReal step, PetscInt segment, Spectrum *spectrum, PetscReal density[]);
