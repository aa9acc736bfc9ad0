/* whole_modes.c - modes of a mesh that is not reduced, with what its points are tied to. */
#include "meshed_private.h"

static PetscErrorCode FindModes(const MeshedModel *model, const System *system, JointState state, const ContinuumTies *ties, PetscInt count,
                                PetscBool prove, ContinuumModes **modes)
{
  Continuum held;

  PetscFunctionBegin;
  PetscCall(TouchingHold(model->meshed, system->continuum, system, state, &held));
  PetscCall(ContinuumModesFind(&held, ties, NULL, count, prove, modes));
  PetscCall(ContinuumComplain(model->meshed, system->continuum, &(*modes)->fault));
  PetscCall(TouchingRelease(&held));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* For variants; faults are none of their modes. */
static PetscErrorCode Lend(const ContinuumTies *ties, PetscInt count, const ContinuumModes *modes, LentModes **lent)
{
  ContinuumModes *share;

  PetscFunctionBegin;
  if (modes->fault.reason != CONTINUUM_FINE) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LentModesDestroy(lent));
  PetscCall(ContinuumModesShare(modes, ties->num, &share));
  PetscCall(LentModesCreate(ties, NULL, count, share, lent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelModes(const MeshedModel *model, const System *system, JointState state, PetscInt count, PetscBool prove,
                                ContinuumModes **modes)
{
  ContinuumTies   ties = {.num = system->num_unknowns, .M = system->M, .unknown = system->continuum->unknown};
  ContinuumModes *lent = NULL;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, state, &ties.K));
  if (model->same && model->same->whole) PetscCall(LentModesFind(model->same->whole[state], &ties, NULL, count, &lent));
  if (lent) PetscCall(ContinuumModesShare(lent, ties.num, modes));
  else PetscCall(FindModes(model, system, state, &ties, count, prove, modes));
  if (model->whole) PetscCall(Lend(&ties, count, *modes, &model->whole[state]));
  PetscCall(MatDestroy(&ties.K));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddProducts(Mat matrix, PetscInt count, Mat field, PetscReal sum[])
{
  PetscReal product;
  Vec       column, image;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(matrix, NULL, &image));
  for (PetscInt k = 0; k < count; k++) {
    PetscCall(MatDenseGetColumnVecRead(field, k, &column));
    PetscCall(MatMult(matrix, column, image));
    PetscCall(VecDot(column, image, &product));
    PetscCall(MatDenseRestoreColumnVecRead(field, k, &column));
    sum[k] += product;
  }
  PetscCall(VecDestroy(&image));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelAddEnergies(const MeshedModel *model, const System *system, JointState state, PetscInt count, Mat field, PetscReal strain[],
                                      PetscReal inertia[])
{
  Continuum held;

  PetscFunctionBegin;
  PetscCall(TouchingHold(model->meshed, system->continuum, system, state, &held));
  PetscCall(AddProducts(held.K, count, field, strain));
  PetscCall(AddProducts(held.M, count, field, inertia));
  PetscCall(TouchingRelease(&held));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A place takes one solution; three where something floats, which is not known here. */
static PetscErrorCode AddModes(const System *system, const ReductionOptions *options, ContinuumCost *cost)
{
  ContinuumAlone alone;

  PetscFunctionBegin;
  cost->seconds += (PetscReal)options->num_modes * cost->seconds_each + (PetscReal)SystemNumPlaces(system) * cost->seconds_a_place;
  PetscCall(ContinuumChooseAlone(PetscObjectComm((PetscObject)system->continuum->K), cost, SystemNumPlaces(system), &alone));
  cost->basis_memory += alone.taken ? alone.memory : cost->places_memory;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What modes would take, and whether that is too long; complains of what shows before it. */
PetscErrorCode MeshedModelEstimate(MeshedModel *model, const System *system, PetscReal patience)
{
  ContinuumTies  ties = {.num = system->num_unknowns, .M = system->M};
  Continuum      held;
  ContinuumFault fault;
  PetscInt       size;

  PetscFunctionBegin;
  if (!system->continuum) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SystemGetSize(system, &size));
  model->num_modes = PetscMin(size, model->meshed->reduction.options.num_modes);
  if (patience == PETSC_INFINITY) PetscFunctionReturn(PETSC_SUCCESS);
  ties.unknown = system->continuum->unknown;
  PetscCall(SystemStiffness(system, JOINT_STUCK, &ties.K));
  PetscCall(TouchingHold(model->meshed, system->continuum, system, JOINT_STUCK, &held));
  PetscCall(ContinuumModesEstimate(&held, &ties, &fault, &model->cost));
  PetscCall(TouchingRelease(&held));
  PetscCall(ContinuumComplain(model->meshed, system->continuum, &fault));
  PetscCall(MatDestroy(&ties.K));
  if (model->meshed->reduction.kind == REDUCED_TO_MODES) PetscCall(AddModes(system, &model->meshed->reduction.options, &model->cost));
  model->takes_too_long = (PetscBool)(model->cost.seconds > patience);
  PetscFunctionReturn(PETSC_SUCCESS);
}
