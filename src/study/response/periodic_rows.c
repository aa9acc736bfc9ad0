/* periodic_rows.c - harmonics of motions as a result tells them. */
#include "periodic_rows.h"
#include <math.h>

PetscErrorCode PeriodicRowsCreate(PetscInt num, PetscInt stored, PeriodicRows *rows)
{
  PetscFunctionBegin;
  *rows = (PeriodicRows){.num = num, .stored = stored};
  PetscCall(
    PetscCalloc5(num, &rows->amplitude, num, &rows->phase, num, &rows->mean, num * stored, &rows->harmonics, num * stored, &rows->harmonic_phases));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PeriodicRowsDestroy(PeriodicRows *rows)
{
  PetscFunctionBegin;
  PetscCall(PetscFree5(rows->amplitude, rows->phase, rows->mean, rows->harmonics, rows->harmonic_phases));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PeriodicRowsTake(const HarmonicBasis *basis, const PetscReal x[], PeriodicRows *rows)
{
  const PetscInt zero = HarmonicFunction(basis, 0), stored = rows->stored;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < rows->num; i++) {
    const PetscReal *const motion = x + i * basis->num_functions;

    PetscCall(HarmonicAmplitude(basis, motion, &rows->amplitude[i]));
    rows->mean[i] = zero < 0 ? 0.0 : motion[zero];
    for (PetscInt k = 1; k <= stored; k++) {
      const PetscInt  j = HarmonicFunction(basis, k);
      const PetscReal c = j < 0 ? 0.0 : motion[j], s = j < 0 ? 0.0 : motion[j + 1];

      rows->harmonics[i * stored + k - 1]       = hypot(c, s);
      rows->harmonic_phases[i * stored + k - 1] = atan2(c, s);
    }
    rows->phase[i] = rows->harmonic_phases[i * stored];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PeriodicRowsWrite(const PeriodicRows *rows, const Finding *finding, PetscInt field, PetscInt row, const Result *result)
{
  const PetscReal *const numbers[] = {rows->amplitude, rows->phase, rows->mean, rows->harmonics, rows->harmonic_phases};

  PetscFunctionBegin;
  for (PetscInt f = 0; f < 5; f++) PetscCall(FindingWrite(finding, field + f, row, 1, numbers[f], result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
