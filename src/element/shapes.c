/* shapes.c - the places of nodes in the reference elements, in Gmsh's order, and the formula of each shape. */
#include "shape.h"

static const PetscReal line[][3] = {{-1}, {1}, {0}};

static const PetscReal triangle[][3] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};

static const PetscReal square[][3] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, 0}};

// clang-format off
static const PetscReal tetrahedron[][3] = {
  {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
  {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0, 0.5, 0.5}, {0.5, 0, 0.5},
};

static const PetscReal cube[][3] = {
  {-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1},
  {0, -1, -1}, {-1, 0, -1}, {-1, -1, 0}, {1, 0, -1}, {1, -1, 0}, {0, 1, -1},
  {1, 1, 0}, {-1, 1, 0}, {0, -1, 1}, {-1, 0, 1}, {1, 0, 1}, {0, 1, 1},
  {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
  {0, 0, 0},
};

static const PetscReal wedge[][3] = {
  {0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1},
  {0.5, 0, -1}, {0, 0.5, -1}, {0, 0, 0}, {0.5, 0.5, -1}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 1}, {0, 0.5, 1}, {0.5, 0.5, 1},
  {0.5, 0, 0}, {0, 0.5, 0}, {0.5, 0.5, 0},
};

static const Shape shapes[MESH_NUM_SHAPES] = {
  [MESH_POINT1]  = {0, 1, line, {NULL, 1}, ShapeLagrange1},
  [MESH_LINE2]   = {1, 2, line, {NULL, 2}, ShapeLagrange1},
  [MESH_LINE3]   = {1, 3, line, {NULL, 3}, ShapeLagrange2},
  [MESH_TRI3]    = {2, 3, triangle, {&triangle3, 0}, ShapeSimplex1},
  [MESH_TRI6]    = {2, 6, triangle, {&triangle6, 0}, ShapeSimplex2},
  [MESH_QUAD4]   = {2, 4, square, {NULL, 2}, ShapeLagrange1},
  [MESH_QUAD8]   = {2, 8, square, {NULL, 3}, ShapeSerendipity},
  [MESH_QUAD9]   = {2, 9, square, {NULL, 3}, ShapeLagrange2},
  [MESH_TET4]    = {3, 4, tetrahedron, {&tetrahedron4, 0}, ShapeSimplex1},
  [MESH_TET10]   = {3, 10, tetrahedron, {&tetrahedron14, 0}, ShapeSimplex2},
  [MESH_HEX8]    = {3, 8, cube, {NULL, 2}, ShapeLagrange1},
  [MESH_HEX20]   = {3, 20, cube, {NULL, 3}, ShapeSerendipity},
  [MESH_HEX27]   = {3, 27, cube, {NULL, 3}, ShapeLagrange2},
  [MESH_WEDGE6]  = {3, 6, wedge, {&triangle3, 2}, ShapeWedge1},
  [MESH_WEDGE15] = {3, 15, wedge, {&triangle6, 3}, ShapeWedgeSerendipity},
  [MESH_WEDGE18] = {3, 18, wedge, {&triangle6, 3}, ShapeWedge2},
};
// clang-format on

const Shape *ShapeGet(MeshShape shape)
{
  return shapes[shape].evaluate ? &shapes[shape] : NULL;
}
