/* turns.c - how often joints turn back from one time step to the next, and by how much sliding changes its direction. */
#include "record/turns.h"
#include "balance.h"

enum { ENOUGH = 4, FIRST = 4096, ONE_IN = 8 }; /* steps that give three changes; all that are looked at; spans between saves, of which one is later */

PetscErrorCode TurnsCreate(const System *system, Turns *turns)
{
  PetscFunctionBegin;
  *turns = (Turns){0};
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    turns->num_components += SystemBlockComponents(&system->blocks[b]);
    turns->num_points += system->blocks[b].block.num_points;
  }
  PetscCall(PetscCalloc5(turns->num_components, &turns->motion, turns->num_components, &turns->moved[0], turns->num_components, &turns->moved[1],
                         turns->num_components, &turns->moved[2], turns->num_points, &turns->lost));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TurnsDestroy(Turns *turns)
{
  PetscFunctionBegin;
  PetscCall(PetscFree5(turns->motion, turns->moved[0], turns->moved[1], turns->moved[2], turns->lost));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motions now, and by what the last step changed them. */
static void Move(const System *system, const State *state, Turns *turns)
{
  PetscReal *const last = turns->moved[2];

  turns->moved[2] = turns->moved[1];
  turns->moved[1] = turns->moved[0];
  turns->moved[0] = last;
  for (PetscInt c = 0; c < turns->num_components; c++) last[c] = turns->motion[c];
  for (PetscInt b = 0, first = 0; b < system->num_blocks; first += SystemBlockComponents(&system->blocks[b++]))
    SystemBlockMotion(&system->blocks[b], state->motion, turns->motion + first);
  for (PetscInt c = 0; c < turns->num_components; c++) last[c] = turns->motion[c] - last[c];
}

/* What the law of each point has lost so far: parts of contacts by themselves, others with all that acts on their row. */
static PetscReal LostBy(const System *system, const State *state, const SystemBlock *block, PetscInt part, PetscInt i)
{
  return block->block.law->inspect && system->names.num_parts ? state->parts_dissipated[part + i] : state->dissipated[SystemBlockRow(block, i)];
}

/* Of a point: products of two steps' motions, along each other and across. Contacts slide in all directions but the first, which is normal. */
static void Compare(const SystemBlock *block, PetscInt i, const PetscReal last[], const PetscReal before[], PetscReal *along, PetscReal *across)
{
  const PetscInt n = block->block.num_points, dim = block->block.law->dim, first = block->block.law->inspect && dim > 1;
  PetscReal      squares = 0.0, others = 0.0;

  *along = 0.0;
  for (PetscInt c = first; c < dim; c++) {
    *along += last[c * n + i] * before[c * n + i];
    squares += PetscSqr(last[c * n + i]);
    others += PetscSqr(before[c * n + i]);
  }
  *across = dim - first > 1 ? PetscSqrtReal(PetscMax(squares * others - *along * *along, 0.0)) : 0.0; /* but for round-off */
}

/* What is seen of this step stands for so many; 0: it is not looked at. */
static PetscReal WeightOf(PetscInt step)
{
  if (step % BALANCE_MEMORY == 0) return 0.0;
  if (step < FIRST) return 1.0;
  return step / BALANCE_MEMORY % ONE_IN ? 0.0 : (PetscReal)ONE_IN;
}

PetscInt TurnsNext(PetscInt step)
{
  do step++;
  while (WeightOf(step) == 0.0);
  return step;
}

static void Judge(const SystemBlock *block, PetscInt i, PetscInt first, PetscReal lost, Turns *turns)
{
  PetscReal along, across, earlier, unused;

  Compare(block, i, turns->moved[0] + first, turns->moved[1] + first, &along, &across);
  Compare(block, i, turns->moved[1] + first, turns->moved[2] + first, &earlier, &unused);
  turns->sums[TURNS_LOST] += lost;
  if (along < 0.0 && earlier < 0.0) turns->sums[TURNS_BACK] += lost;
  if (along > 0.0) turns->sums[TURNS_ANGLE] += lost * PetscAtan2Real(across, along);
}

void TurnsLook(const System *system, const State *state, Turns *turns)
{
  const PetscInt  phase  = state->step % BALANCE_MEMORY;
  const PetscReal weight = WeightOf(state->step);

  if (weight == 0.0) return;
  Move(system, state, turns);
  if (phase < ENOUGH - 1) return;
  for (PetscInt b = 0, first = 0, point = 0, part = 0; b < system->num_blocks; b++) {
    const SystemBlock *block = &system->blocks[b];

    for (PetscInt i = 0; i < block->block.num_points; i++) {
      const PetscReal lost = LostBy(system, state, block, part, i);

      if (phase >= ENOUGH && lost > turns->lost[point + i]) Judge(block, i, first, weight * (lost - turns->lost[point + i]), turns);
      turns->lost[point + i] = lost;
    }
    first += SystemBlockComponents(block);
    point += block->block.num_points;
    if (block->block.law->inspect) part += block->block.num_points;
  }
}

PetscReal TurnsBack(const Turns *turns)
{
  return turns->sums[TURNS_LOST] > 0.0 ? turns->sums[TURNS_BACK] / turns->sums[TURNS_LOST] : 0.0;
}

PetscReal TurnsAngle(const Turns *turns)
{
  return turns->sums[TURNS_LOST] > 0.0 ? turns->sums[TURNS_ANGLE] / turns->sums[TURNS_LOST] : 0.0;
}

/* Laws of friction in two directions take a step as straight: where it is long against the stretch at which they slip, friction at its end has the
   direction of its middle, by half of the angle that it turns in a step too late. Measured on a block that is dragged around in a circle and along
   ellipses: with more than 0.2 rad, energies err by 0.1 to 0.4 of the angle, in shorter steps with their square; at rest by 0.1 to 0.2. */
void TurnsWarnOfAngle(const char *what, const char *name, PetscReal angle, const char *when, const char *remedy)
{
  const PetscReal allowed = 0.2;

  if (angle > allowed)
    LogWarn("%s %s: the direction of sliding turns by %.2g rad %s, and friction follows it by up to half of that too late: what joints dissipate is "
            "likely %.1g to %.1g %% too small; %s",
            what, name, angle, when, 8.0 * angle, 50.0 * angle, remedy);
}
