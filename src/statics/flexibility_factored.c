/* flexibility_factored.c - K0 factored once; held where the structure floats. */
#include "statics/flexibility.h"

static PetscErrorCode Create(Flexibility *flexibility)
{
  KSP solver;
  Mat K0;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(flexibility->system, JOINT_STUCK, &K0));
  PetscCall(FloatingHold(flexibility->floating, &K0));
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
