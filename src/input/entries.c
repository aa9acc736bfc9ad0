/* entries.c - entries of a map that share a key: complained of, dropped, or united. */
#include "input_private.h"
#include <stdlib.h>
#include <string.h>

static int CompareEntries(const void *a, const void *b)
{
  const InputNode *const one = *(InputNode *const *)a, *const two = *(InputNode *const *)b;
  const int key = strcmp(one->key, two->key);

  return key ? key : (one->index > two->index) - (one->index < two->index);
}

/* The entries sorted by key, those of one key in their order; the caller frees them. */
static PetscErrorCode Sort(const InputNode *map, InputNode ***sorted)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)map->count, sorted));
  memcpy(*sorted, map->items, (size_t)map->count * sizeof **sorted);
  qsort(*sorted, (size_t)map->count, sizeof **sorted, CompareEntries);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries to be dropped have index -1. */
static void Compact(InputNode *map)
{
  PetscInt count = 0;

  for (PetscInt i = 0; i < map->count; i++) {
    InputNode *const item = map->items[i];

    if (item->index < 0) continue;
    item->index         = count;
    map->items[count++] = item;
  }
  map->count = count;
}

static PetscErrorCode ComplainTwice(const InputNode *first, const InputNode *again)
{
  const Place place = first->key_place;

  PetscFunctionBegin;
  if (strcmp(place.file, again->key_place.file) == 0) {
    PetscCall(InputComplainKey(again, "key %s is given twice; first at line %" PetscInt_FMT, InputQuote(again->key).text, place.line));
  } else {
    PetscCall(InputComplainKey(again, "key %s is given twice; first at %s:%" PetscInt_FMT, InputQuote(again->key).text, place.file, place.line));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputDropDuplicates(InputNode *map, PetscBool complain)
{
  InputNode **sorted;

  PetscFunctionBegin;
  if (map->count < 2) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Sort(map, &sorted));
  for (PetscInt i = 1, first = 0; i < map->count; i++) {
    if (strcmp(sorted[first]->key, sorted[i]->key) != 0) {
      first = i;
      continue;
    }
    if (complain && !sorted[i]->merged) PetscCall(ComplainTwice(sorted[first], sorted[i]));
    sorted[i]->index = -1;
  }
  PetscCall(PetscFree(sorted));
  Compact(map);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries that share a key and are maps become one map; others are complained of. */
PetscErrorCode InputUniteMaps(InputNode *map)
{
  InputNode **sorted;

  PetscFunctionBegin;
  if (map->count < 2) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(Sort(map, &sorted));
  for (PetscInt i = 0, next; i < map->count; i = next) {
    InputNode *const first = sorted[i];

    for (next = i + 1; next < map->count && strcmp(first->key, sorted[next]->key) == 0; next++) {
      InputNode *const again = sorted[next];

      again->index = -1;
      if (first->kind != NODE_MAP || again->kind != NODE_MAP) PetscCall(ComplainTwice(first, again));
      else
        for (PetscInt j = 0; j < again->count; j++) PetscCall(InputAppend(first, again->items[j]));
    }
    if (next > i + 1 && first->kind == NODE_MAP) PetscCall(InputDropDuplicates(first, PETSC_TRUE));
  }
  PetscCall(PetscFree(sorted));
  Compact(map);
  PetscFunctionReturn(PETSC_SUCCESS);
}
