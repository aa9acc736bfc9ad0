/*
  mode_follow.c - which mode of a case with other numbers is one of the case itself.

      MAC_ij = (phi_i^T M psi_j)^2 / phi_i^T M phi_i,   psi_j, M of the case with other numbers

  As the psi_j are orthonormal, a row sums to 1 at most, and a value above one half has no rival in it. Modes psi of equal frequency, which may be
  mixed in any way, are one space, whose MAC is the sum over them. Where unknowns do not mean the same, as those of a mesh that is reduced anew, the
  motions of the mesh stand in place of shapes, without weights; then there may be rivals, and they are told.
*/
#include "mode_follow.h"
#include "mode_fields.h"

static const PetscReal alike  = 0.5 * (1.0 + 1e-6); /* one half exactly is no resemblance, whatever round-off makes of it */
static const PetscReal rivals = 2.0 / 3.0;          /* two modes of which one has so much of the MAC of the other are alike */

static PetscErrorCode WeighByMass(const ModeCache *cache, const Modes *here, const Modes *origin, PetscReal mac[])
{
  PetscReal *strain, *inertia;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(origin->count, &strain, origin->count, &inertia));
  PetscCall(ModesMac(cache->system, origin, here, mac));
  PetscCall(ModesEnergies(cache->system, cache->model, here->state, origin, strain, inertia));
  for (PetscInt i = 0; i < origin->count * here->count; i++) mac[i] /= inertia[i / here->count];
  PetscCall(PetscFree2(strain, inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What each mode does to the mesh. */
static PetscErrorCode MotionsCreate(const ModeCache *cache, const Modes *modes, Vec **motions)
{
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(modes->count, motions));
  for (PetscInt k = 0; k < modes->count; k++) PetscCall(ModeMotion(cache->model, modes, k, &(*motions)[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MotionsDestroy(PetscInt count, Vec **motions)
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < count; k++) PetscCall(VecDestroy(&(*motions)[k]));
  PetscCall(PetscFree(*motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Without weights. What does not move the mesh is like nothing. */
static PetscErrorCode CompareMotions(const ModeCache *cache, const Modes *here, const ModeCache *origin_cache, const Modes *origin, PetscReal mac[])
{
  Vec      *ours, *theirs;
  PetscReal length, *products;

  PetscFunctionBegin;
  PetscCall(MotionsCreate(cache, here, &ours));
  PetscCall(MotionsCreate(origin_cache, origin, &theirs));
  PetscCall(PetscMalloc1(here->count, &products));
  for (PetscInt i = 0; i < origin->count; i++) {
    PetscCall(VecMDot(theirs[i], here->count, ours, products));
    for (PetscInt j = 0; j < here->count; j++) mac[i * here->count + j] = PetscSqr(products[j]);
    PetscCall(VecNorm(theirs[i], NORM_2, &length));
    for (PetscInt j = 0; j < here->count; j++) mac[i * here->count + j] /= length > 0 ? PetscSqr(length) : 1;
  }
  for (PetscInt j = 0; j < here->count; j++) {
    PetscCall(VecNorm(ours[j], NORM_2, &length));
    for (PetscInt i = 0; i < origin->count; i++) mac[i * here->count + j] /= length > 0 ? PetscSqr(length) : 1;
  }
  PetscCall(PetscFree(products));
  PetscCall(MotionsDestroy(origin->count, &theirs));
  PetscCall(MotionsDestroy(here->count, &ours));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Modes here of equal frequency have their sum. */
static void JoinEqual(const Modes *here, ModeLikeness *likeness)
{
  for (PetscInt k = 0, end; k < here->count; k = end) {
    end = ModesGroupEnd(here, k);
    for (PetscInt j = k; j < end; j++) likeness->same_as[j] = (PetscBool)(j > k);
    for (PetscInt i = 0; i < likeness->num_origin; i++) {
      PetscReal *const row = likeness->likeness + i * likeness->num_here, sum = 0;

      for (PetscInt j = k; j < end; j++) sum += row[j];
      for (PetscInt j = k; j < end; j++) row[j] = sum;
    }
  }
}

PetscErrorCode ModeLikenessFind(const ModeCache *cache, const Modes *here, const ModeCache *origin_cache, const Modes *origin,
                                PetscBool same_unknowns, ModeLikeness *likeness)
{
  const PetscBool own  = (PetscBool)(SystemIsOnModes(cache->system) && cache->system != origin_cache->system); /* its unknowns are modes of its own */
  const PetscBool same = (PetscBool)(same_unknowns && !own && here->num_unknowns == origin->num_unknowns && !here->field == !origin->field);

  PetscFunctionBegin;
  likeness->num_origin = origin->count;
  likeness->num_here   = here->count;
  PetscCall(PetscMalloc2(origin->count * here->count, &likeness->likeness, here->count, &likeness->same_as));
  PetscCall(PetscArrayzero(likeness->likeness, origin->count * here->count));
  if (same) PetscCall(WeighByMass(cache, here, origin, likeness->likeness));
  else if (cache->model && ModelMesh(cache->model)) PetscCall(CompareMotions(cache, here, origin_cache, origin, likeness->likeness));
  JoinEqual(here, likeness);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeLikenessDestroy(ModeLikeness *likeness)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(likeness->likeness, likeness->same_as));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mode here, from 0, that is most like a row; and the next one of another frequency, -1 for none. */
static PetscInt FindBest(const PetscReal row[], const ModeLikeness *likeness, PetscInt *next)
{
  PetscInt best = 0;

  *next = -1;
  for (PetscInt j = 1; j < likeness->num_here; j++) {
    if (likeness->same_as[j]) continue;
    if (row[j] > row[best]) {
      *next = best;
      best  = j;
    } else if (*next < 0 || row[j] > row[*next]) *next = j;
  }
  return best;
}

/* Another mode of the case itself that is like this one here, which has a frequency of its own; -1 for none. */
static PetscInt FindOther(const ModeLikeness *likeness, PetscInt i, PetscInt j)
{
  if (j + 1 < likeness->num_here && likeness->same_as[j + 1]) return -1;
  for (PetscInt k = 0; k < likeness->num_origin; k++)
    if (k != i && likeness->likeness[k * likeness->num_here + j] > alike) return k;
  return -1;
}

PetscInt ModeLikenessFollow(const ModeLikeness *likeness, PetscInt number, size_t size, char reason[])
{
  const PetscReal *const row = likeness->likeness + (number - 1) * likeness->num_here;
  PetscInt               best, next, other;

  reason[0] = '\0';
  if (number > likeness->num_origin) {
    (void)PetscSNPrintf(reason, size, "the case itself has no mode %" PetscInt_FMT, number);
    return 0;
  }
  best  = FindBest(row, likeness, &next);
  other = FindOther(likeness, number - 1, best);
  if (!(row[best] > alike))
    (void)PetscSNPrintf(reason, size, "none of %" PetscInt_FMT " modes has the shape of mode %" PetscInt_FMT " of the case (MAC of %.2g at most)",
                        likeness->num_here, number, (double)row[best]);
  else if (next >= 0 && row[next] > rivals * row[best])
    (void)PetscSNPrintf(reason, size,
                        "modes %" PetscInt_FMT " and %" PetscInt_FMT " both resemble mode %" PetscInt_FMT " of the case (MAC of %.2g and %.2g)",
                        best + 1, next + 1, number, (double)row[best], (double)row[next]);
  else if (other >= 0)
    (void)PetscSNPrintf(reason, size, "mode %" PetscInt_FMT " resembles modes %" PetscInt_FMT " and %" PetscInt_FMT " of the case", best + 1,
                        PetscMin(number - 1, other) + 1, PetscMax(number - 1, other) + 1);
  return reason[0] ? 0 : best + 1;
}
