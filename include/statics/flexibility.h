/*
  flexibility.h - what a structure moves by under forces at rest, while all its joints stick: u = K0^-1 p, K0 = K + B^T k B.

  Forces act on the places of a System (SystemNumPlaces) and, as M phi does, on its unknowns; what moves are the unknowns u and all places.
  Two kinds know how: `factored` solves with K0 itself; `modal` is for a System that was reduced to its lowest modes, where K0 is diagonal,
  with the compliance G of the modes that were left out,

      u = Omega^-2 (Phi^T p),   motions of places c: c Phi u + (C G C^T) p

  so that both are K0^-1, of the unknowns that they have. Rigid motions, if nothing holds them (floating.h), are left out of u, and of
  the forces what would push them. K0^-1 is symmetric then, too. All of it is local, but for ranks that share G: one of them leads.

  A kind is one `const FlexibilityKind`; a System has the one that can be used for it.
*/
#pragma once
#include <petscksp.h>
#include "statics/floating.h"

typedef struct Flexibility Flexibility;

typedef struct {
  /* Optional, as is destroying it: `data`. */
  PetscErrorCode (*create)(Flexibility *flexibility);
  /* u = K0^-1 p on the unknowns: [n]. The force is in balance and may be overwritten. */
  PetscErrorCode (*solve)(const Flexibility *flexibility, PetscReal force[], PetscReal u[]);
  PetscErrorCode (*destroy)(Flexibility *flexibility);
} FlexibilityKind;

struct Flexibility {
  const FlexibilityKind *kind;
  void                  *data; /* of the kind */
  const System          *system;
  const Floating        *floating;
  PetscInt               n, num_places;
  PetscReal             *force;         /* [n] work */
  PetscReal             *unit, *yields; /* [num_places] work */
};

/* `floating` are the rigid motions of the system, which strain none of its joints; it must outlive what is created. */
PetscErrorCode FlexibilityCreate(const System *system, const Floating *floating, Flexibility **flexibility);
PetscErrorCode FlexibilityDestroy(Flexibility **flexibility);

/* What the unknowns move by under forces: u[n]. */
PetscErrorCode FlexibilitySolve(const Flexibility *flexibility, const SystemForces *forces, PetscReal u[]);
/* What all places from the first of them on move by under forces on places [num_places] when the unknowns move by u: motion[num_places]. */
PetscErrorCode FlexibilityMotions(const Flexibility *flexibility, const PetscReal forces[], const PetscReal u[], PetscInt first, PetscReal motion[]);
/* What the unknowns move by under a unit force on a place: u[n]. */
PetscErrorCode FlexibilityDeflect(const Flexibility *flexibility, PetscInt place, PetscReal u[]);
/* Both under a unit force on one place: column `place` of the compliance between all places, which is symmetric [m/N]. */
PetscErrorCode FlexibilityColumn(const Flexibility *flexibility, PetscInt place, PetscReal u[], PetscReal motion[]);

/* The kinds. */
extern const FlexibilityKind flexibility_factored, flexibility_modal;
