/* beam_euler.c - cross sections stay normal to the axis: the beam of Euler and Bernoulli, with the rotary inertia of Rayleigh unless
   the section says no. */
#include "kinds.h"
#include "line.h"

static PetscErrorCode Evaluate(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                               PetscReal stiffness[], PetscReal mass[], PetscInt *faulty)
{
  PetscFunctionBegin;
  PetscCall(LineEvaluate(properties, PETSC_FALSE, num, coordinates, stiffness, mass, faulty));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Stiffen(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                              const PetscReal displacements[], PetscReal geometric[])
{
  PetscFunctionBegin;
  PetscCall(LineStiffen(properties, PETSC_FALSE, num, coordinates, displacements, geometric));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Stress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                             const PetscReal displacements[], PetscReal nodal[], PetscReal mean[])
{
  PetscFunctionBegin;
  PetscCall(LineStress(properties, PETSC_FALSE, num, coordinates, displacements, mean));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const ElementKind element_kind_beam_euler = {
  .name         = "beam_euler",
  .summary      = "straight beam of 2 nodes without shear deformation (Euler-Bernoulli), with rotary inertia (Rayleigh); `rotary_inertia: no` in its "
                  "section leaves that out",
  .shape        = MESH_LINE2,
  .num_unknowns = 6,
  .mass_block   = 6,
  .needs        = ELEMENT_NEEDS_MATERIAL | ELEMENT_NEEDS_ISOTROPY | ELEMENT_NEEDS_SECTION,
  .evaluate     = Evaluate,
  .stiffen      = Stiffen,
  .stress       = Stress,
};
