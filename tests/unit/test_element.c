/* test_element.c - what every element must do, over the list of kinds. */
#include "elements.h"

static const PetscReal unit_cube[3] = {1, 1, 1};

/* A linear displacement on the boundary of a distorted patch: nodes inside follow, and the energy is that of the constant strain. */
static void CheckPatch(const ElementKind *kind, const ElementProperties *properties)
{
  static const PetscReal gradient[3][3] = {{1e-3, -2e-4, 5e-4}, {7e-4, -6e-4, 3e-4}, {-4e-4, 8e-4, 9e-4}};
  Box                    box;
  PetscReal             *K, *M, *u, *b, *A, *x, *weights, energy = 0, volume = 0;
  PetscInt              *inside, count = 0, n, faulty;

  if (!kind->solid) return;
  box = BoxOpen(kind, 2, 2, 2, unit_cube, RandomEverywhere);
  n   = 3 * box.num_nodes;
  BoxAssemble(&box, properties, &K, &M);
  assert_ok(PetscMalloc3(n, &u, n, &b, n, &inside));
  for (PetscInt a = 0; a < box.num_nodes; a++) {
    PetscBool boundary = PETSC_FALSE;

    for (int i = 0; i < 3; i++) { /* corners have moved by up to 6 % of the box; nodes inside are a quarter away from its faces */
      u[3 * a + i] = 0;
      for (int j = 0; j < 3; j++) u[3 * a + i] += gradient[i][j] * box.x[3 * a + j];
      if (fabs(box.x[3 * a + i] - 0.5) > 0.4) boundary = PETSC_TRUE;
    }
    for (int i = 0; i < 3 && !boundary; i++) inside[count++] = 3 * a + i;
  }
  assert_true(count >= 3);
  for (PetscInt i = 0; i < count; i++) {
    b[i] = 0;
    for (PetscInt j = 0; j < n; j++) b[i] -= K[(size_t)inside[i] * n + j] * u[j];
  }
  A = Extract(n, K, count, inside);
  for (PetscInt i = 0; i < count; i++) { /* known unknowns are taken back out of the right-hand side */
    for (PetscInt j = 0; j < count; j++) b[i] += A[(size_t)i * count + j] * u[inside[j]];
  }
  SolvePositive(count, A, b);
  for (PetscInt i = 0; i < count; i++) assert_near(b[i], u[inside[i]], 1e-15);

  x = BoxCoordinates(&box);
  assert_ok(PetscMalloc1(box.num_elements * box.nodes_each, &weights));
  assert_ok(ElementWeights(kind->shape, box.num_elements, x, weights, &faulty));
  for (PetscInt i = 0; i < box.num_elements * box.nodes_each; i++) volume += weights[i];
  for (int i = 0; i < 81; i++) {
    const int j[4] = {i / 27, i / 9 % 3, i / 3 % 3, i % 3};

    energy += properties->material->tensor[j[0]][j[1]][j[2]][j[3]] * gradient[j[0]][j[1]] * gradient[j[2]][j[3]];
  }
  assert_close(Product(n, K, u, u), energy * volume, 1e-12);
  assert_ok(PetscFree(weights));
  assert_ok(PetscFree(x));
  assert_ok(PetscFree(A));
  assert_ok(PetscFree3(u, b, inside));
  assert_ok(PetscFree(K));
  assert_ok(PetscFree(M));
  BoxClose(&box);
}

static void a_distorted_patch_carries_a_constant_strain(void **state)
{
  (void)state;
  ForAll(CheckPatch);
}

static void CheckRigid(const ElementKind *kind, const ElementProperties *properties)
{
  PetscReal      x[3 * MESH_MAX_NODES], u[6 * MESH_MAX_NODES], *K;
  const PetscInt nodes = SomeElement(kind, x), n = nodes * kind->num_unknowns;

  ElementsFull(kind, properties, 1, x, &K, NULL);
  for (int motion = 0; motion < 6; motion++) {
    RigidMotion(kind, nodes, x, motion, u);
    for (PetscInt i = 0; i < n; i++) {
      PetscReal force = 0;

      for (PetscInt j = 0; j < n; j++) force += K[i * n + j] * u[j];
      assert_near(force, 0, 1e-13 * Largest(n * n, K));
    }
  }
  assert_ok(PetscFree(K));
}

static void rigid_motions_give_no_force(void **state)
{
  (void)state;
  ForAll(CheckRigid);
}

static void CheckRank(const ElementKind *kind, const ElementProperties *properties)
{
  PetscReal      x[3 * MESH_MAX_NODES], *K, *unit, *lambda;
  const PetscInt n = SomeElement(kind, x) * kind->num_unknowns;

  ElementsFull(kind, properties, 1, x, &K, NULL);
  assert_ok(PetscCalloc1(n * n, &unit));
  assert_ok(PetscMalloc1(n, &lambda));
  for (PetscInt i = 0; i < n; i++) unit[i * n + i] = 1;
  if (Largest(n * n, K) > 0) {
    SmallestEigenvalues(n, K, unit, n, lambda);
    for (PetscInt i = 0; i < 6; i++) assert_near(lambda[i], 0, 1e-13 * lambda[n - 1]);
    for (PetscInt i = 6; i < n; i++) assert_true(lambda[i] > 1e-6 * lambda[n - 1]);
  } else assert_string_equal(kind->name, "point_mass");
  assert_ok(PetscFree(lambda));
  assert_ok(PetscFree(unit));
  assert_ok(PetscFree(K));
}

static void six_motions_and_no_more_are_without_force(void **state)
{
  (void)state;
  ForAll(CheckRank);
}

static void CheckMass(const ElementKind *kind, const ElementProperties *properties)
{
  PetscReal      x[3 * MESH_MAX_NODES], u[6 * MESH_MAX_NODES], weights[MESH_MAX_NODES], *M, *b, expected = 0;
  const PetscInt nodes = SomeElement(kind, x), n = nodes * kind->num_unknowns;
  PetscInt       faulty;

  assert_ok(ElementWeights(kind->shape, 1, x, weights, &faulty));
  for (PetscInt a = 0; a < nodes; a++) expected += weights[a];
  if (kind->needs & ELEMENT_NEEDS_MATERIAL) expected *= properties->material->density;
  if (kind->needs & ELEMENT_NEEDS_SECTION) expected *= properties->section->area;
  if (kind->needs & ELEMENT_NEEDS_POINT_MASS) expected = properties->point_mass->mass;
  ElementsFull(kind, properties, 1, x, NULL, &M);
  for (int motion = 0; motion < 3; motion++) {
    RigidMotion(kind, nodes, x, motion, u);
    assert_close(Product(n, M, u, u), expected, 1e-13);
  }
  assert_ok(PetscCalloc1(n, &b));
  SolvePositive(n, M, b); /* Cholesky, which only a positive definite matrix survives */
  assert_ok(PetscFree(b));
  assert_ok(PetscFree(M));
}

static void mass_is_positive_and_sums_to_density_times_volume(void **state)
{
  (void)state;
  ForAll(CheckMass);
}

/* Where each node goes when the element is numbered from another corner; beams from their other end. */
static void FindTurn(const ElementKind *kind, PetscInt num_nodes, PetscInt turned[])
{
  unsigned corners[MESH_MAX_NODES];

  for (PetscInt a = 0; a < num_nodes; a++) turned[a] = kind->solid ? -1 : num_nodes - 1 - a;
  if (!kind->solid) return;
  CornersOfNodes(kind->shape, corners);
  for (PetscInt a = 0; a < num_nodes; a++) {
    unsigned set = 0;

    for (int c = 0; c < MAX_CORNERS; c++)
      if (corners[a] & 1u << c) set |= 1u << CutOf(kind->shape)->turned[c];
    for (PetscInt b = 0; b < num_nodes; b++)
      if (corners[b] == set) turned[a] = b;
    assert_true(turned[a] >= 0);
  }
}

static void CheckTurn(const ElementKind *kind, const ElementProperties *properties)
{
  BeamSection       section = some_section;
  ElementProperties own     = *properties;
  PetscReal         x[3 * MESH_MAX_NODES], y[3 * MESH_MAX_NODES], *K, *M, *Ky, *My;
  PetscInt          turned[MESH_MAX_NODES];
  const PetscInt    nodes = SomeElement(kind, x), u = kind->num_unknowns, n = nodes * u;

  section.offset[1] = 0; /* z turns round with the beam */
  own.section       = &section;
  FindTurn(kind, nodes, turned);
  for (PetscInt a = 0; a < nodes; a++)
    for (int i = 0; i < 3; i++) y[3 * a + i] = x[3 * turned[a] + i];
  ElementsFull(kind, &own, 1, x, &K, &M);
  ElementsFull(kind, &own, 1, y, &Ky, &My);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) {
      const PetscInt at = (turned[i / u] * u + i % u) * n + turned[j / u] * u + j % u;

      assert_near(Ky[i * n + j], K[at], 1e-13 * Largest(n * n, K));
      assert_near(My[i * n + j], M[at], 1e-14 * Largest(n * n, M));
    }
  assert_ok(PetscFree(K));
  assert_ok(PetscFree(M));
  assert_ok(PetscFree(Ky));
  assert_ok(PetscFree(My));
}

static void it_does_not_matter_from_which_corner_nodes_are_numbered(void **state)
{
  (void)state;
  ForAll(CheckTurn);
}

static void CheckSymmetry(const ElementKind *kind, const ElementProperties *properties)
{
  PetscReal      x[3 * MESH_MAX_NODES], *K, *M;
  const PetscInt n = SomeElement(kind, x) * kind->num_unknowns;

  ElementsFull(kind, properties, 1, x, &K, &M); /* completed from above: what is left to see are the blocks on the diagonal */
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < i; j++) {
      assert_near(K[i * n + j], K[j * n + i], 1e-14 * Largest(n * n, K));
      assert_near(M[i * n + j], M[j * n + i], 1e-14 * Largest(n * n, M));
    }
  assert_ok(PetscFree(K));
  assert_ok(PetscFree(M));
}

static void matrices_are_symmetric(void **state)
{
  (void)state;
  ForAll(CheckSymmetry);
}

enum { SEVERAL = 7 };

/* One element after the other, and all together with a guard behind them. */
static void CheckBlocks(const ElementKind *kind, const ElementProperties *properties)
{
  const PetscInt  nodes = mesh_shapes[kind->shape].num_nodes, s = nodes * kind->num_unknowns, m = nodes * kind->mass_block;
  const PetscReal guard = 12345.0;
  PetscReal       x[SEVERAL * 3 * MESH_MAX_NODES], *K, *M, *one, *mass;
  PetscInt        faulty;
  uint64_t        seed = 3;

  assert_ok(PetscMalloc4((SEVERAL + 1) * s * s, &K, (SEVERAL + 1) * m * m, &M, s * s, &one, m * m, &mass));
  for (int e = 0; e < SEVERAL; e++) {
    SomeElement(kind, x + e * 3 * nodes);
    for (PetscInt i = 0; i < 3 * nodes; i++) x[e * 3 * nodes + i] += 0.02 * Random(&seed);
  }
  for (PetscInt num = 0; num <= SEVERAL; num++) {
    for (PetscInt i = 0; i < (SEVERAL + 1) * s * s; i++) K[i] = guard;
    for (PetscInt i = 0; i < (SEVERAL + 1) * m * m; i++) M[i] = guard;
    assert_ok(ElementEvaluate(kind, properties, num, x, K, M, &faulty));
    assert_int_equal(faulty, -1);
    for (PetscInt e = 0; e < num; e++) {
      for (PetscInt i = 0; i < s * s; i++) one[i] = guard;
      for (PetscInt i = 0; i < m * m; i++) mass[i] = guard;
      assert_ok(ElementEvaluate(kind, properties, 1, x + e * 3 * nodes, one, NULL, &faulty));
      assert_ok(ElementEvaluate(kind, properties, 1, x + e * 3 * nodes, NULL, mass, &faulty));
      assert_memory_equal(one, K + e * s * s, sizeof(PetscReal) * (size_t)(s * s));
      for (PetscInt i = 0; i < m * m; i++) assert_near(M[e * m * m + i], mass[i], 1e-15 * Largest(m * m, mass));
    }
    for (PetscInt i = num * s * s; i < (SEVERAL + 1) * s * s; i++) assert_true(K[i] == guard);
    for (PetscInt i = num * m * m; i < (SEVERAL + 1) * m * m; i++) assert_true(M[i] == guard);
  }
  assert_ok(PetscFree4(K, M, one, mass));
}

static void blocks_of_any_size_give_the_numbers_of_single_elements(void **state)
{
  (void)state;
  ForAll(CheckBlocks);
}

/* Rotated with its fibres or without any, an element is the same in rotated axes. */
static void a_turned_element_is_the_same_in_turned_axes(void **state)
{
  const Material          steel      = Steel();
  const ElementProperties properties = {&steel, &some_section, &some_body};
  const PetscReal         R[3][3]    = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};

  (void)state;
  for (PetscInt k = 0; element_kinds[k]; k++) {
    const ElementKind *const kind = element_kinds[k];
    PetscReal                x[3 * MESH_MAX_NODES], y[3 * MESH_MAX_NODES], *K, *L;
    const PetscInt           nodes = SomeElement(kind, x), n = 3 * nodes;

    if (!kind->solid) continue;
    for (PetscInt i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < 3; j++) y[i] += R[i % 3][j] * x[i - i % 3 + j];
    }
    ElementsFull(kind, &properties, 1, x, &K, NULL);
    ElementsFull(kind, &properties, 1, y, &L, NULL);
    for (PetscInt i = 0; i < n; i++)
      for (PetscInt j = 0; j < n; j++) {
        PetscReal sum = 0;

        for (int p = 0; p < 3; p++)
          for (int q = 0; q < 3; q++) sum += R[i % 3][p] * K[(i - i % 3 + p) * n + j - j % 3 + q] * R[j % 3][q];
        assert_near(L[i * n + j], sum, 1e-13 * Largest(n * n, K));
      }
    assert_ok(PetscFree(K));
    assert_ok(PetscFree(L));
  }
}

/* Of elements 0 to 6 the fifth and the last are inside out, a mirror image: the fifth is named. */
static void CheckFaulty(const ElementKind *kind, const ElementProperties *properties)
{
  const PetscInt nodes = mesh_shapes[kind->shape].num_nodes, s = nodes * kind->num_unknowns;
  PetscReal      x[SEVERAL * 3 * MESH_MAX_NODES], weights[SEVERAL * MESH_MAX_NODES], *K, *M;
  PetscInt       faulty;

  if (nodes == 1) return; /* a point cannot be inside out */
  assert_ok(PetscMalloc2(SEVERAL * s * s, &K, SEVERAL * s * s, &M));
  for (int e = 0; e < SEVERAL; e++) {
    PetscReal *const place = x + e * 3 * nodes;

    SomeElement(kind, place);
    for (PetscInt a = 0; a < nodes && (e == 5 || e == 6); a++)
      for (int i = 0; i < 3; i++) place[3 * a + i] = kind->solid ? (i ? 1 : -1) * place[3 * a + i] : place[i];
  }
  assert_ok(ElementEvaluate(kind, properties, SEVERAL, x, K, M, &faulty));
  assert_int_equal(faulty, 5);
  assert_ok(ElementEvaluate(kind, properties, SEVERAL, x, NULL, M, &faulty));
  assert_int_equal(faulty, 5);
  assert_ok(ElementWeights(kind->shape, SEVERAL, x, weights, &faulty));
  assert_int_equal(faulty, 5);
  assert_ok(ElementEvaluate(kind, properties, 5, x, K, M, &faulty));
  assert_int_equal(faulty, -1);
  assert_ok(PetscFree2(K, M));
}

static void the_first_element_inside_out_is_named(void **state)
{
  (void)state;
  ForAll(CheckFaulty);
}

/* One corner pushed through the opposite face, though the volume stays positive. */
static void a_brick_that_is_partly_inside_out_is_faulty(void **state)
{
  const Material          steel      = Steel();
  const ElementProperties properties = {.material = &steel};
  PetscReal               x[24], K[576], M[64];
  PetscInt                faulty;

  (void)state;
  SomeElement(ElementFind("hex8"), x);
  for (int i = 0; i < 3; i++) x[18 + i] = 0.05 + 0.1 * x[i];
  assert_ok(ElementEvaluate(ElementFind("hex8"), &properties, 1, x, K, M, &faulty));
  assert_int_equal(faulty, 0);
}

/* u_x = x^2 - y z and so on: quadratic elements know its energy and inertia exactly; mass needs rules of degree 4. */
static void Quadratic(const PetscReal x[3], PetscReal u[3])
{
  for (int i = 0; i < 3; i++) u[i] = x[i] * x[i] - x[(i + 1) % 3] * x[(i + 2) % 3];
}

static void quadratic_elements_know_the_energy_of_quadratic_motions(void **state)
{
  const Material          steel      = Steel();
  const ElementProperties properties = {.material = &steel};

  (void)state;
  for (PetscInt k = 0; element_kinds[k]; k++) {
    const ElementKind *const kind = element_kinds[k];
    PetscReal               *K, *M, *u;
    PetscInt                 n;
    Box                      box;

    if (!kind->solid || mesh_shapes[kind->shape].order < 2) continue;
    box = BoxOpen(kind, 2, 1, 1, unit_cube, Undistorted);
    n   = 3 * box.num_nodes;
    BoxAssemble(&box, &properties, &K, &M);
    assert_ok(PetscMalloc1(n, &u));
    for (PetscInt a = 0; a < box.num_nodes; a++) Quadratic(box.x + 3 * a, u + 3 * a);
    /* Strains 2x, 2y, 2z and -z, -x, -y (shear du_x/dy + du_y/dx = -2 z): int (lambda + 2 mu) sum 4 x^2 + 2 lambda sum 4 x y + mu sum 4 x^2 */
    assert_close(Product(n, K, u, u), 4 * (steel.lambda + 2 * steel.mu) + 6 * steel.lambda + 4 * steel.mu, 1e-12);
    /* 3 int x^4 - 2 x^2 y z + y^2 z^2 = 3 (1/5 - 1/6 + 1/9) */
    assert_close(Product(n, M, u, u), steel.density * 3 * (1.0 / 5 - 1.0 / 6 + 1.0 / 9), 1e-12);
    assert_ok(PetscFree(u));
    assert_ok(PetscFree(K));
    assert_ok(PetscFree(M));
    BoxClose(&box);
  }
}

/* Pure bending of a rectangular brick: u = x y, v = -x^2/2 - nu (y^2 - z^2)/2, w = -nu y z has the stress sigma_x = E y alone. */
static void the_brick_with_incompatible_modes_bends_exactly(void **state)
{
  const Material          steel      = Steel();
  const ElementProperties properties = {.material = &steel};
  const PetscReal         length[3]  = {3, 0.5, 0.7};
  PetscReal               exact, u[24], *K, *M;
  PetscReal               energy[2];

  (void)state;
  for (int plain = 0; plain < 2; plain++) {
    Box box = BoxOpen(ElementFind(plain ? "hex8_plain" : "hex8"), 1, 1, 1, length, Undistorted);

    BoxAssemble(&box, &properties, &K, &M);
    for (PetscInt a = 0; a < 8; a++) {
      const PetscReal x = box.x[3 * a] - 1.5, y = box.x[3 * a + 1] - 0.25, z = box.x[3 * a + 2] - 0.35;

      u[3 * a]     = x * y;
      u[3 * a + 1] = -(x * x + steel.poisson * (y * y - z * z)) / 2;
      u[3 * a + 2] = -steel.poisson * y * z;
    }
    energy[plain] = Product(24, K, u, u);
    assert_ok(PetscFree(K));
    assert_ok(PetscFree(M));
    BoxClose(&box);
  }
  exact = steel.young * 3 * 0.7 * 0.5 * 0.5 * 0.5 / 12;
  assert_close(energy[0], exact, 1e-12);
  assert_true(energy[1] > 10 * exact);
}

static void kinds_are_found_by_name_and_by_shape(void **state)
{
  (void)state;
  for (PetscInt k = 0; element_kinds[k]; k++) {
    assert_ptr_equal(ElementFind(element_kinds[k]->name), element_kinds[k]);
    assert_non_null(ElementDefault(element_kinds[k]->shape));
  }
  assert_null(ElementFind("hex9"));
  assert_string_equal(ElementDefault(MESH_HEX8)->name, "hex8");
  assert_string_equal(ElementDefault(MESH_LINE2)->name, "beam");
  assert_null(ElementDefault(MESH_TRI3));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_distorted_patch_carries_a_constant_strain),
  cmocka_unit_test(rigid_motions_give_no_force),
  cmocka_unit_test(six_motions_and_no_more_are_without_force),
  cmocka_unit_test(mass_is_positive_and_sums_to_density_times_volume),
  cmocka_unit_test(it_does_not_matter_from_which_corner_nodes_are_numbered),
  cmocka_unit_test(matrices_are_symmetric),
  cmocka_unit_test(blocks_of_any_size_give_the_numbers_of_single_elements),
  cmocka_unit_test(a_turned_element_is_the_same_in_turned_axes),
  cmocka_unit_test(the_first_element_inside_out_is_named),
  cmocka_unit_test(a_brick_that_is_partly_inside_out_is_faulty),
  cmocka_unit_test(quadratic_elements_know_the_energy_of_quadratic_motions),
  cmocka_unit_test(the_brick_with_incompatible_modes_bends_exactly),
  cmocka_unit_test(kinds_are_found_by_name_and_by_shape),
};

CHECK_MAIN(tests)
