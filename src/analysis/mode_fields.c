/* mode_fields.c - mode shapes on the mesh, for ParaView: RESULT.hdf beside RESULT.h5. */
#include <string.h>
#include "mode_fields.h"

/* RESULT.hdf of RESULT.h5; of any other name, with .hdf behind it. */
static PetscErrorCode FieldsPath(const char *result_path, char path[PETSC_MAX_PATH_LEN])
{
  const size_t length = strlen(result_path), ending = strlen(".h5");
  const int    kept = (int)(length > ending && !strcmp(result_path + length - ending, ".h5") ? length - ending : length);

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(path, PETSC_MAX_PATH_LEN, "%.*s.hdf", kept, result_path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "stuck_007_121.166Hz", with its values on the nodes of this rank. */
static PetscErrorCode AddShape(const Subject *subject, JointState state, PetscInt k, Field *field)
{
  const Modes   *modes = subject->modes[state];
  const PetscInt count = MeshGetNodes(ModelMesh(subject->model))->count;
  char           name[64], *kept;
  PetscReal     *values;

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(name, sizeof(name), "%s_%03" PetscInt_FMT "_%.6gHz", joint_state_names[state], k + 1, modes->omega[k] / (2.0 * PETSC_PI)));
  PetscCall(PetscMalloc1(3 * count, &values));
  PetscCall(ModelExpand(subject->model, modes->shape + (size_t)k * (size_t)modes->num_unknowns, values));
  PetscCall(PetscStrallocpy(name, &kept));
  *field = (Field){.name = kept, .num_components = 3, .values = values};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeFieldsWrite(const Subject *subject, PetscInt count, const PetscBool wanted[2], const char *result_path)
{
  char     path[PETSC_MAX_PATH_LEN];
  PetscInt num_fields = 0;
  Field   *fields;

  PetscFunctionBegin;
  if (!subject->model || !ModelMesh(subject->model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FieldsPath(result_path, path));
  PetscCall(PetscMalloc1(2 * count, &fields));
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    for (PetscInt k = 0; wanted[state] && k < PetscMin(count, subject->modes[state]->count); k++)
      PetscCall(AddShape(subject, state, k, &fields[num_fields++]));
  PetscCall(FieldsWrite(path, ModelMesh(subject->model), num_fields, fields));
  ReportSay("  their shapes, for ParaView: %s\n", path);
  for (PetscInt i = 0; i < num_fields; i++) {
    PetscCall(PetscFree(fields[i].name));
    PetscCall(PetscFree(fields[i].values));
  }
  PetscCall(PetscFree(fields));
  PetscFunctionReturn(PETSC_SUCCESS);
}
