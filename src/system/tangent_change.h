/* tangent_change.h - how tangents of the joints differ from others, and the rows of B in which they do. */
#pragma once
#include "system.h"

typedef struct {
  PetscInt  count;
  PetscInt *row;   /* [count] ascending */
  PetscInt *place; /* [num_rows] of a row among these, else -1 */
  Mat       D;     /* between the rows of B */
} TangentChange;

/* From those of one System in a state to those of another, which has the same rows. */
PetscErrorCode TangentChangeCreate(const System *from, JointState from_state, const System *to, JointState to_state, TangentChange *change);
PetscErrorCode TangentChangeDestroy(TangentChange *change);
/* product = D x of numbers for its rows: [count]. */
PetscErrorCode TangentChangeMultiply(const TangentChange *change, const PetscReal x[], PetscReal product[]);
/* matrix += A D, both [count, count], A symmetric, matrix column by column. */
PetscErrorCode TangentChangeAddProduct(const TangentChange *change, const PetscReal A[], PetscReal matrix[]);
