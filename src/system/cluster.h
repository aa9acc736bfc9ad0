/* cluster.h - unknowns that a stiffness ties to each other, among the last ones of a sparse matrix: solved for together, as a dense matrix. */
#pragma once
#include <petscmat.h>
#include "base.h"

typedef struct {
  PetscInt   num;
  PetscInt  *unknown; /* [num] rows of the matrix */
  PetscReal *factor;  /* [num, num] Cholesky's, of the rows and columns of these */
} Cluster;

/* Of the rows from `kept` on, all that hang together with `first`; taken[row - kept] becomes true. Local, as all of this. */
PetscErrorCode ClusterCreate(Mat K, PetscInt kept, PetscInt first, PetscBool taken[], Cluster *cluster);
/* The row whose pivot is no more than round-off, or negative; -1: all are held. */
PetscErrorCode ClusterFactor(Mat K, PetscInt kept, Cluster *cluster, PetscInt *loose);
PetscErrorCode ClusterDestroy(Cluster *cluster);

/* Those columns of a matrix [all rows, any] that are not zero in these rows, and the solutions for them. */
typedef struct {
  PetscInt   count;
  PetscInt  *column;             /* [count] ascending */
  PetscReal *values, *solutions; /* [count, num] */
} ClusterColumns;

PetscErrorCode ClusterSolve(const Cluster *cluster, Mat sides, ClusterColumns *columns);
PetscErrorCode ClusterColumnsDestroy(ClusterColumns *columns);
