/* balance.c - Newton for the motions of the joints in one step. */
#include "balance.h"
#include <float.h>
#include <petscblaslapack.h>

enum { MAX_HALVINGS = 8 };

static PetscInt LargestBlock(const System *system, PetscInt power)
{
  PetscInt largest = 1;

  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const JointBlock *block = &system->blocks[b].block;
    const PetscInt    dim   = block->law->dim;

    largest = PetscMax(largest, block->num_points * (power == 1 ? dim : dim * dim));
  }
  return largest;
}

static PetscBool IsDiagonal(const System *system)
{
  for (PetscInt b = 0; b < system->num_blocks; b++)
    if (system->blocks[b].block.law->dim > 1) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Blocks of scalar laws that alone act on consecutive rows need no gathering and adding up. */
static PetscErrorCode FindDirectBlocks(Balance *balance)
{
  const System *system = balance->system;
  PetscInt     *uses;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(balance->m, &uses));
  for (PetscInt b = 0; b < system->num_blocks; b++)
    for (PetscInt i = 0; i < system->blocks[b].block.num_points * system->blocks[b].block.law->dim; i++) uses[system->blocks[b].rows[i]]++;
  balance->in_place = PETSC_TRUE;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *block = &system->blocks[b];
    PetscBool          direct;

    direct = (PetscBool)(balance->diagonal && !(block->block.law->traits & JOINT_VISCOUS));
    for (PetscInt i = 0; direct && i < block->block.num_points; i++)
      direct = (PetscBool)(block->rows[i] == block->rows[0] + i && uses[block->rows[i]] == 1);
    balance->first_row[b] = direct ? block->rows[0] : -1;
    balance->in_place     = (PetscBool)(balance->in_place && direct);
    balance->viscous      = (PetscBool)(balance->viscous || (block->block.law->traits & JOINT_VISCOUS));
  }
  PetscCall(PetscFree(uses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SetStiffness(Balance *balance)
{
  const PetscInt m = balance->m;
  PetscReal     *full;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m * m, &full));
  PetscCall(SystemJointStiffness(balance->system, JOINT_STUCK, full));
  if (balance->diagonal)
    for (PetscInt i = 0; i < m; i++) balance->stiffness[i] = full[i * m + i];
  else PetscCall(PetscArraycpy(balance->stiffness, full, m * m));
  PetscCall(PetscFree(full));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceCreate(const System *system, PetscReal tolerance, PetscInt max_iterations, Balance **balance)
{
  const PetscInt m = system->num_nonlinear, values = LargestBlock(system, 1), tangents = LargestBlock(system, 2);
  Balance       *b;

  PetscFunctionBegin;
  PetscCall(PetscNew(balance));
  b                 = *balance;
  b->system         = system;
  b->m              = m;
  b->tolerance      = tolerance;
  b->max_iterations = max_iterations;
  b->diagonal       = IsDiagonal(system);
  PetscCall(PetscCalloc2(m * m, &b->stiffness, m * m, &b->tangent));
  PetscCall(PetscCalloc7(m, &b->motion, m, &b->rate, m, &b->force, m, &b->remainder, m, &b->residual, m, &b->correction, m, &b->start));
  PetscCall(PetscCalloc3(m * m, &b->jacobian, m, &b->pivots, m, &b->old_force));
  PetscCall(PetscCalloc5(values, &b->block_motion, values, &b->block_rate, values, &b->block_force, tangents, &b->block_stiffness, tangents,
                         &b->block_damping));
  PetscCall(PetscMalloc1(system->num_blocks, &b->first_row));
  PetscCall(FindDirectBlocks(b));
  PetscCall(SetStiffness(b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceDestroy(Balance **balance)
{
  Balance *b = *balance;

  PetscFunctionBegin;
  if (!b) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2(b->stiffness, b->tangent));
  PetscCall(PetscFree7(b->motion, b->rate, b->force, b->remainder, b->residual, b->correction, b->start));
  PetscCall(PetscFree3(b->jacobian, b->pivots, b->old_force));
  PetscCall(PetscFree(b->first_row));
  PetscCall(PetscFree5(b->block_motion, b->block_rate, b->block_force, b->block_stiffness, b->block_damping));
  PetscCall(PetscFree(*balance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Gather(const SystemBlock *block, const PetscReal rows[], PetscReal values[])
{
  const PetscInt count = block->block.num_points * block->block.law->dim;

  for (PetscInt i = 0; i < count; i++) values[i] = rows[block->rows[i]];
}

/* Adds a block's force and tangent (with its damping times `rate_factor`) to those of the rows. */
static void Scatter(Balance *balance, const SystemBlock *block, PetscReal rate_factor)
{
  const PetscInt  dim = block->block.law->dim, n = block->block.num_points, m = balance->m;
  const PetscBool viscous = (PetscBool)((block->block.law->traits & JOINT_VISCOUS) != 0);

  for (PetscInt i = 0; i < n * dim; i++) balance->force[block->rows[i]] += balance->block_force[i];
  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt e = 0; e < dim; e++)
      for (PetscInt i = 0; i < n; i++) {
        const PetscInt from = (c * dim + e) * n + i, row = block->rows[c * n + i], column = block->rows[e * n + i];
        PetscReal      tangent = balance->block_stiffness[from];

        if (viscous) tangent += rate_factor * balance->block_damping[from];
        balance->tangent[balance->diagonal ? row : row * m + column] += tangent;
      }
}

static void EvaluateGathered(Balance *balance, const SystemBlock *block, const JointHistory *history, PetscReal rate_factor)
{
  const JointMotion motion = {balance->block_motion, balance->block_rate};
  JointForce        result = {balance->block_force, balance->block_stiffness, balance->block_damping};

  Gather(block, balance->motion, balance->block_motion);
  if (block->block.law->traits & JOINT_VISCOUS) Gather(block, balance->rate, balance->block_rate);
  block->block.law->evaluate(&block->block, history, &motion, &result);
  Scatter(balance, block, rate_factor);
}

/* force and tangent of all rows at balance->motion and rate. */
static void Evaluate(Balance *balance, const State *state, PetscReal rate_factor)
{
  const System  *system = balance->system;
  const PetscInt m = balance->m, num_tangents = balance->diagonal ? m : m * m;

  if (!balance->in_place) {
    for (PetscInt i = 0; i < m; i++) balance->force[i] = 0.0;
    for (PetscInt i = 0; i < num_tangents; i++) balance->tangent[i] = 0.0;
  }
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *block  = &system->blocks[b];
    const PetscInt     row    = balance->first_row[b];
    const JointMotion  motion = {balance->motion + row, NULL};
    JointForce         result = {balance->force + row, balance->tangent + row, NULL};

    if (row < 0) EvaluateGathered(balance, block, &state->history[b], rate_factor);
    else block->block.law->evaluate(&block->block, &state->history[b], &motion, &result);
  }
}

/* stiffness times motion, of one row */
static inline PetscReal StuckForce(const Balance *balance, const PetscReal motion[], PetscInt i)
{
  PetscReal sum = 0.0;

  if (balance->diagonal) return balance->stiffness[i] * motion[i];
  for (PetscInt j = 0; j < balance->m; j++) sum += balance->stiffness[i * balance->m + j] * motion[j];
  return sum;
}

/* How much force an error of its motion makes in a row, at most: the larger of the stuck and the present tangent. */
static inline PetscReal Steepness(const Balance *balance, PetscInt i)
{
  const PetscInt m    = balance->m;
  PetscReal      most = 0.0;

  if (balance->diagonal) return PetscMax(balance->stiffness[i], PetscAbsReal(balance->tangent[i]));
  for (PetscInt j = 0; j < m; j++) most = PetscMax(most, PetscMax(balance->stiffness[i * m + j], PetscAbsReal(balance->tangent[i * m + j])));
  return most;
}

/* The imbalance of every row; the largest in units of what is accepted. */
static PetscReal Imbalance(Balance *balance, const LinearLevel *level, const LinearResponse *response, const PetscReal row_norm[])
{
  const PetscInt  m        = balance->m;
  const PetscReal roundoff = 4.0 * PETSC_MACHINE_EPSILON * response->size;
  PetscReal       worst    = 0.0;

  for (PetscInt i = 0; i < m; i++) balance->remainder[i] = balance->force[i] - StuckForce(balance, balance->motion, i);
  RowsTimes(m, m, level->influence, balance->remainder, balance->residual);
  for (PetscInt i = 0; i < m; i++) {
    const PetscReal residual  = balance->residual[i] + (balance->motion[i] - response->motion[i]);
    PetscReal       steepness = Steepness(balance, i), size = PetscAbsReal(balance->force[i]) + PetscAbsReal(balance->old_force[i]), accepted;

    if (steepness == 0.0) { /* an open gap: no force tells how far the structure is, so the motion itself is judged */
      steepness = 1.0;
      size      = PetscAbsReal(balance->motion[i]) + PetscAbsReal(response->motion[i]);
    }
    accepted             = balance->tolerance * size + steepness * roundoff * row_norm[i] + DBL_MIN;
    balance->residual[i] = residual;
    if (!(steepness * PetscAbsReal(residual) <= worst * accepted))
      worst = steepness * PetscAbsReal(residual) / accepted; /* not-a-number comes through */
  }
  return worst;
}

static inline void Swap(PetscReal *a, PetscReal *b)
{
  const PetscReal kept = *a;

  *a = *b;
  *b = kept;
}

/* Gaussian elimination with row exchanges, column-major, in place: for the few joints of most structures a LAPACK call costs
   more than its work (0.35 us against 0.05 us for four). */
static PetscBool SolveSmall(PetscInt n, PetscReal A[], PetscReal b[])
{
  for (PetscInt k = 0; k < n; k++) {
    PetscInt pivot = k;

    for (PetscInt i = k + 1; i < n; i++)
      if (PetscAbsReal(A[i + k * n]) > PetscAbsReal(A[pivot + k * n])) pivot = i;
    if (A[pivot + k * n] == 0.0) return PETSC_FALSE;
    if (pivot != k) {
      for (PetscInt j = k; j < n; j++) Swap(&A[k + j * n], &A[pivot + j * n]);
      Swap(&b[k], &b[pivot]);
    }
    for (PetscInt i = k + 1; i < n; i++) {
      const PetscReal factor = A[i + k * n] / A[k + k * n];

      for (PetscInt j = k + 1; j < n; j++) A[i + j * n] -= factor * A[k + j * n];
      b[i] -= factor * b[k];
    }
  }
  for (PetscInt k = n - 1; k >= 0; k--) {
    for (PetscInt j = k + 1; j < n; j++) b[k] -= A[k + j * n] * b[j];
    b[k] /= A[k + k * n];
  }
  return PETSC_TRUE;
}

static PetscBool SolveLarge(PetscInt n, PetscReal A[], PetscBLASInt pivots[], PetscReal b[])
{
  PetscBLASInt size = (PetscBLASInt)n, one = 1, info;

  LAPACKgesv_(&size, &one, A, &size, pivots, b, &size, &info);
  return (PetscBool)(info == 0);
}

/* J = 1 + H (tangent - stiffness), column-major; H is symmetric. */
static void BuildJacobian(Balance *balance, const LinearLevel *level)
{
  const PetscInt m = balance->m;

  for (PetscInt j = 0; j < m; j++) {
    PetscReal *const restrict column  = balance->jacobian + j * m;
    const PetscReal *const restrict H = level->influence + j * m;

    if (balance->diagonal) {
      const PetscReal change = balance->tangent[j] - balance->stiffness[j];

#pragma omp simd
      for (PetscInt i = 0; i < m; i++) column[i] = H[i] * change;
    } else {
      for (PetscInt k = 0; k < m; k++) balance->correction[k] = balance->tangent[k * m + j] - balance->stiffness[k * m + j];
      RowsTimes(m, m, level->influence, balance->correction, column);
    }
    column[j] += 1.0;
  }
}

/* (tangent - stiffness) times a change of motion */
static void ChangeRemainder(const Balance *balance, const PetscReal change[], PetscReal remainder[])
{
  const PetscInt m = balance->m;

  for (PetscInt i = 0; i < m; i++) {
    PetscReal sum = 0.0;

    if (balance->diagonal) sum = (balance->tangent[i] - balance->stiffness[i]) * change[i];
    else
      for (PetscInt j = 0; j < m; j++) sum += (balance->tangent[i * m + j] - balance->stiffness[i * m + j]) * change[j];
    remainder[i] = sum;
  }
}

/* J x = -R by x <- -R - H (tangent - stiffness) x. A step that resolves the motion makes H times the stiffness small (1e-4 to
   1e-2), and two or three products take the place of a factorisation. False when it does not contract. */
static PetscBool IterateCorrection(Balance *balance, const LinearLevel *level)
{
  enum { MAX_PRODUCTS = 6 };
  const PetscReal  enough = 1e-6; /* Newton itself errs more */
  const PetscInt   m      = balance->m;
  PetscReal *const change = balance->jacobian, *const product = balance->jacobian + m; /* its first columns are free */
  PetscReal last = PETSC_MAX_REAL;

  if (m < 2) return PETSC_FALSE;
  for (PetscInt k = 0; k < MAX_PRODUCTS; k++) {
    PetscReal difference = 0.0, size = 0.0;

    ChangeRemainder(balance, balance->correction, change);
    RowsTimes(m, m, level->influence, change, product);
    for (PetscInt i = 0; i < m; i++) {
      const PetscReal next = -balance->residual[i] - product[i];

      difference             = PetscMax(difference, PetscAbsReal(next - balance->correction[i]));
      size                   = PetscMax(size, PetscAbsReal(next));
      balance->correction[i] = next;
    }
    if (difference <= enough * size) return PETSC_TRUE;
    if (!(difference <= 0.1 * last)) return PETSC_FALSE;
    last = difference;
  }
  return PETSC_FALSE;
}

/* The Newton correction of the present motion, false when there is none. */
static PetscBool FindCorrection(Balance *balance, const LinearLevel *level)
{
  enum { SMALL = 12 };
  const PetscInt m = balance->m;

  for (PetscInt i = 0; i < m; i++) {
    balance->start[i]      = balance->motion[i];
    balance->correction[i] = -balance->residual[i];
  }
  if (IterateCorrection(balance, level)) return PETSC_TRUE;
  BuildJacobian(balance, level);
  for (PetscInt i = 0; i < m; i++) balance->correction[i] = -balance->residual[i];
  if (m <= SMALL) return SolveSmall(m, balance->jacobian, balance->correction);
  return SolveLarge(m, balance->jacobian, balance->pivots, balance->correction);
}

/* motion = start + length * correction, and the velocities that Newmark's rule ties to it. */
static void Move(Balance *balance, PetscReal length, PetscReal rate_factor, const LinearResponse *response)
{
  for (PetscInt i = 0; i < balance->m; i++) balance->motion[i] = balance->start[i] + length * balance->correction[i];
  for (PetscInt i = 0; balance->viscous && i < balance->m; i++)
    balance->rate[i] = response->rate[i] + rate_factor * (balance->motion[i] - response->motion[i]);
}

/* The motion if the remainders change as much as in the step before. */
static void Guess(Balance *balance, const LinearLevel *level, PetscReal rate_factor, const LinearResponse *response, const State *state)
{
  const PetscInt m = balance->m;

  for (PetscInt i = 0; i < m; i++) {
    balance->start[i]     = response->motion[i];
    balance->remainder[i] = state->remainder[i] + state->trend[i];
    balance->old_force[i] = state->remainder[i] + StuckForce(balance, state->motion, i);
  }
  RowsTimes(m, m, level->influence, balance->remainder, balance->correction);
  Move(balance, -1.0, rate_factor, response);
}

/* What the line search makes smaller. The units of Imbalance change with the tangents, in these Newton's direction always descends. */
static PetscReal LargestResidual(const Balance *balance)
{
  PetscReal most = 0.0;

  for (PetscInt i = 0; i < balance->m; i++)
    if (!(PetscAbsReal(balance->residual[i]) <= most)) most = PetscAbsReal(balance->residual[i]); /* not-a-number comes through */
  return most;
}

PetscErrorCode BalanceSolve(Balance *balance, const LinearLevel *level, PetscReal rate_factor, const LinearResponse *response,
                            const PetscReal row_norm[], State *state, PetscBool *converged)
{
  PetscReal best = PETSC_MAX_REAL, length = 1.0;
  PetscInt  halvings = 0;

  PetscFunctionBeginHot;
  *converged = PETSC_TRUE;
  if (balance->m == 0) PetscFunctionReturn(PETSC_SUCCESS);
  Guess(balance, level, rate_factor, response, state);
  for (PetscInt iteration = 0; iteration < balance->max_iterations; iteration++) {
    PetscReal worst, merit;

    Evaluate(balance, state, rate_factor);
    worst = Imbalance(balance, level, response, row_norm);
    state->iterations++;
    if (worst <= 1.0) PetscFunctionReturn(PETSC_SUCCESS);
    merit = LargestResidual(balance);
    if (iteration > 0 && !(merit < best) && halvings < MAX_HALVINGS) {
      length *= 0.5;
      halvings++;
    } else {
      best     = merit;
      length   = 1.0;
      halvings = 0;
      if (!FindCorrection(balance, level)) break;
    }
    Move(balance, length, rate_factor, response);
  }
  *converged = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CommitGathered(Balance *balance, const SystemBlock *block, JointHistory *history, PetscReal dissipated[])
{
  const JointMotion motion = {balance->block_motion, balance->block_rate};
  const PetscInt    n      = block->block.num_points;

  PetscFunctionBeginHot;
  Gather(block, balance->motion, balance->block_motion);
  if (block->block.law->traits & JOINT_VISCOUS) Gather(block, balance->rate, balance->block_rate);
  for (PetscInt i = 0; i < n; i++) balance->block_force[i] = 0.0;
  PetscCall(block->block.law->commit(&block->block, history, &motion, balance->block_force));
  for (PetscInt i = 0; i < n; i++) dissipated[block->rows[i]] += balance->block_force[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Advances the histories to balance->motion. */
static PetscErrorCode CommitHistories(Balance *balance, State *state)
{
  const System *system = balance->system;

  PetscFunctionBeginHot;
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *block  = &system->blocks[b];
    const PetscInt     row    = balance->first_row[b];
    const JointMotion  motion = {balance->motion + row, NULL};

    if (!block->block.law->commit) continue;
    if (row < 0) PetscCall(CommitGathered(balance, block, &state->history[b], state->dissipated));
    else PetscCall(block->block.law->commit(&block->block, &state->history[b], &motion, state->dissipated + row));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceCommit(Balance *balance, State *state)
{
  const PetscInt m = balance->m;

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < m; i++) state->absorbed += 0.5 * (balance->old_force[i] + balance->force[i]) * (balance->motion[i] - state->motion[i]);
  PetscCall(CommitHistories(balance, state));
  for (PetscInt i = 0; i < m; i++) {
    state->trend[i]     = balance->remainder[i] - state->remainder[i];
    state->remainder[i] = balance->remainder[i];
    state->motion[i]    = balance->motion[i];
    if (balance->viscous) state->rate[i] = balance->rate[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceStart(Balance *balance, const PetscReal motion[], const PetscReal rate[], State *state)
{
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(balance->motion, motion, balance->m));
  PetscCall(PetscArraycpy(balance->rate, rate, balance->m));
  Evaluate(balance, state, 0.0);
  for (PetscInt i = 0; i < balance->m; i++) {
    balance->remainder[i] = balance->force[i] - StuckForce(balance, balance->motion, i);
    state->motion[i]      = motion[i];
    state->rate[i]        = rate[i];
    state->remainder[i]   = balance->remainder[i];
    state->trend[i]       = 0.0;
  }
  PetscCall(CommitHistories(balance, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal BalanceStuckForce(const Balance *balance, const State *state, PetscInt row)
{
  return StuckForce(balance, state->motion, row);
}
