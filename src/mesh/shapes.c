/* shapes.c - the shapes of elements and their numbers in Gmsh. */
#include "mesh.h"

const MeshShapeInfo mesh_shapes[MESH_NUM_SHAPES] = {
  [MESH_POINT1]    = {.name = "point1", .dim = 0, .num_nodes = 1, .order = 1, .gmsh_type = 15},
  [MESH_LINE2]     = {.name = "line2", .dim = 1, .num_nodes = 2, .order = 1, .gmsh_type = 1},
  [MESH_LINE3]     = {.name = "line3", .dim = 1, .num_nodes = 3, .order = 2, .gmsh_type = 8},
  [MESH_TRI3]      = {.name = "tri3", .dim = 2, .num_nodes = 3, .order = 1, .gmsh_type = 2},
  [MESH_TRI6]      = {.name = "tri6", .dim = 2, .num_nodes = 6, .order = 2, .gmsh_type = 9},
  [MESH_QUAD4]     = {.name = "quad4", .dim = 2, .num_nodes = 4, .order = 1, .gmsh_type = 3},
  [MESH_QUAD8]     = {.name = "quad8", .dim = 2, .num_nodes = 8, .order = 2, .gmsh_type = 16},
  [MESH_QUAD9]     = {.name = "quad9", .dim = 2, .num_nodes = 9, .order = 2, .gmsh_type = 10},
  [MESH_TET4]      = {.name = "tet4", .dim = 3, .num_nodes = 4, .order = 1, .gmsh_type = 4},
  [MESH_TET10]     = {.name = "tet10", .dim = 3, .num_nodes = 10, .order = 2, .gmsh_type = 11},
  [MESH_HEX8]      = {.name = "hex8", .dim = 3, .num_nodes = 8, .order = 1, .gmsh_type = 5},
  [MESH_HEX20]     = {.name = "hex20", .dim = 3, .num_nodes = 20, .order = 2, .gmsh_type = 17},
  [MESH_HEX27]     = {.name = "hex27", .dim = 3, .num_nodes = 27, .order = 2, .gmsh_type = 12},
  [MESH_WEDGE6]    = {.name = "wedge6", .dim = 3, .num_nodes = 6, .order = 1, .gmsh_type = 6},
  [MESH_WEDGE15]   = {.name = "wedge15", .dim = 3, .num_nodes = 15, .order = 2, .gmsh_type = 18},
  [MESH_WEDGE18]   = {.name = "wedge18", .dim = 3, .num_nodes = 18, .order = 2, .gmsh_type = 13},
  [MESH_PYRAMID5]  = {.name = "pyramid5", .dim = 3, .num_nodes = 5, .order = 1, .gmsh_type = 7},
  [MESH_PYRAMID13] = {.name = "pyramid13", .dim = 3, .num_nodes = 13, .order = 2, .gmsh_type = 19},
  [MESH_PYRAMID14] = {.name = "pyramid14", .dim = 3, .num_nodes = 14, .order = 2, .gmsh_type = 14},
};
