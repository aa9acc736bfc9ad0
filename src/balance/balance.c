/* balance.c - Newton for the motions of the joints in one step. */
#include "balance.h"
#include <float.h>
#include "force_balance.h"
#include "balance/grips.h"
#include "jacobian.h"

/* Newton on the motions factors a matrix of all rows when its iteration does not contract: up to 64 that takes some 10 us, no longer than
   the searches and sets of rows which spare it. */
enum { MAX_HALVINGS = 8, MOST_BY_MOTIONS = 64 };

/* Others are solved for with the factors of an earlier iteration, in five or six products: a step of 1791 rows took 12.4 ms where up to 1000 were
   factored in each iteration, 6.8 ms with 300, 7.0 with none. */
enum { MOST_FACTORED = 250 };

/* Points between faces of a mesh press each other through it: what one of them carries may be round-off of what its neighbours do, which only
   forces tell. */
static PetscBool HasFaces(const System *system)
{
  for (PetscInt b = 0; b < system->num_blocks; b++)
    if (system->blocks[b].area) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscErrorCode BalanceIsByForces(const System *system, PetscInt m, PetscBool *by_forces)
{
  TangentPattern pattern;

  PetscFunctionBegin;
  PetscCall(TangentPatternCreate(system, m, PETSC_FALSE, &pattern));
  *by_forces = (PetscBool)(pattern.width > 1 && (m > MOST_BY_MOTIONS || HasFaces(system)));
  PetscCall(TangentPatternDestroy(&pattern));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces of joints about a preload are differences from it: they have the round-off of both. */
static void FindRounded(const System *system, PetscReal rounded[])
{
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    const SystemBlock *const block = &system->blocks[b];

    for (PetscInt c = 0; block->rest && c < SystemBlockComponents(block); c++)
      for (PetscInt t = block->first[c]; t < block->first[c + 1]; t++)
        rounded[block->row[t]] += 8.0 * PETSC_MACHINE_EPSILON * PetscAbsReal(block->factor[t] * block->rest[c]);
  }
}

PetscErrorCode BalanceCreate(const System *system, PetscInt m, PetscReal tolerance, PetscInt max_iterations, PetscBool by_products, Balance **balance)
{
  PetscBool by_forces;
  Balance  *b;

  PetscFunctionBegin;
  PetscCall(PetscNew(balance));
  b                 = *balance;
  b->m              = m;
  b->tolerance      = tolerance;
  b->max_iterations = max_iterations;
  b->most_factored  = MOST_FACTORED;
  b->left           = 0.1;
  PetscCall(JointForcesCreate(system, m, PETSC_FALSE, &b->joints));
  PetscCall(PetscCalloc7(m, &b->remainder, m, &b->residual, m, &b->correction, m, &b->start, m, &b->old_force, m, &b->stuck, m, &b->steepness));
  PetscCall(PetscCalloc3(m, &b->change, m, &b->product, m, &b->rounded));
  FindRounded(system, b->rounded);
  PetscCheck(!by_products || b->joints.diagonal, PETSC_COMM_SELF, PETSC_ERR_SUP, "products are of joints that act on one row each");
  if (by_products) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(BalanceIsByForces(system, m, &by_forces));
  PetscCall(BalanceUseForces(b, by_forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GatherRows(Balance *balance)
{
  const System *const system = balance->joints.system;

  PetscFunctionBegin;
  PetscCall(JointForcesDestroy(&balance->joints));
  PetscCall(JointForcesCreate(system, balance->m, PETSC_TRUE, &balance->joints));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Only one of the two has room, as the matrices of many points are large. */
PetscErrorCode BalanceUseForces(Balance *balance, PetscBool by_forces)
{
  const PetscInt m = balance->m;

  PetscFunctionBegin;
  PetscCheck(!by_forces || !balance->joints.diagonal, PETSC_COMM_SELF, PETSC_ERR_SUP, "laws of one row each are balanced by their motions");
  if (by_forces && !balance->joints.by_points) PetscCall(GatherRows(balance));
  PetscCall(PetscFree2(balance->jacobian, balance->pivots));
  PetscCall(ForceBalanceDestroy(&balance->forces));
  if (by_forces) PetscCall(ForceBalanceCreate(&balance->joints, &balance->forces));
  else PetscCall(PetscCalloc2(m * m, &balance->jacobian, m, &balance->pivots));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void BalanceSolveExactly(Balance *balance)
{
  balance->most_factored = 4 * MOST_FACTORED;
  balance->left          = 1e-4;
}

PetscErrorCode BalanceDestroy(Balance **balance)
{
  Balance *b = *balance;

  PetscFunctionBegin;
  if (!b) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree7(b->remainder, b->residual, b->correction, b->start, b->old_force, b->stuck, b->steepness));
  PetscCall(PetscFree3(b->change, b->product, b->rounded));
  PetscCall(PetscFree2(b->jacobian, b->pivots));
  PetscCall(ForceBalanceDestroy(&b->forces));
  PetscCall(JointForcesDestroy(&b->joints));
  PetscCall(PetscFree(*balance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of many joints. Inlined it would slow down steps of few. */
static __attribute__((noinline)) void MoveByProducts(const InfluenceProducts *products, const PetscReal force[], PetscReal motion[])
{
  PetscCallAbort(PETSC_COMM_SELF, products->move(products->data, force, motion));
}

/* H times forces. */
static inline void TimesInfluence(const Balance *balance, const BalanceProblem *problem, const PetscReal *restrict force, PetscReal *restrict motion)
{
  if (PetscUnlikely(problem->influence->products)) MoveByProducts(problem->influence->products, force, motion);
  else BalanceInfluence(problem->influence->compliance.slice, balance->m, force, motion);
}

/* k d: what the joints would carry if they stuck. */
static void StuckForces(const Balance *balance, const PetscReal motion[], PetscReal *restrict force)
{
  const PetscInt m                          = RowsWhole(balance->m);
  const PetscReal *const restrict stiffness = balance->joints.stiffness;

  if (balance->joints.diagonal)
#pragma omp simd
    for (PetscInt i = 0; i < m; i++) force[i] = stiffness[i] * motion[i];
  else if (balance->joints.by_points) TangentPatternTimes(&balance->joints.pattern, stiffness, motion, force);
  else RowsTimes(m, m, stiffness, motion, force);
}

/* How much force an error of its motion makes in a row, at most: the larger of the stuck and the present tangent. */
static void FindSteepness(const Balance *balance, PetscReal *restrict steepness)
{
  const PetscInt m                        = RowsWhole(balance->m);
  const PetscReal *const restrict tangent = balance->joints.tangent, *const restrict stiffness = balance->joints.stiffness;

  if (balance->joints.diagonal)
#pragma omp simd
    for (PetscInt i = 0; i < m; i++) steepness[i] = PetscMax(stiffness[i], PetscAbsReal(tangent[i]));
  else {
    const PetscInt width = balance->joints.by_points ? balance->joints.pattern.width : m;

    for (PetscInt i = 0; i < m; i++) {
      steepness[i] = 0.0;
      for (PetscInt j = i * width; j < (i + 1) * width; j++) steepness[i] = PetscMax(steepness[i], PetscMax(stiffness[j], PetscAbsReal(tangent[j])));
    }
  }
}

/* The imbalance of every row in balance->residual. */
static void FindResidual(Balance *balance, const BalanceProblem *problem)
{
  const PetscInt m                      = RowsWhole(balance->m);
  const PetscReal *const restrict force = balance->joints.force, *const restrict stuck = balance->stuck,
                                  *const restrict motion = balance->joints.motion;
  const PetscReal *const restrict linear                 = problem->motion;
  PetscReal *const restrict remainder = balance->remainder, *const restrict residual = balance->residual;

  StuckForces(balance, balance->joints.motion, balance->stuck);
#pragma omp simd
  for (PetscInt i = 0; i < m; i++) remainder[i] = force[i] - stuck[i];
  TimesInfluence(balance, problem, remainder, residual);
#pragma omp simd
  for (PetscInt i = 0; i < m; i++) residual[i] += motion[i] - linear[i];
}

/* Whether the imbalance of every row is as small as is asked; not-a-number is not. */
static PetscBool IsAccepted(Balance *balance, const BalanceProblem *problem)
{
  const PetscInt   m         = RowsWhole(balance->m);
  const PetscReal  tolerance = balance->tolerance, roundoff = 4.0 * PETSC_MACHINE_EPSILON * problem->size;
  const PetscReal *force = balance->joints.force, *old_force = balance->old_force, *residual = balance->residual;
  const PetscReal *motion = balance->joints.motion, *linear = problem->motion;
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

    fits &= steep * RowsAbs(RowsLoad(residual + i)) <=
            tolerance * size + RowsRounded(steep * roundoff * RowsLoad(problem->row_norm + i)) + RowsLoad(balance->rounded + i) + DBL_MIN;
  }
  return RowsAll(fits);
}

/* (tangent - stiffness) times a change of motion */
static void ChangeRemainder(const Balance *balance, const PetscReal *restrict change, PetscReal *restrict remainder)
{
  const PetscInt m                        = RowsWhole(balance->m);
  const PetscReal *const restrict tangent = balance->joints.tangent, *const restrict stiffness = balance->joints.stiffness;

  if (balance->joints.diagonal)
#pragma omp simd
    for (PetscInt i = 0; i < m; i++) remainder[i] = (tangent[i] - stiffness[i]) * change[i];
  else if (balance->joints.by_points) TangentPatternChange(&balance->joints.pattern, tangent, stiffness, change, remainder);
  for (PetscInt i = 0; !balance->joints.diagonal && !balance->joints.by_points && i < m; i++) {
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
static PetscBool IterateCorrection(Balance *balance, const BalanceProblem *problem)
{
  enum { MAX_PRODUCTS = 6 };
  PetscReal *const change = balance->change, *const product = balance->product;
  PetscReal last = PETSC_MAX_REAL, difference;

  for (PetscInt k = 0; k < MAX_PRODUCTS; k++) {
    ChangeRemainder(balance, balance->correction, change);
    TimesInfluence(balance, problem, change, product);
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

/* J x = -R by factors of the structure with the tangents of its joints. */
static PetscErrorCode SolveByProducts(Balance *balance, const InfluenceProducts *products, PetscBool *solved)
{
  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < balance->m; i++) {
    balance->change[i]  = balance->joints.tangent[i] - balance->joints.stiffness[i];
    balance->product[i] = -balance->residual[i];
  }
  PetscCall(products->solve(products->data, balance->change, balance->product, balance->correction, solved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The Newton correction of the present motion, false when there is none. */
static PetscBool FindCorrection(Balance *balance, const BalanceProblem *problem)
{
  const PetscInt m                = RowsWhole(balance->m);
  PetscReal *const restrict start = balance->start, *const restrict motion = balance->joints.motion;
  PetscBool solved;

#pragma omp simd
  for (PetscInt i = 0; i < m; i++) start[i] = motion[i];
  StartCorrection(balance);
  if (IterateCorrection(balance, problem)) return PETSC_TRUE;
  if (problem->influence->products) {
    PetscCallAbort(PETSC_COMM_SELF, SolveByProducts(balance, problem->influence->products, &solved));
    return solved;
  }
  StartCorrection(balance);
  return JacobianSolve(&balance->joints, problem->influence->compliance.slice, balance->jacobian, balance->pivots, balance->correction);
}

/* motion = start + length * correction, and the velocities that Newmark's rule ties to it. */
static void Move(Balance *balance, PetscReal length, const BalanceProblem *problem)
{
  const PetscInt m                      = RowsWhole(balance->m);
  const PetscReal *const restrict start = balance->start, *const restrict correction = balance->correction;
  PetscReal *const restrict motion = balance->joints.motion;

#pragma omp simd
  for (PetscInt i = 0; i < m; i++) motion[i] = start[i] + length * correction[i];
  for (PetscInt i = 0; balance->joints.viscous && i < m; i++)
    balance->joints.rate[i] = problem->rate[i] + problem->rate_factor * (motion[i] - problem->motion[i]);
}

/* The motion if the remainders change as much as in the step before. */
static void Guess(Balance *balance, const BalanceProblem *problem, const State *state)
{
  const PetscInt m                      = RowsWhole(balance->m);
  const PetscReal *const restrict known = state->remainder, *const restrict trend = state->trend, *const restrict stuck = balance->stuck;
  const PetscReal *const restrict linear = problem->motion;
  PetscReal *const restrict start = balance->start, *const restrict remainder = balance->remainder, *const restrict old = balance->old_force;

  StuckForces(balance, state->motion, balance->stuck);
#pragma omp simd
  for (PetscInt i = 0; i < m; i++) {
    start[i]     = linear[i];
    remainder[i] = known[i] + trend[i];
    old[i]       = known[i] + stuck[i];
  }
  TimesInfluence(balance, problem, remainder, balance->correction);
  Move(balance, -1.0, problem);
}

/* What the line search makes smaller. What is accepted changes with the tangents, in these Newton's direction always descends. */
static PetscReal LargestResidual(const Balance *balance)
{
  RowsLanes most = {0.0};

  for (PetscInt i = 0; i < RowsWhole(balance->m); i += ROWS_LANES) most = RowsMax(most, RowsAbs(RowsLoad(balance->residual + i)));
  return RowsLargest(most);
}

/* Newton on the motions of the rows. */
static PetscErrorCode SolveByMotions(Balance *balance, const BalanceProblem *problem, State *state, PetscBool *converged)
{
  PetscReal best = PETSC_MAX_REAL, length = 1.0;
  PetscInt  halvings = 0;

  PetscFunctionBeginHot;
  Guess(balance, problem, state);
  for (PetscInt iteration = 0; iteration < balance->max_iterations; iteration++) {
    PetscReal merit;

    JointForcesEvaluate(&balance->joints, state, problem->rate_factor);
    FindResidual(balance, problem);
    state->iterations++;
    if (IsAccepted(balance, problem)) PetscFunctionReturn(PETSC_SUCCESS);
    merit = LargestResidual(balance);
    if (iteration > 0 && !(merit < best) && halvings < MAX_HALVINGS) {
      length *= 0.5;
      halvings++;
    } else {
      best     = merit;
      length   = 1.0;
      halvings = 0;
      if (!FindCorrection(balance, problem)) break;
    }
    Move(balance, length, problem);
  }
  *converged = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceSolve(Balance *balance, const BalanceProblem *problem, State *state, PetscBool *converged)
{
  PetscFunctionBeginHot;
  *converged = PETSC_TRUE;
  if (balance->m == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (!balance->forces) {
    balance->joints.grip = problem->influence->give ? problem->influence : NULL;
    PetscCall(SolveByMotions(balance, problem, state, converged));
    if (*converged && balance->joints.grip) GripRelease(&balance->joints, state, problem->rate_factor);
  } else {
    PetscCall(ForceBalanceSolve(balance, problem, state, converged));
    FindSteepness(balance, balance->steepness);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal BalanceAbsorbed(const Balance *balance, const State *state)
{
  const PetscReal *old_force = balance->old_force, *force = balance->joints.force, *motion = balance->joints.motion;
  RowsLanes        absorbed = {0.0};

  for (PetscInt i = 0; i < RowsWhole(balance->m); i += ROWS_LANES)
    absorbed += (RowsLoad(old_force + i) + RowsLoad(force + i)) * (RowsLoad(motion + i) - RowsLoad(state->motion + i));
  return 0.5 * RowsSum(absorbed);
}

PetscErrorCode BalanceCommit(Balance *balance, State *state)
{
  const PetscInt   m      = RowsWhole(balance->m);
  const PetscReal *motion = balance->joints.motion, *remainder = balance->remainder;

  PetscFunctionBeginHot;
  PetscCall(JointForcesCommit(&balance->joints, state));
  for (PetscInt i = 0; i < m; i += ROWS_LANES) {
    const RowsLanes new_remainder = RowsLoad(remainder + i);

    RowsStore(state->trend + i, new_remainder - RowsLoad(state->remainder + i));
    RowsStore(state->remainder + i, new_remainder);
    RowsStore(state->motion + i, RowsLoad(motion + i));
  }
  for (PetscInt i = 0; balance->joints.viscous && i < m; i++) state->rate[i] = balance->joints.rate[i];
  if (balance->forces) ForceBalanceCommit(balance->forces, state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void BalanceEvaluate(Balance *balance, const PetscReal motion[], const PetscReal rate[], const State *state)
{
  balance->joints.grip = NULL;
  for (PetscInt i = 0; i < balance->m; i++) balance->joints.motion[i] = motion[i];
  for (PetscInt i = 0; i < balance->m; i++) balance->joints.rate[i] = rate[i];
  JointForcesEvaluate(&balance->joints, state, 0.0);
  StuckForces(balance, balance->joints.motion, balance->stuck);
  for (PetscInt i = 0; i < balance->m; i++) balance->remainder[i] = balance->joints.force[i] - balance->stuck[i];
}

void BalanceYield(const Balance *balance, const Influence *influence, State *state)
{
  if (!balance->forces || !influence->lasting) return;
  InfluenceMove(influence, state->remainder, state->yield);
  for (PetscInt i = 0; i < balance->m; i++) state->yield_trend[i] = 0.0;
}

PetscErrorCode BalanceStart(Balance *balance, const PetscReal motion[], const PetscReal rate[], State *state)
{
  PetscFunctionBegin;
  BalanceEvaluate(balance, motion, rate, state);
  PetscCall(BalanceCommit(balance, state));
  PetscCall(PetscArrayzero(state->trend, balance->m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal BalanceStuckForce(const Balance *balance, const State *state, PetscInt row)
{
  const JointForces *const joints = &balance->joints;
  const PetscInt           width  = joints->by_points ? joints->pattern.width : balance->m;
  PetscReal                force  = 0.0;

  if (joints->diagonal) return joints->stiffness[row] * state->motion[row];
  for (PetscInt j = 0; j < width; j++)
    force += joints->stiffness[row * width + j] * state->motion[joints->by_points ? joints->pattern.column[row * width + j] : j];
  return force;
}
