/* loop_memory.c - what the beginning of a record tells about the motion of the joint before it. */
#include "loop_memory.h"

#define NEAR 0.02 /* of the range: closer values count as equal, since measured records are not more accurate */

typedef struct {
  PetscReal least, most, largest;
} Extent;

static Extent ExtentOf(PetscInt count, const PetscReal values[])
{
  Extent extent = {PETSC_INFINITY, PETSC_NINFINITY, 0};

  for (PetscInt i = 0; i < count; i++) {
    extent.least = PetscMin(extent.least, values[i]);
    extent.most  = PetscMax(extent.most, values[i]);
  }
  extent.largest = PetscMax(PetscAbsReal(extent.least), PetscAbsReal(extent.most));
  return extent;
}

/* The sample at which the motion has been near both extremes. A Masing law then no longer depends on earlier motion within them [Masing
   1926]. */
static PetscInt SeenBothEnds(const LoopRecord *record, const Extent *motion)
{
  const PetscReal margin = NEAR * (motion->most - motion->least);
  PetscBool       low = PETSC_FALSE, high = PETSC_FALSE;
  PetscInt        i;

  for (i = 0; i < record->count && !(low && high); i++) {
    low  = low || record->displacement[i] <= motion->least + margin ? PETSC_TRUE : PETSC_FALSE;
    high = high || record->displacement[i] >= motion->most - margin ? PETSC_TRUE : PETSC_FALSE;
  }
  return i;
}

static PetscReal PathFrom(const LoopRecord *record, PetscInt first)
{
  PetscReal path = 0;

  for (PetscInt i = first + 1; i < record->count; i++) path += PetscAbsReal(record->displacement[i] - record->displacement[i - 1]);
  return path;
}

static PetscErrorCode CountReversals(const LoopRecord *record, PetscReal resolution, PetscInt *count)
{
  PetscInt *reversals;

  PetscFunctionBegin;
  PetscCall(LoopFindReversals(record, resolution, count, &reversals));
  PetscCall(PetscFree(reversals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopIsShaking(const LoopRecord *record, PetscBool *shaking)
{
  const Extent   motion = ExtentOf(record->count, record->displacement);
  const PetscInt few    = 3;
  PetscInt       all, large;

  PetscFunctionBegin;
  PetscCall(CountReversals(record, 0, &all));
  PetscCall(CountReversals(record, NEAR * (motion.most - motion.least), &large));
  *shaking = all - large > PetscMax(large, few) ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

LoopMemory LoopFindMemory(const LoopRecord *record, PetscInt *first)
{
  const Extent    motion = ExtentOf(record->count, record->displacement), force = ExtentOf(record->count, record->force);
  const PetscReal range = motion.most - motion.least;
  const PetscInt  last  = record->count - 1;

  *first = 0;
  if (PetscAbsReal(record->displacement[0]) <= NEAR * motion.largest && PetscAbsReal(record->force[0]) <= NEAR * force.largest) return LOOP_FROM_REST;
  if (PetscAbsReal(record->displacement[last] - record->displacement[0]) <= NEAR * range &&
      PetscAbsReal(record->force[last] - record->force[0]) <= NEAR * (force.most - force.least))
    return LOOP_CLOSED;
  *first = SeenBothEnds(record, &motion);
  if (PathFrom(record, *first) >= 0.5 * range) return LOOP_WARMED_UP;
  *first = 0;
  return PetscAbsReal(record->displacement[0]) >= (1 - NEAR) * motion.largest ? LOOP_FROM_END : LOOP_OF_UNKNOWN_PAST;
}
