/* preload_fields.c - the mesh and its faces after each stage, for ParaView: RESULT_NAME.xdmf and RESULT_NAME_JOINT.xdmf beside RESULT.h5. */
#include "preload.h"
#include "study/stresses.h"

enum { SPACE = 3 };

typedef struct {
  const Preload   *preload;
  const ModeCache *cache;
  const Model     *model;
  const System    *system;
  Stresses         stresses; /* at the stage that was asked for last */

  const FacePoints   *points; /* of the faces that are written */
  PetscInt            first;  /* of their parts */
  const PreloadLayer *layer;  /* in place of parts, where they are none of a contact */
} Source;

/* Of the whole mesh where `joint` is NULL. */
static PetscErrorCode FindPath(const Study *study, const char *joint, const char *result_path, char path[PETSC_MAX_PATH_LEN])
{
  char suffix[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), "_%s%s%s.xdmf", study->name, joint ? "_" : "", joint ? joint : ""));
  PetscCall(ResultPathBeside(result_path, suffix, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsWanted(const Preload *preload, const Model *model)
{
  return (PetscBool)(preload->keys.fields && model && ModelMesh(model) && ModelIsReduced(model));
}

PetscErrorCode PreloadDeflect(Preload *preload, const ModeCache *cache, PetscBool *fine)
{
  const PetscInt first = IsWanted(preload, cache->model) ? 0 : preload->num_stages - 1;

  PetscFunctionBegin;
  *fine = PETSC_TRUE;
  if (!preload->moved) PetscCall(DeflectionsSolve(&preload->deflections, cache, first, preload->num_stages - first, &preload->moved, fine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadFieldsCheck(const Study *study, const ModeCache *cache, const char *result_path)
{
  const Preload *const preload = study->data;
  const Names *const   names   = &cache->system->names;
  char                 path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (!IsWanted(preload, cache->model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindPath(study, NULL, result_path, path));
  PetscCall(SeriesCheckPlace(path));
  for (PetscInt c = 0; c < names->num_contacts; c++) {
    if (!ModelFacePoints(cache->model, names->contacts[c].joint)) continue;
    PetscCall(FindPath(study, names->contacts[c].joint, result_path, path));
    PetscCall(SeriesCheckPlace(path));
  }
  for (PetscInt l = 0; l < preload->num_layers; l++) {
    PetscCall(FindPath(study, preload->layers[l].joint, result_path, path));
    PetscCall(SeriesCheckPlace(path));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The displacements of the nodes that this rank owns. */
static PetscErrorCode FindDisplacement(const Source *source, PetscInt stage, PetscReal values[])
{
  Vec motion;

  PetscFunctionBegin;
  PetscCall(DeflectionsMotion(&source->preload->deflections, source->cache, stage, source->preload->moved, stage, &motion));
  PetscCall(MeshedPartSpread(ModelMeshed(source->model), motion, values));
  PetscCall(VecDestroy(&motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindStresses(Source *source, PetscInt stage)
{
  const Preload *const preload = source->preload;
  const PetscInt       bolts   = stage * source->system->names.num_bolts;
  ModelStress          stress  = {.shift = preload->shift + bolts, .tension = preload->tension + bolts};

  PetscFunctionBegin;
  PetscCall(DeflectionsMotion(&preload->deflections, source->cache, stage, preload->moved, stage, &stress.motion));
  PetscCall(StressesFind(&source->stresses, &stress));
  PetscCall(VecDestroy(&stress.motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Displacements, then stresses. */
static PetscErrorCode FindMotion(void *context, PetscInt stage, PetscInt field, PetscReal values[])
{
  Source *const source = context;

  PetscFunctionBegin;
  if (field == 0) PetscCall(FindDisplacement(source, stage, values));
  if (field == 1) PetscCall(FindStresses(source, stage));
  if (field > 0) PetscCall(StressesGet(&source->stresses, field - 1, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { DISPLACEMENT, PRESSURE, STATE, GAP, SLIP, NUM_FACE_FIELDS };

static const char *const face_names[NUM_FACE_FIELDS] = {
  [DISPLACEMENT] = "displacement", [PRESSURE] = "pressure", [STATE] = "state", [GAP] = "gap", [SLIP] = "slip"};
static const PetscInt face_widths[NUM_FACE_FIELDS] = {[DISPLACEMENT] = SPACE, [PRESSURE] = 1, [STATE] = 1, [GAP] = 1, [SLIP] = SPACE};

/* What is not normal to the faces, along the axes of the model. */
static void FindSlip(const PetscReal motion[SPACE], const PetscReal frame[SPACE * SPACE], PetscReal slip[SPACE])
{
  for (PetscInt c = 0; c < SPACE; c++) slip[c] = motion[1] * frame[SPACE + c] + motion[2] * frame[2 * SPACE + c];
}

/* Nodes that no other face is against: open, their gap unknown. */
static PetscErrorCode FindFace(void *context, PetscInt stage, PetscInt field, PetscReal values[])
{
  const Source *const     source  = context;
  const Preload *const    preload = source->preload;
  const MeshNodes *const  nodes   = MeshGetNodes(ModelMesh(source->model));
  const PetscInt          parts   = stage * source->system->names.num_parts + source->first;
  const PetscReal *const  all[]   = {[PRESSURE] = preload->pressure, [STATE] = preload->state, [GAP] = preload->gap};
  const FacePoints *const points  = source->points;

  PetscFunctionBegin;
  if (field == DISPLACEMENT) {
    PetscCall(FindDisplacement(source, stage, values));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < face_widths[field] * nodes->count; i++) values[i] = field == GAP ? (PetscReal)NAN : 0.0;
  for (PetscInt i = 0; i < points->num_points; i++) {
    const PetscInt node = points->node[i] - nodes->first;

    if (node < 0 || node >= nodes->count) continue;
    if (field == SLIP) FindSlip(preload->motion + SPACE * (parts + i), points->frame + SPACE * SPACE * i, values + SPACE * node);
    else values[node] = all[field][parts + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { LAYER_DISPLACEMENT, LAYER_MOTION, LAYER_TRACTION, NUM_LAYER_FIELDS };

static const char *const layer_names[NUM_LAYER_FIELDS] = {
  [LAYER_DISPLACEMENT] = "displacement", [LAYER_MOTION] = "motion", [LAYER_TRACTION] = "traction"};
static const PetscInt layer_widths[NUM_LAYER_FIELDS] = {SPACE, SPACE, SPACE};

/* Along the axes of the model, in the directions in which laws act. Nodes that no other face is against transmit nothing, their motion is unknown. */
static PetscErrorCode FindLayer(void *context, PetscInt stage, PetscInt field, PetscReal values[])
{
  const Source *const       source = context;
  const PreloadLayer *const layer  = source->layer;
  const FacePoints *const   points = source->points;
  const MeshNodes *const    nodes  = MeshGetNodes(ModelMesh(source->model));
  const PetscReal *const    all    = (field == LAYER_MOTION ? layer->motion : layer->force) + SPACE * stage * layer->num_points;

  PetscFunctionBegin;
  if (field == LAYER_DISPLACEMENT) {
    PetscCall(FindDisplacement(source, stage, values));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < SPACE * nodes->count; i++) values[i] = field == LAYER_MOTION ? (PetscReal)NAN : 0.0;
  for (PetscInt i = 0; i < points->num_points; i++) {
    const PetscInt node = points->node[i] - nodes->first;

    for (PetscInt c = 0; c < SPACE && node >= 0 && node < nodes->count; c++) {
      values[SPACE * node + c] = 0.0;
      for (PetscInt d = 0; d < SPACE; d++)
        if (layer->first[d] >= 0) values[SPACE * node + c] += all[SPACE * i + d] * points->frame[SPACE * (SPACE * i + d) + c];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteSeries(const Study *study, const char *joint, Source *source, Series *series, const Result *result)
{
  char      path[PETSC_MAX_PATH_LEN];
  PetscBool whole;

  PetscFunctionBegin;
  series->name   = study->name;
  series->source = source;
  PetscCall(FindPath(study, joint, ResultPath(result), path));
  PetscCall(SeriesWrite(path, ModelMesh(source->model), series, &whole));
  if (whole)
    ReportSay("  %s after each stage, for ParaView: %s\n",
              joint                    ? joint
              : series->num_fields > 1 ? "displacements and stresses"
                                       : "displacements",
              path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteMesh(const Study *study, Source *source, Series series, const Result *result)
{
  const Preload *const preload                            = study->data;
  const char          *names[1 + STRESSES_MOST_FIELDS]    = {"displacement"};
  PetscInt             widths[1 + STRESSES_MOST_FIELDS]   = {SPACE};
  PetscBool            of_cells[1 + STRESSES_MOST_FIELDS] = {PETSC_FALSE};

  PetscFunctionBegin;
  series.num_fields = 1;
  series.fields     = names;
  series.widths     = widths;
  series.of_cells   = of_cells;
  series.find       = FindMotion;
  if (preload->keys.stresses) PetscCall(StressesCreate(source->model, preload->keys.stress_points, &source->stresses));
  StressesAppend(&source->stresses, &series.num_fields, names, widths, of_cells);
  PetscCall(WriteSeries(study, NULL, source, &series, result));
  PetscCall(StressesDestroy(&source->stresses));
  if (preload->keys.stresses && !source->system->residual) StressesSayReduced();
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteContacts(const Study *study, Source *source, Series series, const Result *result)
{
  const Names *const names = &source->system->names;

  PetscFunctionBegin;
  series.num_fields = NUM_FACE_FIELDS;
  series.fields     = face_names;
  series.widths     = face_widths;
  series.find       = FindFace;
  for (PetscInt c = 0; c < names->num_contacts; c++) {
    source->points = ModelFacePoints(source->model, names->contacts[c].joint);
    if (!source->points) continue;
    source->first = source->system->contacts[c].first;
    series.group  = MeshGetGroup(ModelMesh(source->model), source->points->group);
    PetscCall(WriteSeries(study, names->contacts[c].joint, source, &series, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteLayers(const Study *study, Source *source, Series series, const Result *result)
{
  PetscFunctionBegin;
  series.num_fields = NUM_LAYER_FIELDS;
  series.fields     = layer_names;
  series.widths     = layer_widths;
  series.find       = FindLayer;
  for (PetscInt l = 0; l < source->preload->num_layers; l++) {
    source->layer  = &source->preload->layers[l];
    source->points = ModelFacePoints(source->model, source->layer->joint);
    series.group   = MeshGetGroup(ModelMesh(source->model), source->points->group);
    PetscCall(WriteSeries(study, source->layer->joint, source, &series, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteAll(const Study *study, Source *source, const Result *result)
{
  const Preload *const preload = study->data;
  Series               series  = {.num_times = preload->num_stages};
  PetscReal           *stages;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(preload->num_stages, &stages));
  for (PetscInt s = 0; s < preload->num_stages; s++) stages[s] = (PetscReal)s;
  series.times = stages;
  PetscCall(WriteMesh(study, source, series, result));
  PetscCall(WriteContacts(study, source, series, result));
  PetscCall(WriteLayers(study, source, series, result));
  PetscCall(PetscFree(stages));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadFieldsWrite(const Study *study, const ModeCache *cache, const Result *result)
{
  Preload *const preload = study->data;
  Source         source  = {.preload = preload, .cache = cache, .model = cache->model, .system = cache->system};
  PetscBool      fine;

  PetscFunctionBegin;
  if (!IsWanted(preload, cache->model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PreloadDeflect(preload, cache, &fine));
  if (fine) PetscCall(WriteAll(study, &source, result));
  PetscCall(MatDestroy(&preload->moved));
  PetscFunctionReturn(PETSC_SUCCESS);
}
