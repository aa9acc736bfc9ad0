/* linear_factored.c - the linear part of a step on the unknowns themselves, with one factorisation per step size. */
#include "sparse_influence.h"

typedef struct {
  Mat        C, K0;        /* C is NULL when nothing damps */
  Vec        x, y, sum;    /* x and y borrow arrays */
  KSP        mass;         /* solves with M */
  PetscReal *force, *work; /* [n] */
} Factored;

static PetscErrorCode Solve(const Factored *factored, KSP ksp, const PetscReal right[], PetscReal solution[])
{
  PetscFunctionBegin;
  PetscCall(VecPlaceArray(factored->x, right));
  PetscCall(VecPlaceArray(factored->y, solution));
  PetscCall(KSPSolve(ksp, factored->x, factored->y));
  PetscCall(VecResetArray(factored->x));
  PetscCall(VecResetArray(factored->y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* result += factor * matrix * motion */
static PetscErrorCode AddProduct(const Factored *factored, Mat matrix, PetscReal factor, const PetscReal motion[], PetscReal result[])
{
  PetscFunctionBegin;
  if (!matrix) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecPlaceArray(factored->x, motion));
  PetscCall(VecPlaceArray(factored->y, result));
  PetscCall(MatMult(matrix, factored->x, factored->sum));
  PetscCall(VecAXPY(factored->y, factor, factored->sum));
  PetscCall(VecResetArray(factored->x));
  PetscCall(VecResetArray(factored->y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Quadratic(const Factored *factored, Mat matrix, const PetscReal motion[], PetscReal *value)
{
  PetscFunctionBegin;
  *value = 0.0;
  if (!matrix) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecPlaceArray(factored->x, motion));
  PetscCall(MatMult(matrix, factored->x, factored->sum));
  PetscCall(VecDot(factored->x, factored->sum, value));
  PetscCall(VecResetArray(factored->x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  KSP              ksp;    /* solves with S */
  SparseInfluence *sparse; /* NULL where H is formed */
} Level;

/* S^-1 b of each row b. */
static PetscErrorCode FillResponse(Linear *linear, KSP ksp, LinearLevel *level)
{
  PetscReal *row;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(linear->n, &row));
  PetscCall(PetscMalloc1((size_t)linear->m * (size_t)linear->n, &level->response));
  for (PetscInt i = 0; i < linear->m; i++) {
    LinearRowsGet(&linear->joints, i, row);
    PetscCall(Solve(linear->data, ksp, row, level->response + i * linear->n));
  }
  PetscCall(PetscFree(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateLevel(Linear *linear, PetscReal h, LinearLevel *level)
{
  const Factored   *factored = linear->data;
  const NewmarkRule rule     = linear->rule;
  const PetscReal   theta    = 1.0 + rule.alpha;
  Mat               S;
  Level            *made;

  PetscFunctionBegin;
  PetscCall(PetscNew(&made));
  level->data = made;
  PetscCall(MatDuplicate(factored->K0, MAT_COPY_VALUES, &S));
  PetscCall(MatScale(S, theta * rule.beta * h * h));
  PetscCall(MatrixAdd(&S, 1.0, linear->system->M));
  if (factored->C) PetscCall(MatrixAdd(&S, theta * rule.gamma * h, factored->C));
  PetscCall(MatSetOption(S, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(MatrixFactor(S, "step_", &made->ksp));
  if (linear->sparse) PetscCall(SparseInfluenceCreate(&linear->joints, S, made->ksp, theta * rule.beta * h * h, &made->sparse, &level->influence));
  else PetscCall(FillResponse(linear, made->ksp, level));
  PetscCall(MatDestroy(&S));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DestroyLevel(LinearLevel *level)
{
  Level *data = level->data;

  PetscFunctionBegin;
  PetscCall(SparseInfluenceDestroy(&data->sparse));
  PetscCall(KSPDestroy(&data->ksp));
  PetscCall(PetscFree(level->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Predict(Linear *linear, const LinearLevel *level, const State *state, const PetscReal old_load[], const PetscReal new_load[],
                              LinearResponse *response)
{
  const Factored   *factored = linear->data;
  const NewmarkRule rule     = linear->rule;
  const PetscInt    n        = linear->n;
  const PetscReal   h = level->h, theta = 1.0 + rule.alpha, alpha = rule.alpha;
  PetscReal *const  force = factored->force;

  PetscFunctionBegin;
  for (PetscInt j = 0; j < n; j++) {
    response->u[j] = state->u[j] + h * state->v[j] + h * h * (0.5 - rule.beta) * state->a[j];
    response->v[j] = state->v[j] + h * (1.0 - rule.gamma) * state->a[j];
    force[j]       = (new_load ? theta * new_load[j] : 0.0) - (old_load ? alpha * old_load[j] : 0.0);
  }
  PetscCall(AddProduct(factored, factored->C, -theta, response->v, force));
  PetscCall(AddProduct(factored, factored->K0, -theta, response->u, force));
  if (alpha != 0.0) {
    PetscCall(AddProduct(factored, factored->C, alpha, state->v, force));
    PetscCall(AddProduct(factored, factored->K0, alpha, state->u, force));
    LinearRowsCombine(&linear->joints, state->remainder, factored->work);
    for (PetscInt j = 0; j < n; j++) force[j] += alpha * factored->work[j];
  }
  PetscCall(Solve(factored, ((const Level *)level->data)->ksp, force, response->a));
  response->size = 0.0;
  for (PetscInt j = 0; j < n; j++) {
    response->u[j] += rule.beta * h * h * response->a[j];
    response->v[j] += rule.gamma * h * response->a[j];
    response->size += response->u[j] * response->u[j];
  }
  response->size = PetscSqrtReal(response->size);
  LinearRowsTimes(&linear->joints, response->u, response->motion);
  if (linear->viscous) LinearRowsTimes(&linear->joints, response->v, response->rate);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Finish(Linear *linear, const LinearLevel *level, const LinearResponse *response, const PetscReal remainder[],
                             const PetscReal old_load[], const PetscReal new_load[], State *state)
{
  const Factored   *factored = linear->data;
  const NewmarkRule rule     = linear->rule;
  const PetscInt    n        = linear->n;
  const PetscReal   h = level->h, theta = 1.0 + rule.alpha;
  SparseInfluence  *sparse = ((const Level *)level->data)->sparse;
  PetscReal *const  mean   = factored->work;
  PetscReal         work   = 0.0, damped;

  PetscFunctionBegin;
  if (sparse) PetscCall(SparseInfluenceRespond(sparse, remainder, state->a));
  else RowsCombine(linear->m, n, level->response, remainder, state->a);
  for (PetscInt j = 0; j < n; j++) {
    const PetscReal load   = (old_load ? old_load[j] : 0.0) + (new_load ? new_load[j] : 0.0);
    const PetscReal change = -theta * state->a[j];
    const PetscReal new_u = response->u[j] + rule.beta * h * h * change, new_v = response->v[j] + rule.gamma * h * change;

    mean[j] = 0.5 * (state->v[j] + new_v);
    work += 0.5 * load * (new_u - state->u[j]);
    state->u[j] = new_u;
    state->v[j] = new_v;
    state->a[j] = response->a[j] + change;
  }
  PetscCall(Quadratic(factored, factored->C, mean, &damped));
  state->damped += h * damped;
  state->work += work;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Accelerate(Linear *linear, const PetscReal load[], const PetscReal u[], const PetscReal v[], const PetscReal remainder[],
                                 PetscReal a[])
{
  const Factored *factored = linear->data;
  const PetscInt  n        = linear->n;
  PetscReal      *force    = factored->force;

  PetscFunctionBegin;
  LinearRowsCombine(&linear->joints, remainder, force);
  for (PetscInt j = 0; j < n; j++) force[j] = (load ? load[j] : 0.0) - force[j];
  PetscCall(AddProduct(factored, factored->C, -1.0, v, force));
  PetscCall(AddProduct(factored, factored->K0, -1.0, u, force));
  PetscCall(Solve(factored, factored->mass, force, a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DampingPower(Linear *linear, const PetscReal v[], PetscReal *power)
{
  const Factored *factored = linear->data;

  PetscFunctionBegin;
  PetscCall(Quadratic(factored, factored->C, v, power));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Energy(Linear *linear, const State *state, PetscReal *kinetic, PetscReal *strain)
{
  const Factored *factored = linear->data;

  PetscFunctionBegin;
  PetscCall(Quadratic(factored, linear->system->M, state->v, kinetic));
  PetscCall(Quadratic(factored, factored->K0, state->u, strain));
  *kinetic *= 0.5;
  *strain *= 0.5;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Project(Linear *linear, const PetscReal unknowns[], PetscReal coordinates[])
{
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(coordinates, unknowns, linear->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Expand(const Linear *linear, const PetscReal coordinates[], PetscReal unknowns[])
{
  PetscFunctionBegin;
  PetscCall(PetscArraycpy(unknowns, coordinates, linear->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Linear *linear)
{
  Factored *factored = linear->data;

  PetscFunctionBegin;
  PetscCall(MatDestroy(&factored->C));
  PetscCall(MatDestroy(&factored->K0));
  PetscCall(VecDestroy(&factored->x));
  PetscCall(VecDestroy(&factored->y));
  PetscCall(VecDestroy(&factored->sum));
  PetscCall(KSPDestroy(&factored->mass));
  PetscCall(PetscFree2(factored->force, factored->work));
  PetscCall(PetscFree(linear->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const LinearKind kind_factored = {
  .on_unknowns    = PETSC_TRUE,
  .create_level   = CreateLevel,
  .destroy_level  = DestroyLevel,
  .predict        = Predict,
  .finish         = Finish,
  .accelerate     = Accelerate,
  .damping_power  = DampingPower,
  .energy         = Energy,
  .project_motion = Project,
  .project_force  = Project,
  .expand         = Expand,
  .destroy        = Destroy,
};

/* C += M Phi diag(2 zeta omega) Phi^T M [eq. 25 of lacayo2017], which is full. */
static PetscErrorCode AddModalDamping(const System *system, const Modes *modes, Mat *C)
{
  SystemDamping ratios = system->damping;
  Mat           shapes, momenta, scaled, damping, full;
  PetscScalar  *value;

  PetscFunctionBegin;
  ratios.mass_factor = ratios.stiffness_factor = 0.0;
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, modes->num_unknowns, modes->count, modes->shape, &shapes));
  PetscCall(MatMatMult(system->M, shapes, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &momenta));
  PetscCall(MatDuplicate(momenta, MAT_COPY_VALUES, &scaled));
  PetscCall(MatDenseGetArray(scaled, &value));
  for (PetscInt k = 0; k < modes->count; k++)
    for (PetscInt j = 0; j < modes->num_unknowns; j++) value[k * modes->num_unknowns + j] *= ModalDamping(&ratios, k, modes->omega[k]);
  PetscCall(MatDenseRestoreArray(scaled, &value));
  PetscCall(MatMatTransposeMult(scaled, momenta, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &damping));
  PetscCall(MatConvert(damping, MATSEQAIJ, MAT_INITIAL_MATRIX, &full));
  if (*C) PetscCall(MatAXPY(full, 1.0, *C, DIFFERENT_NONZERO_PATTERN)); /* its exact zeros were left out */
  PetscCall(MatDestroy(C));
  *C = full;
  PetscCall(MatDestroy(&damping));
  PetscCall(MatDestroy(&scaled));
  PetscCall(MatDestroy(&momenta));
  PetscCall(MatDestroy(&shapes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddScaled(Mat *sum, PetscReal factor, Mat matrix)
{
  PetscFunctionBegin;
  if (factor == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  if (*sum) PetscCall(MatAXPY(*sum, factor, matrix, DIFFERENT_NONZERO_PATTERN));
  else {
    PetscCall(MatDuplicate(matrix, MAT_COPY_VALUES, sum));
    PetscCall(MatScale(*sum, factor));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode BuildDamping(const System *system, const Modes *modes, Factored *factored)
{
  PetscFunctionBegin;
  if (system->C) PetscCall(MatDuplicate(system->C, MAT_COPY_VALUES, &factored->C));
  PetscCall(AddScaled(&factored->C, system->damping.mass_factor, system->M));
  PetscCall(AddScaled(&factored->C, system->damping.stiffness_factor, factored->K0));
  if (system->damping.num_ratios && modes) PetscCall(AddModalDamping(system, modes, &factored->C));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LinearCreateFactored(const Modes *modes, Linear *linear)
{
  const System  *system = linear->system;
  const PetscInt n      = system->num_unknowns;
  Factored      *factored;

  PetscFunctionBegin;
  PetscCall(PetscNew(&factored));
  linear->kind = &kind_factored;
  linear->data = factored;
  linear->n    = n;
  PetscCall(SystemStiffness(system, JOINT_STUCK, &factored->K0));
  PetscCall(BuildDamping(system, modes, factored));
  PetscCall(PetscMalloc2(n, &factored->force, n, &factored->work));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &factored->x));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &factored->y));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, n, &factored->sum));
  PetscCall(MatrixFactor(system->M, "step_", &factored->mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}
