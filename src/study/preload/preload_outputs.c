/* preload_outputs.c - what tightening leaves in the result: /preload/NAME, its bolts, points and faces after each stage. */
#include "preload.h"
#include "record/watch.h"

enum { TENSION, SHIFT, BOLTS, ITERATIONS, HALVED, HELD };

// clang-format off
static const OutputField bolt_fields[] = {
  [TENSION]    = {"tension", RESULT_REAL, {"stages", "bolts"}, "N", "of each bolt after each stage; the first stage is that of the loads alone, all bolts loose"},
  [SHIFT]      = {"shift", RESULT_REAL, {"stages", "bolts"}, "m", "by which its shank has been made shorter"},
  [BOLTS]      = {"bolts", RESULT_TEXT, {"bolts"}, NULL, "names of the bolts"},
  [ITERATIONS] = {"iterations", RESULT_COUNT, {"1"}, NULL, "of Newton, evaluations of all joints"},
  [HALVED]     = {"halved", RESULT_COUNT, {"1"}, NULL, "steps that were divided"},
  [HELD]       = {"held", RESULT_COUNT, {"1"}, NULL, "steps for which the friction of faces had to be held before Newton found their balance"},
  {0}
};

static const OutputField bolt_facts[] = {
  {"stiffening", RESULT_TEXT, {0}, NULL, "yes: stresses add to the stiffness of what moves about this state; no"},
  {0}
};

static const OutputField point_fields[] = {
  {"displacement", RESULT_REAL, {"stages", "components"}, "m", "of a point after each stage; where the structure floats, without its rigid motions"},
  {0}
};

static const OutputField point_facts[] = {
  {"components", RESULT_TEXT, {0}, NULL, "directions of the columns, one word each"},
  {"units", RESULT_TEXT, {0}, NULL, "unit of the displacement in each direction"},
  {0}
};

enum { STATE, PRESSURE, GAP, MOTION, TRACTION, X, Y, Z, AREA };

static const OutputField face_fields[] = {
  [STATE]    = {"state", RESULT_REAL, {"stages", "parts"}, NULL, "of each point in the last step of each stage: 0 open, 1 sticking, 2 slipping"},
  [PRESSURE] = {"pressure", RESULT_REAL, {"stages", "parts"}, "Pa", "on each point"},
  [GAP]      = {"gap", RESULT_REAL, {"stages", "parts"}, "m", "between the faces; negative where they press each other's roughness flat"},
  [MOTION]   = {"motion", RESULT_REAL, {"stages", "parts", "3"}, "m", "of the second face against the first since the start, normal to the faces and in their two directions"},
  [TRACTION] = {"traction", RESULT_REAL, {"stages", "parts", "3"}, "Pa", "likewise, what the joint transmits by area"},
  [X]        = {"x", RESULT_REAL, {"parts"}, "m", "places of the points, in the model"},
  [Y]        = {"y", RESULT_REAL, {"parts"}, "m", "likewise"},
  [Z]        = {"z", RESULT_REAL, {"parts"}, "m", "likewise"},
  [AREA]     = {"area", RESULT_REAL, {"parts"}, "m^2", "of the points"},
  {0}
};
// clang-format on

static const OutputTable bolt_table  = {"preload/NAME", "bolts that were tightened one after another", bolt_fields, bolt_facts};
static const OutputTable point_table = {"preload/NAME/points/POINT", "a point after each stage", point_fields, point_facts};
static const OutputTable face_table  = {"preload/NAME/joints/JOINT", "faces of the mesh after each stage", face_fields, NULL};

const OutputTable *const preload_outputs[] = {&bolt_table, &point_table, &face_table, &preload_layer_table, NULL};

static PetscErrorCode DeclareFaces(const char *name, const NamedContact *contact, PetscInt num_stages, Findings *findings, Finding **finding)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &face_table, finding, "/preload/%s/joints/%s", name, contact->joint));
  PetscCall(FindingSetSize(*finding, "stages", num_stages));
  PetscCall(FindingSetSize(*finding, "parts", contact->num_parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadDeclare(const char *name, const Names *names, Findings *findings, Preload *preload)
{
  const PetscInt stages = preload->num_stages, parts = stages * names->num_parts;

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &bolt_table, &preload->bolts, "/preload/%s", name));
  PetscCall(FindingSetSize(preload->bolts, "stages", stages));
  PetscCall(FindingSetSize(preload->bolts, "bolts", names->num_bolts));
  PetscCall(FindingSayText(preload->bolts, "stiffening", preload->keys.stiffening ? "yes" : "no"));
  PetscCall(PetscCalloc2(names->num_points, &preload->points, names->num_contacts, &preload->faces));
  for (PetscInt p = 0; p < names->num_points; p++) {
    PetscCall(FindingsAdd(findings, &point_table, &preload->points[p], "/preload/%s/points/%s", name, names->points[p].name));
    PetscCall(FindingSetSize(preload->points[p], "stages", stages));
    PetscCall(FindingSetSize(preload->points[p], "components", names->points[p].num_components));
    PetscCall(WatchDescribePoint(&names->points[p], 1, preload->points[p]));
  }
  for (PetscInt c = 0; c < names->num_contacts; c++) PetscCall(DeclareFaces(name, &names->contacts[c], stages, findings, &preload->faces[c]));
  PetscCall(PreloadDeclareLayers(name, names, findings, preload));
  PetscCall(PetscCalloc3(stages * names->num_bolts, &preload->tension, stages * names->num_bolts, &preload->shift, stages * names->num_motions,
                         &preload->displacement));
  PetscCall(OutermostCreate(names, &preload->outermost));
  PetscCall(PetscCalloc5(parts, &preload->state, parts, &preload->pressure, parts, &preload->gap, 3 * parts, &preload->motion, 3 * parts,
                         &preload->traction));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A part of faces: its motion and force along the axes of its frame, and how far apart it is. */
static void TakePart(Preload *preload, PetscInt at, const Statics *statics, const State *state, const SystemBlock *block, PetscInt point)
{
  const PetscInt  dim = block->block.law->dim, n = block->block.num_points;
  const PetscReal area = block->area ? block->area[point] : 1.0;

  for (PetscInt c = 0; c < dim; c++) {
    const PetscInt term = block->first[c * n + point];

    if (term == block->first[c * n + point + 1]) continue;
    preload->motion[3 * at + c]   = state->motion[block->row[term]];
    preload->traction[3 * at + c] = StaticsJointForce(statics, state, block->row[term]) / area;
  }
  preload->gap[at] = preload->motion[3 * at] + (block->offset ? block->offset[point] : 0.0);
  preload->pressure[at] /= area;
}

PetscErrorCode PreloadTakeStage(Preload *preload, PetscInt stage, const Tightening *tightening, const State *state)
{
  Statics *const      statics = tightening->statics;
  const System *const system  = statics->system;
  const PetscReal    *motion;
  PetscInt            at = stage * system->names.num_parts;

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(preload->tension + stage * tightening->num_bolts, tightening->tension, tightening->num_bolts));
  PetscCall(PetscArraycpy(preload->shift + stage * tightening->num_bolts, tightening->delta, tightening->num_bolts));
  PetscCall(StaticsMotions(statics, state, &motion));
  PetscCall(
    PetscArraycpy(preload->displacement + stage * system->names.num_motions, motion + SystemPlaceOfMotion(system, 0), system->names.num_motions));
  PetscCall(DeflectionsTake(&preload->deflections, stage, statics, state));
  PreloadTakeLayers(preload, stage, statics, state, motion);
  OutermostLook(system, state, &preload->outermost);
  JointForcesInspect(&statics->balance->joints, state, preload->state + at, preload->pressure + at);
  for (PetscInt b = 0; b < system->num_blocks; b++)
    for (PetscInt i = 0; i < system->blocks[b].block.num_points && system->blocks[b].block.law->inspect; i++)
      TakePart(preload, at++, statics, state, &system->blocks[b], i);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ShareNumbers(const System *system, Preload *preload)
{
  PreloadEnd *const end   = &preload->end;
  PetscReal         all[] = {
            end->found, end->stage, end->loose, end->share, (PetscReal)preload->iterations, (PetscReal)preload->halved, (PetscReal)preload->num_held};

  PetscFunctionBegin;
  PetscCall(SystemShare(system, PETSC_STATIC_ARRAY_LENGTH(all), all));
  *end                = (PreloadEnd){.found = (PetscBool)(all[0] > 0.0), .stage = (PetscInt)all[1], .loose = (PetscInt)all[2], .share = all[3]};
  preload->iterations = (PetscInt64)all[4];
  preload->halved     = (PetscInt64)all[5];
  preload->num_held   = (PetscInt64)all[6];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadShare(const System *system, Preload *preload)
{
  const Names *const names = &system->names;
  const size_t       bolts = (size_t)names->num_bolts, parts = (size_t)names->num_parts;
  const struct {
    size_t     width;
    PetscReal *numbers;
  } all[] = {{bolts, preload->tension},    {bolts, preload->shift},       {(size_t)names->num_motions, preload->displacement},
             {parts, preload->state},      {parts, preload->pressure},    {parts, preload->gap},
             {3 * parts, preload->motion}, {3 * parts, preload->traction}};

  PetscFunctionBegin;
  PetscCall(ShareNumbers(system, preload));
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(all); i++)
    PetscCall(SystemShare(system, (size_t)preload->num_stages * all[i].width, all[i].numbers));
  PetscCall(DeflectionsShare(system, &preload->deflections));
  for (PetscInt l = 0; l < preload->num_layers; l++) {
    const size_t size = 3 * (size_t)preload->num_stages * (size_t)preload->layers[l].num_points;

    PetscCall(SystemShare(system, size, preload->layers[l].motion));
    PetscCall(SystemShare(system, size, preload->layers[l].force));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of all stages and parts those of one contact; `width` numbers each. */
static PetscErrorCode GiveParts(const Names *names, const Preload *preload, PetscInt contact, PetscInt first, PetscInt field, PetscInt width,
                                const PetscReal all[])
{
  const PetscInt num = names->contacts[contact].num_parts;
  PetscReal     *own;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(preload->num_stages * num * width, &own));
  for (PetscInt s = 0; s < preload->num_stages; s++)
    PetscCall(PetscArraycpy(own + s * num * width, all + (s * names->num_parts + first) * width, num * width));
  PetscCall(FindingGive(preload->faces[contact], field, own));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GivePlaces(const SystemContact *contact, Finding *finding)
{
  PetscFunctionBegin;
  if (contact->x) PetscCall(FindingGive(finding, X, contact->x));
  else PetscCall(FindingOmit(finding, X));
  PetscCall(FindingGive(finding, Y, contact->y));
  PetscCall(FindingGive(finding, Z, contact->z));
  if (contact->area) PetscCall(FindingGive(finding, AREA, contact->area));
  else PetscCall(FindingOmit(finding, AREA));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Laws that are not by area transmit forces. */
static PetscErrorCode GiveFaces(const System *system, Preload *preload, PetscInt c)
{
  const Names *const         names   = &system->names;
  const SystemContact *const contact = &system->contacts[c];

  PetscFunctionBegin;
  PetscCall(GiveParts(names, preload, c, contact->first, STATE, 1, preload->state));
  PetscCall(GiveParts(names, preload, c, contact->first, PRESSURE, 1, preload->pressure));
  PetscCall(GiveParts(names, preload, c, contact->first, GAP, 1, preload->gap));
  PetscCall(GiveParts(names, preload, c, contact->first, MOTION, 3, preload->motion));
  PetscCall(GiveParts(names, preload, c, contact->first, TRACTION, 3, preload->traction));
  if (!contact->area) PetscCall(FindingSetUnit(preload->faces[c], PRESSURE, "N"));
  if (!contact->area) PetscCall(FindingSetUnit(preload->faces[c], TRACTION, "N"));
  PetscCall(GivePlaces(contact, preload->faces[c]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GivePoint(const Names *names, Preload *preload, PetscInt p)
{
  const NamedPoint *const point = &names->points[p];
  const PetscInt          num   = point->num_components;
  PetscReal              *own;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(preload->num_stages * num, &own));
  for (PetscInt s = 0; s < preload->num_stages; s++)
    PetscCall(PetscArraycpy(own + s * num, preload->displacement + s * names->num_motions + point->first_motion, num));
  PetscCall(FindingGive(preload->points[p], 0, own));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PreloadGive(const System *system, Preload *preload)
{
  const Names *const names = &system->names;

  PetscFunctionBegin;
  PetscCall(FindingGive(preload->bolts, TENSION, preload->tension));
  PetscCall(FindingGive(preload->bolts, SHIFT, preload->shift));
  PetscCall(FindingGiveTexts(preload->bolts, BOLTS, names->num_bolts, (const char *const *)names->bolts));
  PetscCall(FindingGive(preload->bolts, ITERATIONS, &preload->iterations));
  PetscCall(FindingGive(preload->bolts, HALVED, &preload->halved));
  PetscCall(FindingGive(preload->bolts, HELD, &preload->num_held));
  for (PetscInt p = 0; p < names->num_points; p++) PetscCall(GivePoint(names, preload, p));
  for (PetscInt c = 0; c < names->num_contacts; c++) PetscCall(GiveFaces(system, preload, c));
  PetscFunctionReturn(PETSC_SUCCESS);
}
