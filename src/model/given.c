/* given.c - given matrices put into the System: their unknowns, the points that follow from these, the inertia that follows the base. */
#include "parts.h"

/* The unknown that a row of the map simply is; -1 when it is a combination. */
static PetscErrorCode UnitColumn(Mat map, PetscInt row, PetscInt *unit)
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count, num_terms = 0;
  PetscBool          one = PETSC_TRUE;

  PetscFunctionBegin;
  *unit = -1;
  PetscCall(MatGetRow(map, row, &count, &column, &value));
  for (PetscInt k = 0; k < count; k++) {
    if (value[k] == 0.0) continue;
    num_terms++;
    *unit = column[k];
    one   = (PetscBool)(value[k] == 1.0);
  }
  PetscCall(MatRestoreRow(map, row, &count, &column, &value));
  if (num_terms != 1 || !one) *unit = -1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A motion that is an unknown moves as one with it; combinations are no coordinates of their own. */
static PetscErrorCode TieMotions(Model *model)
{
  const GivenMatrices *const matrices = &model->matrices;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < matrices->num_motions; i++) {
    PetscInt unit = i;

    if (matrices->point[i] == GROUND) continue;
    if (matrices->map) PetscCall(UnitColumn(matrices->map, i, &unit));
    matrices->combined[i] = (PetscBool)(unit < 0);
    PointsTie(&model->points, PointCoordinate(&model->points, matrices->point[i], matrices->direction[i]),
              unit < 0 ? RESTING : matrices->coordinates[unit]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatricesIndex(Model *model)
{
  GivenMatrices *const matrices = &model->matrices;
  PetscInt             first;

  PetscFunctionBegin;
  if (InputNumComplaints(InputDocumentOf(model->root)) || !matrices->size) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(matrices->size, &matrices->coordinates));
  PetscCall(PointsAddCoordinates(&model->points, matrices->size, &first));
  for (PetscInt i = 0; i < matrices->size; i++) matrices->coordinates[i] = first + i;
  PetscCall(TieMotions(model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatricesDestroy(GivenMatrices *matrices)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(matrices->coordinates));
  PetscCall(MatDestroy(&matrices->mass));
  PetscCall(MatDestroy(&matrices->stiffness));
  PetscCall(MatDestroy(&matrices->damping));
  PetscCall(MatDestroy(&matrices->map));
  PetscCall(MatDestroy(&matrices->base));
  for (PetscInt p = 0; p < matrices->num_points; p++) PetscCall(PetscFree(matrices->names[p]));
  PetscCall(PetscFree4(matrices->point, matrices->direction, matrices->combined, matrices->names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt MatricesFindCombination(const Model *model, PetscInt coordinate)
{
  const GivenMatrices *const matrices = &model->matrices;

  for (PetscInt i = 0; i < matrices->num_motions; i++)
    if (matrices->combined[i] && PointCoordinate(&model->points, matrices->point[i], matrices->direction[i]) == coordinate) return i;
  return -1;
}

/* Adds a matrix on the coordinates to one of the System's; NULL: none. */
static PetscErrorCode AddMatrix(Mat matrix, const PetscInt coordinates[], const Numbering *numbering, System *system,
                                PetscErrorCode (*add)(System *, PetscInt, PetscInt, PetscReal))
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           size = 0, count;

  PetscFunctionBegin;
  if (matrix) PetscCall(MatGetSize(matrix, &size, NULL));
  for (PetscInt i = 0; i < size; i++) {
    const PetscInt row = numbering->unknown[coordinates[i]];

    PetscCall(MatGetRow(matrix, i, &count, &column, &value));
    for (PetscInt k = 0; k < count; k++)
      if (value[k] != 0.0) PetscCall(add(system, row, numbering->unknown[coordinates[column[k]]], value[k]));
    PetscCall(MatRestoreRow(matrix, i, &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt ComponentOf(const Point *point, PetscInt direction)
{
  PetscInt c = 0;

  while (point->direction[c] != direction) c++;
  return c;
}

/* The motions that are combinations. */
static PetscErrorCode AddFollowers(const Model *model, const Numbering *numbering, System *system)
{
  const GivenMatrices *const matrices = &model->matrices;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < matrices->num_motions; i++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           component, count;

    if (!matrices->combined[i]) continue;
    component = ComponentOf(&model->points.list[matrices->point[i]], matrices->direction[i]);
    PetscCall(MatGetRow(matrices->map, i, &count, &column, &value));
    for (PetscInt k = 0; k < count; k++)
      PetscCall(SystemAddFollower(system, matrices->point[i], component, numbering->unknown[matrices->coordinates[column[k]]], value[k]));
    PetscCall(MatRestoreRow(matrices->map, i, &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the unknowns do when the base moves by one. Unless it is given it is known only where every unknown is a point's
   displacement: of these, those in its direction. */
static PetscErrorCode FollowBase(const GivenMatrices *matrices, PetscInt direction, Vec motion)
{
  PetscInt num_given = 0;

  PetscFunctionBegin;
  PetscCall(VecZeroEntries(motion));
  if (matrices->base) PetscCall(MatGetSize(matrices->base, NULL, &num_given));
  if (matrices->base && direction < num_given) PetscCall(MatGetColumnVector(matrices->base, motion, direction));
  if (matrices->base || matrices->map || direction >= 3) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < matrices->num_motions; i++)
    if (matrices->point[i] == GROUND) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < matrices->size; i++)
    if (matrices->direction[i] == direction) PetscCall(VecSetValue(motion, i, 1.0, INSERT_VALUES));
  PetscCall(VecAssemblyBegin(motion));
  PetscCall(VecAssemblyEnd(motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddBase(const GivenMatrices *matrices, const Numbering *numbering, System *system)
{
  Vec                motion, inertia;
  const PetscScalar *value;
  PetscScalar        mass;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(matrices->mass, &motion, &inertia));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    PetscCall(FollowBase(matrices, d, motion));
    PetscCall(MatMult(matrices->mass, motion, inertia));
    PetscCall(VecDot(motion, inertia, &mass));
    PetscCall(SystemAddBaseMass(system, d, mass));
    PetscCall(VecGetArrayRead(inertia, &value));
    for (PetscInt i = 0; i < matrices->size; i++) PetscCall(SystemAddBase(system, d, numbering->unknown[matrices->coordinates[i]], value[i]));
    PetscCall(VecRestoreArrayRead(inertia, &value));
  }
  PetscCall(VecDestroy(&motion));
  PetscCall(VecDestroy(&inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatricesAddMotions(const Model *model, const Numbering *numbering, System *system)
{
  PetscFunctionBegin;
  if (!model->matrices.size) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AddFollowers(model, numbering, system));
  PetscCall(AddBase(&model->matrices, numbering, system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatricesAddMass(const Model *model, const Numbering *numbering, System *system)
{
  PetscFunctionBegin;
  PetscCall(AddMatrix(model->matrices.mass, model->matrices.coordinates, numbering, system, SystemAddMass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatricesBuild(const Model *model, const Numbering *numbering, System *system)
{
  const GivenMatrices *const matrices = &model->matrices;

  PetscFunctionBegin;
  if (!matrices->size) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatricesAddMass(model, numbering, system));
  PetscCall(AddMatrix(matrices->stiffness, matrices->coordinates, numbering, system, SystemAddStiffness));
  PetscCall(AddMatrix(matrices->damping, matrices->coordinates, numbering, system, SystemAddDamping));
  PetscCall(MatricesAddMotions(model, numbering, system));
  system->accuracy = PetscMax(system->accuracy, matrices->accuracy);
  PetscFunctionReturn(PETSC_SUCCESS);
}
