/* krylov.c - block Lanczos: S M V = V T, T of blocks A_j on its diagonal and R_j below, V^T M V = 1. */
#include "krylov.h"
#include "base/random.h"
#include "basis.h"
#include "continuum/canonical.h"
#include "dense.h"
#include "ritz.h"
#include <petscblaslapack.h>

enum { MOST_TIMES = 5 /* that a block is made orthonormal */ };

static const PetscReal usual  = 1e-10; /* residual, relative to theta */
static const PetscReal equal  = 1e-6;  /* difference between modes that may be copies of each other, relative */
static const PetscReal lost   = 1e-13; /* least length of a new direction, against the largest theta: below there is only round-off */
static const PetscReal inside = 1e-6;  /* length outside the basis of a direction drawn at random that lies within it */
static const PetscReal uneven = 1e-3;  /* least length in a block, against the largest: shorter ones are made orthonormal again */

typedef struct {
  const KrylovOperators *operators;
  MPI_Comm               comm;
  PetscInt               n, first, width;    /* rows of all ranks; the first of this one; columns of a block */
  PetscReal              tolerance;          /* of residuals, relative to theta */
  PetscInt               dimension, longest; /* of the space there is; basis to try, in columns */
  Basis                  basis;
  Band                   band;
  Mat                    block, weighed;      /* what is to become the next block, M times it */
  PetscInt               num_new, num_starts; /* its columns that are not zero; blocks drawn at random from which chains were begun */
  PetscReal              largest;             /* about the largest theta */
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
  for (PetscInt i = 0; i < krylov->basis.num_local; i++) {
    const uint64_t bits = ((uint64_t)(krylov->first + i) + 1) * RANDOM_WEYL + krylov->num_drawn * 0xD1B54A32D192ED03u;

    value[i] = (PetscReal)(RandomMix(bits) >> 11) / 4503599627370496.0 - 1.0;
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

static PetscErrorCode KrylovCreate(const KrylovOperators *operators, Vec like, Mat known, PetscInt dimension, PetscInt count, Krylov *krylov)
{
  PetscInt num_local;

  PetscFunctionBegin;
  *krylov = (Krylov){.operators = operators, .comm = PetscObjectComm((PetscObject)like), .width = WidthFor(count), .dimension = dimension};
  PetscCall(ReadOptions(count, krylov));
  PetscCall(VecGetLocalSize(like, &num_local));
  PetscCall(VecGetSize(like, &krylov->n));
  PetscCall(VecGetOwnershipRange(like, &krylov->first, NULL));
  PetscCall(BasisCreate(num_local, krylov->width, known, &krylov->basis));
  krylov->band.width = krylov->width;
  PetscCall(MatCreateDense(krylov->comm, num_local, PETSC_DECIDE, krylov->n, krylov->width, NULL, &krylov->block));
  PetscCall(MatDuplicate(krylov->block, MAT_DO_NOT_COPY_VALUES, &krylov->weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode KrylovDestroy(Krylov *krylov)
{
  PetscFunctionBegin;
  PetscCall(BasisDestroy(&krylov->basis));
  PetscCall(BandDestroy(&krylov->band));
  PetscCall(MatDestroy(&krylov->block));
  PetscCall(MatDestroy(&krylov->weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* target += factor * A small, A of `width` columns */
static PetscErrorCode Combine(const Krylov *krylov, PetscReal factor, const PetscScalar A[], const char *transpose, const PetscReal small[],
                              Mat target)
{
  const PetscBLASInt rows = krylov->basis.num_local, lead = PetscMax(1, rows), width = krylov->basis.width;
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
  PetscCall(PetscMalloc1((size_t)krylov->basis.num_local * (size_t)krylov->width, &copy));
  PetscCall(MatDenseGetArray(block, &value));
  PetscCall(PetscArraycpy(copy, value, (size_t)krylov->basis.num_local * (size_t)krylov->width));
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
  const PetscBLASInt w   = krylov->basis.width;
  const PetscReal    one = 1.0, zero = 0.0;
  PetscReal         *product;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(w * w, &product));
  BLASgemm_("N", "N", &w, &w, &w, &one, back, &w, R, &w, &zero, product, &w);
  PetscCall(PetscArraycpy(R, product, w * w));
  PetscCall(PetscFree(product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* product[width, width] = A^T B, over all ranks. */
static PetscErrorCode Multiply(Mat A, Mat B, PetscInt width, PetscReal product[])
{
  PetscFunctionBegin;
  PetscCall(MultiplyTransposed(A, B, product));
  PetscCall(SumOverRanks(B, product, (size_t)(width * width)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WeighBlock(Krylov *krylov)
{
  PetscFunctionBegin;
  PetscCall(krylov->operators->weigh(krylov->operators->context, krylov->block, krylov->weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Once through: the block loses what the basis has of it, and its columns become orthonormal. */
static PetscErrorCode OrthonormaliseOnce(Krylov *krylov, PetscInt most, PetscReal least, PetscReal share[], Directions *directions)
{
  PetscReal *product;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(krylov->width * krylov->width, &product));
  PetscCall(BasisProject(&krylov->basis, krylov->weighed, krylov->block, share));
  PetscCall(WeighBlock(krylov));
  PetscCall(Multiply(krylov->block, krylov->weighed, krylov->width, product));
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
static PetscErrorCode Orthonormalise(Krylov *krylov, PetscReal R[], PetscReal missed[])
{
  const PetscInt w = krylov->width, size = krylov->basis.size, most = PetscMax(0, PetscMin(w, krylov->dimension - size)),
                 all = krylov->basis.num_known + size;
  PetscReal *share, least = lost * krylov->largest;
  Directions directions;
  PetscBool  again = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(PetscMalloc3(w * w, &directions.change, w * w, &directions.back, (size_t)all * (size_t)w + 1, &share));
  PetscCall(WeighBlock(krylov));
  for (PetscInt i = 0; i < w * w; i++) R[i] = i % (w + 1) == 0 ? 1.0 : 0.0;
  for (PetscInt times = 0; times < MOST_TIMES && again; times++) {
    PetscCall(OrthonormaliseOnce(krylov, most, least, share, &directions));
    PetscCall(Accumulate(krylov, directions.back, R));
    for (PetscInt i = 0; i < w * w && times == 0 && size > 0; i++) missed[i] = share[(i / w) * all + all - w + i % w];
    again = (PetscBool)(directions.shortest < uneven * directions.longest || Cancelled(share, all * w, &directions) > 1.0);
    if (directions.count < most && times < MOST_TIMES - 2) {
      PetscCall(Refill(krylov, directions.count));
      PetscCall(WeighBlock(krylov));
      again = PETSC_TRUE;
    }
    least = inside; /* all columns are of length one now */
  }
  krylov->num_new = directions.count;
  PetscCall(PetscFree3(directions.change, directions.back, share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The block joins the basis, and the next one is made: S M V_j - V_j A_j - V_{j-1} R_j^T, orthonormal. */
static PetscErrorCode Step(Krylov *krylov)
{
  const PetscInt w = krylov->width, j = krylov->band.num_blocks;
  PetscReal     *A, *missed;
  Mat            solved;

  PetscFunctionBegin;
  PetscCall(BasisAppend(&krylov->basis, krylov->block));
  PetscCall(BandExtend(&krylov->band));
  A = BandDiagonal(&krylov->band, j);
  PetscCall(MatDuplicate(krylov->block, MAT_DO_NOT_COPY_VALUES, &solved));
  PetscCall(krylov->operators->solve(krylov->operators->context, krylov->weighed, solved));
  PetscCall(Multiply(krylov->weighed, solved, w, A));
  PetscCall(MatDestroy(&krylov->block));
  krylov->block = solved;
  PetscCall(Combine(krylov, -1.0, BasisBlock(&krylov->basis, j), "N", A, krylov->block));
  if (j > 0) PetscCall(Combine(krylov, -1.0, BasisBlock(&krylov->basis, j - 1), "T", BandBelow(&krylov->band, j - 1), krylov->block));
  for (PetscInt i = 0; i < w; i++) krylov->largest = PetscMax(krylov->largest, A[i * w + i]);
  PetscCall(PetscCalloc1(w * w, &missed));
  PetscCall(Orthonormalise(krylov, BandBelow(&krylov->band, j), missed));
  for (PetscInt i = 0; i < w * w; i++) A[i] += missed[i];
  Symmetrise(w, w, A);
  PetscCall(PetscFree(missed));
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
static PetscErrorCode Restart(Krylov *krylov)
{
  const PetscInt w = krylov->width, num_blocks = krylov->band.num_blocks;
  PetscReal     *R, *missed;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(w * w, &R, w * w, &missed));
  PetscCall(Refill(krylov, 0));
  PetscCall(Orthonormalise(krylov, R, missed));
  if (num_blocks > 0) PetscCall(PetscArrayzero(BandBelow(&krylov->band, num_blocks - 1), w * w));
  PetscCall(PetscFree2(R, missed));
  krylov->num_starts++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How many modes there must be to have `count`, and all that have the frequency of the last of them; one more than has converged when that cannot
   be told yet. */
static PetscInt CountWhole(const Krylov *krylov, const Ritz *ritz, PetscInt count)
{
  const PetscInt most = PetscMin(krylov->dimension, 2 * count + CANONICAL_MOST_MORE);
  PetscInt       end;

  if (ritz->count < count) return count;
  end = CanonicalGroupEnd(ritz->count, ritz->theta, NULL, count - 1);
  return end < ritz->count || ritz->count >= most ? end : ritz->count + 1;
}

/* Modes of equal frequency as one choice among their mixtures. */
static PetscErrorCode TurnEqual(const Krylov *krylov, const KrylovModes *modes)
{
  PetscScalar *value;
  PetscInt     stride;

  PetscFunctionBegin;
  PetscCall(MatDenseGetLDA(modes->modes, &stride));
  PetscCall(MatDenseGetArray(modes->modes, &value));
  for (PetscInt k = 0, next; k < modes->count; k = next) {
    next = CanonicalGroupEnd(modes->count, modes->theta, NULL, k);
    if (next == k + 1) continue;
    PetscCall(CanonicalTurn(krylov->comm, krylov->first, krylov->basis.num_local, (size_t)stride, next - k, value + (size_t)k * (size_t)stride));
    CanonicalMean(next - k, modes->theta + k);
  }
  PetscCall(MatDenseRestoreArray(modes->modes, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* modes = V s */
static PetscErrorCode Gather(const Krylov *krylov, const Ritz *ritz, PetscInt count, KrylovModes *modes)
{
  PetscFunctionBegin;
  modes->count    = PetscMin(ritz->count, count);
  modes->complete = (PetscBool)(krylov->num_new == 0);
  PetscCall(PetscMalloc1(modes->count, &modes->theta));
  PetscCall(PetscArraycpy(modes->theta, ritz->theta, modes->count));
  PetscCall(MatCreateDense(krylov->comm, krylov->basis.num_local, PETSC_DECIDE, krylov->n, modes->count, NULL, &modes->modes));
  PetscCall(BasisGather(&krylov->basis, ritz->vectors, modes->modes));
  PetscCall(TurnEqual(krylov, modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T is looked at when it has grown by a tenth: for thousands of modes that is the dearer part. */
static PetscErrorCode Iterate(Krylov *krylov, PetscInt count, KrylovModes *modes)
{
  const PetscInt most = PetscMin(krylov->dimension, krylov->longest);
  PetscInt       next = count;
  PetscBool      done = PETSC_FALSE;

  PetscFunctionBegin;
  while (!done) {
    const PetscInt *const size = &krylov->basis.size;
    PetscInt              whole;
    PetscBool             last;
    Ritz                  ritz;

    PetscCall(Step(krylov));
    last = (PetscBool)(krylov->num_new == 0 || *size >= most);
    if (*size < next && !last) continue;
    PetscCall(RitzCreate(&krylov->band, krylov->tolerance, &ritz));
    next  = *size + PetscMax(1, *size / 10);
    whole = CountWhole(krylov, &ritz, count);
    done  = (PetscBool)(last || ritz.count >= whole);
    if (done && !last && Suspicious(krylov, &ritz, count)) {
      done = PETSC_FALSE;
      next = *size + *size / 2;
      PetscCall(Restart(krylov));
    }
    if (done) PetscCall(Gather(krylov, &ritz, whole, modes));
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
  PetscCall(KrylovCreate(operators, like, known, dimension, count, &krylov));
  PetscCall(Restart(&krylov));
  PetscCall(Iterate(&krylov, PetscMin(count, dimension), modes));
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
