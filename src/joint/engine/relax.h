/*
  relax.h - dF/dy = p(t) - relax F over 0 <= y <= length, with a polynomial p of t = 2 y / length - 1: the exact solution.

  F = F_0 exp(-z) + length int_-1^1 exp(-z (1 - t) / 2) p(t) dt / 2, z = relax length. A polynomial of degree 5 is known by its values at
  six nodes, so the integral is a sum of these with weights that depend on z alone, by way of the moments M_k, the integrals of t^k. Nodes
  come in lanes of eight, two without weight, for the registers of vectors. All of it is local.
*/
#pragma once
#include <math.h>
#include "joint.h"

enum { RELAX_TERMS = 6, RELAX_MOMENTS = RELAX_TERMS + 1, RELAX_LANES = 8, RELAX_FIRST = 0, RELAX_LAST = RELAX_TERMS - 1 };

static const PetscReal relax_nodes[RELAX_LANES] = {-1, -0.6, -0.2, 0.2, 0.6, 1, 0, 0};

/* Terms of Lagrange's polynomials of the nodes, times 768: column j is that of node j. */
static const PetscReal relax_lagrange[RELAX_TERMS][RELAX_LANES] = {
  {9, -75, 450, 450, -75, 9},
  {-9, 125, -2250, 2250, -125, 9},
  {-250, 1950, -1700, -1700, 1950, -250},
  {250, -3250, 8500, -8500, 3250, -250},
  {625, -1875, 1250, 1250, -1875, 625},
  {-625, 3125, -6250, 6250, -3125, 625},
};

/* 1 / (2 k): cheaper than dividing. */
static const PetscReal relax_halves[] = {0,        1.0 / 2,  1.0 / 4,  1.0 / 6,  1.0 / 8,  1.0 / 10, 1.0 / 12, 1.0 / 14, 1.0 / 16,
                                         1.0 / 18, 1.0 / 20, 1.0 / 22, 1.0 / 24, 1.0 / 26, 1.0 / 28, 1.0 / 30, 1.0 / 32, 1.0 / 34,
                                         1.0 / 36, 1.0 / 38, 1.0 / 40, 1.0 / 42, 1.0 / 44, 1.0 / 46, 1.0 / 48, 1.0 / 50, 1.0 / 52,
                                         1.0 / 54, 1.0 / 56, 1.0 / 58, 1.0 / 60, 1.0 / 62, 1.0 / 64};

/* M_k = (1 - (-1)^(k+1) exp(-z) - z M_(k+1)) / (2 (k+1)) from a far k on, of which it forgets (z/2)^n / n! in n terms. */
static inline void RelaxMomentsDown(PetscReal z, PetscReal lost, PetscInt terms, PetscReal moments[])
{
  PetscReal moment = 0;

  for (PetscInt k = RELAX_MOMENTS + terms; k >= RELAX_MOMENTS; k--) moment = ((k % 2 ? lost : 2 - lost) - z * moment) * relax_halves[k + 1];
  for (PetscInt k = RELAX_MOMENTS - 1; k >= 0; k--) moments[k] = moment = ((k % 2 ? lost : 2 - lost) - z * moment) * relax_halves[k + 1];
}

/* The moments, and exp(-z). Upwards the recurrence loses digits for small z, downwards it takes many terms for large z. */
static inline PetscReal RelaxMoments(PetscReal z, PetscReal moments[])
{
  const PetscReal kept = PetscExpReal(-z), lost = 1 - kept;

  if (z > 6) {
    const PetscReal per_z = 1 / z;

    moments[0] = lost * per_z;
    for (PetscInt k = 1; k < RELAX_MOMENTS; k++) moments[k] = ((k % 2 ? 2 - lost : lost) - 2 * (PetscReal)k * moments[k - 1]) * per_z;
  } else if (z < 0.1) {
    RelaxMomentsDown(z, lost, 4, moments);
  } else if (z < 0.5) {
    RelaxMomentsDown(z, lost, 7, moments);
  } else if (z < 2) {
    RelaxMomentsDown(z, lost, 12, moments);
  } else {
    RelaxMomentsDown(z, lost, 22, moments);
  }
  return kept;
}

/* Weights of the values at the nodes, from what the powers 1, t, ... t^5 give. */
static inline void RelaxWeights(const PetscReal of_powers[], PetscReal weights[RELAX_LANES])
{
  for (PetscInt j = 0; j < RELAX_LANES; j++) {
    weights[j] = 0;
    for (PetscInt k = 0; k < RELAX_TERMS; k++) weights[j] += relax_lagrange[k][j] * of_powers[k];
    weights[j] /= 768;
  }
}

static inline PetscReal RelaxSum(const PetscReal weights[RELAX_LANES], const PetscReal values[RELAX_LANES])
{
  PetscReal sum = 0;

  for (PetscInt j = 0; j < RELAX_TERMS; j++) sum += weights[j] * values[j];
  return sum;
}

/* int F dy / length: the mean of F_0 exp(-relax y) and of what the antiderivatives (t^(k+1) - (-1)^(k+1)) / (2 (k+1)) give. */
static inline PetscReal RelaxMean(PetscReal force, PetscReal length, const PetscReal moments[], const PetscReal values[RELAX_LANES])
{
  PetscReal of_powers[RELAX_TERMS], weights[RELAX_LANES];

  for (PetscInt k = 0; k < RELAX_TERMS; k++) of_powers[k] = (moments[k + 1] + (k % 2 ? -moments[0] : moments[0])) * relax_halves[k + 1];
  RelaxWeights(of_powers, weights);
  return force * moments[0] + length * RelaxSum(weights, values);
}
