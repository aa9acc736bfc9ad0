/* hex20.c - the serendipity brick; fully integrated, because 8 points leave six motions without force. */
#include "kinds.h"
#include "solid.h"

static const Shape shape = {
  .dim       = 3,
  .num_nodes = 20,
  .nodes     = cube_nodes,
  .rule      = {NULL, 3},
  .evaluate  = ShapeSerendipity,
};

static const SolidForm form = {
  .shape          = &shape,
  .stiffness_rule = {NULL, 3},
  .stress         = &shape_hex8,
};

const ElementKind element_kind_hex20 = {
  .name         = "hex20",
  .summary      = "brick of 20 nodes, serendipity, integrated at 27 points",
  .shape        = MESH_HEX20,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
