/* observed.c - the first harmonic of a motion of the structure, by the modes, with its derivatives. */
#include "observed.h"
#include "rows.h"

PetscErrorCode ObservedCreate(PetscInt n, Observed *observed)
{
  PetscFunctionBegin;
  *observed = (Observed){.rows = NULL};
  PetscCall(PetscCalloc1(2 * n, &observed->rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ObservedDestroy(Observed *observed)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(observed->rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first harmonics of numbers of the joints [m]. */
static void TakeFirst(const HarmonicEquation *e, const PetscReal x[], PetscReal c[], PetscReal s[])
{
  const PetscInt P = e->basis->num_functions, first = HarmonicFunction(e->basis, 1);

  for (PetscInt r = 0; r < e->m; r++) {
    c[r] = x[r * P + first];
    s[r] = x[r * P + first + 1];
  }
}

/* Adds -h^T dG_1/dx of the tangents of a force row q by the motions of row s. */
static void PullTangents(const HarmonicEquation *e, PetscInt q, PetscInt s, const PetscReal tangent[], PetscInt stride, PetscReal factor,
                         const PetscReal h[], PetscReal rows[])
{
  const PetscInt         P = e->basis->num_functions, first = HarmonicFunction(e->basis, 1);
  const PetscReal        h_c = factor * h[q], h_s = factor * h[e->m + q];
  const PetscReal *const c = tangent + first * stride, *const sine = c + stride;

  for (PetscInt j = 0; j < P; j++) {
    rows[s * P + j] -= h_c * c[j] - h_s * sine[j];
    rows[e->n + s * P + j] -= h_c * sine[j] + h_s * c[j];
  }
}

/* -h^T dG_1/dx of all points of which something is left beyond sticking. */
static PetscErrorCode PullAll(const HarmonicEquation *e, const PetscReal h[], PetscReal rows[])
{
  const PetscInt P = e->basis->num_functions;

  PetscFunctionBeginHot;
  PetscCall(PetscArrayzero(rows, 2 * e->n));
  for (PetscInt b = 0; b < e->num_blocks; b++) {
    const SystemBlock *const block = &e->structure->system->blocks[b];
    const PetscInt           num = block->block.num_points, dim = block->block.law->dim, stride = dim * P;

    for (PetscInt i = 0; i < num; i++)
      for (PetscInt c = 0; c < dim && e->left[b][i]; c++)
        for (PetscInt d = 0; d < dim; d++)
          for (PetscInt t = block->first[c * num + i]; t < block->first[c * num + i + 1]; t++)
            for (PetscInt u = block->first[d * num + i]; u < block->first[d * num + i + 1]; u++)
              PullTangents(e, block->row[t], block->row[u], e->tangents[b] + i * stride * stride + c * P * stride + d * P, stride,
                           block->factor[t] * block->factor[u], h, rows);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* -a^T Z' q, Z' = -2 W + i C': the change by W at constant forces, as C and S. a and q are [2 n], C and S. */
static void ChangeByFrequency(const HarmonicStructure *s, PetscReal W, const PetscReal a[], const PetscReal q[], PetscReal change[2])
{
  const PetscInt n = s->n;

  for (PetscInt j = 0; j < n; j++) {
    const PetscReal d_c = s->coupled ? RowsTimesOne(n, s->coupled + j * n, q) : s->damping[j] * q[j];
    const PetscReal d_s = s->coupled ? RowsTimesOne(n, s->coupled + j * n, q + n) : s->damping[j] * q[n + j];
    const PetscReal c = -2.0 * W * q[j] + d_s, sine = -2.0 * W * q[n + j] - d_c;

    change[0] -= a[j] * c - a[n + j] * sine;
    change[1] -= a[j] * sine + a[n + j] * c;
  }
}

/* a^T p, as C and S, times a factor added to a number. p is [2 n], C and S. */
static void AddProduct(PetscInt n, PetscReal factor, const PetscReal a[], const PetscReal p[], PetscReal number[2])
{
  number[0] += factor * (RowsTimesOne(n, a, p) - RowsTimesOne(n, a + n, p + n));
  number[1] += factor * (RowsTimesOne(n, a, p + n) + RowsTimesOne(n, a + n, p));
}

/* h of the joints [2 m], from a. */
static void Reach(const HarmonicStructure *s, const HarmonicPlace *place, const PetscReal a[], PetscReal h[])
{
  RowsTimes(s->m, s->n, s->map, a, h);
  RowsTimes(s->m, s->n, s->map, a + s->n, h + s->m);
  for (PetscInt r = 0; place->residual && r < s->m; r++) h[r] += place->residual[r];
}

/* y_lin times the level, and what the loads change it by with W. */
static PetscErrorCode DifferentiateLoads(const HarmonicEquation *e, const HarmonicPlace *place, const PetscReal a[], Observed *o)
{
  const HarmonicStructure *const s     = e->structure;
  const PetscReal                level = e->setting.level;
  PetscReal                      given[2], slope[2], *load;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc1(4 * s->n, &load));
  HarmonicStructureLoads(s, e->setting.frequency, load, load + s->n, load + 2 * s->n, load + 3 * s->n);
  HarmonicSineAt(&place->given, e->setting.frequency, given, slope);
  for (PetscInt i = 0; i < 2; i++) {
    o->by_level[i] = level * given[i];
    o->by_frequency[i] += level * slope[i];
  }
  AddProduct(s->n, level, a, load, o->by_level);
  AddProduct(s->n, level, a, load + 2 * s->n, o->by_frequency);
  PetscCall(PetscFree(load));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Differentiate(const HarmonicEquation *e, const HarmonicPlace *place, const PetscReal q[], Observed *o)
{
  const HarmonicStructure *const s           = e->structure;
  const HarmonicExcitation       loads_alone = {0.0, -1};
  PetscReal                     *a, *h, *rate;

  PetscFunctionBeginHot;
  PetscCall(PetscCalloc3(2 * s->n, &a, 2 * s->m, &h, 2 * s->m, &rate));
  PetscCall(PetscArraycpy(a, place->modes, s->n));
  PetscCall(HarmonicStructureSolve(s, 1, e->setting.frequency, loads_alone, a, a + s->n));
  Reach(s, place, a, h);
  PetscCall(PullAll(e, h, o->rows));
  o->by_frequency[0] = o->by_frequency[1] = 0.0;
  ChangeByFrequency(s, e->setting.frequency, a, q, o->by_frequency);
  PetscCall(DifferentiateLoads(e, place, a, o));
  TakeFirst(e, e->by_rate, rate, rate + s->m);
  AddProduct(s->m, -1.0, h, rate, o->by_frequency);
  PetscCall(PetscFree3(a, h, rate));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ObservedEvaluate(const HarmonicEquation *e, const HarmonicPlace *place, PetscBool differentiate, Observed *o)
{
  const HarmonicStructure *const s           = e->structure;
  const HarmonicExcitation       loads_alone = {0.0, -1};
  PetscReal                     *q, *g;

  PetscFunctionBeginHot;
  PetscCall(PetscMalloc2(2 * s->n, &q, 2 * s->m, &g));
  TakeFirst(e, e->remainder, g, g + s->m);
  PetscCall(HarmonicStructureCoordinates(s, 1, e->setting.frequency, loads_alone, e->setting.level, g, g + s->m, q, q + s->n));
  HarmonicPlaceMotion(s, place, 1, e->setting.frequency, e->setting.level, q, q + s->n, g, g + s->m, &o->value[0], &o->value[1]);
  if (differentiate) PetscCall(Differentiate(e, place, q, o));
  PetscCall(PetscFree2(q, g));
  PetscFunctionReturn(PETSC_SUCCESS);
}
