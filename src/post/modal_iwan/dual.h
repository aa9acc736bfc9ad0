/* dual.h - dual numbers: a value with its derivatives by the parameters of a fit. */
#pragma once
#include "post/modal_iwan.h"

typedef struct {
  PetscReal value;
  PetscReal slope[MODAL_IWAN_SIZE]; /* d value / d parameter */
} Dual;

static inline Dual DualConstant(PetscReal value)
{
  return (Dual){.value = value};
}

/* The parameter `index` itself. */
static inline Dual DualParameter(PetscReal value, PetscInt index)
{
  Dual parameter = {.value = value};

  parameter.slope[index] = 1;
  return parameter;
}

/* A function of a and b, from its value and its derivatives d/da and d/db. */
static inline Dual DualOfTwo(PetscReal value, Dual a, PetscReal by_a, Dual b, PetscReal by_b)
{
  Dual result = {.value = value};

  for (PetscInt i = 0; i < MODAL_IWAN_SIZE; i++) result.slope[i] = by_a * a.slope[i] + by_b * b.slope[i];
  return result;
}

static inline Dual DualOf(PetscReal value, Dual a, PetscReal by_a)
{
  return DualOfTwo(value, a, by_a, a, 0);
}

static inline Dual DualAdd(Dual a, Dual b)
{
  return DualOfTwo(a.value + b.value, a, 1, b, 1);
}

static inline Dual DualSubtract(Dual a, Dual b)
{
  return DualOfTwo(a.value - b.value, a, 1, b, -1);
}

static inline Dual DualMultiply(Dual a, Dual b)
{
  return DualOfTwo(a.value * b.value, a, b.value, b, a.value);
}

static inline Dual DualDivide(Dual a, Dual b)
{
  const PetscReal ratio = a.value / b.value;

  return DualOfTwo(ratio, a, 1 / b.value, b, -ratio / b.value);
}

static inline Dual DualScale(PetscReal factor, Dual a)
{
  return DualOf(factor * a.value, a, factor);
}

static inline Dual DualShift(Dual a, PetscReal by)
{
  return DualOf(a.value + by, a, 1);
}

static inline Dual DualLog(Dual a)
{
  return DualOf(PetscLogReal(a.value), a, 1 / a.value);
}

static inline Dual DualExp(Dual a)
{
  const PetscReal value = PetscExpReal(a.value);

  return DualOf(value, a, value);
}
