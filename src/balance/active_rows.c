/* active_rows.c - Newton's equation of many points, among the rows where it is not the structure's own. */
#include "active_rows.h"
#include <petscblaslapack.h>

static void FindSizes(const JointForces *joints, PetscReal size[])
{
  const PetscInt width = joints->pattern.width;

  for (PetscInt r = 0; r < joints->m; r++) {
    size[r] = 0.0;
    for (PetscInt e = 0; e < width * width; e++) {
      const PetscInt other = joints->pattern.column[r * width + e / width];

      size[r] = PetscMax(size[r], PetscAbsReal(joints->closed[other * width + e % width]));
    }
  }
}

PetscErrorCode ActiveRowsCreate(const JointForces *joints, ActiveRows *active)
{
  const PetscInt m = joints->m;

  PetscFunctionBegin;
  *active = (ActiveRows){.m = m, .pattern = &joints->pattern};
  PetscCall(PetscCalloc5(m, &active->row, m, &active->place, m, &active->size, m, &active->value, m, &active->product));
  PetscCall(PetscCalloc3(m * joints->pattern.width, &active->difference, m, &active->factored, m, &active->pivots));
  FindSizes(joints, active->size);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ActiveRowsDestroy(ActiveRows *active)
{
  PetscFunctionBegin;
  PetscCall(PetscFree5(active->row, active->place, active->size, active->value, active->product));
  PetscCall(PetscFree3(active->difference, active->factored, active->pivots));
  PetscCall(PetscFree(active->factors));
  PetscCall(KSPDestroy(&active->iteration));
  PetscCall(VecDestroy(&active->right));
  PetscCall(VecDestroy(&active->solution));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ActiveRowsBegin(ActiveRows *active, const PetscReal influence[], PetscInt most_factored)
{
  active->influence     = influence;
  active->most_factored = most_factored;
  active->num_factored  = 0;
}

/* A body that touches nothing is held by nothing: without a little stiffness in its direction Newton's equation would be singular. */
static void FindDifference(ActiveRows *active, const JointForces *joints)
{
  const PetscReal little = 1e-8;
  const PetscInt  width  = active->pattern->width;

  for (PetscInt r = 0; r < active->m; r++)
    for (PetscInt e = r * width; e < (r + 1) * width; e++) {
      const PetscBool loose = (PetscBool)(active->pattern->column[e] == r && joints->tangent[e] == 0.0);

      active->difference[e] = joints->tangent[e] - joints->stiffness[e] + (loose ? little * joints->closed[e] : 0.0);
    }
}

static PetscBool IsActive(const ActiveRows *active, PetscInt row)
{
  const PetscReal some  = 1e-7; /* more than the little stiffness of open points, whose reference may be zero */
  const PetscInt  width = active->pattern->width;

  for (PetscInt e = row * width; e < (row + 1) * width; e++)
    if (PetscAbsReal(active->difference[e]) > some * active->size[row]) return PETSC_TRUE;
  return PETSC_FALSE;
}

void ActiveRowsFind(ActiveRows *active, const JointForces *joints)
{
  const PetscInt width = active->pattern->width;

  FindDifference(active, joints);
  active->count = 0;
  for (PetscInt r = 0; r < active->m; r++) {
    PetscBool acts = PETSC_FALSE;

    for (PetscInt e = r * width; e < (r + 1) * width; e++) acts = (PetscBool)(acts || IsActive(active, active->pattern->column[e]));
    active->place[r] = acts ? active->count : -1;
    if (acts) active->row[active->count++] = r;
    for (PetscInt e = r * width; !acts && e < (r + 1) * width; e++) active->difference[e] = 0.0;
  }
}

/* The matrix of the active rows, column-major; rows of H are its columns, as it is symmetric. */
static void Fill(ActiveRows *active)
{
  const PetscInt n = active->count, width = active->pattern->width;

  for (PetscInt i = 0; i < n * n; i++) active->factors[i] = 0.0;
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal *const H = active->influence + active->row[k] * active->m;

    for (PetscInt e = active->row[k] * width; e < (active->row[k] + 1) * width; e++) {
      const PetscReal change           = active->difference[e];
      PetscReal *const restrict column = active->factors + active->place[active->pattern->column[e]] * n;

      for (PetscInt i = 0; change != 0.0 && i < n; i++) column[i] += H[active->row[i]] * change;
    }
  }
  for (PetscInt i = 0; i < n; i++) active->factors[i * (n + 1)] += 1.0;
}

static PetscErrorCode Factor(ActiveRows *active, PetscBool *regular)
{
  PetscBLASInt n, info;

  PetscFunctionBegin;
  if (active->count > active->capacity) {
    active->capacity = PetscMin(active->m, active->count + active->count / 4);
    PetscCall(PetscFree(active->factors));
    PetscCall(PetscMalloc1(active->capacity * active->capacity, &active->factors));
  }
  Fill(active);
  PetscCall(PetscBLASIntCast(active->count, &n));
  LAPACKgetrf_(&n, &n, active->factors, &n, active->pivots, &info);
  *regular             = (PetscBool)(info == 0);
  active->num_factored = info == 0 ? active->count : 0;
  PetscCall(PetscArraycpy(active->factored, active->row, active->num_factored));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows that the factors do not know stay as they are. */
static PetscErrorCode SolveFactored(ActiveRows *active, const PetscReal b[], PetscReal x[])
{
  PetscBLASInt n, one = 1, info;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < active->num_factored; i++) active->value[i] = b[active->factored[i]];
  PetscCall(PetscBLASIntCast(active->num_factored, &n));
  if (n) LAPACKgetrs_("N", &n, &one, active->factors, &n, active->pivots, active->value, &n, &info);
  if (x != b) PetscCall(PetscArraycpy(x, b, active->m));
  for (PetscInt i = 0; i < n; i++) x[active->factored[i]] = active->value[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* y = x + H D x */
static PetscErrorCode Multiply(Mat matrix, Vec x, Vec y)
{
  ActiveRows        *active;
  const PetscScalar *from;
  PetscScalar       *to;

  PetscFunctionBegin;
  PetscCall(MatShellGetContext(matrix, &active));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  TangentPatternTimes(active->pattern, active->difference, from, active->product);
  BalanceInfluence(active->influence, active->m, active->product, to);
  for (PetscInt i = 0; i < active->m; i++) to[i] += from[i];
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(VecRestoreArray(y, &to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The factors of an earlier iteration of the same solution know most of what is there. */
static PetscErrorCode Precondition(PC pc, Vec x, Vec y)
{
  ActiveRows        *active;
  const PetscScalar *from;
  PetscScalar       *to;

  PetscFunctionBegin;
  PetscCall(PCShellGetContext(pc, &active));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  PetscCall(SolveFactored(active, from, to));
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(VecRestoreArray(y, &to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateIteration(ActiveRows *active)
{
  enum { MOST_PRODUCTS = 40 };   /* more cost as much as factors */
  const PetscReal enough = 1e-8; /* Newton itself errs more */
  const PetscInt  m      = active->m;
  Mat             matrix;
  PC              pc;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, m, NULL, &active->right));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, m, NULL, &active->solution));
  PetscCall(MatCreateShell(PETSC_COMM_SELF, m, m, m, m, active, &matrix));
  PetscCall(MatShellSetOperation(matrix, MATOP_MULT, (void (*)(void))Multiply));
  PetscCall(KSPCreate(PETSC_COMM_SELF, &active->iteration));
  PetscCall(KSPSetOperators(active->iteration, matrix, matrix));
  PetscCall(KSPSetType(active->iteration, KSPGMRES));
  PetscCall(KSPGMRESSetRestart(active->iteration, MOST_PRODUCTS));
  PetscCall(KSPSetTolerances(active->iteration, enough, PETSC_MACHINE_EPSILON * PETSC_MACHINE_EPSILON, PETSC_DEFAULT, MOST_PRODUCTS));
  PetscCall(KSPSetPCSide(active->iteration, PC_RIGHT));
  PetscCall(KSPGetPC(active->iteration, &pc));
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, active));
  PetscCall(PCShellSetApply(pc, Precondition));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Iterate(ActiveRows *active, const PetscReal b[], PetscReal x[], PetscBool *solved)
{
  KSPConvergedReason reason;

  PetscFunctionBegin;
  if (!active->iteration) PetscCall(CreateIteration(active));
  PetscCall(VecPlaceArray(active->right, b));
  PetscCall(VecPlaceArray(active->solution, x));
  PetscCall(KSPSolve(active->iteration, active->right, active->solution));
  PetscCall(KSPGetConvergedReason(active->iteration, &reason));
  PetscCall(VecResetArray(active->right));
  PetscCall(VecResetArray(active->solution));
  *solved = (PetscBool)(reason > 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FactorAndSolve(ActiveRows *active, const PetscReal b[], PetscReal x[], PetscBool *solved)
{
  PetscFunctionBegin;
  PetscCall(Factor(active, solved));
  if (*solved) PetscCall(SolveFactored(active, b, x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Without factors that know most of it the equation of bodies that hang on few points is out of reach of an iteration. */
PetscErrorCode ActiveRowsSolve(ActiveRows *active, const PetscReal b[], PetscReal x[], PetscBool *solved)
{
  PetscFunctionBegin;
  *solved = (PetscBool)(active->count == 0);
  if (active->count > active->most_factored && active->num_factored) PetscCall(Iterate(active, b, x, solved));
  if (!*solved) PetscCall(FactorAndSolve(active, b, x, solved));
  PetscFunctionReturn(PETSC_SUCCESS);
}
