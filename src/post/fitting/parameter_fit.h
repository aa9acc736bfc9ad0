/*
  parameter_fit.h - unknown numbers of a model, found by least squares from its deviations from measurements.

  The model is a list of numbers, of which some are known and some are unknown; what they mean is the caller's concern.
*/
#pragma once
#include "post/fitting.h"

enum { FIT_MAX_KINDS = 2 };

/* Deviation i of the model from the measurements is of the kind i % num_kinds. Its variance is the sum of its own and that of its kind; the
   latter is what neither the model nor the errors of the points explain, and follows from the deviations themselves. */
typedef struct {
  PetscInt          num_values;
  PetscReal        *values; /* of the model; those of the unknowns move */
  PetscInt          num_unknowns, num_starts;
  const FitUnknown *unknowns;
  PetscInt          count, num_kinds;
  const PetscReal  *own;                     /* variances of the deviations; NULL for none */
  PetscReal         variance[FIT_MAX_KINDS]; /* of the kinds: estimates at first, afterwards the result */
  PetscReal         floor[FIT_MAX_KINDS];    /* least variance of each */
  PetscReal         huber;                   /* deviations beyond this many standard deviations count less; infinite: never */
  /* All deviations; `exists` is false where there is no model with these values. */
  PetscErrorCode (*deviate)(void *context, const PetscReal values[], PetscBool *exists, PetscReal deviations[]);
  void *context;
} ParameterFit;

/* Searches from the start of each unknown and from others spread around it, and gives the values of the best model and how well each unknown is
   known. `found` is false where there is no model at any start. Every call gives the same result. Local. */
PetscErrorCode ParameterFitFind(ParameterFit *fit, PetscBool *found, FitParameter parameters[]);
