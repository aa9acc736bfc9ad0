/* static_fields.c - the mesh where the path turns, and at its end, for ParaView: RESULT_NAME.xdmf beside RESULT.h5; and its reactions. */
#include "static.h"
#include "study/stresses.h"

typedef struct {
  const Static    *data;
  const ModeCache *cache;
  Mat              moved;
  Stresses         stresses; /* at the turn that was asked for last */
} Source;

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

/* Displacements, then stresses. */
static PetscErrorCode FindField(void *context, PetscInt turn, PetscInt field, PetscReal values[])
{
  Source *const source = context;
  Vec           motion;

  PetscFunctionBegin;
  if (field <= 1) {
    PetscCall(DeflectionsMotion(&source->data->turns, source->cache, turn, source->moved, turn, &motion));
    if (field == 0) PetscCall(MeshedPartSpread(ModelMeshed(source->cache->model), motion, values));
    else PetscCall(StressesFind(&source->stresses, &(ModelStress){.motion = motion}));
    PetscCall(VecDestroy(&motion));
  }
  if (field > 0) PetscCall(StressesGet(&source->stresses, field - 1, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteSeries(const char *path, Source *source, Series *series, PetscBool *whole)
{
  const Static *const data                               = source->data;
  const char         *names[1 + STRESSES_MOST_FIELDS]    = {"displacement"};
  PetscInt            widths[1 + STRESSES_MOST_FIELDS]   = {3};
  PetscBool           of_cells[1 + STRESSES_MOST_FIELDS] = {PETSC_FALSE};
  PetscReal          *rows;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(series->num_times, &rows));
  for (PetscInt t = 0; t < series->num_times; t++) rows[t] = (PetscReal)(t * data->keys.steps);
  series->times      = rows;
  series->num_fields = 1;
  series->fields     = names;
  series->widths     = widths;
  series->of_cells   = of_cells;
  if (data->keys.stresses) PetscCall(StressesCreate(source->cache->model, data->keys.stress_points, &source->stresses));
  StressesAppend(&source->stresses, &series->num_fields, names, widths, of_cells);
  PetscCall(SeriesWrite(path, ModelMesh(source->cache->model), series, whole));
  PetscCall(StressesDestroy(&source->stresses));
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteFields(const Study *study, Source *source, PetscInt num_turns, const Result *result)
{
  const Static *const data   = source->data;
  Series              series = {.name = study->name, .find = FindField, .source = source, .num_times = num_turns};
  PetscBool           whole;
  char                path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(FindPath(study, result, path));
  PetscCall(WriteSeries(path, source, &series, &whole));
  if (whole) ReportSay("  displacements%s where the path turns, for ParaView: %s\n", data->keys.stresses ? " and stresses" : "", path);
  if (whole && data->keys.stresses && !source->cache->system->residual) StressesSayReduced();
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticFieldsWrite(const Study *study, const ModeCache *cache, PetscInt num_rows, const Result *result)
{
  Static *const  data      = study->data;
  const PetscInt num_turns = num_rows ? (num_rows - 1) / data->keys.steps + 1 : 0;
  Source         source    = {.data = data, .cache = cache};
  PetscBool      fine;

  PetscFunctionBegin;
  if ((!data->keys.fields && !data->keys.reactions) || num_turns == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DeflectionsShare(cache->system, &data->turns));
  PetscCall(DeflectionsSolve(&data->turns, cache, 0, num_turns, &source.moved, &fine));
  if (fine && data->keys.reactions) PetscCall(StaticReactionsWrite(study, cache, num_turns, source.moved, result));
  if (fine && data->keys.fields) PetscCall(WriteFields(study, &source, num_turns, result));
  PetscCall(MatDestroy(&source.moved));
  PetscFunctionReturn(PETSC_SUCCESS);
}
