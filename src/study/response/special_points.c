/* special_points.c - points of curves that were located between their steps, and for which there was no room. */
#include "special_points.h"

PetscErrorCode SpecialSayMissed(const char *curve, const Finding *finding, PetscInt field, PetscInt most, const Result *result)
{
  PetscInt64 missed;

  PetscFunctionBegin;
  PetscCall(FindingRead(finding, field, 0, 1, &missed, result));
  if (missed > 0)
    ReportSay("  %-10s %10" PetscInt64_FMT " more located points (peaks, folds, ...) than the %" PetscInt_FMT
              " that there is room for: raise `max_special`; folds and peaks here are those of the first ones\n",
              curve, missed, most);
  PetscFunctionReturn(PETSC_SUCCESS);
}
