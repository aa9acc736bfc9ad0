/*
  estimate.c - modes of a System that differs a little from the one whose modes are known, to first order and without a solution [Fox, Kapoor 1968].

      lambda' = lambda + phi^T (K' - lambda M') phi
      phi_k' = phi_k (3 - phi_k^T M' phi_k) / 2 + sum_j phi_j phi_j^T (K' - lambda_k M') phi_k / (lambda_k - lambda_j)

  As the modes are known, K' and M' may be those of the System itself: then all corrections are zero.
*/
#include <math.h>
#include "modes.h"
#include "rows.h"

PetscErrorCode ModesCanEstimate(const System *system, const System *other, PetscBool *can)
{
  PetscInt rows[2], columns[2];

  PetscFunctionBegin;
  *can = (PetscBool)(system->num_unknowns == other->num_unknowns && !system->continuum == !other->continuum);
  if (!*can || !system->continuum) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(system->continuum->R, &rows[0], &columns[0]));
  PetscCall(MatGetSize(other->continuum->R, &rows[1], &columns[1]));
  *can = (PetscBool)(rows[0] == rows[1] && columns[0] == columns[1]);
  if (*can) PetscCall(MatEqual(system->continuum->R, other->continuum->R, can));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A correction that is no more than round-off of its two parts is none. */
static PetscReal Clean(PetscReal strain, PetscReal inertia)
{
  return PetscAbsReal(strain - inertia) <= 8 * PETSC_MACHINE_EPSILON * (PetscAbsReal(strain) + PetscAbsReal(inertia)) ? 0 : strain - inertia;
}

PetscErrorCode ModesEstimate(const System *system, const Model *model, JointState state, const Modes *modes, PetscReal omega[])
{
  PetscReal *strain, *inertia;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(modes->count, &strain, modes->count, &inertia));
  PetscCall(ModesEnergies(system, model, state, modes, strain, inertia));
  for (PetscInt k = 0; k < modes->count; k++) {
    const PetscReal change = Clean(strain[k], modes->eigenvalue[k] * inertia[k]);

    omega[k] = modes->omega[k];
    if (change != 0) omega[k] = modes->omega[k] > 0 ? modes->omega[k] + change / (2 * modes->omega[k]) : (PetscReal)NAN;
  }
  PetscCall(PetscFree2(strain, inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* (K - lambda M) phi and M phi. */
static PetscErrorCode FindImages(Mat K, Mat M, PetscReal lambda, Vec shape, Vec rest, Vec momentum)
{
  PetscFunctionBegin;
  PetscCall(MatMult(M, shape, momentum));
  PetscCall(MatMult(K, shape, rest));
  PetscCall(VecAXPY(rest, -lambda, momentum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much of each mode is in the estimate of mode k. */
static void FindShares(const Modes *all, PetscInt k, const PetscReal rest[], const PetscReal momentum[], PetscReal share[])
{
  PetscReal mass;

  RowsTimes(1, all->num_unknowns, all->shape + (size_t)k * (size_t)all->num_unknowns, momentum, &mass);
  RowsTimes(all->count, all->num_unknowns, all->shape, rest, share);
  for (PetscInt j = 0; j < all->count; j++)
    if (j != k) share[j] = all->eigenvalue[j] == all->eigenvalue[k] ? (PetscReal)NAN : share[j] / (all->eigenvalue[k] - all->eigenvalue[j]);
  share[k] = (3 - mass) / 2;
}

PetscErrorCode ModesEstimateShapes(const System *system, const Modes *all, Modes *estimate)
{
  const PetscInt     n = all->num_unknowns;
  const PetscScalar *rests, *momenta;
  PetscReal         *share;
  Vec                shape, rest, momentum;
  Mat                K;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, all->state, &K));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, NULL, &shape));
  PetscCall(MatCreateVecs(K, &rest, &momentum));
  PetscCall(PetscMalloc1(all->count, &share));
  for (PetscInt k = 0; k < estimate->count; k++) {
    PetscCall(VecPlaceArray(shape, all->shape + (size_t)k * (size_t)n));
    PetscCall(FindImages(K, system->M, all->eigenvalue[k], shape, rest, momentum));
    PetscCall(VecResetArray(shape));
    PetscCall(VecGetArrayRead(rest, &rests));
    PetscCall(VecGetArrayRead(momentum, &momenta));
    FindShares(all, k, rests, momenta, share);
    PetscCall(VecRestoreArrayRead(momentum, &momenta));
    PetscCall(VecRestoreArrayRead(rest, &rests));
    PetscCall(ModesExpand(all, share, estimate->shape + (size_t)k * (size_t)n));
  }
  PetscCall(PetscFree(share));
  PetscCall(VecDestroy(&momentum));
  PetscCall(VecDestroy(&rest));
  PetscCall(VecDestroy(&shape));
  PetscCall(MatDestroy(&K));
  PetscFunctionReturn(PETSC_SUCCESS);
}
