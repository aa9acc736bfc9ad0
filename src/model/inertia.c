/* inertia.c - whether the mass matrix of a System is one: positive definite. */
#include "parts.h"
#include <petscblaslapack.h>

enum { LARGEST_DENSE = 2000 }; /* above, only the diagonal is looked at */

PetscErrorCode ModelLocateUnknown(const Model *model, const Numbering *numbering, PetscInt unknown, const InputNode **node, char place[],
                                  size_t length)
{
  const GivenMatrices *const matrices = &model->matrices;
  PetscInt                   point, direction;

  PetscFunctionBegin;
  *node = NULL;
  NumberingLocate(&model->points, numbering, unknown, &point, &direction);
  if (point >= 0) {
    *node = model->points.list[point].given ? matrices->node : model->points.list[point].node;
    PetscCall(PetscSNPrintf(place, length, "point '%s' in %s", model->points.list[point].name, direction_names[direction]));
  }
  for (PetscInt i = 0; i < matrices->size && !*node; i++) {
    if (numbering->unknown[matrices->coordinates[i]] != unknown) continue;
    *node = matrices->node;
    PetscCall(PetscSNPrintf(place, length, "row %" PetscInt_FMT, i + 1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Complain(const Model *model, const Numbering *numbering, PetscInt unknown, PetscBool massless)
{
  const InputNode *node;
  char             place[128];

  PetscFunctionBegin;
  PetscCall(ModelLocateUnknown(model, numbering, unknown, &node, place, sizeof(place)));
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (massless) PetscCall(InputComplain(node, "%s has no mass", place));
  else PetscCall(InputComplain(node, "the mass matrix is not positive definite at %s", place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cholesky's pivots: one that is no larger than the round-off of its row is none. `failed` is -1 when all are good. */
static PetscErrorCode Factor(PetscBLASInt n, PetscReal matrix[], PetscInt *failed)
{
  PetscReal   *diagonal;
  PetscBLASInt info;

  PetscFunctionBegin;
  *failed = -1;
  PetscCall(PetscMalloc1(n, &diagonal));
  for (PetscInt i = 0; i < n; i++) diagonal[i] = matrix[i * n + i];
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("L", &n, matrix, &n, &info));
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK potrf refuses argument %d", (int)-info);
  for (PetscInt i = 0; i < (info > 0 ? info - 1 : n) && *failed < 0; i++)
    if (PetscSqr(matrix[i * n + i]) <= n * PETSC_MACHINE_EPSILON * diagonal[i]) *failed = i;
  if (*failed < 0 && info > 0) *failed = info - 1;
  PetscCall(PetscFree(diagonal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first of them, which must have mass. */
static PetscInt NumberOfFree(const Numbering *numbering)
{
  return numbering->num_unknowns - numbering->num_moving - numbering->num_massless;
}

static PetscErrorCode CheckDefinite(const Model *model, const Numbering *numbering, Mat M)
{
  PetscBLASInt n;
  PetscReal   *matrix;
  PetscInt     failed;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(NumberOfFree(numbering), &n));
  PetscCall(PetscCalloc1((size_t)n * (size_t)n, &matrix));
  for (PetscInt i = 0; i < n; i++) {
    PetscInt         count;
    const PetscInt  *columns;
    const PetscReal *values;

    PetscCall(MatGetRow(M, i, &count, &columns, &values));
    for (PetscInt k = 0; k < count; k++)
      if (columns[k] < n) matrix[i * n + columns[k]] = values[k];
    PetscCall(MatRestoreRow(M, i, &count, &columns, &values));
  }
  PetscCall(Factor(n, matrix, &failed));
  if (failed >= 0) PetscCall(Complain(model, numbering, failed, PETSC_FALSE));
  PetscCall(PetscFree(matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Marks the unknowns that a mesh which is not reduced gives mass to: it does not show here. */
static PetscErrorCode MarkTied(const System *system, PetscBool tied[])
{
  PetscInt num_rows;

  PetscFunctionBegin;
  if (!system->continuum) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(system->continuum->R, &num_rows, NULL));
  for (PetscInt r = 0; r < num_rows; r++)
    if (system->continuum->unknown[r] >= 0) tied[system->continuum->unknown[r]] = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InertiaCheck(const Model *model, const Numbering *numbering, const System *system)
{
  const PetscInt   n        = NumberOfFree(numbering);
  PetscInt         num_poor = 0;
  Vec              diagonal;
  const PetscReal *values;
  PetscBool       *tied;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(numbering->num_unknowns, &tied));
  PetscCall(MarkTied(system, tied));
  PetscCall(MatCreateVecs(system->M, &diagonal, NULL));
  PetscCall(MatGetDiagonal(system->M, diagonal));
  PetscCall(VecGetArrayRead(diagonal, &values));
  for (PetscInt i = 0; i < n; i++) {
    if (values[i] > 0.0 || tied[i]) continue;
    PetscCall(Complain(model, numbering, i, (PetscBool)(values[i] == 0.0)));
    num_poor++;
  }
  PetscCall(VecRestoreArrayRead(diagonal, &values));
  PetscCall(VecDestroy(&diagonal));
  PetscCall(PetscFree(tied));
  if (num_poor == 0 && !system->continuum && model->matrices.size && n <= LARGEST_DENSE) PetscCall(CheckDefinite(model, numbering, system->M));
  PetscFunctionReturn(PETSC_SUCCESS);
}
