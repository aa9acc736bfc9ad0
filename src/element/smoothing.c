/* smoothing.c - from values at the points of integration to values at nodes, by the functions that fit them best [Hinton 1974]. */
#include "solid.h"
#include <petscblaslapack.h>

/* Values of the functions of the stress at the points, times the roots of the weights: column by column. */
static PetscErrorCode FillFit(const Shape *shape, const Rule *rule, PetscReal A[])
{
  PetscReal value[MESH_MAX_NODES], unused[MESH_MAX_NODES][3];

  PetscFunctionBegin;
  for (PetscInt q = 0; q < rule->num_points; q++) {
    shape->evaluate(shape, rule->points[q], value, unused);
    for (PetscInt f = 0; f < shape->num_nodes; f++) A[f * rule->num_points + q] = PetscSqrtReal(rule->weights[q]) * value[f];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* fit[point][function] = what a value of one at the point makes of each function, by least squares. */
static PetscErrorCode Fit(const Shape *shape, const Rule *rule, PetscReal fit[RULE_MAX_POINTS][RULE_MAX_POINTS])
{
  const PetscBLASInt m = (PetscBLASInt)rule->num_points, n = (PetscBLASInt)shape->num_nodes, room = 2 * RULE_MAX_POINTS * RULE_MAX_POINTS;
  PetscBLASInt       info;
  PetscReal          A[RULE_MAX_POINTS * RULE_MAX_POINTS], B[RULE_MAX_POINTS * RULE_MAX_POINTS] = {0.0}, work[2 * RULE_MAX_POINTS * RULE_MAX_POINTS];

  PetscFunctionBegin;
  PetscCall(FillFit(shape, rule, A));
  for (PetscBLASInt q = 0; q < m; q++) B[q * m + q] = PetscSqrtReal(rule->weights[q]);
  PetscCallBLAS("LAPACKgels", LAPACKgels_("N", &m, &n, &m, A, &m, B, &m, work, &room, &info));
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "gels gives %d", (int)info);
  for (PetscBLASInt q = 0; q < m; q++)
    for (PetscBLASInt f = 0; f < n; f++) fit[q][f] = B[q * m + f];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SmoothingMake(const SolidForm *form, Smoothing *smoothing)
{
  PetscReal fit[RULE_MAX_POINTS][RULE_MAX_POINTS], value[MESH_MAX_NODES], unused[MESH_MAX_NODES][3];
  Rule      rule;

  PetscFunctionBegin;
  PetscCall(RuleMake(form->shape->dim, &form->stiffness_rule, &rule));
  PetscCall(Fit(form->stress, &rule, fit));
  *smoothing = (Smoothing){.num_nodes = form->shape->num_nodes, .num_points = rule.num_points};
  for (PetscInt a = 0; a < smoothing->num_nodes; a++) {
    form->stress->evaluate(form->stress, form->shape->nodes[a], value, unused);
    for (PetscInt q = 0; q < rule.num_points; q++)
      for (PetscInt f = 0; f < form->stress->num_nodes; f++) smoothing->share[a][q] += fit[q][f] * value[f];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
