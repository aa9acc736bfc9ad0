/* mode_static.c - a nonlinear mode by static equilibrium under a load along it, alpha M phi [Lacayo, Allen 2019], and the first harmonic of its loop. */
#include "nonlinear_modes.h"
#include "harmonic/virgin.h"

/* Evenly in their logarithm. */
static PetscErrorCode ChooseAmplitudes(const ModeCurve *mode, PetscInt count, PetscReal **amplitudes)
{
  const PetscReal from = PetscLogReal(mode->from), to = PetscLogReal(mode->to);

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, amplitudes));
  for (PetscInt i = 0; i < count; i++) (*amplitudes)[i] = PetscExpReal(from + (to - from) * (PetscReal)i / (PetscReal)(count - 1));
  (*amplitudes)[0]         = mode->from;
  (*amplitudes)[count - 1] = mode->to;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeFollowStatic(ModeTrack *track, PetscBool *finished, char reason[], size_t size)
{
  const PetscInt count = track->study->keys.points, m = track->structure->m;
  PetscReal     *amplitudes, *remainder;
  PetscInt       reached;
  HarmonicBasis *basis;
  Virgin        *virgin;

  PetscFunctionBegin;
  PetscCall(ChooseAmplitudes(track->curve, count, &amplitudes));
  PetscCall(VirginCreate(track->structure, track->curve->mode, count, amplitudes, &virgin, &reached));
  PetscCall(HarmonicBasisCreate(1, PETSC_TRUE, 8, &basis));
  PetscCall(PetscCalloc1(m * basis->num_functions, &remainder));
  for (PetscInt i = 0; i < reached; i++) {
    ModePoint point = {
      .amplitude = amplitudes[i], .iterations = VirginIterations(virgin, i), .at_rest = PETSC_TRUE, .basis = basis, .remainder = remainder};

    for (PetscInt r = 0; r < m; r++) remainder[r * basis->num_functions] = VirginRemainder(virgin, i)[r];
    VirginLoop(virgin, i, &point.omega, &point.zeta);
    PetscCall(ModeTrackWrite(track, &point));
  }
  *finished = PETSC_TRUE;
  PetscCall(PetscStrncpy(reason, reached < count ? "no equilibrium was found beyond its last point" : "complete", size));
  PetscCall(VirginDestroy(&virgin));
  PetscCall(PetscFree(amplitudes));
  PetscCall(PetscFree(remainder));
  PetscCall(HarmonicBasisDestroy(&basis));
  PetscFunctionReturn(PETSC_SUCCESS);
}
