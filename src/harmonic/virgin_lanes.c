/*
  virgin_lanes.c - virgin curves side by side: few rows, laws of one component that act on one row each.

  A curve in each lane, at a q of its own. A pass evaluates what all lanes try; those that have found their equilibrium go on to the next q, and a
  curve that has ended makes place for another one. A curve alone is one in a lane while the others are idle.
*/
#include "virgin_path.h"
#include "balance/lanes.h"
#include "rows/elimination.h"

/* Elimination in lanes takes as long for one lane as for all: of more rows LAPACK's is quicker for one curve. */
enum { MOST_ROWS = 24 };

typedef struct {
  PetscInt          m, num_blocks;
  Virgin           *virgin[WIDE_LANES]; /* NULL: idle */
  WideMask          busy, fresh;        /* fresh: nothing has been tried at this q */
  BalanceLaneBlock *blocks;
  Wide             *row, *influence, *stiffness;  /* b_0 [m], H [m, m], k [m] of stuck joints */
  Wide             *last_motion, *last_change;    /* [m] the equilibrium before: d and its change by q */
  Wide             *start, *correction, *change;  /* [m] of an iteration: where from, and where to; dd/dq there */
  Wide             *motion, *g, *tangent, *left;  /* [m] what is tried, and what is left of d + H g - b_0 q */
  Wide             *matrix, *right;               /* I + H A [m, m] by columns, right sides [2, m] */
  Wide              q, length, least, iterations; /* length: of the correction that is tried; least: of what was left before */
  PetscReal        *room, *block_room;
} Lanes;

PetscBool VirginSuitsLanes(const Virgin *v)
{
  const System *const system = v->structure->system;

  for (PetscInt b = 0; b < system->num_blocks; b++)
    if (system->blocks[b].area || (system->blocks[b].block.law->traits & JOINT_VISCOUS)) return PETSC_FALSE;
  return (PetscBool)(v->m <= MOST_ROWS && JointForcesAreDiagonal(system));
}

static PetscBool Alike(const Virgin *one, const Virgin *other)
{
  return (PetscBool)(one->m == other->m && BalanceBlocksAlike(one->structure->system, other->structure->system));
}

static PetscErrorCode CreateBlock(const SystemBlock *like, Wide **next, BalanceLaneBlock *block)
{
  const PetscInt n       = like->block.num_points;
  Wide         **parts[] = {&block->motion, &block->force, &block->tangent, &block->loss};

  PetscFunctionBegin;
  PetscCall(JointLanesCreate(&like->block, &block->laws));
  PetscCall(PetscMalloc1(n, &block->row));
  PetscCall(PetscArraycpy(block->row, like->row, n));
  for (size_t p = 0; p < PETSC_STATIC_ARRAY_LENGTH(parts); p++) *parts[p] = WideTake(next, n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Create(const Virgin *like, Lanes *lanes)
{
  const System *const system     = like->structure->system;
  const PetscInt      m          = like->m;
  Wide              **parts[]    = {&lanes->row,    &lanes->stiffness, &lanes->last_motion, &lanes->last_change, &lanes->start, &lanes->correction,
                                    &lanes->change, &lanes->motion,    &lanes->g,           &lanes->tangent,     &lanes->left};
  const PetscInt      num        = PETSC_STATIC_ARRAY_LENGTH(parts);
  PetscInt            num_points = 0;
  Wide               *next;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < system->num_blocks; b++) num_points += system->blocks[b].block.num_points;
  *lanes = (Lanes){.m = m, .num_blocks = system->num_blocks};
  PetscCall(WideAllocate((size_t)(m * (2 * m + num + 2) + 4 * num_points), &lanes->room, &next));
  for (PetscInt p = 0; p < num; p++) *parts[p] = WideTake(&next, m);
  lanes->influence = WideTake(&next, m * m);
  lanes->matrix    = WideTake(&next, m * m);
  lanes->right     = WideTake(&next, 2 * m);
  PetscCall(WideAllocateStructs(lanes->num_blocks, &lanes->block_room, &lanes->blocks));
  for (PetscInt b = 0; b < lanes->num_blocks; b++) PetscCall(CreateBlock(&system->blocks[b], &next, &lanes->blocks[b]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Lanes *lanes)
{
  PetscFunctionBegin;
  PetscCall(BalanceLaneBlocksDestroy(lanes->num_blocks, lanes->blocks));
  PetscCall(PetscFree(lanes->block_room));
  PetscCall(PetscFree(lanes->room));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Stuck joints of a lane: what the remainders count from. */
static void TakeStiffness(Lanes *lanes, PetscInt lane, const System *system)
{
  for (PetscInt r = 0; r < lanes->m; r++) lanes->stiffness[r][lane] = 0.0;
  for (PetscInt b = 0; b < system->num_blocks; b++)
    for (PetscInt i = 0; i < system->blocks[b].block.num_points; i++) {
      PetscReal stuck;

      SystemBlockStiffness(&system->blocks[b], JOINT_STUCK, i, &stuck);
      lanes->stiffness[system->blocks[b].row[i]][lane] += stuck;
    }
}

/* What this lane tries first on its way to the next q; the lane is idle where its curve has ended. */
static void Aim(Lanes *lanes, PetscInt lane, PetscBool ends)
{
  Virgin *const v = lanes->virgin[lane];

  if (ends || !VirginAim(v)) {
    v->followed         = PETSC_TRUE;
    lanes->virgin[lane] = NULL;
    lanes->busy[lane] = lanes->fresh[lane] = 0;
    for (PetscInt b = 0; b < lanes->num_blocks; b++) JointLanesSet(&lanes->blocks[b].laws, lane, NULL, NULL);
    return;
  }
  lanes->busy[lane] = lanes->fresh[lane] = -1;
  lanes->q[lane]                         = v->next;
  lanes->iterations[lane]                = 0.0;
  for (PetscInt r = 0; r < lanes->m; r++) lanes->motion[r][lane] = lanes->last_motion[r][lane] + (v->next - v->at) * lanes->last_change[r][lane];
}

static void Enter(Lanes *lanes, PetscInt lane, Virgin *v)
{
  const System *const system = v->structure->system;

  lanes->virgin[lane] = v;
  for (PetscInt r = 0; r < lanes->m; r++) {
    lanes->row[r][lane] = lanes->last_change[r][lane] = v->row[r];
    lanes->last_motion[r][lane]                       = 0.0;
  }
  for (PetscInt i = 0; i < lanes->m * lanes->m; i++) lanes->influence[i][lane] = v->influence[i];
  TakeStiffness(lanes, lane, system);
  for (PetscInt b = 0; b < lanes->num_blocks; b++) JointLanesSet(&lanes->blocks[b].laws, lane, &system->blocks[b].block, &v->untouched[b]);
  Aim(lanes, lane, PETSC_FALSE);
}

/* Curves that wait enter idle lanes, as far as they are like the first. */
static void Fill(Lanes *lanes, PetscInt count, Virgin *const virgins[], PetscInt *next)
{
  for (PetscInt lane = 0; lane < WIDE_LANES; lane++) {
    if (lanes->virgin[lane]) continue;
    while (*next < count && (virgins[*next]->followed || !VirginSuitsLanes(virgins[*next]) || !Alike(virgins[0], virgins[*next]))) ++*next;
    if (*next < count) Enter(lanes, lane, virgins[(*next)++]);
  }
}

/* Forces and tangents of the joints beyond those of stuck ones. */
static void Evaluate(Lanes *lanes)
{
  for (PetscInt r = 0; r < lanes->m; r++) {
    lanes->g[r]       = -lanes->stiffness[r] * lanes->motion[r];
    lanes->tangent[r] = -lanes->stiffness[r];
  }
  for (PetscInt b = 0; b < lanes->num_blocks; b++) {
    const BalanceLaneBlock *const block = &lanes->blocks[b];

    for (PetscInt i = 0; i < block->laws.num_points; i++) block->motion[i] = lanes->motion[block->row[i]];
    JointLanesEvaluate(&block->laws, block->motion, block->force, block->tangent, block->loss);
    for (PetscInt i = 0; i < block->laws.num_points; i++) {
      lanes->g[block->row[i]] += block->force[i];
      lanes->tangent[block->row[i]] += block->tangent[i];
    }
  }
}

/* What is left of d + H g - b_0 q, and the largest of it. */
static Wide FindLeft(Lanes *lanes)
{
  Wide largest = {0.0};

  for (PetscInt r = 0; r < lanes->m; r++) {
    Wide left = lanes->motion[r] - lanes->row[r] * lanes->q;

    for (PetscInt k = 0; k < lanes->m; k++) left += lanes->influence[r * lanes->m + k] * lanes->g[k];
    largest        = WideLarger(largest, WideAbs(left));
    lanes->left[r] = left;
  }
  return largest;
}

static Wide LargestMotion(const Lanes *lanes)
{
  Wide largest = {0.0};

  for (PetscInt r = 0; r < lanes->m; r++) largest = WideMax(largest, WideAbs(lanes->motion[r]));
  return largest;
}

/* Newton's correction of these lanes, and dd/dq, from (1 + H A) x = left, b_0; those that have them. */
static WideMask FindCorrections(Lanes *lanes, WideMask asked)
{
  const PetscInt m = lanes->m;
  WideMask       regular;

  for (PetscInt c = 0; c < m; c++) {
    for (PetscInt r = 0; r < m; r++) lanes->matrix[c * m + r] = lanes->influence[r * m + c] * lanes->tangent[c];
    lanes->matrix[c * m + c] += 1.0;
    lanes->right[c]     = lanes->left[c];
    lanes->right[m + c] = lanes->row[c];
  }
  regular = asked & WideEliminate(m, 2, lanes->matrix, lanes->right);
  for (PetscInt r = 0; r < m; r++) {
    lanes->start[r]      = WideSelect(regular, lanes->motion[r], lanes->start[r]);
    lanes->correction[r] = WideSelect(regular, lanes->right[r], lanes->correction[r]);
    lanes->change[r]     = WideSelect(regular, lanes->right[m + r], lanes->change[r]);
  }
  return regular;
}

/* Newton's method in each lane, its steps halved until what is left shrinks: lanes that have found an equilibrium, and those that find none. */
static void Pass(Lanes *lanes, WideMask *found, WideMask *lost)
{
  Wide     left;
  WideMask better, halved, regular;

  Evaluate(lanes);
  left    = FindLeft(lanes);
  better  = lanes->busy & (lanes->fresh | (left < lanes->least));
  halved  = lanes->busy & ~better & (lanes->length >= VIRGIN_LEAST_LENGTH);
  *lost   = lanes->busy & ~better & ~halved;
  *found  = *lost & (left <= VIRGIN_ROUND_OFF * LargestMotion(lanes));
  regular = WideBits(better) ? FindCorrections(lanes, better) : better;
  *found |= regular & (left <= VIRGIN_CLOSE_ENOUGH * LargestMotion(lanes));
  lanes->least      = WideSelect(better, left, lanes->least);
  lanes->length     = WideSelect(better, WideOf(1.0), 0.5 * lanes->length);
  lanes->iterations = WideSelect(better, lanes->iterations + 1.0, lanes->iterations);
  *lost             = (*lost | (better & ~regular) | (better & (lanes->iterations >= (PetscReal)VIRGIN_MOST_ITERATIONS))) & ~*found;
  lanes->fresh      = (WideMask){0};
}

/* Those that go on try their correction, or a smaller part of it. */
static void Move(Lanes *lanes, WideMask moved)
{
  for (PetscInt r = 0; r < lanes->m; r++)
    lanes->motion[r] = WideSelect(moved, lanes->start[r] - lanes->length * lanes->correction[r], lanes->motion[r]);
}

/* With r = b_0^T g and its slope b_0^T A dd/dq these lanes go on from where they are. */
static PetscErrorCode Arrive(Lanes *lanes, WideMask found)
{
  Wide r = {0.0}, slope = {0.0};

  PetscFunctionBeginHot;
  for (PetscInt i = 0; i < lanes->m; i++) {
    r += lanes->row[i] * lanes->g[i];
    slope += lanes->row[i] * (lanes->tangent[i] * lanes->change[i]);
    lanes->last_motion[i] = WideSelect(found, lanes->motion[i], lanes->last_motion[i]);
    lanes->last_change[i] = WideSelect(found, lanes->change[i], lanes->last_change[i]);
  }
  for (unsigned left = WideBits(found); left; left &= left - 1) {
    const PetscInt lane = __builtin_ctz(left);

    PetscCall(
      VirginArrive(lanes->virgin[lane], r[lane], slope[lane], (PetscInt)lanes->iterations[lane], &((const PetscReal *)lanes->g)[lane], WIDE_LANES));
    Aim(lanes, lane, PETSC_FALSE);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VirginsFollowBeside(PetscInt count, Virgin *const virgins[])
{
  PetscInt next = 0;
  Lanes    lanes;
  WideMask found, lost;

  PetscFunctionBegin;
  PetscCall(Create(virgins[0], &lanes));
  for (Fill(&lanes, count, virgins, &next); WideBits(lanes.busy); Fill(&lanes, count, virgins, &next)) {
    Pass(&lanes, &found, &lost);
    Move(&lanes, lanes.busy & ~found & ~lost);
    if (WideBits(found)) PetscCall(Arrive(&lanes, found));
    for (unsigned left = WideBits(lost); left; left &= left - 1) {
      const PetscInt lane = __builtin_ctz(left);

      Aim(&lanes, lane, (PetscBool)!VirginDivide(lanes.virgin[lane]));
    }
  }
  PetscCall(Destroy(&lanes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
