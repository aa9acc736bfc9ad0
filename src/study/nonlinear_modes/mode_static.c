/* mode_static.c - a nonlinear mode by static equilibrium under a load along it, alpha M phi [Lacayo, Allen 2019], and the first harmonic of its loop. */
#include <petsctime.h>
#include "nonlinear_modes.h"

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

PetscErrorCode ModeStaticBegin(const NonlinearModes *study, const HarmonicStructure *structure, ModeCurve *curve)
{
  PetscReal *amplitudes;

  PetscFunctionBegin;
  PetscCall(ChooseAmplitudes(curve, study->keys.points, &amplitudes));
  PetscCall(VirginCreate(structure, curve->mode, study->keys.points, amplitudes, &curve->virgin));
  PetscCall(PetscFree(amplitudes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FollowAll(PetscInt count, ModeCurve *const curves[])
{
  PetscBool      beside = PETSC_TRUE;
  PetscLogDouble begun, ended;
  Virgin       **virgins;

  PetscFunctionBegin;
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-lanes", &beside, NULL));
  PetscCall(PetscTime(&begun));
  PetscCall(PetscMalloc1(count, &virgins));
  for (PetscInt i = 0; i < count; i++) virgins[i] = curves[i]->virgin;
  PetscCall(VirginsFollow(count, virgins, beside));
  PetscCall(PetscFree(virgins));
  PetscCall(PetscTime(&ended));
  for (PetscInt i = 0; i < count; i++) curves[i]->seconds = (ended - begun) / (PetscReal)count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesFollowStatic(PetscInt count, NonlinearModes *const studies[])
{
  PetscInt    most = 0, num_curves = 0;
  ModeCurve **curves;

  PetscFunctionBegin;
  for (PetscInt s = 0; s < count; s++) most += studies[s]->num_curves;
  PetscCall(PetscMalloc1(most, &curves));
  for (PetscInt s = 0; s < count; s++)
    for (PetscInt i = 0; i < studies[s]->num_curves; i++)
      if (studies[s]->curves[i].virgin) curves[num_curves++] = &studies[s]->curves[i];
  if (num_curves) PetscCall(FollowAll(num_curves, curves));
  PetscCall(PetscFree(curves));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeWriteStatic(ModeTrack *track, PetscBool *finished, char reason[], size_t size)
{
  const Virgin *const virgin = track->curve->virgin;
  const PetscInt      m = track->structure->m, reached = VirginReached(virgin);
  PetscReal          *remainder;
  HarmonicBasis      *basis;

  PetscFunctionBegin;
  track->keeper.seconds_before = track->curve->seconds;
  PetscCall(HarmonicBasisCreate(1, PETSC_TRUE, 8, &basis));
  PetscCall(PetscCalloc1(m * basis->num_functions, &remainder));
  for (PetscInt i = 0; i < reached; i++) {
    ModePoint point = {.amplitude  = VirginAmplitude(virgin, i),
                       .iterations = VirginIterations(virgin, i),
                       .at_rest    = PETSC_TRUE,
                       .basis      = basis,
                       .remainder  = remainder};

    for (PetscInt r = 0; r < m; r++) remainder[r * basis->num_functions] = VirginRemainder(virgin, i)[r];
    VirginLoop(virgin, i, &point.omega, &point.zeta);
    PetscCall(ModeTrackWrite(track, &point));
  }
  *finished = PETSC_TRUE;
  PetscCall(PetscStrncpy(reason, reached < track->study->keys.points ? "no equilibrium was found beyond its last point" : "complete", size));
  PetscCall(PetscFree(remainder));
  PetscCall(HarmonicBasisDestroy(&basis));
  PetscFunctionReturn(PETSC_SUCCESS);
}
