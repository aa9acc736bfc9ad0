/* continuum_modes.c - modes of a continuum that is not reduced, with all that its motions are tied to. */
#include "alone.h"
#include "freedom.h"
#include "continuum/canonical.h"
#include "dense.h"
#include "fault.h"
#include "saddle_modes.h"
#include <petscblaslapack.h>

/* Below the spectrum, against the mean of omega^2 over all unknowns: then K - shift M is positive definite though bodies float. Rigid
   motions are known before and kept out, so it may be small enough not to slow the search. */
static const PetscReal small_shift = -1e-8;

typedef struct {
  const Continuum       *continuum;
  const ContinuumTies   *ties;
  const ContinuumPlaces *places; /* NULL for none */
  PetscInt               count;
  PetscBool              prove;
  Boundary               boundary;
  Saddle                 saddle;
  Product               *M;
  Mat                    rigid; /* motions of unit modal mass, NULL for none */
  PetscInt               num_rigid;
  KrylovModes            found; /* the others */
  Gap                    gap;
  ContinuumModes        *modes;
} Work;

static PetscErrorCode CheckBoundary(Work *work)
{
  PetscFunctionBegin;
  PetscCall(BoundaryCheckRows(&work->boundary, &work->modes->fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* X^T M X = 1 by Cholesky's method: X becomes X L^-T. */
static PetscErrorCode MakeOrthonormal(const Work *work, Mat X)
{
  PetscInt     count, num_local, stride;
  PetscBLASInt size, rows, lead, info;
  PetscReal   *product;
  PetscScalar *value, one = 1.0;
  Mat          weighed;

  PetscFunctionBegin;
  PetscCall(MatGetSize(X, NULL, &count));
  PetscCall(MatGetLocalSize(X, &num_local, NULL));
  PetscCall(MatDenseGetLDA(X, &stride));
  PetscCall(PetscBLASIntCast(count, &size));
  PetscCall(PetscBLASIntCast(num_local, &rows));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride), &lead));
  PetscCall(MatDuplicate(X, MAT_DO_NOT_COPY_VALUES, &weighed));
  PetscCall(WholeMultiply(work->M, work->ties->M, X, weighed));
  PetscCall(PetscMalloc1(count * count, &product));
  PetscCall(MultiplyTransposed(X, weighed, product));
  PetscCall(SumOverRanks(X, product, (size_t)count * (size_t)count));
  PetscCall(MatDestroy(&weighed));
  LAPACKpotrf_("U", &size, product, &size, &info);
  if (info != 0) SetFault(&work->modes->fault, CONTINUUM_SINGULAR, count); /* motions without strain and without mass */
  PetscCall(MatDenseGetArray(X, &value));
  if (info == 0) BLAStrsm_("R", "U", "N", "N", &rows, &size, &one, product, &size, value, &lead);
  PetscCall(MatDenseRestoreArray(X, &value));
  PetscCall(PetscFree(product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateSaddle(Work *work, PetscReal shift)
{
  PetscFunctionBegin;
  PetscCall(SaddleDestroy(&work->saddle));
  PetscCall(SaddleCreate(work->continuum->K, shift, work->continuum->M, &work->boundary, work->ties, &work->saddle));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindRigid(Work *work)
{
  Vec like;

  PetscFunctionBegin;
  PetscCall(WholeCreateVec(work->continuum->K, work->ties->num, &like));
  PetscCall(FreedomFind(&work->boundary, work->continuum, work->ties, like, &work->rigid));
  PetscCall(VecDestroy(&like));
  if (!work->rigid) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(work->rigid, NULL, &work->num_rigid));
  PetscCall(MakeOrthonormal(work, work->rigid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of y where the mesh has no stiffness: nothing but point masses. Where nothing has, any shift serves. */
static PetscErrorCode FindShift(const Work *work, PetscReal *shift)
{
  PetscReal stiffness, mass;

  PetscFunctionBegin;
  PetscCall(MatGetTrace(work->continuum->K, &stiffness));
  if (stiffness <= 0.0 && work->ties->num) PetscCall(MatGetTrace(work->ties->K, &stiffness));
  PetscCall(MatGetTrace(work->continuum->M, &mass));
  *shift = stiffness > 0.0 ? small_shift * stiffness / mass : -1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Without a shift where nothing is free. If something is all the same, as a part that hangs on an edge, it has one. */
static PetscErrorCode Factor(Work *work)
{
  const Saddle *const saddle = &work->saddle;
  PetscReal           shift  = 0.0;

  PetscFunctionBegin;
  PetscCall(FindShift(work, &shift));
  PetscCall(CreateSaddle(work, work->rigid ? shift : 0.0));
  PetscCall(SaddleFactor(&work->saddle));
  if (saddle->status >= 0 && !work->rigid && (saddle->num_null > 0 || saddle->num_negative != saddle->m)) {
    PetscCall(CreateSaddle(work, shift));
    PetscCall(SaddleFactor(&work->saddle));
  }
  SaddleJudge(saddle, &work->modes->fault);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* target = X small */
static PetscErrorCode Combine(Mat X, const PetscReal small[], Mat target)
{
  const PetscScalar *from, one = 1.0, zero = 0.0;
  PetscScalar       *to;
  PetscInt           num_local, count, stride_from, stride_to;
  PetscBLASInt       rows, size, lead_from, lead_to;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(X, &num_local, NULL));
  PetscCall(MatGetSize(X, NULL, &count));
  PetscCall(MatDenseGetLDA(X, &stride_from));
  PetscCall(MatDenseGetLDA(target, &stride_to));
  PetscCall(PetscBLASIntCast(num_local, &rows));
  PetscCall(PetscBLASIntCast(count, &size));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride_from), &lead_from));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride_to), &lead_to));
  PetscCall(MatDenseGetArrayRead(X, &from));
  PetscCall(MatDenseGetArrayWrite(target, &to));
  BLASgemm_("N", "N", &rows, &size, &size, &one, from, &lead_from, small, &size, &zero, to, &lead_to);
  PetscCall(MatDenseRestoreArrayWrite(target, &to));
  PetscCall(MatDenseRestoreArrayRead(X, &from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rigid motions found from the bodies are right to nine digits or so, and S multiplies what is missing by 1 / shift: a step X = S M N of
   inverse iteration mends them. Of its span the motions nearest to N: N = X (X^T M X)^-1 X^T M N. */
static PetscErrorCode MendRigid(Work *work)
{
  const PetscInt count = work->num_rigid;
  PetscBLASInt   size  = (PetscBLASInt)count, info;
  PetscReal     *product, *share;
  Mat            weighed, better;

  PetscFunctionBegin;
  if (!work->rigid) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDuplicate(work->rigid, MAT_DO_NOT_COPY_VALUES, &weighed));
  PetscCall(MatDuplicate(work->rigid, MAT_DO_NOT_COPY_VALUES, &better));
  PetscCall(PetscMalloc2(count * count, &product, count * count, &share));
  PetscCall(WholeMultiply(work->M, work->ties->M, work->rigid, weighed));
  PetscCall(SaddleSolve(&work->saddle, weighed, better));
  PetscCall(MultiplyTransposed(better, weighed, share));
  PetscCall(SumOverRanks(better, share, (size_t)count * (size_t)count));
  PetscCall(WholeMultiply(work->M, work->ties->M, better, weighed));
  PetscCall(MultiplyTransposed(better, weighed, product));
  PetscCall(SumOverRanks(better, product, (size_t)count * (size_t)count));
  LAPACKpotrf_("U", &size, product, &size, &info);
  if (info == 0) LAPACKpotrs_("U", &size, &size, product, &size, share, &size, &info);
  if (info != 0) SetFault(&work->modes->fault, CONTINUUM_SINGULAR, count);
  else PetscCall(Combine(better, share, work->rigid));
  PetscCall(PetscFree2(product, share));
  PetscCall(MatDestroy(&better));
  PetscCall(MatDestroy(&weighed));
  if (info == 0) PetscCall(MakeOrthonormal(work, work->rigid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Search(Work *work)
{
  PetscInt n, dimension, wanted;

  PetscFunctionBegin;
  PetscCall(VecGetSize(work->saddle.motion, &n));
  dimension = n - work->saddle.m - work->num_rigid;
  wanted    = PetscMax(0, PetscMin(dimension, work->count - work->num_rigid));
  if (wanted > 0) PetscCall(SaddleModes(&work->saddle, work->M, work->ties, work->rigid, wanted, &work->found, work->prove ? &work->gap : NULL));
  if (work->found.count < wanted && !work->found.complete)
    SetFault(&work->modes->fault, CONTINUUM_NOT_CONVERGED, work->found.count + work->num_rigid);
  else work->modes->count = PetscMin(work->count, work->num_rigid + PetscMin(wanted, work->found.count));
  if (work->found.count > wanted && wanted > 0)
    work->modes->num_cut = CanonicalGroupEnd(work->found.count, work->found.theta, NULL, wanted - 1) - wanted;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first `count` columns of `from`, of unit modal mass, as the modes from `first` on: u and y, and their sign. */
static PetscErrorCode Keep(const Work *work, Mat from, PetscInt count, PetscInt first)
{
  ContinuumModes *modes = work->modes;
  Mat             some, motion;

  PetscFunctionBegin;
  if (count <= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDenseGetSubMatrix(from, PETSC_DECIDE, PETSC_DECIDE, 0, count, &some));
  for (PetscInt k = 0; k < count; k++) {
    Vec shape;

    PetscCall(MatDenseGetColumnVec(some, k, &shape));
    PetscCall(ChooseSign(shape));
    PetscCall(MatDenseRestoreColumnVec(some, k, &shape));
  }
  PetscCall(MatDenseGetSubMatrix(modes->motion, PETSC_DECIDE, PETSC_DECIDE, first, first + count, &motion));
  PetscCall(WholeDivide(some, count, work->ties->num, motion, modes->tied + (size_t)first * (size_t)work->ties->num));
  PetscCall(MatDenseRestoreSubMatrix(modes->motion, &motion));
  PetscCall(MatDenseRestoreSubMatrix(from, &some));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode KeepAll(Work *work)
{
  ContinuumModes *modes = work->modes;
  PetscInt        n, num_local;

  PetscFunctionBegin;
  modes->num_rigid = PetscMin(modes->count, work->num_rigid);
  PetscCall(MatGetSize(work->continuum->K, &n, NULL));
  PetscCall(MatGetLocalSize(work->continuum->K, &num_local, NULL));
  PetscCall(MatCreateDense(PetscObjectComm((PetscObject)work->continuum->K), num_local, PETSC_DECIDE, n, modes->count, NULL, &modes->motion));
  PetscCall(PetscCalloc2(modes->count, &modes->eigenvalue, (size_t)modes->count * (size_t)work->ties->num, &modes->tied));
  PetscCall(Keep(work, work->rigid, modes->num_rigid, 0));
  PetscCall(Keep(work, work->found.modes, modes->count - modes->num_rigid, modes->num_rigid));
  for (PetscInt k = modes->num_rigid; k < modes->count; k++)
    modes->eigenvalue[k] = work->saddle.shift + 1.0 / work->found.theta[k - modes->num_rigid];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those that are kept, side by side: NULL for none. */
static PetscErrorCode Gather(const Work *work, Mat *kept)
{
  const PetscInt count = work->modes->count, num_rigid = work->modes->num_rigid;
  const Mat      from[2]  = {work->rigid, work->found.modes};
  const PetscInt first[3] = {0, num_rigid, count};

  PetscFunctionBegin;
  *kept = NULL;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(
    MatCreateDense(PetscObjectComm((PetscObject)work->continuum->K), work->saddle.num_motion, PETSC_DECIDE, PETSC_DETERMINE, count, NULL, kept));
  for (PetscInt i = 0; i < 2; i++) {
    Mat source, target;

    if (first[i] == first[i + 1]) continue;
    PetscCall(MatDenseGetSubMatrix(from[i], PETSC_DECIDE, PETSC_DECIDE, 0, first[i + 1] - first[i], &source));
    PetscCall(MatDenseGetSubMatrix(*kept, PETSC_DECIDE, PETSC_DECIDE, first[i], first[i + 1], &target));
    PetscCall(MatCopy(source, target, SAME_NONZERO_PATTERN));
    PetscCall(MatDenseRestoreSubMatrix(*kept, &target));
    PetscCall(MatDenseRestoreSubMatrix(from[i], &source));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is left of the compliance that is known when these modes have their share. */
static PetscErrorCode LeaveCompliance(const ContinuumModes *modes, Compliance *compliance)
{
  const PetscInt  num = compliance->num, elastic = modes->count - modes->num_rigid;
  const PetscReal minus = -1.0, one = 1.0;
  PetscReal      *motion;
  PetscBLASInt    all, own, width;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)num * (size_t)elastic, &motion));
  for (PetscInt p = 0; p < num; p++)
    for (PetscInt k = 0; k < elastic; k++)
      motion[(size_t)p * (size_t)elastic + (size_t)k] =
        modes->placed[(size_t)p * (size_t)modes->count + (size_t)(modes->num_rigid + k)] / PetscSqrtReal(modes->eigenvalue[modes->num_rigid + k]);
  PetscCall(PetscBLASIntCast(num, &all));
  PetscCall(PetscBLASIntCast(compliance->width, &own));
  PetscCall(PetscBLASIntCast(elastic, &width));
  if (elastic && own)
    BLASgemm_("T", "N", &own, &all, &width, &minus, motion + (size_t)compliance->first * (size_t)elastic, &width, motion, &width, &one,
              compliance->own, &own);
  PetscCall(ComplianceFinish(compliance));
  PetscCall(PetscFree(motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PlacesWhole PlacesOf(const Work *work)
{
  return (PlacesWhole){work->continuum, work->ties, work->M, &work->saddle, work->places};
}

/* The factor that is spread makes room for those of the ranks, once they have them. */
static PetscErrorCode SolvePlaces(Work *work, Mat kept, Compliance *compliance)
{
  const PlacesWhole whole = PlacesOf(work);
  ContinuumAlone    choice;
  Alone            *alone = NULL;

  PetscFunctionBegin;
  PetscCall(AloneChoose(&whole, &choice));
  if (choice.taken) PetscCall(AloneCreate(&whole, kept, &alone));
  if (alone) {
    PetscCall(SaddleDestroy(&work->saddle));
    PetscCall(AloneCompliance(alone, &whole, work->modes->placed, compliance));
    PetscCall(AloneDestroy(&alone));
  } else PetscCall(PlacesColumns(&whole, kept, work->modes->placed, 0, compliance->num, compliance));
  PetscCall(ComplianceFinish(compliance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindCompliance(Work *work)
{
  const size_t          num   = work->places ? (size_t)work->places->num : 0;
  const PlacesWhole     whole = PlacesOf(work);
  ContinuumModes *const modes = work->modes;
  Mat                   kept;

  PetscFunctionBegin;
  if (!work->places) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(num * (size_t)modes->count, &modes->placed));
  PetscCall(Gather(work, &kept));
  if (kept) PetscCall(PlacesMotion(&whole, kept, modes->placed));
  if (modes->compliance) PetscCall(LeaveCompliance(modes, modes->compliance));
  else {
    PetscCall(ComplianceCreate(PetscObjectComm((PetscObject)work->continuum->K), work->places->spread, work->places->num, &modes->compliance));
    PetscCall(SolvePlaces(work, kept, modes->compliance));
  }
  PetscCall(MatDestroy(&kept));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sylvester: with another shift there is one more negative pivot for every mode below it. */
static PetscErrorCode Prove(Work *work)
{
  PetscFunctionBegin;
  if (!work->prove || work->found.count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SaddleDestroy(&work->saddle)); /* makes room */
  PetscCall(SaddleProve(work->continuum, &work->boundary, work->ties, &work->gap, work->num_rigid, &work->modes->fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As long as nothing is wrong. */
static PetscErrorCode TakeSteps(size_t count, PetscErrorCode (*const steps[])(Work *), Work *work)
{
  PetscFunctionBegin;
  PetscCall(BoundaryCreate(work->continuum, &work->boundary));
  PetscCall(ProductCreate(work->continuum->M, &work->M));
  for (size_t i = 0; i < count && work->modes->fault.reason == CONTINUUM_FINE; i++) PetscCall(steps[i](work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Forget(Work *work)
{
  PetscFunctionBegin;
  PetscCall(KrylovModesDestroy(&work->found));
  PetscCall(MatDestroy(&work->rigid));
  PetscCall(ProductDestroy(&work->M));
  PetscCall(SaddleDestroy(&work->saddle));
  PetscCall(BoundaryDestroy(&work->boundary));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumModesFind(const Continuum *continuum, const ContinuumTies *ties, const ContinuumPlaces *places, PetscInt count,
                                  PetscBool prove, ContinuumModes **modes)
{
  static PetscErrorCode (*const steps[])(Work *) = {CheckBoundary, FindRigid, Factor, MendRigid, Search, KeepAll, FindCompliance, Prove};
  Work work                                      = {.continuum = continuum, .ties = ties, .places = places, .count = count, .prove = prove};

  PetscFunctionBegin;
  PetscCall(PetscNew(modes));
  work.modes = *modes;
  if (places) work.modes->compliance = places->known;
  PetscCall(TakeSteps(PETSC_STATIC_ARRAY_LENGTH(steps), steps, &work));
  PetscCall(Forget(&work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* u of motions of the whole. */
static PetscErrorCode TakeMotion(const Work *work, PetscInt count, Mat whole, Mat *motion)
{
  PetscInt   n, num_local;
  PetscReal *tied;

  PetscFunctionBegin;
  PetscCall(MatGetSize(work->continuum->K, &n, NULL));
  PetscCall(MatGetLocalSize(work->continuum->K, &num_local, NULL));
  PetscCall(MatCreateDense(PetscObjectComm((PetscObject)work->continuum->K), num_local, PETSC_DECIDE, n, count, NULL, motion));
  PetscCall(PetscMalloc1((size_t)count * (size_t)work->ties->num, &tied));
  PetscCall(WholeDivide(whole, count, work->ties->num, *motion, tied));
  PetscCall(MatAssemblyBegin(*motion, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*motion, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscFree(tied));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumDeflect(const Continuum *continuum, const ContinuumTies *ties, const ContinuumPlaces *places, PetscInt count,
                                const PetscReal forces[], ContinuumFault *fault, Mat *motion)
{
  static PetscErrorCode (*const steps[])(Work *) = {CheckBoundary, FindRigid, Factor, MendRigid};
  ContinuumModes modes                           = {.count = 0};
  Work           work                            = {.continuum = continuum, .ties = ties, .places = places, .modes = &modes};
  Mat            whole;

  PetscFunctionBegin;
  *motion = NULL;
  PetscCall(TakeSteps(PETSC_STATIC_ARRAY_LENGTH(steps), steps, &work));
  if (modes.fault.reason == CONTINUUM_FINE) {
    const PlacesWhole factored = PlacesOf(&work);

    PetscCall(PlacesDeflect(&factored, work.rigid, count, forces, &whole));
    PetscCall(TakeMotion(&work, count, whole, motion));
    PetscCall(MatDestroy(&whole));
  }
  *fault = modes.fault;
  PetscCall(Forget(&work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumModesEstimate(const Continuum *continuum, const ContinuumTies *ties, ContinuumFault *fault, ContinuumCost *cost)
{
  ContinuumModes modes = {.count = 0};
  Work           work  = {.continuum = continuum, .ties = ties, .modes = &modes};

  PetscFunctionBegin;
  PetscCall(ContinuumMeasure(continuum, cost));
  PetscCall(BoundaryCreate(continuum, &work.boundary));
  PetscCall(CheckBoundary(&work));
  if (modes.fault.reason == CONTINUUM_FINE) {
    PetscCall(CreateSaddle(&work, 0.0));
    if (work.saddle.status < 0) SetFault(&modes.fault, CONTINUUM_NOT_FACTORED, work.saddle.status);
    else PetscCall(SaddleEstimate(&work.saddle, 1, SOLVES_TO_BEGIN, cost));
    PetscCall(SaddleDestroy(&work.saddle));
  }
  PetscCall(BoundaryDestroy(&work.boundary));
  *fault = modes.fault;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumModesShare(const ContinuumModes *modes, PetscInt num_tied, ContinuumModes **share)
{
  const size_t size = (size_t)modes->count * (size_t)num_tied;

  PetscFunctionBegin;
  PetscCall(PetscNew(share));
  **share              = *modes;
  (*share)->placed     = NULL;
  (*share)->compliance = NULL;
  PetscCall(PetscMalloc2(modes->count, &(*share)->eigenvalue, size, &(*share)->tied));
  PetscCall(PetscArraycpy((*share)->eigenvalue, modes->eigenvalue, modes->count));
  PetscCall(PetscArraycpy((*share)->tied, modes->tied, size));
  PetscCall(PetscObjectReference((PetscObject)modes->motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContinuumModesDestroy(ContinuumModes **modes)
{
  PetscFunctionBegin;
  if (!*modes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDestroy(&(*modes)->motion));
  PetscCall(PetscFree2((*modes)->eigenvalue, (*modes)->tied));
  PetscCall(PetscFree((*modes)->placed));
  PetscCall(ComplianceDestroy(&(*modes)->compliance));
  PetscCall(PetscFree(*modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
