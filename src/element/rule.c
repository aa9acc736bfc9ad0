/* rule.c - quadrature rules. Those of simplices have points inside and positive weights: a mass matrix stays positive. */
#include "rule.h"
#include <petscdt.h>

/* Degree 2, degree 4 [Dunavant 1985]. */
#define A 0.44594849091596488632
#define B 0.09157621350977074346
#define U 0.11169079483900573285
#define V 0.05497587182766093382

const RuleTable triangle3 = {2, 3, {{1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6}, {1.0 / 6, 2.0 / 3}}, {1.0 / 6, 1.0 / 6, 1.0 / 6}};

const RuleTable triangle6 = {2, 6, {{A, A}, {1 - 2 * A, A}, {A, 1 - 2 * A}, {B, B}, {1 - 2 * B, B}, {B, 1 - 2 * B}}, {U, U, U, V, V, V}};

#undef A
#undef B
#undef U
#undef V

/* Degree 1, degree 2, degree 5 [Walkington 2000]. */
#define T 0.13819660112501051518 /* (5 - sqrt 5) / 20 */
#define A 0.31088591926330060980
#define B 0.09273525031089122640
#define C 0.04550370412564964949
#define D (0.5 - C)
#define U (0.11268792571801585080 / 6)
#define V (0.07349304311636194954 / 6)
#define W (0.04254602077708146644 / 6)

const RuleTable tetrahedron1 = {3, 1, {{0.25, 0.25, 0.25}}, {1.0 / 6}};

const RuleTable tetrahedron4 = {3, 4, {{T, T, T}, {1 - 3 * T, T, T}, {T, 1 - 3 * T, T}, {T, T, 1 - 3 * T}}, {1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24}};

const RuleTable tetrahedron14 = {3,
                                 14,
                                 {{A, A, A},
                                  {1 - 3 * A, A, A},
                                  {A, 1 - 3 * A, A},
                                  {A, A, 1 - 3 * A},
                                  {B, B, B},
                                  {1 - 3 * B, B, B},
                                  {B, 1 - 3 * B, B},
                                  {B, B, 1 - 3 * B},
                                  {C, C, D},
                                  {C, D, C},
                                  {D, C, C},
                                  {C, D, D},
                                  {D, C, D},
                                  {D, D, C}},
                                 {U, U, U, U, V, V, V, V, W, W, W, W, W, W}};

PetscErrorCode RuleMake(PetscInt dim, const RuleFactors *factors, Rule *rule)
{
  const RuleTable *const table = factors->table;
  const PetscInt         n     = factors->gauss;
  PetscReal              place[8], weight[8];
  PetscInt               d = table ? table->dim : 0, total;

  PetscFunctionBegin;
  PetscCheck(n < 8, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "Gauss rules have at most 7 points here");
  if (dim > d) PetscCall(PetscDTGaussQuadrature(n, -1.0, 1.0, place, weight));
  *rule            = (Rule){.num_points = table ? table->num_points : 1};
  rule->weights[0] = 1.0;
  for (PetscInt q = 0; table && q < table->num_points; q++) {
    for (PetscInt j = 0; j < d; j++) rule->points[q][j] = table->points[q][j];
    rule->weights[q] = table->weights[q];
  }
  for (; d < dim; d++) { /* each point becomes n points along direction d; from the back, so that none is overwritten too early */
    total = rule->num_points * n;
    PetscCheck(total <= RULE_MAX_POINTS, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "A rule of %" PetscInt_FMT " points", total);
    for (PetscInt q = total - 1; q >= 0; q--) {
      for (PetscInt j = 0; j < d; j++) rule->points[q][j] = rule->points[q / n][j];
      rule->points[q][d] = place[q % n];
      rule->weights[q]   = rule->weights[q / n] * weight[q % n];
    }
    rule->num_points = total;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
