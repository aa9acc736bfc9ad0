/* whole.h - the whole mesh in its final order, on rank 0, before it is spread. */
#pragma once
#include "draft.h"

/* What every rank gets as it is. */
typedef struct {
  PetscInt         num_nodes, num_dropped, num_parts, num_groups, num_members;
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
  WholeGroup  *groups;
  char        *names;
  WholeMember *members; /* ascending by the lowest node of the element */
} Whole;

/* Takes the draft apart: it is empty afterwards. */
PetscErrorCode WholeCreate(Draft *draft, Whole *whole);
PetscErrorCode WholeDestroy(Whole *whole);

/* whole_groups.c: `ranks` is the rank of each element of the draft when all are sorted by their lowest node, `indices` that among its shape. */
PetscErrorCode WholeGroups(const Draft *draft, const PetscInt ranks[], const PetscInt indices[], Whole *whole);
