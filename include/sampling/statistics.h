/*
  statistics.h - what the results of many samples say.

  A table has a row for each sample and a column for each output; `stride` is the distance of two rows in it. Numbers that are not finite are those
  of samples that failed: they are left out, and counted. That is no answer to why they failed: where failures have to do with the values of the
  parameters, all statistics are those of the samples that did not.

  Errors and intervals take the rows as independent. Samples of a Latin hypercube or of a Sobol' sequence are spread more evenly than that, and
  means of smooth outputs are then more accurate than their errors tell.

  Memory is that of one table. All of it is local.
*/
#pragma once
#include "base.h"

typedef struct {
  PetscInt  count, num_failed;
  PetscReal mean, mean_error; /* the error is deviation / sqrt(count) */
  PetscReal deviation;        /* of count - 1 degrees of freedom */
  PetscReal least, most;
} Summary;

/* Nan where there are too few samples. */
PetscErrorCode SummaryFind(PetscInt num_rows, PetscInt stride, const PetscReal values[], Summary *summary);

/* A number with an interval that contains the true one with the confidence that was asked for. */
typedef struct {
  PetscReal value, low, high;
} Estimate;

/* The values below which lie so many percent of the distribution: between the sorted samples linearly, at 1 + (count - 1) percent / 100 [Hyndman,
   Fan 1996, type 7]. The intervals hold whatever the distribution is: two of the sorted samples, minus or plus infinity where there are too few of
   them. */
PetscErrorCode PercentilesFind(PetscInt num_rows, PetscInt stride, const PetscReal values[], PetscReal confidence, PetscInt num,
                               const PetscReal percents[], Estimate percentiles[]);

/* Those of curves over the places of a common grid: a curve is a row [num_places] of the table. The band is [num_percents, num_places]; `count`, of the
   samples at each place, may be NULL. */
PetscErrorCode BandFind(PetscInt num_rows, PetscInt num_places, const PetscReal curves[], PetscReal confidence, PetscInt num_percents,
                        const PetscReal percents[], Estimate band[], PetscInt count[]);

/* Of an output with an input, over the rows in which both are numbers; nan where one of them does not change, or of fewer than three rows. */
typedef struct {
  PetscInt  count;
  PetscReal pearson;  /* of the values */
  PetscReal spearman; /* of their ranks; equal values share the mean of theirs */
} Correlation;
/* `table` is [num_outputs, num_inputs]. */
PetscErrorCode CorrelationsFind(PetscInt num_rows, PetscInt num_inputs, const PetscReal inputs[], PetscInt num_outputs, const PetscReal outputs[],
                                Correlation table[]);

/* The shares of the variance of an output that parameters cause: first order, the parameter alone; total, the parameter alone and with others;
   second order, two parameters together beyond what each does alone. */
typedef struct {
  PetscInt  num_parameters, count, num_failed; /* base samples; one fails with any of its rows */
  PetscReal mean, variance;
  Estimate *first, *total; /* [num_parameters] */
  Estimate *second;        /* [num_parameters, num_parameters], both halves, its diagonal nan; NULL where the plan has none */
} SobolIndices;

/* Of the rows of a plan PLAN_SOBOL_INDICES of so many parameters and base samples; intervals by `num_replicates` bootstraps of base samples,
   drawn by the seed. Nan where the output does not change, or of fewer than two base samples. */
PetscErrorCode SobolIndicesFind(PetscInt num_parameters, PetscBool second_order, PetscInt num_samples, PetscInt stride, const PetscReal values[],
                                PetscReal confidence, PetscInt num_replicates, PetscInt seed, SobolIndices *indices);
PetscErrorCode SobolIndicesDestroy(SobolIndices *indices);
