/* equation_tangents.c - dR/dx = 1 + H A of a balance of harmonics, A the tangents of the points: as products, and as a matrix where it is small. */
#include "equation_tangents.h"
#include "rows.h"

/* Those of all rows are at hand. */
static PetscErrorCode TakeActiveRows(HarmonicEquation *e, PetscInt count)
{
  const HarmonicRows *const all = &e->influence->all;
  const size_t              n = (size_t)e->structure->n, rows = (size_t)count, needed = rows * (n + (all->residual ? rows : 0));
  const PetscInt            P = e->basis->num_functions;
  PetscReal                *residual;

  PetscFunctionBeginHot;
  e->active_rows = *all;
  if (count == e->m) PetscFunctionReturn(PETSC_SUCCESS);
  if (needed > e->active_room) {
    e->active_room = needed + needed / 4;
    PetscCall(PetscFree(e->active_numbers));
    PetscCall(PetscMalloc1(e->active_room, &e->active_numbers));
  }
  residual       = e->active_numbers + rows * n;
  e->active_rows = (HarmonicRows){count, e->active_numbers, all->residual ? residual : NULL};
  for (PetscInt a = 0; a < count; a++) {
    const size_t r = (size_t)(e->active[a * P] / P);

    PetscCall(PetscArraycpy(e->active_numbers + (size_t)a * n, all->map + r * n, n));
    for (PetscInt b = 0; all->residual && b < count; b++)
      residual[(size_t)a * rows + (size_t)b] = all->residual[r * (size_t)e->m + (size_t)(e->active[b * P] / P)];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EquationListActive(HarmonicEquation *e)
{
  const PetscInt P = e->basis->num_functions;

  PetscFunctionBeginHot;
  for (PetscInt r = 0; r < e->m; r++) e->column[r] = -1;
  for (PetscInt b = 0; b < e->num_blocks; b++) {
    const SystemBlock *const block = &e->structure->system->blocks[b];
    const PetscInt           num   = block->block.num_points;

    for (PetscInt c = 0; c < num * block->block.law->dim; c++)
      for (PetscInt t = block->first[c]; e->left[b][c % num] && t < block->first[c + 1]; t++) e->column[block->row[t]] = 0;
  }
  e->num_active = 0;
  for (PetscInt r = 0; r < e->m; r++) {
    if (e->column[r] < 0) continue;
    e->column[r] = e->num_active;
    for (PetscInt j = 0; j < P; j++) e->active[e->num_active++] = r * P + j;
  }
  PetscCall(TakeActiveRows(e, e->num_active / P));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EquationGather(const HarmonicEquation *e, const SystemBlock *block, PetscInt point, const PetscInt place[], const PetscReal x[],
                    PetscReal motion[])
{
  const PetscInt P = e->basis->num_functions, num = block->block.num_points;

  for (PetscInt c = 0; c < block->block.law->dim; c++) {
    for (PetscInt j = 0; j < P; j++) motion[c * P + j] = 0.0;
    for (PetscInt t = block->first[c * num + point]; t < block->first[c * num + point + 1]; t++)
      for (PetscInt j = 0; j < P; j++) motion[c * P + j] += block->factor[t] * x[place[block->row[t]] + j];
  }
}

void EquationScatter(const HarmonicEquation *e, const SystemBlock *block, PetscInt point, const PetscInt place[], const PetscReal force[],
                     PetscReal y[])
{
  const PetscInt P = e->basis->num_functions, num = block->block.num_points;

  for (PetscInt c = 0; c < block->block.law->dim; c++)
    for (PetscInt t = block->first[c * num + point]; t < block->first[c * num + point + 1]; t++)
      for (PetscInt j = 0; j < P; j++) y[place[block->row[t]] + j] += block->factor[t] * force[c * P + j];
}

static void TimesPoint(PetscInt size, const PetscReal tangent[], PetscBool transposed, const PetscReal x[], PetscReal y[])
{
  if (!transposed) RowsTimes(size, size, tangent, x, y);
  else {
    for (PetscInt j = 0; j < size; j++) y[j] = 0.0;
    for (PetscInt i = 0; i < size; i++)
      for (PetscInt j = 0; j < size; j++) y[j] += x[i] * tangent[i * size + j];
  }
}

/* y += A x, or A^T x. */
static void AddTangents(const HarmonicEquation *e, PetscBool transposed, const PetscInt place[], const PetscReal x[], PetscReal y[])
{
  for (PetscInt b = 0; b < e->num_blocks; b++) {
    const SystemBlock *const block = &e->structure->system->blocks[b];
    const PetscInt           size  = block->block.law->dim * e->basis->num_functions;
    PetscReal *const motion = e->point, *const force = motion + size;

    for (PetscInt i = 0; i < block->block.num_points; i++) {
      if (!e->left[b][i]) continue;
      EquationGather(e, block, i, place, x, motion);
      TimesPoint(size, e->tangents[b] + (size_t)i * (size_t)(size * size), transposed, motion, force);
      EquationScatter(e, block, i, place, force, y);
    }
  }
}

void EquationAddTransposed(const HarmonicEquation *e, const PetscInt place[], const PetscReal x[], PetscReal y[])
{
  AddTangents(e, PETSC_TRUE, place, x, y);
}

PetscErrorCode HarmonicEquationTimes(const HarmonicEquation *e, const PetscReal x[], PetscReal product[])
{
  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(e->force, e->n));
  PetscCall(PetscArraycpy(product, x, e->n));
  AddTangents(e, PETSC_FALSE, e->place, x, e->force);
  PetscCall(HarmonicInfluenceAdd(e->influence, INFLUENCE_ITSELF, &e->influence->all, e->force, product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicEquationActiveTimes(const HarmonicEquation *e, const PetscReal x[], PetscReal product[])
{
  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(e->force, e->num_active));
  PetscCall(PetscArraycpy(product, x, e->num_active));
  AddTangents(e, PETSC_FALSE, e->column, x, e->force);
  PetscCall(HarmonicInfluenceAdd(e->influence, INFLUENCE_ITSELF, &e->active_rows, e->force, product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The other sign for all sines. */
static void Mirror(const HarmonicEquation *e, PetscReal x[])
{
  const HarmonicBasis *const basis = e->basis;

  for (PetscInt r = 0; r < e->m; r++)
    for (PetscInt h = 0; h < basis->num_harmonics; h++)
      if (basis->harmonic[h]) x[r * basis->num_functions + basis->first[h] + 1] *= -1.0;
}

/* H_k being symmetric as complex numbers, H^T is H between mirrors. */
PetscErrorCode HarmonicEquationTimesTransposed(const HarmonicEquation *e, const PetscReal x[], PetscReal product[])
{
  PetscReal *moved, *mirrored;

  PetscFunctionBeginHot;
  PetscCall(PetscCalloc2(e->n, &moved, e->n, &mirrored));
  PetscCall(PetscArraycpy(mirrored, x, e->n));
  Mirror(e, mirrored);
  PetscCall(HarmonicInfluenceAdd(e->influence, INFLUENCE_ITSELF, &e->influence->all, mirrored, moved));
  Mirror(e, moved);
  PetscCall(PetscArraycpy(product, x, e->n));
  AddTangents(e, PETSC_TRUE, e->place, moved, product);
  PetscCall(PetscFree2(moved, mirrored));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* H_k of a harmonic, between active rows. */
typedef struct {
  PetscInt   h;
  size_t     stride;
  PetscReal *re, *im, *matrix;
} Assembly;

/* Adds H_k A, where A are the tangents [P, P] of force row q by motion row s. */
static void AddToMatrix(const HarmonicEquation *e, const Assembly *to, PetscInt q, PetscInt s, const PetscReal tangent[], PetscInt stride,
                        PetscReal factor)
{
  const PetscInt         P = e->basis->num_functions, rows = e->active_rows.count, i = e->basis->first[to->h];
  const PetscReal *const c = tangent + i * stride, *const sine = c + stride;

  for (PetscInt r = 0; r < rows; r++) {
    const PetscReal  a = factor * to->re[r * rows + q], b = factor * to->im[r * rows + q];
    PetscReal *const to_c = to->matrix + (size_t)(r * P + i) * to->stride + e->column[s], *const to_s = to_c + to->stride;

    if (e->basis->harmonic[to->h] == 0)
      for (PetscInt j = 0; j < P; j++) to_c[j] += a * c[j];
    else
      for (PetscInt j = 0; j < P; j++) {
        to_c[j] += a * c[j] + b * sine[j];
        to_s[j] += a * sine[j] - b * c[j];
      }
  }
}

/* Tangents of a point, wherever its components take their motions from and give their forces to. */
static void AddPointToMatrix(const HarmonicEquation *e, const Assembly *to, const SystemBlock *block, PetscInt point, const PetscReal tangent[])
{
  const PetscInt P = e->basis->num_functions, num = block->block.num_points, dim = block->block.law->dim, stride = dim * P;

  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt d = 0; d < dim; d++)
      for (PetscInt t = block->first[c * num + point]; t < block->first[c * num + point + 1]; t++)
        for (PetscInt u = block->first[d * num + point]; u < block->first[d * num + point + 1]; u++)
          AddToMatrix(e, to, e->column[block->row[t]] / P, block->row[u], tangent + c * P * stride + d * P, stride,
                      block->factor[t] * block->factor[u]);
}

PetscErrorCode HarmonicEquationActiveMatrix(const HarmonicEquation *e, size_t stride, PetscReal matrix[])
{
  const PetscInt rows = e->active_rows.count;
  Assembly       to   = {.stride = stride, .matrix = matrix};

  PetscFunctionBeginHot;
  for (PetscInt a = 0; a < e->num_active; a++)
    for (PetscInt i = 0; i < e->num_active; i++) matrix[(size_t)a * stride + (size_t)i] = a == i;
  PetscCall(PetscMalloc2(rows * rows, &to.re, rows * rows, &to.im));
  for (to.h = 0; to.h < e->basis->num_harmonics; to.h++) {
    PetscCall(HarmonicInfluenceMatrix(e->influence, to.h, &e->active_rows, to.re, to.im));
    for (PetscInt b = 0; b < e->num_blocks; b++) {
      const SystemBlock *const block = &e->structure->system->blocks[b];
      const PetscInt           size  = block->block.law->dim * e->basis->num_functions;

      for (PetscInt i = 0; i < block->block.num_points; i++)
        if (e->left[b][i]) AddPointToMatrix(e, &to, block, i, e->tangents[b] + (size_t)i * (size_t)(size * size));
    }
  }
  PetscCall(PetscFree2(to.re, to.im));
  PetscFunctionReturn(PETSC_SUCCESS);
}
