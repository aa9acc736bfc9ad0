/* draft.c - a mesh while it is read. */
#include "draft.h"
#include <stdlib.h>
#include <string.h>

PetscErrorCode DraftReserve(PetscInt needed, size_t bytes_each, PetscInt *room, void *array)
{
  void *memory;

  PetscFunctionBegin;
  if (needed <= *room) PetscFunctionReturn(PETSC_SUCCESS);
  *room = (PetscInt)PetscMin(PetscMax(needed, 16 + (PetscInt64)*room + *room / 2), PETSC_MAX_INT);
  memcpy(&memory, array, sizeof memory);
  PetscCall(PetscRealloc((size_t)*room * bytes_each, &memory));
  memcpy(array, &memory, sizeof memory);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftReserveElements(Draft *draft, PetscInt more_elements, PetscInt more_nodes)
{
  const PetscInt elements = draft->num_elements + more_elements, nodes = draft->num_elements ? draft->starts[draft->num_elements] : 0;

  PetscFunctionBegin;
  PetscCheck(nodes <= PETSC_MAX_INT - more_nodes, PETSC_COMM_SELF, PETSC_ERR_SUP, "too many elements for indices of 32 bits");
  PetscCall(DraftReserve(elements, sizeof *draft->shapes, &draft->room_shapes, &draft->shapes));
  PetscCall(DraftReserve(elements, sizeof *draft->element_tags, &draft->room_element_tags, &draft->element_tags));
  PetscCall(DraftReserve(elements, sizeof *draft->element_entities, &draft->room_element_entities, &draft->element_entities));
  PetscCall(DraftReserve(elements + 1, sizeof *draft->starts, &draft->room_starts, &draft->starts));
  PetscCall(DraftReserve(nodes + more_nodes, sizeof *draft->connectivity, &draft->room_connectivity, &draft->connectivity));
  draft->starts[0] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftAddElement(Draft *draft, MeshShape shape, PetscInt64 tag, PetscInt entity, const PetscInt nodes[])
{
  const PetscInt num_nodes = mesh_shapes[shape].num_nodes, e = draft->num_elements;

  PetscFunctionBegin;
  PetscCall(DraftReserveElements(draft, 1, num_nodes));
  memcpy(&draft->connectivity[draft->starts[e]], nodes, (size_t)num_nodes * sizeof *nodes);
  draft->shapes[e]           = shape;
  draft->element_tags[e]     = tag;
  draft->element_entities[e] = entity;
  draft->starts[e + 1]       = draft->starts[e] + num_nodes;
  draft->num_elements++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftAddMember(Draft *draft, PetscInt dim, PetscInt number, PetscInt element)
{
  PetscFunctionBegin;
  PetscCall(DraftReserve(draft->num_members + 1, sizeof *draft->members, &draft->room_members, &draft->members));
  draft->members[draft->num_members++] = (DraftMember){.dim = dim, .number = number, .element = element};
  PetscFunctionReturn(PETSC_SUCCESS);
}

void DraftScale(Draft *draft, PetscReal scale)
{
  for (PetscInt i = 0; i < 3 * draft->num_nodes; i++) draft->coordinates[i] *= scale;
}

PetscInt64 DraftKey(PetscInt dim, PetscInt number)
{
  return ((PetscInt64)dim + 1) * ((PetscInt64)1 << 32) + number;
}

PetscInt DraftKeyDim(PetscInt64 key)
{
  return (PetscInt)(key >> 32) - 1;
}

static int CompareEntities(const void *a, const void *b)
{
  const DraftEntity *const one = a, *const two = b;

  if (one->dim != two->dim) return one->dim < two->dim ? -1 : 1;
  return one->tag < two->tag ? -1 : one->tag > two->tag;
}

PetscErrorCode DraftSortEntities(Draft *draft)
{
  PetscFunctionBegin;
  if (draft->num_entities) qsort(draft->entities, (size_t)draft->num_entities, sizeof *draft->entities, CompareEntities);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const DraftEntity *DraftFindEntity(const Draft *draft, PetscInt dim, PetscInt64 tag)
{
  const DraftEntity wanted = {.dim = dim, .tag = tag};

  return draft->num_entities ? bsearch(&wanted, draft->entities, (size_t)draft->num_entities, sizeof wanted, CompareEntities) : NULL;
}

PetscErrorCode DraftDestroy(Draft *draft)
{
  PetscFunctionBegin;
  PetscCall(TagsDestroy(&draft->tags));
  PetscCall(PetscFree(draft->node_tags));
  PetscCall(PetscFree(draft->coordinates));
  PetscCall(PetscFree(draft->shapes));
  PetscCall(PetscFree(draft->element_tags));
  PetscCall(PetscFree(draft->starts));
  PetscCall(PetscFree(draft->connectivity));
  PetscCall(PetscFree(draft->names));
  PetscCall(PetscFree(draft->members));
  PetscCall(PetscFree(draft->element_entities));
  PetscCall(PetscFree(draft->entities));
  PetscCall(PetscFree(draft->entity_groups));
  memset(draft, 0, sizeof *draft);
  PetscFunctionReturn(PETSC_SUCCESS);
}
