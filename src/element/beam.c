/* beam.c - the beam that shear deforms, Timoshenko's. */
#include "kinds.h"
#include "line.h"

static PetscErrorCode Evaluate(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                               PetscReal stiffness[], PetscReal mass[], PetscInt *faulty)
{
  PetscFunctionBegin;
  PetscCall(LineEvaluate(properties, PETSC_TRUE, num, coordinates, stiffness, mass, faulty));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Stiffen(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                              const PetscReal displacements[], PetscReal geometric[])
{
  PetscFunctionBegin;
  PetscCall(LineStiffen(properties, PETSC_TRUE, num, coordinates, displacements, geometric));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Stress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                             const PetscReal displacements[], PetscReal nodal[], PetscReal mean[])
{
  PetscFunctionBegin;
  PetscCall(LineStress(properties, PETSC_TRUE, num, coordinates, displacements, mean));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const ElementKind element_kind_beam = {
  .name         = "beam",
  .summary      = "straight beam of 2 nodes with shear deformation and rotary inertia (Timoshenko)",
  .shape        = MESH_LINE2,
  .num_unknowns = 6,
  .mass_block   = 6,
  .needs        = ELEMENT_NEEDS_MATERIAL | ELEMENT_NEEDS_ISOTROPY | ELEMENT_NEEDS_SECTION,
  .evaluate     = Evaluate,
  .stiffen      = Stiffen,
  .stress       = Stress,
};
