/* energies.c - what strain and inertia a System has in given modes, which need not be its own. */
#include "modes.h"

static PetscErrorCode SetProducts(Mat matrix, const Modes *modes, PetscReal product[])
{
  Vec shape, image;

  PetscFunctionBegin;
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, modes->num_unknowns, NULL, &shape));
  PetscCall(MatCreateVecs(matrix, NULL, &image));
  for (PetscInt k = 0; k < modes->count; k++) {
    PetscCall(VecPlaceArray(shape, modes->shape + (size_t)k * (size_t)modes->num_unknowns));
    PetscCall(MatMult(matrix, shape, image));
    PetscCall(VecDot(shape, image, &product[k]));
    PetscCall(VecResetArray(shape));
  }
  PetscCall(VecDestroy(&image));
  PetscCall(VecDestroy(&shape));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesEnergies(const System *system, const Model *model, JointState state, const Modes *modes, PetscReal strain[], PetscReal inertia[])
{
  Mat K;

  PetscFunctionBegin;
  PetscCall(SystemStiffness(system, state, &K));
  PetscCall(SetProducts(K, modes, strain));
  PetscCall(SetProducts(system->M, modes, inertia));
  PetscCall(MatDestroy(&K));
  if (modes->field) /* whose columns may be more than those that are asked for */
    PetscCall(MeshedModelAddEnergies(ModelMeshedModel(model), system, state, modes->count, modes->field, strain, inertia));
  PetscFunctionReturn(PETSC_SUCCESS);
}
