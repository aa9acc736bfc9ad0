/*
  shape.h - shape functions of the mesh's shapes, in their reference elements (Gmsh's: lines, squares and cubes from -1 to 1,
  triangles and tetrahedra from 0 to 1, wedges a triangle times a line).

  A shape is the places of its nodes and a formula that, from these places, knows the function of each node: so the order of
  nodes is written down once.
*/
#pragma once
#include "mesh.h"
#include "rule.h"

typedef struct Shape Shape;

struct Shape {
  PetscInt dim, num_nodes;
  const PetscReal (*nodes)[3]; /* reference coordinates */
  RuleFactors rule;            /* integrates a function times the metric of a distorted element well */

  /* Values and derivatives d/dxi_j of all functions at a point. */
  void (*evaluate)(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
};

/* NULL for the shapes that this room does not know (pyramids). */
const Shape *ShapeGet(MeshShape shape);

/* The formulas. */
void ShapeLagrange1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeLagrange2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeSerendipity(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeSimplex1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeSimplex2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeWedge1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeWedge2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeWedgeSerendipity(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
