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

  if (name) ScanFail(scanner, at, "elements of type %" PetscInt64_FMT " (%s) are not read, only those of first and second order", type, name);
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

/* One element of version 2.2. */
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
  if (draft->num_elements == 0 || !IsSame(element, before)) PetscCall(DraftAddElement(draft, element->shape, element->tag, element->nodes));
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

/* The elements of an entity, all of one shape. */
static PetscErrorCode ReadBlock(Scanner *scanner, Draft *draft, PetscInt count)
{
  const char *const  at = ScanHere(scanner);
  const DraftEntity *entity;
  PetscInt64         head[3], announced, row[1 + MESH_MAX_NODES];
  PetscInt           num_nodes, size, nodes[MESH_MAX_NODES];
  MeshShape          shape;

  PetscFunctionBegin;
  ScanInts(scanner, "the dimension and number of an entity and the type of its elements", 3, head);
  ScanSizes(scanner, "the number of elements of an entity", 1, &announced);
  if (ScanFailed(scanner)) PetscFunctionReturn(PETSC_SUCCESS);
  shape = FindShape(scanner, at, head[2]);
  if (ScanFailed(scanner)) PetscFunctionReturn(PETSC_SUCCESS);
  num_nodes = mesh_shapes[shape].num_nodes;
  size      = ScanCheckCount(scanner, at, announced, "elements", 1 + num_nodes, 8 * (1 + num_nodes));
  if (head[0] != mesh_shapes[shape].dim)
    ScanFail(scanner, at, "elements %s in an entity of dimension %" PetscInt64_FMT, mesh_shapes[shape].name, head[0]);
  if (size > count - draft->num_elements)
    ScanFail(scanner, at, "%" PetscInt_FMT " more elements come after %" PetscInt_FMT " of the %" PetscInt_FMT " announced", size,
             draft->num_elements, count);
  if (ScanFailed(scanner)) PetscFunctionReturn(PETSC_SUCCESS);
  entity = DraftFindEntity(draft, (PetscInt)head[0], head[1]);
  PetscCall(DraftReserveElements(draft, size, size * num_nodes));
  for (PetscInt i = 0; i < size && !ScanFailed(scanner); i++) {
    const char *const here = ScanHere(scanner);

    ScanSizes(scanner, "the tag or a node of an element", 1 + num_nodes, row);
    if (ScanFailed(scanner)) break;
    FindNodes(scanner, here, draft, row[0], num_nodes, row + 1, nodes);
    for (PetscInt k = 0; entity && k < entity->num_groups; k++)
      PetscCall(DraftAddMember(draft, entity->dim, draft->entity_groups[entity->first_group + k], draft->num_elements));
    PetscCall(DraftAddElement(draft, shape, row[0], nodes));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GmshReadElements4(Scanner *scanner, Draft *draft)
{
  const char *const start = scanner->at;
  PetscInt64        announced[4]; /* entities, elements, lowest and highest tag */
  PetscInt          count;

  PetscFunctionBegin;
  ScanSizes(scanner, "the numbers of entities and elements and the range of tags", 4, announced);
  count = ScanCheckCount(scanner, start, announced[1], "elements", 2, 16);
  for (PetscInt64 i = 0; i < announced[0] && !ScanFailed(scanner); i++) PetscCall(ReadBlock(scanner, draft, count));
  if (draft->num_elements < count)
    ScanFail(scanner, start, "%" PetscInt_FMT " elements are announced, but the entities have %" PetscInt_FMT, count, draft->num_elements);
  PetscFunctionReturn(PETSC_SUCCESS);
}
