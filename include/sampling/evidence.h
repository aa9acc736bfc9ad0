/*
  evidence.h - how probable the data are under a model: the integral of likelihood times prior, by which models are compared.

  By Laplace's approximation, exact where the posterior is normal; by BIC, which knows nothing of the prior and is right up to a constant for many
  data; from the samples of a chain, with an error that tells how far these can be trusted. A `log_posterior` is everywhere the logarithm of
  likelihood times prior, both with all their factors. All of it is local.
*/
#pragma once
#include "sampling/chain.h"

/* A normal distribution about the point of highest posterior. */
typedef struct {
  PetscInt   dim;
  PetscBool  definite;        /* false: the point is no maximum, and there is nothing below */
  PetscReal *covariance;      /* [dim, dim] */
  PetscReal  log_determinant; /* of the covariance */
} Laplace;

/* Of the second derivatives of the NEGATIVE log posterior [dim, dim]. */
PetscErrorCode LaplaceOfHessian(PetscInt dim, const PetscReal hessian[], Laplace *laplace);
/* Of the derivatives [num_residuals, dim] of residuals in units of their deviation, J^T J [Gauss, Newton], and the precision (inverse covariance) of the
   prior [dim, dim], NULL for a flat one. */
PetscErrorCode LaplaceOfJacobian(PetscInt dim, PetscInt num_residuals, const PetscReal jacobian[], const PetscReal prior_precision[],
                                 Laplace *laplace);
PetscErrorCode LaplaceDestroy(Laplace *laplace);
/* Nan where it is not definite. */
PetscReal LaplaceLogEvidence(const Laplace *laplace, PetscReal log_posterior);

/* By the largest log likelihood of num_parameters and num_data: half of minus BIC [Schwarz 1978]. */
PetscReal LogEvidenceByBic(PetscReal log_likelihood, PetscInt num_parameters, PetscInt num_data);

typedef struct {
  PetscReal log_evidence; /* nan where the samples do not tell: of too few steps, or all in a plane */
  PetscReal error;        /* standard error of the logarithm */
  PetscBool trusted;      /* false: the error is told too small, and there is a better way */
} ChainEvidence;

/* From the log posteriors that the chain was told, at no further cost: 1 / Z = mean of g / (likelihood prior), g a normal density in an ellipsoid
   [Gelfand, Dey 1994; Geweke 1999]. It is trusted where the posterior is about normal, so that half of the samples are in the ellipsoid. */
PetscErrorCode ChainFindEvidence(const Chain *chain, PetscInt num_discarded, ChainEvidence *evidence);

/* By a bridge to a normal distribution [Meng, Wong 1996], right for any posterior that this one overlaps: first points are drawn, num_points of them,
   a thousand say; then the caller tells their log posteriors. Nan is zero. `fine` is false where there are fewer than 16 steps, or all samples are
   in a plane. The same `num_discarded` both times, and no step in between. */
PetscErrorCode ChainDrawBridge(const Chain *chain, PetscInt num_discarded, PetscInt seed, PetscInt num_points, PetscReal points[], PetscBool *fine);
PetscErrorCode ChainBridgeEvidence(const Chain *chain, PetscInt num_discarded, PetscInt num_points, const PetscReal points[],
                                   const PetscReal log_densities[], ChainEvidence *evidence);
