/* layout.c - what a result holds, said before it is filled: datasets, attributes, reserved arrays. */
#include "result.h"
#include <string.h>

static PetscErrorCode CheckPath(const Result *result, const char *path)
{
  PetscFunctionBegin;
  PetscCheck(!result->filling, PETSC_COMM_SELF, PETSC_ERR_ORDER, "%s: the layout has ended", path);
  PetscCheck(path[0] == '/', PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "%s: paths in a result begin with /", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckShape(const char *path, PetscInt num_dims, const PetscInt64 dims[])
{
  PetscFunctionBegin;
  PetscCheck(num_dims >= 0 && num_dims <= RESULT_MAX_DIMS, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "%s: %" PetscInt_FMT " dimensions", path,
             num_dims);
  for (PetscInt i = 0; i < num_dims; i++) {
    PetscCheck(dims[i] >= 0, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "%s: dimension %" PetscInt_FMT " is negative", path, i);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt64 NumBytes(ResultType type, PetscInt num_dims, const PetscInt64 dims[])
{
  PetscInt64 num_bytes = (PetscInt64)SizeOfType(type);

  for (PetscInt i = 0; i < num_dims; i++) num_bytes *= dims[i];
  return num_bytes;
}

/* Rank 0 alone writes, and when the disk is full only says so: ResultBeginData brings the verdict to all. */
static PetscErrorCode Prepare(Result *result, const char *path, PetscInt64 num_bytes, PetscBool *write)
{
  PetscFunctionBegin;
  *write = PETSC_FALSE;
  PetscCall(CheckPath(result, path));
  if (result->in_memory) PetscFunctionReturn(PETSC_SUCCESS);
  if (result->rank == 0 && !result->resumed && !result->refused) PetscCall(SpaceTake(result, num_bytes));
  *write = (PetscBool)(result->rank == 0 && !result->refused);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A new slot on every rank, so that the offsets can be broadcast in one piece. */
PetscErrorCode SlotAdd(Result *result, const char *path, ResultType type, PetscInt64 num_bytes, PetscBool given, int *slot)
{
  const PetscBool guarded = (PetscBool)(num_bytes > 0 && strcmp(path, SUMS) != 0);

  PetscFunctionBegin;
  for (*slot = 0; result->stored && *slot < result->num_slots; ++*slot)
    if (!strcmp(result->extents[*slot].path, path)) PetscFunctionReturn(PETSC_SUCCESS);
  if (result->num_slots == result->capacity) {
    result->capacity = PetscMax(16, 2 * result->capacity);
    PetscCall(PetscRealloc((size_t)result->capacity * sizeof(*result->offsets), &result->offsets));
    PetscCall(PetscRealloc((size_t)result->capacity * sizeof(*result->extents), &result->extents));
  }
  *slot                  = (int)result->num_slots++;
  result->offsets[*slot] = -1;
  result->extents[*slot] = (Extent){.type = type, .num_bytes = num_bytes, .first_block = result->num_blocks, .guarded = guarded, .given = given};
  PetscCall(PetscStrallocpy(path, &result->extents[*slot].path));
  if (guarded) result->num_blocks += SumsCount(num_bytes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where a dataset of the file lies. */
static PetscErrorCode Find(Result *result, int slot, PetscInt num_dims, const PetscInt64 dims[])
{
  const Extent *const extent = &result->extents[slot];

  PetscFunctionBegin;
  PetscCall(DatasetCheck(result->file, extent->path, extent->type, num_dims, dims, &result->offsets[slot]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Values that are known; texts of the given length, 0 for the usual one. */
static PetscErrorCode Give(Result *result, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], size_t text_length,
                           const void *values, int *slot)
{
  const PetscInt64 num_bytes = text_length ? dims[0] * (PetscInt64)text_length : NumBytes(type, num_dims, dims);
  PetscBool        write;

  PetscFunctionBegin;
  PetscCall(Prepare(result, path, num_bytes, &write));
  PetscCall(SlotAdd(result, path, type, num_bytes, PETSC_TRUE, slot));
  if (result->in_memory) PetscCall(MemorySlotCreate(result, *slot, values));
  if (!write) PetscFunctionReturn(PETSC_SUCCESS);
  if (!result->resumed) PetscCall(DatasetWrite(result->file, path, type, text_length, num_dims, dims, values));
  PetscCall(Find(result, *slot, num_dims, dims));
  if (result->resumed) PetscCall(MendGiven(result, *slot, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Write(Result *result, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], const void *values)
{
  int slot;

  PetscFunctionBegin;
  PetscCall(CheckShape(path, num_dims, dims));
  PetscCall(Give(result, path, type, num_dims, dims, 0, values, &slot));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultWriteReals(Result *result, const char *path, PetscInt num_dims, const PetscInt64 dims[], const PetscReal values[])
{
  PetscFunctionBegin;
  PetscCall(Write(result, path, RESULT_REAL, num_dims, dims, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultWriteCounts(Result *result, const char *path, PetscInt num_dims, const PetscInt64 dims[], const PetscInt64 values[])
{
  PetscFunctionBegin;
  PetscCall(Write(result, path, RESULT_COUNT, num_dims, dims, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultWriteTexts(Result *result, const char *path, PetscInt count, const char *const texts[])
{
  const PetscInt64 num_texts = count;
  size_t           longest   = 1;
  char            *packed;
  int              slot;

  PetscFunctionBegin;
  PetscCall(CheckShape(path, 1, &num_texts));
  for (PetscInt i = 0; i < count; i++) longest = PetscMax(longest, strlen(texts[i]));
  PetscCall(PetscCalloc1((size_t)count * longest, &packed));
  for (PetscInt i = 0; i < count; i++) memcpy(packed + (size_t)i * longest, texts[i], strlen(texts[i]));
  PetscCall(Give(result, path, RESULT_TEXT, 1, &num_texts, longest, packed, &slot));
  PetscCall(PetscFree(packed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultAttributeReal(Result *result, const char *path, const char *name, PetscReal value)
{
  PetscBool write;

  PetscFunctionBegin;
  PetscCall(Prepare(result, path, sizeof(value), &write));
  if (write && result->resumed) PetscCall(AttributeCheck(result->file, path, name));
  if (write && !result->resumed) PetscCall(AttributeWriteReal(result->file, path, name, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultAttributeCount(Result *result, const char *path, const char *name, PetscInt64 value)
{
  PetscBool write;

  PetscFunctionBegin;
  PetscCall(Prepare(result, path, sizeof(value), &write));
  if (write && result->resumed) PetscCall(AttributeCheck(result->file, path, name));
  if (write && !result->resumed) PetscCall(AttributeWriteCount(result->file, path, name, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultAttributeText(Result *result, const char *path, const char *name, const char *value)
{
  PetscBool write;

  PetscFunctionBegin;
  PetscCall(Prepare(result, path, (PetscInt64)strlen(value), &write));
  if (write && result->resumed) PetscCall(AttributeCheck(result->file, path, name));
  if (write && !result->resumed) PetscCall(AttributeWriteText(result->file, path, name, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Describe(ResultType type, PetscInt num_dims, const PetscInt64 dims[], ResultArray *array)
{
  array->num_rows  = num_dims > 0 ? dims[0] : 1;
  array->row_bytes = num_dims > 0 ? (size_t)NumBytes(type, num_dims - 1, dims + 1) : SizeOfType(type);
}

PetscErrorCode ResultReserve(Result *result, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], ResultArray *array)
{
  PetscBool write;

  PetscFunctionBegin;
  PetscCall(CheckShape(path, num_dims, dims));
  PetscCall(Prepare(result, path, NumBytes(type, num_dims, dims), &write));
  Describe(type, num_dims, dims, array);
  PetscCall(SlotAdd(result, path, type, NumBytes(type, num_dims, dims), PETSC_FALSE, &array->slot));
  if (result->in_memory) PetscCall(MemorySlotCreate(result, array->slot, NULL));
  if (!write) PetscFunctionReturn(PETSC_SUCCESS);
  if (!result->resumed) PetscCall(DatasetReserve(result->file, path, type, num_dims, dims, &result->offsets[array->slot]));
  else PetscCall(Find(result, array->slot, num_dims, dims));
  if (result->resumed) PetscCall(MendReserved(result, array->slot));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultGive(Result *result, const char *path, ResultType type, PetscInt num_dims, const PetscInt64 dims[], const void *values,
                          ResultArray *array)
{
  PetscFunctionBegin;
  PetscCall(CheckShape(path, num_dims, dims));
  Describe(type, num_dims, dims, array);
  PetscCall(Give(result, path, type, num_dims, dims, 0, values, &array->slot));
  PetscFunctionReturn(PETSC_SUCCESS);
}
