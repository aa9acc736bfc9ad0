/* tet4.c - the tetrahedron of constant strain. */
#include "kinds.h"
#include "solid.h"

const Shape shape_tet4 = {
  .dim       = 3,
  .num_nodes = 4,
  .nodes     = tetrahedron_nodes,
  .center    = {0.25, 0.25, 0.25},
  .rule      = {&tetrahedron4, 0},
  .evaluate  = ShapeSimplex1,
};

static const SolidForm form = {
  .shape          = &shape_tet4,
  .stiffness_rule = {&tetrahedron1, 0},
  .stress         = &shape_constant,
};

const ElementKind element_kind_tet4 = {
  .name         = "tet4",
  .summary      = "tetrahedron of 4 nodes: constant strain, far too stiff in bending",
  .shape        = MESH_TET4,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .better       = "tet10 (Mesh.ElementOrder = 2)",
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
