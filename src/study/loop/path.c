/* path.c - motions that are given, and their samples. */
#include "path.h"

const char *const path_names[NUM_PATHS + 1] = {"sine", "multi_sine", "growing_sine", "ramp", "table", NULL};
const char *const path_growths[]            = {"exponential", "linear", NULL};

static PetscBool IsOfSines(const Path *path)
{
  return (PetscBool)(path->kind != PATH_RAMP && path->kind != PATH_TABLE);
}

/* Amplitude, and its first and second derivative. */
static void Amplitude(const Path *path, PetscReal time, PetscReal amplitude[3])
{
  const PetscReal from = path->from, to = path->to,
                  rate = path->growth == PATH_LINEAR ? (to - from) / path->duration : PetscLogReal(to / from) / path->duration;

  amplitude[0] = path->growth == PATH_LINEAR ? from + rate * time : from * PetscExpReal(rate * time);
  amplitude[1] = path->growth == PATH_LINEAR ? rate : rate * amplitude[0];
  amplitude[2] = path->growth == PATH_LINEAR ? 0.0 : rate * amplitude[1];
}

PetscReal PathAmplitude(const Path *path, PetscReal time)
{
  PetscReal amplitude[3];

  Amplitude(path, time, amplitude);
  return amplitude[0];
}

void PathMotion(const Path *path, PetscReal time, PetscReal *displacement, PetscReal *velocity, PetscReal *acceleration)
{
  *displacement = *velocity = *acceleration = 0.0;
  for (PetscInt i = 0; i < path->num_terms; i++) {
    const PathTerm *term  = &path->terms[i];
    const PetscReal omega = 2.0 * PETSC_PI * term->frequency, angle = omega * time + term->phase;
    const PetscReal sine = PetscSinReal(angle), cosine = PetscCosReal(angle);
    PetscReal       a[3] = {term->amplitude, 0.0, 0.0};

    if (path->kind == PATH_GROWING_SINE) Amplitude(path, time, a);
    *displacement += a[0] * sine;
    *velocity += a[1] * sine + a[0] * omega * cosine;
    *acceleration += a[2] * sine + 2.0 * a[1] * omega * cosine - a[0] * omega * omega * sine;
  }
}

PetscReal PathFastest(const Path *path)
{
  PetscReal fastest = 0.0;

  for (PetscInt i = 0; i < path->num_terms; i++) fastest = PetscMax(fastest, path->terms[i].frequency);
  return fastest;
}

static void MeasureBranches(Path *path)
{
  PetscInt begin = 0;

  for (PetscInt end = 1; end < path->num_corners; end++) {
    if (!path->corners[end].turns && end < path->num_corners - 1) continue;
    for (PetscInt i = begin; i < end; i++) path->corners[i].branch = path->corners[end].time - path->corners[begin].time;
    begin = end;
  }
}

void PathMarkTurns(Path *path, PetscReal noise, PetscBool stops)
{
  const PathCorner *corners = path->corners;
  PetscReal         way     = corners[0].displacement; /* it was reached from 0 */
  PetscInt          reached = 0;                       /* where that way ended; it may have rested, or shaken, since */

  for (PetscInt i = 1; i < path->num_corners; i++) {
    const PetscReal moved = corners[i].displacement - corners[reached].displacement;

    if (moved == 0.0 || (moved * way < 0.0 && PetscAbsReal(moved) <= noise)) continue;
    path->corners[reached].turns = (PetscBool)(moved * way < 0.0);
    way                          = moved;
    reached                      = i;
  }
  path->corners[path->num_corners - 1].turns = stops;
  MeasureBranches(path);
}

/* The longest step that is allowed between corners `first` and `first` + 1 [s]. */
static PetscReal LongestStep(const Path *path, PetscInt first, PetscInt steps)
{
  const PathCorner *corners = path->corners;

  if (IsOfSines(path)) return 1.0 / (PathFastest(path) * (PetscReal)steps);
  if (path->kind == PATH_TABLE) return 2.0 * corners[first].branch / (PetscReal)steps;
  return (corners[first + 1].time - corners[first].time) / (PetscReal)steps;
}

/* The number of steps between two corners: an even one, of which Simpson's rule is made, but where a file has its own. */
static PetscInt64 CountSteps(const Path *path, PetscInt first, PetscInt steps)
{
  const PetscReal  roundoff = 1e-9, duration = path->corners[first + 1].time - path->corners[first].time;
  const PetscInt64 count = (PetscInt64)PetscCeilReal((1.0 - roundoff) * duration / LongestStep(path, first, steps));

  return path->kind == PATH_TABLE ? count : count + count % 2;
}

PetscInt64 PathCount(const Path *path, PetscInt steps)
{
  PetscInt64 count = 1;

  for (PetscInt i = 0; i + 1 < path->num_corners; i++) count += CountSteps(path, i, steps);
  return count;
}

/* Sample `part` of `count` of the piece that begins at a corner. */
static void SamplePiece(const Path *path, PetscInt first, PetscReal part, PetscReal *time, PetscReal *displacement, PetscReal *velocity)
{
  const PathCorner *begin = &path->corners[first], *end = begin + 1;
  PetscReal         acceleration;

  *time = begin->time + part * (end->time - begin->time);
  if (IsOfSines(path)) PathMotion(path, *time, displacement, velocity, &acceleration);
  else {
    *displacement = begin->displacement + part * (end->displacement - begin->displacement);
    *velocity     = (end->displacement - begin->displacement) / (end->time - begin->time);
  }
}

/* A corner itself, to the last bit; a reversal of sines is at rest. */
static void SampleCorner(const Path *path, PetscInt corner, PetscInt i, PathSamples *samples)
{
  samples->time[i]         = path->corners[corner].time;
  samples->displacement[i] = path->corners[corner].displacement;
  if (path->corners[corner].turns) {
    samples->reversals[samples->num_reversals++] = i;
    if (IsOfSines(path)) samples->velocity[i] = 0.0;
  }
}

/* The corner that begins the piece in which a time lies, at its end if it is a corner; -1 outside. */
static PetscInt FindPiece(const Path *path, PetscReal time)
{
  PetscInt low = 0, high = path->num_corners - 1;

  if (path->num_corners == 0 || time <= path->corners[low].time || time > path->corners[high].time) return -1;
  while (high - low > 1) {
    const PetscInt middle = (low + high) / 2;

    if (path->corners[middle].time < time) low = middle;
    else high = middle;
  }
  return low;
}

/* Sines begin with their velocity, straight pieces from rest. */
void PathAt(const Path *path, PetscReal time, PetscReal *displacement, PetscReal *velocity)
{
  const PetscInt piece = FindPiece(path, time);
  PetscReal      at;

  *displacement = *velocity = 0.0;
  if (path->num_corners == 0) return;
  if (piece >= 0) {
    const PathCorner *begin = &path->corners[piece];

    SamplePiece(path, piece, (time - begin->time) / (begin[1].time - begin->time), &at, displacement, velocity);
  } else if (IsOfSines(path) && time == path->corners[0].time) SamplePiece(path, 0, 0.0, &at, displacement, velocity);
  else *displacement = path->corners[time <= path->corners[0].time ? 0 : path->num_corners - 1].displacement;
}

PetscReal PathLongestStep(const Path *path, PetscReal time, PetscInt steps)
{
  const PetscInt piece = FindPiece(path, time);

  return piece < 0 ? PETSC_MAX_REAL : LongestStep(path, piece, steps);
}

PetscErrorCode PathSample(const Path *path, PetscInt steps, PathSamples *samples)
{
  const PetscInt count = (PetscInt)PathCount(path, steps);
  PetscInt       i     = 0;

  PetscFunctionBegin;
  samples->count         = count;
  samples->num_reversals = 0;
  PetscCall(PetscCalloc4(count, &samples->time, count, &samples->displacement, count, &samples->velocity, path->num_corners, &samples->reversals));
  if (IsOfSines(path)) SamplePiece(path, 0, 0.0, &samples->time[0], &samples->displacement[0], &samples->velocity[0]);
  SampleCorner(path, 0, 0, samples);
  for (PetscInt c = 0; c + 1 < path->num_corners; c++) {
    const PetscInt parts = (PetscInt)CountSteps(path, c, steps);

    for (PetscInt p = 1; p <= parts; p++, i++)
      SamplePiece(path, c, (PetscReal)p / (PetscReal)parts, &samples->time[i + 1], &samples->displacement[i + 1], &samples->velocity[i + 1]);
    SampleCorner(path, c + 1, i, samples);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PathSamplesDestroy(PathSamples *samples)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(samples->time, samples->displacement, samples->velocity, samples->reversals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PathDestroy(Path *path)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(path->terms));
  PetscCall(PetscFree(path->corners));
  PetscFunctionReturn(PETSC_SUCCESS);
}
