/* test_stiffness.c - what SystemStiffness gives can be factored, by every factorisation that a user may choose. */
#include <petscksp.h>
#include <petscblaslapack.h>
#include "../verify/jointed.h"

enum { MOST = JOINTED_MAX_UNKNOWNS };

/* x of A x = b by LAPACK, from A entry by entry. */
static void SolveDense(Mat A, PetscInt n, const PetscReal b[], PetscReal x[])
{
  PetscReal    dense[MOST * MOST];
  PetscBLASInt size = (PetscBLASInt)n, one = 1, pivots[MOST], info;

  MatrixGet(A, n, n, dense);
  for (PetscInt i = 0; i < n; i++) x[i] = b[i];
  LAPACKgesv_(&size, &one, dense, &size, pivots, x, &size, &info); /* of the transpose: A is symmetric */
  assert_int_equal(info, 0);
}

static void SolveFactored(Mat A, PCType type, MatSolverType solver, PetscInt n, const PetscReal b[], PetscReal x[])
{
  Vec right, solution;
  KSP ksp;
  PC  pc;

  assert_ok(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, b, &right));
  assert_ok(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, x, &solution));
  assert_ok(KSPCreate(PETSC_COMM_SELF, &ksp));
  assert_ok(KSPSetOperators(ksp, A, A));
  assert_ok(KSPSetType(ksp, KSPPREONLY));
  assert_ok(KSPGetPC(ksp, &pc));
  assert_ok(PCSetType(pc, type));
  assert_ok(PCFactorSetMatSolverType(pc, solver));
  assert_ok(KSPSolve(ksp, right, solution));
  assert_ok(KSPDestroy(&ksp));
  assert_ok(VecDestroy(&right));
  assert_ok(VecDestroy(&solution));
}

static void CheckFactors(Mat A)
{
  const PCType        types[]   = {PCLU, PCCHOLESKY};
  const MatSolverType solvers[] = {MATSOLVERPETSC, MATSOLVERMUMPS};
  PetscReal           b[MOST], x[MOST], expected[MOST];
  PetscInt            n;

  assert_ok(MatGetSize(A, &n, NULL));
  for (PetscInt i = 0; i < n; i++) b[i] = 1.0 + (PetscReal)i;
  SolveDense(A, n, b, expected);
  for (int t = 0; t < 2; t++)
    for (int s = 0; s < 2; s++) {
      SolveFactored(A, types[t], solvers[s], n, b, x);
      for (PetscInt i = 0; i < n; i++) assert_close(x[i], expected[i], 1e-13); /* the worst seen is 8e-15 */
    }
}

static void CheckStiffness(const System *system)
{
  Mat K;

  for (int state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    assert_ok(SystemStiffness(system, state, &K));
    CheckFactors(K);
    assert_ok(MatrixAdd(&K, 0.5, system->M)); /* as the step of an integrator wants it */
    CheckFactors(K);
    assert_ok(MatDestroy(&K));
  }
}

/* A chain of masses with Iwan joints between the pairs of masses that are a multiple of `apart` apart: with all pairs, all rows of K
   have the same nonzeros once the joints are added, and no two had before. */
static System *Chain(PetscInt n, PetscInt apart)
{
  const PetscReal iwan[] = {10.0, 1.0, -0.5, 5.0, 0.0};
  System         *system = SystemNew(n);

  for (PetscInt i = 0; i < n; i++) {
    assert_ok(SystemAddMass(system, i, i, 10.0));
    AddSpring(system, i - 1, i, 9.0);
    for (PetscInt j = 0; j < i; j++)
      if ((i - j) % apart == 0) AddJoint(system, JointLawFind("iwan4"), iwan, j, i);
  }
  assert_ok(SystemSetUp(system));
  return system;
}

static void chains_with_joints_across_can_be_factored(void **state)
{
  (void)state;
  for (PetscInt n = 2; n <= MOST; n++)
    for (PetscInt apart = 1; apart <= n; apart++) {
      System *system = Chain(n, apart);

      CheckStiffness(system);
      assert_ok(SystemDestroy(&system));
    }
}

static void random_systems_can_be_factored(void **state)
{
  uint64_t seed = 12;

  (void)state;
  for (int i = 0; i < 20; i++) {
    const Jointed jointed = JointedDraw(3 + i % 10, i % 2, &seed);
    System       *system  = JointedBuild(&jointed, PETSC_TRUE);

    CheckStiffness(system);
    assert_ok(SystemDestroy(&system));
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(chains_with_joints_across_can_be_factored),
  cmocka_unit_test(random_systems_can_be_factored),
};

CHECK_MAIN_WITH_SLEPC(tests)
