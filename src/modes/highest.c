/* highest.c - the highest natural frequency alone, which bounds what a time step must resolve. */
#include <slepceps.h>
#include "modes.h"

/* Masses may be small beside what PETSc takes for a pivot of nothing. */
static PetscErrorCode PrepareMasses(EPS eps)
{
  ST  st;
  KSP ksp;
  PC  pc;

  PetscFunctionBegin;
  PetscCall(EPSGetST(eps, &st));
  PetscCall(STGetKSP(st, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCCHOLESKY));
  PetscCall(PCFactorSetZeroPivot(pc, 0.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Krylov-Schur finds the end of a spectrum in no time, and a bound needs few digits. */
static PetscErrorCode Solve(const System *system, PetscReal *omega)
{
  const PetscReal digits = 1e-4;
  PetscReal       eigenvalue;
  PetscInt        found;
  Mat             K;
  EPS             eps;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, JOINT_STUCK, &K));
  PetscCall(EPSCreate(PETSC_COMM_SELF, &eps));
  PetscCall(EPSSetOperators(eps, K, system->M));
  PetscCall(EPSSetProblemType(eps, EPS_GHEP));
  PetscCall(EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL));
  PetscCall(EPSSetTolerances(eps, digits, PETSC_DEFAULT));
  PetscCall(PrepareMasses(eps));
  PetscCall(EPSSolve(eps));
  PetscCall(EPSGetConverged(eps, &found));
  if (found > 0) PetscCall(EPSGetEigenvalue(eps, 0, &eigenvalue, NULL));
  *omega = found > 0 ? PetscSqrtReal(PetscMax(0.0, eigenvalue)) : 0.0;
  PetscCall(EPSDestroy(&eps));
  PetscCall(MatDestroy(&K));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeCacheHighest(const ModeCache *cache, PetscReal *omega)
{
  const Modes *const modes = cache->modes[JOINT_STUCK];
  PetscMPIInt        rank;

  PetscFunctionBegin;
  *omega = 0.0;
  if (cache->system->continuum) PetscFunctionReturn(PETSC_SUCCESS);
  if (modes && modes->count == cache->system->num_unknowns) {
    *omega = modes->omega[modes->count - 1];
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(Solve(cache->system, omega));
  PetscCallMPI(MPI_Bcast(omega, 1, MPIU_REAL, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(PETSC_SUCCESS);
}
