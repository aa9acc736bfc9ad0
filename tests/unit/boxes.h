/*
  boxes.h - boxes of bars to be reduced, and what is asked of their reductions.
*/
#pragma once
#include "lattice.h"

static const PetscInt long_box[3] = {5, 3, 2}, short_box[3] = {3, 2, 3};

/* Nodes (i, j, k) of a box with i in [from, to]. */
static inline PetscInt Slice(PetscInt first, const PetscInt n[3], PetscInt from, PetscInt to, PetscInt nodes[])
{
  const PetscInt layer = n[1] * n[2];

  for (PetscInt i = from * layer; i < (to + 1) * layer; i++) nodes[i - from * layer] = first + i;
  return (to + 1 - from) * layer;
}

static inline void KeepSlice(Lattice *lattice, PetscInt first, const PetscInt n[3], PetscInt from, PetscInt to)
{
  PetscInt nodes[MAX_NODES];

  KeepPatch(lattice, Slice(first, n, from, to, nodes), nodes);
}

/* Two boxes that float, a patch on each and a node on the first. */
static inline Lattice TwoBoxes(void)
{
  Lattice        lattice = LatticeNew();
  const PetscInt one = AddBox(&lattice, long_box, 0.0, PETSC_FALSE), two = AddBox(&lattice, short_box, 10.0, PETSC_FALSE);

  KeepSlice(&lattice, one, long_box, 0, 0);
  KeepSlice(&lattice, two, short_box, 1, 2);
  KeepNode(&lattice, one + 14);
  return lattice;
}

/* Thousands of unknowns, with patches that overlap. */
static inline Lattice LargeBoxes(void)
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
static inline Lattice Cantilever(void)
{
  Lattice lattice = LatticeNew();

  AddBox(&lattice, long_box, 1.0, PETSC_TRUE);
  KeepSlice(&lattice, 0, long_box, 4, 4);
  return lattice;
}

static inline PetscReal LargestOf(const PetscReal numbers[], PetscInt count)
{
  PetscReal largest = 0.0;

  for (PetscInt i = 0; i < count; i++) largest = fmax(largest, fabs(numbers[i]));
  return largest;
}

static inline void CheckArrays(const PetscReal actual[], const PetscReal expected[], PetscInt count, PetscReal tolerance)
{
  const PetscReal scale = LargestOf(expected, count);

  for (PetscInt i = 0; i < count; i++) assert_near(actual[i], expected[i], tolerance * scale);
}

static inline void CheckDone(const Reduction *reduction)
{
  assert_int_equal(reduction->fault.reason, CONTINUUM_FINE);
  assert_near(reduction->error, 0, 1e-9); /* 1e-10 with all modes of a structure, else 1e-14 */
}

/* The reduction must have the eigenvalues of the whole: with equality for all modes, from above for fewer. */
static inline void CheckAllModes(const Lattice *lattice, PetscInt num_rigid)
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

/* Matrices of one reduction. A diagonal of the boundary may be zero, where a body can float; then the others say what is small. */
static inline void CheckMatrix(const Reduction *reduction, const PetscReal actual[], const PetscReal expected[], PetscReal tolerance)
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
