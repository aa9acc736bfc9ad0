/* flexibility_factored.c - K0 factored once; held where the structure floats. */
#include "statics/flexibility.h"

/* The factors, and vectors that are given others' numbers for a solution. */
typedef struct {
  KSP solver;
  Vec x, y;
} Factors;

static PetscErrorCode Create(Flexibility *flexibility)
{
  const PetscInt n = flexibility->n;
  Factors       *factors;
  Mat            K0;

  PetscFunctionBegin;
  PetscCall(PetscNew(&factors));
  PetscCall(SystemStiffness(flexibility->system, JOINT_STUCK, &K0));
  PetscCall(FloatingHold(flexibility->floating, &K0));
  PetscCall(MatrixFactor(K0, "static_", &factors->solver));
  PetscCall(MatDestroy(&K0));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &factors->x));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &factors->y));
  flexibility->data = factors;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(const Flexibility *flexibility, PetscReal force[], PetscReal u[])
{
  const Factors *const factors = flexibility->data;

  PetscFunctionBegin;
  PetscCall(VecPlaceArray(factors->x, force));
  PetscCall(VecPlaceArray(factors->y, u));
  PetscCall(KSPSolve(factors->solver, factors->x, factors->y));
  PetscCall(VecResetArray(factors->x));
  PetscCall(VecResetArray(factors->y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Flexibility *flexibility)
{
  Factors *const factors = flexibility->data;

  PetscFunctionBegin;
  PetscCall(KSPDestroy(&factors->solver));
  PetscCall(VecDestroy(&factors->x));
  PetscCall(VecDestroy(&factors->y));
  PetscCall(PetscFree(flexibility->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const FlexibilityKind flexibility_factored = {.create = Create, .solve = Solve, .destroy = Destroy};
