/*
  basis.h - the harmonics that a periodic motion is made of, and samples of its period.

      d(theta) = sum_j x_j phi_j(theta),   theta = W t

  phi is 1 for harmonic 0, cos k theta and sin k theta for each other one, in this order. Numbers of several motions stand motion after
  motion, [num_motions, num_functions].
*/
#pragma once
#include "base.h"

typedef struct {
  PetscInt   highest;       /* harmonic */
  PetscBool  odd;           /* odd harmonics alone: of motions that repeat themselves with the other sign after half a period */
  PetscInt   num_harmonics; /* with harmonic 0, if there is one */
  PetscInt   num_functions;
  PetscInt   num_samples; /* N of a period, at theta_n = 2 pi n / N */
  PetscInt   stretch;     /* so many of them tell all: N, or half of them where the others are these with the other sign */
  PetscReal  turn;        /* what a sample becomes a stretch later: 1 or -1 times itself */
  PetscInt  *harmonic;    /* [num_harmonics] ascending */
  PetscInt  *first;       /* [num_harmonics] the first function of each */
  PetscReal *weight;      /* [num_functions] f_j = weight_j sum_n f(theta_n) phi_j(theta_n): 2 / stretch, half of that for harmonic 0 */
  PetscReal *function;    /* [padded num_functions, stretch] samples of each function; zeros behind the last */
  PetscInt   num_waves;   /* 1, cos, sin, ... up to twice the highest harmonic, even ones alone if `odd`: products of two functions */
  PetscReal *wave;        /* [padded num_waves, stretch] their samples */
} HarmonicBasis;

/* All of it is local. */
PetscErrorCode HarmonicBasisCreate(PetscInt highest, PetscBool odd, PetscInt num_samples, HarmonicBasis **basis);
PetscErrorCode HarmonicBasisDestroy(HarmonicBasis **basis);

/* Function of harmonic k that is its cosine, its sine comes behind it; -1 where the basis does not have it. */
PetscInt HarmonicFunction(const HarmonicBasis *basis, PetscInt k);

/* The functions at an angle, their slopes and curvatures by it; NULL is not asked for: [num_functions]. Hot. */
void HarmonicValues(const HarmonicBasis *basis, PetscReal theta, PetscReal value[], PetscReal slope[], PetscReal curvature[]);
/* Value, slope and curvature of a motion at an angle. Hot. */
void HarmonicMotionAt(const HarmonicBasis *basis, const PetscReal x[], PetscReal theta, PetscReal *value, PetscReal *slope, PetscReal *curvature);

/* Half of peak to peak of a motion. */
PetscErrorCode HarmonicAmplitude(const HarmonicBasis *basis, const PetscReal x[], PetscReal *amplitude);

/* Sample n >= 0 of a motion, of which `samples` are those of a stretch. */
static inline PetscReal HarmonicSampleOf(const HarmonicBasis *basis, const PetscReal samples[], PetscInt n)
{
  return n < basis->stretch ? samples[n] : basis->turn * HarmonicSampleOf(basis, samples, n - basis->stretch);
}

/* Samples of a motion, [stretch]; its slopes by the angle likewise; `work` has the padded num_functions numbers. Hot. */
void HarmonicSample(const HarmonicBasis *basis, const PetscReal x[], PetscReal work[], PetscReal samples[]);
void HarmonicSampleSlope(const HarmonicBasis *basis, const PetscReal x[], PetscReal work[], PetscReal samples[]);
/* The functions' shares in samples, [num_functions]: the way back. Hot. */
void HarmonicAnalyse(const HarmonicBasis *basis, const PetscReal samples[], PetscReal x[]);
/* sum_n weight_i phi_i(n) samples(n) phi_j(n) for all functions: added to matrix[i * stride + j]. These samples are the
   same a stretch later. `work` has num_waves padded numbers. Hot. */
void HarmonicAddProduct(const HarmonicBasis *basis, const PetscReal samples[], PetscInt stride, PetscReal work[], PetscReal matrix[]);

/* The same motions on another basis: what that does not have is left out, what this does not have is zero. */
void HarmonicCarry(const HarmonicBasis *from, const PetscReal x[], PetscInt num_motions, const HarmonicBasis *to, PetscReal y[]);
