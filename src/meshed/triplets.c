/* triplets.c - entries of a sparse matrix, gathered one by one. */
#include "triplets.h"

PetscErrorCode TripletsAdd(PetscInt row, PetscInt column, PetscReal value, Triplets *triplets)
{
  PetscFunctionBegin;
  if (triplets->count == triplets->room) {
    triplets->room = 2 * triplets->room + 64;
    PetscCall(PetscRealloc((size_t)triplets->room * sizeof(*triplets->row), &triplets->row));
    PetscCall(PetscRealloc((size_t)triplets->room * sizeof(*triplets->column), &triplets->column));
    PetscCall(PetscRealloc((size_t)triplets->room * sizeof(*triplets->value), &triplets->value));
  }
  triplets->row[triplets->count]     = row;
  triplets->column[triplets->count]  = column;
  triplets->value[triplets->count++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TripletsAddVector(PetscInt row, PetscReal scale, Vec vector, Triplets *triplets)
{
  const PetscScalar *value;
  PetscInt           first, end;

  PetscFunctionBegin;
  if (!vector || scale == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGetOwnershipRange(vector, &first, &end));
  PetscCall(VecGetArrayRead(vector, &value));
  for (PetscInt i = first; i < end; i++)
    if (value[i - first] != 0.0) PetscCall(TripletsAdd(row, i, scale * value[i - first], triplets));
  PetscCall(VecRestoreArrayRead(vector, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TripletsAddRows(PetscInt shift, const PetscInt place[], Mat matrix, Triplets *triplets)
{
  PetscInt first, end;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(matrix, &first, &end));
  for (PetscInt r = first; r < end; r++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(matrix, r, &count, &column, &value));
    for (PetscInt k = 0; k < count && (!place || place[r] >= 0); k++)
      PetscCall(TripletsAdd(place ? place[r] : shift + r, column[k], value[k], triplets));
    PetscCall(MatRestoreRow(matrix, r, &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TripletsMatrix(Triplets *triplets, MPI_Comm comm, PetscInt num_local_rows, PetscInt num_rows, PetscInt num_local_columns,
                              PetscInt num_columns, Mat *matrix)
{
  PetscFunctionBegin;
  PetscCall(MatCreate(comm, matrix));
  PetscCall(MatSetSizes(*matrix, num_local_rows, num_local_columns, num_rows, num_columns));
  PetscCall(MatSetType(*matrix, MATAIJ));
  PetscCall(MatSetPreallocationCOO(*matrix, triplets->count, triplets->row, triplets->column));
  PetscCall(MatSetValuesCOO(*matrix, triplets->value, INSERT_VALUES));
  PetscCall(PetscFree(triplets->row));
  PetscCall(PetscFree(triplets->column));
  PetscCall(PetscFree(triplets->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}
