/*
  elements.h - what the tests of elements share: boxes filled with elements of any solid shape, dense assembly and LAPACK.

  A box is cut into the solids that Gmsh knows: bricks, tetrahedra, wedges and pyramids. Where the nodes of an element are between its
  corners, its shape says; verify/element_shapes asks Gmsh whether it is right.
*/
#pragma once
#include "element.h"
#include "check.h"
#include "../../src/element/shape.h"
#include <petscblaslapack.h>
#include <string.h>

enum { CELL_MAX = 6 /* elements of a cell */, CELL_PLACES = 9, CENTRE = 8, MAX_CORNERS = 8 };

/* Corners of a cell, in the order of a hex8, and its centre; in quarters of a cell. */
static const int cell_places[CELL_PLACES][3] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 4}, {4, 0, 4}, {4, 4, 4}, {0, 4, 4}, {2, 2, 2}};

/* How a cell is cut into the elements of a family; and a turn that maps an element onto itself. */
typedef struct {
  const char *family; /* the letters of the names of its shapes */
  int         num_corners, num_elements;
  int         elements[CELL_MAX][MAX_CORNERS]; /* places of a cell */
  int         turned[MAX_CORNERS];             /* corner that takes the place of each */
} Cut;

static const Cut cuts[] = {
  {"hex", 8, 1, {{0, 1, 2, 3, 4, 5, 6, 7}}, {1, 2, 3, 0, 5, 6, 7, 4}},
  {"tet", 4, 6, {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}, {1, 2, 0, 3}},
  {"wedge", 6, 2, {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}}, {1, 2, 0, 4, 5, 3}},
  {"pyramid",
   5,
   6,
   {{0, 1, 2, 3, CENTRE}, {7, 6, 5, 4, CENTRE}, {0, 4, 5, 1, CENTRE}, {1, 5, 6, 2, CENTRE}, {2, 6, 7, 3, CENTRE}, {3, 7, 4, 0, CENTRE}},
   {1, 2, 3, 0, 4}},
};

/* What the name of a shape begins with, "hex" of "hex20". */
static inline PetscBool IsOfFamily(MeshShape shape, const char *family)
{
  const char *const name = mesh_shapes[shape].name;

  return strcspn(name, "0123456789") == strlen(family) && strncmp(name, family, strlen(family)) == 0 ? PETSC_TRUE : PETSC_FALSE;
}

static inline const Cut *CutOf(MeshShape shape)
{
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
    if (IsOfFamily(shape, cuts[i].family)) return &cuts[i];
  fail_msg("the tests do not know how to fill a box with %s", mesh_shapes[shape].name);
  return NULL;
}

/* The corners that each node is the middle of, as bits: those whose linear functions do not vanish there. */
static inline void CornersOfNodes(MeshShape shape, unsigned corners[MESH_MAX_NODES])
{
  const Shape *linear = NULL;

  for (int s = 0; s < MESH_NUM_SHAPES && !linear; s++)
    if (mesh_shapes[s].order == 1 && IsOfFamily((MeshShape)s, CutOf(shape)->family)) linear = ShapeGet((MeshShape)s);
  assert_non_null(linear);
  for (PetscInt a = 0; a < mesh_shapes[shape].num_nodes; a++) {
    PetscReal value[MESH_MAX_NODES], gradient[MESH_MAX_NODES][3];

    corners[a] = 0;
    linear->evaluate(linear, ShapeGet(shape)->nodes[a], value, gradient);
    for (PetscInt c = 0; c < linear->num_nodes; c++)
      if (fabs(value[c]) > 1e-9) corners[a] |= 1u << c;
  }
}

/* A random number in [-1, 1). */
static inline PetscReal Random(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (PetscReal)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

/* A box of n[0] x n[1] x n[2] cells. Edges stay straight, whatever is done to the corners. */
typedef struct {
  const ElementKind *kind;
  PetscInt           n[3], num_nodes, num_elements, nodes_each, size; /* size: unknowns of an element */
  PetscInt          *nodes;                                           /* [num_elements, nodes_each] */
  PetscReal         *x;                                               /* [num_nodes, 3] */
  PetscReal          length[3];
} Box;

/* Moves a corner, which is at x. */
typedef void (*Distort)(const Box *box, PetscReal x[3], uint64_t *seed);

static inline void Undistorted(const Box *box, PetscReal x[3], uint64_t *seed)
{
  (void)box, (void)x, (void)seed;
}

/* Every corner by up to 12 % of a cell. */
static inline void RandomEverywhere(const Box *box, PetscReal x[3], uint64_t *seed)
{
  for (int i = 0; i < 3; i++) x[i] += 0.12 * box->length[i] / (PetscReal)box->n[i] * Random(seed);
}

/* Corners inside by up to 12 % of a cell: the box keeps its volume. */
static inline void RandomInside(const Box *box, PetscReal x[3], uint64_t *seed)
{
  for (int i = 0; i < 3; i++) {
    if (x[i] > 1e-9 && x[i] < box->length[i] - 1e-9) x[i] += 0.12 * box->length[i] / (PetscReal)box->n[i] * Random(seed);
  }
}

/* The number of a place of a cell: corners of all cells first, then centres. */
static inline PetscInt PlaceIndex(const Box *box, const PetscInt cell[3], int place)
{
  const PetscInt *const n = box->n;
  PetscInt              p[3];

  if (place == CENTRE) return (n[0] + 1) * (n[1] + 1) * (n[2] + 1) + (cell[2] * n[1] + cell[1]) * n[0] + cell[0];
  for (int i = 0; i < 3; i++) p[i] = cell[i] + cell_places[place][i] / 4;
  return (p[2] * (n[1] + 1) + p[1]) * (n[0] + 1) + p[0];
}

/* Where the corners and the centres of the cells are, to be freed. */
static inline PetscReal *PlacesOfCells(const Box *box, Distort distort)
{
  const PetscInt *const n       = box->n;
  const PetscInt        corners = (n[0] + 1) * (n[1] + 1) * (n[2] + 1), total = corners + n[0] * n[1] * n[2];
  PetscReal            *x;
  uint64_t              seed = 7;

  assert_ok(PetscMalloc1(3 * total, &x));
  for (PetscInt c = 0; c < total; c++) {
    const PetscInt  k = c < corners ? c : c - corners, extra = c < corners ? 1 : 0;
    const PetscInt  p[3]  = {k % (n[0] + extra), k / (n[0] + extra) % (n[1] + extra), k / (n[0] + extra) / (n[1] + extra)};
    const PetscReal shift = c < corners ? 0.0 : 0.5;

    for (int i = 0; i < 3; i++) x[3 * c + i] = box->length[i] * ((PetscReal)p[i] + shift) / (PetscReal)n[i];
    distort(box, x + 3 * c, &seed);
  }
  return x;
}

/* The node in the middle of these corners of an element. Nodes are told apart by their place on the grid of quarters of cells, where
   `index` has their numbers. */
static inline PetscInt NodeAt(Box *box, const PetscInt cell[3], const int element[], unsigned corners, const PetscReal *places, PetscInt index[])
{
  PetscReal x[3] = {0, 0, 0}, quarter[3] = {0, 0, 0};
  PetscInt  count = 0, key = 0;

  for (int k = 0; k < MAX_CORNERS; k++) {
    if (!(corners & 1u << k)) continue;
    for (int i = 0; i < 3; i++) {
      x[i] += places[3 * PlaceIndex(box, cell, element[k]) + i];
      quarter[i] += (PetscReal)(4 * cell[i] + cell_places[element[k]][i]);
    }
    count++;
  }
  for (int i = 2; i >= 0; i--) key = key * (4 * box->n[i] + 1) + (PetscInt)floor(quarter[i] / (PetscReal)count + 0.5);
  if (index[key] < 0) {
    for (int i = 0; i < 3; i++) box->x[3 * box->num_nodes + i] = x[i] / (PetscReal)count;
    index[key] = box->num_nodes++;
  }
  return index[key];
}

static inline Box BoxOpen(const ElementKind *kind, PetscInt nx, PetscInt ny, PetscInt nz, const PetscReal length[3], Distort distort)
{
  const Cut *const cut = CutOf(kind->shape);
  Box box = {.kind = kind, .n = {nx, ny, nz}, .nodes_each = mesh_shapes[kind->shape].num_nodes, .length = {length[0], length[1], length[2]}};
  const PetscInt most = (4 * nx + 1) * (4 * ny + 1) * (4 * nz + 1);
  unsigned       corners[MESH_MAX_NODES];
  PetscInt      *index;
  PetscReal     *places = PlacesOfCells(&box, distort);

  box.size = box.nodes_each * kind->num_unknowns;
  CornersOfNodes(kind->shape, corners);
  assert_ok(PetscMalloc1(most, &index));
  assert_ok(PetscMalloc1(3 * most, &box.x));
  assert_ok(PetscMalloc1(nx * ny * nz * cut->num_elements * box.nodes_each, &box.nodes));
  for (PetscInt i = 0; i < most; i++) index[i] = -1;
  for (PetscInt c = 0; c < nx * ny * nz; c++) {
    const PetscInt cell[3] = {c % nx, c / nx % ny, c / nx / ny};

    for (int e = 0; e < cut->num_elements; e++, box.num_elements++)
      for (PetscInt a = 0; a < box.nodes_each; a++)
        box.nodes[box.num_elements * box.nodes_each + a] = NodeAt(&box, cell, cut->elements[e], corners[a], places, index);
  }
  assert_ok(PetscFree(index));
  assert_ok(PetscFree(places));
  return box;
}

static inline void BoxClose(Box *box)
{
  assert_ok(PetscFree(box->nodes));
  assert_ok(PetscFree(box->x));
}

/* Places of the nodes of all elements, to be freed. */
static inline PetscReal *BoxCoordinates(const Box *box)
{
  PetscReal *x;

  assert_ok(PetscMalloc1(3 * box->nodes_each * box->num_elements, &x));
  for (PetscInt i = 0; i < box->nodes_each * box->num_elements; i++)
    for (int j = 0; j < 3; j++) x[3 * i + j] = box->x[3 * box->nodes[i] + j];
  return x;
}

/* Dense matrices of all unknowns of the box, full, to be freed. */
static inline void BoxAssemble(const Box *box, const ElementProperties *properties, PetscReal **K, PetscReal **M)
{
  const PetscInt u = box->kind->num_unknowns, n = box->num_nodes * u, s = box->size, m = box->nodes_each * box->kind->mass_block;
  PetscReal     *x = BoxCoordinates(box), *k, *mass, *spread;
  PetscInt       faulty;

  assert_ok(PetscCalloc1((size_t)n * n, K));
  assert_ok(PetscCalloc1((size_t)n * n, M));
  assert_ok(
    PetscMalloc3((size_t)box->num_elements * s * s, &k, (size_t)box->num_elements * m * m, &mass, (size_t)box->num_elements * s * s, &spread));
  assert_ok(ElementEvaluate(box->kind, properties, box->num_elements, x, k, mass, &faulty));
  assert_int_equal(faulty, -1);
  ElementSpreadMass(box->kind, box->num_elements, mass, spread);
  ElementMirror(box->num_elements, box->nodes_each, u, k);
  ElementMirror(box->num_elements, box->nodes_each, u, spread);
  for (PetscInt e = 0; e < box->num_elements; e++)
    for (PetscInt i = 0; i < s; i++)
      for (PetscInt j = 0; j < s; j++) {
        const PetscInt *node = box->nodes + e * box->nodes_each;
        const size_t    at   = (size_t)(node[i / u] * u + i % u) * n + node[j / u] * u + j % u;

        (*K)[at] += k[((size_t)e * s + i) * s + j];
        (*M)[at] += spread[((size_t)e * s + i) * s + j];
      }
  assert_ok(PetscFree3(k, mass, spread));
  assert_ok(PetscFree(x));
}

/* Stiffness and mass of elements at x, both complete and in the layout of the stiffness, to be freed; either may be NULL. */
static inline void ElementsFull(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal x[], PetscReal **K,
                                PetscReal **M)
{
  const PetscInt nodes = mesh_shapes[kind->shape].num_nodes, s = nodes * kind->num_unknowns, m = nodes * kind->mass_block;
  PetscReal     *mass = NULL;
  PetscInt       faulty;

  if (K) assert_ok(PetscMalloc1((size_t)num * s * s, K));
  if (M) assert_ok(PetscMalloc1((size_t)num * s * s, M));
  if (M) assert_ok(PetscMalloc1((size_t)num * m * m, &mass));
  assert_ok(ElementEvaluate(kind, properties, num, x, K ? *K : NULL, mass, &faulty));
  assert_int_equal(faulty, -1);
  if (K) ElementMirror(num, nodes, kind->num_unknowns, *K);
  if (M) ElementSpreadMass(kind, num, mass, *M);
  if (M) ElementMirror(num, nodes, kind->num_unknowns, *M);
  assert_ok(PetscFree(mass));
}

static inline PetscReal Product(PetscInt n, const PetscReal A[], const PetscReal x[], const PetscReal y[])
{
  PetscReal sum = 0;

  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) sum += x[i] * A[(size_t)i * n + j] * y[j];
  return sum;
}

/* The rows and columns `keep` of A. */
static inline PetscReal *Extract(PetscInt n, const PetscReal A[], PetscInt count, const PetscInt keep[])
{
  PetscReal *B;

  assert_ok(PetscMalloc1((size_t)count * count, &B));
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt j = 0; j < count; j++) B[(size_t)i * count + j] = A[(size_t)keep[i] * n + keep[j]];
  return B;
}

/* The `count` smallest eigenvalues of K phi = lambda M phi; destroys K and M. */
static inline void SmallestEigenvalues(PetscInt n, PetscReal K[], PetscReal M[], PetscInt count, PetscReal lambda[])
{
  PetscBLASInt size = (PetscBLASInt)n, kind = 1, low = 1, high = (PetscBLASInt)count, found, room = 40 * size, info, *integers, *failed;
  PetscReal    bound = 0, tolerance = 0, unused, *work, *values;

  assert_ok(PetscMalloc4(room, &work, n, &values, 5 * n, &integers, n, &failed));
  LAPACKsygvx_(&kind, "N", "I", "U", &size, K, &size, M, &size, &bound, &bound, &low, &high, &tolerance, &found, values, &unused, &size, work, &room,
               integers, failed, &info);
  assert_int_equal(info, 0);
  for (PetscInt i = 0; i < count; i++) lambda[i] = values[i];
  assert_ok(PetscFree4(work, values, integers, failed));
}

/* A x = b for positive definite A, which is destroyed; b becomes x. */
static inline void SolvePositive(PetscInt n, PetscReal A[], PetscReal b[])
{
  PetscBLASInt size = (PetscBLASInt)n, one = 1, info;

  if (n == 0) return;
  LAPACKpotrf_("U", &size, A, &size, &info);
  assert_int_equal(info, 0);
  LAPACKpotrs_("U", &size, &one, A, &size, b, &size, &info);
  assert_int_equal(info, 0);
}

/* Materials and properties for all kinds. */
static inline Material Steel(void)
{
  Material material;

  assert_ok(MaterialSetIsotropic(2.1e11, 0.3, 7800.0, &material));
  return material;
}

/* The case `text` describes a material. */
static inline Material ReadMaterial(const char *text)
{
  InputDocument *document;
  Material       material;

  assert_ok(InputParse(PETSC_COMM_SELF, "case", text, strlen(text), &document));
  assert_ok(MaterialRead(InputRoot(document), &material));
  assert_int_equal(InputNumComplaints(document), 0);
  assert_ok(InputClose(&document));
  return material;
}

/* Carbon fibres that lie in no plane of the model. */
static inline Material Laminate(void)
{
  return ReadMaterial("{young_1: 140e9, young_2: 10e9, young_3: 9e9, poisson_12: 0.3, poisson_13: 0.28, poisson_23: 0.45, shear_12: 5e9,"
                      " shear_13: 4e9, shear_23: 3e9, density: 1600, axis_1: [2, 1, 0.5], axis_2: [0, 1, 3]}");
}

/* A section whose axes are all different. */
static const BeamSection some_section = {.area        = 6e-4,
                                         .inertia_y   = 3e-8,
                                         .inertia_z   = 7e-8,
                                         .torsion     = 5e-8,
                                         .shear       = {{0.8, 1, 1}, {0.6, 1, 1}},
                                         .orientation = {0.1, 0.2, 1.0},
                                         .offset      = {0.03, -0.02}};

static const PointMass some_body = {3.0, {0.2, 0.3, 0.25, 0.02, -0.03, 0.01}, {0.1, -0.2, 0.3}};

/* The nodes of one element of each kind, distorted; returns their number. */
static inline PetscInt SomeElement(const ElementKind *kind, PetscReal x[])
{
  const PetscReal length[3] = {0.9, 1.1, 1.3}, place[2][3] = {{0.2, -0.1, 0.4}, {0.7, 0.3, 0.1}};
  const PetscInt  count = mesh_shapes[kind->shape].num_nodes;
  Box             box;

  if (!kind->solid) {
    assert_true(count <= 2);
    memcpy(x, place, sizeof(PetscReal) * 3 * (size_t)count);
    return count;
  }
  box = BoxOpen(kind, 1, 1, 1, length, RandomEverywhere);
  for (PetscInt a = 0; a < count; a++)
    for (int i = 0; i < 3; i++) x[3 * a + i] = box.x[3 * box.nodes[a] + i];
  BoxClose(&box);
  return count;
}

/* All motions of the element as a rigid body: 3 translations, 3 rotations about the origin. */
static inline void RigidMotion(const ElementKind *kind, PetscInt num_nodes, const PetscReal x[], int motion, PetscReal u[])
{
  memset(u, 0, sizeof(PetscReal) * (size_t)(num_nodes * kind->num_unknowns));
  for (PetscInt a = 0; a < num_nodes; a++) {
    PetscReal *const node = u + a * kind->num_unknowns;

    if (motion < 3) {
      node[motion] = 1;
      continue;
    }
    const int d       = motion - 3;
    node[(d + 1) % 3] = -x[3 * a + (d + 2) % 3];
    node[(d + 2) % 3] = x[3 * a + (d + 1) % 3];
    if (kind->num_unknowns == 6) node[motion] = 1;
  }
}

static inline PetscReal Largest(PetscInt n, const PetscReal values[])
{
  PetscReal most = 0;

  for (PetscInt i = 0; i < n; i++) most = fmax(most, fabs(values[i]));
  return most;
}

/* Runs a check on every kind with every material it takes. */
typedef void (*Check)(const ElementKind *kind, const ElementProperties *properties);

static inline void ForAll(Check check)
{
  const Material materials[] = {Steel(), Laminate()};

  for (PetscInt k = 0; element_kinds[k]; k++)
    for (int m = 0; m < (element_kinds[k]->solid ? 2 : 1); m++) {
      const ElementProperties properties = {&materials[m], &some_section, &some_body};

      check(element_kinds[k], &properties);
    }
}
