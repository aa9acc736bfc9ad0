/*
  expansion.h - how a whole mesh moves in periodic motions: chosen points of a curve are kept in the result while it is followed, and written as
  one period each for ParaView when all curves have ended.

  A point is kept as harmonics of the unknowns and of the forces on places; the modes that were left out follow these, the mean among them.
*/
#pragma once
#include "study.h"
#include "study/periodic_motion.h"
#include "study/watched.h"

typedef struct {
  InputReals frequencies, levels, amplitudes;
  PetscInt   samples;
  PetscBool  peaks, stresses, stress_points;
} ExpansionKeys;

extern const InputTable  expansion_of_curves_table, expansion_of_modes_table; /* of `fields` */
extern const OutputTable expansion_of_curves_output, expansion_of_modes_output;

typedef enum { EXPANSION_BY_FREQUENCY, EXPANSION_BY_LEVEL, EXPANSION_BY_AMPLITUDE } ExpansionLeading;

/* What a study asks for. */
typedef struct {
  ExpansionKeys    keys;
  ExpansionLeading leading;
  InputReals       values; /* of the leading parameter, in the unit of the case */
  PetscInt         most;   /* points of a curve that are kept; 0: none are asked for */
} ExpansionPlan;

/* What is known of a curve so far: plain data, which is kept when the curve is broken off. */
typedef struct {
  PetscInt   count;  /* points so far */
  PetscInt64 missed; /* there was no room for */
  PetscReal  last;   /* leading parameter at the last point of the curve */
} ExpansionPassed;

/* Of one curve, while it is followed. */
typedef struct {
  const ExpansionPlan *plan;
  const Watched       *watched;
  Finding             *finding;   /* NULL: nothing is asked for */
  PetscReal            per_value; /* of the leading parameter of the curve for a unit of the values: 2 pi, for example */
  ExpansionPassed     *passed;    /* of who follows it */
} Expansion;

/* Reads `fields`, which may be NULL; the curve goes from one of these values to the other. Local. */
PetscErrorCode ExpansionRead(const InputNode *fields, const Names *names, ExpansionLeading leading, PetscReal from, PetscReal to,
                             ExpansionPlan *plan);
/* Adds the finding of a curve, at GROUP/fields; `most` harmonics at most. Local. */
PetscErrorCode ExpansionDeclare(const ExpansionPlan *plan, const Names *names, const Watched *watched, PetscInt most, Findings *findings,
                                const char *group, Expansion *expansion);

/* While a curve is followed, local: its present point was accepted; a point that was located for another reason; any motion; its end. */
PetscErrorCode ExpansionLook(Expansion *expansion, Curve *curve, const Result *result);
PetscErrorCode ExpansionTakePeak(Expansion *expansion, const Curve *curve, const Result *result);
PetscErrorCode ExpansionTake(Expansion *expansion, PeriodicMotion *motion, const char *kind, const Result *result);
PetscErrorCode ExpansionEnd(const Expansion *expansion, const Result *result);

/* Once there is a System, before the result is laid out; complains of places of files that could not be written later: RESULT_NAME_CURVE_1.xdmf.
   Collective. */
PetscErrorCode ExpansionPrepare(const Expansion *expansion, const char *name, const char *curve, const System *system, const Result *result);
/* Writes them, after a barrier. Collective. */
PetscErrorCode ExpansionWrite(const Expansion *expansion, const char *name, const char *curve, const ModeCache *cache, const Result *result);
/* A line that says what the stresses of all of them are not. Local. */
void ExpansionSayStresses(const ExpansionPlan *plan, const System *system);

/* For the two files of this noun: its numbers in the result, by their places in the table. */
enum {
  EXPANSION_KIND,
  EXPANSION_FREQUENCY,
  EXPANSION_LEVEL,
  EXPANSION_AMPLITUDE,
  EXPANSION_COSINE,
  EXPANSION_SINE,
  EXPANSION_UNKNOWN_COSINE,
  EXPANSION_UNKNOWN_SINE,
  EXPANSION_SUPPORT_COSINE,
  EXPANSION_SUPPORT_SINE,
  EXPANSION_FORCE_COSINE,
  EXPANSION_FORCE_SINE,
  EXPANSION_MISSED
};
