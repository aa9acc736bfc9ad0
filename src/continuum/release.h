/*
  release.h - motions of the boundary that strain nothing, and the stiffness that round-off has against them.

  Rigid motions of bodies are known in closed form. Others, as of two solids that hang together by an edge, are those that K cannot tell from
  rigid ones: entries of K are known to round-off, and so is the stiffness against a motion, to round-off of what it would be if each unknown
  were held by itself.
*/
#pragma once
#include "boundary.h"

/* stiffness[kept rows, kept rows], of rows of length one, `size` between columns, becomes P K P, P = 1 - N N^T with such motions as columns of N,
   orthonormal where each row is divided by the root of the stiffness that it would have so. `modes` are Psi. */
PetscErrorCode ReleaseBoundary(const Boundary *boundary, Mat K, Mat modes, PetscInt size, PetscReal stiffness[]);
