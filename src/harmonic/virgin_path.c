/* virgin_path.c - which equilibria a virgin curve consists of: from rest, where joints stick, their q growing by no more than RATIO. */
#include "virgin_path.h"

static const PetscReal RATIO = 1.2, BELOW = 1e-3; /* of successive q; the least of them by the first that is asked for */
static const PetscReal LEAST_PART = 1e-4;         /* of a step */

PetscBool VirginAim(Virgin *v)
{
  PetscReal end;

  if (v->reached == v->count) return PETSC_FALSE;
  if (!(v->at < v->to)) {
    end     = v->q[v->reached];
    v->to   = PetscMax(RATIO * v->at, BELOW * v->q[0]);
    v->to   = v->to > end / PetscSqrtReal(RATIO) ? end : v->to;
    v->part = v->to - v->at;
    v->from = v->at;
  }
  v->next = v->at + v->part > v->to - LEAST_PART * (v->to - v->from) ? v->to : v->at + v->part;
  return PETSC_TRUE;
}

PetscBool VirginDivide(Virgin *v)
{
  v->part *= 0.25;
  return (PetscBool) !(v->part < LEAST_PART * (v->to - v->from));
}

/* With its slope, by Hermite's formula from the one before, or from rest. */
static PetscErrorCode AddKnot(Virgin *v, PetscReal r, PetscReal slope)
{
  const Knot      rest = {.q = 0.0}, left = v->num_knots ? v->knots[v->num_knots - 1] : rest;
  const PetscReal h = v->next - left.q, rise = (r - left.r) / h;

  PetscFunctionBeginHot;
  if (v->num_knots == v->capacity) {
    v->capacity = PetscMax(256, 2 * v->capacity);
    PetscCall(PetscRealloc(sizeof(Knot) * (size_t)v->capacity, &v->knots));
  }
  v->knots[v->num_knots++] = (Knot){v->next, r, slope, (3.0 * rise - 2.0 * left.slope - slope) / h, (left.slope + slope - 2.0 * rise) / (h * h)};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VirginArrive(Virgin *v, PetscReal r, PetscReal slope, PetscInt iterations, const PetscReal remainder[], PetscInt stride)
{
  PetscFunctionBeginHot;
  PetscCall(AddKnot(v, r, slope));
  v->at = v->next;
  if (v->at != v->q[v->reached]) PetscFunctionReturn(PETSC_SUCCESS);
  v->knot_of[v->reached]    = v->num_knots - 1;
  v->iterations[v->reached] = iterations;
  for (PetscInt i = 0; i < v->m; i++) v->remainders[v->reached * v->m + i] = remainder[i * stride];
  v->reached++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
