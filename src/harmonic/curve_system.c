/* curve_system.c - Newton's equation of a curve, of its active rows: by factors, or by an iteration. */
#include "curve_system.h"
#include "rows.h"

enum { MOST_FACTORED = 240, MOST_FACTORED_AT_LAST = 4000 }; /* active unknowns: more iterate; and where the iteration does not get on */

PetscErrorCode CurveSystemCreate(PetscInt n, PetscInt k, CurveSystem **system)
{
  CurveSystem *s;

  PetscFunctionBegin;
  PetscCall(PetscNew(system));
  s    = *system;
  s->n = n;
  s->k = k;
  PetscCall(PetscMalloc7(k * n, &s->columns, k * (n + k), &s->border, n + k, &s->pivots, n + k, &s->right, n + k, &s->solution, n, &s->product, k,
                         &s->scales));
  PetscCall(PetscMalloc2(k * n, &s->active_columns, k * (n + k), &s->active_border));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveSystemDestroy(CurveSystem **system)
{
  CurveSystem *const s = *system;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CurveIterationDestroy(&s->iteration));
  PetscCall(PetscFree7(s->columns, s->border, s->pivots, s->right, s->solution, s->product, s->scales));
  PetscCall(PetscFree2(s->active_columns, s->active_border));
  PetscCall(PetscFree(s->matrix));
  PetscCall(PetscFree(*system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Changes of R by the parameters at constant z: where the last scales the motion, x = s z, it also gives J x. */
static PetscErrorCode FillColumns(const Curve *curve, CurveSystem *s)
{
  const HarmonicEquation *const e    = curve->equation;
  const PetscReal *const        z    = curve->point.y;
  const PetscReal               size = curve->scales ? PetscExpReal(z[s->n + s->k - 1]) : 1.0;

  PetscFunctionBeginHot;
  for (PetscInt p = 0; p < s->k; p++)
    for (PetscInt i = 0; i < s->n; i++) s->columns[p * s->n + i] = e->by_parameter[curve->parameter[p] * s->n + i];
  if (!curve->scales) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(HarmonicEquationTimes(e, z, s->product));
  for (PetscInt i = 0; i < s->n; i++) s->columns[(s->k - 1) * s->n + i] += size * s->product[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Unknowns are w = s dz of the motions, and the changes of the parameters. */
static void FillBorder(const Curve *curve, const PetscReal normal[], CurveSystem *s)
{
  const HarmonicEquation *const e     = curve->equation;
  const PetscReal *const        z     = curve->point.y;
  const PetscReal               size  = curve->scales ? PetscExpReal(z[s->n + s->k - 1]) : 1.0;
  const PetscInt                width = s->n + s->k, last = s->k - 1;

  for (PetscInt q = 0; q < curve->num_equations; q++) {
    PetscReal *const row = s->border + q * width;

    for (PetscInt i = 0; i < s->n; i++) row[i] = e->mode_rows[q * s->n + i];
    for (PetscInt p = 0; p < s->k; p++) row[s->n + p] = e->mode_by[q][curve->parameter[p]];
    if (curve->scales) row[s->n + last] += size * RowsTimesOne(s->n, e->mode_rows + q * s->n, z);
  }
  for (PetscInt i = 0; i < s->n; i++) s->border[last * width + i] = normal[i] / size;
  for (PetscInt p = 0; p < s->k; p++) s->border[last * width + s->n + p] = normal[s->n + p];
}

/* What an inactive unknown is, w_i = b_i - (J w_a)_i - C_i p, put into the border. */
static PetscErrorCode EliminateInactive(const HarmonicEquation *e, CurveSystem *s)
{
  const PetscInt P = e->basis->num_functions, width = s->n + s->k;

  PetscFunctionBeginHot;
  for (PetscInt q = 0; q < s->k && e->num_active < s->n; q++) {
    PetscReal *const row = s->border + q * width;
    PetscBool        any = PETSC_FALSE;

    for (PetscInt i = 0; i < s->n; i++) {
      s->product[i] = e->column[i / P] < 0 ? row[i] : 0.0;
      if (s->product[i] == 0.0) continue;
      any = PETSC_TRUE;
      for (PetscInt p = 0; p < s->k; p++) row[s->n + p] -= s->product[i] * s->columns[p * s->n + i];
    }
    if (!any) continue;
    PetscCall(HarmonicEquationTimesTransposed(e, s->product, s->product));
    for (PetscInt a = 0; a < e->num_active; a++) row[e->active[a]] -= s->product[e->active[a]];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Active unknowns and parameters, in units of their measure. */
static void TakeActive(const Curve *curve, CurveSystem *s)
{
  const HarmonicEquation *const e   = curve->equation;
  const PetscInt                num = e->num_active, width = s->n + s->k;

  s->size  = num + s->k;
  s->scale = curve->measure[0] * (curve->scales ? PetscExpReal(curve->point.y[s->n + s->k - 1]) : 1.0);
  for (PetscInt p = 0; p < s->k; p++) s->scales[p] = curve->measure[s->n + p];
  for (PetscInt q = 0; q < s->k; q++) {
    PetscReal *const row = s->active_border + q * s->size;

    for (PetscInt a = 0; a < num; a++) {
      s->active_columns[q * num + a] = s->columns[q * s->n + e->active[a]] * s->scales[q] / s->scale;
      row[a]                         = s->border[q * width + e->active[a]] * s->scale;
    }
    for (PetscInt p = 0; p < s->k; p++) row[num + p] = s->border[q * width + s->n + p] * s->scales[p];
  }
}

static PetscErrorCode FactorMatrix(const HarmonicEquation *e, CurveSystem *s, PetscBool *regular)
{
  const PetscInt num  = e->num_active;
  const size_t   size = (size_t)s->size;
  PetscBLASInt   order, info;

  PetscFunctionBeginHot;
  if (size * size > s->capacity) {
    s->capacity = size * size;
    PetscCall(PetscFree(s->matrix));
    PetscCall(PetscMalloc1(s->capacity, &s->matrix));
  }
  PetscCall(HarmonicEquationActiveMatrix(e, size, s->matrix));
  for (PetscInt a = 0; a < num; a++)
    for (PetscInt p = 0; p < s->k; p++) s->matrix[(size_t)a * size + (size_t)(num + p)] = s->active_columns[p * num + a];
  PetscCall(PetscArraycpy(s->matrix + (size_t)num * size, s->active_border, s->k * s->size));
  PetscCall(PetscBLASIntCast(s->size, &order));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&order, &order, s->matrix, &order, s->pivots, &info));
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrf: %d", (int)info);
  *regular    = (PetscBool)(info == 0);
  s->iterates = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveSystemFactor(Curve *curve, const PetscReal normal[], PetscBool *regular)
{
  CurveSystem *const            s = curve->system;
  const HarmonicEquation *const e = curve->equation;

  PetscFunctionBeginHot;
  PetscCall(FillColumns(curve, s));
  FillBorder(curve, normal, s);
  PetscCall(EliminateInactive(e, s));
  TakeActive(curve, s);
  *regular    = PETSC_FALSE;
  s->iterates = (PetscBool)(e->num_active > MOST_FACTORED);
  if (s->iterates && !s->iteration) PetscCall(CurveIterationCreate(e, s->k, &s->iteration));
  if (s->iterates) PetscCall(CurveIterationPrepare(s->iteration, s->active_columns, s->active_border, regular));
  if (!*regular && e->num_active <= MOST_FACTORED_AT_LAST) PetscCall(FactorMatrix(e, s, regular));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The matrix stands by rows. */
static PetscErrorCode SolveFactored(const CurveSystem *s, PetscReal solution[])
{
  PetscBLASInt order, one = 1, info;

  PetscFunctionBeginHot;
  PetscCall(PetscBLASIntCast(s->size, &order));
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("T", &order, &one, s->matrix, &order, s->pivots, solution, &order, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrs: %d", (int)info);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* s->solution of s->right. */
static PetscErrorCode SolveActive(const HarmonicEquation *e, PetscReal enough, CurveSystem *s)
{
  PetscBool solved = PETSC_TRUE;

  PetscFunctionBeginHot;
  if (s->iterates) {
    PetscCall(CurveIterationSolve(s->iteration, enough, s->right, s->solution, &solved));
    if (!solved && e->num_active <= MOST_FACTORED_AT_LAST) PetscCall(FactorMatrix(e, s, &solved));
  }
  if (!s->iterates) {
    PetscCall(PetscArraycpy(s->solution, s->right, s->size));
    PetscCall(SolveFactored(s, s->solution));
  }
  for (PetscInt i = 0; i < s->size && !solved; i++) s->solution[i] = (PetscReal)NAN;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Unknowns of rows that are not active follow. */
static PetscErrorCode SolveInactive(const HarmonicEquation *e, CurveSystem *s, const PetscReal right[], PetscReal solution[])
{
  const PetscInt P = e->basis->num_functions;

  PetscFunctionBeginHot;
  if (e->num_active == s->n) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < s->n; i++)
    if (e->column[i / P] < 0) solution[i] = 0.0;
  PetscCall(HarmonicEquationTimes(e, solution, s->product));
  for (PetscInt i = 0; i < s->n; i++) {
    if (e->column[i / P] >= 0) continue;
    solution[i] = right[i] - s->product[i];
    for (PetscInt p = 0; p < s->k; p++) solution[i] -= s->columns[p * s->n + i] * solution[s->n + p];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveSystemSolve(Curve *curve, PetscReal enough, const PetscReal right[], PetscReal solution[])
{
  CurveSystem *const            s = curve->system;
  const HarmonicEquation *const e = curve->equation;
  const PetscInt                P = e->basis->num_functions, num = e->num_active, width = s->n + s->k;

  PetscFunctionBeginHot;
  for (PetscInt a = 0; a < num; a++) s->right[a] = right[e->active[a]] / s->scale;
  for (PetscInt q = 0; q < s->k; q++) {
    s->right[num + q] = right[s->n + q];
    for (PetscInt i = 0; i < s->n && num < s->n; i++)
      if (e->column[i / P] < 0) s->right[num + q] -= s->border[q * width + i] * right[i];
  }
  PetscCall(SolveActive(e, enough, s));
  for (PetscInt p = 0; p < s->k; p++) solution[s->n + p] = s->solution[num + p] * s->scales[p];
  for (PetscInt a = 0; a < num; a++) solution[e->active[a]] = s->solution[a] * s->scale;
  PetscCall(SolveInactive(e, s, right, solution));
  PetscFunctionReturn(PETSC_SUCCESS);
}
