/* replace.c - the numbers of a case, and new values for them. */
#include "input_private.h"
#include <string.h>

PetscBool InputIsNumber(const InputNode *node)
{
  PetscReal value;

  return (PetscBool)(node->kind == NODE_SCALAR && node->plain && (node->has_quantity || !InputParseNumber(node->text, &value)));
}

static PetscErrorCode List(const InputNode *node, PetscInt *count, const InputNode *numbers[], const char *paths[])
{
  PetscFunctionBegin;
  if (InputIsNumber(node)) {
    paths[*count]       = InputPath(node);
    numbers[(*count)++] = node;
  }
  for (PetscInt i = 0; i < node->count; i++) PetscCall(List(node->items[i], count, numbers, paths));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputListNumbers(const InputNode *root, PetscInt *count, const InputNode ***numbers, const char ***paths)
{
  PetscFunctionBegin;
  *count = 0;
  PetscCall(PetscMalloc1(root->document->num_nodes, numbers));
  PetscCall(PetscCalloc1(root->document->num_nodes + 1, paths));
  PetscCall(List(root, count, *numbers, *paths));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReplaceNumber(const InputNode *number, PetscReal value)
{
  const Digits digits = DigitsOf(value);
  InputNode   *node   = number->parent->items[number->index];

  PetscFunctionBegin;
  PetscCall(InputTrialKeep(node));
  PetscCall(InputCopyText(node->document, digits.text, strlen(digits.text), &node->text));
  node->has_quantity = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
