/* fixed_modes.c - the lowest modes of a structure whose boundary is at rest, by SLEPc on the factor of the constraint modes. */
#include "fixed_modes.h"
#include <slepceps.h>

enum { MORE_TO_FIND_A_GAP = 2 };

/* Stands for K^-1: its image has the boundary at rest, so that no other modes can appear. */
static PetscErrorCode SolveAtRest(PC pc, Vec forces, Vec motion)
{
  Saddle *saddle;

  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &saddle));
  PetscCall(SaddleSolve(saddle, forces, motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers in [-1, 1) that look random, of each unknown the same however many ranks there are. */
static PetscErrorCode Scatter(Vec start)
{
  PetscScalar *value;
  PetscInt     first, end;

  PetscFunctionBegin;
  PetscCall(VecGetOwnershipRange(start, &first, &end));
  PetscCall(VecGetArrayWrite(start, &value));
  for (PetscInt i = first; i < end; i++) {
    uint64_t bits = ((uint64_t)i + 1) * 0x9E3779B97F4A7C15u; /* the mixer of splitmix64 */

    bits             = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits             = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    value[i - first] = (PetscReal)((bits ^ (bits >> 31)) >> 11) / 4503599627370496.0 - 1.0;
  }
  PetscCall(VecRestoreArrayWrite(start, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SetStart(EPS eps, Mat K)
{
  Vec start;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(K, &start, NULL));
  PetscCall(Scatter(start));
  PetscCall(EPSSetInitialSpace(eps, 1, &start));
  PetscCall(VecDestroy(&start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateSolver(Mat K, Mat M, Saddle *saddle, PetscInt count, EPS *eps)
{
  PetscInt n, most; /* vectors worth having: all modes, and one more that SLEPc asks for */
  ST       st;
  KSP      ksp;
  PC       pc;

  PetscFunctionBegin;
  PetscCall(MatGetSize(K, &n, NULL));
  most = PetscMin(n, n - saddle->m + 1);
  PetscCall(EPSCreate(PetscObjectComm((PetscObject)K), eps));
  PetscCall(EPSSetOptionsPrefix(*eps, "reduction_"));
  PetscCall(EPSSetOperators(*eps, K, M));
  PetscCall(EPSSetProblemType(*eps, EPS_GHEP));
  PetscCall(EPSSetDimensions(*eps, count, PetscMin(most, PetscMax(2 * count, count + 15)), PETSC_DEFAULT));
  PetscCall(EPSSetTarget(*eps, 0.0)); /* any other shift would need a factor of its own */
  PetscCall(EPSSetWhichEigenpairs(*eps, EPS_TARGET_MAGNITUDE));
  PetscCall(EPSSetTolerances(*eps, 1e-10, PETSC_DEFAULT));
  PetscCall(EPSSetPurify(*eps, PETSC_FALSE));
  PetscCall(SetStart(*eps, K));
  PetscCall(EPSGetST(*eps, &st));
  PetscCall(STSetType(st, STSINVERT));
  PetscCall(STSetMatMode(st, ST_MATMODE_SHELL));
  PetscCall(STGetKSP(st, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, saddle));
  PetscCall(PCShellSetApply(pc, SolveAtRest));
  PetscCall(EPSSetFromOptions(*eps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The largest component positive, of equal ones the first. */
static PetscErrorCode ChooseSign(Vec shape)
{
  const PetscScalar *value;
  PetscInt           first, end;
  PetscReal          largest;
  PetscInt64         choice = INT64_MAX; /* twice the index, and one more when negative */

  PetscFunctionBegin;
  PetscCall(VecNorm(shape, NORM_INFINITY, &largest));
  PetscCall(VecGetOwnershipRange(shape, &first, &end));
  PetscCall(VecGetArrayRead(shape, &value));
  for (PetscInt i = first; i < end; i++) {
    if (PetscAbsReal(value[i - first]) * (1.0 + 1e-6) < largest) continue;
    choice = 2 * (PetscInt64)i + (value[i - first] < 0.0 ? 1 : 0);
    break;
  }
  PetscCall(VecRestoreArrayRead(shape, &value));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &choice, 1, MPIU_INT64, MPI_MIN, PetscObjectComm((PetscObject)shape)));
  if (choice % 2) PetscCall(VecScale(shape, -1.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadModes(EPS eps, Mat modes, PetscReal omega[])
{
  PetscInt  count;
  PetscReal eigenvalue;
  Vec       shape;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, NULL, &count));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(MatDenseGetColumnVecWrite(modes, k, &shape));
    PetscCall(EPSGetEigenpair(eps, k, &eigenvalue, NULL, shape, NULL));
    PetscCall(ChooseSign(shape));
    PetscCall(MatDenseRestoreColumnVecWrite(modes, k, &shape));
    omega[k] = PetscSqrtReal(PetscMax(0.0, eigenvalue));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The widest gap behind `count` or more of the modes found; behind the last of all there is nothing. */
static PetscErrorCode FindGap(EPS eps, PetscInt count, PetscInt found, Gap *gap)
{
  PetscReal below, above, widest = 1.0;

  PetscFunctionBegin;
  PetscCall(EPSGetEigenvalue(eps, found - 1, &below, NULL));
  gap->shift     = below * 1.01;
  gap->num_below = found;
  for (PetscInt k = count; k < found; k++) {
    PetscCall(EPSGetEigenvalue(eps, k - 1, &below, NULL));
    PetscCall(EPSGetEigenvalue(eps, k, &above, NULL));
    if (above / below <= widest) continue;
    widest         = above / below;
    gap->shift     = PetscSqrtReal(below * above);
    gap->num_below = k;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FixedModes(Mat K, Mat M, Saddle *saddle, Mat modes, PetscReal omega[], PetscInt *found, Gap *gap)
{
  PetscInt n, count, wanted;
  EPS      eps;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, &n, &count));
  wanted = gap ? PetscMin(n - saddle->m, count + MORE_TO_FIND_A_GAP) : count;
  PetscCall(CreateSolver(K, M, saddle, wanted, &eps));
  PetscCall(EPSSolve(eps));
  PetscCall(EPSGetConverged(eps, found));
  if (*found >= count) {
    PetscCall(ReadModes(eps, modes, omega));
    if (gap) PetscCall(FindGap(eps, count, *found, gap));
  }
  PetscCall(EPSDestroy(&eps));
  PetscFunctionReturn(PETSC_SUCCESS);
}
