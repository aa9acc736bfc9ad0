/* hex27.c - the brick of 27 nodes. */
#include "kinds.h"
#include "solid.h"

static const Shape shape = {
  .dim       = 3,
  .num_nodes = 27,
  .nodes     = cube_nodes,
  .rule      = {NULL, 3},
  .evaluate  = ShapeLagrange2,
};

static const SolidForm form = {
  .shape          = &shape,
  .stiffness_rule = {NULL, 3},
  .stress         = &shape_hex8,
};

const ElementKind element_kind_hex27 = {
  .name         = "hex27",
  .summary      = "brick of 27 nodes",
  .shape        = MESH_HEX27,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
