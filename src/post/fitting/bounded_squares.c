/* bounded_squares.c - the minimum by TAO's bounded Newton in a trust region, with the Gauss-Newton matrix, factored. */
#include "bounded_squares.h"
#include <petsctao.h>

enum { MAX_ITERATIONS = 100 };

/* The problem, and its derivatives at the last point: the solver asks for value, gradient and matrix one after the other. */
typedef struct {
  const BoundedSquares *problem;
  PetscBool             known;
  PetscReal             value, *x, *gradient, *normal;
} Search;

static PetscErrorCode Differentiate(Search *search, Vec at)
{
  const PetscInt     size = search->problem->size;
  const PetscScalar *x;
  PetscBool          same;

  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(at, &x));
  PetscCall(PetscArraycmp(x, search->x, size, &same));
  if (!same || !search->known) {
    PetscCall(PetscArraycpy(search->x, x, size));
    PetscCall(search->problem->evaluate(search->problem->context, x, &search->value, search->gradient, search->normal));
    search->known = PETSC_TRUE;
  }
  PetscCall(VecRestoreArrayRead(at, &x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Value(Tao tao, Vec at, PetscReal *value, void *context)
{
  const BoundedSquares *problem = ((const Search *)context)->problem;
  const PetscScalar    *x;

  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(at, &x));
  PetscCall(problem->evaluate(problem->context, x, value, NULL, NULL));
  PetscCall(VecRestoreArrayRead(at, &x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ValueAndGradient(Tao tao, Vec at, PetscReal *value, Vec gradient, void *context)
{
  Search      *search = context;
  PetscScalar *slope;

  PetscFunctionBegin;
  PetscCall(Differentiate(search, at));
  *value = search->value;
  PetscCall(VecGetArrayWrite(gradient, &slope));
  PetscCall(PetscArraycpy(slope, search->gradient, search->problem->size));
  PetscCall(VecRestoreArrayWrite(gradient, &slope));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NormalMatrix(Tao tao, Vec at, Mat normal, Mat preconditioner, void *context)
{
  Search      *search = context;
  PetscScalar *entries;

  PetscFunctionBegin;
  PetscCall(Differentiate(search, at));
  PetscCall(MatDenseGetArrayWrite(normal, &entries));
  PetscCall(PetscArraycpy(entries, search->normal, search->problem->size * search->problem->size));
  for (PetscInt i = 0; i < search->problem->size; i++) entries[i * (search->problem->size + 1)] += search->problem->damping;
  PetscCall(MatDenseRestoreArrayWrite(normal, &entries));
  PetscCall(MatAssemblyBegin(normal, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(normal, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The gradient is small compared with the uncertainty of each unknown. Unknowns that a bound holds do not count. */
PetscBool BoundedSquaresIsMinimum(const BoundedSquares *problem, const PetscReal x[], const PetscReal gradient[], const PetscReal normal[])
{
  PetscReal sum = 0;

  for (PetscInt i = 0; i < problem->size; i++) {
    const PetscBool held = PetscNot(!(x[i] <= problem->low[i] && gradient[i] > 0) && !(x[i] >= problem->high[i] && gradient[i] < 0));

    if (!held) sum += PetscSqr(gradient[i]) / normal[i * (problem->size + 1)];
  }
  return sum < PetscSqr(problem->small) ? PETSC_TRUE : PETSC_FALSE;
}

void SquaresKeepRegular(PetscInt size, PetscReal normal[])
{
  for (PetscInt p = 0; p < size; p++) {
    PetscReal *own = &normal[p * (size + 1)];

    *own = *own > 0 ? (1 + 1e-13) * *own : 1;
  }
}

static PetscErrorCode TestConvergence(Tao tao, void *context)
{
  const Search *search = context;
  PetscInt      iteration;
  Vec           at;

  PetscFunctionBegin;
  PetscCall(TaoGetIterationNumber(tao, &iteration));
  PetscCall(TaoGetSolution(tao, &at));
  PetscCall(Differentiate(context, at));
  if (BoundedSquaresIsMinimum(search->problem, search->x, search->gradient, search->normal))
    PetscCall(TaoSetConvergedReason(tao, TAO_CONVERGED_USER));
  else if (iteration >= MAX_ITERATIONS) PetscCall(TaoSetConvergedReason(tao, TAO_DIVERGED_MAXITS));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SolverCreate(Search *search, Mat normal, Tao *tao)
{
  KSP ksp;
  PC  pc;

  PetscFunctionBegin;
  PetscCall(TaoCreate(PETSC_COMM_SELF, tao));
  PetscCall(TaoSetType(*tao, TAOBNTR));
  PetscCall(TaoSetObjective(*tao, Value, search));
  PetscCall(TaoSetObjectiveAndGradient(*tao, NULL, ValueAndGradient, search));
  PetscCall(TaoSetHessian(*tao, normal, normal, NormalMatrix, search));
  PetscCall(TaoSetConvergenceTest(*tao, TestConvergence, search));
  PetscCall(TaoGetKSP(*tao, &ksp));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, search->problem->round ? PCNONE : PCCHOLESKY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BoundedSquaresMinimise(const BoundedSquares *problem, PetscReal x[], PetscReal *value)
{
  const PetscInt size   = problem->size;
  Search         search = {.problem = problem};
  Tao            tao;
  Vec            at, low, high;
  Mat            normal;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(size, &search.x, size, &search.gradient, size * size, &search.normal));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, size, x, &at));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, size, problem->low, &low));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, size, problem->high, &high));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, size, size, NULL, &normal));
  PetscCall(SolverCreate(&search, normal, &tao));
  PetscCall(TaoSetSolution(tao, at));
  PetscCall(TaoSetVariableBounds(tao, low, high));
  PetscCall(TaoSolve(tao));
  PetscCall(TaoDestroy(&tao));
  PetscCall(MatDestroy(&normal));
  PetscCall(VecDestroy(&high));
  PetscCall(VecDestroy(&low));
  PetscCall(VecDestroy(&at));
  PetscCall(PetscFree3(search.x, search.gradient, search.normal));
  PetscCall(problem->evaluate(problem->context, x, value, NULL, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* [Abramowitz, Stegun 1964, 26.7.5]; accurate to 1e-4 for 6 or more degrees of freedom, to 1e-2 for 3. */
PetscReal StudentDeviation(PetscReal freedom)
{
  const PetscReal n = freedom, z = 1.959963984540054, z2 = z * z;
  const PetscReal first = (z2 + 1) / 4, second = ((5 * z2 + 16) * z2 + 3) / 96, third = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  const PetscReal fourth = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;

  return z * (1 + (first + (second + (third + fourth / n) / n) / n) / n);
}

PetscReal HaltonElement(PetscInt index, PetscInt dimension)
{
  static const PetscInt primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23,  29,  31,  37,  41,  43,  47,  53,  59,
                                    61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131, 137, 139};
  const PetscInt        base     = primes[dimension];
  PetscReal             result = 0, digit = 1;

  for (; index > 0; index /= base) {
    digit /= (PetscReal)base;
    result += digit * (PetscReal)(index % base);
  }
  return result;
}
