/*
  solid.h - solid elements: a shape, the quadrature rule of the stiffness and internal functions are all there is to say of one.

  Internal functions (incompatible modes) are 1 - xi_j^2 along some directions of the reference element. Each carries three
  unknowns of the element alone, which are condensed out. NOTES.md has the equations.
*/
#pragma once
#include "element.h"
#include "shape.h"

struct SolidForm {
  const Shape *shape; /* its rule is that of the mass */
  RuleFactors  stiffness_rule;
  PetscInt     num_internal;
  PetscInt     internal[3]; /* their directions */
  const Shape *stress;      /* whose functions the stress is fitted by, from the points of the stiffness to the nodes */
};

/* The evaluate of every solid kind. */
PetscErrorCode SolidEvaluate(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                             PetscReal stiffness[], PetscReal mass[], PetscInt *faulty);
/* Likewise its stiffen. */
PetscErrorCode SolidStiffen(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                            const PetscReal displacements[], PetscReal geometric[]);
/* Likewise its stress. */
PetscErrorCode SolidStress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                           const PetscReal displacements[], PetscReal nodal[], PetscReal mean[]);
/* And at its points. */
PetscInt       SolidNumPoints(const ElementKind *kind);
PetscErrorCode SolidPointStress(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal coordinates[],
                                const PetscReal displacements[], PetscReal places[], PetscReal stresses[]);

/* smoothing.c: what the value at each point of the stiffness adds to that at each node, by the best fit of the functions of the stress. */
typedef struct {
  PetscInt  num_nodes, num_points;
  PetscReal share[MESH_MAX_NODES][RULE_MAX_POINTS];
} Smoothing;
PetscErrorCode SmoothingMake(const SolidForm *form, Smoothing *smoothing);
