/*
  floating.h - motions of a structure that nothing holds while all its joints stick: without strain, of unit modal mass.

  Such a structure is at rest under forces that are in balance, phi^T p = 0 for each of these motions. Where it then is, nothing says: the
  equilibria of this room leave these motions out, phi^T M u = 0.
*/
#pragma once
#include "modes.h"

typedef struct {
  PetscInt   num, n;
  PetscReal *shape;   /* [num, n] on the unknowns */
  PetscReal *inertia; /* [num, n] M times them */
} Floating;

/* Collective; all that follows is local. */
PetscErrorCode FloatingFind(ModeCache *cache, Floating *floating);
PetscErrorCode FloatingDestroy(Floating *floating);

/* Whether one of these motions moves a joint that has a law, which alone would say how far: there is no equilibrium to be found then. */
PetscErrorCode FloatingStrains(const System *system, const Floating *floating, PetscBool *strains);
/* phi^T p of each motion, exactly 0 where it is round-off of what makes it up: [num]. */
PetscErrorCode FloatingPush(const System *system, const Floating *floating, const SystemForces *forces, PetscReal push[]);

/* Adds springs to K0, to the ground, that forces in balance do not stretch: as many as there are motions, where these move most. */
PetscErrorCode FloatingHold(const Floating *floating, Mat *K0);

/* Takes out of forces what pushes these motions, out of motions what is made of them: [n]. */
void FloatingClearForce(const Floating *floating, PetscReal force[]);
void FloatingClearMotion(const Floating *floating, PetscReal motion[]);
