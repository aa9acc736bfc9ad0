/* mover.c - what moves in a transient. */
#include "mover.h"

/* The findings of a study of modal models: one for each mode. */
static const char models[] = "modal_iwan/NAME/MODE";

static PetscErrorCode FindModes(Mover *mover)
{
  PetscFunctionBegin;
  for (const Finding *f = FindingsNext(mover->study->findings, models, NULL); f; f = FindingsNext(mover->study->findings, models, f)) mover->count++;
  PetscCall(PetscMalloc1(mover->count, &mover->modes));
  mover->count = 0;
  for (const Finding *f = FindingsNext(mover->study->findings, models, NULL); f; f = FindingsNext(mover->study->findings, models, f))
    mover->modes[mover->count++] = (PetscInt)FindingCount(f, "mode");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MoverRead(const InputNode *node, const char *name, const Names *names, const Study *study, Mover *mover)
{
  PetscFunctionBegin;
  if (!name) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(StudyFindBefore(study, "modal_iwan", node, name, &mover->study));
  if (!mover->study) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindModes(mover));
  PetscCall(ModalModelNames(names, mover->count, mover->modes, &mover->names));
  PetscCall(LinearCheck(&mover->names, node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MoverDestroy(Mover *mover)
{
  PetscFunctionBegin;
  PetscCall(MoverEnd(mover));
  PetscCall(PetscFree(mover->modes));
  PetscCall(NamesDestroy(&mover->names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const Names *MoverNames(const Mover *mover, const Names *names)
{
  return mover->study ? &mover->names : names;
}

static PetscErrorCode Project(const ModeCache *structure, const PetscReal unknowns[], PetscReal **coordinates)
{
  PetscFunctionBegin;
  if (!unknowns) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(structure->system->num_unknowns, coordinates));
  PetscCall(ModesProject(structure->system, structure->modes[JOINT_STUCK], unknowns, *coordinates));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The parameters of all modes, in the order of the keys that studies of modal models write them under. */
static PetscErrorCode ReadParameters(const Mover *mover, const Result *result, ModalIwan parameters[])
{
  PetscInt i = 0;

  PetscFunctionBegin;
  for (const Finding *f = FindingsNext(mover->study->findings, models, NULL); f; f = FindingsNext(mover->study->findings, models, f)) {
    const struct {
      const char *key;
      PetscReal  *value;
    } numbers[] = {{"stiffness", &parameters[i].stiffness}, {"damping", &parameters[i].damping}, {"slip_force", &parameters[i].slip_force},
                   {"tangent", &parameters[i].tangent},     {"chi", &parameters[i].chi},         {"beta", &parameters[i].beta}};

    for (size_t k = 0; k < PETSC_STATIC_ARRAY_LENGTH(numbers); k++)
      PetscCall(FindingRead(f, FindingField(f, numbers[k].key), 0, 1, numbers[k].value, result));
    i++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MoverIsReady(const Mover *mover, const Result *result, PetscBool *ready)
{
  ModalIwan *parameters;

  PetscFunctionBegin;
  *ready = PETSC_TRUE;
  if (!mover->study) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD)); /* what another rank has found is there */
  PetscCall(PetscMalloc1(mover->count, &parameters));
  PetscCall(ReadParameters(mover, result, parameters));
  for (PetscInt i = 0; i < mover->count; i++) *ready = (PetscBool)(*ready && !PetscIsNanReal(parameters[i].stiffness));
  PetscCall(PetscFree(parameters));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MoverBegin(Mover *mover, ModeCache *structure, const InitialKeys *initial, const Result *result, ModeCache **moves,
                          const InitialKeys **starts)
{
  ModalIwan *parameters;

  PetscFunctionBegin;
  *moves  = structure;
  *starts = initial;
  if (!mover->study) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(mover->count, &parameters));
  PetscCall(ReadParameters(mover, result, parameters));
  PetscCall(ModalModelCreate(structure, mover->count, mover->modes, parameters, &mover->model));
  PetscCall(PetscFree(parameters));
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
