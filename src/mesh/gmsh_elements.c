/* gmsh_elements.c - the elements of .msh files. */
#include "gmsh.h"
#include <string.h>

enum { MAX_TAGS = 1000 }; /* of an element in version 2.2: a partitioned mesh lists its partitions */

/* MESH_NUM_SHAPES and a fault for a type that is none of ours. */
static MeshShape FindShape(Scanner *scanner, const char *at, PetscInt64 type)
{
  for (MeshShape shape = 0; shape < MESH_NUM_SHAPES; shape++) {
    if (mesh_shapes[shape].gmsh_type == type) return shape;
  }
  const char *const name = GmshTypeName(type);

  if (name)
    ScanFail(scanner, at, "elements of type %" PetscInt64_FMT " (%s) are not read, only those of first and second order: set Mesh.ElementOrder = 2",
             type, name);
  else ScanFail(scanner, at, "expected a type of elements, found %" PetscInt64_FMT, type);
  return MESH_NUM_SHAPES;
}

/* The nodes of the element `tag`, found by their tags. */
static void FindNodes(Scanner *scanner, const char *at, const Draft *draft, PetscInt64 tag, PetscInt count, const PetscInt64 tags[], PetscInt nodes[])
{
  for (PetscInt i = 0; i < count; i++) {
    nodes[i] = TagsFind(draft->tags, tags[i]);
    if (nodes[i] < 0)
      ScanFail(scanner, at, "element %" PetscInt64_FMT " has node %" PetscInt64_FMT ", but $Nodes has none of this tag", tag, tags[i]);
  }
}

/* 0 for none: one that no file of Gmsh has. */
static PetscInt EntityNumber(PetscInt64 number)
{
  return number > 0 && number <= INT32_MAX ? (PetscInt)number : 0;
}

/* One element of version 1 or 2.2. */
typedef struct {
  const char *at;
  MeshShape   shape;
  PetscInt    group, num_nodes;
  PetscInt64  tag, entity;
  PetscInt    nodes[MESH_MAX_NODES];
} Element;

/* Version 2.2 writes an element once for each of its groups, under new tags one after the other. The nodes of a group that turns
   elements over come in another order. */
static PetscBool IsSame(const Element *one, const Element *two)
{
  if (one->shape != two->shape || one->entity != two->entity || one->group == two->group) return PETSC_FALSE;
  for (PetscInt i = 0; i < one->num_nodes; i++) {
    PetscInt j;

    for (j = 0; j < two->num_nodes && one->nodes[i] != two->nodes[j]; j++) continue;
    if (j == two->num_nodes) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscErrorCode AddElement(Draft *draft, const Element *element, const Element *before)
{
  PetscFunctionBegin;
  if (draft->num_elements == 0 || !IsSame(element, before))
    PetscCall(DraftAddElement(draft, element->shape, element->tag, EntityNumber(element->entity), element->nodes));
  if (element->group) PetscCall(DraftAddMember(draft, mesh_shapes[element->shape].dim, element->group, draft->num_elements - 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What comes before the nodes: in a text all of it for each element, in a binary file the type once for several. */
typedef struct {
  const char *at;
  PetscInt64  tag, type, count, num_tags;
} Head;

static Head ReadHead(Scanner *scanner)
{
  Head       head = {.at = ScanHere(scanner)};
  PetscInt64 values[3];

  ScanInts(scanner, "the tag, type and number of tags of an element", 3, values);
  if (scanner->binary) {
    head.type  = values[0];
    head.count = values[1];
  } else {
    head.tag   = values[0];
    head.type  = values[1];
    head.count = 1;
  }
  head.num_tags = values[2];
  return head;
}

static void ReadElement(Scanner *scanner, const Draft *draft, const Head *head, Element *element)
{
  PetscInt64 tags[MAX_TAGS], nodes[MESH_MAX_NODES];

  element->at = scanner->binary ? scanner->at : head->at;
  if (scanner->binary) ScanInts(scanner, "an element tag", 1, &element->tag);
  else element->tag = head->tag;
  ScanInts(scanner, "a tag of an element", (PetscInt)head->num_tags, tags);
  ScanInts(scanner, "a node of an element", element->num_nodes, nodes);
  element->group  = head->num_tags > 0 ? GmshGroupNumber(scanner, element->at, tags[0]) : 0;
  element->entity = head->num_tags > 1 ? tags[1] : 0;
  if (!ScanFailed(scanner)) FindNodes(scanner, element->at, draft, element->tag, element->num_nodes, nodes, element->nodes);
}

PetscErrorCode GmshReadElements2(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        announced, done = 0;
  PetscInt          count;
  Element           element, before;

  PetscFunctionBegin;
  ScanTextInts(scanner, "the number of elements", 1, &announced);
  ScanEndOfLine(scanner);
  count = ScanCheckCount(scanner, start, announced, "elements", 4, 8);
  memset(&before, 0, sizeof before);
  while (done < count && !ScanFailed(scanner)) {
    const Head head = ReadHead(scanner);

    if (ScanFailed(scanner)) break;
    element.shape = FindShape(scanner, head.at, head.type);
    if (head.num_tags < 0 || head.num_tags > MAX_TAGS)
      ScanFail(scanner, head.at, "expected the number of tags of an element, found %" PetscInt64_FMT, head.num_tags);
    if (head.count < 1 || head.count > count - done)
      ScanFail(scanner, head.at, "%" PetscInt64_FMT " more elements come after %" PetscInt64_FMT " of the %" PetscInt_FMT " announced", head.count,
               done, count);
    if (ScanFailed(scanner)) break;
    element.num_nodes = mesh_shapes[element.shape].num_nodes;
    for (PetscInt64 i = 0; i < head.count && !ScanFailed(scanner); i++, done++) {
      ReadElement(scanner, draft, &head, &element);
      if (ScanFailed(scanner)) break;
      PetscCall(AddElement(draft, &element, &before));
      before = element;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One line of version 1: tag, type, physical group, entity, number of nodes, nodes. */
static void ReadLine(Scanner *scanner, const Draft *draft, Element *element)
{
  PetscInt64 head[5], nodes[MESH_MAX_NODES];

  element->at = ScanHere(scanner);
  ScanInts(scanner, "the tag, type, group, entity and number of nodes of an element", 5, head);
  if (ScanFailed(scanner)) return;
  element->shape = FindShape(scanner, element->at, head[1]);
  if (ScanFailed(scanner)) return;
  element->tag       = head[0];
  element->group     = GmshGroupNumber(scanner, element->at, head[2]);
  element->entity    = head[3];
  element->num_nodes = mesh_shapes[element->shape].num_nodes;
  if (head[4] != element->num_nodes)
    ScanFail(scanner, element->at, "a %s has %" PetscInt_FMT " nodes, found %" PetscInt64_FMT, mesh_shapes[element->shape].name, element->num_nodes,
             head[4]);
  ScanInts(scanner, "a node of an element", element->num_nodes, nodes);
  if (!ScanFailed(scanner)) FindNodes(scanner, element->at, draft, element->tag, element->num_nodes, nodes, element->nodes);
}

PetscErrorCode GmshReadElements1(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        announced;
  PetscInt          count;
  Element           element, before;

  PetscFunctionBegin;
  ScanTextInts(scanner, "the number of elements", 1, &announced);
  ScanEndOfLine(scanner);
  count = ScanCheckCount(scanner, start, announced, "elements", 6, 24);
  memset(&before, 0, sizeof before);
  for (PetscInt i = 0; i < count && !ScanFailed(scanner); i++) {
    ReadLine(scanner, draft, &element);
    if (ScanFailed(scanner)) break;
    PetscCall(AddElement(draft, &element, &before));
    before = element;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How versions 4.0 and 4.1 differ. */
typedef struct {
  PetscInt dim, number; /* places of the dimension and number of an entity in the head of its elements */
  void (*scan)(Scanner *scanner, const char *what, PetscInt count, PetscInt64 values[]); /* of tags of elements and nodes */
  PetscInt bytes;                                                                        /* of such a tag, if binary */
} Rows;

static const Rows rows40 = {.dim = 1, .number = 0, .scan = ScanInts, .bytes = 4}, rows41 = {.dim = 0, .number = 1, .scan = ScanSizes, .bytes = 8};

static PetscInt BytesOf(const Rows *rows, const Scanner *scanner)
{
  return scanner->short_sizes ? 4 : rows->bytes;
}

/* Elements of an entity, all of one shape. */
typedef struct {
  MeshShape          shape;
  PetscInt           size;
  PetscInt64         number;
  const DraftEntity *entity; /* NULL: not known */
} Block;

static void ReadBlockHead(Scanner *scanner, const Draft *draft, const Rows *rows, PetscInt left, PetscInt count, Block *block)
{
  const char *const at = ScanHere(scanner);
  PetscInt64        head[3], announced;
  PetscInt          num_nodes;

  ScanInts(scanner, "the dimension and number of an entity and the type of its elements", 3, head);
  ScanSizes(scanner, "the number of elements of an entity", 1, &announced);
  if (ScanFailed(scanner)) return;
  block->shape = FindShape(scanner, at, head[2]);
  if (ScanFailed(scanner)) return;
  num_nodes   = mesh_shapes[block->shape].num_nodes;
  block->size = ScanCheckCount(scanner, at, announced, "elements", 1 + num_nodes, BytesOf(rows, scanner) * (1 + num_nodes));
  if (head[rows->dim] != mesh_shapes[block->shape].dim)
    ScanFail(scanner, at, "elements %s in an entity of dimension %" PetscInt64_FMT, mesh_shapes[block->shape].name, head[rows->dim]);
  if (block->size > left)
    ScanFail(scanner, at, "%" PetscInt_FMT " more elements come after %" PetscInt_FMT " of the %" PetscInt_FMT " announced", block->size,
             count - left, count);
  if (ScanFailed(scanner)) return;
  block->entity = DraftFindEntity(draft, (PetscInt)head[rows->dim], head[rows->number]);
  block->number = block->entity ? block->entity->whole : head[rows->number];
}

/* Those between partitions are read, but not kept. */
static PetscErrorCode ReadBlock(Scanner *scanner, Draft *draft, const Rows *rows, const Block *block)
{
  const PetscInt           num_nodes = mesh_shapes[block->shape].num_nodes;
  const DraftEntity *const entity    = block->entity;
  PetscInt64               row[1 + MESH_MAX_NODES];
  PetscInt                 nodes[MESH_MAX_NODES];

  PetscFunctionBegin;
  PetscCall(DraftReserveElements(draft, block->size, block->size * num_nodes));
  for (PetscInt i = 0; i < block->size && !ScanFailed(scanner); i++) {
    const char *const here = ScanHere(scanner);

    rows->scan(scanner, "the tag or a node of an element", 1 + num_nodes, row);
    if (ScanFailed(scanner)) break;
    FindNodes(scanner, here, draft, row[0], num_nodes, row + 1, nodes);
    if (entity && entity->border) continue;
    for (PetscInt k = 0; entity && k < entity->num_groups; k++)
      PetscCall(DraftAddMember(draft, entity->dim, draft->entity_groups[entity->first_group + k], draft->num_elements));
    PetscCall(DraftAddElement(draft, block->shape, row[0], EntityNumber(block->number), nodes));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A partitioned mesh may be saved in several files; one of them is not the mesh. */
static void CheckPartitions(Scanner *scanner, const char *start, const Draft *draft, PetscInt num_met)
{
  if (ScanFailed(scanner) || draft->num_partitions == 0 || num_met == draft->num_partitions) return;
  ScanFail(scanner, start,
           "the mesh is in %" PetscInt64_FMT " partitions, but this file has the elements of %" PetscInt_FMT
           ": save all of it in one file (Mesh.PartitionSplitMeshFiles = 0)",
           draft->num_partitions, num_met);
}

static PetscErrorCode ReadBlocks(Scanner *scanner, Draft *draft, const Rows *rows, const char *start, PetscInt64 num_blocks, PetscInt64 announced)
{
  const PetscInt count = ScanCheckCount(scanner, start, announced, "elements", 2, 2 * BytesOf(rows, scanner));
  PetscInt       done = 0, num_met = 0, room = 0, *met = NULL;

  PetscFunctionBegin;
  for (PetscInt64 i = 0; i < num_blocks && !ScanFailed(scanner); i++) {
    Block block = {.size = 0};

    ReadBlockHead(scanner, draft, rows, count - done, count, &block);
    if (ScanFailed(scanner)) break;
    PetscCall(ReadBlock(scanner, draft, rows, &block));
    done += block.size;
    if (!block.entity || block.entity->partition == 0 || block.size == 0) continue;
    PetscCall(DraftReserve(num_met + 1, sizeof *met, &room, &met));
    met[num_met++] = block.entity->partition;
  }
  if (done < count) ScanFail(scanner, start, "%" PetscInt_FMT " elements are announced, but the entities have %" PetscInt_FMT, count, done);
  PetscCall(PetscSortRemoveDupsInt(&num_met, met));
  CheckPartitions(scanner, start, draft, num_met);
  PetscCall(PetscFree(met));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadElements40(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        announced[2]; /* entities, elements */

  PetscFunctionBegin;
  ScanSizes(scanner, "the numbers of entities and elements", 2, announced);
  PetscCall(ReadBlocks(scanner, draft, &rows40, start, announced[0], announced[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadElements41(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        announced[4]; /* entities, elements, lowest and highest tag */

  PetscFunctionBegin;
  ScanSizes(scanner, "the numbers of entities and elements and the range of tags", 4, announced);
  PetscCall(ReadBlocks(scanner, draft, &rows41, start, announced[0], announced[1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
