/* bounded_squares.h - nonlinear least squares with bounds on the unknowns. */
#pragma once
#include "base.h"

/* Half the sum of squares of deviations, each in units of its standard deviation. */
typedef struct {
  PetscInt         size; /* unknowns */
  const PetscReal *low, *high;
  /* The value, infinite where the function is not defined; unless NULL, its gradient and its Gauss-Newton matrix [size, size]. */
  PetscErrorCode (*evaluate)(void *context, const PetscReal x[], PetscReal *value, PetscReal gradient[], PetscReal normal[]);
  void     *context;
  PetscReal small;   /* gradient at which the search ends, in standard deviations of the unknowns */
  PetscBool round;   /* steps are limited in the unknowns themselves, not by what they do to the function: where some combination of unknowns hardly
                      does anything, the linear problem asks for steps that go far beyond it */
  PetscReal damping; /* added to the diagonal of the normal matrix, for the steps alone */
} BoundedSquares;

#define SQUARES_DAMPING 0.1 /* of unknowns on a scale of order one: no step follows the round-off of the slope of what is not known */
#define SQUARES_EXACT 1e-7  /* `small` of functions that are known to round-off */

/* Moves x to the nearest local minimum and gives the value there. Local. */
PetscErrorCode BoundedSquaresMinimise(const BoundedSquares *problem, PetscReal x[], PetscReal *value);

/* Whether the function is least at x, where it has this gradient and normal matrix, among values nearby. Local. */
PetscBool BoundedSquaresIsMinimum(const BoundedSquares *problem, const PetscReal x[], const PetscReal gradient[], const PetscReal normal[]);

/* The matrix is singular along a direction that changes nothing. A tiny addition makes it regular and does not move the minimum. Local. */
void SquaresKeepRegular(PetscInt size, PetscReal normal[]);

/* Half the width that contains 95 % of Student's distribution, for 3 or more degrees of freedom. Local. */
PetscReal StudentDeviation(PetscReal freedom);

/* Element `index`, from 1, of Halton's sequence, evenly spread over (0, 1) in each of up to 34 dimensions, from 0 [Halton 1960]. Local. */
PetscReal HaltonElement(PetscInt index, PetscInt dimension);

/* Where a loss no longer grows with the square of a deviation but linearly [Huber 1964], in standard deviations: keeps 99 % of the
   efficiency of least squares for normal errors. */
#define HUBER 2.5

/* The loss of a deviation; its share is added to the gradient and the normal matrix, which may both be NULL. Inline, so that compilers know
   the sizes. */
static inline PetscReal SquaresAdd(PetscInt size, PetscReal deviation, const PetscReal slope[], PetscReal variance, PetscReal huber,
                                   PetscReal gradient[], PetscReal normal[])
{
  const PetscReal distance = PetscAbsReal(deviation) / PetscSqrtReal(variance);
  const PetscReal weight   = (distance <= huber ? 1 : huber / distance) / variance;

  for (PetscInt i = 0; gradient && i < size; i++) {
    gradient[i] += weight * deviation * slope[i];
    for (PetscInt j = 0; j < size; j++) normal[i * size + j] += weight * slope[i] * slope[j];
  }
  return distance <= huber ? 0.5 * distance * distance : huber * (distance - 0.5 * huber);
}

/* The square of a deviation less the variance of its point, with extremes limited as the loss does; `model` is the variance of the model. */
static inline PetscReal SquaresExcess(PetscReal deviation, PetscReal own, PetscReal model, PetscReal huber)
{
  return PetscMin(PetscSqr(deviation), PetscSqr(huber) * (own + model)) - own;
}
