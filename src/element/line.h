/* line.h - straight beams between two nodes; beam.c has shear that deforms, beam_euler.c none. */
#pragma once
#include "element.h"

PetscErrorCode LineEvaluate(const ElementProperties *properties, PetscBool shear, PetscInt num, const PetscReal coordinates[], PetscReal stiffness[],
                            PetscReal mass[], PetscInt *faulty);
/* Of the axial force alone. */
PetscErrorCode LineStiffen(const ElementProperties *properties, PetscBool shear, PetscInt num, const PetscReal coordinates[],
                           const PetscReal displacements[], PetscReal geometric[]);
/* Of the section in the middle: mean[num][6]. */
PetscErrorCode LineStress(const ElementProperties *properties, PetscBool shear, PetscInt num, const PetscReal coordinates[],
                          const PetscReal displacements[], PetscReal mean[]);
