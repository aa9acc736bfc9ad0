/* part.c - what each group of the mesh is made of, and the elements that follow from it. */
#include "meshed_private.h"

typedef struct {
  const char      *material, *element;
  const InputNode *section, *point_mass;
} PartInput;

// clang-format off
static const InputField fields[] = {
  {.key = "material", .kind = INPUT_TEXT, .offset = offsetof(PartInput, material), .fallback = INPUT_OPTIONAL,
   .help = "name of a material; GROUP: MATERIAL is the short form"},
  {.key = "element", .kind = INPUT_TEXT, .offset = offsetof(PartInput, element), .fallback = INPUT_OPTIONAL,
   .help = "kind of element for its shape; the default kind is listed by `dovetail help elements`"},
  {.key = "section", .kind = INPUT_NODE, .offset = offsetof(PartInput, section), .fallback = INPUT_OPTIONAL,
   .help = "cross section of beams, for a group of curves; see `dovetail help elements beam`"},
  {.key = "point_mass", .kind = INPUT_NODE, .offset = offsetof(PartInput, point_mass), .fallback = INPUT_OPTIONAL,
   .help = "a rigid body on each node, for a group of points"},
  {0},
};
// clang-format on

const InputTable part_table = {.name = "parts.NAME",
                               .summary =
                                 "material, element and section of a group of the mesh; NAME is the group, or `all`, or an entity: `volume 3`",
                               .fields = fields};

PetscErrorCode LeastOfRanks(MPI_Comm comm, PetscInt64 *least, PetscInt64 *remark)
{
  const PetscInt64 own   = *least;
  PetscInt64       other = -1;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, least, 1, MPIU_INT64, MPI_MIN, comm));
  if (own == *least) other = *remark;
  PetscCallMPI(MPI_Allreduce(&other, remark, 1, MPIU_INT64, MPI_MAX, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindKind(const InputNode *node, const char *name, const ElementKind **kind)
{
  const char **names;
  PetscInt     count = 0, index;

  PetscFunctionBegin;
  while (element_kinds[count]) count++;
  PetscCall(PetscCalloc1(count + 1, &names));
  for (PetscInt i = 0; i < count; i++) names[i] = element_kinds[i]->name;
  PetscCall(InputChoose(node, name, "kind of element", names, &index));
  if (index >= 0) *kind = element_kinds[index];
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The kind it names, NULL for none; and the group, of the dimension that goes with it. */
static PetscErrorCode ReadMap(const InputNode *map, const MeshedPart *meshed, Part *part, const ElementKind **kind)
{
  PartInput input = {NULL, NULL, NULL, NULL};
  PetscInt  dim   = SPACE;

  PetscFunctionBegin;
  PetscCall(InputRead(map, &part_table, &input));
  if (input.material) PetscCall(MaterialFind(InputFind(map, "material"), input.material, meshed, &part->material));
  if (input.element) PetscCall(FindKind(InputFind(map, "element"), input.element, kind));
  part->has_section    = (PetscBool)(input.section != NULL);
  part->has_point_mass = (PetscBool)(input.point_mass != NULL);
  if (input.section) PetscCall(SectionRead(input.section, &part->section));
  if (input.point_mass) PetscCall(PointMassRead(input.point_mass, &part->point_mass));
  if (*kind) dim = mesh_shapes[(*kind)->shape].dim;
  else if (input.section) dim = 1;
  else if (input.point_mass) dim = 0;
  PetscCall(MeshChooseGroup(meshed->mesh, map, dim, part->name, &part->group));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadPart(const InputNode *node, const MeshedPart *meshed, Part *part, const ElementKind **kind)
{
  const char *name;

  PetscFunctionBegin;
  part->group = MESH_NO_GROUP;
  if (InputIsMap(node)) PetscCall(ReadMap(node, meshed, part, kind));
  else {
    PetscCall(InputGetText(node, &name));
    if (name) PetscCall(MaterialFind(node, name, meshed, &part->material));
    PetscCall(MeshChooseGroup(meshed->mesh, node, SPACE, part->name, &part->group));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complains of what elements of this kind need and the part does not give. */
static PetscErrorCode CheckNeeds(const Part *part, const ElementKind *kind)
{
  PetscFunctionBegin;
  if ((kind->needs & ELEMENT_NEEDS_MATERIAL) && !part->material && !(InputIsMap(part->node) && InputFind(part->node, "material")) &&
      InputIsMap(part->node))
    PetscCall(InputComplain(part->node, "needs a material for its elements of kind %s", kind->name));
  if ((kind->needs & ELEMENT_NEEDS_ISOTROPY) && part->material && !part->material->isotropic)
    PetscCall(InputComplain(part->node, "elements of kind %s take isotropic materials only", kind->name));
  if ((kind->needs & ELEMENT_NEEDS_SECTION) && !part->has_section)
    PetscCall(InputComplain(part->node, "needs a section for its elements of kind %s", kind->name));
  if ((kind->needs & ELEMENT_NEEDS_POINT_MASS) && !part->has_point_mass)
    PetscCall(InputComplain(part->node, "needs a point_mass for its elements of kind %s", kind->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* There is no kind of element for it. */
static PetscErrorCode ComplainOfShape(const Part *part, MeshShape shape, PetscInt total)
{
  static const char *const   remedies[SPACE + 1] = {"", ": make its mesh of first order", "",
                                                    ": make its mesh of first order, or without pyramids (hexahedra alone, or tetrahedra alone)"};
  const MeshShapeInfo *const info                = &mesh_shapes[shape];

  PetscFunctionBegin;
  PetscCall(
    InputComplain(part->node, "has %" PetscInt_FMT " elements of shape %s, for which there is no kind%s", total, info->name, remedies[info->dim]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The elements of a part that have one shape; other ranks may have some when this one has none. */
static PetscErrorCode AddBatch(const Part *part, const ElementKind *asked, PetscInt block_index, MeshedPart *meshed)
{
  const MeshGroup *const   group = MeshGetGroup(meshed->mesh, part->group);
  const MeshBlock *const   block = MeshGetBlock(meshed->mesh, block_index);
  const ElementKind *const kind  = asked && asked->shape == block->shape ? asked : ElementDefault(block->shape);
  Batch *const             batch = &meshed->made.batches[meshed->made.num_batches];
  PetscInt                 count = 0, total;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < group->count; i++) count += group->elements[i].block == block_index;
  PetscCallMPI(MPI_Allreduce(&count, &total, 1, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
  if (total == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (!kind) {
    PetscCall(ComplainOfShape(part, block->shape, total));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CheckNeeds(part, kind));
  *batch = (Batch){.part = part, .block = block, .kind = kind, .count = count, .properties = {part->material, &part->section, &part->point_mass}};
  PetscCall(PetscMalloc1(count, &batch->elements));
  count = 0;
  for (PetscInt i = 0; i < group->count; i++)
    if (group->elements[i].block == block_index) batch->elements[count++] = group->elements[i].index;
  meshed->made.num_batches++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A few such elements between better ones do no harm. */
static PetscErrorCode WarnOfStiffness(const Part *part, const MeshedPart *meshed, PetscInt first_batch)
{
  const PetscReal harmless = 0.1; /* of the elements of the part */

  PetscFunctionBegin;
  for (PetscInt b = first_batch; b < meshed->made.num_batches; b++) {
    const ElementKind *const kind  = meshed->made.batches[b].kind;
    PetscInt                 count = meshed->made.batches[b].count;

    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, MeshComm(meshed->mesh)));
    if (!kind->better || (PetscReal)count <= harmless * (PetscReal)MeshGetGroup(meshed->mesh, part->group)->total) continue;
    LogWarn("part '%s' has %" PetscInt_FMT " elements of kind %s, far too stiff in bending; better make its mesh of %s", part->name, count,
            kind->name, kind->better);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddBatches(const Part *part, const ElementKind *asked, MeshedPart *meshed)
{
  const PetscInt before = meshed->made.num_batches, num_complaints = InputNumComplaints(InputDocumentOf(part->node));
  PetscBool      found = (PetscBool)!asked;

  PetscFunctionBegin;
  if (part->group < 0) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < MeshNumBlocks(meshed->mesh); b++) PetscCall(AddBatch(part, asked, b, meshed));
  PetscCall(WarnOfStiffness(part, meshed, before));
  for (PetscInt i = before; i < meshed->made.num_batches; i++)
    if (meshed->made.batches[i].kind == asked) found = PETSC_TRUE;
  if (!found && InputNumComplaints(InputDocumentOf(part->node)) == num_complaints) {
    PetscCall(InputComplain(InputFind(part->node, "element"), "the group has no elements of shape %s", mesh_shapes[asked->shape].name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* owner[block][element]: the part, -1 for none. Complains of elements in two parts, once for each part; but point masses of one node add up. */
static PetscErrorCode Own(const MeshedPart *meshed, PetscInt *const owner[])
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < meshed->made.num_parts; p++) {
    const Part *const part  = &meshed->made.parts[p];
    PetscInt64        least = INT64_MAX, other = -1;

    if (part->group < 0) continue;
    for (PetscInt i = 0; i < MeshGetGroup(meshed->mesh, part->group)->count; i++) {
      const MeshElement *const element = &MeshGetGroup(meshed->mesh, part->group)->elements[i];
      PetscInt *const          owns    = &owner[element->block][element->index];
      const PetscInt64         tag     = MeshGetBlock(meshed->mesh, element->block)->tags[element->index];

      if (*owns >= 0 && tag < least && mesh_shapes[MeshGetBlock(meshed->mesh, element->block)->shape].dim > 0) {
        least = tag;
        other = *owns;
      }
      *owns = p;
    }
    PetscCall(LeastOfRanks(MeshComm(meshed->mesh), &least, &other));
    if (least < INT64_MAX)
      PetscCall(InputComplain(part->node, "element %" PetscInt64_FMT " of %s is in '%s' and in '%s'; it can be in one part only", least,
                              MeshFile(meshed->mesh), meshed->made.parts[other].name, part->name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An element of no group of volumes that no part has; its entity can be named, if the file tells it. */
static PetscErrorCode ComplainOfUngrouped(const InputNode *node, const MeshedPart *meshed, PetscInt *const owner[])
{
  const Mesh *const mesh  = meshed->mesh;
  PetscInt64        least = INT64_MAX, entity = 0;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++) {
    const MeshBlock *const block = MeshGetBlock(mesh, b);

    for (PetscInt e = 0; e < block->count && mesh_shapes[block->shape].dim == SPACE; e++) {
      if (owner[b][e] >= 0 || block->tags[e] >= least) continue;
      least  = block->tags[e];
      entity = block->entities[e];
    }
  }
  PetscCall(LeastOfRanks(MeshComm(mesh), &least, &entity));
  if (least < INT64_MAX && entity)
    PetscCall(
      InputComplain(node, "element %" PetscInt64_FMT " of %s is in no group of volumes: it has no material; add volume %" PetscInt64_FMT ": MATERIAL",
                    least, MeshFile(mesh), entity));
  else if (least < INT64_MAX)
    PetscCall(InputComplain(node, "element %" PetscInt64_FMT " of %s is in no group of volumes: it has no material", least, MeshFile(mesh)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A group of volumes, or an element of none, that no part has. */
static PetscErrorCode ComplainOfOrphans(const InputNode *node, const MeshedPart *meshed, PetscInt *const owner[])
{
  const Mesh *const mesh    = meshed->mesh;
  PetscBool         unnamed = PETSC_TRUE;

  PetscFunctionBegin;
  for (PetscInt g = 0; g < MeshNumGroups(mesh); g++) {
    const MeshGroup *const group = MeshGetGroup(mesh, g);
    PetscInt               count = 0;

    for (PetscInt i = 0; i < group->count && group->dim == SPACE; i++) {
      PetscInt *const owns = &owner[group->elements[i].block][group->elements[i].index];

      if (*owns >= 0) continue;
      *owns = meshed->made.num_parts; /* said once, if other groups have it too */
      count++;
    }
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, MeshComm(mesh)));
    if (count == 0) continue;
    unnamed = PETSC_FALSE;
    PetscCall(InputComplain(node, "does not say what the group '%s' of %s is made of; add %s: MATERIAL", group->name, MeshFile(mesh), group->name));
  }
  if (unnamed) PetscCall(ComplainOfUngrouped(node, meshed, owner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckOwners(const InputNode *node, const MeshedPart *meshed)
{
  const PetscInt num_blocks = MeshNumBlocks(meshed->mesh), num_complaints = InputNumComplaints(InputDocumentOf(node));
  PetscInt     **owner;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(num_blocks, &owner));
  for (PetscInt b = 0; b < num_blocks; b++) {
    PetscCall(PetscMalloc1(MeshGetBlock(meshed->mesh, b)->count, &owner[b]));
    for (PetscInt e = 0; e < MeshGetBlock(meshed->mesh, b)->count; e++) owner[b][e] = -1;
  }
  PetscCall(Own(meshed, owner));
  if (InputNumComplaints(InputDocumentOf(node)) == num_complaints) PetscCall(ComplainOfOrphans(node, meshed, owner));
  for (PetscInt b = 0; b < num_blocks; b++) PetscCall(PetscFree(owner[b]));
  PetscCall(PetscFree(owner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PartsRead(const InputNode *node, MeshedPart *meshed)
{
  const InputDocument *const document       = InputDocumentOf(meshed->node);
  const PetscInt             num_complaints = InputNumComplaints(document);

  PetscFunctionBegin;
  if (!node) PetscCall(InputComplain(meshed->node, "needs parts, which say what its groups are made of, {GROUP: MATERIAL}, or {all: MATERIAL}"));
  else if (!InputIsMap(node)) PetscCall(InputComplain(node, "must be a map of parts, GROUP: MATERIAL or GROUP: {material, ...}"));
  if (!node || !InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS);
  meshed->made.num_parts = InputCount(node);
  PetscCall(PetscCalloc1(meshed->made.num_parts, &meshed->made.parts));
  PetscCall(PetscCalloc1(meshed->made.num_parts * MeshNumBlocks(meshed->mesh), &meshed->made.batches));
  for (PetscInt p = 0; p < meshed->made.num_parts; p++) {
    Part *const        part = &meshed->made.parts[p];
    const ElementKind *kind = NULL;

    part->name = InputKey(node, p);
    part->node = InputItem(node, p);
    PetscCall(ReadPart(part->node, meshed, part, &kind));
    PetscCall(AddBatches(part, kind, meshed));
  }
  if (InputNumComplaints(document) == num_complaints) PetscCall(CheckOwners(node, meshed));
  PetscFunctionReturn(PETSC_SUCCESS);
}
