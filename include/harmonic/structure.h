/*
  structure.h - what a structure answers to forces of a frequency: the linear part of a harmonic balance, by its modes with joints stuck.

      (M, C, K0 as Phi^T . Phi = 1, C', omega^2)      Z_k = omega^2 - (k W)^2 + i k W C'      K0 = K + B^T k B

      q_k = Z_k^-1 (Phi^T P_k - (B Phi)^T G_k)        D_k = D_lin,k - H_k G_k                 g = f - k d
      H_k = (B Phi) Z_k^-1 (B Phi)^T + R              D_lin,k likewise from the loads         R: compliance of modes that were left out

  A harmonic is C cos k theta + S sin k theta, the complex number C - i S. Where C' is diagonal all of it are sums over modes.
*/
#pragma once
#include "harmonic/supports.h"
#include "modes.h"

/* The artificial damping of a nonlinear mode, -2 zeta W M; and the mode whose coordinate is given, which is left out at harmonic 1. */
typedef struct {
  PetscReal damping; /* zeta */
  PetscInt  mode;    /* from 0; -1: none, a motion under loads */
} HarmonicExcitation;

typedef struct {
  const System     *system;
  const Modes      *modes;
  PetscInt          m, n;              /* nonlinear rows, modes */
  PetscReal        *eigenvalue;        /* [n] omega^2; exactly 0 of rigid modes */
  PetscReal        *damping;           /* [n] diagonal of C' */
  PetscReal        *coupled;           /* [n, n] C', where that is not diagonal; else NULL */
  PetscReal        *map;               /* [m, n] B Phi */
  PetscReal        *residual;          /* [m, m] R; NULL: nothing was left out */
  PetscBool         floats;            /* some rigid mode moves joints: it has no mean */
  HarmonicSine     *load;              /* [n] Phi^T P at level 1, with what moving supports push */
  HarmonicSine     *given;             /* [m] what else the loads move the rows by: moving supports do, and modes that were left out */
  PetscInt          num_places;        /* with those modes: see SystemNumPlaces */
  PetscReal        *place_c, *place_s; /* [num_places] the loads on the places; NULL without such modes */
  HarmonicSupports *supports;          /* NULL: none */
  PetscReal       **sense;             /* [num_blocks] of PeriodSensesCreate */
  PetscReal        *work;              /* [NUM_MODE_WEIGHTS, n] of the modes, or [2 n, 2 n] where C' is full */
} HarmonicStructure;

/* Numbers of a mode at a harmonic: 1 / Z_k and its changes by W and by zeta, real and imaginary parts in turn. */
enum { NUM_MODE_WEIGHTS = 6 };

/* Rows that forces act on and whose motions are asked: all of a structure, or some of them. */
typedef struct {
  PetscInt         count;
  const PetscReal *map;      /* [count, n] B Phi */
  const PetscReal *residual; /* [count, count] R; NULL: nothing was left out */
} HarmonicRows;

/* Loads are sines, A sin(theta + phase), of forces or of motions of supports; none for nonlinear modes. All modes of the System must have been found (LinearPrepare does so). */
PetscErrorCode HarmonicStructureCreate(ModeCache *cache, PetscInt num_loads, const Load loads[], HarmonicStructure **structure);
PetscErrorCode HarmonicStructureDestroy(HarmonicStructure **structure);
/* Complains of Systems whose modes are not all found, or whose rows memory does not hold. */
PetscErrorCode HarmonicStructureCheck(const Names *names, const InputNode *node);
/* Complains of harmonics for which there is no memory; and how many, up to `most`, there is memory for. */
PetscErrorCode HarmonicStructureCheckHarmonics(const Names *names, PetscInt harmonics, const InputNode *node);
PetscInt       HarmonicStructureMostHarmonics(const HarmonicStructure *structure, PetscInt most);

/* Local, as is all that follows. */
HarmonicRows HarmonicStructureRows(const HarmonicStructure *structure);

/* 1 / den of each mode and its changes, den = omega^2 - (k W)^2 + i k W (c - 2 zeta W): [NUM_MODE_WEIGHTS, n]. A rigid mode has no mean: it gives
   nothing at k = 0; nor does the mode whose coordinate is given, at k = 1. Of coupled modes it is what they would be without the coupling. Hot. */
void HarmonicStructureWeigh(const HarmonicStructure *structure, PetscInt k, PetscReal frequency, HarmonicExcitation excitation, PetscReal weight[]);
/* sum_j b_j w_j b_j^T between rows: [count, count]; `scaled` has n numbers of work. Hot. */
void HarmonicStructureSum(const HarmonicStructure *structure, const HarmonicRows *rows, const PetscReal weight[], PetscReal scaled[],
                          PetscReal matrix[]);
/* D_lin,1 under the loads at level 1 and its change by W: [m] each. Hot. */
PetscErrorCode HarmonicStructureResponse(const HarmonicStructure *structure, PetscReal frequency, PetscReal c[], PetscReal s[],
                                         PetscReal c_by_frequency[], PetscReal s_by_frequency[]);
/* Z_k^-1 of forces on the modes, which become coordinates: [n] each. */
PetscErrorCode HarmonicStructureSolve(const HarmonicStructure *structure, PetscInt k, PetscReal frequency, HarmonicExcitation excitation,
                                      PetscReal c[], PetscReal s[]);
/* The coordinates of all modes at harmonic k: [n] each, under the loads at a level and remainders G_k [m]. */
PetscErrorCode HarmonicStructureCoordinates(const HarmonicStructure *structure, PetscInt k, PetscReal frequency, HarmonicExcitation excitation,
                                            PetscReal level, const PetscReal remainder_c[], const PetscReal remainder_s[], PetscReal c[],
                                            PetscReal s[]);

/* Phi^T P at a frequency, at level 1, and its change by that: C and S, [n] each; NULL is not asked for. Hot. */
void HarmonicStructureLoads(const HarmonicStructure *structure, PetscReal frequency, PetscReal c[], PetscReal s[], PetscReal c_by_frequency[],
                            PetscReal s_by_frequency[]);

/* Adds share times what remainders [m] move a place of the System by at rest, of modes that were left out; and what loads give it, at level 1,
   beside the modes. */
PetscErrorCode HarmonicStructureAddGiven(const HarmonicStructure *structure, PetscInt place, PetscReal share, PetscReal residual[],
                                         HarmonicSine *given);

/* A motion that is looked at: its row over the modes and over remainders, and what loads give it besides. */
typedef struct {
  PetscReal   *modes;    /* [n] */
  PetscReal   *residual; /* [m] of modes that were left out; NULL without such */
  HarmonicSine given;    /* at level 1 */
} HarmonicPlace;

/* A place of the System. */
PetscErrorCode HarmonicPlaceCreate(const HarmonicStructure *structure, PetscInt place, HarmonicPlace *row);
/* The same of rows of B that are seen as one, from this one on. */
PetscErrorCode HarmonicPlaceCreateLayer(const HarmonicStructure *structure, PetscInt row, PetscInt size, HarmonicPlace *place);
/* The coordinate of a mode, from 0, and the load that is in quadrature to it at the resonance. Where supports move both count from Psi u_s, where
   the supports alone would have the structure at rest: a base that moves as a whole then excites as the inertia beside it does. */
PetscErrorCode HarmonicPlaceCreateCoordinate(const HarmonicStructure *structure, PetscInt mode, HarmonicPlace *row);
HarmonicSine   HarmonicStructureDrive(const HarmonicStructure *structure, PetscInt mode);
PetscErrorCode HarmonicPlaceDestroy(HarmonicPlace *row);
/* Its motion at a harmonic, whose coordinates and remainders are known. Hot. */
void HarmonicPlaceMotion(const HarmonicStructure *structure, const HarmonicPlace *row, PetscInt k, PetscReal frequency, PetscReal level,
                         const PetscReal q_c[], const PetscReal q_s[], const PetscReal remainder_c[], const PetscReal remainder_s[], PetscReal *c,
                         PetscReal *s);
