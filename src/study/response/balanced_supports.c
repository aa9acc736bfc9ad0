/* balanced_supports.c - the forces that move the supports of a curve by harmonic balance, or hold them: all harmonics. */
#include "balanced.h"
#include "periodic_rows.h"
#include "study/periodic_motion.h"

// clang-format off
static const OutputField fields[] = {
  {"amplitude", RESULT_REAL, {"points"}, "N", "half of peak to peak of the force that moves the support as it moves, or holds it [N m of a rotation]; its motion is that of its point"},
  {"phase", RESULT_REAL, {"points"}, "rad", "phase of its first harmonic: a sin(Omega t + phase) under a load sin(Omega t)"},
  {"mean", RESULT_REAL, {"points"}, "N", "its mean over a period"},
  {"harmonics", RESULT_REAL, {"points", "harmonics"}, "N", "amplitudes of its harmonics, a sin(h Omega t + phase); 0 of those that the point does not have"},
  {"harmonic_phases", RESULT_REAL, {"points", "harmonics"}, "rad", "phases of the harmonics, likewise"},
  {0}
};
// clang-format on

const OutputTable balanced_support_output = {"response/NAME/CURVE/moving_supports/POINT/DIRECTION/reaction",
                                             "reaction of a moving support along a curve by harmonic balance", fields, NULL};

PetscErrorCode BalancedDeclareSupports(const Names *names, const BalancedKeys *keys, Findings *findings, BalancedCurve *curve)
{
  PetscFunctionBegin;
  curve->num_supports = names->num_supports;
  PetscCall(PetscCalloc1(names->num_supports, &curve->supports));
  for (PetscInt s = 0; s < names->num_supports; s++) {
    const char *direction, *point = NamesSupport(names, s, &direction);

    PetscCall(FindingsAdd(findings, &balanced_support_output, &curve->supports[s], "%s/moving_supports/%s/%s/reaction", FindingPath(curve->finding),
                          point, direction));
    PetscCall(FindingSetSize(curve->supports[s], "points", keys->max_points));
    PetscCall(FindingSetSize(curve->supports[s], "harmonics", keys->stored_harmonics));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All harmonics of the reactions, x[supports, functions of the basis]. */
static PetscErrorCode FindReactions(const Curve *curve, PetscInt count, PetscReal x[])
{
  const HarmonicBasis *const basis = curve->basis;
  const HarmonicSetting      at    = curve->setting;
  PeriodicMotion             motion;
  PetscReal                 *c, *s;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &c, count, &s));
  PetscCall(PeriodicMotionOfCurve(curve, &motion));
  for (PetscInt h = 0; h < basis->num_harmonics; h++) {
    PetscCall(PeriodicMotionSelect(&motion, h));
    HarmonicSupportsReact(curve->structure->supports, basis->harmonic[h], at.frequency, at.level, motion.q_c, motion.q_s, motion.g_c, motion.g_s, c,
                          s);
    for (PetscInt i = 0; i < count; i++) {
      PetscReal *const numbers = x + i * basis->num_functions + basis->first[h];

      numbers[0] = c[i];
      if (basis->harmonic[h]) numbers[1] = s[i];
    }
  }
  PetscCall(PeriodicMotionDestroy(&motion));
  PetscCall(PetscFree2(c, s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalancedWriteSupports(const BalancedCurve *which, PetscInt stored, PetscInt row, const Curve *curve, const Result *result)
{
  PetscReal *x;

  PetscFunctionBegin;
  if (which->num_supports == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(which->num_supports * curve->basis->num_functions, &x));
  PetscCall(FindReactions(curve, which->num_supports, x));
  for (PetscInt s = 0; s < which->num_supports; s++) {
    PeriodicRows one;

    PetscCall(PeriodicRowsCreate(1, stored, &one));
    PetscCall(PeriodicRowsTake(curve->basis, x + s * curve->basis->num_functions, &one));
    PetscCall(PeriodicRowsWrite(&one, which->supports[s], 0, row, result));
    PetscCall(PeriodicRowsDestroy(&one));
  }
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}
