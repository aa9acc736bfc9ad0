/* law_samples.h - parameters for every law, and random numbers: for the contract tests of tests/unit and for scripts/bench laws. */
#pragma once
#include "joint.h"

/* All of order one: motions, forces, stiffnesses. */
typedef struct {
  const char *law;
  PetscReal   parameters[JOINT_MAX_PARAMETERS];
} Sample;

static const Sample samples[] = {
  {"spring", {1.3}},
  {"damper", {0.7}},
  {"cubic", {0.8, 0.5}},
  {"cubic", {1.5, -0.1}},
  {"gap", {1.7, 0.3, 1}},
  {"gap", {1.7, 0.2, 2}},
  {"gap", {1.7, 0, 1}},
  {"jenkins", {1.2, 0.6}},
  {"iwan4", {0.7, 1, -0.5, 5, 0}},
  {"iwan4", {0.6, 1, -0.23, 0.46, 0}},
  {"iwan4", {0.8, 1.1, 0, 0, 0}},
  {"iwan4", {0.5, 1, -0.9, 0.1, 0}},
  {"iwan4", {0.7, 1, -0.5, 5, 20}},
  {"mindlin", {0.5, 0.25, 0.5, 1.4}},
  {"mindlin_spheres", {2, 2, 0.85, 0.3, 0.85, 0.3, 0.5, 1.4}},
  {"mindlin_spheres", {1, 0, 1.5, 0.2, 0.6, 0.4, 0.4, 1.4}},
  {"rough_interface", {0.3, 0.3, 2, 1.1, 0.3, 1.1, 0.3, 1.5, 0.3, 0.9, 3}},
  {"rough_exponential", {0.3, 0.3, 2, 1.1, 0.3, 1.1, 0.3, 1.5, 0.3, 0.9, 3}},
  {"dahl", {1.2, 0.6, 1}},
  {"dahl", {1.2, 0.6, 1.0 / 3}},
  {"dahl", {1, 0.7, 1.4}},
  {"mindlin_dahl", {1.2, 0.6, 1.0 / 3}},
  {"mindlin_dahl", {1, 0.5, 1}},
  {"mindlin_dahl_simplified", {1.2, 0.6, 1.0 / 3, 0.5}},
  {"bouc_wen", {0.1, 1, 1.1, 1.5, 0.4, 1}},
  {"bouc_wen", {0, 1, 1, 1, 1, 1}},
  {"bouc_wen", {0.1, 1, 1.1, 1.5, -0.4, 2}},
  {"bouc_wen", {0, 0.8, 1, 1, 0.3, 1.7}},
  {"bouc_wen_rough", {1.2, 0.8, 1.7, 0.2, 0.1}},
  {"valanis", {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 1}},
  {"valanis", {1.5, 0.1, 0.7, 0.6, 3, 0, 0.3, 1}},
  {"valanis", {3, 0.1, 0.7, 0.4, 2, 0.1, 0, 1}},
  {"valanis", {1.5, 0.1, 0.7, 0.6, 1, 0, 0, 2}},
  {"valanis", {3, 0.1, 0.7, 0.4, 2, 0.1, 0, 2}},
  {"generalized_valanis", {1.1, 1.4, 0.3, 0.2, 0.1, 0, -0.1, 0.05, 0.03, 0, 0, 0.02, 0.01, 1}},
  {"generalized_valanis", {1.1, 1.4, 0.3, 0, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 2, 0.9, -1.2, -0.2, 0.1}},
  {"rough_contact", {1.3, 0, 0.9, 0, 0, 0, 1, 0, 0.4}},
  {"rough_contact", {1.3, 2, 0.9, 3, 0.5, 0.3, 0.2, 0, 0.7}},
  {"rough_contact", {1, 0, 1.2, 0, 0.4, 0, 0, 0.1, 0.5}},
  {"rough_contact_fading", {1.3, 0, 0.9, 0, 0, 0, 1, 0, 0.4, 0.1, 1.5, 0}},
  {"rough_contact_fading", {1.3, 0, 0.9, 0, 0.5, 0, 0.7, 0, 0.6, 0, 0, 0.8}},
};

enum { NUM_SAMPLES = sizeof samples / sizeof samples[0] };

/* Uniform between -1 and 1 [Marsaglia 2003, xorshift64]. */
static inline PetscReal Random(uint64_t *seed)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (PetscReal)(*seed >> 11) / 4503599627370496.0 - 1;
}
