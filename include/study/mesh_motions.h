/*
  mesh_motions.h - how a whole mesh moves at many times, from the coordinates that are kept there and what acts.

      u = Phi (q - Omega^-2 Phi^T C^T F) + K0^-1 C^T F      F the forces on the places

  so that modes that were left out follow loads and joints at once, as they do in the march. Where few places bear forces the mesh is asked
  for what a unit on each of them does, else for the times themselves, some of them together. Factors the mesh once more for that.
*/
#pragma once
#include "study/deflections.h"

typedef struct {
  const ModeCache *cache;
  Deflections      deflections;         /* coordinates of modes, and forces, which the caller fills; without forces the System's unknowns say all */
  PetscInt         num_active, *active; /* places that bear forces */
  PetscBool        by_times;            /* they are many: `moved` is of the times first, ..., first + count - 1, else of the places */
  PetscInt         first, count;
  Mat              moved; /* a column for each; NULL: not found yet, or nothing acts */
  PetscBool        fine;  /* no complaint */
} MeshMotions;

PetscErrorCode MeshMotionsCreate(const ModeCache *cache, PetscInt count, MeshMotions *motions);
PetscErrorCode MeshMotionsDestroy(MeshMotions *motions);
/* When all is filled in. Collective, as the next one is. */
PetscErrorCode MeshMotionsSettle(MeshMotions *motions);
/* Of the unknowns of the mesh at time i, asked for in their order; the caller destroys it. */
PetscErrorCode MeshMotionsFind(MeshMotions *motions, PetscInt i, Vec *motion);
