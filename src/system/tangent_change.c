/* tangent_change.c - products with what tangents of joints differ by: few entries a row. */
#include "tangent_change.h"

static PetscErrorCode FindRows(PetscInt num_rows, TangentChange *change)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc2(num_rows, &change->row, num_rows, &change->place));
  for (PetscInt r = 0; r < num_rows; r++) {
    const PetscScalar *value;
    PetscInt           num_values;
    PetscBool          changes = PETSC_FALSE;

    PetscCall(MatGetRow(change->D, r, &num_values, NULL, &value));
    for (PetscInt j = 0; j < num_values; j++) changes = (PetscBool)(changes || value[j] != 0.0);
    PetscCall(MatRestoreRow(change->D, r, &num_values, NULL, &value));
    change->place[r] = changes ? change->count : -1;
    if (changes) change->row[change->count++] = r;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TangentChangeCreate(const System *from, JointState from_state, const System *to, JointState to_state, TangentChange *change)
{
  Mat old;

  PetscFunctionBegin;
  *change = (TangentChange){0};
  PetscCall(SystemTangents(to, to_state, &change->D));
  PetscCall(SystemTangents(from, from_state, &old));
  PetscCall(MatrixAdd(&change->D, -1.0, old));
  PetscCall(MatDestroy(&old));
  PetscCall(FindRows(to->names.num_rows, change));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TangentChangeDestroy(TangentChange *change)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(&change->D));
  PetscCall(PetscFree2(change->row, change->place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TangentChangeMultiply(const TangentChange *change, const PetscReal x[], PetscReal product[])
{
  PetscFunctionBegin;
  for (PetscInt a = 0; a < change->count; a++) {
    const PetscInt    *other;
    const PetscScalar *value;
    PetscInt           num_values;

    PetscCall(MatGetRow(change->D, change->row[a], &num_values, &other, &value));
    product[a] = 0.0;
    for (PetscInt j = 0; j < num_values; j++)
      if (value[j] != 0.0) product[a] += value[j] * x[change->place[other[j]]];
    PetscCall(MatRestoreRow(change->D, change->row[a], &num_values, &other, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TangentChangeAddProduct(const TangentChange *change, const PetscReal A[], PetscReal matrix[])
{
  const size_t n = (size_t)change->count;

  PetscFunctionBegin;
  for (size_t k = 0; k < n; k++) {
    const PetscReal *const column = A + k * n;
    const PetscInt        *other;
    const PetscScalar     *value;
    PetscInt               num_values;

    PetscCall(MatGetRow(change->D, change->row[k], &num_values, &other, &value));
    for (PetscInt j = 0; j < num_values; j++)
      for (size_t i = 0; i < n && value[j] != 0.0; i++) matrix[(size_t)change->place[other[j]] * n + i] += column[i] * value[j];
    PetscCall(MatRestoreRow(change->D, change->row[k], &num_values, &other, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
