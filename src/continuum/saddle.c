/* saddle.c - the matrix of a structure with multipliers on its boundary, factored by MUMPS. */
#include "saddle.h"
#include "dense.h"

/* Rows of the structure as in K, the multipliers' behind them on the last rank; upper triangle only. */
typedef struct {
  PetscInt        first, end, num_columns; /* rows of K on this rank; columns of the whole */
  PetscInt        last;                    /* columns of the diagonal block end before this one */
  const Boundary *boundary;
} Layout;

static PetscErrorCode CountRows(Mat A, const Layout *layout, PetscInt shift, PetscInt within[], PetscInt beyond[])
{
  const PetscInt *column;
  PetscInt        count;

  PetscFunctionBegin;
  PetscCall(MatGetRowUpperTriangular(A));
  for (PetscInt i = layout->first; i < layout->end; i++) {
    PetscCall(MatGetRow(A, i, &count, &column, NULL));
    for (PetscInt e = 0; e < count; e++) {
      const PetscInt c = column[e] + shift;

      if (c < i) continue;
      if (c < layout->last) within[i - layout->first]++;
      else beyond[i - layout->first]++;
    }
    PetscCall(MatRestoreRow(A, i, &count, &column, NULL));
  }
  PetscCall(MatRestoreRowUpperTriangular(A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds factor * A, its columns moved by `shift`. */
static PetscErrorCode AddRows(Mat A, PetscReal factor, const Layout *layout, PetscInt shift, Mat matrix)
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count, *columns;
  PetscScalar       *values;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(layout->num_columns, &columns, layout->num_columns, &values));
  PetscCall(MatGetRowUpperTriangular(A));
  for (PetscInt i = layout->first; i < layout->end; i++) {
    PetscCall(MatGetRow(A, i, &count, &column, &value));
    for (PetscInt e = 0; e < count; e++) {
      columns[e] = column[e] + shift;
      values[e]  = factor * value[e];
    }
    PetscCall(MatSetValues(matrix, 1, &i, count, columns, values, ADD_VALUES));
    PetscCall(MatRestoreRow(A, i, &count, &column, &value));
  }
  PetscCall(MatRestoreRowUpperTriangular(A));
  PetscCall(PetscFree2(columns, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateMatrix(Mat K, Mat M, const Layout *layout, PetscInt num_rows, Mat *matrix)
{
  const PetscInt n = layout->num_columns - layout->boundary->m;
  PetscInt      *within, *beyond;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(num_rows, &within, num_rows, &beyond));
  PetscCall(CountRows(K, layout, 0, within, beyond));
  if (M) PetscCall(CountRows(M, layout, 0, within, beyond));
  PetscCall(CountRows(layout->boundary->rows, layout, n, within, beyond));
  for (PetscInt i = layout->end - layout->first; i < num_rows; i++) within[i] = 1;
  for (PetscInt i = 0; i < num_rows; i++) { /* entries of both K and M were counted twice */
    within[i] = PetscMin(within[i], num_rows);
    beyond[i] = PetscMin(beyond[i], layout->num_columns - num_rows);
  }
  PetscCall(MatCreate(PetscObjectComm((PetscObject)K), matrix));
  PetscCall(MatSetSizes(*matrix, num_rows, num_rows, layout->num_columns, layout->num_columns));
  PetscCall(MatSetType(*matrix, MATSBAIJ));
  PetscCall(MatXAIJSetPreallocation(*matrix, 1, within, beyond, within, beyond));
  PetscCall(MatSetOption(*matrix, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
  PetscCall(PetscFree2(within, beyond));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K - shift M, the boundary beside it, and explicit zeros on the multipliers' diagonal, which MUMPS wants. */
static PetscErrorCode Assemble(Mat K, PetscReal shift, Mat M, const Boundary *boundary, PetscReal scale, Mat *matrix)
{
  Layout      layout = {.boundary = boundary};
  PetscInt    n, num_rows;
  PetscMPIInt rank, size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)K), &rank));
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)K), &size));
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(MatGetOwnershipRange(K, &layout.first, &layout.end));
  layout.num_columns = n + boundary->m;
  layout.last        = rank == size - 1 ? layout.num_columns : layout.end;
  num_rows           = layout.last - layout.first;
  PetscCall(CreateMatrix(K, M, &layout, num_rows, matrix));
  PetscCall(AddRows(K, 1.0, &layout, 0, *matrix));
  if (M) PetscCall(AddRows(M, -shift, &layout, 0, *matrix));
  PetscCall(AddRows(boundary->rows, scale, &layout, n, *matrix));
  for (PetscInt i = layout.end; i < layout.last; i++) PetscCall(MatSetValue(*matrix, i, i, 0.0, ADD_VALUES));
  PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Orders the unknowns; `room` is what MUMPS may take beyond what it foresees [%]. */
static PetscErrorCode Order(Saddle *saddle, PetscInt room)
{
  MatFactorInfo info;

  PetscFunctionBegin;
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatGetFactor(saddle->matrix, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, &saddle->factor));
  PetscCall(MatMumpsSetIcntl(saddle->factor, 13, 1));  /* the last front on one rank: its negative pivots are counted too */
  PetscCall(MatMumpsSetIcntl(saddle->factor, 24, 1));  /* null pivots are detected, ... */
  PetscCall(MatMumpsSetCntl(saddle->factor, 3, 1e-8)); /* ... which the default bound does not do */
  PetscCall(MatMumpsSetIcntl(saddle->factor, 14, room));
  PetscCall(MatCholeskyFactorSymbolic(saddle->factor, saddle->matrix, NULL, &info));
  PetscCall(MatMumpsGetInfog(saddle->factor, 1, &saddle->status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { USUAL_ROOM = 30 /* [%] */, MOST_ROOM = 2000, MORE_ROOM = 4 };

PetscErrorCode SaddleCreate(Mat K, PetscReal shift, Mat M, const Boundary *boundary, Saddle *saddle)
{
  PetscInt n;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(saddle, sizeof(*saddle)));
  saddle->m = boundary->m;
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(MatGetLocalSize(K, &saddle->num_local, NULL));
  PetscCall(MatGetTrace(K, &saddle->scale));
  saddle->scale = saddle->scale > 0.0 ? saddle->scale / (PetscReal)n : 1.0;
  PetscCall(Assemble(K, shift, M, boundary, saddle->scale, &saddle->matrix));
  PetscCall(MatSetOptionsPrefix(saddle->matrix, "reduction_"));
  PetscCall(MatCreateVecs(saddle->matrix, &saddle->motion, &saddle->forces));
  PetscCall(Order(saddle, USUAL_ROOM));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleEstimate(const Saddle *saddle, PetscReal *entries, PetscReal *memory)
{
  PetscInt count, megabytes;

  PetscFunctionBegin;
  PetscCall(MatMumpsGetInfog(saddle->factor, 3, &count)); /* in millions when negative */
  PetscCall(MatMumpsGetInfog(saddle->factor, 17, &megabytes));
  *entries = count < 0 ? -1e6 * (PetscReal)count : (PetscReal)count;
  *memory  = 1e6 * (PetscReal)megabytes;
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

PetscErrorCode SaddleDestroy(Saddle *saddle)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(&saddle->factor));
  PetscCall(MatDestroy(&saddle->matrix));
  PetscCall(VecDestroy(&saddle->motion));
  PetscCall(VecDestroy(&saddle->forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleSolve(Saddle *saddle, Vec forces, Vec motion)
{
  const PetscScalar *from;
  PetscScalar       *to;

  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(forces, &from));
  PetscCall(VecGetArray(saddle->forces, &to)); /* what lies behind, the multipliers', is zero and stays so */
  PetscCall(PetscArraycpy(to, from, saddle->num_local));
  PetscCall(VecRestoreArray(saddle->forces, &to));
  PetscCall(VecRestoreArrayRead(forces, &from));
  PetscCall(MatSolve(saddle->factor, saddle->forces, saddle->motion));
  PetscCall(VecGetArrayRead(saddle->motion, &from));
  PetscCall(VecGetArrayWrite(motion, &to));
  PetscCall(PetscArraycpy(to, from, saddle->num_local));
  PetscCall(VecRestoreArrayWrite(motion, &to));
  PetscCall(VecRestoreArrayRead(saddle->motion, &from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* s b of the motions b asked for. */
static PetscErrorCode MoveBoundary(const Saddle *saddle, PetscInt first, Mat right)
{
  PetscInt num_rows, count, begin, end;

  PetscFunctionBegin;
  PetscCall(MatGetSize(right, &num_rows, &count));
  PetscCall(MatGetOwnershipRange(right, &begin, &end));
  PetscCall(MatZeroEntries(right));
  for (PetscInt c = 0; c < count; c++) {
    const PetscInt row = num_rows - saddle->m + first + c;

    if (begin <= row && row < end) PetscCall(MatSetValue(right, row, c, saddle->scale, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(right, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(right, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cuts a solution into motions of the structure and multipliers. */
static PetscErrorCode Divide(const Saddle *saddle, Mat solution, Mat motion, PetscReal multipliers[])
{
  const PetscScalar *from;
  PetscScalar       *to;
  PetscInt           stride_from, stride_to, num_rows, count;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(solution, &num_rows, NULL));
  PetscCall(MatGetSize(solution, NULL, &count));
  PetscCall(MatDenseGetLDA(solution, &stride_from));
  PetscCall(MatDenseGetLDA(motion, &stride_to));
  PetscCall(PetscArrayzero(multipliers, (size_t)saddle->m * (size_t)count));
  PetscCall(MatDenseGetArrayRead(solution, &from));
  PetscCall(MatDenseGetArrayWrite(motion, &to));
  for (PetscInt c = 0; c < count; c++) {
    const PetscScalar *const column = from + (size_t)c * (size_t)stride_from;

    PetscCall(PetscArraycpy(to + (size_t)c * (size_t)stride_to, column, saddle->num_local));
    PetscCall(PetscArraycpy(multipliers + (size_t)c * (size_t)saddle->m, column + saddle->num_local, num_rows - saddle->num_local));
  }
  PetscCall(MatDenseRestoreArrayWrite(motion, &to));
  PetscCall(MatDenseRestoreArrayRead(solution, &from));
  PetscCall(SumOverRanks(solution, multipliers, (size_t)saddle->m * (size_t)count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleMove(Saddle *saddle, PetscInt first, Mat motion, PetscReal multipliers[])
{
  PetscInt count, num_rows;
  Mat      right, solution;

  PetscFunctionBegin;
  PetscCall(MatGetSize(motion, NULL, &count));
  PetscCall(VecGetLocalSize(saddle->motion, &num_rows));
  PetscCall(MatCreateDense(PetscObjectComm((PetscObject)motion), num_rows, PETSC_DECIDE, PETSC_DETERMINE, count, NULL, &right));
  PetscCall(MatDuplicate(right, MAT_DO_NOT_COPY_VALUES, &solution));
  PetscCall(MoveBoundary(saddle, first, right));
  PetscCall(MatMatSolve(saddle->factor, right, solution));
  PetscCall(Divide(saddle, solution, motion, multipliers));
  PetscCall(MatDestroy(&right));
  PetscCall(MatDestroy(&solution));
  PetscFunctionReturn(PETSC_SUCCESS);
}
