/* equation_tangents.h - how the balance of harmonics changes with the motions of the joints: what the parts of an equation share. */
#pragma once
#include "harmonic/equation.h"

/* Rows that move points of which the tangents leave something. Hot. */
PetscErrorCode EquationListActive(HarmonicEquation *equation);
/* The motions of the components of a point, which are combinations of rows, and the way back of its forces, added; the unknowns of row r stand from
   place[r] on. Hot. */
void EquationGather(const HarmonicEquation *equation, const SystemBlock *block, PetscInt point, const PetscInt place[], const PetscReal x[],
                    PetscReal motion[]);
void EquationScatter(const HarmonicEquation *equation, const SystemBlock *block, PetscInt point, const PetscInt place[], const PetscReal force[],
                     PetscReal y[]);
/* y += A^T x. Hot. */
void EquationAddTransposed(const HarmonicEquation *equation, const PetscInt place[], const PetscReal x[], PetscReal y[]);
