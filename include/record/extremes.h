/*
  extremes.h - the most that was seen of a run in all its samples, whether these are kept or not: how far points have moved, what joints have
  moved and transmitted, how energies err.

  All of it lies in the result, and as of the time of a restart file in that: what a kill left in the result may be of two times.
*/
#pragma once
#include "findings.h"

/* Columns of a frame, and fields of a finding that keep their largest absolute values; the field behind it their times, where wanted. */
typedef struct {
  Finding   *finding;
  PetscInt   field, width, offset;
  PetscBool  timed;
  PetscReal *most, *time;
} Peak;

/* What the energies of a run tell of it [J]. */
typedef struct {
  PetscReal imbalance, largest; /* of |balance|, of all that is held or put in */
  PetscReal given;              /* the most that the joints have given out beyond what they took */
  PetscReal at_start, lost; /* what joints took beyond what they hold, have dissipated and exchanged: at time 0, the most that differs from that */
} EnergyExtremes;

typedef struct {
  PetscInt       num_peaks;
  Peak          *peaks;
  Finding       *energies; /* NULL: none are watched */
  EnergyExtremes energy;
} Extremes;

extern const OutputTable energy_extremes_table;

/* All of it is local. Room for so many peaks. */
PetscErrorCode ExtremesCreate(PetscInt most_peaks, Extremes *extremes);
PetscErrorCode ExtremesDestroy(Extremes *extremes);
PetscErrorCode ExtremesAddPeak(Extremes *extremes, Finding *finding, PetscInt field, PetscBool timed, PetscInt width, PetscInt offset);
PetscErrorCode ExtremesAddEnergies(Extremes *extremes, Findings *findings, const char *group);

void ExtremesBegin(Extremes *extremes);
/* `energy` of the frame, NULL for none; `stored`: what contacts hold, have lost and exchanged, NULL where it is not known. Hot. */
void           ExtremesLook(Extremes *extremes, PetscReal time, const PetscReal frame[], const PetscReal energy[], const PetscReal stored[]);
PetscErrorCode ExtremesWrite(const Extremes *extremes, const Result *result);
PetscErrorCode ExtremesRead(Extremes *extremes, const Result *result);

/* For restart files. */
PetscInt ExtremesSize(const Extremes *extremes);
void     ExtremesPack(const Extremes *extremes, PetscReal numbers[]);
void     ExtremesUnpack(Extremes *extremes, const PetscReal numbers[]);
