/* test_element_shape.c - what shape functions of any shape must do: one at their node, linear fields kept, gradients their derivatives. */
#include "elements.h"

typedef void (*CheckShape)(const Shape *shape);

static void ForAllShapes(CheckShape check)
{
  int count = 0;

  for (int s = 0; s < MESH_NUM_SHAPES; s++) {
    if (!ShapeGet((MeshShape)s)) continue;
    assert_int_equal(ShapeGet((MeshShape)s)->dim, mesh_shapes[s].dim);
    assert_int_equal(ShapeGet((MeshShape)s)->num_nodes, mesh_shapes[s].num_nodes);
    check(ShapeGet((MeshShape)s));
    count++;
  }
  assert_true(count > 8); /* points, lines and surfaces, and solids */
}

/* Also that a linear field keeps its value and its gradient: at nodes too, as at the apex of a pyramid, where gradients are chosen. */
static void CheckPoint(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  PetscReal sum = 0;

  shape->evaluate(shape, point, value, gradient);
  for (PetscInt a = 0; a < shape->num_nodes; a++) sum += value[a];
  assert_close(sum, 1, 1e-14);
  for (PetscInt i = 0; i < shape->dim; i++) {
    PetscReal place = 0, slope[3] = {0, 0, 0}, slope_of_sum = 0;

    for (PetscInt a = 0; a < shape->num_nodes; a++) {
      place += value[a] * shape->nodes[a][i];
      slope_of_sum += gradient[a][i];
      for (PetscInt j = 0; j < shape->dim; j++) slope[j] += gradient[a][j] * shape->nodes[a][i];
    }
    assert_near(place, point[i], 1e-14);
    assert_near(slope_of_sum, 0, 1e-14);
    for (PetscInt j = 0; j < shape->dim; j++) assert_near(slope[j], i == j ? 1 : 0, 1e-14);
  }
}

static void CheckNodes(const Shape *shape)
{
  PetscReal value[MESH_MAX_NODES], gradient[MESH_MAX_NODES][3];

  for (PetscInt a = 0; a < shape->num_nodes; a++) {
    CheckPoint(shape, shape->nodes[a], value, gradient);
    for (PetscInt b = 0; b < shape->num_nodes; b++) assert_near(value[b], a == b ? 1 : 0, 1e-15);
  }
}

static void each_function_is_one_at_its_node_and_zero_at_the_others(void **state)
{
  (void)state;
  ForAllShapes(CheckNodes);
}

/* By central differences, whose error is the square of the step, at the points of the rule. */
static void CheckSlopes(const Shape *shape)
{
  const PetscReal step = 1e-5;
  PetscReal       value[MESH_MAX_NODES], gradient[MESH_MAX_NODES][3], beside[2][MESH_MAX_NODES], unused[MESH_MAX_NODES][3];
  Rule            rule;

  assert_ok(RuleMake(shape->dim, &shape->rule, &rule));
  for (PetscInt q = 0; q < rule.num_points; q++) {
    CheckPoint(shape, rule.points[q], value, gradient);
    for (PetscInt j = 0; j < shape->dim; j++) {
      for (int side = 0; side < 2; side++) {
        PetscReal point[3] = {rule.points[q][0], rule.points[q][1], rule.points[q][2]};

        point[j] += side ? step : -step;
        shape->evaluate(shape, point, beside[side], unused);
      }
      for (PetscInt a = 0; a < shape->num_nodes; a++) assert_near(gradient[a][j], (beside[1][a] - beside[0][a]) / (2 * step), 1e-8);
    }
  }
}

static void gradients_are_the_derivatives_of_the_functions(void **state)
{
  (void)state;
  ForAllShapes(CheckSlopes);
}

/* So that a mass matrix is positive. */
static void CheckWeights(const Shape *shape)
{
  Rule rule;

  assert_ok(RuleMake(shape->dim, &shape->rule, &rule));
  for (PetscInt q = 0; q < rule.num_points; q++) assert_true(rule.weights[q] > 0);
}

static void rules_have_positive_weights(void **state)
{
  (void)state;
  ForAllShapes(CheckWeights);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(each_function_is_one_at_its_node_and_zero_at_the_others),
  cmocka_unit_test(gradients_are_the_derivatives_of_the_functions),
  cmocka_unit_test(rules_have_positive_weights),
};

CHECK_MAIN(tests)
