/* wedge18.c - the wedge of 18 nodes. */
#include "kinds.h"
#include "solid.h"

static const Shape shape = {
  .dim       = 3,
  .num_nodes = 18,
  .nodes     = wedge_nodes,
  .center    = {1.0 / 3, 1.0 / 3, 0},
  .rule      = {&triangle6, 3},
  .evaluate  = ShapeWedge2,
};

static const SolidForm form = {
  .shape          = &shape,
  .stiffness_rule = {&triangle6, 3},
  .stress         = &shape_wedge6,
};

const ElementKind element_kind_wedge18 = {
  .name         = "wedge18",
  .summary      = "wedge of 18 nodes",
  .shape        = MESH_WEDGE18,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
