/* run_reactions.h - what the ground gives at the supports of a mesh in each run. */
#pragma once
#include "transient.h"

/* Adds it to what the runs keep; complains where nothing holds the mesh. When the System is known, before the layout. Collective. */
PetscErrorCode RunsAddReactions(const Study *study, const ModeCache *cache, PetscInt num_runs, Run runs[]);
