/*
  active_rows.h - the rows whose tangents differ from what the structure contains, and Newton's equation among them.

  (1 + H D) x = b with D = tangent - stiffness: where the tangent is that of the reference, D is nothing, and the rows follow the others.
*/
#pragma once
#include <petscksp.h>
#include "balance.h"

typedef struct ActiveRows {
  PetscInt         m, count, most_factored; /* more rows than that are solved by iteration */
  PetscInt        *row;                     /* [count] */
  PetscInt        *place;                   /* [m] of a row among the active ones, else -1 */
  PetscReal       *size;                    /* [m] stiffness of the point of each row while closed and stuck [N/m] */
  PetscReal       *difference;              /* [m, width] D, zero but in active rows */
  PetscReal       *value, *product;         /* [m] */
  const PetscReal *influence;               /* [m, m] H, of the solution that is under way */

  PetscInt      num_factored, capacity; /* of the factors, which may be of an earlier iteration */
  PetscInt     *factored;               /* [num_factored] their rows */
  PetscReal    *factors;                /* [num_factored, num_factored] column-major */
  PetscBLASInt *pivots;

  const TangentPattern *pattern;
  KSP                   iteration; /* NULL until it is needed */
  Vec                   right, solution;
} ActiveRows;

PetscErrorCode ActiveRowsCreate(const JointForces *joints, ActiveRows *active);
PetscErrorCode ActiveRowsDestroy(ActiveRows *active);

/* A new solution begins, with this influence: older factors are of no use. Local. */
void ActiveRowsBegin(ActiveRows *active, const PetscReal influence[], PetscInt most_factored);
/* D of the present tangents, and the rows in which it matters. Points without stiffness get a little of it there. Hot, local. */
void ActiveRowsFind(ActiveRows *active, const JointForces *joints);
/* x in the active rows from b, both [m]; false when there is none. Hot. */
PetscErrorCode ActiveRowsSolve(ActiveRows *active, const PetscReal b[], PetscReal x[], PetscBool *solved);
