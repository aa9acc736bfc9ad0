/*
  triplets.h - entries of a sparse matrix that ranks each know a part of, gathered before its size is known; private to this room.
*/
#pragma once
#include <petscmat.h>
#include "base.h"

typedef struct {
  PetscInt   count, room, *row, *column;
  PetscReal *value;
} Triplets;

PetscErrorCode TripletsAdd(PetscInt row, PetscInt column, PetscReal value, Triplets *triplets);
/* A row `scale` times a vector; of NULL nothing. */
PetscErrorCode TripletsAddVector(PetscInt row, PetscReal scale, Vec vector, Triplets *triplets);
/* The rows of a matrix that this rank has: row r is row place[r], none of -1, or where `place` is NULL, row `shift` + r. */
PetscErrorCode TripletsAddRows(PetscInt shift, const PetscInt place[], Mat matrix, Triplets *triplets);
/* The matrix [num_rows, num_columns], whose rows and columns are distributed as said; entries at the same place add up. The triplets are gone
   then. */
PetscErrorCode TripletsMatrix(Triplets *triplets, MPI_Comm comm, PetscInt num_local_rows, PetscInt num_rows, PetscInt num_local_columns,
                              PetscInt num_columns, Mat *matrix);
