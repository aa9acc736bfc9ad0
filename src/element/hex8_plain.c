/* hex8_plain.c - the plain trilinear brick, for comparison with other programs. */
#include "kinds.h"
#include "solid.h"

static const SolidForm form = {
  .stiffness_rule = {NULL, 2},
  .mass_rule      = {NULL, 2},
};

const ElementKind element_kind_hex8_plain = {
  .name         = "hex8_plain",
  .summary      = "brick of 8 nodes without incompatible modes: far too stiff in bending",
  .shape        = MESH_HEX8,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .evaluate     = SolidEvaluate,
};
