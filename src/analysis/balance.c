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
  const PetscInt num_rows = balance->system->num_nonlinear;
  PetscReal     *full;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num_rows * num_rows, &full));
  PetscCall(SystemJointStiffness(balance->system, JOINT_STUCK, full));
  for (PetscInt i = 0; i < num_rows; i++) {
    if (balance->diagonal) balance->stiffness[i] = full[i * num_rows + i];
    else PetscCall(PetscArraycpy(balance->stiffness + i * balance->m, full + i * num_rows, num_rows));
  }
  PetscCall(PetscFree(full));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceCreate(const System *system, PetscInt m, PetscReal tolerance, PetscInt max_iterations, Balance **balance)
{
  const PetscInt values = LargestBlock(system, 1), tangents = LargestBlock(system, 2);
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
  PetscCall(PetscCalloc6(m * m, &b->jacobian, m, &b->pivots, m, &b->old_force, m, &b->stuck, m, &b->steepness, m, &b->loss));
  PetscCall(
    PetscCalloc5(values, &b->block_motion, values, &b->block_rate, values, &b->block_force, values, &b->block_loss, values, &b->block_dissipated));
  PetscCall(PetscCalloc2(tangents, &b->block_stiffness, tangents, &b->block_damping));
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
  PetscCall(PetscFree6(b->jacobian, b->pivots, b->old_force, b->stuck, b->steepness, b->loss));
  PetscCall(PetscFree(b->first_row));
  PetscCall(PetscFree5(b->block_motion, b->block_rate, b->block_force, b->block_loss, b->block_dissipated));
  PetscCall(PetscFree2(b->block_stiffness, b->block_damping));
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
  JointForce        result = {balance->block_force, balance->block_stiffness, balance->block_damping, NULL};

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
    JointForce         result = {balance->force + row, balance->tangent + row, NULL, balance->loss + row};

    if (row < 0) EvaluateGathered(balance, block, &state->history[b], rate_factor);
    else block->block.law->evaluate(&block->block, &state->history[b], &motion, &result);
  }
}

/* k d: what the joints would carry if they stuck. */
static void StuckForces(const Balance *balance, const PetscReal motion[], PetscReal *restrict force)
{
  const PetscInt m                          = RowsWhole(balance->m);
  const PetscReal *const restrict stiffness = balance->stiffness;

  if (balance->diagonal)
#pragma omp simd
    for (PetscInt i = 0; i < m; i++) force[i] = stiffness[i] * motion[i];
  else RowsTimes(m, m, stiffness, motion, force);
}

/* H times forces. H is symmetric: a small one is taken by columns, which need not be summed across the lanes. */
static inline void Influence(const Balance *balance, const LinearLevel *level, const PetscReal force[], PetscReal motion[])
{
  enum { SMALL = 16 };
  const PetscInt m = RowsWhole(balance->m);

  if (m <= SMALL) RowsCombineByLanes(m, m, level->influence, force, motion);
  else RowsTimes(m, m, level->influence, force, motion);
}

/* How much force an error of its motion makes in a row, at most: the larger of the stuck and the present tangent. */
static void FindSteepness(const Balance *balance, PetscReal *restrict steepness)
{
  const PetscInt m                        = RowsWhole(balance->m);
  const PetscReal *const restrict tangent = balance->tangent, *const restrict stiffness = balance->stiffness;

  if (balance->diagonal)
#pragma omp simd
    for (PetscInt i = 0; i < m; i++) steepness[i] = PetscMax(stiffness[i], PetscAbsReal(tangent[i]));
  for (PetscInt i = 0; !balance->diagonal && i < m; i++) {
    steepness[i] = 0.0;
    for (PetscInt j = 0; j < m; j++) steepness[i] = PetscMax(steepness[i], PetscMax(stiffness[i * m + j], PetscAbsReal(tangent[i * m + j])));
  }
}

/* The imbalance of every row in balance->residual. */
static void FindResidual(Balance *balance, const LinearLevel *level, const LinearResponse *response)
{
  const PetscInt m                      = RowsWhole(balance->m);
  const PetscReal *const restrict force = balance->force, *const restrict stuck = balance->stuck, *const restrict motion = balance->motion;
  const PetscReal *const restrict linear = response->motion;
  PetscReal *const restrict remainder = balance->remainder, *const restrict residual = balance->residual;

  StuckForces(balance, balance->motion, balance->stuck);
#pragma omp simd
  for (PetscInt i = 0; i < m; i++) remainder[i] = force[i] - stuck[i];
  Influence(balance, level, remainder, residual);
#pragma omp simd
  for (PetscInt i = 0; i < m; i++) residual[i] += motion[i] - linear[i];
}

/* Whether the imbalance of every row is as small as is asked; not-a-number is not. */
static PetscBool IsAccepted(Balance *balance, const LinearResponse *response, const PetscReal row_norm[])
{
  const PetscInt   m         = RowsWhole(balance->m);
  const PetscReal  tolerance = balance->tolerance, roundoff = 4.0 * PETSC_MACHINE_EPSILON * response->size;
  const PetscReal *force = balance->force, *old_force = balance->old_force, *residual = balance->residual;
  const PetscReal *motion = balance->motion, *linear = response->motion;
  const RowsLanes  one  = (RowsLanes){0.0} + 1.0;
  RowsMask         fits = ~(RowsMask){0};

  FindSteepness(balance, balance->steepness);
  for (PetscInt i = 0; i < m; i += ROWS_LANES) {
    /* An open gap has no steepness: no force tells how far the structure is, so the motion itself is judged. */
    const RowsLanes steepness = RowsLoad(balance->steepness + i);
    const RowsMask  open      = steepness == 0.0;
    const RowsLanes forces    = RowsAbs(RowsLoad(force + i)) + RowsAbs(RowsLoad(old_force + i));
    const RowsLanes motions   = RowsAbs(RowsLoad(motion + i)) + RowsAbs(RowsLoad(linear + i));
    const RowsLanes steep = RowsSelect(open, one, steepness), size = RowsSelect(open, motions, forces);

    fits &= steep * RowsAbs(RowsLoad(residual + i)) <= tolerance * size + steep * roundoff * RowsLoad(row_norm + i) + DBL_MIN;
  }
  return RowsAll(fits);
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
static void ChangeRemainder(const Balance *balance, const PetscReal *restrict change, PetscReal *restrict remainder)
{
  const PetscInt m                        = RowsWhole(balance->m);
  const PetscReal *const restrict tangent = balance->tangent, *const restrict stiffness = balance->stiffness;

  if (balance->diagonal)
#pragma omp simd
    for (PetscInt i = 0; i < m; i++) remainder[i] = (tangent[i] - stiffness[i]) * change[i];
  for (PetscInt i = 0; !balance->diagonal && i < m; i++) {
    remainder[i] = 0.0;
    for (PetscInt j = 0; j < m; j++) remainder[i] += (tangent[i * m + j] - stiffness[i * m + j]) * change[j];
  }
}

/* correction = -residual - product; whether that is as good as no change. The shrinking of its changes is left in `difference`. */
static PetscBool Contract(Balance *balance, const PetscReal product[], PetscReal *difference)
{
  const PetscReal  enough     = 1e-6; /* Newton itself errs more */
  const PetscInt   m          = RowsWhole(balance->m);
  const PetscReal *residual   = balance->residual;
  PetscReal       *correction = balance->correction;
  RowsLanes        change = {0.0}, size = {0.0};

  for (PetscInt i = 0; i < m; i += ROWS_LANES) {
    const RowsLanes next = -RowsLoad(residual + i) - RowsLoad(product + i);

    change = RowsMax(change, RowsAbs(next - RowsLoad(correction + i)));
    size   = RowsMax(size, RowsAbs(next));
    RowsStore(correction + i, next);
  }
  *difference = RowsLargest(change);
  return (PetscBool)(*difference <= enough * RowsLargest(size));
}

/* J x = -R by x <- -R - H (tangent - stiffness) x. A step that resolves the motion makes H times the stiffness small (1e-4 to
   1e-2), and two or three products take the place of a factorisation. False when it does not contract. */
static PetscBool IterateCorrection(Balance *balance, const LinearLevel *level)
{
  enum { MAX_PRODUCTS = 6 };
  const PetscInt   m      = RowsWhole(balance->m);
  PetscReal *const change = balance->jacobian, *const product = balance->jacobian + m; /* its first columns are free */
  PetscReal last = PETSC_MAX_REAL, difference;

  for (PetscInt k = 0; k < MAX_PRODUCTS; k++) {
    ChangeRemainder(balance, balance->correction, change);
    Influence(balance, level, change, product);
    if (Contract(balance, product, &difference)) return PETSC_TRUE;
    if (!(difference <= 0.1 * last)) return PETSC_FALSE;
    last = difference;
  }
  return PETSC_FALSE;
}

static void StartCorrection(Balance *balance)
{
  const PetscInt m                         = RowsWhole(balance->m);
  const PetscReal *const restrict residual = balance->residual;
  PetscReal *const restrict correction     = balance->correction;

#pragma omp simd
  for (PetscInt i = 0; i < m; i++) correction[i] = -residual[i];
}

/* The Newton correction of the present motion, false when there is none. */
static PetscBool FindCorrection(Balance *balance, const LinearLevel *level)
{
  enum { SMALL = 12 };
  const PetscInt m                = RowsWhole(balance->m);
  PetscReal *const restrict start = balance->start, *const restrict motion = balance->motion;

#pragma omp simd
  for (PetscInt i = 0; i < m; i++) start[i] = motion[i];
  StartCorrection(balance);
  if (IterateCorrection(balance, level)) return PETSC_TRUE;
  BuildJacobian(balance, level);
  StartCorrection(balance);
  if (m <= SMALL) return SolveSmall(m, balance->jacobian, balance->correction);
  return SolveLarge(m, balance->jacobian, balance->pivots, balance->correction);
}

/* motion = start + length * correction, and the velocities that Newmark's rule ties to it. */
static void Move(Balance *balance, PetscReal length, PetscReal rate_factor, const LinearResponse *response)
{
  const PetscInt m                      = RowsWhole(balance->m);
  const PetscReal *const restrict start = balance->start, *const restrict correction = balance->correction;
  PetscReal *const restrict motion = balance->motion;

#pragma omp simd
  for (PetscInt i = 0; i < m; i++) motion[i] = start[i] + length * correction[i];
  for (PetscInt i = 0; balance->viscous && i < m; i++) balance->rate[i] = response->rate[i] + rate_factor * (motion[i] - response->motion[i]);
}

/* The motion if the remainders change as much as in the step before. */
static void Guess(Balance *balance, const LinearLevel *level, PetscReal rate_factor, const LinearResponse *response, const State *state)
{
  const PetscInt m                      = RowsWhole(balance->m);
  const PetscReal *const restrict known = state->remainder, *const restrict trend = state->trend, *const restrict stuck = balance->stuck;
  const PetscReal *const restrict linear = response->motion;
  PetscReal *const restrict start = balance->start, *const restrict remainder = balance->remainder, *const restrict old = balance->old_force;

  StuckForces(balance, state->motion, balance->stuck);
#pragma omp simd
  for (PetscInt i = 0; i < m; i++) {
    start[i]     = linear[i];
    remainder[i] = known[i] + trend[i];
    old[i]       = known[i] + stuck[i];
  }
  Influence(balance, level, remainder, balance->correction);
  Move(balance, -1.0, rate_factor, response);
}

/* What the line search makes smaller. What is accepted changes with the tangents, in these Newton's direction always descends. */
static PetscReal LargestResidual(const Balance *balance)
{
  RowsLanes most = {0.0};

  for (PetscInt i = 0; i < RowsWhole(balance->m); i += ROWS_LANES) most = RowsMax(most, RowsAbs(RowsLoad(balance->residual + i)));
  return RowsLargest(most);
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
    PetscReal merit;

    Evaluate(balance, state, rate_factor);
    FindResidual(balance, level, response);
    state->iterations++;
    if (IsAccepted(balance, response, row_norm)) PetscFunctionReturn(PETSC_SUCCESS);
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
  JointForce        result = {balance->block_force, balance->block_stiffness, balance->block_damping, balance->block_loss};
  const PetscInt    n      = block->block.num_points;

  PetscFunctionBeginHot;
  Gather(block, balance->motion, balance->block_motion);
  if (block->block.law->traits & JOINT_VISCOUS) Gather(block, balance->rate, balance->block_rate);
  for (PetscInt i = 0; i < n; i++) balance->block_dissipated[i] = 0.0;
  block->block.law->evaluate(&block->block, history, &motion, &result);
  PetscCall(block->block.law->commit(&block->block, history, &motion, &result, balance->block_dissipated));
  for (PetscInt i = 0; i < n; i++) dissipated[block->rows[i]] += balance->block_dissipated[i];
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
    const JointForce   result = {.force = balance->force + row, .loss = balance->loss + row};

    if (!block->block.law->commit) continue;
    if (row < 0) PetscCall(CommitGathered(balance, block, &state->history[b], state->dissipated));
    else PetscCall(block->block.law->commit(&block->block, &state->history[b], &motion, &result, state->dissipated + row));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceCommit(Balance *balance, State *state)
{
  const PetscInt   m         = RowsWhole(balance->m);
  const PetscReal *old_force = balance->old_force, *force = balance->force;
  const PetscReal *motion = balance->motion, *remainder = balance->remainder;
  RowsLanes        absorbed = {0.0};

  PetscFunctionBeginHot;
  PetscCall(CommitHistories(balance, state));
  for (PetscInt i = 0; i < m; i += ROWS_LANES) {
    const RowsLanes new_motion = RowsLoad(motion + i), new_remainder = RowsLoad(remainder + i);

    absorbed += (RowsLoad(old_force + i) + RowsLoad(force + i)) * (new_motion - RowsLoad(state->motion + i));
    RowsStore(state->trend + i, new_remainder - RowsLoad(state->remainder + i));
    RowsStore(state->remainder + i, new_remainder);
    RowsStore(state->motion + i, new_motion);
  }
  for (PetscInt i = 0; balance->viscous && i < m; i++) state->rate[i] = balance->rate[i];
  state->absorbed += 0.5 * RowsSum(absorbed);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceStart(Balance *balance, const PetscReal motion[], const PetscReal rate[], State *state)
{
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(balance->motion, motion, balance->m));
  PetscCall(PetscArraycpy(balance->rate, rate, balance->m));
  Evaluate(balance, state, 0.0);
  StuckForces(balance, balance->motion, balance->stuck);
  for (PetscInt i = 0; i < balance->m; i++) {
    balance->remainder[i] = balance->force[i] - balance->stuck[i];
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
  const PetscInt   m        = balance->m;
  const PetscReal *stuck_by = balance->stiffness + row * m;
  PetscReal        force    = 0.0;

  if (balance->diagonal) return balance->stiffness[row] * state->motion[row];
  for (PetscInt j = 0; j < m; j++) force += stuck_by[j] * state->motion[j];
  return force;
}
