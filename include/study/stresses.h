/*
  stresses.h - stresses of a mesh as fields for ParaView, for the studies that write its motions.
*/
#pragma once
#include "study.h"

enum { STRESSES_MOST_FIELDS = 9 };

typedef struct {
  const Model *model;
  PetscInt     num_fields, fields[STRESSES_MOST_FIELDS]; /* that this mesh has: solids and beams have their own */
  PetscReal   *nodes, *elements;                         /* as MeshedPartFindStresses gives them */
  PetscInt     num_points;                               /* of integration of an element, at most; 0: they are not asked for */
  PetscReal   *points;                                   /* as MeshedPartFindPointStresses gives them */
} Stresses;

/* What they are, for `dovetail help results`: not in the result itself. */
extern const OutputTable stresses_nodes_output, stresses_elements_output;

#define STRESSES_FIELD(place, what) \
  { \
    .key = "stresses", .kind = INPUT_TRUTH, .offset = (place), \
    .help = "write the stresses of the mesh, too (`dovetail help results stresses`): " what \
  }
#define STRESS_POINTS_FIELD(place) \
  { \
    .key = "stress_points", .kind = INPUT_TRUTH, .offset = (place), \
    .help = "with `stresses`: also those at the points of integration of each solid element, where they are found, and these points" \
  }
/* Complains at `node` where nothing has stresses. Local. */
PetscErrorCode StressesCheck(const InputNode *node, const Names *names);

/* With those at points of integration, or without. Collective. */
PetscErrorCode StressesCreate(const Model *model, PetscBool points, Stresses *stresses);
/* Complains at `points`, a key that asks for these, when `stresses` are not asked for. Local. */
PetscErrorCode StressesCheckPoints(const InputNode *points, PetscBool stresses);
/* Numbers of all of its fields on this rank. Local. */
size_t         StressesRoom(const Stresses *stresses);
PetscErrorCode StressesDestroy(Stresses *stresses);
/* Puts name, width and kind of each of its fields behind those that a Series has; the names borrow. Local. */
void StressesAppend(const Stresses *stresses, PetscInt *num_fields, const char *names[], PetscInt widths[], PetscBool of_cells[]);
/* When the unknowns of the mesh move so, as ModelFindStresses; collective. Then field i of those; local. */
PetscErrorCode StressesFind(Stresses *stresses, const ModelStress *stress);
PetscErrorCode StressesGet(const Stresses *stresses, PetscInt i, PetscReal values[]);
/* A line that says what stresses of a mesh that is reduced to motions of points are not. Local. */
void StressesSayReduced(void);
