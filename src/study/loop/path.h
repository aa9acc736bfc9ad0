/*
  path.h - motions that are given: displacement and velocity as functions of time, and where they turn back.

  A path begins at its first corner and ends at its last. Between corners it goes one way; samples fall on all corners, so that no
  reversal is missed. To add a kind: its motion in path.c, its keys in path_keys.c.
*/
#pragma once
#include "input.h"

typedef enum { PATH_SINE, PATH_MULTI_SINE, PATH_GROWING_SINE, PATH_RAMP, PATH_TABLE, NUM_PATHS } PathKind;

extern const char *const path_names[NUM_PATHS + 1]; /* of the case file; ends with NULL */
extern const char *const path_growths[];            /* ends with NULL */
typedef enum { PATH_EXPONENTIAL, PATH_LINEAR } PathGrowth;

/* amplitude sin(2 pi frequency t + phase) */
typedef struct {
  PetscReal amplitude, frequency, phase; /* [m, rad] [Hz] [rad] */
} PathTerm;

/* Where a path turns back, ends, or, when made of straight pieces, changes its velocity. */
typedef struct {
  PetscReal time, displacement;
  PetscBool turns;  /* back: it is a reversal */
  PetscReal branch; /* of straight pieces that begin here: from the reversal before to the next one [s] */
} PathCorner;

typedef struct {
  PathKind    kind;
  PetscInt    num_terms; /* of sines */
  PathTerm   *terms;
  PetscReal   from, to; /* amplitude of the first term at the beginning and end of a growing sine */
  PathGrowth  growth;
  PetscReal   duration; /* of sines [s] */
  PetscInt    num_corners;
  PathCorner *corners; /* times ascend */
} Path;

extern const InputTable *const path_tables[]; /* ends with NULL */

/* What moves along a path: a joint [m, rad], faces [m], or what presses these [N]. */
typedef enum { PATH_OF_JOINT, PATH_OF_FACES, PATH_OF_PRESSING, NUM_PATH_QUANTITIES } PathQuantity;

/* {KIND: {keys...}}; no corners after a complaint. Collective. */
PetscErrorCode PathRead(const InputNode *node, PathQuantity quantity, Path *path);
PetscErrorCode PathDestroy(Path *path);

/* Of the kinds made of sines. Local. */
void           PathMotion(const Path *path, PetscReal time, PetscReal *displacement, PetscReal *velocity, PetscReal *acceleration);
PetscReal      PathAmplitude(const Path *path, PetscReal time); /* of a growing sine. Local. */
PetscErrorCode PathFindTurns(Path *path);                       /* the corners of sines */
/* Which corners of straight pieces are reversals, those of motion back by no more than `noise` not, an end where it comes to rest if
   `stops`, and how long branches take. Local. */
void PathMarkTurns(Path *path, PetscReal noise, PetscBool stops);
/* The highest frequency of its sines [Hz]. Local. */
PetscReal PathFastest(const Path *path);
/* Of any kind: where it is, and how fast it goes, at a time; it rests before its first corner and behind its last one. At a corner of straight
   pieces the velocity is that of the piece that ends there. Local. */
void PathAt(const Path *path, PetscReal time, PetscReal *displacement, PetscReal *velocity);
/* The longest step that `steps` allow at a time [s]; PETSC_MAX_REAL where it rests. Local. */
PetscReal PathLongestStep(const Path *path, PetscReal time, PetscInt steps);

typedef struct {
  PetscInt   count, num_reversals;
  PetscReal *time, *displacement, *velocity; /* at a corner that of the piece that ends there */
  PetscInt  *reversals;                      /* which samples */
} PathSamples;

/* `steps` to the shortest period of sines, to each piece of a ramp, to twice the time between reversals of a table. Between
   corners of all but tables the number is even. Local. */
PetscErrorCode PathSample(const Path *path, PetscInt steps, PathSamples *samples);
PetscInt64     PathCount(const Path *path, PetscInt steps); /* how many samples that are. Local. */
PetscErrorCode PathSamplesDestroy(PathSamples *samples);
