/* stability_columns.c - which modes, rows and memories small changes of a motion consist of. */
#include "stability_parts.h"

static const PetscReal TOUCHED = 1e-9; /* of the largest motion of a row by a mode, and of dampings: less is round-off */

static PetscErrorCode NumberRows(StabilityColumns *c)
{
  const PetscInt m = c->structure->m;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m, &c->row));
  for (PetscInt r = 0; r < m; r++) c->row[r] = -1;
  for (PetscInt p = 0; p < c->num_points; p++) {
    StabilityPoint *const    point = &c->points[p];
    const SystemBlock *const block = point->block;
    const PetscInt           num   = block->block.num_points;

    if (!point->active) continue;
    point->memory = c->num_memory;
    c->num_memory += point->num_memory;
    c->viscous = (PetscBool)(c->viscous || (point->marched && point->steps.viscous));
    for (PetscInt e = 0; e < point->dim; e++)
      for (PetscInt t = block->first[e * num + point->point]; t < block->first[e * num + point->point + 1]; t++) c->row[block->row[t]] = 0;
  }
  for (PetscInt r = 0; r < m; r++)
    if (c->row[r] == 0) c->row[r] = c->num_rows++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Modes by which a row moves, or which a load pushes; rigid ones only where they are wanted. */
static void ReachBy(const HarmonicStructure *s, const PetscReal by_mode[], PetscInt stride, PetscBool rigid, PetscBool reached[])
{
  PetscReal largest = 0.0;

  for (PetscInt j = 0; j < s->n; j++) largest = PetscMax(largest, PetscAbsReal(by_mode[j * stride]));
  for (PetscInt j = 0; j < s->n; j++)
    if (PetscAbsReal(by_mode[j * stride]) > TOUCHED * largest && (rigid || s->eigenvalue[j] != 0.0)) reached[j] = PETSC_TRUE;
}

void StabilityReach(const HarmonicStructure *s, PetscBool reached[])
{
  const PetscInt stride = sizeof(HarmonicSine) / sizeof(PetscReal);

  for (PetscInt r = 0; r < s->m; r++) ReachBy(s, s->map + r * s->n, 1, PETSC_FALSE, reached);
  for (PetscInt e = 0; e < SINE_NUM_POWERS && s->n; e++) {
    ReachBy(s, &s->load[0].c[e], stride, PETSC_FALSE, reached);
    ReachBy(s, &s->load[0].s[e], stride, PETSC_FALSE, reached);
  }
}

/* Dampers couple two modes; those between parts of a structure do nothing to its rigid modes, but for round-off. */
static PetscBool AreCoupled(const HarmonicStructure *s, PetscInt i, PetscInt j, PetscReal largest)
{
  const PetscReal own = s->coupled[i * s->n + i], other = s->coupled[j * s->n + j];

  if (s->eigenvalue[i] == 0.0 && PetscAbsReal(own) <= TOUCHED * largest) return PETSC_FALSE;
  return (PetscBool)(PetscSqr(s->coupled[i * s->n + j]) > PetscSqr(TOUCHED) * PetscAbsReal(own * other));
}

/* Modes that active rows move by. Where dampers couple modes there is no formula for the others: those that stuck joints and loads move count
   as well, rigid ones apart, and all that dampers couple to them. */
static void Reach(const StabilityColumns *c, PetscBool reached[])
{
  const HarmonicStructure *const s       = c->structure;
  const PetscInt                 n       = s->n;
  PetscBool                      again   = (PetscBool)(s->coupled != NULL);
  PetscReal                      largest = 0.0;

  for (PetscInt r = 0; r < s->m; r++)
    if (c->row[r] >= 0) ReachBy(s, s->map + r * n, 1, PETSC_TRUE, reached);
  if (s->coupled) StabilityReach(s, reached);
  for (PetscInt j = 0; s->coupled && j < n; j++) largest = PetscMax(largest, PetscAbsReal(s->coupled[j * n + j]));
  while (again) {
    again = PETSC_FALSE;
    for (PetscInt i = 0; i < n; i++)
      for (PetscInt j = 0; j < n && !reached[i]; j++)
        if (reached[j] && AreCoupled(s, i, j, largest)) reached[i] = again = PETSC_TRUE;
  }
}

static PetscErrorCode TakeModes(StabilityColumns *c)
{
  const HarmonicStructure *const s = c->structure;
  PetscBool                     *reached;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(s->n, &reached));
  Reach(c, reached);
  PetscCall(PetscMalloc1(s->n, &c->mode));
  for (PetscInt j = 0; j < s->n; j++)
    if (reached[j]) c->mode[c->num_modes++] = j;
  PetscCall(PetscFree(reached));
  PetscCall(
    PetscMalloc3(c->num_rows * c->num_modes, &c->map, c->num_modes, &c->eigenvalue, c->num_modes * (s->coupled ? c->num_modes : 1), &c->damping));
  for (PetscInt j = 0; j < c->num_modes; j++) {
    const PetscInt mode = c->mode[j];

    c->eigenvalue[j] = s->eigenvalue[mode];
    for (PetscInt r = 0; r < s->m; r++)
      if (c->row[r] >= 0) c->map[c->row[r] * c->num_modes + j] = s->map[r * s->n + mode];
    if (!s->coupled) c->damping[j] = s->damping[mode];
    for (PetscInt i = 0; s->coupled && i < c->num_modes; i++) c->damping[j * c->num_modes + i] = s->coupled[mode * s->n + c->mode[i]];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeResidual(StabilityColumns *c)
{
  const HarmonicStructure *const s = c->structure;

  PetscFunctionBegin;
  if (!s->residual) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(c->num_rows * c->num_rows, &c->residual));
  for (PetscInt r = 0; r < s->m; r++)
    for (PetscInt q = 0; q < s->m; q++)
      if (c->row[r] >= 0 && c->row[q] >= 0) c->residual[c->row[r] * c->num_rows + c->row[q]] = s->residual[r * s->m + q];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityColumnsCreate(const HarmonicStructure *structure, const StabilityGrid *grid, PetscInt num_points, StabilityPoint points[],
                                      StabilityColumns *columns)
{
  PetscFunctionBegin;
  *columns = (StabilityColumns){.structure = structure, .grid = grid, .num_points = num_points, .points = points};
  PetscCall(NumberRows(columns));
  PetscCall(TakeModes(columns));
  PetscCall(TakeResidual(columns));
  columns->past = columns->viscous && columns->residual ? columns->num_memory : -1;
  if (columns->past >= 0) columns->num_memory += columns->num_rows;
  PetscCall(PetscMalloc1(2 * columns->num_modes + columns->num_memory, &columns->begin));
  for (PetscInt i = 0; i < 2 * columns->num_modes; i++) columns->begin[columns->num_columns++] = i;
  for (PetscInt p = 0; p < num_points; p++)
    for (PetscInt k = 0; points[p].active && k < points[p].num_memory; k++)
      if (points[p].live[k]) columns->begin[columns->num_columns++] = 2 * columns->num_modes + points[p].memory + k;
  for (PetscInt r = 0; columns->past >= 0 && r < columns->num_rows; r++)
    columns->begin[columns->num_columns++] = 2 * columns->num_modes + columns->past + r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityColumnsDestroy(StabilityColumns *columns)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(columns->row));
  PetscCall(PetscFree(columns->mode));
  PetscCall(PetscFree3(columns->map, columns->eigenvalue, columns->damping));
  PetscCall(PetscFree(columns->residual));
  PetscCall(PetscFree(columns->begin));
  *columns = (StabilityColumns){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
