/* wedge15.c - the serendipity wedge. */
#include "kinds.h"
#include "solid.h"

static const Shape shape = {
  .dim       = 3,
  .num_nodes = 15,
  .nodes     = wedge_nodes,
  .center    = {1.0 / 3, 1.0 / 3, 0},
  .rule      = {&triangle6, 3},
  .evaluate  = ShapeWedgeSerendipity,
};

static const SolidForm form = {
  .shape          = &shape,
  .stiffness_rule = {&triangle6, 3},
  .stress         = &shape_wedge6,
};

const ElementKind element_kind_wedge15 = {
  .name         = "wedge15",
  .summary      = "wedge of 15 nodes, serendipity",
  .shape        = MESH_WEDGE15,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
