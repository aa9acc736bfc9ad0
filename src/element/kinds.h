/* kinds.h - the list of element kinds, one in each file of this folder: a new kind is a file and a line here. */
#pragma once
#include "element.h"

/* In the order of the help; of two kinds of one shape the first is the default. */
#define ELEMENT_KINDS(KIND) \
  KIND(hex8) \
  KIND(hex8_plain) \
  KIND(hex20) \
  KIND(hex27) \
  KIND(tet4) \
  KIND(tet10) \
  KIND(wedge6) \
  KIND(wedge15) \
  KIND(wedge18) \
  KIND(pyramid5) \
  KIND(beam) \
  KIND(beam_euler) \
  KIND(point_mass)

#define DECLARE_KIND(name) extern const ElementKind element_kind_##name;
ELEMENT_KINDS(DECLARE_KIND)
#undef DECLARE_KIND
