/* masing_extremes.c - the extremes of a periodic motion, found exactly on its Fourier series. */
#include "masing_path.h"

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

/* The root of d' between the neighbours of a sample that lies above or below both: Newton's method, kept between them. */
static PathExtreme Refine(const HarmonicBasis *basis, const PetscReal x[], PetscInt n, PetscReal sample)
{
  const PetscReal step  = 2.0 * PETSC_PI / (PetscReal)basis->num_samples;
  PetscReal       lower = step * (PetscReal)(n - 1), upper = step * (PetscReal)(n + 1), theta = step * (PetscReal)n;
  PetscReal       motion, slope, curvature, rises;

  HarmonicMotionAt(basis, x, lower, &motion, &rises, &curvature);
  HarmonicMotionAt(basis, x, upper, &motion, &slope, &curvature);
  if (rises * slope >= 0.0) return (PathExtreme){.theta = step * (PetscReal)n, .motion = sample}; /* more of them than samples show */
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

/* +1 or -1 as the samples go from n to the next that differs; 0 where all are the same. */
static PetscReal SenseBehind(PetscInt N, const PetscReal samples[], PetscInt n)
{
  for (PetscInt i = 0; i < N; i++) {
    const PetscReal rise = samples[(n + i + 1) % N] - samples[(n + i) % N];

    if (rise != 0.0) return rise > 0.0 ? 1.0 : -1.0;
  }
  return 0.0;
}

/* Maxima and minima take turns; what does not, which round-off makes, is left out. */
static void DropFalseOnes(MasingPath *path)
{
  PetscInt  count = path->num_extremes;
  PetscBool again = PETSC_TRUE;

  while (again && count >= 2) {
    again = PETSC_FALSE;
    for (PetscInt i = 0; i < count && !again; i++) {
      const PathExtreme *const e    = path->extremes;
      const PetscReal          rise = e[(i + 1) % count].motion - e[i].motion, next = e[(i + 2) % count].motion - e[(i + 1) % count].motion;

      if (rise * next < 0.0) continue;
      again = PETSC_TRUE;
      for (PetscInt j = (i + 1) % count; j + 1 < count; j++) path->extremes[j] = path->extremes[j + 1];
      count--;
    }
  }
  path->num_extremes = count;
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
  for (PetscInt i = 0; i < path->num_extremes; i++) HarmonicValues(path->basis, path->extremes[i].theta, path->value + i * P, NULL, NULL);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MasingPathFindExtremes(MasingPath *path, const PetscReal x[], const PetscReal samples[], PetscReal start)
{
  const PetscInt N = path->basis->num_samples;
  PetscReal      before;

  PetscFunctionBeginHot;
  path->num_extremes = 0;
  before             = SenseBehind(N, samples, N - 1);
  for (PetscInt n = 0; n < N && before != 0.0; n++) {
    const PetscReal rise = samples[n + 1 < N ? n + 1 : 0] - samples[n], behind = rise > 0.0 ? 1.0 : rise < 0.0 ? -1.0 : before;

    if (behind != before) PetscCall(AddExtreme(path, Refine(path->basis, x, n, samples[n])));
    before = behind;
  }
  DropFalseOnes(path);
  if (path->num_extremes < 2) path->num_extremes = 0;
  PetscCall(Rotate(path, start));
  PetscCall(EvaluateFunctions(path));
  PetscFunctionReturn(PETSC_SUCCESS);
}
