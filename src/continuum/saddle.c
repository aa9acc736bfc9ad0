/* saddle.c - the matrix of a structure with multipliers on its boundary, factored by MUMPS. */
#include "saddle.h"
#include "dense.h"
#include "fault.h"
#include "saddle_matrix.h"

/* Orders the unknowns; `room` is what MUMPS may take beyond what it foresees [%]. */
static PetscErrorCode Order(Saddle *saddle, PetscInt room)
{
  MatFactorInfo info;

  PetscFunctionBegin;
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatGetFactor(saddle->matrix, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, &saddle->factor));
  PetscCall(MatMumpsSetIcntl(saddle->factor, 13, 1));                            /* the last front on one rank: its negative pivots are counted too */
  PetscCall(MatMumpsSetIcntl(saddle->factor, 24, saddle->shift == 0.0 ? 1 : 0)); /* null pivots are detected, ... */
  PetscCall(MatMumpsSetCntl(saddle->factor, 3, 1e-8));                           /* ... which the default bound does not do */
  PetscCall(MatMumpsSetIcntl(saddle->factor, 14, room));
  PetscCall(MatMumpsSetIcntl(saddle->factor, 27, SADDLE_BLOCK)); /* columns that go through the factor together */
  PetscCall(MatCholeskyFactorSymbolic(saddle->factor, saddle->matrix, NULL, &info));
  PetscCall(MatMumpsGetInfog(saddle->factor, 1, &saddle->status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { USUAL_ROOM = 30 /* [%] */, MOST_ROOM = 2000, MORE_ROOM = 4 };

static PetscErrorCode Measure(Mat K, Saddle *saddle)
{
  PetscInt    n;
  PetscMPIInt rank, size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)K), &rank));
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)K), &size));
  PetscCall(WholeCreateVec(K, saddle->p, &saddle->motion));
  PetscCall(VecGetLocalSize(saddle->motion, &saddle->num_motion));
  saddle->num_local = saddle->num_motion + (rank == size - 1 ? saddle->m : 0);
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(MatGetTrace(K, &saddle->scale));
  saddle->scale = saddle->scale > 0.0 ? saddle->scale / (PetscReal)n : 1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleCreate(Mat K, PetscReal shift, Mat M, const Boundary *boundary, const ContinuumTies *ties, Saddle *saddle)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(saddle, sizeof(*saddle)));
  saddle->m     = boundary->m;
  saddle->p     = ties ? ties->num : 0;
  saddle->shift = shift;
  PetscCall(Measure(K, saddle));
  if (saddle->m + saddle->p == 0) PetscCall(SaddleMatrixAlone(K, shift, M, &saddle->matrix));
  else PetscCall(SaddleMatrix(K, shift, shift == 0.0 ? NULL : M, boundary, ties, saddle->scale, &saddle->matrix));
  PetscCall(MatSetOptionsPrefixFactor(saddle->matrix, "continuum_"));
  PetscCall(Order(saddle, USUAL_ROOM));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Factorisations at the speed of matrix products, solutions at that of memory, but of many together; and what each unknown takes. */
PetscErrorCode SaddleEstimate(const Saddle *saddle, PetscInt num_factors, PetscInt num_solves, ContinuumCost *cost)
{
  const PetscReal each = 1e-5, factor_rate = 2.5e10, solve_rate = 1e9; /* [s], [operations/s], [entries/s] */
  const PetscReal block_rate = 7e9, num_blocks = 5.0; /* [entries/s] of many columns together, which MUMPS and we hold in a few forms */
  PetscInt        count, megabytes;
  PetscReal       operations;

  PetscFunctionBegin;
  PetscCall(MatMumpsGetInfog(saddle->factor, 3, &count)); /* in millions when negative */
  PetscCall(MatMumpsGetRinfog(saddle->factor, 1, &operations));
  PetscCall(MatMumpsGetInfog(saddle->factor, 17, &megabytes));
  cost->factor_entries = count < 0 ? -1e6 * (PetscReal)count : (PetscReal)count;
  cost->factor_memory  = 1e6 * (PetscReal)megabytes;
  cost->seconds += each * (PetscReal)cost->num_unknowns + (PetscReal)num_factors * operations / factor_rate +
                   (PetscReal)num_solves * cost->factor_entries / solve_rate;
  cost->seconds_to_factor = operations / factor_rate;
  cost->seconds_each      = SOLVES_A_MODE * cost->factor_entries / solve_rate;
  cost->seconds_a_place   = cost->factor_entries / block_rate;
  cost->places_memory     = (PetscReal)sizeof(PetscScalar) * num_blocks * SADDLE_BLOCK * (PetscReal)cost->num_unknowns;
  LogDetail("factor of %.4g entries and %.4g operations", cost->factor_entries, operations);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FactorOnce(Saddle *saddle)
{
  MatFactorInfo info;

  PetscFunctionBegin;
  if (saddle->status < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatCholeskyFactorNumeric(saddle->factor, saddle->matrix, &info));
  PetscCall(MatMumpsGetInfog(saddle->factor, 1, &saddle->status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where nearly everything is kept many pivots are put off, and MUMPS needs far more room than it foresees: -8 and -9 say so. PETSc
   wants a new factor then. */
PetscErrorCode SaddleFactor(Saddle *saddle)
{
  PetscFunctionBegin;
  PetscCall(FactorOnce(saddle));
  for (PetscInt room = MORE_ROOM * USUAL_ROOM; (saddle->status == -8 || saddle->status == -9) && room <= MOST_ROOM; room *= MORE_ROOM) {
    PetscCall(MatDestroy(&saddle->factor));
    PetscCall(Order(saddle, room));
    PetscCall(FactorOnce(saddle));
  }
  PetscCall(MatMumpsGetInfog(saddle->factor, 12, &saddle->num_negative));
  PetscCall(MatMumpsGetInfog(saddle->factor, 28, &saddle->num_null));
  PetscCall(MatDestroy(&saddle->matrix)); /* room for what comes; its factor is all that is used from here on */
  PetscFunctionReturn(PETSC_SUCCESS);
}

void SaddleJudge(const Saddle *saddle, ContinuumFault *fault)
{
  if (saddle->status < 0) SetFault(fault, CONTINUUM_NOT_FACTORED, saddle->status);
  else if (saddle->num_null > 0) SetFault(fault, CONTINUUM_SINGULAR, saddle->num_null);
  else if (saddle->num_negative > saddle->m) SetFault(fault, CONTINUUM_INDEFINITE, saddle->num_negative - saddle->m);
  else if (saddle->num_negative < saddle->m) SetFault(fault, CONTINUUM_SINGULAR, saddle->m - saddle->num_negative);
}

PetscErrorCode SaddleDestroy(Saddle *saddle)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(&saddle->factor));
  PetscCall(MatDestroy(&saddle->matrix));
  PetscCall(VecDestroy(&saddle->motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A dense matrix of columns that the factor takes. */
static PetscErrorCode CreateColumns(const Saddle *saddle, Mat like, Mat *columns)
{
  PetscInt count;

  PetscFunctionBegin;
  PetscCall(MatGetSize(like, NULL, &count));
  PetscCall(MatCreateDense(PetscObjectComm((PetscObject)like), saddle->num_local, PETSC_DECIDE, PETSC_DETERMINE, count, NULL, columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first `num_rows` rows of this rank. */
static PetscErrorCode CopyRows(Mat from, PetscInt num_rows, Mat to)
{
  const PetscScalar *source;
  PetscScalar       *target;
  PetscInt           count, stride_from, stride_to;

  PetscFunctionBegin;
  PetscCall(MatGetSize(from, NULL, &count));
  PetscCall(MatDenseGetLDA(from, &stride_from));
  PetscCall(MatDenseGetLDA(to, &stride_to));
  PetscCall(MatDenseGetArrayRead(from, &source));
  PetscCall(MatDenseGetArrayWrite(to, &target));
  for (PetscInt c = 0; c < count; c++)
    PetscCall(PetscArraycpy(target + (size_t)c * (size_t)stride_to, source + (size_t)c * (size_t)stride_from, num_rows));
  PetscCall(MatDenseRestoreArrayWrite(to, &target));
  PetscCall(MatDenseRestoreArrayRead(from, &source));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* s b behind the forces, where the multipliers are. */
static PetscErrorCode MoveBoundary(const Saddle *saddle, const PetscReal b[], Mat right)
{
  PetscInt     count, stride;
  PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(MatGetSize(right, NULL, &count));
  PetscCall(MatDenseGetLDA(right, &stride));
  PetscCall(MatDenseGetArray(right, &value));
  for (PetscInt c = 0; c < count; c++)
    for (PetscInt j = 0; j < saddle->num_local - saddle->num_motion; j++)
      value[(size_t)c * (size_t)stride + (size_t)(saddle->num_motion + j)] = saddle->scale * b[c * saddle->m + j];
  PetscCall(MatDenseRestoreArray(right, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The multipliers, which lie behind the motions on the last rank. */
static PetscErrorCode ReadMultipliers(const Saddle *saddle, Mat solution, PetscReal multipliers[])
{
  const PetscScalar *value;
  PetscInt           stride, count;

  PetscFunctionBegin;
  PetscCall(MatGetSize(solution, NULL, &count));
  PetscCall(MatDenseGetLDA(solution, &stride));
  PetscCall(PetscArrayzero(multipliers, (size_t)saddle->m * (size_t)count));
  PetscCall(MatDenseGetArrayRead(solution, &value));
  for (PetscInt c = 0; c < count; c++)
    PetscCall(PetscArraycpy(multipliers + (size_t)c * (size_t)saddle->m, value + (size_t)c * (size_t)stride + saddle->num_motion,
                            saddle->num_local - saddle->num_motion));
  PetscCall(MatDenseRestoreArrayRead(solution, &value));
  PetscCall(SumOverRanks(solution, multipliers, (size_t)saddle->m * (size_t)count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleMove(const Saddle *saddle, Mat forces, const PetscReal b[], Mat motions, PetscReal multipliers[])
{
  Mat right, solution;

  PetscFunctionBegin;
  PetscCall(CreateColumns(saddle, motions, &right)); /* zero */
  PetscCall(CreateColumns(saddle, motions, &solution));
  if (forces) PetscCall(CopyRows(forces, saddle->num_motion, right));
  if (b) PetscCall(MoveBoundary(saddle, b, right));
  PetscCall(MatAssemblyBegin(right, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(right, MAT_FINAL_ASSEMBLY));
  PetscCall(MatMatSolve(saddle->factor, right, solution));
  PetscCall(CopyRows(solution, saddle->num_motion, motions));
  if (multipliers) PetscCall(ReadMultipliers(saddle, solution, multipliers));
  PetscCall(MatDestroy(&right));
  PetscCall(MatDestroy(&solution));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleSolve(const Saddle *saddle, Mat forces, Mat motions)
{
  PetscFunctionBegin;
  if (saddle->m + saddle->p == 0) PetscCall(MatMatSolve(saddle->factor, forces, motions));
  else PetscCall(SaddleMove(saddle, forces, NULL, motions, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}
