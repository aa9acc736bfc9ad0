/* stiffness.c - the stiffness of a System while its joints all stick, or all slip. */
#include "system.h"
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

PetscErrorCode SystemJointStiffness(const System *system, JointState state, PetscReal stiffness[])
{
  const PetscInt m = system->names.num_nonlinear;
  PetscReal      tangent[JOINT_MAX_DIM * JOINT_MAX_DIM];

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(stiffness, m * m));
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *block = &system->blocks[b];
    const PetscInt     dim = block->block.law->dim, n = block->block.num_points;

    for (PetscInt i = 0; i < n; i++) {
      SystemBlockStiffness(block, state, i, tangent);
      for (PetscInt c = 0; c < dim; c++)
        for (PetscInt e = 0; e < dim; e++) SystemBlockAddTangent(block, c * n + i, e * n + i, tangent[c * dim + e], m, stiffness);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
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

/* What slipping changes of the tangents, among the rows where it changes any: D, [count, count]; the rows: [count]. */
typedef struct {
  PetscInt   count, *row;
  PetscReal *change;
} Release;

static PetscErrorCode ReleaseCreate(const System *system, Release *release)
{
  const PetscInt m = system->names.num_nonlinear;
  PetscReal     *slipping, *stuck;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(m * m, &slipping, m * m, &stuck));
  PetscCall(SystemJointStiffness(system, JOINT_SLIPPING, slipping));
  PetscCall(SystemJointStiffness(system, JOINT_STUCK, stuck));
  for (PetscInt i = 0; i < m * m; i++) slipping[i] -= stuck[i];
  *release = (Release){.count = 0};
  PetscCall(PetscMalloc1(m, &release->row));
  for (PetscInt i = 0; i < m; i++) {
    PetscBool changes = PETSC_FALSE;

    for (PetscInt j = 0; j < m && !changes; j++) changes = (PetscBool)(slipping[i * m + j] != 0.0);
    if (changes) release->row[release->count++] = i;
  }
  PetscCall(PetscMalloc1(release->count * release->count, &release->change));
  for (PetscInt a = 0; a < release->count; a++)
    for (PetscInt b = 0; b < release->count; b++) release->change[a * release->count + b] = slipping[release->row[a] * m + release->row[b]];
  PetscCall(PetscFree2(slipping, stuck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReleaseDestroy(Release *release)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(release->row));
  PetscCall(PetscFree(release->change));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of B that change, dense: [count, n]. */
static PetscErrorCode RowsOfJoints(const System *system, const Release *release, PetscReal rows[])
{
  const PetscInt n = system->num_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(rows, release->count * n));
  for (PetscInt a = 0; a < release->count; a++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(system->B, release->row[a], &count, &column, &value));
    for (PetscInt k = 0; k < count; k++) rows[a * n + column[k]] = value[k];
    PetscCall(MatRestoreRow(system->B, release->row[a], &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 1 + D R, R the compliance of modes that were left out, column-major. D has few entries a row. */
static void FindFlow(const System *system, const Release *release, PetscReal flow[])
{
  const PetscInt count = release->count;

  for (PetscInt a = 0; a < count; a++) {
    for (PetscInt b = 0; b < count; b++) flow[a + b * count] = a == b;
    for (PetscInt k = 0; k < count; k++) {
      const PetscReal change = release->change[a * count + k];

      for (PetscInt b = 0; b < count && change != 0.0; b++)
        flow[a + b * count] += change * SystemCompliance(system, release->row[k], release->row[b]);
    }
  }
}

/* X = (1 + D R)^-1 D B: [count, n], in columns of BLAS. */
static PetscErrorCode FeelRows(const System *system, const Release *release, const PetscReal rows[], PetscReal felt[])
{
  const PetscInt  count = release->count, n = system->num_unknowns;
  const PetscReal one = 1.0, zero = 0.0;
  PetscBLASInt    size, width, info, *pivots;
  PetscReal      *flow;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(count, &size));
  PetscCall(PetscBLASIntCast(n, &width));
  PetscCall(PetscMalloc2(count * count, &flow, count, &pivots));
  FindFlow(system, release, flow);
  BLASgemm_("T", "T", &size, &width, &size, &one, release->change, &size, rows, &width, &zero, felt, &size);
  LAPACKgesv_(&size, &width, flow, &size, pivots, felt, &size, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_CONV_FAILED, "a joint that slips leaves a motion that nothing resists to modes left out");
  PetscCall(PetscFree2(flow, pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A change D of the tangents from k, seen through the compliance R of modes that were left out: B^T (D^-1 + R)^-1 B = B^T (1 + D R)^-1 D B. */
static PetscErrorCode AddFelt(const System *system, Mat *K)
{
  const PetscInt  n   = system->num_unknowns;
  const PetscReal one = 1.0, zero = 0.0;
  PetscBLASInt    size, width;
  PetscReal      *rows, *felt, *share;
  Release         release;
  Mat             change;

  PetscFunctionBegin;
  PetscCall(ReleaseCreate(system, &release));
  PetscCall(PetscMalloc3(release.count * n, &rows, release.count * n, &felt, n * n, &share));
  PetscCall(RowsOfJoints(system, &release, rows));
  PetscCall(FeelRows(system, &release, rows, felt));
  PetscCall(PetscBLASIntCast(release.count, &size));
  PetscCall(PetscBLASIntCast(n, &width));
  BLASgemm_("N", "N", &width, &width, &size, &one, rows, &width, felt, &size, &zero, share, &width);
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, n, NULL, &change));
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) PetscCall(MatSetValue(change, i, j, 0.5 * (share[i * n + j] + share[j * n + i]), INSERT_VALUES));
  PetscCall(MatAssemblyBegin(change, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(change, MAT_FINAL_ASSEMBLY));
  PetscCall(MatrixAdd(K, 1.0, change));
  PetscCall(MatDestroy(&change));
  PetscCall(PetscFree3(rows, felt, share));
  PetscCall(ReleaseDestroy(&release));
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
