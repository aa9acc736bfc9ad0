/* newton_lanes.c - Newton for the motions of the joints, of a structure in each lane: what balance.c does, in the same order of operations. */
#include "balance/lanes.h"
#include <float.h>
#include "jacobian.h"

enum { MAX_HALVINGS = 8, MAX_PRODUCTS = 6, SMALL_INFLUENCE = 16 };

/* RowsTimesOne in each lane. */
static inline Wide RowTimes(const BalanceLanes *lanes, PetscInt row, const Wide *force, PetscBool shared)
{
  Wide sums[ROWS_LANES] = {{0.0}};

  for (PetscInt j = 0; j < lanes->m; j += ROWS_LANES)
    for (PetscInt l = 0; l < ROWS_LANES; l++) sums[l] += WideAt(lanes->influence, row * lanes->m + j + l, shared) * force[j + l];
  return WideRowsSum(sums);
}

/* RowsCombineByLanes in each lane. */
static inline Wide ColumnTimes(const BalanceLanes *lanes, PetscInt column, const Wide *force, PetscBool shared)
{
  Wide even = {0.0}, odd = {0.0};

  for (PetscInt i = 0; i < lanes->m; i += 2) {
    even += force[i] * WideAt(lanes->influence, i * lanes->m + column, shared);
    odd += force[i + 1] * WideAt(lanes->influence, (i + 1) * lanes->m + column, shared);
  }
  return even + odd;
}

/* BalanceInfluence in each lane: of a small H by columns, of others by rows. */
static inline void Times(const BalanceLanes *lanes, const Wide *restrict force, Wide *restrict motion, PetscBool shared)
{
  if (lanes->m <= SMALL_INFLUENCE)
    for (PetscInt j = 0; j < lanes->m; j++) motion[j] = ColumnTimes(lanes, j, force, shared);
  else
    for (PetscInt i = 0; i < lanes->m; i++) motion[i] = RowTimes(lanes, i, force, shared);
}

static inline void TimesInfluence(const BalanceLanes *lanes, const Wide *force, Wide *motion)
{
  if (lanes->shared) Times(lanes, force, motion, PETSC_TRUE);
  else Times(lanes, force, motion, PETSC_FALSE);
}

static void Gather(const BalanceLanes *lanes, const BalanceLaneBlock *block)
{
  for (PetscInt i = 0; i < block->laws.num_points; i++) block->motion[i] = lanes->motion[block->row[i]];
}

static void Scatter(BalanceLanes *lanes, const BalanceLaneBlock *block)
{
  for (PetscInt i = 0; i < block->laws.num_points; i++) {
    lanes->force[block->row[i]] += block->force[i];
    lanes->tangent[block->row[i]] += block->tangent[i];
  }
}

static void Evaluate(BalanceLanes *lanes)
{
  for (PetscInt i = 0; i < lanes->m && !lanes->in_place; i++) lanes->force[i] = lanes->tangent[i] = WideOf(0.0);
  for (PetscInt b = 0; b < lanes->num_blocks; b++) {
    const BalanceLaneBlock *const block = &lanes->blocks[b];

    if (block->row) Gather(lanes, block);
    JointLanesEvaluate(&block->laws, block->motion, block->force, block->tangent, block->loss);
    if (block->row) Scatter(lanes, block);
  }
}

static void FindResidual(BalanceLanes *lanes)
{
  for (PetscInt i = 0; i < lanes->m; i++) {
    lanes->stuck[i]     = WideRounded(lanes->stiffness[i] * lanes->motion[i]);
    lanes->remainder[i] = lanes->force[i] - lanes->stuck[i];
  }
  TimesInfluence(lanes, lanes->remainder, lanes->residual);
  for (PetscInt i = 0; i < lanes->m; i++) lanes->residual[i] += lanes->motion[i] - lanes->linear[i];
}

/* IsAccepted of each lane. */
static WideMask FindAccepted(const BalanceLanes *lanes)
{
  const Wide one = WideOf(1.0), roundoff = 4.0 * PETSC_MACHINE_EPSILON * lanes->size;
  WideMask   fits = ~(WideMask){0};

  for (PetscInt i = 0; i < lanes->m; i++) {
    const Wide     steepness = WideMax(lanes->stiffness[i], WideAbs(lanes->tangent[i]));
    const WideMask open      = steepness == 0.0;
    const Wide     forces    = WideAbs(lanes->force[i]) + WideAbs(lanes->old_force[i]);
    const Wide     motions   = WideAbs(lanes->motion[i]) + WideAbs(lanes->linear[i]);
    const Wide     steep = WideSelect(open, one, steepness), size = WideSelect(open, motions, forces);

    fits &= steep * WideAbs(lanes->residual[i]) <=
            lanes->tolerance * size + WideRounded(steep * roundoff * lanes->row_norm[i]) + lanes->rounded[i] + DBL_MIN;
  }
  return fits;
}

static Wide LargestResidual(const BalanceLanes *lanes)
{
  Wide most = {0.0};

  for (PetscInt i = 0; i < lanes->m; i++) most = WideLarger(most, WideAbs(lanes->residual[i]));
  return most;
}

/* IterateCorrection of these lanes; those whose correction it found. */
static WideMask IterateCorrection(BalanceLanes *lanes, WideMask asked)
{
  const PetscInt m       = lanes->m;
  WideMask       pending = asked, found = {0};
  Wide           last = WideOf(PETSC_MAX_REAL);

  for (PetscInt k = 0; k < MAX_PRODUCTS && WideBits(pending); k++) {
    Wide difference = {0.0}, size = {0.0};

    for (PetscInt i = 0; i < m; i++) lanes->change[i] = (lanes->tangent[i] - lanes->stiffness[i]) * lanes->correction[i];
    TimesInfluence(lanes, lanes->change, lanes->product);
    for (PetscInt i = 0; i < m; i++) {
      const Wide next = -lanes->residual[i] - lanes->product[i];

      difference           = WideLarger(difference, WideAbs(next - lanes->correction[i]));
      size                 = WideLarger(size, WideAbs(next));
      lanes->correction[i] = WideSelect(pending, next, lanes->correction[i]);
    }
    found |= pending & (difference <= 1e-6 * size);
    pending &= ~found & (difference <= 0.1 * last);
    last = difference;
  }
  return found;
}

/* By elimination, of one lane. */
static PetscBool SolveOne(BalanceLanes *lanes, PetscInt lane)
{
  const PetscInt m       = lanes->m;
  Balance *const balance = lanes->balance[lane];

  for (PetscInt i = 0; i < m; i++) {
    balance->joints.tangent[i] = lanes->tangent[i][lane];
    balance->correction[i]     = -lanes->residual[i][lane];
  }
  if (!JacobianSolve(&balance->joints, lanes->matrix[lane], balance->jacobian, balance->pivots, balance->correction)) return PETSC_FALSE;
  for (PetscInt i = 0; i < m; i++) lanes->correction[i][lane] = balance->correction[i];
  return PETSC_TRUE;
}

/* FindCorrection of these lanes; those that have one. */
static WideMask FindCorrections(BalanceLanes *lanes, WideMask asked)
{
  WideMask found;

  for (PetscInt i = 0; i < lanes->m; i++) {
    lanes->start[i]      = WideSelect(asked, lanes->motion[i], lanes->start[i]);
    lanes->correction[i] = WideSelect(asked, -lanes->residual[i], lanes->correction[i]);
  }
  found = IterateCorrection(lanes, asked);
  for (unsigned left = WideBits(asked & ~found); left; left &= left - 1) {
    const PetscInt lane = __builtin_ctz(left);

    if (SolveOne(lanes, lane)) found[lane] = -1;
  }
  return found;
}

static void Move(BalanceLanes *lanes, WideMask moved, Wide length)
{
  for (PetscInt i = 0; i < lanes->m; i++) lanes->motion[i] = WideSelect(moved, lanes->start[i] + length * lanes->correction[i], lanes->motion[i]);
}

static void Guess(BalanceLanes *lanes)
{
  for (PetscInt i = 0; i < lanes->m; i++) {
    const Wide stuck = WideRounded(lanes->stiffness[i] * lanes->old_motion[i]);

    lanes->start[i]     = lanes->linear[i];
    lanes->remainder[i] = lanes->old_remainder[i] + lanes->trend[i];
    lanes->old_force[i] = lanes->old_remainder[i] + stuck;
  }
  TimesInfluence(lanes, lanes->remainder, lanes->correction);
  for (PetscInt i = 0; i < lanes->m; i++) lanes->motion[i] = lanes->start[i] - lanes->correction[i];
}

/* The line search of each lane. */
typedef struct {
  Wide best, length, halvings;
} Search;

/* Another try of these lanes; those that have one. */
static WideMask TryAgain(BalanceLanes *lanes, WideMask active, PetscInt iteration, Search *search)
{
  const Wide     merit = LargestResidual(lanes);
  const WideMask halved =
    active & ~(merit < search->best) & (search->halvings < (PetscReal)MAX_HALVINGS) & (iteration > 0 ? ~(WideMask){0} : (WideMask){0});
  const WideMask newton = active & ~halved;

  search->length   = WideSelect(halved, search->length * 0.5, WideOf(1.0));
  search->halvings = WideSelect(halved, search->halvings + 1.0, WideOf(0.0));
  search->best     = WideSelect(halved, search->best, merit);
  if (WideBits(newton)) active = halved | FindCorrections(lanes, newton);
  Move(lanes, active, search->length);
  return active;
}

WideMask BalanceLanesSolve(BalanceLanes *lanes, WideMask active)
{
  Search   search = {WideOf(PETSC_MAX_REAL), WideOf(1.0), WideOf(0.0)};
  WideMask found  = {0};
  Wide     count  = {0.0};

  Guess(lanes);
  for (PetscInt iteration = 0; iteration < lanes->most_iterations; iteration++) {
    WideMask accepted;

    if (iteration >= lanes->least_iterations) active &= lanes->most > (PetscReal)iteration;
    Evaluate(lanes);
    FindResidual(lanes);
    count += WideSelect(active, WideOf(1.0), WideOf(0.0));
    accepted = active & FindAccepted(lanes);
    found |= accepted;
    active &= ~accepted;
    if (!WideBits(active)) break;
    active = TryAgain(lanes, active, iteration, &search);
  }
  lanes->iterations += WideSelect(found, count, WideOf(0.0));
  return found;
}

Wide BalanceLanesAbsorbed(const BalanceLanes *lanes)
{
  Wide sums[ROWS_LANES] = {{0.0}};

  for (PetscInt i = 0; i < lanes->m; i += ROWS_LANES)
    for (PetscInt l = i; l < i + ROWS_LANES; l++) sums[l - i] += (lanes->old_force[l] + lanes->force[l]) * (lanes->motion[l] - lanes->old_motion[l]);
  return 0.5 * WideRowsSum(sums);
}

PetscErrorCode BalanceLanesCommit(BalanceLanes *lanes, WideMask moved)
{
  PetscFunctionBeginHot;
  for (PetscInt b = 0; b < lanes->num_blocks; b++) {
    BalanceLaneBlock *const block = &lanes->blocks[b];
    const PetscInt          n     = block->laws.num_points;

    for (PetscInt i = 0; block->row && i < n; i++) block->dissipated[i] = WideOf(0.0);
    PetscCall(JointLanesCommit(&block->laws, moved, block->motion, block->force, block->loss, block->dissipated));
    for (PetscInt i = 0; block->row && i < n; i++) lanes->dissipated[block->row[i]] += block->dissipated[i];
  }
  for (PetscInt i = 0; i < lanes->m; i++) {
    const Wide remainder = WideSelect(moved, lanes->remainder[i], lanes->old_remainder[i]);

    lanes->trend[i]         = WideSelect(moved, remainder - lanes->old_remainder[i], lanes->trend[i]);
    lanes->old_remainder[i] = remainder;
    lanes->old_motion[i]    = WideSelect(moved, lanes->motion[i], lanes->old_motion[i]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
