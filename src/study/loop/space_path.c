/* space_path.c - the samples of a path in three directions, and its cycles. */
#include "space_path.h"

#define TOGETHER 1e-10 /* of the duration: breaks that are nearer are one */

void SpacePathAt(const SpacePath *path, PetscReal time, PetscReal motion[SPACE_DIM], PetscReal velocity[SPACE_DIM])
{
  for (PetscInt d = 0; d < SPACE_DIM; d++) PathAt(&path->paths[d], time, &motion[d], &velocity[d]);
  if (path->presses) motion[0] += path->mean;
}

PetscErrorCode SpacePathDestroy(SpacePath *path)
{
  PetscFunctionBegin;
  for (PetscInt d = 0; d < SPACE_DIM; d++) PetscCall(PathDestroy(&path->paths[d]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *SpacePathWords(const SpacePath *path)
{
  static const char *const moved[8] = {"nothing", "x", "y", "x and y", "z", "x and z", "y and z", "x, y and z"}, *const pressed[4] = {
                                                                                                                   "a pressing force",
                                                                                                                   "a pressing force and y",
                                                                                                                   "a pressing force and z",
                                                                                                                   "a pressing force, y and z"};
  PetscInt which = 0;

  for (PetscInt d = 0; d < SPACE_DIM; d++) which |= (path->paths[d].num_corners > 0) << d;
  return path->presses ? pressed[which >> 1] : moved[which];
}

/* The largest frequency of which all others are multiples, as Euclid found it; 0 where there is none within a thousand of them. */
static PetscReal CommonFrequency(const SpacePath *path)
{
  const PetscReal least = 1e-3, roundoff = 1e-9;
  PetscReal       common = 0.0;

  for (PetscInt d = 0; d < SPACE_DIM; d++)
    for (PetscInt i = 0; i < path->paths[d].num_terms; i++) {
      const PetscReal frequency = path->paths[d].terms[i].frequency;
      PetscReal       larger = PetscMax(common, frequency), smaller = PetscMin(common, frequency);

      while (smaller > roundoff * frequency) {
        const PetscReal rest = larger - smaller * PetscFloorReal(larger / smaller * (1.0 + roundoff));

        larger  = smaller;
        smaller = PetscMax(rest, 0.0);
      }
      common = larger;
      if (common < least * frequency) return 0.0;
    }
  return common;
}

/* Times at which something may change, ascending; `period` > 0 adds those of cycles. The caller frees them. */
static PetscErrorCode FindBreaks(const SpacePath *path, PetscReal period, PetscInt *count, PetscReal **breaks)
{
  const PetscReal near       = TOGETHER * (path->end - path->start);
  const PetscInt  num_cycles = period > 0.0 ? (PetscInt)PetscFloorReal((path->end - path->start + near) / period) : 0;
  PetscInt        all = num_cycles, kept = 0;

  PetscFunctionBegin;
  for (PetscInt d = 0; d < SPACE_DIM; d++) all += path->paths[d].num_corners;
  PetscCall(PetscMalloc1(all, breaks));
  all = 0;
  for (PetscInt d = 0; d < SPACE_DIM; d++)
    for (PetscInt i = 0; i < path->paths[d].num_corners; i++) (*breaks)[all++] = path->paths[d].corners[i].time;
  for (PetscInt c = 1; c <= num_cycles; c++) (*breaks)[all++] = path->start + (PetscReal)c * period;
  PetscCall(PetscSortReal(all, *breaks));
  for (PetscInt i = 0; i < all; i++)
    if (kept == 0 || (*breaks)[i] - (*breaks)[kept - 1] > near) (*breaks)[kept++] = (*breaks)[i];
  *count = kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An even number of steps from one break to the next, of which Simpson's rule is made. */
static PetscInt64 CountSteps(const SpacePath *path, PetscInt steps, PetscReal from, PetscReal to)
{
  const PetscReal roundoff = 1e-9;
  PetscReal       longest  = to - from;

  for (PetscInt d = 0; d < SPACE_DIM; d++) longest = PetscMin(longest, PathLongestStep(&path->paths[d], 0.5 * (from + to), steps));
  return 2 * (PetscInt64)PetscCeilReal(0.5 * (1.0 - roundoff) * (to - from) / longest);
}

static void SampleAt(const SpacePath *path, PetscReal time, PetscInt i, SpaceSamples *samples)
{
  samples->time[i] = time;
  SpacePathAt(path, time, samples->motion + SPACE_DIM * i, samples->velocity + SPACE_DIM * i);
}

/* The last sample of each piece; at[i] is that of break i. */
static void SamplePieces(const SpacePath *path, PetscInt steps, PetscInt num_breaks, const PetscReal breaks[], PetscInt at[], SpaceSamples *samples)
{
  PetscInt i = 0;

  SampleAt(path, breaks[0], 0, samples);
  at[0] = 0;
  for (PetscInt b = 0; b + 1 < num_breaks; b++) {
    const PetscInt parts = (PetscInt)CountSteps(path, steps, breaks[b], breaks[b + 1]);

    for (PetscInt p = 1; p < parts; p++) SampleAt(path, breaks[b] + (breaks[b + 1] - breaks[b]) * (PetscReal)p / (PetscReal)parts, ++i, samples);
    SampleAt(path, breaks[b + 1], ++i, samples);
    at[b + 1] = i;
  }
}

/* Cycles of one period, from the start on. */
static void FindPeriods(const SpacePath *path, PetscReal period, PetscInt num_breaks, const PetscReal breaks[], const PetscInt at[],
                        SpaceSamples *samples)
{
  const PetscReal near = 2.0 * TOGETHER * (path->end - path->start);
  PetscInt        last = 0;

  for (PetscInt b = 1; b < num_breaks; b++) {
    if (PetscAbsReal(breaks[b] - path->start - (PetscReal)(samples->num_cycles + 1) * period) > near) continue;
    samples->begin[samples->num_cycles] = last;
    samples->end[samples->num_cycles++] = last = at[b];
  }
}

static PetscBool IsSamePlace(const PetscReal a[SPACE_DIM], const PetscReal b[SPACE_DIM], const PetscReal size[SPACE_DIM])
{
  const PetscReal roundoff = 1e-9;

  for (PetscInt d = 0; d < SPACE_DIM; d++)
    if (PetscAbsReal(a[d] - b[d]) > roundoff * size[d]) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* From a corner of straight pieces to the next visit of it; the next cycle begins where one ends. A way and back is one, a rest is none. */
static void FindReturns(PetscInt num_breaks, const PetscInt at[], SpaceSamples *samples)
{
  const PetscReal *motion          = samples->motion;
  PetscReal        size[SPACE_DIM] = {0.0};
  PetscInt         first           = 0;

  for (PetscInt i = 0; i < SPACE_DIM * samples->count; i++) size[i % SPACE_DIM] = PetscMax(size[i % SPACE_DIM], PetscAbsReal(motion[i]));
  for (PetscInt b = 1; b < num_breaks; b++) {
    const PetscReal *const here = motion + SPACE_DIM * at[b];
    PetscInt               from = b - 1;

    while (from > first && IsSamePlace(motion + SPACE_DIM * at[from], here, size)) from--;
    if (IsSamePlace(motion + SPACE_DIM * at[from], here, size)) continue; /* it rests */
    while (from > first && !IsSamePlace(motion + SPACE_DIM * at[from], here, size)) from--;
    if (!IsSamePlace(motion + SPACE_DIM * at[from], here, size)) continue;
    samples->begin[samples->num_cycles] = at[from];
    samples->end[samples->num_cycles++] = at[b];
    first                               = b;
  }
}

/* Returns are only looked for where the case itself names the places. */
static CycleSource ChooseSource(const SpacePath *path, PetscReal *period)
{
  PetscReal common;

  if (*period > 0.0) return CYCLES_GIVEN;
  common = CommonFrequency(path);
  for (PetscInt d = 0; d < SPACE_DIM; d++)
    if (path->paths[d].num_terms && common == 0.0) return CYCLES_NONE;
  if (common > 0.0) *period = 1.0 / common;
  return common > 0.0 ? CYCLES_OF_SINES : path->has_file ? CYCLES_NONE : CYCLES_OF_RETURNS;
}

PetscErrorCode SpacePathSample(const SpacePath *path, PetscInt steps, PetscReal period, PetscInt most, SpaceSamples *samples)
{
  PetscInt   num_breaks = 0, *at;
  PetscInt64 count      = 1;
  PetscReal *breaks;

  PetscFunctionBegin;
  *samples = (SpaceSamples){.source = ChooseSource(path, &period)};
  PetscCall(FindBreaks(path, period, &num_breaks, &breaks));
  for (PetscInt b = 0; b + 1 < num_breaks; b++) count += CountSteps(path, steps, breaks[b], breaks[b + 1]);
  samples->count = (PetscInt)PetscMin(count, PETSC_MAX_INT);
  if (count <= most) {
    PetscCall(PetscMalloc5(count, &samples->time, SPACE_DIM * count, &samples->motion, SPACE_DIM * count, &samples->velocity, num_breaks,
                           &samples->begin, num_breaks, &samples->end));
    PetscCall(PetscMalloc1(num_breaks, &at));
    SamplePieces(path, steps, num_breaks, breaks, at, samples);
    if (period > 0.0) FindPeriods(path, period, num_breaks, breaks, at, samples);
    else if (samples->source == CYCLES_OF_RETURNS) FindReturns(num_breaks, at, samples);
    PetscCall(PetscFree(at));
  }
  PetscCall(PetscFree(breaks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SpaceSamplesDestroy(SpaceSamples *samples)
{
  PetscFunctionBegin;
  PetscCall(PetscFree5(samples->time, samples->motion, samples->velocity, samples->begin, samples->end));
  PetscFunctionReturn(PETSC_SUCCESS);
}
