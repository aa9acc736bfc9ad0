/*
  places.c - the static compliance that the modes left out give to places c of the whole.

      x_j = G c_j^T,   G = K^-1 - Phi Lambda^-1 Phi^T,   K x_j = c_j^T - M Phi (c_j Phi)^T

  Without the share of the modes that are kept no digits cancel, and K may be singular where rigid motions are among them: S, with a
  shift, then converges in a few turns, x <- S (f - shift M x).
*/
#include "places.h"
#include <petscblaslapack.h>
#include "dense.h"

/* Rows of a small matrix times this column, on all ranks: motion[i * stride]. */
static PetscErrorCode AddMotion(Mat rows, Vec column, PetscInt stride, PetscReal motion[])
{
  const PetscScalar *value;
  PetscInt           first, end;
  Vec                product;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(rows, NULL, &product));
  PetscCall(MatMult(rows, column, product));
  PetscCall(VecGetOwnershipRange(product, &first, &end));
  PetscCall(VecGetArrayRead(product, &value));
  for (PetscInt i = first; i < end; i++) motion[(size_t)i * (size_t)stride] += value[i - first];
  PetscCall(VecRestoreArrayRead(product, &value));
  PetscCall(VecDestroy(&product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The same of y, which all ranks have: once, on the last. */
static PetscErrorCode AddTied(const PlacesWhole *whole, PetscInt count, PetscReal y[], PetscReal motion[])
{
  const MPI_Comm comm = PetscObjectComm((PetscObject)whole->places->on_motion);
  const PetscInt p    = whole->saddle->p;
  PetscMPIInt    rank, size;
  Vec            column;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (rank < size - 1 || p == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, p, NULL, &column));
  for (PetscInt c = 0; c < count; c++) {
    PetscCall(VecPlaceArray(column, y + (size_t)c * (size_t)p));
    PetscCall(AddMotion(whole->places->on_tied, column, count, motion + c));
    PetscCall(VecResetArray(column));
  }
  PetscCall(VecDestroy(&column));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlacesMotion(const PlacesWhole *whole, Mat X, PetscReal motion[])
{
  const Mat      like = whole->continuum->K;
  const PetscInt num = whole->places->num, p = whole->saddle->p;
  PetscInt       count, n, num_local;
  PetscReal     *y;
  Mat            u;

  PetscFunctionBegin;
  PetscCall(MatGetSize(X, NULL, &count));
  PetscCall(MatGetSize(like, &n, NULL));
  PetscCall(MatGetLocalSize(like, &num_local, NULL));
  PetscCall(MatCreateDense(PetscObjectComm((PetscObject)like), num_local, PETSC_DECIDE, n, count, NULL, &u));
  PetscCall(PetscMalloc1((size_t)count * (size_t)p, &y));
  PetscCall(WholeDivide(X, count, p, u, y));
  PetscCall(MatAssemblyBegin(u, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(u, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscArrayzero(motion, (size_t)num * (size_t)count));
  for (PetscInt c = 0; c < count; c++) {
    Vec column;

    PetscCall(MatDenseGetColumnVecRead(u, c, &column));
    PetscCall(AddMotion(whole->places->on_motion, column, count, motion + c));
    PetscCall(MatDenseRestoreColumnVecRead(u, c, &column));
  }
  PetscCall(AddTied(whole, count, y, motion));
  PetscCall(SumOverRanks(X, motion, (size_t)num * (size_t)count));
  PetscCall(PetscFree(y));
  PetscCall(MatDestroy(&u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The kept modes, and M times them. */
typedef struct {
  PlacesWhole      whole;
  Mat              modes, weighed;
  PetscInt         num_modes;
  const PetscReal *motion;
} Kept;

/* Y += scale X small, small[columns of X, columns of Y] in columns. */
static PetscErrorCode AddCombination(PetscReal scale, Mat X, const PetscReal small[], Mat Y)
{
  const PetscScalar *from, one = 1.0;
  PetscScalar       *to;
  PetscInt           num_local, num_from, num_to, stride_from, stride_to;
  PetscBLASInt       rows, inner, columns, lead_from, lead_to;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(X, &num_local, NULL));
  PetscCall(MatGetSize(X, NULL, &num_from));
  PetscCall(MatGetSize(Y, NULL, &num_to));
  PetscCall(MatDenseGetLDA(X, &stride_from));
  PetscCall(MatDenseGetLDA(Y, &stride_to));
  PetscCall(PetscBLASIntCast(num_local, &rows));
  PetscCall(PetscBLASIntCast(num_from, &inner));
  PetscCall(PetscBLASIntCast(num_to, &columns));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride_from), &lead_from));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride_to), &lead_to));
  PetscCall(MatDenseGetArrayRead(X, &from));
  PetscCall(MatDenseGetArray(Y, &to));
  BLASgemm_("N", "N", &rows, &columns, &inner, &scale, from, &lead_from, small, &inner, &one, to, &lead_to);
  PetscCall(MatDenseRestoreArray(Y, &to));
  PetscCall(MatDenseRestoreArrayRead(X, &from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of y, on the last rank. */
static PetscErrorCode AddTiedForce(const ContinuumPlaces *places, PetscInt place, PetscReal force, PetscScalar on_tied[])
{
  const PetscInt    *column;
  const PetscScalar *factor;
  PetscInt           num_terms;

  PetscFunctionBegin;
  if (force == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetRow(places->on_tied, place, &num_terms, &column, &factor));
  for (PetscInt t = 0; t < num_terms; t++) on_tied[column[t]] += force * factor[t];
  PetscCall(MatRestoreRow(places->on_tied, place, &num_terms, &column, &factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SetAll(Vec vector, const PetscReal values[])
{
  PetscScalar *own;
  PetscInt     first, end;

  PetscFunctionBegin;
  PetscCall(VecGetOwnershipRange(vector, &first, &end));
  PetscCall(VecGetArrayWrite(vector, &own));
  PetscCall(PetscArraycpy(own, values + first, end - first));
  PetscCall(VecRestoreArrayWrite(vector, &own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces on places, [columns, num], as those on the whole. */
static PetscErrorCode SetForces(const Kept *kept, const PetscReal on_places[], Mat forces)
{
  const ContinuumPlaces *places = kept->whole.places;
  PetscInt               count, num_local, stride, num_own;
  PetscScalar           *value;
  Vec                    given, on_motion;

  PetscFunctionBegin;
  PetscCall(MatGetSize(forces, NULL, &count));
  PetscCall(MatDenseGetLDA(forces, &stride));
  PetscCall(MatGetLocalSize(kept->whole.continuum->K, &num_local, NULL));
  PetscCall(MatGetLocalSize(forces, &num_own, NULL));
  PetscCall(MatZeroEntries(forces));
  PetscCall(MatCreateVecs(places->on_motion, &on_motion, &given));
  PetscCall(MatDenseGetArray(forces, &value));
  for (PetscInt c = 0; c < count; c++) {
    const PetscReal *const own    = on_places + (size_t)c * (size_t)places->num;
    PetscScalar *const     column = value + (size_t)c * (size_t)stride;
    const PetscScalar     *force;

    PetscCall(SetAll(given, own));
    PetscCall(MatMultTranspose(places->on_motion, given, on_motion));
    PetscCall(VecGetArrayRead(on_motion, &force));
    PetscCall(PetscArraycpy(column, force, num_local));
    PetscCall(VecRestoreArrayRead(on_motion, &force));
    for (PetscInt p = 0; p < places->num && num_own > num_local; p++) PetscCall(AddTiedForce(places, p, own[p], column + num_local));
  }
  PetscCall(MatDenseRestoreArray(forces, &value));
  PetscCall(VecDestroy(&given));
  PetscCall(VecDestroy(&on_motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* f - M Phi (c Phi)^T */
static PetscErrorCode TakeOutForces(const Kept *kept, PetscInt count, const PetscReal on_places[], Mat forces)
{
  const PetscInt num = kept->whole.places->num, num_modes = kept->num_modes;
  PetscReal     *share;

  PetscFunctionBegin;
  if (!kept->modes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1((size_t)count * (size_t)num_modes, &share));
  for (PetscInt c = 0; c < count; c++)
    for (PetscInt p = 0; p < num; p++) {
      const PetscReal force = on_places[(size_t)c * (size_t)num + (size_t)p];

      for (PetscInt k = 0; k < num_modes && force != 0.0; k++)
        share[c * num_modes + k] += force * kept->motion[(size_t)p * (size_t)num_modes + (size_t)k];
    }
  PetscCall(AddCombination(-1.0, kept->weighed, share, forces));
  PetscCall(PetscFree(share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What round-off has brought in of the kept modes. */
static PetscErrorCode TakeOutMotions(const Kept *kept, Mat motions)
{
  PetscReal *share;
  PetscInt   count;

  PetscFunctionBegin;
  if (!kept->modes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(motions, NULL, &count));
  PetscCall(PetscCalloc1((size_t)kept->num_modes * (size_t)count, &share));
  PetscCall(MultiplyTransposed(kept->weighed, motions, share));
  PetscCall(SumOverRanks(motions, share, (size_t)kept->num_modes * (size_t)count));
  PetscCall(AddCombination(-1.0, kept->modes, share, motions));
  PetscCall(PetscFree(share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K x = f: at once without a shift, else by turns until nothing changes. */
static PetscErrorCode Deflect(const Kept *kept, Mat forces, Mat motions)
{
  enum { MOST_TURNS = 40 };
  const PetscReal settled = 1e-13, shift = kept->whole.saddle->shift;
  PetscReal       change = 1.0, size = 0.0;
  Mat             right, last;

  PetscFunctionBegin;
  PetscCall(SaddleSolve(kept->whole.saddle, forces, motions));
  PetscCall(TakeOutMotions(kept, motions));
  if (shift == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDuplicate(motions, MAT_COPY_VALUES, &last));
  PetscCall(MatDuplicate(forces, MAT_DO_NOT_COPY_VALUES, &right));
  for (PetscInt turn = 0; turn < MOST_TURNS && change > settled * size; turn++) {
    PetscCall(WholeMultiply(kept->whole.M, kept->whole.ties->M, motions, right));
    PetscCall(MatScale(right, -shift));
    PetscCall(MatAXPY(right, 1.0, forces, SAME_NONZERO_PATTERN));
    PetscCall(SaddleSolve(kept->whole.saddle, right, motions));
    PetscCall(TakeOutMotions(kept, motions));
    PetscCall(MatNorm(motions, NORM_FROBENIUS, &size));
    PetscCall(MatAXPY(last, -1.0, motions, SAME_NONZERO_PATTERN));
    PetscCall(MatNorm(last, NORM_FROBENIUS, &change));
    PetscCall(MatCopy(motions, last, SAME_NONZERO_PATTERN));
  }
  PetscCall(MatDestroy(&last));
  PetscCall(MatDestroy(&right));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Motions of the whole under forces on places, [count, num]: a column each. */
static PetscErrorCode MoveWhole(const Kept *kept, PetscInt count, const PetscReal on_places[], Mat *motions)
{
  Mat forces;

  PetscFunctionBegin;
  PetscCall(MatCreateDense(PetscObjectComm((PetscObject)kept->whole.continuum->K), kept->whole.saddle->num_motion, PETSC_DECIDE, PETSC_DETERMINE,
                           count, NULL, &forces));
  PetscCall(SetForces(kept, on_places, forces));
  PetscCall(TakeOutForces(kept, count, on_places, forces));
  PetscCall(MatAssemblyBegin(forces, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(forces, MAT_FINAL_ASSEMBLY));
  PetscCall(MatDuplicate(forces, MAT_DO_NOT_COPY_VALUES, motions));
  PetscCall(Deflect(kept, forces, *motions));
  PetscCall(MatDestroy(&forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The columns first, first + 1, ...: motion[num, count]. */
static PetscErrorCode FindColumns(const Kept *kept, PetscInt first, PetscInt count, PetscReal motion[])
{
  const PetscInt num = kept->whole.places->num;
  PetscReal     *unit;
  Mat            motions;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)num * (size_t)count, &unit));
  for (PetscInt c = 0; c < count; c++) unit[(size_t)c * (size_t)num + (size_t)(first + c)] = 1.0;
  PetscCall(MoveWhole(kept, count, unit, &motions));
  PetscCall(PetscFree(unit));
  PetscCall(PlacesMotion(&kept->whole, motions, motion));
  PetscCall(MatDestroy(&motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of columns that all ranks have found together each keeps the rows of its own places, which are its columns, as R is symmetric. */
static void KeepRows(PetscInt first, PetscInt count, const PetscReal motion[], Compliance *compliance)
{
  for (PetscInt i = 0; i < compliance->width; i++)
    for (PetscInt c = 0; c < count; c++)
      compliance->own[(size_t)(first + c) * (size_t)compliance->width + (size_t)i] =
        motion[(size_t)(compliance->first + i) * (size_t)count + (size_t)c];
}

/* Columns of its own places that this rank has found by itself. */
static PetscErrorCode KeepColumns(PetscInt first, PetscInt count, const PetscReal motion[], Compliance *compliance)
{
  PetscReal *const columns = compliance->own + (first - compliance->first);

  PetscFunctionBegin;
  for (PetscInt p = 0; p < compliance->num; p++)
    PetscCall(PetscArraycpy(columns + (size_t)p * (size_t)compliance->width, motion + (size_t)p * (size_t)count, count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Keep(Mat modes, Kept *kept)
{
  PetscFunctionBegin;
  if (!modes) PetscFunctionReturn(PETSC_SUCCESS);
  kept->modes = modes;
  PetscCall(MatGetSize(modes, NULL, &kept->num_modes));
  PetscCall(MatDuplicate(modes, MAT_DO_NOT_COPY_VALUES, &kept->weighed));
  PetscCall(WholeMultiply(kept->whole.M, kept->whole.ties->M, modes, kept->weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlacesDeflect(const PlacesWhole *whole, Mat rigid, PetscInt count, const PetscReal forces[], Mat *motions)
{
  Kept       all    = {.whole = *whole};
  PetscReal *motion = NULL;

  PetscFunctionBegin;
  PetscCall(Keep(rigid, &all));
  if (rigid) {
    PetscCall(PetscMalloc1((size_t)whole->places->num * (size_t)all.num_modes, &motion));
    PetscCall(PlacesMotion(whole, rigid, motion));
  }
  all.motion = motion;
  PetscCall(MoveWhole(&all, count, forces, motions));
  PetscCall(PetscFree(motion));
  PetscCall(MatDestroy(&all.weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Columns that are solved for at once: many are faster, but take room. */
static PetscErrorCode ChooseBlock(const Continuum *continuum, PetscInt *at_once)
{
  const PetscInt most_entries = 20000000;
  PetscInt       n;

  PetscFunctionBegin;
  *at_once = SOLVED_AT_ONCE;
  PetscCall(MatGetSize(continuum->K, &n, NULL));
  *at_once = PetscMin(SADDLE_BLOCK, PetscMax(SOLVED_AT_ONCE, most_entries / n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PlacesColumns(const PlacesWhole *whole, Mat kept, const PetscReal motion[], PetscInt first, PetscInt end, Compliance *compliance)
{
  Kept        all = {.whole = *whole, .motion = motion};
  PetscInt    at_once;
  PetscReal  *found;
  PetscMPIInt size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)whole->continuum->K), &size));
  PetscCall(Keep(kept, &all));
  PetscCall(ChooseBlock(whole->continuum, &at_once));
  PetscCall(PetscMalloc1((size_t)whole->places->num * (size_t)at_once, &found));
  for (PetscInt some = 0; first < end; first += some) {
    some = PetscMin(at_once, end - first);
    PetscCall(FindColumns(&all, first, some, found));
    if (size > 1) KeepRows(first, some, found, compliance);
    else PetscCall(KeepColumns(first, some, found, compliance));
  }
  PetscCall(PetscFree(found));
  PetscCall(MatDestroy(&all.weighed));
  PetscFunctionReturn(PETSC_SUCCESS);
}
