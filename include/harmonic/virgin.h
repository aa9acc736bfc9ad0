/*
  virgin.h - how a mode answers a load along itself in static equilibrium, from rest: its virgin curve, and the first harmonic of its loop.

      alpha(q) = omega_0^2 q + r(q),   r = b_0^T g(d),   d = b_0 q - H g(d)        H: of harmonic 0, without the mode itself

  With Masing's rules in all joints the loop between -a and a is alpha(a) - 2 alpha((a - q) / 2) on its way down; with elastic joints it is
  r(q) to and fro. Under q = a cos theta, with the damping of the mode,

      W^2 = omega_0^2 + C_1(r) / a        2 zeta W^2 = c_0 W - S_1(r) / a
*/
#pragma once
#include "harmonic/structure.h"

typedef struct Virgin Virgin;

/* Of a mode from 0, at `count` ascending q > 0: the equilibria between and below them, too, as fine as the loops need. `reached` is how many of
   them were found before Newton's method failed. The structure is borrowed; laws have no memory, gap or preload. Local. */
PetscErrorCode VirginCreate(const HarmonicStructure *structure, PetscInt mode, PetscInt count, const PetscReal q[], Virgin **virgin,
                            PetscInt *reached);
PetscErrorCode VirginDestroy(Virgin **virgin);

/* Remainders of the joints at q[i]: [m]. */
const PetscReal *VirginRemainder(const Virgin *virgin, PetscInt i);
/* Iterations of Newton's method at q[i]. */
PetscInt VirginIterations(const Virgin *virgin, PetscInt i);
/* Frequency and damping ratio of the loop between -q[i] and q[i]. Hot. */
void VirginLoop(const Virgin *virgin, PetscInt i, PetscReal *omega, PetscReal *zeta);
