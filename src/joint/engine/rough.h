/*
  rough.h - from two rough surfaces pressed together to what joins them: stiffness, slip force and the motion at which all slips.

  Greenwood and Williamson's asperities, each a contact of Mindlin, as jamshidi2021 sums them; see NOTES.md. All of it is local.
*/
#pragma once
#include "contact.h"

/* The surfaces as one rough one on a plane: what a case gives. */
typedef struct {
  PetscReal roughness;       /* sigma: standard deviation of the heights of asperities [m] */
  PetscReal asperity_radius; /* R [m] */
  PetscReal density;         /* eta: asperities per area [1/m^2] */
  PetscReal modulus;         /* E, combined [Pa] */
  PetscReal shear_modulus;   /* G, combined [Pa] */
  PetscReal area;            /* A [m^2] */
  PetscReal load;            /* F_n [N] */
  PetscReal friction;        /* mu */
  PetscReal cut;             /* no asperity is higher than `cut` roughnesses */
  PetscReal correction;      /* xi: stiffness over that of Mindlin's spheres; 0 for that of eq. 29 */
} RoughSurface;

/* What follows from it. */
typedef struct {
  PetscReal cut;             /* of the surface */
  PetscReal depth;           /* of the highest asperity, in roughnesses */
  PetscReal separation;      /* y_c: distance of the mean planes [m] */
  PetscReal correction;      /* xi */
  PetscReal slip_force;      /* Q_L [N] */
  PetscReal stiffness;       /* K_T [N/m] */
  PetscReal slip_motion;     /* x_L [m] */
  PetscReal fullness;        /* r = Q_L / (K_T x_L) */
  PetscReal decay;           /* Omega_1; not a number unless r < 1/2, and so all below */
  PetscReal decaying, level; /* Lambda_1, Lambda_0: slope = Lambda_1 exp(-Omega_1 u / x_L) - Lambda_0 [N/m] */
  /* Q = K_T z with dz = (A - B sgn(dx z) |z|) dx until full slip. On the virgin curve B = 2 bouc_wen_b, A = 1 - 2 bouc_wen_b
     bouc_wen_fall |x|; on a branch that left (x_r, z_r) in direction s: B = bouc_wen_b, A = 1 + s B (z_r + bouc_wen_fall (x_r - x)). */
  PetscReal bouc_wen_b;    /* Omega_1 / (2 x_L) [1/m] */
  PetscReal bouc_wen_fall; /* Lambda_0 / K_T */
} RoughModel;

/* What is wrong with a surface whose numbers each make sense, or NULL. */
const char *RoughRefuse(const RoughSurface *surface);
RoughModel  RoughFindModel(const RoughSurface *surface);

/* Slopes of the virgin curve over K_T where left^2 = 1 - u / x_L: of the sum of asperities, and of the exponential fit. The
   context is a RoughModel. */
PetscReal RoughSlope(const void *context, PetscReal left);
PetscReal RoughExponentialSlope(const void *context, PetscReal left);

/* What the laws of rough surfaces share. */
extern const JointParameter rough_parameters[];
extern const JointSample    rough_samples[];
extern const JointDerived   rough_derived[];
RoughSurface                RoughSurfaceFrom(const PetscReal parameters[]);
void                        RoughDerive(const PetscReal parameters[], PetscReal values[]);
