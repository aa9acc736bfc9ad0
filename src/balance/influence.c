/* influence.c - products with what forces at the joints move the joints by. */
#include "balance/influence.h"
#include <petscblaslapack.h>

/* Their contents change between studies and stages, their addresses need not. */
static PetscInt64 NextSerial(void)
{
  static PetscInt64 last = 0;

  return ++last;
}

Influence InfluenceOfMatrix(PetscInt m, const PetscReal matrix[])
{
  return (Influence){.serial = NextSerial(), .m = m, .num = m, .stride = m, .matrix = matrix};
}

PetscErrorCode InfluenceOfResidual(const System *system, PetscInt m, PetscInt num_shares, const PetscReal left[], const PetscReal right[],
                                   PetscReal factor, Influence *influence)
{
  PetscFunctionBegin;
  *influence = (Influence){.serial     = NextSerial(),
                           .m          = m,
                           .num        = system->names.num_nonlinear,
                           .stride     = system->residual->num_places,
                           .matrix     = system->residual->compliance, /* nonlinear rows are the first places */
                           .lasting    = PETSC_TRUE,
                           .num_shares = num_shares,
                           .left       = left,
                           .right      = right,
                           .factor     = factor};
  PetscCall(PetscMalloc1(num_shares + 2 * m * num_shares, &influence->share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Columns beside those that are there, of rows [count, num]. */
static PetscErrorCode Append(PetscInt m, PetscInt num_shares, const PetscReal shares[], PetscReal factor, PetscInt count, PetscInt num,
                             const PetscReal rows[], PetscReal **appended)
{
  const PetscInt width = num_shares + count;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)m * (size_t)width, appended));
  for (PetscInt i = 0; i < num; i++) {
    for (PetscInt j = 0; j < num_shares; j++) (*appended)[i * width + j] = factor * shares[i * num_shares + j];
    for (PetscInt k = 0; k < count; k++) (*appended)[i * width + num_shares + k] = rows[k * num + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddToMatrix(PetscInt count, PetscInt num, const PetscReal left[], const PetscReal right[], Influence *extended)
{
  const PetscInt m = extended->m;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m * m, &extended->own_matrix));
  PetscCall(PetscArraycpy(extended->own_matrix, extended->matrix, m * m));
  for (PetscInt k = 0; k < count; k++)
    for (PetscInt i = 0; i < num; i++)
      for (PetscInt j = 0; j < num; j++) extended->own_matrix[i * m + j] += left[k * num + i] * right[k * num + j];
  extended->matrix = extended->own_matrix;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InfluenceExtend(const Influence *influence, PetscInt count, PetscInt num, const PetscReal left[], const PetscReal right[],
                               Influence *extended)
{
  const PetscInt m = influence->m, num_shares = influence->num_shares;

  PetscFunctionBegin;
  *extended        = *influence;
  extended->serial = NextSerial();
  extended->share = extended->own_matrix = extended->own_left = extended->own_right = NULL;
  if (!influence->lasting) {
    PetscCall(AddToMatrix(count, num, left, right, extended));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(Append(m, num_shares, influence->left, influence->factor, count, num, left, &extended->own_left));
  PetscCall(Append(m, num_shares, influence->right, 1.0, count, num, right, &extended->own_right));
  extended->num_shares = num_shares + count;
  extended->left       = extended->own_left;
  extended->right      = extended->own_right;
  extended->factor     = 1.0;
  PetscCall(PetscMalloc1(extended->num_shares + 2 * m * extended->num_shares, &extended->share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InfluenceDestroy(Influence *influence)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(influence->share));
  PetscCall(PetscFree(influence->own_matrix));
  PetscCall(PetscFree(influence->own_left));
  PetscCall(PetscFree(influence->own_right));
  *influence = (Influence){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* y += the rows times their forces, four at a time. */
static void AddRows(PetscInt n, const PetscReal *const rows[ROWS_GROUP], const PetscReal f[ROWS_GROUP], PetscReal *restrict y)
{
  const PetscReal *const r0 = rows[0], *const r1 = rows[1], *const r2 = rows[2], *const r3 = rows[3];
  PetscInt j = 0;

  for (; j + ROWS_LANES <= n; j += ROWS_LANES)
    RowsStore(y + j, RowsLoad(y + j) + (f[0] * RowsLoad(r0 + j) + f[1] * RowsLoad(r1 + j)) + (f[2] * RowsLoad(r2 + j) + f[3] * RowsLoad(r3 + j)));
  for (; j < n; j++) y[j] += (f[0] * r0[j] + f[1] * r1[j]) + (f[2] * r2[j] + f[3] * r3[j]);
}

/* R is symmetric: its rows are taken that have a force. */
void InfluenceMove(const Influence *influence, const PetscReal force[], PetscReal motion[])
{
  const PetscReal *rows[ROWS_GROUP];
  PetscReal        forces[ROWS_GROUP] = {0.0};
  PetscInt         count              = 0;

  for (PetscInt i = 0; i < influence->m; i++) motion[i] = 0.0;
  for (PetscInt i = 0; i < influence->num; i++) {
    if (force[i] == 0.0) continue;
    rows[count]     = influence->matrix + (size_t)i * (size_t)influence->stride;
    forces[count++] = force[i];
    if (count < ROWS_GROUP) continue;
    AddRows(influence->num, rows, forces, motion);
    count = 0;
  }
  for (PetscInt k = count; k < ROWS_GROUP && count > 0; k++) {
    rows[k]   = rows[0];
    forces[k] = 0.0;
  }
  if (count > 0) AddRows(influence->num, rows, forces, motion);
}

void InfluenceTakeShares(const Influence *influence, const PetscReal force[], PetscReal motion[])
{
  const PetscInt n = influence->num_shares;

  if (n == 0) return;
  RowsCombine(influence->m, n, influence->right, force, influence->share);
  for (PetscInt j = 0; j < n; j++) influence->share[j] *= influence->factor;
  for (PetscInt i = 0; i < influence->num; i++) motion[i] -= RowsTimesOne(n, influence->left + i * n, influence->share);
}

/* Some of the rows [m, n], one after the other. */
static void Pick(PetscInt n, PetscInt count, const PetscInt rows[], const PetscReal from[], PetscReal to[])
{
  for (PetscInt a = 0; a < count; a++)
    for (PetscInt j = 0; j < n; j++) to[a * n + j] = from[rows[a] * n + j];
}

void InfluenceGather(const Influence *influence, PetscInt count, const PetscInt rows[], PetscReal gathered[])
{
  const PetscInt     n    = influence->num_shares;
  const PetscReal    one  = 1.0;
  const PetscBLASInt size = (PetscBLASInt)count, width = (PetscBLASInt)n;
  PetscReal *const left = influence->share + n, *const right = left + influence->m * n;

  for (PetscInt a = 0; a < count; a++) {
    const PetscReal *const row = influence->matrix + (size_t)rows[a] * (size_t)influence->stride;

    for (PetscInt b = 0; b < count; b++) gathered[a * count + b] = row[rows[b]];
  }
  if (n == 0 || count == 0) return;
  Pick(n, count, rows, influence->left, left);
  Pick(n, count, rows, influence->right, right);
  BLASgemm_("T", "N", &size, &size, &width, &influence->factor, right, &width, left, &width, &one, gathered, &size);
}
