/* linear_modal.c - the linear part of a step in modal coordinates, where M = 1 and C and K0 are diagonal. */
#include "linear_modal.h"

typedef struct {
  const Modes *modes;
  PetscReal   *stiffness, *damping; /* [n] omega^2 and c of each mode */
  PetscReal   *no_load, *force;     /* [n] zeros; work */
} Modal;

static PetscErrorCode CreateLevel(Linear *linear, PetscReal h, LinearLevel *level)
{
  const Modal      *modal = linear->data;
  const NewmarkRule rule  = linear->rule;
  const PetscReal   theta = 1.0 + rule.alpha;
  PetscReal        *inverse;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(linear->n, &inverse));
  PetscCall(PetscMalloc1((size_t)linear->m * (size_t)linear->n, &level->response));
  for (PetscInt j = 0; j < linear->n; j++)
    inverse[j] = 1.0 / (1.0 + theta * (rule.gamma * h * modal->damping[j] + rule.beta * h * h * modal->stiffness[j]));
  for (PetscInt i = 0; i < linear->m; i++)
    for (PetscInt j = 0; j < linear->n; j++) level->response[i * linear->n + j] = inverse[j] * linear->joint_map[i * linear->n + j];
  level->data = inverse;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DestroyLevel(LinearLevel *level)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(level->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The load, and what HHT carries over from the start of the step: theta p' + alpha (C v + K0 u + B^T g - p). */
static void SumForces(const Linear *linear, const State *state, const PetscReal old_load[], const PetscReal new_load[], PetscReal force[])
{
  const Modal    *modal = linear->data;
  const PetscReal alpha = linear->rule.alpha, theta = 1.0 + alpha;

  for (PetscInt j = 0; j < linear->n; j++)
    force[j] = theta * new_load[j] + alpha * (modal->damping[j] * state->v[j] + modal->stiffness[j] * state->u[j]);
  for (PetscInt i = 0; i < linear->m; i++)
    for (PetscInt j = 0; j < linear->n; j++) force[j] += alpha * linear->joint_map[i * linear->n + j] * state->remainder[i];
  for (PetscInt j = 0; old_load && j < linear->n; j++) force[j] -= alpha * old_load[j];
}

static PetscErrorCode Predict(Linear *linear, const LinearLevel *level, const State *state, const PetscReal old_load[], const PetscReal new_load[],
                              LinearResponse *response)
{
  const Modal *const modal = linear->data;
  const NewmarkRule  rule  = linear->rule;
  const PetscInt     n     = RowsWhole(linear->n);
  const PetscReal    h = level->h, theta = 1.0 + rule.alpha;
  const PetscReal    from_a_to_u = h * h * (0.5 - rule.beta), from_a_to_v = h * (1.0 - rule.gamma);
  const PetscReal    to_u = rule.beta * h * h, to_v = rule.gamma * h;
  const PetscReal *const restrict u = state->u, *const restrict v = state->v, *const restrict a = state->a;
  const PetscReal *const restrict stiffness = modal->stiffness, *const restrict damping = modal->damping, *const restrict inverse = level->data;
  const PetscReal *restrict force = new_load ? new_load : modal->no_load;
  PetscReal *const restrict new_u = response->u, *const restrict new_v = response->v, *const restrict new_a = response->a;
  RowsLanes size = {0.0};

  PetscFunctionBeginHot;
  if (rule.alpha != 0.0) {
    SumForces(linear, state, old_load, force, modal->force);
    force = modal->force;
  }
  for (PetscInt j = 0; j < n; j += ROWS_LANES) {
    const RowsLanes old_a = RowsLoad(a + j), old_v = RowsLoad(v + j);
    const RowsLanes u_star  = RowsLoad(u + j) + h * old_v + from_a_to_u * old_a;
    const RowsLanes v_star  = old_v + from_a_to_v * old_a;
    const RowsLanes resists = RowsLoad(damping + j) * v_star + RowsRounded(RowsLoad(stiffness + j) * u_star);
    const RowsLanes a_lin   = RowsLoad(inverse + j) * (RowsLoad(force + j) - theta * resists);
    const RowsLanes u_lin   = u_star + to_u * a_lin;

    RowsStore(new_a + j, a_lin);
    RowsStore(new_u + j, u_lin);
    RowsStore(new_v + j, v_star + to_v * a_lin);
    size += u_lin * u_lin;
  }
  response->size = PetscSqrtReal(RowsSum(size));
  RowsTimes(linear->m, n, linear->joint_map, new_u, response->motion);
  if (linear->viscous) RowsTimes(linear->m, n, linear->joint_map, new_v, response->rate);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Finish(Linear *linear, const LinearLevel *level, const LinearResponse *response, const PetscReal remainder[],
                             const PetscReal old_load[], const PetscReal new_load[], State *state)
{
  const Modal *const modal = linear->data;
  const NewmarkRule  rule  = linear->rule;
  const PetscInt     n     = RowsWhole(linear->n);
  const PetscReal    h = level->h, theta = 1.0 + rule.alpha, to_u = rule.beta * h * h, to_v = rule.gamma * h;
  const PetscReal *const restrict lin_u = response->u, *const restrict lin_v = response->v, *const restrict lin_a = response->a;
  const PetscReal *const restrict damping = modal->damping;
  PetscReal *const restrict a = state->a, *const restrict u = state->u, *const restrict v = state->v;
  const PetscReal *const old = old_load ? old_load : modal->no_load, *const new = new_load ? new_load : modal->no_load;
  const PetscBool        loaded = (PetscBool)(old_load || new_load);
  RowsLanes              damped = {0.0}, work = {0.0};

  PetscFunctionBeginHot;
  for (PetscInt j = 0; loaded && j < n; j += ROWS_LANES) work -= (RowsLoad(old + j) + RowsLoad(new + j)) * RowsLoad(u + j);
  RowsCombine(linear->m, n, level->response, remainder, a);
  for (PetscInt j = 0; j < n; j += ROWS_LANES) {
    const RowsLanes change = -theta * RowsLoad(a + j), new_v = RowsLoad(lin_v + j) + to_v * change, both = RowsLoad(v + j) + new_v;

    damped += RowsLoad(damping + j) * (both * both);
    RowsStore(u + j, RowsLoad(lin_u + j) + to_u * change);
    RowsStore(v + j, new_v);
    RowsStore(a + j, RowsLoad(lin_a + j) + change);
  }
  for (PetscInt j = 0; loaded && j < n; j += ROWS_LANES) work += (RowsLoad(old + j) + RowsLoad(new + j)) * RowsLoad(u + j);
  state->damped += RowsRoundedOne(0.25 * h * RowsSum(damped));
  state->work += 0.5 * RowsSum(work);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Accelerate(Linear *linear, const PetscReal load[], const PetscReal u[], const PetscReal v[], const PetscReal remainder[],
                                 PetscReal a[])
{
  const Modal *const modal  = linear->data;
  const PetscInt     n      = RowsWhole(linear->n);
  const PetscReal   *forces = load ? load : modal->no_load;

  PetscFunctionBeginHot;
  RowsCombine(linear->m, n, linear->joint_map, remainder, a);
  for (PetscInt j = 0; j < n; j += ROWS_LANES)
    RowsStore(a + j, RowsLoad(forces + j) - RowsLoad(modal->damping + j) * RowsLoad(v + j) - RowsLoad(modal->stiffness + j) * RowsLoad(u + j) -
                       RowsLoad(a + j));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DampingPower(Linear *linear, const PetscReal v[], PetscReal *power)
{
  const Modal *const modal = linear->data;
  RowsLanes          sum   = {0.0};

  PetscFunctionBeginHot;
  for (PetscInt j = 0; j < RowsWhole(linear->n); j += ROWS_LANES) sum += RowsLoad(modal->damping + j) * (RowsLoad(v + j) * RowsLoad(v + j));
  *power = RowsSum(sum);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Energy(Linear *linear, const State *state, PetscReal *kinetic, PetscReal *strain)
{
  const Modal *modal = linear->data;

  PetscFunctionBeginHot;
  *kinetic = *strain = 0.0;
  for (PetscInt j = 0; j < linear->n; j++) {
    *kinetic += 0.5 * state->v[j] * state->v[j];
    *strain += 0.5 * modal->stiffness[j] * state->u[j] * state->u[j];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Most forces are on few unknowns: those of a joint on two. */
static PetscErrorCode ProjectForce(Linear *linear, const PetscReal unknowns[], PetscReal coordinates[])
{
  enum { FEW = 8 };
  const Modes   *modes = ((const Modal *)linear->data)->modes;
  const PetscInt n     = modes->num_unknowns;
  PetscInt       pushed[FEW], count = 0;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(coordinates, linear->n));
  for (PetscInt j = 0; j < n && count <= FEW; j++) {
    if (unknowns[j] == 0.0) continue;
    if (count < FEW) pushed[count] = j;
    count++;
  }
  if (count > FEW) RowsTimes(modes->count, n, modes->shape, unknowns, coordinates);
  for (PetscInt k = 0; count <= FEW && k < modes->count; k++)
    for (PetscInt i = 0; i < count; i++) coordinates[k] += modes->shape[(size_t)k * (size_t)n + (size_t)pushed[i]] * unknowns[pushed[i]];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ProjectMotion(Linear *linear, const PetscReal unknowns[], PetscReal coordinates[])
{
  PetscFunctionBegin;
  PetscCall(PetscArrayzero(coordinates, linear->n));
  PetscCall(ModesProject(linear->system, ((const Modal *)linear->data)->modes, unknowns, coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Expand(const Linear *linear, const PetscReal coordinates[], PetscReal unknowns[])
{
  PetscFunctionBegin;
  PetscCall(ModesExpand(((const Modal *)linear->data)->modes, coordinates, unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Linear *linear)
{
  Modal *modal = linear->data;

  PetscFunctionBegin;
  PetscCall(PetscFree4(modal->stiffness, modal->damping, modal->no_load, modal->force));
  PetscCall(PetscFree(linear->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const LinearKind kind_modal = {
  .create_level   = CreateLevel,
  .destroy_level  = DestroyLevel,
  .predict        = Predict,
  .finish         = Finish,
  .accelerate     = Accelerate,
  .damping_power  = DampingPower,
  .energy         = Energy,
  .project_motion = ProjectMotion,
  .project_force  = ProjectForce,
  .expand         = Expand,
  .destroy        = Destroy,
};

PetscBool LinearIsModal(const Linear *linear)
{
  return (PetscBool)(linear->kind == &kind_modal);
}

ModalNumbers LinearModalNumbers(const Linear *linear, const LinearLevel *level)
{
  const Modal *const modal = linear->data;

  return (ModalNumbers){modal->stiffness, modal->damping, level ? level->data : NULL};
}

PetscErrorCode LinearCreateModal(const Modes *modes, Linear *linear)
{
  Modal *modal;

  PetscFunctionBegin;
  PetscCall(PetscNew(&modal));
  linear->kind = &kind_modal;
  linear->data = modal;
  linear->n    = RowsPadded(modes->count);
  modal->modes = modes;
  PetscCall(PetscCalloc4(linear->n, &modal->stiffness, linear->n, &modal->damping, linear->n, &modal->no_load, linear->n, &modal->force));
  for (PetscInt k = 0; k < modes->count; k++) {
    modal->stiffness[k] = modes->eigenvalue[k];
    modal->damping[k]   = ModalDamping(&linear->system->damping, k, modes->omega[k]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
