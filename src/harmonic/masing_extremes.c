/* masing_extremes.c - the extremes of a periodic motion, found exactly on its Fourier series. */
#include "masing_path.h"
#include "rows/wide.h"

PetscErrorCode MasingPathDestroy(MasingPath *path)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(path->extremes));
  PetscCall(PetscFree(path->pieces));
  PetscCall(PetscFree(path->memory));
  PetscCall(PetscFree(path->value));
  PetscCall(PetscFree(path->force));
  *path = (MasingPath){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddExtreme(MasingPath *path, PathExtreme extreme)
{
  PetscFunctionBeginHot;
  if (path->num_extremes == path->extremes_capacity) {
    path->extremes_capacity = PetscMax(8, 2 * path->extremes_capacity);
    PetscCall(PetscRealloc(sizeof(PathExtreme) * (size_t)path->extremes_capacity, &path->extremes));
  }
  path->extremes[path->num_extremes++] = extreme;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The root of d' between two angles where its signs differ: Newton's method, kept between them. */
static PathExtreme Enclose(const HarmonicBasis *basis, const PetscReal x[], PetscReal lower, PetscReal upper, PetscReal rises)
{
  PetscReal theta = 0.5 * (lower + upper), motion, slope, curvature;

  for (PetscInt i = 0; i < 60; i++) {
    PetscReal next;

    HarmonicMotionAt(basis, x, theta, &motion, &slope, &curvature);
    if (slope * rises > 0.0) lower = theta;
    else upper = theta;
    next = curvature != 0.0 ? theta - slope / curvature : lower;
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    if (PetscAbsReal(next - theta) <= 4.0 * PETSC_MACHINE_EPSILON) break;
    theta = next;
  }
  HarmonicMotionAt(basis, x, theta, &motion, &slope, &curvature);
  return (PathExtreme){.theta = theta, .motion = motion};
}

/* The same where Newton's method does not find it from the sample alone. */
static PathExtreme Search(const HarmonicBasis *basis, const PetscReal x[], PetscInt n, PetscReal sample)
{
  const PetscReal step  = 2.0 * PETSC_PI / (PetscReal)basis->num_samples;
  const PetscReal lower = step * (PetscReal)(n - 1), upper = step * (PetscReal)(n + 1);
  PetscReal       motion, rises, falls, curvature;

  HarmonicMotionAt(basis, x, lower, &motion, &rises, &curvature);
  HarmonicMotionAt(basis, x, upper, &motion, &falls, &curvature);
  if (rises * falls >= 0.0) return (PathExtreme){.theta = step * (PetscReal)n, .motion = sample}; /* more of them than samples show */
  return Enclose(basis, x, lower, upper, rises);
}

/* The extreme beside a sample that lies above (sense 1) or below (-1) its neighbours: Newton's method from the parabola through the three. It
   takes two or three looks at the motion. */
static PathExtreme Refine(const HarmonicBasis *basis, const PetscReal x[], PetscInt n, PetscReal sense, const PetscReal three[])
{
  enum { MOST_LOOKS = 8 };
  const PetscReal enough = 1e-9; /* the next change is its square, and the motion there follows */
  const PetscReal step = 2.0 * PETSC_PI / (PetscReal)basis->num_samples, bend = three[0] - 2.0 * three[1] + three[2];
  PetscReal       theta = step * ((PetscReal)n + (bend != 0.0 ? 0.5 * (three[0] - three[2]) / bend : 0.0));

  for (PetscInt i = 0; i < MOST_LOOKS; i++) {
    PetscReal motion, slope, curvature, change;

    HarmonicMotionAt(basis, x, theta, &motion, &slope, &curvature);
    if (!(sense * curvature < 0.0)) break;
    change = slope / curvature;
    theta -= change;
    if (PetscAbsReal(change) <= enough) return (PathExtreme){.theta = theta, .motion = motion - 0.5 * slope * change};
    if (!(PetscAbsReal(theta - step * (PetscReal)n) < step)) break;
  }
  return Search(basis, x, n, three[1]);
}

/* +1 or -1 as the samples come to the first of a stretch; 0 where all are the same. */
static PetscReal SenseBefore(const HarmonicBasis *basis, const PetscReal samples[])
{
  for (PetscInt n = basis->num_samples - 1; n >= 0; n--) {
    const PetscReal rise = HarmonicSampleOf(basis, samples, n + 1) - HarmonicSampleOf(basis, samples, n);

    if (rise != 0.0) return rise > 0.0 ? 1.0 : -1.0;
  }
  return 0.0;
}

/* Whether so many samples as there are lanes go on in a sense. */
static inline PetscBool AllGoOn(PetscReal sense, const PetscReal samples[])
{
  return (PetscBool)(WideBits(sense * (WideLoad(samples + 1) - WideLoad(samples)) > 0.0) == (1u << WIDE_LANES) - 1u);
}

/* The first sample from this one on behind which the motion no longer goes on in a sense; the number of samples of a stretch where there is none. */
static PetscInt FindTurn(const HarmonicBasis *basis, const PetscReal samples[], PetscInt n, PetscReal sense)
{
  while (n + WIDE_LANES < basis->stretch && AllGoOn(sense, samples + n)) n += WIDE_LANES;
  while (n < basis->stretch && !(sense * (HarmonicSampleOf(basis, samples, n + 1) - samples[n]) < 0.0)) n++;
  return n;
}

/* Those of a stretch, as samples show them. */
static PetscErrorCode FindRuns(MasingPath *path, const PetscReal x[], const PetscReal samples[])
{
  const HarmonicBasis *const basis = path->basis;
  PetscReal                  sense = SenseBefore(basis, samples);

  PetscFunctionBeginHot;
  for (PetscInt n = FindTurn(basis, samples, 0, sense); sense != 0.0 && n < basis->stretch; n = FindTurn(basis, samples, n, sense)) {
    const PetscReal before   = n > 0 ? samples[n - 1] : basis->turn * samples[basis->stretch - 1];
    const PetscReal three[3] = {before, samples[n], HarmonicSampleOf(basis, samples, n + 1)};

    PetscCall(AddExtreme(path, Refine(basis, x, n, sense, three)));
    sense = -sense;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motion at extreme i of those that go on, with the other sign, behind the last of a stretch. */
static PetscReal MotionOfRun(const MasingPath *path, PetscInt i)
{
  return i < path->num_extremes ? path->extremes[i].motion : path->basis->turn * MotionOfRun(path, i - path->num_extremes);
}

/* Maxima and minima take turns; what does not, which round-off makes, is left out. */
static void DropFalseOnes(MasingPath *path)
{
  PetscBool again = PETSC_TRUE;

  while (again && path->num_extremes > 0) {
    again = PETSC_FALSE;
    for (PetscInt i = 0; i < path->num_extremes && !again; i++) {
      const PetscReal first = MotionOfRun(path, i), second = MotionOfRun(path, i + 1), third = MotionOfRun(path, i + 2);

      if ((second - first) * (third - second) < 0.0) continue;
      again = PETSC_TRUE;
      for (PetscInt j = (i + 1) % path->num_extremes; j + 1 < path->num_extremes; j++) path->extremes[j] = path->extremes[j + 1];
      path->num_extremes--;
    }
  }
}

/* From those of a stretch to those of a period. */
static PetscErrorCode AddOpposites(MasingPath *path)
{
  PetscFunctionBeginHot;
  path->num_runs = path->num_extremes;
  for (PetscInt i = 0; path->basis->turn < 0.0 && i < path->num_runs; i++) {
    const PathExtreme extreme = path->extremes[i];

    PetscCall(AddExtreme(path, (PathExtreme){.theta = extreme.theta + PETSC_PI, .motion = -extreme.motion}));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The one farthest from `start` comes first; of equal ones the earlier, so that round-off does not choose. */
static PetscErrorCode Rotate(MasingPath *path, PetscReal start)
{
  const PetscInt count = path->num_extremes;
  PetscInt       first = 0;
  PathExtreme   *turned;

  PetscFunctionBeginHot;
  for (PetscInt i = 1; i < count; i++) {
    const PetscReal best = PetscAbsReal(path->extremes[first].motion - start), here = PetscAbsReal(path->extremes[i].motion - start);

    if (here > best * (1.0 + 1e-12)) first = i;
  }
  if (first == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(count, &turned));
  for (PetscInt i = 0; i < count; i++) {
    turned[i] = path->extremes[(first + i) % count];
    if (first + i >= count) turned[i].theta += 2.0 * PETSC_PI;
  }
  PetscCall(PetscArraycpy(path->extremes, turned, count));
  PetscCall(PetscFree(turned));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode EvaluateFunctions(MasingPath *path)
{
  const PetscInt P = path->basis->num_functions;

  PetscFunctionBeginHot;
  if (path->num_extremes * P > path->num_values) {
    path->num_values = 2 * path->num_extremes * P;
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)path->num_values, &path->value));
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)path->num_values, &path->force));
  }
  for (PetscInt i = 0; i < path->num_runs; i++) HarmonicValues(path->basis, path->extremes[i].theta, path->value + i * P, NULL, NULL);
  for (PetscInt j = path->num_runs * P; j < path->num_extremes * P; j++) path->value[j] = -path->value[j - path->num_runs * P];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MasingPathFindExtremes(MasingPath *path, const PetscReal x[], const PetscReal samples[], PetscReal start)
{
  PetscFunctionBeginHot;
  path->num_extremes = 0;
  PetscCall(FindRuns(path, x, samples));
  DropFalseOnes(path);
  PetscCall(AddOpposites(path));
  PetscCall(Rotate(path, start));
  PetscCall(EvaluateFunctions(path));
  PetscFunctionReturn(PETSC_SUCCESS);
}
