/*
  mesh.h - finite element meshes made with Gmsh: nodes, elements in blocks by shape, named groups, spread over ranks.

  A mesh is geometry and names alone: it knows no material, no unknown and no matrix. It is read once and never changes.

  Nodes are numbered 0, 1, 2, ... over the whole mesh, so that neighbours are near (reverse Cuthill-McKee); the numbering,
  the order of elements and all that is said here of the whole mesh do not depend on the number of ranks. A rank owns a
  contiguous slice of the nodes and the elements whose lowest node it owns. It also knows the places of all nodes of its
  elements: its local nodes are those it owns, in order, and behind them the other ones, its ghosts.

  To add a shape: list it in MeshShape and in shapes.c.
*/
#pragma once
#include "base.h"
#include "input.h"

/* Shapes of elements; nodes are in Gmsh's order (https://gmsh.info/doc/texinfo/gmsh.html#Node-ordering). */
typedef enum {
  MESH_POINT1,
  MESH_LINE2,
  MESH_LINE3,
  MESH_TRI3,
  MESH_TRI6,
  MESH_QUAD4,
  MESH_QUAD8,
  MESH_QUAD9,
  MESH_TET4,
  MESH_TET10,
  MESH_HEX8,
  MESH_HEX20,
  MESH_HEX27,
  MESH_WEDGE6,
  MESH_WEDGE15,
  MESH_WEDGE18,
  MESH_PYRAMID5,
  MESH_PYRAMID13,
  MESH_PYRAMID14,
  MESH_NUM_SHAPES
} MeshShape;

enum { MESH_MAX_NODES = 27 };

typedef struct {
  const char *name; /* "hex8" */
  PetscInt    dim, num_nodes, order;
  int         gmsh_type;
} MeshShapeInfo;

extern const MeshShapeInfo mesh_shapes[MESH_NUM_SHAPES];

typedef struct Mesh Mesh;

/* Reads `path`, a .msh file of version 1, 2, 4.0 or 4.1, ASCII or binary, that the value `node` of the case names; `scale` [m] is the
   length of which the file is written in multiples. What is wrong with it is complained of to the document of `node`; the mesh is then
   NULL. Rank 0 alone reads. */
PetscErrorCode MeshReadGmsh(MPI_Comm comm, const InputNode *node, const char *path, PetscReal scale, Mesh **mesh);

/* The same from memory: `name` stands for the path, the bytes of rank 0 count and need not last. */
PetscErrorCode MeshParseGmsh(MPI_Comm comm, InputDocument *document, const char *name, const char *bytes, size_t size, PetscReal scale, Mesh **mesh);
PetscErrorCode MeshDestroy(Mesh **mesh);

/* What follows is local unless it says otherwise, and borrowed from the mesh. */

typedef struct {
  PetscInt          total;        /* of the whole mesh */
  PetscInt          first, count; /* this rank owns first, first + 1, ..., first + count - 1 */
  PetscInt          num_ghosts;
  const PetscInt   *ghosts;      /* their global numbers, ascending, [num_ghosts] */
  const PetscReal  *coordinates; /* of the local nodes [m], [count + num_ghosts, 3] */
  const PetscInt64 *tags;        /* numbers in the file, of the owned nodes, [count] */
} MeshNodes;

/* All elements of one shape, sorted by their lowest node; a rank holds a contiguous slice, which may be empty. */
typedef struct {
  MeshShape         shape;
  PetscInt          total;        /* elements of the whole mesh */
  PetscInt          first, count; /* this rank holds first, first + 1, ... of them */
  const PetscInt   *nodes;        /* global numbers, [count, num_nodes of the shape] */
  const PetscInt   *local_nodes;  /* the same in local numbers */
  const PetscInt64 *tags;         /* numbers in the file, [count] */
  const PetscInt   *entities;     /* the number of the point, curve, surface or volume of the geometry that it is of, 0 for none, [count] */
} MeshBlock;

MPI_Comm         MeshComm(const Mesh *mesh);
const char      *MeshFile(const Mesh *mesh);
const MeshNodes *MeshGetNodes(const Mesh *mesh);
PetscInt         MeshNumBlocks(const Mesh *mesh); /* one for each shape there is, the same on all ranks */
const MeshBlock *MeshGetBlock(const Mesh *mesh, PetscInt i);
void             MeshBoundingBox(const Mesh *mesh, PetscReal lower[3], PetscReal upper[3]); /* of the whole mesh */

/* Groups: Gmsh's physical groups, ordered by dimension and number. One without a name is called by its number. Two of different
   dimension may share a name.
   Behind them are groups that need no name, which MeshNumGroups does not count: `volume 3`, `surface 5`, `curve 2`, `point 7` have the
   elements of an entity of the geometry, `all` those of a dimension. A physical group of the same name goes before. */
typedef struct {
  PetscInt block, index; /* of an element: it is `index` of those this rank has of the block */
} MeshElement;

typedef struct {
  const char        *name;
  PetscInt           dim, number;
  PetscInt           total; /* elements of the whole mesh */
  PetscInt           count; /* on this rank */
  const MeshElement *elements;
} MeshGroup;

enum { MESH_ANY_DIM = -1, MESH_NO_GROUP = -1, MESH_SEVERAL_GROUPS = -2 };

PetscInt         MeshNumGroups(const Mesh *mesh);
const MeshGroup *MeshGetGroup(const Mesh *mesh, PetscInt i);
PetscInt         MeshNumAllGroups(const Mesh *mesh);                              /* with those that need no name */
PetscInt         MeshFindGroup(const Mesh *mesh, PetscInt dim, const char *name); /* its index, or one of the above */

/* The same for a name that the value `node` of the case gives (or its key): what is not one group with elements is complained
   of with the groups there are, and gives MESH_NO_GROUP. */
PetscErrorCode MeshChooseGroup(const Mesh *mesh, const InputNode *node, PetscInt dim, const char *name, PetscInt *group);

/* The nodes of a group, ascending, the same on all ranks, to be freed with PetscFree. Collective. */
PetscErrorCode MeshGroupNodes(const Mesh *mesh, PetscInt group, PetscInt *count, PetscInt **nodes);

/* Any nodes of the mesh, whatever each rank asks for: coordinates[count, 3], tags[count]. Collective. */
PetscErrorCode MeshNodeCoordinates(const Mesh *mesh, PetscInt count, const PetscInt nodes[], PetscReal coordinates[]);
PetscErrorCode MeshNodeTags(const Mesh *mesh, PetscInt count, const PetscInt nodes[], PetscInt64 tags[]);

/* The node of the file's number, -1 when there is none. Collective. */
PetscErrorCode MeshNodeByTag(const Mesh *mesh, PetscInt64 tag, PetscInt *node);

/* The node nearest to a place, of a group or (MESH_NO_GROUP) of the mesh; of several equally near the lowest. Collective. */
typedef struct {
  PetscInt  node, num_equal; /* num_equal > 1: several are equally near, as where two parts touch */
  PetscReal distance;        /* [m] */
} MeshNearest;
PetscErrorCode MeshNearestNode(const Mesh *mesh, PetscInt group, const PetscReal place[3], MeshNearest *nearest);

/* Parts: what hangs together by elements. The nodes of a part are numbered one after the other. */
PetscInt MeshNumParts(const Mesh *mesh);
PetscInt MeshPartStart(const Mesh *mesh, PetscInt part); /* its first node; of part MeshNumParts: the number of nodes */
PetscInt MeshPartOfNode(const Mesh *mesh, PetscInt node);

/* Nodes at the same place: where two parts touch that is as it should be, within one part it is a crack. */
typedef struct {
  PetscInt   within_parts, between_parts; /* pairs of neighbours */
  PetscInt64 tags[2];                     /* of the first pair within a part */
  PetscReal  place[3];
} MeshCoincidences;
const MeshCoincidences *MeshGetCoincidences(const Mesh *mesh);
void                    MeshWarnOfCracks(const Mesh *mesh); /* says so in the log if there are any */
