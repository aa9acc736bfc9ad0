/* equation.c - the balance of harmonics: what is left of it, and how that changes. */
#include "equation_tangents.h"
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
  const PetscInt dim = LargestPoint(e->structure->system), n = e->n;
  PetscReal     *place;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1((6 + NUM_HARMONIC_PARAMETERS) * n + 2, &e->numbers));
  PetscCall(PetscCalloc1(3 * dim * e->basis->num_functions, &e->point));
  PetscCall(
    PetscCalloc6(n, &e->active, e->m, &e->column, e->m, &e->place, e->num_blocks, &e->periods, e->num_blocks, &e->tangents, e->num_blocks, &e->left));
  place            = e->numbers;
  e->remainder     = place, place += n;
  e->residual      = place, place += n;
  e->by_rate       = place, place += n;
  e->mode_equation = place, place += 2;
  e->by_parameter  = place, place += NUM_HARMONIC_PARAMETERS * n;
  e->mode_rows     = place, place += 2 * n;
  e->force         = place;
  for (PetscInt r = 0; r < e->m; r++) e->place[r] = r * e->basis->num_functions;
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
  PetscCall(HarmonicInfluenceCreate(structure, basis, &e->influence));
  for (PetscInt b = 0; b < system->num_blocks; b++) {
    PetscCall(PeriodCreate(&system->blocks[b], basis, structure->sense[b], &e->periods[b]));
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
  PetscCall(HarmonicInfluenceDestroy(&e->influence));
  PetscCall(PetscFree6(e->active, e->column, e->place, e->periods, e->tangents, e->left));
  PetscCall(PetscFree(e->active_numbers));
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
      PetscReal *const tangent = differentiate ? e->tangents[b] + (size_t)i * (size_t)(size * size) : NULL;
      PeriodVerdict    verdict;
      PetscBool        left;

      EquationGather(e, block, i, e->place, x, motion);
      PetscCall(PeriodEvaluate(e->periods[b], i, e->setting.frequency, motion, force, tangent, by_frequency, &verdict));
      left = TakeReference(e, block, i, motion, force, tangent);
      if (differentiate) e->left[b][i] = left;
      EquationScatter(e, block, i, e->place, force, e->remainder);
      if (differentiate) EquationScatter(e, block, i, e->place, by_frequency, change);
      if (verdict.gap > e->verdict.gap) e->verdict.gap = verdict.gap;
      e->verdict.periods = PetscMax(e->verdict.periods, verdict.periods);
    }
  }
  if (differentiate) PetscCall(EquationListActive(e));
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
  for (PetscInt p = 0; p < NUM_HARMONIC_PARAMETERS; p++) e->mode_by[0][p] = e->mode_by[1][p] = 0.0;
  e->mode_by[0][HARMONIC_FREQUENCY] = -2.0 * W / square + per * dg_c;
  e->mode_by[1][HARMONIC_FREQUENCY] = (c0 - 4.0 * t.damping * W) / square - per * dg_s;
  e->mode_by[1][HARMONIC_DAMPING]   = -2.0 * W * W / square;
  e->mode_by[0][HARMONIC_AMPLITUDE] = -per * g_c;
  e->mode_by[1][HARMONIC_AMPLITUDE] = per * g_s;
}

/* Its changes by the motions: b_0^T A at harmonic 1, of the sine with the other sign. */
static void FindModeRows(HarmonicEquation *e)
{
  const HarmonicStructure *const s = e->structure;
  const HarmonicSetting          t = e->setting;
  const PetscInt                 P = e->basis->num_functions, first = HarmonicFunction(e->basis, 1);
  const PetscReal                per = 1.0 / (s->eigenvalue[t.mode] * t.amplitude);

  for (PetscInt j = 0; j < 2 * e->n; j++) e->mode_rows[j] = 0.0;
  for (PetscInt part = 0; part < 2; part++) {
    for (PetscInt i = 0; i < e->n; i++) e->force[i] = 0.0;
    for (PetscInt r = 0; r < e->m; r++) e->force[r * P + first + part] = (part ? -per : per) * s->map[r * s->n + t.mode];
    EquationAddTransposed(e, e->place, e->force, e->mode_rows + part * e->n);
  }
}

PetscErrorCode HarmonicEquationEvaluate(HarmonicEquation *e, const PetscReal x[], HarmonicSetting setting, PetscBool differentiate)
{
  HarmonicInfluence *const influence = e->influence;
  const HarmonicRows      *all       = &influence->all;
  PetscReal *const by_frequency = e->by_parameter + HARMONIC_FREQUENCY * e->n, *const change = e->by_rate;

  PetscFunctionBeginHot;
  e->setting = setting;
  e->verdict = (PeriodVerdict){0};
  PetscCall(PetscArrayzero(change, e->n));
  PetscCall(HarmonicInfluenceSet(influence, setting.frequency, (HarmonicExcitation){setting.damping, setting.mode}));
  PetscCall(BeginResidual(e, x));
  PetscCall(PetscArrayzero(e->remainder, e->n));
  PetscCall(AddJoints(e, x, differentiate, change));
  PetscCall(HarmonicInfluenceAdd(influence, INFLUENCE_ITSELF, all, e->remainder, e->residual));
  if (differentiate) PetscCall(HarmonicInfluenceAdd(influence, INFLUENCE_BY_FREQUENCY, all, e->remainder, by_frequency));
  if (differentiate && HarmonicLargest(e->n, change) > 0.0) PetscCall(HarmonicInfluenceAdd(influence, INFLUENCE_ITSELF, all, change, by_frequency));
  if (differentiate && setting.mode >= 0)
    PetscCall(HarmonicInfluenceAdd(influence, INFLUENCE_BY_DAMPING, all, e->remainder, e->by_parameter + HARMONIC_DAMPING * e->n));
  if (setting.mode >= 0) AddModeEquation(e, change);
  if (differentiate && setting.mode >= 0) FindModeRows(e);
  PetscFunctionReturn(PETSC_SUCCESS);
}
