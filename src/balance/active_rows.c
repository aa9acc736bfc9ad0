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
    size[r] *= PetscSqr(joints->lever[r]);
  }
}

PetscErrorCode ActiveRowsCreate(const JointForces *joints, ActiveRows *active)
{
  const PetscInt m = joints->m;

  PetscFunctionBegin;
  *active = (ActiveRows){.m = m, .pattern = &joints->pattern};
  PetscCall(PetscCalloc4(m, &active->row, m, &active->place, m, &active->selected, m, &active->factored));
  PetscCall(PetscCalloc4(m, &active->size, m, &active->value, m, &active->product, m, &active->force));
  PetscCall(PetscCalloc2(m * joints->pattern.width, &active->difference, m, &active->pivots));
  FindSizes(joints, active->size);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ActiveRowsDestroy(ActiveRows *active)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(active->row, active->place, active->selected, active->factored));
  PetscCall(PetscFree4(active->size, active->value, active->product, active->force));
  PetscCall(PetscFree2(active->difference, active->pivots));
  PetscCall(ComplianceSelectionDestroy(&active->selection));
  PetscCall(PetscFree(active->factors));
  PetscCall(KSPDestroy(&active->iteration));
  PetscCall(VecDestroy(&active->right));
  PetscCall(VecDestroy(&active->solution));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ActiveRowsBegin(ActiveRows *active, const Influence *influence, PetscInt most_factored, PetscBool anew)
{
  const PetscBool other = (PetscBool)(active->serial != influence->serial);

  if (other) active->num_selected = 0;
  if (other || anew) active->num_factored = 0;
  active->influence     = influence;
  active->serial        = influence->serial;
  active->most_factored = most_factored;
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

/* H among the active rows, unless they are those of the last time. */
static PetscErrorCode Select(ActiveRows *active)
{
  const PetscBool held = ComplianceIsSelected(&active->influence->compliance, &active->selection);
  PetscBool       same = (PetscBool)(held && active->count == active->num_selected);

  PetscFunctionBegin;
  for (PetscInt a = 0; a < active->count && same; a++) same = (PetscBool)(active->row[a] == active->selected[a]);
  if (same) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InfluenceSelect(active->influence, active->count, active->row, &active->selection));
  PetscCall(PetscArraycpy(active->selected, active->row, active->count));
  active->num_selected = active->count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ActiveRowsFind(ActiveRows *active, const JointForces *joints)
{
  const PetscInt width = active->pattern->width;

  PetscFunctionBegin;
  FindDifference(active, joints);
  active->count = 0;
  for (PetscInt r = 0; r < active->m; r++) {
    PetscBool acts = PETSC_FALSE;

    for (PetscInt e = r * width; e < (r + 1) * width; e++) acts = (PetscBool)(acts || IsActive(active, active->pattern->column[e]));
    active->place[r] = acts ? active->count : -1;
    if (acts) active->row[active->count++] = r;
    for (PetscInt e = r * width; !acts && e < (r + 1) * width; e++) active->difference[e] = 0.0;
  }
  PetscCall(Select(active));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ActiveRowsMove(ActiveRows *active, const PetscReal force[], PetscReal motion[])
{
  const PetscInt n = active->count;

  for (PetscInt a = 0; a < n; a++) active->value[a] = force[active->row[a]];
  ComplianceMoveSelected(&active->influence->compliance, &active->selection, active->value, active->product);
  for (PetscInt i = 0; i < active->m; i++) motion[i] = 0.0;
  for (PetscInt a = 0; a < n; a++) motion[active->row[a]] = active->product[a];
}

/* The matrix of the active rows, column-major; H is symmetric. */
static PetscErrorCode Fill(ActiveRows *active)
{
  const PetscInt   n = active->count, width = active->pattern->width;
  const PetscReal *all;
  PetscReal       *room;

  PetscFunctionBegin;
  PetscCall(ComplianceCollect(&active->influence->compliance, &active->selection, &room, &all));
  PetscCall(PetscArrayzero(active->factors, (size_t)n * (size_t)n));
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal *const restrict H = all + (size_t)k * (size_t)n;

    for (PetscInt e = active->row[k] * width; e < (active->row[k] + 1) * width; e++) {
      const PetscReal change           = active->difference[e];
      PetscReal *const restrict column = active->factors + (size_t)active->place[active->pattern->column[e]] * (size_t)n;

      for (PetscInt i = 0; change != 0.0 && i < n; i++) column[i] += H[i] * change;
    }
  }
  for (PetscInt i = 0; i < n; i++) active->factors[(size_t)i * (size_t)(n + 1)] += 1.0;
  PetscCall(PetscFree(room));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Factor(ActiveRows *active, PetscBool *regular)
{
  PetscBLASInt n, info;

  PetscFunctionBegin;
  if (active->count > active->capacity) {
    active->capacity = PetscMin(active->m, active->count + active->count / 4);
    PetscCall(PetscFree(active->factors));
    PetscCall(PetscMalloc1((size_t)active->capacity * (size_t)active->capacity, &active->factors));
  }
  PetscCall(Fill(active));
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

/* y = x + H D x in the active rows; in others both are nothing. */
static PetscErrorCode Multiply(Mat matrix, Vec x, Vec y)
{
  ActiveRows        *active;
  const PetscScalar *from;
  PetscScalar       *to;

  PetscFunctionBegin;
  PetscCall(MatShellGetContext(matrix, &active));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  TangentPatternTimes(active->pattern, active->difference, from, active->force);
  ActiveRowsMove(active, active->force, to);
  for (PetscInt i = 0; i < active->m; i++) to[i] += from[i];
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(VecRestoreArray(y, &to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Factors of an earlier iteration know most of what is there. */
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

enum { MOST_PRODUCTS = 20 }; /* more cost as much as factors */

static PetscErrorCode CreateIteration(ActiveRows *active)
{
  const PetscInt m = active->m;
  Mat            matrix;
  PC             pc;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, m, NULL, &active->right));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, m, NULL, &active->solution));
  PetscCall(MatCreateShell(PETSC_COMM_SELF, m, m, m, m, active, &matrix));
  PetscCall(MatShellSetOperation(matrix, MATOP_MULT, (void (*)(void))Multiply));
  PetscCall(KSPCreate(PETSC_COMM_SELF, &active->iteration));
  PetscCall(KSPSetOperators(active->iteration, matrix, matrix));
  PetscCall(KSPSetType(active->iteration, KSPGMRES));
  PetscCall(KSPGMRESSetRestart(active->iteration, MOST_PRODUCTS));
  PetscCall(KSPSetPCSide(active->iteration, PC_RIGHT));
  PetscCall(KSPGetPC(active->iteration, &pc));
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, active));
  PetscCall(PCShellSetApply(pc, Precondition));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Iterate(ActiveRows *active, PetscReal enough, const PetscReal b[], PetscReal x[], PetscBool *solved)
{
  KSPConvergedReason reason;

  PetscFunctionBegin;
  if (!active->iteration) PetscCall(CreateIteration(active));
  PetscCall(KSPSetTolerances(active->iteration, enough, PETSC_MACHINE_EPSILON * PETSC_MACHINE_EPSILON, PETSC_DEFAULT, MOST_PRODUCTS));
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
PetscErrorCode ActiveRowsSolve(ActiveRows *active, PetscReal enough, const PetscReal b[], PetscReal x[], PetscBool *solved)
{
  PetscFunctionBegin;
  *solved = (PetscBool)(active->count == 0);
  if (active->count > active->most_factored && active->num_factored) PetscCall(Iterate(active, enough, b, x, solved));
  if (!*solved) PetscCall(FactorAndSolve(active, b, x, solved));
  PetscFunctionReturn(PETSC_SUCCESS);
}
