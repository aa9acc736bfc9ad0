/*
  model.h - from the keys of a case to a System.

  A Model is what the case says about the structure, checked: lumped masses, springs, dampers, given
  matrices, laws, joints, damping. Meshes will become the same System.
*/
#pragma once
#include "input.h"
#include "system.h"

typedef struct Model Model;

/* The tables of the case file that this room reads, for the help; ends with NULL. */
extern const InputTable *const model_tables[];

/* The values of the case's top-level keys that describe the structure; NULL when absent. */
typedef struct {
  const InputNode *masses, *springs, *dampers, *matrices, *laws, *joints, *damping;
} ModelNodes;

/* Reads them. `root` is where "this case has no structure" is complained of. The Model is usable only if the document has no
   complaint, and while the document lives. */
PetscErrorCode ModelRead(const InputNode *root, const ModelNodes *nodes, Model **model);
PetscErrorCode ModelDestroy(Model **model);

/* The System of the model. Complains (nothing that can move, a point without mass, a mass matrix that is not positive definite,
   a joint that can never act, more damping ratios than modes) and then gives NULL. */
PetscErrorCode ModelBuild(const Model *model, System **system);
