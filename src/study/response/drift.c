/* drift.c - which rigid motions nothing resists, and how they are brought to rest in the mean. */
#include "drift.h"
#include <petscblaslapack.h>

/* The rigid modes, and their momenta, in the coordinates. */
static PetscErrorCode FindRigid(const ModeCache *cache, Linear *linear, Drift *rigid)
{
  const Modes *modes = cache->modes[JOINT_STUCK];
  PetscScalar *momentum;
  Vec          shape, product;

  PetscFunctionBegin;
  *rigid = (Drift){.count = modes->num_rigid, .n = linear->n};
  PetscCall(PetscCalloc3(rigid->count * rigid->n, &rigid->motion, rigid->count * rigid->n, &rigid->momentum, rigid->count, &rigid->start));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, modes->num_unknowns, NULL, &shape));
  PetscCall(VecDuplicate(shape, &product));
  for (PetscInt r = 0; r < rigid->count; r++) {
    PetscReal *const unknowns = modes->shape + r * modes->num_unknowns;

    PetscCall(VecPlaceArray(shape, unknowns));
    PetscCall(MatMult(cache->system->M, shape, product));
    PetscCall(VecResetArray(shape));
    PetscCall(VecGetArray(product, &momentum));
    PetscCall(linear->kind->project_motion(linear, unknowns, rigid->motion + r * rigid->n));
    PetscCall(linear->kind->project_force(linear, momentum, rigid->momentum + r * rigid->n));
    PetscCall(VecRestoreArray(product, &momentum));
  }
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What resists the motion u + sign w: the power of damping, 1 when it is 1e-6 of the frequency, and the square of the motions of the joints, 1
   when they move by no more than round-off. */
static PetscErrorCode Resistance(Linear *linear, const PetscReal u[], const PetscReal w[], PetscReal sign, PetscReal frequency, PetscReal *resistance)
{
  const PetscReal roundoff = 1e-9;
  PetscReal      *sum, *rows, squares = 0.0, norms = 0.0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(linear->n, &sum, linear->m, &rows));
  for (PetscInt j = 0; j < linear->n; j++) sum[j] = u[j] + sign * w[j];
  PetscCall(linear->kind->damping_power(linear, sum, resistance));
  LinearRowsTimes(&linear->joints, sum, rows);
  for (PetscInt i = 0; i < linear->m; i++) {
    squares += PetscSqr(rows[i]);
    norms += PetscSqr(linear->row_norm[i]);
  }
  *resistance /= 1e-6 * frequency;
  if (norms > 0.0) *resistance += squares / (PetscSqr(roundoff) * norms);
  PetscCall(PetscFree2(sum, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What resists each pair of them, as a matrix, from sums and differences; its eigenvalues, ascending, and vectors: below 1 is nothing. */
static PetscErrorCode FindResisted(Linear *linear, const Drift *rigid, PetscReal frequency, PetscReal resisted[], PetscReal vectors[])
{
  const PetscInt r = rigid->count, n = rigid->n;
  PetscBLASInt   size = (PetscBLASInt)r, room = 4 * size, info;
  PetscScalar   *work;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < r; i++)
    for (PetscInt j = 0; j <= i; j++) {
      PetscReal of_sum, of_difference;

      PetscCall(Resistance(linear, rigid->motion + i * n, rigid->motion + j * n, 1.0, frequency, &of_sum));
      PetscCall(Resistance(linear, rigid->motion + i * n, rigid->motion + j * n, -1.0, frequency, &of_difference));
      vectors[i * r + j] = vectors[j * r + i] = 0.25 * (of_sum - of_difference);
    }
  PetscCall(PetscMalloc1(room, &work));
  LAPACKsyev_("V", "U", &size, vectors, &size, resisted, work, &room, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "syev failed: %d", (int)info);
  PetscCall(PetscFree(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those combinations of the rigid motions that nothing resists, which come first. */
static PetscErrorCode Combine(const Drift *rigid, const PetscReal resisted[], const PetscReal vectors[], Drift *drift)
{
  const PetscInt n = rigid->n;

  PetscFunctionBegin;
  *drift = (Drift){.n = n};
  while (drift->count < rigid->count && resisted[drift->count] < 1.0) drift->count++;
  PetscCall(PetscCalloc3(drift->count * n, &drift->motion, drift->count * n, &drift->momentum, drift->count, &drift->start));
  for (PetscInt d = 0; d < drift->count; d++)
    for (PetscInt r = 0; r < rigid->count; r++)
      for (PetscInt j = 0; j < n; j++) {
        drift->motion[d * n + j] += vectors[d * rigid->count + r] * rigid->motion[r * n + j];
        drift->momentum[d * n + j] += vectors[d * rigid->count + r] * rigid->momentum[r * n + j];
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DriftCreate(ModeCache *cache, Linear *linear, PetscReal frequency, Drift *drift)
{
  PetscReal *resisted, *vectors;
  Drift      rigid;

  PetscFunctionBegin;
  PetscCall(FindRigid(cache, linear, &rigid));
  PetscCall(PetscMalloc2(rigid.count, &resisted, rigid.count * rigid.count, &vectors));
  if (rigid.count) PetscCall(FindResisted(linear, &rigid, frequency, resisted, vectors));
  PetscCall(Combine(&rigid, resisted, vectors, drift));
  PetscCall(PetscFree2(resisted, vectors));
  PetscCall(DriftDestroy(&rigid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DriftDestroy(Drift *drift)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(drift->motion, drift->momentum, drift->start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void DriftMark(Drift *drift, const State *state)
{
  RowsTimes(drift->count, drift->n, drift->momentum, state->u, drift->start);
}

void DriftTake(const Drift *drift, PetscReal duration, State *state)
{
  for (PetscInt d = 0; d < drift->count; d++) {
    const PetscReal *motion = drift->motion + d * drift->n;
    PetscReal        place, speed;

    RowsTimes(1, drift->n, drift->momentum + d * drift->n, state->u, &place);
    speed = (place - drift->start[d]) / duration;
    for (PetscInt j = 0; j < drift->n; j++) state->v[j] -= speed * motion[j];
  }
}
