/* matrix.c - matrices that files hold, as lists of entries. */
#include "input_private.h"

PetscErrorCode InputMatrixReserve(InputMatrix *matrix, PetscInt count)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc3(count, &matrix->row, count, &matrix->column, count, &matrix->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void InputMatrixAdd(InputMatrix *matrix, PetscInt row, PetscInt column, PetscReal value)
{
  if (value == 0.0) return;
  matrix->row[matrix->count]     = row;
  matrix->column[matrix->count]  = column;
  matrix->value[matrix->count++] = value;
}

PetscErrorCode InputMatrixRecord(const InputNode *node, const InputMatrix *matrix)
{
  const size_t count = (size_t)matrix->count;
  PetscInt64   hash  = InputHash(INPUT_HASH_START, matrix->row, count * sizeof *matrix->row);

  PetscFunctionBegin;
  hash = InputHash(hash, matrix->column, count * sizeof *matrix->column);
  hash = InputHash(hash, matrix->value, count * sizeof *matrix->value);
  PetscCall(InputRecordContent(node, matrix->rows, matrix->columns, hash));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputMatrixDestroy(InputMatrix *matrix)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(matrix->row, matrix->column, matrix->value));
  *matrix = (InputMatrix){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
