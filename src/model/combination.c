/* combination.c - the motion between two coordinates as a combination of unknowns: a row of B. */
#include "parts.h"

static PetscErrorCode AddTerm(PetscInt unknown, PetscReal factor, Combination *combination)
{
  PetscInt i = 0;

  PetscFunctionBegin;
  if (unknown == GROUND) PetscFunctionReturn(PETSC_SUCCESS);
  while (i < combination->count && combination->unknown[i] != unknown) i++;
  if (i == combination->count) {
    combination->unknown[combination->count]  = unknown;
    combination->factor[combination->count++] = 0.0;
  }
  combination->factor[i] += factor;
  if (combination->factor[i] != 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  combination->unknown[i] = combination->unknown[--combination->count]; /* the last takes its place */
  combination->factor[i]  = combination->factor[combination->count];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddCoordinate(const Model *model, const Numbering *numbering, PetscInt coordinate, PetscReal sign, Combination *combination)
{
  const GivenMatrices *const matrices = &model->matrices;
  const PetscInt            *column;
  const PetscScalar         *value;
  const PetscInt             row = MatricesFindCombination(model, coordinate);
  PetscInt                   count;

  PetscFunctionBegin;
  if (row < 0) {
    PetscCall(AddTerm(numbering->unknown[coordinate], sign, combination));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(MatGetRow(matrices->map, row, &count, &column, &value));
  for (PetscInt k = 0; k < count; k++) PetscCall(AddTerm(numbering->unknown[matrices->coordinates[column[k]]], sign * value[k], combination));
  PetscCall(MatRestoreRow(matrices->map, row, &count, &column, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CombinationCreate(const Model *model, const Numbering *numbering, PetscInt negative, PetscInt positive, Combination *combination)
{
  const PetscInt room = 2 + 2 * model->matrices.size;

  PetscFunctionBegin;
  *combination = (Combination){0};
  PetscCall(PetscMalloc2(room, &combination->unknown, room, &combination->factor));
  PetscCall(AddCoordinate(model, numbering, negative, -1.0, combination));
  PetscCall(AddCoordinate(model, numbering, positive, 1.0, combination));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CombinationDestroy(Combination *combination)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(combination->unknown, combination->factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}
