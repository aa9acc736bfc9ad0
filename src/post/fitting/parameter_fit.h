/*
  parameter_fit.h - numbers of a model, found from how far it is from what was measured.

  The model is a list of numbers, of which some are known and some are to be found; it is not known here what they mean.
*/
#pragma once
#include "post/fitting.h"

enum { FIT_MAX_KINDS = 2 };

/* Deviation i of the model from what was measured is of kind i % num_kinds. Its variance is its own, and that of its kind: what
   neither the model nor the errors of the points explain, which is found from the deviations themselves. */
typedef struct {
  PetscInt          num_values;
  PetscReal        *values; /* of the model; those of the unknowns move */
  PetscInt          num_unknowns, num_starts;
  const FitUnknown *unknowns;
  PetscInt          count, num_kinds;
  const PetscReal  *own;                     /* variances of the deviations; NULL for none */
  PetscReal         variance[FIT_MAX_KINDS]; /* of the kinds: what is thought of them at first, then what they are */
  PetscReal         floor[FIT_MAX_KINDS];    /* least variance of each */
  PetscReal         huber;                   /* standard deviations from which deviations count less; infinite for never */
  /* All deviations, unless there is no such model. */
  PetscErrorCode (*deviate)(void *context, const PetscReal values[], PetscBool *exists, PetscReal deviations[]);
  void *context;
} ParameterFit;

/* From the start of each unknown and others spread around it: the values of the best model, and what is known of each unknown.
   `found` is false when there is no model at any start. The same on every call. Local. */
PetscErrorCode ParameterFitFind(ParameterFit *fit, PetscBool *found, FitParameter parameters[]);
