/* ensemble_private.h - what an Ensemble is made of; private to this room. */
#pragma once
#include "ensemble.h"
#include "sampling/plan.h"
#include "sampling/statistics.h"

/* A number of the case that is varied, or several that are tied together. */
typedef struct {
  const char       *name;
  const InputNode  *node;
  PetscInt          num_places;
  const InputNode **places;   /* in the case */
  PetscReal        *nominal;  /* of each place */
  PetscBool         relative; /* values are factors of what stands there */
  char             *unit;
} Parameter;

/* What an output takes of a history or a list. */
typedef enum { TAKE_NOTHING, TAKE_LAST, TAKE_FIRST, TAKE_LARGEST, TAKE_MOST, TAKE_LEAST, TAKE_MEAN, TAKE_RMS, TAKE_RANGE } OutputTake;

/* Which mode an index means in a variant: none can be followed; not said; that of this number; that of its shape in the case itself. */
typedef enum { FOLLOW_NONE, FOLLOW_UNSAID, FOLLOW_NUMBER, FOLLOW_SHAPE } OutputFollow;

/* What of the findings of the studies is kept of each sample: a number, or a curve on a grid that all samples share. */
typedef struct {
  const char      *name, *path; /* as the case says it */
  const InputNode *node;        /* of the path */
  char            *finding;     /* place of the table: "/ring_down/hit/mode1" */
  const char      *key;         /* its field, or a fact */
  char            *index;       /* what stands in brackets behind it; NULL for nothing */
  const char      *unit;
  PetscInt         take;         /* an OutputTake */
  const char      *over;         /* the field of the same table that it is a function of; NULL for none */
  char            *over_finding; /* the place of its table */
  PetscInt         pick;         /* where it has several values at one place: the largest, the least, the first */
  PetscBool        logarithmic;  /* it is interpolated in logarithms */
  OutputFollow     follow;       /* the index of a mode */
  PetscBool        exact;        /* a number that a study estimates, so that its derivatives are exact */
  PetscBool        is_curve;
  PetscInt         count;  /* places */
  const PetscReal *place;  /* [count] on the axis of `over` */
  Finding         *curve;  /* the table that it goes to; NULL of a number */
  PetscInt         column; /* in the table of numbers */
} Output;

typedef enum { SAMPLE_NONE, SAMPLE_DONE, SAMPLE_PARTIAL, SAMPLE_REFUSED, SAMPLE_FAULT } SampleStatus;

/* What became of a sample. */
typedef struct {
  PetscReal *outputs; /* [num_numbers], then curves one after another */
  PetscInt64 status;  /* a SampleStatus */
  PetscInt64 warnings;
  PetscReal  seconds;
  char       reason[RESULT_TEXT_LENGTH]; /* why it is not done, or the first warning */
} Sample;

struct Ensemble {
  const InputNode *node;
  PetscInt         num_parameters;
  Parameter       *parameters;
  Distribution    *distributions;
  Plan            *plan;                  /* NULL of a result on disk, of which only the next four are known */
  PetscInt         num_rows, num_samples; /* of the table; of base samples, of the plan */
  PlanMethod       method;
  const char      *remark;                               /* what a user should know of the plan; NULL for nothing */
  PetscInt         part, parts;                          /* of the samples that this run computes, from 1 */
  char             share[64];                            /* the same as a line of what identifies the result; empty of a run that computes all */
  PetscInt         num_outputs, num_numbers, num_values; /* outputs; those that are numbers; all numbers of a sample */
  Output          *outputs;
  InputReals       percentiles;
  PetscReal        confidence;
  PetscInt         seed;
  PetscBool        second_order;
  PetscInt         ranks; /* that compute a sample together */
  PetscInt         num_keep;
  PetscInt        *keep; /* samples whose results are kept, from 1, ascending */
  ModelChange      change;
  PetscBool       *needed;  /* [num_studies] of the case: those that a sample computes, for the sake of its outputs */
  PetscReal        seconds; /* to read and build a sample; 0 where that was not measured */

  struct EarlierRows *earlier; /* on rank 0: what earlier results hold of the table; NULL for nothing */

  Findings  *findings;
  Finding   *overview, *samples, *statistics;
  CaseSequel sequel;
  Case      *the_case;
};

#define SHARE_KEY "--part"
#define SAMPLE_SUFFIX "_sample_%" PetscInt_FMT ".h5" /* behind the name of the result */

/* All functions are local unless they say otherwise. */

extern const InputTable  vary_table, vary_parameter_table, vary_output_table, vary_grid_table;
extern const OutputTable vary_overview_output, vary_samples_output, vary_statistics_output, vary_curve_output;

/* What an output is, as a case says it: also for maps that have other keys, too, OUTPUT_FIELDS(offset of an OutputKeys in their struct). */
typedef struct {
  const char      *path, *over;
  PetscInt         take, pick;
  InputReals       at;
  const InputNode *grid;
  PetscBool        logarithmic, follow;
} OutputKeys;

extern const char *const output_takes[], *const output_picks[];

// clang-format off
#define OUTPUT_FIELDS(start) \
  {.key = "path", .kind = INPUT_TEXT, .offset = (start) + offsetof(OutputKeys, path), .fallback = INPUT_REQUIRED, \
   .help = "what a study finds, as `dovetail info` and `dovetail help results` list it: modes/stuck/frequency[1]; rows count from 1, columns likewise or by name: \"transient/hit/points/tip/displacement[x]\""}, \
  {.key = "take", .kind = INPUT_WORD, .offset = (start) + offsetof(OutputKeys, take), .fallback = TAKE_NOTHING, .words = output_takes, \
   .help = "what is taken of a history or a list: largest is the largest absolute value, most and least the extremes, range their difference"}, \
  {.key = "over", .kind = INPUT_TEXT, .offset = (start) + offsetof(OutputKeys, over), .fallback = INPUT_OPTIONAL, \
   .help = "dataset of the same table, or of one around it, that the path is a function of: amplitude, time, frequency; with `at` or `grid`"}, \
  {.key = "at", .kind = INPUT_REALS, .offset = (start) + offsetof(OutputKeys, at), .fallback = INPUT_OPTIONAL, \
   .help = "value of `over` at which the number is interpolated; several make a curve"}, \
  {.key = "grid", .kind = INPUT_NODE, .offset = (start) + offsetof(OutputKeys, grid), .fallback = INPUT_OPTIONAL, \
   .help = "values of `over` at which a curve is interpolated: {from, to, count, spacing}"}, \
  {.key = "pick", .kind = INPUT_WORD, .offset = (start) + offsetof(OutputKeys, pick), .fallback = 0, .words = output_picks, \
   .help = "which value counts where the path has several at one value of `over`, as beyond a fold"}, \
  {.key = "logarithmic", .kind = INPUT_TRUTH, .offset = (start) + offsetof(OutputKeys, logarithmic), .fallback = INPUT_OPTIONAL, \
   .help = "interpolate logarithms of both; default: with a logarithmic grid"}, \
  {.key = "follow", .kind = INPUT_TRUTH, .offset = (start) + offsetof(OutputKeys, follow), .fallback = INPUT_OPTIONAL, \
   .help = "of modes: `yes`: the one that has the shape which the mode of this number has in the case as it stands, whatever its number is with other values (MAC above 0.5, or there is no value); `no`: that of this number; default: yes in `update`, no in `vary`"}
// clang-format on

/* The path and what it is over; then the places of a curve, by `at` or `grid`. */
PetscErrorCode OutputReadWhat(const InputNode *map, const OutputKeys *keys, const Case *the_case, Output *output);
PetscErrorCode OutputReadPlaces(const InputNode *map, const OutputKeys *keys, Output *output);
PetscErrorCode OutputsAdd(const Output *output, Ensemble *ensemble);
/* Follows modes by their shape where the case says nothing of it. */
void OutputsFollow(Ensemble *ensemble);

/* The next parameter of an ensemble, for which there must be room. */
PetscErrorCode ParameterAdd(const InputNode *map, const char *name, const InputTexts *paths, PetscBool relative, const Case *the_case,
                            Ensemble *ensemble);
const char    *ParameterUnit(const Parameter *parameter); /* NULL for none */

/* Each complains and goes on. */
PetscErrorCode ParametersRead(const InputNode *map, const Case *the_case, Ensemble *ensemble);
PetscErrorCode OutputsRead(const InputNode *map, const Case *the_case, Ensemble *ensemble);
PetscErrorCode ParametersDestroy(Ensemble *ensemble);
PetscErrorCode OutputsDestroy(Ensemble *ensemble);

/* The values of an output [count], NAN where there is none; `reason` says why, and is empty otherwise. Collective where the output is followed. */
PetscErrorCode OutputFind(const Output *output, Case *the_case, const Result *result, PetscReal values[], size_t size, char reason[]);
PetscInt       OutputCount(const Output *output);
/* The same of one that is a number, where all numbers of its field are these. */
PetscErrorCode OutputTakeFrom(const Output *output, Case *the_case, const PetscReal all[], PetscReal *value);
/* Which of the indices in brackets is one of this dimension of a field, from 0; -1 for none. */
PetscInt OutputIndexOf(const OutputField *field, const char *brackets, const char *dimension);

/* needs.c: the studies that it takes to find an output are marked, needed[num_studies]. */
void OutputNeed(const Output *output, const Case *the_case, PetscBool needed[]);
/* Whether all of these are computed; `needed` NULL: all studies are. */
PetscBool OutputIsComputed(const Output *output, const Case *the_case, const PetscBool needed[]);
/* Those of the first outputs. The caller frees. */
PetscErrorCode NeedsFind(const Ensemble *ensemble, PetscInt num_outputs, PetscBool **needed);
/* "modes and transient hit; transient shock and loop are not needed" */
void NeedsDescribe(const Case *the_case, const PetscBool needed[], FILE *out);

/* share.c: whether this run is to compute a sample; how many it is. */
PetscBool ShareHas(const Ensemble *ensemble, PetscInt row);
PetscInt  ShareCount(const Ensemble *ensemble);

/* earlier_rows.c: takes over what earlier results hold, on rank 0, and removes those that hold nothing else. */
PetscErrorCode EarlierRowsTake(Ensemble *ensemble, const Result *result);
PetscErrorCode EarlierRowsDestroy(Ensemble *ensemble);

/* tables.c: the findings of an ensemble. */
PetscErrorCode TablesAdd(Ensemble *ensemble);
/* Those that hold samples and statistics, of a result on disk. */
PetscErrorCode TablesAddStored(Ensemble *ensemble);
/* What is known once the case has been computed. On rank 0. */
PetscErrorCode TablesWriteNominal(const Ensemble *ensemble, const PetscReal outputs[], const Result *result);
PetscErrorCode TablesWriteSample(const Ensemble *ensemble, PetscInt row, const PetscReal inputs[], const Sample *sample, const Result *result);
/* What TablesWriteSample has written. */
PetscErrorCode TablesReadSample(const Ensemble *ensemble, PetscInt row, PetscReal inputs[], Sample *sample, const Result *result);

/* The case with other numbers, on the ranks of one communicator. */
typedef struct Variants Variants;
/* `alone`: the processes that compute a sample together are all there are, so that the case itself can lend what does not change. Collective. */
PetscErrorCode VariantsCreate(const Ensemble *ensemble, PetscBool alone, Variants **variants);
PetscErrorCode VariantsDestroy(Variants **variants);
/* How many samples it computes at once, at most VARIANTS_MOST: as many as gain by being computed side by side. */
enum { VARIANTS_MOST = 8 };
PetscInt VariantsMost(const Variants *variants);
/* From now on these studies are computed [num_studies], NULL for all; at first, those that the ensemble needs. Outputs of others have no value. */
void VariantsNeed(Variants *variants, const PetscBool needed[]);
/* Computes samples; `path` of one alone, NULL: its result is not kept. The status is SAMPLE_NONE when the user asked to stop meanwhile. Collective on
   the world of these processes. */
PetscErrorCode VariantsCompute(Variants *variants, PetscInt count, const PetscReal *const values[], const char *path, Sample samples[]);
/* One sample alone, with the derivatives of its exact outputs by some parameters: every `stride`-th from `first` on. */
typedef struct {
  const PetscReal *low, *high; /* [num_parameters], between which a difference is taken */
  PetscInt         first, stride;
  PetscReal       *slopes; /* [num_values, num_parameters]; of other outputs and parameters as they were */
  PetscInt64       num_built;
} VariantSlopes;
PetscErrorCode VariantsDifferentiate(Variants *variants, const PetscReal values[], VariantSlopes *slopes, Sample *sample);
/* Reads and builds the case with the values of a sample, and does no more [s]. */
PetscErrorCode VariantsMeasure(Variants *variants, const PetscReal values[], PetscReal *seconds);

/* Numbers 0, 1, 2, ... handed out once each to processes that ask when they are free. Collective to create and destroy; processes that never ask
   may only destroy it. `progress`, NULL for none, is that of rank 0 where this does nothing but hand out. */
typedef struct HandOut HandOut;
PetscErrorCode         HandOutCreate(MPI_Comm comm, PetscInt total, Progress *progress, HandOut **out);
/* The next `wanted` numbers from *first on; *count is 0 when all have been handed out. */
PetscErrorCode HandOutTake(HandOut *out, PetscInt wanted, PetscInt *first, PetscInt *count);
PetscErrorCode HandOutDestroy(HandOut **out);

/* Computes all samples that are not done; how many are not done even then, as the user asked to stop; how many of all may have values.
   Collective. */
PetscErrorCode SamplesCompute(Ensemble *ensemble, Result *result, PetscBool resumed, PetscInt *missing, PetscInt *useful);

/* What the table says, on rank 0: into the result, and on standard output. */
PetscErrorCode StatisticsWrite(const Ensemble *ensemble, const Result *result);
PetscErrorCode StatisticsPrint(const Ensemble *ensemble, const Summary summaries[], const Result *result);
