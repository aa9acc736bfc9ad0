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

/* Of a mode from 0, at `count` ascending q > 0. The structure is borrowed; laws have no memory, gap or preload. Local, as is all that follows. */
PetscErrorCode VirginCreate(const HarmonicStructure *structure, PetscInt mode, PetscInt count, const PetscReal q[], Virgin **virgin);
PetscErrorCode VirginDestroy(Virgin **virgin);

/* Finds the equilibria of all curves, between and below their q, too, as fine as the loops need, until Newton's method fails. Curves whose rows and
   laws are alike, modes of one structure or of its variants, are followed side by side in vector lanes, or one after another: to the last bit the
   same. */
PetscErrorCode VirginsFollow(PetscInt count, Virgin *const virgins[], PetscBool beside);
/* How many of the q were reached. */
PetscInt VirginReached(const Virgin *virgin);

/* q[i]. */
PetscReal VirginAmplitude(const Virgin *virgin, PetscInt i);
/* Remainders of the joints there: [m]. */
const PetscReal *VirginRemainder(const Virgin *virgin, PetscInt i);
/* Iterations of Newton's method there. */
PetscInt VirginIterations(const Virgin *virgin, PetscInt i);
/* Frequency and damping ratio of the loop between -q[i] and q[i]. Hot. */
void VirginLoop(const Virgin *virgin, PetscInt i, PetscReal *omega, PetscReal *zeta);
