/* weights.c - integrals of shape functions over volumes, surfaces and lines: for pressure, forces of bodies, and averages. */
#include "element.h"
#include "shape.h"

typedef struct {
  PetscReal value[RULE_MAX_POINTS][MESH_MAX_NODES], gradient[RULE_MAX_POINTS][MESH_MAX_NODES][3];
  Rule      rule;
} Table;

static PetscErrorCode Tabulate(const Shape *shape, Table *table)
{
  PetscFunctionBegin;
  PetscCall(RuleMake(shape->dim, &shape->rule, &table->rule));
  for (PetscInt q = 0; q < table->rule.num_points; q++) shape->evaluate(shape, table->rule.points[q], table->value[q], table->gradient[q]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* tangent[j] = dx/dxi_j */
static void FindTangents(const Shape *shape, const PetscReal node[], const PetscReal gradient[][3], PetscReal tangent[3][3])
{
  for (PetscInt j = 0; j < 3; j++) {
    for (PetscInt i = 0; i < 3; i++) {
      tangent[j][i] = 0.0;
      for (PetscInt a = 0; a < shape->num_nodes; a++) tangent[j][i] += gradient[a][j] * node[3 * a + i];
    }
  }
}

static void Cross(const PetscReal a[3], const PetscReal b[3], PetscReal c[3])
{
  for (PetscInt i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static PetscReal Dot(const PetscReal a[3], const PetscReal b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Length, area, volume of the image of a unit of the reference element; less than zero for a volume that is inside out. */
static PetscReal Metric(PetscInt dim, const PetscReal tangent[3][3])
{
  PetscReal normal[3];

  if (dim == 0) return 1.0;
  if (dim == 1) return PetscSqrtReal(Dot(tangent[0], tangent[0]));
  Cross(tangent[0], tangent[1], normal);
  return dim == 2 ? PetscSqrtReal(Dot(normal, normal)) : Dot(normal, tangent[2]);
}

PetscBool ElementHasWeights(MeshShape shape)
{
  return ShapeGet(shape) ? PETSC_TRUE : PETSC_FALSE;
}

PetscErrorCode ElementWeights(MeshShape mesh_shape, PetscInt num, const PetscReal coordinates[], PetscReal weights[], PetscInt *faulty)
{
  const Shape *const shape = ShapeGet(mesh_shape);
  Table              table;
  PetscReal          tangent[3][3];

  PetscFunctionBegin;
  PetscCheck(shape, PETSC_COMM_SELF, PETSC_ERR_SUP, "No shape functions of %s", mesh_shapes[mesh_shape].name);
  PetscCall(Tabulate(shape, &table));
  *faulty = -1;
  for (PetscInt e = 0; e < num; e++) {
    PetscReal *const weight = weights + (size_t)e * shape->num_nodes;

    for (PetscInt a = 0; a < shape->num_nodes; a++) weight[a] = 0.0;
    for (PetscInt q = 0; q < table.rule.num_points; q++) {
      PetscReal metric;

      FindTangents(shape, coordinates + (size_t)e * 3 * shape->num_nodes, (const PetscReal(*)[3])table.gradient[q], tangent);
      metric = Metric(shape->dim, (const PetscReal(*)[3])tangent);
      if (!(metric > 0.0) && *faulty < 0) *faulty = e;
      for (PetscInt a = 0; a < shape->num_nodes; a++) weight[a] += table.rule.weights[q] * metric * table.value[q][a];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ElementFaceVectors(MeshShape mesh_shape, PetscInt num, const PetscReal coordinates[], PetscReal vectors[])
{
  const Shape *const shape = ShapeGet(mesh_shape);
  Table              table;
  PetscReal          tangent[3][3], normal[3];

  PetscFunctionBegin;
  PetscCheck(shape && shape->dim == 2, PETSC_COMM_SELF, PETSC_ERR_SUP, "%s is not a face", mesh_shapes[mesh_shape].name);
  PetscCall(Tabulate(shape, &table));
  for (PetscInt e = 0; e < num; e++) {
    PetscReal *const vector = vectors + (size_t)e * 3 * shape->num_nodes;

    for (PetscInt i = 0; i < 3 * shape->num_nodes; i++) vector[i] = 0.0;
    for (PetscInt q = 0; q < table.rule.num_points; q++) {
      FindTangents(shape, coordinates + (size_t)e * 3 * shape->num_nodes, (const PetscReal(*)[3])table.gradient[q], tangent);
      Cross(tangent[0], tangent[1], normal);
      for (PetscInt a = 0; a < shape->num_nodes; a++) {
        for (PetscInt i = 0; i < 3; i++) vector[3 * a + i] += table.rule.weights[q] * table.value[q][a] * normal[i];
      }
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
