/* curve_iteration.c - Newton's equation of a curve by GMRES. */
#include "curve_iteration.h"
#include "rows.h"
#include <petscksp.h>

enum { RESTART = 120, MOST_PRODUCTS = 360 };

struct CurveIteration {
  const HarmonicEquation *equation;
  MeanTangents            mean;
  PetscInt                k, size; /* parameters; unknowns that the solver was made for */
  const PetscReal        *columns, *border;
  PetscReal              *passed;                                                /* [k, size] C behind the mean tangents */
  PetscReal               corner[CURVE_MOST_PARAMETERS * CURVE_MOST_PARAMETERS]; /* D - b times that, by columns, factored */
  PetscBLASInt            pivots[CURVE_MOST_PARAMETERS];
  KSP                     solver;
  Vec                     right, solution;
};

PetscErrorCode CurveIterationCreate(const HarmonicEquation *equation, PetscInt num_parameters, CurveIteration **iteration)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(iteration));
  (*iteration)->equation = equation;
  (*iteration)->k        = num_parameters;
  PetscCall(MeanTangentsCreate(equation, &(*iteration)->mean));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DestroySolver(CurveIteration *iteration)
{
  PetscFunctionBegin;
  PetscCall(KSPDestroy(&iteration->solver));
  PetscCall(VecDestroy(&iteration->right));
  PetscCall(VecDestroy(&iteration->solution));
  PetscCall(PetscFree(iteration->passed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveIterationDestroy(CurveIteration **iteration)
{
  PetscFunctionBegin;
  if (!*iteration) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DestroySolver(*iteration));
  PetscCall(MeanTangentsDestroy(&(*iteration)->mean));
  PetscCall(PetscFree(*iteration));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Multiply(Mat matrix, Vec x, Vec y)
{
  CurveIteration    *it;
  const PetscScalar *from;
  PetscScalar       *to;
  PetscInt           num;

  PetscFunctionBegin;
  PetscCall(MatShellGetContext(matrix, &it));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  num = it->size - it->k;
  PetscCall(HarmonicEquationActiveTimes(it->equation, from, to));
  for (PetscInt p = 0; p < it->k; p++)
    for (PetscInt i = 0; i < num; i++) to[i] += it->columns[p * num + i] * from[num + p];
  RowsTimes(it->k, it->size, it->border, from, to + num);
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(VecRestoreArray(y, &to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Block by block: what the mean tangents answer, then the parameters. */
static PetscErrorCode Begin(PC pc, Vec x, Vec y)
{
  CurveIteration    *it;
  const PetscScalar *from;
  PetscScalar       *to;
  PetscInt           num;
  PetscBLASInt       k, one = 1, info;
  PetscReal          given[CURVE_MOST_PARAMETERS];

  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &it));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  num = it->size - it->k;
  PetscCall(MeanTangentsSolve(it->equation, &it->mean, from, to));
  for (PetscInt q = 0; q < it->k; q++) given[q] = from[num + q] - RowsTimesOne(num, it->border + q * it->size, to);
  PetscCall(PetscBLASIntCast(it->k, &k));
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &k, &one, it->corner, &k, it->pivots, given, &k, &info));
  for (PetscInt p = 0; p < it->k; p++) {
    for (PetscInt i = 0; i < num; i++) to[i] -= it->passed[p * num + i] * given[p];
    to[num + p] = given[p];
  }
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(VecRestoreArray(y, &to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* For as many unknowns as are active now. */
static PetscErrorCode CreateSolver(CurveIteration *it, PetscInt size)
{
  Mat matrix;
  PC  pc;

  PetscFunctionBegin;
  if (it->solver && it->size == size) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DestroySolver(it));
  it->size = size;
  PetscCall(PetscMalloc1(it->k * size, &it->passed));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, size, NULL, &it->right));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, size, NULL, &it->solution));
  PetscCall(MatCreateShell(PETSC_COMM_SELF, size, size, size, size, it, &matrix));
  PetscCall(MatShellSetOperation(matrix, MATOP_MULT, (void (*)(void))Multiply));
  PetscCall(KSPCreate(PETSC_COMM_SELF, &it->solver));
  PetscCall(KSPSetOperators(it->solver, matrix, matrix));
  PetscCall(KSPSetType(it->solver, KSPGMRES));
  PetscCall(KSPGMRESSetRestart(it->solver, RESTART));
  PetscCall(KSPGMRESSetCGSRefinementType(it->solver, KSP_GMRES_CGS_REFINE_IFNEEDED));
  PetscCall(KSPSetPCSide(it->solver, PC_LEFT));
  PetscCall(KSPGetPC(it->solver, &pc));
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, it));
  PetscCall(PCShellSetApply(pc, Begin));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveIterationPrepare(CurveIteration *it, const PetscReal columns[], const PetscReal border[], PetscBool *regular)
{
  const PetscInt num = it->equation->num_active;
  PetscBLASInt   k, info;

  PetscFunctionBeginHot;
  PetscCall(CreateSolver(it, num + it->k));
  it->columns = columns;
  it->border  = border;
  PetscCall(MeanTangentsFactor(it->equation, &it->mean, regular));
  if (!*regular) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt p = 0; p < it->k; p++) {
    PetscReal *const passed = it->passed + p * num;

    PetscCall(MeanTangentsSolve(it->equation, &it->mean, columns + p * num, passed));
    for (PetscInt q = 0; q < it->k; q++)
      it->corner[p * it->k + q] = border[q * it->size + num + p] - RowsTimesOne(num, border + q * it->size, passed);
  }
  PetscCall(PetscBLASIntCast(it->k, &k));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&k, &k, it->corner, &k, it->pivots, &info));
  *regular = (PetscBool)(info == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveIterationSolve(CurveIteration *it, PetscReal enough, const PetscReal right[], PetscReal solution[], PetscBool *solved)
{
  KSPConvergedReason reason;

  PetscFunctionBeginHot;
  PetscCall(KSPSetTolerances(it->solver, enough, PETSC_MACHINE_EPSILON * PETSC_MACHINE_EPSILON, PETSC_DEFAULT, MOST_PRODUCTS));
  PetscCall(VecPlaceArray(it->right, right));
  PetscCall(VecPlaceArray(it->solution, solution));
  PetscCall(KSPSolve(it->solver, it->right, it->solution));
  PetscCall(KSPGetConvergedReason(it->solver, &reason));
  PetscCall(VecResetArray(it->right));
  PetscCall(VecResetArray(it->solution));
  *solved = (PetscBool)(reason > 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}
