/* draft.h - a mesh while it is read, on rank 0: nodes and elements in the order of the file, with their groups. */
#pragma once
#include "mesh.h"
#include "tags.h"

enum { DRAFT_MAX_NAME = 200 };

/* An element belongs to the group of this dimension and number. */
typedef struct {
  PetscInt dim, number, element;
} DraftMember;

/* Old files do not tell the dimension: the name is then that of all groups of the number. */
typedef struct {
  PetscInt dim, number; /* dim may be MESH_ANY_DIM */
  char     text[DRAFT_MAX_NAME + 1];
} DraftName;

/* A point, curve, surface or volume of the geometry, with the numbers of its groups; or a piece of one, in a partitioned mesh. */
typedef struct {
  PetscInt64 tag, whole;                   /* whole: what it is a piece of, else itself */
  PetscInt   dim, num_groups, first_group; /* in `entity_groups` */
  PetscInt   partition;                    /* 0: none, or several */
  PetscBool  border;                       /* between partitions: not of the mesh that was made */
} DraftEntity;

typedef struct {
  PetscInt     num_nodes, num_elements, num_names, num_members, num_entities, num_entity_groups;
  PetscInt64  *node_tags;        /* [num_nodes] */
  PetscReal   *coordinates;      /* [num_nodes, 3] */
  Tags        *tags;             /* finds a node by its tag */
  MeshShape   *shapes;           /* [num_elements] */
  PetscInt64  *element_tags;     /* [num_elements] */
  PetscInt    *element_entities; /* number of the entity of each element, 0 for none, [num_elements] */
  PetscInt    *starts;           /* of the nodes of each element in `connectivity`, [num_elements + 1] */
  PetscInt    *connectivity;     /* places of nodes in the arrays above */
  DraftName   *names;
  DraftMember *members;
  DraftEntity *entities; /* [num_entities] */
  PetscInt    *entity_groups;
  PetscInt64   num_partitions; /* that the file says there are; 0 when it says nothing */
  PetscInt     room_tags, room_coordinates, room_shapes, room_element_tags, room_element_entities, room_starts, room_connectivity, room_names,
    room_members, room_entities, room_entity_groups;
} Draft;

/* Makes room for `needed` items of an array; `array` is the address of a pointer. It grows by halves. */
PetscErrorCode DraftReserve(PetscInt needed, size_t bytes_each, PetscInt *room, void *array);
PetscErrorCode DraftReserveElements(Draft *draft, PetscInt more_elements, PetscInt more_nodes);
PetscErrorCode DraftAddElement(Draft *draft, MeshShape shape, PetscInt64 tag, PetscInt entity, const PetscInt nodes[]);
/* As if the file were in metres. */
void           DraftScale(Draft *draft, PetscReal scale);
PetscErrorCode DraftAddMember(Draft *draft, PetscInt dim, PetscInt number, PetscInt element);
PetscErrorCode DraftSortEntities(Draft *draft);
PetscErrorCode DraftDestroy(Draft *draft);

PetscInt64         DraftKey(PetscInt dim, PetscInt number); /* of a group: sorts by dimension, then number */
PetscInt           DraftKeyDim(PetscInt64 key);
const DraftEntity *DraftFindEntity(const Draft *draft, PetscInt dim, PetscInt64 tag); /* NULL: there is none */
