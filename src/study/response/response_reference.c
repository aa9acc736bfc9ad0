/*
  response_reference.c - the motion of a response of which the program tells.

  It is the one that the first load pushes, where that is watched. The loads of a base, a pattern or a shape push no point, and what they
  move is then found by modes, of which each takes the part

      |b phi_k| |phi_k^T p| / max(d_k, 2 zeta omega_k^2),   zeta = 0.01

  in a motion b, d_k being the distance of omega_k^2 from the squares of the frequencies of the case. The motion of the largest part relative
  to its scale is chosen (see steady.h), the first of those that are equal but for 1 %, as round-off must not decide.
*/
#include "response.h"

PetscInt ResponsePushedMotion(const Response *response)
{
  if (response->num_loads == 0 || response->loads[0].place != LOAD_ON_POINT) return -1;
  for (PetscInt i = 0; i < response->watched.count; i++)
    if (!response->watched.motions[i].of_joint && response->watched.motions[i].row == response->loads[0].motion) return i;
  return -1;
}

/* p, the amplitudes of all loads together. */
static PetscErrorCode AddLoads(const Response *response, ModeCache *cache, PetscReal force[])
{
  const PetscInt n = cache->system->num_unknowns;
  PetscReal     *one;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(force, n));
  PetscCall(PetscMalloc1(n, &one));
  for (PetscInt l = 0; l < response->num_loads; l++) {
    PetscCall(LoadDistribution(&response->loads[l], cache, one));
    for (PetscInt j = 0; j < n; j++) force[j] += one[j];
  }
  PetscCall(PetscFree(one));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much a mode of this eigenvalue moves under a force 1 on it. */
static PetscReal ModeCompliance(const Response *response, PetscReal eigenvalue)
{
  const PetscReal damping = 0.01, square = PetscMax(eigenvalue, 0.0);
  const PetscReal lowest  = PetscSqr(2.0 * PETSC_PI * response->frequency[0]);
  const PetscReal highest = PetscSqr(2.0 * PETSC_PI * response->frequency[response->num_base - 1]);

  return 1.0 / PetscMax(PetscAbsReal(square - PetscClipInterval(square, lowest, highest)), 2.0 * damping * square);
}

/* Of the values of all rows of T or B. */
static PetscReal ValueOf(const System *system, const WatchedMotion *motion, const PetscReal value[])
{
  return motion->of_joint ? SystemLayerMean(system, motion->row, motion->size, value) : value[motion->row];
}

/* b phi_k of every motion that is watched. */
static PetscErrorCode MotionsOf(const ResponseMarch *march, PetscInt mode, PetscReal motion[])
{
  const Modes        *modes   = march->cache->modes[JOINT_STUCK];
  const System *const system  = march->cache->system;
  Mat                 maps[2] = {system->T, system->B};
  Vec                 shape, product;
  const PetscScalar  *value;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, modes->num_unknowns, modes->shape + mode * modes->num_unknowns, &shape));
  for (PetscInt of_joint = 0; of_joint < 2; of_joint++) {
    if (!maps[of_joint]) continue;
    PetscCall(MatCreateVecs(maps[of_joint], NULL, &product));
    PetscCall(MatMult(maps[of_joint], shape, product));
    PetscCall(VecGetArrayRead(product, &value));
    for (PetscInt i = 0; i < march->response->watched.count; i++)
      if (march->response->watched.motions[i].of_joint == (PetscBool)of_joint)
        motion[i] = ValueOf(system, &march->response->watched.motions[i], value);
    PetscCall(VecRestoreArrayRead(product, &value));
    PetscCall(VecDestroy(&product));
  }
  PetscCall(VecDestroy(&shape));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The largest part of a mode in each motion, relative to the scale of the motion. */
static PetscErrorCode FindParts(const ResponseMarch *march, const PetscReal force[], PetscReal part[])
{
  const Modes   *modes = march->cache->modes[JOINT_STUCK];
  const PetscInt n = modes->num_unknowns, count = march->response->watched.count;
  PetscReal     *motion;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &motion));
  PetscCall(PetscArrayzero(part, count));
  for (PetscInt k = 0; k < modes->count; k++) {
    PetscReal push = 0.0;

    for (PetscInt j = 0; j < n; j++) push += modes->shape[k * n + j] * force[j];
    push *= ModeCompliance(march->response, modes->eigenvalue[k]);
    PetscCall(MotionsOf(march, k, motion));
    for (PetscInt i = 0; i < count; i++)
      if (march->steady->scale[i] > 0.0) part[i] = PetscMax(part[i], PetscAbsReal(push * motion[i]) / march->steady->scale[i]);
  }
  PetscCall(PetscFree(motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseChooseReference(ModeCache *cache, Response *response)
{
  const PetscReal equal = 0.99;
  PetscReal       most  = 0.0, *force, *part;
  ResponseMarch   march;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(cache->system->num_unknowns, &force, response->watched.count, &part));
  PetscCall(ResponseMarchBegin(response, &response->curves[0], cache, NULL, NULL, &march));
  PetscCall(AddLoads(response, cache, force));
  PetscCall(FindParts(&march, force, part));
  PetscCall(ResponseMarchEnd(&march));
  for (PetscInt i = 0; i < response->watched.count; i++) most = PetscMax(most, part[i]);
  response->reference_motion = 0;
  while (part[response->reference_motion] < equal * most) response->reference_motion++;
  PetscCall(PetscFree2(force, part));
  PetscFunctionReturn(PETSC_SUCCESS);
}
