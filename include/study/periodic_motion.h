/*
  periodic_motion.h - a periodic motion that harmonic balance has found, as all that moves in it: the coordinates of all modes, harmonic by
  harmonic, and from them the motion of any place.
*/
#pragma once
#include "harmonic/curve.h"

typedef struct {
  const HarmonicStructure *structure;
  HarmonicSetting          setting;
  const HarmonicBasis     *basis;
  const PetscReal         *remainder; /* [m, num_functions] G, of the joints */
  PetscInt                 harmonic;  /* that was selected last */
  PetscReal               *q_c, *q_s; /* [n] coordinates of the modes at that harmonic */
  PetscReal               *g_c, *g_s; /* [m] remainders, likewise */
} PeriodicMotion;

/* All of it is local. The remainders and the basis are borrowed. */
PetscErrorCode PeriodicMotionCreate(const HarmonicStructure *structure, HarmonicSetting setting, const HarmonicBasis *basis,
                                    const PetscReal remainder[], PeriodicMotion *motion);
/* The present point of a curve, whose equation was evaluated there last. */
PetscErrorCode PeriodicMotionOfCurve(const Curve *curve, PeriodicMotion *motion);
PetscErrorCode PeriodicMotionDestroy(PeriodicMotion *motion);

/* Finds the coordinates of harmonic h of the basis, counted from 0. */
PetscErrorCode PeriodicMotionSelect(PeriodicMotion *motion, PetscInt h);
/* C cos k theta + S sin k theta of a place, of the harmonic that was selected. */
void PeriodicMotionAt(const PeriodicMotion *motion, const HarmonicPlace *place, PetscReal *c, PetscReal *s);
/* All harmonics of `count` places, x[count, num_functions] of the basis. */
PetscErrorCode PeriodicMotionOfPlaces(PeriodicMotion *motion, PetscInt count, const HarmonicPlace places[], PetscReal x[]);
