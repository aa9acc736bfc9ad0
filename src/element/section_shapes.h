/* section_shapes.h - the shapes of cross sections that section.c lists. */
#pragma once
#include "element.h"

extern const SectionShape section_shape_rectangle, section_shape_circle, section_shape_tube, section_shape_i_beam, section_shape_values;
