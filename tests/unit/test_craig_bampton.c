/* test_craig_bampton.c - reductions against dense algebra. [ranks: 1 2 3] */
#include "boxes.h"

static void all_modes_kept_give_the_frequencies_of_the_whole(void **state)
{
  Lattice two = TwoBoxes(), cantilever = Cantilever();

  (void)state;
  CheckAllModes(&two, 12);
  CheckAllModes(&cantilever, 0);
  LatticeDestroy(&two);
  LatticeDestroy(&cantilever);
}

static void frequencies_converge_from_above(void **state)
{
  const PetscInt counts[] = {0, 3, 8, 20, 50}, watched = 6;
  Lattice        lattice = Cantilever();
  Dense          dense   = DenseNew(&lattice);
  PetscReal     *whole, *reduced, before[6];

  (void)state;
  assert_ok(PetscMalloc2(dense.n, &whole, dense.n, &reduced));
  DenseModes(dense.n, dense.K, dense.M, whole, NULL);
  for (PetscInt i = 0; i < watched; i++) before[i] = PETSC_INFINITY;
  for (size_t c = 0; c < PETSC_STATIC_ARRAY_LENGTH(counts); c++) {
    Reduction *reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, counts[c], PETSC_FALSE);

    CheckDone(reduction);
    DenseModes(reduction->size, reduction->K, reduction->M, reduced, NULL);
    for (PetscInt i = 0; i < watched; i++) {
      assert_at_least(reduced[i], whole[i], 1e-12 * whole[i]);
      assert_at_least(before[i], reduced[i], 1e-12 * reduced[i]);
      before[i] = reduced[i];
    }
    if (counts[c] == 0) assert_true(before[0] > whole[0] * 1.001); /* Guyan is not exact, so there is something to converge */
    assert_ok(ReductionDestroy(&reduction));
  }
  for (PetscInt i = 0; i < watched; i++) assert_close(before[i], whole[i], 1e-3);
  assert_ok(PetscFree2(whole, reduced));
  LatticeDestroy(&lattice);
  DenseDestroy(&dense);
}

/* K_r, M_r, omega and T by dense algebra, whatever the number of ranks. */
static void CheckAgainstDense(const Lattice *lattice, MatType type, PetscInt num_modes)
{
  Dense          dense     = DenseNew(lattice);
  Reduction     *reduction = Reduce(lattice, PETSC_COMM_WORLD, type, num_modes, PETSC_TRUE);
  const PetscInt n = dense.n, m = dense.m, size = m + num_modes;
  PetscReal     *T, *phi, *eigenvalue, *K, *M;

  CheckDone(reduction);
  assert_ok(PetscMalloc5(n * size, &T, n * n, &phi, n, &eigenvalue, size * size, &K, size * size, &M));
  DenseConstraintModes(&dense, T);
  DenseFixedModes(&dense, eigenvalue, phi);
  for (PetscInt k = 0; k < num_modes; k++) {
    PetscReal most = 0.0;

    for (PetscInt i = 0; i < n; i++)
      if (fabs(phi[k * n + i]) > fabs(most) * (1.0 + 1e-6)) most = phi[k * n + i];
    for (PetscInt i = 0; i < n; i++) T[(m + k) * n + i] = phi[k * n + i] * (most < 0.0 ? -1.0 : 1.0);
    assert_close(reduction->omega[k], sqrt(eigenvalue[k]), 1e-10);
  }
  DenseProject(n, size, dense.K, T, K);
  DenseProject(n, size, dense.M, T, M);
  CheckMatrix(reduction, reduction->K, K, 1e-9);
  CheckMatrix(reduction, reduction->M, M, 1e-9);
  assert_ok(PetscFree5(T, phi, eigenvalue, K, M));
  assert_ok(ReductionDestroy(&reduction));
  DenseDestroy(&dense);
}

static void matrices_equal_those_of_dense_algebra(void **state)
{
  Lattice two = TwoBoxes(), cantilever = Cantilever();

  (void)state;
  CheckAgainstDense(&two, MATAIJ, 12);
  CheckAgainstDense(&two, MATSBAIJ, 12);
  CheckAgainstDense(&cantilever, MATAIJ, 9);
  CheckAgainstDense(&cantilever, MATSBAIJ, 9);
  LatticeDestroy(&two);
  LatticeDestroy(&cantilever);
}

static void guyan_keeps_no_modes(void **state)
{
  Lattice lattice = TwoBoxes();

  (void)state;
  CheckAgainstDense(&lattice, MATAIJ, 0);
  LatticeDestroy(&lattice);
}

static void more_kept_motions_than_one_batch(void **state)
{
  Lattice        lattice = LatticeNew();
  const PetscInt first   = AddBox(&lattice, long_box, 0.0, PETSC_FALSE);

  (void)state;
  for (PetscInt i = 0; i < 25; i++) KeepNode(&lattice, first + 29 - i); /* 75 motions, in no order */
  CheckAgainstDense(&lattice, MATAIJ, 10);
  LatticeDestroy(&lattice);
}

static void patches_that_overlap_work_when_their_motions_are_independent(void **state)
{
  Lattice        lattice = LatticeNew();
  const PetscInt first   = AddBox(&lattice, long_box, 0.0, PETSC_FALSE);

  (void)state;
  KeepSlice(&lattice, first, long_box, 0, 2);
  KeepSlice(&lattice, first, long_box, 1, 3);
  KeepSlice(&lattice, first, long_box, 0, 4);
  KeepNode(&lattice, first + 8); /* within all three */
  CheckAgainstDense(&lattice, MATAIJ, 10);
  CheckAllModes(&lattice, 6);
  LatticeDestroy(&lattice);
}

/* Held by its supports alone: nothing is kept but modes. */
static void a_structure_on_supports_needs_no_boundary(void **state)
{
  Lattice lattice = LatticeNew();

  (void)state;
  AddBox(&lattice, long_box, 1.0, PETSC_TRUE);
  CheckAllModes(&lattice, 0);
  LatticeDestroy(&lattice);
}

/* Forces on the boundary: the reduced structure deflects as the whole does, at the boundary and everywhere. */
static void static_deflections_are_exact(void **state)
{
  Lattice            lattice   = Cantilever();
  Dense              dense     = DenseNew(&lattice);
  Structure          structure = StructureNew(&lattice, PETSC_COMM_WORLD, MATAIJ);
  Reduction         *reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 5, PETSC_FALSE);
  const PetscReal    force[6]  = {3, -1, 2, 5, -4, 0.5};
  PetscReal         *u, *reduced, *boundary_force;
  const PetscScalar *expanded;
  PetscInt           first, end;
  Vec                motion, forces;

  (void)state;
  CheckDone(reduction);
  assert_ok(PetscCalloc3(dense.n, &u, reduction->size, &reduced, reduction->size, &boundary_force));
  DenseProduct("T", dense.n, dense.m, 1, dense.R, force, u);
  assert_ok(MatCreateVecs(structure.continuum.K, &motion, &forces));
  assert_ok(VecGetOwnershipRange(motion, &first, &end));
  for (PetscInt i = first; i < end; i++) assert_ok(VecSetValue(forces, i, u[i], INSERT_VALUES));
  assert_ok(VecAssemblyBegin(forces));
  assert_ok(VecAssemblyEnd(forces));
  assert_ok(ReductionProject(reduction, forces, boundary_force));
  for (PetscInt i = 0; i < reduction->size; i++) assert_near(boundary_force[i], i < 6 ? force[i] : 0.0, 1e-11);
  DenseSolve(dense.n, dense.K, 1, u);
  assert_ok(PetscArraycpy(reduced, boundary_force, reduction->size));
  DenseSolve(reduction->size, reduction->K, 1, reduced);
  assert_ok(ReductionExpand(reduction, reduced, motion));
  assert_ok(VecGetArrayRead(motion, &expanded));
  for (PetscInt i = first; i < end; i++) assert_near(expanded[i - first], u[i], 1e-11 * LargestOf(u, dense.n));
  assert_ok(VecRestoreArrayRead(motion, &expanded));
  assert_ok(VecDestroy(&motion));
  assert_ok(VecDestroy(&forces));
  assert_ok(PetscFree3(u, reduced, boundary_force));
  assert_ok(ReductionDestroy(&reduction));
  StructureDestroy(&structure);
  DenseDestroy(&dense);
  LatticeDestroy(&lattice);
}

/* Moved as a rigid body: the whole follows, without force, and with the mass of the whole. */
static void rigid_motions_are_reproduced(void **state)
{
  Lattice         lattice   = TwoBoxes();
  Dense           dense     = DenseNew(&lattice);
  Reduction      *reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 8, PETSC_FALSE);
  const PetscInt  n = dense.n, m = dense.m, size = reduction->size;
  const PetscReal origin[3] = {0};
  PetscReal      *rigid, *reduced, *force, mass[36], reduced_mass[36];
  PetscInt        first, end;

  (void)state;
  CheckDone(reduction);
  assert_ok(PetscCalloc3(6 * n, &rigid, 6 * size, &reduced, 6 * size, &force));
  for (PetscInt i = 0; i < n; i++) {
    PetscReal motion[6];

    RigidMotions(lattice.x[i / 3], origin, i % 3, motion);
    for (PetscInt d = 0; d < 6; d++) {
      rigid[d * n + i] = motion[d];
      for (PetscInt j = 0; j < m; j++) reduced[d * size + j] += dense.R[i * m + j] * motion[d];
    }
  }
  for (PetscInt d = 0; d < 6; d++) {
    const PetscScalar *moved;
    Vec                u;

    assert_ok(MatCreateVecs(reduction->basis, NULL, &u));
    assert_ok(ReductionExpand(reduction, reduced + d * size, u));
    assert_ok(VecGetOwnershipRange(u, &first, &end));
    assert_ok(VecGetArrayRead(u, &moved));
    for (PetscInt i = first; i < end; i++) assert_near(moved[i - first], rigid[d * n + i], 1e-11 * LargestOf(rigid + d * n, n));
    assert_ok(VecRestoreArrayRead(u, &moved));
    assert_ok(VecDestroy(&u));
  }
  DenseProduct("N", size, size, 6, reduction->K, reduced, force);
  assert_near(LargestOf(force, 6 * size), 0.0, 1e-11 * LargestOf(reduction->K, size * size));
  DenseProject(n, 6, dense.M, rigid, mass);
  DenseProject(size, 6, reduction->M, reduced, reduced_mass);
  CheckArrays(reduced_mass, mass, 36, 1e-12);
  assert_ok(PetscFree3(rigid, reduced, force));
  assert_ok(ReductionDestroy(&reduction));
  DenseDestroy(&dense);
  LatticeDestroy(&lattice);
}

/* T^T A T is the same for K as what the multipliers gave. */
static void the_projected_stiffness_is_that_of_the_multipliers(void **state)
{
  Lattice        lattice   = TwoBoxes();
  Structure      structure = StructureNew(&lattice, PETSC_COMM_WORLD, MATSBAIJ);
  Reduction     *reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATSBAIJ, 60, PETSC_FALSE);
  const PetscInt size      = reduction->size;
  PetscReal     *projected;

  (void)state;
  CheckDone(reduction);
  assert_true(size > 64); /* more than one batch */
  assert_ok(PetscMalloc1(size * size, &projected));
  assert_ok(ReductionProjectMatrix(reduction, structure.continuum.K, projected));
  CheckMatrix(reduction, projected, reduction->K, 1e-9);
  assert_ok(PetscFree(projected));
  assert_ok(ReductionDestroy(&reduction));
  StructureDestroy(&structure);
  LatticeDestroy(&lattice);
}

/* Spread over the ranks, and whole on each. Measured: 7e-13 at most. */
static void ranks_do_not_matter(void **state)
{
  Lattice    lattice = LargeBoxes();
  Reduction *spread, *alone;

  (void)state;
  spread = Reduce(&lattice, PETSC_COMM_WORLD, MATSBAIJ, 12, PETSC_TRUE);
  alone  = Reduce(&lattice, PETSC_COMM_SELF, MATAIJ, 12, PETSC_TRUE);
  CheckDone(spread);
  CheckDone(alone);
  for (PetscInt k = 0; k < 12; k++) assert_close(spread->omega[k], alone->omega[k], 1e-11);
  CheckMatrix(alone, spread->K, alone->K, 1e-11);
  CheckMatrix(alone, spread->M, alone->M, 1e-11);
  assert_ok(ReductionDestroy(&spread));
  assert_ok(ReductionDestroy(&alone));
  LatticeDestroy(&lattice);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(all_modes_kept_give_the_frequencies_of_the_whole),
  cmocka_unit_test(frequencies_converge_from_above),
  cmocka_unit_test(matrices_equal_those_of_dense_algebra),
  cmocka_unit_test(guyan_keeps_no_modes),
  cmocka_unit_test(more_kept_motions_than_one_batch),
  cmocka_unit_test(patches_that_overlap_work_when_their_motions_are_independent),
  cmocka_unit_test(a_structure_on_supports_needs_no_boundary),
  cmocka_unit_test(static_deflections_are_exact),
  cmocka_unit_test(rigid_motions_are_reproduced),
  cmocka_unit_test(the_projected_stiffness_is_that_of_the_multipliers),
  cmocka_unit_test(ranks_do_not_matter),
};

CHECK_MAIN_WITH_SLEPC(tests)
