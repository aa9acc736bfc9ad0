/* tags.c - finds the place in a list by a tag: by a table where tags lie close together, as they nearly always do, else by halving.
   */
#include "tags.h"
#include <stdlib.h>

typedef struct {
  PetscInt64 tag;
  PetscInt   place;
} Entry;

struct Tags {
  PetscInt64 first, last;
  PetscInt   count;
  PetscInt  *table;  /* place of tag first + i, -1 for none; NULL when tags lie far apart */
  Entry     *sorted; /* then this instead */
};

static int CompareEntries(const void *a, const void *b)
{
  const Entry *const one = a, *const two = b;

  if (one->tag != two->tag) return one->tag < two->tag ? -1 : 1;
  return one->place < two->place ? -1 : one->place > two->place;
}

static PetscErrorCode FillTable(Tags *tags, const PetscInt64 list[], PetscInt *repeated)
{
  const PetscInt range = (PetscInt)(tags->last - tags->first + 1);

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(range, &tags->table));
  for (PetscInt i = 0; i < range; i++) tags->table[i] = -1;
  for (PetscInt i = 0; i < tags->count; i++) {
    PetscInt *const place = &tags->table[list[i] - tags->first];

    if (*place < 0) *place = i;
    else if (*repeated < 0) *repeated = i;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillSorted(Tags *tags, const PetscInt64 list[], PetscInt *repeated)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(tags->count, &tags->sorted));
  for (PetscInt i = 0; i < tags->count; i++) tags->sorted[i] = (Entry){.tag = list[i], .place = i};
  qsort(tags->sorted, (size_t)tags->count, sizeof *tags->sorted, CompareEntries);
  for (PetscInt i = 1; i < tags->count; i++) {
    const PetscInt place = tags->sorted[i].place;

    if (tags->sorted[i].tag == tags->sorted[i - 1].tag && (*repeated < 0 || place < *repeated)) *repeated = place;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TagsCreate(PetscInt count, const PetscInt64 list[], Tags **tags, PetscInt *repeated)
{
  Tags *created;

  PetscFunctionBegin;
  *repeated = -1;
  PetscCall(PetscNew(&created));
  *tags          = created;
  created->count = count;
  created->last  = -1;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  created->first = created->last = list[0];
  for (PetscInt i = 1; i < count; i++) {
    created->first = PetscMin(created->first, list[i]);
    created->last  = PetscMax(created->last, list[i]);
  }
  if (created->last - created->first < PetscMin(8 * (PetscInt64)count, (PetscInt64)PETSC_MAX_INT)) PetscCall(FillTable(created, list, repeated));
  else PetscCall(FillSorted(created, list, repeated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TagsDestroy(Tags **tags)
{
  PetscFunctionBegin;
  if (!*tags) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*tags)->table));
  PetscCall(PetscFree((*tags)->sorted));
  PetscCall(PetscFree(*tags));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt TagsFind(const Tags *tags, PetscInt64 tag)
{
  const Entry *entry;
  PetscInt     low = 0, high = tags->count;

  if (tag < tags->first || tag > tags->last) return -1;
  if (tags->table) return tags->table[tag - tags->first];
  while (high - low > 1) {
    const PetscInt middle = low + (high - low) / 2;

    if (tags->sorted[middle].tag <= tag) low = middle;
    else high = middle;
  }
  entry = &tags->sorted[low];
  return entry->tag == tag ? entry->place : -1;
}
