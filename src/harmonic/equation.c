/* equation.c - the balance of harmonics: what is left of it, and how that changes. */
#include "harmonic/equation.h"
#include "rows.h"

static const PetscReal STUCK = 1e-12; /* tangents that differ less from the reference, relative to it, do not count */

static PetscInt LargestPoint(const System *system)
{
  PetscInt dim = 1;

  for (PetscInt b = 0; b < system->num_blocks; b++) dim = PetscMax(dim, system->blocks[b].block.law->dim);
  return dim;
}

/* Slices of one array, so that they are freed together. */
static PetscErrorCode Allocate(HarmonicEquation *e)
{
  const PetscInt P = e->basis->num_functions, dim = LargestPoint(e->structure->system), n = e->n, mm = e->m * e->m,
                 harmonics = e->basis->num_harmonics;
  const PetscInt size      = 3 * n + 2 + NUM_HARMONIC_PARAMETERS * n + 2 * n + 6 * mm * harmonics;
  PetscReal     *place;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(size, &e->numbers));
  PetscCall(PetscCalloc1(3 * dim * P, &e->point));
  PetscCall(PetscCalloc6(n, &e->active, e->m, &e->column, harmonics, &e->influence, e->num_blocks, &e->periods, e->num_blocks, &e->tangents,
                         e->num_blocks, &e->left));
  place            = e->numbers;
  e->remainder     = place, place += n;
  e->residual      = place, place += n;
  e->by_rate       = place, place += n;
  e->mode_equation = place, place += 2;
  e->by_parameter  = place, place += NUM_HARMONIC_PARAMETERS * n;
  e->mode_rows     = place, place += 2 * n;
  for (PetscInt h = 0; h < harmonics; h++, place += 6 * mm)
    e->influence[h] = (HarmonicInfluence){place, place + mm, place + 2 * mm, place + 3 * mm, place + 4 * mm, place + 5 * mm};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicEquationCreate(const HarmonicStructure *structure, const HarmonicBasis *basis, HarmonicEquation **equation)
{
  const System     *system = structure->system;
  HarmonicEquation *e;

  PetscFunctionBegin;
  PetscCall(PetscNew(equation));
  e             = *equation;
  e->structure  = structure;
  e->basis      = basis;
  e->m          = structure->m;
  e->n          = structure->m * basis->num_functions;
  e->num_blocks = system->num_blocks;
  PetscCall(Allocate(e));
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    PetscCall(PeriodCreate(&system->blocks[b], basis, &e->periods[b]));
    PetscCall(PetscMalloc1(system->blocks[b].block.num_points, &e->left[b]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicEquationDestroy(HarmonicEquation **equation)
{
  HarmonicEquation *const e = *equation;

  PetscFunctionBegin;
  if (!e) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < e->num_blocks; b++) {
    PetscCall(PeriodDestroy(&e->periods[b]));
    PetscCall(PetscFree(e->tangents[b]));
    PetscCall(PetscFree(e->left[b]));
  }
  PetscCall(PetscFree6(e->active, e->column, e->influence, e->periods, e->tangents, e->left));
  PetscCall(PetscFree(e->jacobian));
  PetscCall(PetscFree(e->numbers));
  PetscCall(PetscFree(e->point));
  PetscCall(PetscFree(*equation));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool HarmonicEquationFloats(const HarmonicEquation *equation)
{
  return (PetscBool)(equation->structure->floats && !equation->basis->odd);
}

PetscReal HarmonicLargest(PetscInt n, const PetscReal x[])
{
  PetscReal largest = 0.0;

  for (PetscInt i = 0; i < n; i++) largest = PetscMax(largest, PetscAbsReal(x[i]));
  return largest;
}

static PetscErrorCode FindInfluences(HarmonicEquation *e)
{
  const HarmonicSetting    s          = e->setting;
  const HarmonicExcitation excitation = {s.damping, s.mode};

  PetscFunctionBeginHot;
  for (PetscInt h = 0; h < e->basis->num_harmonics; h++) {
    HarmonicInfluence wanted = e->influence[h];

    if (s.mode < 0) wanted.by_damping_re = wanted.by_damping_im = NULL;
    PetscCall(HarmonicStructureInfluence(e->structure, e->basis->harmonic[h], s.frequency, excitation, &wanted));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* y += H g of real numbers: C: Re C + Im S, S: Re S - Im C. Of all rows. */
static void AddInfluence(const HarmonicEquation *e, const PetscReal *const re, const PetscReal *const im, PetscInt h, const PetscReal g[],
                         PetscReal y[])
{
  const PetscInt  m = e->m, P = e->basis->num_functions, j = e->basis->first[h];
  const PetscBool wave = (PetscBool)(e->basis->harmonic[h] != 0);

  for (PetscInt r = 0; r < m; r++)
    for (PetscInt q = 0; q < m; q++) {
      const PetscReal a = re[r * m + q], b = im[r * m + q];

      y[r * P + j] += a * g[q * P + j];
      if (!wave) continue;
      y[r * P + j] += b * g[q * P + j + 1];
      y[r * P + j + 1] += a * g[q * P + j + 1] - b * g[q * P + j];
    }
}

/* The motions of the components of a point, which are combinations of rows. */
static void Gather(const HarmonicEquation *e, const SystemBlock *block, PetscInt point, const PetscReal x[], PetscReal motion[])
{
  const PetscInt P = e->basis->num_functions, num = block->block.num_points;

  for (PetscInt c = 0; c < block->block.law->dim; c++)
    for (PetscInt j = 0; j < P; j++) {
      motion[c * P + j] = 0.0;
      for (PetscInt t = block->first[c * num + point]; t < block->first[c * num + point + 1]; t++)
        motion[c * P + j] += block->factor[t] * x[block->row[t] * P + j];
    }
}

/* f becomes f - k d, and its tangent likewise; whether anything of that is left. */
static PetscBool TakeReference(const HarmonicEquation *e, const SystemBlock *block, PetscInt point, const PetscReal motion[], PetscReal force[],
                               PetscReal tangent[])
{
  const PetscInt P = e->basis->num_functions, dim              = block->block.law->dim;
  PetscReal      stuck[JOINT_MAX_DIM * JOINT_MAX_DIM], largest = 0.0, left = 0.0;

  SystemBlockStiffness(block, JOINT_STUCK, point, stuck);
  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt d = 0; d < dim; d++) {
      const PetscReal k = stuck[c * dim + d];

      largest = PetscMax(largest, PetscAbsReal(k));
      for (PetscInt j = 0; j < P; j++) force[c * P + j] -= k * motion[d * P + j];
      for (PetscInt j = 0; tangent && j < P; j++) tangent[(c * P + j) * dim * P + d * P + j] -= k;
    }
  for (PetscInt i = 0; tangent && i < dim * P * dim * P; i++) left = PetscMax(left, PetscAbsReal(tangent[i]));
  return (PetscBool)(left > STUCK * largest);
}

/* Adds H A to the jacobian, where A are the tangents [P, P] of force row q by motion row s. */
static void AddToJacobian(HarmonicEquation *e, PetscInt q, PetscInt s, const PetscReal tangent[], PetscInt stride, PetscReal factor)
{
  const HarmonicBasis *const basis = e->basis;
  const PetscInt             m = e->m, P = basis->num_functions, n = e->num_active;

  for (PetscInt h = 0; h < basis->num_harmonics; h++) {
    const PetscInt         i = basis->first[h];
    const PetscReal *const c = tangent + i * stride, *const sine = c + stride;

    for (PetscInt r = 0; r < m; r++) {
      const PetscReal  a = factor * e->influence[h].re[r * m + q], b = factor * e->influence[h].im[r * m + q];
      PetscReal *const to_c = e->jacobian + (r * P + i) * n + e->column[s], *const to_s = to_c + n;

      if (basis->harmonic[h] == 0)
        for (PetscInt j = 0; j < P; j++) to_c[j] += a * c[j];
      else
        for (PetscInt j = 0; j < P; j++) {
          to_c[j] += a * c[j] + b * sine[j];
          to_s[j] += a * sine[j] - b * c[j];
        }
    }
  }
}

/* Rows of the mode's own equation: b_0^T A. */
static void AddToMode(HarmonicEquation *e, PetscInt q, PetscInt s, const PetscReal tangent[], PetscInt stride, PetscReal factor)
{
  const PetscInt  P = e->basis->num_functions, i = HarmonicFunction(e->basis, 1);
  const PetscReal b = factor * e->structure->map[q * e->structure->n + e->setting.mode];

  for (PetscInt j = 0; j < P; j++) {
    e->mode_rows[s * P + j] += b * tangent[i * stride + j];
    e->mode_rows[e->n + s * P + j] -= b * tangent[(i + 1) * stride + j];
  }
}

/* Forces of a point, and their changes by W. */
static void AddForces(HarmonicEquation *e, const SystemBlock *block, PetscInt point, const PetscReal force[], const PetscReal by_frequency[],
                      PetscReal change[])
{
  const PetscInt P = e->basis->num_functions, num = block->block.num_points;

  for (PetscInt c = 0; c < block->block.law->dim; c++)
    for (PetscInt t = block->first[c * num + point]; t < block->first[c * num + point + 1]; t++)
      for (PetscInt j = 0; j < P; j++) {
        e->remainder[block->row[t] * P + j] += block->factor[t] * force[c * P + j];
        if (by_frequency) change[block->row[t] * P + j] += block->factor[t] * by_frequency[c * P + j];
      }
}

/* Tangents of a point, wherever its components take their motions from and give their forces to. */
static void AddTangents(HarmonicEquation *e, const SystemBlock *block, PetscInt point, const PetscReal tangent[])
{
  const PetscInt P = e->basis->num_functions, num = block->block.num_points, dim = block->block.law->dim, stride = dim * P;

  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt d = 0; d < dim; d++)
      for (PetscInt t = block->first[c * num + point]; t < block->first[c * num + point + 1]; t++)
        for (PetscInt u = block->first[d * num + point]; u < block->first[d * num + point + 1]; u++) {
          const PetscReal *const part   = tangent + c * P * stride + d * P;
          const PetscReal        factor = block->factor[t] * block->factor[u];

          AddToJacobian(e, block->row[t], block->row[u], part, stride, factor);
          if (e->setting.mode >= 0) AddToMode(e, block->row[t], block->row[u], part, stride, factor);
        }
}

/* Rows that move points of which something is left: their unknowns, and room for their columns, which begin as those of the identity. */
static PetscErrorCode ListActive(HarmonicEquation *e)
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
  if (e->n * e->num_active > e->jacobian_capacity) {
    e->jacobian_capacity = e->n * e->num_active;
    PetscCall(PetscFree(e->jacobian));
    PetscCall(PetscMalloc1(e->jacobian_capacity, &e->jacobian));
  }
  PetscCall(PetscArrayzero(e->jacobian, e->n * e->num_active));
  for (PetscInt a = 0; a < e->num_active; a++) e->jacobian[e->active[a] * e->num_active + a] = 1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AssembleJacobian(HarmonicEquation *e)
{
  PetscFunctionBeginHot;
  PetscCall(ListActive(e));
  PetscCall(PetscArrayzero(e->mode_rows, 2 * e->n));
  for (PetscInt b = 0; b < e->num_blocks; b++) {
    const SystemBlock *const block = &e->structure->system->blocks[b];
    const PetscInt           size  = block->block.law->dim * e->basis->num_functions;

    for (PetscInt i = 0; i < block->block.num_points; i++)
      if (e->left[b][i]) AddTangents(e, block, i, e->tangents[b] + i * size * size);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void HarmonicEquationTimes(const HarmonicEquation *e, const PetscReal change[], PetscReal product[])
{
  const PetscInt P = e->basis->num_functions;

  for (PetscInt i = 0; i < e->n; i++) {
    product[i] = e->column[i / P] < 0 ? change[i] : 0.0;
    for (PetscInt a = 0; a < e->num_active; a++) product[i] += e->jacobian[i * e->num_active + a] * change[e->active[a]];
  }
}

/* G of all points, and their tangents; `change` is that of G by W. */
static PetscErrorCode AddJoints(HarmonicEquation *e, const PetscReal x[], PetscBool differentiate, PetscReal change[])
{
  const PetscInt P = e->basis->num_functions;

  PetscFunctionBeginHot;
  for (PetscInt b = 0; b < e->num_blocks; b++) {
    const SystemBlock *const block = &e->structure->system->blocks[b];
    const PetscInt           size  = block->block.law->dim * P;
    PetscReal *const motion = e->point, *const force = motion + size, *const by_frequency = differentiate ? force + size : NULL;

    if (differentiate && !e->tangents[b]) PetscCall(PetscMalloc1((size_t)block->block.num_points * (size_t)size * (size_t)size, &e->tangents[b]));
    for (PetscInt i = 0; i < block->block.num_points; i++) {
      PetscReal *const tangent = differentiate ? e->tangents[b] + i * size * size : NULL;
      PeriodVerdict    verdict;

      Gather(e, block, i, x, motion);
      PetscCall(PeriodEvaluate(e->periods[b], i, e->setting.frequency, motion, force, tangent, by_frequency, &verdict));
      e->left[b][i] = TakeReference(e, block, i, motion, force, tangent);
      AddForces(e, block, i, force, by_frequency, change);
      if (verdict.gap > e->verdict.gap) e->verdict.gap = verdict.gap;
      e->verdict.periods = PetscMax(e->verdict.periods, verdict.periods);
    }
  }
  if (differentiate) PetscCall(AssembleJacobian(e));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* D - level D_lin, or D - b_0 a, and the changes of the latter. */
static PetscErrorCode BeginResidual(HarmonicEquation *e, const PetscReal x[])
{
  const HarmonicStructure *const s = e->structure;
  const PetscInt                 m = e->m, P = e->basis->num_functions, first = HarmonicFunction(e->basis, 1);
  const HarmonicSetting          setting = e->setting;
  PetscReal                     *lin;

  PetscFunctionBeginHot;
  PetscCall(PetscCalloc1(4 * m, &lin));
  PetscCall(PetscArrayzero(e->by_parameter, NUM_HARMONIC_PARAMETERS * e->n));
  PetscCall(PetscArraycpy(e->residual, x, e->n));
  if (setting.mode < 0) PetscCall(HarmonicStructureResponse(s, setting.frequency, lin, lin + m, lin + 2 * m, lin + 3 * m));
  for (PetscInt r = 0; r < m; r++) {
    const PetscInt  at   = r * P + first;
    const PetscReal c    = setting.mode < 0 ? setting.level * lin[r] : setting.amplitude * s->map[r * s->n + setting.mode];
    const PetscReal sine = setting.level * lin[m + r];

    e->residual[at] -= c;
    e->residual[at + 1] -= sine;
    e->by_parameter[(setting.mode < 0 ? HARMONIC_LEVEL : HARMONIC_AMPLITUDE) * e->n + at]     = -c;
    e->by_parameter[(setting.mode < 0 ? HARMONIC_LEVEL : HARMONIC_AMPLITUDE) * e->n + at + 1] = -sine;
    e->by_parameter[HARMONIC_FREQUENCY * e->n + at]                                           = -setting.level * lin[2 * m + r];
    e->by_parameter[HARMONIC_FREQUENCY * e->n + at + 1]                                       = -setting.level * lin[3 * m + r];
  }
  PetscCall(PetscFree(lin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mode's own equation, and its changes by the parameters. */
static void AddModeEquation(HarmonicEquation *e, const PetscReal change[])
{
  const HarmonicStructure *const s = e->structure;
  const HarmonicSetting          t = e->setting;
  const PetscInt                 P = e->basis->num_functions, first = HarmonicFunction(e->basis, 1);
  const PetscReal                W = t.frequency, square = s->eigenvalue[t.mode], c0 = s->damping[t.mode], per = 1.0 / (square * t.amplitude);
  PetscReal                      g_c = 0.0, g_s = 0.0, dg_c = 0.0, dg_s = 0.0;

  for (PetscInt r = 0; r < e->m; r++) {
    const PetscReal b = s->map[r * s->n + t.mode];

    g_c += b * e->remainder[r * P + first];
    g_s += b * e->remainder[r * P + first + 1];
    dg_c += b * change[r * P + first];
    dg_s += b * change[r * P + first + 1];
  }
  e->mode_equation[0] = (square - W * W) / square + per * g_c;
  e->mode_equation[1] = W * (c0 - 2.0 * t.damping * W) / square - per * g_s;
  for (PetscInt j = 0; j < 2 * e->n; j++) e->mode_rows[j] *= per;
  for (PetscInt p = 0; p < NUM_HARMONIC_PARAMETERS; p++) e->mode_by[0][p] = e->mode_by[1][p] = 0.0;
  e->mode_by[0][HARMONIC_FREQUENCY] = -2.0 * W / square + per * dg_c;
  e->mode_by[1][HARMONIC_FREQUENCY] = (c0 - 4.0 * t.damping * W) / square - per * dg_s;
  e->mode_by[1][HARMONIC_DAMPING]   = -2.0 * W * W / square;
  e->mode_by[0][HARMONIC_AMPLITUDE] = -per * g_c;
  e->mode_by[1][HARMONIC_AMPLITUDE] = per * g_s;
}

PetscErrorCode HarmonicEquationEvaluate(HarmonicEquation *e, const PetscReal x[], HarmonicSetting setting, PetscBool differentiate)
{
  PetscReal *const change = e->by_rate;

  PetscFunctionBeginHot;
  e->setting = setting;
  e->verdict = (PeriodVerdict){0};
  PetscCall(PetscArrayzero(change, e->n));
  PetscCall(FindInfluences(e));
  PetscCall(BeginResidual(e, x));
  PetscCall(PetscArrayzero(e->remainder, e->n));
  PetscCall(AddJoints(e, x, differentiate, change));
  for (PetscInt h = 0; h < e->basis->num_harmonics; h++) {
    const HarmonicInfluence *const at = &e->influence[h];

    AddInfluence(e, at->re, at->im, h, e->remainder, e->residual);
    if (!differentiate) continue;
    AddInfluence(e, at->by_frequency_re, at->by_frequency_im, h, e->remainder, e->by_parameter + HARMONIC_FREQUENCY * e->n);
    AddInfluence(e, at->re, at->im, h, change, e->by_parameter + HARMONIC_FREQUENCY * e->n);
    if (setting.mode >= 0) AddInfluence(e, at->by_damping_re, at->by_damping_im, h, e->remainder, e->by_parameter + HARMONIC_DAMPING * e->n);
  }
  if (setting.mode >= 0) AddModeEquation(e, change);
  PetscFunctionReturn(PETSC_SUCCESS);
}
