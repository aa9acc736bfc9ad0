/*
  reactions.h - what the ground gives at the supports of a mesh, for the studies that keep it.
*/
#pragma once
#include "march/load.h"
#include "study.h"

enum { REACTIONS_OF_SUPPORT = 6 };

/* Complains at `key` of what has no reactions. Local. */
PetscErrorCode ReactionsCheck(const InputNode *key, const Names *names, PetscInt num_loads, const Load loads[]);
/* The names of the supports, text [supports][RESULT_TEXT_LENGTH] the caller frees; complains at `key` where there are none. Local. */
PetscErrorCode ReactionsNames(const InputNode *key, const Model *model, PetscInt *num_supports, char (**names)[RESULT_TEXT_LENGTH]);
/* What they give at rest when the unknowns of the mesh move so, NULL for not at all, under these loads times a factor: [supports, 6]. Collective. */
PetscErrorCode ReactionsFind(const Model *model, const Names *names, Vec motion, PetscInt num_loads, const Load loads[], PetscReal factor,
                             PetscReal reactions[]);
/* A line that says what reactions of a mesh that is reduced to motions of points are not. Local. */
void ReactionsSayReduced(void);
