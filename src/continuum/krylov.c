/* krylov.c - block Lanczos: S M V = V T, T of blocks A_j on its diagonal and R_j below, V^T M V = 1. */
#include "krylov.h"
#include "dense.h"
#include <petscblaslapack.h>

enum {
  CHUNK      = 32, /* columns of the basis that are allocated together, a multiple of all widths */
  MOST_TIMES = 5   /* that a block is made orthonormal */
};

static const PetscReal usual  = 1e-10; /* residual, relative to theta */
static const PetscReal equal  = 1e-6;  /* difference between modes that may be copies of each other, relative */
static const PetscReal lost   = 1e-13; /* least length of a new direction, against the largest theta: below there is only round-off */
static const PetscReal inside = 1e-6;  /* length outside the basis of a direction drawn at random that lies within it */
static const PetscReal uneven = 1e-3;  /* least length in a block, against the largest: shorter ones are made orthonormal again */

typedef struct {
  const KrylovOperators *operators;
  MPI_Comm               comm;
  PetscBLASInt           num_local, width; /* rows of this rank; columns of a block */
  PetscInt               first;            /* of these rows */
  PetscReal              tolerance;        /* of residuals, relative to theta */
  PetscInt               longest;          /* basis to try, in columns */
  Mat                    known;
  PetscInt               num_known, size, num_chunks; /* columns of `known`; of the basis */
  PetscScalar          **chunks;                      /* the basis, CHUNK columns each */
  PetscInt               num_blocks, num_new;         /* blocks of the basis; columns of the block to come */
  Mat                    block, weighed;              /* what is to become the next block, M times it */
  PetscReal             *diagonal, *below;            /* A_j, R_j [num_blocks, width, width] */
  PetscReal              largest;                     /* about the largest theta */
  PetscInt               num_starts;                  /* blocks drawn at random from which chains were begun */
  uint64_t               num_drawn;
} Krylov;

static PetscInt WidthFor(PetscInt count)
{
  if (count <= 40) return 4;
  return count <= 120 ? 8 : 16;
}

/* Numbers in [-1, 1) that look random, of each row the same however many ranks there are. */
static PetscErrorCode Draw(Krylov *krylov, PetscInt column, Mat forces)
{
  PetscScalar *value;

  PetscFunctionBegin;
  krylov->num_drawn++;
  PetscCall(MatDenseGetColumn(forces, column, &value));
  for (PetscInt i = 0; i < krylov->num_local; i++) {
    uint64_t bits = ((uint64_t)(krylov->first + i) + 1) * 0x9E3779B97F4A7C15u + krylov->num_drawn * 0xD1B54A32D192ED03u;

    bits     = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u; /* the mixer of splitmix64 */
    bits     = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    value[i] = (PetscReal)((bits ^ (bits >> 31)) >> 11) / 4503599627370496.0 - 1.0;
  }
  PetscCall(MatDenseRestoreColumn(forces, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadOptions(PetscInt count, Krylov *krylov)
{
  PetscFunctionBegin;
  krylov->tolerance = usual;
  krylov->longest   = 20 * count + 400;
  PetscCall(PetscOptionsGetReal(NULL, "continuum_", "-krylov_tolerance", &krylov->tolerance, NULL));
  PetscCall(PetscOptionsGetInt(NULL, "continuum_", "-krylov_longest", &krylov->longest, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode KrylovCreate(const KrylovOperators *operators, Vec like, Mat known, PetscInt count, Krylov *krylov)
{
  PetscInt num_local, n;

  PetscFunctionBegin;
  *krylov = (Krylov){.operators = operators, .comm = PetscObjectComm((PetscObject)like), .known = known};
  PetscCall(ReadOptions(count, krylov));
  PetscCall(VecGetLocalSize(like, &num_local));
  PetscCall(VecGetSize(like, &n));
  PetscCall(VecGetOwnershipRange(like, &krylov->first, NULL));
  PetscCall(PetscBLASIntCast(num_local, &krylov->num_local));
  PetscCall(PetscBLASIntCast(WidthFor(count), &krylov->width));
  if (known) PetscCall(MatGetSize(known, NULL, &krylov->num_known));
  PetscCall(MatCreateDense(krylov->comm, num_local, PETSC_DECIDE, n, krylov->width, NULL, &krylov->block));
  PetscCall(MatDuplicate(krylov->block, MAT_DO_NOT_COPY_VALUES, &krylov->weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode KrylovDestroy(Krylov *krylov)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < krylov->num_chunks; c++) PetscCall(PetscFree(krylov->chunks[c]));
  PetscCall(PetscFree(krylov->chunks));
  PetscCall(PetscFree(krylov->diagonal));
  PetscCall(PetscFree(krylov->below));
  PetscCall(MatDestroy(&krylov->block));
  PetscCall(MatDestroy(&krylov->weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Columns of `known` and of the basis in pieces; false when there are no more. */
typedef struct {
  const PetscScalar *columns;
  PetscInt           first; /* of all */
  PetscBLASInt       count;
} Piece;

static PetscBool PieceOf(const Krylov *krylov, const PetscScalar known[], PetscInt i, Piece *piece)
{
  const PetscInt c = krylov->num_known ? i - 1 : i;

  if (c < 0) *piece = (Piece){known, 0, (PetscBLASInt)krylov->num_known};
  else
    *piece = (Piece){c * CHUNK < krylov->size ? krylov->chunks[c] : NULL, krylov->num_known + c * CHUNK,
                     (PetscBLASInt)PetscMin(CHUNK, krylov->size - c * CHUNK)};
  return (PetscBool)(piece->count > 0);
}

/* Takes the share of what is known already out of the block, given M times it: block -= V V^T M block. The share goes to
   share[num_known + size, width]. */
static PetscErrorCode Project(const Krylov *krylov, PetscReal share[])
{
  const PetscBLASInt rows = krylov->num_local, lead = PetscMax(1, rows), width = krylov->width,
                     all = (PetscBLASInt)(krylov->num_known + krylov->size);
  const PetscScalar one = 1.0, zero = 0.0, minus = -1.0, *weighed, *known = NULL;
  PetscScalar      *block;
  Piece             piece;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(share, (size_t)all * (size_t)width));
  PetscCall(MatDenseGetArrayRead(krylov->weighed, &weighed));
  PetscCall(MatDenseGetArray(krylov->block, &block));
  if (krylov->known) PetscCall(MatDenseGetArrayRead(krylov->known, &known));
  for (PetscInt i = 0; rows > 0 && PieceOf(krylov, known, i, &piece); i++)
    BLASgemm_("T", "N", &piece.count, &width, &rows, &one, piece.columns, &lead, weighed, &lead, &zero, share + piece.first, &all);
  PetscCall(SumOverRanks(krylov->block, share, (size_t)all * (size_t)width));
  for (PetscInt i = 0; rows > 0 && PieceOf(krylov, known, i, &piece); i++)
    BLASgemm_("N", "N", &rows, &width, &piece.count, &minus, piece.columns, &lead, share + piece.first, &all, &one, block, &lead);
  if (krylov->known) PetscCall(MatDenseRestoreArrayRead(krylov->known, &known));
  PetscCall(MatDenseRestoreArray(krylov->block, &block));
  PetscCall(MatDenseRestoreArrayRead(krylov->weighed, &weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* product[width, width] = A^T B, over all ranks. */
static PetscErrorCode Multiply(const Krylov *krylov, const PetscScalar A[], Mat B, PetscReal product[])
{
  const PetscBLASInt rows = krylov->num_local, lead = PetscMax(1, rows), width = krylov->width;
  const PetscScalar  one = 1.0, zero = 0.0, *b;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(product, width * width));
  PetscCall(MatDenseGetArrayRead(B, &b));
  if (rows > 0) BLASgemm_("T", "N", &width, &width, &rows, &one, A, &lead, b, &lead, &zero, product, &width);
  PetscCall(MatDenseRestoreArrayRead(B, &b));
  PetscCall(SumOverRanks(B, product, (size_t)(width * width)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* target += factor * A small, A of `width` columns */
static PetscErrorCode Combine(const Krylov *krylov, PetscReal factor, const PetscScalar A[], const char *transpose, const PetscReal small[],
                              Mat target)
{
  const PetscBLASInt rows = krylov->num_local, lead = PetscMax(1, rows), width = krylov->width;
  const PetscScalar  one = 1.0;
  PetscScalar       *value;

  PetscFunctionBegin;
  PetscCall(MatDenseGetArray(target, &value));
  if (rows > 0) BLASgemm_("N", transpose, &rows, &width, &width, &factor, A, &lead, small, &width, &one, value, &lead);
  PetscCall(MatDenseRestoreArray(target, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* block = block small */
static PetscErrorCode Transform(const Krylov *krylov, const PetscReal small[], Mat block)
{
  PetscScalar *value, *copy;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)krylov->num_local * (size_t)krylov->width, &copy));
  PetscCall(MatDenseGetArray(block, &value));
  PetscCall(PetscArraycpy(copy, value, (size_t)krylov->num_local * (size_t)krylov->width));
  PetscCall(MatDenseRestoreArray(block, &value));
  PetscCall(MatZeroEntries(block));
  PetscCall(Combine(krylov, 1.0, copy, "N", small, block));
  PetscCall(PetscFree(copy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Fills columns from `first` on with motions that S can give, of unit modal mass. */
static PetscErrorCode Refill(Krylov *krylov, PetscInt first)
{
  Mat forces, motions;

  PetscFunctionBegin;
  PetscCall(MatDuplicate(krylov->block, MAT_DO_NOT_COPY_VALUES, &forces));
  PetscCall(MatDuplicate(krylov->block, MAT_DO_NOT_COPY_VALUES, &motions));
  for (PetscInt c = 0; c < krylov->width; c++) PetscCall(Draw(krylov, c, forces));
  PetscCall(krylov->operators->solve(krylov->operators->context, forces, motions));
  PetscCall(krylov->operators->weigh(krylov->operators->context, motions, forces));
  for (PetscInt c = first; c < krylov->width; c++) {
    Vec       motion, weighed, target;
    PetscReal mass;

    PetscCall(MatDenseGetColumnVecRead(motions, c, &motion));
    PetscCall(MatDenseGetColumnVecRead(forces, c, &weighed));
    PetscCall(MatDenseGetColumnVecWrite(krylov->block, c, &target));
    PetscCall(VecDot(motion, weighed, &mass));
    PetscCall(VecCopy(motion, target));
    PetscCall(VecScale(target, mass > 0.0 ? 1.0 / PetscSqrtReal(mass) : 0.0));
    PetscCall(MatDenseRestoreColumnVecWrite(krylov->block, c, &target));
    PetscCall(MatDenseRestoreColumnVecRead(forces, c, &weighed));
    PetscCall(MatDenseRestoreColumnVecRead(motions, c, &motion));
  }
  PetscCall(MatDestroy(&forces));
  PetscCall(MatDestroy(&motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The lengths of the block's orthogonal directions, descending, and the directions themselves: change[width, width] makes columns of
   length one of the first `count`, longer than `least`, and nothing of the others; back[width, width] takes them back. */
typedef struct {
  PetscInt   count;
  PetscReal  longest, shortest; /* of these */
  PetscReal *change, *back;
} Directions;

static PetscErrorCode FindDirections(const Krylov *krylov, const PetscReal product[], PetscInt most, PetscReal least, Directions *directions)
{
  const PetscInt w = krylov->width;
  PetscReal     *vectors, *square;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(w * w, &vectors, w, &square));
  PetscCall(PetscArraycpy(vectors, product, w * w));
  PetscCall(Diagonalise(w, vectors, square));
  PetscCall(PetscArrayzero(directions->change, w * w));
  PetscCall(PetscArrayzero(directions->back, w * w));
  directions->count    = 0;
  directions->longest  = PetscSqrtReal(PetscMax(0.0, square[w - 1]));
  directions->shortest = directions->longest;
  for (PetscInt k = 0; k < most; k++) {
    const PetscReal *const vector = vectors + (w - 1 - k) * w;
    const PetscReal        length = PetscSqrtReal(PetscMax(0.0, square[w - 1 - k]));

    if (length <= PetscMax(least, lost * directions->longest)) break;
    for (PetscInt i = 0; i < w; i++) {
      directions->change[k * w + i] = vector[i] / length;
      directions->back[i * w + k]   = vector[i] * length;
    }
    directions->shortest = length;
    directions->count++;
  }
  PetscCall(PetscFree2(vectors, square));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* R = back R */
static PetscErrorCode Accumulate(const Krylov *krylov, const PetscReal back[], PetscReal R[])
{
  const PetscBLASInt w   = krylov->width;
  const PetscReal    one = 1.0, zero = 0.0;
  PetscReal         *product;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(w * w, &product));
  BLASgemm_("N", "N", &w, &w, &w, &one, back, &w, R, &w, &zero, product, &w);
  PetscCall(PetscArraycpy(R, product, w * w));
  PetscCall(PetscFree(product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Once through: the block loses what the basis has of it, and its columns become orthonormal. */
static PetscErrorCode OrthonormaliseOnce(Krylov *krylov, PetscInt most, PetscReal least, PetscReal share[], Directions *directions)
{
  PetscReal *product;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(krylov->width * krylov->width, &product));
  PetscCall(Project(krylov, share));
  PetscCall(krylov->operators->weigh(krylov->operators->context, krylov->block, krylov->weighed));
  {
    const PetscScalar *block;

    PetscCall(MatDenseGetArrayRead(krylov->block, &block));
    PetscCall(Multiply(krylov, block, krylov->weighed, product));
    PetscCall(MatDenseRestoreArrayRead(krylov->block, &block));
  }
  PetscCall(FindDirections(krylov, product, most, least, directions));
  PetscCall(Transform(krylov, directions->change, krylov->block));
  PetscCall(Transform(krylov, directions->change, krylov->weighed));
  PetscCall(PetscFree(product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The part that was taken out, against what is left: its round-off stays in. */
static PetscReal Cancelled(const PetscReal share[], PetscInt count, const Directions *directions)
{
  PetscReal largest = 0.0;

  for (PetscInt i = 0; i < count; i++) largest = PetscMax(largest, PetscAbsReal(share[i]));
  return directions->shortest > 0.0 ? largest / directions->shortest : 0.0;
}

/* block = V_{j+1} R_{j+1} + what the basis has of it. Directions that are lost, because S gives nothing new there, are drawn anew;
   their rows of R are zero. `missed`, what the newest block of the basis still had, belongs to A_j. */
static PetscErrorCode Orthonormalise(Krylov *krylov, PetscInt dimension, PetscReal R[], PetscReal missed[])
{
  const PetscInt w = krylov->width, most = PetscMax(0, PetscMin(w, dimension - krylov->size)), all = krylov->num_known + krylov->size;
  PetscReal     *share, least = lost * krylov->largest;
  Directions     directions;
  PetscBool      again = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(w * w, &directions.change, w * w, &directions.back, (size_t)all * (size_t)w + 1, &share));
  PetscCall(krylov->operators->weigh(krylov->operators->context, krylov->block, krylov->weighed));
  for (PetscInt i = 0; i < w * w; i++) R[i] = i % (w + 1) == 0 ? 1.0 : 0.0;
  for (PetscInt times = 0; times < MOST_TIMES && again; times++) {
    PetscCall(OrthonormaliseOnce(krylov, most, least, share, &directions));
    PetscCall(Accumulate(krylov, directions.back, R));
    for (PetscInt i = 0; i < w * w && times == 0 && krylov->size > 0; i++) missed[i] = share[(i / w) * all + all - w + i % w];
    again = (PetscBool)(directions.shortest < uneven * directions.longest || Cancelled(share, all * w, &directions) > 1.0);
    if (directions.count < most && times < MOST_TIMES - 2) {
      PetscCall(Refill(krylov, directions.count));
      PetscCall(krylov->operators->weigh(krylov->operators->context, krylov->block, krylov->weighed));
      again = PETSC_TRUE;
    }
    least = inside; /* all columns are of length one now */
  }
  krylov->num_new = directions.count;
  PetscCall(PetscFree3(directions.change, directions.back, share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Room for one more block and its coefficients. */
static PetscErrorCode Reserve(Krylov *krylov)
{
  const size_t square = (size_t)(krylov->width * krylov->width) * sizeof(PetscReal);

  PetscFunctionBegin;
  PetscCall(PetscRealloc((size_t)(krylov->num_blocks + 1) * square, &krylov->diagonal));
  PetscCall(PetscRealloc((size_t)(krylov->num_blocks + 1) * square, &krylov->below));
  if (krylov->size < krylov->num_chunks * CHUNK) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc((size_t)(krylov->num_chunks + 1) * sizeof(*krylov->chunks), &krylov->chunks));
  PetscCall(PetscMalloc1((size_t)krylov->num_local * CHUNK + 1, &krylov->chunks[krylov->num_chunks]));
  krylov->num_chunks++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscScalar *Block(const Krylov *krylov, PetscInt j)
{
  const PetscInt column = j * krylov->width;

  return krylov->chunks[column / CHUNK] + (size_t)(column % CHUNK) * (size_t)krylov->num_local;
}

/* The new block joins the basis. */
static PetscErrorCode Append(Krylov *krylov)
{
  const PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(Reserve(krylov));
  PetscCall(MatDenseGetArrayRead(krylov->block, &value));
  PetscCall(PetscArraycpy(Block(krylov, krylov->num_blocks), value, (size_t)krylov->num_local * (size_t)krylov->width));
  PetscCall(MatDenseRestoreArrayRead(krylov->block, &value));
  krylov->size += krylov->width;
  krylov->num_blocks++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From the newest block of the basis to the next: block = S M V_j - V_j A_j - V_{j-1} R_j^T, made orthonormal. */
static PetscErrorCode Step(Krylov *krylov, PetscInt dimension)
{
  const PetscInt w = krylov->width, j = krylov->num_blocks - 1;
  PetscReal     *A = krylov->diagonal + j * w * w, *missed;
  Mat            solved;

  PetscFunctionBegin;
  PetscCall(MatDuplicate(krylov->block, MAT_DO_NOT_COPY_VALUES, &solved));
  PetscCall(krylov->operators->solve(krylov->operators->context, krylov->weighed, solved));
  {
    const PetscScalar *weighed;

    PetscCall(MatDenseGetArrayRead(krylov->weighed, &weighed));
    PetscCall(Multiply(krylov, weighed, solved, A));
    PetscCall(MatDenseRestoreArrayRead(krylov->weighed, &weighed));
  }
  PetscCall(MatDestroy(&krylov->block));
  krylov->block = solved;
  PetscCall(Combine(krylov, -1.0, Block(krylov, j), "N", A, krylov->block));
  if (j > 0) PetscCall(Combine(krylov, -1.0, Block(krylov, j - 1), "T", krylov->below + (j - 1) * w * w, krylov->block));
  for (PetscInt i = 0; i < w; i++) krylov->largest = PetscMax(krylov->largest, A[i * w + i]);
  PetscCall(PetscCalloc1(w * w, &missed));
  PetscCall(Orthonormalise(krylov, dimension, krylov->below + j * w * w, missed));
  for (PetscInt i = 0; i < w * w; i++) A[i] += missed[i];
  Symmetrise(w, w, A);
  PetscCall(PetscFree(missed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T's eigenvalues, descending, with their vectors [size, size]; of them `count` have converged without a gap. */
typedef struct {
  PetscInt   count;
  PetscReal *theta, *vectors;
} Ritz;

/* LAPACK's order is ascending. */
static void Reverse(PetscInt n, PetscReal theta[], PetscReal vectors[])
{
  for (PetscInt a = 0, b = n - 1; a < b; a++, b--) {
    const PetscReal other = theta[a];

    theta[a] = theta[b];
    theta[b] = other;
    for (PetscInt i = 0; i < n; i++) {
      const PetscReal entry = vectors[(size_t)a * (size_t)n + (size_t)i];

      vectors[(size_t)a * (size_t)n + (size_t)i] = vectors[(size_t)b * (size_t)n + (size_t)i];
      vectors[(size_t)b * (size_t)n + (size_t)i] = entry;
    }
  }
}

static void FillT(const Krylov *krylov, PetscReal T[])
{
  const PetscInt w = krylov->width;

  for (PetscInt j = 0; j < krylov->num_blocks; j++)
    for (PetscInt c = 0; c < w; c++)
      for (PetscInt r = 0; r < w; r++) {
        const size_t column = (size_t)(j * w + c), row = (size_t)(j * w + r);

        T[column * (size_t)krylov->size + row] = krylov->diagonal[j * w * w + c * w + r];
        if (j + 1 == krylov->num_blocks) continue;
        T[column * (size_t)krylov->size + row + (size_t)w]   = krylov->below[j * w * w + c * w + r];
        T[(row + (size_t)w) * (size_t)krylov->size + column] = krylov->below[j * w * w + c * w + r];
      }
}

/* |R_{j+1} s|, s the part of a vector of T in the newest block. */
static PetscReal Residual(const Krylov *krylov, const PetscReal vector[])
{
  const PetscInt         w = krylov->width;
  const PetscReal *const R = krylov->below + (krylov->num_blocks - 1) * w * w, *const s = vector + krylov->size - w;
  PetscReal sum = 0.0;

  for (PetscInt r = 0; r < w; r++) {
    PetscReal component = 0.0;

    for (PetscInt c = 0; c < w; c++) component += R[c * w + r] * s[c];
    sum += PetscSqr(component);
  }
  return PetscSqrtReal(sum);
}

static PetscErrorCode RitzCreate(const Krylov *krylov, Ritz *ritz)
{
  const size_t size = (size_t)krylov->size;

  PetscFunctionBegin;
  ritz->count = 0;
  PetscCall(PetscCalloc2(size, &ritz->theta, size * size, &ritz->vectors));
  FillT(krylov, ritz->vectors);
  PetscCall(Diagonalise(krylov->size, ritz->vectors, ritz->theta));
  Reverse(krylov->size, ritz->theta, ritz->vectors);
  while (ritz->count < krylov->size && ritz->theta[ritz->count] > lost * ritz->theta[0] &&
         Residual(krylov, ritz->vectors + (size_t)ritz->count * size) <= krylov->tolerance * ritz->theta[ritz->count])
    ritz->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RitzDestroy(Ritz *ritz)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(ritz->theta, ritz->vectors));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* modes = V s */
static PetscErrorCode Gather(const Krylov *krylov, const Ritz *ritz, KrylovModes *modes)
{
  const PetscBLASInt rows = krylov->num_local, lead = PetscMax(1, rows), size = (PetscBLASInt)krylov->size, count = (PetscBLASInt)modes->count;
  const PetscScalar  one = 1.0;
  PetscScalar       *value;
  PetscInt           n;

  PetscFunctionBegin;
  PetscCall(MatGetSize(krylov->block, &n, NULL));
  PetscCall(MatCreateDense(krylov->comm, rows, PETSC_DECIDE, n, modes->count, NULL, &modes->modes));
  PetscCall(MatDenseGetArray(modes->modes, &value));
  for (PetscInt c = 0; c < krylov->num_chunks && rows > 0; c++) {
    const PetscBLASInt columns = PetscMin(CHUNK, size - c * CHUNK);

    BLASgemm_("N", "N", &rows, &count, &columns, &one, krylov->chunks[c], &lead, ritz->vectors + c * CHUNK, &size, &one, value, &lead);
  }
  PetscCall(MatDenseRestoreArray(modes->modes, &value));
  PetscCall(PetscMalloc1(modes->count, &modes->theta));
  PetscCall(PetscArraycpy(modes->theta, ritz->theta, modes->count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A chain finds no more copies of a mode than its blocks are wide. Where there are as many, as of the blades of a wheel, there may be more. */
static PetscBool Suspicious(const Krylov *krylov, const Ritz *ritz, PetscInt count)
{
  const PetscInt most = krylov->num_starts * krylov->width;

  for (PetscInt k = most - 1; k < count; k++)
    if (ritz->theta[k - most + 1] - ritz->theta[k] <= equal * ritz->theta[k]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Goes on with a block drawn at random in place of the one that the basis led to. What has converged stays in the basis. */
static PetscErrorCode Restart(Krylov *krylov, PetscInt dimension)
{
  const PetscInt w = krylov->width;
  PetscReal     *R, *missed;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(w * w, &R, w * w, &missed));
  PetscCall(Refill(krylov, 0));
  PetscCall(Orthonormalise(krylov, dimension, R, missed));
  if (krylov->num_blocks > 0) PetscCall(PetscArrayzero(krylov->below + (krylov->num_blocks - 1) * w * w, w * w));
  PetscCall(PetscFree2(R, missed));
  krylov->num_starts++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T is looked at when it has grown by a tenth: for thousands of modes that is the dearer part. */
static PetscErrorCode Iterate(Krylov *krylov, PetscInt dimension, PetscInt count, KrylovModes *modes)
{
  const PetscInt most = PetscMin(dimension, krylov->longest);
  PetscInt       next = count;
  PetscBool      last = PETSC_FALSE;

  PetscFunctionBegin;
  while (modes->count == 0 && !last) {
    Ritz ritz;

    PetscCall(Append(krylov));
    PetscCall(Step(krylov, dimension));
    last = (PetscBool)(krylov->num_new == 0 || krylov->size >= most);
    if (krylov->size < next && !last) continue;
    PetscCall(RitzCreate(krylov, &ritz));
    next = krylov->size + PetscMax(1, krylov->size / 10);
    if (ritz.count >= count && !last && Suspicious(krylov, &ritz, count)) {
      next = krylov->size + krylov->size / 2;
      PetscCall(Restart(krylov, dimension));
    } else if (ritz.count >= count || last) {
      modes->count    = PetscMin(ritz.count, count);
      modes->complete = (PetscBool)(krylov->num_new == 0);
      PetscCall(Gather(krylov, &ritz, modes));
    }
    PetscCall(RitzDestroy(&ritz));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode KrylovFind(const KrylovOperators *operators, Vec like, Mat known, PetscInt dimension, PetscInt count, KrylovModes *modes)
{
  Krylov krylov;

  PetscFunctionBegin;
  *modes = (KrylovModes){.count = 0};
  if (dimension <= 0 || count <= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(KrylovCreate(operators, like, known, count, &krylov));
  PetscCall(Restart(&krylov, dimension));
  PetscCall(Iterate(&krylov, dimension, PetscMin(count, dimension), modes));
  PetscCall(KrylovDestroy(&krylov));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode KrylovModesDestroy(KrylovModes *modes)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(modes->theta));
  PetscCall(MatDestroy(&modes->modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
