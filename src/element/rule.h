/* rule.h - quadrature rules on reference elements: a table of points in the first directions, or none, times Gauss's in the others. */
#pragma once
#include "base.h"

enum { RULE_MAX_POINTS = 27 };

/* Points in the first `dim` directions: of a triangle, or of a whole reference element that is no product. */
typedef struct {
  PetscInt  dim, num_points;
  PetscReal points[14][3], weights[14]; /* weights sum to the size of what is integrated over */
} RuleTable;

extern const RuleTable triangle3, triangle6, tetrahedron1, tetrahedron4, tetrahedron14;

typedef struct {
  const RuleTable *table; /* may be NULL */
  PetscInt         gauss; /* points in each of the other directions: exact to degree 2 gauss - 1 */
} RuleFactors;

typedef struct {
  PetscInt  num_points;
  PetscReal points[RULE_MAX_POINTS][3], weights[RULE_MAX_POINTS];
} Rule;

PetscErrorCode RuleMake(PetscInt dim, const RuleFactors *factors, Rule *rule);
