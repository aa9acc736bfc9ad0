/* structure.c - a mesh and what a case says of it: read, and the coordinates that will remain of it. */
#include "structure.h"

typedef struct {
  PetscInt   modes;
  PetscBool  prove;
  InputTexts keep;
} ReductionInput;

#define KEEP \
  { \
    .key = "keep", .kind = INPUT_TEXTS, .offset = offsetof(ReductionInput, keep), .fallback = INPUT_OPTIONAL, \
    .help = "points whose motions are kept, besides those that joints, springs and dampers connect" \
  }

// clang-format off
static const InputField craig_bampton_fields[] = {
  {.key = "modes", .kind = INPUT_COUNT, .offset = offsetof(ReductionInput, modes), .fallback = INPUT_REQUIRED, .least = 0, .most = PETSC_INFINITY,
   .help = "number of modes with the kept points at rest"},
  KEEP,
  {.key = "prove", .kind = INPUT_TRUTH, .offset = offsetof(ReductionInput, prove), .fallback = 0,
   .help = "prove by one more factorisation that none of these modes was missed"},
  {0},
};

static const InputField guyan_fields[] = {
  KEEP,
  {0},
};
// clang-format on

const InputTable craig_bampton_table = {
  .name = "reduction.craig_bampton", .summary = "kept motions, and modes while these are at rest", .fields = craig_bampton_fields};
const InputTable guyan_table = {.name = "reduction.guyan", .summary = "kept motions alone", .fields = guyan_fields};

static const char *const methods[] = {"craig_bampton", "guyan", NULL};

PetscErrorCode ReductionRead(const InputNode *node, Structure *structure)
{
  ReductionInput   input = {0};
  const InputNode *value;
  PetscInt         method;

  PetscFunctionBegin;
  structure->reduction_node = node;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputGetTagged(node, "reduction", methods, &method, &value));
  if (method < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(value, method == 0 ? &craig_bampton_table : &guyan_table, &input));
  structure->options   = (ReductionOptions){.num_modes = input.modes, .prove = input.prove};
  structure->keep      = input.keep;
  structure->keep_node = InputFind(value, "keep");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keys that mean something for a mesh only. */
static PetscErrorCode RefuseStray(const ModelNodes *nodes)
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
    LogWarn("%s is %g m long; if it is in millimetres, let Gmsh save it with Mesh.ScalingFactor = 0.001", MeshFile(mesh), longest);
}

PetscErrorCode StructureRead(const InputNode *root, const ModelNodes *nodes, Model *model)
{
  Structure *structure;
  Mesh      *mesh;

  PetscFunctionBegin;
  if (!nodes->mesh) {
    PetscCall(RefuseStray(nodes));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(MeshReadGmsh(PETSC_COMM_WORLD, InputFind(root, "mesh"), nodes->mesh, &mesh));
  PetscCall(PetscNew(&model->structure));
  structure       = model->structure;
  structure->node = InputFind(root, "mesh");
  structure->mesh = mesh;
  if (!mesh) PetscFunctionReturn(PETSC_SUCCESS);
  WarnOfMillimetres(mesh);
  MeshWarnOfCracks(mesh);
  PetscCall(MaterialsRead(nodes->materials, structure));
  PetscCall(PartsRead(nodes->parts, structure));
  PetscCall(SupportsRead(nodes->supports, structure));
  PetscCall(SitesRead(nodes->points, model));
  PetscCall(SpidersCreate(model));
  PetscCall(UnknownsCreate(structure));
  PetscCall(SitesSettle(model));
  structure->constraints_node = nodes->constraints;
  PetscCall(ReductionRead(nodes->reduction, structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadKeep(Model *model)
{
  const Structure *const structure = model->structure;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < structure->keep.count; i++) {
    const InputNode *const node = InputIsList(structure->keep_node) ? InputItem(structure->keep_node, i) : structure->keep_node;
    PetscInt               point;
    PetscBool              found;

    PetscCall(PointsFind(model, node, structure->keep.values[i], &point, &found));
    if (!found) continue;
    if (point == GROUND || !model->points[point].site) PetscCall(InputComplain(node, "'%s' is not a point of the mesh", structure->keep.values[i]));
    else model->points[point].kept = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two kept points that average the same surface move alike. */
static PetscErrorCode RefuseTwins(const Model *model)
{
  const Structure *const structure = model->structure;
  const char           **first;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(MeshNumGroups(structure->mesh), &first));
  for (PetscInt p = 0; p < model->num_points; p++) {
    const ModelPoint *const point = &model->points[p];

    if (!point->kept || !point->site || point->site->kind != SITE_AVERAGE) continue;
    if (first[point->site->group])
      PetscCall(
        InputComplain(point->node, "averages the same surface as '%s'; they would move alike: use one point for both", first[point->site->group]));
    else first[point->site->group] = point->name;
  }
  PetscCall(PetscFree(first));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those that are not kept follow from the others: they are no unknowns. */
static PetscErrorCode ListKept(Model *model)
{
  Structure *const structure = model->structure;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(NUM_DIRECTIONS * structure->num_sites, &structure->kept));
  for (PetscInt p = 0; p < model->num_points; p++) {
    const ModelPoint *const point = &model->points[p];

    for (PetscInt c = 0; point->site && c < point->num_components; c++) {
      if (point->kept && !point->fixed[c]) structure->kept[structure->num_kept++] = point->first + c;
      if (!point->kept) NumberingTie(model, RESTING, point->first + c);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The modes are coordinates behind those of the points. */
static PetscErrorCode AddModes(Model *model)
{
  Structure *const structure = model->structure;

  PetscFunctionBegin;
  structure->num_modes =
    PetscMax(0, PetscMin(structure->options.num_modes, structure->unknowns.num_total - structure->num_kept - structure->num_constraints));
  PetscCall(CoordinatesAdd(model, structure->num_modes, &structure->first_mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StructureIndex(Model *model)
{
  PetscFunctionBegin;
  if (!model->structure || !model->structure->mesh) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SupportsHoldPoints(model));
  PetscCall(ConstraintsRead(model->structure->constraints_node, model));
  PetscCall(ReadKeep(model));
  PetscCall(RefuseTwins(model));
  PetscCall(ListKept(model));
  PetscCall(AddModes(model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StructureDestroy(Structure **structure)
{
  Structure *const s = *structure;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReductionDestroy(&s->reduction));
  PetscCall(ContinuumDestroy(&s->continuum));
  PetscCall(PetscFree(s->reduced));
  PetscCall(UnknownsDestroy(&s->unknowns));
  for (PetscInt b = 0; b < s->num_batches; b++) PetscCall(PetscFree(s->batches[b].elements));
  for (PetscInt i = 0; i < s->num_supports; i++) PetscCall(PetscFree(s->supports[i].nodes));
  for (PetscInt i = 0; i < s->num_sites; i++) {
    PetscCall(PetscFree(s->sites[i].nodes));
    PetscCall(PetscFree(s->sites[i].weights));
    PetscCall(PetscFree(s->sites[i].arms));
  }
  PetscCall(PetscFree(s->batches));
  PetscCall(PetscFree(s->supports));
  for (PetscInt i = 0; i < s->num_constraints; i++) PetscCall(PetscFree(s->constraints[i].terms));
  PetscCall(PetscFree(s->constraints));
  PetscCall(PetscFree(s->spiders));
  PetscCall(PetscFree(s->sites));
  PetscCall(PetscFree(s->parts));
  PetscCall(PetscFree(s->materials));
  PetscCall(PetscFree(s->kept));
  PetscCall(MeshDestroy(&s->mesh));
  PetscCall(PetscFree(*structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StructureDescribe(const Structure *structure, FILE *out)
{
  const Unknowns *const      unknowns = &structure->unknowns;
  const ContinuumCost *const cost     = &structure->cost;
  PetscReal                  lower[SPACE], upper[SPACE];
  PetscInt                   num_elements = 0;

  PetscFunctionBegin;
  MeshBoundingBox(structure->mesh, lower, upper);
  for (PetscInt p = 0; p < structure->num_parts; p++) num_elements += MeshGetGroup(structure->mesh, structure->parts[p].group)->total;
  fprintf(out, "  mesh %s: %" PetscInt_FMT " nodes, %" PetscInt_FMT " elements, x %g to %g, y %g to %g, z %g to %g m\n", MeshFile(structure->mesh),
          MeshGetNodes(structure->mesh)->total, num_elements, lower[0], upper[0], lower[1], upper[1], lower[2], upper[2]);
  for (PetscInt p = 0; p < structure->num_parts; p++) {
    const Part *const part = &structure->parts[p];

    fprintf(out, "    part %s: %" PetscInt_FMT " elements,", part->name, MeshGetGroup(structure->mesh, part->group)->total);
    for (PetscInt b = 0; b < structure->num_batches; b++)
      if (structure->batches[b].part == part) fprintf(out, " %s", structure->batches[b].kind->name);
    fprintf(out, "\n");
  }
  for (PetscInt i = 0; i < structure->num_spiders; i++)
    fprintf(out, "    point %s: moves %" PetscInt_FMT " nodes rigidly\n", structure->spiders[i].name, structure->spiders[i].site->num_nodes);
  if (structure->num_constraints) fprintf(out, "    %" PetscInt_FMT " constraints\n", structure->num_constraints);
  fprintf(out, "    mass %g kg\n", structure->mass);
  if (!structure->reduction_node) {
    fprintf(out, "    %" PetscInt_FMT " unknowns, not reduced\n", unknowns->num_total);
    fprintf(out, "    modes: about %.2g s, and %.2g s for each, on one free core\n", cost->seconds, cost->seconds_each);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  fprintf(out, "    %" PetscInt_FMT " unknowns, reduced to %" PetscInt_FMT " motions of points and %" PetscInt_FMT " modes\n", unknowns->num_total,
          structure->num_kept, structure->num_modes);
  fprintf(out, "    reduction: about %.2g s on one free core\n", cost->seconds);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal ModelMemory(const Model *model)
{
  const ContinuumCost *const cost = model->structure ? &model->structure->cost : NULL;

  return cost ? cost->matrices_memory + cost->factor_memory + cost->basis_memory : 0.0;
}
