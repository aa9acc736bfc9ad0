/* reaction_places.c - what supports give, as rows on the unknowns that remain of a mesh. */
#include "meshed_private.h"

/* A row on the unknowns of the mesh, on those of the System. */
static PetscErrorCode ProjectRow(const MeshedModel *model, Mat rows, PetscInt r, PetscInt num_unknowns, PetscReal on_unknowns[])
{
  const PetscInt size = model->reduction->size;
  PetscReal     *reduced;
  PetscInt       first, end;
  Vec            one, row;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(size, &reduced));
  PetscCall(MatCreateVecs(rows, &row, &one));
  PetscCall(VecGetOwnershipRange(one, &first, &end));
  if (r >= first && r < end) PetscCall(VecSetValue(one, r, 1.0, INSERT_VALUES));
  PetscCall(VecAssemblyBegin(one));
  PetscCall(VecAssemblyEnd(one));
  PetscCall(MatMultTranspose(rows, one, row));
  PetscCall(ReductionProject(model->reduction, row, reduced));
  PetscCall(PetscArrayzero(on_unknowns, num_unknowns));
  for (PetscInt j = 0; j < size; j++)
    if (model->unknown[j] != GROUND) on_unknowns[model->unknown[j]] += reduced[j];
  PetscCall(VecDestroy(&row));
  PetscCall(VecDestroy(&one));
  PetscCall(PetscFree(reduced));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On modes, the rows of the stiffness have come with the places. */
PetscErrorCode MeshedModelSetReactions(const MeshedModel *model, System *system)
{
  const PetscInt n = system->num_unknowns;
  PetscReal     *of_stiffness, *of_mass;
  Mat            stiffness, mass;

  PetscFunctionBegin;
  if (system->num_reactions == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MeshedPartReactionRows(model->meshed, &stiffness, &mass));
  PetscCall(PetscMalloc2(n, &of_stiffness, n, &of_mass));
  for (PetscInt r = 0; r < system->num_reactions; r++) {
    PetscCall(ProjectRow(model, stiffness, r, n, of_stiffness));
    PetscCall(ProjectRow(model, mass, r, n, of_mass));
    PetscCall(SystemSetReaction(system, r, SystemIsOnModes(system) ? NULL : of_stiffness, of_mass));
  }
  PetscCall(PetscFree2(of_stiffness, of_mass));
  PetscCall(MatDestroy(&stiffness));
  PetscCall(MatDestroy(&mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}
