/* keys.c - ascending lists of keys, each of them once. */
#include "keys.h"

PetscErrorCode KeysSort(PetscInt *count, PetscInt64 keys[])
{
  PetscInt num_different = 0;

  PetscFunctionBegin;
  PetscCall(PetscSortInt64(*count, keys));
  for (PetscInt i = 0; i < *count; i++) {
    if (i == 0 || keys[i] != keys[num_different - 1]) keys[num_different++] = keys[i];
  }
  *count = num_different;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt KeysFind(PetscInt count, const PetscInt64 keys[], PetscInt64 key)
{
  PetscInt low = 0, high = count;

  while (high - low > 1) {
    const PetscInt middle = low + (high - low) / 2;

    if (keys[middle] <= key) low = middle;
    else high = middle;
  }
  return low;
}
