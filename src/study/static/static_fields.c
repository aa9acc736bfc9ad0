/* static_fields.c - the mesh where the path turns, and at its end, for ParaView: RESULT_NAME.xdmf beside RESULT.h5; and its reactions. */
#include "static.h"
#include "study/stresses.h"

static PetscErrorCode FindPath(const Study *study, const Result *result, char path[PETSC_MAX_PATH_LEN])
{
  char suffix[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), "_%s.xdmf", study->name));
  PetscCall(ResultPathBeside(ResultPath(result), suffix, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticFieldsBegin(const Study *study, const ModeCache *cache, const Result *result)
{
  Static *const data = study->data;
  char          path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (!data->keys.fields && !data->keys.reactions) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindPath(study, result, path));
  if (data->keys.fields) PetscCall(SeriesCheckPlace(path));
  PetscCall(DeflectionsCreate(cache->system, (data->num_rows - 1) / data->keys.steps + 1, &data->turns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticFieldsTake(Static *data, PetscInt row, const Statics *statics, const State *state)
{
  PetscFunctionBegin;
  if ((data->keys.fields || data->keys.reactions) && row % data->keys.steps == 0)
    PetscCall(DeflectionsTake(&data->turns, row / data->keys.steps, statics, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteFields(const Study *study, const ModeCache *cache, PetscInt num_turns, Mat moved, const Result *result)
{
  Static *const data = study->data;
  PetscBool     whole;
  PetscReal    *rows;
  char          path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(FindPath(study, result, path));
  PetscCall(PetscMalloc1(num_turns, &rows));
  for (PetscInt t = 0; t < num_turns; t++) rows[t] = (PetscReal)(t * data->keys.steps);
  PetscCall(DeflectionsWrite(&data->turns, cache, moved,
                             &(DeflectionSeries){path, study->name, num_turns, rows, data->keys.stresses, data->keys.stress_points}, &whole));
  PetscCall(PetscFree(rows));
  if (whole) ReportSay("  displacements%s where the path turns, for ParaView: %s\n", data->keys.stresses ? " and stresses" : "", path);
  if (whole && data->keys.stresses && !cache->system->residual) StressesSayReduced();
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticFieldsWrite(const Study *study, const ModeCache *cache, PetscInt num_rows, const Result *result)
{
  Static *const  data      = study->data;
  const PetscInt num_turns = num_rows ? (num_rows - 1) / data->keys.steps + 1 : 0;
  PetscBool      fine;
  Mat            moved;

  PetscFunctionBegin;
  if ((!data->keys.fields && !data->keys.reactions) || num_turns == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DeflectionsShare(cache->system, &data->turns));
  PetscCall(DeflectionsSolve(&data->turns, cache, 0, num_turns, &moved, &fine));
  if (fine && data->keys.reactions) PetscCall(StaticReactionsWrite(study, cache, num_turns, moved, result));
  if (fine && data->keys.fields) PetscCall(WriteFields(study, cache, num_turns, moved, result));
  PetscCall(MatDestroy(&moved));
  PetscFunctionReturn(PETSC_SUCCESS);
}
