/* rate.c - what steps of rate laws are made of: the exact one of linear laws, and one with error-controlled sub-steps. */
#include "rate.h"
#include <math.h>

/* Upwards I_(k+1) = (1 - (k+1) I_k) / z loses digits for small z, downwards I_k = (1 - z I_(k+1)) / (k+1) forgets where it
   began, by z^n / n! in n terms. */
static void Moments(PetscReal z, PetscInt count, PetscReal moments[])
{
  const PetscInt terms  = z < 0.25 ? 12 : 26;
  PetscReal      moment = 1 / (PetscReal)(count + terms);

  if (z > 2) {
    moments[0] = -expm1(-z) / z;
    for (PetscInt k = 1; k < count; k++) moments[k] = (1 - (PetscReal)k * moments[k - 1]) / z;
    return;
  }
  for (PetscInt k = count + terms - 2; k >= 0; k--) {
    moment = (1 - z * moment) / (PetscReal)(k + 1);
    if (k < count) moments[k] = moment;
  }
}

RateRelaxation RateRelax(PetscReal force, PetscReal relax, PetscReal length, PetscInt degree, const PetscReal polynomial[])
{
  RateRelaxation result = {.memory = PetscExpReal(-relax * length)};

  Moments(relax * length, degree + 3, result.moments);
  result.force = force * result.memory;
  result.mean  = force * result.moments[0];
  for (PetscInt k = 0; k <= degree; k++) {
    result.force += length * polynomial[k] * result.moments[k];
    result.mean += length * polynomial[k] * result.moments[k + 1] / (PetscReal)(k + 1);
  }
  return result;
}

enum { FORCE, LOG_MEMORY, WORK, NUM_UNKNOWNS, MOST_COLUMNS = 8 };

typedef struct {
  RateSlope        slope;
  const PetscReal *context;
  PetscReal        force; /* at the beginning of the sub-step: the unknown is the change, which rounds less */
} Equation;

static void Differentiate(const Equation *equation, PetscReal x, const PetscReal unknowns[], PetscReal rates[])
{
  rates[FORCE] = equation->slope(equation->context, x, equation->force + unknowns[FORCE], &rates[LOG_MEMORY]);
  rates[WORK]  = equation->force + unknowns[FORCE];
}

/* Gragg's modified midpoint rule: its error has only even powers of the length of a part. */
static void Midpoint(const Equation *equation, PetscReal x, PetscReal length, PetscInt parts, const PetscReal start[], PetscReal end[])
{
  const PetscReal h = length / (PetscReal)parts;
  PetscReal       before[NUM_UNKNOWNS], here[NUM_UNKNOWNS], rates[NUM_UNKNOWNS];

  Differentiate(equation, x, start, rates);
  for (PetscInt c = 0; c < NUM_UNKNOWNS; c++) {
    before[c] = start[c];
    here[c]   = start[c] + h * rates[c];
  }
  for (PetscInt i = 1; i < parts; i++) {
    Differentiate(equation, x + (PetscReal)i * h, here, rates);
    for (PetscInt c = 0; c < NUM_UNKNOWNS; c++) {
      const PetscReal next = before[c] + 2 * h * rates[c];

      before[c] = here[c];
      here[c]   = next;
    }
  }
  Differentiate(equation, x + length, here, rates);
  for (PetscInt c = 0; c < NUM_UNKNOWNS; c++) end[c] = (before[c] + here[c] + h * rates[c]) / 2;
}

/* One sub-step, extrapolated to parts of no length [Bulirsch, Stoer 1966]; false when that does not converge. */
static PetscBool Extrapolate(const Equation *equation, PetscReal x, PetscReal length, PetscReal tolerance, PetscReal unknowns[])
{
  PetscReal table[MOST_COLUMNS][NUM_UNKNOWNS];

  for (PetscInt row = 0; row < MOST_COLUMNS; row++) {
    PetscReal column[NUM_UNKNOWNS], error = 0;

    Midpoint(equation, x, length, 2 * (row + 1), unknowns, column);
    for (PetscInt c = 0; c < NUM_UNKNOWNS; c++) {
      PetscReal value = column[c];

      for (PetscInt k = 1; k <= row; k++) {
        const PetscReal ratio = (PetscReal)(row + 1) / (PetscReal)(row + 1 - k), older = table[k - 1][c];

        table[k - 1][c] = value;
        value += (value - older) / (ratio * ratio - 1);
      }
      table[row][c] = value;
      if (c == FORCE && row > 0) error = PetscAbsReal(value - table[row - 1][c]);
    }
    if (row > 3 && error <= tolerance) {
      for (PetscInt c = 0; c < NUM_UNKNOWNS; c++) unknowns[c] = table[row][c];
      return PETSC_TRUE;
    }
  }
  return PETSC_FALSE;
}

/* How far the rule may look without being fooled: the force changes by half of `scale`, or settles. */
static PetscReal Reach(const Equation *equation, PetscReal x, PetscReal scale)
{
  PetscReal       change;
  const PetscReal rate = equation->slope(equation->context, x, equation->force, &change);

  return 0.5 / PetscMax(PetscAbsReal(rate) / scale, PetscAbsReal(change));
}

RateTrace RateIntegrate(RateSlope slope, const PetscReal context[], PetscReal start, PetscReal force, PetscReal end, PetscReal scale)
{
  Equation  equation = {slope, context, force};
  PetscReal x = start, length = end - start, log_memory = 0, work = 0;

  if (PetscIsInfOrNanReal(length)) return (RateTrace){end, 0, end};
  while (PetscAbsReal(end - x) > PETSC_MACHINE_EPSILON * PetscAbsReal(end - start)) {
    PetscReal unknowns[NUM_UNKNOWNS] = {0};

    length = PetscCopysignReal(PetscMin(PetscMin(PetscAbsReal(length), PetscAbsReal(end - x)), Reach(&equation, x, scale)), length);
    if (Extrapolate(&equation, x, length, 1e-15 * scale, unknowns) || PetscAbsReal(length) < 1e-12 * PetscAbsReal(end - start)) {
      x += length;
      equation.force += unknowns[FORCE];
      log_memory += unknowns[LOG_MEMORY];
      work += unknowns[WORK];
      length *= 2;
    } else {
      length /= 2;
    }
  }
  return (RateTrace){equation.force, PetscExpReal(log_memory), work};
}
