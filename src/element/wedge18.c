/* wedge18.c - the wedge of 18 nodes. */
#include "kinds.h"
#include "solid.h"

static const SolidForm form = {
  .stiffness_rule = {&triangle6, 3},
  .mass_rule      = {&triangle6, 3},
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
};
