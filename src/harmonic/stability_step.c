/* stability_step.c - the matrices of one step of small changes. */
#include "stability_step.h"
#include <petscblaslapack.h>

PetscErrorCode StabilityStepCreate(const StabilityColumns *c, StabilityStep *step)
{
  const PetscInt n = c->num_modes, r = c->num_rows, square = r * r;

  PetscFunctionBegin;
  *step = (StabilityStep){.columns = c};
  PetscCall(PetscCalloc4(n * (c->structure->coupled ? n : 1), &step->size.inverse, n * r, &step->size.push, square, &step->size.rate, square,
                         &step->size.near));
  PetscCall(PetscCalloc7(square, &step->direct, square, &step->viscous, square, &step->after, square, &step->gain, square, &step->rate_gain, square,
                         &step->solve, square, &step->solve_after));
  PetscCall(PetscMalloc1(c->num_memory, &step->fresh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityStepDestroy(StabilityStep *step)
{
  StepEntries *const lists[] = {&step->scalar, &step->held, &step->later, &step->by_motion, &step->by_rate, &step->by_memory};

  PetscFunctionBegin;
  PetscCall(PetscFree4(step->size.inverse, step->size.push, step->size.rate, step->size.near));
  PetscCall(PetscFree7(step->direct, step->viscous, step->after, step->gain, step->rate_gain, step->solve, step->solve_after));
  PetscCall(PetscFree(step->fresh));
  for (PetscInt l = 0; l < (PetscInt)PETSC_STATIC_ARRAY_LENGTH(lists); l++) PetscCall(PetscFree(lists[l]->entries));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddEntry(StepEntries *list, PetscInt to, PetscInt from, PetscReal value)
{
  PetscFunctionBeginHot;
  if (value == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  if (list->count == list->capacity) {
    list->capacity = 2 * list->capacity + 16;
    PetscCall(PetscRealloc(sizeof(StepEntry) * (size_t)list->capacity, &list->entries));
  }
  list->entries[list->count++] = (StepEntry){to, from, value};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Invert(PetscInt n, PetscReal matrix[])
{
  PetscBLASInt  order, size, info;
  PetscBLASInt *pivots;
  PetscReal    *work;

  PetscFunctionBeginHot;
  if (n == 1) matrix[0] = 1.0 / matrix[0];
  if (n <= 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscBLASIntCast(n, &order));
  PetscCall(PetscBLASIntCast(n * 32, &size));
  PetscCall(PetscMalloc2(n, &pivots, n * 32, &work));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&order, &order, matrix, &order, pivots, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrf: %d", (int)info);
  PetscCallBLAS("LAPACKgetri", LAPACKgetri_(&order, matrix, &order, pivots, work, &size, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetri: %d", (int)info);
  PetscCall(PetscFree2(pivots, work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* c = a b, [rows, inner] and [inner, columns]. */
static void Multiply(PetscInt rows, PetscInt inner, PetscInt columns, const PetscReal a[], const PetscReal b[], PetscReal c[])
{
  for (PetscInt i = 0; i < rows * columns; i++) c[i] = 0.0;
  for (PetscInt i = 0; i < rows; i++)
    for (PetscInt k = 0; k < inner; k++)
      for (PetscInt j = 0; j < columns; j++) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}

static PetscErrorCode SetLength(StabilityStep *step, PetscReal length)
{
  const StabilityColumns *const c = step->columns;
  StepSize *const               s = &step->size;
  const PetscInt                n = c->num_modes, rows = c->num_rows;
  const PetscReal               half = 0.5 * length;

  PetscFunctionBeginHot;
  s->length = length;
  if (c->structure->coupled) {
    for (PetscInt i = 0; i < n * n; i++) s->inverse[i] = half * c->damping[i];
    for (PetscInt j = 0; j < n; j++) s->inverse[j * n + j] += 1.0 + half * half * c->eigenvalue[j];
    PetscCall(Invert(n, s->inverse));
  } else
    for (PetscInt j = 0; j < n; j++) s->inverse[j] = 1.0 / (1.0 + half * (c->damping[j] + half * c->eigenvalue[j]));
  for (PetscInt j = 0; j < n; j++)
    for (PetscInt r = 0; r < rows; r++) {
      PetscReal sum = 0.0;

      if (c->structure->coupled)
        for (PetscInt i = 0; i < n; i++) sum += s->inverse[j * n + i] * c->map[r * n + i];
      else sum = s->inverse[j] * c->map[r * n + j];
      s->push[j * rows + r] = half * sum;
    }
  Multiply(rows, n, rows, c->map, s->push, s->rate);
  for (PetscInt i = 0; i < rows * rows; i++) s->near[i] = half * s->rate[i] + (c->residual ? c->residual[i] : 0.0);
  for (PetscInt i = 0; c->past >= 0 && i < rows * rows; i++) s->rate[i] += c->residual[i] / length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the change of a component's force by that of another's motion to rows. */
static void AddTangent(const StabilityColumns *c, const StabilityPoint *point, PetscInt force, PetscInt motion, PetscReal tangent, PetscReal rows[])
{
  const SystemBlock *const block = point->block;
  const PetscInt           num = block->block.num_points, f = force * num + point->point, d = motion * num + point->point;

  for (PetscInt t = block->first[f]; t < block->first[f + 1]; t++)
    for (PetscInt u = block->first[d]; u < block->first[d + 1]; u++)
      rows[c->row[block->row[t]] * c->num_rows + c->row[block->row[u]]] += tangent * block->factor[t] * block->factor[u];
}

/* The force of a component by a memory. */
static PetscErrorCode AddForce(const StabilityColumns *c, const StabilityPoint *point, PetscInt force, PetscInt memory, PetscReal value,
                               StepEntries *list)
{
  const SystemBlock *const block = point->block;
  const PetscInt           f     = force * block->block.num_points + point->point;

  PetscFunctionBeginHot;
  for (PetscInt t = block->first[f]; t < block->first[f + 1]; t++)
    PetscCall(AddEntry(list, c->row[block->row[t]], point->memory + memory, value * block->factor[t]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A memory by the motion, or velocity, of a component. */
static PetscErrorCode AddMemory(const StabilityColumns *c, const StabilityPoint *point, PetscInt memory, PetscInt motion, PetscReal value,
                                StepEntries *list)
{
  const SystemBlock *const block = point->block;
  const PetscInt           d     = motion * block->block.num_points + point->point;

  PetscFunctionBeginHot;
  for (PetscInt t = block->first[d]; t < block->first[d + 1]; t++)
    PetscCall(AddEntry(list, point->memory + memory, c->row[block->row[t]], value * block->factor[t]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* t dd + sum_k (t_k - t_(k+1)) dd_k of a piece with this tangent. */
static PetscErrorCode AddBranch(const StabilityColumns *c, const StabilityPoint *point, PetscInt piece, PetscReal tangent, PetscReal rows[],
                                StepEntries *list)
{
  const BranchPiece *const at = point->path.num_pieces ? &point->path.pieces[piece] : NULL;

  PetscFunctionBeginHot;
  AddTangent(c, point, 0, 0, tangent - point->stuck[0], rows);
  for (PetscInt k = 0; at && k < at->depth; k++) {
    const PetscReal *const arrival = point->path.arrival + at->first + k, next = k + 1 < at->depth ? point->area * arrival[1] : tangent;

    PetscCall(AddForce(c, point, 0, k, point->area * arrival[0] - next, list));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsFresh(const StabilityStep *step, PetscInt memory)
{
  for (PetscInt f = 0; f < step->num_fresh; f++)
    if (step->fresh[f] == memory) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Where it turns between two segments, the motion becomes a memory. */
static PetscErrorCode AddTurns(StabilityStep *step, const StabilityPoint *point, PetscInt from, PetscInt to)
{
  PetscFunctionBeginHot;
  for (PetscInt p = from; p != to; p = (p + 1) % point->path.num_pieces) {
    const PetscInt turn = point->path.pieces[p].turn;

    if (turn < 0 || IsFresh(step, point->memory + turn)) continue;
    step->fresh[step->num_fresh++] = point->memory + turn;
    PetscCall(AddMemory(step->columns, point, turn, 0, 1.0, &step->by_motion));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddScalar(StabilityStep *step, const StabilityPoint *point, PetscInt i)
{
  const StabilityGrid *const grid = step->columns->grid;
  const PetscInt             next = (i + 1) % grid->num_steps, piece = point->piece[grid->segment[i]], following = point->piece[grid->segment[next]];

  PetscFunctionBeginHot;
  PetscCall(AddBranch(step->columns, point, piece, point->tangent[2 * i + 1], step->direct, &step->scalar));
  if (!step->turns) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AddTurns(step, point, piece, following));
  PetscCall(AddBranch(step->columns, point, following, point->tangent[2 * next], step->after, &step->later));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces of a marched point. */
static PetscErrorCode AddMarchedForces(StabilityStep *step, const StabilityPoint *point, const PetscReal linear[])
{
  const StabilityColumns *const c     = step->columns;
  const LinearStep *const       steps = &point->steps;
  const PetscInt                moved = steps->num_moved, first = steps->inputs - point->num_memory;

  PetscFunctionBeginHot;
  for (PetscInt f = 0; f < moved; f++) {
    const PetscReal *const row   = linear + f * steps->inputs;
    const PetscInt         force = steps->moved[f];

    for (PetscInt d = 0; d < moved; d++) {
      const PetscInt  motion  = steps->moved[d];
      const PetscReal tangent = row[d] - point->stuck[force * point->dim + motion];

      AddTangent(c, point, force, motion, tangent, step->direct);
      if (step->turns) AddTangent(c, point, force, motion, tangent, step->after);
      if (steps->viscous) AddTangent(c, point, force, motion, row[moved + d], step->viscous);
    }
    for (PetscInt s = 0; s < point->num_memory; s++)
      if (point->live[s]) PetscCall(AddForce(c, point, force, s, row[first + s], &step->held));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddMarched(StabilityStep *step, const StabilityPoint *point, PetscInt i)
{
  const StabilityColumns *const c     = step->columns;
  const LinearStep *const       steps = &point->steps;
  const PetscInt                moved = steps->num_moved, inputs = steps->inputs, size = point->num_memory, first = inputs - size;
  const PetscReal *const        linear = point->linear + i * (moved + size) * inputs;

  PetscFunctionBeginHot;
  PetscCall(AddMarchedForces(step, point, linear));
  for (PetscInt s = 0; s < size; s++) {
    const PetscReal *const row = linear + (moved + s) * inputs;

    if (!point->live[s]) continue;
    step->fresh[step->num_fresh++] = point->memory + s;
    for (PetscInt d = 0; d < moved; d++) {
      PetscCall(AddMemory(c, point, s, steps->moved[d], row[d], &step->by_motion));
      if (steps->viscous) PetscCall(AddMemory(c, point, s, steps->moved[d], row[moved + d], &step->by_rate));
    }
    for (PetscInt h = 0; h < size; h++)
      if (point->live[h]) PetscCall(AddEntry(&step->by_memory, point->memory + s, point->memory + h, row[first + h]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(StabilityStep *step)
{
  const StabilityColumns *const c    = step->columns;
  const PetscInt                rows = c->num_rows;

  PetscFunctionBeginHot;
  Multiply(rows, rows, rows, step->direct, step->size.near, step->solve);
  if (c->viscous) {
    Multiply(rows, rows, rows, step->viscous, step->size.rate, step->gain);
    for (PetscInt i = 0; i < rows * rows; i++) step->solve[i] += step->gain[i];
  }
  for (PetscInt r = 0; r < rows; r++) step->solve[r * rows + r] += 1.0;
  PetscCall(Invert(rows, step->solve));
  Multiply(rows, rows, rows, step->solve, step->direct, step->gain);
  if (c->viscous) Multiply(rows, rows, rows, step->solve, step->viscous, step->rate_gain);
  if (!step->turns || !c->residual) PetscFunctionReturn(PETSC_SUCCESS);
  Multiply(rows, rows, rows, step->after, c->residual, step->solve_after);
  for (PetscInt r = 0; r < rows; r++) step->solve_after[r * rows + r] += 1.0;
  PetscCall(Invert(rows, step->solve_after));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StabilityStepAssemble(StabilityStep *step, PetscInt i, PetscReal frequency)
{
  const StabilityColumns *const c      = step->columns;
  const StabilityGrid *const    grid   = c->grid;
  const PetscInt                square = c->num_rows * c->num_rows;

  PetscFunctionBeginHot;
  if (i == 0 || grid->segment[i] != grid->segment[i - 1]) PetscCall(SetLength(step, (grid->theta[i + 1] - grid->theta[i]) / frequency));
  step->turns        = (PetscBool)(i + 1 == grid->num_steps || grid->segment[i + 1] != grid->segment[i]);
  step->scalar.count = step->held.count = step->later.count = step->by_motion.count = step->by_rate.count = step->by_memory.count = 0;
  step->num_fresh                                                                                                                 = 0;
  PetscCall(PetscArrayzero(step->direct, square));
  PetscCall(PetscArrayzero(step->viscous, square));
  PetscCall(PetscArrayzero(step->after, square));
  for (PetscInt p = 0; p < c->num_points; p++) {
    if (!c->points[p].active) continue;
    if (c->points[p].marched) PetscCall(AddMarched(step, &c->points[p], i));
    else PetscCall(AddScalar(step, &c->points[p], i));
  }
  PetscCall(Solve(step));
  PetscFunctionReturn(PETSC_SUCCESS);
}
