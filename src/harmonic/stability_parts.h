/*
  stability_parts.h - what stability is found from: points of joints along the motion, a grid of the period, and columns of small changes.

  Angles of the grid begin in the middle of the longest part of the period without a break: breaks are where a joint turns, closes a loop or
  passes a corner. A part between two breaks is a segment, of equal steps.
*/
#pragma once
#include "harmonic/stability.h"
#include "linear_step.h"
#include "masing_path.h"

/* A stretch of the motion of a scalar point on one branch: df = t dd + sum_k share_k dd_k, with d_k the motions of the turning points on which
   the branch depends, share_k = t_k - t_(k+1), t_k the tangent on arriving at each, and t after the last. */
typedef struct {
  PetscReal from, to;      /* angles */
  PetscReal motion, scale; /* where its branch began; 2 of a branch, 1 of the virgin curve and of elastic laws */
  PetscInt  depth, first;  /* how many turning points there are; their tangents are arrival[first], ... */
  PetscInt  turn;          /* which of the turning points its end becomes; -1: it does not turn */
} BranchPiece;

typedef struct {
  PetscInt     num_pieces, pieces_capacity, num_arrivals, arrivals_capacity;
  BranchPiece *pieces;  /* one after another, a period */
  PetscReal   *arrival; /* [num_arrivals] [N/m] */
} BranchPath;

/* Follows the steady path of a law with Masing's rules, whose extremes are known, and cuts it. */
PetscErrorCode BranchPathFollow(BranchPath *path, const MasingPath *extremes, const PetscReal x[], const PeriodSamples *law,
                                const JointHistory *memory, PetscInt point);
/* Elastic laws: one piece between two extremes. */
PetscErrorCode BranchPathElastic(BranchPath *path, const MasingPath *extremes);
PetscErrorCode BranchPathDestroy(BranchPath *path);
/* The angle between two others at which a motion that only rises or only falls there comes to a value. */
PetscReal BranchAngle(const HarmonicBasis *basis, const PetscReal x[], PetscReal from, PetscReal to, PetscReal motion);

typedef struct {
  PetscInt   num_edges, capacity, num_segments, num_steps;
  PetscReal *edge;    /* [num_edges] the breaks; once set up [num_segments + 1], a period */
  PetscInt  *count;   /* [num_segments] least steps of each */
  PetscReal *theta;   /* [num_steps + 1] */
  PetscInt  *segment; /* [num_steps] */
  PetscReal *value;   /* [num_steps + 1, num_functions] */
} StabilityGrid;

PetscErrorCode StabilityGridAddBreak(StabilityGrid *grid, PetscReal theta);
/* Orders the breaks; a period has about so many steps. */
PetscErrorCode StabilityGridSetUp(StabilityGrid *grid, PetscInt steps);
/* Divides each of the least steps in so many. */
PetscErrorCode StabilityGridDivide(StabilityGrid *grid, const HarmonicBasis *basis, PetscInt parts);
PetscErrorCode StabilityGridDestroy(StabilityGrid *grid);

/* A point of a joint. */
typedef struct {
  const SystemBlock *block;
  PetscInt           point, dim;
  PetscBool          marched, active; /* the latter: it does not answer as if it stuck */
  PetscReal          area;
  PetscReal         *x;                                    /* [dim, num_functions] what the law is asked for */
  PetscReal          stuck[JOINT_MAX_DIM * JOINT_MAX_DIM]; /* the reference, area included */
  PetscInt           num_memory, memory;                   /* numbers that it remembers, and the first of them among all */
  PetscBool         *live;                                 /* [num_memory] a change can begin with it */
  PeriodSamples      samples;                              /* of scalar points: their law */
  BranchPath         path;                                 /* likewise */
  PetscReal          rest;                                 /* their tangent where they stand still: no pieces */
  PetscInt          *piece;                                /* [num_segments] */
  PetscReal         *tangent;                              /* [num_steps, 2] of scalar points, at both ends of each step */
  LinearStep         steps;                                /* of marched points */
  PetscReal         *linear;                               /* [num_steps, num_moved + num_memory, inputs] of these, forces first */
} StabilityPoint;

PetscErrorCode StabilityPointCreate(const HarmonicEquation *equation, PetscInt block, PetscInt index, PetscReal frequency, const PetscReal x[],
                                    StabilityGrid *grid, StabilityPoint *point);
PetscErrorCode StabilityPointDestroy(StabilityPoint *point);
/* Its tangents on the present grid, and whether it matters; false where a marched law does not close its loop. */
PetscErrorCode StabilityPointLinearise(StabilityPoint *point, const StabilityGrid *grid, const HarmonicBasis *basis, PetscReal frequency,
                                       PetscBool *closes);

enum { STABILITY_LANES = 8 }; /* columns that are marched together */

/* Changes of coordinates, velocities and memories, and what moves them. */
typedef struct {
  const HarmonicStructure *structure;
  const StabilityGrid     *grid;
  PetscInt                 num_points, num_modes, num_rows, num_memory, num_columns;
  StabilityPoint          *points;     /* [num_points] */
  PetscInt                *mode;       /* [num_modes] those that points move */
  PetscInt                *row;        /* [m] the number of a row among those of active points, or -1 */
  PetscReal               *map;        /* [num_rows, num_modes] */
  PetscReal               *eigenvalue; /* [num_modes] */
  PetscReal               *damping;    /* [num_modes], or [num_modes, num_modes] where modes are coupled */
  PetscReal               *residual;   /* [num_rows, num_rows]; NULL: none */
  PetscInt                *begin;      /* [num_columns] the row of the state that begins as 1 */
  PetscBool                viscous;    /* some active point is */
  PetscInt                 past;       /* the memory from which on forces of the rows are kept for a step; -1: they need not be */
} StabilityColumns;

/* Modes but rigid ones that joints or loads move at all: [n], marked. */
void           StabilityReach(const HarmonicStructure *structure, PetscBool reached[]);
PetscErrorCode StabilityColumnsCreate(const HarmonicStructure *structure, const StabilityGrid *grid, PetscInt num_points, StabilityPoint points[],
                                      StabilityColumns *columns);
PetscErrorCode StabilityColumnsDestroy(StabilityColumns *columns);
/* What a period makes of them: [num_columns, num_columns]. */
PetscErrorCode StabilityColumnsMarch(const StabilityColumns *columns, PetscReal frequency, PetscReal monodromy[]);
