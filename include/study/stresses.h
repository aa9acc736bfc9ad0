/*
  stresses.h - stresses of a mesh as fields for ParaView, for the studies that write its motions.
*/
#pragma once
#include "study.h"

enum { STRESSES_MOST_FIELDS = 6 };

typedef struct {
  const Model *model;
  PetscInt     num_fields, fields[STRESSES_MOST_FIELDS]; /* that this mesh has: solids and beams have their own */
  PetscReal   *nodes, *elements;                         /* as MeshedPartFindStresses gives them */
} Stresses;

/* What they are, for `dovetail help results`: not in the result itself. */
extern const OutputTable stresses_nodes_output, stresses_elements_output;

#define STRESSES_FIELD(place, what) \
  { \
    .key = "stresses", .kind = INPUT_TRUTH, .offset = (place), \
    .help = "write the stresses of the mesh, too (`dovetail help results stresses`): " what \
  }
/* Complains at `node` where nothing has stresses. Local. */
PetscErrorCode StressesCheck(const InputNode *node, const Names *names);

PetscErrorCode StressesCreate(const Model *model, Stresses *stresses);
PetscErrorCode StressesDestroy(Stresses *stresses);
/* Puts name, width and kind of each of its fields behind those that a Series has; the names borrow. Local. */
void StressesAppend(const Stresses *stresses, PetscInt *num_fields, const char *names[], PetscInt widths[], PetscBool of_cells[]);
/* When the unknowns of the mesh move so, as ModelFindStresses; collective. Then field i of those; local. */
PetscErrorCode StressesFind(Stresses *stresses, const ModelStress *stress);
PetscErrorCode StressesGet(const Stresses *stresses, PetscInt i, PetscReal values[]);
/* A line that says what stresses of a mesh that is reduced to motions of points are not. Local. */
void StressesSayReduced(void);
