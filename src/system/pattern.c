/* pattern.c - forces by name, that loads of any course in time can follow. */
#include "draft.h"

PetscErrorCode SystemAddPattern(System *system, const char *name, const PetscReal gravity[3], PetscInt *pattern)
{
  SystemPattern *added;

  PetscFunctionBegin;
  *pattern = system->names.num_patterns;
  PetscCall(ArrayReserve(*pattern, &system->draft->patterns_capacity, sizeof(SystemPattern), &system->patterns));
  PetscCall(NamesAddPattern(&system->names, name));
  added = &system->patterns[*pattern];
  PetscCall(PetscMemzero(added, sizeof(*added)));
  PetscCall(PetscArraycpy(added->gravity, gravity, 3));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemAddForce(System *system, PetscInt pattern, PetscInt i, PetscReal force)
{
  PetscFunctionBegin;
  PetscCall(EntriesAdd(&system->draft->force, i, pattern, force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Weight is inertia under an acceleration of the base the other way: g . M r. */
PetscErrorCode SystemSetUpPatterns(System *system)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < system->names.num_patterns; i++) {
    SystemPattern *const pattern = &system->patterns[i];

    PetscCall(EntriesToVector(&system->draft->force, i, system->num_unknowns, &pattern->force));
    for (PetscInt d = 0; d < 3; d++)
      if (system->base[d]) PetscCall(VecAXPY(pattern->force, pattern->gravity[d], system->base[d]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
