/* test_craig_bampton_faults.c - what cannot be reduced, every fault by its name, and what it would cost. [ranks: 1 2 3] */
#include "boxes.h"

/* A fault, with as much of it as is asked for: -1 does not ask. */
static void CheckFault(const Lattice *lattice, PetscInt num_modes, PetscBool prove, ContinuumReason reason, PetscInt row, PetscInt body,
                       PetscInt count)
{
  Reduction *reduction = Reduce(lattice, PETSC_COMM_WORLD, MATAIJ, num_modes, prove);

  assert_int_equal(reduction->fault.reason, reason);
  if (row >= 0) assert_int_equal(reduction->fault.row, row);
  if (body >= 0) assert_int_equal(reduction->fault.body, body);
  if (count >= 0) assert_int_equal(reduction->fault.count, count);
  assert_ok(ReductionDestroy(&reduction));
}

static void a_body_that_floats_free_is_named(void **state)
{
  Lattice        nothing = LatticeNew(), sliding = LatticeNew(), common = LatticeNew();
  const PetscInt one = AddBox(&nothing, long_box, 0.0, PETSC_FALSE);
  PetscInt       nodes[MAX_NODES], num;

  (void)state;
  AddBox(&nothing, short_box, 10.0, PETSC_FALSE);
  KeepSlice(&nothing, one, long_box, 0, 0);
  CheckFault(&nothing, 4, PETSC_FALSE, CONTINUUM_FREE_BODY, -1, 1, 6);
  LatticeDestroy(&nothing);

  AddBox(&sliding, long_box, 0.0, PETSC_TRUE); /* on supports; the other only by one node */
  KeepNode(&sliding, AddBox(&sliding, short_box, 10.0, PETSC_FALSE));
  CheckFault(&sliding, 4, PETSC_FALSE, CONTINUUM_FREE_BODY, -1, 1, 3);
  LatticeDestroy(&sliding);

  AddBox(&common, long_box, 0.0, PETSC_FALSE); /* one patch on both: they can still move against each other */
  num = Slice(AddBox(&common, short_box, 10.0, PETSC_FALSE), short_box, 0, 0, nodes);
  num += Slice(0, long_box, 4, 4, nodes + num);
  KeepPatch(&common, num, nodes);
  CheckFault(&common, 4, PETSC_FALSE, CONTINUUM_FREE_BODY, -1, -1, 6);
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
  CheckFault(&lattice, 4, PETSC_FALSE, CONTINUUM_FREE_BODY, -1, 0, 1);
  reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 4, PETSC_FALSE);
  for (PetscInt d = 0; d < 6; d++) assert_near(reduction->fault.motion[d] * -10.0, expected[d], 1e-9);
  assert_ok(ReductionDestroy(&reduction));
  LatticeDestroy(&lattice);
}

/* A spring between two bodies holds the one by the other. */
static void springs_between_bodies_hold(void **state)
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
  CheckFault(&lattice, 4, PETSC_FALSE, CONTINUUM_FREE_BODY, -1, 1, 1); /* five bars leave one motion */
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
  assert_int_equal(reduction->fault.reason, CONTINUUM_DEPENDENT_ROW);
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
  CheckFault(&nearly, 4, PETSC_FALSE, CONTINUUM_DEPENDENT_ROW, added + 1, -1, -1);
  AddEntry(&enough, added, 40, 1.0);
  AddEntry(&enough, added + 1, 40, 1.0);
  AddEntry(&enough, added + 1, 41, 1e-3);
  CheckFault(&enough, 4, PETSC_FALSE, CONTINUUM_FINE, -1, -1, -1);
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
  CheckFault(&sum, 4, PETSC_FALSE, CONTINUUM_DEPENDENT_ROW, added, -1, -1);
  AddEntry(&empty, added, 0, 0.0);
  CheckFault(&empty, 4, PETSC_FALSE, CONTINUUM_EMPTY_ROW, added, -1, -1);
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
  CheckFault(&hanging, 4, PETSC_FALSE, CONTINUUM_SINGULAR, -1, -1, 2);
  AddBar(&negative, 7, -1, along, -1e6);
  CheckFault(&negative, 4, PETSC_FALSE, CONTINUUM_INDEFINITE, -1, -1, 1);
  LatticeDestroy(&hanging);
  LatticeDestroy(&negative);
}

enum { COPIES = 9 /* more than a block of vectors is wide */ };

/* The same box again and again. */
static Lattice Copies(void)
{
  Lattice        lattice = LatticeNew();
  const uint64_t seed    = lattice.seed;

  for (PetscInt i = 0; i < COPIES; i++) {
    lattice.seed = seed;
    AddBox(&lattice, long_box, 0.0, PETSC_TRUE);
  }
  return lattice;
}

static void all_copies_of_a_mode_are_found(void **state)
{
  Lattice    lattice = Copies();
  Reduction *reduction;

  (void)state;
  reduction = Reduce(&lattice, PETSC_COMM_WORLD, MATAIJ, 2 * COPIES, PETSC_TRUE);
  CheckDone(reduction);
  for (PetscInt k = 0; k < 2 * COPIES; k++) assert_close(reduction->omega[k], reduction->omega[k / COPIES * COPIES], 1e-9);
  assert_true(reduction->omega[COPIES] > 1.01 * reduction->omega[0]);
  assert_ok(ReductionDestroy(&reduction));
  LatticeDestroy(&lattice);
}

/* Broken off too early, the search has only as many copies as a block is wide, and does not know. */
static void the_inertia_proves_that_no_mode_was_missed(void **state)
{
  Lattice lattice = Copies();

  (void)state;
  assert_ok(PetscOptionsSetValue(NULL, "-continuum_krylov_longest", "36"));
  CheckFault(&lattice, 5, PETSC_FALSE, CONTINUUM_FINE, -1, -1, -1);
  CheckFault(&lattice, 5, PETSC_TRUE, CONTINUUM_MISSED_MODES, -1, -1, -1);
  assert_ok(PetscOptionsSetValue(NULL, "-continuum_krylov_longest", "4"));
  CheckFault(&lattice, 5, PETSC_FALSE, CONTINUUM_NOT_CONVERGED, -1, -1, -1);
  assert_ok(PetscOptionsClearValue(NULL, "-continuum_krylov_longest"));
  CheckFault(&lattice, 5, PETSC_TRUE, CONTINUUM_FINE, -1, -1, -1);
  LatticeDestroy(&lattice);
}

static void what_it_costs_is_told_without_factoring(void **state)
{
  const ReductionOptions options   = {10, PETSC_FALSE};
  Lattice                lattice   = LargeBoxes();
  Structure              structure = StructureNew(&lattice, PETSC_COMM_WORLD, MATSBAIJ);
  const PetscInt         n         = 3 * lattice.num_nodes;
  ContinuumFault         fault;
  ContinuumCost          cost;

  (void)state;
  assert_ok(ReductionEstimate(&structure.continuum, &options, &fault, &cost));
  assert_int_equal(fault.reason, CONTINUUM_FINE);
  assert_int_equal(cost.num_unknowns, n);
  assert_int_equal(cost.size, lattice.num_rows + 10);
  assert_near(cost.basis_memory, 8.0 * (PetscReal)(n * cost.size), 0.0);
  assert_true(cost.factor_entries > (PetscReal)n && cost.factor_entries < (PetscReal)(n * n));
  assert_true(cost.factor_memory >= 8.0 * cost.factor_entries);
  assert_true(cost.seconds > 0.0 && cost.seconds < 1.0);
  StructureDestroy(&structure);
  LatticeDestroy(&lattice);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test(a_body_that_floats_free_is_named),
  cmocka_unit_test(the_free_motion_is_told),
  cmocka_unit_test(springs_between_bodies_hold),
  cmocka_unit_test(a_row_that_depends_on_others_is_named),
  cmocka_unit_test(rows_that_nearly_depend_are_told_from_those_that_do_not),
  cmocka_unit_test(a_sum_of_rows_and_an_empty_row_are_named),
  cmocka_unit_test(nodes_without_mass_do_no_harm),
  cmocka_unit_test(mechanisms_and_negative_stiffness_are_found),
  cmocka_unit_test(the_inertia_proves_that_no_mode_was_missed),
  cmocka_unit_test(all_copies_of_a_mode_are_found),
  cmocka_unit_test(what_it_costs_is_told_without_factoring),
};

CHECK_MAIN_WITH_SLEPC(tests)
