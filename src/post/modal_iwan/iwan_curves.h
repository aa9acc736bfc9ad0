/* iwan_curves.h - the curves of a modal Iwan model with their derivatives, for the fit. */
#pragma once
#include "dual.h"

/* A model in the terms of its backbone; `share` = 1/(1 + beta), of the stiffness, belongs to the sliders below phi_max. */
typedef struct {
  Dual stiffness, damping, tangent, phi_max, chi, share;
  Dual moment; /* of the power law over a whole branch; IwanCurvesPrepare finds it */
} IwanCurves;

void IwanCurvesPrepare(IwanCurves *curves);

/* F_S / (tangent phi_max). */
Dual IwanCurvesSecant(const IwanCurves *curves);

/* Logarithms of the frequency and the damping of a ring-down at this amplitude. */
void IwanCurvesEvaluate(const IwanCurves *curves, PetscReal amplitude, Dual *ln_omega, Dual *ln_zeta);
