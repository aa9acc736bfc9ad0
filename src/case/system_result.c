/* system_result.c - the System in the result file: names of motions, rows of joints, unknowns; its matrices. */
#include "export.h"

enum { LARGEST_WRITTEN = 500 }; /* unknowns: two megabytes a matrix */

static PetscErrorCode WriteNames(const char *path, PetscInt count, char **names, Result *result)
{
  PetscFunctionBegin;
  PetscCall(ResultWriteTexts(result, path, count, (const char *const *)names));
  for (PetscInt i = 0; i < count; i++) PetscCall(PetscFree(names[i]));
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "bolt1 x" */
static PetscErrorCode Name(const char *what, PetscInt direction, char **name)
{
  char text[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(text, sizeof(text), "%s %s", what, direction_names[direction]));
  PetscCall(PetscStrallocpy(text, name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The names of the motions that shapes and points are given in: "u2 x". */
static PetscErrorCode WriteMotions(const System *system, Result *result)
{
  char **names;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(system->num_motions, &names));
  for (PetscInt p = 0; p < system->num_points; p++) {
    const SystemPoint *const point = &system->points[p];

    for (PetscInt c = 0; c < point->num_components; c++) PetscCall(Name(point->name, point->direction[c], &names[point->first_row + c]));
  }
  PetscCall(WriteNames("/system/motions", system->num_motions, names, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The names of the rows of B: "bolt1 x". */
static PetscErrorCode WriteRows(const System *system, Result *result)
{
  char **names;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(system->num_rows, &names));
  for (PetscInt r = 0; r < system->num_rows; r++) PetscCall(Name(system->rows[r].joint, system->rows[r].direction, &names[r]));
  PetscCall(WriteNames("/system/joint_rows", system->num_rows, names, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each unknown has the name of the first motion that it is; the others are modes. */
static PetscErrorCode WriteUnknowns(const System *system, Result *result)
{
  PetscInt num_modes = 0;
  char   **names;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(system->num_unknowns, &names));
  for (PetscInt p = 0; p < system->num_points; p++) {
    const SystemPoint *const point = &system->points[p];

    for (PetscInt c = 0; c < point->num_components; c++)
      if (point->unknown[c] >= 0 && !names[point->unknown[c]]) PetscCall(Name(point->name, point->direction[c], &names[point->unknown[c]]));
  }
  for (PetscInt i = 0; i < system->num_unknowns; i++) {
    char text[RESULT_TEXT_LENGTH];

    if (names[i]) continue;
    PetscCall(PetscSNPrintf(text, sizeof(text), "mode %" PetscInt_FMT, ++num_modes));
    PetscCall(PetscStrallocpy(text, &names[i]));
  }
  PetscCall(WriteNames("/system/unknowns", system->num_unknowns, names, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* With a word on what it holds. */
static PetscErrorCode WriteMatrix(Mat matrix, const char *path, const char *holds, Result *result)
{
  PetscInt   rows, columns;
  PetscInt64 dims[2];
  PetscReal *dense;

  PetscFunctionBegin;
  if (!matrix) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(matrix, &rows, &columns));
  dims[0] = rows;
  dims[1] = columns;
  PetscCall(PetscCalloc1((size_t)rows * (size_t)columns, &dense));
  for (PetscInt i = 0; i < rows; i++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(matrix, i, &count, &column, &value));
    for (PetscInt j = 0; j < count; j++) dense[(size_t)i * (size_t)columns + (size_t)column[j]] = value[j];
    PetscCall(MatRestoreRow(matrix, i, &count, &column, &value));
  }
  PetscCall(ResultWriteReals(result, path, 2, dims, dense));
  PetscCall(ResultAttributeText(result, path, "holds", holds));
  PetscCall(PetscFree(dense));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The stiffness while all joints stick, or all slip. */
static PetscErrorCode WriteStiffness(const System *system, JointState state, const char *path, const char *holds, Result *result)
{
  Mat stiffness;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, state, &stiffness));
  PetscCall(WriteMatrix(stiffness, path, holds, result));
  PetscCall(MatDestroy(&stiffness));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the linear laws of each row have put into stiffness and damping. */
static PetscErrorCode WriteLinearLaws(const System *system, Result *result)
{
  const PetscInt64 count = system->num_rows;
  PetscReal       *stiffness, *damping;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &stiffness, count, &damping));
  for (PetscInt r = 0; r < system->num_rows; r++) {
    stiffness[r] = system->rows[r].stiffness;
    damping[r]   = system->rows[r].damping;
  }
  PetscCall(ResultWriteReals(result, "/system/joint_stiffness", 1, &count, stiffness));
  PetscCall(ResultWriteReals(result, "/system/joint_damping", 1, &count, damping));
  PetscCall(PetscFree2(stiffness, damping));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* M r */
static PetscErrorCode WriteBase(const System *system, Result *result)
{
  const PetscInt64   dims[2] = {system->num_unknowns, NUM_DIRECTIONS};
  const PetscScalar *value;
  PetscReal         *inertia;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(dims[0] * dims[1], &inertia));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    if (!system->base[d]) continue;
    PetscCall(VecGetArrayRead(system->base[d], &value));
    for (PetscInt i = 0; i < system->num_unknowns; i++) inertia[i * NUM_DIRECTIONS + d] = value[i];
    PetscCall(VecRestoreArrayRead(system->base[d], &value));
  }
  PetscCall(ResultWriteReals(result, "/system/base_inertia", 2, dims, inertia));
  PetscCall(PetscFree(inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the matrix of damping does not hold. */
static PetscErrorCode WriteModalDamping(const System *system, Result *result)
{
  const PetscInt64 count = system->damping.num_ratios;

  PetscFunctionBegin;
  if (count) PetscCall(ResultWriteReals(result, "/system/modal_damping", 1, &count, system->damping.ratios));
  PetscCall(ResultAttributeReal(result, "/system", "rayleigh_mass", system->damping.mass_factor));
  PetscCall(ResultAttributeReal(result, "/system", "rayleigh_stiffness", system->damping.stiffness_factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteJoints(const System *system, Result *result)
{
  PetscFunctionBegin;
  PetscCall(WriteMatrix(system->B, "/system/joint_map", "motions of joints (joint_rows) by unknowns", result));
  PetscCall(WriteLinearLaws(system, result));
  if (!system->num_nonlinear) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WriteStiffness(system, JOINT_STUCK, "/system/stiffness_stuck", "stiffness and the tangents of all joints while they stick", result));
  PetscCall(WriteStiffness(system, JOINT_SLIPPING, "/system/stiffness_slipping", "stiffness and the tangents of all joints while they slip", result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemWrite(const System *system, PetscBool matrices, Result *result)
{
  PetscFunctionBegin;
  PetscCall(WriteMotions(system, result));
  if (system->num_rows) PetscCall(WriteRows(system, result));
  if (system->continuum || (!matrices && system->num_unknowns > LARGEST_WRITTEN)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WriteUnknowns(system, result));
  PetscCall(WriteMatrix(system->M, "/system/mass", "all masses", result));
  PetscCall(WriteMatrix(system->K, "/system/stiffness", "everything linear, the springs of joints too, and nothing of nonlinear laws", result));
  PetscCall(WriteMatrix(system->C, "/system/damping", "dampers, those of joints too, and given damping; not modal and Rayleigh damping", result));
  PetscCall(WriteMatrix(system->T, "/system/motion_map", "motions of points (motions) by unknowns", result));
  if (system->num_rows) PetscCall(WriteJoints(system, result));
  PetscCall(WriteBase(system, result));
  PetscCall(WriteModalDamping(system, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
