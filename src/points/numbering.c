/* numbering.c - which coordinates move as one, which do not move, and the unknowns that are left. */
#include "points.h"

static PetscInt Leader(const PetscInt leader[], PetscInt coordinate)
{
  while (leader[coordinate] != coordinate) coordinate = leader[coordinate];
  return coordinate;
}

/* The lower coordinate leads, so that what is tied to RESTING rests. Halving the path keeps searches short. */
void PointsTie(Points *points, PetscInt first, PetscInt second)
{
  PetscInt *const leader  = points->leader;
  PetscInt        pair[2] = {first, second};

  for (PetscInt i = 0; i < 2; i++) {
    while (leader[pair[i]] != pair[i]) {
      leader[pair[i]] = leader[leader[pair[i]]];
      pair[i]         = leader[pair[i]];
    }
  }
  leader[PetscMax(pair[0], pair[1])] = PetscMin(pair[0], pair[1]);
}

PetscErrorCode NumberingCreate(const Points *points, Numbering *numbering)
{
  PetscInt next = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(points->num_coordinates, &numbering->unknown, points->num_coordinates, &numbering->coordinate));
  numbering->unknown[RESTING] = GROUND;
  for (PetscInt c = RESTING + 1; c < points->num_coordinates; c++) {
    const PetscInt leader = Leader(points->leader, c);

    if (leader == c) {
      numbering->coordinate[next] = c;
      numbering->unknown[c]       = next++;
    } else {
      numbering->unknown[c] = numbering->unknown[leader]; /* the leader is lower: it has been numbered */
    }
  }
  numbering->num_unknowns = next;
  numbering->num_moving   = 0;
  numbering->num_massless = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NumberingPutLast(const Points *points, const PetscBool last[], Numbering *numbering, PetscInt *count)
{
  const PetscInt n = numbering->num_unknowns;
  PetscInt      *number, *coordinate, next = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(n, &number, n, &coordinate));
  for (PetscInt i = 0; i < n; i++)
    if (!last[i]) number[i] = next++;
  *count = n - next;
  for (PetscInt i = 0; i < n; i++)
    if (last[i]) number[i] = next++;
  for (PetscInt i = 0; i < n; i++) coordinate[number[i]] = numbering->coordinate[i];
  PetscCall(PetscArraycpy(numbering->coordinate, coordinate, n));
  for (PetscInt c = RESTING + 1; c < points->num_coordinates; c++)
    if (numbering->unknown[c] != GROUND) numbering->unknown[c] = number[numbering->unknown[c]];
  PetscCall(PetscFree2(number, coordinate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NumberingDestroy(Numbering *numbering)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(numbering->unknown, numbering->coordinate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void NumberingLocate(const Points *points, const Numbering *numbering, PetscInt unknown, PetscInt *point, PetscInt *direction)
{
  const PetscInt coordinate = numbering->coordinate[unknown];

  *point     = PointOfCoordinate(points, coordinate);
  *direction = *point < 0 ? -1 : points->list[*point].direction[coordinate - points->list[*point].first];
}
