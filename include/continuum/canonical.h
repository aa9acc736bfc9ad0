/*
  canonical.h - one choice among all mixtures of vectors of equal frequency.

  Any rotation of such vectors among themselves is as good, and which one a solver returns is a matter of round-off, that is of the machine and
  of the number of ranks. Here each moves some unknown as much as any mixture can, and all vectors after it leave that unknown at rest; it moves
  it in the positive direction. Of unknowns that can be moved as much, the first one counts.
*/
#pragma once
#include "base.h"

enum { CANONICAL_MOST_MORE = 16 }; /* modes beyond twice those that are asked for, up to which the rest of a group is looked for */

/* `count` vectors of unit modal mass, `stride` numbers apart; this rank has `num_rows` rows of each, from `first_row` on. Collective on `comm`. */
PetscErrorCode CanonicalTurn(MPI_Comm comm, PetscInt first_row, PetscInt num_rows, size_t stride, PetscInt count, PetscReal vectors[]);

/* The end of the group of equal values that value k belongs to, of `count` sorted ones. Values are equal when they differ by no more than 1e-8
   of themselves, and by no more than a hundred times the errors[] that they are known to; NULL when these are not known. Local. */
PetscInt CanonicalGroupEnd(PetscInt count, const PetscReal value[], const PetscReal errors[], PetscInt k);

/* Each of these values becomes their mean, as vectors that were mixed have no other. Local. */
void CanonicalMean(PetscInt count, PetscReal value[]);
