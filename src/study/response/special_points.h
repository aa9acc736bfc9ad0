/* special_points.h - points of curves that were located between their steps: peaks, folds, changes of stability. */
#pragma once
#include "findings.h"

/* A line about those beyond the most that are kept, whose number is in this field; none: nothing. */
PetscErrorCode SpecialSayMissed(const char *curve, const Finding *finding, PetscInt field, PetscInt most, const Result *result);
