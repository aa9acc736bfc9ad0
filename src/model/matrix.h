/* matrix.h - matrices that a case gives; private to this room. */
#pragma once
#include "parts.h"

enum { ANY = 0 };

/* How many rows and columns there must be, and what for: "point"; ANY: as many as there are. */
typedef struct {
  PetscInt    rows, columns;
  const char *row, *column;
} MatrixShape;

/* A list of rows, a Matrix Market file NAME.mtx, or a dataset of the HDF5 file `file` (NULL for none). NULL after a complaint. Collective. */
PetscErrorCode MatrixRead(const InputNode *node, const char *file, const MatrixShape *shape, Mat *matrix);
/* The names of rows: a list, one name, or with `file` a dataset of them. */
PetscErrorCode MotionsReadNames(const InputNode *node, const char *file, InputTexts *names);
/* How the motions that have been named follow from the unknowns. */
PetscErrorCode MotionsReadMap(const InputNode *names, const InputNode *node, const char *file, const char *unknown, GivenMatrices *matrices);
/* Complains of an entry that differs from its mirror image; the others become equal to the last bit. */
PetscErrorCode MatrixSymmetrise(const InputNode *node, Mat matrix);
