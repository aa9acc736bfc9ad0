/* test_element_solid.c - solid elements against exact frequencies of a block, with their order, and in the bending of beams. */
#include "unit/elements.h"

static const PetscReal block[3] = {1, 1, 0.2}, bar[3] = {10, 0.8, 1};

/* A smooth map of the block onto itself: cells become curved quadrilaterals, and parallelograms as they get small. */
static void Smooth(const Box *box, PetscReal x[3], uint64_t *seed)
{
  const PetscReal wave = 0.03 * sin(2 * PETSC_PI * x[0]) * sin(2 * PETSC_PI * x[1]);

  (void)box, (void)seed;
  x[0] += wave;
  x[1] -= wave;
}

/* The lowest eigenvalues of the unknowns that are not held. */
typedef PetscBool (*Held)(const Box *box, const PetscReal x[3], int direction);

static void Frequencies(const Box *box, const Material *material, Held held, PetscInt count, PetscReal omega[])
{
  const ElementProperties properties = {.material = material};
  const PetscInt          n          = 3 * box->num_nodes;
  PetscInt               *keep, num = 0;
  PetscReal              *K, *M, *A, *B;

  BoxAssemble(box, &properties, &K, &M);
  assert_ok(PetscMalloc1(n, &keep));
  for (PetscInt i = 0; i < n; i++)
    if (!held(box, box->x + i - i % 3, (int)(i % 3))) keep[num++] = i;
  A = Extract(n, K, num, keep);
  B = Extract(n, M, num, keep);
  SmallestEigenvalues(num, A, B, count, omega);
  for (PetscInt i = 0; i < count; i++) omega[i] = sqrt(fmax(omega[i], 0));
  assert_ok(PetscFree(A));
  assert_ok(PetscFree(B));
  assert_ok(PetscFree(K));
  assert_ok(PetscFree(M));
  assert_ok(PetscFree(keep));
}

/* Smooth rigid walls: no motion across a face, no friction along it. */
static PetscBool Walled(const Box *box, const PetscReal x[3], int direction)
{
  return x[direction] < 1e-9 || x[direction] > box->length[direction] - 1e-9 ? PETSC_TRUE : PETSC_FALSE;
}

/* Between smooth walls u = (sin pi x cos pi y, -cos pi x sin pi y, 0) is an exact motion of any elastic block, a shear wave with
   omega = pi sqrt(2 mu / rho), and the lowest one. */
static PetscReal WallError(const ElementKind *kind, PetscInt n)
{
  const Material steel = Steel();
  Box            box   = BoxOpen(kind, n, n, 1, block, Smooth);
  PetscReal      omega;

  Frequencies(&box, &steel, Walled, 1, &omega);
  BoxClose(&box);
  return omega / (PETSC_PI * sqrt(2 * steel.mu / steel.density)) - 1;
}

static void frequencies_of_a_walled_block_converge_with_their_order(void **state)
{
  (void)state;
  for (PetscInt k = 0; element_kinds[k]; k++) {
    const ElementKind *const kind = element_kinds[k];
    PetscInt                 order, n;
    PetscReal                coarse, fine, observed;

    if (!kind->solid) continue;
    order    = mesh_shapes[kind->shape].order;
    n        = order == 1 ? 6 : 3;
    coarse   = WallError(kind, n);
    fine     = WallError(kind, 2 * n - order + 1);
    observed = log(coarse / fine) / log((PetscReal)(2 * n - order + 1) / (PetscReal)n);
    assert_true(observed > 1.75 * order);
  }
}

static PetscBool Free(const Box *box, const PetscReal x[3], int direction)
{
  (void)box, (void)x, (void)direction;
  return PETSC_FALSE;
}

static PetscBool Clamped(const Box *box, const PetscReal x[3], int direction)
{
  (void)box, (void)direction;
  return x[0] < 1e-9 ? PETSC_TRUE : PETSC_FALSE;
}

/* The lowest bending frequencies in both planes of a beam of 2 nodes, converged: its closed forms are checked in test_element_beam.c. */
static void BeamFrequencies(const Material *material, PetscBool clamped, PetscReal omega[2])
{
  enum { NUM = 40, SIZE = 6 * (NUM + 1) };
  static PetscReal        K[SIZE * SIZE], M[SIZE * SIZE];
  const PetscReal         h = bar[1], b = bar[2];
  const SectionShear      cowper     = {10, 12, 11};
  const BeamSection       section    = {.area        = h * b,
                                        .inertia_y   = h * b * b * b / 12,
                                        .inertia_z   = b * h * h * h / 12,
                                        .torsion     = 1, /* far from bending */
                                        .shear       = {cowper, cowper},
                                        .orientation = {0, 1, 0}};
  const ElementProperties properties = {material, &section, NULL};
  const PetscReal         x[6]       = {0, 0, 0, bar[0] / NUM, 0, 0};
  PetscReal              *k, *m, *A, *B, values[8];
  PetscInt                keep[SIZE], num = 0;

  memset(K, 0, sizeof(K));
  memset(M, 0, sizeof(M));
  ElementsFull(ElementFind("beam"), &properties, 1, x, &k, &m);
  for (int e = 0; e < NUM; e++)
    for (int i = 0; i < 144; i++) {
      const int at = (6 * e + i / 12) * SIZE + 6 * e + i % 12;

      K[at] += k[i];
      M[at] += m[i];
    }
  for (PetscInt i = clamped ? 6 : 0; i < SIZE; i++) keep[num++] = i;
  A = Extract(SIZE, K, num, keep);
  B = Extract(SIZE, M, num, keep);
  SmallestEigenvalues(num, A, B, clamped ? 2 : 8, values);
  for (int i = 0; i < 2; i++) omega[i] = sqrt(values[(clamped ? 0 : 6) + i]);
  assert_ok(PetscFree(k));
  assert_ok(PetscFree(m));
  assert_ok(PetscFree(A));
  assert_ok(PetscFree(B));
}

/* What a bar of length 10 with 16 x 2 x 2 cells of linear, 8 x 1 x 1 of quadratic elements may be off: too stiff, never much too soft. A
   default that is far too stiff must say what is better; a user should not have to find out. Kinds by name only are their own warning. */
static void CheckBending(const ElementKind *kind, PetscReal error)
{
  const PetscReal least = kind->better ? 0.03 : -0.003, most = kind->better || ElementDefault(kind->shape) != kind ? 0.7 : 0.01;

  if (error < least || error > most)
    fail_msg("%s, of which %s is better, bends with an error of %g", kind->name, kind->better ? kind->better : "nothing", error);
}

static void bars_bend_like_beams(void **state)
{
  Material material = Steel();

  (void)state;
  for (int clamped = 0; clamped < 2; clamped++) {
    PetscReal beam[2];

    if (clamped)
      assert_ok(MaterialSetIsotropic(2.1e11, 0, 7800, &material)); /* a beam knows nothing of a section that may not shrink where it is held */
    BeamFrequencies(&material, clamped ? PETSC_TRUE : PETSC_FALSE, beam);
    for (PetscInt k = 0; element_kinds[k]; k++) {
      const ElementKind *const kind   = element_kinds[k];
      const PetscInt           linear = mesh_shapes[kind->shape].order == 1 ? 2 : 1;
      PetscReal                omega[8];
      Box                      box;

      if (!kind->solid) continue;
      box = BoxOpen(kind, 8 * linear, linear, linear, bar, Undistorted);
      Frequencies(&box, &material, clamped ? Clamped : Free, clamped ? 2 : 8, omega);
      for (int i = 0; i < 2; i++) CheckBending(kind, omega[(clamped ? 0 : 6) + i] / beam[i] - 1);
      if (!clamped) assert_near(omega[5] / omega[6], 0, 1e-4);
      BoxClose(&box);
    }
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(frequencies_of_a_walled_block_converge_with_their_order),
  cmocka_unit_test(bars_bend_like_beams),
};

CHECK_MAIN(tests)
