/*
  transient.h - the study of motions in time: what the case says, and the runs that come of it.
*/
#pragma once
#include "march/initial.h"
#include "march/stepper.h"
#include "study.h"
#include "record/snapshots.h"
#include "record/watch.h"

/* The study's own keys; a run starts from them. */
typedef struct {
  PetscReal        time_step, beta, gamma, alpha, tolerance;
  PetscInt         method, steps, every, max_iterations;
  PetscBool        reactions;
  const char      *name, *model, *about;
  const InputNode *load, *initial, *watch, *keep, *fields, *runs;
} TransientKeys;

/* One motion. */
typedef struct {
  char          *name;
  PetscInt       number; /* among the runs of its study, from 1 */
  PetscReal      level;  /* multiplies loads and initial motion */
  PetscInt       steps;
  PetscInt       num_loads;
  Load          *loads;
  StepperOptions options;
  RecorderWindow window; /* samples that are kept */
  Recorder       recorder;
  Snapshots      snapshots;
  PetscMPIInt    rank; /* that computes it */
} Run;

extern const InputTable run_table;

/* The rows of `runs:`, each the product of the lists it holds; without them one run. */
PetscErrorCode RunsRead(const TransientKeys *keys, const Names *names, StepperOptions options, PetscInt num_loads, const Load loads[],
                        PetscInt *count, Run **runs);
PetscErrorCode RunsDestroy(PetscInt count, Run **runs);
/* Gives each run a rank: the longest first, each to the rank with the least to do. Collective. */
PetscErrorCode RunsSpread(PetscInt count, Run runs[]);

/* What is known of a run beforehand, as facts of its finding: what moves (model: NULL for the structure), where, how strongly it is pushed,
   and all that tells it from others; later, when its loads have their times. */
PetscErrorCode RunSayFacts(const Run *run, const char *study, const char *model, const Names *names);
PetscErrorCode RunSayTimes(const Run *run);

/* Whether ten or more time steps follow what vibrates so fast [rad/s]. Local. */
PetscBool RunFollows(const Run *run, PetscReal omega);
/* Warns when time steps are too long for modes that the loads or the initial motion set off. When the cache has all modes with joints stuck, and
   the loads have their times. */
PetscErrorCode RunWarnOfFastModes(const Run *run, const InputNode *study, const InitialKeys *initial, ModeCache *cache, PetscBool *warned);

extern const InputTable keep_table, field_times_table;

/* Chooses the samples that the runs keep; NULL node: all. Their loads have been read. */
PetscErrorCode KeepRead(const InputNode *node, PetscInt every, PetscInt num_runs, Run runs[]);

/* Chooses the snapshots of the runs; NULL node: none. */
PetscErrorCode FieldTimesRead(const InputNode *node, const Names *names, PetscInt num_runs, Run runs[]);

/* A run to be computed, and of what. */
typedef struct {
  Run               *run;
  const InitialKeys *initial;
  ModeCache         *cache;
  const Result      *result;
  PetscInt           place; /* among all that are computed together */
} MarchTask;

/* Computes those of this rank, or what is left of them, side by side where they are alike. Nature's refusal ends up in their reasons. */
PetscErrorCode TasksMarch(PetscInt count, const MarchTask tasks[], PetscBool resumed);

typedef enum { RUN_COMPLETE, RUN_STOPPED, RUN_UNFINISHED } RunEnd;

typedef struct {
  RunEnd     end;
  PetscInt64 steps, iterations, halved, num_held;
  PetscReal  seconds;
  PetscReal  energy_error; /* largest |balance| over the largest energy put in; negative when not watched */
  PetscReal  given_out;    /* the most that the joints gave beyond what they had taken, over the same */
  PetscReal  joint_error;  /* the most by which what joints took differs from what they hold and have dissipated, over the same; 0 when unknown */
  PetscReal  turned_back;  /* the part of what joints dissipated that they did while turning back in every step */
  PetscReal  turned;       /* mean angle by which sliding turned in a step [rad] */
  char       reason[RESULT_TEXT_LENGTH];
} RunSummary;

/* What the result file says of a run. */
PetscErrorCode RunSummarise(Run *run, const Result *result, RunSummary *summary);
/* The table of the runs of a study: its heading, a row with warnings. Energies are judged as those of a motion from rest, or not. */
PetscErrorCode RunsPrintHeading(const char *study, PetscInt count);
void           RunsPrintFooting(const Run *run); /* what has to be said of its columns. Local. */
/* `system` is what moved. */
PetscErrorCode RunPrint(const Run *run, const RunSummary *summary, const System *system, PetscBool from_rest);
