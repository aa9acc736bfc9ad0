/* kinds.h - the kinds that kinds.c lists, one in each file of this folder. */
#pragma once
#include "element.h"

extern const ElementKind element_kind_hex8, element_kind_hex8_plain, element_kind_hex20, element_kind_hex27, element_kind_tet4, element_kind_tet10,
  element_kind_wedge6, element_kind_wedge15, element_kind_wedge18, element_kind_beam, element_kind_beam_euler, element_kind_point_mass;
