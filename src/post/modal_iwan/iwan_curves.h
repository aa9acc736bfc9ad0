/* iwan_curves.h - the curves of a modal Iwan model with their derivatives, for the fit. */
#pragma once
#include "dual.h"

/* A model by the numbers of its backbone; `share` = 1/(1 + beta) is the share of the stiffness of the sliders that slip below phi_max. */
typedef struct {
  Dual stiffness, damping, tangent, phi_max, chi, share;
  Dual moment; /* integral of the power law over a whole branch, set by IwanCurvesPrepare */
} IwanCurves;

void IwanCurvesPrepare(IwanCurves *curves);

/* F_S / (tangent phi_max). */
Dual IwanCurvesSecant(const IwanCurves *curves);

/* Logarithms of the frequency and the damping of a ring-down at this amplitude. */
void IwanCurvesEvaluate(const IwanCurves *curves, PetscReal amplitude, Dual *ln_omega, Dual *ln_zeta);
