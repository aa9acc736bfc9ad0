/* memory.c - results in memory, for cases that are run many times: rows, and nothing else. */
#include "result.h"
#include <math.h>
#include <string.h>

void FillUnknown(ResultType type, size_t num_bytes, void *rows)
{
  memset(rows, 0, num_bytes);
  for (size_t i = 0; type == RESULT_REAL && i < num_bytes / sizeof(PetscReal); i++) ((PetscReal *)rows)[i] = (PetscReal)NAN;
}

PetscErrorCode MemorySlotCreate(Result *result, int slot, const void *values)
{
  const Extent *const extent = &result->extents[slot];
  const size_t        bytes  = (size_t)extent->num_bytes;

  PetscFunctionBegin;
  PetscCall(PetscRealloc((size_t)result->capacity * sizeof(*result->rows), &result->rows));
  PetscCall(PetscMalloc(PetscMax(bytes, 1), &result->rows[slot]));
  if (values && bytes) memcpy(result->rows[slot], values, bytes);
  else FillUnknown(extent->type, bytes, result->rows[slot]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MemoryDestroy(Result *result)
{
  PetscFunctionBegin;
  for (PetscInt slot = 0; result->in_memory && slot < result->num_slots; slot++) PetscCall(PetscFree(result->rows[slot]));
  PetscCall(PetscFree(result->rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}
