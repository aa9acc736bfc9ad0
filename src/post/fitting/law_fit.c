/* law_fit.c - how the fit of a law begins, and the law at given values. */
#include "law_fit.h"

PetscErrorCode LawFitBegin(const LawToFit *law, PetscBool *found, LawFit *fit, char reason[], size_t size)
{
  PetscFunctionBegin;
  *found = PETSC_FALSE;
  *fit   = (LawFit){0};
  PetscCall(PetscArraycpy(fit->values, law->values, LAW_FIT_SIZE));
  PetscCall(PetscStrncpy(reason, "", size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

ParameterFit LawFitProblem(const LawToFit *law, LawFit *fit)
{
  return (ParameterFit){
    .num_values = LAW_FIT_SIZE, .values = fit->values, .num_unknowns = law->num_unknowns, .unknowns = law->unknowns, .num_starts = law->num_starts};
}

PetscErrorCode LawFitBlock(const LawToFit *law, const PetscReal values[], PetscBool *exists, JointBlock *block)
{
  PetscFunctionBegin;
  *exists = (PetscBool) !(law->law->refuse && law->law->refuse(values));
  if (*exists) PetscCall(JointBlockCreate(law->law, values, 1, block));
  PetscFunctionReturn(PETSC_SUCCESS);
}
