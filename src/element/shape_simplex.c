/* shape_simplex.c - shape functions of triangles and tetrahedra, and of wedges, which are triangles along a line. */
#include "shape.h"

/* Barycentric coordinates of a point of a triangle (dim 2) or tetrahedron (dim 3): the first is 1 at the origin. */
static void Barycentric(PetscInt dim, const PetscReal point[], PetscReal coordinate[4])
{
  coordinate[0] = 1.0;
  for (PetscInt i = 0; i < 3; i++) {
    coordinate[i + 1] = i < dim ? point[i] : 0.0;
    coordinate[0] -= coordinate[i + 1];
  }
}

/* d coordinate[i] / d xi_j */
static PetscReal BarycentricSlope(PetscInt i, PetscInt j)
{
  if (i == 0) return -1.0;
  return i == j + 1 ? 1.0 : 0.0;
}

/* The vertices that a node lies between; both the same for a vertex. */
static void Between(PetscInt dim, const PetscReal node[], PetscInt *first, PetscInt *second)
{
  PetscReal coordinate[4];

  Barycentric(dim, node, coordinate);
  *first = *second = -1;
  for (PetscInt i = 0; i < 4; i++) {
    if (coordinate[i] == 0.0) continue;
    if (*first < 0) *first = i;
    *second = i;
  }
}

static void Simplex1(PetscInt dim, const PetscReal node[], const PetscReal point[], PetscReal *value, PetscReal gradient[3])
{
  PetscReal l[4];
  PetscInt  i, k;

  Barycentric(dim, point, l);
  Between(dim, node, &i, &k);
  *value = l[i];
  for (PetscInt j = 0; j < 3; j++) gradient[j] = j < dim ? BarycentricSlope(i, j) : 0.0;
}

/* l (2 l - 1) of a vertex, 4 l l' between two. */
static void Simplex2(PetscInt dim, const PetscReal node[], const PetscReal point[], PetscReal *value, PetscReal gradient[3])
{
  PetscReal l[4];
  PetscInt  i, k;

  Barycentric(dim, point, l);
  Between(dim, node, &i, &k);
  *value = i == k ? l[i] * (2.0 * l[i] - 1.0) : 4.0 * l[i] * l[k];
  for (PetscInt j = 0; j < 3; j++) {
    gradient[j] = 0.0;
    if (j >= dim) continue;
    if (i == k) gradient[j] = (4.0 * l[i] - 1.0) * BarycentricSlope(i, j);
    else gradient[j] = 4.0 * (BarycentricSlope(i, j) * l[k] + l[i] * BarycentricSlope(k, j));
  }
}

void ShapeSimplex1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  for (PetscInt a = 0; a < shape->num_nodes; a++) Simplex1(shape->dim, shape->nodes[a], point, &value[a], gradient[a]);
}

void ShapeSimplex2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  for (PetscInt a = 0; a < shape->num_nodes; a++) Simplex2(shape->dim, shape->nodes[a], point, &value[a], gradient[a]);
}

/* Multiplies a function of the triangle by one of the line. */
static void Extrude(PetscReal factor, PetscReal slope, PetscReal *value, PetscReal gradient[3])
{
  gradient[0] *= factor;
  gradient[1] *= factor;
  gradient[2] = *value * slope;
  *value *= factor;
}

void ShapeWedge1(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  for (PetscInt a = 0; a < shape->num_nodes; a++) {
    const PetscReal end = shape->nodes[a][2];

    Simplex1(2, shape->nodes[a], point, &value[a], gradient[a]);
    Extrude(0.5 * (1.0 + end * point[2]), 0.5 * end, &value[a], gradient[a]);
  }
}

void ShapeWedge2(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  const PetscReal z = point[2];

  for (PetscInt a = 0; a < shape->num_nodes; a++) {
    const PetscReal end = shape->nodes[a][2];

    Simplex2(2, shape->nodes[a], point, &value[a], gradient[a]);
    if (end == 0.0) Extrude(1.0 - z * z, -2.0 * z, &value[a], gradient[a]);
    else Extrude(0.5 * z * (z + end), z + 0.5 * end, &value[a], gradient[a]);
  }
}

/* Middles of upright edges: l (1 - z^2). Nodes of the two triangles: the quadratic function times (1 +- z) / 2, and corners less
   half the function of their upright edge, to vanish at its middle. */
void ShapeWedgeSerendipity(const Shape *shape, const PetscReal point[3], PetscReal value[], PetscReal gradient[][3])
{
  const PetscReal z = point[2];

  for (PetscInt a = 0; a < shape->num_nodes; a++) {
    const PetscReal end = shape->nodes[a][2];
    PetscReal       upright, slope[3];

    Simplex1(2, shape->nodes[a], point, &upright, slope);
    Extrude(1.0 - z * z, -2.0 * z, &upright, slope);
    if (end == 0.0) {
      value[a] = upright;
      for (PetscInt j = 0; j < 3; j++) gradient[a][j] = slope[j];
      continue;
    }
    Simplex2(2, shape->nodes[a], point, &value[a], gradient[a]);
    Extrude(0.5 * (1.0 + end * z), 0.5 * end, &value[a], gradient[a]);
    if (a >= 6) continue;
    value[a] -= 0.5 * upright;
    for (PetscInt j = 0; j < 3; j++) gradient[a][j] -= 0.5 * slope[j];
  }
}
