/* shapes.c - the places of nodes in the reference elements, in Gmsh's order; the shapes of points, lines and surfaces; and all found. */
#include "shape.h"
#include "solid.h"

static const PetscReal line[][3] = {{-1}, {1}, {0}};

static const PetscReal triangle[][3] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};

static const PetscReal square[][3] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, 0}};

// clang-format off
const PetscReal tetrahedron_nodes[10][3] = {
  {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
  {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0, 0.5, 0.5}, {0.5, 0, 0.5},
};

const PetscReal cube_nodes[27][3] = {
  {-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1},
  {0, -1, -1}, {-1, 0, -1}, {-1, -1, 0}, {1, 0, -1}, {1, -1, 0}, {0, 1, -1},
  {1, 1, 0}, {-1, 1, 0}, {0, -1, 1}, {-1, 0, 1}, {1, 0, 1}, {0, 1, 1},
  {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
  {0, 0, 0},
};

const PetscReal wedge_nodes[18][3] = {
  {0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1},
  {0.5, 0, -1}, {0, 0.5, -1}, {0, 0, 0}, {0.5, 0.5, -1}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 1}, {0, 0.5, 1}, {0.5, 0.5, 1},
  {0.5, 0, 0}, {0, 0.5, 0}, {0.5, 0.5, 0},
};

static const Shape shapes[MESH_NUM_SHAPES] = {
  [MESH_POINT1] = {.dim = 0, .num_nodes = 1, .nodes = line, .rule = {NULL, 1}, .evaluate = ShapeLagrange1},
  [MESH_LINE2]  = {.dim = 1, .num_nodes = 2, .nodes = line, .rule = {NULL, 2}, .evaluate = ShapeLagrange1},
  [MESH_LINE3]  = {.dim = 1, .num_nodes = 3, .nodes = line, .rule = {NULL, 3}, .evaluate = ShapeLagrange2},
  [MESH_TRI3]   = {.dim = 2, .num_nodes = 3, .nodes = triangle, .rule = {&triangle3, 0}, .evaluate = ShapeSimplex1},
  [MESH_TRI6]   = {.dim = 2, .num_nodes = 6, .nodes = triangle, .rule = {&triangle6, 0}, .evaluate = ShapeSimplex2},
  [MESH_QUAD4]  = {.dim = 2, .num_nodes = 4, .nodes = square, .rule = {NULL, 2}, .evaluate = ShapeLagrange1},
  [MESH_QUAD8]  = {.dim = 2, .num_nodes = 8, .nodes = square, .rule = {NULL, 3}, .evaluate = ShapeSerendipity},
  [MESH_QUAD9]  = {.dim = 2, .num_nodes = 9, .nodes = square, .rule = {NULL, 3}, .evaluate = ShapeLagrange2},
};
// clang-format on

const Shape shape_constant = {.dim = 0, .num_nodes = 1, .nodes = line, .rule = {NULL, 1}, .evaluate = ShapeLagrange1};

const Shape *ShapeGet(MeshShape shape)
{
  const ElementKind *const kind = ElementDefault(shape);

  if (kind && kind->solid) return kind->solid->shape;
  return shapes[shape].evaluate ? &shapes[shape] : NULL;
}
