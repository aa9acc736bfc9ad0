/*
  period_corner.c - a corner of a force: what the sum over samples gets wrong there, by the formula of Euler and Maclaurin.

  Where the slope of f(d) jumps by Delta, at the angle theta_c, a part s of an interval h = 2 pi / N behind the sample before it,

      F_i += weight_i Delta [ (h / 2) B_2(s) d' phi_i - (h^2 / 6) B_3(s) (d'' phi_i + 2 d' phi_i') ]

  with B_2 = s^2 - s + 1/6 and B_3 = s^3 - 3/2 s^2 + s/2. Where slip ends, at an extreme of the motion, the slope jumps back, and d' is 0 there.
  Without the terms of B_3 those of B_2 would begin with the root of the slip when it begins, and no curve could pass that.
*/
#include "period_kinds.h"

/* The motion's derivatives by the angle there, and those of the functions. */
typedef struct {
  PetscReal  theta, jump, first, second, third;
  PetscReal *value, *slope, *curvature;
} Jump;

static void Look(const HarmonicBasis *basis, const PetscReal x[], PetscReal row[], Jump *at)
{
  const PetscInt P = basis->num_functions;

  at->value     = row;
  at->slope     = row + P;
  at->curvature = row + 2 * P;
  at->first = at->second = at->third = 0.0;
  HarmonicValues(basis, at->theta, at->value, at->slope, at->curvature);
  for (PetscInt h = 0; h < basis->num_harmonics; h++)
    for (PetscInt j = basis->first[h]; j < basis->first[h] + (basis->harmonic[h] ? 2 : 1); j++) {
      at->first += x[j] * at->slope[j];
      at->second += x[j] * at->curvature[j];
      at->third -= x[j] * PetscSqr((PetscReal)basis->harmonic[h]) * at->slope[j];
    }
}

/* angle[P] is how theta changes with x. */
static void AddJump(const HarmonicBasis *basis, const Jump *at, const PetscReal angle[], PetscReal force[], PetscReal tangent[])
{
  const PetscInt  P = basis->num_functions;
  const PetscReal h = 2.0 * PETSC_PI / (PetscReal)basis->num_samples, s = at->theta / h - PetscFloorReal(at->theta / h);
  const PetscReal b2 = s * s - s + 1.0 / 6.0, b3 = s * (s * (s - 1.5) + 0.5), two = 0.5 * h, three = h * h / 6.0;

  for (PetscInt i = 0; i < P; i++) {
    const PetscReal share = basis->weight[i] * at->jump, phi = at->value[i], dphi = at->slope[i], ddphi = at->curvature[i];
    const PetscReal by_angle = two * ((2.0 * s - 1.0) / h * at->first * phi + b2 * (at->second * phi + at->first * dphi)) -
                               three * (3.0 * b2 / h * (at->second * phi + 2.0 * at->first * dphi) +
                                        b3 * (at->third * phi + 3.0 * at->second * dphi + 2.0 * at->first * ddphi));
    const PetscReal by_first = two * b2 * phi - three * b3 * 2.0 * dphi, by_second = -three * b3 * phi;

    force[i] += share * (two * b2 * at->first * phi - three * b3 * (at->second * phi + 2.0 * at->first * dphi));
    for (PetscInt j = 0; tangent && j < P; j++)
      tangent[i * P + j] += share * (by_angle * angle[j] + by_first * at->slope[j] + by_second * at->curvature[j]);
  }
}

/* The angle at which the motion passes the corner: Newton's method, kept between the angles. */
static PetscReal FindAngle(const HarmonicBasis *basis, const PetscReal x[], const PeriodCorner *corner)
{
  PetscReal lower = corner->lower, upper = corner->upper, theta = 0.5 * (lower + upper), motion, slope, curvature, sense;

  HarmonicMotionAt(basis, x, lower, &motion, &slope, &curvature);
  sense = motion < corner->motion ? 1.0 : -1.0;
  for (PetscInt i = 0; i < 60; i++) {
    PetscReal next;

    HarmonicMotionAt(basis, x, theta, &motion, &slope, &curvature);
    if (sense * (motion - corner->motion) < 0.0) lower = theta;
    else upper = theta;
    next = theta - (motion - corner->motion) / slope;
    if (!(next >= lower && next <= upper)) next = 0.5 * (lower + upper);
    if (PetscAbsReal(next - theta) <= 4.0 * PETSC_MACHINE_EPSILON * PetscMax(1.0, theta)) break;
    theta = next;
  }
  return theta;
}

/* d theta_c = (d d_c - phi(theta_c) dx) / d'. */
void PeriodAddCorner(const HarmonicBasis *basis, const PetscReal x[], const PeriodCorner *corner, PetscReal row[], PetscReal force[],
                     PetscReal tangent[])
{
  const PetscInt   P     = basis->num_functions;
  PetscReal *const angle = row + 3 * P;
  Jump             at    = {.theta = FindAngle(basis, x, corner), .jump = corner->jump};

  Look(basis, x, row, &at);
  if (at.first == 0.0) return;
  for (PetscInt j = 0; j < P; j++) angle[j] = ((corner->dmotion ? corner->dmotion[j] : 0.0) - at.value[j]) / at.first;
  AddJump(basis, &at, angle, force, tangent);
}

/* d theta_e = -phi'(theta_e) dx / d''. */
void PeriodAddTurn(const HarmonicBasis *basis, const PetscReal x[], PetscReal theta, PetscReal jump, PetscReal row[], PetscReal force[],
                   PetscReal tangent[])
{
  const PetscInt   P     = basis->num_functions;
  PetscReal *const angle = row + 3 * P;
  Jump             at    = {.theta = theta, .jump = jump};

  Look(basis, x, row, &at);
  if (at.second == 0.0) return;
  for (PetscInt j = 0; j < P; j++) angle[j] = -at.slope[j] / at.second;
  AddJump(basis, &at, angle, force, tangent);
}
