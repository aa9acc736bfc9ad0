/* gauss.h - integrals by Gauss's rule of five points, panel by panel. */
#pragma once
#include "base.h"

typedef PetscReal (*GaussIntegrand)(PetscReal x, void *context);

/* Exact for polynomials of degree 9. Local. */
static inline PetscReal GaussPanel(PetscReal from, PetscReal to, GaussIntegrand integrand, void *context)
{
  static const PetscReal place[3]  = {0.0, 0.53846931010568309104, 0.90617984593866399280};
  static const PetscReal weight[3] = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
  const PetscReal        middle = 0.5 * (from + to), half = 0.5 * (to - from);
  PetscReal              sum = weight[0] * integrand(middle, context);

  for (int i = 1; i < 3; i++) sum += weight[i] * (integrand(middle - half * place[i], context) + integrand(middle + half * place[i], context));
  return half * sum;
}

static inline PetscReal GaussIntegral(PetscReal from, PetscReal to, PetscInt num_panels, GaussIntegrand integrand, void *context)
{
  const PetscReal width = (to - from) / (PetscReal)num_panels;
  PetscReal       sum   = 0.0;

  for (PetscInt i = 0; i < num_panels; i++) {
    sum += GaussPanel(from + (PetscReal)i * width, i + 1 < num_panels ? from + (PetscReal)(i + 1) * width : to, integrand, context);
  }
  return sum;
}
