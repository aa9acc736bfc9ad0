/* modes.c - natural frequencies and shapes of the linear system, by SLEPc. */
#include "analysis.h"
#include <slepceps.h>

const char *const joint_state_names[] = {"stuck", "slipping", NULL};

enum { DENSE_LIMIT = 1000 }; /* unknowns up to which LAPACK finds all modes faster than iterations find some */

static PetscErrorCode CreateModes(PetscInt num_unknowns, PetscInt count, Modes **modes)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(modes));
  (*modes)->num_unknowns = num_unknowns;
  (*modes)->count        = count;
  PetscCall(PetscMalloc3(count, &(*modes)->eigenvalue, count, &(*modes)->omega, count * num_unknowns, &(*modes)->shape));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A shift below the spectrum, small against it: K - shift M is positive definite even when the structure can float. */
static PetscErrorCode ChooseShift(Mat K, Mat M, PetscReal *shift)
{
  PetscReal stiffness, mass;

  PetscFunctionBegin;
  PetscCall(MatGetTrace(K, &stiffness));
  PetscCall(MatGetTrace(M, &mass));
  *shift = -1e-8 * stiffness / mass;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateSolver(Mat K, Mat M, PetscInt count, EPS *eps)
{
  PetscInt  n;
  PetscReal shift = 0.0;
  ST        st;
  KSP       ksp;
  PC        pc;

  PetscFunctionBegin;
  PetscCall(MatGetSize(K, &n, NULL));
  PetscCall(EPSCreate(PETSC_COMM_SELF, eps));
  PetscCall(EPSSetOperators(*eps, K, M));
  PetscCall(EPSSetProblemType(*eps, EPS_GHEP));
  PetscCall(EPSSetDimensions(*eps, count, PETSC_DEFAULT, PETSC_DEFAULT));
  if (n <= DENSE_LIMIT) {
    PetscCall(EPSSetType(*eps, EPSLAPACK));
    PetscCall(EPSSetWhichEigenpairs(*eps, EPS_SMALLEST_REAL));
  } else {
    PetscCall(ChooseShift(K, M, &shift));
    PetscCall(EPSSetTarget(*eps, shift));
    PetscCall(EPSSetWhichEigenpairs(*eps, EPS_TARGET_MAGNITUDE));
    PetscCall(EPSSetTolerances(*eps, 1e-10, PETSC_DEFAULT));
    PetscCall(EPSGetST(*eps, &st));
    PetscCall(STSetType(st, STSINVERT));
    PetscCall(STGetKSP(st, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCCHOLESKY));
    PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  }
  PetscCall(EPSSetFromOptions(*eps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Unit modal mass; the largest component positive, of equal ones the first, so that every solver gives the same sign. */
static PetscErrorCode NormaliseShape(Mat M, Vec shape, Vec work)
{
  const PetscScalar *value;
  PetscInt           n, sign_of    = 0;
  PetscReal          mass, largest = 0.0;
  PetscBool          negative;

  PetscFunctionBegin;
  PetscCall(MatMult(M, shape, work));
  PetscCall(VecDot(shape, work, &mass));
  PetscCall(VecGetLocalSize(shape, &n));
  PetscCall(VecGetArrayRead(shape, &value));
  for (PetscInt i = 0; i < n; i++) {
    if (PetscAbsReal(value[i]) <= largest * (1.0 + 1e-6)) continue;
    largest = PetscAbsReal(value[i]);
    sign_of = i;
  }
  negative = (PetscBool)(value[sign_of] < 0.0);
  PetscCall(VecRestoreArrayRead(shape, &value));
  PetscCall(VecScale(shape, (negative ? -1.0 : 1.0) / PetscSqrtReal(mass)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The scale below which an eigenvalue is the round-off of zero. */
static PetscErrorCode RigidBound(Mat K, Mat M, PetscReal *bound)
{
  Vec       stiffness, mass;
  PetscReal largest;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(K, &stiffness, &mass));
  PetscCall(MatGetDiagonal(K, stiffness));
  PetscCall(MatGetDiagonal(M, mass));
  PetscCall(VecPointwiseDivide(stiffness, stiffness, mass));
  PetscCall(VecMax(stiffness, NULL, &largest));
  PetscCall(VecDestroy(&stiffness));
  PetscCall(VecDestroy(&mass));
  *bound = 1e-12 * PetscAbsReal(largest);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMode(EPS eps, Mat M, PetscInt k, PetscReal rigid_bound, Modes *modes)
{
  Vec                shape, work;
  const PetscScalar *value;
  PetscReal          eigenvalue;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(M, &shape, &work));
  PetscCall(EPSGetEigenpair(eps, k, &eigenvalue, NULL, shape, NULL));
  PetscCall(NormaliseShape(M, shape, work));
  if (PetscAbsReal(eigenvalue) <= rigid_bound) {
    eigenvalue = 0.0;
    modes->num_rigid++;
  }
  modes->eigenvalue[k] = eigenvalue;
  modes->omega[k]      = eigenvalue > 0.0 ? PetscSqrtReal(eigenvalue) : 0.0;
  if (eigenvalue < 0.0) LogWarn("mode %" PetscInt_FMT " is unstable: omega^2 = %g rad^2/s^2", k + 1, eigenvalue);
  PetscCall(VecGetArrayRead(shape, &value));
  PetscCall(PetscArraycpy(modes->shape + k * modes->num_unknowns, value, modes->num_unknowns));
  PetscCall(VecRestoreArrayRead(shape, &value));
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(const System *system, JointState state, Modes *modes)
{
  EPS       eps;
  Mat       K;
  PetscInt  found;
  PetscReal rigid_bound = 0.0;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, state, &K));
  PetscCall(RigidBound(K, system->M, &rigid_bound));
  PetscCall(CreateSolver(K, system->M, modes->count, &eps));
  PetscCall(EPSSolve(eps));
  PetscCall(EPSGetConverged(eps, &found));
  PetscCheck(found >= modes->count, PETSC_COMM_SELF, PETSC_ERR_CONV_FAILED, "only %" PetscInt_FMT " of %" PetscInt_FMT " modes converged", found,
             modes->count);
  for (PetscInt k = 0; k < modes->count; k++) PetscCall(ReadMode(eps, system->M, k, rigid_bound, modes));
  PetscCall(EPSDestroy(&eps));
  PetscCall(MatDestroy(&K));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesCompute(const System *system, JointState state, PetscInt count, Modes **modes)
{
  const PetscInt n = system->num_unknowns;
  PetscMPIInt    rank;

  PetscFunctionBegin;
  PetscCall(CreateModes(n, PetscMin(count, n), modes));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(Solve(system, state, *modes));
  PetscCallMPI(MPI_Bcast(&(*modes)->num_rigid, 1, MPIU_INT, 0, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Bcast((*modes)->eigenvalue, (*modes)->count, MPIU_REAL, 0, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Bcast((*modes)->omega, (*modes)->count, MPIU_REAL, 0, PETSC_COMM_WORLD));
  PetscCallMPI(MPI_Bcast((*modes)->shape, (*modes)->count * n, MPIU_REAL, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesDestroy(Modes **modes)
{
  PetscFunctionBegin;
  if (!*modes) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3((*modes)->eigenvalue, (*modes)->omega, (*modes)->shape));
  PetscCall(PetscFree(*modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesParticipation(const System *system, const Modes *modes, PetscReal participation[])
{
  const PetscInt     n = modes->num_unknowns;
  const PetscScalar *inertia;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(participation, modes->count * NUM_DIRECTIONS));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) {
    if (!system->base[d]) continue;
    PetscCall(VecGetArrayRead(system->base[d], &inertia));
    for (PetscInt k = 0; k < modes->count; k++)
      for (PetscInt i = 0; i < n; i++) participation[k * NUM_DIRECTIONS + d] += modes->shape[k * n + i] * inertia[i];
    PetscCall(VecRestoreArrayRead(system->base[d], &inertia));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SubjectModes(Subject *subject, JointState state, PetscInt count, const Modes **modes)
{
  const PetscInt wanted = PetscMin(count, subject->system->num_unknowns);

  PetscFunctionBegin;
  if (subject->modes[state] && subject->modes[state]->count < wanted) PetscCall(ModesDestroy(&subject->modes[state]));
  if (!subject->modes[state]) PetscCall(ModesCompute(subject->system, state, wanted, &subject->modes[state]));
  *modes = subject->modes[state];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SubjectDestroy(Subject *subject)
{
  PetscFunctionBegin;
  PetscCall(ModesDestroy(&subject->modes[JOINT_STUCK]));
  PetscCall(ModesDestroy(&subject->modes[JOINT_SLIPPING]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
