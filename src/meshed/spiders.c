/* spiders.c - rigid spiders [RBE2]: which nodes each of them moves, and how; nodes that something else would move too are refused. */
#include "meshed_private.h"

/* The lowest node that both lists have, -1 for none; both ascend. */
static PetscInt LowestShared(const Site *first, const Site *second)
{
  for (PetscInt i = 0, j = 0; i < first->num_nodes && j < second->num_nodes;) {
    if (first->nodes[i] == second->nodes[j]) return first->nodes[i];
    if (first->nodes[i] < second->nodes[j]) i++;
    else j++;
  }
  return -1;
}

static PetscErrorCode RefuseShared(const Mesh *mesh, const Spider *first, const Spider *second)
{
  const PetscInt node = LowestShared(first->site, second->site);
  PetscInt64     tag;

  PetscFunctionBegin;
  if (node < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MeshNodeTags(mesh, 1, &node, &tag));
  PetscCall(InputComplain(second->node, "moves node %" PetscInt64_FMT ", which '%s' moves already; a node can follow one rigid point only", tag,
                          first->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The group of the first support that holds a node. */
static const char *SupportOf(const MeshedPart *meshed, PetscInt node)
{
  for (PetscInt s = 0; s < meshed->attached.num_supports; s++) {
    PetscInt place;

    (void)PetscFindInt(node, meshed->attached.supports[s].num_nodes, meshed->attached.supports[s].nodes, &place);
    if (place >= 0) return meshed->attached.supports[s].group;
  }
  return NULL;
}

static PetscErrorCode RefuseHeld(const MeshedPart *meshed, const Spider *spider)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < spider->site->num_nodes; i++) {
    const char *const group = SupportOf(meshed, spider->site->nodes[i]);
    PetscInt64        tag;

    if (!group) continue;
    PetscCall(MeshNodeTags(meshed->mesh, 1, &spider->site->nodes[i], &tag));
    PetscCall(InputComplain(
      spider->node, "moves node %" PetscInt64_FMT ", which the support of '%s' holds; to hold a rigid point, give the support its name as `point`",
      tag, group));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SpidersCreate(MeshedPart *meshed)
{
  Attachments *const attached = &meshed->attached;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(attached->num_sites, &attached->spiders));
  for (PetscInt i = 0; i < attached->num_sites; i++) {
    const Point *const point  = &meshed->points->list[attached->first_point + i];
    const Site *const  site   = &attached->sites[i];
    Spider *const      spider = &attached->spiders[attached->num_spiders];

    if (site->kind != SITE_RIGID || !site->num_nodes) continue;
    *spider = (Spider){.name = point->name, .node = point->node, .site = site};
    for (PetscInt s = 0; s < attached->num_spiders; s++) PetscCall(RefuseShared(meshed->mesh, &attached->spiders[s], spider));
    PetscCall(RefuseHeld(meshed, spider));
    attached->num_spiders++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which of displacements and rotations elements give to any of its nodes. */
static PetscErrorCode FindPresent(const MeshedPart *meshed, const Spider *spider, const PetscInt present[], PetscInt any[2])
{
  const MeshNodes *const nodes = MeshGetNodes(meshed->mesh);

  PetscFunctionBegin;
  any[0] = any[1] = 0;
  for (PetscInt i = 0; i < spider->site->num_nodes; i++) {
    const PetscInt local = spider->site->nodes[i] - nodes->first;

    for (PetscInt k = 0; k < 2 && local >= 0 && local < nodes->count; k++) any[k] |= present[2 * local + k];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, any, 2, MPIU_INT, MPI_MAX, MeshComm(meshed->mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the nodes lie on a line: the least moment about it is none. */
static PetscBool IsStraight(const Site *site)
{
  const PetscReal *const centre  = site->arms[0]; /* any node serves */
  PetscReal              longest = 0.0, widest = 0.0;
  PetscInt               far = 0;

  for (PetscInt i = 1; i < site->num_nodes; i++) {
    PetscReal length = 0.0;

    for (PetscInt c = 0; c < SPACE; c++) length += PetscSqr(site->arms[i][c] - centre[c]);
    if (length <= longest) continue;
    longest = length;
    far     = i;
  }
  for (PetscInt i = 1; i < site->num_nodes; i++) { /* squares of areas */
    PetscReal area = 0.0;

    for (PetscInt c = 0; c < SPACE; c++) {
      const PetscInt j = (c + 1) % SPACE, k = (c + 2) % SPACE;

      area += PetscSqr((site->arms[far][j] - centre[j]) * (site->arms[i][k] - centre[k]) -
                       (site->arms[far][k] - centre[k]) * (site->arms[i][j] - centre[j]));
    }
    widest = PetscMax(widest, area);
  }
  return (PetscBool)(widest <= PetscSqr(1e-6 * longest));
}

/* A spider turns because its nodes are apart, or because they turn themselves. */
PetscErrorCode SpidersCheck(const MeshedPart *meshed, const PetscInt present[])
{
  PetscFunctionBegin;
  for (PetscInt s = 0; s < meshed->attached.num_spiders; s++) {
    const Spider *const spider = &meshed->attached.spiders[s];
    const char *const   group  = MeshGetGroup(meshed->mesh, spider->site->group)->name;
    PetscInt            any[2];
    PetscInt64          tag;

    PetscCall(FindPresent(meshed, spider, present, any));
    if (!any[0]) PetscCall(InputComplain(spider->node, "no node of '%s' belongs to an element of a part", group));
    if (!any[0] || any[1] || !IsStraight(spider->site)) continue;
    PetscCall(MeshNodeTags(meshed->mesh, 1, spider->site->nodes, &tag));
    if (spider->site->num_nodes == 1)
      PetscCall(
        InputComplain(spider->node, "'%s' is one node, which does not turn; a point {node: %" PetscInt64_FMT "} moves as it does", group, tag));
    else
      PetscCall(InputComplain(spider->node,
                              "the nodes of '%s' lie on a line and do not turn, which leaves free how the point turns about it; take a "
                              "group that is not straight, or points {node: NUMBER} and rigid joints between them",
                              group));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt SpiderTerms(const Spider *spider, const PetscReal x[SPACE], PetscInt direction, Term terms[SPACE])
{
  const PetscReal *const hub = spider->site->centre;
  const PetscInt         j = (direction + 1) % SPACE, k = (direction + 2) % SPACE;

  terms[0] = (Term){direction, 1.0};
  if (direction >= SPACE) return 1;
  terms[1] = (Term){SPACE + j, x[k] - hub[k]}; /* (theta x r)_i = theta_j r_k - theta_k r_j */
  terms[2] = (Term){SPACE + k, hub[j] - x[j]};
  return SPACE;
}

static PetscInt Leader(const PetscInt joined[], PetscInt part)
{
  while (joined[part] != part) part = joined[part];
  return part;
}

PetscErrorCode SpidersJoin(const MeshedPart *meshed, PetscInt joined[])
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < MeshNumParts(meshed->mesh); p++) joined[p] = p;
  for (PetscInt s = 0; s < meshed->attached.num_spiders; s++) {
    const Site *const site = meshed->attached.spiders[s].site;

    for (PetscInt i = 1; i < site->num_nodes; i++) {
      const PetscInt first  = Leader(joined, MeshPartOfNode(meshed->mesh, site->nodes[0]));
      const PetscInt second = Leader(joined, MeshPartOfNode(meshed->mesh, site->nodes[i]));

      joined[PetscMax(first, second)] = PetscMin(first, second);
    }
  }
  for (PetscInt p = 0; p < MeshNumParts(meshed->mesh); p++) joined[p] = Leader(joined, p);
  PetscFunctionReturn(PETSC_SUCCESS);
}
