/* test_element_beam.c - beams against closed forms: deflections exactly, frequencies with their order. */
#include "unit/elements.h"

enum { MAX_ELEMENTS = 32, MAX_SIZE = 6 * (MAX_ELEMENTS + 1) };

/* A beam along some direction of space, with y and z as the third axis and the second. */
typedef struct {
  const ElementKind *kind;
  PetscInt           num_elements;
  PetscReal          length;
  BeamSection        section;
} Beam;

static const PetscReal axis_x[3] = {0.6, 0, 0.8}, axis_y[3] = {0, 1, 0}, axis_z[3] = {-0.8, 0, 0.6};

static const ElementKind *const *BeamKinds(void)
{
  static const ElementKind *kinds[3];

  kinds[0] = ElementFind("beam");
  kinds[1] = ElementFind("beam_euler");
  return kinds;
}

static Beam SomeBeam(const ElementKind *kind, PetscInt num_elements, PetscReal length)
{
  return (Beam){
    kind,
    num_elements,
    length,
    {.area = 2e-3, .inertia_y = 3e-7, .inertia_z = 8e-7, .torsion = 5e-7, .shear = {{0.8, 1, 1}, {0.5, 1, 1}}, .orientation = {0, 1, 0.1}}};
}

/* Dense matrices in local axes: unknown 6 node + direction. */
static PetscInt Assemble(const Beam *beam, PetscReal K[], PetscReal M[])
{
  const Material          steel      = Steel();
  const ElementProperties properties = {&steel, &beam->section, NULL};
  const PetscInt          n          = 6 * (beam->num_elements + 1);
  const PetscReal *const  axes[3]    = {axis_x, axis_y, axis_z};
  PetscReal               x[6], *pair[2];

  memset(K, 0, sizeof(PetscReal) * (size_t)(n * n));
  memset(M, 0, sizeof(PetscReal) * (size_t)(n * n));
  for (PetscInt e = 0; e < beam->num_elements; e++) {
    for (int i = 0; i < 6; i++) x[i] = axis_x[i % 3] * beam->length * (PetscReal)(e + i / 3) / (PetscReal)beam->num_elements;
    ElementsFull(beam->kind, &properties, 1, x, &pair[0], &pair[1]);
    for (int m = 0; m < 2; m++) {
      for (PetscInt i = 0; i < 12; i++)
        for (PetscInt j = 0; j < 12; j++) {
          PetscReal sum = 0;

          for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) sum += axes[i % 3][p] * pair[m][(i - i % 3 + p) * 12 + j - j % 3 + q] * axes[j % 3][q];
          (m ? M : K)[(6 * e + i) * n + 6 * e + j] += sum;
        }
      assert_ok(PetscFree(pair[m]));
    }
  }
  return n;
}

/* Orientation in the plane of y: local y of the element is axis_y turned a little about x. */
static Beam Straight(const ElementKind *kind, PetscInt num_elements, PetscReal length)
{
  Beam beam = SomeBeam(kind, num_elements, length);

  for (int i = 0; i < 3; i++) beam.section.orientation[i] = axis_y[i] + 0.3 * axis_x[i]; /* what lies along x has no effect */
  return beam;
}

/* Deflection by each end load of a cantilever, clamped at its first node. */
static void Deflect(const Beam *beam, int direction, PetscReal u[6])
{
  static PetscReal K[MAX_SIZE * MAX_SIZE], M[MAX_SIZE * MAX_SIZE];
  PetscInt         keep[MAX_SIZE];
  const PetscInt   n = Assemble(beam, K, M);
  PetscReal       *A, b[MAX_SIZE] = {0};

  for (PetscInt i = 6; i < n; i++) keep[i - 6] = i;
  A                     = Extract(n, K, n - 6, keep);
  b[n - 12 + direction] = 1;
  SolvePositive(n - 6, A, b);
  for (int i = 0; i < 6; i++) u[i] = b[n - 12 + i];
  assert_ok(PetscFree(A));
}

/* A cantilever under loads at its end is exact with one element: P L^3 / 3 E I + P L / k G A. */
static void end_loads_deflect_a_cantilever_exactly(void **state)
{
  const Material steel = Steel();

  (void)state;
  for (int k = 0; BeamKinds()[k]; k++)
    for (PetscInt num = 1; num <= 3; num += 2) {
      const Beam               beam = Straight(BeamKinds()[k], num, 0.7);
      const BeamSection *const s    = &beam.section;
      const PetscReal          L = 0.7, E = steel.young, G = steel.mu, soft = k == 0 ? 1 : 0;
      PetscReal                u[6];

      Deflect(&beam, 0, u);
      assert_close(u[0], L / (E * s->area), 1e-12);
      Deflect(&beam, 1, u);
      assert_close(u[1], L * L * L / (3 * E * s->inertia_z) + soft * L / (0.8 * G * s->area), 1e-11);
      assert_close(u[5], L * L / (2 * E * s->inertia_z), 1e-11);
      Deflect(&beam, 2, u);
      assert_close(u[2], L * L * L / (3 * E * s->inertia_y) + soft * L / (0.5 * G * s->area), 1e-11);
      assert_close(u[4], -L * L / (2 * E * s->inertia_y), 1e-11);
      Deflect(&beam, 3, u);
      assert_close(u[3], L / (G * s->torsion), 1e-12);
      Deflect(&beam, 4, u);
      assert_close(u[4], L / (E * s->inertia_y), 1e-11);
      Deflect(&beam, 5, u);
      assert_close(u[1], L * L / (2 * E * s->inertia_z), 1e-11);
    }
}

/* A pull at the nodes, beside the centroid, also bends: u = P L / E A + P c^2 L / E I. */
static void an_offset_beam_bends_when_it_is_pulled(void **state)
{
  const Material steel = Steel();
  Beam           beam  = Straight(ElementFind("beam"), 2, 0.7);
  PetscReal      u[6];

  (void)state;
  beam.section.offset[0] = 0.05;
  Deflect(&beam, 0, u);
  assert_close(u[0], 0.7 / steel.young * (1 / beam.section.area + 0.05 * 0.05 / beam.section.inertia_z), 1e-11);
  assert_close(u[5], 0.7 / steel.young * 0.05 / beam.section.inertia_z, 1e-11); /* the pull, below the centroid, lifts the end */
  beam.section.offset[0] = 0;
  beam.section.offset[1] = 0.04;
  Deflect(&beam, 0, u);
  assert_close(u[0], 0.7 / steel.young * (1 / beam.section.area + 0.04 * 0.04 / beam.section.inertia_y), 1e-11);
  assert_close(u[4], -0.7 / steel.young * 0.04 / beam.section.inertia_y, 1e-11);
}

/* Moments of inertia of a whole beam, also of an offset one: its mass matrix on rigid rotations. */
static void a_beam_turns_with_its_true_inertia(void **state)
{
  static PetscReal K[MAX_SIZE * MAX_SIZE], M[MAX_SIZE * MAX_SIZE];
  const Material   steel = Steel();
  const PetscReal  L = 0.7, rho = steel.density;

  (void)state;
  for (int k = 0; BeamKinds()[k]; k++) {
    Beam              beam = Straight(BeamKinds()[k], 3, L);
    const BeamSection s    = beam.section;
    PetscInt          n;

    beam.section.offset[0] = 0.05;
    beam.section.offset[1] = -0.03;
    n                      = Assemble(&beam, K, M);
    for (int about = 0; about < 3; about++) {
      const PetscReal own[3]      = {rho * L * (s.inertia_y + s.inertia_z), rho * L * (s.inertia_y + s.area * L * L / 3),
                                     rho * L * (s.inertia_z + s.area * L * L / 3)};
      const PetscReal far[3]      = {0.05 * 0.05 + 0.03 * 0.03, 0.03 * 0.03, 0.05 * 0.05};
      PetscReal       u[MAX_SIZE] = {0};

      for (PetscInt a = 0; a <= 3; a++) {
        const PetscReal x = L * (PetscReal)a / 3;

        u[6 * a + 3 + about] = 1;
        if (about == 1) u[6 * a + 2] = -x;
        if (about == 2) u[6 * a + 1] = x;
      }
      assert_close(Product(n, M, u, u), own[about] + rho * L * s.area * far[about], 1e-12);
    }
  }
}

/* The `count` lowest circular frequencies, of unknowns that `held` does not hold: flags for the first and the last node. */
static void Frequencies(const Beam *beam, const PetscBool held[2][6], const PetscBool everywhere[6], PetscInt count, PetscReal omega[])
{
  static PetscReal K[MAX_SIZE * MAX_SIZE], M[MAX_SIZE * MAX_SIZE];
  const PetscInt   n = Assemble(beam, K, M);
  PetscInt         keep[MAX_SIZE], num = 0;
  PetscReal       *A, *B;

  for (PetscInt i = 0; i < n; i++)
    if (!everywhere[i % 6] && !(i < 6 && held[0][i]) && !(i >= n - 6 && held[1][i % 6])) keep[num++] = i;
  A = Extract(n, K, num, keep);
  B = Extract(n, M, num, keep);
  SmallestEigenvalues(num, A, B, count, omega);
  for (PetscInt i = 0; i < count; i++) omega[i] = sqrt(fmax(omega[i], 0));
  assert_ok(PetscFree(A));
  assert_ok(PetscFree(B));
}

enum { ONLY_XY, ONLY_XZ, NUM_PLANES };

static const PetscBool planes[NUM_PLANES][6] = {{1, 0, 1, 1, 1, 0}, {1, 1, 0, 1, 0, 1}}; /* what is held in plane bending */
static const PetscBool free_end[6], clamped[6] = {1, 1, 1, 1, 1, 1}, supported[2][6] = {{1, 1, 1, 0, 0, 0}, {1, 1, 1, 0, 0, 0}};

/* Between supports sines are exact: Timoshenko's frequency equation for wave number k, with rotary inertia,
   (rho A w^2)(rho I w^2) - w^2 (rho A (E I k^2 + k G A) + rho I k G A k^2) + E I k^4 k G A = 0; without shear w^2 = E I k^4 / (rho A + rho I k^2). */
static PetscReal Supported(const Material *m, PetscReal area, PetscReal inertia, PetscReal shear_area, PetscReal k)
{
  const PetscReal a = m->density * area * m->density * inertia, S = m->mu * shear_area, B = m->young * inertia;
  const PetscReal b = m->density * area * (B * k * k + S) + m->density * inertia * S * k * k, c = B * k * k * k * k * S;

  if (shear_area == 0) return sqrt(B * k * k * k * k / (m->density * (area + inertia * k * k)));
  return sqrt(2 * c / (b + sqrt(b * b - 4 * a * c)));
}

/* Without shear the error falls with the fourth power; shear, which is constant in an element, makes it the second. */
static void a_short_supported_beam_has_the_frequencies_of_timoshenko(void **state)
{
  const Material steel = Steel();

  (void)state;
  for (int k = 0; BeamKinds()[k]; k++)
    for (int plane = 0; plane < NUM_PLANES; plane++) {
      PetscReal error[2][3];

      for (int fine = 0; fine < 2; fine++) {
        const Beam      beam    = Straight(BeamKinds()[k], fine ? 16 : 8, 0.25);
        const PetscReal inertia = plane == ONLY_XY ? beam.section.inertia_z : beam.section.inertia_y, coefficient = plane == ONLY_XY ? 0.8 : 0.5;
        PetscReal       omega[3];

        Frequencies(&beam, supported, planes[plane], 3, omega);
        for (int mode = 0; mode < 3; mode++) {
          const PetscReal exact =
            Supported(&steel, beam.section.area, inertia, k == 0 ? coefficient * beam.section.area : 0, (mode + 1) * PETSC_PI / 0.25);

          error[fine][mode] = omega[mode] / exact - 1;
        }
      }
      for (int mode = 0; mode < 3; mode++) {
        assert_true(error[1][mode] > 0);
        assert_near(error[1][mode], 0, 0.01); /* from above: Rayleigh */
        assert_true(log2(error[0][mode] / error[1][mode]) > (k == 0 ? 1.9 : 3.7));
      }
    }
}

/* Slender beams: roots of 1 + cos b cosh b (cantilever) and 1 - cos b cosh b (free). Shear and rotary inertia take 1e-5 at L / r = 5000. */
static void slender_beams_have_the_frequencies_of_euler_and_bernoulli(void **state)
{
  static const PetscReal cantilever[3] = {1.8751040687119611, 4.694091132974174, 7.854757438237613};
  static const PetscReal free_free[3]  = {4.730040744862704, 7.853204624095838, 10.995607838001671};
  const Material         steel         = Steel();
  const PetscReal        L             = 100;

  (void)state;
  for (int k = 0; BeamKinds()[k]; k++)
    for (int plane = 0; plane < NUM_PLANES; plane++)
      for (int is_free = 0; is_free < 2; is_free++) {
        const Beam      beam    = Straight(BeamKinds()[k], 24, L);
        const PetscReal inertia = plane == ONLY_XY ? beam.section.inertia_z : beam.section.inertia_y;
        PetscBool       ends[2][6];
        PetscReal       omega[5];

        for (int i = 0; i < 6; i++) {
          ends[0][i] = is_free ? free_end[i] : clamped[i];
          ends[1][i] = free_end[i];
        }
        Frequencies(&beam, (const PetscBool(*)[6])ends, planes[plane], is_free ? 5 : 3, omega);
        for (int mode = 0; mode < 3; mode++) {
          const PetscReal root  = is_free ? free_free[mode] : cantilever[mode];
          const PetscReal exact = root * root / (L * L) * sqrt(steel.young * inertia / (steel.density * beam.section.area));

          assert_close(omega[mode + (is_free ? 2 : 0)], exact, 1e-4);
        }
        if (is_free) assert_near(omega[1] / omega[2], 0, 3e-4); /* the root of the round-off of the largest eigenvalue */
      }
}

/* Rods: fixed at one end, w = pi / 2 L sqrt(E / rho) along, and sqrt(G J / rho I_p) in torsion; error of second order. */
static void rods_have_the_frequencies_of_waves(void **state)
{
  static const PetscBool along[6] = {0, 1, 1, 1, 1, 1}, twist[6] = {1, 1, 1, 0, 1, 1};
  const PetscBool        ends[2][6] = {{1, 1, 1, 1, 1, 1}, {0}};
  const Material         steel      = Steel();
  PetscReal              error[2][2];

  (void)state;
  for (int fine = 0; fine < 2; fine++) {
    const Beam      beam  = Straight(ElementFind("beam"), fine ? 16 : 8, 2);
    const PetscReal polar = beam.section.inertia_y + beam.section.inertia_z;
    PetscReal       omega;

    Frequencies(&beam, ends, along, 1, &omega);
    error[0][fine] = omega / (PETSC_PI / 4 * sqrt(steel.young / steel.density)) - 1;
    Frequencies(&beam, ends, twist, 1, &omega);
    error[1][fine] = omega / (PETSC_PI / 4 * sqrt(steel.mu * beam.section.torsion / (steel.density * polar))) - 1;
  }
  for (int i = 0; i < 2; i++) {
    assert_true(error[i][1] > 0);
    assert_near(error[i][1], 0, 5e-4);
    assert_near(log2(error[i][0] / error[i][1]), 2, 0.02);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(end_loads_deflect_a_cantilever_exactly),
  cmocka_unit_test(an_offset_beam_bends_when_it_is_pulled),
  cmocka_unit_test(a_beam_turns_with_its_true_inertia),
  cmocka_unit_test(a_short_supported_beam_has_the_frequencies_of_timoshenko),
  cmocka_unit_test(slender_beams_have_the_frequencies_of_euler_and_bernoulli),
  cmocka_unit_test(rods_have_the_frequencies_of_waves),
};

CHECK_MAIN(tests)
