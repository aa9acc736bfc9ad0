/*
  continuum.h - the part of a structure that is too large for every rank to hold: what a mesh is before it is reduced.

  Its unknowns are spread over ranks in contiguous slices, supports are eliminated. To the rest of the structure it shows a few
  motions, R u: of single unknowns, or averages over patches. No mesh, no name, no file.
*/
#pragma once
#include <petscmat.h>
#include "base.h"

typedef struct {
  Mat K, M; /* [n, n] symmetric, AIJ or SBAIJ */
  Mat R;    /* [m, n] AIJ, its columns distributed as K; a row for each motion that it shows, in any units */

  /* Bodies: what their six rigid motions do to the unknowns, [n, 6] dense, distributed as K, and which body each of this rank's
     unknowns belongs to. With them it is known before any factorisation which body floats free. `rigid` NULL: not looked at. */
  Mat       rigid;
  PetscInt  num_parts;
  PetscInt *part; /* the same number stands for all unknowns of a body, from 0 */

  Vec       inertia[3]; /* of the unknowns under a unit acceleration of the base in x, y, z */
  PetscReal mass;       /* [kg] */
} Continuum;

PetscErrorCode ContinuumDestroy(Continuum **continuum);

/* What can be wrong with one. */
typedef enum {
  CONTINUUM_FINE,
  CONTINUUM_EMPTY_ROW,     /* `row` of R is zero */
  CONTINUUM_DEPENDENT_ROW, /* `row` is a combination of rows before it, of `other_row` most of all */
  CONTINUUM_FREE_PART,     /* `part` takes part in `count` rigid motions, one is `motion`, that nothing holds and R does not see */
  CONTINUUM_SINGULAR,      /* `count` motions strain nothing while the boundary is at rest, though bodies are held: mechanisms */
  CONTINUUM_INDEFINITE,    /* `count` motions with negative strain energy while the boundary is at rest */
  CONTINUUM_NOT_FACTORED,  /* `count` is MUMPS' INFOG(1): -9, -13, -19 too little memory */
  CONTINUUM_NOT_CONVERGED, /* only `count` modes converged */
  CONTINUUM_MISSED_MODES,  /* `count` modes were passed over */
  CONTINUUM_INACCURATE     /* `error`, relative, is too large */
} ContinuumReason;

/* Rows and parts count from 0. */
typedef struct {
  ContinuumReason reason;
  PetscInt        row, other_row, part, count;
  PetscReal       motion[6]; /* coefficients of the columns of `rigid`, the largest 1 */
  PetscReal       error;
} ContinuumFault;
