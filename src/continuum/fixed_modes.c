/* fixed_modes.c - the lowest modes of a structure whose boundary is at rest, on the factor of the constraint modes. */
#include "fixed_modes.h"
#include "dense.h"
#include "krylov.h"

enum { MORE_TO_FIND_A_GAP = 2 };

typedef struct {
  Mat           M;
  const Saddle *saddle;
} Operators;

/* Its image has the boundary at rest, so that no other modes can appear. */
static PetscErrorCode SolveAtRest(void *context, Mat forces, Mat motions)
{
  const Operators *operators = context;

  PetscFunctionBegin;
  PetscCall(SaddleSolve(operators->saddle, forces, motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Weigh(void *context, Mat motions, Mat forces)
{
  const Operators *operators = context;

  PetscFunctionBegin;
  PetscCall(MultiplyInto(operators->M, motions, forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The widest gap behind `count` or more of the modes found; behind the last of all there is nothing. */
static void FindGap(const KrylovModes *found, PetscInt count, Gap *gap)
{
  PetscReal widest = 1.0;

  gap->shift     = 1.01 / found->theta[found->count - 1];
  gap->num_below = found->count;
  for (PetscInt k = count; k < found->count; k++) {
    if (found->theta[k - 1] / found->theta[k] <= widest) continue;
    widest         = found->theta[k - 1] / found->theta[k];
    gap->shift     = 1.0 / PetscSqrtReal(found->theta[k - 1] * found->theta[k]);
    gap->num_below = k;
  }
}

/* modes = theta^-1 S M found: what round-off has brought in that moves the boundary goes out again. */
static PetscErrorCode Purify(const Operators *operators, const KrylovModes *found, Mat modes)
{
  PetscInt num_local, n, count;
  Mat      forces, some, better;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(modes, &num_local, NULL));
  PetscCall(MatGetSize(modes, &n, &count));
  for (PetscInt first = 0; first < count; first += COLUMNS_AT_ONCE) {
    const PetscInt end = PetscMin(first + COLUMNS_AT_ONCE, count);

    PetscCall(MatDenseGetSubMatrix(found->modes, PETSC_DECIDE, PETSC_DECIDE, first, end, &some));
    PetscCall(MatDenseGetSubMatrix(modes, PETSC_DECIDE, PETSC_DECIDE, first, end, &better));
    PetscCall(MultiplyColumns(operators->M, some, &forces));
    PetscCall(SaddleSolve(operators->saddle, forces, better));
    PetscCall(MatDestroy(&forces));
    PetscCall(MatDenseRestoreSubMatrix(modes, &better));
    PetscCall(MatDenseRestoreSubMatrix(found->modes, &some));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Unit modal mass, and the sign. */
static PetscErrorCode Normalise(Mat M, Mat modes)
{
  PetscInt  count;
  PetscReal mass;
  Vec       shape, work;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, NULL, &count));
  PetscCall(MatCreateVecs(M, &work, NULL));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(MatDenseGetColumnVec(modes, k, &shape));
    PetscCall(MatMult(M, shape, work));
    PetscCall(VecDot(shape, work, &mass));
    PetscCall(VecScale(shape, 1.0 / PetscSqrtReal(mass)));
    PetscCall(ChooseSign(shape));
    PetscCall(MatDenseRestoreColumnVec(modes, k, &shape));
  }
  PetscCall(VecDestroy(&work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FixedModes(Mat M, const Saddle *saddle, Mat modes, PetscReal omega[], PetscInt *found, Gap *gap)
{
  Operators             context   = {M, saddle};
  const KrylovOperators operators = {&context, SolveAtRest, Weigh};
  PetscInt              n, count, wanted;
  KrylovModes           krylov;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, &n, &count));
  wanted = gap ? PetscMin(n - saddle->m, count + MORE_TO_FIND_A_GAP) : count;
  PetscCall(KrylovFind(&operators, saddle->motion, NULL, n - saddle->m, wanted, &krylov));
  *found = krylov.count;
  if (*found >= count) {
    PetscCall(Purify(&context, &krylov, modes));
    PetscCall(Normalise(M, modes));
    for (PetscInt k = 0; k < count; k++) omega[k] = 1.0 / PetscSqrtReal(krylov.theta[k]);
    if (gap) FindGap(&krylov, count, gap);
  }
  PetscCall(KrylovModesDestroy(&krylov));
  PetscFunctionReturn(PETSC_SUCCESS);
}
