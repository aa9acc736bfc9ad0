/* site.c - the points of a mesh: on a node, on the average of a surface, or amid nodes that they move rigidly. */
#include "meshed_private.h"
#include <petscblaslapack.h>
#include <string.h>

enum { BY_AREA, EQUAL };
static const char *const weightings[] = {"area", "equal", NULL};

typedef struct {
  InputReals  at;
  PetscInt    node, weights;
  const char *average, *rigid, *of;
} PointInput;

// clang-format off
static const InputField fields[] = {
  {.key = "at", .kind = INPUT_REALS, .offset = offsetof(PointInput, at), .fallback = INPUT_OPTIONAL, .unit = "m",
   .help = "[x, y, z]: the point is the node nearest to this place; for a rigid point, the place itself (default: the centre of the group)"},
  {.key = "of", .kind = INPUT_TEXT, .offset = offsetof(PointInput, of), .fallback = INPUT_OPTIONAL,
   .help = "group in which the nearest node is searched; default: all nodes"},
  {.key = "node", .kind = INPUT_COUNT, .offset = offsetof(PointInput, node), .fallback = INPUT_OPTIONAL, .least = 1, .most = PETSC_INFINITY,
   .help = "number of the node in the mesh file"},
  {.key = "average", .kind = INPUT_TEXT, .offset = offsetof(PointInput, average), .fallback = INPUT_OPTIONAL,
   .help = "group of surfaces; the point moves and rotates with their average motion (RBE3)"},
  {.key = "rigid", .kind = INPUT_TEXT, .offset = offsetof(PointInput, rigid), .fallback = INPUT_OPTIONAL,
   .help = "group of any dimension, whose nodes move with the point as one rigid body (RBE2)"},
  {.key = "weights", .kind = INPUT_WORD, .offset = offsetof(PointInput, weights), .fallback = BY_AREA, .words = weightings,
   .help = "weights of the nodes in the average: the area of each node, or equal weights"},
  {0},
};
// clang-format on

const InputTable point_table = {
  .name = "points.NAME", .summary = "a point of the mesh, for joints, loads and `watch`: one of at, node, average, rigid", .fields = fields};

static const char *const ways[] = {"at", "node", "average", "rigid", NULL};

static PetscErrorCode SetNodes(PetscInt count, Site *site)
{
  PetscFunctionBegin;
  site->num_nodes = count;
  PetscCall(PetscCalloc1(count, &site->weights));
  PetscCall(PetscCalloc1(count, &site->arms));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SetNode(PetscInt node, Site *site)
{
  PetscFunctionBegin;
  PetscCall(SetNodes(1, site));
  PetscCall(PetscMalloc1(1, &site->nodes));
  site->nodes[0]   = node;
  site->weights[0] = 1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal LongestSide(const Mesh *mesh)
{
  PetscReal lower[SPACE], upper[SPACE];

  MeshBoundingBox(mesh, lower, upper);
  return PetscMax(upper[0] - lower[0], PetscMax(upper[1] - lower[1], upper[2] - lower[2]));
}

/* A place that is far from all nodes is most often a slip of the pen, but it may be meant. */
static PetscErrorCode WarnOfDistance(const Mesh *mesh, const char *name, const MeshNearest *nearest)
{
  PetscInt64 tag;
  PetscReal  place[SPACE];

  PetscFunctionBegin;
  PetscCall(MeshNodeTags(mesh, 1, &nearest->node, &tag));
  PetscCall(MeshNodeCoordinates(mesh, 1, &nearest->node, place));
  if (nearest->distance > 0.01 * LongestSide(mesh)) {
    LogWarn("point '%s' is %g m from the nearest node, %" PetscInt64_FMT " at (%g, %g, %g)", name, nearest->distance, tag, place[0], place[1],
            place[2]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadPlace(const InputNode *map, const PointInput *input, const char *name, const Mesh *mesh, Site *site)
{
  const InputNode *const at    = InputFind(map, "at");
  PetscInt               group = MESH_NO_GROUP;
  MeshNearest            nearest;

  PetscFunctionBegin;
  if (input->at.count != SPACE) {
    PetscCall(InputComplain(at, "must be three numbers, [x, y, z], got %" PetscInt_FMT, input->at.count));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (input->of) PetscCall(MeshChooseGroup(mesh, InputFind(map, "of"), MESH_ANY_DIM, input->of, &group));
  if (input->of && group < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MeshNearestNode(mesh, group, input->at.values, &nearest));
  if (nearest.num_equal > 1) {
    PetscCall(InputComplain(at, "%" PetscInt_FMT " nodes are equally near, %g m away; say of which group with `of`, or give the number of the node",
                            nearest.num_equal, nearest.distance));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(WarnOfDistance(mesh, name, &nearest));
  PetscCall(SetNode(nearest.node, site));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadTag(const InputNode *node, PetscInt tag, const Mesh *mesh, Site *site)
{
  PetscInt found;

  PetscFunctionBegin;
  PetscCall(MeshNodeByTag(mesh, tag, &found));
  if (found < 0) PetscCall(InputComplain(node, "%s has no node %" PetscInt_FMT, MeshFile(mesh), tag));
  else PetscCall(SetNode(found, site));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The integral of each node's shape function over the surface; of this rank's faces, then of all. */
static PetscErrorCode WeighByArea(const Mesh *mesh, Site *site)
{
  const MeshGroup *const group = MeshGetGroup(mesh, site->group);

  PetscFunctionBegin;
  for (PetscInt i = 0; i < group->count; i++) {
    const MeshBlock *const block = MeshGetBlock(mesh, group->elements[i].block);
    const PetscInt         width = mesh_shapes[block->shape].num_nodes, first = group->elements[i].index * width;
    PetscReal              x[MESH_MAX_NODES * SPACE], weight[MESH_MAX_NODES];
    PetscInt               faulty;

    for (PetscInt k = 0; k < width; k++)
      PetscCall(PetscArraycpy(x + SPACE * k, MeshGetNodes(mesh)->coordinates + SPACE * block->local_nodes[first + k], SPACE));
    PetscCall(ElementWeights(block->shape, 1, x, weight, &faulty));
    for (PetscInt k = 0; k < width; k++) {
      PetscInt place;

      PetscCall(PetscFindInt(block->nodes[first + k], site->num_nodes, site->nodes, &place));
      site->weights[place] += weight[k];
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, site->weights, (PetscMPIInt)site->num_nodes, MPIU_REAL, MPIU_SUM, MeshComm(mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Weights of sum one, arms from the centre of all. */
static PetscErrorCode FindCentre(const Mesh *mesh, Site *site)
{
  PetscReal *const centre = site->centre;
  PetscReal        sum    = 0.0;

  PetscFunctionBegin;
  PetscCall(MeshNodeCoordinates(mesh, site->num_nodes, site->nodes, &site->arms[0][0]));
  for (PetscInt i = 0; i < site->num_nodes; i++) sum += site->weights[i];
  for (PetscInt i = 0; i < site->num_nodes; i++) site->weights[i] /= sum;
  for (PetscInt i = 0; i < site->num_nodes; i++)
    for (PetscInt c = 0; c < SPACE; c++) centre[c] += site->weights[i] * site->arms[i][c];
  for (PetscInt i = 0; i < site->num_nodes; i++)
    for (PetscInt c = 0; c < SPACE; c++) site->arms[i][c] -= centre[c];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* I^-1 by Cholesky's method; `fine` is false where the nodes lie on a line, or weights below zero spoil it. */
static PetscErrorCode InvertInertia(Site *site, PetscBool *fine)
{
  PetscReal    inertia[SPACE * SPACE] = {0.0}, trace;
  PetscBLASInt three                  = SPACE, info;

  PetscFunctionBegin;
  for (PetscInt n = 0; n < site->num_nodes; n++) {
    const PetscReal *const r      = site->arms[n];
    const PetscReal        square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];

    for (PetscInt i = 0; i < SPACE; i++)
      for (PetscInt j = 0; j < SPACE; j++) inertia[i * SPACE + j] += site->weights[n] * ((i == j ? square : 0.0) - r[i] * r[j]);
  }
  trace = inertia[0] + inertia[4] + inertia[8];
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("L", &three, inertia, &three, &info));
  *fine = (PetscBool)(info == 0);
  for (PetscInt i = 0; i < SPACE; i++) *fine = (PetscBool)(*fine && PetscSqr(inertia[i * SPACE + i]) > 1e-10 * trace);
  if (!*fine) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < SPACE; i++) site->inverse[i][i] = 1.0;
  PetscCallBLAS("LAPACKpotrs", LAPACKpotrs_("L", &three, &three, inertia, &three, &site->inverse[0][0], &three, &info));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadAverage(const InputNode *node, const PointInput *input, const Mesh *mesh, Site *site)
{
  PetscBool fine = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(MeshChooseGroup(mesh, node, 2, input->average, &site->group));
  if (site->group < 0) PetscFunctionReturn(PETSC_SUCCESS);
  site->kind = SITE_AVERAGE;
  PetscCall(MeshGroupNodes(mesh, site->group, &site->num_nodes, &site->nodes));
  PetscCall(SetNodes(site->num_nodes, site));
  if (input->weights == BY_AREA) PetscCall(WeighByArea(mesh, site));
  for (PetscInt i = 0; i < site->num_nodes && input->weights == EQUAL; i++) site->weights[i] = 1.0;
  PetscCall(FindCentre(mesh, site));
  PetscCall(InvertInertia(site, &fine));
  if (!fine)
    PetscCall(InputComplain(node, "the nodes of '%s' do not tell how it turns: %s", input->average,
                            input->weights == BY_AREA
                              ? "they lie on a line, or are corners of quadratic faces with weights below zero; try weights: equal"
                              : "they lie on a line"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The centre is that of the area (or length, ...) of the group. */
static PetscErrorCode ReadRigid(const InputNode *map, const PointInput *input, const char *name, const Mesh *mesh, Site *site)
{
  const InputNode *const at       = InputFind(map, "at");
  PetscReal              distance = 0.0;

  PetscFunctionBegin;
  PetscCall(MeshChooseGroup(mesh, InputFind(map, "rigid"), MESH_ANY_DIM, input->rigid, &site->group));
  if (at && input->at.count != SPACE) PetscCall(InputComplain(at, "must be three numbers, [x, y, z], got %" PetscInt_FMT, input->at.count));
  if (site->group < 0 || (at && input->at.count != SPACE)) PetscFunctionReturn(PETSC_SUCCESS);
  site->kind = SITE_RIGID;
  PetscCall(MeshGroupNodes(mesh, site->group, &site->num_nodes, &site->nodes));
  PetscCall(SetNodes(site->num_nodes, site));
  PetscCall(WeighByArea(mesh, site));
  PetscCall(FindCentre(mesh, site));
  PetscCall(PetscArraycpy(site->place, at ? input->at.values : site->centre, SPACE));
  for (PetscInt c = 0; c < SPACE; c++) distance += PetscSqr(site->place[c] - site->centre[c]);
  if (PetscSqrtReal(distance) > LongestSide(mesh))
    LogWarn("point '%s' is %g m from the centre of '%s': further than the mesh is long", name, PetscSqrtReal(distance), input->rigid);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keys that belong to another way of giving a point. */
static PetscErrorCode RefuseStray(const InputNode *map, PetscInt way)
{
  const InputNode *const of = InputFind(map, "of"), *const weights = InputFind(map, "weights");

  PetscFunctionBegin;
  if (of && strcmp(ways[way], "at") != 0) PetscCall(InputComplain(of, "has no use without `at`"));
  if (weights && strcmp(ways[way], "average") != 0) PetscCall(InputComplain(weights, "has no use without `average`"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadSite(const InputNode *map, const char *name, const Mesh *mesh, Site *site)
{
  const PetscInt num_complaints = InputNumComplaints(InputDocumentOf(map));
  const PetscInt with_place     = InputIsMap(map) && InputFind(map, "rigid") ? 1 : 0; /* `at` is then no way of its own */
  PointInput     input          = {.at = {0, NULL}};
  PetscInt       way;

  PetscFunctionBegin;
  site->kind  = SITE_NODE;
  site->group = MESH_NO_GROUP;
  PetscCall(InputCheckName(map, name));
  if (strcmp(name, "ground") == 0) PetscCall(InputComplain(map, "a point cannot be named 'ground': that is the one that never moves"));
  PetscCall(InputRead(map, &point_table, &input));
  if (InputNumComplaints(InputDocumentOf(map)) > num_complaints) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputExclusive(map, ways + with_place, PETSC_TRUE, &way));
  if (way < 0) PetscFunctionReturn(PETSC_SUCCESS);
  way += with_place;
  PetscCall(RefuseStray(map, way));
  if (way == 0) PetscCall(ReadPlace(map, &input, name, mesh, site));
  else if (way == 1) PetscCall(ReadTag(InputFind(map, "node"), input.node, mesh, site));
  else if (way == 2) PetscCall(ReadAverage(InputFind(map, "average"), &input, mesh, site));
  else PetscCall(ReadRigid(map, &input, name, mesh, site));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The directions in which a site moves. What the ground holds at a node is a direction too, but a fixed one. */
static PetscErrorCode SetDirections(const MeshedPart *meshed, const Site *site, Point *point)
{
  unsigned moves, held;

  PetscFunctionBegin;
  point->num_components = site->kind == SITE_NODE ? SPACE : NUM_DIRECTIONS;
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) point->direction[d] = d;
  if (site->kind != SITE_NODE) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(UnknownsOfNode(meshed, site->nodes[0], &moves));
  held = SupportsHold(meshed, site->nodes[0]);
  if (!moves && !held) {
    PetscCall(InputComplain(point->node, "is on a node that belongs to no element of a part"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (moves >> SPACE) point->num_components = NUM_DIRECTIONS;
  for (PetscInt d = 0; d < point->num_components; d++) point->fixed[d] = (PetscBool) !(moves >> d & 1u);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SitesRead(const InputNode *node, MeshedPart *meshed)
{
  Attachments *const attached = &meshed->attached;

  PetscFunctionBegin;
  attached->first_point = meshed->points->count;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of points, NAME: {at: [x, y, z]}"));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  attached->num_sites = InputCount(node);
  PetscCall(PetscCalloc1(attached->num_sites, &attached->sites));
  PetscCall(PointsReserve(meshed->points, attached->num_sites));
  for (PetscInt s = 0; s < attached->num_sites; s++) {
    Point *const point = &meshed->points->list[meshed->points->count++];

    point->name = InputKey(node, s);
    point->node = InputItem(node, s);
    PetscCall(ReadSite(point->node, point->name, meshed->mesh, &attached->sites[s]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SitesSettle(MeshedPart *meshed)
{
  const Attachments *const attached = &meshed->attached;

  PetscFunctionBegin;
  for (PetscInt s = 0; s < attached->num_sites; s++)
    if (attached->sites[s].num_nodes) PetscCall(SetDirections(meshed, &attached->sites[s], &meshed->points->list[attached->first_point + s]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const Site *SiteOfPoint(const MeshedPart *meshed, PetscInt point)
{
  const PetscInt site = point - meshed->attached.first_point;

  return site < 0 || site >= meshed->attached.num_sites ? NULL : &meshed->attached.sites[site];
}

const PetscReal *SitePlace(const Site *site)
{
  return site->kind == SITE_RIGID ? site->place : site->centre;
}

PetscBool SiteFollows(const MeshedPart *meshed, PetscInt point, PetscInt component)
{
  const Point *const p = &meshed->points->list[point];

  return (PetscBool)(SiteOfPoint(meshed, point) && !p->kept && !p->fixed[component]);
}

PetscErrorCode SiteDestroy(Site *site)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(site->nodes));
  PetscCall(PetscFree(site->weights));
  PetscCall(PetscFree(site->arms));
  PetscFunctionReturn(PETSC_SUCCESS);
}
