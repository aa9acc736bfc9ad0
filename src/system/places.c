/* places.c - where forces act on a System and its motions are seen: rows of joints, motions of points, patterns, directions of the base, bolts,
   reactions of a mesh. */
#include "system.h"
#include "rows.h"

PetscInt SystemPlaceOfMotion(const System *system, PetscInt motion)
{
  return system->names.num_rows + motion;
}

PetscInt SystemPlaceOfPattern(const System *system, PetscInt pattern)
{
  return SystemPlaceOfMotion(system, system->names.num_motions) + pattern;
}

PetscInt SystemPlaceOfBase(const System *system, PetscInt direction)
{
  return SystemPlaceOfPattern(system, system->names.num_patterns) + direction;
}

PetscInt SystemPlaceOfBolt(const System *system, PetscInt bolt)
{
  return SystemPlaceOfBase(system, NUM_DIRECTIONS) + bolt;
}

PetscInt SystemPlaceOfReaction(const System *system, PetscInt reaction)
{
  return SystemPlaceOfBolt(system, system->names.num_bolts) + reaction;
}

PetscInt SystemNumPlaces(const System *system)
{
  return SystemPlaceOfReaction(system, system->num_reactions);
}

static PetscErrorCode AddMatrixRow(Mat matrix, PetscInt r, PetscReal factor, PetscReal force[])
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  PetscCall(MatGetRow(matrix, r, &count, &column, &value));
  for (PetscInt j = 0; j < count; j++) force[column[j]] += factor * value[j];
  PetscCall(MatRestoreRow(matrix, r, &count, &column, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Patterns, directions of the base, bolts and reactions; NULL where nothing moves. */
static Vec VectorOf(const System *system, PetscInt place)
{
  const PetscInt base = SystemPlaceOfBase(system, 0), bolt = SystemPlaceOfBolt(system, 0), reaction = SystemPlaceOfReaction(system, 0);

  if (place >= reaction) return system->reactions[place - reaction].stiffness;
  if (place >= bolt) return system->bolts[place - bolt].force;
  return place < base ? system->patterns[place - SystemPlaceOfPattern(system, 0)].force : system->base[place - base];
}

PetscErrorCode SystemAddPlace(const System *system, PetscInt place, PetscReal factor, PetscReal force[])
{
  const PetscInt     motion = SystemPlaceOfMotion(system, 0);
  const PetscScalar *value;
  Vec                vector;

  PetscFunctionBegin;
  if (place < motion) PetscCall(AddMatrixRow(system->B, place, factor, force));
  else if (place < SystemPlaceOfPattern(system, 0)) PetscCall(AddMatrixRow(system->T, place - motion, factor, force));
  else if ((vector = VectorOf(system, place))) {
    PetscCall(VecGetArrayRead(vector, &value));
    for (PetscInt j = 0; j < system->num_unknowns; j++) force[j] += factor * value[j];
    PetscCall(VecRestoreArrayRead(vector, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of joints and points have few unknowns, or, of a mesh on its modes, all. Vectors of PETSc would take longer to make than the products. */
static PetscErrorCode Multiply(Mat matrix, PetscInt num_rows, const PetscReal u[], PetscReal motion[])
{
  const PetscInt    *column;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < num_rows; r++) {
    PetscCall(MatGetRow(matrix, r, &count, &column, &value));
    motion[r] = 0.0;
    if (count > 0 && column[count - 1] - column[0] == count - 1) motion[r] = RowsTimesOne(count, value, u + column[0]);
    else
      for (PetscInt j = 0; j < count; j++) motion[r] += value[j] * u[column[j]];
    PetscCall(MatRestoreRow(matrix, r, &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemMovePlaces(const System *system, const PetscReal u[], PetscReal motion[])
{
  const PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(Multiply(system->B, system->names.num_rows, u, motion));
  PetscCall(Multiply(system->T, system->names.num_motions, u, motion + SystemPlaceOfMotion(system, 0)));
  for (PetscInt place = SystemPlaceOfPattern(system, 0); place < SystemNumPlaces(system); place++) {
    const Vec vector = VectorOf(system, place);

    motion[place] = 0.0;
    if (!vector) continue;
    PetscCall(VecGetArrayRead(vector, &value));
    motion[place] = RowsTimesOne(system->num_unknowns, value, u);
    PetscCall(VecRestoreArrayRead(vector, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemForcesCreate(const System *system, SystemForces *forces)
{
  PetscFunctionBegin;
  PetscCall(
    PetscCalloc3(SystemNumPlaces(system), &forces->places, system->num_unknowns, &forces->unknowns, system->names.num_supports, &forces->supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemForcesDestroy(SystemForces *forces)
{
  PetscFunctionBegin;
  PetscCall(PetscFree3(forces->places, forces->unknowns, forces->supports));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemForcesMix(const System *system, PetscReal factor, const SystemForces *forces, PetscReal other_factor, SystemForces *other)
{
  const PetscInt num_places = SystemNumPlaces(system);

  PetscFunctionBegin;
  for (PetscInt c = 0; c < num_places; c++) other->places[c] = factor * forces->places[c] + other_factor * other->places[c];
  for (PetscInt j = 0; j < system->num_unknowns; j++) other->unknowns[j] = factor * forces->unknowns[j] + other_factor * other->unknowns[j];
  for (PetscInt s = 0; s < system->names.num_supports; s++) other->supports[s] = factor * forces->supports[s] + other_factor * other->supports[s];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemForcesGather(const System *system, const SystemForces *forces, PetscReal force[])
{
  const PetscInt num_places = SystemNumPlaces(system);

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(force, forces->unknowns, system->num_unknowns));
  for (PetscInt c = 0; c < num_places; c++)
    if (forces->places[c] != 0.0) PetscCall(SystemAddPlace(system, c, forces->places[c], force));
  for (PetscInt s = 0; s < system->names.num_supports; s++)
    for (PetscInt j = 0; forces->supports[s] != 0.0 && j < system->num_unknowns; j++)
      force[j] -= forces->supports[s] * system->supports[s].stiffness[j];
  PetscFunctionReturn(PETSC_SUCCESS);
}
