/* flexibility.c - motions of places under forces on places, whatever kind of structure answers. */
#include "statics/flexibility.h"

PetscErrorCode FlexibilityCreate(const System *system, const Floating *floating, Flexibility **flexibility)
{
  Flexibility *f;

  PetscFunctionBegin;
  PetscCall(PetscNew(flexibility));
  f  = *flexibility;
  *f = (Flexibility){.kind       = SystemIsOnModes(system) ? &flexibility_modal : &flexibility_factored,
                     .system     = system,
                     .floating   = floating,
                     .n          = system->num_unknowns,
                     .num_places = SystemNumPlaces(system)};
  PetscCall(PetscMalloc1(f->n, &f->force));
  PetscCall(PetscCalloc2(f->num_places, &f->unit, f->num_places, &f->yields));
  if (f->kind->create) PetscCall(f->kind->create(f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlexibilityDestroy(Flexibility **flexibility)
{
  PetscFunctionBegin;
  if (!*flexibility) PetscFunctionReturn(PETSC_SUCCESS);
  if ((*flexibility)->kind->destroy) PetscCall((*flexibility)->kind->destroy(*flexibility));
  PetscCall(PetscFree((*flexibility)->force));
  PetscCall(PetscFree2((*flexibility)->unit, (*flexibility)->yields));
  PetscCall(PetscFree(*flexibility));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was left out gives places under forces on them, from the place `first` on. */
static void AddCompliance(const Flexibility *flexibility, const PetscReal forces[], PetscInt first, PetscReal motion[])
{
  const SystemResidual *const residual = flexibility->system->residual;

  if (!residual) return;
  ComplianceMove(residual->compliance, flexibility->num_places, forces, first, flexibility->num_places, flexibility->yields);
  for (PetscInt c = first; c < flexibility->num_places; c++) motion[c] += flexibility->yields[c - first];
}

/* K0^-1 of flexibility->force, in balance. */
static PetscErrorCode Solve(const Flexibility *flexibility, PetscReal u[])
{
  PetscFunctionBegin;
  FloatingClearForce(flexibility->floating, flexibility->force);
  PetscCall(flexibility->kind->solve(flexibility, flexibility->force, u));
  FloatingClearMotion(flexibility->floating, u);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlexibilitySolve(const Flexibility *flexibility, const SystemForces *forces, PetscReal u[])
{
  PetscFunctionBegin;
  PetscCall(SystemForcesGather(flexibility->system, forces, flexibility->force));
  PetscCall(Solve(flexibility, u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlexibilityMotions(const Flexibility *flexibility, const PetscReal forces[], const PetscReal u[], PetscInt first, PetscReal motion[])
{
  PetscFunctionBegin;
  PetscCall(SystemMovePlaces(flexibility->system, u, motion));
  AddCompliance(flexibility, forces, first, motion);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlexibilityDeflect(const Flexibility *flexibility, PetscInt place, PetscReal u[])
{
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(flexibility->force, flexibility->n));
  PetscCall(SystemAddPlace(flexibility->system, place, 1.0, flexibility->force));
  PetscCall(Solve(flexibility, u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlexibilityColumn(const Flexibility *flexibility, PetscInt place, PetscReal u[], PetscReal motion[])
{
  PetscFunctionBegin;
  PetscCall(FlexibilityDeflect(flexibility, place, u));
  PetscCall(SystemMovePlaces(flexibility->system, u, motion));
  flexibility->unit[place] = 1.0;
  AddCompliance(flexibility, flexibility->unit, 0, motion);
  flexibility->unit[place] = 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}
