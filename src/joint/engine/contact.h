/*
  contact.h - the combined moduli of two elastic bodies in contact, and the parameters that give them. All of it is local.

  A law lists CONTACT_PARAMETERS among its own, at four places in a row.
*/
#pragma once
#include "joint.h"

enum { CONTACT_YOUNG_1, CONTACT_POISSON_1, CONTACT_YOUNG_2, CONTACT_POISSON_2, CONTACT_NUM_PARAMETERS };

#define CONTACT_YOUNG(key, body) \
  { \
    .name = key, .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "Pa", .help = "Young's modulus of the " body \
  }
#define CONTACT_POISSON(key, body) \
  { \
    .name = key, .fallback = JOINT_REQUIRED, .least = -1, .most = 0.5, .above = PETSC_TRUE, .help = "Poisson's ratio of the " body \
  }
#define CONTACT_PARAMETERS \
  CONTACT_YOUNG("young_1", "one body"), CONTACT_POISSON("poisson_1", "one body"), CONTACT_YOUNG("young_2", "other body"), \
    CONTACT_POISSON("poisson_2", "other body")

/* 1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2, against pressing together. */
static inline PetscReal ContactModulus(const PetscReal bodies[CONTACT_NUM_PARAMETERS])
{
  const PetscReal one = (1 - PetscSqr(bodies[CONTACT_POISSON_1])) / bodies[CONTACT_YOUNG_1];
  const PetscReal two = (1 - PetscSqr(bodies[CONTACT_POISSON_2])) / bodies[CONTACT_YOUNG_2];

  return 1 / (one + two);
}

/* 1/G = (2 - nu_1)/G_1 + (2 - nu_2)/G_2, against sliding; jamshidi2021 eq. 8 is printed with 1 - nu_2. */
static inline PetscReal ContactShearModulus(const PetscReal bodies[CONTACT_NUM_PARAMETERS])
{
  const PetscReal one = (2 - bodies[CONTACT_POISSON_1]) * 2 * (1 + bodies[CONTACT_POISSON_1]) / bodies[CONTACT_YOUNG_1];
  const PetscReal two = (2 - bodies[CONTACT_POISSON_2]) * 2 * (1 + bodies[CONTACT_POISSON_2]) / bodies[CONTACT_YOUNG_2];

  return 1 / (one + two);
}
