/* reference_change.c - what K0 answers when it contains other tangents of some points, without factoring it again [section 3 of the notes]. */
#include "balance.h"

#include <petscblaslapack.h>

/* Rows that D couples. */
static void FindRows(ReferenceChange *reference)
{
  const PetscInt width = reference->pattern->width;

  for (PetscInt r = 0; r < reference->m; r++) {
    PetscBool changes = PETSC_FALSE;

    for (PetscInt e = r * width; e < (r + 1) * width; e++) {
      const PetscInt other = reference->pattern->column[e];

      for (PetscInt f = other * width; f < (other + 1) * width; f++) changes = (PetscBool)(changes || reference->change[f] != 0.0);
    }
    if (changes) reference->row[reference->count++] = r;
  }
}

/* 1 + H D among the rows, and H by column of them. */
static PetscErrorCode Factor(ReferenceChange *reference, const PetscReal influence[], PetscBool *regular)
{
  const PetscInt m = reference->m, n = reference->count, width = reference->pattern->width;
  PetscInt      *place;
  PetscBLASInt   size, info;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(m, &place));
  for (PetscInt k = 0; k < n; k++) place[reference->row[k]] = k;
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal *const H = influence + reference->row[k] * m; /* a row is a column */

    PetscCall(PetscArraycpy(reference->influence + k * m, H, m));
    for (PetscInt e = reference->row[k] * width; e < (reference->row[k] + 1) * width; e++)
      for (PetscInt i = 0; reference->change[e] != 0.0 && i < n; i++)
        reference->factors[i + n * place[reference->pattern->column[e]]] += H[reference->row[i]] * reference->change[e];
  }
  for (PetscInt i = 0; i < n; i++) reference->factors[i * (n + 1)] += 1.0;
  PetscCall(PetscFree(place));
  PetscCall(PetscBLASIntCast(n, &size));
  LAPACKgetrf_(&size, &size, reference->factors, &size, reference->pivots, &info);
  *regular = (PetscBool)(info == 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReferenceChangeCreate(const TangentPattern *pattern, const PetscReal old_reference[], const PetscReal new_reference[],
                                     const PetscReal influence[], ReferenceChange *reference, PetscBool *regular)
{
  const PetscInt m = pattern->m, places = m * pattern->width;

  PetscFunctionBegin;
  *reference = (ReferenceChange){.m = m, .pattern = pattern};
  *regular   = PETSC_TRUE;
  PetscCall(PetscMalloc2(m, &reference->row, places, &reference->change));
  for (PetscInt e = 0; e < places; e++) reference->change[e] = new_reference[e] - old_reference[e];
  FindRows(reference);
  PetscCall(PetscCalloc3(reference->count * reference->count, &reference->factors, m * reference->count, &reference->influence, reference->count,
                         &reference->pivots));
  if (reference->count) PetscCall(Factor(reference, influence, regular));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReferenceChangeDestroy(ReferenceChange *reference)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(reference->row, reference->change));
  PetscCall(PetscFree3(reference->factors, reference->influence, reference->pivots));
  *reference = (ReferenceChange){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* D (1 + H D)^-1 of motions [m, count], in place. */
static PetscErrorCode TurnToForces(const ReferenceChange *reference, PetscInt num_motions, PetscReal values[])
{
  PetscReal   *motion, *force;
  PetscBLASInt n, count, info;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(reference->count, &n));
  PetscCall(PetscBLASIntCast(num_motions, &count));
  LAPACKgetrs_("N", &n, &count, reference->factors, &n, reference->pivots, values, &n, &info);
  PetscCall(PetscCalloc2(reference->m, &motion, reference->m, &force));
  for (PetscInt k = 0; k < num_motions; k++) {
    PetscReal *const column = values + k * n;

    for (PetscInt i = 0; i < n; i++) motion[reference->row[i]] = column[i];
    TangentPatternTimes(reference->pattern, reference->change, motion, force);
    for (PetscInt i = 0; i < n; i++) column[i] = force[reference->row[i]];
  }
  PetscCall(PetscFree2(motion, force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReferenceChangeForces(const ReferenceChange *reference, const PetscReal motion[], PetscReal force[])
{
  PetscReal *values;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(force, reference->m));
  if (reference->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(reference->count, &values));
  for (PetscInt i = 0; i < reference->count; i++) values[i] = motion[reference->row[i]];
  PetscCall(TurnToForces(reference, 1, values));
  for (PetscInt i = 0; i < reference->count; i++) force[reference->row[i]] = values[i];
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* changed -= H_:o forces, for several columns at once. */
static PetscErrorCode TakeAway(const ReferenceChange *reference, PetscInt num_motions, const PetscReal forces[], PetscReal changed[])
{
  const PetscReal minus = -1.0, one = 1.0;
  PetscBLASInt    m, n, count;

  PetscFunctionBegin;
  PetscCall(PetscBLASIntCast(reference->m, &m));
  PetscCall(PetscBLASIntCast(reference->count, &n));
  PetscCall(PetscBLASIntCast(num_motions, &count));
  BLASgemm_("N", "N", &m, &count, &n, &minus, reference->influence, &m, forces, &n, &one, changed, &m);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReferenceChangeMotions(const ReferenceChange *reference, PetscInt num_motions, PetscReal motions[])
{
  const PetscInt m = reference->m, n = reference->count;
  PetscReal     *values;

  PetscFunctionBegin;
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(n * num_motions, &values));
  for (PetscInt k = 0; k < num_motions; k++)
    for (PetscInt i = 0; i < n; i++) values[k * n + i] = motions[k * m + reference->row[i]];
  PetscCall(TurnToForces(reference, num_motions, values));
  PetscCall(TakeAway(reference, num_motions, values, motions));
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
