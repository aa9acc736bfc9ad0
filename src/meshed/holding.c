/*
  holding.c - which supports hold a node, and what each of them gives when a force acts there.

  Forces are those in the directions that a support holds; a direction that two supports hold belongs to the first of them, and where their
  axes are askew the force is the sum of what each gives along its own. Moments are about the origin of the model. Of a point that is held its
  nodes carry them: the force is their sum, the moment that about the centre of the point.
*/
#include "meshed_private.h"
#include <string.h>

/* The part of a vector along the axes of a support that it holds; bit k of `held`. */
static void Project(const Support *support, unsigned held, const PetscReal vector[SPACE], PetscReal part[SPACE])
{
  static const Frame model = {.axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  const Frame *const frame = support->turned ? &support->frame : &model;

  for (PetscInt c = 0; c < SPACE; c++) part[c] = 0.0;
  for (PetscInt k = 0; k < SPACE; k++) {
    const PetscReal *const axis  = frame->axis[k];
    const PetscReal        along = vector[0] * axis[0] + vector[1] * axis[1] + vector[2] * axis[2];

    for (PetscInt c = 0; c < SPACE && (held >> k & 1u); c++) part[c] += along * axis[c];
  }
}

static void AddMoment(const PetscReal x[SPACE], const PetscReal force[SPACE], PetscReal moment[SPACE])
{
  for (PetscInt i = 0; i < SPACE; i++) {
    const PetscInt j = (i + 1) % SPACE, k = (i + 2) % SPACE;

    moment[i] += x[j] * force[k] - x[k] * force[j];
  }
}

/* Directions in which supports hold a node, of its displacements or of its rotations, each once, and which support it is. */
typedef struct {
  PetscInt  count, support[SPACE];
  PetscReal axis[SPACE][SPACE]; /* as the supports say */
  PetscReal own[SPACE][SPACE];  /* of each what is at right angles to those before it, of unit length */
  PetscReal part[SPACE][SPACE]; /* a_k = sum_j part[k][j] own_j */
} Holds;

/* A direction that those before it hold already is theirs. */
static void AddHold(const PetscReal axis[SPACE], PetscInt support, Holds *holds)
{
  const PetscReal parallel = 1e-3; /* as in supports.c */
  const PetscInt  k        = holds->count;
  PetscReal       rest[SPACE], length;

  if (k == SPACE) return;
  for (PetscInt c = 0; c < SPACE; c++) rest[c] = axis[c];
  for (PetscInt j = 0; j < k; j++) {
    holds->part[k][j] = axis[0] * holds->own[j][0] + axis[1] * holds->own[j][1] + axis[2] * holds->own[j][2];
    for (PetscInt c = 0; c < SPACE; c++) rest[c] -= holds->part[k][j] * holds->own[j][c];
  }
  length = PetscSqrtReal(PetscSqr(rest[0]) + PetscSqr(rest[1]) + PetscSqr(rest[2]));
  if (length <= parallel) return;
  holds->part[k][k] = length;
  holds->support[k] = support;
  for (PetscInt c = 0; c < SPACE; c++) {
    holds->axis[k][c] = axis[c];
    holds->own[k][c]  = rest[c] / length;
  }
  holds->count++;
}

static void FindHolds(const MeshedPart *meshed, PetscInt node, PetscBool rotations, Holds *holds)
{
  static const Frame model = {.axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

  *holds = (Holds){.count = 0};
  for (PetscInt s = 0; s < meshed->attached.num_supports; s++) {
    const Support *const support = &meshed->attached.supports[s];
    const Frame *const   frame   = support->turned ? &support->frame : &model;
    PetscInt             place   = -1;

    if (!support->point) (void)PetscFindInt(node, support->num_nodes, support->nodes, &place);
    for (PetscInt k = 0; k < SPACE && place >= 0; k++)
      if (support->directions >> (rotations ? SPACE + k : k) & 1u) AddHold(frame->axis[k], s, holds);
  }
}

/* A vector is the sum of what each hold gives along its axis, c_k a_k, and of what nothing holds. */
static void Divide(const Holds *holds, const PetscReal vector[SPACE], PetscReal parts[][SPACE])
{
  PetscReal c[SPACE];

  for (PetscInt k = holds->count - 1; k >= 0; k--) {
    c[k] = vector[0] * holds->own[k][0] + vector[1] * holds->own[k][1] + vector[2] * holds->own[k][2];
    for (PetscInt l = k + 1; l < holds->count; l++) c[k] -= c[l] * holds->part[l][k];
    c[k] /= holds->part[k][k];
    for (PetscInt i = 0; i < SPACE; i++) parts[k][i] = c[k] * holds->axis[k][i];
  }
}

/* What supports of groups give at a node. */
static void AddOfGroups(const MeshedPart *meshed, PetscInt node, const PetscReal x[SPACE], const PetscReal force[], PetscReal reactions[])
{
  Holds     holds;
  PetscReal parts[SPACE][SPACE];

  for (PetscInt rotations = 0; rotations < 2; rotations++) {
    FindHolds(meshed, node, (PetscBool)rotations, &holds);
    Divide(&holds, force + SPACE * rotations, parts);
    for (PetscInt k = 0; k < holds.count; k++) {
      PetscReal *const reaction = reactions + NUM_DIRECTIONS * holds.support[k];

      for (PetscInt c = 0; c < SPACE; c++) reaction[SPACE * rotations + c] += parts[k][c];
      if (!rotations) AddMoment(x, parts[k], reaction + SPACE);
    }
  }
}

/* What the support of a point gives at one of its nodes. */
static void AddOfPoint(const Support *support, const PetscReal centre[SPACE], const PetscReal x[SPACE], const PetscReal force[], PetscReal reaction[])
{
  PetscReal arm[SPACE], sum[NUM_DIRECTIONS], part[NUM_DIRECTIONS];

  for (PetscInt c = 0; c < SPACE; c++) arm[c] = x[c] - centre[c];
  for (PetscInt c = 0; c < NUM_DIRECTIONS; c++) sum[c] = force[c];
  AddMoment(arm, force, sum + SPACE);
  Project(support, support->directions, sum, part);
  Project(support, support->directions >> SPACE, sum + SPACE, part + SPACE);
  AddMoment(centre, part, part + SPACE);
  for (PetscInt c = 0; c < NUM_DIRECTIONS; c++) reaction[c] += part[c];
}

void HoldingAdd(const Holding *holding, PetscInt node, const PetscReal x[SPACE], const PetscReal force[], PetscReal reactions[])
{
  const Attachments *const attached = &holding->meshed->attached;

  AddOfGroups(holding->meshed, node, x, force, reactions);
  for (PetscInt s = 0; s < attached->num_supports; s++) {
    const Site *const site  = holding->sites[s];
    PetscInt          place = -1;

    if (site) (void)PetscFindInt(node, site->num_nodes, site->nodes, &place);
    if (place >= 0) AddOfPoint(&attached->supports[s], holding->centres[s], x, force, reactions + NUM_DIRECTIONS * s);
  }
}

PetscBool HoldingHas(const Holding *holding, PetscInt node)
{
  PetscInt place;

  (void)PetscFindInt(node, holding->num_nodes, holding->nodes, &place);
  return (PetscBool)(place >= 0);
}

const Site *SiteByName(const MeshedPart *meshed, const char *point)
{
  for (PetscInt s = 0; s < meshed->attached.num_sites; s++)
    if (!strcmp(meshed->points->list[meshed->attached.first_point + s].name, point)) return &meshed->attached.sites[s];
  return NULL;
}

PetscErrorCode SiteFindPlace(const MeshedPart *meshed, const Site *site, PetscReal place[SPACE])
{
  PetscFunctionBegin;
  if (site->kind == SITE_NODE) PetscCall(MeshNodeCoordinates(meshed->mesh, 1, site->nodes, place));
  else PetscCall(PetscArraycpy(place, SitePlace(site), SPACE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartPlaceOfPoint(const MeshedPart *meshed, const char *point, PetscBool *found, PetscReal place[SPACE])
{
  const Site *const site = SiteByName(meshed, point);

  PetscFunctionBegin;
  *found = (PetscBool)(site != NULL);
  if (site) PetscCall(SiteFindPlace(meshed, site, place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ListNodes(Holding *holding)
{
  const Attachments *const attached = &holding->meshed->attached;
  PetscInt                 count    = 0;

  PetscFunctionBegin;
  for (PetscInt s = 0; s < attached->num_supports; s++) count += holding->sites[s] ? holding->sites[s]->num_nodes : attached->supports[s].num_nodes;
  PetscCall(PetscMalloc1(count, &holding->nodes));
  for (PetscInt s = 0; s < attached->num_supports; s++) {
    const Site *const     site  = holding->sites[s];
    const PetscInt        own   = site ? site->num_nodes : attached->supports[s].num_nodes;
    const PetscInt *const nodes = site ? site->nodes : attached->supports[s].nodes;

    PetscCall(PetscArraycpy(holding->nodes + holding->num_nodes, nodes, own));
    holding->num_nodes += own;
  }
  PetscCall(PetscSortRemoveDupsInt(&holding->num_nodes, holding->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HoldingCreate(const MeshedPart *meshed, Holding *holding)
{
  const Attachments *const attached = &meshed->attached;

  PetscFunctionBegin;
  *holding = (Holding){.meshed = meshed};
  PetscCall(PetscCalloc2(attached->num_supports, &holding->sites, attached->num_supports, &holding->centres));
  for (PetscInt s = 0; s < attached->num_supports; s++) {
    if (attached->supports[s].point) holding->sites[s] = SiteByName(meshed, attached->supports[s].point);
    if (holding->sites[s]) PetscCall(SiteFindPlace(meshed, holding->sites[s], holding->centres[s]));
  }
  PetscCall(ListNodes(holding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HoldingDestroy(Holding *holding)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(holding->sites, holding->centres));
  PetscCall(PetscFree(holding->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
