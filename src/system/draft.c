/* draft.c - what was added to a System so far: sparse entries as they come, and the matrices made of them. */
#include "draft.h"

PetscErrorCode ArrayReserve(PetscInt count, PetscInt *capacity, size_t item_size, void *array)
{
  void **const place = (void **)array;

  PetscFunctionBegin;
  if (count < *capacity) PetscFunctionReturn(PETSC_SUCCESS);
  *capacity = PetscMax(16, 2 * *capacity);
  PetscCall(PetscRealloc((size_t)*capacity * item_size, place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EntriesAdd(Entries *entries, PetscInt i, PetscInt j, PetscReal value)
{
  PetscFunctionBegin;
  if (i < 0 || j < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (entries->count == entries->capacity) {
    PetscInt capacity = entries->capacity;

    PetscCall(ArrayReserve(entries->count, &capacity, sizeof(PetscInt), &entries->i));
    capacity = entries->capacity;
    PetscCall(ArrayReserve(entries->count, &capacity, sizeof(PetscInt), &entries->j));
    PetscCall(ArrayReserve(entries->count, &entries->capacity, sizeof(PetscReal), &entries->value));
  }
  entries->i[entries->count]     = i;
  entries->j[entries->count]     = j;
  entries->value[entries->count] = value;
  entries->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EntriesToMatrix(const Entries *entries, PetscInt num_rows, PetscInt num_columns, Mat *matrix)
{
  PetscInt *i, *j; /* MatSetPreallocationCOO may change its indices */

  PetscFunctionBegin;
  PetscCall(MatCreate(PETSC_COMM_SELF, matrix));
  PetscCall(MatSetSizes(*matrix, num_rows, num_columns, num_rows, num_columns));
  PetscCall(MatSetType(*matrix, MATSEQAIJ));
  PetscCall(PetscMalloc2(entries->count, &i, entries->count, &j));
  PetscCall(PetscArraycpy(i, entries->i, entries->count));
  PetscCall(PetscArraycpy(j, entries->j, entries->count));
  PetscCall(MatSetPreallocationCOO(*matrix, entries->count, i, j));
  PetscCall(MatSetValuesCOO(*matrix, entries->value, INSERT_VALUES));
  PetscCall(PetscFree2(i, j));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EntriesToVector(const Entries *entries, PetscInt column, PetscInt length, Vec *vector)
{
  PetscScalar *values;

  PetscFunctionBegin;
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, length, vector));
  PetscCall(VecZeroEntries(*vector));
  PetscCall(VecGetArray(*vector, &values));
  for (PetscInt e = 0; e < entries->count; e++)
    if (entries->j[e] == column) values[entries->i[e]] += entries->value[e];
  PetscCall(VecRestoreArray(*vector, &values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EntriesDestroy(Entries *entries)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(entries->i));
  PetscCall(PetscFree(entries->j));
  PetscCall(PetscFree(entries->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemDraftDestroy(SystemDraft **draft)
{
  PetscFunctionBegin;
  if (!*draft) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(EntriesDestroy(&(*draft)->law_map));
  PetscCall(EntriesDestroy(&(*draft)->mass));
  PetscCall(EntriesDestroy(&(*draft)->stiffness));
  PetscCall(EntriesDestroy(&(*draft)->damping));
  PetscCall(EntriesDestroy(&(*draft)->joint_map));
  PetscCall(EntriesDestroy(&(*draft)->point_map));
  PetscCall(EntriesDestroy(&(*draft)->base));
  PetscCall(EntriesDestroy(&(*draft)->force));
  PetscCall(PetscFree((*draft)->laws));
  PetscCall(PetscFree(*draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}
