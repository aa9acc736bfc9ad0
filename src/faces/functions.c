/* functions.c - what stands for the functions of a face of second order on plane triangles: polynomials, so that their integrals are exact. */
#include "functions.h"
#include "element.h"

typedef PetscReal Gradients[MOST_NODES][2];

/* Squared sine of the angle between lines of coordinates below which there is no plane to step in, as at corners that are folded together. */
static const PetscReal flat = 1e-12;

/* Coordinates of nodes, in Gmsh's order: of quadrilaterals from -1 to 1, of triangles those of the second and third corner. */
static const PetscReal quad_nodes[MOST_NODES][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, 0}};
static const PetscReal tri_nodes[6][2]           = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};

/* The parabola on [-1, 1] that is 1 at node -1, 0 or 1, and 0 at the other two. */
static PetscReal Parabola(PetscReal node, PetscReal x, PetscReal *slope)
{
  *slope = node == 0.0 ? -2.0 * x : x + 0.5 * node;
  return node == 0.0 ? 1.0 - x * x : 0.5 * x * (x + node);
}

static void Quad9(const PetscReal at[2], PetscReal values[], Gradients gradients)
{
  for (PetscInt k = 0; k < 9; k++) {
    PetscReal       slope[2];
    const PetscReal x = Parabola(quad_nodes[k][0], at[0], &slope[0]), y = Parabola(quad_nodes[k][1], at[1], &slope[1]);

    values[k]       = x * y;
    gradients[k][0] = slope[0] * y;
    gradients[k][1] = x * slope[1];
  }
}

/* As the node in the middle would move: -1/4 of the corners, 1/2 of the others. */
static void Quad8(const PetscReal at[2], PetscReal values[], Gradients gradients)
{
  Quad9(at, values, gradients);
  for (PetscInt k = 0; k < 8; k++) {
    const PetscReal part = k < 4 ? -0.25 : 0.5;

    values[k] += part * values[8];
    for (PetscInt c = 0; c < 2; c++) gradients[k][c] += part * gradients[8][c];
  }
}

static void Tri6(const PetscReal at[2], PetscReal values[], Gradients gradients)
{
  static const PetscReal slopes[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
  const PetscReal        hats[3]      = {1.0 - at[0] - at[1], at[0], at[1]};

  for (PetscInt a = 0; a < 3; a++) {
    const PetscInt b = (a + 1) % 3;

    values[a]     = hats[a] * (2.0 * hats[a] - 1.0);
    values[3 + a] = 4.0 * hats[a] * hats[b];
    for (PetscInt c = 0; c < 2; c++) {
      gradients[a][c]     = (4.0 * hats[a] - 1.0) * slopes[a][c];
      gradients[3 + a][c] = 4.0 * (hats[a] * slopes[b][c] + slopes[a][c] * hats[b]);
    }
  }
}

static void Evaluate(MeshShape shape, const PetscReal at[2], PetscReal values[], Gradients gradients)
{
  if (shape == MESH_TRI6) Tri6(at, values, gradients);
  else if (shape == MESH_QUAD8) Quad8(at, values, gradients);
  else Quad9(at, values, gradients);
}

/* How far from where they are the coordinates of a place are, to first order: the least |place - sum N x - J step|. Zero where J is singular. */
static void FindStep(PetscInt num, PetscReal *const nodes[], const PetscReal values[], const PetscReal gradients[][2], const PetscReal place[SPACE],
                     PetscReal step[2])
{
  PetscReal rest[SPACE], tangent[2][SPACE] = {{0.0}}, a, b, c, p, q, determinant;

  for (PetscInt i = 0; i < SPACE; i++) {
    rest[i] = place[i];
    for (PetscInt k = 0; k < num; k++) {
      rest[i] -= values[k] * nodes[k][i];
      tangent[0][i] += gradients[k][0] * nodes[k][i];
      tangent[1][i] += gradients[k][1] * nodes[k][i];
    }
  }
  a = Dot(tangent[0], tangent[0]), b = Dot(tangent[0], tangent[1]), c = Dot(tangent[1], tangent[1]);
  p = Dot(tangent[0], rest), q = Dot(tangent[1], rest);
  determinant = a * c - b * b;
  step[0] = step[1] = 0.0;
  if (determinant <= flat * a * c) return;
  step[0] = (c * p - b * q) / determinant;
  step[1] = (a * q - b * p) / determinant;
}

/* At coordinates that are nearly those of the place: N + gradient N . step, so that sum N x is the place (but for its height over the face). */
static void EvaluateNear(const Surface *surface, const Face *face, const PetscReal at[2], const PetscReal place[SPACE], PetscReal values[])
{
  PetscReal *nodes[MOST_NODES], step[2];
  Gradients  gradients;

  for (PetscInt k = 0; k < face->num_nodes; k++) nodes[k] = surface->places + SPACE * face->nodes[k];
  Evaluate(face->shape, at, values, gradients);
  FindStep(face->num_nodes, nodes, values, (const PetscReal(*)[2])gradients, place, step);
  for (PetscInt k = 0; k < face->num_nodes; k++) values[k] += gradients[k][0] * step[0] + gradients[k][1] * step[1];
}

/* Of the face at a corner of the triangle, by the hats of its facet. */
static void CoordinatesOf(const Face *face, const Facet *facet, const PetscReal hats[], PetscReal at[2])
{
  const PetscReal(*const nodes)[2] = face->shape == MESH_TRI6 ? tri_nodes : quad_nodes;

  for (PetscInt c = 0; c < 2; c++) {
    at[c] = 0.0;
    for (PetscInt k = 0; k < facet->num_corners; k++) at[c] += hats[k] * nodes[facet->nodes[k]][c];
  }
}

void FunctionsOfTriangle(const Surface *surface, const Facet *facet, const Triangle *triangle, Functions *functions)
{
  const Face *const face = &surface->faces[facet->face];
  PetscReal         at[3][2];

  for (PetscInt a = 0; a < 3; a++) CoordinatesOf(face, facet, triangle->hat[a], at[a]);
  for (PetscInt a = 0; a < 3; a++) {
    const PetscInt  b         = (a + 1) % 3;
    const PetscReal middle[2] = {0.5 * (at[a][0] + at[b][0]), 0.5 * (at[a][1] + at[b][1])};
    PetscReal       place[SPACE];

    for (PetscInt i = 0; i < SPACE; i++) place[i] = 0.5 * (triangle->corner[a][i] + triangle->corner[b][i]);
    EvaluateNear(surface, face, at[a], triangle->corner[a], functions->parts[a]);
    EvaluateNear(surface, face, middle, place, functions->parts[3 + a]);
  }
  for (PetscInt k = 0; k < face->num_nodes; k++) functions->parts[NUM_QUADRATICS][k] = face->bubble[k];
}

void FunctionsAt(const Functions *functions, PetscInt num, const PetscReal at[3], PetscReal values[])
{
  PetscReal parts[NUM_PARTS];

  for (PetscInt a = 0; a < 3; a++) {
    parts[a]     = at[a] * (2.0 * at[a] - 1.0);
    parts[3 + a] = 4.0 * at[a] * at[(a + 1) % 3];
  }
  parts[NUM_QUADRATICS] = 27.0 * at[0] * at[1] * at[2];
  for (PetscInt k = 0; k < num; k++) {
    values[k] = 0.0;
    for (PetscInt p = 0; p < NUM_PARTS; p++) values[k] += parts[p] * functions->parts[p][k];
  }
}

/* Quadratic functions have the mean of their values in the middles of the sides. */
static void AddIntegrals(const Surface *surface, const Facet *facet, PetscReal integral[], PetscReal *area)
{
  Triangle       triangles[MOST_TRIANGLES];
  Functions      functions;
  const PetscInt num = FacetTriangles(surface->places, facet, triangles);

  for (PetscInt t = 0; t < num; t++) {
    FunctionsOfTriangle(surface, facet, &triangles[t], &functions);
    *area += triangles[t].area;
    for (PetscInt k = 0; k < surface->faces[facet->face].num_nodes; k++)
      integral[k] += triangles[t].area * (functions.parts[3][k] + functions.parts[4][k] + functions.parts[5][k]) / 3.0;
  }
}

/* The bubbles of all triangles of a face have the integral 9/20 area. `integral` is that of the quadratic parts. */
static PetscErrorCode FindBubble(const Surface *surface, const PetscReal integral[], PetscReal area, Face *face)
{
  PetscReal places[MOST_NODES * SPACE], exact[MOST_NODES], whole = 0.0;
  PetscInt  faulty;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < face->num_nodes; k++) PetscCall(PetscArraycpy(places + SPACE * k, surface->places + SPACE * face->nodes[k], SPACE));
  PetscCall(ElementWeights(face->shape, 1, places, exact, &faulty));
  for (PetscInt k = 0; k < face->num_nodes; k++) whole += exact[k];
  if (area > 0.0 && whole > 0.0)
    for (PetscInt k = 0; k < face->num_nodes; k++) face->bubble[k] = (exact[k] / whole - integral[k] / area) / 0.45;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BubblesFind(Surface *surface)
{
  PetscInt facet = 0;

  PetscFunctionBegin;
  for (PetscInt f = 0; f < surface->num_faces; f++) {
    PetscReal      integral[MOST_NODES] = {0.0}, area = 0.0;
    const PetscInt last = facet + FacetsPerFace(surface->faces[f].shape);

    if (IsOfSecondOrder(&surface->faces[f])) {
      for (PetscInt i = facet; i < last; i++) AddIntegrals(surface, &surface->facets[i], integral, &area);
      PetscCall(FindBubble(surface, integral, area, &surface->faces[f]));
    }
    facet = last;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
