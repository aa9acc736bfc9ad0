/* mode_track.c - a nonlinear mode while it is followed: its points, written one by one. */
#include "modes_outputs.h"

static const PetscReal TRUSTED = 0.02; /* estimated error of a point that others may learn from, as that of a ring-down's damping */

/* Harmonics of all watched motions at one point. */
typedef struct {
  PetscReal *mean, *cosine, *sine; /* [count], [count, num_kept] */
} Shape;

static PetscErrorCode ShapeCreate(const NonlinearModes *study, Shape *shape)
{
  const PetscInt size = study->watched.count * study->num_kept;

  PetscFunctionBegin;
  PetscCall(PetscCalloc3(study->watched.count, &shape->mean, size, &shape->cosine, size, &shape->sine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of one harmonic k, all coordinates by the equation of each mode under remainders [m], the mode's own being given. */
static PetscErrorCode MoveModes(const ModeTrack *track, const ModePoint *point, PetscInt k, const PetscReal g_c[], const PetscReal g_s[],
                                PetscBool own)
{
  const HarmonicStructure *const s          = track->structure;
  const HarmonicExcitation       excitation = {point->zeta, track->curve->mode};

  PetscFunctionBegin;
  PetscCall(HarmonicStructureCoordinates(s, k, point->omega, excitation, 0.0, g_c, g_s, track->q, track->q + s->n));
  if (!own) PetscFunctionReturn(PETSC_SUCCESS);
  track->q[track->curve->mode]        = point->amplitude;
  track->q[s->n + track->curve->mode] = 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void TakeHarmonic(const ModeTrack *track, PetscInt k, PetscInt column, const PetscReal g_c[], const PetscReal g_s[], Shape *shape)
{
  const HarmonicStructure *const s       = track->structure;
  const Watched *const           watched = &track->study->watched;

  for (PetscInt i = 0; i < watched->count; i++) {
    PetscReal c, sine;

    HarmonicPlaceMotion(s, &watched->places[i], k, 0.0, track->q, track->q + s->n, g_c, g_s, &c, &sine);
    if (column < 0) shape->mean[i] = c;
    else {
      shape->cosine[i * track->study->num_kept + column] = c;
      shape->sine[i * track->study->num_kept + column]   = sine;
    }
  }
}

static PetscErrorCode FindShape(const ModeTrack *track, const ModePoint *point, Shape *shape)
{
  const HarmonicBasis *const basis = point->basis;
  const PetscInt             m     = track->structure->m;
  PetscReal                 *g;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(2 * m, &g));
  if (!basis) {
    PetscCall(MoveModes(track, point, 0, point->remainder, g, PETSC_TRUE));
    TakeHarmonic(track, 0, 0, point->remainder, g, shape);
  }
  for (PetscInt h = 0; basis && h < basis->num_harmonics && basis->harmonic[h] <= track->study->num_kept; h++) {
    const PetscInt k = basis->harmonic[h], j = basis->first[h], P = basis->num_functions;

    for (PetscInt r = 0; r < m; r++) {
      g[r]     = point->remainder[r * P + j];
      g[m + r] = k ? point->remainder[r * P + j + 1] : 0.0;
    }
    PetscCall(MoveModes(track, point, k, g, g + m, (PetscBool)(k == 1)));
    TakeHarmonic(track, k, k - 1, g, g + m, shape);
  }
  PetscCall(PetscFree(g));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteShape(const ModeTrack *track, const ModePoint *point)
{
  const NonlinearModes *const study = track->study;
  const Finding *const        to    = track->curve->finding;
  const PetscInt              row   = track->passed.count;
  Shape                       shape;

  PetscFunctionBegin;
  if (study->watched.count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ShapeCreate(study, &shape));
  PetscCall(FindShape(track, point, &shape));
  PetscCall(FindingWrite(to, MODES_MEAN, row, 1, shape.mean, track->result));
  PetscCall(FindingWrite(to, MODES_COSINE, row, 1, shape.cosine, track->result));
  PetscCall(FindingWrite(to, MODES_SINE, row, 1, shape.sine, track->result));
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
