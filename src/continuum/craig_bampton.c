/* craig_bampton.c - the Craig-Bampton method with multipliers on the boundary: one factorisation gives both Psi and Phi. */
#include "constraint_modes.h"
#include "dense.h"
#include "fault.h"
#include "release.h"
#include "saddle_modes.h"
#include "separation.h"

static const PetscReal largest_error = 1e-8; /* of Reduction.error; healthy structures give 1e-14, with all of their modes 1e-10 */

typedef struct {
  const Continuum        *continuum;
  const ReductionOptions *options;
  Reduction              *reduction;
  Boundary                boundary;
  Saddle                  saddle;
  Product                *K, *M;
  Gap                     gap;
} Work;

static PetscErrorCode CheckBoundary(Work *work)
{
  PetscFunctionBegin;
  PetscCall(BoundaryCheck(&work->boundary, work->continuum, &work->reduction->fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Factor(Work *work)
{
  PetscFunctionBegin;
  PetscCall(SaddleCreate(work->continuum->K, 0.0, NULL, &work->boundary, NULL, &work->saddle));
  PetscCall(SaddleFactor(&work->saddle));
  SaddleJudge(&work->saddle, &work->reduction->fault);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateBasis(Work *work)
{
  Reduction   *reduction = work->reduction;
  PetscInt     n, num_local;
  const size_t size = (size_t)reduction->size;

  PetscFunctionBegin;
  PetscCall(MatGetSize(work->continuum->K, &n, NULL));
  PetscCall(MatGetLocalSize(work->continuum->K, &num_local, NULL));
  PetscCall(MatCreateDense(PetscObjectComm((PetscObject)work->continuum->K), num_local, PETSC_DECIDE, n, reduction->size, NULL, &reduction->basis));
  PetscCall(PetscCalloc3(reduction->num_modes, &reduction->omega, size * size, &reduction->K, size * size, &reduction->M));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From rows of length one to the rows of R as they were given. */
static PetscErrorCode Rescale(const Work *work)
{
  const Reduction *const reduction = work->reduction;
  const PetscReal *const length    = work->boundary.length;
  const PetscInt         size      = reduction->size;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < reduction->num_boundary; i++) {
    Vec mode;

    PetscCall(MatDenseGetColumnVec(reduction->basis, i, &mode));
    PetscCall(VecScale(mode, 1.0 / length[i]));
    PetscCall(MatDenseRestoreColumnVec(reduction->basis, i, &mode));
    for (PetscInt j = 0; j < reduction->num_boundary; j++) reduction->K[i * size + j] /= length[i] * length[j];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindConstraintModes(Work *work)
{
  Reduction     *reduction = work->reduction;
  const PetscInt m = work->boundary.m, num_kept = reduction->num_boundary;
  PetscReal     *forces;
  Mat            modes;

  PetscFunctionBegin;
  PetscCall(CreateBasis(work));
  PetscCall(ProductCreate(work->continuum->K, &work->K));
  PetscCall(PetscMalloc1((size_t)m * COLUMNS_AT_ONCE, &forces));
  for (PetscInt first = 0; first < num_kept; first += COLUMNS_AT_ONCE) {
    const PetscInt count = PetscMin(COLUMNS_AT_ONCE, num_kept - first);

    PetscCall(MatDenseGetSubMatrix(reduction->basis, PETSC_DECIDE, PETSC_DECIDE, first, first + count, &modes));
    PetscCall(ConstraintModesFind(&work->saddle, &work->boundary, work->K, first, modes, forces, &reduction->error));
    PetscCall(MatDenseRestoreSubMatrix(reduction->basis, &modes));
    for (PetscInt c = 0; c < count; c++) PetscCall(PetscArraycpy(reduction->K + (first + c) * reduction->size, forces + c * m, num_kept));
  }
  PetscCall(PetscFree(forces));
  Symmetrise(reduction->size, num_kept, reduction->K);
  PetscCall(ReleaseBoundary(&work->boundary, work->continuum->K, reduction->basis, reduction->size, reduction->K));
  PetscCall(Rescale(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* |R phi| against |phi|. */
static PetscErrorCode BoundaryAtRest(const Work *work, Mat modes, PetscReal *error)
{
  const PetscInt m = work->boundary.m;
  PetscInt       count;
  PetscReal     *motion, *size;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, NULL, &count));
  PetscCall(PetscMalloc2((size_t)m * (size_t)count, &motion, count, &size));
  PetscCall(BoundaryMotion(&work->boundary, modes, motion));
  PetscCall(MatGetColumnNorms(modes, NORM_INFINITY, size));
  for (PetscInt c = 0; c < count; c++)
    for (PetscInt j = 0; j < m; j++) *error = PetscMax(*error, PetscAbsReal(motion[c * m + j]) / size[c]);
  PetscCall(PetscFree2(motion, size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Phi^T K Phi. What is beside its diagonal is as small as the modes are right, but with it their span is all that matters. */
static PetscErrorCode ProjectStiffness(const Work *work, Mat modes)
{
  const Reduction *const reduction = work->reduction;
  const PetscInt         m = reduction->num_boundary, size = reduction->size, count = reduction->num_modes;
  PetscReal             *projected;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)count * (size_t)count, &projected));
  PetscCall(ProductProject(work->K, modes, projected));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(PetscArraycpy(reduction->K + (m + k) * size + m, projected + k * count, count));
    reduction->omega[k] = PetscSqrtReal(projected[k * count + k]);
  }
  PetscCall(PetscFree(projected));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindFixedModes(Work *work)
{
  Reduction     *reduction = work->reduction;
  const PetscInt m = reduction->num_boundary, size = reduction->size, count = reduction->num_modes;
  KrylovModes    found;
  Mat            modes;

  PetscFunctionBegin;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ProductCreate(work->continuum->M, &work->M));
  PetscCall(SaddleModes(&work->saddle, work->M, NULL, NULL, count, &found, work->options->prove ? &work->gap : NULL));
  if (found.count < count) SetFault(&reduction->fault, CONTINUUM_NOT_CONVERGED, found.count);
  else {
    PetscCall(MatDenseGetSubMatrix(reduction->basis, PETSC_DECIDE, PETSC_DECIDE, m, size, &modes));
    PetscCall(SaddlePurify(&work->saddle, &work->boundary, work->K, work->M, &found, modes));
    PetscCall(BoundaryAtRest(work, modes, &reduction->error));
    PetscCall(ProjectStiffness(work, modes));
    PetscCall(MatDenseRestoreSubMatrix(reduction->basis, &modes));
  }
  PetscCall(KrylovModesDestroy(&found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Residuals of the eigenvalue problem would contain the forces that hold the boundary, and tell nothing. */
static PetscErrorCode ProjectMass(Work *work)
{
  Reduction     *reduction = work->reduction;
  const PetscInt m = reduction->num_boundary, size = reduction->size;

  PetscFunctionBegin;
  if (!work->M) PetscCall(ProductCreate(work->continuum->M, &work->M));
  PetscCall(ProductProject(work->M, reduction->basis, reduction->M));
  PetscCall(SeparateModes(reduction));
  for (PetscInt i = m; i < size; i++)
    for (PetscInt j = m; j < size; j++)
      reduction->error = PetscMax(reduction->error, PetscAbsReal(reduction->M[i * size + j] - (i == j ? 1.0 : 0.0)));
  if (!(reduction->error <= largest_error)) {
    reduction->fault.reason = CONTINUUM_INACCURATE;
    reduction->fault.error  = reduction->error;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prove(Work *work)
{
  PetscFunctionBegin;
  if (!work->options->prove || work->reduction->num_modes == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SaddleDestroy(&work->saddle)); /* makes room */
  PetscCall(SaddleProve(work->continuum, &work->boundary, NULL, &work->gap, 0, &work->reduction->fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckShapes(const Continuum *continuum)
{
  PetscInt n, num_columns, num_local, num_columns_local;

  PetscFunctionBegin;
  PetscCall(MatGetSize(continuum->K, &n, NULL));
  PetscCall(MatGetLocalSize(continuum->K, &num_local, NULL));
  PetscCall(MatGetSize(continuum->R, NULL, &num_columns));
  PetscCall(MatGetLocalSize(continuum->R, NULL, &num_columns_local));
  PetscCheck(num_columns == n && num_columns_local == num_local, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "R and K are distributed differently");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CountModes(const Continuum *continuum, const ReductionOptions *options, PetscInt *num_boundary, PetscInt *num_modes)
{
  PetscInt m, n;

  PetscFunctionBegin;
  PetscCall(CheckShapes(continuum));
  PetscCall(MatGetSize(continuum->R, &m, &n));
  *num_boundary = m - continuum->num_held;
  *num_modes    = PetscMax(0, PetscMin(options->num_modes, n - m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReductionCompute(const Continuum *continuum, const ReductionOptions *options, Reduction **reduction)
{
  static PetscErrorCode (*const steps[])(Work *) = {CheckBoundary, Factor, FindConstraintModes, FindFixedModes, ProjectMass, Prove};
  Work work                                      = {.continuum = continuum, .options = options};

  PetscFunctionBegin;
  PetscCall(PetscNew(reduction));
  work.reduction = *reduction;
  PetscCall(CountModes(continuum, options, &work.reduction->num_boundary, &work.reduction->num_modes));
  work.reduction->size = work.reduction->num_boundary + work.reduction->num_modes;
  PetscCall(BoundaryCreate(continuum, &work.boundary));
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(steps) && work.reduction->fault.reason == CONTINUUM_FINE; i++) PetscCall(steps[i](&work));
  PetscCall(ProductDestroy(&work.K));
  PetscCall(ProductDestroy(&work.M));
  PetscCall(SaddleDestroy(&work.saddle));
  PetscCall(BoundaryDestroy(&work.boundary));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReductionEstimate(const Continuum *continuum, const ReductionOptions *options, ContinuumFault *fault, ContinuumCost *cost)
{
  Boundary boundary;
  Saddle   saddle;
  PetscInt num_boundary, num_modes;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(fault, sizeof(*fault)));
  PetscCall(ContinuumMeasure(continuum, cost));
  PetscCall(CountModes(continuum, options, &num_boundary, &num_modes));
  cost->size         = num_boundary + num_modes;
  cost->basis_memory = (PetscReal)cost->num_unknowns * (PetscReal)cost->size * (PetscReal)sizeof(PetscScalar);
  PetscCall(BoundaryCreate(continuum, &boundary));
  PetscCall(BoundaryCheck(&boundary, continuum, fault));
  if (fault->reason == CONTINUUM_FINE) {
    PetscCall(SaddleCreate(continuum->K, 0.0, NULL, &boundary, NULL, &saddle));
    if (saddle.status < 0) SetFault(fault, CONTINUUM_NOT_FACTORED, saddle.status);
    else PetscCall(SaddleEstimate(&saddle, options->prove ? 2 : 1, num_boundary + (num_modes ? SOLVES_TO_BEGIN : 0), cost));
    cost->seconds += (PetscReal)num_modes * cost->seconds_each;
    PetscCall(SaddleDestroy(&saddle));
  }
  PetscCall(BoundaryDestroy(&boundary));
  PetscFunctionReturn(PETSC_SUCCESS);
}
