/* residual.c - a System in the coordinates of its modes, and the static compliance of the modes that are left out. */
#include "draft.h"

/* A sparse matrix of dense rows; the diagonal of a square one is always there, as factorisations want it. */
static PetscErrorCode ToMatrix(PetscInt num_rows, PetscInt num_columns, const PetscReal values[], PetscBool square, Mat *matrix)
{
  PetscFunctionBegin;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, num_rows, num_columns, num_columns, NULL, matrix));
  for (PetscInt i = 0; i < num_rows; i++)
    for (PetscInt j = 0; j < num_columns; j++) {
      const PetscReal value = values[(size_t)i * (size_t)num_columns + (size_t)j];

      if (value != 0.0 || (square && i == j)) PetscCall(MatSetValue(*matrix, i, j, value, INSERT_VALUES));
    }
  PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
  if (square) PetscCall(MatSetOption(*matrix, MAT_SYMMETRIC, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Replace(Mat *matrix, PetscInt num_rows, PetscInt num_columns, const PetscReal values[], PetscBool square)
{
  PetscFunctionBegin;
  PetscCall(MatDestroy(matrix));
  PetscCall(ToMatrix(num_rows, num_columns, values, square, matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A rigid motion that strains no joint moves it by round-off at most: by nothing, so that it stays rigid. */
static void ClearRigid(const System *system, PetscInt count, PetscInt num_rigid, PetscReal motion[])
{
  const PetscReal round_off = 1e-9; /* rigid motions are right to as many digits */

  for (PetscInt r = 0; r < system->names.num_rows; r++) {
    PetscReal *const row     = motion + (size_t)r * (size_t)count;
    PetscReal        largest = 0.0;

    for (PetscInt k = 0; k < count; k++) largest = PetscMax(largest, PetscAbsReal(row[k]));
    for (PetscInt k = 0; k < num_rigid; k++)
      if (PetscAbsReal(row[k]) <= round_off * largest) row[k] = 0.0;
  }
}

/* Nor does one strain any element of a bolt, or at a support: what is there is nothing but round-off. */
static void ClearRigidOfElements(const System *system, PetscInt count, PetscInt num_rigid, PetscReal motion[])
{
  for (PetscInt place = SystemPlaceOfBolt(system, 0); place < SystemNumPlaces(system); place++)
    for (PetscInt k = 0; k < num_rigid; k++) motion[(size_t)place * (size_t)count + (size_t)k] = 0.0;
}

/* Omega^2 - (B Phi)^T k (B Phi): what is linear alone. */
static PetscErrorCode FindStiffness(const System *system, const SystemModes *modes, const PetscReal motion[], PetscReal stiffness[])
{
  const PetscInt n = modes->count;
  Mat            stuck;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(stiffness, (size_t)n * (size_t)n));
  for (PetscInt k = 0; k < n; k++) stiffness[k * n + k] = modes->eigenvalue[k];
  PetscCall(SystemTangents(system, JOINT_STUCK, &stuck));
  for (PetscInt r = 0; r < system->names.num_nonlinear; r++) {
    const PetscInt    *other;
    const PetscScalar *tangent;
    PetscInt           count;

    PetscCall(MatGetRow(stuck, r, &count, &other, &tangent));
    for (PetscInt s = 0; s < count; s++)
      for (PetscInt i = 0; i < n && tangent[s] != 0.0; i++)
        for (PetscInt j = 0; j < n; j++) stiffness[i * n + j] -= motion[r * n + i] * tangent[s] * motion[other[s] * n + j];
    PetscCall(MatRestoreRow(stuck, r, &count, &other, &tangent));
  }
  PetscCall(MatDestroy(&stuck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the joints' stiffness has taken from that of each mode. */
static PetscErrorCode NoteCancelled(System *system, const SystemModes *modes, const PetscReal stiffness[])
{
  PetscFunctionBegin;
  PetscCall(PetscFree(system->cancelled));
  PetscCall(PetscMalloc1(modes->count, &system->cancelled));
  for (PetscInt k = 0; k < modes->count; k++) system->cancelled[k] = PetscMax(0.0, modes->eigenvalue[k] - stiffness[k * modes->count + k]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Phi^T C Phi of the dampers, which act on unknowns of the System only. */
static PetscErrorCode ReduceDamping(System *system, const SystemModes *modes)
{
  const PetscInt n = modes->count;
  PetscReal     *product, *damping;
  Vec            shape, force;

  PetscFunctionBegin;
  if (!system->C) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(system->num_unknowns, &product, n * n, &damping));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, system->num_unknowns, NULL, &shape));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, system->num_unknowns, product, &force));
  for (PetscInt k = 0; k < n; k++) {
    PetscCall(VecPlaceArray(shape, modes->unknowns + (size_t)k * (size_t)system->num_unknowns));
    PetscCall(MatMult(system->C, shape, force));
    PetscCall(VecResetArray(shape));
    for (PetscInt j = 0; j < n; j++) {
      damping[k * n + j] = 0.0;
      for (PetscInt i = 0; i < system->num_unknowns; i++)
        damping[k * n + j] += product[i] * modes->unknowns[(size_t)j * (size_t)system->num_unknowns + (size_t)i];
    }
  }
  PetscCall(VecDestroy(&shape));
  PetscCall(VecDestroy(&force));
  PetscCall(Replace(&system->C, n, n, damping, PETSC_TRUE));
  PetscCall(PetscFree2(product, damping));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VectorReplace(Vec *vector, PetscInt count, const PetscReal values[])
{
  PetscScalar *entry;

  PetscFunctionBegin;
  PetscCall(VecDestroy(vector));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, count, vector));
  PetscCall(VecGetArrayWrite(*vector, &entry));
  PetscCall(PetscArraycpy(entry, values, count));
  PetscCall(VecRestoreArrayWrite(*vector, &entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReduceForces(System *system, PetscInt count, const PetscReal motion[])
{
  PetscFunctionBegin;
  for (PetscInt p = 0; p < system->names.num_patterns; p++)
    PetscCall(VectorReplace(&system->patterns[p].force, count, motion + (size_t)SystemPlaceOfPattern(system, p) * (size_t)count));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
    if (system->base[d]) PetscCall(VectorReplace(&system->base[d], count, motion + (size_t)SystemPlaceOfBase(system, d) * (size_t)count));
  for (PetscInt b = 0; b < system->names.num_bolts; b++)
    PetscCall(VectorReplace(&system->bolts[b].force, count, motion + (size_t)SystemPlaceOfBolt(system, b) * (size_t)count));
  for (PetscInt r = 0; r < system->num_reactions; r++)
    PetscCall(VectorReplace(&system->reactions[r].stiffness, count, motion + (size_t)SystemPlaceOfReaction(system, r) * (size_t)count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReduceMatrices(System *system, const SystemModes *modes, const PetscReal motion[])
{
  const PetscInt n = modes->count;
  PetscReal     *square;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)n * (size_t)n, &square));
  for (PetscInt k = 0; k < n; k++) square[k * n + k] = 1.0;
  PetscCall(Replace(&system->M, n, n, square, PETSC_TRUE));
  PetscCall(FindStiffness(system, modes, motion, square));
  PetscCall(NoteCancelled(system, modes, square));
  PetscCall(Replace(&system->K, n, n, square, PETSC_TRUE));
  PetscCall(ReduceDamping(system, modes));
  PetscCall(Replace(&system->B, system->names.num_rows, n, motion, PETSC_FALSE));
  PetscCall(Replace(&system->T, system->names.num_motions, n, motion + (size_t)SystemPlaceOfMotion(system, 0) * (size_t)n, PETSC_FALSE));
  PetscCall(PetscFree(square));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode KeepResidual(System *system, const SystemModes *modes)
{
  const PetscInt  num_places = SystemNumPlaces(system);
  SystemResidual *residual;

  PetscFunctionBegin;
  PetscCall(PetscNew(&system->residual));
  residual             = system->residual;
  residual->num_places = num_places;
  residual->num_rigid  = modes->num_rigid;
  PetscCall(PetscMalloc1(modes->count, &residual->eigenvalue));
  PetscCall(PetscArraycpy(residual->eigenvalue, modes->eigenvalue, modes->count));
  residual->compliance = modes->compliance;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemReduceToModes(System *system, const SystemModes *modes)
{
  const size_t size = (size_t)SystemNumPlaces(system) * (size_t)modes->count;
  PetscReal   *motion;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &motion));
  PetscCall(PetscArraycpy(motion, modes->motion, size));
  ClearRigid(system, modes->count, modes->num_rigid, motion);
  ClearRigidOfElements(system, modes->count, modes->num_rigid, motion);
  PetscCall(ReduceMatrices(system, modes, motion));
  PetscCall(ReduceForces(system, modes->count, motion));
  PetscCall(PetscFree(motion));
  PetscCall(KeepResidual(system, modes));
  NamesReduceToModes(&system->names, modes->count);
  system->accuracy     = 1e-13; /* as that of other reductions */
  system->continuum    = NULL;
  system->num_unknowns = modes->count;
  PetscFunctionReturn(PETSC_SUCCESS);
}
