/* fit_modes.h - the study that finds numbers of a case from natural frequencies: what the case says, and what comes of it. */
#pragma once
#include "post/fitting.h"
#include "study.h"

/* A number of the case, in one place or the same in several. */
typedef struct {
  const char        *name;
  PetscInt           num_places;
  const char *const *paths;  /* [num_places] */
  const InputNode  **places; /* [num_places] */
  PetscReal          given;  /* by the case */
} FitModesNumber;

typedef struct {
  PetscInt  mode;        /* from 1 */
  PetscReal frequency;   /* [Hz] */
  PetscReal uncertainty; /* its standard deviation [Hz] */
} FitModesTarget;

typedef struct {
  const char      *name;
  const InputNode *find, *targets;
  PetscInt         joints;
} FitModesKeys;

typedef struct {
  FitModesKeys    keys;
  PetscInt        num_numbers;
  FitModesNumber *numbers;
  FitUnknown     *unknowns; /* [num_numbers] */
  PetscInt        num_targets;
  FitModesTarget *targets;
  Finding        *finding;
} FitModes;

extern const InputTable fit_modes_find_table, fit_modes_target_table;
/* The keys `find` and `targets`. */
PetscErrorCode FitModesReadNumbers(const InputNode *find, FitModes *fit);
PetscErrorCode FitModesReadTargets(const InputNode *list, const Names *names, FitModes *fit);
PetscErrorCode FitModesFree(FitModes *fit);

/* Frequencies of the structure with given numbers, and what they change with. */
typedef struct {
  PetscBool  exists;    /* the case accepts the numbers, and each target has a mode that is elastic */
  PetscReal *frequency; /* of each target [Hz], [num_targets] */
  PetscReal *slopes;    /* its derivative by each number, [num_targets, num_numbers]; as they were when not asked for */
} FitModesModel;

typedef struct {
  const FitModes *fit;
  const Model    *model;
  PetscInt        models;      /* built so far */
  char            reason[256]; /* why there was none the last time */
} FitModesSearch;

/* Collective. */
PetscErrorCode FitModesCompute(FitModesSearch *search, const PetscReal values[], PetscBool differentiate, FitModesModel *model);

/* What was found, with the models at the start and at the end. */
typedef struct {
  TargetFound   fit;
  FitModesModel before, after;
  PetscInt      models;
  char          reason[256]; /* of the stop */
} FitModesFound;

extern const OutputTable *const fit_modes_outputs[]; /* ends with NULL */
PetscErrorCode                  FitModesDeclare(const char *name, Findings *findings, FitModes *fit);
PetscErrorCode                  FitModesWrite(const FitModes *fit, const FitModesFound *found, const Result *result); /* rank 0 */
/* For people. Local. */
PetscErrorCode FitModesPrint(const char *name, const FitModes *fit, const FitModesFound *found);
