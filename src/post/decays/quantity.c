/* quantity.c - the quantities that signals measure. */
#include "post/decays.h"

const char *const quantity_names[] = {"displacement", "velocity", "acceleration", NULL};
