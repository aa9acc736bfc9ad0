/* saddle_matrix.h - the matrix of a saddle, as saddle.h shows it. */
#pragma once
#include "whole.h"

/* K - shift M, the boundary beside it, times `scale`, and what it is tied to; M may be NULL without a shift, ties NULL for none. */
PetscErrorCode SaddleMatrix(Mat K, PetscReal shift, Mat M, const Boundary *boundary, const ContinuumTies *ties, PetscReal scale, Mat *matrix);

/* Nothing but K - shift M: its blocks of three order faster and need less room. K itself without a shift. */
PetscErrorCode SaddleMatrixAlone(Mat K, PetscReal shift, Mat M, Mat *matrix);
