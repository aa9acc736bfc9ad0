/* tet10.c - the quadratic tetrahedron; its mass is of degree 4 and needs more points than nodes. */
#include "kinds.h"
#include "solid.h"

static const Shape shape = {
  .dim       = 3,
  .num_nodes = 10,
  .nodes     = tetrahedron_nodes,
  .center    = {0.25, 0.25, 0.25},
  .rule      = {&tetrahedron14, 0},
  .evaluate  = ShapeSimplex2,
};

static const SolidForm form = {
  .shape          = &shape,
  .stiffness_rule = {&tetrahedron4, 0},
  .stress         = &shape_tet4,
};

const ElementKind element_kind_tet10 = {
  .name         = "tet10",
  .summary      = "tetrahedron of 10 nodes",
  .shape        = MESH_TET10,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
