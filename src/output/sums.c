/* sums.c - what guards the contents of datasets, of which HDF5 keeps no checksums as long as they are contiguous: a sum for each block of
   bytes, in /case/sums. They are written when the rows are on disk, so that a sum never speaks of rows that a kill can take; a block whose
   rows are about to be replaced is taken out before. */
#include "result.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 32768 }; /* bytes */

/* The finaliser of MurmurHash3 (Appleby 2011): one to one, so that no change of one word goes unseen. */
static uint64_t Mix(uint64_t word, uint64_t place)
{
  word ^= place * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
  word = (word ^ word >> 33) * 0xff51afd7ed558ccdu;
  word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53u;
  return word ^ word >> 33;
}

/* Of words of 8 bytes, the last one filled up with zeros; `first` is where they begin in the dataset. "Not yet" counts nothing, and rows
   can be added and taken away in any order. */
static PetscInt64 SumOf(ResultType type, PetscInt64 first, PetscInt64 num_bytes, const char *bytes)
{
  const PetscReal not_yet = (PetscReal)NAN;
  uint64_t        sum = 0, none = 0, word;

  if (type == RESULT_REAL) memcpy(&none, &not_yet, sizeof(none));
  for (PetscInt64 i = 0; i < num_bytes; i += 8) {
    word = 0;
    memcpy(&word, bytes + i, (size_t)PetscMin(8, num_bytes - i));
    if (word != none) sum += Mix(word, (uint64_t)(first + i));
  }
  return (PetscInt64)sum;
}

static PetscInt64 Add(PetscInt64 a, PetscInt64 b)
{
  return (PetscInt64)((uint64_t)a + (uint64_t)b);
}

static PetscInt64 Less(PetscInt64 a, PetscInt64 b)
{
  return (PetscInt64)((uint64_t)a - (uint64_t)b);
}

PetscInt64 SumsCount(PetscInt64 num_bytes)
{
  return (num_bytes + BLOCK - 1) / BLOCK;
}

/* Where the block that holds a byte of a dataset ends. */
static PetscInt64 EndOfBlock(const Extent *extent, PetscInt64 byte)
{
  return PetscMin(extent->num_bytes, (byte / BLOCK + 1) * BLOCK);
}

static Sum *SumAt(const Result *result, const Extent *extent, PetscInt64 byte)
{
  return &result->sums[extent->first_block + byte / BLOCK];
}

static PetscErrorCode ReadBlock(const Result *result, const Extent *extent, PetscInt64 first, PetscInt64 num_bytes, char bytes[BLOCK])
{
  PetscFunctionBegin;
  PetscCall(DataRead(result, result->offsets[extent - result->extents] + first, (size_t)num_bytes, bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteSums(const Result *result, PetscInt64 first, PetscInt64 count)
{
  PetscFunctionBegin;
  PetscCall(DataWrite(result, result->offsets[result->guards.slot] + first * (PetscInt64)sizeof(Sum), (size_t)count * sizeof(Sum),
                      (const char *)&result->sums[first]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On disk, that the block is not to be checked. */
static PetscErrorCode TakeOut(const Result *result, Sum *sum)
{
  const PetscInt64 end = sum->end;

  PetscFunctionBegin;
  if (!result->settled[sum - result->sums]) PetscFunctionReturn(PETSC_SUCCESS);
  result->settled[sum - result->sums] = PETSC_FALSE;
  sum->end                            = -end;
  PetscCall(WriteSums(result, sum - result->sums, 1));
  sum->end = end;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void NoteChange(Extent *extent, PetscInt64 byte)
{
  const PetscInt64 block = extent->first_block + byte / BLOCK;

  if (extent->changed_to == 0) extent->changed_from = block;
  extent->changed_from = PetscMin(extent->changed_from, block);
  extent->changed_to   = PetscMax(extent->changed_to, block + 1);
}

/* Rows that are not the next ones: several ranks may share the blocks, and their sums are found at the end. */
static PetscErrorCode Scatter(const Result *result, Extent *extent, PetscInt64 first, PetscInt64 end)
{
  PetscFunctionBegin;
  if (!extent->scattered) end = PetscMax(end, extent->next), first = 0;
  extent->scattered  = PETSC_TRUE;
  extent->changed_to = 0;
  for (PetscInt64 at = first; at < end; at = EndOfBlock(extent, at)) {
    PetscCall(TakeOut(result, SumAt(result, extent, at)));
    *SumAt(result, extent, at) = (Sum){0};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of one block, from those that are known on. */
static PetscErrorCode Replace(const Result *result, Extent *extent, PetscInt64 first, PetscInt64 end, const char *bytes)
{
  Sum *const       sum   = SumAt(result, extent, first);
  const PetscInt64 known = PetscMin(end, extent->next) - first;
  char             old[BLOCK];

  PetscFunctionBegin;
  if (known > 0) {
    PetscCall(TakeOut(result, sum));
    PetscCall(ReadBlock(result, extent, first, known, old));
    sum->sum = Less(sum->sum, SumOf(extent->type, first, known, old));
  }
  sum->sum = Add(sum->sum, SumOf(extent->type, first, end - first, bytes));
  sum->end = PetscMax(sum->end, end - first / BLOCK * BLOCK);
  NoteChange(extent, first);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SumsBeforeRows(const Result *result, int slot, PetscInt64 first, PetscInt64 num_bytes, const char *bytes)
{
  Extent *const    extent = &result->extents[slot];
  const PetscInt64 end    = first + num_bytes;

  PetscFunctionBegin;
  if (!extent->guarded || num_bytes == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (extent->scattered || first > extent->next) {
    PetscCall(Scatter(result, extent, first, end));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt64 at = first; at < end; at = EndOfBlock(extent, at))
    PetscCall(Replace(result, extent, at, PetscMin(end, EndOfBlock(extent, at)), bytes + (at - first)));
  extent->next = PetscMax(extent->next, end);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SumsSync(const Result *result)
{
  PetscFunctionBegin;
  for (PetscInt64 s = 0; s < result->num_slots; s++) {
    Extent *const extent = &result->extents[s];

    if (extent->changed_to == 0) continue;
    for (PetscInt64 b = extent->changed_from; b < extent->changed_to; b++) result->settled[b] = PETSC_TRUE;
    PetscCall(WriteSums(result, extent->changed_from, extent->changed_to - extent->changed_from));
    extent->changed_to = 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The sums of blocks as they are in the file, but for those that are whole already. */
static PetscErrorCode SumUp(const Result *result, const Extent *extent)
{
  char bytes[BLOCK];

  PetscFunctionBegin;
  for (PetscInt64 at = 0, size; at < extent->num_bytes; at += size) {
    Sum *const sum = SumAt(result, extent, at);

    size = EndOfBlock(extent, at) - at;
    if (sum->end == size && sum->sum != 0) continue;
    PetscCall(ReadBlock(result, extent, at, size, bytes));
    *sum = (Sum){.sum = SumOf(extent->type, at, size, bytes)};
    if (sum->sum != 0) sum->end = size;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How far its rows follow one another. */
static void FindNext(const Result *result, Extent *extent)
{
  extent->next = 0;
  for (PetscInt64 at = 0; extent->guarded && at < extent->num_bytes; at = EndOfBlock(extent, at)) {
    extent->next = at + SumAt(result, extent, at)->end;
    if (extent->next < EndOfBlock(extent, at)) return;
  }
}

PetscErrorCode SumsFinish(const Result *result, PetscBool given_only)
{
  PetscFunctionBegin;
  PetscCall(DataRead(result, result->offsets[result->guards.slot], (size_t)result->num_blocks * sizeof(Sum), (char *)result->sums));
  for (PetscInt64 s = 0; s < result->num_slots; s++) {
    Extent *const extent = &result->extents[s];

    if (extent->guarded && (extent->given || !given_only)) PetscCall(SumUp(result, extent));
    FindNext(result, extent);
  }
  PetscCall(WriteSums(result, 0, result->num_blocks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On a result that is resumed: the blocks whose rows were being replaced get the sums of what is there. */
PetscErrorCode SumsCheck(const Result *result, int slot, PetscBool *sound)
{
  const Extent *const extent = &result->extents[slot];
  char                bytes[BLOCK];

  PetscFunctionBegin;
  *sound = PETSC_TRUE;
  for (PetscInt64 at = 0; extent->guarded && at < extent->num_bytes; at = EndOfBlock(extent, at)) {
    Sum *const       sum  = SumAt(result, extent, at);
    const PetscInt64 size = PetscMin(sum->end < 0 ? -sum->end : sum->end, EndOfBlock(extent, at) - at);
    PetscInt64       found;

    if (sum->end == 0) continue;
    PetscCall(ReadBlock(result, extent, at, size, bytes));
    found = SumOf(extent->type, at, size, bytes);
    if (sum->end > 0 && found != sum->sum) *sound = PETSC_FALSE;
    *sum = (Sum){.sum = found, .end = size};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void SumsForget(const Result *result, int slot)
{
  const Extent *const extent = &result->extents[slot];

  for (PetscInt64 at = 0; at < extent->num_bytes; at = EndOfBlock(extent, at)) *SumAt(result, extent, at) = (Sum){0};
}

PetscErrorCode SumsBegin(Result *result)
{
  PetscMPIInt num_ranks;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &num_ranks));
  if (!result->sums) PetscCall(PetscCalloc1(result->num_blocks, &result->sums));
  PetscCall(PetscMalloc1(result->num_blocks, &result->settled));
  if (result->rank == 0 && result->resumed) PetscCall(WriteSums(result, 0, result->num_blocks));
  if (result->rank == 0 && !result->resumed) PetscCall(SumsFinish(result, PETSC_TRUE));
  PetscCallMPI(MPI_Bcast(result->sums, (PetscMPIInt)(2 * result->num_blocks), MPIU_INT64, 0, PETSC_COMM_WORLD));
  for (PetscInt64 b = 0; b < result->num_blocks; b++) result->settled[b] = (PetscBool)(result->sums[b].end > 0);
  for (PetscInt64 s = 0; s < result->num_slots; s++) {
    Extent *const extent = &result->extents[s];

    FindNext(result, extent);
    extent->scattered = (PetscBool)(extent->given || (result->resumed && num_ranks > 1)); /* ranks share rows in ways of their own */
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
