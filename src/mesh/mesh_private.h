/* mesh_private.h - what the files of the mesh room share. */
#pragma once
#include "mesh.h"
#include "whole.h"

enum { IMPLIED_NAME = 24 };

/* The memory behind a MeshBlock. */
typedef struct {
  PetscInt   *nodes, *local_nodes, *entities;
  PetscInt64 *tags;
} BlockMemory;

struct Mesh {
  MPI_Comm     comm;
  char        *file;
  MeshNodes    nodes;
  PetscInt    *ghosts;
  PetscReal   *coordinates;
  PetscInt64  *node_tags;
  PetscInt     num_blocks, num_groups, num_parts;
  MeshBlock    blocks[MESH_NUM_SHAPES];
  BlockMemory  block_memory[MESH_NUM_SHAPES];
  MeshGroup   *groups;
  char        *names;       /* of all groups */
  MeshElement *members;     /* of all groups */
  PetscInt     num_implied; /* behind these: groups that need no name, of entities and of all of a dimension */
  char (*implied_names)[IMPLIED_NAME];
  MeshElement     *implied_members;
  PetscInt        *part_starts;
  PetscReal        lower[3], upper[3];
  MeshCoincidences coincidences;
};

/* partition.c: the mesh from what rank 0 has; of the other ranks `whole` is empty. */
PetscErrorCode MeshSpread(MPI_Comm comm, const char *name, const Whole *whole, Mesh **mesh);

/* implied.c: groups that no file has to name, behind those that it names. */
PetscErrorCode MeshImplyGroups(Mesh *mesh, PetscInt count, const PetscInt64 keys[]);
PetscBool      MeshGroupIsAll(const Mesh *mesh, PetscInt group);
/* Whether a name is meant as one of these: "volume 9". */
PetscBool MeshNameIsOfEntity(const char *name);

/* The rank's first node when `count` nodes are spread over ranks as evenly as may be. */
PetscInt MeshFirstNode(PetscInt count, int size, int rank);

/* nodes.c: of any nodes, what their owners hold for each in items of `unit`. */
PetscErrorCode MeshFetch(const Mesh *mesh, PetscInt count, const PetscInt nodes[], MPI_Datatype unit, const void *owned, void *wanted);
