/*
  welded.c - joints whose two sides the mesh itself holds together, as after a fragment of two bodies in Gmsh: such a joint has nothing to do.

  Either both sides have a node, or they lie in two parts that share nodes where the joint is: no further from the line between the centres of its
  sides than the larger of them is wide. Parts that are one body elsewhere, and points far apart on one body, are as they should be.
*/
#include "meshed_private.h"

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

/* Nodes of a part that is made of solid elements; none of another, which may well stand on the nodes of a solid. */
static PetscErrorCode FindPartNodes(const MeshedPart *meshed, PetscInt p, PetscInt *count, PetscInt **nodes)
{
  const PetscInt group = meshed->made.parts[p].group;

  PetscFunctionBegin;
  *count = 0;
  *nodes = NULL;
  if (group >= 0 && MeshGetGroup(meshed->mesh, group)->dim == SPACE) PetscCall(MeshGroupNodes(meshed->mesh, group, count, nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool Has(PetscInt count, const PetscInt nodes[], const Site *site)
{
  return (PetscBool)(Intersect(count, nodes, site->num_nodes, site->nodes, NULL) == site->num_nodes);
}

/* Two parts, one of which has each side. */
static PetscErrorCode CheckPair(const MeshedPart *meshed, const char *joint, const Side sides[2], const PetscInt parts[2], const PetscInt count[],
                                PetscInt *const nodes[], PetscBool *welded)
{
  PetscInt       num_shared, num_near = 0, nearest = -1, *shared;
  char           which[PETSC_MAX_PATH_LEN];
  const PetscInt p = parts[0], q = parts[1];

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(PetscMin(count[p], count[q]), &shared));
  num_shared = Intersect(count[p], nodes[p], count[q], nodes[q], shared);
  if (num_shared) PetscCall(FindNear(meshed->mesh, sides, num_shared, shared, &num_near, &nearest));
  PetscCall(PetscFree(shared));
  *welded = (PetscBool)(num_near > 0);
  if (!*welded) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSNPrintf(which, sizeof(which), "at '%s' and '%s' the parts '%s' and '%s'", sides[0].name, sides[1].name, meshed->made.parts[p].name,
                          meshed->made.parts[q].name));
  PetscCall(Warn(meshed->mesh, joint, which, num_near, nearest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckParts(const MeshedPart *meshed, const char *joint, const Side sides[2])
{
  const PetscInt num = meshed->made.num_parts;
  PetscInt      *count, **nodes;
  PetscBool      welded = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(num, &count, num, &nodes));
  for (PetscInt p = 0; p < num; p++) PetscCall(FindPartNodes(meshed, p, &count[p], &nodes[p]));
  for (PetscInt p = 0; p < num && !welded; p++)
    for (PetscInt q = 0; q < num && !welded; q++) {
      const PetscInt parts[2] = {p, q};

      if (p != q && Has(count[p], nodes[p], sides[0].site) && Has(count[q], nodes[q], sides[1].site))
        PetscCall(CheckPair(meshed, joint, sides, parts, count, nodes, &welded));
    }
  for (PetscInt p = 0; p < num; p++) PetscCall(PetscFree(nodes[p]));
  PetscCall(PetscFree2(count, nodes));
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
