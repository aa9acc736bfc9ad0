/* mean_tangents.c - what a balance of harmonics is near to: points with the mean of their tangents. */
#include "mean_tangents.h"

enum { MOST_LOW = 100 }; /* modes above follow statically: it is only what an iteration begins from */

PetscErrorCode MeanTangentsCreate(const HarmonicEquation *e, MeanTangents *mean)
{
  const size_t harmonics = (size_t)e->basis->num_harmonics, P = (size_t)e->basis->num_functions;
  size_t       low;

  PetscFunctionBegin;
  *mean = (MeanTangents){.low = PetscMin(e->structure->n, MOST_LOW)};
  low   = (size_t)mean->low;
  PetscCall(PetscMalloc4(harmonics * 4 * low * low, &mean->of_modes, harmonics * 2 * low, &mean->mode_pivots, low * low, &mean->shared, (P + 2) * low,
                         &mean->q));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FreeRows(MeanTangents *mean)
{
  PetscFunctionBegin;
  if (mean->capacity) PetscCall(PetscFree5(mean->factors, mean->pivots, mean->force, mean->motion, mean->y));
  mean->capacity = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeanTangentsDestroy(MeanTangents *mean)
{
  PetscFunctionBegin;
  PetscCall(FreeRows(mean));
  PetscCall(PetscFree4(mean->of_modes, mean->mode_pivots, mean->shared, mean->q));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MakeRoom(const HarmonicEquation *e, MeanTangents *mean)
{
  const PetscInt wanted = e->active_rows.count + e->active_rows.count / 8;
  const size_t   rows = (size_t)wanted, low = (size_t)mean->low;

  PetscFunctionBegin;
  mean->rows    = e->active_rows.count;
  mean->is_unit = (PetscBool)(!e->active_rows.residual && mean->low == e->structure->n);
  if (mean->rows <= mean->capacity) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FreeRows(mean));
  PetscCall(PetscMalloc5(mean->is_unit ? 0 : rows * rows, &mean->factors, rows, &mean->pivots, rows * low, &mean->force, rows * low, &mean->motion,
                         rows * (size_t)e->basis->num_functions, &mean->y));
  mean->capacity = wanted;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* R and the compliance of high modes: [rows, rows]; borrowed where that is R alone. */
static PetscErrorCode FindResidual(const HarmonicEquation *e, const MeanTangents *mean, PetscReal **room, const PetscReal **residual)
{
  const HarmonicStructure *const s    = e->structure;
  const HarmonicRows *const      rows = &e->active_rows;
  PetscReal                     *weight, *scaled;

  PetscFunctionBegin;
  *room     = NULL;
  *residual = rows->residual;
  if (mean->low == s->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc2(s->n, &weight, s->n, &scaled));
  PetscCall(PetscMalloc1((size_t)rows->count * (size_t)rows->count, room));
  for (PetscInt j = mean->low; j < s->n; j++) weight[j] = 1.0 / s->eigenvalue[j];
  HarmonicStructureSum(s, rows, weight, scaled, *room);
  for (size_t i = 0; rows->residual && i < (size_t)rows->count * (size_t)rows->count; i++) (*room)[i] += rows->residual[i];
  *residual = *room;
  PetscCall(PetscFree2(weight, scaled));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mean of a tangent [P, P] over all functions. */
static PetscReal MeanOf(PetscInt P, PetscInt stride, const PetscReal tangent[])
{
  PetscReal sum = 0.0;

  for (PetscInt j = 0; j < P; j++) sum += tangent[j * stride + j];
  return sum / (PetscReal)P;
}

/* Forces on row q by motions of row s: to F, and by R', symmetric, to T. */
static void AddRow(const HarmonicEquation *e, MeanTangents *mean, const PetscReal residual[], PetscInt q, PetscInt s, PetscReal value)
{
  const size_t           rows = (size_t)mean->rows;
  const PetscReal *const b    = e->active_rows.map + (size_t)q * (size_t)e->structure->n;

  for (PetscInt j = 0; j < mean->low; j++) mean->force[s * mean->low + j] += value * b[j];
  if (mean->is_unit) return;
  for (size_t r = 0; r < rows; r++) mean->factors[(size_t)s * rows + r] += value * residual[(size_t)q * rows + r];
}

static void AddPoint(const HarmonicEquation *e, MeanTangents *mean, const PetscReal residual[], const SystemBlock *block, PetscInt point,
                     const PetscReal tangent[])
{
  const PetscInt P = e->basis->num_functions, num = block->block.num_points, dim = block->block.law->dim;

  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt d = 0; d < dim; d++) {
      const PetscReal value = MeanOf(P, dim * P, tangent + c * P * dim * P + d * P);

      if (value == 0.0) continue;
      for (PetscInt t = block->first[c * num + point]; t < block->first[c * num + point + 1]; t++)
        for (PetscInt u = block->first[d * num + point]; u < block->first[d * num + point + 1]; u++)
          AddRow(e, mean, residual, e->column[block->row[t]] / P, e->column[block->row[u]] / P, block->factor[t] * block->factor[u] * value);
    }
}

/* T, F, and B Phi of the lowest modes by columns. */
static PetscErrorCode Fill(const HarmonicEquation *e, MeanTangents *mean)
{
  const PetscInt   rows = mean->rows, n = e->structure->n;
  PetscReal       *room;
  const PetscReal *residual;

  PetscFunctionBeginHot;
  PetscCall(FindResidual(e, mean, &room, &residual));
  PetscCall(PetscArrayzero(mean->force, rows * mean->low));
  if (!mean->is_unit) PetscCall(PetscArrayzero(mean->factors, (size_t)rows * (size_t)rows));
  for (size_t r = 0; !mean->is_unit && r < (size_t)rows; r++) mean->factors[r * (size_t)rows + r] = 1.0;
  for (PetscInt j = 0; j < mean->low; j++)
    for (PetscInt r = 0; r < rows; r++) mean->motion[j * rows + r] = e->active_rows.map[r * n + j];
  for (PetscInt b = 0; b < e->num_blocks; b++) {
    const SystemBlock *const block = &e->structure->system->blocks[b];
    const PetscInt           size  = block->block.law->dim * e->basis->num_functions;

    for (PetscInt i = 0; i < block->block.num_points; i++)
      if (e->left[b][i]) AddPoint(e, mean, residual, block, i, e->tangents[b] + (size_t)i * (size_t)(size * size));
  }
  PetscCall(PetscFree(room));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* T^-1 of columns, in place. */
static PetscErrorCode SolveRows(const MeanTangents *mean, PetscInt count, PetscReal x[])
{
  PetscBLASInt rows, columns, info;

  PetscFunctionBeginHot;
  if (mean->is_unit) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscBLASIntCast(mean->rows, &rows));
  PetscCall(PetscBLASIntCast(count, &columns));
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &rows, &columns, mean->factors, &rows, mean->pivots, x, &rows, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrs: %d", (int)info);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* product [low, count], by columns, = F x[rows, count]. */
static PetscErrorCode TimesForce(const MeanTangents *mean, PetscInt count, const PetscReal x[], PetscReal product[])
{
  const PetscReal one = 1.0, zero = 0.0;
  PetscBLASInt    rows, low, columns;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(mean->rows, &rows));
  PetscCall(PetscBLASIntCast(mean->low, &low));
  PetscCall(PetscBLASIntCast(count, &columns));
  PetscCallBLAS("BLASgemm", BLASgemm_("N", "N", &low, &columns, &rows, &one, mean->force, &low, x, &rows, &zero, product, &low));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* [ 1 + Re E   Im E ; -Im E   1 + Re E ] of the cosines and sines of a harmonic, by columns. */
static void FillModes(const HarmonicEquation *e, PetscInt h, const MeanTangents *mean, PetscReal matrix[])
{
  const PetscInt         low = mean->low, size = 2 * low;
  const PetscReal *const re = e->influence->weight + h * NUM_MODE_WEIGHTS * e->structure->n, *const im = re + e->structure->n;

  for (PetscInt j = 0; j < low; j++)
    for (PetscInt i = 0; i < low; i++) {
      const PetscReal shared = mean->shared[j * low + i];

      matrix[j * size + i] = matrix[(low + j) * size + low + i] = (i == j ? 1.0 : 0.0) + re[i] * shared;
      matrix[(low + j) * size + i]                              = im[i] * shared;
      matrix[j * size + low + i]                                = -im[i] * shared;
    }
}

PetscErrorCode MeanTangentsFactor(const HarmonicEquation *e, MeanTangents *mean, PetscBool *regular)
{
  PetscBLASInt rows, size, info = 0;

  PetscFunctionBeginHot;
  PetscCall(MakeRoom(e, mean));
  PetscCall(Fill(e, mean));
  PetscCall(PetscBLASIntCast(mean->rows, &rows));
  PetscCall(PetscBLASIntCast(2 * mean->low, &size));
  if (!mean->is_unit) PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&rows, &rows, mean->factors, &rows, mean->pivots, &info));
  *regular = (PetscBool)(info == 0);
  if (!*regular) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SolveRows(mean, mean->low, mean->motion));
  PetscCall(TimesForce(mean, mean->low, mean->motion, mean->shared));
  for (PetscInt h = 0; h < e->basis->num_harmonics && info == 0; h++) {
    PetscReal *const matrix = mean->of_modes + (size_t)h * (size_t)(size * size);

    FillModes(e, h, mean, matrix);
    PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&size, &size, matrix, &size, mean->mode_pivots + h * size, &info));
  }
  *regular = (PetscBool)(info == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* z of a harmonic, in place of F T^-1 b: columns of its cosine and sine. */
static PetscErrorCode SolveModes(const HarmonicEquation *e, const MeanTangents *mean, PetscInt h, PetscReal right[], PetscReal q[])
{
  const PetscInt         low  = mean->low;
  const PetscBool        wave = (PetscBool)(e->basis->harmonic[h] != 0);
  const PetscReal *const re = e->influence->weight + h * NUM_MODE_WEIGHTS * e->structure->n, *const im = re + e->structure->n;
  PetscBLASInt size, one                                                                               = 1, info;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(2 * low, &size));
  for (PetscInt j = 0; j < low; j++) {
    const PetscReal c = q[j], s = wave ? q[low + j] : 0.0;

    right[j]       = re[j] * c + im[j] * s;
    right[low + j] = re[j] * s - im[j] * c;
  }
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &size, &one, mean->of_modes + (size_t)h * (size_t)(size * size), &size, mean->mode_pivots + h * size,
                                            right, &size, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrs: %d", (int)info);
  PetscCall(PetscArraycpy(q, right, wave ? 2 * low : low));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeanTangentsSolve(const HarmonicEquation *e, MeanTangents *mean, const PetscReal b[], PetscReal y[])
{
  const PetscInt  P = e->basis->num_functions, rows = mean->rows;
  const PetscReal one = 1.0, minus = -1.0;
  PetscBLASInt    order, low, columns;

  PetscFunctionBeginHot;
  for (PetscInt r = 0; r < rows; r++)
    for (PetscInt j = 0; j < P; j++) mean->y[j * rows + r] = b[r * P + j];
  PetscCall(SolveRows(mean, P, mean->y));
  PetscCall(TimesForce(mean, P, mean->y, mean->q));
  for (PetscInt h = 0; h < e->basis->num_harmonics; h++)
    PetscCall(SolveModes(e, mean, h, mean->q + P * mean->low, mean->q + e->basis->first[h] * mean->low));
  PetscCall(PetscBLASIntCast(rows, &order));
  PetscCall(PetscBLASIntCast(mean->low, &low));
  PetscCall(PetscBLASIntCast(P, &columns));
  PetscCallBLAS("BLASgemm", BLASgemm_("N", "N", &order, &columns, &low, &minus, mean->motion, &order, mean->q, &low, &one, mean->y, &order));
  for (PetscInt r = 0; r < rows; r++)
    for (PetscInt j = 0; j < P; j++) y[r * P + j] = mean->y[j * rows + r];
  PetscFunctionReturn(PETSC_SUCCESS);
}
