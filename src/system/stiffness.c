/* stiffness.c - the stiffness of a System while its joints all stick, or all slip. */
#include "tangent_change.h"
#include <petscblaslapack.h>

void SystemBlockAddTangent(const SystemBlock *block, PetscInt force, PetscInt motion, PetscReal tangent, PetscInt m, PetscReal rows[])
{
  for (PetscInt s = block->first[force]; s < block->first[force + 1]; s++)
    for (PetscInt t = block->first[motion]; t < block->first[motion + 1]; t++)
      rows[block->row[s] * m + block->row[t]] += block->factor[s] * tangent * block->factor[t];
}

static void TakePoint(const SystemBlock *block, const PetscReal values[], PetscInt point, PetscReal tangents[])
{
  const PetscInt n = block->block.num_points, size = block->block.law->dim * block->block.law->dim;

  for (PetscInt t = 0; t < size; t++) tangents[t] = values[t * n + point];
}

/* What the law says of its stuck or slipping limit. */
static void TakeLimit(const SystemBlock *block, JointState state, PetscInt point, PetscReal tangents[])
{
  const JointBlock one = JointBlockPoint(&block->block, point);

  one.law->limit(&one, state, tangents);
  for (PetscInt t = 0; block->area && t < one.law->dim * one.law->dim; t++) tangents[t] *= block->area[point];
}

void SystemBlockStiffness(const SystemBlock *block, JointState state, PetscInt point, PetscReal tangents[])
{
  const PetscReal *const contained = block->reference ? block->reference : block->area ? block->closed : NULL;
  const PetscInt         dim       = block->block.law->dim;

  if (contained && (state == JOINT_STUCK || block->closed)) TakePoint(block, contained, point, tangents);
  else TakeLimit(block, state, point, tangents);
  for (PetscInt t = 1; contained && block->closed && state == JOINT_SLIPPING && t < dim * dim; t++) tangents[t] = 0.0;
}

void SystemBlockClosed(const SystemBlock *block, PetscInt point, PetscReal tangents[])
{
  if (block->closed) TakePoint(block, block->closed, point, tangents);
  else TakeLimit(block, JOINT_STUCK, point, tangents);
}

/* One term of SystemBlockAddTangent in a sparse matrix; what is zero makes no place there. */
static PetscErrorCode AddComponent(const SystemBlock *block, PetscInt force, PetscInt motion, PetscReal tangent, Mat rows)
{
  PetscFunctionBegin;
  for (PetscInt s = block->first[force]; tangent != 0.0 && s < block->first[force + 1]; s++)
    for (PetscInt t = block->first[motion]; t < block->first[motion + 1]; t++)
      PetscCall(MatSetValue(rows, block->row[s], block->row[t], block->factor[s] * tangent * block->factor[t], ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Point by point. */
PetscErrorCode SystemTangents(const System *system, JointState state, Mat *tangents)
{
  const PetscInt num_rows = system->names.num_rows;
  PetscReal      tangent[JOINT_MAX_DIM * JOINT_MAX_DIM];

  PetscFunctionBegin;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, num_rows, num_rows, JOINT_MAX_DIM, NULL, tangents));
  PetscCall(MatSetOption(*tangents, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  for (PetscInt r = 0; r < system->names.num_nonlinear; r++) PetscCall(MatSetValue(*tangents, r, r, 0.0, ADD_VALUES));
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];
    const PetscInt           dim = block->block.law->dim, n = block->block.num_points;

    for (PetscInt i = 0; i < n; i++) {
      SystemBlockStiffness(block, state, i, tangent);
      for (PetscInt t = 0; t < dim * dim; t++) PetscCall(AddComponent(block, t / dim * n + i, t % dim * n + i, tangent[t], *tangents));
    }
  }
  PetscCall(MatAssemblyBegin(*tangents, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*tangents, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of B that change, dense: column k of [n, count] belongs to unknown k. */
static PetscErrorCode RowsOfJoints(const System *system, const TangentChange *change, PetscReal rows[])
{
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(rows, change->count * system->num_unknowns));
  for (PetscInt a = 0; a < change->count; a++) {
    const PetscInt    *unknown;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(system->B, change->row[a], &count, &unknown, &value));
    for (PetscInt k = 0; k < count; k++) rows[unknown[k] * change->count + a] = value[k];
    PetscCall(MatRestoreRow(system->B, change->row[a], &count, &unknown, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* (1 + D R)^-1 of the columns felt[n, count]. */
static PetscErrorCode Yield(const TangentChange *change, const PetscReal R[], PetscInt n, PetscReal felt[])
{
  const PetscInt count = change->count;
  PetscBLASInt   size, width, info, *pivots;
  PetscReal     *flow;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(count, &size));
  PetscCall(PetscBLASIntCast(n, &width));
  PetscCall(PetscMalloc2((size_t)count * (size_t)count, &flow, count, &pivots));
  PetscCall(PetscArrayzero(flow, (size_t)count * (size_t)count));
  for (PetscInt a = 0; a < count; a++) flow[(size_t)a * (size_t)(count + 1)] = 1.0;
  PetscCall(TangentChangeAddProduct(change, R, flow)); /* 1 + R D, the transpose */
  LAPACKgetrf_(&size, &size, flow, &size, pivots, &info);
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrf: %d", (int)info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_CONV_FAILED, "a joint that slips leaves a motion that nothing resists to modes left out");
  LAPACKgetrs_("T", &size, &width, flow, &size, pivots, felt, &size, &info);
  PetscCall(PetscFree2(flow, pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* X = (1 + D R)^-1 D B, R the compliance of modes that were left out: [n, count]. */
static PetscErrorCode FeelRows(const System *system, const TangentChange *change, const PetscReal rows[], PetscReal felt[])
{
  const PetscInt n = system->num_unknowns;
  PetscReal     *R;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)change->count * (size_t)change->count, &R));
  PetscCall(ComplianceBetween(system->residual->compliance, change->count, change->row, R));
  for (PetscInt k = 0; k < n; k++) PetscCall(TangentChangeMultiply(change, rows + k * change->count, felt + k * change->count));
  PetscCall(Yield(change, R, n, felt));
  PetscCall(PetscFree(R));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemYield(const System *system, PetscInt count, const PetscReal u[], PetscReal motions[])
{
  const PetscInt n = system->num_unknowns, num = system->names.num_rows;
  PetscReal     *rows, *felt, *force, *moved;
  TangentChange  release;

  PetscFunctionBegin;
  if (!system->residual || !system->names.num_nonlinear) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(TangentChangeCreate(system, JOINT_STUCK, system, JOINT_SLIPPING, &release));
  if (release.count == 0) { /* joints that never slip */
    PetscCall(TangentChangeDestroy(&release));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc4(release.count * n, &rows, release.count * n, &felt, num, &force, system->names.num_motions, &moved));
  PetscCall(RowsOfJoints(system, &release, rows));
  PetscCall(FeelRows(system, &release, rows, felt));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(PetscArrayzero(force, num));
    for (PetscInt i = 0; i < n; i++)
      for (PetscInt a = 0; a < release.count; a++) force[release.row[a]] -= felt[i * release.count + a] * u[(size_t)k * (size_t)n + (size_t)i];
    ComplianceMove(system->residual->compliance, num, force, SystemPlaceOfMotion(system, 0), SystemPlaceOfPattern(system, 0), moved);
    for (PetscInt j = 0; j < system->names.num_motions; j++) motions[(size_t)j * (size_t)count + (size_t)k] += moved[j];
  }
  PetscCall(PetscFree4(rows, felt, force, moved));
  PetscCall(TangentChangeDestroy(&release));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A change D of the tangents from k, seen through the compliance R of modes that were left out: B^T (D^-1 + R)^-1 B = B^T (1 + D R)^-1 D B. */
static PetscErrorCode AddFelt(const System *system, Mat *K)
{
  const PetscInt  n   = system->num_unknowns;
  const PetscReal one = 1.0, zero = 0.0;
  PetscBLASInt    size, width;
  PetscReal      *rows, *felt, *share;
  TangentChange   release;
  Mat             change;

  PetscFunctionBegin;
  PetscCall(TangentChangeCreate(system, JOINT_STUCK, system, JOINT_SLIPPING, &release));
  if (release.count == 0) { /* joints that never slip */
    PetscCall(TangentChangeDestroy(&release));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc3(release.count * n, &rows, release.count * n, &felt, n * n, &share));
  PetscCall(RowsOfJoints(system, &release, rows));
  PetscCall(FeelRows(system, &release, rows, felt));
  PetscCall(PetscBLASIntCast(release.count, &size));
  PetscCall(PetscBLASIntCast(n, &width));
  BLASgemm_("T", "N", &width, &width, &size, &one, rows, &size, felt, &size, &zero, share, &width);
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, n, NULL, &change));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) PetscCall(MatSetValue(change, i, j, 0.5 * (share[i * n + j] + share[j * n + i]), INSERT_VALUES));
  PetscCall(MatAssemblyBegin(change, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(change, MAT_FINAL_ASSEMBLY));
  PetscCall(MatrixAdd(K, 1.0, change));
  PetscCall(MatDestroy(&change));
  PetscCall(PetscFree3(rows, felt, share));
  PetscCall(TangentChangeDestroy(&release));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemStiffness(const System *system, JointState state, Mat *K)
{
  const PetscBool felt = (PetscBool)(system->residual && state == JOINT_SLIPPING);
  Mat             tangents, joints;

  PetscFunctionBegin;
  PetscCall(MatDuplicate(system->K, MAT_COPY_VALUES, K));
  if (system->names.num_nonlinear) {
    PetscCall(SystemTangents(system, felt ? JOINT_STUCK : state, &tangents));
    PetscCall(MatPtAP(tangents, system->B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &joints));
    PetscCall(MatrixAdd(K, 1.0, joints));
    PetscCall(MatDestroy(&joints));
    PetscCall(MatDestroy(&tangents));
    if (felt) PetscCall(AddFelt(system, K));
  }
  PetscCall(MatSetOption(*K, MAT_SYMMETRIC, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}
