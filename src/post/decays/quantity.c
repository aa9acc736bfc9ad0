/* quantity.c - what signals are of. */
#include "post/decays.h"

const char *const quantity_names[] = {"displacement", "velocity", "acceleration", NULL};
