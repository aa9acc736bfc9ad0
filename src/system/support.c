/*
  support.c - moving supports: unknowns that leave the equation of motion, as their motion is known.

  Their columns of M, C, K0 and of the rows of B and T stay with them; what is left is the structure with these points held.
*/
#include "system.h"
#include "draft.h"

static PetscErrorCode CreateSupport(const System *system, PetscInt kept, PetscInt count, SystemSupport *support)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc3(kept, &support->stiffness, kept, &support->damping, kept, &support->mass));
  PetscCall(PetscCalloc3(count, &support->own_stiffness, count, &support->own_damping, count, &support->own_mass));
  PetscCall(PetscCalloc1(SystemNumPlaces(system), &support->place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemSupportsDestroy(System *system)
{
  PetscFunctionBegin;
  for (PetscInt s = 0; s < system->names.num_supports && system->supports; s++) {
    SystemSupport *const support = &system->supports[s];

    PetscCall(PetscFree3(support->stiffness, support->damping, support->mass));
    PetscCall(PetscFree3(support->own_stiffness, support->own_damping, support->own_mass));
    PetscCall(PetscFree(support->place));
  }
  PetscCall(PetscFree(system->supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Row r of a symmetric matrix, which may be NULL: its part on the unknowns that are kept, and that on supports. */
static PetscErrorCode TakeRow(Mat matrix, PetscInt r, PetscInt kept, PetscReal on_kept[], PetscReal on_supports[])
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  if (!matrix) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetRow(matrix, r, &count, &column, &value));
  for (PetscInt k = 0; k < count; k++) {
    if (column[k] < kept) on_kept[column[k]] = value[k];
    else on_supports[column[k] - kept] = value[k];
  }
  PetscCall(MatRestoreRow(matrix, r, &count, &column, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What places move by under a unit of a support. */
static PetscErrorCode TakePlaces(const System *system, PetscInt unknown, PetscReal place[])
{
  PetscReal *unit;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(system->num_unknowns, &unit));
  unit[unknown] = 1.0;
  PetscCall(SystemMovePlaces(system, unit, place));
  PetscCall(PetscFree(unit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeSupports(System *system, PetscInt kept, PetscInt count)
{
  Mat K0;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, JOINT_STUCK, &K0));
  PetscCall(PetscCalloc1(count, &system->supports));
  for (PetscInt s = 0; s < count; s++) {
    SystemSupport *const support = &system->supports[s];

    PetscCall(CreateSupport(system, kept, count, support));
    PetscCall(TakeRow(K0, kept + s, kept, support->stiffness, support->own_stiffness));
    PetscCall(TakeRow(system->C, kept + s, kept, support->damping, support->own_damping));
    PetscCall(TakeRow(system->M, kept + s, kept, support->mass, support->own_mass));
    PetscCall(TakePlaces(system, kept + s, support->place));
  }
  PetscCall(MatDestroy(&K0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first columns of a matrix, and of a square one the first rows. */
static PetscErrorCode KeepColumns(Mat *matrix, PetscInt kept, PetscBool square)
{
  PetscInt num_rows;
  IS       rows, columns;
  Mat      part;

  PetscFunctionBegin;
  if (!*matrix) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatGetSize(*matrix, &num_rows, NULL));
  PetscCall(ISCreateStride(PETSC_COMM_SELF, square ? kept : num_rows, 0, 1, &rows));
  PetscCall(ISCreateStride(PETSC_COMM_SELF, kept, 0, 1, &columns));
  PetscCall(MatCreateSubMatrix(*matrix, rows, columns, MAT_INITIAL_MATRIX, &part));
  if (square) PetscCall(MatSetOption(part, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(ISDestroy(&rows));
  PetscCall(ISDestroy(&columns));
  PetscCall(MatDestroy(matrix));
  *matrix = part;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode KeepEntries(Vec *vector, PetscInt kept)
{
  const PetscScalar *from;
  PetscScalar       *to;
  Vec                part;

  PetscFunctionBegin;
  if (!*vector) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, kept, &part));
  PetscCall(VecGetArrayRead(*vector, &from));
  PetscCall(VecGetArrayWrite(part, &to));
  PetscCall(PetscArraycpy(to, from, kept));
  PetscCall(VecRestoreArrayWrite(part, &to));
  PetscCall(VecRestoreArrayRead(*vector, &from));
  PetscCall(VecDestroy(vector));
  *vector = part;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemHold(System *system, PetscInt count)
{
  const PetscInt kept     = system->num_unknowns - count;
  Mat *const     square[] = {&system->M, &system->K, &system->C};

  PetscFunctionBegin;
  PetscCheck(!system->continuum && !SystemIsOnModes(system), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "supports want to be unknowns");
  PetscCall(TakeSupports(system, kept, count));
  for (size_t i = 0; i < sizeof(square) / sizeof(square[0]); i++) PetscCall(KeepColumns(square[i], kept, PETSC_TRUE));
  PetscCall(KeepColumns(&system->B, kept, PETSC_FALSE));
  PetscCall(KeepColumns(&system->T, kept, PETSC_FALSE));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) PetscCall(KeepEntries(&system->base[d], kept));
  for (PetscInt p = 0; p < system->names.num_patterns; p++) PetscCall(KeepEntries(&system->patterns[p].force, kept));
  system->num_unknowns = kept;
  PetscCall(NamesHold(&system->names, count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void SystemAddSupports(const System *system, const PetscReal supports[], PetscInt first, PetscReal motion[])
{
  const PetscInt num_places = SystemNumPlaces(system);

  for (PetscInt s = 0; s < system->names.num_supports; s++)
    for (PetscInt c = first; c < num_places; c++) motion[c] += system->supports[s].place[c] * supports[s];
}
