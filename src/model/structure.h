/*
  structure.h - the meshed part of a Model: what it is made of, where it is held, which of its motions are kept; private to this room.

  It becomes a mass and a stiffness on a few coordinates (reduced.c), and from there on is to the rest of the model what matrices
  written in the case are. Every rank knows all of it but the elements, which are spread as the mesh is.
*/
#pragma once
#include "parts.h"
#include "element.h"
#include "mesh.h"
#include "continuum.h"

typedef struct {
  const char *name;
  Material    material;
} NamedMaterial;

/* Elements of one group that share their properties. */
typedef struct {
  const char      *name; /* of the group */
  const InputNode *node;
  PetscInt         group;
  const Material  *material; /* NULL when not given, or after a complaint */
  BeamSection      section;
  PointMass        point_mass;
  PetscBool        has_section, has_point_mass;
} Part;

/* Those of one part and one shape on this rank. */
typedef struct {
  const Part        *part;
  const MeshBlock   *block;
  const ElementKind *kind;
  ElementProperties  properties;
  PetscInt           count;
  PetscInt          *elements; /* indices in the block */
} Batch;

/* Nodes held by the ground. */
typedef struct {
  PetscInt  num_nodes;
  PetscInt *nodes; /* ascending */
  unsigned  directions;
} Support;

enum { SPACE = 3 };

/* Where a point lies in the mesh: on one node, or on the average of the nodes of a surface [RBE3]. Its translation is the weighted
   mean, its rotation the one that fits the nodes best: theta = I^-1 sum w r x u, I = sum w (r^2 1 - r r^T), r from the centre. */
struct Site {
  PetscInt   group; /* of the surface; MESH_NO_GROUP for one node */
  PetscInt   num_nodes;
  PetscInt  *nodes;
  PetscReal *weights;              /* their sum is 1 */
  PetscReal (*arms)[SPACE];        /* r */
  PetscReal inverse[SPACE][SPACE]; /* I^-1 */
};

/* The unknowns of the mesh, in blocks of three: the displacements of a node, and its rotations if its elements have them. Blocks follow
   the nodes. A slot is 2 * local node, + 1 for rotations. */
typedef struct {
  PetscInt *block;       /* of each slot: its number over all ranks; -1 where there is none or nothing moves */
  PetscInt  first_block; /* this rank owns num_blocks from here on */
  PetscInt  num_blocks, total_blocks;
  PetscInt *slot;   /* of each owned block */
  PetscInt *number; /* of each owned block's three unknowns, over all ranks; -1 is held */
  IS        free;   /* those of all blocks that are not held; NULL when none is: then unknown 3 b + c is c of block b */
  PetscInt  num_local, num_total;
} Unknowns;

struct Structure {
  const InputNode *node; /* of the mesh */
  Mesh            *mesh;

  PetscInt       num_materials;
  NamedMaterial *materials;
  PetscInt       num_parts, num_batches;
  Part          *parts;
  Batch         *batches;
  PetscInt       num_supports;
  Support       *supports;
  PetscInt       num_sites;
  Site          *sites;
  Unknowns       unknowns;

  const InputNode *reduction_node; /* NULL: not reduced */
  ReductionOptions options;
  InputTexts       keep;
  const InputNode *keep_node;
  PetscInt         num_kept, num_modes; /* of the coordinates that remain */
  PetscInt        *kept;                /* coordinates of points, [num_kept] */
  PetscInt         first_mode;          /* coordinate of the first mode */
  PetscReal        mass;                /* [kg], once built */
  ReductionCost    cost;                /* once built, with a patience that ends */
  PetscBool        is_sketch;           /* it was too long */
  Reduction       *reduction;           /* once built; or, not reduced, */
  Continuum       *continuum;
  PetscInt        *reduced; /* the System's unknown of each of its coordinates, GROUND where it rests; once built */
};

extern const InputTable part_table, point_table, support_table, craig_bampton_table, guyan_table;

/* Reading. Each complains and goes on. */
PetscErrorCode MaterialsRead(const InputNode *node, Structure *structure);
PetscErrorCode PartsRead(const InputNode *node, Structure *structure);
PetscErrorCode SupportsRead(const InputNode *node, Structure *structure);
PetscErrorCode SitesRead(const InputNode *node, Model *model);
PetscErrorCode ReductionRead(const InputNode *node, Structure *structure);

/* The directions that the ground holds at a node: bit d. Local. */
unsigned SupportsHold(const Structure *structure, PetscInt node);
/* The directions in which a node moves: bit d. */
PetscErrorCode UnknownsOfNode(const Structure *structure, PetscInt node, unsigned *directions);

PetscErrorCode UnknownsCreate(Structure *structure);
PetscErrorCode UnknownsDestroy(Unknowns *unknowns);
/* The unknown of a node and direction, if this rank owns it; -1 otherwise, and when it is held. Local. */
PetscInt UnknownsFind(const Structure *structure, PetscInt node, PetscInt direction);

/* Adds what ranks count for slots of their ghosts to the counts of the owners. */
PetscErrorCode UnknownsSum(const Structure *structure, PetscInt counts[]);

/* Stiffness, mass, inertia of the whole mesh. Complains of an element that is inside out; the continuum is then not to be used, but to
   be destroyed. */
PetscErrorCode AssemblyFill(const Structure *structure, Continuum *continuum, PetscBool *fine);

/* The mesh with what there is on it; NULL after a complaint. */
PetscErrorCode ContinuumCreate(const Model *model, Continuum **continuum);
/* Ties what it shows to unknowns of the System: for one that is not reduced. */
PetscErrorCode ContinuumTie(const Model *model, const Numbering *numbering, Continuum *continuum);
/* Complains of what is wrong with it, if anything is. */
PetscErrorCode ContinuumComplain(const Model *model, const Continuum *continuum, const ContinuumFault *fault);

/* A motion of a site is sum factor * (displacement or rotation of a node): one term for each call, i from 0; false when there are no more. */
typedef struct {
  PetscInt  node, direction;
  PetscReal factor;
} SiteTerm;
PetscBool SiteTermOf(const Site *site, PetscInt direction, PetscInt i, SiteTerm *term);

/* The least of what ranks give, and what the rank that gave it says with it; INT64_MAX is nothing. */
PetscErrorCode LeastOfRanks(MPI_Comm comm, PetscInt64 *least, PetscInt64 *remark);
