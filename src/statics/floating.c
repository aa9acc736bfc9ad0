/* floating.c - rigid motions that no support, spring or joint holds, and forces that leave them alone. */
#include "statics/floating.h"
#include "rows.h"

static const PetscReal round_off = 1e-9; /* rigid motions are right to as many digits */

static PetscErrorCode Create(PetscInt num, PetscInt n, Floating *floating)
{
  PetscFunctionBegin;
  *floating = (Floating){.num = num, .n = n};
  PetscCall(PetscCalloc2((size_t)num * (size_t)n, &floating->shape, (size_t)num * (size_t)n, &floating->inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FloatingDestroy(Floating *floating)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(floating->shape, floating->inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Weigh(const System *system, const PetscReal shape[], PetscReal inertia[])
{
  Vec x, y;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, system->num_unknowns, shape, &x));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, system->num_unknowns, inertia, &y));
  PetscCall(MatMult(system->M, x, y));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A System on its modes has the rigid ones first, and says which they are; modes of its stiffness would be mixed by round-off. */
static PetscErrorCode TakeFirst(const System *system, Floating *floating)
{
  PetscFunctionBegin;
  PetscCall(Create(system->residual->num_rigid, system->num_unknowns, floating));
  for (PetscInt k = 0; k < floating->num; k++) floating->shape[k * floating->n + k] = floating->inertia[k * floating->n + k] = 1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The unknown that this motion moves most. CanonicalTurn has made it one that all rigid motions after it leave at rest, so that those of
   all motions together hold them all, and no more. */
static PetscInt MostMoved(const Floating *floating, PetscInt k)
{
  const PetscReal *const shape = floating->shape + k * floating->n;
  PetscInt               most  = 0;

  for (PetscInt j = 1; j < floating->n; j++)
    if (PetscAbsReal(shape[j]) > PetscAbsReal(shape[most]) * (1.0 + 1e-6)) most = j;
  return most;
}

/* As stiff as the structure is anywhere. */
PetscErrorCode FloatingHold(const Floating *floating, Mat *K0)
{
  PetscReal stiffest;
  Vec       diagonal;
  Mat       springs;

  PetscFunctionBegin;
  if (floating->num == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatCreateVecs(*K0, &diagonal, NULL));
  PetscCall(MatGetDiagonal(*K0, diagonal));
  PetscCall(VecNorm(diagonal, NORM_INFINITY, &stiffest));
  PetscCall(VecDestroy(&diagonal));
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, floating->n, floating->n, 1, NULL, &springs));
  for (PetscInt k = 0; k < floating->num; k++) {
    const PetscInt unknown = MostMoved(floating, k);

    PetscCall(MatSetValue(springs, unknown, unknown, stiffest > 0.0 ? stiffest : 1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(springs, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(springs, MAT_FINAL_ASSEMBLY));
  PetscCall(MatrixAdd(K0, 1.0, springs));
  PetscCall(MatDestroy(&springs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* x -= a (b . x) */
static void TakeOut(PetscInt n, const PetscReal a[], const PetscReal b[], PetscReal x[])
{
  const PetscReal share = RowsTimesOne(n, b, x);

  for (PetscInt j = 0; j < n; j++) x[j] -= share * a[j];
}

/* Of unit modal mass, orthogonal to those before [Gram, Schmidt]. */
static PetscErrorCode Normalise(const System *system, PetscInt k, Floating *floating)
{
  const PetscInt   n     = floating->n;
  PetscReal *const shape = floating->shape + k * n, *const inertia = floating->inertia + k * n;
  PetscReal scale;

  PetscFunctionBegin;
  for (PetscInt j = 0; j < k; j++) TakeOut(n, floating->shape + j * n, floating->inertia + j * n, shape);
  PetscCall(Weigh(system, shape, inertia));
  scale = 1.0 / PetscSqrtReal(RowsTimesOne(n, shape, inertia));
  for (PetscInt j = 0; j < n; j++) {
    shape[j] *= scale;
    inertia[j] *= scale;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Modes that are found together with stiff ones are rigid to eight digits. Moved at the springs that hold them, and nowhere else, they are to
   nearly all. */
static PetscErrorCode MakeRigid(const System *system, Floating *floating)
{
  Mat K0, held;
  Vec shape, force;
  KSP solver;

  PetscFunctionBegin;
  if (floating->num == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemStiffness(system, JOINT_STUCK, &K0));
  PetscCall(MatDuplicate(K0, MAT_COPY_VALUES, &held));
  PetscCall(FloatingHold(floating, &held));
  PetscCall(MatrixFactor(held, "static_", &solver));
  PetscCall(MatCreateVecs(K0, NULL, &force));
  for (PetscInt k = 0; k < floating->num; k++) {
    PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, floating->n, floating->shape + k * floating->n, &shape));
    PetscCall(MatMult(K0, shape, force));
    PetscCall(KSPSolve(solver, force, force));
    PetscCall(VecAXPY(shape, -1.0, force));
    PetscCall(VecDestroy(&shape));
    PetscCall(Normalise(system, k, floating));
  }
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&force));
  PetscCall(MatDestroy(&held));
  PetscCall(MatDestroy(&K0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeModes(ModeCache *cache, Floating *floating)
{
  const Modes *modes;
  PetscInt     first = 0;

  PetscFunctionBegin;
  PetscCall(ModeCacheGetRigid(cache, JOINT_STUCK, &modes));
  while (first < modes->count && modes->eigenvalue[first] < 0.0) first++;
  PetscCall(Create(modes->num_rigid, modes->num_unknowns, floating));
  PetscCall(PetscArraycpy(floating->shape, modes->shape + first * modes->num_unknowns, floating->num * floating->n));
  PetscCall(MakeRigid(cache->system, floating));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FloatingFind(ModeCache *cache, Floating *floating)
{
  PetscFunctionBegin;
  if (SystemIsOnModes(cache->system)) PetscCall(TakeFirst(cache->system, floating));
  else PetscCall(TakeModes(cache, floating));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether any of the motions moves it by more than round-off of what they move its sides by. */
static PetscBool IsMoved(const Floating *floating, const PetscReal row[])
{
  PetscReal most = 0.0, largest = 0.0;

  for (PetscInt k = 0; k < floating->num; k++) {
    const PetscReal *const shape = floating->shape + k * floating->n;

    most = PetscMax(most, PetscAbsReal(RowsTimesOne(floating->n, row, shape)));
    for (PetscInt j = 0; j < floating->n; j++) largest = PetscMax(largest, PetscAbsReal(row[j] * shape[j]));
  }
  return (PetscBool)(most > round_off * largest);
}

PetscErrorCode FloatingStrains(const System *system, const Floating *floating, PetscBool *strains)
{
  PetscReal *row;

  PetscFunctionBegin;
  *strains = PETSC_FALSE;
  PetscCall(PetscMalloc1(floating->n, &row));
  for (PetscInt r = 0; r < system->names.num_nonlinear && !*strains; r++) {
    PetscCall(PetscArrayzero(row, floating->n));
    PetscCall(SystemAddPlace(system, r, 1.0, row));
    *strains = IsMoved(floating, row);
  }
  PetscCall(PetscFree(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On modes: |p|, p^T M^-1 p by those that are kept and at least what the others have, omega^2 p^T G p with the highest omega that is kept. */
static PetscReal SizeOnModes(const System *system, PetscInt place, const PetscReal force[])
{
  PetscReal squares = place < 0 ? 0.0 : system->residual->eigenvalue[system->num_unknowns - 1] * system->residual->compliance->diagonal[place];

  for (PetscInt j = 0; j < system->num_unknowns; j++) squares += PetscSqr(force[j]);
  return PetscSqrtReal(squares);
}

/* The most that parts of the force push any of the motions by. */
static PetscReal SizeOnUnknowns(const Floating *floating, const PetscReal force[])
{
  PetscReal most = 0.0;

  for (PetscInt k = 0; k < floating->num; k++) {
    PetscReal sum = 0.0;

    for (PetscInt j = 0; j < floating->n; j++) sum += PetscAbsReal(floating->shape[k * floating->n + j] * force[j]);
    most = PetscMax(most, sum);
  }
  return most;
}

/* Adds a force to the push, and the size of what pushes there to `size`. */
static void AddPush(const System *system, const Floating *floating, PetscInt place, PetscReal factor, const PetscReal force[], PetscReal push[],
                    PetscReal *size)
{
  for (PetscInt k = 0; k < floating->num; k++) push[k] += factor * RowsTimesOne(floating->n, floating->shape + k * floating->n, force);
  *size += PetscAbsReal(factor) * (SystemIsOnModes(system) ? SizeOnModes(system, place, force) : SizeOnUnknowns(floating, force));
}

PetscErrorCode FloatingPush(const System *system, const Floating *floating, const SystemForces *forces, PetscReal push[])
{
  const PetscInt num_places = SystemNumPlaces(system);
  PetscReal     *force, size = 0.0;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(push, floating->num));
  PetscCall(PetscMalloc1(floating->n, &force));
  AddPush(system, floating, -1, 1.0, forces->unknowns, push, &size);
  for (PetscInt c = 0; c < num_places; c++) {
    if (forces->places[c] == 0.0) continue;
    PetscCall(PetscArrayzero(force, floating->n));
    PetscCall(SystemAddPlace(system, c, 1.0, force));
    AddPush(system, floating, c, forces->places[c], force, push, &size);
  }
  for (PetscInt k = 0; k < floating->num; k++)
    if (PetscAbsReal(push[k]) <= round_off * size) push[k] = 0.0;
  PetscCall(PetscFree(force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void FloatingClearForce(const Floating *floating, PetscReal force[])
{
  for (PetscInt k = 0; k < floating->num; k++) TakeOut(floating->n, floating->inertia + k * floating->n, floating->shape + k * floating->n, force);
}

void FloatingClearMotion(const Floating *floating, PetscReal motion[])
{
  for (PetscInt k = 0; k < floating->num; k++) TakeOut(floating->n, floating->shape + k * floating->n, floating->inertia + k * floating->n, motion);
}
