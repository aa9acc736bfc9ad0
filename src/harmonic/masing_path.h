/*
  masing_path.h - a periodic path of a law with Masing's rules, cut into pieces, each on one branch.

  The path begins at the extreme that lies farthest from where the joint was left. A piece is a run of samples on a branch that began at an
  extreme of the motion, at a point that was remembered before, or on the virgin curve.

  Where half of the samples tell all (`stretch` of basis.h) the path is followed for half a period, from an extreme to the same with the other
  sign; pieces behind the last sample are told as what they are half a period earlier, with the other sign.
*/
#pragma once
#include "period_kinds.h"

enum { PATH_VIRGIN = -1, PATH_REMEMBERED = -2 }; /* where a branch began, if at no extreme of the motion */

typedef struct {
  PetscReal theta;         /* in [0, 2 pi), but for the first ones, which may be one period later */
  PetscReal motion, force; /* the force once the path has been followed */
} PathExtreme;

typedef struct {
  PetscInt  first, count;  /* samples, all of them of the first stretch: a piece is cut there, too */
  PetscInt  origin;        /* the extreme at which the branch began, or one of the names above */
  PetscReal motion, force; /* where it began */
  PetscReal sense;         /* +1 or -1: how the motion goes */
  PetscReal from, to;      /* angles */
  PetscBool turns;         /* its branch goes on to the extreme at `end`, which may be that of a stretch later */
  PetscReal end;
} PathPiece;

/* A branch whose beginning is remembered. */
typedef struct {
  PetscInt  origin;
  PetscReal motion, force;
} PathMemory;

typedef struct {
  const HarmonicBasis *basis;
  PetscInt             num_extremes, num_pieces; /* extremes of a whole period */
  PetscInt             num_runs;                 /* extremes of a stretch: the others are these with the other sign */
  PetscInt             extremes_capacity, pieces_capacity, memory_capacity;
  PathExtreme         *extremes;
  PathPiece           *pieces;
  PetscInt             depth;
  PathMemory          *memory;
  PetscReal           *value; /* [num_extremes, num_functions] the functions at each extreme */
  PetscReal           *force; /* [num_extremes, num_functions] the change of the force there by x */
  PetscInt             num_values;
} MasingPath;

PetscErrorCode MasingPathDestroy(MasingPath *path);
/* The extremes of a motion and its samples of a stretch, in the order of time, from that which lies farthest from `start`. A motion that stands still has
   none. Hot. */
PetscErrorCode MasingPathFindExtremes(MasingPath *path, const PetscReal x[], const PetscReal samples[], PetscReal start);
/* Follows the path from what the joint remembers (NULL: nothing), with the forces at the extremes, and cuts it. Hot. */
PetscErrorCode MasingPathFollow(MasingPath *path, const PeriodSamples *law, const JointHistory *memory, PetscInt point);
