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

static PetscErrorCode FindInertia(const System *system, Floating *floating)
{
  Vec shape, inertia;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < floating->num; k++) {
    PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, floating->n, floating->shape + k * floating->n, &shape));
    PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, floating->n, floating->inertia + k * floating->n, &inertia));
    PetscCall(MatMult(system->M, shape, inertia));
    PetscCall(VecDestroy(&shape));
    PetscCall(VecDestroy(&inertia));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A System on its modes has the rigid ones first, and says which they are; modes of its stiffness would be mixed by round-off. */
static PetscErrorCode TakeFirst(const System *system, Floating *floating)
{
  PetscFunctionBegin;
  PetscCall(Create(system->residual->num_rigid, system->num_unknowns, floating));
  for (PetscInt k = 0; k < floating->num; k++) floating->shape[k * floating->n + k] = 1.0;
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
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FloatingFind(ModeCache *cache, Floating *floating)
{
  PetscFunctionBegin;
  if (cache->system->residual) PetscCall(TakeFirst(cache->system, floating));
  else PetscCall(TakeModes(cache, floating));
  PetscCall(FindInertia(cache->system, floating));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FloatingStrains(const System *system, const Floating *floating, PetscBool *strains)
{
  PetscReal *row;

  PetscFunctionBegin;
  *strains = PETSC_FALSE;
  PetscCall(PetscMalloc1(floating->n, &row));
  for (PetscInt r = 0; r < system->names.num_nonlinear && floating->num; r++) {
    PetscCall(PetscArrayzero(row, floating->n));
    PetscCall(SystemAddPlace(system, r, 1.0, row));
    for (PetscInt k = 0; k < floating->num; k++) {
      PetscReal motion = 0.0, largest = 0.0;

      for (PetscInt j = 0; j < floating->n; j++) {
        const PetscReal part = row[j] * floating->shape[k * floating->n + j];

        motion += part;
        largest = PetscMax(largest, PetscAbsReal(part));
      }
      if (PetscAbsReal(motion) > round_off * largest) *strains = PETSC_TRUE;
    }
  }
  PetscCall(PetscFree(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* |p|, p^T M^-1 p by the modes that are kept and at least what the others have: omega^2 p^T G p with the highest omega that is kept. */
static PetscReal SizeOnModes(const System *system, PetscInt place, const PetscReal force[])
{
  PetscReal squares = place < 0 ? 0.0 : system->residual->eigenvalue[system->num_unknowns - 1] * SystemCompliance(system, place, place);

  for (PetscInt j = 0; j < system->num_unknowns; j++) squares += PetscSqr(force[j]);
  return PetscSqrtReal(squares);
}

/* Adds a force to the push of each motion, and the size of what it is made of to `size`. */
static void AddPush(const System *system, const Floating *floating, PetscInt place, PetscReal factor, const PetscReal force[], PetscReal push[],
                    PetscReal size[])
{
  for (PetscInt k = 0; k < floating->num; k++) {
    const PetscReal *const shape = floating->shape + k * floating->n;
    PetscReal              terms = 0.0;

    for (PetscInt j = 0; j < floating->n; j++) terms += PetscAbsReal(shape[j] * force[j]);
    push[k] += factor * RowsTimesOne(floating->n, shape, force);
    size[k] += PetscAbsReal(factor) * (system->residual ? SizeOnModes(system, place, force) : terms);
  }
}

PetscErrorCode FloatingPush(const System *system, const Floating *floating, const SystemForces *forces, PetscReal push[])
{
  const PetscInt num_places = SystemNumPlaces(system);
  PetscReal     *force, *size;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(push, floating->num));
  PetscCall(PetscCalloc2(floating->n, &force, floating->num, &size));
  AddPush(system, floating, -1, 1.0, forces->unknowns, push, size);
  for (PetscInt c = 0; c < num_places && floating->num; c++) {
    if (forces->places[c] == 0.0) continue;
    PetscCall(PetscArrayzero(force, floating->n));
    PetscCall(SystemAddPlace(system, c, 1.0, force));
    AddPush(system, floating, c, forces->places[c], force, push, size);
  }
  for (PetscInt k = 0; k < floating->num; k++)
    if (PetscAbsReal(push[k]) <= round_off * size[k]) push[k] = 0.0;
  PetscCall(PetscFree2(force, size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* x -= a (b . x) */
static void TakeOut(PetscInt n, const PetscReal a[], const PetscReal b[], PetscReal x[])
{
  const PetscReal share = RowsTimesOne(n, b, x);

  for (PetscInt j = 0; j < n; j++) x[j] -= share * a[j];
}

void FloatingClearForce(const Floating *floating, PetscReal force[])
{
  for (PetscInt k = 0; k < floating->num; k++) TakeOut(floating->n, floating->inertia + k * floating->n, floating->shape + k * floating->n, force);
}

void FloatingClearMotion(const Floating *floating, PetscReal motion[])
{
  for (PetscInt k = 0; k < floating->num; k++) TakeOut(floating->n, floating->shape + k * floating->n, floating->inertia + k * floating->n, motion);
}
