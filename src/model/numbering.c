/* numbering.c - which coordinates move as one, which do not move, and the unknowns that are left. */
#include "parts.h"

static PetscInt Leader(const PetscInt leader[], PetscInt coordinate)
{
  while (leader[coordinate] != coordinate) coordinate = leader[coordinate];
  return coordinate;
}

/* The lower coordinate leads, so that what is tied to RESTING rests. Halving the path keeps searches short. */
void NumberingTie(Model *model, PetscInt first, PetscInt second)
{
  PetscInt *const leader  = model->leader;
  PetscInt        pair[2] = {first, second};

  for (PetscInt i = 0; i < 2; i++) {
    while (leader[pair[i]] != pair[i]) {
      leader[pair[i]] = leader[leader[pair[i]]];
      pair[i]         = leader[pair[i]];
    }
  }
  leader[PetscMax(pair[0], pair[1])] = PetscMin(pair[0], pair[1]);
}

PetscErrorCode NumberingCreate(const Model *model, Numbering *numbering)
{
  PetscInt next = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(model->num_coordinates, &numbering->unknown, model->num_coordinates, &numbering->coordinate));
  numbering->unknown[RESTING] = GROUND;
  for (PetscInt c = RESTING + 1; c < model->num_coordinates; c++) {
    const PetscInt leader = Leader(model->leader, c);

    if (leader == c) {
      numbering->coordinate[next] = c;
      numbering->unknown[c]       = next++;
    } else {
      numbering->unknown[c] = numbering->unknown[leader]; /* the leader is lower: it has been numbered */
    }
  }
  numbering->num_unknowns = next;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NumberingDestroy(Numbering *numbering)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(numbering->unknown, numbering->coordinate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By bisection: the points' first coordinates increase. */
void NumberingLocate(const Model *model, const Numbering *numbering, PetscInt unknown, PetscInt *point, PetscInt *direction)
{
  const PetscInt coordinate = numbering->coordinate[unknown];
  PetscInt       low = 0, high = model->num_points;

  *point = *direction = -1;
  if (model->num_points == 0 || coordinate >= model->points[model->num_points - 1].first + model->points[model->num_points - 1].num_components)
    return;
  while (high - low > 1) {
    const PetscInt middle = low + (high - low) / 2;

    if (model->points[middle].first <= coordinate) low = middle;
    else high = middle;
  }
  *point     = low;
  *direction = model->points[low].direction[coordinate - model->points[low].first];
}
