/* parameter_scale.c - scaled unknowns of a fit: values, starts, bounds and intervals. */
#include "parameter_scale.h"
#include <math.h>
#include <petscblaslapack.h>
#include "bounded_squares.h"

#define FARTHEST 1e3 /* no fit goes farther from its start than this factor, or this many scales */

static PetscBool IsLogarithmic(const FitUnknown *unknown)
{
  return unknown->start > 0 && (unknown->least > 0 || (unknown->least == 0 && unknown->above)) ? PETSC_TRUE : PETSC_FALSE;
}

/* The width of the bounds where there are two, else the magnitude of the start. */
static PetscReal Scale(const FitUnknown *unknown)
{
  const PetscReal width = unknown->most - unknown->least;

  return width < PETSC_INFINITY ? width : PetscAbsReal(unknown->start);
}

PetscReal ScaleOf(const FitUnknown *unknown, PetscReal value)
{
  return IsLogarithmic(unknown) ? PetscLogReal(value) : value / Scale(unknown);
}

PetscReal ScaleValue(const FitUnknown *unknown, PetscReal x)
{
  const PetscReal value = IsLogarithmic(unknown) ? PetscExpReal(x) : x * Scale(unknown);

  return PetscMin(PetscMax(value, unknown->least), unknown->most);
}

PetscReal ScaleSlope(const FitUnknown *unknown, PetscReal x)
{
  return IsLogarithmic(unknown) ? PetscExpReal(x) : Scale(unknown);
}

void ScaleBounds(const FitUnknown *unknown, PetscReal *low, PetscReal *high)
{
  const PetscReal start = ScaleOf(unknown, unknown->start), margin = unknown->above ? 1e-6 : 0;
  const PetscReal farthest = IsLogarithmic(unknown) ? PetscLogReal(FARTHEST) : FARTHEST;

  *low  = start - farthest;
  *high = start + farthest;
  if (unknown->least > (IsLogarithmic(unknown) ? 0 : PETSC_NINFINITY)) *low = PetscMax(*low, ScaleOf(unknown, unknown->least) + margin);
  if (unknown->most < PETSC_INFINITY) *high = PetscMin(*high, ScaleOf(unknown, unknown->most));
}

/* Starts of numbers that may be zero but not negative are spread by their logarithms, too. */
PetscReal ScaleStart(const FitUnknown *unknown, PetscInt index, PetscInt dimension)
{
  const PetscReal start = ScaleOf(unknown, unknown->start), decade = PetscLogReal(10), share = HaltonElement(index, dimension);
  PetscReal       low, high;

  if (index == 0) return start;
  ScaleBounds(unknown, &low, &high);
  if (IsLogarithmic(unknown)) {
    low  = PetscMax(low, start - decade);
    high = PetscMin(high, start + decade);
  } else if (unknown->least == 0 && start > 0 && unknown->most == PETSC_INFINITY) return start * PetscExpReal(decade * (2 * share - 1));
  else {
    low  = PetscMax(low, start - 1);
    high = PetscMin(high, start + 1);
  }
  return low + (high - low) * share;
}

/* By the eigenvalues of the matrix scaled to a diagonal of ones. An eigenvalue at the level of round-off belongs to a direction that changes
   nothing. */
PetscErrorCode StandardDeviations(PetscInt size, PetscReal normal[], PetscReal deviation[])
{
  const PetscBLASInt n = (PetscBLASInt)size, length = 8 * n;
  const PetscReal    nothing = 1e-12, part = 1e-8;
  PetscBLASInt       info;
  PetscReal          scale[FIT_MAX_UNKNOWNS], eigenvalue[FIT_MAX_UNKNOWNS], work[8 * FIT_MAX_UNKNOWNS];

  PetscFunctionBegin;
  for (PetscInt p = 0; p < size; p++) scale[p] = PetscSqrtReal(normal[p * (size + 1)]);
  for (PetscInt p = 0; p < size; p++)
    for (PetscInt q = 0; q < size; q++) normal[p * size + q] /= scale[p] * scale[q];
  LAPACKsyev_("V", "L", &n, normal, &n, eigenvalue, work, &length, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "dsyev says %d", (int)info);
  for (PetscInt p = 0; p < size; p++) {
    PetscReal sum = 0;

    for (PetscInt k = 0; k < size; k++) {
      const PetscReal share = PetscSqr(normal[k * size + p]);

      if (eigenvalue[k] > nothing) sum += share / eigenvalue[k];
      else if (share > part) sum = (PetscReal)INFINITY;
    }
    deviation[p] = PetscSqrtReal(sum) / scale[p];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal ScaleTolerance(const FitUnknown *unknown, PetscReal x)
{
  if (IsLogarithmic(unknown)) return PetscLogReal(2);
  return unknown->most - unknown->least < PETSC_INFINITY ? 0.25 : PetscMax(0.5 * PetscAbsReal(x), unknown->small / Scale(unknown));
}

/* PETSC_INFINITY is a large finite number; results contain true infinity. */
static PetscReal Bound(PetscReal bound)
{
  return PetscAbsReal(bound) < PETSC_INFINITY ? bound : bound > 0 ? (PetscReal)INFINITY : -(PetscReal)INFINITY;
}

static PetscBool IsNear(const FitUnknown *unknown, PetscReal x, PetscReal bound)
{
  const PetscReal touch = 2e-6;

  if (PetscAbsReal(bound) >= PETSC_INFINITY || (bound == 0 && IsLogarithmic(unknown))) return PETSC_FALSE;
  return PetscAbsReal(x - ScaleOf(unknown, bound)) <= touch ? PETSC_TRUE : PETSC_FALSE;
}

void ScaleLeaveOpen(const FitUnknown *unknown, FitParameter *parameter)
{
  parameter->low        = Bound(unknown->least);
  parameter->high       = Bound(unknown->most);
  parameter->determined = PETSC_FALSE;
}

void ScaleReport(const FitUnknown *unknown, PetscReal x, PetscReal deviation, PetscReal half, PetscBool determined, FitParameter *parameter)
{
  const PetscReal value = ScaleValue(unknown, x);

  *parameter = (FitParameter){
    .value          = value,
    .low            = ScaleValue(unknown, x - half),
    .high           = ScaleValue(unknown, x + half),
    .standard_error = deviation * (IsLogarithmic(unknown) ? value : Scale(unknown)),
    .determined     = PETSC_TRUE,
    .at_bound       = IsNear(unknown, x, unknown->least) || IsNear(unknown, x, unknown->most) ? PETSC_TRUE : PETSC_FALSE,
  };
  if (!determined) ScaleLeaveOpen(unknown, parameter);
}
