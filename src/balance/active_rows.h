/*
  active_rows.h - the rows whose tangents differ from what the structure contains, and Newton's equation among them.

  (1 + H D) x = b with D = tangent - stiffness: where the tangent is that of the reference, D is nothing, and the rows follow the others.
*/
#pragma once
#include <petscksp.h>
#include "balance.h"

typedef struct ActiveRows {
  PetscInt            m, count, most_factored; /* more rows than that are solved by iteration */
  PetscInt           *row;                     /* [count] */
  PetscInt           *place;                   /* [m] of a row among the active ones, else -1 */
  PetscInt            num_selected, *selected; /* the rows of `selection` */
  PetscReal          *size;                    /* [m] stiffness of the point of each row while closed and stuck [N/m] */
  PetscReal          *difference;              /* [m, width] D, zero but in active rows */
  PetscReal          *value, *product, *force; /* [m] work */
  const Influence    *influence;               /* H of the solution that is under way */
  PetscInt64          serial;                  /* of it */
  ComplianceSelection selection;               /* of it, the active rows */

  PetscInt      num_factored, capacity; /* of the factors, which may be of an earlier iteration, or solution */
  PetscInt     *factored;               /* [num_factored] their rows */
  PetscReal    *factors;                /* [num_factored, num_factored] column-major */
  PetscBLASInt *pivots;

  const TangentPattern *pattern;
  KSP                   iteration; /* NULL until it is needed */
  Vec                   right, solution;
} ActiveRows;

PetscErrorCode ActiveRowsCreate(const JointForces *joints, ActiveRows *active);
PetscErrorCode ActiveRowsDestroy(ActiveRows *active);

/* A new solution begins, with this influence; `anew`: it knows nothing of the one before. Local. */
void ActiveRowsBegin(ActiveRows *active, const Influence *influence, PetscInt most_factored, PetscBool anew);
/* D of the present tangents, and the rows in which it matters, with H among them. Points without stiffness get a little of it there. Hot. */
PetscErrorCode ActiveRowsFind(ActiveRows *active, const JointForces *joints);
/* motion = H force in the active rows, of forces in these; zero in others. Hot, local. */
void ActiveRowsMove(ActiveRows *active, const PetscReal force[], PetscReal motion[]);
/* x in the active rows from b, both [m], to this accuracy at least; false when there is none. Hot. */
PetscErrorCode ActiveRowsSolve(ActiveRows *active, PetscReal enough, const PetscReal b[], PetscReal x[], PetscBool *solved);
