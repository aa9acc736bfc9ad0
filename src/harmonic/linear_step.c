/* linear_step.c - a law taken step by step, and its steps linearised. */
#include "linear_step.h"
#include "period_kinds.h"

enum { ALL = -1 }; /* states that are not known to be used, together */

static void CountInputs(LinearStep *step)
{
  step->inputs = step->num_moved * (step->viscous ? 2 : 1) + step->num_used;
  step->chunk  = -1;
}

PetscErrorCode LinearStepCreate(const SystemBlock *block, LinearStep *step)
{
  const JointLaw *const law     = block->block.law;
  const PetscBool       viscous = (PetscBool)((law->traits & JOINT_VISCOUS) != 0);
  const PetscInt        dim = law->dim, states = law->num_states, motions = dim * (viscous ? 2 : 1), most = (motions + states) * LINEAR_CHUNK;

  PetscFunctionBegin;
  *step = (LinearStep){.of = block, .point = block->block, .dim = dim, .num_states = states, .viscous = viscous, .width = motions + states + dim};
  step->copies           = step->point;
  step->point.num_points = 1;
  step->history          = (JointHistory){.num_points = 1, .num_states = states};
  step->before = step->change = (JointHistory){.num_states = states};
  PetscCall(PetscMalloc2(law->num_local, &step->point.local, most * law->num_local, &step->copies.local));
  PetscCall(PetscCalloc4(dim, &step->moved, states, &step->used, states, &step->is_used, dim, &step->force));
  PetscCall(PetscCalloc3(states, &step->history.states, states * most, &step->before.states, states * most, &step->change.states));
  PetscCall(PetscCalloc3(motions * most, &step->at, motions * most, &step->by, dim * most, &step->answer));
  for (PetscInt c = 0; c < dim; c++)
    if (PeriodMoves(block, c)) step->moved[step->num_moved++] = c;
  CountInputs(step);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearStepDestroy(LinearStep *step)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(step->point.local, step->copies.local));
  PetscCall(PetscFree4(step->moved, step->used, step->is_used, step->force));
  PetscCall(PetscFree3(step->history.states, step->before.states, step->change.states));
  PetscCall(PetscFree3(step->at, step->by, step->answer));
  PetscCall(PetscFree(step->record));
  *step = (LinearStep){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

void LinearStepBegin(LinearStep *step, PetscInt point)
{
  const JointHistory *const memory = step->of->memory;
  const PetscInt            width = step->point.law->num_local, most = (step->width - step->dim) * LINEAR_CHUNK;

  for (PetscInt l = 0; l < width; l++) step->point.local[l] = step->of->block.local[point * width + l];
  for (PetscInt i = 0; i < most; i++)
    for (PetscInt l = 0; l < width; l++) step->copies.local[i * width + l] = step->point.local[l];
  for (PetscInt s = 0; s < step->num_states; s++) step->history.states[s] = memory ? memory->states[s * memory->num_points + point] : 0.0;
  step->num_steps = 0;
  step->chunk     = -1;
}

/* Where number `w` of a step is recorded. */
static PetscReal *PlaceOf(const LinearStep *step, PetscInt i, PetscInt w)
{
  return step->record + (i / LINEAR_CHUNK * step->width + w) * LINEAR_CHUNK + i % LINEAR_CHUNK;
}

PetscReal LinearStepForce(const LinearStep *step, PetscInt i, PetscInt component)
{
  return *PlaceOf(step, i, step->width - step->dim + component);
}

PetscReal LinearStepMemory(const LinearStep *step, PetscInt i, PetscInt state)
{
  return i < step->num_steps ? *PlaceOf(step, i, step->width - step->dim - step->num_states + state) : step->history.states[state];
}

static PetscErrorCode Reserve(LinearStep *step)
{
  PetscFunctionBeginHot;
  if (step->num_steps < step->capacity * LINEAR_CHUNK) PetscFunctionReturn(PETSC_SUCCESS);
  step->capacity = 2 * step->capacity + 16;
  PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)(step->capacity * step->width * LINEAR_CHUNK), &step->record));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Notes numbers from place `at` of the last step on, and gives the place behind them. */
static PetscReal *Note(PetscReal *at, PetscInt count, const PetscReal values[])
{
  for (PetscInt i = 0; i < count; i++, at += LINEAR_CHUNK) *at = values[i];
  return at;
}

PetscErrorCode LinearStepTake(LinearStep *step, const PetscReal motion[], const PetscReal velocity[])
{
  const JointLaw *const law  = step->point.law;
  const JointMotion     at   = {motion, step->viscous ? velocity : NULL};
  PetscReal             loss = 0.0, dissipated = 0.0, *record;
  JointForce            result = {step->force, NULL, NULL, &loss};

  PetscFunctionBeginHot;
  PetscCall(Reserve(step));
  record = Note(PlaceOf(step, step->num_steps++, 0), step->dim, motion);
  if (step->viscous) record = Note(record, step->dim, velocity);
  record = Note(record, step->num_states, step->history.states);
  law->evaluate(&step->point, &step->history, &at, &result);
  if (law->commit) PetscCall(law->commit(&step->point, &step->history, &at, &result, &dissipated));
  Note(record, step->dim, step->force);
  step->chunk = -1; /* it may be the one that has grown */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The steps of a chunk, as they were recorded, in a number of copies; nothing changes yet. */
static PetscErrorCode Spread(LinearStep *step, PetscInt chunk, PetscInt copies)
{
  const PetscInt motions = step->width - step->dim - step->num_states, count = PetscMin(LINEAR_CHUNK, step->num_steps - chunk * LINEAR_CHUNK),
                 n = copies * count;

  PetscFunctionBeginHot;
  step->count             = count;
  step->copies.num_points = step->before.num_points = step->change.num_points = n;
  for (PetscInt w = 0; w < motions + step->num_states; w++) {
    const PetscReal *const from = step->record + (chunk * step->width + w) * LINEAR_CHUNK;
    PetscReal *const       to   = w < motions ? step->at + w * n : step->before.states + (w - motions) * n;

    for (PetscInt e = 0; e < copies; e++)
      for (PetscInt i = 0; i < count; i++) to[e * count + i] = from[i];
  }
  PetscCall(PetscArrayzero(step->by, motions * n));
  PetscCall(PetscArrayzero(step->change.states, step->num_states * n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void Change(PetscInt count, PetscReal amount, PetscReal to[])
{
  for (PetscInt i = 0; i < count; i++) to[i] = amount;
}

static PetscErrorCode Differentiate(LinearStep *step)
{
  const PetscInt    n      = step->copies.num_points;
  const JointMotion at     = {step->at, step->viscous ? step->at + step->dim * n : NULL},
                    change = {step->by, step->viscous ? step->by + step->dim * n : NULL};

  PetscFunctionBeginHot;
  PetscCall(step->copies.law->differentiate(&step->copies, &step->before, &at, &change, &step->change, step->answer));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Unit changes of all inputs. */
static PetscErrorCode Linearise(LinearStep *step, PetscInt chunk)
{
  PetscInt e = 0, n;

  PetscFunctionBeginHot;
  PetscCall(Spread(step, chunk, step->inputs));
  n = step->copies.num_points;
  for (PetscInt v = 0; v < (step->viscous ? 2 : 1); v++)
    for (PetscInt c = 0; c < step->num_moved; c++, e++) Change(step->count, 1.0, step->by + (v * step->dim + step->moved[c]) * n + e * step->count);
  for (PetscInt s = 0; s < step->num_used; s++, e++) Change(step->count, 1.0, step->change.states + step->used[s] * n + e * step->count);
  PetscCall(Differentiate(step));
  step->chunk = chunk;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The answers of a force, and behind them of memory, to all inputs. */
static const PetscReal *Answer(const LinearStep *step, PetscInt row)
{
  const PetscInt n = step->copies.num_points;

  return row < step->num_moved ? step->answer + step->moved[row] * n : step->change.states + step->used[row - step->num_moved] * n;
}

PetscErrorCode LinearStepRows(LinearStep *step, PetscInt i, PetscInt from, PetscInt to, PetscReal rows[])
{
  const PetscInt inputs = step->inputs;

  PetscFunctionBeginHot;
  if (i / LINEAR_CHUNK != step->chunk) PetscCall(Linearise(step, i / LINEAR_CHUNK));
  for (PetscInt row = from; row < to; row++) {
    const PetscReal *const answer = Answer(step, row) + i % LINEAR_CHUNK;

    for (PetscInt e = 0; e < inputs; e++) rows[(row - from) * inputs + e] = answer[e * step->count];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether anything that matters answers a change of one state, or of all that are not known to be used: by amounts without a common measure, so that
   nothing cancels. */
static PetscErrorCode Answers(LinearStep *step, PetscInt chunk, PetscInt state, PetscBool *answers)
{
  PetscFunctionBeginHot;
  step->chunk = -1;
  *answers    = PETSC_FALSE;
  PetscCall(Spread(step, chunk, 1));
  for (PetscInt s = 0; s < step->num_states; s++)
    if (s == state || (state == ALL && !step->is_used[s]))
      Change(step->count, PetscSqrtReal(2.0 + (PetscReal)s), step->change.states + s * step->count);
  PetscCall(Differentiate(step));
  for (PetscInt row = 0; row < step->num_moved + step->num_used && !*answers; row++) {
    const PetscReal *const answer = Answer(step, row);

    for (PetscInt i = 0; i < step->count; i++) *answers = (PetscBool)(*answers || answer[i] != 0.0);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode LearnIn(LinearStep *step, PetscInt chunk, PetscBool *known)
{
  PetscBool answers = PETSC_TRUE;
  PetscInt  before  = -1;

  PetscFunctionBeginHot;
  while (step->num_used < step->num_states && before < step->num_used) {
    before = step->num_used;
    PetscCall(Answers(step, chunk, ALL, &answers));
    if (!answers) break;
    *known = PETSC_FALSE;
    for (PetscInt s = 0; s < step->num_states; s++) {
      if (step->is_used[s]) continue;
      PetscCall(Answers(step, chunk, s, &answers));
      if (!answers) continue;
      step->is_used[s]             = PETSC_TRUE;
      step->used[step->num_used++] = s;
    }
    CountInputs(step);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearStepLearn(LinearStep *step, PetscInt first, PetscBool *known)
{
  PetscFunctionBeginHot;
  *known = PETSC_TRUE;
  for (PetscInt chunk = first / LINEAR_CHUNK; chunk * LINEAR_CHUNK < step->num_steps; chunk++) PetscCall(LearnIn(step, chunk, known));
  PetscFunctionReturn(PETSC_SUCCESS);
}
