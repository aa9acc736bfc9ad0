/* lanes_modal.c - the linear part of a step in modal coordinates, of a motion in each lane. */
#include "lanes_modal.h"

void LanesAddLoad(PetscInt n, const Wide distribution[], Wide value, PetscBool add, Wide load[])
{
  for (PetscInt j = 0; j < n; j++) load[j] = (add ? load[j] : WideOf(0.0)) + value * distribution[j];
}

/* B times the motion, four rows at a time: RowsTimesGroup in each lane. */
static inline void MoveJoints(PetscInt n, PetscInt m, const PetscReal *map, const Wide *motion, Wide *joints, PetscBool shared)
{
  for (PetscInt i = 0; i < m; i += ROWS_GROUP) {
    Wide sums[ROWS_GROUP][ROWS_LANES] = {{{0.0}}};

    for (PetscInt j = 0; j < n; j += ROWS_LANES)
#pragma GCC unroll 4
      for (PetscInt l = 0; l < ROWS_LANES; l++)
#pragma GCC unroll 4
        for (PetscInt r = 0; r < ROWS_GROUP; r++) sums[r][l] += WideAt(map, (j + l) * m + i + r, shared) * motion[j + l];
#pragma GCC unroll 4
    for (PetscInt r = 0; r < ROWS_GROUP; r++) joints[i + r] = WideRowsSum(sums[r]);
  }
}

/* Predict of linear_modal.c; alpha is zero. */
static inline void Predict(Lanes *lanes, PetscBool shared)
{
  const PetscInt n                = RowsWhole(lanes->n);
  const Wide *const restrict load = lanes->new_load, *const restrict u = lanes->u, *const restrict v = lanes->v, *const restrict a = lanes->a;
  Wide *const restrict lin_u = lanes->lin_u, *const restrict lin_v = lanes->lin_v, *const restrict lin_a = lanes->lin_a;
  const Wide h = lanes->h, from_a_to_u = lanes->from_a_to_u, from_a_to_v = lanes->from_a_to_v, to_u = lanes->to_u, to_v = lanes->to_v;
  Wide       size[ROWS_LANES] = {{0.0}};

  for (PetscInt j = 0; j < n; j += ROWS_LANES)
#pragma GCC unroll 4
    for (PetscInt l = 0; l < ROWS_LANES; l++) {
      const PetscInt k       = j + l;
      const Wide     u_star  = u[k] + h * v[k] + from_a_to_u * a[k];
      const Wide     v_star  = v[k] + from_a_to_v * a[k];
      const Wide     resists = WideAt(lanes->damping, k, shared) * v_star + WideRounded(WideAt(lanes->stiffness, k, shared) * u_star);
      const Wide     a_lin   = WideAt(lanes->inverse, k, shared) * (load[k] - resists);
      const Wide     u_new   = u_star + to_u * a_lin;

      lin_a[k] = a_lin;
      lin_u[k] = u_new;
      lin_v[k] = v_star + to_v * a_lin;
      size[l] += u_new * u_new;
    }
  lanes->balance.size = WideSqrt(WideRowsSum(size));
  MoveJoints(n, lanes->m, lanes->map, lin_u, lanes->balance.linear, shared);
}

void LanesPredict(Lanes *lanes)
{
  if (lanes->shared) Predict(lanes, PETSC_TRUE);
  else Predict(lanes, PETSC_FALSE);
}

/* The work of the loads so far, less or more what they do at these motions: both loads times u. */
static void AddWork(const Lanes *lanes, PetscReal sign, Wide work[ROWS_LANES])
{
  for (PetscInt j = 0; j < RowsWhole(lanes->n); j += ROWS_LANES)
    for (PetscInt l = 0; l < ROWS_LANES; l++) work[l] += sign * (lanes->old_load[j + l] + lanes->new_load[j + l]) * lanes->u[j + l];
}

/* A row of the responses times the remainders, in groups of four: RowsCombineGroup in each lane. */
static inline Wide Combine(PetscInt m, const PetscReal *response, PetscInt first, const Wide *remainder, PetscBool shared)
{
  Wide sum = {0.0};

  for (PetscInt i = 0; i < m; i += ROWS_GROUP) {
    const Wide r0 = WideAt(response, first + i, shared), r1 = WideAt(response, first + i + 1, shared);
    const Wide r2 = WideAt(response, first + i + 2, shared), r3 = WideAt(response, first + i + 3, shared);

    sum = sum + (remainder[i] * r0 + WideRounded(remainder[i + 1] * r1)) + (remainder[i + 2] * r2 + WideRounded(remainder[i + 3] * r3));
  }
  return sum;
}

/* Finish of linear_modal.c; alpha is zero. */
static inline void Finish(Lanes *lanes, WideMask accepted, PetscBool shared)
{
  const PetscInt  n = RowsWhole(lanes->n), m = lanes->m;
  const PetscBool loaded               = (PetscBool)(lanes->old_active || lanes->new_active);
  const Wide *const restrict remainder = lanes->balance.remainder;
  Wide *const restrict u = lanes->u, *const restrict v = lanes->v, *const restrict a = lanes->a;
  const Wide to_u = lanes->to_u, to_v = lanes->to_v;
  Wide       damped[ROWS_LANES] = {{0.0}}, work[ROWS_LANES] = {{0.0}};

  if (loaded) AddWork(lanes, -1.0, work);
  for (PetscInt j = 0; j < n; j += ROWS_LANES)
#pragma GCC unroll 4
    for (PetscInt l = 0; l < ROWS_LANES; l++) {
      const PetscInt k      = j + l;
      const Wide     change = -Combine(m, lanes->response, k * m, remainder, shared);
      const Wide     new_v = lanes->lin_v[k] + to_v * change, both = v[k] + new_v;

      damped[l] += WideAt(lanes->damping, k, shared) * (both * both);
      u[k] = WideSelect(accepted, lanes->lin_u[k] + to_u * change, u[k]);
      v[k] = WideSelect(accepted, new_v, v[k]);
      a[k] = WideSelect(accepted, lanes->lin_a[k] + change, a[k]);
    }
  if (loaded) AddWork(lanes, 1.0, work);
  lanes->damped = WideSelect(accepted, lanes->damped + WideRounded(0.25 * lanes->h * WideRowsSum(damped)), lanes->damped);
  if (loaded) lanes->work = WideSelect(accepted, lanes->work + 0.5 * WideRowsSum(work), lanes->work);
}

void LanesFinish(Lanes *lanes, WideMask accepted)
{
  if (lanes->shared) Finish(lanes, accepted, PETSC_TRUE);
  else Finish(lanes, accepted, PETSC_FALSE);
}
