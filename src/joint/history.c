/* history.c - what a block of joints remembers: made, copied, packed into numbers and unpacked. */
#include "engine/turning.h"

/* Room is made at once for the reversals of a few dozen cycles, so that most runs allocate nothing later. */
PetscErrorCode JointHistoryCreate(const JointBlock *block, JointHistory *history)
{
  PetscFunctionBegin;
  *history = (JointHistory){.num_points = block->num_points, .num_states = block->law->num_states};
  PetscCall(PetscCalloc1(history->num_states * history->num_points, &history->states));
  if (!(block->law->traits & JOINT_MASING)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(history->num_points, &history->turning));
  for (PetscInt i = 0; i < history->num_points; i++) PetscCall(TurningPointsCreate(&history->turning[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointHistoryCopy(const JointHistory *from, JointHistory *to)
{
  PetscFunctionBegin;
  PetscAssert(from->num_points == to->num_points && from->num_states == to->num_states && !from->turning == !to->turning, PETSC_COMM_SELF,
              PETSC_ERR_ARG_INCOMP, "histories of different layouts");
  PetscCall(PetscArraycpy(to->states, from->states, from->num_states * from->num_points));
  if (!from->turning) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < from->num_points; i++) PetscCall(TurningPointsCopy(&from->turning[i], &to->turning[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointHistoryDestroy(JointHistory *history)
{
  PetscFunctionBegin;
  if (history->turning) {
    for (PetscInt i = 0; i < history->num_points; i++) PetscCall(TurningPointsDestroy(&history->turning[i]));
  }
  PetscCall(PetscFree(history->turning));
  PetscCall(PetscFree(history->states));
  *history = (JointHistory){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The states, then for each point the number of its turning points, their motions and their forces. */
PetscInt JointHistorySize(const JointHistory *history)
{
  PetscInt size = history->num_states * history->num_points;

  if (!history->turning) return size;
  for (PetscInt i = 0; i < history->num_points; i++) size += 1 + 2 * history->turning[i].count;
  return size;
}

static PetscReal *Write(PetscReal *numbers, const PetscReal *values, PetscInt count)
{
  for (PetscInt i = 0; i < count; i++) numbers[i] = values[i];
  return numbers + count;
}

void JointHistoryPack(const JointHistory *history, PetscReal numbers[])
{
  numbers = Write(numbers, history->states, history->num_states * history->num_points);
  if (!history->turning) return;
  for (PetscInt i = 0; i < history->num_points; i++) {
    const TurningPoints *turning = &history->turning[i];

    *numbers++ = (PetscReal)turning->count;
    numbers    = Write(numbers, turning->motion, turning->count);
    numbers    = Write(numbers, turning->force, turning->count);
  }
}

/* A place in the numbers to unpack; `left` are not read yet. */
typedef struct {
  const PetscReal *numbers;
  PetscInt         left;
} Reader;

static PetscErrorCode Read(Reader *reader, PetscInt count, PetscReal values[])
{
  PetscFunctionBegin;
  PetscCheck(count <= reader->left, PETSC_COMM_SELF, PETSC_ERR_FILE_UNEXPECTED, "the history of a joint ends early");
  PetscCall(PetscArraycpy(values, reader->numbers, count));
  reader->numbers += count;
  reader->left -= count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The numbers come from a file, so a count is believed only when that many numbers follow. */
static PetscErrorCode ReadTurningPoints(Reader *reader, TurningPoints *turning)
{
  PetscReal count;

  PetscFunctionBegin;
  PetscCall(Read(reader, 1, &count));
  PetscCheck(count >= 0 && 2 * count <= (PetscReal)reader->left && count == PetscFloorReal(count), PETSC_COMM_SELF, PETSC_ERR_FILE_UNEXPECTED,
             "the history of a joint claims %g turning points, %" PetscInt_FMT " numbers follow", (double)count, reader->left);
  turning->count = 0;
  PetscCall(TurningPointsReserve(turning, (PetscInt)count));
  PetscCall(Read(reader, (PetscInt)count, turning->motion));
  PetscCall(Read(reader, (PetscInt)count, turning->force));
  turning->count = (PetscInt)count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode JointHistoryUnpack(JointHistory *history, PetscInt count, const PetscReal numbers[])
{
  Reader reader = {numbers, count};

  PetscFunctionBegin;
  PetscCall(Read(&reader, history->num_states * history->num_points, history->states));
  for (PetscInt i = 0; history->turning && i < history->num_points; i++) PetscCall(ReadTurningPoints(&reader, &history->turning[i]));
  PetscCheck(reader.left == 0, PETSC_COMM_SELF, PETSC_ERR_FILE_UNEXPECTED, "the history of a joint has %" PetscInt_FMT " numbers too many",
             reader.left);
  PetscFunctionReturn(PETSC_SUCCESS);
}
