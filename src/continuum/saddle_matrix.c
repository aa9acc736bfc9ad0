/* saddle_matrix.c - the entries of a saddle: upper triangle, symmetric blocks of one. */
#include "saddle_matrix.h"

/* Rows of the structure as in K, those of what it is tied to and the multipliers' behind them on the last rank; upper triangle only. */
typedef struct {
  PetscInt             first, end, num_columns; /* rows of K on this rank; columns of the whole */
  PetscInt             last;                    /* columns of the diagonal block end before this one */
  PetscInt             n, p;
  const Boundary      *boundary;
  const ContinuumTies *ties;
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

/* Rows behind those of K: within[0] is the first of them. */
static PetscErrorCode CountTies(const Layout *layout, PetscInt within[])
{
  const PetscInt m = layout->boundary->m;
  PetscInt       count;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < layout->p + m; i++) within[i] = 1;
  for (PetscInt i = 0; i < layout->p; i++) {
    PetscCall(MatGetRow(layout->ties->K, i, &count, NULL, NULL));
    within[i] += count;
    PetscCall(MatRestoreRow(layout->ties->K, i, &count, NULL, NULL));
    PetscCall(MatGetRow(layout->ties->M, i, &count, NULL, NULL));
    within[i] += count;
    PetscCall(MatRestoreRow(layout->ties->M, i, &count, NULL, NULL));
  }
  for (PetscInt r = 0; r < m && layout->p > 0; r++)
    if (layout->ties->unknown[r] >= 0) within[layout->ties->unknown[r]]++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateMatrix(Mat K, Mat M, const Layout *layout, PetscInt num_rows, Mat *matrix)
{
  const PetscInt num_structure = layout->end - layout->first;
  PetscInt      *within, *beyond;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(num_rows, &within, num_rows, &beyond));
  PetscCall(CountRows(K, layout, 0, within, beyond));
  if (M) PetscCall(CountRows(M, layout, 0, within, beyond));
  PetscCall(CountRows(layout->boundary->rows, layout, layout->n + layout->p, within, beyond));
  if (num_rows > num_structure) PetscCall(CountTies(layout, within + num_structure));
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

/* Adds factor * A, a matrix on y. */
static PetscErrorCode AddTied(Mat A, PetscReal factor, const Layout *layout, Mat matrix)
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < layout->p; i++) {
    PetscCall(MatGetRow(A, i, &count, &column, &value));
    for (PetscInt e = 0; e < count; e++) PetscCall(MatSetValue(matrix, layout->n + i, layout->n + column[e], factor * value[e], ADD_VALUES));
    PetscCall(MatRestoreRow(A, i, &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of y, and -s Z^T beside them; explicit zeros on the diagonals, which MUMPS wants. */
static PetscErrorCode AddTies(const Layout *layout, PetscReal shift, PetscReal scale, Mat matrix)
{
  const PetscInt first_multiplier = layout->n + layout->p;

  PetscFunctionBegin;
  for (PetscInt i = layout->n; i < layout->num_columns; i++) PetscCall(MatSetValue(matrix, i, i, 0.0, ADD_VALUES));
  if (layout->p == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AddTied(layout->ties->K, 1.0, layout, matrix));
  if (shift != 0.0) PetscCall(AddTied(layout->ties->M, -shift, layout, matrix));
  for (PetscInt r = 0; r < layout->boundary->m; r++) {
    const PetscInt y = layout->ties->unknown[r];

    if (y >= 0) PetscCall(MatSetValue(matrix, layout->n + y, first_multiplier + r, -scale / layout->boundary->length[r], ADD_VALUES));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleMatrix(Mat K, PetscReal shift, Mat M, const Boundary *boundary, const ContinuumTies *ties, PetscReal scale, Mat *matrix)
{
  Layout      layout = {.boundary = boundary, .ties = ties, .p = ties ? ties->num : 0};
  PetscInt    num_rows;
  PetscMPIInt rank, size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)K), &rank));
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)K), &size));
  PetscCall(MatGetSize(K, &layout.n, NULL));
  PetscCall(MatGetOwnershipRange(K, &layout.first, &layout.end));
  layout.num_columns = layout.n + layout.p + boundary->m;
  layout.last        = rank == size - 1 ? layout.num_columns : layout.end;
  num_rows           = layout.last - layout.first;
  PetscCall(CreateMatrix(K, M, &layout, num_rows, matrix));
  PetscCall(AddRows(K, 1.0, &layout, 0, *matrix));
  if (M) PetscCall(AddRows(M, -shift, &layout, 0, *matrix));
  PetscCall(AddRows(boundary->rows, scale, &layout, layout.n + layout.p, *matrix));
  if (rank == size - 1) PetscCall(AddTies(&layout, shift, scale, *matrix));
  PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SaddleMatrixAlone(Mat K, PetscReal shift, Mat M, Mat *matrix)
{
  PetscFunctionBegin;
  if (shift == 0.0) {
    PetscCall(PetscObjectReference((PetscObject)K));
    *matrix = K;
  } else {
    PetscCall(MatDuplicate(K, MAT_COPY_VALUES, matrix));
    PetscCall(MatAXPY(*matrix, -shift, M, SUBSET_NONZERO_PATTERN)); /* with "same", PETSc 3.18.5 forgets most of each block on several ranks */
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
