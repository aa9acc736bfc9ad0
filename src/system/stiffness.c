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

/* A change D of the tangents from k, seen through the compliance R of modes that were left out: (D^-1 + R)^-1 = (1 + D R)^-1 D. */
static PetscErrorCode Soften(const System *system, PetscReal change[])
{
  const PetscInt m = system->names.num_nonlinear;
  PetscBLASInt   size, info, *pivots;
  PetscReal     *matrix;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(m, &size));
  PetscCall(PetscCalloc2(m * m, &matrix, m, &pivots));
  for (PetscInt i = 0; i < m; i++)
    for (PetscInt j = 0; j < m; j++) {
      matrix[i + j * m] = i == j;
      for (PetscInt k = 0; k < m; k++) matrix[i + j * m] += change[i * m + k] * SystemCompliance(system, k, j);
    }
  LAPACKgesv_(&size, &size, matrix, &size, pivots, change, &size, &info); /* `change` is symmetric: columns are rows */
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_CONV_FAILED, "a joint that slips leaves a motion that nothing resists to modes left out");
  PetscCall(PetscFree2(matrix, pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The tangents between the nonlinear rows of B as what has mass feels them: [m, m]. */
static PetscErrorCode FeltStiffness(const System *system, JointState state, PetscReal stiffness[])
{
  const PetscInt num = system->names.num_nonlinear * system->names.num_nonlinear;
  PetscReal     *stuck;

  PetscFunctionBegin;
  PetscCall(SystemJointStiffness(system, state, stiffness));
  if (!system->residual || state == JOINT_STUCK) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(num, &stuck));
  PetscCall(SystemJointStiffness(system, JOINT_STUCK, stuck));
  for (PetscInt i = 0; i < num; i++) stiffness[i] -= stuck[i];
  PetscCall(Soften(system, stiffness));
  for (PetscInt i = 0; i < num; i++) stiffness[i] += stuck[i];
  PetscCall(PetscFree(stuck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nonlinear rows of B, with the tangents between them as a sparse matrix of the same height as B. */
static PetscErrorCode TangentMatrix(const System *system, JointState state, Mat *tangent)
{
  const PetscInt m = system->names.num_nonlinear, num_rows = system->names.num_rows;
  PetscReal     *dense;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m * m, &dense));
  PetscCall(FeltStiffness(system, state, dense));
  PetscCall(MatCreate(PETSC_COMM_SELF, tangent));
  PetscCall(MatSetSizes(*tangent, num_rows, num_rows, num_rows, num_rows));
  PetscCall(MatSetType(*tangent, MATSEQAIJ));
  PetscCall(MatSetUp(*tangent));
  PetscCall(MatSetOption(*tangent, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  for (PetscInt r = 0; r < m; r++)
    for (PetscInt c = 0; c < m; c++)
      if (r == c || dense[r * m + c] != 0.0) PetscCall(MatSetValue(*tangent, r, c, dense[r * m + c], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(*tangent, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*tangent, MAT_FINAL_ASSEMBLY));
  PetscCall(PetscFree(dense));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemStiffness(const System *system, JointState state, Mat *K)
{
  Mat tangent, joints;

  PetscFunctionBegin;
  PetscCall(MatDuplicate(system->K, MAT_COPY_VALUES, K));
  if (system->names.num_nonlinear) {
    PetscCall(TangentMatrix(system, state, &tangent));
    PetscCall(MatPtAP(tangent, system->B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &joints));
    PetscCall(MatrixAdd(K, 1.0, joints));
    PetscCall(MatDestroy(&joints));
    PetscCall(MatDestroy(&tangent));
  }
  PetscCall(MatSetOption(*K, MAT_SYMMETRIC, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}
