/*
  shape.h - shape functions of the mesh's shapes, in their reference elements (Gmsh's: lines, squares and cubes from -1 to 1,
  triangles and tetrahedra from 0 to 1, wedges a triangle times a line).

  A shape is the places of its nodes and a formula that, from these places, knows the function of each node: so the order of
  nodes is written down once. The shape of a solid stands in the file of its element, those of lines and surfaces in shapes.c.
*/
#pragma once
#include "mesh.h"
#include "rule.h"

typedef struct Shape Shape;

struct Shape {
  PetscInt dim, num_nodes;
  const PetscReal (*nodes)[3]; /* reference coordinates */
  PetscReal   center[3];       /* where internal functions take the Jacobian */
  RuleFactors rule;            /* integrates a function times the metric of a distorted element well: mass, weights */

  /* Values and derivatives d/dxi_j of all functions at a point. */
  void (*evaluate)(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
};

/* Those whose functions stresses follow within an element. */
extern const Shape shape_constant, shape_tet4, shape_wedge6, shape_hex8;

/* NULL for the shapes that this room does not know. */
const Shape *ShapeGet(MeshShape shape);

/* Places of the nodes of several shapes, each of which uses as many as it has. */
extern const PetscReal tetrahedron_nodes[10][3], cube_nodes[27][3], wedge_nodes[18][3];

/* The formulas. */
void ShapeLagrange1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeLagrange2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeSerendipity(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeSimplex1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeSimplex2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeWedge1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeWedge2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
void ShapeWedgeSerendipity(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3]);
