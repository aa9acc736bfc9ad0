/* test_element_stress.c - stresses of elements, and what they add to the stiffness: identities that hold exactly, over the list of kinds. */
#include "elements.h"
#include "../../src/element/solid.h"

enum { SEVERAL = 5 };

/* Complete and in the layout of the stiffness, to be freed. */
static PetscReal *Geometric(const ElementKind *kind, const ElementProperties *properties, PetscInt num, const PetscReal x[], const PetscReal u[])
{
  const PetscInt nodes = mesh_shapes[kind->shape].num_nodes, s = nodes * kind->num_unknowns, m = nodes * kind->mass_block;
  PetscReal     *packed, *G;

  assert_ok(PetscMalloc1((size_t)num * s * s, &G));
  assert_ok(PetscMalloc1((size_t)num * m * m, &packed));
  assert_ok(ElementStiffen(kind, properties, num, x, u, packed));
  ElementSpreadMass(kind, num, packed, G);
  ElementMirror(num, nodes, kind->num_unknowns, G);
  assert_ok(PetscFree(packed));
  return G;
}

/* Of solids any motion; of beams a stretch, as nothing but their axial force counts. */
static void SomeMotion(const ElementKind *kind, PetscInt nodes, const PetscReal x[], uint64_t *seed, PetscReal u[])
{
  const PetscReal stretch = Random(seed);

  memset(u, 0, sizeof(PetscReal) * (size_t)(nodes * kind->num_unknowns));
  for (PetscInt a = 0; a < nodes; a++)
    for (int i = 0; i < 3; i++) u[kind->num_unknowns * a + i] = 1e-3 * (kind->solid ? Random(seed) : stretch * x[3 * a + i]);
}

static void Multiply(PetscInt n, const PetscReal A[], const PetscReal x[], PetscReal y[])
{
  for (PetscInt i = 0; i < n; i++) {
    y[i] = 0;
    for (PetscInt j = 0; j < n; j++) y[i] += A[i * n + j] * x[j];
  }
}

/* G t = 0 for a translation t. For a turn u = theta x r, grad u is the same everywhere, so that with the forces f = K u0 of the stress,
   f_a = int sigma grad N_a, node a gets G u = theta x f_a: forces turn with the body. No error of quadrature, at any distortion. Moments of
   beams are left out, as their bending moments are. */
static void CheckTurns(const ElementKind *kind, const ElementProperties *properties)
{
  const PetscInt unknowns = kind->num_unknowns, nodes = mesh_shapes[kind->shape].num_nodes, n = nodes * unknowns;
  PetscReal      x[SEVERAL * 3 * MESH_MAX_NODES], u0[SEVERAL * 6 * MESH_MAX_NODES], u[6 * MESH_MAX_NODES], f[6 * MESH_MAX_NODES],
    turned[6 * MESH_MAX_NODES], *K, *G;
  uint64_t seed = 7;

  for (int e = 0; e < SEVERAL; e++) {
    SomeElement(kind, x + e * 3 * nodes);
    for (PetscInt i = 0; i < 3 * nodes; i++) x[e * 3 * nodes + i] += 0.02 * Random(&seed);
    SomeMotion(kind, nodes, x + e * 3 * nodes, &seed, u0 + e * n);
  }
  ElementsFull(kind, properties, SEVERAL, x, &K, NULL);
  G = Geometric(kind, properties, SEVERAL, x, u0);
  for (int e = 0; e < SEVERAL; e++) {
    const PetscReal *const own = G + e * n * n;

    Multiply(n, K + e * n * n, u0 + e * n, f);
    for (int motion = 0; motion < 6; motion++) {
      const int d = motion - 3;

      RigidMotion(kind, nodes, x + e * 3 * nodes, motion, u);
      Multiply(n, own, u, turned);
      for (PetscInt a = 0; a < nodes; a++)
        for (int i = 0; i < 3; i++) {
          const PetscReal *const force = f + unknowns * a;
          const PetscReal        along = motion < 3 || i == d ? 0 : i == (d + 1) % 3 ? -force[(d + 2) % 3] : force[(d + 1) % 3];

          assert_near(turned[unknowns * a + i], along, 1e-12 * Largest(n, f)); /* the bound: round-off of a few hundred terms */
        }
    }
    for (PetscInt i = 0; i < n; i++)
      for (PetscInt j = 0; j < i; j++) assert_near(own[i * n + j], own[j * n + i], 1e-13 * Largest(n * n, own));
  }
  assert_ok(PetscFree(K));
  assert_ok(PetscFree(G));
}

static void turned_with_an_element_its_forces_turn(void **state)
{
  (void)state;
  ForAll(CheckTurns);
}

/* sum over points of grad N_a . sigma grad N_b w det J, from the functions of the shape, by an inverse of the Jacobian. */
static void Integrate(const SolidForm *form, const PetscReal x[], const PetscReal sigma[3][3], PetscReal G[])
{
  const Shape *const shape = form->shape;
  const PetscInt     n     = shape->num_nodes;
  PetscReal          value[MESH_MAX_NODES], local[MESH_MAX_NODES][3], gradient[MESH_MAX_NODES][3];
  Rule               rule;

  assert_ok(RuleMake(shape->dim, &form->stiffness_rule, &rule));
  memset(G, 0, sizeof(PetscReal) * (size_t)(n * n));
  for (PetscInt q = 0; q < rule.num_points; q++) {
    PetscReal    J[9] = {0}, b[3];
    PetscReal    det;
    PetscBLASInt three = 3, one = 1, pivot[3], info;

    shape->evaluate(shape, rule.points[q], value, local);
    for (PetscInt a = 0; a < n; a++)
      for (int t = 0; t < 9; t++) J[t] += local[a][t % 3] * x[3 * a + t / 3]; /* for LAPACK, by columns: dx_i / dxi_j at j + 3 i */
    det = J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) + J[2] * (J[3] * J[7] - J[4] * J[6]);
    LAPACKgetrf_(&three, &three, J, &three, pivot, &info);
    assert_int_equal(info, 0);
    for (PetscInt a = 0; a < n; a++) {
      memcpy(b, local[a], sizeof b);
      LAPACKgetrs_("N", &three, &one, J, &three, pivot, b, &three, &info);
      memcpy(gradient[a], b, sizeof b);
    }
    for (PetscInt a = 0; a < n; a++)
      for (PetscInt c = 0; c < n; c++)
        for (int t = 0; t < 9; t++) G[a * n + c] += rule.weights[q] * det * gradient[a][t / 3] * sigma[t / 3][t % 3] * gradient[c][t % 3];
  }
}

/* Under a linear displacement the stress is the same everywhere, whatever internal functions there are. */
static void CheckConstant(const ElementKind *kind, const ElementProperties *properties)
{
  static const PetscReal strain[3][3] = {{1e-3, -2e-4, 5e-4}, {7e-4, -6e-4, 3e-4}, {-4e-4, 8e-4, 9e-4}};
  PetscReal              x[3 * MESH_MAX_NODES], u[3 * MESH_MAX_NODES], sigma[3][3] = {{0}}, expected[MESH_MAX_NODES * MESH_MAX_NODES], *G;
  const PetscInt         nodes = SomeElement(kind, x), n = 3 * nodes;

  if (!kind->solid) return;
  for (PetscInt i = 0; i < n; i++) u[i] = strain[i % 3][0] * x[i - i % 3] + strain[i % 3][1] * x[i - i % 3 + 1] + strain[i % 3][2] * x[i - i % 3 + 2];
  for (int t = 0; t < 81; t++)
    sigma[t / 27][t / 9 % 3] += properties->material->tensor[t / 27][t / 9 % 3][t / 3 % 3][t % 3] * strain[t / 3 % 3][t % 3];
  G = Geometric(kind, properties, 1, x, u);
  Integrate(kind->solid, x, (const PetscReal(*)[3])sigma, expected);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++)
      assert_near(G[i * n + j], i % 3 == j % 3 ? expected[i / 3 * nodes + j / 3] : 0, 1e-12 * Largest(nodes * nodes, expected));
  assert_ok(PetscFree(G));
}

static void under_a_constant_stress_it_is_an_integral_of_gradients(void **state)
{
  (void)state;
  ForAll(CheckConstant);
}

/* Then the stress itself is that, at every node and in the mean. */
static void CheckSame(const ElementKind *kind, const ElementProperties *properties)
{
  static const PetscReal strain[3][3]    = {{1e-3, -2e-4, 5e-4}, {7e-4, -6e-4, 3e-4}, {-4e-4, 8e-4, 9e-4}};
  static const int       component[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  PetscReal              x[SEVERAL * 3 * MESH_MAX_NODES], u[SEVERAL * 3 * MESH_MAX_NODES], sigma[3][3] = {{0}};
  PetscReal              nodal[SEVERAL * 6 * MESH_MAX_NODES], mean[SEVERAL * 6];
  uint64_t               seed  = 11;
  const PetscInt         nodes = mesh_shapes[kind->shape].num_nodes, n = 3 * nodes * SEVERAL;

  if (!kind->solid) return;
  for (int e = 0; e < SEVERAL; e++) SomeElement(kind, x + e * 3 * nodes);
  for (PetscInt i = 0; i < n; i++) x[i] += 0.02 * Random(&seed);
  for (PetscInt i = 0; i < n; i++) u[i] = strain[i % 3][0] * x[i - i % 3] + strain[i % 3][1] * x[i - i % 3 + 1] + strain[i % 3][2] * x[i - i % 3 + 2];
  for (int t = 0; t < 81; t++)
    sigma[t / 27][t / 9 % 3] += properties->material->tensor[t / 27][t / 9 % 3][t / 3 % 3][t % 3] * strain[t / 3 % 3][t % 3];
  assert_ok(ElementStress(kind, properties, SEVERAL, x, u, nodal, mean));
  for (PetscInt i = 0; i < 6 * nodes * SEVERAL; i++)
    assert_near(nodal[i], sigma[component[i % 6][0]][component[i % 6][1]], 1e-12 * Largest(9, sigma[0]));
  for (PetscInt i = 0; i < 6 * SEVERAL; i++) assert_near(mean[i], sigma[component[i % 6][0]][component[i % 6][1]], 1e-12 * Largest(9, sigma[0]));
}

static void a_constant_stress_is_found_at_every_node(void **state)
{
  (void)state;
  ForAll(CheckSame);
}

/* The sum of f_a x_a^T over the nodes of an element is the integral of its stress, by virtual work of linear motions, whatever moves it. */
static void CheckMean(const ElementKind *kind, const ElementProperties *properties)
{
  static const int component[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  PetscReal        x[3 * MESH_MAX_NODES], u[3 * MESH_MAX_NODES], f[3 * MESH_MAX_NODES], nodal[6 * MESH_MAX_NODES], mean[6], weights[MESH_MAX_NODES];
  PetscReal       *K, volume = 0;
  uint64_t         seed  = 5;
  const PetscInt   nodes = SomeElement(kind, x), n = 3 * nodes;
  PetscInt         faulty;

  if (!kind->solid) return;
  for (PetscInt i = 0; i < n; i++) u[i] = 1e-3 * Random(&seed);
  ElementsFull(kind, properties, 1, x, &K, NULL);
  Multiply(n, K, u, f);
  assert_ok(ElementWeights(kind->shape, 1, x, weights, &faulty));
  for (PetscInt a = 0; a < nodes; a++) volume += weights[a];
  assert_ok(ElementStress(kind, properties, 1, x, u, nodal, mean));
  for (int c = 0; c < 6; c++) {
    PetscReal moment = 0;

    for (PetscInt a = 0; a < nodes; a++) moment += f[3 * a + component[c][0]] * x[3 * a + component[c][1]];
    assert_near(volume * mean[c], moment, 1e-12 * Largest(n, f));
  }
  assert_ok(PetscFree(K));
}

static void the_mean_stress_is_the_virial_of_the_forces(void **state)
{
  (void)state;
  ForAll(CheckMean);
}

/* Nodes push the ends of a beam by what its sections carry there: forces the same, moments at both ends, in the middle their mean. */
static void beams_carry_what_their_nodes_give(void **state)
{
  static const char *const kinds[] = {"beam", "beam_euler"};
  const Material           steel   = Steel();
  const BeamSection        section = {
           .area = 2e-4, .inertia_y = 3e-9, .inertia_z = 5e-9, .torsion = 7e-9, .shear = {{1, 1, 1}, {1, 1, 1}}, .orientation = {0, 1, 0}};
  const ElementProperties properties = {&steel, &section, NULL};
  const PetscReal         x[6]       = {0, 0, 0, 0.05, 0, 0};
  PetscReal               u[12], f[12], mean[6], *K;
  uint64_t                seed = 3;

  (void)state;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 12; i++) u[i] = 1e-4 * Random(&seed);
    ElementsFull(ElementFind(kinds[k]), &properties, 1, x, &K, NULL);
    Multiply(12, K, u, f);
    assert_ok(ElementStress(ElementFind(kinds[k]), &properties, 1, x, u, NULL, mean));
    for (int i = 0; i < 6; i++) assert_near(mean[i], 0.5 * (f[6 + i] - f[i]), 1e-12 * Largest(12, f));
    assert_ok(PetscFree(K));
  }
}

static void von_mises_is_that_of_a_pull_and_of_a_shear(void **state)
{
  const PetscReal pull[6] = {7, 0, 0, 0, 0, 0}, shear[6] = {0, 0, 0, 0, 5, 0}, pressure[6] = {4, 4, 4, 0, 0, 0};

  (void)state;
  assert_close(ElementVonMises(pull), 7, 1e-15);
  assert_close(ElementVonMises(shear), 5 * sqrt(3), 1e-15);
  assert_near(ElementVonMises(pressure), 0, 0);
}

/* A beam along x under a force N: of a cubic deflection without shear the classical matrix, N / (30 L) [36, 3 L, 4 L^2, -L^2 ...]
   [J. S. Przemieniecki, Theory of matrix structural analysis, McGraw-Hill 1968, section 15.2]. */
static void a_beam_has_the_classical_matrix(void **state)
{
  const PetscReal   L = 0.8, stretch = 2e-4;
  const Material    steel   = Steel();
  const BeamSection section = {
    .area = 2e-4, .inertia_y = 3e-9, .inertia_z = 5e-9, .torsion = 7e-9, .shear = {{1, 1, 1}, {1, 1, 1}}, .orientation = {0, 1, 0}};
  const ElementProperties properties = {&steel, &section, NULL};
  const PetscReal         x[6] = {0, 0, 0, L, 0, 0}, u[12] = {0, 0, 0, 0, 0, 0, stretch * L}, N = 2.1e11 * section.area * stretch;
  const PetscReal         rows[4][4] = {
            {36, 3 * L, -36, 3 * L}, {3 * L, 4 * L * L, -3 * L, -L * L}, {-36, -3 * L, 36, -3 * L}, {3 * L, -L * L, -3 * L, 4 * L * L}};
  const PetscInt bent[2][4] = {{1, 5, 7, 11}, {2, 4, 8, 10}};
  PetscReal     *G          = Geometric(ElementFind("beam_euler"), &properties, 1, x, u);

  (void)state;
  for (int plane = 0; plane < 2; plane++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        const PetscReal sign = plane == 1 && (i + j) % 2 ? -1 : 1; /* w' = -theta_y */

        assert_near(G[bent[plane][i] * 12 + bent[plane][j]], sign * N / (30 * L) * rows[i][j], 1e-12 * N / L);
      }
  assert_close(G[3 * 12 + 3], N * (section.inertia_y + section.inertia_z) / section.area / L, 1e-12);
  assert_ok(PetscFree(G));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(turned_with_an_element_its_forces_turn),
  cmocka_unit_test(under_a_constant_stress_it_is_an_integral_of_gradients),
  cmocka_unit_test(a_beam_has_the_classical_matrix),
  cmocka_unit_test(a_constant_stress_is_found_at_every_node),
  cmocka_unit_test(the_mean_stress_is_the_virial_of_the_forces),
  cmocka_unit_test(beams_carry_what_their_nodes_give),
  cmocka_unit_test(von_mises_is_that_of_a_pull_and_of_a_shear),
};

CHECK_MAIN(tests)
