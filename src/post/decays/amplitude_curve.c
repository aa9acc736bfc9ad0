/* amplitude_curve.c - frequency and damping as functions of the amplitude. */
#include "post/decays.h"

PetscErrorCode AmplitudeCurveCreate(PetscInt count, const RingDownPoint points[], AmplitudeCurve *curve)
{
  PetscInt *order;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(curve, sizeof(*curve)));
  PetscCall(PetscMalloc1(count, &order));
  PetscCall(PetscMalloc3(count, &curve->ln_amplitude, count, &curve->ln_omega, count, &curve->ln_zeta));
  for (PetscInt i = 0; i < count; i++) {
    if (!points[i].trusted) continue;
    order[curve->count]                 = i;
    curve->ln_amplitude[curve->count++] = PetscLogReal(points[i].amplitude);
  }
  PetscCall(PetscSortRealWithArrayInt(curve->count, curve->ln_amplitude, order));
  for (PetscInt i = 0; i < curve->count; i++) {
    curve->ln_omega[i] = PetscLogReal(points[order[i]].omega);
    curve->ln_zeta[i]  = PetscLogReal(points[order[i]].zeta);
  }
  PetscCall(PetscFree(order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AmplitudeCurveDestroy(AmplitudeCurve *curve)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(curve->ln_amplitude, curve->ln_omega, curve->ln_zeta));
  curve->count = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool AmplitudeCurveAt(const AmplitudeCurve *curve, PetscReal amplitude, PetscReal *omega, PetscReal *zeta)
{
  const PetscReal x = PetscLogReal(amplitude), widest = PetscLogReal(2.0), *at = curve->ln_amplitude;
  PetscInt        after = 0;
  PetscReal       along;

  while (after < curve->count && at[after] < x) after++;
  if (after == 0 || after == curve->count || at[after] - at[after - 1] > widest) return PETSC_FALSE;
  along  = (x - at[after - 1]) / (at[after] - at[after - 1]);
  *omega = PetscExpReal((1.0 - along) * curve->ln_omega[after - 1] + along * curve->ln_omega[after]);
  *zeta  = PetscExpReal((1.0 - along) * curve->ln_zeta[after - 1] + along * curve->ln_zeta[after]);
  return PETSC_TRUE;
}
