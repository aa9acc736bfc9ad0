/*
  influence.h - what forces at the joints move the joints by, harmonic by harmonic at a frequency: products with H_k, which is never formed where
  rows are many.

      H_k = (B Phi) Z_k^-1 (B Phi)^T + R        y += H g:   C: Re C + Im S,   S: Re S - Im C

  Motions and forces are [rows, num_functions], the modes' part and R each one product of all their columns.
*/
#pragma once
#include "harmonic/basis.h"
#include "harmonic/structure.h"

/* H itself, and its changes by W and by zeta, to which R adds nothing. */
typedef enum { INFLUENCE_ITSELF, INFLUENCE_BY_FREQUENCY, INFLUENCE_BY_DAMPING, NUM_INFLUENCES } HarmonicInfluenceKind;

typedef struct {
  const HarmonicStructure *structure;
  const HarmonicBasis     *basis;
  HarmonicRows             all;
  PetscReal                frequency;
  HarmonicExcitation       excitation;
  PetscReal               *weight;    /* [num_harmonics, NUM_MODE_WEIGHTS, n] 1 / Z_k and its changes; of coupled modes unused */
  PetscReal               *factors;   /* [num_harmonics, 2 n, 2 n] Z_k of coupled modes, factored */
  PetscBLASInt            *pivots;    /* [num_harmonics, 2 n] of these */
  PetscReal               *force, *q; /* [n, num_functions] */
  PetscReal               *column;    /* [4 n] */
} HarmonicInfluence;

/* Structure and basis are borrowed. Local, all of it. */
PetscErrorCode HarmonicInfluenceCreate(const HarmonicStructure *structure, const HarmonicBasis *basis, HarmonicInfluence **influence);
PetscErrorCode HarmonicInfluenceDestroy(HarmonicInfluence **influence);
/* What follows is that at this frequency. Hot. */
PetscErrorCode HarmonicInfluenceSet(HarmonicInfluence *influence, PetscReal frequency, HarmonicExcitation excitation);

/* y += H g between these rows: [count, num_functions] each. Hot. */
PetscErrorCode HarmonicInfluenceAdd(HarmonicInfluence *influence, HarmonicInfluenceKind kind, const HarmonicRows *rows, const PetscReal g[],
                                    PetscReal y[]);
/* H_k of the harmonic that stands at h in the basis: [count, count]. For few rows. Hot. */
PetscErrorCode HarmonicInfluenceMatrix(HarmonicInfluence *influence, PetscInt h, const HarmonicRows *rows, PetscReal re[], PetscReal im[]);
