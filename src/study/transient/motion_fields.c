/* motion_fields.c - the motion of the mesh in a run, for ParaView: RESULT_RUN.xdmf and its numbers beside RESULT.h5. */
#include "motion_fields.h"

typedef struct {
  const Model   *model;
  const Modes   *modes; /* whose coordinates moved; NULL: the unknowns did */
  const Result  *result;
  const Finding *motions; /* of the unknowns */
  PetscReal     *unknowns, *coordinates;
} Source;

static PetscErrorCode FindPath(const Run *run, const char *result_path, char path[PETSC_MAX_PATH_LEN])
{
  char suffix[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), "_%s.xdmf", run->name));
  PetscCall(ResultPathBeside(result_path, suffix, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionFieldsCheck(const Run *run, const char *result_path)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (run->snapshots.count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindPath(run, result_path, path));
  PetscCall(SeriesCheckPlace(path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindField(void *context, PetscInt time, PetscInt field, PetscReal values[])
{
  const Source *const source = context;

  PetscFunctionBegin;
  PetscCall(
    FindingRead(source->motions, SNAPSHOTS_DISPLACEMENT + field, time, 1, source->modes ? source->coordinates : source->unknowns, source->result));
  if (source->modes) PetscCall(ModesExpand(source->modes, source->coordinates, source->unknowns));
  PetscCall(MeshedModelExpand(ModelMeshedModel(source->model), source->unknowns, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionFieldsWrite(const Run *run, const ModeCache *cache, const Modes *modes, const Result *result, PetscBool *whole)
{
  static const char *const names[]   = {"displacement", "velocity"};
  const Snapshots *const   snapshots = &run->snapshots;
  Source                   source    = {.model = cache->model, .modes = modes, .result = result, .motions = snapshots->finding};
  Series     series = {.name = run->name, .num_fields = snapshots->velocity ? 2 : 1, .fields = names, .find = FindField, .source = &source};
  char       path[PETSC_MAX_PATH_LEN];
  PetscInt64 steps;
  PetscReal *times;

  PetscFunctionBegin;
  *whole = PETSC_TRUE;
  if (snapshots->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingRead(run->recorder.run, RUN_STEPS, 0, 1, &steps, result));
  while (series.num_times < snapshots->count && snapshots->steps[series.num_times] <= steps) series.num_times++;
  if (series.num_times == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindPath(run, ResultPath(result), path));
  PetscCall(PetscMalloc3(series.num_times, &times, cache->system->num_unknowns, &source.unknowns, cache->system->num_unknowns, &source.coordinates));
  PetscCall(FindingRead(snapshots->finding, SNAPSHOTS_TIME, 0, series.num_times, times, result));
  series.times = times;
  PetscCall(SeriesWrite(path, ModelMesh(cache->model), &series, whole));
  if (*whole) ReportSay("  motion at %" PetscInt_FMT " times, for ParaView: %s\n", series.num_times, path);
  PetscCall(PetscFree3(times, source.unknowns, source.coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}
