/*
  model.h - from the keys of a case to a System.

  A Model is what the case says about the structure, checked: lumped masses, springs, dampers, given
  matrices, a mesh with its materials, points and supports and how it is reduced; laws, joints, damping.
  All of it becomes one System.
*/
#pragma once
#include "faces.h"
#include "input.h"
#include "meshed.h"
#include "system.h"

typedef struct Model Model;

/* A law with its parameters; `law` is NULL after a complaint. */
typedef struct {
  const char      *name; /* NULL when written in place */
  const InputNode *node;
  const JointLaw  *law;
  PetscReal        parameters[JOINT_MAX_PARAMETERS];
  PetscBool        used;
} NamedLaw;

/* Those that a case names under `laws`, for its joints and for studies of laws alone. */
typedef struct {
  PetscInt         count;
  NamedLaw        *laws;
  const char     **names; /* ends with NULL */
  const InputNode *node;  /* that they were read from */
} Laws;

/* Complains and goes on; `node` may be NULL, for a key that is absent. */
PetscErrorCode LawsRead(const InputNode *node, Laws *laws);
PetscErrorCode LawsDestroy(Laws *laws);
/* The laws of one value, a name, a map, or a list of these, that all act on one motion, of `dim` components; `where` says of which, after
   "acts in 3 directions together, not". The caller frees *found. */
PetscErrorCode LawsResolve(Laws *laws, const InputNode *value, PetscInt dim, const char *where, PetscInt *num_found, NamedLaw **found);
/* When all of the case has been read. */
PetscErrorCode LawsWarnUnused(const Laws *laws);

/* The tables of the case file that this room reads, for the help; ends with NULL. */
extern const InputTable *const model_tables[];

/* The values of the case's top-level keys that describe the structure; NULL when absent. */
typedef struct {
  const InputNode *masses, *springs, *dampers, *matrices, *modal, *joints, *patterns, *bolts, *damping, *moving;
  const InputNode *mesh, *materials, *parts, *points, *supports, *constraints, *reduction;
  PetscBool        in_time;   /* some study moves the structure in time: a mesh without `reduction` is then reduced to modes */
  PetscBool        reactions; /* and wants to know what the supports of the mesh take meanwhile */
} ModelNodes;

/* Reads them; joints take their laws from `laws`. `root` is where "this case has no structure" is complained of. The Model is usable only
   if the document has no complaint, and while the document lives. */
PetscErrorCode ModelRead(const InputNode *root, const ModelNodes *nodes, Laws *laws, Model **model);
PetscErrorCode ModelDestroy(Model **model);

/* What a mesh is and what remains of it, once built, for `dovetail check`; nothing without a mesh. Local. */
PetscErrorCode ModelDescribe(const Model *model, FILE *out);

/* The faces that touch, for the same. Local. */
void ModelDescribeContacts(const Model *model, FILE *out);

/* What a mesh takes, over all ranks, once built with a patience that ends: its matrices, their factor, what it is reduced with [bytes].
   Local. */
PetscReal ModelMemory(const Model *model);

/* The mesh; NULL without one. Local. */
const Mesh *ModelMesh(const Model *model);
/* Whether there is a mesh, and it is reduced: then there is a map from the System's unknowns to those of the mesh. Local. */
PetscBool ModelIsReduced(const Model *model);
/* The meshed part, and what it has become, once built; NULL without a mesh. Local. */
const MeshedPart  *ModelMeshed(const Model *model);
const MeshedModel *ModelMeshedModel(const Model *model);

/* The System of a mesh that the case does not reduce, for its modes, when that which was built is reduced for motions in time; else NULL.
   Local. */
const System *ModelWhole(const Model *model);

/* What the model calls things, known before there is any matrix; complains of joints that can never act, of nothing that can move, of more
   damping ratios than modes. Not `known` after a complaint. The caller destroys it. */
PetscErrorCode ModelNames(const Model *model, Names *names);

/* The System of the model, which has the same names. Complains (a point without mass, a mass matrix that is not positive definite, a mesh
   that cannot be reduced) and then gives NULL. Collective on PETSC_COMM_WORLD, as ModelRead is.
   `patience` [s]: a mesh whose reduction would take longer is not reduced, and there is no System. The Model keeps what its mesh has become. */
PetscErrorCode ModelBuild(Model *model, PetscReal patience, System **system);

/* What stiffens a structure at rest: how the unknowns of its mesh have moved, shift and tension of each bolt. */
typedef struct {
  const InputNode *node; /* where the case asks for it: of a structure that buckles it is complained there */
  Vec              motion;
  const PetscReal *shift, *tension;
} ModelStress;

/* The same structure about a state of equilibrium of its System `same` (SystemRestAt): a view of the model with what it has become there, which
   must not outlive it nor the state, and is to be forgotten. `stress` adds to its stiffness; NULL for none. Complains like ModelBuild, and then `system` is
   NULL. */
PetscErrorCode ModelRestAt(const Model *model, const System *same, const State *state, const ModelStress *stress, Model **about, System **system);
PetscErrorCode ModelForget(Model **about);

/* The same structure with numbers of the case that have changed since it was read (InputReplaceNumber), for its modes: a mesh is not reduced, so
   that its unknowns are the same ones. Where the case is refused with these numbers there is a complaint, and no System. Collective. */
PetscErrorCode ModelRevise(const Model *model, Model **revised, System **system);

/* What other numbers of a case change of its structure, by the top-level keys that these stand in: nothing; joints, springs, dampers and damping,
   while masses and mesh are the same; all of it. */
typedef enum { MODEL_KEPT, MODEL_JOINED, MODEL_REBUILT } ModelChange;
ModelChange ModelChangeOf(const Model *model, const char *key);

/* Whether its modes have unknowns that mean the same with other numbers of the case: not those of a mesh that is reduced anew. Local. */
PetscBool ModelKeepsUnknowns(const Model *model, ModelChange change);

/* Before it is built: variants of it will be, by ModelJoin. Local. */
void ModelLend(Model *model);
/* The same structure with other numbers of what joins it (MODEL_JOINED), read from `nodes` of another document or of a trial. It is built as any
   Model, but a mesh is not assembled again; what was reduced to motions is not reduced again, and modes are found again only where joints that
   stick are of another stiffness. `model`, which was told to lend before it was built, must outlive it. */
PetscErrorCode ModelJoin(const Model *model, const InputNode *root, const ModelNodes *nodes, Laws *laws, Model **joined);

/* Of a model whose System was reduced to modes: motions of the unknowns of its mesh at rest, a column each, under forces on the places of the
   System, forces[count, places], while all joints stick; exact, whatever modes were kept. Rigid motions that nothing holds are left out. NULL
   after a complaint. Assembles and factors the mesh again. Collective. */
PetscErrorCode ModelDeflect(const Model *model, PetscInt count, const PetscReal forces[], Mat *motion);

/* Stresses of its mesh (MeshedPartFindStresses) when the unknowns of that move so. `shift` NULL: its bolts stay as they are, and what there was
   before, as a preload, is not in it. Collective. */
PetscErrorCode ModelFindStresses(const Model *model, const ModelStress *stress, PetscReal nodes[], PetscReal elements[]);
/* The same at the points of integration (MeshedPartFindPointStresses). */
PetscErrorCode ModelFindPointStresses(const Model *model, const ModelStress *stress, PetscInt points, PetscReal values[]);

/* What the ground gives at each support of its mesh at rest (MeshedPartFindReactions) when the unknowns of that move so, under loads without
   pressures and so much of each pattern. Collective. */
PetscErrorCode ModelFindReactions(const Model *model, Vec motion, const MeshedLoads *loads, const PetscReal patterns[], PetscReal reactions[]);

/* Where the faces of a joint touch; NULL for joints that are not between faces of the mesh. Local. */
const FacePoints *ModelFacePoints(const Model *model, const char *joint);
