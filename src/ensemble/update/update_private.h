/* update_private.h - what an Update is made of; private to this folder. */
#pragma once
#include "../ensemble_private.h"
#include "ensemble/update.h"
#include "post/fitting.h"
#include "sampling/evidence.h"

/* A number to be found. What was known of it before is a density of z, by which it is sampled: flat between bounds, or the standard normal one. */
typedef enum { SCALE_LINEAR, SCALE_LOGARITHMIC, SCALE_QUANTILE } UnknownScale;

typedef struct {
  FitUnknown   fit; /* start and bounds, for the search */
  PetscBool    has_prior;
  Distribution prior;
  UnknownScale scale;
  PetscReal    centre, spread; /* value, or its logarithm: centre + spread z */
  PetscBool    normal;         /* the density of z before is the standard normal one; else flat */
  PetscReal    low, high;      /* bounds of z; infinite for none */
  PetscReal    log_mass;       /* logarithm of what the density of z is divided by; nan where it is flat without bounds */
} Unknown;

/* What an output was measured to be. */
typedef struct {
  PetscInt         output; /* among those of the ensemble; of a shape, which has one for each motion, the first */
  PetscInt         first, count;
  PetscBool        is_shape;            /* known up to a factor */
  PetscBool        exact;               /* its derivatives are, where modes have frequencies of their own */
  const PetscReal *value, *uncertainty; /* [count], [SI], standard deviations */
} Target;

typedef enum { POSTERIOR_LAPLACE, POSTERIOR_CHAIN } PosteriorMethod;

typedef struct {
  PetscInt  method; /* a PosteriorMethod */
  PetscInt  walkers, steps, discard, draws, bridge;
  PetscInt  seed;
  PetscReal confidence;
} PosteriorKeys;

/* The case with some values. */
typedef struct {
  PetscReal *outputs; /* [num_values] as in a Sample */
  PetscReal *slopes;  /* [num_values, num_unknowns], by the values themselves; of the outputs of targets */
  PetscBool *exact;   /* [num_targets] whether those of a target are exact; else differences */
} Evaluated;

/* What is known of the numbers in the end. */
typedef struct {
  TargetFound found;
  char        reason[RESULT_TEXT_LENGTH]; /* how the search ended */
  PetscReal   values[FIT_MAX_UNKNOWNS];
  PetscReal   chi_square;                /* of the targets alone */
  PetscReal   log_likelihood, log_prior; /* at the best values; log_prior is nan where there is no proper one */
  Laplace     laplace;                   /* in z */
  PetscReal  *draws;                     /* [num_draws, num_unknowns], values of the posterior; NULL for none */
  PetscInt    num_draws;
} Updated;

/* The places of the fields in the findings, see update_tables.c. */
typedef enum {
  UPDATE_NAMES,
  UPDATE_PATHS,
  UPDATE_UNITS,
  UPDATE_PRIORS,
  UPDATE_START,
  UPDATE_VALUE,
  UPDATE_LOW,
  UPDATE_HIGH,
  UPDATE_STANDARD_ERROR,
  UPDATE_DETERMINED,
  UPDATE_AT_BOUND,
  UPDATE_CORRELATION,
  UPDATE_TARGETS,
  UPDATE_TARGET_PATHS,
  UPDATE_TARGET_UNITS,
  UPDATE_EXACT,
  UPDATE_FOLLOWED,
  UPDATE_MISFIT,
  UPDATE_DATA_TARGET,
  UPDATE_PLACE,
  UPDATE_MEASURED,
  UPDATE_UNCERTAINTY,
  UPDATE_BEFORE,
  UPDATE_AFTER,
  UPDATE_SENSITIVITY,
  UPDATE_CHI_SQUARE,
  UPDATE_LOG_LIKELIHOOD,
  UPDATE_BIC,
  UPDATE_WIDENING,
  UPDATE_EVALUATIONS,
  UPDATE_STRUCTURES,
  UPDATE_CONVERGED,
  UPDATE_REASON
} UpdateField;

typedef enum { STARTS_START, STARTS_VALUE, STARTS_CHI_SQUARE, STARTS_CONVERGED, STARTS_REASON } StartsField;

typedef enum {
  MARGINAL_MEDIAN,
  MARGINAL_DEVIATION,
  MARGINAL_LOW,
  MARGINAL_HIGH,
  MARGINAL_CORRELATION,
  MARGINAL_LOG_EVIDENCE,
  MARGINAL_REASON,
  MARGINAL_MEAN,
  MARGINAL_MEAN_ERROR,
  MARGINAL_EVIDENCE_ERROR,
  MARGINAL_EVIDENCE_TRUSTED,
  MARGINAL_ACCEPTANCE,
  MARGINAL_TIME,
  MARGINAL_EFFECTIVE,
  MARGINAL_R_HAT,
  MARGINAL_DISCARDED,
  MARGINAL_FAILED,
  MARGINAL_ENOUGH
} MarginalField;

typedef enum { CHAIN_PLACES, CHAIN_LOG_POSTERIOR, CHAIN_CENTRE, CHAIN_SPREAD, CHAIN_SCALE, CHAIN_STEPS_DONE } ChainField;

typedef enum {
  PREDICTIONS_NAMES,
  PREDICTIONS_PATHS,
  PREDICTIONS_UNITS,
  PREDICTIONS_AT_BEST,
  PREDICTIONS_MEAN,
  PREDICTIONS_DEVIATION,
  PREDICTIONS_LOW,
  PREDICTIONS_MEDIAN,
  PREDICTIONS_HIGH,
  PREDICTIONS_COUNT,
  PREDICTIONS_DRAWS
} PredictionsField;

typedef enum {
  PREDICTED_CURVE_PLACE,
  PREDICTED_CURVE_AT_BEST,
  PREDICTED_CURVE_LOW,
  PREDICTED_CURVE_MEDIAN,
  PREDICTED_CURVE_HIGH
} PredictedCurveField;

struct Update {
  Ensemble      ensemble; /* of parameters and outputs, without a plan: what Variants compute */
  PetscInt      num_unknowns, num_targets, num_data;
  PetscInt      first_predicted, num_predicted; /* outputs */
  PetscBool    *fitted;                         /* [num_studies] of the case: those that targets need; predictions may need others */
  Unknown      *unknowns;
  Target       *targets;
  PetscInt     *offset; /* [num_outputs] of each output among the numbers of a sample; predicted ones come behind those of targets */
  PetscInt      num_starts;
  PetscReal     step;
  PosteriorKeys posterior;
  PetscInt64    num_evaluated, num_built; /* cases computed; structures built besides, for exact derivatives */
  Finding      *overview, *starts, *marginals, *chain, *predictions;
  CaseSequel    sequel;
  PetscReal     seconds; /* to read and build the case with other values; 0 where that was not measured */
};

/* unknown.c. Local, all of it. */
extern const InputTable update_find_table;
PetscErrorCode          UnknownsRead(const InputNode *map, Case *the_case, Update *update);
PetscReal               UnknownValue(const Unknown *unknown, PetscReal z);
PetscReal               UnknownPlace(const Unknown *unknown, PetscReal value); /* z */
PetscReal               UnknownSlope(const Unknown *unknown, PetscReal z);     /* d value / d z */
PetscReal               UnknownLogPrior(const Unknown *unknown, PetscReal z);  /* of the density of z, up to a constant where it is not proper */
/* Where it is drawn from for starts: its prior, or what lies between its bounds, or within a decade of its start. */
void UnknownRange(const Unknown *unknown, Distribution *range);

/* targets.c */
extern const InputTable update_target_table, update_data_table;
PetscErrorCode          TargetsRead(const InputNode *map, Case *the_case, Update *update);
const Output           *TargetOutput(const Update *update, PetscInt target);
/* How many have exact derivatives, as far as the studies say. */
PetscInt TargetsNumExact(const Update *update);
/* Deviations of outputs from all data, over their uncertainty [num_data]; false where some output has no value, of which `reason` tells. */
PetscBool TargetsDeviate(const Update *update, const PetscReal outputs[], PetscReal deviations[], size_t size, char reason[]);
/* Their derivatives by the numbers [num_data, num_unknowns]. */
void TargetsDifferentiate(const Update *update, const Evaluated *at, PetscReal slopes[]);
/* What the case has for a datum of a target: the output, of a shape times the factor that fits it best. */
PetscReal        TargetModel(const Target *target, const PetscReal outputs[], PetscInt i);
const PetscReal *TargetOutputs(const Update *update, PetscInt target, const PetscReal outputs[]);
/* The logarithm of the normal density of the data at deviations with this sum of squares. */
PetscReal TargetsLogLikelihood(const Update *update, PetscReal chi_square);

/* target_shape.c: a shape, by the motions of which it is known. */
PetscErrorCode ShapeRead(const InputNode *map, const InputTexts *motions, const Case *the_case, const Output *output, Update *update, Target *target);
PetscReal      ShapeFactor(const Target *target, const PetscReal outputs[]);
/* Its derivative, where the outputs change so, `stride` apart. */
PetscReal ShapeFactorSlope(const Target *target, const PetscReal outputs[], PetscInt stride, const PetscReal slopes[]);

/* evaluations.c: the case with other numbers, for many of them at once. */
typedef struct Evaluations Evaluations;
PetscErrorCode             EvaluationsCreate(Update *update, Evaluations **evaluations);
PetscErrorCode             EvaluationsDestroy(Evaluations **evaluations);
MPI_Comm                   EvaluationsWorld(const Evaluations *evaluations);
/* Outputs [count, num_values], nan of what fails, at values [count, num_unknowns], by ranks of a communicator, which all get the same. `reason`, which
   may be NULL, is why the first one of them that failed did. Collective on `comm`. */
PetscErrorCode EvaluationsCompute(Evaluations *evaluations, MPI_Comm comm, PetscInt count, const PetscReal values[], PetscReal outputs[],
                                  char reason[]);
/* After ranks have computed apart: all stop where one was asked to. Collective. */
PetscErrorCode EvaluationsAgree(Evaluations *evaluations);
/* Whether some rank was asked to stop, as of the last computation; outputs are of no use then. */
PetscBool EvaluationsStopped(const Evaluations *evaluations);
/* From now on those studies are computed which targets need, as at first, or predictions, too; outputs of others are nan. */
void EvaluationsPredict(Evaluations *evaluations, PetscBool predict);
/* At one point, with the exact slopes of outputs that have them, by differences of structures between `low` and `high` of each number; of others none.
   The ranks share these. Collective on `comm`. */
PetscErrorCode EvaluationsEstimate(Evaluations *evaluations, MPI_Comm comm, const PetscReal values[], const PetscReal low[], const PetscReal high[],
                                   Evaluated *evaluated);

/* slopes.c: with the slopes of all targets, exact ones or central differences. */
PetscErrorCode EvaluationsDifferentiate(Evaluations *evaluations, MPI_Comm comm, const Update *update, const PetscReal values[],
                                        Evaluated *evaluated);
PetscErrorCode EvaluatedCreate(const Update *update, Evaluated *evaluated);
PetscErrorCode EvaluatedDestroy(Evaluated *evaluated);

/* search.c: the best values, from all starts. `found` of `updated` is false where no start has a case. Collective. */
PetscErrorCode SearchRun(Update *update, Evaluations *evaluations, const Result *result, Updated *updated);

/* posterior.c */
PetscErrorCode PosteriorRun(Update *update, Evaluations *evaluations, const Evaluated *best, const Result *result, PetscBool resumed,
                            Updated *updated, Outcome *outcome);

/* predict.c: outputs that were not fitted, at the best values and at the draws. Collective. */
PetscErrorCode PredictionsRun(Update *update, Evaluations *evaluations, const Updated *updated, const Result *result);

/* update_tables.c */
PetscErrorCode UpdateTablesAdd(Update *update);
/* update_write.c, on rank 0: into the result, and on standard output. */
PetscErrorCode UpdateWrite(const Update *update, const Evaluated *start, const Evaluated *best, const Updated *updated, const Result *result);
PetscErrorCode UpdatePrint(const Update *update, const Evaluated *start, const Evaluated *best, const Updated *updated);
PetscErrorCode UpdatePrintPosterior(const Update *update, const Result *result);
PetscErrorCode UpdatePrintPredictions(const Update *update, const Result *result);
