/* rigid_modes.c - one choice among all mixtures of modes that move without strain. */
#include "modes.h"

static PetscReal *Shape(const Modes *modes, PetscInt k)
{
  return modes->shape + (size_t)k * (size_t)modes->num_unknowns;
}

/* Turns two shapes in their plane until component i of b vanishes and that of a is not negative. */
static void TurnPair(PetscInt n, PetscReal a[], PetscReal b[], PetscInt i)
{
  const PetscReal length = PetscSqrtReal(PetscSqr(a[i]) + PetscSqr(b[i]));
  const PetscReal cosine = length > 0.0 ? a[i] / length : 1.0, sine = length > 0.0 ? b[i] / length : 0.0;

  for (PetscInt k = 0; k < n; k++) {
    const PetscReal turned = cosine * a[k] + sine * b[k];

    b[k] = cosine * b[k] - sine * a[k];
    a[k] = turned;
  }
}

/* The unknown that combinations of modes first to end - 1, of unit mass, can move most; of equal ones the first. */
static PetscInt MostMoved(const Modes *modes, PetscInt first, PetscInt end)
{
  PetscReal most    = 0.0;
  PetscInt  unknown = 0;

  for (PetscInt i = 0; i < modes->num_unknowns; i++) {
    PetscReal motion = 0.0;

    for (PetscInt k = first; k < end; k++) motion += PetscSqr(Shape(modes, k)[i]);
    if (motion <= most * (1.0 + 1e-6)) continue;
    most    = motion;
    unknown = i;
  }
  return unknown;
}

void ModesTurnRigid(Modes *modes)
{
  PetscInt first = 0, end;

  while (first < modes->count && modes->eigenvalue[first] < 0.0) first++;
  end = first + modes->num_rigid;
  for (PetscInt k = first; k < end; k++) {
    const PetscInt   unknown = MostMoved(modes, k, end);
    PetscReal *const shape   = Shape(modes, k);

    for (PetscInt other = k + 1; other < end; other++) TurnPair(modes->num_unknowns, shape, Shape(modes, other), unknown);
    if (shape[unknown] > 0.0) continue;
    for (PetscInt i = 0; i < modes->num_unknowns; i++) shape[i] = -shape[i];
  }
}
