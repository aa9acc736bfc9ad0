/*
  influence.h - what forces at the joints move the joints by: d = d_lin - H g, H symmetric.

      H = R + factor left right^T

  R is a matrix; left and right have few columns. Of few rows all of H is R. Of many joints on sparse matrices there is neither, but products
  with H by factors of these. Of many points of faces on a mesh R is what the modes give way by
  that a reduction left out: the same in every step, large, borrowed, and perhaps spread over ranks, of which this is the one that leads; the columns are those of modes that are kept, and of free bolts.
*/
#pragma once
#include "system.h"

/* H as products. Both are hot, and `solve` may ask for memory that it gives back. */
typedef struct {
  void *data;
  /* motion = H force: [m] */
  PetscErrorCode (*move)(void *data, const PetscReal force[], PetscReal motion[]);
  /* (1 + H D) solution = right, D diagonal: all of them [m]. Where nothing solves that, `solved` is false. */
  PetscErrorCode (*solve)(void *data, const PetscReal D[], const PetscReal right[], PetscReal solution[], PetscBool *solved);
} InfluenceProducts;

typedef struct {
  PetscInt64               serial;     /* of which there is no other */
  PetscInt                 m;          /* rows, padded to whole vector lanes with rows that nothing moves */
  PetscInt                 num;        /* rows and columns of R, the first places of the compliance */
  Compliance               compliance; /* R, borrowed */
  PetscBool                lasting;    /* R is that of every solution from a state, so that the state knows what R makes of its forces */
  PetscInt                 num_shares;
  const PetscReal         *left, *right; /* [m, num_shares] */
  PetscReal                factor;
  const PetscReal         *give, *weight; /* [m] of joints that stick without any give, else 0: what H has on the diagonal and R here has not, and
                                            how much of the mean force of a step the force at its end is; borrowed; NULL: none such */
  const InfluenceProducts *products;      /* in place of all that, borrowed; else NULL */
  PetscReal               *share;         /* [num_shares], [m, num_shares] and again: work */
  PetscReal               *own_matrix, *own_left, *own_right; /* what is to be freed; NULL: borrowed */
} Influence;

/* All of H is this matrix [m, m], which is borrowed. Local. */
Influence InfluenceOfMatrix(PetscInt m, const PetscReal matrix[]);
/* Likewise these products. Local. */
Influence InfluenceOfProducts(PetscInt m, const InfluenceProducts *products);
/* R is the static compliance between the nonlinear rows of a System that was reduced to modes; the columns are borrowed. */
PetscErrorCode InfluenceOfResidual(const System *system, PetscInt m, PetscInt num_shares, const PetscReal left[], const PetscReal right[],
                                   PetscReal factor, Influence *influence);
/* The same with so many more columns, left[count, num] and right[count, num] by rows: H + left^T right, symmetric. */
PetscErrorCode InfluenceExtend(const Influence *influence, PetscInt count, PetscInt num, const PetscReal left[], const PetscReal right[],
                               Influence *extended);
PetscErrorCode InfluenceDestroy(Influence *influence);

/* motion = R force: [m]. Rows without a force take no time. Hot. */
void InfluenceMove(const Influence *influence, const PetscReal force[], PetscReal motion[]);
/* motion -= factor left right^T force: [m]. Hot, local. */
void InfluenceTakeShares(const Influence *influence, const PetscReal force[], PetscReal motion[]);
/* H between some of the rows, ascending. The selection is zero at first. Hot. */
PetscErrorCode InfluenceSelect(const Influence *influence, PetscInt count, const PetscInt rows[], ComplianceSelection *selection);
