/* virgin_alone.c - the equilibria of one virgin curve by Newton's method with factors of a full matrix: any laws, many rows. */
#include "virgin_path.h"
#include "rows.h"
#include <petscblaslapack.h>

typedef struct {
  Virgin       *virgin;
  PetscInt      m;
  PetscReal    *motion, *change;           /* [m] d and its change by q */
  PetscReal    *last_motion, *last_change; /* [m] of the equilibrium before */
  PetscReal    *g, *left, *trial;          /* [m] */
  PetscReal    *tangent;                   /* [m, m] of the remainders; */
  PetscReal    *matrix;                    /* and I + H A, by columns */
  PetscReal    *law;                       /* work: motion, force [num_components], stiffness [JOINT_MAX_DIM num_components] */
  PetscBLASInt *pivots;
} Newton;

static PetscErrorCode Create(Virgin *v, Newton *newton)
{
  const System *const system = v->structure->system;
  const PetscInt      m      = v->m;
  PetscInt            most   = 0;

  PetscFunctionBegin;
  *newton = (Newton){.virgin = v, .m = m};
  for (PetscInt b = 0; b < system->num_blocks; b++) most = PetscMax(most, SystemBlockComponents(&system->blocks[b]));
  PetscCall(PetscCalloc7(m, &newton->motion, m, &newton->change, m, &newton->last_motion, m, &newton->last_change, m, &newton->g, m, &newton->left, m,
                         &newton->trial));
  PetscCall(PetscCalloc4(m * m, &newton->tangent, m * m, &newton->matrix, (2 + JOINT_MAX_DIM) * most, &newton->law, m, &newton->pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Newton *newton)
{
  PetscFunctionBegin;
  PetscCall(PetscFree7(newton->motion, newton->change, newton->last_motion, newton->last_change, newton->g, newton->left, newton->trial));
  PetscCall(PetscFree4(newton->tangent, newton->matrix, newton->law, newton->pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the remainders of a block, and their tangents. */
static void AddBlock(Newton *newton, PetscInt b, const PetscReal d[])
{
  const Virgin *const      v     = newton->virgin;
  const SystemBlock *const block = &v->structure->system->blocks[b];
  const PetscInt           num = block->block.num_points, dim = block->block.law->dim, count = SystemBlockComponents(block);
  PetscReal *const motion = newton->law, *const force = motion + count, *const stiffness = force + count;
  const JointMotion at     = {motion, NULL};
  JointForce        result = {force, stiffness, NULL, NULL};
  PetscReal         stuck[JOINT_MAX_DIM * JOINT_MAX_DIM];

  SystemBlockMotion(block, d, motion);
  block->block.law->evaluate(&block->block, &v->untouched[b], &at, &result);
  for (PetscInt i = 0; i < num; i++) {
    const PetscReal area = block->area ? block->area[i] : 1.0;

    SystemBlockStiffness(block, JOINT_STUCK, i, stuck);
    for (PetscInt c = 0; c < dim; c++) {
      PetscReal left = area * force[c * num + i];

      for (PetscInt e = 0; e < dim; e++) {
        left -= stuck[c * dim + e] * motion[e * num + i];
        SystemBlockAddTangent(block, c * num + i, e * num + i, area * stiffness[(c * dim + e) * num + i] - stuck[c * dim + e], newton->m,
                              newton->tangent);
      }
      for (PetscInt t = block->first[c * num + i]; t < block->first[c * num + i + 1]; t++) newton->g[block->row[t]] += block->factor[t] * left;
    }
  }
}

/* What is left of d + H g - b_0 q, the largest of it. */
static PetscReal Evaluate(Newton *newton, PetscReal q, const PetscReal d[])
{
  const Virgin *const v       = newton->virgin;
  const PetscInt      m       = newton->m;
  PetscReal           largest = 0.0;

  for (PetscInt i = 0; i < m; i++) newton->g[i] = 0.0;
  for (PetscInt i = 0; i < m * m; i++) newton->tangent[i] = 0.0;
  for (PetscInt b = 0; b < v->structure->system->num_blocks; b++) AddBlock(newton, b, d);
  for (PetscInt r = 0; r < m; r++) {
    newton->left[r] = d[r] - v->row[r] * q + RowsTimesOne(m, v->influence + r * m, newton->g);
    largest         = PetscMax(largest, PetscAbsReal(newton->left[r]));
  }
  return largest;
}

/* Factors I + H A. */
static PetscErrorCode Factor(Newton *newton, PetscBool *regular)
{
  const Virgin *const v = newton->virgin;
  const PetscInt      m = newton->m;
  PetscBLASInt        order, info;

  PetscFunctionBeginHot;
  for (PetscInt c = 0; c < m; c++)
    for (PetscInt r = 0; r < m; r++) {
      PetscReal sum = r == c ? 1.0 : 0.0;

      for (PetscInt k = 0; k < m; k++) sum += v->influence[r * m + k] * newton->tangent[k * m + c];
      newton->matrix[c * m + r] = sum;
    }
  PetscCall(PetscBLASIntCast(m, &order));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&order, &order, newton->matrix, &order, newton->pivots, &info));
  *regular = (PetscBool)(info == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(Newton *newton, PetscReal right[])
{
  PetscBLASInt order, one = 1, info;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(newton->m, &order));
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &order, &one, newton->matrix, &order, newton->pivots, right, &order, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrs: %d", (int)info);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal LargestOf(PetscInt m, const PetscReal x[])
{
  PetscReal largest = 0.0;

  for (PetscInt i = 0; i < m; i++) largest = PetscMax(largest, PetscAbsReal(x[i]));
  return largest;
}

/* Newton's method at q from newton->motion, steps halved until what is left shrinks; the tangent of the curve is what it ends with. */
static PetscErrorCode FindEquilibrium(Newton *newton, PetscReal q, PetscInt *iterations, PetscBool *found)
{
  const PetscInt m      = newton->m;
  PetscReal      before = Evaluate(newton, q, newton->motion), now;

  PetscFunctionBeginHot;
  *found = PETSC_FALSE;
  for (*iterations = 1; *iterations <= VIRGIN_MOST_ITERATIONS; (*iterations)++) {
    PetscBool regular = PETSC_FALSE;

    PetscCall(Factor(newton, &regular));
    if (!regular) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(PetscArraycpy(newton->change, newton->virgin->row, m));
    PetscCall(Solve(newton, newton->change));
    *found = (PetscBool)(before <= VIRGIN_CLOSE_ENOUGH * LargestOf(m, newton->motion));
    if (*found) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(Solve(newton, newton->left));
    for (PetscInt i = 0; i < m; i++) newton->trial[i] = newton->left[i];
    for (PetscReal part = 1.0;; part *= 0.5) {
      for (PetscInt i = 0; i < m; i++) newton->motion[i] -= part * newton->trial[i];
      now = Evaluate(newton, q, newton->motion);
      if (now < before || part < VIRGIN_LEAST_LENGTH) break;
      for (PetscInt i = 0; i < m; i++) newton->motion[i] += part * newton->trial[i];
    }
    if (!(now < before)) {
      *found = (PetscBool)(now <= VIRGIN_ROUND_OFF * LargestOf(m, newton->motion));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    before = now;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* With r = b_0^T g and its slope b_0^T A dd/dq. */
static PetscErrorCode Arrive(Newton *newton, PetscInt iterations)
{
  const PetscInt         m     = newton->m;
  const PetscReal *const row   = newton->virgin->row;
  PetscReal              slope = 0.0;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < m; i++) slope += row[i] * RowsTimesOne(m, newton->tangent + i * m, newton->change);
  PetscCall(VirginArrive(newton->virgin, RowsTimesOne(m, row, newton->g), slope, iterations, newton->g, 1));
  PetscCall(PetscArraycpy(newton->last_motion, newton->motion, m));
  PetscCall(PetscArraycpy(newton->last_change, newton->change, m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VirginFollowAlone(Virgin *v)
{
  Newton    newton;
  PetscInt  iterations;
  PetscBool found;

  PetscFunctionBegin;
  PetscCall(Create(v, &newton));
  PetscCall(PetscArraycpy(newton.last_change, v->row, v->m));
  while (VirginAim(v)) {
    for (PetscInt i = 0; i < v->m; i++) newton.motion[i] = newton.last_motion[i] + (v->next - v->at) * newton.last_change[i];
    PetscCall(FindEquilibrium(&newton, v->next, &iterations, &found));
    if (found) PetscCall(Arrive(&newton, iterations));
    else if (!VirginDivide(v)) break;
  }
  v->followed = PETSC_TRUE;
  PetscCall(Destroy(&newton));
  PetscFunctionReturn(PETSC_SUCCESS);
}
