/* test_continuum_modes.c - modes of a structure that is spread over ranks and tied to other unknowns, against dense algebra: LAPACK on the
   motions that the ties allow. */
#include "boxes.h"

enum { MOST_TIED = 40 };

/* Unknowns y, and which of them each row of R is. */
typedef struct {
  PetscInt  num, unknown[MOST_TIED];
  PetscReal K[MOST_TIED * MOST_TIED], M[MOST_TIED * MOST_TIED];
} Tied;

static void AddSpring(Tied *tied, PetscInt i, PetscInt j, PetscReal stiffness)
{
  tied->K[i * tied->num + i] += stiffness;
  if (j < 0) return;
  tied->K[j * tied->num + j] += stiffness;
  tied->K[i * tied->num + j] -= stiffness;
  tied->K[j * tied->num + i] -= stiffness;
}

static Mat ToMatrix(const Tied *tied, const PetscReal values[])
{
  Mat matrix;

  assert_ok(MatCreateSeqAIJ(PETSC_COMM_SELF, tied->num, tied->num, tied->num, NULL, &matrix));
  for (PetscInt i = 0; i < tied->num * tied->num; i++) assert_ok(MatSetValue(matrix, i / tied->num, i % tied->num, values[i], INSERT_VALUES));
  Assemble(matrix);
  return matrix;
}

/* The motions that R u = Z y allows: an orthonormal basis of them, [n + p, n + p - m]. */
static PetscReal *AllowedMotions(const Dense *dense, const Tied *tied)
{
  const PetscInt N = dense->n + tied->num, m = dense->m;
  PetscBLASInt   rows = (PetscBLASInt)N, columns = (PetscBLASInt)m, room = (PetscBLASInt)(64 * N), info;
  PetscReal     *Q, *allowed, *tau, *work;

  assert_ok(PetscCalloc3(N * N, &Q, m + 1, &tau, room, &work));
  for (PetscInt r = 0; r < m; r++) {
    for (PetscInt i = 0; i < dense->n; i++) Q[r * N + i] = dense->R[i * m + r];
    if (tied->unknown[r] >= 0) Q[r * N + dense->n + tied->unknown[r]] = -1.0;
  }
  LAPACKgeqrf_(&rows, &columns, Q, &rows, tau, work, &room, &info);
  assert_int_equal(info, 0);
  LAPACKorgqr_(&rows, &rows, &columns, Q, &rows, tau, work, &room, &info);
  assert_int_equal(info, 0);
  assert_ok(PetscMalloc1(N * (N - m) + 1, &allowed));
  assert_ok(PetscArraycpy(allowed, Q + N * m, N * (N - m)));
  assert_ok(PetscFree3(Q, tau, work));
  return allowed;
}

/* diag(A, A_y) */
static PetscReal *Both(const PetscReal A[], PetscInt n, const PetscReal A_y[], PetscInt p)
{
  PetscReal *both;

  assert_ok(PetscCalloc1((n + p) * (n + p), &both));
  for (PetscInt i = 0; i < n * n; i++) both[(i / n) * (n + p) + i % n] = A[i];
  for (PetscInt i = 0; i < p * p; i++) both[(n + i / p) * (n + p) + n + i % p] = A_y[i];
  return both;
}

static PetscInt ExpectedModes(const Lattice *lattice, const Tied *tied, PetscReal eigenvalue[])
{
  Dense          dense = DenseNew(lattice);
  const PetscInt N = dense.n + tied->num, size = N - dense.m;
  PetscReal     *allowed = AllowedMotions(&dense, tied), *K = Both(dense.K, dense.n, tied->K, tied->num);
  PetscReal     *M = Both(dense.M, dense.n, tied->M, tied->num), *k, *m;

  assert_ok(PetscMalloc2(size * size, &k, size * size, &m));
  DenseProject(N, size, K, allowed, k);
  DenseProject(N, size, M, allowed, m);
  DenseModes(size, k, m, eigenvalue, NULL);
  assert_ok(PetscFree2(k, m));
  assert_ok(PetscFree(allowed));
  assert_ok(PetscFree(K));
  assert_ok(PetscFree(M));
  DenseDestroy(&dense);
  return size;
}

static ContinuumModes *FindModes(const Lattice *lattice, const Tied *tied, MatType type, PetscInt count)
{
  Structure       structure = StructureNew(lattice, PETSC_COMM_WORLD, type);
  ContinuumTies   ties      = {tied->num, ToMatrix(tied, tied->K), ToMatrix(tied, tied->M), tied->unknown};
  ContinuumModes *modes;

  assert_ok(ContinuumModesFind(&structure.continuum, &ties, NULL, count, PETSC_TRUE, &modes));
  assert_ok(MatDestroy(&ties.K));
  assert_ok(MatDestroy(&ties.M));
  StructureDestroy(&structure);
  return modes;
}

static void CheckModes(const Lattice *lattice, const Tied *tied, MatType type, PetscInt count, PetscInt num_rigid)
{
  PetscReal      *expected;
  PetscInt        size;
  ContinuumModes *modes;

  assert_ok(PetscMalloc1(3 * lattice->num_nodes + tied->num, &expected));
  size  = ExpectedModes(lattice, tied, expected);
  modes = FindModes(lattice, tied, type, count);
  assert_int_equal(modes->fault.reason, CONTINUUM_FINE);
  assert_int_equal(modes->count, PetscMin(count, size));
  assert_int_equal(modes->num_rigid, PetscMin(count, num_rigid));
  for (PetscInt k = 0; k < modes->num_rigid; k++) {
    assert_near(expected[k], 0.0, 1e-9 * expected[size - 1]);
    assert_near(modes->eigenvalue[k], 0.0, 0.0);
  }
  for (PetscInt k = modes->num_rigid; k < modes->count; k++) assert_close(modes->eigenvalue[k], expected[k], 1e-9);
  assert_ok(ContinuumModesDestroy(&modes));
  assert_ok(PetscFree(expected));
}

static void a_structure_on_supports_has_its_modes(void **state)
{
  const Tied nothing = {.num = 0};
  Lattice    lattice = LatticeNew();

  (void)state;
  AddBox(&lattice, long_box, 1.0, PETSC_TRUE);
  CheckModes(&lattice, &nothing, MATSBAIJ, 12, 0);
  CheckModes(&lattice, &nothing, MATAIJ, 3 * lattice.num_nodes, 0); /* all there are */
  LatticeDestroy(&lattice);
}

static void two_bodies_that_float_have_twelve_rigid_motions(void **state)
{
  const Tied nothing = {.num = 0};
  Lattice    lattice = LatticeNew();

  (void)state;
  AddBox(&lattice, long_box, 0.0, PETSC_FALSE);
  AddBox(&lattice, short_box, 10.0, PETSC_FALSE);
  CheckModes(&lattice, &nothing, MATSBAIJ, 20, 12);
  CheckModes(&lattice, &nothing, MATSBAIJ, 5, 12); /* fewer than these */
  LatticeDestroy(&lattice);
}

/* Each patch moves its own six unknowns, with springs between them and a mass on the second; the node has none. */
static void patches_joined_by_springs(void **state)
{
  Lattice lattice = TwoBoxes();
  Tied    tied    = {.num = 12};

  (void)state;
  for (PetscInt r = 0; r < lattice.num_rows; r++) tied.unknown[r] = r < 12 ? r : -1;
  for (PetscInt d = 0; d < 6; d++) AddSpring(&tied, d, 6 + d, d == 2 ? 3e2 : 2e4);
  for (PetscInt d = 6; d < 12; d++) tied.M[d * 12 + d] = 0.7;
  CheckModes(&lattice, &tied, MATSBAIJ, 15, 3); /* its node at rest leaves the first body three rotations; the second one follows */
  LatticeDestroy(&lattice);
}

/* The same unknowns for both patches: rigid where they are tied, free where a spring is missing. */
static void patches_tied_rigidly(void **state)
{
  Lattice lattice = LatticeNew();
  Tied    tied    = {.num = 7};

  (void)state;
  KeepSlice(&lattice, AddBox(&lattice, long_box, 0.0, PETSC_FALSE), long_box, 4, 4);
  KeepSlice(&lattice, AddBox(&lattice, short_box, 4.5, PETSC_FALSE), short_box, 0, 0);
  for (PetscInt d = 0; d < 6; d++) tied.unknown[d] = tied.unknown[6 + d] = d;
  tied.unknown[9] = 6; /* about x, each turns for itself */
  CheckModes(&lattice, &tied, MATSBAIJ, 14, 7);
  AddSpring(&tied, 3, 6, 1e3);
  CheckModes(&lattice, &tied, MATSBAIJ, 14, 6);
  AddSpring(&tied, 0, -1, 1e3);
  CheckModes(&lattice, &tied, MATAIJ, 14, 5);
  LatticeDestroy(&lattice);
}

/* A rigid motion is one of the bodies' own, of unit mass, and the same on any number of ranks. */
static void rigid_motions_are_those_along_and_about_the_axes(void **state)
{
  const Tied         nothing = {.num = 0};
  Lattice            lattice = LatticeNew();
  ContinuumModes    *modes;
  const PetscScalar *value;
  PetscInt           num_local, stride;

  (void)state;
  AddBox(&lattice, long_box, 0.0, PETSC_FALSE);
  modes = FindModes(&lattice, &nothing, MATSBAIJ, 8);
  assert_ok(MatGetLocalSize(modes->motion, &num_local, NULL));
  assert_ok(MatDenseGetLDA(modes->motion, &stride));
  assert_ok(MatDenseGetArrayRead(modes->motion, &value));
  for (PetscInt d = 0; d < 3; d++)
    for (PetscInt i = 0; i < num_local; i++) {
      if (i % 3 == d) assert_true(value[d * stride + i] > 0.0);
      else assert_near(value[d * stride + i], 0.0, 1e-12);
    }
  assert_ok(MatDenseRestoreArrayRead(modes->motion, &value));
  assert_ok(ContinuumModesDestroy(&modes));
  LatticeDestroy(&lattice);
}

static void CheckReason(const Lattice *lattice, const Tied *tied, ContinuumReason reason)
{
  ContinuumModes *modes = FindModes(lattice, tied, MATSBAIJ, 4);

  assert_int_equal(modes->fault.reason, reason);
  assert_ok(ContinuumModesDestroy(&modes));
}

static void faults_are_told(void **state)
{
  Lattice lattice = TwoBoxes(), same = TwoBoxes();
  Tied    tied = {.num = 12}, mass = {.num = 1};

  (void)state;
  for (PetscInt r = 0; r < lattice.num_rows; r++) tied.unknown[r] = r < 12 ? r : -1;
  AddSpring(&tied, 0, -1, -1e6);
  CheckReason(&lattice, &tied, CONTINUUM_INDEFINITE);
  KeepNode(&same, 14); /* a second time */
  for (PetscInt r = 0; r < same.num_rows; r++) tied.unknown[r] = -1;
  CheckReason(&same, &tied, CONTINUUM_DEPENDENT_ROW);
  for (PetscInt r = 0; r < lattice.num_rows; r++) mass.unknown[r] = -1;
  CheckReason(&lattice, &mass, CONTINUUM_SINGULAR); /* y moves without strain and without mass */
  LatticeDestroy(&lattice);
  LatticeDestroy(&same);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_structure_on_supports_has_its_modes),
  cmocka_unit_test(two_bodies_that_float_have_twelve_rigid_motions),
  cmocka_unit_test(patches_joined_by_springs),
  cmocka_unit_test(patches_tied_rigidly),
  cmocka_unit_test(rigid_motions_are_those_along_and_about_the_axes),
  cmocka_unit_test(faults_are_told),
};

CHECK_MAIN_WITH_SLEPC(tests)
