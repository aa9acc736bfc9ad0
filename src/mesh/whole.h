/* whole.h - the whole mesh in its final order, on rank 0, before it is spread. */
#pragma once
#include "draft.h"

enum { WHOLE_ALL = 0 }; /* no entity has this number */

/* What every rank gets as it is. */
typedef struct {
  PetscInt         num_nodes, num_dropped, num_parts, num_groups, num_members, num_implied;
  PetscInt         counts[MESH_NUM_SHAPES]; /* elements of each shape */
  PetscInt64       names_length;            /* of all names of groups, each with its NUL */
  PetscReal        lower[3], upper[3];
  MeshCoincidences coincidences;
} WholeFacts;

typedef struct {
  PetscInt dim, number, total;
} WholeGroup;

typedef struct {
  PetscInt group, shape, index; /* element `index` of all of its shape */
} WholeMember;

typedef struct {
  WholeFacts   facts;
  PetscInt    *part_starts;             /* [num_parts + 1] */
  PetscReal   *coordinates;             /* [num_nodes, 3] */
  PetscInt64  *node_tags;               /* [num_nodes] */
  PetscInt    *lowest[MESH_NUM_SHAPES]; /* node of each element, ascending */
  PetscInt    *nodes[MESH_NUM_SHAPES];
  PetscInt64  *tags[MESH_NUM_SHAPES];
  PetscInt    *entities[MESH_NUM_SHAPES]; /* number of the entity of each element, 0 for none */
  WholeGroup  *groups;
  char        *names;
  PetscInt64  *implied; /* keys of groups that need no name: of a dimension and an entity, or WHOLE_ALL; ascending, [num_implied] */
  WholeMember *members; /* ascending by the lowest node of the element */
} Whole;

/* Takes the draft apart: it is empty afterwards. */
PetscErrorCode WholeCreate(Draft *draft, Whole *whole);
PetscErrorCode WholeDestroy(Whole *whole);

/* whole_groups.c: `ranks` is the rank of each element of the draft when all are sorted by their lowest node, `indices` that among its shape. */
PetscErrorCode WholeGroups(const Draft *draft, const PetscInt ranks[], const PetscInt indices[], Whole *whole);
