/*
  meshed/build.h - a MeshedPart read from a case, and a MeshedModel built from it.

  A mesh adds points to those of the structure, and its kept motions and modes to their coordinates.
*/
#pragma once
#include "element.h"
#include "faces.h"
#include "meshed.h"
#include "points.h"

/* The tables of the case file that this room reads, beside those of its elements; for the help. */
extern const InputTable mesh_table, part_table, point_table, support_table, constraint_table, craig_bampton_table, guyan_table, modes_reduction_table;

/* The values of the case's top-level keys that a mesh needs; NULL when absent. */
typedef struct {
  const InputNode *mesh, *materials, *parts, *points, *supports, *constraints, *reduction;
  PetscBool        in_time; /* something is to move in time: without a `reduction` it is then reduced to modes */
} MeshedNodes;

/* Reads them and adds the points of the mesh to those of the structure, which must outlive it. Complains and goes on. NULL without a mesh;
   after a complaint perhaps without the Mesh. */
PetscErrorCode MeshedPartRead(const InputNode *root, const MeshedNodes *nodes, Points *points, MeshedPart **meshed);
/* When all else has been read: ties points that are held, and adds the coordinates that will remain. */
PetscErrorCode MeshedPartIndex(MeshedPart *meshed);
/* Variants of the structure will be built: what a MeshedModel of it can share with theirs is kept. Local. */
void           MeshedPartLend(MeshedPart *meshed);
PetscErrorCode MeshedPartDestroy(MeshedPart **meshed);

/* What it adds to the names of the structure, once indexed: which points follow others, how many modes there are. Local. */
void MeshedPartName(const MeshedPart *meshed, Names *names);

/* Whether it has unknowns that are none of the structure's coordinates: it is not reduced to motions, and not all held. Local. */
PetscBool MeshedPartMoves(const MeshedPart *meshed);
/* Whether it is to be reduced to modes of the whole structure. Local. */
PetscBool MeshedPartWantsModes(const MeshedPart *meshed);
/* Whether motions of points that are kept stand for it. Local. */
PetscBool MeshedPartKeepsMotions(const MeshedPart *meshed);
/* From this one on, unknowns of the System are held: they are moving supports, and rest in what is drawn. Local. */
void MeshedModelHold(MeshedModel *model, PetscInt first);
/* Whether the case has a `reduction`. Local. */
PetscBool MeshedPartSaysReduction(const MeshedPart *meshed);

/* A pressure of 1 Pa on a group of faces, against the structure behind them: forces on the unknowns of the mesh, NULL after a complaint at
   `node`; and their sum [N], what supports take included. `parts_are_fine`: only then is it known what lies behind a face. */
PetscErrorCode MeshedPartPressure(const MeshedPart *meshed, const InputNode *node, const char *group, PetscBool parts_are_fine,
                                  PetscReal resultant[3], Vec *forces);

/* Points between two groups of faces that touch, which the value `node` names: [A, B]; `slave` is 0, 1, or -1 for the finer one; `reach` as in
   FacePairing. Once for each joint, in their order; those that are `tied` move together from then on. Complains of groups that are none, of faces
   without an inside, and of faces that do not meet, and then gives NULL. */
PetscErrorCode MeshedPartTouch(MeshedPart *meshed, const char *joint, const InputNode *node, const InputTexts *groups, PetscInt slave,
                               PetscReal reach, PetscBool tied, PetscBool parts_are_fine, const FacePoints **points);

/* Warns when the mesh itself holds the two sides of a joint between points together, by nodes that they or the parts around them share. */
PetscErrorCode MeshedPartWarnOfWelds(const MeshedPart *meshed, const char *joint, const PetscInt ends[2]);

/* What the two bodies behind such points resist together to being pressed, 1/E* = sum (1 - nu^2) / E of the stiffest parts there [Pa]; and the
   mean of their Poisson's ratios. */
PetscErrorCode MeshedPartContactModulus(const MeshedPart *meshed, const FacePoints *points, PetscReal *modulus, PetscReal *poisson);

/* A bolt as a jump of its solid shank: elements on the + side of a cut, where the axis n points, see u - delta n at the nodes c of the cut.

       V = - sum_e K_e n_c      k = sum_e n_c^T K_e n_c      tension T = V^T u + k delta

   delta > 0 makes the shank shorter; the elements e are those of the + side. */
typedef struct {
  PetscInt    num_nodes; /* of the cut; 0 of a beam */
  PetscReal   length;    /* of a beam [m] */
  PetscReal   axis[3];   /* of length one */
  PetscReal   area;      /* of the cut [m^2] */
  PetscReal   stiffness; /* k [N/m] */
  Vec         forces;    /* V on the unknowns of the mesh [N/m] */
  struct Cut *cut;       /* NULL of a beam */
} MeshedBolt;

PetscErrorCode MeshedBoltDestroy(MeshedBolt *bolt);

/* `map` has the keys `cut`, a `group` of faces, and perhaps `axis`, NULL for the mean normal of the cut, its largest component positive.
   Complains of a cut that does not separate a shank, and of an axis that lies in it; then there are no forces. `parts_are_fine`: only then
   is it known what the faces lie between. */
PetscErrorCode MeshedPartBolt(const MeshedPart *meshed, const InputNode *map, const char *group, const PetscReal axis[3], PetscBool parts_are_fine,
                              MeshedBolt *bolt);

/* A bolt as a beam, without mass, between two points that average faces or move them rigidly: it becomes part of what holds the mesh together.
   Complains of other points, of a length of zero, of a material that is not isotropic; then there are no forces. */
PetscErrorCode MeshedPartBeamBolt(MeshedPart *meshed, const InputNode *map, const InputTexts *between, PetscReal diameter, const char *material,
                                  PetscBool parts_are_fine, MeshedBolt *bolt);

/* What a preload has left in a mesh: how its unknowns have moved, its bolts, and of each its shift and tension. */
typedef struct {
  const InputNode         *node; /* where the case asks for its stiffness: that of a structure which buckles is complained of there */
  Vec                      motion;
  PetscInt                 num_bolts;
  const MeshedBolt *const *bolts; /* must live on */
  const PetscReal         *shift, *tension;
} MeshedStress;

/* The same mesh, whose stiffness has what these stresses add: a view that shares all else, which must not outlive it, and is to be forgotten. */
PetscErrorCode MeshedPartStress(const MeshedPart *meshed, const MeshedStress *stress, MeshedPart **stressed);
PetscErrorCode MeshedPartForget(MeshedPart **stressed);
/* These stresses themselves, of the view (element.h: ElementStress). nodes[owned nodes, 6]: the mean over the elements of one material around
   each, where materials meet that of the one with the larger von Mises stress. elements[elements of this rank, block after block, 6]. NaN
   where there is none: at nodes of no solid, of elements that are none. Collective. */
PetscErrorCode MeshedPartFindStresses(const MeshedPart *stressed, PetscReal nodes[], PetscReal elements[]);

/* Likewise at the points of integration of its solids: of all elements that this rank has, block after block, values[elements][points][9], the
   place and the stress of each; NaN behind the last of a kind, and of other elements. `points` is MeshedPartMostPoints. Local. */
PetscErrorCode MeshedPartFindPointStresses(const MeshedPart *stressed, PetscInt points, PetscReal values[]);

/* What the ground gives to a mesh at rest that has moved so (MeshedPartStress): of each support force and moment about the origin,
   reactions[supports, 6] on all ranks. What joints do to nodes that are held is not in it. Collective. */
PetscErrorCode MeshedPartFindReactions(const MeshedPart *stressed, const MeshedLoads *loads, PetscReal reactions[]);

/* Assembled, reduced and put into the System. Complains of what is wrong with it. `patience` [s]: when the reduction would take longer it
   is left undone, and nothing is put into the System. */
PetscErrorCode MeshedModelBuild(const MeshedPart *meshed, PetscReal patience, const Numbering *numbering, System *system, MeshedModel **model);
/* One of a mesh that lends is put into the System of a variant with the same points, without being assembled again; it must outlive the share.
   Reduced to motions it is not reduced again; to modes only where its tied unknowns differ. */
PetscErrorCode MeshedModelShare(const MeshedModel *same, const Numbering *numbering, System *system, MeshedModel **share);
PetscErrorCode MeshedModelDestroy(MeshedModel **model);
/* Of a mesh whose continuum the System is tied to, once that is set up: what its modes take. */
PetscErrorCode MeshedModelEstimate(MeshedModel *model, const System *system, PetscReal patience);
/* Of one that is to be reduced to modes: the System, tied and set up, becomes one of coordinates of modes. `pressure`:
   forces of each of its patterns on the unknowns of the mesh, NULL for none; `bolts`: V of each of its bolts. Complains of modes that could
   not be found. */
PetscErrorCode MeshedModelReduceToModes(MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *same, System *system);
/* Of the same, still tied: motions of the unknowns of the mesh, a column each, under forces on the places of the System, forces[count, places],
   at rest, while all joints stick. NULL after a complaint. */
PetscErrorCode MeshedModelDeflect(const MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *system, PetscInt count,
                                  const PetscReal forces[], Mat *motion);
/* Ties another System of the same coordinates to the continuum; forgets the continuum, which no System is tied to any more. */
PetscErrorCode MeshedModelTie(const MeshedModel *model, System *system);
PetscErrorCode MeshedModelForgetContinuum(MeshedModel *model);
/* What forces on the unknowns of the mesh do to those of the System. */
PetscErrorCode MeshedModelAddForces(const MeshedModel *model, Vec forces, System *system, PetscInt pattern);

/* Of one that is reduced, into a System that has reactions: how these follow its unknowns. */
PetscErrorCode MeshedModelSetReactions(const MeshedModel *model, System *system);

PetscBool MeshedModelTakesTooLong(const MeshedModel *model); /* than its patience. Local. */
/* What it takes over all ranks, when it was built with a patience that ends [bytes]. Local. */
PetscReal MeshedModelMemory(const MeshedModel *model);
/* What the mesh is and what remains of it. Local. */
PetscErrorCode MeshedModelDescribe(const MeshedModel *model, FILE *out);
