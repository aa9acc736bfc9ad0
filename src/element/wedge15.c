/* wedge15.c - the serendipity wedge. */
#include "kinds.h"
#include "solid.h"

static const SolidForm form = {
  .stiffness_rule = {&triangle6, 3},
  .mass_rule      = {&triangle6, 3},
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
};
