/*
  constraint_modes.c - deflections of a structure under unit motions of its boundary, and the forces that these take.

  A solution by the factor of a slender structure has lost six digits or so, and which, depends on the number of ranks. What it leaves of
  the equations, found to more digits than doubles have (product.h), is solved for in turn: then nearly all digits are right.
*/
#include "constraint_modes.h"

/* Of K u + s R^T l = 0 and R u = b what u and l leave: forces, and b. */
static PetscErrorCode FindRest(const Saddle *saddle, const Boundary *boundary, const Product *K, Mat modes, const PetscReal l[], PetscReal b[],
                               Mat *forces)
{
  const PetscInt m = boundary->m;
  PetscInt       count;
  PetscReal     *other;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, NULL, &count));
  PetscCall(PetscMalloc1(m * count, &other));
  for (PetscInt i = 0; i < m * count; i++) other[i] = saddle->scale * l[i];
  PetscCall(MatDuplicate(modes, MAT_DO_NOT_COPY_VALUES, forces));
  PetscCall(ProductCompute(K, modes, *forces));
  PetscCall(BoundaryPush(boundary, other, *forces));
  PetscCall(MatScale(*forces, -1.0));
  PetscCall(BoundaryMotion(boundary, modes, other));
  for (PetscInt i = 0; i < m * count; i++) b[i] -= other[i];
  PetscCall(PetscFree(other));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Refine(const Saddle *saddle, const Boundary *boundary, const Product *K, Mat modes, PetscReal l[], PetscReal b[])
{
  PetscInt   count;
  PetscReal *more;
  Mat        rest;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, NULL, &count));
  PetscCall(PetscMalloc1(boundary->m * count, &more));
  PetscCall(FindRest(saddle, boundary, K, modes, l, b, &rest));
  PetscCall(SaddleMove(saddle, rest, b, rest, more));
  PetscCall(MatAXPY(modes, 1.0, rest, SAME_NONZERO_PATTERN));
  for (PetscInt i = 0; i < boundary->m * count; i++) l[i] += more[i];
  PetscCall(MatDestroy(&rest));
  PetscCall(PetscFree(more));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void SetUnitMotions(PetscInt m, PetscInt first, PetscInt count, PetscReal b[])
{
  for (PetscInt c = 0; c < count; c++)
    for (PetscInt j = 0; j < m; j++) b[c * m + j] = j == first + c ? 1.0 : 0.0;
}

PetscErrorCode ConstraintModesFind(const Saddle *saddle, const Boundary *boundary, const Product *K, PetscInt first, Mat modes, PetscReal forces[],
                                   PetscReal *error)
{
  const PetscInt m = boundary->m;
  PetscInt       count;
  PetscReal     *b;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, NULL, &count));
  PetscCall(PetscMalloc1(m * count, &b));
  SetUnitMotions(m, first, count, b);
  PetscCall(SaddleMove(saddle, NULL, b, modes, forces));
  PetscCall(Refine(saddle, boundary, K, modes, forces, b));
  for (PetscInt i = 0; i < m * count; i++) forces[i] *= -saddle->scale;
  PetscCall(BoundaryMotion(boundary, modes, b));
  for (PetscInt c = 0; c < count; c++) b[c * m + first + c] -= 1.0;
  for (PetscInt i = 0; i < m * count; i++) *error = PetscMax(*error, PetscAbsReal(b[i]));
  PetscCall(PetscFree(b));
  PetscFunctionReturn(PETSC_SUCCESS);
}
