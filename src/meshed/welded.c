/*
  welded.c - joints whose two sides the mesh itself holds together, as after a fragment of two bodies in Gmsh: such a joint has nothing to do.

  Either both sides have a node, or they lie in two parts of the case, or two volumes of the geometry, that share nodes where the joint is: no further
  from the line between the centres of its sides than the larger of them is wide. Bodies that are one elsewhere, and points far apart on one body, are
  as they should be.
*/
#include "meshed_private.h"
#include <string.h>

/* A side of a joint: its middle, and how far its nodes are from there. */
typedef struct {
  const char *name;
  const Site *site;
  PetscReal   centre[SPACE], radius;
} Side;

static PetscReal Distance(const PetscReal a[SPACE], const PetscReal b[SPACE])
{
  return PetscSqrtReal(PetscSqr(a[0] - b[0]) + PetscSqr(a[1] - b[1]) + PetscSqr(a[2] - b[2]));
}

static PetscErrorCode SideFind(const MeshedPart *meshed, PetscInt point, Side *side)
{
  const PetscReal none[SPACE] = {0.0, 0.0, 0.0};

  PetscFunctionBegin;
  *side = (Side){.name = meshed->points->list[point].name, .site = SiteOfPoint(meshed, point)};
  if (side->site->kind == SITE_NODE) PetscCall(MeshNodeCoordinates(meshed->mesh, 1, side->site->nodes, side->centre));
  else PetscCall(PetscArraycpy(side->centre, side->site->centre, SPACE));
  for (PetscInt i = 0; i < side->site->num_nodes; i++) side->radius = PetscMax(side->radius, Distance(side->site->arms[i], none));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of two ascending lists, what both have, in `shared` where that is not NULL; how many that are. */
static PetscInt Intersect(PetscInt count, const PetscInt list[], PetscInt other_count, const PetscInt other[], PetscInt shared[])
{
  PetscInt num = 0;

  for (PetscInt i = 0, j = 0; i < count && j < other_count;) {
    if (list[i] == other[j] && shared) shared[num] = list[i];
    num += list[i] == other[j];
    if (list[i] <= other[j]) i++;
    else j++;
  }
  return num;
}

static PetscReal FromSegment(const PetscReal place[SPACE], const PetscReal from[SPACE], const PetscReal to[SPACE])
{
  PetscReal along = 0.0, square = 0.0, foot[SPACE];

  for (PetscInt c = 0; c < SPACE; c++) {
    along += (place[c] - from[c]) * (to[c] - from[c]);
    square += PetscSqr(to[c] - from[c]);
  }
  along = square > 0.0 ? PetscClipInterval(along / square, 0.0, 1.0) : 0.0;
  for (PetscInt c = 0; c < SPACE; c++) foot[c] = from[c] + along * (to[c] - from[c]);
  return Distance(place, foot);
}

/* Which of these nodes lie at the joint: how many, and the nearest. */
static PetscErrorCode FindNear(const Mesh *mesh, const Side sides[2], PetscInt count, const PetscInt nodes[], PetscInt *num_near, PetscInt *nearest)
{
  const PetscReal round_off = 1e-6 * Distance(sides[0].centre, sides[1].centre), reach = PetscMax(sides[0].radius, sides[1].radius) + round_off;
  PetscReal      *place, least                                                         = PETSC_MAX_REAL;

  PetscFunctionBegin;
  *num_near = 0;
  PetscCall(PetscMalloc1(SPACE * count, &place));
  PetscCall(MeshNodeCoordinates(mesh, count, nodes, place));
  for (PetscInt i = 0; i < count; i++) {
    const PetscReal distance = FromSegment(place + SPACE * i, sides[0].centre, sides[1].centre);

    *num_near += distance <= reach;
    if (distance < least) *nearest = nodes[i];
    least = PetscMin(least, distance);
  }
  PetscCall(PetscFree(place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "3 nodes of the mesh, such as 17 at (0, 0, 1)" */
static PetscErrorCode Warn(const Mesh *mesh, const char *joint, const char *which, PetscInt count, PetscInt node)
{
  PetscReal  place[SPACE];
  PetscInt64 tag;

  PetscFunctionBegin;
  PetscCall(MeshNodeCoordinates(mesh, 1, &node, place));
  PetscCall(MeshNodeTags(mesh, 1, &node, &tag));
  LogWarn("joint '%s': %s share %" PetscInt_FMT " node%s of the mesh, %" PetscInt64_FMT " at (%g, %g, %g)%s: the mesh itself holds the two sides "
          "together, and the joint has little to do; give each body nodes of its own (in Gmsh neither fragment the bodies nor remove duplicates)",
          joint, which, count, count == 1 ? "" : "s", tag, place[0], place[1], place[2], count == 1 ? "" : " among them");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A group of solid elements. None of others, which may well stand on the nodes of a solid. */
typedef struct {
  const char *name;
  PetscInt    count, *nodes;
} Body;

static PetscBool Has(const Body *body, const Site *site)
{
  return (PetscBool)(Intersect(body->count, body->nodes, site->num_nodes, site->nodes, NULL) == site->num_nodes);
}

/* Two bodies, each of which has a side. */
static PetscErrorCode CheckPair(const Mesh *mesh, const char *joint, const Side sides[2], const Body *first, const Body *second, PetscBool *welded)
{
  PetscInt num_shared, num_near = 0, nearest = -1, *shared;
  char     which[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(PetscMin(first->count, second->count), &shared));
  num_shared = Intersect(first->count, first->nodes, second->count, second->nodes, shared);
  if (num_shared) PetscCall(FindNear(mesh, sides, num_shared, shared, &num_near, &nearest));
  PetscCall(PetscFree(shared));
  *welded = (PetscBool)(num_near > 0);
  if (!*welded) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(
    PetscSNPrintf(which, sizeof(which), "at '%s' and '%s' the bodies '%s' and '%s'", sides[0].name, sides[1].name, first->name, second->name));
  PetscCall(Warn(mesh, joint, which, num_near, nearest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies that have no element in common. */
static PetscErrorCode CheckBodies(const Mesh *mesh, const char *joint, const Side sides[2], PetscInt num, const PetscInt groups[], PetscBool *welded)
{
  Body *bodies;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(num, &bodies));
  for (PetscInt b = 0; b < num; b++) {
    bodies[b].name = MeshGetGroup(mesh, groups[b])->name;
    PetscCall(MeshGroupNodes(mesh, groups[b], &bodies[b].count, &bodies[b].nodes));
  }
  for (PetscInt p = 0; p < num && !*welded; p++)
    for (PetscInt q = 0; q < num && !*welded; q++)
      if (p != q && Has(&bodies[p], sides[0].site) && Has(&bodies[q], sides[1].site))
        PetscCall(CheckPair(mesh, joint, sides, &bodies[p], &bodies[q], welded));
  for (PetscInt b = 0; b < num; b++) PetscCall(PetscFree(bodies[b].nodes));
  PetscCall(PetscFree(bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Parts of the case; where these tell nothing, as `all` does, the volumes of the geometry. */
static PetscErrorCode CheckParts(const MeshedPart *meshed, const char *joint, const Side sides[2])
{
  enum { MOST_VOLUMES = 50 }; /* with more it takes too long */
  const Mesh *const mesh = meshed->mesh;
  PetscInt         *groups, num = 0;
  PetscBool         welded = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(meshed->made.num_parts + MeshNumAllGroups(mesh), &groups));
  for (PetscInt p = 0; p < meshed->made.num_parts; p++) {
    const PetscInt group = meshed->made.parts[p].group;

    if (group >= 0 && MeshGetGroup(mesh, group)->dim == SPACE) groups[num++] = group;
  }
  if (num > 1) PetscCall(CheckBodies(mesh, joint, sides, num, groups, &welded));
  num = 0;
  for (PetscInt g = MeshNumGroups(mesh); g < MeshNumAllGroups(mesh); g++)
    if (MeshGetGroup(mesh, g)->dim == SPACE && strcmp(MeshGetGroup(mesh, g)->name, "all") != 0) groups[num++] = g;
  if (!welded && num > 1 && num <= MOST_VOLUMES) PetscCall(CheckBodies(mesh, joint, sides, num, groups, &welded));
  PetscCall(PetscFree(groups));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether elements connect the two sides, whichever way. */
static PetscBool Connected(const Mesh *mesh, const Site *first, const Site *second)
{
  for (PetscInt i = 0; i < first->num_nodes; i++) {
    const PetscInt body = MeshPartOfNode(mesh, first->nodes[i]);

    if (i > 0 && body == MeshPartOfNode(mesh, first->nodes[i - 1])) continue;
    for (PetscInt j = 0; j < second->num_nodes; j++)
      if (MeshPartOfNode(mesh, second->nodes[j]) == body) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

PetscErrorCode MeshedPartWarnOfWelds(const MeshedPart *meshed, const char *joint, const PetscInt ends[2])
{
  const Site *const first = SiteOfPoint(meshed, ends[0]), *const second = SiteOfPoint(meshed, ends[1]);
  Side      sides[2];
  PetscInt *shared, count;
  char      which[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (!first || !second || first == second || !Connected(meshed->mesh, first, second)) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt side = 0; side < 2; side++) PetscCall(SideFind(meshed, ends[side], &sides[side]));
  PetscCall(PetscMalloc1(PetscMin(first->num_nodes, second->num_nodes), &shared));
  count = Intersect(first->num_nodes, first->nodes, second->num_nodes, second->nodes, shared);
  PetscCall(PetscSNPrintf(which, sizeof(which), "'%s' and '%s'", sides[0].name, sides[1].name));
  if (count) PetscCall(Warn(meshed->mesh, joint, which, count, shared[0]));
  else PetscCall(CheckParts(meshed, joint, sides));
  PetscCall(PetscFree(shared));
  PetscFunctionReturn(PETSC_SUCCESS);
}
