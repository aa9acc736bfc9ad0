/* mode_reactions.h - what the ground gives to a mesh that vibrates in one of its modes. */
#pragma once
#include "study.h"

extern const OutputTable mode_reaction_table, named_mode_reaction_table;

/* Adds it to the findings, of each support of the mesh; complains at `key` where there are none. `name` NULL: of the study without one. Collective. */
PetscErrorCode ModesGiveReactions(const InputNode *key, const char *name, const Model *model, const Modes *modes, Findings *findings);
