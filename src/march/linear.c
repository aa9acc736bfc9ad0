/* linear.c - the linear part of a step: choosing its kind, and what both kinds share. */
#include "sparse_influence.h"
#include <petscblaslapack.h>

enum {
  ALL_MODES_LIMIT = 3000, /* unknowns up to which all modes are found to make the equation diagonal */
  FEW_JOINTS      = 64    /* rows up to which products with their matrices take no time worth sparing */
};

PetscReal ModalDamping(const SystemDamping *damping, PetscInt mode, PetscReal omega)
{
  const PetscInt  last  = damping->num_ratios - 1;
  const PetscReal ratio = last < 0 ? 0.0 : damping->ratios[PetscMin(mode, last)];

  if (damping->viscous) return damping->viscous[mode];
  return 2.0 * ratio * omega + damping->mass_factor + damping->stiffness_factor * omega * omega;
}

static PetscBool AnyViscous(const System *system)
{
  for (PetscInt b = 0; b < system->num_blocks; b++)
    if (system->blocks[b].block.law->traits & (JOINT_VISCOUS | JOINT_RIGID)) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscErrorCode LinearRow(Linear *linear, Mat matrix, PetscInt r, PetscReal row[])
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;
  PetscReal         *on_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(linear->system->num_unknowns, &on_unknowns));
  PetscCall(MatGetRow(matrix, r, &count, &column, &value));
  for (PetscInt j = 0; j < count; j++) on_unknowns[column[j]] = value[j];
  PetscCall(MatRestoreRow(matrix, r, &count, &column, &value));
  PetscCall(linear->kind->project_force(linear, on_unknowns, row));
  PetscCall(PetscFree(on_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearLayerRow(Linear *linear, PetscInt first, PetscInt size, PetscReal row[])
{
  PetscReal *on_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(linear->system->num_unknowns, &on_unknowns));
  PetscCall(SystemLayerRow(linear->system, first, size, on_unknowns));
  PetscCall(linear->kind->project_force(linear, on_unknowns, row));
  PetscCall(PetscFree(on_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What pads them to whole lanes is zero. */
static PetscErrorCode MapJoints(Linear *linear)
{
  const PetscInt n = linear->n, m = linear->m;
  PetscReal     *row;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(m, &linear->row_norm));
  PetscCall(PetscMalloc1(n, &row));
  PetscCall(LinearRowsCreate(linear, m, &linear->joints));
  for (PetscInt i = 0; i < m; i++) {
    if (i < linear->system->names.num_nonlinear) PetscCall(LinearRow(linear, linear->system->B, i, row));
    else PetscCall(PetscArrayzero(row, n));
    PetscCall(LinearRowsAppend(&linear->joints, row));
    for (PetscInt j = 0; j < n; j++) linear->row_norm[i] += PetscSqr(row[j]);
    linear->row_norm[i] = PetscSqrtReal(linear->row_norm[i]);
  }
  linear->joint_map = linear->joints.dense;
  PetscCall(PetscFree(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool CouldBeModal(const System *system)
{
  return (PetscBool)(system->num_unknowns <= ALL_MODES_LIMIT && !system->C);
}

/* Of a step on one core, but for the laws: with rows of joints and H as dense matrices, and with so many numbers in sparse factors, of which
   seven are solved with; measured on one core of an AMD EPYC (NOTES.md). */
static PetscReal DenseSeconds(PetscReal n, PetscReal m)
{
  return 0.13e-9 * n * m + 0.35e-9 * m * m;
}

static PetscReal SparseSeconds(PetscReal n, PetscReal num_factors)
{
  return 2e-6 + 30e-9 * n + 8e-9 * num_factors;
}

/* All places where K0, M or C have something. */
static PetscErrorCode FindPattern(const System *system, Mat *pattern)
{
  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, JOINT_STUCK, pattern));
  PetscCall(MatrixAdd(pattern, 1.0, system->M));
  if (system->C) PetscCall(MatrixAdd(pattern, 1.0, system->C));
  PetscCall(MatSetOption(*pattern, MAT_SYMMETRIC, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Joints that stick without any give want the diagonal of H; modal damping is a full matrix; modes that were left out of a System belong to modes that were kept. */
static PetscBool CouldBeSparse(const System *system)
{
  return (PetscBool)(!system->residual && !SystemSticks(system) && !system->damping.num_ratios && !system->damping.viscous &&
                     JointForcesAreDiagonal(system));
}

/* What takes less time, unless the user wants one of both. */
static PetscErrorCode IsSparse(const System *system, PetscBool *sparse)
{
  const PetscReal n = (PetscReal)system->num_unknowns, m = (PetscReal)system->names.num_nonlinear;
  const PetscReal solved_anyway = CouldBeModal(system) ? 0.0 : 1.0 / 7.0; /* with H as a matrix, too */
  PetscReal       num_factors;
  PetscBool       said, wanted = PETSC_TRUE;
  Mat             pattern;

  PetscFunctionBegin;
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-sparse_joints", &wanted, &said));
  *sparse = (PetscBool)(wanted && m > (said ? 0 : FEW_JOINTS) && CouldBeSparse(system));
  if (said || !*sparse) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindPattern(system, &pattern));
  PetscCall(SparseInfluenceCountFactors(pattern, &num_factors));
  PetscCall(MatDestroy(&pattern));
  *sparse = (PetscBool)((1.0 - solved_anyway) * SparseSeconds(n, num_factors) < DenseSeconds(n, m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearCheck(const Names *names, const InputNode *node)
{
  const PetscInt n = names->num_unknowns;

  PetscFunctionBegin;
  if (names->modal_damping && n > ALL_MODES_LIMIT)
    PetscCall(InputComplain(node, "%s needs all modes, which are found for %d unknowns at most; there are %" PetscInt_FMT,
                            names->modal_model ? "a modal model" : "modal damping", ALL_MODES_LIMIT, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearPrepare(ModeCache *cache)
{
  const System *system = cache->system;
  const Modes  *modes;
  PetscBool     sparse;

  PetscFunctionBegin;
  PetscCall(IsSparse(system, &sparse));
  if (sparse) LogDetail("%" PetscInt_FMT " joint motions on sparse matrices: steps need no modes", system->names.num_nonlinear);
  else if (system->damping.num_ratios || CouldBeModal(system)) PetscCall(ModeCacheGet(cache, JOINT_STUCK, system->num_unknowns, &modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearCreate(ModeCache *cache, NewmarkRule rule, Linear **linear)
{
  const System *system = cache->system;

  PetscFunctionBegin;
  PetscCall(PetscNew(linear));
  (*linear)->system  = system;
  (*linear)->rule    = rule;
  (*linear)->m       = RowsPadded(system->names.num_nonlinear);
  (*linear)->viscous = AnyViscous(system);
  PetscCall(IsSparse(system, &(*linear)->sparse));
  if (CouldBeModal(system) && !(*linear)->sparse) PetscCall(LinearCreateModal(cache->modes[JOINT_STUCK], *linear));
  else PetscCall(LinearCreateFactored(cache->modes[JOINT_STUCK], *linear));
  PetscCall(BalanceIsByForces(system, (*linear)->m, &(*linear)->shares));
  (*linear)->shares = (PetscBool)((*linear)->shares && system->residual);
  PetscCall(MapJoints(*linear));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces of a mesh are solved for together, mostly by factors of the rows that slip or part: measured with 909 to 8703 rows (NOTES.md). */
static PetscReal FacesSeconds(const Names *names)
{
  PetscReal rows = 0.0;

  for (PetscInt r = 0; r < names->num_nonlinear; r++) rows += names->rows[r].point != NO_FACE_POINT;
  return 2.9e-11 * rows * rows * PetscSqrtReal(rows);
}

/* Of factors of chains and grids. */
static PetscReal GuessSparseSeconds(const Names *names)
{
  const PetscReal numbers_a_row = 6.0, n = (PetscReal)names->num_unknowns;

  return SparseSeconds(n, numbers_a_row * n);
}

PetscBool LinearLooksSparse(const Names *names)
{
  const PetscReal n = (PetscReal)names->num_unknowns, m = (PetscReal)names->num_nonlinear;

  return (PetscBool)(names->lumped && !names->residual && !names->modal_damping && names->num_nonlinear > FEW_JOINTS &&
                     GuessSparseSeconds(names) < DenseSeconds(n, m));
}

/* Measured on one core of an AMD EPYC: fixed cost, cost of a mode, of a joint, of a mode for each joint and of a part of faces; factored steps by
   the entries they touch. */
PetscReal LinearStepSeconds(const Names *names)
{
  const PetscReal n = (PetscReal)names->num_unknowns, m = (PetscReal)names->num_nonlinear,
                  parts = 240e-9 * (PetscReal)names->num_parts + FacesSeconds(names);

  if (LinearLooksSparse(names)) return GuessSparseSeconds(names) + 35e-9 * m;
  if (n <= ALL_MODES_LIMIT && !names->dampers) return 60e-9 + 0.6e-9 * n + 35e-9 * m + 0.25e-9 * n * m + parts;
  return 2e-6 + 60e-9 * n + 90e-9 * m + 1e-9 * n * m + parts;
}

PetscErrorCode LinearDestroy(Linear **linear)
{
  PetscFunctionBegin;
  if (!*linear) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall((*linear)->kind->destroy(*linear));
  PetscCall(LinearRowsDestroy(&(*linear)->joints));
  PetscCall(PetscFree((*linear)->row_norm));
  PetscCall(PetscFree(*linear));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* factor B S^-1 B^T. For few joints BLAS costs more to call than it takes. */
static PetscErrorCode MultiplyResponse(const Linear *linear, PetscReal factor, const PetscReal response[], PetscReal matrix[])
{
  const PetscInt  n = linear->n, m = linear->m;
  const PetscReal zero = 0.0;
  PetscBLASInt    size, width;

  PetscFunctionBegin;
  if (linear->joint_map && m > FEW_JOINTS) {
    PetscCall(PetscBLASIntCast(m, &size));
    PetscCall(PetscBLASIntCast(n, &width));
    BLASgemm_("T", "N", &size, &size, &width, &factor, linear->joint_map, &width, response, &width, &zero, matrix, &size);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < m; i++) {
    LinearRowsTimes(&linear->joints, response + i * n, matrix + i * m);
    for (PetscInt j = 0; j < m; j++) matrix[i * m + j] *= factor;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FormInfluence(const Linear *linear, PetscReal factor, LinearLevel *level)
{
  const PetscInt m = linear->m, num = linear->system->residual ? linear->system->names.num_nonlinear : 0;
  PetscReal     *row;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)m * (size_t)m, &level->matrix));
  PetscCall(MultiplyResponse(linear, factor, level->response, level->matrix));
  PetscCall(PetscMalloc1(num, &row));
  for (PetscInt i = 0; i < m; i++) {
    if (i < num) PetscCall(ComplianceRow(linear->system->residual->compliance, i, num, row));
    for (PetscInt j = 0; i < num && j < num; j++) level->matrix[i * m + j] += row[j];
  }
  PetscCall(PetscFree(row));
  level->influence = InfluenceOfMatrix(m, level->matrix);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What joints that stick without any give have on the diagonal of H. Where most of it is inertia, sticking holds the velocity; where it is the
   give of modes that were left out, which have none, the displacement. */
static PetscErrorCode TakeGive(const Linear *linear, LinearLevel *level)
{
  const System *const system = linear->system;
  const PetscInt      m      = linear->m;
  PetscReal          *give, *weight;

  PetscFunctionBegin;
  if (!SystemSticks(system)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(2 * m, &give));
  weight = give + m;
  for (PetscInt b = 0; b < system->num_blocks; b++)
    for (PetscInt i = 0; system->blocks[b].block.law->grip && i < system->blocks[b].block.num_points; i++) {
      const PetscInt   row      = system->blocks[b].row[i];
      PetscReal *const diagonal = &level->matrix[row * (m + 1)];
      const PetscReal  still    = system->residual ? system->residual->compliance->diagonal[row] : 0.0;

      give[row]   = *diagonal;
      weight[row] = 2.0 * still < *diagonal ? linear->rule.gamma * (1.0 + linear->rule.alpha) : 0.0;
      *diagonal   = 0.0;
    }
  level->give             = give;
  level->influence.give   = give;
  level->influence.weight = weight;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearLevelCreate(Linear *linear, PetscReal h, LinearLevel *level)
{
  const PetscInt    n = linear->n, m = linear->m;
  const NewmarkRule rule   = linear->rule;
  const PetscReal   factor = (1.0 + rule.alpha) * rule.beta * h * h;

  PetscFunctionBegin;
  level->h = h;
  PetscCall(linear->kind->create_level(linear, h, level));
  if (linear->sparse) PetscFunctionReturn(PETSC_SUCCESS);
  if (linear->shares) PetscCall(InfluenceOfResidual(linear->system, m, n, linear->joint_map, level->response, factor, &level->influence));
  else PetscCall(FormInfluence(linear, factor, level));
  PetscCall(TakeGive(linear, level));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearLevelDestroy(Linear *linear, LinearLevel *level)
{
  PetscFunctionBegin;
  if (level->data) PetscCall(linear->kind->destroy_level(level));
  PetscCall(PetscFree(level->give));
  PetscCall(InfluenceDestroy(&level->influence));
  PetscCall(PetscFree(level->response));
  PetscCall(PetscFree(level->matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}
