/*
  plan.h - which samples of the parameters a study computes.

  A Plan has rows; row i is a point of the unit cube, one coordinate for each parameter, and a function of the plan and of i alone: any rank can
  make any row, in any order, and gets the same one. Values follow by the quantiles of the parameters, after correlation where there is any.

  Parameters of `values` and `grid` take all their combinations, each of which is repeated for every sample of the others: row = sample *
  combinations + combination, so that the differences between combinations are those at the same samples. With `combinations: sampled` they are
  sampled as the others, every value being equally probable.

  Correlation is that of normal scores (a Gaussian copula): z = L w with L L^T = R, w = Phi^-1(u) independent, x = F^-1(Phi(z)). It is the
  correlation of the parameters themselves where these are normal, of their logarithms where they are lognormal.

  To add a method: a name in plan_read.c, its coordinate in plan.c.
*/
#pragma once
#include "sampling/distribution.h"

typedef struct Plan Plan;

typedef enum {
  PLAN_RANDOM,          /* independent; can be extended */
  PLAN_LATIN_HYPERCUBE, /* one sample in each of `samples` equal cells of every parameter; cannot be extended */
  PLAN_SOBOL,           /* Sobol' sequence, scrambled; can be extended */
  PLAN_SOBOL_INDICES,   /* for each base sample the rows A, B, A_B^1, ..., A_B^k, and B_A^1, ..., B_A^k with second order [Saltelli 2010] */
  NUM_PLAN_METHODS
} PlanMethod;

extern const char *const plan_methods[NUM_PLAN_METHODS + 1]; /* ends with NULL */

enum { PLAN_MOST_SOBOL = 256 /* coordinates of a Sobol' sequence; indices need two for a parameter */ };

typedef struct {
  PetscInt         method;       /* a PlanMethod */
  PetscInt         samples;      /* of what is sampled; base samples of indices */
  PetscInt         seed;         /* another number, other samples */
  PetscBool        scramble;     /* of Sobol' sequences */
  PetscBool        second_order; /* of indices: those of pairs, too */
  PetscInt         combinations; /* of values and grids: 0 all, 1 sampled */
  const InputNode *correlation;  /* only read by PlanCreateFromKeys */
} PlanKeys;

/* The keys of a plan in a map, for the help, and for tables of maps that have others, too: PLAN_FIELDS(offset of a PlanKeys in the struct). */
extern const InputTable  plan_table;
extern const InputTable  plan_correlation_table;
extern const char *const plan_combinations[];

// clang-format off
#define PLAN_FIELDS(start) \
  {.key = "method", .kind = INPUT_WORD, .offset = (start) + offsetof(PlanKeys, method), .fallback = PLAN_SOBOL, .words = plan_methods, \
   .help = "how parameters are sampled: independently at random; one sample in each of equally probable cells of every parameter; by a Sobol' sequence; or as Sobol' indices need it"}, \
  {.key = "samples", .kind = INPUT_COUNT, .offset = (start) + offsetof(PlanKeys, samples), .fallback = INPUT_OPTIONAL, .least = 1, .most = PETSC_MAX_INT, \
   .help = "number of samples; random and Sobol' samples stay the same when it is raised; of `sobol_indices` the base samples, each of which takes (parameters + 2) runs"}, \
  {.key = "seed", .kind = INPUT_COUNT, .offset = (start) + offsetof(PlanKeys, seed), .fallback = 1, .least = 0, .most = PETSC_MAX_INT, \
   .help = "another number gives other samples; the same number gives the same ones on any machine and any number of ranks"}, \
  {.key = "scramble", .kind = INPUT_TRUTH, .offset = (start) + offsetof(PlanKeys, scramble), .fallback = 1, \
   .help = "scramble the Sobol' sequence by the seed, which leaves it balanced and makes means free of bias"}, \
  {.key = "second_order", .kind = INPUT_TRUTH, .offset = (start) + offsetof(PlanKeys, second_order), .fallback = 0, \
   .help = "of `sobol_indices`: indices of pairs of parameters, too; a base sample then takes (2 parameters + 2) runs"}, \
  {.key = "combinations", .kind = INPUT_WORD, .offset = (start) + offsetof(PlanKeys, combinations), .fallback = INPUT_OPTIONAL, .words = plan_combinations, \
   .help = "of parameters with values or a grid: all combinations, each with every sample of the others; or sampled as the others, which `sobol_indices` always does; default: all"}, \
  {.key = "correlation", .kind = INPUT_NODE, .offset = (start) + offsetof(PlanKeys, correlation), \
   .help = "correlation of the normal scores of parameters: {parameters, matrix}; parameters that are not named are independent"}
// clang-format on

/* Reads a plan of these parameters, whose names end with NULL, from a map of its own; after a complaint there is some plan. */
PetscErrorCode PlanRead(const InputNode *map, const char *const names[], const Distribution distributions[], Plan **plan);
/* Likewise, of keys that have been read with the others of a map. */
PetscErrorCode PlanCreateFromKeys(const InputNode *map, const PlanKeys *keys, const char *const names[], const Distribution distributions[],
                                  Plan **plan);
/* From numbers that are fine. `correlation` [num, num], symmetric with ones on its diagonal, is NULL for none. Where it is not positive definite there
   is no plan, and `fault` is the number of the first parameter, from 1, that cannot be correlated so with those before it; 0 otherwise. */
PetscErrorCode PlanCreate(const PlanKeys *keys, PetscInt num, const Distribution distributions[], const PetscReal correlation[], PetscInt *fault,
                          Plan **plan);
PetscErrorCode PlanDestroy(Plan **plan);

PetscInt   PlanNumParameters(const Plan *plan);
PetscInt   PlanNumRows(const Plan *plan);
PetscInt   PlanNumSamples(const Plan *plan);   /* 1 where all parameters are combined */
PetscInt   PlanNumPerSample(const Plan *plan); /* rows of a sample: combinations, or those of a base sample of indices */
PlanMethod PlanGetMethod(const Plan *plan);
/* Whether more samples leave the first rows as they are. */
PetscBool PlanIsExtensible(const Plan *plan);
/* What a user should know of this plan, in a sentence; NULL for nothing. */
const char *PlanRemark(const Plan *plan);

/* A row of the unit cube, within (0, 1): before correlation. Parameters that are combined have the middle of the share of their value. Local. */
void PlanPoint(const Plan *plan, PetscInt row, PetscReal u[]);
/* Its values [in the units of the parameters]. Local. */
void PlanValues(const Plan *plan, PetscInt row, PetscReal values[]);

/* The logarithm of the density that values have under the distributions of the parameters and their correlation, as a prior is; minus infinity outside.
   `scores` [num_parameters] is room for the work. Local. */
PetscReal PlanLogDensity(const Plan *plan, const PetscReal values[], PetscReal scores[]);
