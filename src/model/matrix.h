/* matrix.h - matrices that a case gives; private to this room. */
#pragma once
#include "parts.h"

enum { ANY = 0 };

/* Unknowns by node and direction, ascending, as Abaqus and Nastran write them; none where a file only counts them. */
typedef struct {
  PetscInt  count;
  PetscInt *list;
} MatrixLabels;

/* How many rows and columns there must be, and what for: "point"; ANY: as many as there are. Rows of a file that names them are put at the
   places that they have among the labels. */
typedef struct {
  PetscInt            rows, columns;
  const char         *row, *column;
  const MatrixLabels *labels; /* NULL: there are none */
} MatrixShape;

/* A list of rows, a matrix file NAME.mtx, or a dataset of the file `file` (NULL for none). NULL after a complaint. Collective. */
PetscErrorCode MatrixRead(const InputNode *node, const char *file, const MatrixShape *shape, Mat *matrix);
/* Those of a matrix; none of one whose file has none. Collective. */
PetscErrorCode MatrixReadLabels(const InputNode *node, const char *file, MatrixLabels *labels);
PetscErrorCode MatrixLabelsDestroy(MatrixLabels *labels);

/* The names of rows, for the caller to destroy. */
typedef struct {
  InputTexts   texts;
  const char **values; /* of `texts`, and what they point to; NULL: they are the document's */
  char        *owned;
} MotionNames;

/* A list, one name, a number of nodes with their directions, or with `file` a dataset of names. Collective. */
PetscErrorCode MotionsReadNames(const InputNode *node, const char *file, MotionNames *names);
PetscErrorCode MotionsNameLabels(const MatrixLabels *labels, MotionNames *names);
PetscErrorCode MotionNamesDestroy(MotionNames *names);
/* How the motions that have been named follow from the unknowns. */
PetscErrorCode MotionsReadMap(const InputNode *names, const InputNode *node, const char *file, const char *unknown, GivenMatrices *matrices);
/* Complains of an entry that differs from its mirror image; the others become equal to the last bit. */
PetscErrorCode MatrixSymmetrise(const InputNode *node, Mat matrix);
