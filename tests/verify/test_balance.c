/* test_balance.c - every step ends in balance: the equation of motion holds with the laws' own forces, energy is not lost, and a step that
   cannot be taken is halved or refused. */
#include "jointed.h"

/* M, K, and C of everything that damps. */
typedef struct {
  PetscInt  n;
  PetscReal M[JOINTED_MAX_UNKNOWNS * JOINTED_MAX_UNKNOWNS], C[JOINTED_MAX_UNKNOWNS * JOINTED_MAX_UNKNOWNS],
    K[JOINTED_MAX_UNKNOWNS * JOINTED_MAX_UNKNOWNS];
} Matrices;

static Matrices MatricesOf(const System *system)
{
  const PetscInt n = system->num_unknowns;
  Matrices       matrices = {.n = n};
  PetscReal      stuck[JOINTED_MAX_UNKNOWNS * JOINTED_MAX_UNKNOWNS];
  Mat            K0;

  assert_ok(SystemStiffness(system, JOINT_STUCK, &K0));
  MatrixGet(system->M, n, n, matrices.M);
  MatrixGet(system->C, n, n, matrices.C);
  MatrixGet(system->K, n, n, matrices.K);
  MatrixGet(K0, n, n, stuck);
  assert_ok(MatDestroy(&K0));
  for (PetscInt i = 0; i < n * n; i++) matrices.C[i] += system->damping.mass_factor * matrices.M[i] + system->damping.stiffness_factor * stuck[i];
  return matrices;
}

/* residual += A x; the largest term so far goes to `scale`. */
static void AddProduct(PetscInt n, const PetscReal A[], const PetscReal x[], PetscReal residual[], PetscReal *scale)
{
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) {
      residual[i] += A[i * n + j] * x[j];
      *scale = fmax(*scale, fabs(A[i * n + j] * x[j]));
    }
}

/* |M a + C v + K u + B^T f - p|, relative to its largest term. */
static PetscReal EquationError(Jointed *jointed, const Matrices *matrices, const Motion *motion)
{
  const PetscInt n = matrices->n;
  PetscReal      u[JOINTED_MAX_UNKNOWNS], v[JOINTED_MAX_UNKNOWNS], a[JOINTED_MAX_UNKNOWNS], residual[JOINTED_MAX_UNKNOWNS] = {0.0}, scale;

  MotionAll(motion, motion->state->u, u);
  MotionAll(motion, motion->state->v, v);
  MotionAll(motion, motion->state->a, a);
  JointedAddForces(jointed, u, v, residual);
  scale = Largest(n, residual);
  AddProduct(n, matrices->M, a, residual, &scale);
  AddProduct(n, matrices->C, v, residual, &scale);
  AddProduct(n, matrices->K, u, residual, &scale);
  for (PetscInt l = 0; l < JOINTED_NUM_LOADS; l++)
    residual[jointed->loads[l].motion] -= jointed->loads[l].amplitude * SignalValue(&jointed->loads[l].signal, motion->state->time);
  return Largest(n, residual) / scale;
}

static void CheckBalance(PetscInt num_elements, PetscBool one_component, PetscBool factored, PetscReal h, uint64_t *seed)
{
  Jointed   jointed = JointedDraw(num_elements, one_component, seed);
  Motion    motion  = MotionBegin(JointedBuild(&jointed, factored), AverageAcceleration(h), JOINTED_NUM_LOADS, jointed.loads, (InitialMotion){NULL, NULL});
  Matrices  matrices = MatricesOf(motion.system);
  PetscReal put_in = 0.0, worst = 0.0, worst_energy = 0.0;

  JointedOpen(&jointed);
  for (PetscInt i = 0; i < 400 && motion.state->halved == 0; i++) { /* the memories here do not follow halved steps */
    MotionStep(&motion, 1);
    worst = fmax(worst, EquationError(&jointed, &matrices, &motion));
    put_in = fmax(put_in, fabs(motion.state->work));
    worst_energy = fmax(worst_energy, fabs(MotionImbalance(&motion)) / put_in);
  }
  FIGURE("n %d m %d equation %g energy %g iterations %g halved %d\n", (int)motion.n, (int)motion.system->num_nonlinear, worst, worst_energy, (double)motion.state->iterations / (double)motion.state->step, (int)motion.state->halved);
  assert_true(worst < 1e-9);
  assert_true(worst_energy < 1e-10);
  JointedClose(&jointed);
  MotionEnd(&motion);
}

static void a(void **state)
{
  uint64_t seed = 5;

  (void)state;
  for (PetscInt i = 0; i < 20; i++) CheckBalance(6, PETSC_TRUE, PETSC_FALSE, 0.1, &seed);
  for (PetscInt i = 0; i < 20; i++) CheckBalance(6, PETSC_TRUE, PETSC_TRUE, 0.1, &seed);
  for (PetscInt i = 0; i < 20; i++) CheckBalance(8, PETSC_FALSE, PETSC_FALSE, 0.1, &seed);
  for (PetscInt i = 0; i < 20; i++) CheckBalance(18, PETSC_FALSE, PETSC_TRUE, 0.1, &seed);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a),
};

MOTION_MAIN(tests)
