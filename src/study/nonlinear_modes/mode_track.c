/* mode_track.c - a nonlinear mode while it is followed: its points, written one by one. */
#include "modes_outputs.h"

static const PetscReal TRUSTED = 0.02; /* estimated error of a point that others may learn from, as that of a ring-down's damping */

/* Harmonics of all watched motions at one point. */
typedef struct {
  PetscReal *mean, *cosine, *sine; /* [count], [count, num_kept] */
} Shape;

PetscErrorCode ModeTrackMotion(const ModeTrack *track, const ModePoint *point, PeriodicMotion *motion)
{
  const HarmonicSetting setting = {
    .frequency = point->at_rest ? 0.0 : point->omega, .damping = point->zeta, .amplitude = point->amplitude, .mode = track->curve->mode};

  return PeriodicMotionCreate(track->structure, setting, point->basis, point->remainder, motion);
}

static PetscErrorCode ShapeCreate(const NonlinearModes *study, Shape *shape)
{
  const PetscInt size = study->watched.count * study->num_kept;

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(study->watched.count, &shape->mean, size, &shape->cosine, size, &shape->sine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void TakeHarmonic(const NonlinearModes *study, const PeriodicMotion *motion, Shape *shape)
{
  for (PetscInt i = 0; i < study->watched.count; i++) {
    PetscReal c, sine;

    PeriodicMotionAt(motion, &study->watched.places[i], &c, &sine);
    if (motion->harmonic == 0) shape->mean[i] = c;
    else {
      shape->cosine[i * study->num_kept + motion->harmonic - 1] = c;
      shape->sine[i * study->num_kept + motion->harmonic - 1]   = sine;
    }
  }
}

static PetscErrorCode WriteCoordinates(const ModeTrack *track, const PeriodicMotion *motion)
{
  const PetscReal *const numbers[] = {motion->q_c, motion->q_s, motion->g_c, motion->g_s};

  PetscFunctionBegin;
  for (PetscInt f = 0; f < 4; f++)
    PetscCall(FindingWrite(track->curve->finding, MODES_COORDINATE_COSINE + f, track->passed.count, 1, numbers[f], track->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What dampings of all of its harmonics together are to one of the coordinate of the mode. */
static void AddMoved(const PeriodicMotion *motion, PetscReal *mass, PetscReal *damping)
{
  const PetscReal factor = PetscSqr((PetscReal)motion->harmonic / motion->setting.amplitude);

  for (PetscInt j = 0; j < motion->structure->n; j++) {
    const PetscReal part = factor * (PetscSqr(motion->q_c[j]) + PetscSqr(motion->q_s[j]));

    *mass += part;
    *damping += part * motion->structure->damping[j];
  }
}

static PetscErrorCode FindShape(const ModeTrack *track, const ModePoint *point, Shape *shape)
{
  PetscReal      mass = 0.0, damping = 0.0;
  PeriodicMotion motion;

  PetscFunctionBegin;
  PetscCall(ModeTrackMotion(track, point, &motion));
  for (PetscInt h = 0; h < motion.basis->num_harmonics; h++) {
    PetscCall(PeriodicMotionSelect(&motion, h));
    AddMoved(&motion, &mass, &damping);
    if (motion.harmonic <= track->study->num_kept) TakeHarmonic(track->study, &motion, shape);
    if (motion.harmonic == 1) PetscCall(WriteCoordinates(track, &motion));
  }
  PetscCall(FindingWrite(track->curve->finding, MODES_MOVED_MASS, track->passed.count, 1, &mass, track->result));
  PetscCall(FindingWrite(track->curve->finding, MODES_MOVED_DAMPING, track->passed.count, 1, &damping, track->result));
  PetscCall(PeriodicMotionDestroy(&motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteShape(const ModeTrack *track, const ModePoint *point)
{
  const NonlinearModes *const study = track->study;
  const Finding *const        to    = track->curve->finding;
  const PetscInt              row   = track->passed.count;
  Shape                       shape;

  PetscFunctionBegin;
  PetscCall(ShapeCreate(study, &shape));
  PetscCall(FindShape(track, point, &shape));
  if (study->watched.count) {
    PetscCall(FindingWrite(to, MODES_MEAN, row, 1, shape.mean, track->result));
    PetscCall(FindingWrite(to, MODES_COSINE, row, 1, shape.cosine, track->result));
    PetscCall(FindingWrite(to, MODES_SINE, row, 1, shape.sine, track->result));
  }
  if (study->range_watched >= 0) {
    const PetscInt  first        = study->range_watched * study->num_kept;
    const PetscReal displacement = PetscSqrtReal(PetscSqr(shape.cosine[first]) + PetscSqr(shape.sine[first]));

    PetscCall(FindingWrite(to, MODES_DISPLACEMENT, row, 1, &displacement, track->result));
  }
  PetscCall(PetscFree3(shape.mean, shape.cosine, shape.sine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeTrackWrite(ModeTrack *track, const ModePoint *point)
{
  const Finding *const to       = track->curve->finding;
  const PetscInt64     counts[] = {point->harmonics, point->samples, point->iterations};
  const PetscInt64     trusted  = !(point->error > TRUSTED);
  const PetscInt       row      = track->passed.count;
  const PetscBool      periodic = (PetscBool)(track->study->keys.method == METHOD_EPMC);

  PetscFunctionBegin;
  PetscCall(WriteShape(track, point));
  PetscCall(FindingWrite(to, MODES_AMPLITUDE, row, 1, &point->amplitude, track->result));
  PetscCall(FindingWrite(to, MODES_OMEGA, row, 1, &point->omega, track->result));
  PetscCall(FindingWrite(to, MODES_ZETA, row, 1, &point->zeta, track->result));
  PetscCall(FindingWrite(to, MODES_TRUSTED, row, 1, &trusted, track->result));
  PetscCall(FindingWrite(to, MODES_ITERATIONS, row, 1, &counts[2], track->result));
  if (periodic) {
    PetscCall(FindingWrite(to, MODES_ERROR, row, 1, &point->error, track->result));
    PetscCall(FindingWrite(to, MODES_GAP, row, 1, &point->gap, track->result));
    PetscCall(FindingWrite(to, MODES_HARMONICS, row, 1, &counts[0], track->result));
    PetscCall(FindingWrite(to, MODES_SAMPLES, row, 1, &counts[1], track->result));
  }
  track->passed.count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeTrackEnd(const ModeTrack *track, PetscBool finished, const char *reason)
{
  const Finding *const to                       = track->curve->finding;
  const PetscInt64     counts[]                 = {track->passed.count, finished};
  char                 text[RESULT_TEXT_LENGTH] = "";
  PetscReal            seconds;

  PetscFunctionBegin;
  PetscCall(CurveKeeperSeconds(&track->keeper, &seconds));
  if (track->study->keys.method == METHOD_EPMC) {
    PetscCall(InternalResonancesWrite(&track->passed.resonances.met, &modes_met, to, track->result));
    PetscCall(InternalResonancesWrite(&track->passed.resonances.left_out, &modes_left_out, to, track->result));
  }
  PetscCall(PetscStrncpy(text, reason, sizeof(text)));
  PetscCall(FindingWrite(to, MODES_COUNT, 0, 1, &counts[0], track->result));
  PetscCall(FindingWrite(to, MODES_END, 0, 1, text, track->result));
  PetscCall(FindingWrite(to, MODES_SECONDS, 0, 1, &seconds, track->result));
  PetscCall(FindingWrite(to, MODES_FINISHED, 0, 1, &counts[1], track->result));
  if (finished) PetscCall(CurveKeeperEnd(&track->keeper));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NonlinearModesIsFinished(const ModeCurve *curve, const Result *result, PetscBool *finished)
{
  PetscInt64 said;

  PetscFunctionBegin;
  PetscCall(FindingRead(curve->finding, MODES_FINISHED, 0, 1, &said, result));
  *finished = (PetscBool)(said != 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}
