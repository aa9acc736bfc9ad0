/* node.c - scalars, lists and maps: creating them, access to their items, their paths. */
#include "input_private.h"
#include <string.h>

PetscErrorCode InputNodeCreate(InputDocument *document, const InputNode *parent, NodeKind kind, Place place, InputNode **node)
{
  PetscFunctionBegin;
  PetscCall(InputAllocate(document, sizeof(InputNode), node));
  **node = (InputNode){.document = document, .parent = parent, .kind = kind, .place = place, .key_place = place, .text = ""};
  document->num_nodes++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputAppend(InputNode *parent, InputNode *item)
{
  PetscFunctionBegin;
  if (parent->count == parent->capacity) {
    const PetscInt capacity = PetscMax(2 * parent->capacity, 4);
    InputNode    **items;

    PetscCall(InputAllocate(parent->document, (size_t)capacity * sizeof *items, &items));
    if (parent->count) memcpy(items, parent->items, (size_t)parent->count * sizeof *items);
    parent->items    = items;
    parent->capacity = capacity;
  }
  item->parent                   = parent;
  item->index                    = parent->count;
  parent->items[parent->count++] = item;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool InputIsMap(const InputNode *node)
{
  return node->kind == NODE_MAP ? PETSC_TRUE : PETSC_FALSE;
}

PetscBool InputIsList(const InputNode *node)
{
  return node->kind == NODE_LIST ? PETSC_TRUE : PETSC_FALSE;
}

PetscBool InputIsScalar(const InputNode *node)
{
  return node->kind == NODE_SCALAR ? PETSC_TRUE : PETSC_FALSE;
}

PetscInt InputCount(const InputNode *node)
{
  return node->count;
}

const InputNode *InputItem(const InputNode *node, PetscInt i)
{
  return node->items[i];
}

const char *InputKey(const InputNode *map, PetscInt i)
{
  return map->items[i]->key;
}

const InputNode *InputFind(const InputNode *map, const char *key)
{
  if (map->kind != NODE_MAP) return NULL;
  for (PetscInt i = 0; i < map->count; i++) {
    if (strcmp(map->items[i]->key, key) == 0) return map->items[i];
  }
  return NULL;
}

Place InputPlace(const InputNode *node)
{
  return node->place;
}

/* Without memory for it the path is empty: it only serves messages. */
const char *InputPath(const InputNode *node)
{
  InputBuffer buffer = {0};
  const char *path   = "";

  if (InputWritePath(node, &buffer) == PETSC_SUCCESS && buffer.length) (void)!InputCopyText(node->document, buffer.data, buffer.length, &path);
  (void)!InputBufferDestroy(&buffer);
  return path;
}

InputDocument *InputDocumentOf(const InputNode *node)
{
  return node->document;
}
