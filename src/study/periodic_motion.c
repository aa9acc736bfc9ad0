/* periodic_motion.c - all that moves in a periodic motion that harmonic balance has found. */
#include "study/periodic_motion.h"

PetscErrorCode PeriodicMotionCreate(const HarmonicStructure *structure, HarmonicSetting setting, const HarmonicBasis *basis,
                                    const PetscReal remainder[], PeriodicMotion *motion)
{
  PetscFunctionBegin;
  *motion = (PeriodicMotion){.structure = structure, .setting = setting, .basis = basis, .remainder = remainder, .harmonic = -1};
  PetscCall(PetscCalloc4(structure->n, &motion->q_c, structure->n, &motion->q_s, structure->m, &motion->g_c, structure->m, &motion->g_s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PeriodicMotionOfCurve(const Curve *curve, PeriodicMotion *motion)
{
  return PeriodicMotionCreate(curve->structure, curve->setting, curve->basis, curve->equation->remainder, motion);
}

PetscErrorCode PeriodicMotionDestroy(PeriodicMotion *motion)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(motion->q_c, motion->q_s, motion->g_c, motion->g_s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The coordinate of a nonlinear mode is given, a cos(W t): no equation of its own says what it is. */
PetscErrorCode PeriodicMotionSelect(PeriodicMotion *motion, PetscInt h)
{
  const HarmonicBasis *const   basis = motion->basis;
  const HarmonicSetting *const at    = &motion->setting;
  const PetscInt               k = basis->harmonic[h], j = basis->first[h];

  PetscFunctionBegin;
  for (PetscInt r = 0; r < motion->structure->m; r++) {
    const PetscReal *const g = motion->remainder + r * basis->num_functions + j;

    motion->g_c[r] = g[0];
    motion->g_s[r] = k ? g[1] : 0.0;
  }
  PetscCall(HarmonicStructureCoordinates(motion->structure, k, at->frequency, (HarmonicExcitation){at->damping, at->mode}, at->level, motion->g_c,
                                         motion->g_s, motion->q_c, motion->q_s));
  if (k == 1 && at->mode >= 0) {
    motion->q_c[at->mode] = at->amplitude;
    motion->q_s[at->mode] = 0.0;
  }
  motion->harmonic = k;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void PeriodicMotionAt(const PeriodicMotion *motion, const HarmonicPlace *place, PetscReal *c, PetscReal *s)
{
  HarmonicPlaceMotion(motion->structure, place, motion->harmonic, motion->setting.frequency, motion->setting.level, motion->q_c, motion->q_s,
                      motion->g_c, motion->g_s, c, s);
}

PetscErrorCode PeriodicMotionOfPlaces(PeriodicMotion *motion, PetscInt count, const HarmonicPlace places[], PetscReal x[])
{
  const HarmonicBasis *const basis = motion->basis;

  PetscFunctionBegin;
  for (PetscInt h = 0; h < basis->num_harmonics; h++) {
    PetscCall(PeriodicMotionSelect(motion, h));
    for (PetscInt i = 0; i < count; i++) {
      PetscReal *const numbers = x + i * basis->num_functions + basis->first[h];
      PetscReal        c, s;

      PeriodicMotionAt(motion, &places[i], &c, &s);
      numbers[0] = c;
      if (basis->harmonic[h]) numbers[1] = s;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
