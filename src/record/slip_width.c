/* slip_width.c - how many points of a contact lie across the area that slips. */
#include "record/slip_width.h"

const PetscReal slip_width_least = 2.0;

/* Of the largest loss of a part; what has lost less has hardly begun to slip. */
static const PetscReal least_loss = 1e-3;

static PetscReal LargestLoss(PetscInt num_parts, const PetscReal lost[])
{
  PetscReal largest = 0.0;

  for (PetscInt i = 0; i < num_parts; i++) largest = PetscMax(largest, lost[i]);
  return largest;
}

/* Squares of the distances from a part to the nearest other one, and to the nearest that presses and has lost no more than this; infinite
   where there is none. */
static void FindNearest(const SystemContact *contact, PetscInt num_parts, PetscInt i, const PetscReal lost[], const PetscReal state[], PetscReal most,
                        PetscReal *any, PetscReal *sticking)
{
  *any = *sticking = PETSC_INFINITY;
  for (PetscInt j = 0; j < num_parts; j++) {
    const PetscReal square =
      PetscSqr(contact->x[j] - contact->x[i]) + PetscSqr(contact->y[j] - contact->y[i]) + PetscSqr(contact->z[j] - contact->z[i]);

    if (j == i || square == 0.0) continue;
    *any = PetscMin(*any, square);
    if (lost[j] <= most && (FaceState)state[j] != FACES_OPEN) *sticking = PetscMin(*sticking, square);
  }
}

PetscReal SlipWidth(const SystemContact *contact, PetscInt num_parts, const PetscReal lost[], const PetscReal state[])
{
  const PetscReal most  = least_loss * LargestLoss(num_parts, lost);
  PetscReal       depth = 0.0, total = 0.0;

  if (!contact->x || !contact->area || most <= 0.0) return (PetscReal)NAN;
  for (PetscInt i = 0; i < num_parts; i++) {
    PetscReal any, sticking;

    if (lost[i] <= most) continue;
    FindNearest(contact, num_parts, i, lost, state, most, &any, &sticking);
    if (sticking >= PETSC_INFINITY) return (PetscReal)NAN;
    depth += lost[i] * PetscSqrtReal(sticking / any);
    total += lost[i];
  }
  return 2.0 * depth / total - 1.0;
}
