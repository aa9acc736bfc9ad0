/* finalists.c - the best of many starts, in order. */
#include "finalists.h"

void FinalistsEnter(Finalists *finalists, const Candidate *candidate)
{
  Candidate *const list = finalists->list;
  PetscInt         i    = finalists->count;

  if (!(candidate->value < PETSC_INFINITY)) return;
  if (i == finalists->most && !(candidate->value < list[i - 1].value)) return;
  if (i < finalists->most) finalists->count++;
  else i--;
  for (; i > 0 && list[i - 1].value > candidate->value; i--) list[i] = list[i - 1];
  list[i] = *candidate;
}
