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

/* Gives their names and units to two fields of texts over the dimension "motions". */
PetscErrorCode WatchedGive(const Watched *watched, Finding *finding, PetscInt names, PetscInt units);
/* The unit of fields with a number for each of them: m, rad, or both. */
PetscErrorCode WatchedSetUnits(const Watched *watched, PetscInt num_fields, const PetscInt fields[], Finding *finding);
