/*
  override.c - values of a case given anew by their paths: `override: {laws.slip.slip_force: 30 N, studies.hit.steps: 500}`.

  A path is written as messages write it. A study may be called by its name in place of its number and kind. The value that stands there is
  replaced, a map or a list as a whole; a key that a map does not have yet is added; `~` takes a value away.
*/
#include "input_private.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where a path leads. */
typedef struct {
  InputNode  *parent;
  InputNode  *node; /* NULL: the last key is new */
  const char *key;
} Target;

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

/* The path cannot be followed from this node on. */
static PetscErrorCode ComplainLost(const InputNode *value, const InputNode *node, const char *path)
{
  const char **keys, *word;
  const char  *here = node->parent ? InputPath(node) : "the case";

  PetscFunctionBegin;
  if (node->kind == NODE_LIST) {
    PetscCall(InputComplainKey(value, "%s is a list of %" PetscInt_FMT ": go on with [0] to [%" PetscInt_FMT "], or with the name of one", here,
                               node->count, PetscMax(node->count - 1, 0)));
  } else if (node->kind == NODE_SCALAR) {
    PetscCall(InputComplainKey(value, "%s is a single value, there is nothing in it", here));
  } else {
    PetscCall(ListKeys(node, &keys));
    PetscCall(InputCopyText(value->document, path, MeasureWord(path), &word));
    PetscCall(InputComplainUnknown(value, PETSC_TRUE, "key", word, keys));
    PetscCall(PetscFree(keys));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the key of `value` leads; `target->parent` is NULL after a complaint. */
static PetscErrorCode Follow(InputNode *root, const InputNode *value, Target *target)
{
  InputNode  *node = root;
  const char *path = value->key;
  size_t      length;

  PetscFunctionBegin;
  *target = (Target){.parent = NULL};
  while (*path) {
    InputNode *next = node->kind == NODE_LIST ? FindItem(node, &path) : NULL;

    if (node->kind == NODE_MAP) {
      next = FindKey(node, path, &length);
      path += length;
    }
    if (!next && (node->kind != NODE_MAP || path[MeasureWord(path)] || InputIsNull(value))) {
      PetscCall(ComplainLost(value, node, path));
      *target = (Target){.parent = NULL};
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    *target = (Target){.parent = node, .node = next, .key = next ? next->key : path};
    if (!next) break;
    node = next;
    if (*path == '.') path++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt Height(const InputNode *node)
{
  PetscInt height = 0;

  for (PetscInt i = 0; i < node->count; i++) height = PetscMax(height, Height(node->items[i]));
  return height + 1;
}

static PetscInt Depth(const InputNode *node)
{
  PetscInt depth = 0;

  for (; node->parent; node = node->parent) depth++;
  return depth;
}

/* The value keeps its place in its file, and gets that of the other one in the case. */
static PetscErrorCode Put(InputNode *value, const Target *target)
{
  const InputNode *const old = target->node;

  PetscFunctionBegin;
  value->key = target->key;
  if (!old) {
    PetscCall(InputAppend(target->parent, value));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  value->parent                    = old->parent;
  value->index                     = old->index;
  old->parent->items[value->index] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Remove(const InputNode *value, const Target *target)
{
  InputNode *const map = target->parent;

  PetscFunctionBegin;
  if (map->kind != NODE_MAP) {
    PetscCall(InputComplain(value, "an item of a list is not taken away, as those behind it would be counted anew: give the whole list"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  map->count--;
  for (PetscInt i = target->node->index; i < map->count; i++) {
    map->items[i]        = map->items[i + 1];
    map->items[i]->index = i;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Files were included before, and each has one set of values given anew: nobody looks for these keys any more. */
static PetscBool ComesTooLate(const InputNode *root, const Target *target)
{
  return target->parent == root && (!strcmp(target->key, "include") || !strcmp(target->key, "override")) ? PETSC_TRUE : PETSC_FALSE;
}

static PetscErrorCode Apply(InputNode *root, InputNode *value)
{
  Target target;

  PetscFunctionBegin;
  if (!*value->key) PetscCall(InputComplainKey(value, "expected the path of a value of the case"));
  PetscCall(Follow(root, value, &target));
  if (!target.parent) PetscFunctionReturn(PETSC_SUCCESS);
  if (ComesTooLate(root, &target)) PetscCall(InputComplainKey(value, "'%s' is not a value of the case that could be overridden", target.key));
  else if (InputIsNull(value)) PetscCall(Remove(value, &target));
  else if (Depth(target.parent) + Height(value) > INPUT_MAX_DEPTH)
    PetscCall(InputComplain(value, "is nested more than %d levels deep", INPUT_MAX_DEPTH));
  else PetscCall(Put(value, &target));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputOverride(InputNode *root, InputNode *values)
{
  PetscFunctionBegin;
  if (values->kind != NODE_MAP) {
    PetscCall(InputComplain(values, "expected a map from paths to values, as in {laws.slip.slip_force: 30}, found %s", InputDescribe(values).text));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < values->count; i++) PetscCall(Apply(root, values->items[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
