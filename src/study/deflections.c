/* deflections.c - how a whole mesh moves at states of equilibrium. */
#include "study/deflections.h"

PetscErrorCode DeflectionsCreate(const System *system, PetscInt count, Deflections *deflections)
{
  PetscFunctionBegin;
  deflections->count = count;
  PetscCall(PetscCalloc3(count * SystemNumPlaces(system), &deflections->forces, count * system->num_unknowns, &deflections->coordinates,
                         count * system->names.num_supports, &deflections->supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DeflectionsDestroy(Deflections *deflections)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(deflections->forces, deflections->coordinates, deflections->supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DeflectionsTake(Deflections *deflections, PetscInt i, const Statics *statics, const State *state)
{
  const System *const system     = statics->system;
  PetscReal *const    coordinate = deflections->coordinates + i * system->num_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(deflections->forces + i * statics->num_places, statics->forces, statics->num_places));
  PetscCall(PetscArraycpy(coordinate, state->u, system->num_unknowns));
  PetscCall(PetscArraycpy(deflections->supports + i * system->names.num_supports, statics->supports, system->names.num_supports));
  for (PetscInt k = 0; k < system->num_unknowns && SystemIsOnModes(system); k++)
    coordinate[k] = system->residual->eigenvalue[k] > 0.0 ? statics->old_load.unknowns[k] / system->residual->eigenvalue[k] : 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DeflectionsShare(const System *system, Deflections *deflections)
{
  const size_t count = (size_t)deflections->count;

  PetscFunctionBegin;
  PetscCall(SystemShare(system, count * (size_t)SystemNumPlaces(system), deflections->forces));
  PetscCall(SystemShare(system, count * (size_t)system->num_unknowns, deflections->coordinates));
  PetscCall(SystemShare(system, count * (size_t)system->names.num_supports, deflections->supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DeflectionsLeaveStatic(const System *system, Deflections *deflections)
{
  const PetscInt n = system->num_unknowns, num_places = SystemNumPlaces(system);
  PetscReal     *force;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(n, &force));
  for (PetscInt i = 0; i < deflections->count; i++) {
    PetscCall(PetscArrayzero(force, n));
    for (PetscInt p = 0; p < num_places; p++)
      if (deflections->forces[i * num_places + p] != 0.0) PetscCall(SystemAddPlace(system, p, deflections->forces[i * num_places + p], force));
    for (PetscInt k = 0; k < n; k++)
      if (system->residual->eigenvalue[k] > 0.0) deflections->coordinates[i * n + k] -= force[k] / system->residual->eigenvalue[k];
  }
  PetscCall(PetscFree(force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DeflectionsSolve(const Deflections *deflections, const ModeCache *cache, PetscInt first, PetscInt count, Mat *moved, PetscBool *fine)
{
  const System *const system = cache->system;

  PetscFunctionBegin;
  *moved = NULL;
  if (SystemIsOnModes(system)) PetscCall(ModelDeflect(cache->model, count, deflections->forces + first * SystemNumPlaces(system), moved));
  *fine = (PetscBool)(*moved || !SystemIsOnModes(system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DeflectionsMotion(const Deflections *deflections, const ModeCache *cache, PetscInt i, Mat moved, PetscInt column, Vec *motion)
{
  Vec more;

  PetscFunctionBegin;
  PetscCall(MeshedModelMotion(ModelMeshedModel(cache->model), deflections->coordinates + i * cache->system->num_unknowns,
                              deflections->supports + i * cache->system->names.num_supports, motion));
  if (!moved) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDenseGetColumnVecRead(moved, column, &more));
  PetscCall(VecAXPY(*motion, 1.0, more));
  PetscCall(MatDenseRestoreColumnVecRead(moved, column, &more));
  PetscFunctionReturn(PETSC_SUCCESS);
}
