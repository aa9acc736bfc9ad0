/* loop.c - hysteresis loops: reversals, and energy, stiffness and damping of cycles. */
#include <math.h>
#include "norms.h"
#include "post/loops.h"

PetscErrorCode LoopFindReversals(const LoopRecord *record, PetscReal resolution, PetscInt *count, PetscInt **reversals)
{
  const PetscReal *x       = record->displacement;
  PetscInt         extreme = 0; /* the farthest sample since the last reversal */
  int              way     = 0; /* 1 up, -1 down; 0 before the first motion */

  PetscFunctionBegin;
  *count = 0;
  PetscCall(PetscMalloc1(record->count, reversals));
  for (PetscInt i = 1; i < record->count; i++) {
    const PetscReal moved = x[i] - x[extreme];

    if (way * moved > 0.0) extreme = i;
    else if (PetscAbsReal(moved) > resolution) {
      if (way) (*reversals)[(*count)++] = extreme;
      way     = moved > 0.0 ? 1 : -1;
      extreme = i;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The work along two steps, with parabolas of force and displacement through the three samples: Simpson's rule of f dx/di. */
static PetscReal WorkOfTwo(PetscInt stride, const PetscReal f[], const PetscReal x[])
{
  const PetscReal x0 = x[0], x1 = x[stride], x2 = x[2 * stride];

  return (f[0] * (-3.0 * x0 + 4.0 * x1 - x2) + 4.0 * f[stride] * (x2 - x0) + f[2 * stride] * (x0 - 4.0 * x1 + 3.0 * x2)) / 6.0;
}

PetscReal LoopWork(PetscInt stride, const PetscReal force[], const PetscReal displacement[], PetscInt first, PetscInt last)
{
  const PetscReal *f = force, *x = displacement;
  PetscReal        work = 0.0;
  PetscInt         i    = first;

  for (; i + 2 <= last; i += 2) work += WorkOfTwo(stride, f + stride * i, x + stride * i);
  if (i < last) work += 0.5 * (f[stride * i] + f[stride * last]) * (x[stride * last] - x[stride * i]);
  return work;
}

/* The end of a loop that lies farther from its middle; of a closed loop the last, where the initial state matters least. */
static PetscInt FartherEnd(const LoopRecord *record, const LoopCycle *cycle)
{
  const PetscReal *x     = record->displacement;
  const PetscReal  first = PetscAbsReal(x[cycle->first] - x[cycle->middle]), last = PetscAbsReal(x[cycle->last] - x[cycle->middle]);
  const PetscReal  closed = 1e-9;

  return first > (1.0 + closed) * last ? cycle->first : cycle->last;
}

/* The work is summed branch by branch, since the samples are smooth along a branch only. */
static void FindCycle(const LoopRecord *record, LoopCycle *cycle)
{
  const PetscReal *x = record->displacement, *f = record->force;
  const PetscInt   first = cycle->first, middle = cycle->middle, last = cycle->last, end = FartherEnd(record, cycle);
  const PetscReal  way = x[end] - x[middle], rise = f[end] - f[middle], closing = 0.5 * (f[last] + f[first]) * (x[first] - x[last]), roundoff = 1e-12;

  cycle->amplitude        = 0.5 * PetscAbsReal(way);
  cycle->area             = LoopWork(1, f, x, first, middle) + LoopWork(1, f, x, middle, last) + closing;
  cycle->peak_force       = LargestOf(last - first + 1, f + first);
  cycle->secant_stiffness = way != 0.0 ? rise / way + 0.0 : 0.0; /* no -0 */
  if (rise * way > roundoff * PetscAbsReal(way) * cycle->peak_force)
    cycle->damping = cycle->area / (2.0 * PETSC_PI * cycle->secant_stiffness * PetscSqr(cycle->amplitude));
  else cycle->damping = (PetscReal)NAN;
}

void LoopFindCycles(const LoopRecord *record, PetscInt count, const PetscInt reversals[], LoopCycle cycles[])
{
  for (PetscInt c = 0; c + 2 < count; c++) {
    cycles[c] = (LoopCycle){.first = reversals[c], .middle = reversals[c + 1], .last = reversals[c + 2]};
    FindCycle(record, &cycles[c]);
  }
}
