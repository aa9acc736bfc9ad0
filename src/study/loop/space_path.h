/*
  space_path.h - how two faces are moved against each other: normal to them and along them, each as a Path of its own; or pressed together by a
  force, which is a Path about a mean.

  Samples fall on all corners of all directions, and where cycles begin and end.
*/
#pragma once
#include "path.h"

enum { SPACE_DIM = 3 }; /* x, normal to the faces; y; z */

typedef struct {
  Path      paths[SPACE_DIM]; /* without corners: nothing moves there */
  PetscBool presses;          /* the first one is added to a pressing force: */
  PetscReal mean;             /* [N] */
  PetscBool has_file;
  PetscReal start, end; /* [s] the first and last time of all of them; equal after a complaint */
} SpacePath;

extern const InputTable *const space_path_tables[]; /* ends with NULL */

/* `preload` presses where the case does not say how much. Collective. */
PetscErrorCode SpacePathRead(const InputNode *node, PetscReal preload, SpacePath *path);
PetscErrorCode SpacePathDestroy(SpacePath *path);
void           SpacePathAt(const SpacePath *path, PetscReal time, PetscReal motion[SPACE_DIM], PetscReal velocity[SPACE_DIM]); /* Local. */
/* "x, y and z", "a pressing force and y": what the case gives. Local. */
const char *SpacePathWords(const SpacePath *path);

/* How cycles were found. */
typedef enum { CYCLES_GIVEN, CYCLES_OF_SINES, CYCLES_OF_RETURNS, CYCLES_NONE, NUM_CYCLE_SOURCES } CycleSource;

typedef struct {
  PetscInt    count, num_cycles;
  PetscReal  *time, *motion, *velocity; /* [count], [count, SPACE_DIM] twice; motion[0] is a pressing force where the path presses */
  PetscInt   *begin, *end;              /* [num_cycles] samples */
  CycleSource source;
} SpaceSamples;

/* Cycles last for `period` [s]; where that is 0, for the common period of all sines, or, of straight pieces, until a place is passed again.
   So many samples at most; none if there would be more, whose number is then in `count`, and the arrays are NULL. Local. */
PetscErrorCode SpacePathSample(const SpacePath *path, PetscInt steps, PetscReal period, PetscInt most, SpaceSamples *samples);
PetscErrorCode SpaceSamplesDestroy(SpaceSamples *samples);
