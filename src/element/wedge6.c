/* wedge6.c - the wedge of 6 nodes with one incompatible mode along its axis. */
#include "kinds.h"
#include "solid.h"

const Shape shape_wedge6 = {
  .dim       = 3,
  .num_nodes = 6,
  .nodes     = wedge_nodes,
  .center    = {1.0 / 3, 1.0 / 3, 0},
  .rule      = {&triangle3, 2},
  .evaluate  = ShapeWedge1,
};

static const SolidForm form = {
  .shape          = &shape_wedge6,
  .stiffness_rule = {&triangle3, 2},
  .num_internal   = 1,
  .internal       = {2},
  .stress         = &shape_wedge6,
};

const ElementKind element_kind_wedge6 = {
  .name         = "wedge6",
  .summary      = "wedge of 6 nodes with an incompatible mode along its axis: too stiff in bending",
  .shape        = MESH_WEDGE6,
  .num_unknowns = 3,
  .mass_block   = 1,
  .needs        = ELEMENT_NEEDS_MATERIAL,
  .solid        = &form,
  .better       = "hex8, or wedge15 (Mesh.ElementOrder = 2, Mesh.SecondOrderIncomplete = 1)",
  .evaluate     = SolidEvaluate,
  .stiffen      = SolidStiffen,
  .stress       = SolidStress,
};
