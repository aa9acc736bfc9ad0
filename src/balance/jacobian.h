/* jacobian.h - Newton's equations of the joints, J = 1 + H (tangent - stiffness), by elimination. */
#pragma once
#include "balance.h"

/* J x = r, r being in x before; room for J [m, m] and pivots [m] is given. False when J is singular. Hot, local. */
PetscBool JacobianSolve(const JointForces *joints, const PetscReal influence[], PetscReal jacobian[], PetscBLASInt pivots[], PetscReal x[]);
