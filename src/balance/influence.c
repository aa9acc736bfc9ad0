/* influence.c - products with what forces at the joints move the joints by. */
#include "balance/influence.h"
#include "rows.h"

/* Their contents change between studies and stages, their addresses need not. */
static PetscInt64 NextSerial(void)
{
  static PetscInt64 last = 0;

  return ++last;
}

Influence InfluenceOfMatrix(PetscInt m, const PetscReal matrix[])
{
  return (Influence){.serial = NextSerial(), .m = m, .num = m, .compliance = ComplianceOfMatrix(m, matrix)};
}

Influence InfluenceOfProducts(PetscInt m, const InfluenceProducts *products)
{
  return (Influence){.serial = NextSerial(), .m = m, .products = products};
}

PetscErrorCode InfluenceOfResidual(const System *system, PetscInt m, PetscInt num_shares, const PetscReal left[], const PetscReal right[],
                                   PetscReal factor, Influence *influence)
{
  PetscFunctionBegin;
  *influence = (Influence){.serial     = NextSerial(),
                           .m          = m,
                           .num        = system->names.num_nonlinear,
                           .compliance = *system->residual->compliance, /* nonlinear rows are the first places */
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
  PetscCall(PetscArraycpy(extended->own_matrix, extended->compliance.slice, m * m));
  for (PetscInt k = 0; k < count; k++)
    for (PetscInt i = 0; i < num; i++)
      for (PetscInt j = 0; j < num; j++) extended->own_matrix[i * m + j] += left[k * num + i] * right[k * num + j];
  extended->compliance = ComplianceOfMatrix(m, extended->own_matrix);
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

void InfluenceMove(const Influence *influence, const PetscReal force[], PetscReal motion[])
{
  ComplianceMove(&influence->compliance, influence->num, force, 0, influence->num, motion);
  for (PetscInt i = influence->num; i < influence->m; i++) motion[i] = 0.0;
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

PetscErrorCode InfluenceSelect(const Influence *influence, PetscInt count, const PetscInt rows[], ComplianceSelection *selection)
{
  const PetscInt   n    = influence->num_shares;
  PetscReal *const left = influence->share ? influence->share + n : NULL, *const right = left ? left + influence->m * n : NULL;

  PetscFunctionBegin;
  if (n) Pick(n, count, rows, influence->left, left);
  if (n) Pick(n, count, rows, influence->right, right);
  PetscCall(ComplianceSelect(&influence->compliance, count, rows, n, influence->factor, left, right, selection));
  PetscFunctionReturn(PETSC_SUCCESS);
}
