/* turning.c - the turning points of one scalar path, in arrays that double when full. */
#include "turning.h"

enum { FIRST_CAPACITY = 64 };

PetscErrorCode TurningPointsCreate(TurningPoints *turning)
{
  PetscFunctionBegin;
  *turning = (TurningPoints){.capacity = FIRST_CAPACITY};
  PetscCall(PetscMalloc2(FIRST_CAPACITY, &turning->motion, FIRST_CAPACITY, &turning->force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TurningPointsDestroy(TurningPoints *turning)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(turning->motion, turning->force));
  *turning = (TurningPoints){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TurningPointsReserve(TurningPoints *turning, PetscInt capacity)
{
  TurningPoints larger = {.count = turning->count, .capacity = PetscMax(turning->capacity, FIRST_CAPACITY)};

  PetscFunctionBegin;
  if (capacity <= turning->capacity) PetscFunctionReturn(PETSC_SUCCESS);
  while (larger.capacity < capacity) {
    PetscCheck(larger.capacity <= PETSC_MAX_INT / 2, PETSC_COMM_SELF, PETSC_ERR_MEM, "a joint cannot remember %" PetscInt_FMT " turning points",
               capacity);
    larger.capacity *= 2;
  }
  PetscCall(PetscMalloc2(larger.capacity, &larger.motion, larger.capacity, &larger.force));
  PetscCall(PetscArraycpy(larger.motion, turning->motion, turning->count));
  PetscCall(PetscArraycpy(larger.force, turning->force, turning->count));
  PetscCall(TurningPointsDestroy(turning));
  *turning = larger;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TurningPointsCopy(const TurningPoints *from, TurningPoints *to)
{
  PetscFunctionBegin;
  to->count = 0;
  PetscCall(TurningPointsReserve(to, from->count));
  PetscCall(PetscArraycpy(to->motion, from->motion, from->count));
  PetscCall(PetscArraycpy(to->force, from->force, from->count));
  to->count = from->count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TurningPointsPush(TurningPoints *turning, PetscReal motion, PetscReal force)
{
  PetscFunctionBegin;
  PetscCall(TurningPointsReserve(turning, turning->count + 1));
  turning->motion[turning->count] = motion;
  turning->force[turning->count]  = force;
  turning->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
