/*
  override.c - values of a case given anew by their paths: `override: {laws.slip.slip_force: 30 N, studies.hit.steps: 500}`.

  A path is written as messages write it. A study may be called by its name in place of its number and kind. The value that stands there is
  replaced, a map or a list as a whole; a key that a map does not have yet is added; `~` takes a value away.
*/
#include "input_private.h"
#include <string.h>

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
static PetscErrorCode Put(InputNode *value, const InputTarget *target)
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

static PetscErrorCode Remove(const InputNode *value, const InputTarget *target)
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
static PetscBool ComesTooLate(const InputNode *root, const InputTarget *target)
{
  return target->parent == root && (!strcmp(target->key, "include") || !strcmp(target->key, "override")) ? PETSC_TRUE : PETSC_FALSE;
}

static PetscErrorCode Apply(InputNode *root, InputNode *value)
{
  InputTarget target;

  PetscFunctionBegin;
  if (!*value->key) PetscCall(InputComplainKey(value, "expected the path of a value of the case"));
  PetscCall(InputFollow(root, value, PETSC_TRUE, value->key, &target));
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
