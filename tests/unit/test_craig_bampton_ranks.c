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

/* The sum over the modes of M_ik M_jk: what they take part in, however round-off mixes two of them. */
static PetscReal Participation(const Reduction *reduction, PetscInt i, PetscInt j)
{
  PetscReal sum = 0.0;

  for (PetscInt k = reduction->num_boundary; k < reduction->size; k++)
    sum += reduction->M[k * reduction->size + i] * reduction->M[k * reduction->size + j];
  return sum;
}

/* Measured on 2 and 3 ranks: 3e-16 of the boundary's matrices, 9e-11 of the participation: shapes of modes hold fewer digits than their frequencies,
   and two of them 1 % apart, as a rod bends in two directions, mix by 1e-9. */
static void slender_rods_are_the_same_on_any_number_of_ranks(void **state)
{
  Lattice    lattice = SlenderRods();
  Reduction *spread  = Reduce(&lattice, PETSC_COMM_WORLD, MATSBAIJ, 12, PETSC_FALSE),
            *alone   = Reduce(&lattice, PETSC_COMM_SELF, MATAIJ, 12, PETSC_FALSE);
  const PetscInt  m = alone->num_boundary, size = alone->size;
  const PetscReal stiffness = LargestOf(alone->K, size * size), mass = LargestOf(alone->M, size * size);

  (void)state;
  CheckDone(spread);
  CheckDone(alone);
  for (PetscInt k = 0; k < 12; k++) assert_close(spread->omega[k], alone->omega[k], 1e-12);
  for (PetscInt i = 0; i < m; i++)
    for (PetscInt j = 0; j < m; j++) {
      assert_near(spread->K[i * size + j], alone->K[i * size + j], 1e-13 * stiffness);
      assert_near(spread->M[i * size + j], alone->M[i * size + j], 1e-13 * mass);
      assert_near(Participation(spread, i, j), Participation(alone, i, j), 5e-10 * mass);
    }
  assert_ok(ReductionDestroy(&spread));
  assert_ok(ReductionDestroy(&alone));
  LatticeDestroy(&lattice);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(slender_rods_are_the_same_on_any_number_of_ranks),
};

CHECK_MAIN_WITH_SLEPC(tests)
