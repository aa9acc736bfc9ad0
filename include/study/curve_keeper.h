/*
  curve_keeper.h - a curve of periodic motions that is broken off goes on from there: it is kept in a restart file now and then, and when the user
  breaks it off, with what the study that follows it knows beside it.
*/
#pragma once
#include "harmonic/curve.h"
#include "findings.h"

typedef struct {
  const Result  *result;
  const Finding *finding;   /* of the curve */
  PetscInt       field;     /* a number that every point has there */
  char           name[128]; /* of the restart file */
  size_t         own_size;  /* bytes of what the study knows: plain data without pointers */
  void          *own;
  PetscReal      interval;       /* [s] between two times that it is kept */
  PetscLogDouble saved, begun;   /* when it was kept last, and when this attempt began */
  PetscReal      seconds_before; /* of earlier attempts */
} CurveKeeper;

/* Restart files have the name of the finding. `own` is borrowed; where the curve goes on it becomes what it was. Local, all of it. */
PetscErrorCode CurveKeeperBegin(const Result *result, const Finding *finding, PetscInt field, void *own, size_t own_size, CurveKeeper *keeper);
/* Follows a curve from its beginning, or on from where it was kept; anew, too, where the result has lost its points, or has other modes. */
PetscErrorCode CurveKeeperFollow(CurveKeeper *keeper, Curve *curve, PetscReal from, PetscReal to, CurveAccept accept, void *context);
/* While a point is accepted, after its row, curve->num_points - 1, was written: keeps the curve now and then, and when the user breaks it off, of which
   it tells. */
PetscErrorCode CurveKeeperLook(CurveKeeper *keeper, const Curve *curve, PetscBool *go_on);
/* The curve has ended: nothing is kept any more. */
PetscErrorCode CurveKeeperEnd(const CurveKeeper *keeper);
/* Computing time of all attempts. */
PetscErrorCode CurveKeeperSeconds(const CurveKeeper *keeper, PetscReal *seconds);
