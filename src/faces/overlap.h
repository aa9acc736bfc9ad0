/* overlap.h - where two triangles lie over each other, seen along the normal of the first. */
#pragma once
#include "surface.h"

/* Three cuts make 4, 5, 6 sides of three; where sides lie on each other round-off can make 4, 6, 9. */
enum { MOST_SIDES = 9, MOST_SAMPLES = 6 * (MOST_SIDES - 2) };

/* Points and weights that integrate polynomials over the overlap exactly. */
typedef struct {
  PetscInt  num;
  PetscReal weight[MOST_SAMPLES];                            /* [m^2] */
  PetscReal slave[MOST_SAMPLES][3], master[MOST_SAMPLES][3]; /* area coordinates in both triangles */
  PetscReal distance;                                        /* of the master over its middle [m] */
} Overlap;

typedef struct {
  PetscReal x, y;
} Spot;

/* That of a triangle of the slave, whose first corner is the origin. */
typedef struct {
  const Triangle *triangle;
  PetscReal       along[SPACE], across[SPACE];
  Spot            spots[3]; /* its corners */
} Plane;

void PlaneOf(const Triangle *triangle, Plane *plane);

/* Exact up to degree 4 when `fine`, else 2. num is 0 where they do not look at each other, do not overlap, or are further apart than `reach`. */
void OverlapFind(const Plane *slave, const Triangle *master, PetscReal reach, PetscBool fine, Overlap *overlap);
