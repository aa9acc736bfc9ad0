/*
  linear.h - one step of the linear structure, and how the forces of the joints change it.

  With K0 = K + B^T k B (k: stiffness of the joints while stuck) and g = f - k d, average-acceleration Newmark and its
  relatives [Newmark 1959; Hilber, Hughes, Taylor 1977, theta = 1 + alpha] read

      u* = u + h v + h^2 (1/2 - beta) a          v* = v + h (1 - gamma) a
      S a' = theta p' - alpha p - theta (C v* + K0 u*) + alpha (C v + K0 u + B^T g) - theta B^T g'
      S = M + theta (gamma h C + beta h^2 K0)    u' = u* + beta h^2 a'     v' = v* + gamma h a'

  The step without g' is the linear response; the joints' unknown forces change it along the responses S^-1 B^T, and their
  motions by the influence H = theta beta h^2 B S^-1 B^T: d' = B u_lin - H g'. Where modes were left out of the System their static
  compliance R is part of H.

  Two kinds do the linear part: `modal` when the modes make M, C and K0 diagonal, `factored` with one factorisation per step
  size when they do not, or when their matrices are sparse and there are many joints. Vectors have n coordinates (modes, padded to whole
  vector lanes, or unknowns).
*/
#pragma once
#include "balance.h"
#include "modes.h"

typedef struct {
  PetscReal beta, gamma, alpha;
} NewmarkRule;

/* Rows on the coordinates: dense where these are modes, and only what is not zero where they are the unknowns. */
typedef struct {
  PetscInt   count, n, num_set;
  PetscReal *dense;                    /* [count, n]; NULL: sparse */
  PetscInt  *first, *column, capacity; /* entries of row r are first[r] to first[r + 1] - 1 */
  PetscReal *value;
} LinearRows;

/* What one step size needs. */
typedef struct {
  PetscReal  h;
  PetscReal *response;  /* [m, n] rows: S^-1 b for each joint row b; NULL where the factors of S do it */
  PetscReal *matrix;    /* [m, m] H; NULL where it is not formed, see Influence */
  Influence  influence; /* H */
  PetscReal *give;      /* [2 m] of joints that stick without any give, for the influence; NULL without */
  void      *data;      /* of the kind */
} LinearLevel;

/* The linear response to one step. */
typedef struct {
  PetscReal *u, *v; /* [n] */
  PetscReal *a;
  PetscReal *motion, *rate; /* [m] B u, B v */
  PetscReal  size;          /* |u|, for judging round-off */
} LinearResponse;

typedef struct Linear Linear;

typedef struct {
  PetscBool on_unknowns; /* the coordinates are the unknowns themselves */
  PetscErrorCode (*create_level)(Linear *linear, PetscReal h, LinearLevel *level);
  PetscErrorCode (*destroy_level)(LinearLevel *level);
  /* From `state` under the old and new loads (NULL: none) to the linear response. */
  PetscErrorCode (*predict)(Linear *linear, const LinearLevel *level, const State *state, const PetscReal old_load[], const PetscReal new_load[],
                            LinearResponse *response);
  /* Adds the effect of the remainders g' and accepts: u, v, a of the state, and its `damped` and `work` energies. */
  PetscErrorCode (*finish)(Linear *linear, const LinearLevel *level, const LinearResponse *response, const PetscReal remainder[],
                           const PetscReal old_load[], const PetscReal new_load[], State *state);
  /* a from u, v, the loads and the remainders. Hot. */
  PetscErrorCode (*accelerate)(Linear *linear, const PetscReal load[], const PetscReal u[], const PetscReal v[], const PetscReal remainder[],
                               PetscReal a[]);
  /* v C v, the power that damping takes [W]. Hot. */
  PetscErrorCode (*damping_power)(Linear *linear, const PetscReal v[], PetscReal *power);
  /* 1/2 v M v, and 1/2 u K0 u. */
  PetscErrorCode (*energy)(Linear *linear, const State *state, PetscReal *kinetic, PetscReal *strain);
  /* Coordinates of motions and of forces that are given on the unknowns. */
  PetscErrorCode (*project_motion)(Linear *linear, const PetscReal unknowns[], PetscReal coordinates[]);
  PetscErrorCode (*project_force)(Linear *linear, const PetscReal unknowns[], PetscReal coordinates[]);
  /* The other way: what the unknowns do when the coordinates move so. */
  PetscErrorCode (*expand)(const Linear *linear, const PetscReal coordinates[], PetscReal unknowns[]);
  PetscErrorCode (*destroy)(Linear *linear);
} LinearKind;

struct Linear {
  const LinearKind *kind;
  const System     *system;
  NewmarkRule       rule;
  PetscInt          n, m;      /* coordinates, nonlinear rows */
  LinearRows        joints;    /* B in the coordinates, m rows */
  PetscReal        *joint_map; /* the same [m, n], on modes; else NULL */
  PetscReal        *row_norm;  /* [m] length of its rows */
  PetscBool         viscous;   /* some law wants velocities */
  PetscBool         shares;    /* H is not formed: many points between faces, on modes with a residual */
  PetscBool         sparse;    /* H is not formed: many joints on sparse matrices */
  void             *data;
};

/* Complains at `node` of modal damping, also that of a modal model, for more unknowns than all modes can be found for. */
PetscErrorCode LinearCheck(const Names *names, const InputNode *node);
/* Finds the modes that LinearCreate will need. Collective, while LinearCreate is local. */
PetscErrorCode LinearPrepare(ModeCache *cache);
PetscErrorCode LinearCreate(ModeCache *cache, NewmarkRule rule, Linear **linear);
PetscErrorCode LinearDestroy(Linear **linear);
PetscErrorCode LinearLevelCreate(Linear *linear, PetscReal h, LinearLevel *level);
PetscErrorCode LinearLevelDestroy(Linear *linear, LinearLevel *level);

/* The two kinds. */
PetscErrorCode LinearCreateModal(const Modes *modes, Linear *linear);
PetscErrorCode LinearCreateFactored(const Modes *modes, Linear *linear);

/* Whether steps will take sparse factors, as far as words tell: matrices may have more entries than those of chains and grids. Local. */
PetscBool LinearLooksSparse(const Names *names);
/* A rough guess of the time of one step on one core [s]. Local. */
PetscReal LinearStepSeconds(const Names *names);

/* Room for so many rows. They are appended one after the other; what was not appended is zero. */
PetscErrorCode LinearRowsCreate(const Linear *linear, PetscInt count, LinearRows *rows);
PetscErrorCode LinearRowsDestroy(LinearRows *rows);
PetscErrorCode LinearRowsAppend(LinearRows *rows, const PetscReal row[]);
/* One of them: [n]. Local, as all that follows. */
void LinearRowsGet(const LinearRows *rows, PetscInt r, PetscReal row[]);
/* Rows times motion: [count], or of one; and the sum of all rows, each times its force: [n]. Hot. */
void      LinearRowsTimes(const LinearRows *rows, const PetscReal motion[], PetscReal product[]);
PetscReal LinearRowsTimesOne(const LinearRows *rows, PetscInt r, const PetscReal motion[]);
void      LinearRowsCombine(const LinearRows *rows, const PetscReal force[], PetscReal sum[]);

/* Row r of a matrix on the unknowns (B, T) in the coordinates: [n]. */
PetscErrorCode LinearRow(Linear *linear, Mat matrix, PetscInt r, PetscReal row[]);
/* Likewise the mean of rows of B that are seen as one. */
PetscErrorCode LinearLayerRow(Linear *linear, PetscInt first, PetscInt size, PetscReal row[]);

/* Viscous damping of a mode by ratios and Rayleigh factors: c in q'' + c q' + omega^2 q = 0. Local. */
PetscReal ModalDamping(const SystemDamping *damping, PetscInt mode, PetscReal omega);
