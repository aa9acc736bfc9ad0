/* motion_fields.c - the motion of the mesh in a run, for ParaView: RESULT_RUN.xdmf and its numbers beside RESULT.h5. */
#include "motion_fields.h"
#include "study/mesh_motions.h"
#include "study/stresses.h"

typedef struct {
  const Model   *model;
  const Modes   *modes; /* whose coordinates moved; NULL: the unknowns did */
  const Result  *result;
  const Finding *motions; /* of the unknowns */
  PetscReal     *unknowns, *coordinates;
  MeshMotions    displacements;
  PetscInt       num_motions; /* fields of these; behind them come stresses */
  Stresses       stresses;    /* at the time that was asked for last */
} Source;

/* Of the unknowns of the System. */
static PetscErrorCode ReadMotion(const Source *source, PetscInt time, PetscInt field, PetscReal unknowns[])
{
  PetscFunctionBegin;
  PetscCall(FindingRead(source->motions, SNAPSHOTS_DISPLACEMENT + field, time, 1, source->modes ? source->coordinates : unknowns, source->result));
  if (source->modes) PetscCall(ModesExpand(source->modes, source->coordinates, unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All times: they are little beside a motion of the mesh. */
static PetscErrorCode ReadDisplacements(const ModeCache *cache, const Snapshots *snapshots, PetscInt num_times, Source *source)
{
  Deflections *const deflections = &source->displacements.deflections;
  const PetscInt     n = cache->system->num_unknowns, num_places = SystemNumPlaces(cache->system);

  PetscFunctionBegin;
  PetscCall(MeshMotionsCreate(cache, num_times, &source->displacements));
  for (PetscInt i = 0; i < num_times; i++) {
    PetscCall(ReadMotion(source, i, 0, deflections->coordinates + i * n));
    if (snapshots->forces) PetscCall(FindingRead(source->motions, SNAPSHOTS_FORCE, i, 1, deflections->forces + i * num_places, source->result));
  }
  if (snapshots->forces) PetscCall(MeshMotionsSettle(&source->displacements));
  PetscFunctionReturn(PETSC_SUCCESS);
}

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

/* Displacements are those of all modes where the forces at these times are known; velocities, those of the modes that are kept. */
static PetscErrorCode FindMotion(Source *source, PetscInt time, PetscInt field, Vec *motion)
{
  PetscFunctionBegin;
  if (field == 0) {
    PetscCall(MeshMotionsFind(&source->displacements, time, motion));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(ReadMotion(source, time, field, source->unknowns));
  PetscCall(MeshedModelMotion(ModelMeshedModel(source->model), source->unknowns, NULL, motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindField(void *context, PetscInt time, PetscInt field, PetscReal values[])
{
  Source *const source = context;
  Vec           motion;

  PetscFunctionBegin;
  if (field <= source->num_motions) {
    const PetscBool of_stress = (PetscBool)(field == source->num_motions);

    PetscCall(FindMotion(source, time, of_stress ? 0 : field, &motion));
    if (of_stress) PetscCall(StressesFind(&source->stresses, &(ModelStress){.motion = motion}));
    else PetscCall(MeshedPartSpread(ModelMeshed(source->model), motion, values));
    PetscCall(VecDestroy(&motion));
  }
  if (field >= source->num_motions) PetscCall(StressesGet(&source->stresses, field - source->num_motions, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Write(const char *path, const Snapshots *snapshots, Source *source, Series *series, PetscBool *whole)
{
  const char *names[2 + STRESSES_MOST_FIELDS]    = {"displacement", "velocity"};
  PetscInt    widths[2 + STRESSES_MOST_FIELDS]   = {3, 3};
  PetscBool   of_cells[2 + STRESSES_MOST_FIELDS] = {PETSC_FALSE};

  PetscFunctionBegin;
  series->num_fields = source->num_motions = snapshots->velocity ? 2 : 1;
  series->fields                           = names;
  series->widths                           = widths;
  series->of_cells                         = of_cells;
  if (snapshots->stresses) PetscCall(StressesCreate(source->model, snapshots->stress_points, &source->stresses));
  StressesAppend(&source->stresses, &series->num_fields, names, widths, of_cells);
  PetscCall(SeriesWrite(path, ModelMesh(source->model), series, whole));
  PetscCall(StressesDestroy(&source->stresses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a stress is not. */
static void SayStresses(const System *system, const Snapshots *snapshots)
{
  if (!system->residual) StressesSayReduced();
  else if (!snapshots->forces)
    ReportSay("  stresses are those of the modes of the model: a modal model tells no forces, and so nothing of the modes left out\n");
}

PetscErrorCode MotionFieldsWrite(const Run *run, const ModeCache *cache, const Modes *modes, const Result *result, PetscBool *whole)
{
  const Snapshots *const snapshots = &run->snapshots;
  Source                 source    = {.model = cache->model, .modes = modes, .result = result, .motions = snapshots->finding};
  Series                 series    = {.name = run->name, .find = FindField, .source = &source};
  char                   path[PETSC_MAX_PATH_LEN];
  PetscInt64             steps;
  PetscReal             *times;

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
  PetscCall(ReadDisplacements(cache, snapshots, series.num_times, &source));
  *whole = source.displacements.fine;
  if (*whole) PetscCall(Write(path, snapshots, &source, &series, whole));
  PetscCall(MeshMotionsDestroy(&source.displacements));
  if (*whole)
    ReportSay("  motion%s at %" PetscInt_FMT " times, for ParaView: %s\n", snapshots->stresses ? " and stresses" : "", series.num_times, path);
  if (*whole && snapshots->stresses) SayStresses(cache->system, snapshots);
  PetscCall(PetscFree3(times, source.unknowns, source.coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}
