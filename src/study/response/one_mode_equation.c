/* one_mode_equation.c - at which frequencies a nonlinear mode moves so far: |D(W, a)| a = level |psi^H P|. */
#include <math.h>
#include "one_mode.h"

enum { MOST_TRIES = 200 };

/* |D|^2 and its first two derivatives by W. */
typedef struct {
  PetscReal value, slope, bend;
} Square;

static Square SquareOf(const PetscReal numbers[], PetscReal W)
{
  const PetscReal w = numbers[BACKBONE_OMEGA], mu = numbers[BACKBONE_MASS], c = numbers[BACKBONE_DAMPING];
  const PetscReal re = mu * (w * w - W * W), im = numbers[BACKBONE_LOSS] + c * (W - w);

  return (Square){
    .value = re * re + im * im, .slope = 2.0 * (c * im - 2.0 * mu * W * re), .bend = 2.0 * (c * c - 2.0 * mu * re + 4.0 * mu * mu * W * W)};
}

/* (level |psi^H P| / a)^2 */
static PetscReal Pushed(const PetscReal numbers[], PetscReal level)
{
  return PetscSqr(level * hypot(numbers[BACKBONE_LOAD_RE], numbers[BACKBONE_LOAD_IM]) * PetscExpReal(-numbers[BACKBONE_LOG_AMPLITUDE]));
}

/* The frequency of the least |D|, by Newton's method from w, next to which it is. */
PetscReal OneModeResonance(const PetscReal numbers[])
{
  PetscReal W = numbers[BACKBONE_OMEGA];

  for (PetscInt i = 0; i < 20; i++) {
    const Square    square = SquareOf(numbers, W);
    const PetscReal next   = W - square.slope / square.bend;

    if (!(square.bend > 0.0) || !(next > 0.0)) return numbers[BACKBONE_OMEGA];
    if (PetscAbsReal(next - W) <= 1e-15 * W) return next;
    W = next;
  }
  return W;
}

PetscBool OneModeReaches(const PetscReal numbers[], PetscReal level)
{
  return (PetscBool)(SquareOf(numbers, OneModeResonance(numbers)).value <= Pushed(numbers, level));
}

/* Newton's method between bounds that close in: |D| falls towards the resonance and rises behind it. */
static PetscReal Solve(const PetscReal numbers[], PetscReal wanted, PetscReal inside, PetscReal outside)
{
  PetscReal W = 0.5 * (inside + outside);

  for (PetscInt i = 0; i < MOST_TRIES && PetscAbsReal(outside - inside) > 1e-15 * outside; i++) {
    const Square square = SquareOf(numbers, W);
    PetscReal    next   = W - (square.value - wanted) / square.slope;

    if (square.value < wanted) inside = W;
    else outside = W;
    if (!((next - inside) * (next - outside) < 0.0)) next = 0.5 * (inside + outside);
    if (PetscAbsReal(next - W) <= 1e-15 * W) return next;
    W = next;
  }
  return W;
}

PetscBool OneModeFrequency(const PetscReal numbers[], PetscReal level, PetscReal side, PetscReal *frequency)
{
  const PetscReal wanted = Pushed(numbers, level), middle = OneModeResonance(numbers);
  PetscReal       outside = side < 0.0 ? 0.0 : 2.0 * middle;

  *frequency = middle;
  if (SquareOf(numbers, middle).value > wanted) return PETSC_FALSE;
  if (side == 0.0) return PETSC_TRUE;
  if (side < 0.0 && SquareOf(numbers, outside).value <= wanted) return PETSC_FALSE;
  for (PetscInt i = 0; i < MOST_TRIES && side > 0.0 && SquareOf(numbers, outside).value <= wanted; i++) outside *= 2.0;
  *frequency = Solve(numbers, wanted, middle, outside);
  return PETSC_TRUE;
}

PetscReal OneModePhase(const PetscReal numbers[], PetscReal W)
{
  const PetscReal w = numbers[BACKBONE_OMEGA], mu = numbers[BACKBONE_MASS];

  return atan2(numbers[BACKBONE_LOAD_IM], numbers[BACKBONE_LOAD_RE]) -
         atan2(numbers[BACKBONE_LOSS] + numbers[BACKBONE_DAMPING] * (W - w), mu * (w * w - W * W));
}
