/*
  meshed.h - the meshed part of a structure: what the keys of a case say of it, and what it becomes in a System.

  A MeshedPart is what the case says: a mesh, what it is made of, where it is held, which of its motions are kept. A MeshedModel is what
  that becomes: assembled and reduced, its matrices in the System; or, not reduced, a Continuum that the System is tied to. Every rank knows
  all but the elements, which are spread as the mesh is. How both are made: meshed/build.h.
*/
#pragma once
#include "mesh.h"
#include "system.h"

typedef struct MeshedPart  MeshedPart;
typedef struct MeshedModel MeshedModel;

/* NULL when it could not be read. Local. */
const Mesh *MeshedPartMesh(const MeshedPart *meshed);
/* Whether it is to be reduced: then there is a map from the System's unknowns to its own. Local. */
PetscBool MeshedPartIsReduced(const MeshedPart *meshed);
/* Whether some of its nodes have unknowns along other axes than x, y, z. Local. */
PetscBool MeshedPartIsTurned(const MeshedPart *meshed);

/* Whether it has solid elements, and beams. The same on all ranks. Local. */
void MeshedPartBears(const MeshedPart *meshed, PetscBool *solids, PetscBool *beams);
/* The most points of integration that an element of it has. Collective. */
PetscErrorCode MeshedPartMostPoints(const MeshedPart *meshed, PetscInt *most);
/* A pressure on a group of faces, [Pa]; `node`: where the case names the group. */
typedef struct {
  const InputNode *node;
  const char      *group;
  PetscReal        pressure;
} MeshedPressure;

/* A force or moment on a point of the mesh. */
typedef struct {
  const char *point;
  PetscInt    direction;
  PetscReal   force;
} MeshedPush;

/* What acts on a mesh at rest, where supports hold it too. */
typedef struct {
  PetscReal             gravity[3]; /* [m/s^2] */
  PetscInt              num_pressures, num_pushes;
  const MeshedPressure *pressures;
  const MeshedPush     *pushes;
} MeshedLoads;

/* Its supports, each by its group or point; `clamped_2` where that is held a second time. Local. */
PetscInt       MeshedPartNumSupports(const MeshedPart *meshed);
PetscErrorCode MeshedPartSupportName(const MeshedPart *meshed, PetscInt s, size_t size, char name[]);

/* Where a point of the mesh is; `found` is false of a point that is none of it. Collective. */
PetscErrorCode MeshedPartPlaceOfPoint(const MeshedPart *meshed, const char *point, PetscBool *found, PetscReal place[3]);

/* What its supports give when its unknowns move, as rows on these, R = stiffness u + mass u'' without loads: [6 of each support, unknowns], its
   columns distributed as the unknowns are. Without what a preload's stresses add. Collective; the caller destroys both. */
PetscErrorCode MeshedPartReactionRows(const MeshedPart *meshed, Mat *stiffness, Mat *mass);

/* The unknowns of the mesh, those of all ranks one after another. Local. */
typedef struct {
  PetscInt first, count, total; /* this rank's, and all */
} MeshUnknowns;
MeshUnknowns MeshedPartUnknowns(const MeshedPart *meshed);
/* Of each of this rank's: the node's number in the mesh file, or -k of the k-th rigid point, whose unknowns are at the centre of the nodes
   that it moves; and the direction, 0 to 5. Local. */
void MeshedPartMotions(const MeshedPart *meshed, PetscInt64 node[], PetscInt64 direction[]);

/* What a motion of the System's unknowns, and of its moving supports (NULL: they rest), does to the unknowns of the mesh. Collective on the
   communicator of the mesh. */
PetscErrorCode MeshedModelMotion(const MeshedModel *model, const PetscReal unknowns[], const PetscReal supports[], Vec *motion);
/* What a motion of the unknowns of the mesh, as a column of ContinuumModes.motion, does to the nodes that this rank owns:
   displacement[count, 3]. Likewise. */
PetscErrorCode MeshedPartSpread(const MeshedPart *meshed, Vec motion, PetscReal displacement[]);
/* Rows of the map from the System's unknowns to those of the mesh, [count, num_unknowns], from the `first` of this rank's on. Local. */
PetscErrorCode MeshedModelMap(const MeshedModel *model, PetscInt num_unknowns, PetscInt first, PetscInt count, PetscReal rows[]);

/* Adds phi^T K phi and phi^T M phi of the first `count` columns phi of `field`, motions of the unknowns of the mesh while it is not reduced.
   Collective. */
PetscErrorCode MeshedModelAddEnergies(const MeshedModel *model, const System *system, JointState state, PetscInt count, Mat field, PetscReal strain[],
                                      PetscReal inertia[]);

/* The modes of a mesh that is not reduced, with all that its points are tied to. Complains when they could not be found: their fault tells.
   Collective. */
PetscErrorCode MeshedModelModes(const MeshedModel *model, const System *system, JointState state, PetscInt count, PetscBool prove,
                                ContinuumModes **modes);
