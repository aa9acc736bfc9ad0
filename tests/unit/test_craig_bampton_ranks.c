/* test_craig_bampton_ranks.c - digits of reductions: the same on any number of ranks, and no force against motions without strain.
   [ranks: 1 2 3 4] */
#include "boxes.h"

/* Rods of 3 x 3 nodes that float, 100 and 60 long: their deflections lose six digits by the factor, which ones depends on the ranks. */
static Lattice SlenderRods(void)
{
  const PetscInt rod[3] = {100, 3, 3}, other[3] = {60, 3, 3};
  Lattice        lattice = LatticeNew();
  const PetscInt one = AddBox(&lattice, rod, 0.0, PETSC_FALSE), two = AddBox(&lattice, other, 120.0, PETSC_FALSE);

  KeepSlice(&lattice, one, rod, 49, 50);
  KeepSlice(&lattice, two, other, 0, 0);
  KeepNode(&lattice, one + 3);
  return lattice;
}

/* Measured on 2, 3 and 4 ranks: omega 4e-16, K 4e-15, M 2e-13 of the modes that bend in two directions, 1 % apart; 4e-15 of the others. */
static void slender_rods_are_the_same_on_any_number_of_ranks(void **state)
{
  Lattice    lattice = SlenderRods();
  Reduction *spread, *alone;

  (void)state;
  spread = Reduce(&lattice, PETSC_COMM_WORLD, MATSBAIJ, 12, PETSC_FALSE);
  alone  = Reduce(&lattice, PETSC_COMM_SELF, MATAIJ, 12, PETSC_FALSE);
  CheckDone(spread);
  CheckDone(alone);
  for (PetscInt k = 0; k < 12; k++) assert_close(spread->omega[k], alone->omega[k], 1e-14);
  CheckMatrix(alone, spread->K, alone->K, 1e-13);
  CheckMatrix(alone, spread->M, alone->M, 2e-12);
  assert_ok(ReductionDestroy(&spread));
  assert_ok(ReductionDestroy(&alone));
  LatticeDestroy(&lattice);
}

/* What u does to the rows that are kept, the largest of them 1. */
static PetscReal *BoundaryMotionOf(const Lattice *lattice, const PetscReal u[])
{
  PetscReal *b, most;

  assert_ok(PetscCalloc1(lattice->num_rows, &b));
  for (PetscInt e = 0; e < lattice->num_entries; e++) b[lattice->entries[e].row] += lattice->entries[e].weight * u[lattice->entries[e].unknown];
  most = LargestOf(b, lattice->num_rows);
  for (PetscInt j = 0; j < lattice->num_rows && most > 0.0; j++) b[j] /= most;
  return b;
}

/* The largest component of K_r b, against the largest entry of K_r. */
static PetscReal ForceAgainst(const Reduction *reduction, const PetscReal b[])
{
  const PetscInt size  = reduction->size;
  PetscReal      force = 0.0;

  for (PetscInt i = 0; i < size; i++) {
    long double sum = 0.0L;

    for (PetscInt j = 0; j < reduction->num_boundary; j++) sum += (long double)reduction->K[j * size + i] * (long double)b[j];
    force = fmax(force, fabs((double)sum));
  }
  return force / LargestOf(reduction->K, size * size);
}

/* Each body by itself, along and about each axis. Measured 2e-16, as entries of K_r are rounded; 2e-12 before they were made so. */
static void rigid_motions_take_no_force(void **state)
{
  Lattice         lattice   = SlenderRods();
  Reduction      *reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATSBAIJ, 3, PETSC_FALSE);
  const PetscReal middle[3] = {80.0, 1.0, 1.0};
  const PetscInt  n         = 3 * lattice.num_nodes;
  PetscReal      *u, *b, motion[6];

  (void)state;
  CheckDone(reduction);
  assert_ok(PetscMalloc1(n, &u));
  for (PetscInt d = 0; d < 12; d++) {
    for (PetscInt i = 0; i < n; i++) {
      RigidMotions(lattice.x[i / 3], middle, i % 3, motion);
      u[i] = lattice.body[i / 3] == d / 6 ? motion[d % 6] : 0.0;
    }
    b = BoundaryMotionOf(&lattice, u);
    assert_near(ForceAgainst(reduction, b), 0.0, 1e-15);
    assert_ok(PetscFree(b));
  }
  assert_ok(PetscFree(u));
  assert_ok(ReductionDestroy(&reduction));
  LatticeDestroy(&lattice);
}

/* Even round-off would be all there is, and no frequency could be told from it. */
static void a_body_that_is_kept_at_one_point_has_no_stiffness(void **state)
{
  Lattice        lattice = TwoBoxes();
  const PetscInt first   = lattice.num_rows;
  Reduction     *reduction;

  (void)state;
  KeepSlice(&lattice, AddBox(&lattice, short_box, 20.0, PETSC_FALSE), short_box, 0, 0);
  reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 3, PETSC_FALSE);
  CheckDone(reduction);
  assert_true(reduction->K[0] > 0.0);
  for (PetscInt i = first; i < first + 6; i++)
    for (PetscInt j = 0; j < reduction->size; j++) {
      assert_near(reduction->K[i * reduction->size + j], 0.0, 0.0);
      assert_near(reduction->K[j * reduction->size + i], 0.0, 0.0);
    }
  assert_ok(ReductionDestroy(&reduction));
  LatticeDestroy(&lattice);
}

enum { ROD = 40, LAYER = 6, PIN = (ROD - 1) * LAYER, OTHER_PIN = ROD * LAYER - 1 };

/* The second of two rods hangs on two nodes at the end of the first, and turns about the line through them. */
static Lattice Hinge(void)
{
  const PetscInt rod[3]  = {ROD, 3, 2};
  Lattice        lattice = LatticeNew();
  const PetscInt one = AddBox(&lattice, rod, 0.0, PETSC_FALSE), two = AddBox(&lattice, rod, ROD - 0.5, PETSC_FALSE);
  const PetscInt kept[6] = {one, one + 1, one + 20, two + 80, two + 5, two + OTHER_PIN};

  for (PetscInt i = 0; i < 2 * LAYER; i++) {
    const PetscInt pin = i < LAYER ? PIN : OTHER_PIN, other = two + i % LAYER;
    PetscReal      along[3];

    for (PetscInt c = 0; c < 3; c++) along[c] = lattice.x[other][c] - lattice.x[pin][c];
    AddBar(&lattice, pin, other, along, 1e4);
  }
  for (PetscInt i = 0; i < 6; i++) KeepNode(&lattice, kept[i]);
  return lattice;
}

/* The second rod so turned. */
static PetscReal *TurnedAboutPins(const Lattice *lattice)
{
  const PetscReal *const pin = lattice->x[PIN], *const end = lattice->x[OTHER_PIN];
  PetscReal *u, motion[6];

  assert_ok(PetscCalloc1(3 * lattice->num_nodes, &u));
  for (PetscInt i = 3 * ROD * LAYER; i < 3 * lattice->num_nodes; i++) {
    RigidMotions(lattice->x[i / 3], pin, i % 3, motion);
    for (PetscInt d = 0; d < 3; d++) u[i] += motion[3 + d] * (end[d] - pin[d]);
  }
  return u;
}

/* Known as two bodies, whose rigid motions these are, or as one, of which it is a mechanism that is found by its want of stiffness. Measured 3e-16
   and 8e-16, and 4e-15 when neither was taken out. */
static void a_hinge_takes_no_force(void **state)
{
  (void)state;
  for (PetscInt num_bodies = 1; num_bodies <= 2; num_bodies++) {
    Lattice    lattice = Hinge();
    PetscReal *u = TurnedAboutPins(&lattice), *b = BoundaryMotionOf(&lattice, u);
    Reduction *reduction;

    for (PetscInt i = 0; i < lattice.num_nodes; i++) lattice.body[i] = PetscMin(lattice.body[i], num_bodies - 1);
    lattice.num_bodies = num_bodies;
    reduction          = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 0, PETSC_FALSE);
    CheckDone(reduction);
    assert_near(ForceAgainst(reduction, b), 0.0, num_bodies == 2 ? 1e-15 : 2.6e-15);
    assert_ok(ReductionDestroy(&reduction));
    assert_ok(PetscFree(b));
    assert_ok(PetscFree(u));
    LatticeDestroy(&lattice);
  }
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(slender_rods_are_the_same_on_any_number_of_ranks),
  cmocka_unit_test(rigid_motions_take_no_force),
  cmocka_unit_test(a_body_that_is_kept_at_one_point_has_no_stiffness),
  cmocka_unit_test(a_hinge_takes_no_force),
};

CHECK_MAIN_WITH_SLEPC(tests)
