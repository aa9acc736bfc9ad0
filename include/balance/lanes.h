/*
  balance/lanes.h - the balance of the joints of several structures side by side: Newton's method of balance.c with a structure in each lane.

  For joints whose laws act on one row each, and an influence that is one matrix. Each lane iterates until it is accepted, and then
  waits for the others; all its numbers are, to the last bit, those of BalanceSolve and BalanceCommit.
*/
#pragma once
#include "balance.h"
#include "joint/lanes.h"

/* A block of each structure. Where it works on its rows in place, its numbers are parts of theirs; else `row` says what it acts on. */
typedef struct {
  JointLanes laws;
  PetscInt  *row;                                          /* [num_points]; NULL: in place */
  Wide      *motion, *force, *tangent, *loss, *dissipated; /* [num_points] */
} BalanceLaneBlock;

typedef struct {
  PetscInt          m, num_blocks;
  BalanceLaneBlock *blocks;
  PetscBool         in_place;            /* all of them */
  Balance          *balance[WIDE_LANES]; /* of each lane; NULL: idle */
  const PetscReal  *matrix[WIDE_LANES];  /* H of each */
  PetscInt          least_iterations, most_iterations;
  Wide              tolerance, most; /* most: iterations */

  /* What does not change, and what the lanes remember, as in a State. */
  PetscBool  shared;    /* H is the same in all lanes */
  PetscReal *influence; /* [m, m], likewise or Wide */
  Wide      *row_norm, *rounded, *stiffness, *old_motion, *old_remainder, *trend, *dissipated;
  Wide       iterations; /* since the lane was set */

  /* What the structures say: the motions without the joints' remainders, and how far from the origin they are. */
  Wide *linear, size;

  /* What is found. */
  Wide *motion, *force, *tangent, *loss, *remainder;
  Wide *residual, *correction, *start, *old_force, *stuck, *change, *product; /* [m] work */

  PetscReal *room, *block_room;
} BalanceLanes;

/* Whether laws are the same in both, and act on the same rows. Local, as all that follows. */
PetscBool      BalanceBlocksAlike(const System *one, const System *other);
PetscErrorCode BalanceLaneBlocksDestroy(PetscInt num_blocks, BalanceLaneBlock blocks[]);
/* Whether a balance can run in lanes, and whether two can side by side. */
PetscBool BalanceLanesSuit(const Balance *balance);
PetscBool BalanceLanesAlike(const Balance *one, const Balance *other);

PetscErrorCode BalanceLanesCreate(const Balance *like, PetscBool shared, BalanceLanes *lanes);
PetscErrorCode BalanceLanesDestroy(BalanceLanes *lanes);

/* From now on this lane goes on from the state, whose histories are borrowed until the lane is idle again; and brings the state up to date. */
void BalanceLanesSet(BalanceLanes *lanes, PetscInt lane, Balance *balance, const Influence *influence, const PetscReal row_norm[],
                     const State *state);
void BalanceLanesKeep(const BalanceLanes *lanes, PetscInt lane, State *state);
/* Of that, what the rows have moved and lost by. */
void BalanceLanesKeepMotions(const BalanceLanes *lanes, PetscInt lane, State *state);
void BalanceLanesFree(BalanceLanes *lanes, PetscInt lane);

/* Finds motions and remainders of these lanes; those that have found them. Hot. */
WideMask BalanceLanesSolve(BalanceLanes *lanes, WideMask active);
/* BalanceAbsorbed of each lane. Hot. */
Wide BalanceLanesAbsorbed(const BalanceLanes *lanes);
/* These lanes accept what was found. Hot. */
PetscErrorCode BalanceLanesCommit(BalanceLanes *lanes, WideMask moved);
