/* test_craig_bampton_ranks.c - a reduction is the same on any number of ranks.
   [ranks: 2 3] */
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

/* Measured on 2, 3 and 4 ranks: 4e-11 of the modes that bend in two directions, 1 % apart, which round-off mixes; 1e-14 of the others. */
static void slender_rods_are_the_same_on_any_number_of_ranks(void **state)
{
  Lattice    lattice = SlenderRods();
  Reduction *spread, *alone;

  (void)state;
  spread = Reduce(&lattice, PETSC_COMM_WORLD, MATSBAIJ, 12, PETSC_FALSE);
  alone  = Reduce(&lattice, PETSC_COMM_SELF, MATAIJ, 12, PETSC_FALSE);
  CheckDone(spread);
  CheckDone(alone);
  for (PetscInt k = 0; k < 12; k++) assert_close(spread->omega[k], alone->omega[k], 1e-12);
  CheckMatrix(alone, spread->K, alone->K, 4e-10);
  CheckMatrix(alone, spread->M, alone->M, 4e-10);
  assert_ok(ReductionDestroy(&spread));
  assert_ok(ReductionDestroy(&alone));
  LatticeDestroy(&lattice);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(slender_rods_are_the_same_on_any_number_of_ranks),
};

CHECK_MAIN_WITH_SLEPC(tests)
