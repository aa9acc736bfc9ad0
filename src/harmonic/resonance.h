/*
  resonance.h - what holds along a resonance beside the balance: one more equation, written into an equation's mode_equation[0], mode_rows, mode_by[0].

      of phase:  |den_j|^2 Re(q_j conj p_j) / (omega_j^2 level |p_j|^2) = 0        den_j = omega_j^2 - W^2 + i W c_j,  p_j = phi_j^T P
      a peak:    (ln|y_+|^2 - ln|y_-|^2) / (2 e) = 0,    y_+ and y_- at +-e along the response curve at constant level

  The first is linear in the joints' forces and has no pole. The second takes a difference in place of the derivative d ln|y|^2/ds, as that jumps
  where a joint begins to slip as a whole: the tangent by which it turns back falls to that of slip. Over a range of levels the peak lies
  just there, with a positive derivative on one side and a negative one on the other. The difference has no jump; in parts of the half width
  it moves a smooth peak by e^2 / 6 at most.

  Beside the point (x, W) lie (x_+-, W_+-), solutions in parallel planes, of constant W or, by folds, across the curve. With [J R_W; n^T]^T (w, mu) = grad ln|y|^2
  there, ln|y_+-|^2 changes by mu n^T (dx, dW) + (d ln|y|^2/d ln level - w^T R_level) d ln level: derivatives are exact.
*/
#pragma once
#include "harmonic/curve.h"
#include "observed.h"

typedef struct ResonanceCondition {
  HarmonicResonance resonance;
  HarmonicPlace     coordinate; /* of the mode: what is in quadrature to its load */
  HarmonicSine      drive;      /* that */
  Observed          observed;
  PetscReal         curvature;    /* of ln|y|^2 along the response curve, of a peak */
  HarmonicEquation *beside;       /* evaluated beside the point; NULL: of phase */
  PetscReal        *numbers;      /* owns all that follow */
  PetscReal        *tangent;      /* [n + 1] of the response curve, the last by W */
  PetscReal        *normal;       /* [n + 1] of the plane, which has no part in rows that are not active */
  PetscReal        *adjoint;      /* [n + 1] w, mu */
  PetscReal        *x;            /* [n + 1] beside the point */
  PetscReal        *right, *work; /* [n + 1] */
  PetscReal        *matrix;       /* [num_active + 1, num_active + 1] by columns, factored */
  size_t            capacity;     /* of it */
  PetscBLASInt     *pivots;       /* [n + 1] */
} ResonanceCondition;

/* For an equation on these harmonics and samples. */
PetscErrorCode ResonanceConditionCreate(const HarmonicStructure *structure, const HarmonicBasis *basis, HarmonicResonance resonance,
                                        ResonanceCondition **condition);
PetscErrorCode ResonanceConditionDestroy(ResonanceCondition **condition);

/* At x, for which the equation was evaluated with its derivatives; motion and frequency are measures of x and W. Not a number where no
   solution is found beside the point. Hot. */
PetscErrorCode ResonanceConditionEvaluate(ResonanceCondition *condition, HarmonicEquation *equation, const PetscReal x[], PetscReal motion,
                                          PetscReal frequency);
/* The value alone, of another equation evaluated at the point without derivatives; of a peak 0, as that cannot be said without them. */
PetscErrorCode ResonanceConditionCheck(ResonanceCondition *condition, HarmonicEquation *equation);
