/* deflection_series.c - motions of a whole mesh, and its stresses, one state after another, for ParaView. */
#include "study/deflections.h"
#include "study/stresses.h"

typedef struct {
  const Deflections *deflections;
  const ModeCache   *cache;
  Mat                moved;
  Stresses           stresses; /* at the state that was asked for last */
} Source;

/* Displacements, then stresses. */
static PetscErrorCode FindField(void *context, PetscInt i, PetscInt field, PetscReal values[])
{
  Source *const source = context;
  Vec           motion;

  PetscFunctionBegin;
  if (field <= 1) {
    PetscCall(DeflectionsMotion(source->deflections, source->cache, i, source->moved, i, &motion));
    if (field == 0) PetscCall(MeshedPartSpread(ModelMeshed(source->cache->model), motion, values));
    else PetscCall(StressesFind(&source->stresses, &(ModelStress){.motion = motion}));
    PetscCall(VecDestroy(&motion));
  }
  if (field > 0) PetscCall(StressesGet(&source->stresses, field - 1, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteSeries(const DeflectionSeries *asked, Source *source, PetscBool *whole)
{
  const char *names[1 + STRESSES_MOST_FIELDS]    = {"displacement"};
  PetscInt    widths[1 + STRESSES_MOST_FIELDS]   = {3};
  PetscBool   of_cells[1 + STRESSES_MOST_FIELDS] = {PETSC_FALSE};
  Series      series                             = {.name       = asked->name,
                                                    .num_times  = asked->count,
                                                    .times      = asked->times,
                                                    .num_fields = 1,
                                                    .fields     = names,
                                                    .find       = FindField,
                                                    .source     = source,
                                                    .widths     = widths,
                                                    .of_cells   = of_cells};

  PetscFunctionBegin;
  if (asked->stresses) PetscCall(StressesCreate(source->cache->model, asked->stress_points, &source->stresses));
  StressesAppend(&source->stresses, &series.num_fields, names, widths, of_cells);
  PetscCall(SeriesWrite(asked->path, ModelMesh(source->cache->model), &series, whole));
  PetscCall(StressesDestroy(&source->stresses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DeflectionsWrite(const Deflections *deflections, const ModeCache *cache, Mat moved, const DeflectionSeries *series, PetscBool *whole)
{
  Source source = {.deflections = deflections, .cache = cache, .moved = moved};

  PetscFunctionBegin;
  *whole = PETSC_FALSE;
  PetscCall(WriteSeries(series, &source, whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}
