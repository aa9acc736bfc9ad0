/* product.c - A X = A_head X_head + (A_tail X_head + A X_tail): the first without error, the others in doubles. */
#include "product.h"
#include "dense.h"
#include <petscsf.h>

enum {
  WIDTH = 8,         /* columns at once: */
  BOTH  = 2 * WIDTH, /* their heads, and behind them their tails */
  BITS  = 20         /* of a head: doubles hold the sum of 2^12 products of two heads */
};

/* Rows of this rank, and behind them those of other ranks that its upper triangle meets, the ghosts. */
struct Product {
  MPI_Comm   comm;
  PetscInt   first, num_rows, num_ghosts;
  PetscInt  *ghosts; /* which rows they are, ascending */
  PetscSF    owners; /* of the ghosts */
  PetscReal *scale;  /* of each row, a power of two: with them the diagonal of A is about 1, and no other entry larger */

  PetscInt  *start, *column; /* entries start[i], ... of row i; their columns among rows and ghosts */
  PetscReal *entry;          /* scaled */

  MPI_Datatype row;   /* of x and y */
  PetscReal   *x, *y; /* [rows, BOTH]: heads and tails of X; sums of products of heads, and of the others */
};

/* Where a column is among the rows and ghosts. */
static PetscInt Find(const Product *product, PetscInt column)
{
  PetscInt low = 0, high = product->num_ghosts;

  if (column < product->first + product->num_rows) return column - product->first;
  while (high - low > 1) {
    const PetscInt middle = (low + high) / 2;

    if (product->ghosts[middle] <= column) low = middle;
    else high = middle;
  }
  return product->num_rows + low;
}

/* Counts the entries of each row's upper triangle, and those in columns behind this rank's. */
static PetscErrorCode Count(Mat A, Product *product)
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(product->num_rows + 1, &product->start));
  for (PetscInt i = 0; i < product->num_rows; i++) {
    PetscCall(MatGetRow(A, product->first + i, &count, &column, &value));
    product->start[i + 1] = product->start[i];
    for (PetscInt e = 0; e < count; e++) {
      if (column[e] < product->first + i || value[e] == 0.0) continue;
      product->start[i + 1]++;
      if (column[e] >= product->first + product->num_rows) product->num_ghosts++;
    }
    PetscCall(MatRestoreRow(A, product->first + i, &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries as they are, in columns of the whole, and the ghosts. */
static PetscErrorCode Copy(Mat A, Product *product)
{
  const PetscInt    *column, num_entries = product->start[product->num_rows];
  const PetscScalar *value;
  PetscInt           count, next = 0, num_found = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(num_entries, &product->column, num_entries, &product->entry, product->num_ghosts, &product->ghosts));
  for (PetscInt i = 0; i < product->num_rows; i++) {
    PetscCall(MatGetRow(A, product->first + i, &count, &column, &value));
    for (PetscInt e = 0; e < count; e++) {
      if (column[e] < product->first + i || value[e] == 0.0) continue;
      product->column[next]  = column[e];
      product->entry[next++] = value[e];
      if (column[e] >= product->first + product->num_rows) product->ghosts[num_found++] = column[e];
    }
    PetscCall(MatRestoreRow(A, product->first + i, &count, &column, &value));
  }
  PetscCall(PetscSortRemoveDupsInt(&product->num_ghosts, product->ghosts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of rows, `unit` of them together, go to the ghosts of these. */
static PetscErrorCode TellGhosts(const Product *product, MPI_Datatype unit, PetscReal *of_rows, PetscReal *of_ghosts)
{
  PetscFunctionBegin;
  PetscCall(PetscSFBcastBegin(product->owners, unit, of_rows, of_ghosts, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(product->owners, unit, of_rows, of_ghosts, MPI_REPLACE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindScales(Mat A, const Product *product)
{
  const PetscScalar *value;
  Vec                diagonal;
  int                power;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(A, &diagonal, NULL));
  PetscCall(MatGetDiagonal(A, diagonal));
  PetscCall(VecGetArrayRead(diagonal, &value));
  for (PetscInt i = 0; i < product->num_rows; i++) {
    (void)frexp(value[i], &power);
    product->scale[i] = ldexp(1.0, -power / 2);
  }
  PetscCall(VecRestoreArrayRead(diagonal, &value));
  PetscCall(VecDestroy(&diagonal));
  PetscCall(TellGhosts(product, MPIU_REAL, product->scale, product->scale + product->num_rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Connect(Mat A, Product *product)
{
  const PetscInt num_all = product->num_rows + product->num_ghosts;
  PetscLayout    layout;

  PetscFunctionBegin;
  PetscCall(MatGetLayouts(A, &layout, NULL));
  PetscCall(PetscSFCreate(product->comm, &product->owners));
  PetscCall(PetscSFSetGraphLayout(product->owners, layout, product->num_ghosts, NULL, PETSC_OWN_POINTER, product->ghosts));
  PetscCallMPI(MPI_Type_contiguous(BOTH, MPIU_REAL, &product->row));
  PetscCallMPI(MPI_Type_commit(&product->row));
  PetscCall(PetscMalloc3(num_all, &product->scale, (size_t)num_all * BOTH, &product->x, (size_t)num_all * BOTH, &product->y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ProductCreate(Mat A, Product **created)
{
  Product *product;

  PetscFunctionBegin;
  PetscCall(PetscNew(created));
  product       = *created;
  product->comm = PetscObjectComm((PetscObject)A);
  PetscCall(MatGetOwnershipRange(A, &product->first, NULL));
  PetscCall(MatGetLocalSize(A, &product->num_rows, NULL));
  PetscCall(MatGetRowUpperTriangular(A));
  PetscCall(Count(A, product));
  PetscCall(Copy(A, product));
  PetscCall(MatRestoreRowUpperTriangular(A));
  PetscCall(Connect(A, product));
  PetscCall(FindScales(A, product));
  for (PetscInt i = 0; i < product->num_rows; i++)
    for (PetscInt e = product->start[i]; e < product->start[i + 1]; e++) {
      product->column[e] = Find(product, product->column[e]);
      product->entry[e] *= product->scale[i] * product->scale[product->column[e]];
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ProductDestroy(Product **product)
{
  PetscFunctionBegin;
  if (!*product) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSFDestroy(&(*product)->owners));
  PetscCallMPI(MPI_Type_free(&(*product)->row));
  PetscCall(PetscFree((*product)->start));
  PetscCall(PetscFree3((*product)->column, (*product)->entry, (*product)->ghosts));
  PetscCall(PetscFree3((*product)->scale, (*product)->x, (*product)->y));
  PetscCall(PetscFree(*product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt ProductNumRows(const Product *product)
{
  return product->num_rows;
}

static PetscReal *RowOf(PetscReal rows[], PetscInt i)
{
  return rows + (size_t)i * BOTH;
}

/* A unit for each column, a power of two: heads are whole numbers of them, of BITS binary digits, the same on all ranks. */
static PetscErrorCode FindUnits(const Product *product, PetscReal unit[WIDTH])
{
  PetscReal largest[WIDTH] = {0.0};
  int       power;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < product->num_rows; i++)
    for (PetscInt c = 0; c < WIDTH; c++) largest[c] = PetscMax(largest[c], PetscAbsReal(RowOf(product->x, i)[c]));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, largest, WIDTH, MPIU_REAL, MPIU_MAX, product->comm));
  for (PetscInt c = 0; c < WIDTH; c++) {
    (void)frexp(largest[c], &power);
    unit[c] = ldexp(1.0, power - BITS);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* So many columns, the others zero, cut into heads and tails. */
static PetscErrorCode Cut(const Product *product, const PetscScalar X[], PetscInt stride, PetscInt count)
{
  PetscReal unit[WIDTH];

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(product->x, (size_t)product->num_rows * BOTH));
  for (PetscInt i = 0; i < product->num_rows; i++)
    for (PetscInt c = 0; c < count; c++) RowOf(product->x, i)[c] = X[(size_t)c * (size_t)stride + (size_t)i] / product->scale[i];
  PetscCall(FindUnits(product, unit));
  for (PetscInt i = 0; i < product->num_rows; i++)
    for (PetscInt c = 0; c < WIDTH; c++) {
      PetscReal *const head = RowOf(product->x, i) + c, *const tail = head + WIDTH, all = *head;

      *head = rint(all / unit[c]) * unit[c];
      *tail = all - *head;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* y += a x. A sum with `big` has no digits behind the BITS of a head. */
static void AddEntry(PetscReal a, const PetscReal *restrict x, PetscReal *restrict y)
{
  const PetscReal big = 0x1.8p52 / (1 << BITS), head = (a + big) - big, tail = a - head;

#pragma omp simd
  for (PetscInt c = 0; c < WIDTH; c++) {
    y[c] += head * x[c];
    y[WIDTH + c] += a * x[WIDTH + c] + tail * x[c];
  }
}

static void Multiply(const Product *product)
{
  for (PetscInt i = 0; i < product->num_rows; i++) {
    const PetscReal *const x       = RowOf(product->x, i);
    PetscReal              y[BOTH] = {0.0};

    for (PetscInt e = product->start[i]; e < product->start[i + 1]; e++) {
      AddEntry(product->entry[e], RowOf(product->x, product->column[e]), y);
      if (product->column[e] != i) AddEntry(product->entry[e], x, RowOf(product->y, product->column[e]));
    }
    for (PetscInt c = 0; c < BOTH; c++) RowOf(product->y, i)[c] += y[c];
  }
}

static PetscErrorCode MultiplyOverRanks(const Product *product)
{
  PetscReal *const of_ghosts = RowOf(product->y, product->num_rows);

  PetscFunctionBegin;
  PetscCall(TellGhosts(product, product->row, product->x, RowOf(product->x, product->num_rows)));
  PetscCall(PetscArrayzero(product->y, (size_t)(product->num_rows + product->num_ghosts) * BOTH));
  Multiply(product);
  PetscCall(PetscSFReduceBegin(product->owners, product->row, of_ghosts, product->y, MPIU_SUM));
  PetscCall(PetscSFReduceEnd(product->owners, product->row, of_ghosts, product->y, MPIU_SUM));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Join(const Product *product, PetscInt count, PetscScalar Y[], PetscInt stride)
{
  for (PetscInt i = 0; i < product->num_rows; i++)
    for (PetscInt c = 0; c < count; c++)
      Y[(size_t)c * (size_t)stride + (size_t)i] = (RowOf(product->y, i)[c] + RowOf(product->y, i)[WIDTH + c]) / product->scale[i];
}

PetscErrorCode ProductColumns(const Product *product, PetscInt count, const PetscScalar X[], PetscInt stride_x, PetscScalar Y[], PetscInt stride_y)
{
  PetscFunctionBegin;
  for (PetscInt first = 0; first < count; first += WIDTH) {
    const PetscInt some = PetscMin(WIDTH, count - first);

    PetscCall(Cut(product, X + (size_t)first * (size_t)stride_x, stride_x, some));
    PetscCall(MultiplyOverRanks(product));
    Join(product, some, Y + (size_t)first * (size_t)stride_y, stride_y);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ProductCompute(const Product *product, Mat X, Mat Y)
{
  const PetscScalar *from;
  PetscScalar       *to;
  PetscInt           count, stride_x, stride_y;

  PetscFunctionBegin;
  PetscCall(MatGetSize(X, NULL, &count));
  PetscCall(MatDenseGetLDA(X, &stride_x));
  PetscCall(MatDenseGetLDA(Y, &stride_y));
  PetscCall(MatDenseGetArrayRead(X, &from));
  PetscCall(MatDenseGetArrayWrite(Y, &to));
  PetscCall(ProductColumns(product, count, from, stride_x, to, stride_y));
  PetscCall(MatDenseRestoreArrayWrite(Y, &to));
  PetscCall(MatDenseRestoreArrayRead(X, &from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ProductProject(const Product *product, Mat X, PetscReal projected[])
{
  PetscInt size;
  Mat      some, forces;

  PetscFunctionBegin;
  PetscCall(MatGetSize(X, NULL, &size));
  for (PetscInt first = 0; first < size; first += COLUMNS_AT_ONCE) {
    PetscCall(MatDenseGetSubMatrix(X, PETSC_DECIDE, PETSC_DECIDE, first, PetscMin(first + COLUMNS_AT_ONCE, size), &some));
    PetscCall(MatDuplicate(some, MAT_DO_NOT_COPY_VALUES, &forces));
    PetscCall(ProductCompute(product, some, forces));
    PetscCall(MatDenseRestoreSubMatrix(X, &some));
    PetscCall(MultiplyTransposed(X, forces, projected + (size_t)first * (size_t)size));
    PetscCall(MatDestroy(&forces));
  }
  PetscCall(SumOverRanks(X, projected, (size_t)size * (size_t)size));
  Symmetrise(size, size, projected);
  PetscFunctionReturn(PETSC_SUCCESS);
}
