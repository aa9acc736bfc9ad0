/*
  mode_periodic.c - a nonlinear mode by the extended periodic motion concept [Krack 2015]: periodic motions of the structure without loads, which
  an artificial damping -2 zeta W M keeps going; zeta is the damping ratio of the mode. Followed by arc length from small amplitudes on.
*/
#include "nonlinear_modes.h"

enum { MOST_SAMPLES = 4096 };

static PetscErrorCode Accept(Curve *curve, void *context, PetscBool *go_on)
{
  const HarmonicEquation *const e     = curve->equation;
  ModeTrack *const              track = context;
  const ModePoint               point = {.amplitude  = curve->setting.amplitude,
                                         .omega      = curve->setting.frequency,
                                         .zeta       = curve->setting.damping,
                                         .error      = PetscMax(curve->error.left_out, curve->error.kept),
                                         .gap        = e->verdict.gap,
                                         .harmonics  = curve->basis->highest,
                                         .samples    = curve->basis->num_samples,
                                         .iterations = curve->iterations,
                                         .basis      = curve->basis,
                                         .remainder  = e->remainder};

  PetscFunctionBegin;
  InternalResonancesLook(curve, track->coupled, 1, (PetscReal[2]){point.amplitude, 0.0}, &track->passed.resonances);
  PetscCall(ModeTrackWrite(track, &point));
  PetscCall(ExpansionLook(&track->expansion, curve, track->result));
  PetscCall(CurveKeeperLook(&track->keeper, curve, go_on));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static CurveOptions OptionsOf(const NonlinearModesKeys *keys)
{
  const PetscInt samples = keys->harmonics && !keys->samples ? PetscMax(64, 32 * keys->harmonics) : keys->samples;

  return (CurveOptions){
    .accuracy       = keys->harmonics ? 0.0 : keys->accuracy,
    .harmonics      = keys->harmonics ? keys->harmonics : PetscMin(3, keys->most_harmonics),
    .samples        = samples,
    .most_harmonics = keys->harmonics ? keys->harmonics : keys->most_harmonics,
    .most_samples   = MOST_SAMPLES,
    .largest_step   = keys->step,
    .most_points    = keys->max_points,
  };
}

PetscErrorCode ModeFollowPeriodic(ModeTrack *track, PetscBool *finished, char reason[], size_t size)
{
  const ModeCurve *const mode = track->curve;
  Curve                 *curve;

  PetscFunctionBegin;
  PetscCall(CurveCreateOfMode(track->structure, OptionsOf(&track->study->keys), mode->mode, &curve));
  if (HarmonicEquationFloats(curve->equation)) curve->end = CURVE_FLOATS;
  else PetscCall(CurveKeeperFollow(&track->keeper, curve, mode->from, mode->to, Accept, track));
  *finished = (PetscBool)(curve->end != CURVE_BROKEN_OFF);
  PetscCall(PetscStrncpy(reason,
                         curve->end == CURVE_FLOATS ? "joints move with a rigid motion of the structure, whose mean nothing determines: hold it"
                                                    : curve_ends[curve->end],
                         size));
  PetscCall(CurveDestroy(&curve));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Any amplitude is a point of it. */
static PetscErrorCode TakeLinear(ModeTrack *track, ModePoint *point)
{
  Expansion *const        expansion = &track->expansion;
  const InputReals *const values    = expansion->finding ? &expansion->plan->values : NULL;
  PeriodicMotion          motion;

  PetscFunctionBegin;
  for (PetscInt i = 0; values && i < values->count; i++) {
    point->amplitude = expansion->per_value * values->values[i];
    PetscCall(ModeTrackMotion(track, point, &motion));
    PetscCall(ExpansionTake(expansion, &motion, "amplitude", track->result));
    PetscCall(PeriodicMotionDestroy(&motion));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeFollowLinear(ModeTrack *track, PetscBool *finished, char reason[], size_t size)
{
  const HarmonicStructure *const s     = track->structure;
  const ModeCurve *const         mode  = track->curve;
  const PetscReal                omega = PetscSqrtReal(s->eigenvalue[mode->mode]);
  ModePoint                      point = {.omega = omega, .zeta = s->damping[mode->mode] / (2.0 * omega), .harmonics = 1};
  PetscReal                     *still;
  HarmonicBasis                 *basis;

  PetscFunctionBegin;
  PetscCall(HarmonicBasisCreate(1, PETSC_TRUE, 8, &basis));
  PetscCall(PetscCalloc1(s->m * basis->num_functions, &still));
  point.basis     = basis;
  point.remainder = still;
  point.amplitude = mode->from;
  PetscCall(ModeTrackWrite(track, &point));
  point.amplitude = mode->to;
  PetscCall(ModeTrackWrite(track, &point));
  PetscCall(TakeLinear(track, &point));
  *finished = PETSC_TRUE;
  PetscCall(PetscStrncpy(reason, "linear: its shape moves no nonlinear joint", size));
  PetscCall(PetscFree(still));
  PetscCall(HarmonicBasisDestroy(&basis));
  PetscFunctionReturn(PETSC_SUCCESS);
}
