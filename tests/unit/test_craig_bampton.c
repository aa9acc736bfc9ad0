/* test_craig_bampton.c - reductions against dense algebra, and every fault by its name. [ranks: 1 2 3] */
#include "lattice.h"

static const PetscInt long_box[3] = {5, 3, 2}, short_box[3] = {3, 2, 3};

/* Nodes (i, j, k) of a box with i in [from, to]. */
static PetscInt Slice(PetscInt first, const PetscInt n[3], PetscInt from, PetscInt to, PetscInt nodes[])
{
  const PetscInt layer = n[1] * n[2];

  for (PetscInt i = from * layer; i < (to + 1) * layer; i++) nodes[i - from * layer] = first + i;
  return (to + 1 - from) * layer;
}

static void KeepSlice(Lattice *lattice, PetscInt first, const PetscInt n[3], PetscInt from, PetscInt to)
{
  PetscInt nodes[MAX_NODES];

  KeepPatch(lattice, Slice(first, n, from, to, nodes), nodes);
}

/* Two boxes that float, a patch on each and a node on the first. */
static Lattice TwoBoxes(void)
{
  Lattice        lattice = LatticeNew();
  const PetscInt one = AddBox(&lattice, long_box, 0.0, PETSC_FALSE), two = AddBox(&lattice, short_box, 10.0, PETSC_FALSE);

  KeepSlice(&lattice, one, long_box, 0, 0);
  KeepSlice(&lattice, two, short_box, 1, 2);
  KeepNode(&lattice, one + 14);
  return lattice;
}

/* Thousands of unknowns, with patches that overlap. */
static Lattice LargeBoxes(void)
{
  const PetscInt large[3] = {21, 7, 6}, wide[3] = {11, 9, 5};
  Lattice        lattice = LatticeNew();
  const PetscInt one = AddBox(&lattice, large, 0.0, PETSC_FALSE), two = AddBox(&lattice, wide, 30.0, PETSC_FALSE);

  KeepSlice(&lattice, one, large, 20, 20);
  KeepSlice(&lattice, one, large, 18, 20);
  KeepSlice(&lattice, two, wide, 0, 0);
  KeepNode(&lattice, one + 3);
  return lattice;
}

/* One box on the ground, a patch at its end. */
static Lattice Cantilever(void)
{
  Lattice lattice = LatticeNew();

  AddBox(&lattice, long_box, 1.0, PETSC_TRUE);
  KeepSlice(&lattice, 0, long_box, 4, 4);
  return lattice;
}

static PetscReal LargestOf(const PetscReal numbers[], PetscInt count)
{
  PetscReal largest = 0.0;

  for (PetscInt i = 0; i < count; i++) largest = fmax(largest, fabs(numbers[i]));
  return largest;
}

static void CheckArrays(const PetscReal actual[], const PetscReal expected[], PetscInt count, PetscReal tolerance)
{
  const PetscReal scale = LargestOf(expected, count);

  for (PetscInt i = 0; i < count; i++) assert_near(actual[i], expected[i], tolerance * scale);
}

static void CheckDone(const Reduction *reduction)
{
  assert_int_equal(reduction->fault.reason, REDUCTION_DONE);
  assert_true(reduction->error < 1e-9); /* 1e-10 with all modes of a structure, else 1e-14 */
}

/* A fault, with as much of it as is asked for: -1 does not ask. */
static void CheckFault(const Lattice *lattice, PetscInt num_modes, PetscBool prove, ReductionReason reason, PetscInt row, PetscInt part,
                       PetscInt count)
{
  Reduction *reduction = Reduce(lattice, PETSC_COMM_WORLD, MATAIJ, num_modes, prove);

  assert_int_equal(reduction->fault.reason, reason);
  if (row >= 0) assert_int_equal(reduction->fault.row, row);
  if (part >= 0) assert_int_equal(reduction->fault.part, part);
  if (count >= 0) assert_int_equal(reduction->fault.count, count);
  assert_ok(ReductionDestroy(&reduction));
}

/* The reduction must have the eigenvalues of the whole: with equality for all modes, from above for fewer. */
static void CheckAllModes(const Lattice *lattice, PetscInt num_rigid)
{
  Dense          dense     = DenseNew(lattice);
  Reduction     *reduction = Reduce(lattice, PETSC_COMM_WORLD, MATAIJ, dense.n, PETSC_TRUE);
  const PetscInt n         = dense.n;
  PetscReal     *whole, *reduced;

  CheckDone(reduction);
  assert_int_equal(reduction->num_modes, n - dense.m);
  assert_int_equal(reduction->size, n);
  assert_ok(PetscMalloc2(n, &whole, n, &reduced));
  DenseModes(n, dense.K, dense.M, whole, NULL);
  DenseModes(n, reduction->K, reduction->M, reduced, NULL);
  for (PetscInt k = 0; k < num_rigid; k++) assert_near(reduced[k], 0.0, 1e-12 * whole[n - 1]);
  for (PetscInt k = num_rigid; k < n; k++) assert_close(reduced[k], whole[k], 1e-10);
  assert_true(whole[num_rigid] > 1e-5 * whole[n - 1]);
  assert_ok(PetscFree2(whole, reduced));
  assert_ok(ReductionDestroy(&reduction));
  DenseDestroy(&dense);
}

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
      assert_true(reduced[i] >= whole[i] * (1.0 - 1e-12));
      assert_true(reduced[i] <= before[i] * (1.0 + 1e-12));
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

/* Matrices of one reduction. A diagonal of the boundary may be zero, where a body can float; then the others say what is small. */
static void CheckMatrix(const Reduction *reduction, const PetscReal actual[], const PetscReal expected[], PetscReal tolerance)
{
  const PetscInt m = reduction->num_boundary, size = reduction->size;
  PetscReal      largest = 0.0, scale[2];

  for (PetscInt i = 0; i < m; i++) largest = fmax(largest, expected[i * size + i]);
  for (PetscInt i = 0; i < size; i++)
    for (PetscInt j = 0; j < size; j++) {
      scale[0] = i < m ? largest : expected[i * size + i];
      scale[1] = j < m ? largest : expected[j * size + j];
      assert_near(actual[i * size + j], expected[i * size + j], tolerance * sqrt(scale[0] * scale[1]));
    }
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
  assert_ok(MatCreateVecs(structure.model.K, &motion, &forces));
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
  assert_ok(ReductionProjectMatrix(reduction, structure.model.K, projected));
  CheckMatrix(reduction, projected, reduction->K, 1e-9);
  assert_ok(PetscFree(projected));
  assert_ok(ReductionDestroy(&reduction));
  StructureDestroy(&structure);
  LatticeDestroy(&lattice);
}

/* Spread over the ranks, and whole on each. */
static void ranks_do_not_matter(void **state)
{
  Lattice    lattice = LargeBoxes();
  Reduction *spread, *alone;

  (void)state;
  spread = Reduce(&lattice, PETSC_COMM_WORLD, MATSBAIJ, 12, PETSC_TRUE);
  alone  = Reduce(&lattice, PETSC_COMM_SELF, MATAIJ, 12, PETSC_TRUE);
  CheckDone(spread);
  CheckDone(alone);
  for (PetscInt k = 0; k < 12; k++) assert_close(spread->omega[k], alone->omega[k], 1e-10);
  CheckMatrix(alone, spread->K, alone->K, 1e-9);
  CheckMatrix(alone, spread->M, alone->M, 1e-9);
  assert_ok(ReductionDestroy(&spread));
  assert_ok(ReductionDestroy(&alone));
  LatticeDestroy(&lattice);
}

static void a_part_that_floats_free_is_named(void **state)
{
  Lattice        nothing = LatticeNew(), sliding = LatticeNew(), common = LatticeNew();
  const PetscInt one = AddBox(&nothing, long_box, 0.0, PETSC_FALSE);
  PetscInt       nodes[MAX_NODES], num;

  (void)state;
  AddBox(&nothing, short_box, 10.0, PETSC_FALSE);
  KeepSlice(&nothing, one, long_box, 0, 0);
  CheckFault(&nothing, 4, PETSC_FALSE, REDUCTION_FREE_PART, -1, 1, 6);
  LatticeDestroy(&nothing);

  AddBox(&sliding, long_box, 0.0, PETSC_TRUE); /* on supports; the other only by one node */
  KeepNode(&sliding, AddBox(&sliding, short_box, 10.0, PETSC_FALSE));
  CheckFault(&sliding, 4, PETSC_FALSE, REDUCTION_FREE_PART, -1, 1, 3);
  LatticeDestroy(&sliding);

  AddBox(&common, long_box, 0.0, PETSC_FALSE); /* one patch on both: they can still move against each other */
  num = Slice(AddBox(&common, short_box, 10.0, PETSC_FALSE), short_box, 0, 0, nodes);
  num += Slice(0, long_box, 4, 4, nodes + num);
  KeepPatch(&common, num, nodes);
  CheckFault(&common, 4, PETSC_FALSE, REDUCTION_FREE_PART, -1, -1, 6);
  LatticeDestroy(&common);
}

/* Two nodes kept: it turns about the line through them, here parallel to z through x = 10, y = 1. */
static void the_free_motion_is_told(void **state)
{
  const PetscReal expected[6] = {1, -10, 0, 0, 0, 1};
  Lattice         lattice     = LatticeNew();
  const PetscInt  first       = AddBox(&lattice, short_box, 10.0, PETSC_FALSE);
  Reduction      *reduction;

  (void)state;
  KeepNode(&lattice, first + 3);
  KeepNode(&lattice, first + 5);
  CheckFault(&lattice, 4, PETSC_FALSE, REDUCTION_FREE_PART, -1, 0, 1);
  reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 4, PETSC_FALSE);
  for (PetscInt d = 0; d < 6; d++) assert_near(reduction->fault.motion[d] * -10.0, expected[d], 1e-9);
  assert_ok(ReductionDestroy(&reduction));
  LatticeDestroy(&lattice);
}

/* A spring between two bodies holds the one by the other. */
static void springs_between_parts_hold(void **state)
{
  Lattice        lattice = LatticeNew();
  const PetscInt one = AddBox(&lattice, long_box, 0.0, PETSC_TRUE), two = AddBox(&lattice, short_box, 10.0, PETSC_FALSE);

  (void)state;
  KeepNode(&lattice, one + 14);
  for (PetscInt i = 0; i < 5; i++) {
    PetscReal along[3];

    for (PetscInt c = 0; c < 3; c++) along[c] = AroundOne(&lattice) - (c == 0 ? 0.0 : 1.0);
    AddBar(&lattice, one + 29 - i, two + i, along, 1e3);
  }
  CheckFault(&lattice, 4, PETSC_FALSE, REDUCTION_FREE_PART, -1, 1, 1); /* five bars leave one motion */
  AddBar(&lattice, one + 20, two + 8, (const PetscReal[3]){0.2, 1, -0.4}, 1e3);
  CheckAllModes(&lattice, 0);
  LatticeDestroy(&lattice);
}

static void a_row_that_depends_on_others_is_named(void **state)
{
  Lattice        lattice = TwoBoxes();
  Reduction     *reduction;
  const PetscInt repeated = lattice.num_rows;

  (void)state;
  AddEntry(&lattice, repeated, 0, 1.0); /* independent of the patch that it is part of */
  KeepSlice(&lattice, 30, short_box, 1, 2);
  reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 4, PETSC_FALSE);
  assert_int_equal(reduction->fault.reason, REDUCTION_DEPENDENT_ROW);
  assert_int_equal(reduction->fault.row, repeated + 1);
  assert_int_equal(reduction->fault.other_row, 6);
  assert_ok(ReductionDestroy(&reduction));
  LatticeDestroy(&lattice);
}

/* One unknown, and the same with a trace of another: the sine of the angle between both is that trace. */
static void rows_that_nearly_depend_are_told_from_those_that_do_not(void **state)
{
  Lattice        nearly = TwoBoxes(), enough = TwoBoxes();
  const PetscInt added = nearly.num_rows;

  (void)state;
  AddEntry(&nearly, added, 40, 1.0);
  AddEntry(&nearly, added + 1, 40, 1.0);
  AddEntry(&nearly, added + 1, 41, 3e-5);
  CheckFault(&nearly, 4, PETSC_FALSE, REDUCTION_DEPENDENT_ROW, added + 1, -1, -1);
  AddEntry(&enough, added, 40, 1.0);
  AddEntry(&enough, added + 1, 40, 1.0);
  AddEntry(&enough, added + 1, 41, 1e-3);
  CheckFault(&enough, 4, PETSC_FALSE, REDUCTION_DONE, -1, -1, -1);
  LatticeDestroy(&nearly);
  LatticeDestroy(&enough);
}

static void a_sum_of_rows_and_an_empty_row_are_named(void **state)
{
  Lattice        sum = TwoBoxes(), empty = TwoBoxes();
  const PetscInt added = sum.num_rows, num_entries = sum.num_entries;

  (void)state;
  for (PetscInt e = 0; e < num_entries; e++) {
    if (sum.entries[e].row == 2) AddEntry(&sum, added, sum.entries[e].unknown, sum.entries[e].weight);
    if (sum.entries[e].row == 4) AddEntry(&sum, added, sum.entries[e].unknown, -0.3 * sum.entries[e].weight);
  }
  CheckFault(&sum, 4, PETSC_FALSE, REDUCTION_DEPENDENT_ROW, added, -1, -1);
  AddEntry(&empty, added, 0, 0.0);
  CheckFault(&empty, 4, PETSC_FALSE, REDUCTION_EMPTY_ROW, added, -1, -1);
  LatticeDestroy(&sum);
  LatticeDestroy(&empty);
}

/* A node without mass has no modes of its own; a trace of mass instead changes next to nothing. */
static void nodes_without_mass_do_no_harm(void **state)
{
  Lattice    lattice = Cantilever();
  Reduction *light, *without;

  (void)state;
  for (PetscInt b = 0; b < lattice.num_bars; b++)
    if (lattice.bars[b].ends[0] == 14 || lattice.bars[b].ends[1] == 14) lattice.bars[b].mass = 1e-9;
  light = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 12, PETSC_TRUE);
  for (PetscInt b = 0; b < lattice.num_bars; b++)
    if (lattice.bars[b].mass == 1e-9) lattice.bars[b].mass = 0.0;
  without = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 12, PETSC_TRUE);
  CheckDone(light);
  CheckDone(without);
  for (PetscInt k = 0; k < 12; k++) assert_close(without->omega[k], light->omega[k], 1e-7);
  CheckMatrix(light, without->M, light->M, 1e-6);
  assert_ok(ReductionDestroy(&light));
  assert_ok(ReductionDestroy(&without));
  LatticeDestroy(&lattice);
}

/* A node that hangs on one bar swings in two directions, one of negative stiffness runs away. */
static void mechanisms_and_negative_stiffness_are_found(void **state)
{
  const PetscReal along[3] = {1, 0.2, 0.1};
  Lattice         hanging = Cantilever(), negative = Cantilever();

  (void)state;
  AddBar(&hanging, 29, AddNode(&hanging, 0, 8, 1, 1), along, 1e4);
  CheckFault(&hanging, 4, PETSC_FALSE, REDUCTION_SINGULAR, -1, -1, 2);
  AddBar(&negative, 7, -1, along, -1e6);
  CheckFault(&negative, 4, PETSC_FALSE, REDUCTION_INDEFINITE, -1, -1, 1);
  LatticeDestroy(&hanging);
  LatticeDestroy(&negative);
}

/* A solver that looks for the highest modes misses the lowest, and does not know. */
static void the_inertia_proves_that_no_mode_was_missed(void **state)
{
  Lattice    lattice = Cantilever();
  Reduction *reduction;

  (void)state;
  assert_ok(PetscOptionsSetValue(NULL, "-reduction_eps_target", "1e5"));
  assert_ok(PetscOptionsSetValue(NULL, "-reduction_st_shift", "0"));
  assert_ok(PetscOptionsSetValue(NULL, "-reduction_eps_ncv", "60"));
  reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 4, PETSC_FALSE);
  CheckDone(reduction);
  assert_ok(ReductionDestroy(&reduction));
  CheckFault(&lattice, 4, PETSC_TRUE, REDUCTION_MISSED_MODES, -1, -1, -1);
  assert_ok(PetscOptionsClearValue(NULL, "-reduction_eps_target"));
  assert_ok(PetscOptionsClearValue(NULL, "-reduction_st_shift"));
  assert_ok(PetscOptionsClearValue(NULL, "-reduction_eps_ncv"));
  assert_ok(PetscOptionsSetValue(NULL, "-reduction_eps_max_it", "1"));
  assert_ok(PetscOptionsSetValue(NULL, "-reduction_eps_ncv", "6"));
  CheckFault(&lattice, 4, PETSC_FALSE, REDUCTION_NOT_CONVERGED, -1, -1, -1);
  assert_ok(PetscOptionsClearValue(NULL, "-reduction_eps_max_it"));
  assert_ok(PetscOptionsClearValue(NULL, "-reduction_eps_ncv"));
  CheckFault(&lattice, 4, PETSC_TRUE, REDUCTION_DONE, -1, -1, -1);
  LatticeDestroy(&lattice);
}

static void what_it_costs_is_told_without_factoring(void **state)
{
  const ReductionOptions options   = {10, PETSC_FALSE};
  Lattice                lattice   = LargeBoxes();
  Structure              structure = StructureNew(&lattice, PETSC_COMM_WORLD, MATSBAIJ);
  const PetscInt         n         = 3 * lattice.num_nodes;
  ReductionFault         fault;
  ReductionCost          cost;

  (void)state;
  assert_ok(ReductionEstimate(&structure.model, &options, &fault, &cost));
  assert_int_equal(fault.reason, REDUCTION_DONE);
  assert_int_equal(cost.num_unknowns, n);
  assert_int_equal(cost.size, lattice.num_rows + 10);
  assert_near(cost.basis_memory, 8.0 * (PetscReal)(n * cost.size), 0.0);
  assert_true(cost.factor_entries > (PetscReal)n && cost.factor_entries < (PetscReal)(n * n));
  assert_true(cost.factor_memory >= 8.0 * cost.factor_entries);
  StructureDestroy(&structure);
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
  cmocka_unit_test(a_part_that_floats_free_is_named),
  cmocka_unit_test(the_free_motion_is_told),
  cmocka_unit_test(springs_between_parts_hold),
  cmocka_unit_test(a_row_that_depends_on_others_is_named),
  cmocka_unit_test(rows_that_nearly_depend_are_told_from_those_that_do_not),
  cmocka_unit_test(a_sum_of_rows_and_an_empty_row_are_named),
  cmocka_unit_test(nodes_without_mass_do_no_harm),
  cmocka_unit_test(mechanisms_and_negative_stiffness_are_found),
  cmocka_unit_test(the_inertia_proves_that_no_mode_was_missed),
  cmocka_unit_test(what_it_costs_is_told_without_factoring),
};

LATTICE_MAIN(tests)
