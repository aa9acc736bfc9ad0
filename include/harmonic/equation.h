/*
  equation.h - the balance of harmonics at the joints, its exact derivatives, and Newton's equation for it.

      R_k = D_k + H_k(W) G_k(D, W) - level D_lin,k(W)                of a motion under loads
      R_k = D_k + H_k(W, zeta) G_k - b_0 a [k = 1],                  of a nonlinear mode, whose coordinate is a cos(W t); b_0 its row of B Phi
      e_c = ((omega_0^2 - W^2) a + b_0^T C(G_1)) / (omega_0^2 a)     and whose own equation is left out of H_1: nothing is singular where a
      e_s = (W (c_0 - 2 zeta W) a - b_0^T S(G_1)) / (omega_0^2 a)    is small

  Unknowns are the harmonics of the joints' motions, x[m, num_functions]. Rows whose joints answer as if they stuck do not enter Newton's
  equation: G does not change with them.
*/
#pragma once
#include "harmonic/influence.h"
#include "harmonic/period.h"

typedef struct {
  PetscReal frequency; /* W [rad/s] */
  PetscReal level;     /* of the loads; 0 of a nonlinear mode */
  PetscReal damping;   /* zeta of a nonlinear mode */
  PetscReal amplitude; /* a, likewise [kg^(1/2) m] */
  PetscInt  mode;      /* from 0; -1: a motion under loads */
} HarmonicSetting;

/* What the unknowns of a curve are beside the joints' motions, and columns of the derivative. */
typedef enum { HARMONIC_FREQUENCY, HARMONIC_LEVEL, HARMONIC_DAMPING, HARMONIC_AMPLITUDE, NUM_HARMONIC_PARAMETERS } HarmonicParameter;

typedef struct {
  const HarmonicStructure *structure;
  const HarmonicBasis     *basis;
  PetscInt                 m, n; /* nonlinear rows; unknowns */
  PetscInt                 num_blocks;
  Period                 **periods;       /* [num_blocks] */
  HarmonicInfluence       *influence;     /* at the setting that was evaluated last */
  HarmonicSetting          setting;       /* that */
  PetscReal               *remainder;     /* [n] G */
  PetscReal               *residual;      /* [n] R */
  PetscReal               *by_rate;       /* [n] dG/dW at constant x, of laws that feel velocities */
  PetscReal               *mode_equation; /* [2] e_c, e_s; of a resonance its condition, see resonance.h */
  PetscReal              **tangents;      /* [num_blocks] of each point: A, [dim, P, dim, P] */
  PetscBool              **left;          /* [num_blocks] of each point: whether there is any */
  PetscInt                 num_active;    /* unknowns of rows on which G depends: by the others dR/dx is the identity */
  PetscInt                *active;        /* [num_active] these unknowns, row by row */
  PetscInt                *column;        /* [m] of the first unknown of a row among them; -1: G does not depend on the row */
  PetscInt                *place;         /* [m] the same among all */
  HarmonicRows             active_rows;
  PetscReal               *active_numbers; /* of these, where they are not all */
  size_t                   active_room;    /* for how many */
  PetscReal               *by_parameter;   /* [NUM_HARMONIC_PARAMETERS, n] dR/dp; of levels and amplitudes by their logarithm */
  PetscReal               *mode_rows;      /* [2, n] de/dx */
  PetscReal                mode_by[2][NUM_HARMONIC_PARAMETERS];
  PeriodVerdict            verdict; /* the worst of all points */
  PetscReal               *numbers; /* owns all these */
  PetscReal               *force;   /* [n] A x, work of products */
  PetscReal               *point;   /* work of a point */
} HarmonicEquation;

/* Structure and basis are borrowed. Local. */
PetscErrorCode HarmonicEquationCreate(const HarmonicStructure *structure, const HarmonicBasis *basis, HarmonicEquation **equation);
PetscErrorCode HarmonicEquationDestroy(HarmonicEquation **equation);

/* R, and its derivatives where they are asked for. Hot. */
PetscErrorCode HarmonicEquationEvaluate(HarmonicEquation *equation, const PetscReal x[], HarmonicSetting setting, PetscBool differentiate);

/* dR/dx = 1 + H A, or its transpose, times something of all unknowns: [n]. Hot. */
PetscErrorCode HarmonicEquationTimes(const HarmonicEquation *equation, const PetscReal x[], PetscReal product[]);
PetscErrorCode HarmonicEquationTimesTransposed(const HarmonicEquation *equation, const PetscReal x[], PetscReal product[]);
/* Among the active unknowns alone: [num_active]; and as a matrix by rows, `stride` apart. Hot. */
PetscErrorCode HarmonicEquationActiveTimes(const HarmonicEquation *equation, const PetscReal x[], PetscReal product[]);
PetscErrorCode HarmonicEquationActiveMatrix(const HarmonicEquation *equation, size_t stride, PetscReal matrix[]);

/* Whether harmonic 0 has no equation: a rigid mode moves joints. Local. */
PetscBool HarmonicEquationFloats(const HarmonicEquation *equation);

/* The largest motion of a harmonic of a row. Local. */
PetscReal HarmonicLargest(PetscInt n, const PetscReal x[]);
