/* meshed_part.c - a mesh and what a case says of it: read, and the coordinates that will remain of it. */
#include "meshed_private.h"

PetscInt MeshedNumHeld(const MeshedPart *meshed)
{
  return meshed->attached.num_constraints + TouchingNumHeld(&meshed->touching);
}

/* Keys that mean something for a mesh only. */
static PetscErrorCode RefuseStray(const MeshedNodes *nodes)
{
  const InputNode *const stray[] = {nodes->materials, nodes->parts, nodes->points, nodes->supports, nodes->constraints, nodes->reduction};

  PetscFunctionBegin;
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(stray); i++)
    if (stray[i]) PetscCall(InputComplain(stray[i], "has no use without `mesh`"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { LONGEST = 100 /* [m] */ };

/* Engineers draw in millimetres, and Gmsh does not ask. */
static void WarnOfMillimetres(const Mesh *mesh)
{
  PetscReal lower[SPACE], upper[SPACE], longest = 0.0;

  MeshBoundingBox(mesh, lower, upper);
  for (PetscInt c = 0; c < SPACE; c++) longest = PetscMax(longest, upper[c] - lower[c]);
  if (longest >= LONGEST)
    LogWarn("%s is %g m long; if it is in millimetres, write mesh: {file: %s, unit: mm}", MeshFile(mesh), longest, MeshFile(mesh));
}

/* Without it nothing that is said of its points can be judged. */
static PetscErrorCode ReadMesh(const InputNode *node, MeshedPart *meshed)
{
  const char *path = NULL;
  PetscReal   scale;

  PetscFunctionBegin;
  if (node) PetscCall(MeshFileRead(node, &path, &scale));
  if (path) PetscCall(MeshReadGmsh(PETSC_COMM_WORLD, node, path, scale, &meshed->mesh));
  if (meshed->mesh) WarnOfMillimetres(meshed->mesh);
  else meshed->points->incomplete = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartRead(const InputNode *root, const MeshedNodes *nodes, Points *points, MeshedPart **meshed)
{
  MeshedPart *m;

  PetscFunctionBegin;
  *meshed = NULL;
  if (!nodes->mesh && !MeshKeyIsMisspelt(root)) {
    PetscCall(RefuseStray(nodes));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscNew(meshed));
  m         = *meshed;
  m->node   = nodes->mesh;
  m->points = points;
  PetscCall(ReadMesh(nodes->mesh, m));
  if (!m->mesh) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MaterialsRead(nodes->materials, m));
  PetscCall(PartsRead(nodes->parts, m));
  PetscCall(SupportsRead(nodes->supports, m));
  PetscCall(SitesRead(nodes->points, m));
  PetscCall(SpidersCreate(m));
  PetscCall(UnknownsCreate(m));
  PetscCall(SitesSettle(m));
  m->attached.constraints_node = nodes->constraints;
  PetscCall(ReductionRead(nodes->reduction, nodes->in_time, &m->reduction));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void MeshedPartLend(MeshedPart *meshed)
{
  meshed->lends = PETSC_TRUE;
}

static PetscErrorCode ReadKeep(MeshedPart *meshed)
{

  PetscFunctionBegin;
  for (PetscInt i = 0; i < meshed->reduction.keep.count; i++) {
    const InputNode *const node = InputIsList(meshed->reduction.keep_node) ? InputItem(meshed->reduction.keep_node, i) : meshed->reduction.keep_node;
    PetscInt               point;
    PetscBool              found;

    PetscCall(PointsFind(meshed->points, node, meshed->reduction.keep.values[i], &point, &found));
    if (!found) continue;
    if (point == GROUND || !SiteOfPoint(meshed, point))
      PetscCall(InputComplain(node, "'%s' is not a point of the mesh", meshed->reduction.keep.values[i]));
    else meshed->points->list[point].kept = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two kept points that average the same surface move alike. */
static PetscErrorCode RefuseTwins(const MeshedPart *meshed)
{
  const Attachments *const attached = &meshed->attached;
  const char             **first;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(MeshNumAllGroups(meshed->mesh), &first));
  for (PetscInt s = 0; s < attached->num_sites; s++) {
    const Point *const point = &meshed->points->list[attached->first_point + s];
    const Site *const  site  = &attached->sites[s];

    if (!point->kept || site->kind != SITE_AVERAGE) continue;
    if (first[site->group])
      PetscCall(InputComplain(point->node, "averages the same surface as '%s'; they would move alike: use one point for both", first[site->group]));
    else first[site->group] = point->name;
  }
  PetscCall(PetscFree(first));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Motions that are not kept follow from the others: they are no unknowns. */
static PetscErrorCode ListKept(MeshedPart *meshed)
{
  const Attachments *const attached = &meshed->attached;
  KeptMotions *const       kept     = &meshed->kept;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(NUM_DIRECTIONS * attached->num_sites, &kept->coordinates));
  for (PetscInt s = 0; s < attached->num_sites; s++) {
    const Point *const point = &meshed->points->list[attached->first_point + s];

    for (PetscInt c = 0; c < point->num_components; c++) {
      if (point->kept && !point->fixed[c]) kept->coordinates[kept->count++] = point->first + c;
      if (!point->kept) PointsTie(meshed->points, RESTING, point->first + c);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Modes beside kept motions are coordinates behind those of the points. */
static PetscErrorCode AddModes(MeshedPart *meshed)
{
  const PetscInt most = meshed->unknowns.num_total - meshed->kept.count - MeshedNumHeld(meshed);

  PetscFunctionBegin;
  if (meshed->reduction.kind != REDUCED_TO_MOTIONS) PetscFunctionReturn(PETSC_SUCCESS);
  meshed->kept.num_modes = PetscMax(0, PetscMin(meshed->reduction.options.num_modes, most));
  PetscCall(PointsAddCoordinates(meshed->points, meshed->kept.num_modes, &meshed->kept.first_mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartIndex(MeshedPart *meshed)
{
  PetscFunctionBegin;
  if (!meshed->mesh) PetscFunctionReturn(PETSC_SUCCESS);
  if (!meshed->touching.count) MeshWarnOfCracks(meshed->mesh); /* faces that touch are cracks that are meant */
  PetscCall(SupportsHoldPoints(meshed));
  PetscCall(ConstraintsRead(meshed->attached.constraints_node, meshed));
  PetscCall(ReadKeep(meshed));
  PetscCall(RefuseTwins(meshed));
  PetscCall(ListKept(meshed));
  PetscCall(AddModes(meshed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CompositionDestroy(Composition *made)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < made->num_batches; b++) PetscCall(PetscFree(made->batches[b].elements));
  PetscCall(PetscFree(made->batches));
  PetscCall(PetscFree(made->parts));
  PetscCall(PetscFree(made->materials));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AttachmentsDestroy(Attachments *attached)
{
  PetscFunctionBegin;
  for (PetscInt s = 0; s < attached->num_supports; s++) PetscCall(PetscFree(attached->supports[s].nodes));
  PetscCall(PetscFree(attached->supports));
  for (PetscInt c = 0; c < attached->num_constraints; c++) PetscCall(PetscFree(attached->constraints[c].terms));
  PetscCall(PetscFree(attached->constraints));
  PetscCall(PetscFree(attached->spiders));
  for (PetscInt s = 0; s < attached->num_sites; s++) PetscCall(SiteDestroy(&attached->sites[s]));
  PetscCall(PetscFree(attached->sites));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedPartDestroy(MeshedPart **meshed)
{
  MeshedPart *const m = *meshed;

  PetscFunctionBegin;
  if (!m) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(UnknownsDestroy(&m->unknowns));
  PetscCall(TouchingDestroy(&m->touching));
  PetscCall(CompositionDestroy(&m->made));
  PetscCall(AttachmentsDestroy(&m->attached));
  PetscCall(PetscFree(m->kept.coordinates));
  PetscCall(MeshDestroy(&m->mesh));
  PetscCall(PetscFree(*meshed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const Mesh *MeshedPartMesh(const MeshedPart *meshed)
{
  return meshed->mesh;
}

PetscBool MeshedPartIsReduced(const MeshedPart *meshed)
{
  return (PetscBool)(meshed->reduction.kind != NOT_REDUCED);
}

PetscBool MeshedPartIsTurned(const MeshedPart *meshed)
{
  return (PetscBool)(meshed->unknowns.turn != NULL);
}

PetscBool MeshedPartMoves(const MeshedPart *meshed)
{
  return (PetscBool)(meshed->reduction.kind != REDUCED_TO_MOTIONS && meshed->unknowns.num_total > 0);
}

PetscBool MeshedPartWantsModes(const MeshedPart *meshed)
{
  return (PetscBool)(meshed->reduction.kind == REDUCED_TO_MODES);
}

PetscBool MeshedPartKeepsMotions(const MeshedPart *meshed)
{
  return (PetscBool)(meshed->reduction.kind == REDUCED_TO_MOTIONS);
}

PetscBool MeshedPartSaysReduction(const MeshedPart *meshed)
{
  return (PetscBool)(meshed->reduction.node != NULL);
}

void MeshedPartName(const MeshedPart *meshed, Names *names)
{
  names->mesh      = PETSC_TRUE;
  names->num_nodes = MeshGetNodes(meshed->mesh)->total;
  if (meshed->reduction.kind != REDUCED_TO_MOTIONS) names->num_modes += meshed->unknowns.num_total - meshed->kept.count - MeshedNumHeld(meshed);
  if (!meshed->reduction.node) names->num_mesh_modes = names->num_modes;
  for (PetscInt d = 0; d < SPACE; d++) names->base[d] = PETSC_TRUE;
  for (PetscInt p = 0; p < names->num_points; p++)
    for (PetscInt c = 0; c < names->points[p].num_components; c++)
      if (SiteFollows(meshed, p, c)) names->points[p].follows[c] = PETSC_TRUE;
  if (meshed->reduction.kind == REDUCED_TO_MODES) NamesReduceToModes(names, PetscMin(names->num_modes, meshed->reduction.options.num_modes));
  names->most_held = meshed->reduction.most_held;
}
