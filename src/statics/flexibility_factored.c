/* flexibility_factored.c - K0 factored once; where the structure floats, held by springs that forces in balance do not stretch. */
#include "statics/flexibility.h"

/* The unknown that this motion moves most. ModesTurnRigid has made it one that all rigid motions after it leave at rest, so that those of
   all motions together hold them all, and no more. */
static PetscInt MostMoved(const Floating *floating, PetscInt k)
{
  const PetscReal *const shape = floating->shape + k * floating->n;
  PetscInt               most  = 0;

  for (PetscInt j = 1; j < floating->n; j++)
    if (PetscAbsReal(shape[j]) > PetscAbsReal(shape[most]) * (1.0 + 1e-6)) most = j;
  return most;
}

/* Springs to the ground as stiff as the structure is anywhere. */
static PetscErrorCode Hold(const Floating *floating, Mat *K0)
{
  PetscReal stiffest;
  Vec       diagonal;
  Mat       springs;

  PetscFunctionBegin;
  if (floating->num == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatCreateVecs(*K0, &diagonal, NULL));
  PetscCall(MatGetDiagonal(*K0, diagonal));
  PetscCall(VecNorm(diagonal, NORM_INFINITY, &stiffest));
  PetscCall(VecDestroy(&diagonal));
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, floating->n, floating->n, 1, NULL, &springs));
  for (PetscInt k = 0; k < floating->num; k++) {
    const PetscInt unknown = MostMoved(floating, k);

    PetscCall(MatSetValue(springs, unknown, unknown, stiffest > 0.0 ? stiffest : 1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(springs, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(springs, MAT_FINAL_ASSEMBLY));
  PetscCall(MatrixAdd(K0, 1.0, springs));
  PetscCall(MatDestroy(&springs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Create(Flexibility *flexibility)
{
  KSP solver;
  Mat K0;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(flexibility->system, JOINT_STUCK, &K0));
  PetscCall(Hold(flexibility->floating, &K0));
  PetscCall(MatrixFactor(K0, "static_", &solver));
  PetscCall(MatDestroy(&K0));
  flexibility->data = solver;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(const Flexibility *flexibility, PetscReal force[], PetscReal u[])
{
  Vec x, y;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, flexibility->n, force, &x));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, flexibility->n, u, &y));
  PetscCall(KSPSolve((KSP)flexibility->data, x, y));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Flexibility *flexibility)
{
  KSP solver = flexibility->data;

  PetscFunctionBegin;
  PetscCall(KSPDestroy(&solver));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const FlexibilityKind flexibility_factored = {.create = Create, .solve = Solve, .destroy = Destroy};
