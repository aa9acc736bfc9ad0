/* saddle_modes.c - the lowest modes of what a saddle holds, on its factor. */
#include "saddle_modes.h"
#include "dense.h"
#include "fault.h"

enum { MORE_TO_FIND_A_GAP = 2 };

static const PetscReal narrow = 1e-5; /* gaps between modes that may be copies, relative */

typedef struct {
  const Product *M;
  Mat            M_y;
  const Saddle  *saddle;
} Operators;

/* Its image has the boundary at rest, or as it is tied: no other modes can appear. */
static PetscErrorCode Solve(void *context, Mat forces, Mat motions)
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
  PetscCall(WholeMultiply(operators->M, operators->M_y, motions, forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void SetGap(const KrylovModes *found, PetscReal shift, PetscInt k, Gap *gap)
{
  const PetscReal below = k > 0 ? found->theta[k - 1] : 2.0 * found->theta[0], above = k < found->count ? found->theta[k] : below / 1.02;

  gap->shift     = shift + 1.0 / PetscSqrtReal(below * above);
  gap->num_below = k;
}

static PetscReal Width(const KrylovModes *found, PetscInt k)
{
  return found->theta[k - 1] / found->theta[k] - 1.0;
}

/* The number of modes below the widest gap that has `count` or more below it; -1 where they are copies of one mode, of which there may be
   more than were found. */
static PetscInt WidestBehind(const KrylovModes *found, PetscInt count)
{
  PetscInt widest = -1;

  for (PetscInt k = count; k < found->count; k++)
    if (Width(found, k) > (widest < 0 ? narrow : Width(found, widest))) widest = k;
  return widest;
}

/* The same of the next gap before that: how many of the copies there are does not matter. */
static PetscInt NextBefore(const KrylovModes *found, PetscInt count)
{
  PetscInt k = count - 1;

  while (k > 0 && Width(found, k) <= narrow) k--;
  return k;
}

static void FindGap(const KrylovModes *found, PetscReal shift, PetscInt count, PetscInt dimension, Gap *gap)
{
  PetscInt k = found->complete || found->count == dimension ? found->count : WidestBehind(found, count);

  if (k < 0) k = NextBefore(found, count);
  SetGap(found, shift, k, gap);
}

PetscErrorCode SaddleModes(const Saddle *saddle, const Product *M, const ContinuumTies *ties, Mat known, PetscInt count, KrylovModes *modes, Gap *gap)
{
  Operators             context   = {M, ties ? ties->M : NULL, saddle};
  const KrylovOperators operators = {&context, Solve, Weigh};
  PetscInt              n, num_known = 0, dimension;

  PetscFunctionBegin;
  PetscCall(VecGetSize(saddle->motion, &n));
  if (known) PetscCall(MatGetSize(known, NULL, &num_known));
  dimension = n - saddle->m - num_known;
  PetscCall(KrylovFind(&operators, saddle->motion, known, dimension, gap ? PetscMin(dimension, count + MORE_TO_FIND_A_GAP) : count, modes));
  if (gap && count > 0 && modes->count >= count) FindGap(modes, saddle->shift, count, dimension, gap);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds what the factor says that motions under these forces lack: of the sum nearly all digits are right. */
static PetscErrorCode Correct(const Saddle *saddle, const Boundary *boundary, const Product *K, Mat forces, Mat motions)
{
  const PetscInt m = boundary->m;
  PetscInt       count;
  PetscReal     *b;
  Mat            rest;

  PetscFunctionBegin;
  PetscCall(MatGetSize(motions, NULL, &count));
  PetscCall(PetscMalloc1(m * count, &b));
  PetscCall(BoundaryMotion(boundary, motions, b));
  for (PetscInt i = 0; i < m * count; i++) b[i] = -b[i];
  PetscCall(MatDuplicate(motions, MAT_DO_NOT_COPY_VALUES, &rest));
  PetscCall(ProductCompute(K, motions, rest));
  PetscCall(MatAYPX(rest, -1.0, forces, SAME_NONZERO_PATTERN));
  PetscCall(SaddleMove(saddle, rest, b, rest, NULL));
  PetscCall(MatAXPY(motions, 1.0, rest, SAME_NONZERO_PATTERN));
  PetscCall(MatDestroy(&rest));
  PetscCall(PetscFree(b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Unit modal mass, and the sign. */
static PetscErrorCode Normalise(const Product *M, Mat motions)
{
  PetscInt  count;
  PetscReal mass;
  Vec       shape, force;
  Mat       forces;

  PetscFunctionBegin;
  PetscCall(MatGetSize(motions, NULL, &count));
  PetscCall(MatDuplicate(motions, MAT_DO_NOT_COPY_VALUES, &forces));
  PetscCall(ProductCompute(M, motions, forces));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(MatDenseGetColumnVec(motions, k, &shape));
    PetscCall(MatDenseGetColumnVecRead(forces, k, &force));
    PetscCall(VecDot(shape, force, &mass));
    PetscCall(VecScale(shape, 1.0 / PetscSqrtReal(mass)));
    PetscCall(ChooseSign(shape));
    PetscCall(MatDenseRestoreColumnVecRead(forces, k, &force));
    PetscCall(MatDenseRestoreColumnVec(motions, k, &shape));
  }
  PetscCall(MatDestroy(&forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* motions = x, and forces = M x / theta, under which they are at rest but for what theta and x lack. */
static PetscErrorCode Begin(const KrylovModes *modes, PetscInt first, const Product *M, Mat motions, Mat forces)
{
  PetscInt count;
  Mat      some;

  PetscFunctionBegin;
  PetscCall(MatGetSize(motions, NULL, &count));
  PetscCall(MatDenseGetSubMatrix(modes->modes, PETSC_DECIDE, PETSC_DECIDE, first, first + count, &some));
  PetscCall(MatCopy(some, motions, SAME_NONZERO_PATTERN));
  PetscCall(MatDenseRestoreSubMatrix(modes->modes, &some));
  PetscCall(ProductCompute(M, motions, forces));
  for (PetscInt k = 0; k < count; k++) {
    Vec force;

    PetscCall(MatDenseGetColumnVec(forces, k, &force));
    PetscCall(VecScale(force, 1.0 / modes->theta[first + k]));
    PetscCall(MatDenseRestoreColumnVec(forces, k, &force));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddlePurify(const Saddle *saddle, const Boundary *boundary, const Product *K, const Product *M, const KrylovModes *modes,
                            Mat purified)
{
  PetscInt count;

  PetscFunctionBegin;
  PetscCall(MatGetSize(purified, NULL, &count));
  for (PetscInt first = 0; first < count; first += SOLVED_AT_ONCE) {
    const PetscInt end = PetscMin(first + SOLVED_AT_ONCE, count);
    Mat            motions, forces;

    PetscCall(MatDenseGetSubMatrix(purified, PETSC_DECIDE, PETSC_DECIDE, first, end, &motions));
    PetscCall(MatDuplicate(motions, MAT_DO_NOT_COPY_VALUES, &forces));
    PetscCall(Begin(modes, first, M, motions, forces));
    PetscCall(Correct(saddle, boundary, K, forces, motions));
    PetscCall(Normalise(M, motions));
    PetscCall(MatDenseRestoreSubMatrix(purified, &motions));
    PetscCall(MatDestroy(&forces));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleProve(const Continuum *continuum, const Boundary *boundary, const ContinuumTies *ties, const Gap *gap, PetscInt num_rigid,
                           ContinuumFault *fault)
{
  Saddle   shifted;
  PetscInt missed;

  PetscFunctionBegin;
  PetscCall(SaddleCreate(continuum->K, gap->shift, continuum->M, boundary, ties, &shifted));
  PetscCall(SaddleFactor(&shifted));
  missed = shifted.num_negative - shifted.m - gap->num_below - num_rigid;
  if (shifted.status < 0) SetFault(fault, CONTINUUM_NOT_FACTORED, shifted.status);
  else if (missed != 0) SetFault(fault, CONTINUUM_MISSED_MODES, missed);
  PetscCall(SaddleDestroy(&shifted));
  PetscFunctionReturn(PETSC_SUCCESS);
}
