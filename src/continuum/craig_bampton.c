/* craig_bampton.c - the Craig-Bampton method with multipliers on the boundary: one factorisation gives both Psi and Phi. */
#include "dense.h"
#include "fault.h"
#include "saddle_modes.h"

static const PetscReal largest_error = 1e-8; /* of Reduction.error; healthy structures give 1e-14, with all of their modes 1e-10 */

typedef struct {
  const Continuum        *continuum;
  const ReductionOptions *options;
  Reduction              *reduction;
  Boundary                boundary;
  Saddle                  saddle;
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
  PetscCall(PetscCalloc4(reduction->num_modes, &reduction->omega, reduction->num_boundary, &reduction->cancelled, size * size, &reduction->K,
                         size * size, &reduction->M));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The largest component of a motion [m, count] that should be the unit matrix from row `first` on. */
static PetscReal DistanceFromUnit(const PetscReal motion[], PetscInt m, PetscInt first, PetscInt count)
{
  PetscReal distance = 0.0;

  for (PetscInt c = 0; c < count; c++)
    for (PetscInt j = 0; j < m; j++) distance = PetscMax(distance, PetscAbsReal(motion[c * m + j] - (j == first + c ? 1.0 : 0.0)));
  return distance;
}

/* From rows of length one to the rows of R as they were given: Psi, and K_r = -s Lambda. */
static PetscErrorCode Rescale(const Work *work, PetscInt first, Mat modes, const PetscReal multipliers[])
{
  const PetscReal *const length = work->boundary.length;
  const PetscInt         m = work->boundary.m, size = work->reduction->size;
  PetscInt               num_local, stride, count;
  PetscScalar           *mode;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, NULL, &count));
  PetscCall(MatGetLocalSize(modes, &num_local, NULL));
  PetscCall(MatDenseGetLDA(modes, &stride));
  PetscCall(MatDenseGetArray(modes, &mode));
  for (PetscInt c = 0; c < count; c++) {
    for (PetscInt i = 0; i < num_local; i++) mode[(size_t)c * (size_t)stride + (size_t)i] /= length[first + c];
    for (PetscInt j = 0; j < work->reduction->num_boundary; j++)
      work->reduction->K[(first + c) * size + j] = -work->saddle.scale * multipliers[c * m + j] / (length[first + c] * length[j]);
  }
  PetscCall(MatDenseRestoreArray(modes, &mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindConstraintModes(Work *work)
{
  Reduction     *reduction = work->reduction;
  const PetscInt m = work->boundary.m, num_kept = reduction->num_boundary;
  PetscReal     *multipliers, *motion;
  Mat            modes;

  PetscFunctionBegin;
  PetscCall(CreateBasis(work));
  PetscCall(PetscMalloc2((size_t)m * COLUMNS_AT_ONCE, &multipliers, (size_t)m * COLUMNS_AT_ONCE, &motion));
  for (PetscInt first = 0; first < num_kept; first += COLUMNS_AT_ONCE) {
    const PetscInt count = PetscMin(COLUMNS_AT_ONCE, num_kept - first);

    PetscCall(MatDenseGetSubMatrix(reduction->basis, PETSC_DECIDE, PETSC_DECIDE, first, first + count, &modes));
    PetscCall(SaddleMove(&work->saddle, first, modes, multipliers));
    PetscCall(BoundaryMotion(&work->boundary, modes, motion));
    PetscCall(Rescale(work, first, modes, multipliers));
    PetscCall(MatDenseRestoreSubMatrix(reduction->basis, &modes));
    reduction->error = PetscMax(reduction->error, DistanceFromUnit(motion, m, first, count));
  }
  PetscCall(PetscFree2(multipliers, motion));
  Symmetrise(reduction->size, num_kept, reduction->K);
  PetscCall(BoundaryStiffness(&work->boundary, work->continuum->K, num_kept, reduction->cancelled));
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

static PetscErrorCode FindFixedModes(Work *work)
{
  Reduction     *reduction = work->reduction;
  const PetscInt m = reduction->num_boundary, size = reduction->size, count = reduction->num_modes;
  KrylovModes    found;
  Mat            modes;

  PetscFunctionBegin;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SaddleModes(&work->saddle, work->continuum->M, NULL, NULL, count, &found, work->options->prove ? &work->gap : NULL));
  if (found.count < count) SetFault(&reduction->fault, CONTINUUM_NOT_CONVERGED, found.count);
  else {
    PetscCall(MatDenseGetSubMatrix(reduction->basis, PETSC_DECIDE, PETSC_DECIDE, m, size, &modes));
    PetscCall(SaddlePurify(&work->saddle, work->continuum->M, NULL, &found, modes));
    PetscCall(BoundaryAtRest(work, modes, &reduction->error));
    PetscCall(MatDenseRestoreSubMatrix(reduction->basis, &modes));
  }
  for (PetscInt k = 0; k < PetscMin(found.count, count); k++) {
    reduction->omega[k]                  = 1.0 / PetscSqrtReal(found.theta[k]);
    reduction->K[(m + k) * size + m + k] = PetscSqr(reduction->omega[k]);
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
  PetscCall(ReductionProjectMatrix(reduction, work->continuum->M, reduction->M));
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
