/*
  supports.h - moving supports in a harmonic balance: where the loads have them, what they push the modes by, and what it takes to move them.

      Z_1 q_1 = Phi^T P - Phi^T (K_s + i W C_s - W^2 M_s) u_s - (B Phi)^T G_1,    D_1 = B Phi q_1 + B_s u_s      beside what structure.h has
      r_k     = (K_s + i k W C_s - (k W)^2 M_s)^T Phi q_k + [k = 1] ((K_ss + i W C_ss - W^2 M_ss) u_s - p_s) + B_s^T G_k

  Loads are sines, so the supports move in the first harmonic alone; what moves them has all of them.
*/
#pragma once
#include "harmonic/sine.h"
#include "march/load.h"

typedef struct {
  const System *system;
  PetscInt      count, n;                   /* supports, modes */
  HarmonicSine *motion;                     /* [count] u_s under the loads at level 1 */
  HarmonicSine *pushed;                     /* [count] p_s, of the loads on places */
  PetscReal    *stiffness, *damping, *mass; /* [count, n] Phi^T K_s, Phi^T C_s, Phi^T M_s */
  PetscReal    *own_damping;                /* [count, count] C_ss */
  PetscReal    *follows;                    /* [count, n] coordinates at rest while a support alone moves by 1: Phi^T M Psi */
} HarmonicSupports;

/* NULL where the System has none. `modes` are all of the structure with its joints stuck. Local, all of it. */
PetscErrorCode HarmonicSupportsCreate(const System *system, const Modes *modes, PetscInt num_loads, const Load loads[], HarmonicSupports **supports);
PetscErrorCode HarmonicSupportsDestroy(HarmonicSupports **supports);
/* Adds what they push each mode by: [n]. */
void HarmonicSupportsPush(const HarmonicSupports *supports, HarmonicSine load[]);
/* Adds share times what they move a place of the System by. */
void HarmonicSupportsMove(const HarmonicSupports *supports, PetscInt place, PetscReal share, HarmonicSine *given);
/* C and S of r_k at harmonic k: [count] each. */
void HarmonicSupportsReact(const HarmonicSupports *supports, PetscInt k, PetscReal frequency, PetscReal level, const PetscReal q_c[],
                           const PetscReal q_s[], const PetscReal remainder_c[], const PetscReal remainder_s[], PetscReal c[], PetscReal s[]);
