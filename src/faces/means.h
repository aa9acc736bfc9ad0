/* means.h - the weighted means at the nodes of the slave, not yet divided by their areas. */
#pragma once
#include "surface.h"
#include <petscmat.h>

/* Row i belongs to node i of the slave; columns are the nodes of the slave, and behind them those of the master. */
typedef struct {
  PetscReal *area;   /* a = int W, [num_nodes of the slave] */
  PetscReal *normal; /* int W n, [num_nodes of the slave, SPACE] */
  PetscReal *beside; /* least distance beyond the reach at which the master goes on over facets around the node, 0: nowhere; [num_nodes] */
  Mat        sums;   /* int W N_B^T, and -int W N_A^T; on this rank */
  Mat        near;   /* nodes of the master's facets that a row meets, and how much: int H over them; columns are nodes of the master */
} Means;

PetscErrorCode MeansFind(const Surface *slave, const Surface *master, PetscReal reach, Means *means);
PetscErrorCode MeansDestroy(Means *means);
