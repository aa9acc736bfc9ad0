/*
  watched.h - the motions that a study of periodic motions watches, of points and joints, and their harmonics.
*/
#pragma once
#include "harmonic/structure.h"
#include "record/watch.h"

typedef struct {
  char      name[RESULT_TEXT_LENGTH]; /* "tip y", "joint bolt1 x" */
  PetscInt  row, size;                /* of T; of B, and how many rows from there on are seen as one */
  PetscBool turns, of_joint;          /* it is an angle */
} WatchedMotion;

typedef struct {
  PetscInt       count;
  WatchedMotion *motions;
  HarmonicPlace *places; /* [count] once there is a structure; NULL until then */
} Watched;

/* The motions of the points and joints of a Watch, in its order. Local, all of it. */
PetscErrorCode WatchedCreate(const Names *names, const Watch *watch, Watched *watched);
PetscErrorCode WatchedFindPlaces(const HarmonicStructure *structure, Watched *watched);
PetscErrorCode WatchedDestroy(Watched *watched);

/* Their names and units, as all fields of a table or the first two; gives them, and the size of the dimension "motions". */
enum { WATCHED_NAMES, WATCHED_UNITS, NUM_WATCHED_FIELDS };
extern const OutputField watched_fields[]; /* ends with a NULL key */
PetscErrorCode           WatchedGive(const Watched *watched, Finding *finding);
/* The unit of fields with a number for each of them: m, rad, or both. */
PetscErrorCode WatchedSetUnits(const Watched *watched, PetscInt num_fields, const PetscInt fields[], Finding *finding);
