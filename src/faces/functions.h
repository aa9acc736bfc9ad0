/* functions.h - the shape functions of a face on the plane triangles that its facets are cut into. */
#pragma once
#include "surface.h"

enum { NUM_QUADRATICS = 6, NUM_PARTS = NUM_QUADRATICS + 1 };

/* On one triangle: values at its corners and in the middles of sides 01, 12, 20, between which they are quadratic; then the part of a bubble,
   which is 1 in the middle of the triangle and 0 on its sides. */
typedef struct {
  PetscReal parts[NUM_PARTS][MOST_NODES];
} Functions;

static inline PetscBool IsOfSecondOrder(const Face *face)
{
  return (PetscBool)(face->num_nodes > MOST_CORNERS);
}

/* Of a face of second order. */
void FunctionsOfTriangle(const Surface *surface, const Facet *facet, const Triangle *triangle, Functions *functions);
void FunctionsAt(const Functions *functions, PetscInt num, const PetscReal at[3], PetscReal values[]);

/* Finds Face.bubble of all faces, so that the integral of each function over the facets of a face is that of the element room. */
PetscErrorCode BubblesFind(Surface *surface);
