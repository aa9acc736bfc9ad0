/* system_result.c - the System in the result file: names of motions, rows of joints, matrices of small systems. */
#include "studies.h"

enum { LARGEST_WRITTEN = 500 }; /* unknowns: two megabytes a matrix */

/* The names of the motions that shapes and points are given in: "u2 x". */
static PetscErrorCode WriteMotions(const System *system, Result *result)
{
  char **names;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(system->num_motions, &names));
  for (PetscInt p = 0; p < system->num_points; p++)
    for (PetscInt c = 0; c < system->points[p].num_components; c++) {
      char name[RESULT_TEXT_LENGTH];

      PetscCall(PetscSNPrintf(name, sizeof(name), "%s %s", system->points[p].name, direction_names[system->points[p].direction[c]]));
      PetscCall(PetscStrallocpy(name, &names[system->points[p].first_row + c]));
    }
  PetscCall(ResultWriteTexts(result, "/system/motions", system->num_motions, (const char *const *)names));
  for (PetscInt i = 0; i < system->num_motions; i++) PetscCall(PetscFree(names[i]));
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The names of the rows of B: "bolt1 x". */
static PetscErrorCode WriteRows(const System *system, Result *result)
{
  char **names;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(system->num_rows, &names));
  for (PetscInt r = 0; r < system->num_rows; r++) {
    char name[RESULT_TEXT_LENGTH];

    PetscCall(PetscSNPrintf(name, sizeof(name), "%s %s", system->rows[r].joint, direction_names[system->rows[r].direction]));
    PetscCall(PetscStrallocpy(name, &names[r]));
  }
  PetscCall(ResultWriteTexts(result, "/system/joint_rows", system->num_rows, (const char *const *)names));
  for (PetscInt r = 0; r < system->num_rows; r++) PetscCall(PetscFree(names[r]));
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteMatrix(Mat matrix, const char *path, Result *result)
{
  PetscInt   rows, columns;
  PetscInt64 dims[2];
  PetscReal *dense;

  PetscFunctionBegin;
  if (!matrix) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(matrix, &rows, &columns));
  dims[0] = rows;
  dims[1] = columns;
  PetscCall(PetscCalloc1(rows * columns, &dense));
  for (PetscInt i = 0; i < rows; i++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(matrix, i, &count, &column, &value));
    for (PetscInt j = 0; j < count; j++) dense[i * columns + column[j]] = value[j];
    PetscCall(MatRestoreRow(matrix, i, &count, &column, &value));
  }
  PetscCall(ResultWriteReals(result, path, 2, dims, dense));
  PetscCall(PetscFree(dense));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemWrite(const System *system, Result *result)
{
  PetscFunctionBegin;
  PetscCall(WriteMotions(system, result));
  if (system->num_rows) PetscCall(WriteRows(system, result));
  if (system->num_unknowns > LARGEST_WRITTEN || system->continuum) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(WriteMatrix(system->M, "/system/mass", result));
  PetscCall(WriteMatrix(system->K, "/system/stiffness", result));
  PetscCall(WriteMatrix(system->C, "/system/damping", result));
  if (system->num_rows) PetscCall(WriteMatrix(system->B, "/system/joint_map", result));
  PetscCall(ResultAttributeText(result, "/system", "stiffness", "without the nonlinear joints"));
  PetscFunctionReturn(PETSC_SUCCESS);
}
