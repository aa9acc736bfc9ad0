/* meshed_case.h - cases with a mesh, for tests: read, and the static answer of their System to forces. */
#pragma once
#include "../unit/scratch.h"
#include <petscksp.h>
#include "case.h"

/* Written beside the mesh that it names, read, built; the texts follow each other. */
static inline Case *ReadCase(const Scratch *scratch, const char *mesh, const char *parts, const char *rest)
{
  char  path[SCRATCH_LENGTH];
  Case *the_case;
  FILE *file;

  PathIn(scratch, "case.yaml", path);
  if (RankOf(PETSC_COMM_WORLD) == 0) {
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "mesh: %s\n%s%sstudies: [{modes: {}}]\n", mesh, parts, rest);
    assert_int_equal(fclose(file), 0);
  }
  MPI_Barrier(PETSC_COMM_WORLD);
  assert_ok(CaseRead(path, &the_case));
  assert_ok(CaseVerdict(the_case));
  assert_ok(CaseBuild(the_case, PETSC_INFINITY));
  assert_non_null(the_case->system);
  return the_case;
}

/* u = K^-1 f, joints stuck. */
static inline Vec Statics(const System *system, Vec force)
{
  Vec motion;
  Mat K;
  KSP ksp;
  PC  pc;

  assert_ok(SystemStiffness(system, JOINT_STUCK, &K));
  assert_ok(VecDuplicate(force, &motion));
  assert_ok(KSPCreate(PETSC_COMM_SELF, &ksp));
  assert_ok(KSPSetOperators(ksp, K, K));
  assert_ok(KSPSetType(ksp, KSPPREONLY));
  assert_ok(KSPGetPC(ksp, &pc));
  assert_ok(PCSetType(pc, PCLU));
  assert_ok(KSPSolve(ksp, force, motion));
  assert_ok(KSPDestroy(&ksp));
  assert_ok(MatDestroy(&K));
  return motion;
}

/* The motion of a point in a direction, of all unknowns given. */
static inline PetscReal MotionOf(const System *system, Vec unknowns, const char *point, PetscInt direction)
{
  const PetscInt row = NamesFindMotion(&system->names, NamesFindPoint(&system->names, point), direction);
  PetscScalar    value;
  Vec            motions;

  assert_true(row >= 0);
  assert_ok(MatCreateVecs(system->T, NULL, &motions));
  assert_ok(MatMult(system->T, unknowns, motions));
  assert_ok(VecGetValues(motions, 1, &row, &value));
  assert_ok(VecDestroy(&motions));
  return value;
}

/* A unit force or moment on a point. */
static inline Vec UnitForce(const System *system, const char *point, PetscInt direction)
{
  Vec motions, force;

  assert_ok(MatCreateVecs(system->T, &force, &motions));
  assert_ok(VecSetValue(motions, NamesFindMotion(&system->names, NamesFindPoint(&system->names, point), direction), 1.0, INSERT_VALUES));
  assert_ok(VecAssemblyBegin(motions));
  assert_ok(VecAssemblyEnd(motions));
  assert_ok(MatMultTranspose(system->T, motions, force));
  assert_ok(VecDestroy(&motions));
  return force;
}
