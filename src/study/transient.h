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
  const char      *name, *model;
  const InputNode *load, *initial, *watch, *fields, *runs;
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
  Recorder       recorder;
  Snapshots      snapshots;
  PetscMPIInt    rank; /* that computes it */
} Run;

extern const InputTable run_table;

/* The rows of `runs:`, each the product of the lists it holds; without them one run. */
PetscErrorCode RunsRead(const TransientKeys *keys, const System *system, StepperOptions options, PetscInt num_loads, const Load loads[],
                        PetscInt *count, Run **runs);
PetscErrorCode RunsDestroy(PetscInt count, Run **runs);
/* Gives each run a rank: the longest first, each to the rank with the least to do. Collective. */
PetscErrorCode RunsSpread(PetscInt count, Run runs[]);

/* Says what moves (model: NULL for the structure), where, how strongly and when it is pushed, and all that tells it from others. */
PetscErrorCode RunWriteAttributes(const Run *run, const char *study, const char *model, const System *system, const char *group, Result *result);

extern const InputTable field_times_table;

/* Chooses the snapshots of the runs; NULL node: none. `system` is NULL when the structure itself has complaints. */
PetscErrorCode FieldTimesRead(const InputNode *node, const System *system, const Model *model, PetscInt num_runs, Run runs[]);

/* Computes a run, or what is left of it. Nature's refusal ends up in its reason. */
PetscErrorCode RunMarch(Run *run, const InitialKeys *initial, ModeCache *cache, const Result *result, PetscBool resumed, Progress *progress,
                        PetscReal done_before);

typedef enum { RUN_COMPLETE, RUN_STOPPED, RUN_UNFINISHED } RunEnd;

typedef struct {
  RunEnd     end;
  PetscInt64 steps, iterations, halved;
  PetscReal  seconds;
  PetscReal  energy_error; /* largest |balance| over the largest energy put in; negative when not watched */
  PetscReal  given_out;    /* the most that the joints gave beyond what they had taken, over the same */
  char       reason[RESULT_TEXT_LENGTH];
} RunSummary;

/* What the result file says of a run. */
PetscErrorCode RunSummarise(const Run *run, const Result *result, RunSummary *summary);
/* The table of the runs of a study: its heading, a row with warnings. Energies are judged as those of a motion from rest, or not. */
PetscErrorCode RunsPrintHeading(const char *study, PetscInt count);
PetscErrorCode RunPrint(const Run *run, const RunSummary *summary, PetscBool from_rest);

/* The runs of a study `transient`, and what is kept of them. Local. */
void TransientRuns(const Study *study, PetscInt *count, const Run **runs, const Watch **watch);

/* The `modal_iwan` whose model moves in its place; NULL: the structure itself. Local. */
const char *TransientModel(const Study *study);
/* Whose joints its runs watch: those of the structure `system`, or of that model. Local. */
const System *TransientSystem(const Study *study, const System *system);

/* The samples that a run has left: the velocity of a mode (from 0), a motion (row of T) as displacement, velocity or acceleration.
   They are watched. The caller frees them with PetscFree. Local; after a barrier, as another rank may have written them. */
PetscErrorCode RunReadMode(const Run *run, const Result *result, PetscInt mode, PetscInt *count, PetscReal **values);
PetscErrorCode RunReadMotion(const Run *run, const Result *result, const System *system, PetscInt motion, PetscInt kind, PetscInt *count,
                             PetscReal **values);
/* Likewise the times, and the displacement and force of a joint, a row of the System that moves. */
PetscErrorCode RunReadJoint(const Run *run, const Result *result, PetscInt row, PetscInt *count, PetscReal **time, PetscReal **displacement,
                            PetscReal **force);
/* Where it is excited, by its first load, in words. */
PetscErrorCode RunPlace(const Run *run, const System *system, char place[RESULT_TEXT_LENGTH]);
/* When the last of its loads ends [s]; PETSC_MAX_REAL when one does not. Local. */
PetscReal RunFreeFrom(const Run *run);
