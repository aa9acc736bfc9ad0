/* hex8.c - the brick of 8 nodes with three incompatible modes [Wilson 1973; Taylor 1976, QM6]. */
#include "kinds.h"
#include "solid.h"

static const SolidForm form = {
  .stiffness_rule = {NULL, 2},
  .mass_rule      = {NULL, 2},
  .num_internal   = 3,
  .internal       = {0, 1, 2},
};

const ElementKind element_kind_hex8 = {
  .name         = "hex8",
  .summary      = "brick of 8 nodes with incompatible modes, which bends well",
  .shape        = MESH_HEX8,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .evaluate     = SolidEvaluate,
};
