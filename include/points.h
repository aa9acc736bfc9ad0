/*
  points.h - the named points of a structure, before there is a matrix: their coordinates, and which of these become unknowns.

  A coordinate is one direction of one point. Coordinates that rigid joints tie together, or that are fixed to the ground, move as one:
  they share a leader, and each leader that is free becomes an unknown. Coordinate 0 is everything that does not move.
*/
#pragma once
#include "input.h"
#include "system.h"

enum { GROUND = -1, RESTING = 0 }; /* the point that never moves; the coordinate that never moves */

/* The axes of a joint, of length one and at right angles. */
typedef struct {
  PetscReal axis[3][3]; /* axis[k]: the direction of local axis k */
} Frame;

typedef struct {
  const char      *name;
  const InputNode *node;
  PetscInt         num_components, first; /* component i is coordinate first + i */
  PetscInt         direction[NUM_DIRECTIONS];
  PetscReal        mass[NUM_DIRECTIONS]; /* of each component [kg, kg m^2]; none where a matrix gives it */
  PetscBool        fixed[NUM_DIRECTIONS];
  PetscBool        given; /* one of `matrices` or `modal` */
  PetscBool        kept;  /* a point of the mesh: its motions are coordinates; else they follow from those there are */
  const Frame     *frame; /* whose axes the coordinates are along; NULL for those of the model */
  const char      *user;  /* the joint that wants it so */
} Point;

typedef struct {
  const char *name;
  PetscInt    point;
} PointName;

typedef struct {
  PetscInt     count, num_coordinates;
  Point       *list;
  PointName   *sorted;     /* by name */
  const char **names;      /* of all points, then `ground`, then NULL */
  PetscInt    *leader;     /* of each coordinate: itself, or another one on the way to the one all follow */
  PetscBool    incomplete; /* those of a mesh that could not be read are missing: a name that is not known is no complaint */
} Points;

/* Room for `count` more points. */
PetscErrorCode PointsReserve(Points *points, PetscInt count);
PetscErrorCode PointsDestroy(Points *points);
/* The same points with the same ties, but in no frame. */
PetscErrorCode PointsCopy(const Points *from, Points *to);
/* Called when all points are there: their coordinates and the index of their names. Complains of names given twice. */
PetscErrorCode PointsIndex(Points *points);
/* The two different points that `between` names, the value of that key of the map; `found` is false after a complaint. */
PetscErrorCode PointsReadEnds(Points *points, const InputNode *map, const InputTexts *between, PetscInt ends[2], PetscBool *found);
/* The point of this name, GROUND for the ground; `found` is false after a complaint. */
PetscErrorCode PointsFind(const Points *points, const InputNode *node, const char *name, PetscInt *point, PetscBool *found);
/* The coordinate of a point in a direction: RESTING of the ground, -1 when the point has none. Local. */
PetscInt PointCoordinate(const Points *points, PetscInt point, PetscInt direction);
/* The point that has a coordinate; -1 where it is no point's. Local. */
PetscInt PointOfCoordinate(const Points *points, PetscInt coordinate);
/* The coordinates of two points in a direction; `found` is false after the complaint that one has none. */
PetscErrorCode PointsFindCoordinates(const Points *points, const InputNode *node, const PetscInt ends[2], PetscInt direction, PetscInt coordinates[2],
                                     PetscBool *found);
/* Coordinates that are no point's. */
PetscErrorCode PointsAddCoordinates(Points *points, PetscInt count, PetscInt *first);
/* From now on two coordinates move as one. Local. */
void PointsTie(Points *points, PetscInt first, PetscInt second);

extern const InputTable frame_table, support_frame_table;
/* {x: [...], y: [...]}; complains if not fine. */
PetscErrorCode FrameRead(const InputNode *map, Frame *frame, PetscBool *fine);
/* From now on the coordinates of a point are along the axes of a frame, NULL for those of the model: `user` wants it so. Complains
   at `node` if another one wants it otherwise, or the point cannot be turned. */
PetscErrorCode FrameAttach(Points *points, const InputNode *node, const char *user, const Frame *frame, PetscInt index);

/* A list of directions, or one; complains of unknown and repeated ones. */
PetscErrorCode DirectionsRead(const InputNode *node, const InputTexts *texts, PetscInt *count, PetscInt direction[]);

/* Which coordinate is which unknown: GROUND where it does not move. */
typedef struct {
  PetscInt  num_unknowns;
  PetscInt  num_moving;   /* before the massless ones: moving supports */
  PetscInt  num_massless; /* the last of them have no mass */
  PetscInt *unknown;      /* of each coordinate */
  PetscInt *coordinate;   /* the first one of each unknown */
} Numbering;

PetscErrorCode NumberingCreate(const Points *points, Numbering *numbering);
/* From now on these unknowns are the last ones, in their order: so many. Local. */
PetscErrorCode NumberingPutLast(const Points *points, const PetscBool last[], Numbering *numbering, PetscInt *count);
PetscErrorCode NumberingDestroy(Numbering *numbering);
/* The point and direction index of an unknown; point -1 of a mode. Local. */
void NumberingLocate(const Points *points, const Numbering *numbering, PetscInt unknown, PetscInt *point, PetscInt *direction);
