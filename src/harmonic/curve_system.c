/* curve_system.c - Newton's equation of a curve, by factors of its active rows. */
#include "curve_system.h"
#include "rows.h"

PetscErrorCode CurveSystemCreate(PetscInt n, PetscInt k, CurveSystem **system)
{
  CurveSystem *s;

  PetscFunctionBegin;
  PetscCall(PetscNew(system));
  s    = *system;
  s->n = n;
  s->k = k;
  PetscCall(PetscMalloc5(k * n, &s->columns, k * (n + k), &s->border, n + k, &s->pivots, n + k, &s->right, n, &s->product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveSystemDestroy(CurveSystem **system)
{
  CurveSystem *const s = *system;

  PetscFunctionBegin;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree5(s->columns, s->border, s->pivots, s->right, s->product));
  PetscCall(PetscFree(s->matrix));
  PetscCall(PetscFree(*system));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Room for the matrix of as many active unknowns as there are now. */
static PetscErrorCode MakeRoom(const HarmonicEquation *equation, CurveSystem *s)
{
  PetscFunctionBeginHot;
  s->size = equation->num_active + s->k;
  if (s->size * s->size > s->capacity) {
    s->capacity = s->size * s->size;
    PetscCall(PetscFree(s->matrix));
    PetscCall(PetscMalloc1(s->capacity, &s->matrix));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Changes of R by the parameters at constant z: where the last scales the motion, x = s z, it also gives J x. */
static void FillColumns(const Curve *curve, CurveSystem *s)
{
  const HarmonicEquation *const e    = curve->equation;
  const PetscReal *const        z    = curve->point.y;
  const PetscReal               size = curve->scales ? PetscExpReal(z[s->n + s->k - 1]) : 1.0;

  for (PetscInt p = 0; p < s->k; p++)
    for (PetscInt i = 0; i < s->n; i++) s->columns[p * s->n + i] = e->by_parameter[curve->parameter[p] * s->n + i];
  if (!curve->scales) return;
  HarmonicEquationTimes(e, z, s->product);
  for (PetscInt i = 0; i < s->n; i++) s->columns[(s->k - 1) * s->n + i] += size * s->product[i];
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

/* What an inactive unknown is, w_i = b_i - J_ia w_a - C_i p, put into the border. */
static void EliminateInactive(const HarmonicEquation *e, CurveSystem *s)
{
  const PetscInt P = e->basis->num_functions, width = s->n + s->k;

  for (PetscInt q = 0; q < s->k; q++) {
    PetscReal *const row = s->border + q * width;

    for (PetscInt i = 0; i < s->n; i++) {
      if (e->column[i / P] >= 0 || row[i] == 0.0) continue;
      for (PetscInt a = 0; a < e->num_active; a++) row[e->active[a]] -= row[i] * e->jacobian[i * e->num_active + a];
      for (PetscInt p = 0; p < s->k; p++) row[s->n + p] -= row[i] * s->columns[p * s->n + i];
    }
  }
}

static void FillMatrix(const HarmonicEquation *e, CurveSystem *s)
{
  const PetscInt size = s->size, num = e->num_active, width = s->n + s->k;

  for (PetscInt a = 0; a < num; a++) {
    for (PetscInt i = 0; i < num; i++) s->matrix[a * size + i] = e->jacobian[e->active[i] * num + a];
    for (PetscInt q = 0; q < s->k; q++) s->matrix[a * size + num + q] = s->border[q * width + e->active[a]];
  }
  for (PetscInt p = 0; p < s->k; p++) {
    for (PetscInt i = 0; i < num; i++) s->matrix[(num + p) * size + i] = s->columns[p * s->n + e->active[i]];
    for (PetscInt q = 0; q < s->k; q++) s->matrix[(num + p) * size + num + q] = s->border[q * width + s->n + p];
  }
}

PetscErrorCode CurveSystemFactor(Curve *curve, const PetscReal normal[], PetscBool *regular)
{
  CurveSystem *const s = curve->system;
  PetscBLASInt       order, info;

  PetscFunctionBeginHot;
  PetscCall(MakeRoom(curve->equation, s));
  FillColumns(curve, s);
  FillBorder(curve, normal, s);
  EliminateInactive(curve->equation, s);
  FillMatrix(curve->equation, s);
  PetscCall(PetscBLASIntCast(s->size, &order));
  PetscCallBLAS("LAPACKgetrf", LAPACKgetrf_(&order, &order, s->matrix, &order, s->pivots, &info));
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrf: %d", (int)info);
  *regular = (PetscBool)(info == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CurveSystemSolve(Curve *curve, const PetscReal right[], PetscReal solution[])
{
  CurveSystem *const            s = curve->system;
  const HarmonicEquation *const e = curve->equation;
  const PetscInt                P = e->basis->num_functions, num = e->num_active, width = s->n + s->k;
  PetscBLASInt                  order, one = 1, info;

  PetscFunctionBeginHot;
  for (PetscInt a = 0; a < num; a++) s->right[a] = right[e->active[a]];
  for (PetscInt q = 0; q < s->k; q++) {
    s->right[num + q] = right[s->n + q];
    for (PetscInt i = 0; i < s->n; i++)
      if (e->column[i / P] < 0) s->right[num + q] -= s->border[q * width + i] * right[i];
  }
  PetscCall(PetscBLASIntCast(s->size, &order));
  PetscCallBLAS("LAPACKgetrs", LAPACKgetrs_("N", &order, &one, s->matrix, &order, s->pivots, s->right, &order, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dgetrs: %d", (int)info);
  for (PetscInt p = 0; p < s->k; p++) solution[s->n + p] = s->right[num + p];
  for (PetscInt a = 0; a < num; a++) solution[e->active[a]] = s->right[a];
  for (PetscInt i = 0; i < s->n; i++) {
    if (e->column[i / P] >= 0) continue;
    solution[i] = right[i];
    for (PetscInt a = 0; a < num; a++) solution[i] -= e->jacobian[i * num + a] * s->right[a];
    for (PetscInt p = 0; p < s->k; p++) solution[i] -= s->columns[p * s->n + i] * s->right[num + p];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
