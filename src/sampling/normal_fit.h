/* normal_fit.h - a normal distribution in several dimensions: of samples, or of a covariance. Local. */
#pragma once
#include <stdint.h>
#include "sampling/chain.h"

typedef struct {
  PetscInt   dim;
  PetscBool  definite;     /* false: the samples are in a plane, and there is nothing below */
  PetscReal *mean;         /* [dim] */
  PetscReal *factor;       /* L of C = L L^T, [dim, dim] by rows */
  PetscReal *solved;       /* [dim] room for the work */
  PetscReal  log_constant; /* of its density: -1/2 log det(2 pi C) */
} NormalFit;

PetscErrorCode NormalFitCreate(PetscInt dim, const PetscReal mean[], const PetscReal covariance[], NormalFit *fit);
/* Of the steps from `first` to before `end`. */
PetscErrorCode NormalFitOfChain(const Chain *chain, PetscInt first, PetscInt end, NormalFit *fit);
PetscErrorCode NormalFitDestroy(NormalFit *fit);
/* (x - m)^T C^-1 (x - m). */
PetscReal NormalFitSquare(const NormalFit *fit, const PetscReal x[]);
/* The sample of a key. */
void NormalFitDraw(const NormalFit *fit, uint64_t key, PetscReal x[]);
