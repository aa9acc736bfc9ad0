/* matrices.c - mass, stiffness and damping matrices written in the case. */
#include "parts.h"
#include <string.h>

typedef struct {
  InputTexts       points;
  const InputNode *mass, *stiffness, *damping;
} MatricesInput;

// clang-format off
static const InputField fields[] = {
  {.key = "points", .kind = INPUT_TEXTS, .offset = offsetof(MatricesInput, points), .fallback = INPUT_REQUIRED,
   .help = "names of the points, one for each row of the matrices; each moves in x"},
  {.key = "mass", .kind = INPUT_NODE, .offset = offsetof(MatricesInput, mass), .fallback = INPUT_REQUIRED, .unit = "kg",
   .help = "mass matrix, a list of rows; symmetric and positive definite"},
  {.key = "stiffness", .kind = INPUT_NODE, .offset = offsetof(MatricesInput, stiffness), .fallback = INPUT_REQUIRED, .unit = "N/m",
   .help = "stiffness matrix, a list of rows; symmetric"},
  {.key = "damping", .kind = INPUT_NODE, .offset = offsetof(MatricesInput, damping), .fallback = INPUT_OPTIONAL, .unit = "N s/m",
   .help = "damping matrix, a list of rows; symmetric"},
  {0},
};
// clang-format on

const InputTable matrices_table = {.name = "matrices", .summary = "matrices of a structure, as another program made them", .fields = fields};

static PetscErrorCode ReadRow(const InputNode *node, PetscInt size, PetscReal row[])
{
  const PetscInt count = InputIsList(node) ? InputCount(node) : 1;
  InputReals     reals;

  PetscFunctionBegin;
  if (count != size) {
    PetscCall(InputComplain(node, "must have %" PetscInt_FMT " numbers, one for each point, got %" PetscInt_FMT, size, count));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputGetReals(node, &reals));
  if (reals.count == size) PetscCall(PetscArraycpy(row, reals.values, size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Round-off in an entry is judged by the two diagonal entries it couples. */
static PetscBool Agree(const PetscReal matrix[], PetscInt size, PetscInt i, PetscInt j)
{
  const PetscReal upper = matrix[i * size + j], lower = matrix[j * size + i];
  const PetscReal diagonal = PetscSqrtReal(PetscAbsReal(matrix[i * size + i])) * PetscSqrtReal(PetscAbsReal(matrix[j * size + j]));
  const PetscReal scale    = PetscMax(diagonal, PetscMax(PetscAbsReal(upper), PetscAbsReal(lower)));

  return (PetscBool)(PetscAbsReal(upper - lower) <= 1e-12 * scale);
}

/* Complains of the first entry that differs from its mirror image; makes the others equal to the last bit. */
static PetscErrorCode Symmetrise(const InputNode *node, PetscInt size, PetscReal matrix[])
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < size; i++) {
    for (PetscInt j = i + 1; j < size; j++) {
      PetscReal *const upper = &matrix[i * size + j], *const lower = &matrix[j * size + i];

      if (!Agree(matrix, size, i, j)) {
        PetscCall(InputComplain(InputItem(InputItem(node, i), j),
                                "must be symmetric: row %" PetscInt_FMT ", column %" PetscInt_FMT " is %.15g, row %" PetscInt_FMT
                                ", column %" PetscInt_FMT " is %.15g",
                                i + 1, j + 1, *upper, j + 1, i + 1, *lower));
        PetscFunctionReturn(PETSC_SUCCESS);
      }
      *upper = *lower = 0.5 * (*upper + *lower);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The node may be NULL: a matrix that is absent. */
static PetscErrorCode ReadMatrix(const InputNode *node, PetscInt size, PetscReal **matrix)
{
  const PetscInt num_complaints = node ? InputNumComplaints(InputDocumentOf(node)) : 0;

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsList(node)) PetscCall(InputComplain(node, "must be a list of rows, [[...], ...]"));
  else if (InputCount(node) != size) {
    PetscCall(InputComplain(node, "must have %" PetscInt_FMT " rows, one for each point, got %" PetscInt_FMT, size, InputCount(node)));
  }
  if (!InputIsList(node) || InputCount(node) != size) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1((size_t)size * (size_t)size, matrix));
  for (PetscInt i = 0; i < size; i++) PetscCall(ReadRow(InputItem(node, i), size, *matrix + i * size));
  if (InputNumComplaints(InputDocumentOf(node)) == num_complaints) PetscCall(Symmetrise(node, size, *matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddPoints(const InputNode *node, const InputTexts *points, Model *model)
{
  const PetscBool is_list = InputIsList(node);

  PetscFunctionBegin;
  model->first_given = model->num_points;
  PetscCall(PointsReserve(model, points->count));
  for (PetscInt i = 0; i < points->count; i++) {
    ModelPoint *const point = &model->points[model->num_points++];

    point->name           = points->values[i] ? points->values[i] : "";
    point->node           = is_list ? InputItem(node, i) : node;
    point->num_components = 1; /* x */
    PetscCall(InputCheckName(point->node, point->name));
    if (strcmp(point->name, "ground") == 0)
      PetscCall(InputComplain(point->node, "a point cannot be named 'ground': that is the one that never moves"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatricesRead(const InputNode *node, Model *model)
{
  GivenMatrices *const matrices = &model->matrices;
  MatricesInput        input;

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMemzero(&input, sizeof(input)));
  PetscCall(InputRead(node, &matrices_table, &input));
  if (!InputIsMap(node) || !InputFind(node, "points")) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AddPoints(InputFind(node, "points"), &input.points, model));
  matrices->node = input.mass;
  matrices->size = input.points.count;
  PetscCall(PetscCalloc1(matrices->size, &matrices->coordinates));
  PetscCall(ReadMatrix(input.mass, matrices->size, &matrices->mass));
  PetscCall(ReadMatrix(input.stiffness, matrices->size, &matrices->stiffness));
  PetscCall(ReadMatrix(input.damping, matrices->size, &matrices->damping));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MatricesAdd(const GivenMatrices *matrices, const Numbering *numbering, System *system)
{
  const PetscInt n = matrices->size;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < n; i++) {
    const PetscInt row = numbering->unknown[matrices->coordinates[i]];

    for (PetscInt j = 0; j < n; j++) {
      const PetscInt column = numbering->unknown[matrices->coordinates[j]], at = i * n + j;

      if (matrices->mass[at] != 0.0) PetscCall(SystemAddMass(system, row, column, matrices->mass[at]));
      if (matrices->stiffness[at] != 0.0) PetscCall(SystemAddStiffness(system, row, column, matrices->stiffness[at]));
      if (matrices->damping && matrices->damping[at] != 0.0) PetscCall(SystemAddDamping(system, row, column, matrices->damping[at]));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All of their points move with a base that moves in x, those it holds too. */
PetscErrorCode MatricesBuild(const Model *model, const Numbering *numbering, System *system)
{
  const GivenMatrices *const matrices = &model->matrices;

  PetscFunctionBegin;
  PetscCall(MatricesAdd(matrices, numbering, system));
  for (PetscInt i = 0; i < matrices->size; i++) {
    PetscReal inertia = 0.0;

    for (PetscInt j = 0; j < matrices->size; j++) inertia += matrices->mass[i * matrices->size + j];
    PetscCall(SystemAddBase(system, 0, numbering->unknown[matrices->coordinates[i]], inertia));
    PetscCall(SystemAddBaseMass(system, 0, inertia));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
