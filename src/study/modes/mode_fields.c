/* mode_fields.c - mode shapes on the mesh, for ParaView: RESULT.hdf beside RESULT.h5. */
#include "mode_fields.h"

enum { NAME_LENGTH = 64, SPACE = 3 };

/* "stuck_007_121.166Hz", with its values on the nodes of this rank. */
static PetscErrorCode FindShape(const ModeCache *cache, JointState state, PetscInt k, char name[NAME_LENGTH], PetscReal values[])
{
  const Modes *modes = cache->modes[state];
  Vec          motion;

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(name, NAME_LENGTH, "%s_%03" PetscInt_FMT "_%.6gHz", joint_state_names[state], k + 1, modes->omega[k] / (2.0 * PETSC_PI)));
  if (modes->field) {
    PetscCall(MatDenseGetColumnVecRead(modes->field, k, &motion));
    PetscCall(MeshedPartSpread(ModelMeshed(cache->model), motion, values));
    PetscCall(MatDenseRestoreColumnVecRead(modes->field, k, &motion));
  } else PetscCall(MeshedModelExpand(ModelMeshedModel(cache->model), modes->shape + (size_t)k * (size_t)modes->num_unknowns, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeFieldsWrite(const ModeCache *cache, const char *name, PetscInt count, const PetscBool wanted[2], const char *result_path)
{
  char     path[PETSC_MAX_PATH_LEN], suffix[RESULT_TEXT_LENGTH];
  size_t   length;
  PetscInt most = 0, num_fields = 0;
  char(*names)[NAME_LENGTH];
  PetscReal *values;
  Field     *fields;

  PetscFunctionBegin;
  if (!cache->model || !ModelMesh(cache->model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), "%s%s.hdf", name ? "_" : "", name ? name : ""));
  PetscCall(ResultPathBeside(result_path, suffix, path));
  length = SPACE * (size_t)MeshGetNodes(ModelMesh(cache->model))->count;
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) most += wanted[state] ? PetscMin(count, cache->modes[state]->count) : 0;
  PetscCall(PetscMalloc3(most, &fields, most, &names, (size_t)most * length, &values));
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    for (PetscInt k = 0; wanted[state] && k < PetscMin(count, cache->modes[state]->count); k++) {
      PetscReal *const own = values + (size_t)num_fields * length;

      PetscCall(FindShape(cache, state, k, names[num_fields], own));
      fields[num_fields] = (Field){.name = names[num_fields], .num_components = SPACE, .values = own};
      num_fields++;
    }
  PetscCall(FieldsWrite(path, ModelMesh(cache->model), num_fields, fields));
  ReportSay("  their shapes, for ParaView: %s\n", path);
  PetscCall(PetscFree3(fields, names, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
