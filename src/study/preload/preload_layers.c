/* preload_layers.c - layers between faces after each stage: how their points have moved, and what they transmit. */
#include <math.h>
#include <string.h>
#include "preload.h"

enum { SPACE = 3 };
enum { MOTION, TRACTION, X, Y, Z, AREA };

// clang-format off
static const OutputField fields[] = {
  [MOTION]   = {"motion", RESULT_REAL, {"stages", "points", "3"}, "m", "of the second face against the first since the start, normal to the faces and in their two directions; NaN where no law acts"},
  [TRACTION] = {"traction", RESULT_REAL, {"stages", "points", "3"}, "Pa", "likewise, what the joint transmits by area; 0 where no law acts"},
  [X]        = {"x", RESULT_REAL, {"points"}, "m", "places of the points, in the model"},
  [Y]        = {"y", RESULT_REAL, {"points"}, "m", "likewise"},
  [Z]        = {"z", RESULT_REAL, {"points"}, "m", "likewise"},
  [AREA]     = {"area", RESULT_REAL, {"points"}, "m^2", "of the points"},
  {0}
};
// clang-format on

const OutputTable preload_layer_table = {"preload/NAME/joints/JOINT/layer", "a layer between faces of the mesh after each stage", fields, NULL};

/* That of this joint; a new one where there is none. */
static PreloadLayer *LayerOf(const char *joint, Preload *preload)
{
  for (PetscInt l = 0; l < preload->num_layers; l++)
    if (!strcmp(preload->layers[l].joint, joint)) return &preload->layers[l];
  preload->layers[preload->num_layers] = (PreloadLayer){.joint = joint, .first = {-1, -1, -1}};
  return &preload->layers[preload->num_layers++];
}

static PetscErrorCode FindLayers(const Names *names, Preload *preload)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(names->num_rows, &preload->layers));
  for (PetscInt r = 0; r < names->num_rows; r++) {
    const NamedRow *const row = &names->rows[r];
    PreloadLayer         *layer;

    if (row->point != 0 || NamesFindContact(names, row->joint) >= 0) continue;
    layer                        = LayerOf(row->joint, preload);
    layer->first[row->direction] = r;
    layer->num_points            = NamesLayerSize(names, r);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadDeclareLayers(const char *name, const Names *names, Findings *findings, Preload *preload)
{
  PetscFunctionBegin;
  PetscCall(FindLayers(names, preload));
  for (PetscInt l = 0; l < preload->num_layers; l++) {
    PreloadLayer *const layer = &preload->layers[l];
    const PetscInt      count = preload->num_stages * layer->num_points * SPACE;

    PetscCall(FindingsAdd(findings, &preload_layer_table, &layer->finding, "/preload/%s/joints/%s/layer", name, layer->joint));
    PetscCall(FindingSetSize(layer->finding, "stages", preload->num_stages));
    PetscCall(FindingSetSize(layer->finding, "points", layer->num_points));
    PetscCall(PetscMalloc2(count, &layer->motion, count, &layer->force));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadLayersDestroy(Preload *preload)
{
  PetscFunctionBegin;
  for (PetscInt l = 0; l < preload->num_layers; l++) PetscCall(PetscFree2(preload->layers[l].motion, preload->layers[l].force));
  PetscCall(PetscFree(preload->layers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Laws know their own motion to more digits than the unknowns do. */
static void TakeRow(const Statics *statics, const State *state, PetscInt row, const PetscReal motions[], PetscReal *motion, PetscReal *force)
{
  const System *const system    = statics->system;
  const PetscBool     nonlinear = system->names.rows[row].nonlinear;

  *motion = nonlinear ? state->motion[row] : motions[row];
  *force  = system->rows[row].stiffness * *motion + (nonlinear ? StaticsJointForce(statics, state, row) : 0.0);
}

void PreloadTakeLayers(Preload *preload, PetscInt stage, const Statics *statics, const State *state, const PetscReal motion[])
{
  for (PetscInt l = 0; l < preload->num_layers; l++) {
    PreloadLayer *const layer = &preload->layers[l];

    for (PetscInt i = 0; i < layer->num_points; i++)
      for (PetscInt d = 0; d < SPACE; d++) {
        const PetscInt at = (stage * layer->num_points + i) * SPACE + d;

        layer->motion[at] = (PetscReal)NAN;
        layer->force[at]  = 0.0;
        if (layer->first[d] >= 0) TakeRow(statics, state, layer->first[d] + i, motion, &layer->motion[at], &layer->force[at]);
      }
  }
}

static PetscErrorCode GivePlaces(const FacePoints *points, Finding *finding)
{
  PetscReal *along;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(points->num_points, &along));
  for (PetscInt c = 0; c < SPACE; c++) {
    for (PetscInt i = 0; i < points->num_points; i++) along[i] = points->place[SPACE * i + c];
    PetscCall(FindingGive(finding, X + c, along));
  }
  PetscCall(FindingGive(finding, AREA, points->area));
  PetscCall(PetscFree(along));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadGiveLayers(const Model *model, Preload *preload)
{
  PetscFunctionBegin;
  for (PetscInt l = 0; l < preload->num_layers; l++) {
    PreloadLayer *const     layer  = &preload->layers[l];
    const FacePoints *const points = ModelFacePoints(model, layer->joint);
    const PetscInt          count  = preload->num_stages * layer->num_points;

    for (PetscInt k = 0; k < count * SPACE; k++) layer->force[k] /= points->area[k / SPACE % layer->num_points];
    PetscCall(FindingGive(layer->finding, MOTION, layer->motion));
    PetscCall(FindingGive(layer->finding, TRACTION, layer->force));
    PetscCall(GivePlaces(points, layer->finding));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
