/*
  preload_fields.c - the mesh and its faces after each stage, for ParaView: RESULT_NAME.xdmf and RESULT_NAME_JOINT.xdmf beside RESULT.h5.

  All that acts at a stage is known as forces on the places of the System: loads p, bolts -V delta, joints -B^T g. The whole mesh moves by

      u = K0^-1 (p - V delta - B^T g),    g = f - k d

  which is asked for all stages at once. Loads that follow modes act on these alone: Phi Omega^-2 Phi^T p is added.
*/
#include "preload.h"

enum { SPACE = 3 };

typedef struct {
  const Preload *preload;
  const Model   *model;
  const System  *system;

  const FacePoints   *points; /* of the faces that are written */
  PetscInt            first;  /* of their parts */
  const PreloadLayer *layer;  /* in place of parts, where they are none of a contact */
} Source;

PetscErrorCode PreloadFieldsTake(Preload *preload, PetscInt stage, const Statics *statics, const State *state)
{
  const System *const system     = statics->system;
  PetscReal *const    coordinate = preload->coordinates + stage * system->num_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(preload->forces + stage * statics->num_places, statics->forces, statics->num_places));
  PetscCall(PetscArraycpy(coordinate, state->u, system->num_unknowns));
  for (PetscInt k = 0; k < system->num_unknowns && system->residual; k++)
    coordinate[k] = system->residual->eigenvalue[k] > 0.0 ? statics->old_load.unknowns[k] / system->residual->eigenvalue[k] : 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

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

PetscErrorCode PreloadDeflect(Preload *preload, const ModeCache *cache)
{
  const PetscInt first = IsWanted(preload, cache->model) ? 0 : preload->num_stages - 1;

  PetscFunctionBegin;
  if (preload->moved || !cache->system->residual) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModelDeflect(cache->model, preload->num_stages - first, preload->forces + first * SystemNumPlaces(cache->system), &preload->moved));
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
  const PetscInt length = SPACE * MeshGetNodes(ModelMesh(source->model))->count;
  PetscReal     *more;
  Vec            column;

  PetscFunctionBegin;
  PetscCall(MeshedModelExpand(ModelMeshedModel(source->model), source->preload->coordinates + stage * source->system->num_unknowns, values));
  if (!source->preload->moved) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(length, &more));
  PetscCall(MatDenseGetColumnVecRead(source->preload->moved, stage, &column));
  PetscCall(MeshedPartSpread(ModelMeshed(source->model), column, more));
  PetscCall(MatDenseRestoreColumnVecRead(source->preload->moved, stage, &column));
  for (PetscInt i = 0; i < length; i++) values[i] += more[i];
  PetscCall(PetscFree(more));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindMotion(void *context, PetscInt stage, PetscInt field, PetscReal values[])
{
  PetscFunctionBegin;
  PetscCall(FindDisplacement(context, stage, values));
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
  if (whole) ReportSay("  %s after each stage, for ParaView: %s\n", joint ? joint : "displacements", path);
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
  static const char *const motion[] = {"displacement"};
  const Preload *const     preload  = study->data;
  Series                   series   = {.num_times = preload->num_stages, .num_fields = 1, .fields = motion, .find = FindMotion};
  PetscReal               *stages;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(preload->num_stages, &stages));
  for (PetscInt s = 0; s < preload->num_stages; s++) stages[s] = (PetscReal)s;
  series.times = stages;
  PetscCall(WriteSeries(study, NULL, source, &series, result));
  PetscCall(WriteContacts(study, source, series, result));
  PetscCall(WriteLayers(study, source, series, result));
  PetscCall(PetscFree(stages));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadFieldsWrite(const Study *study, const ModeCache *cache, const Result *result)
{
  Preload *const preload = study->data;
  Source         source  = {.preload = preload, .model = cache->model, .system = cache->system};

  PetscFunctionBegin;
  if (!IsWanted(preload, cache->model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PreloadDeflect(preload, cache));
  PetscCall(WriteAll(study, &source, result));
  PetscCall(MatDestroy(&preload->moved));
  PetscFunctionReturn(PETSC_SUCCESS);
}
