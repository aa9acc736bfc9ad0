/* linear_rows.c - rows on the coordinates, and products with them. */
#include "march/linear.h"

PetscErrorCode LinearRowsCreate(const Linear *linear, PetscInt count, LinearRows *rows)
{
  PetscFunctionBegin;
  *rows = (LinearRows){.count = count, .n = linear->n};
  if (!linear->kind->on_unknowns || linear->system->residual) PetscCall(PetscCalloc1((size_t)count * (size_t)linear->n, &rows->dense));
  else PetscCall(PetscCalloc1(count + 1, &rows->first));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearRowsDestroy(LinearRows *rows)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(rows->dense));
  PetscCall(PetscFree(rows->first));
  PetscCall(PetscFree(rows->column));
  PetscCall(PetscFree(rows->value));
  *rows = (LinearRows){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Reserve(PetscInt needed, LinearRows *rows)
{
  PetscFunctionBegin;
  if (needed <= rows->capacity) PetscFunctionReturn(PETSC_SUCCESS);
  rows->capacity = PetscMax(needed, 2 * rows->capacity);
  PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)rows->capacity, &rows->column));
  PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)rows->capacity, &rows->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearRowsAppend(LinearRows *rows, const PetscReal row[])
{
  const PetscInt r     = rows->num_set++;
  PetscInt       count = 0, next;

  PetscFunctionBegin;
  PetscCheck(r < rows->count, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "there is room for %" PetscInt_FMT " rows", rows->count);
  if (rows->dense) {
    PetscCall(PetscArraycpy(rows->dense + (size_t)r * (size_t)rows->n, row, rows->n));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt j = 0; j < rows->n; j++) count += row[j] != 0.0;
  next = rows->first[r];
  PetscCall(Reserve(next + count, rows));
  for (PetscInt j = 0; j < rows->n; j++) {
    if (row[j] == 0.0) continue;
    rows->column[next]  = j;
    rows->value[next++] = row[j];
  }
  rows->first[r + 1] = next; /* of rows that are still to come the first entry is behind the last, so that they are empty */
  PetscFunctionReturn(PETSC_SUCCESS);
}

void LinearRowsGet(const LinearRows *rows, PetscInt r, PetscReal row[])
{
  for (PetscInt j = 0; j < rows->n; j++) row[j] = rows->dense ? rows->dense[(size_t)r * (size_t)rows->n + (size_t)j] : 0.0;
  for (PetscInt e = rows->dense ? 0 : rows->first[r]; !rows->dense && e < rows->first[r + 1]; e++) row[rows->column[e]] = rows->value[e];
}

PetscReal LinearRowsTimesOne(const LinearRows *rows, PetscInt r, const PetscReal motion[])
{
  PetscReal sum = 0.0;

  if (rows->dense) return RowsTimesOne(rows->n, rows->dense + (size_t)r * (size_t)rows->n, motion);
  for (PetscInt e = rows->first[r]; e < rows->first[r + 1]; e++) sum += rows->value[e] * motion[rows->column[e]];
  return sum;
}

void LinearRowsTimes(const LinearRows *rows, const PetscReal motion[], PetscReal product[])
{
  if (rows->dense) RowsTimes(rows->count, rows->n, rows->dense, motion, product);
  else
    for (PetscInt r = 0; r < rows->count; r++) product[r] = LinearRowsTimesOne(rows, r, motion);
}

void LinearRowsCombine(const LinearRows *rows, const PetscReal force[], PetscReal sum[])
{
  if (rows->dense) RowsCombine(rows->count, rows->n, rows->dense, force, sum);
  else {
    for (PetscInt j = 0; j < rows->n; j++) sum[j] = 0.0;
    for (PetscInt r = 0; r < rows->count; r++)
      for (PetscInt e = rows->first[r]; e < rows->first[r + 1]; e++) sum[rows->column[e]] += rows->value[e] * force[r];
  }
}
