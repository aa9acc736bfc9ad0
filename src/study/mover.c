/* mover.c - what moves in a transient. */
#include "mover.h"
#include "modal_iwan.h"
#include "study.h"

PetscErrorCode MoverRead(const InputNode *node, const char *name, const System *system, const Study *study, Mover *mover)
{
  const ModalIwan *parameters;
  const PetscInt  *modes;
  PetscInt         count;

  PetscFunctionBegin;
  if (!name) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(StudyFindBefore(study, &study_modal_iwan, node, name, &mover->study));
  if (!mover->study || !system) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModalIwanStudyModel(mover->study, &count, &modes, &parameters));
  PetscCall(ModalModelSketch(system, count, modes, &mover->sketch));
  PetscCall(LinearCheck(mover->sketch, node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MoverDestroy(Mover *mover)
{
  PetscFunctionBegin;
  PetscCall(MoverEnd(mover));
  PetscCall(SystemDestroy(&mover->sketch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const System *MoverSystem(const Mover *mover, const System *system)
{
  return mover->sketch ? mover->sketch : system;
}

static PetscErrorCode Project(const ModeCache *structure, const PetscReal unknowns[], PetscReal **coordinates)
{
  PetscFunctionBegin;
  if (!unknowns) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(structure->system->num_unknowns, coordinates));
  PetscCall(ModesProject(structure->system, structure->modes[JOINT_STUCK], unknowns, *coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool MoverIsReady(const Mover *mover)
{
  const ModalIwan *parameters;
  const PetscInt  *modes;
  PetscInt         count;

  return (PetscBool)(!mover->study || (ModalIwanStudyModel(mover->study, &count, &modes, &parameters) == PETSC_SUCCESS && parameters));
}

PetscErrorCode MoverBegin(Mover *mover, ModeCache *structure, const InitialKeys *initial, ModeCache **moves, const InitialKeys **starts)
{
  const ModalIwan *parameters;
  const PetscInt  *modes;
  PetscInt         count;

  PetscFunctionBegin;
  *moves  = structure;
  *starts = initial;
  if (!mover->study) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModalIwanStudyModel(mover->study, &count, &modes, &parameters));
  PetscCall(ModalModelCreate(structure, count, modes, parameters, &mover->model));
  mover->initial              = *initial;
  mover->initial.displacement = mover->initial.velocity = NULL;
  PetscCall(Project(structure, initial->displacement, &mover->initial.displacement));
  PetscCall(Project(structure, initial->velocity, &mover->initial.velocity));
  *moves  = &mover->model->cache;
  *starts = &mover->initial;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MoverEnd(Mover *mover)
{
  PetscFunctionBegin;
  PetscCall(InitialDestroy(&mover->initial));
  PetscCall(ModalModelDestroy(&mover->model));
  PetscFunctionReturn(PETSC_SUCCESS);
}
