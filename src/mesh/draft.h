/* draft.h - a mesh while it is read, on rank 0: nodes and elements in the order of the file, with their groups. */
#pragma once
#include "mesh.h"
#include "tags.h"

enum { DRAFT_MAX_NAME = 200 };

/* An element belongs to the group of this dimension and number. */
typedef struct {
  PetscInt dim, number, element;
} DraftMember;

typedef struct {
  PetscInt dim, number;
  char     text[DRAFT_MAX_NAME + 1];
} DraftName;

/* A point, curve, surface or volume of the geometry, with the numbers of its groups. */
typedef struct {
  PetscInt64 tag;
  PetscInt   dim, num_groups, first_group; /* in `entity_groups` */
} DraftEntity;

typedef struct {
  PetscInt     num_nodes, num_elements, num_names, num_members, num_entities, num_entity_groups;
  PetscInt64  *node_tags;    /* [num_nodes] */
  PetscReal   *coordinates;  /* [num_nodes, 3] */
  Tags        *tags;         /* finds a node by its tag */
  MeshShape   *shapes;       /* [num_elements] */
  PetscInt64  *element_tags; /* [num_elements] */
  PetscInt    *starts;       /* of the nodes of each element in `connectivity`, [num_elements + 1] */
  PetscInt    *connectivity; /* places of nodes in the arrays above */
  DraftName   *names;
  DraftMember *members;
  DraftEntity *entities;
  PetscInt    *entity_groups;
  PetscInt     room_tags, room_coordinates, room_shapes, room_element_tags, room_starts, room_connectivity, room_names, room_members, room_entities,
    room_entity_groups;
} Draft;

/* Makes room for `needed` items of an array; `array` is the address of a pointer. It grows by halves. */
PetscErrorCode DraftReserve(PetscInt needed, size_t bytes_each, PetscInt *room, void *array);
PetscErrorCode DraftReserveElements(Draft *draft, PetscInt more_elements, PetscInt more_nodes);
PetscErrorCode DraftAddElement(Draft *draft, MeshShape shape, PetscInt64 tag, const PetscInt nodes[]);
PetscErrorCode DraftAddMember(Draft *draft, PetscInt dim, PetscInt number, PetscInt element);
PetscErrorCode DraftSortEntities(Draft *draft);
PetscErrorCode DraftDestroy(Draft *draft);

PetscInt64         DraftKey(PetscInt dim, PetscInt number);                           /* of a group: sorts by dimension, then number */
const DraftEntity *DraftFindEntity(const Draft *draft, PetscInt dim, PetscInt64 tag); /* NULL: there is none */
