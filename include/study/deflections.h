/*
  deflections.h - how a whole mesh moves at states of equilibrium, for the studies that find them: what acts there is kept, and asked of the mesh
  for all of them at once.

  All that acts is known as forces on the places of the System: loads p, bolts -V delta, joints -B^T g. The unknowns of the mesh move by

      u = K0^-1 (p - V delta - B^T g),    g = f - k d

  Loads that follow modes act on these alone: Phi Omega^-2 Phi^T p is added. Of a mesh that is not on its modes the System's unknowns say all.
*/
#pragma once
#include "statics.h"
#include "study.h"

typedef struct {
  PetscInt   count;                /* of states */
  PetscReal *forces, *coordinates; /* [count, places], [count, unknowns of the System] */
  PetscReal *supports;             /* [count, moving supports] */
} Deflections;

PetscErrorCode DeflectionsCreate(const System *system, PetscInt count, Deflections *deflections);
PetscErrorCode DeflectionsDestroy(Deflections *deflections);
/* State i, whose motions have just been asked for (StaticsMotions). Local. */
PetscErrorCode DeflectionsTake(Deflections *deflections, PetscInt i, const Statics *statics, const State *state);
/* From the rank that took them to those that helped. Collective. */
PetscErrorCode DeflectionsShare(const System *system, Deflections *deflections);
/* Of coordinates of modes in motion, the deflection under all forces contains what the kept modes give way by at rest: takes that from the
   coordinates. Of a mesh on its modes; local. */
PetscErrorCode DeflectionsLeaveStatic(const System *system, Deflections *deflections);
/* Asks the mesh for states first, ..., first + count - 1, a column each; NULL where the System's unknowns say all, or after a complaint, which
   `fine` tells apart. Factors the mesh once more. Collective, as the next one is. */
PetscErrorCode DeflectionsSolve(const Deflections *deflections, const ModeCache *cache, PetscInt first, PetscInt count, Mat *moved, PetscBool *fine);
/* How the unknowns of the mesh have moved in state i, of which `moved` has this column. */
PetscErrorCode DeflectionsMotion(const Deflections *deflections, const ModeCache *cache, PetscInt i, Mat moved, PetscInt column, Vec *motion);
/* Writes states 0, ..., count - 1 of them, `moved` as they have been solved, as a series for ParaView, with stresses if these are wanted; `name` is
   that of the series. `whole` is false where the user asked to stop. Collective. */
typedef struct {
  const char      *path, *name;
  PetscInt         count;
  const PetscReal *times; /* [count] ascending */
  PetscBool        stresses, stress_points;
} DeflectionSeries;
PetscErrorCode DeflectionsWrite(const Deflections *deflections, const ModeCache *cache, Mat moved, const DeflectionSeries *series, PetscBool *whole);
