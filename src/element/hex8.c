/* hex8.c - the brick of 8 nodes, with three incompatible modes [Wilson 1973; Taylor 1976, QM6], and plain, for comparison with other
   programs. */
#include "kinds.h"
#include "solid.h"

const Shape shape_hex8 = {
  .dim       = 3,
  .num_nodes = 8,
  .nodes     = cube_nodes,
  .rule      = {NULL, 2},
  .evaluate  = ShapeLagrange1,
};

static const SolidForm form = {
  .shape          = &shape_hex8,
  .stiffness_rule = {NULL, 2},
  .num_internal   = 3,
  .internal       = {0, 1, 2},
  .stress         = &shape_hex8,
};

const ElementKind element_kind_hex8 = {
  .name         = "hex8",
  .summary      = "brick of 8 nodes with incompatible modes, accurate in bending",
  .shape        = MESH_HEX8,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};

static const SolidForm plain_form = {
  .shape          = &shape_hex8,
  .stiffness_rule = {NULL, 2},
  .stress         = &shape_hex8,
};

const ElementKind element_kind_hex8_plain = {
  .name         = "hex8_plain",
  .summary      = "brick of 8 nodes without incompatible modes: far too stiff in bending",
  .shape        = MESH_HEX8,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &plain_form,
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
