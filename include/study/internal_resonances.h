/*
  internal_resonances.h - where a harmonic of a periodic motion meets a mode that the joints couple to it: k times the frequency is that of the mode.

  There the mode answers strongly, and a curve may turn back and make a loop. Harmonics that the curve does not have meet modes, too: what they do is
  part of its error, and they are told apart. The modes are those with joints stuck, whose frequencies fall as joints slip: a turn is therefore
  ascribed to what is nearest within 5 %, and how near that is is told.
*/
#pragma once
#include "findings.h"
#include "harmonic/curve.h"

enum { MOST_INTERNAL_RESONANCES = 64 };

typedef struct {
  PetscInt  harmonic, mode; /* from 0 */
  PetscReal at[2];          /* where on the curve: amplitude, or frequency and level */
  PetscReal apart;          /* relative distance of both frequencies where they are nearest, or where the curve turns */
  PetscBool turns;
} InternalResonance;

typedef struct {
  PetscInt          count;
  InternalResonance list[MOST_INTERNAL_RESONANCES];
} InternalResonanceList;

/* What a curve has met so far: plain data, which is kept with it. */
typedef struct {
  InternalResonanceList met, left_out; /* by harmonics that the curve has there, and by those that it does not */
  PetscInt              num_points, last_highest;
  PetscReal             last_at[2], last_omega, last_heading;
} InternalResonances;

/* Whether a mode moves a nonlinear joint, beyond round-off of how far others move that joint. Local, all of it. */
PetscBool ModeMovesJoints(const HarmonicStructure *structure, PetscInt mode);
/* [n] the modes that do, without rigid ones and one of them: those that harmonics can meet. */
void InternalResonancesCoupled(const HarmonicStructure *structure, PetscInt without, PetscBool coupled[]);
/* Looks at the way from the last point of the curve to the present one, which lies at `at`; harmonics from `least` on, under this artificial damping. */
void InternalResonancesLook(const Curve *curve, const PetscBool coupled[], PetscInt least, const PetscReal at[2], InternalResonances *found);

/* Writes a list to the fields of harmonic, mode, the first and the second number of `at`, apart and turns; -1: there is none. */
typedef struct {
  PetscInt harmonic, mode, at[2], apart, turns;
} InternalResonanceFields;
PetscErrorCode InternalResonancesWrite(const InternalResonanceList *list, const InternalResonanceFields *fields, const Finding *finding,
                                       const Result *result);
/* "3 times WHOSE frequency is that of mode 12 at 1.2e-05 UNIT; ..." of what is in the result, or of what makes the curve turn alone, in one line that
   begins with `before`; none: nothing. */
PetscErrorCode InternalResonancesPrint(const InternalResonanceFields *fields, const char *before, const char *whose, const char *unit,
                                       PetscBool turns_only, const Finding *finding, const Result *result);
