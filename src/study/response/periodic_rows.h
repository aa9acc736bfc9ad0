/* periodic_rows.h - harmonics of motions as a result tells them: a sin(k theta + phase). */
#pragma once
#include "findings.h"
#include "harmonic/basis.h"

typedef struct {
  PetscInt   num, stored;                 /* motions, harmonics without the mean */
  PetscReal *amplitude, *phase, *mean;    /* [num] half of peak to peak; of the first harmonic */
  PetscReal *harmonics, *harmonic_phases; /* [num, stored] */
} PeriodicRows;

/* All of it is local. */
PetscErrorCode PeriodicRowsCreate(PetscInt num, PetscInt stored, PeriodicRows *rows);
PetscErrorCode PeriodicRowsDestroy(PeriodicRows *rows);
/* Of x[num, num_functions] of the basis. */
PetscErrorCode PeriodicRowsTake(const HarmonicBasis *basis, const PetscReal x[], PeriodicRows *rows);
/* As a row of five fields of a finding, in this order, from `field` on. */
PetscErrorCode PeriodicRowsWrite(const PeriodicRows *rows, const Finding *finding, PetscInt field, PetscInt row, const Result *result);
