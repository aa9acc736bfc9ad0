/* matrix.c - a matrix that a case gives: written in place, in a matrix file, in a file of datasets. */
#include "matrix.h"
#include <string.h>

static PetscInt NumbersOf(const InputNode *row)
{
  return InputIsList(row) ? InputCount(row) : 1;
}

static PetscErrorCode ReadRow(const InputNode *node, PetscInt row, const MatrixShape *shape, InputMatrix *entries)
{
  InputReals reals;

  PetscFunctionBegin;
  if (NumbersOf(node) != entries->columns) {
    PetscCall(InputComplain(node, "must have %" PetscInt_FMT " numbers, one for each %s, got %" PetscInt_FMT, entries->columns, shape->column,
                            NumbersOf(node)));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputGetReals(node, NULL, &reals));
  for (PetscInt c = 0; c < reals.count; c++) {
    entries->row[entries->count]     = row;
    entries->column[entries->count]  = c;
    entries->value[entries->count++] = reals.values[c];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadRows(const InputNode *node, const MatrixShape *shape, InputMatrix *entries)
{
  PetscInt room;

  PetscFunctionBegin;
  if (InputCount(node) == 0 || (shape->rows != ANY && InputCount(node) != shape->rows)) {
    PetscCall(InputComplain(node, "must have %" PetscInt_FMT " rows, one for each %s, got %" PetscInt_FMT, PetscMax(1, shape->rows), shape->row,
                            InputCount(node)));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  entries->rows    = InputCount(node);
  entries->columns = shape->columns == ANY ? NumbersOf(InputItem(node, 0)) : shape->columns;
  room             = entries->rows * entries->columns;
  PetscCall(PetscMalloc3(room, &entries->row, room, &entries->column, room, &entries->value));
  for (PetscInt r = 0; r < entries->rows; r++) PetscCall(ReadRow(InputItem(node, r), r, shape, entries));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsMatrixFile(const char *text)
{
  const size_t length = strlen(text);

  return (PetscBool)(length > 4 && strcmp(text + length - 4, ".mtx") == 0);
}

static PetscErrorCode ReadFile(const InputNode *node, const char *file, InputMatrix *entries)
{
  const char *text, *path;

  PetscFunctionBegin;
  PetscCall(InputGetText(node, &text));
  if (!text) PetscFunctionReturn(PETSC_SUCCESS);
  if (IsMatrixFile(text)) {
    PetscCall(InputGetPath(node, &path));
    PetscCall(InputReadMatrixFile(node, path, entries));
  } else if (file && *text) {
    PetscCall(InputReadDataset(node, file, text, entries));
  } else {
    PetscCall(InputComplain(
      node, "must be a list of rows, [[...], ...], a file NAME.mtx (Matrix Market or Abaqus), or a dataset of the file that `file` names"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckShape(const InputNode *node, const MatrixShape *shape, const InputMatrix *entries, PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = PETSC_FALSE;
  if (shape->rows != ANY && entries->rows != shape->rows)
    PetscCall(InputComplain(node, "must have %" PetscInt_FMT " rows, one for each %s, got %" PetscInt_FMT, shape->rows, shape->row, entries->rows));
  else if (shape->columns != ANY && entries->columns != shape->columns)
    PetscCall(InputComplain(node, "must have %" PetscInt_FMT " columns, one for each %s, got %" PetscInt_FMT, shape->columns, shape->column,
                            entries->columns));
  else *fine = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows that a file names by nodes go to the places that they have in the stiffness. */
static PetscErrorCode PlaceRows(const InputNode *node, const MatrixLabels *labels, InputMatrix *entries)
{
  PetscInt *place;

  PetscFunctionBegin;
  if (!labels || !labels->count) {
    PetscCall(InputComplain(node, "names its unknowns by node and direction, as the stiffness must then do, too; leave `points` out"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc1(entries->rows, &place));
  for (PetscInt i = 0; i < entries->rows; i++) {
    PetscCall(PetscFindInt(entries->label[i], labels->count, labels->list, &place[i]));
    if (place[i] >= 0) continue;
    PetscCall(InputComplain(node, "has an unknown of node %" PetscInt_FMT " in %s, which the stiffness does not have",
                            InputLabelNode(entries->label[i]), direction_names[InputLabelDirection(entries->label[i]) - 1]));
    break;
  }
  for (PetscInt e = 0; e < entries->count; e++) {
    entries->row[e]    = place[entries->row[e]];
    entries->column[e] = place[entries->column[e]];
  }
  entries->rows = entries->columns = labels->count;
  PetscCall(PetscFree(place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Convert(const InputMatrix *entries, Mat *matrix)
{
  PetscInt *row, *column; /* MatSetPreallocationCOO may change its indices */

  PetscFunctionBegin;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, entries->rows, entries->columns, 0, NULL, matrix));
  PetscCall(PetscMalloc2(entries->count, &row, entries->count, &column));
  PetscCall(PetscArraycpy(row, entries->row, entries->count));
  PetscCall(PetscArraycpy(column, entries->column, entries->count));
  PetscCall(MatSetPreallocationCOO(*matrix, entries->count, row, column));
  PetscCall(MatSetValuesCOO(*matrix, entries->value, INSERT_VALUES));
  PetscCall(PetscFree2(row, column));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixRead(const InputNode *node, const char *file, const MatrixShape *shape, Mat *matrix)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(node));
  InputMatrix    entries        = {0};
  PetscBool      fine;

  PetscFunctionBegin;
  if (InputIsList(node)) PetscCall(ReadRows(node, shape, &entries));
  else PetscCall(ReadFile(node, file, &entries));
  if (entries.label) PetscCall(PlaceRows(node, shape->labels, &entries));
  fine = (PetscBool)(InputNumComplaints(InputDocumentOf(node)) == num_complaints);
  if (fine) PetscCall(CheckShape(node, shape, &entries, &fine));
  if (fine) PetscCall(Convert(&entries, matrix));
  PetscCall(InputMatrixDestroy(&entries));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixReadLabels(const InputNode *node, const char *file, MatrixLabels *labels)
{
  InputMatrix entries = {0};

  PetscFunctionBegin;
  *labels = (MatrixLabels){0};
  if (!node || InputIsList(node)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadFile(node, file, &entries));
  if (entries.label) {
    *labels       = (MatrixLabels){.count = entries.rows, .list = entries.label};
    entries.label = NULL;
  }
  PetscCall(InputMatrixDestroy(&entries));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixLabelsDestroy(MatrixLabels *labels)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(labels->list));
  labels->count = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Round-off in an entry is judged by the two diagonal entries it couples. */
static PetscBool Agree(PetscReal upper, PetscReal lower, PetscReal diagonal, PetscReal other_diagonal)
{
  const PetscReal both  = PetscSqrtReal(PetscAbsReal(diagonal)) * PetscSqrtReal(PetscAbsReal(other_diagonal));
  const PetscReal scale = PetscMax(both, PetscMax(PetscAbsReal(upper), PetscAbsReal(lower)));

  return (PetscBool)(PetscAbsReal(upper - lower) <= 1e-12 * scale);
}

/* A sorted row of a sparse matrix, walked through beside another. */
typedef struct {
  PetscInt           count;
  const PetscInt    *column;
  const PetscScalar *value;
} Row;

/* The first column above the diagonal where a row differs from that of the transpose; -1 when none does. */
static PetscInt FirstDifference(PetscInt i, const Row *row, const Row *mirrored, const PetscScalar diagonal[], PetscReal values[2])
{
  for (PetscInt a = 0, b = 0; a < row->count || b < mirrored->count;) {
    const PetscInt j = PetscMin(a < row->count ? row->column[a] : PETSC_MAX_INT, b < mirrored->count ? mirrored->column[b] : PETSC_MAX_INT);

    values[0] = a < row->count && row->column[a] == j ? row->value[a++] : 0.0;
    values[1] = b < mirrored->count && mirrored->column[b] == j ? mirrored->value[b++] : 0.0;
    if (j > i && !Agree(values[0], values[1], diagonal[i], diagonal[j])) return j;
  }
  return -1;
}

/* Complains of the first entry that differs from its mirror image. */
static PetscErrorCode Compare(const InputNode *node, Mat matrix, Mat transposed, const PetscScalar diagonal[], PetscBool *fine)
{
  PetscInt size;

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  PetscCall(MatGetSize(matrix, &size, NULL));
  for (PetscInt i = 0; i < size && *fine; i++) {
    Row       row, mirrored;
    PetscReal values[2];
    PetscInt  j;

    PetscCall(MatGetRow(matrix, i, &row.count, &row.column, &row.value));
    PetscCall(MatGetRow(transposed, i, &mirrored.count, &mirrored.column, &mirrored.value));
    j = FirstDifference(i, &row, &mirrored, diagonal, values);
    PetscCall(MatRestoreRow(transposed, i, &mirrored.count, &mirrored.column, &mirrored.value));
    PetscCall(MatRestoreRow(matrix, i, &row.count, &row.column, &row.value));
    if (j < 0) continue;
    *fine = PETSC_FALSE;
    PetscCall(InputComplain(InputIsList(node) ? InputItem(InputItem(node, i), j) : node,
                            "must be symmetric: row %" PetscInt_FMT ", column %" PetscInt_FMT " is %.15g, row %" PetscInt_FMT
                            ", column %" PetscInt_FMT " is %.15g",
                            i + 1, j + 1, values[0], j + 1, i + 1, values[1]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatrixSymmetrise(const InputNode *node, Mat matrix)
{
  const PetscScalar *values;
  Vec                diagonal;
  Mat                transposed;
  PetscBool          fine;

  PetscFunctionBegin;
  PetscCall(MatTranspose(matrix, MAT_INITIAL_MATRIX, &transposed));
  PetscCall(MatCreateVecs(matrix, &diagonal, NULL));
  PetscCall(MatGetDiagonal(matrix, diagonal));
  PetscCall(VecGetArrayRead(diagonal, &values));
  PetscCall(Compare(node, matrix, transposed, values, &fine));
  PetscCall(VecRestoreArrayRead(diagonal, &values));
  PetscCall(VecDestroy(&diagonal));
  if (fine) {
    PetscCall(MatAXPY(matrix, 1.0, transposed, DIFFERENT_NONZERO_PATTERN));
    PetscCall(MatScale(matrix, 0.5));
  }
  PetscCall(MatDestroy(&transposed));
  PetscFunctionReturn(PETSC_SUCCESS);
}
