/* combination.c - the motion between two coordinates, or two points, as a combination of unknowns: a row of B, a spring. */
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

static PetscErrorCode AddCoordinate(const Model *model, const Numbering *numbering, PetscInt coordinate, PetscReal scale, Combination *combination)
{
  const GivenMatrices *const matrices = &model->matrices;
  const PetscInt            *column;
  const PetscScalar         *value;
  const PetscInt             row = MatricesFindCombination(model, coordinate);
  PetscInt                   count;

  PetscFunctionBegin;
  if (row < 0) {
    PetscCall(AddTerm(numbering->unknown[coordinate], scale, combination));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(MatGetRow(matrices->map, row, &count, &column, &value));
  for (PetscInt k = 0; k < count; k++) PetscCall(AddTerm(numbering->unknown[matrices->coordinates[column[k]]], scale * value[k], combination));
  PetscCall(MatRestoreRow(matrices->map, row, &count, &column, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motion of a point along an axis of the model: u_d = sum_k a_k[d] c_k where its coordinates are along the axes a_k of a frame. */
static PetscErrorCode AddPoint(const Model *model, const Numbering *numbering, PetscInt point, PetscInt direction, PetscReal scale,
                               Combination *combination)
{
  const Frame *const frame = point == GROUND ? NULL : model->points.list[point].frame;
  const PetscInt     d = direction % 3, first = direction - d;

  PetscFunctionBegin;
  if (!frame) PetscCall(AddCoordinate(model, numbering, PointCoordinate(&model->points, point, direction), scale, combination));
  for (PetscInt k = 0; k < 3 && frame; k++)
    PetscCall(AddCoordinate(model, numbering, PointCoordinate(&model->points, point, first + k), scale * frame->axis[k][d], combination));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Empty, with room for two motions, each of three coordinates or a row of the map. */
static PetscErrorCode CreateEmpty(const Model *model, Combination *combination)
{
  const PetscInt room = 2 * PetscMax(3, model->matrices.size);

  PetscFunctionBegin;
  *combination = (Combination){0};
  PetscCall(PetscMalloc2(room, &combination->unknown, room, &combination->factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CombinationCreate(const Model *model, const Numbering *numbering, PetscInt negative, PetscInt positive, Combination *combination)
{
  PetscFunctionBegin;
  PetscCall(CreateEmpty(model, combination));
  PetscCall(AddCoordinate(model, numbering, negative, -1.0, combination));
  PetscCall(AddCoordinate(model, numbering, positive, 1.0, combination));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CombinationCreateAlong(const Model *model, const Numbering *numbering, const PetscInt ends[2], PetscInt direction,
                                      Combination *combination)
{
  PetscFunctionBegin;
  PetscCall(CreateEmpty(model, combination));
  PetscCall(AddPoint(model, numbering, ends[0], direction, -1.0, combination));
  PetscCall(AddPoint(model, numbering, ends[1], direction, 1.0, combination));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CombinationDestroy(Combination *combination)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(combination->unknown, combination->factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}
