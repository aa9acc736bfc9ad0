/* shape_product.c - shape functions of lines, squares and cubes: products of functions of one direction (Lagrange), and the
   serendipity functions, which do without nodes inside. */
#include "shape.h"

/* A function of one coordinate and its derivative. */
typedef struct {
  PetscReal value, slope;
} Factor;

/* Of the node at -1 or 1 of two nodes. */
static Factor Linear(PetscReal node, PetscReal x)
{
  return (Factor){0.5 * (1.0 + node * x), 0.5 * node};
}

/* Of the node at -1, 0 or 1 of three. */
static Factor Quadratic(PetscReal node, PetscReal x)
{
  if (node == 0.0) return (Factor){1.0 - x * x, -2.0 * x};
  return (Factor){0.5 * x * (x + node), x + 0.5 * node};
}

static void Multiply(PetscInt dim, const Factor factors[], PetscReal *value, PetscReal gradient[3])
{
  *value = 1.0;
  for (PetscInt i = 0; i < dim; i++) *value *= factors[i].value;
  for (PetscInt j = 0; j < 3; j++) {
    gradient[j] = j < dim ? 1.0 : 0.0;
    for (PetscInt i = 0; i < dim; i++) gradient[j] *= i == j ? factors[i].slope : factors[i].value;
  }
}

void ShapeLagrange1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  for (PetscInt a = 0; a < shape->num_nodes; a++) {
    Factor factors[3];

    for (PetscInt i = 0; i < shape->dim; i++) factors[i] = Linear(shape->nodes[a][i], point[i]);
    Multiply(shape->dim, factors, &value[a], gradient[a]);
  }
}

void ShapeLagrange2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  for (PetscInt a = 0; a < shape->num_nodes; a++) {
    Factor factors[3];

    for (PetscInt i = 0; i < shape->dim; i++) factors[i] = Quadratic(shape->nodes[a][i], point[i]);
    Multiply(shape->dim, factors, &value[a], gradient[a]);
  }
}

/* Corners: the linear function times (sum of xi_i node_i - dim + 1), which vanishes at the middles of the edges that end there.
   Middles of edges: 1 - xi^2 along the edge, linear across. */
void ShapeSerendipity(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  for (PetscInt a = 0; a < shape->num_nodes; a++) {
    const PetscReal *const node = shape->nodes[a];
    PetscReal              sum  = (PetscReal)(1 - shape->dim);
    PetscBool              mid  = PETSC_FALSE;
    Factor                 factors[3];

    for (PetscInt i = 0; i < shape->dim; i++) {
      if (node[i] == 0.0) mid = PETSC_TRUE;
      factors[i] = node[i] == 0.0 ? Quadratic(0.0, point[i]) : Linear(node[i], point[i]);
      sum += node[i] * point[i];
    }
    Multiply(shape->dim, factors, &value[a], gradient[a]);
    if (mid) continue;
    for (PetscInt j = 0; j < shape->dim; j++) gradient[a][j] = gradient[a][j] * sum + value[a] * node[j];
    value[a] *= sum;
  }
}
