/* log_points.c - which points of ring-down curves can be fitted. */
#include "log_points.h"

static PetscBool IsPositive(PetscReal number)
{
  return number > 0 && number < PETSC_INFINITY ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool IsError(PetscReal number)
{
  return number >= 0 && number < PETSC_INFINITY ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool IsUsable(const RingDownPoint *p)
{
  if (!p->trusted || !IsPositive(p->amplitude) || !IsPositive(p->omega) || !IsPositive(p->zeta)) return PETSC_FALSE;
  return IsError(p->omega_error) && IsError(p->zeta_error) ? PETSC_TRUE : PETSC_FALSE;
}

PetscErrorCode LogPointsGather(PetscInt count, const RingDownPoint points[], PetscInt *num_usable, LogPoint **usable)
{
  PetscFunctionBegin;
  *num_usable = 0;
  PetscCall(PetscMalloc1(count, usable));
  for (PetscInt i = 0; i < count; i++) {
    const RingDownPoint *p = &points[i];

    if (!IsUsable(p)) continue;
    (*usable)[(*num_usable)++] = (LogPoint){.ln_amplitude   = PetscLogReal(p->amplitude),
                                            .ln_omega       = PetscLogReal(p->omega),
                                            .ln_zeta        = PetscLogReal(p->zeta),
                                            .omega_variance = PetscSqr(p->omega_error / p->omega),
                                            .zeta_variance  = PetscSqr(p->zeta_error / p->zeta)};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool LogPointsExplained(PetscReal omega_variance, PetscReal zeta_variance)
{
  return omega_variance < PetscSqr(0.1) && zeta_variance < PetscSqr(0.5) ? PETSC_TRUE : PETSC_FALSE;
}
