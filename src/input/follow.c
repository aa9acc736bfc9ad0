/*
  follow.c - where a path of a case leads: `laws.slip.slip_force`, `studies.hit.steps`, `springs[0].stiffness`.

  A path is written as messages write it. A study may be called by its name in place of its number and kind.
*/
#include "input_private.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the word that a path begins with. */
static size_t MeasureWord(const char *path)
{
  return strcspn(path, ".[");
}

/* Bytes of a key at the beginning of a path, in quotes or not; 0 where it is not there. */
static size_t MeasureKey(const char *key, const char *path)
{
  const size_t quote = path[0] == '"', length = strlen(key);

  if (strncmp(path + quote, key, length) != 0 || (quote && path[1 + length] != '"')) return 0;
  return strchr(".[", path[length + 2 * quote]) ? length + 2 * quote : 0; /* the end, too */
}

/* The longest key, as keys may have dots in them. */
static InputNode *FindKey(const InputNode *map, const char *path, size_t *length)
{
  InputNode *found = NULL;

  *length = 0;
  for (PetscInt i = 0; i < map->count; i++) {
    const size_t bytes = MeasureKey(map->items[i]->key, path);

    if (bytes <= *length) continue;
    *length = bytes;
    found   = map->items[i];
  }
  return found;
}

/* The map among the items of a list that has this name: {name: ...} or {KIND: {name: ...}}. */
static InputNode *FindNamed(const InputNode *list, const char *path, size_t *length)
{
  for (PetscInt i = 0; i < list->count; i++) {
    InputNode *const item = list->items[i], *const inner = item->kind == NODE_MAP && item->count == 1 ? item->items[0] : item;
    const InputNode *const name = InputFind(inner, "name");

    *length = name && name->kind == NODE_SCALAR && *name->text ? MeasureKey(name->text, path) : 0;
    if (*length) return inner;
  }
  return NULL;
}

/* `[2]`, or `.name`; the path moves behind it. */
static InputNode *FindItem(const InputNode *list, const char **path)
{
  char      *end;
  size_t     length;
  InputNode *item;
  long       index;

  if (**path == '[') {
    index = isdigit((unsigned char)(*path)[1]) ? strtol(*path + 1, &end, 10) : -1;
    if (index < 0 || index >= list->count || *end != ']') return NULL;
    *path = end + 1;
    return list->items[index];
  }
  item = FindNamed(list, *path, &length);
  *path += item ? length : 0;
  return item;
}

static PetscErrorCode ListKeys(const InputNode *map, const char ***keys)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(map->count + 1, keys));
  for (PetscInt i = 0; i < map->count; i++) (*keys)[i] = map->items[i]->key;
  (*keys)[map->count] = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the value that names the path, or of its key. */
static PetscErrorCode ComplainOfPath(const InputNode *value, PetscBool at_key, const char *text)
{
  PetscFunctionBegin;
  if (at_key) PetscCall(InputComplainKey(value, "%s", text));
  else PetscCall(InputComplain(value, "%s", text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The path cannot be followed from this node on. */
static PetscErrorCode ComplainLost(const InputNode *value, PetscBool at_key, const InputNode *node, const char *path)
{
  const char **keys, *word;
  const char  *here = node->parent ? InputPath(node) : "the case";
  char         text[512];

  PetscFunctionBegin;
  if (node->kind == NODE_LIST) {
    PetscCall(PetscSNPrintf(text, sizeof text, "%s is a list of %" PetscInt_FMT ": go on with [0] to [%" PetscInt_FMT "], or with the name of one",
                            here, node->count, PetscMax(node->count - 1, 0)));
    PetscCall(ComplainOfPath(value, at_key, text));
  } else if (node->kind == NODE_SCALAR) {
    PetscCall(PetscSNPrintf(text, sizeof text, "%s is a single value, there is nothing in it", here));
    PetscCall(ComplainOfPath(value, at_key, text));
  } else {
    PetscCall(ListKeys(node, &keys));
    PetscCall(InputCopyText(value->document, path, MeasureWord(path), &word));
    PetscCall(InputComplainUnknown(value, at_key, "key", word, keys));
    PetscCall(PetscFree(keys));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputFollow(InputNode *root, const InputNode *value, PetscBool at_key, const char *path, InputTarget *target)
{
  InputNode *node = root;
  size_t     length;

  PetscFunctionBegin;
  *target = (InputTarget){.parent = NULL};
  while (*path) {
    InputNode *next = node->kind == NODE_LIST ? FindItem(node, &path) : NULL;

    if (node->kind == NODE_MAP) {
      next = FindKey(node, path, &length);
      path += length;
    }
    if (!next && (node->kind != NODE_MAP || path[MeasureWord(path)] || !at_key || InputIsNull(value))) {
      PetscCall(ComplainLost(value, at_key, node, path));
      *target = (InputTarget){.parent = NULL};
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    *target = (InputTarget){.parent = node, .node = next, .key = next ? next->key : path};
    if (!next) break;
    node = next;
    if (*path == '.') path++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What stands there now is no number: a text, arithmetic that was not read, a list. */
static PetscErrorCode CheckIsNumber(const InputNode *node, const char *path, const InputNode *found, PetscBool *fine)
{
  PetscFunctionBegin;
  *fine = InputIsNumber(found);
  if (!*fine) PetscCall(InputComplain(node, "%s is %s there: only numbers can be changed", path, InputDescribe(found).text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputFindNumber(const InputNode *node, const char *path, const InputNode **number)
{
  InputTarget target;
  PetscBool   fine;

  PetscFunctionBegin;
  *number = NULL;
  PetscCall(InputFollow(node->document->root, node, PETSC_FALSE, path, &target));
  if (!target.node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CheckIsNumber(node, path, target.node, &fine));
  if (fine) *number = target.node;
  PetscFunctionReturn(PETSC_SUCCESS);
}
