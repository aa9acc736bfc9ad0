/* stability_grid.c - the steps of a period: each ends where a joint turns, closes a loop or passes a corner, at the latest. */
#include "stability_parts.h"

static const PetscReal SAME_ANGLE = 1e-9, PERIOD = 2.0 * PETSC_PI;

PetscErrorCode StabilityGridAddBreak(StabilityGrid *grid, PetscReal theta)
{
  PetscFunctionBegin;
  if (grid->num_edges + 3 >= grid->capacity) {
    grid->capacity = 2 * grid->capacity + 16;
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)grid->capacity, &grid->edge));
  }
  grid->edge[grid->num_edges++] = theta - PERIOD * PetscFloorReal(theta / PERIOD);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ascending, without repeats; the first and the last may be the same angle. */
static PetscErrorCode Sort(StabilityGrid *grid)
{
  PetscInt count = 0;

  PetscFunctionBegin;
  PetscCall(PetscSortReal(grid->num_edges, grid->edge));
  for (PetscInt i = 0; i < grid->num_edges; i++)
    if (count == 0 || grid->edge[i] - grid->edge[count - 1] > SAME_ANGLE) grid->edge[count++] = grid->edge[i];
  if (count > 1 && grid->edge[0] + PERIOD - grid->edge[count - 1] <= SAME_ANGLE) count--;
  grid->num_edges = count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Begins in the middle of the longest part: breaks become the edges of segments. */
static PetscErrorCode Begin(StabilityGrid *grid)
{
  const PetscInt count   = grid->num_edges;
  PetscInt       longest = 0;
  PetscReal      most    = 0.0, start, *edge;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) {
    const PetscReal length = (i + 1 < count ? grid->edge[i + 1] : grid->edge[0] + PERIOD) - grid->edge[i];

    if (length > most * (1.0 + SAME_ANGLE)) longest = i;
    most = PetscMax(most, length);
  }
  start = count ? grid->edge[longest] + 0.5 * most : 0.0;
  PetscCall(PetscMalloc1(count + 2, &edge));
  edge[0] = start;
  for (PetscInt i = 0; i < count; i++) {
    const PetscInt from = longest + 1 + i;

    edge[i + 1] = grid->edge[from % count] + (from >= count ? PERIOD : 0.0);
  }
  edge[count + 1] = start + PERIOD;
  PetscCall(PetscFree(grid->edge));
  grid->edge         = edge;
  grid->num_segments = count + 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityGridSetUp(StabilityGrid *grid, PetscInt steps)
{
  PetscFunctionBegin;
  PetscCall(Sort(grid));
  PetscCall(Begin(grid));
  PetscCall(PetscMalloc1(grid->num_segments, &grid->count));
  for (PetscInt s = 0; s < grid->num_segments; s++)
    grid->count[s] = PetscMax(1, (PetscInt)PetscCeilReal((PetscReal)steps * (grid->edge[s + 1] - grid->edge[s]) / PERIOD - 1e-9));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* cos and sin k theta by turning, one harmonic after the other. */
static void FillFunctions(const HarmonicBasis *basis, PetscReal theta, PetscReal value[])
{
  const PetscReal cosine = PetscCosReal(theta), sine = PetscSinReal(theta);
  PetscReal       c = 1.0, s = 0.0;

  for (PetscInt k = 0, h = 0; h < basis->num_harmonics; k++) {
    const PetscReal turned = c * cosine - s * sine;

    if (basis->harmonic[h] == k) {
      value[basis->first[h]] = c;
      if (k) value[basis->first[h] + 1] = s;
      h++;
    }
    s = s * cosine + c * sine;
    c = turned;
  }
}

PetscErrorCode StabilityGridDivide(StabilityGrid *grid, const HarmonicBasis *basis, PetscInt parts)
{
  PetscInt step = 0;

  PetscFunctionBegin;
  grid->num_steps = 0;
  for (PetscInt s = 0; s < grid->num_segments; s++) grid->num_steps += parts * grid->count[s];
  PetscCall(PetscFree3(grid->theta, grid->segment, grid->value));
  PetscCall(
    PetscMalloc3(grid->num_steps + 1, &grid->theta, grid->num_steps, &grid->segment, (grid->num_steps + 1) * basis->num_functions, &grid->value));
  for (PetscInt s = 0; s < grid->num_segments; s++) {
    const PetscInt count = parts * grid->count[s];

    for (PetscInt i = 0; i < count; i++, step++) {
      grid->theta[step]   = grid->edge[s] + (grid->edge[s + 1] - grid->edge[s]) * (PetscReal)i / (PetscReal)count;
      grid->segment[step] = s;
    }
  }
  grid->theta[step] = grid->edge[grid->num_segments];
  for (PetscInt i = 0; i <= grid->num_steps; i++) FillFunctions(basis, grid->theta[i], grid->value + i * basis->num_functions);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityGridDestroy(StabilityGrid *grid)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(grid->edge));
  PetscCall(PetscFree(grid->count));
  PetscCall(PetscFree3(grid->theta, grid->segment, grid->value));
  *grid = (StabilityGrid){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
