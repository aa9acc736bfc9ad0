/*
  mode_pairs.c - stuck and slipping modes that resemble each other, by the mass-weighted modal assurance criterion.

  Each row and column of the MAC sums to 1 at most, so a value above one half has no rival: the order of assignment matters only among
  modes of equal frequency. Those are mixed as the solver has it; what counts is the space they span.
*/
#include "mode_pairs.h"

static const PetscReal alike = 0.5 * (1.0 + 1e-6); /* one half exactly is no resemblance, whatever round-off makes of it */

/* The modes of the same frequency as mode k: from *first to *end - 1. */
static void FindEqual(const Modes *modes, PetscInt k, PetscInt *first, PetscInt *end)
{
  *first = k;
  *end   = ModesGroupEnd(modes, k);
  while (*first > 0 && modes->eigenvalue[*first - 1] == modes->eigenvalue[k]) --*first;
}

/* The mean of the squared cosines between the spaces that both span with all of their frequency. */
static PetscReal Likeness(const Modes *stuck, const Modes *slipping, const PetscReal mac[], PetscInt i, PetscInt j)
{
  PetscInt  rows[2], columns[2];
  PetscReal sum = 0.0;

  FindEqual(stuck, i, &rows[0], &rows[1]);
  FindEqual(slipping, j, &columns[0], &columns[1]);
  for (PetscInt a = rows[0]; a < rows[1]; a++)
    for (PetscInt b = columns[0]; b < columns[1]; b++) sum += mac[(size_t)a * (size_t)slipping->count + (size_t)b];
  return sum / (PetscReal)PetscMin(rows[1] - rows[0], columns[1] - columns[0]);
}

static PetscBool IsTaken(const ModePairs *pairs, PetscInt j)
{
  for (PetscInt i = 0; i < pairs->num_stuck; i++)
    if (pairs->pair[i] == j) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The two that resemble each other most among those that have no partner, of equal ones the first; false when none do. */
static PetscBool PairBest(const Modes *stuck, const Modes *slipping, const PetscReal likeness[], PetscBool rigid, ModePairs *pairs)
{
  PetscReal best = alike;
  PetscInt  a = -1, b = -1;

  for (PetscInt i = 0; i < pairs->num_stuck; i++) {
    if (pairs->pair[i] >= 0 || (stuck->eigenvalue[i] == 0.0) != rigid) continue;
    for (PetscInt j = 0; j < pairs->num_slipping; j++) {
      const PetscReal value = likeness[(size_t)i * (size_t)pairs->num_slipping + (size_t)j];

      if ((rigid && slipping->eigenvalue[j] != 0.0) || IsTaken(pairs, j) || value <= best * (1.0 + 1e-6)) continue;
      best = value;
      a    = i;
      b    = j;
    }
  }
  if (a < 0) return PETSC_FALSE;
  pairs->pair[a]     = b;
  pairs->likeness[a] = best;
  if (stuck->omega[a] > 0.0) pairs->change[a] = slipping->omega[b] / stuck->omega[a] - 1.0;
  return PETSC_TRUE;
}

PetscErrorCode ModePairsFind(const System *system, const Modes *stuck, const Modes *slipping, ModePairs *pairs)
{
  const PetscInt size = stuck->count * slipping->count;
  PetscReal     *likeness;

  PetscFunctionBegin;
  pairs->num_stuck    = stuck->count;
  pairs->num_slipping = slipping->count;
  PetscCall(PetscMalloc4(size, &pairs->mac, stuck->count, &pairs->pair, stuck->count, &pairs->likeness, stuck->count, &pairs->change));
  PetscCall(PetscMalloc1(size, &likeness));
  PetscCall(ModesMac(system, stuck, slipping, pairs->mac));
  for (PetscInt i = 0; i < size; i++) likeness[i] = Likeness(stuck, slipping, pairs->mac, i / slipping->count, i % slipping->count);
  for (PetscInt i = 0; i < stuck->count; i++) {
    pairs->pair[i]     = -1;
    pairs->likeness[i] = pairs->change[i] = (PetscReal)NAN;
  }
  while (PairBest(stuck, slipping, likeness, PETSC_TRUE, pairs)) continue;
  while (PairBest(stuck, slipping, likeness, PETSC_FALSE, pairs)) continue;
  PetscCall(PetscFree(likeness));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModePairsDestroy(ModePairs *pairs)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(pairs->mac, pairs->pair, pairs->likeness, pairs->change));
  PetscFunctionReturn(PETSC_SUCCESS);
}
