/* balance_lanes.c - Newton for the motions of the joints, of a structure in each lane: what balance.c does, in the same order of operations. */
#include "balance/lanes.h"
#include <float.h>
#include "jacobian.h"

enum { MAX_HALVINGS = 8, MAX_PRODUCTS = 6, SMALL_INFLUENCE = 16 };

PetscBool BalanceLanesSuit(const Balance *balance)
{
  const System *const system = balance->joints.system;

  for (PetscInt b = 0; b < system->num_blocks; b++)
    if (system->blocks[b].area || system->blocks[b].offset || system->blocks[b].rest) return PETSC_FALSE;
  return (PetscBool)(balance->m > 0 && balance->jacobian && !balance->forces && balance->joints.diagonal && !balance->joints.viscous);
}

static PetscBool BlocksAlike(const SystemBlock *one, const SystemBlock *other)
{
  if (!JointLanesAlike(&one->block, &other->block)) return PETSC_FALSE;
  for (PetscInt i = 0; i < one->block.num_points; i++)
    if (one->row[i] != other->row[i]) return PETSC_FALSE;
  return PETSC_TRUE;
}

PetscBool BalanceLanesAlike(const Balance *one, const Balance *other)
{
  const System *const a = one->joints.system, *const b = other->joints.system;

  if (one->m != other->m || a->num_blocks != b->num_blocks) return PETSC_FALSE;
  for (PetscInt i = 0; i < a->num_blocks; i++)
    if (!BlocksAlike(&a->blocks[i], &b->blocks[i])) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Takes the next `count` of the numbers in a room. */
static Wide *Take(Wide **next, PetscInt count)
{
  Wide *const taken = *next;

  *next += count;
  return taken;
}

/* Of blocks that do not work in place. */
static PetscInt CountGathered(const Balance *balance)
{
  PetscInt count = 0;

  for (PetscInt b = 0; b < balance->joints.system->num_blocks; b++)
    if (balance->joints.first_row[b] < 0) count += balance->joints.system->blocks[b].block.num_points;
  return count;
}

static PetscErrorCode CreateBlock(const BalanceLanes *lanes, const SystemBlock *like, PetscInt first_row, Wide **next, BalanceLaneBlock *block)
{
  const PetscInt n = like->block.num_points;

  PetscFunctionBegin;
  PetscCall(JointLanesCreate(&like->block, &block->laws));
  block->motion     = first_row < 0 ? Take(next, n) : lanes->motion + first_row;
  block->force      = first_row < 0 ? Take(next, n) : lanes->force + first_row;
  block->tangent    = first_row < 0 ? Take(next, n) : lanes->tangent + first_row;
  block->loss       = first_row < 0 ? Take(next, n) : lanes->loss + first_row;
  block->dissipated = first_row < 0 ? Take(next, n) : lanes->dissipated + first_row;
  if (first_row >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(n, &block->row));
  PetscCall(PetscArraycpy(block->row, like->row, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceLanesCreate(const Balance *like, PetscBool shared, BalanceLanes *lanes)
{
  const System *const system = like->joints.system;
  const PetscInt      m = like->m, num_gathered = CountGathered(like);
  Wide              **parts[] = {&lanes->row_norm, &lanes->rounded,    &lanes->stiffness, &lanes->old_motion, &lanes->old_remainder,
                                 &lanes->trend,    &lanes->dissipated, &lanes->linear,    &lanes->motion,     &lanes->force,
                                 &lanes->tangent,  &lanes->loss,       &lanes->remainder, &lanes->residual,   &lanes->correction,
                                 &lanes->start,    &lanes->old_force,  &lanes->stuck,     &lanes->change,     &lanes->product};
  const PetscInt      num     = sizeof(parts) / sizeof(parts[0]);
  Wide               *next    = NULL;

  PetscFunctionBegin;
  *lanes = (BalanceLanes){.m = m, .num_blocks = system->num_blocks, .shared = shared, .in_place = like->joints.in_place};
  PetscCall(WideAllocate((size_t)m * (size_t)(m + num) + 5 * (size_t)num_gathered, &lanes->room, &next));
  lanes->influence = (PetscReal *)Take(&next, m * m);
  for (PetscInt p = 0; p < num; p++) *parts[p] = Take(&next, m);
  PetscCall(WideAllocateStructs(lanes->num_blocks, &lanes->block_room, &lanes->blocks));
  for (PetscInt b = 0; b < lanes->num_blocks; b++)
    PetscCall(CreateBlock(lanes, &system->blocks[b], like->joints.first_row[b], &next, &lanes->blocks[b]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalanceLanesDestroy(BalanceLanes *lanes)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < lanes->num_blocks; b++) {
    PetscCall(JointLanesDestroy(&lanes->blocks[b].laws));
    PetscCall(PetscFree(lanes->blocks[b].row));
  }
  PetscCall(PetscFree(lanes->block_room));
  PetscCall(PetscFree(lanes->room));
  *lanes = (BalanceLanes){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void CountIterations(BalanceLanes *lanes)
{
  lanes->least_iterations = PETSC_MAX_INT;
  lanes->most_iterations  = 0;
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    if (!lanes->balance[lane]) continue;
    lanes->least_iterations = PetscMin(lanes->least_iterations, lanes->balance[lane]->max_iterations);
    lanes->most_iterations  = PetscMax(lanes->most_iterations, lanes->balance[lane]->max_iterations);
  }
}

void BalanceLanesSet(BalanceLanes *lanes, PetscInt lane, Balance *balance, const Influence *influence, const PetscReal row_norm[], const State *state)
{
  const PetscInt         m      = lanes->m;
  const PetscReal *const matrix = influence->compliance.slice;

  lanes->balance[lane]    = balance;
  lanes->matrix[lane]     = matrix;
  lanes->tolerance[lane]  = balance->tolerance;
  lanes->most[lane]       = (PetscReal)balance->max_iterations;
  lanes->iterations[lane] = 0.0;
  for (PetscInt i = 0; i < m * m; i++) WidePut(lanes->influence, i, lanes->shared, lane, matrix[i]);
  for (PetscInt i = 0; i < m; i++) {
    lanes->row_norm[i][lane]      = row_norm[i];
    lanes->rounded[i][lane]       = balance->rounded[i];
    lanes->stiffness[i][lane]     = balance->joints.stiffness[i];
    lanes->old_motion[i][lane]    = state->motion[i];
    lanes->old_remainder[i][lane] = state->remainder[i];
    lanes->trend[i][lane]         = state->trend[i];
    lanes->dissipated[i][lane]    = state->dissipated[i];
    lanes->motion[i][lane] = lanes->force[i][lane] = lanes->tangent[i][lane] = lanes->loss[i][lane] = 0.0;
  }
  for (PetscInt b = 0; b < lanes->num_blocks; b++)
    JointLanesSet(&lanes->blocks[b].laws, lane, &balance->joints.system->blocks[b].block, &state->history[b]);
  CountIterations(lanes);
}

void BalanceLanesKeepMotions(const BalanceLanes *lanes, PetscInt lane, State *state)
{
  for (PetscInt i = 0; i < lanes->m; i++) {
    state->motion[i]     = lanes->old_motion[i][lane];
    state->dissipated[i] = lanes->dissipated[i][lane];
  }
}

void BalanceLanesKeep(const BalanceLanes *lanes, PetscInt lane, State *state)
{
  BalanceLanesKeepMotions(lanes, lane, state);
  for (PetscInt i = 0; i < lanes->m; i++) {
    state->remainder[i] = lanes->old_remainder[i][lane];
    state->trend[i]     = lanes->trend[i][lane];
  }
  for (PetscInt b = 0; b < lanes->num_blocks; b++) JointLanesKeep(&lanes->blocks[b].laws, lane);
}

void BalanceLanesFree(BalanceLanes *lanes, PetscInt lane)
{
  lanes->balance[lane] = NULL;
  for (PetscInt b = 0; b < lanes->num_blocks; b++) JointLanesSet(&lanes->blocks[b].laws, lane, NULL, NULL);
  CountIterations(lanes);
}

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
