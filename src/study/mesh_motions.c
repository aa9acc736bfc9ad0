/* mesh_motions.c - how a whole mesh moves at many times, from coordinates and forces. */
#include "study/mesh_motions.h"

enum { MOST_COLUMNS = 200 }; /* of the mesh, solved for and held at once */

PetscErrorCode MeshMotionsCreate(const ModeCache *cache, PetscInt count, MeshMotions *motions)
{
  PetscFunctionBegin;
  *motions = (MeshMotions){.cache = cache, .fine = PETSC_TRUE};
  PetscCall(DeflectionsCreate(cache->system, count, &motions->deflections));
  PetscCall(PetscMalloc1(SystemNumPlaces(cache->system), &motions->active));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshMotionsDestroy(MeshMotions *motions)
{
  PetscFunctionBegin;
  PetscCall(DeflectionsDestroy(&motions->deflections));
  PetscCall(PetscFree(motions->active));
  PetscCall(MatDestroy(&motions->moved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void FindActive(MeshMotions *motions)
{
  const Deflections *const deflections = &motions->deflections;
  const PetscInt           num_places  = SystemNumPlaces(motions->cache->system);

  for (PetscInt place = 0; place < num_places; place++) {
    PetscBool bears = PETSC_FALSE;

    for (PetscInt i = 0; i < deflections->count && !bears; i++) bears = (PetscBool)(deflections->forces[i * num_places + place] != 0.0);
    if (bears) motions->active[motions->num_active++] = place;
  }
}

static PetscErrorCode SolveForPlaces(MeshMotions *motions)
{
  const PetscInt num_places = SystemNumPlaces(motions->cache->system);
  Deflections    units;

  PetscFunctionBegin;
  PetscCall(DeflectionsCreate(motions->cache->system, motions->num_active, &units));
  for (PetscInt k = 0; k < motions->num_active; k++) units.forces[k * num_places + motions->active[k]] = 1.0;
  PetscCall(DeflectionsSolve(&units, motions->cache, 0, motions->num_active, &motions->moved, &motions->fine));
  PetscCall(DeflectionsDestroy(&units));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshMotionsSettle(MeshMotions *motions)
{
  PetscFunctionBegin;
  if (!SystemIsOnModes(motions->cache->system)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DeflectionsLeaveStatic(motions->cache->system, &motions->deflections));
  FindActive(motions);
  motions->by_times = (PetscBool)(motions->num_active > PetscMin(motions->deflections.count, MOST_COLUMNS));
  if (motions->num_active && !motions->by_times) PetscCall(SolveForPlaces(motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* More times, when those that there are do not have this one. */
static PetscErrorCode SolveForTimes(MeshMotions *motions, PetscInt i)
{
  PetscFunctionBegin;
  if (i >= motions->first && i < motions->first + motions->count) PetscFunctionReturn(PETSC_SUCCESS);
  motions->first = i;
  motions->count = PetscMin(motions->deflections.count - i, MOST_COLUMNS);
  PetscCall(MatDestroy(&motions->moved));
  PetscCall(DeflectionsSolve(&motions->deflections, motions->cache, i, motions->count, &motions->moved, &motions->fine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddPlaces(const MeshMotions *motions, PetscInt i, Vec motion)
{
  const PetscReal *const forces = motions->deflections.forces + i * SystemNumPlaces(motions->cache->system);

  PetscFunctionBegin;
  for (PetscInt k = 0; k < motions->num_active && motions->moved; k++) {
    Vec column;

    if (forces[motions->active[k]] == 0.0) continue;
    PetscCall(MatDenseGetColumnVecRead(motions->moved, k, &column));
    PetscCall(VecAXPY(motion, forces[motions->active[k]], column));
    PetscCall(MatDenseRestoreColumnVecRead(motions->moved, k, &column));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshMotionsFind(MeshMotions *motions, PetscInt i, Vec *motion)
{
  PetscFunctionBegin;
  if (motions->by_times) PetscCall(SolveForTimes(motions, i));
  PetscCall(DeflectionsMotion(&motions->deflections, motions->cache, i, motions->by_times ? motions->moved : NULL, i - motions->first, motion));
  if (!motions->by_times) PetscCall(AddPlaces(motions, i, *motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}
