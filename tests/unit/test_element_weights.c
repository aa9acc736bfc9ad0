/* test_element_weights.c - integrals over surfaces and volumes: areas, averages, pressure. */
#include "elements.h"

/* A patch of faces of each shape, whose corners lie on a given surface. */
typedef struct {
  MeshShape   shape;
  int         num_nodes;
  const char *name;
} Face;

static const Face faces[] = {
  {MESH_TRI3, 3, "tri3"}, {MESH_TRI6, 6, "tri6"}, {MESH_QUAD4, 4, "quad4"}, {MESH_QUAD8, 8, "quad8"}, {MESH_QUAD9, 9, "quad9"},
};
enum { NUM_FACES = sizeof faces / sizeof faces[0] };

/* Places in the unit square: a triangle is its half, x + y <= 1. */
static const PetscReal triangle[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
static const PetscReal square[9][2]   = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}, {0.5, 0.5}};

static PetscBool IsTriangle(const Face *face)
{
  return face->name[0] == 't' ? PETSC_TRUE : PETSC_FALSE;
}

/* On the parallelogram a s + b t + c. */
static void PlaceFace(const Face *face, const PetscReal a[3], const PetscReal b[3], const PetscReal c[3], PetscReal x[])
{
  for (int k = 0; k < face->num_nodes; k++)
    for (int i = 0; i < 3; i++) {
      const PetscReal *const p = IsTriangle(face) ? triangle[k] : square[k];

      x[3 * k + i] = c[i] + a[i] * p[0] + b[i] * p[1];
    }
}

static const PetscReal a[3] = {2, 0.5, 0.3}, b[3] = {-0.4, 1.5, 0.8}, c[3] = {1, 2, 3};
static const PetscReal normal[3] = {0.5 * 0.8 - 0.3 * 1.5, 0.3 * -0.4 - 2 * 0.8, 2 * 1.5 - 0.5 * -0.4}; /* a x b */

static void weights_of_plane_faces_sum_to_their_area_and_average_linear_fields(void **state)
{
  const PetscReal area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);

  (void)state;
  for (int f = 0; f < NUM_FACES; f++) {
    const PetscReal part = IsTriangle(&faces[f]) ? 0.5 : 1.0, middle = IsTriangle(&faces[f]) ? 1.0 / 3 : 0.5;
    PetscReal       x[27], weights[9], vectors[27], sum = 0, average[3] = {0, 0, 0};
    PetscInt        faulty;

    PlaceFace(&faces[f], a, b, c, x);
    assert_ok(ElementWeights(faces[f].shape, 1, x, weights, &faulty));
    assert_ok(ElementFaceVectors(faces[f].shape, 1, x, vectors));
    assert_int_equal(faulty, -1);
    for (int k = 0; k < faces[f].num_nodes; k++) {
      sum += weights[k];
      for (int i = 0; i < 3; i++) {
        average[i] += weights[k] * x[3 * k + i];
        assert_near(vectors[3 * k + i], weights[k] * normal[i] / area, 1e-14);
      }
    }
    assert_close(sum, part * area, 1e-14);
    for (int i = 0; i < 3; i++) assert_close(average[i] / sum, c[i] + middle * (a[i] + b[i]), 1e-14);
  }
}

/* The textbook shares of corners, middles of edges, and the centre. */
static void nodes_of_square_and_triangle_have_their_known_shares(void **state)
{
  static const PetscReal shares[NUM_FACES][3] = {
    {1.0 / 3, 0, 0}, {0, 1.0 / 3, 0}, {1.0 / 4, 0, 0}, {-1.0 / 12, 1.0 / 3, 0}, {1.0 / 36, 1.0 / 9, 4.0 / 9}};
  const PetscReal ex[3] = {1, 0, 0}, ey[3] = {0, 1, 0}, origin[3] = {0, 0, 0};

  (void)state;
  for (int f = 0; f < NUM_FACES; f++) {
    const int corners = IsTriangle(&faces[f]) ? 3 : 4;
    PetscReal x[27], weights[9];
    PetscInt  faulty;

    PlaceFace(&faces[f], ex, ey, origin, x);
    assert_ok(ElementWeights(faces[f].shape, 1, x, weights, &faulty));
    for (int k = 0; k < faces[f].num_nodes; k++) {
      const int rank = k < corners ? 0 : k < 2 * corners ? 1 : 2;

      assert_near(weights[k], shares[f][rank] * (IsTriangle(&faces[f]) ? 0.5 : 1), 1e-15);
    }
  }
}

/* Sums over a unit cube: volume, first moments, and second ones where the shape knows squares, which is where it is straight. */
static void CheckMoments(const ElementKind *kind, Distort distort, PetscInt highest)
{
  const PetscReal length[3] = {1, 1, 1};
  Box             box       = BoxOpen(kind, 2, 2, 2, length, distort);
  const PetscInt  total     = box.num_elements * box.nodes_each;
  PetscReal      *x         = BoxCoordinates(&box), *weights;
  PetscInt        faulty;

  assert_ok(PetscMalloc1(total, &weights));
  assert_ok(ElementWeights(kind->shape, box.num_elements, x, weights, &faulty));
  assert_int_equal(faulty, -1);
  for (PetscInt power = 0; power <= highest; power++)
    for (int i = 0; i < 3; i++) {
      PetscReal moment = 0;

      for (PetscInt k = 0; k < total; k++) moment += weights[k] * pow(x[3 * k + i], (double)power);
      assert_close(moment, 1.0 / (1.0 + (double)power), 1e-13);
    }
  assert_ok(PetscFree(weights));
  assert_ok(PetscFree(x));
  BoxClose(&box);
}

static void weights_of_solids_integrate_what_their_shape_interpolates(void **state)
{
  (void)state;
  for (PetscInt k = 0; element_kinds[k]; k++) {
    if (!element_kinds[k]->solid) continue;
    CheckMoments(element_kinds[k], RandomInside, 1);
    CheckMoments(element_kinds[k], Undistorted, mesh_shapes[element_kinds[k]->shape].order);
  }
}

static void nodes_of_solids_have_their_known_shares(void **state)
{
  static const struct {
    MeshShape shape;
    PetscReal volume, first, last; /* of the reference element; shares of its first and last node */
  } known[] = {
    {MESH_TET4, 1.0 / 6, 1.0 / 4, 1.0 / 4}, {MESH_TET10, 1.0 / 6, -1.0 / 20, 1.0 / 5},
    {MESH_HEX8, 8, 1.0 / 8, 1.0 / 8},       {MESH_HEX20, 8, -1.0 / 8, 1.0 / 6},
    {MESH_HEX27, 8, 1.0 / 216, 8.0 / 27},   {MESH_WEDGE6, 1, 1.0 / 6, 1.0 / 6},
    {MESH_WEDGE15, 1, -1.0 / 9, 1.0 / 6},   {MESH_WEDGE18, 1, 0, 2.0 / 9},
  };

  (void)state;
  for (size_t s = 0; s < sizeof known / sizeof known[0]; s++) {
    const PetscInt nodes = mesh_shapes[known[s].shape].num_nodes;
    PetscReal      weights[MESH_MAX_NODES];
    PetscInt       faulty;

    assert_ok(ElementWeights(known[s].shape, 1, ShapeGet(known[s].shape)->nodes[0], weights, &faulty));
    assert_near(weights[0], known[s].first * known[s].volume, 3e-15); /* sums of up to 27 terms of order one */
    assert_near(weights[nodes - 1], known[s].last * known[s].volume, 3e-15);
  }
}

/* A hydrostatic pressure on all faces of a distorted brick lifts it by its volume [Archimedes]. */
static void hydrostatic_pressure_lifts_a_brick_by_its_volume(void **state)
{
  static const int outward[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {1, 2, 6, 5}, {3, 0, 4, 7}};
  const PetscReal  length[3]     = {1.1, 0.8, 1.4};
  PetscReal        weights[8], lift[3] = {0, 0, 0}, closed[3] = {0, 0, 0}, volume = 0;
  PetscInt         faulty;
  Box              box = BoxOpen(ElementFind("hex8"), 1, 1, 1, length, RandomEverywhere);
  PetscReal       *x   = BoxCoordinates(&box);

  (void)state;
  assert_ok(ElementWeights(MESH_HEX8, 1, x, weights, &faulty));
  for (int i = 0; i < 8; i++) volume += weights[i];
  for (int f = 0; f < 6; f++) {
    PetscReal place[27] = {0}, vectors[27];

    for (int k = 0; k < 4; k++)
      for (int i = 0; i < 3; i++) {
        place[3 * k + i] = x[3 * outward[f][k] + i];
        place[24 + i] += 0.25 * x[3 * outward[f][k] + i]; /* the centre of a bilinear quad9 */
      }
    for (int k = 0; k < 4; k++)
      for (int i = 0; i < 3; i++) place[12 + 3 * k + i] = 0.5 * (place[3 * k + i] + place[3 * ((k + 1) % 4) + i]);
    assert_ok(ElementFaceVectors(MESH_QUAD9, 1, place, vectors));
    for (int k = 0; k < 9; k++) { /* pressure -z: it is exactly interpolated */
      for (int i = 0; i < 3; i++) {
        lift[i] += place[3 * k + 2] * vectors[3 * k + i];
        closed[i] += vectors[3 * k + i];
      }
    }
  }
  for (int i = 0; i < 3; i++) assert_near(closed[i], 0, 3e-15); /* sums of 54 terms */
  for (int i = 0; i < 3; i++) assert_near(lift[i], i == 2 ? volume : 0, 1e-14);
  assert_ok(PetscFree(x));
  BoxClose(&box);
}

/* A quarter of a cylinder, by one quadratic face and by four: the area converges with the fourth power. */
static PetscReal QuarterCylinder(MeshShape shape, int num_nodes, int pieces)
{
  PetscReal x[27], weights[9], area = 0;
  PetscInt  faulty;

  for (int p = 0; p < pieces; p++) {
    for (int k = 0; k < num_nodes; k++) {
      const PetscReal angle = ((PetscReal)p + square[k][0]) * PETSC_PI / 2 / (PetscReal)pieces;

      x[3 * k]     = cos(angle);
      x[3 * k + 1] = sin(angle);
      x[3 * k + 2] = square[k][1];
    }
    assert_ok(ElementWeights(shape, 1, x, weights, &faulty));
    for (int k = 0; k < num_nodes; k++) area += weights[k];
  }
  return area;
}

static void curved_faces_converge_with_the_fourth_power(void **state)
{
  (void)state;
  for (int k = 8; k <= 9; k++) {
    const MeshShape shape  = k == 8 ? MESH_QUAD8 : MESH_QUAD9;
    const PetscReal coarse = fabs(QuarterCylinder(shape, k, 2) - PETSC_PI / 2), fine = fabs(QuarterCylinder(shape, k, 4) - PETSC_PI / 2);

    assert_true(log2(coarse / fine) > 3.8);
    assert_near(fine, 0, 2e-4);
  }
}

static void lines_and_points_have_weights_too(void **state)
{
  const PetscReal x[9] = {0, 0, 0, 3, 4, 0, 1.5, 2, 0};
  PetscReal       weights[3];
  PetscInt        faulty;

  (void)state;
  assert_ok(ElementWeights(MESH_LINE3, 1, x, weights, &faulty));
  assert_close(weights[0], 5.0 / 6, 1e-14);
  assert_close(weights[2], 20.0 / 6, 1e-14);
  assert_ok(ElementWeights(MESH_POINT1, 1, x, weights, &faulty));
  assert_close(weights[0], 1, 1e-15);
  assert_true(ElementHasWeights(MESH_QUAD8) && !ElementHasWeights(MESH_PYRAMID14));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(weights_of_plane_faces_sum_to_their_area_and_average_linear_fields),
  cmocka_unit_test(nodes_of_square_and_triangle_have_their_known_shares),
  cmocka_unit_test(weights_of_solids_integrate_what_their_shape_interpolates),
  cmocka_unit_test(nodes_of_solids_have_their_known_shares),
  cmocka_unit_test(hydrostatic_pressure_lifts_a_brick_by_its_volume),
  cmocka_unit_test(curved_faces_converge_with_the_fourth_power),
  cmocka_unit_test(lines_and_points_have_weights_too),
};

CHECK_MAIN(tests)
