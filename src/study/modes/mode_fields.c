/* mode_fields.c - mode shapes on the mesh, and their stresses, for ParaView: RESULT.hdf beside RESULT.h5. */
#include "mode_fields.h"
#include "element.h"
#include "study/stresses.h"

enum { NAME_LENGTH = 96, SPACE = 3 };

/* Those of all modes. */
typedef struct {
  const ModeCache *cache;
  PetscInt         count;
  Field           *fields;
  char (*names)[NAME_LENGTH];
  PetscReal *values; /* of all of them; there is room for `used` less */
  size_t     used;
  PetscBool  has_stresses;
  Stresses   stresses;
} Shapes;

static PetscErrorCode AddField(const char *prefix, const char *mode, PetscInt width, PetscBool of_cells, Shapes *shapes, PetscReal **values)
{
  const Mesh *const mesh = ModelMesh(shapes->cache->model);
  PetscInt          rows = of_cells ? 0 : MeshGetNodes(mesh)->count;

  PetscFunctionBegin;
  for (PetscInt b = 0; b < MeshNumBlocks(mesh) && of_cells; b++) rows += MeshGetBlock(mesh, b)->count;
  PetscCall(PetscSNPrintf(shapes->names[shapes->count], NAME_LENGTH, "%s%s%s", prefix, prefix[0] ? "_" : "", mode));
  *values = shapes->values + shapes->used;
  shapes->used += (size_t)rows * (size_t)width;
  shapes->fields[shapes->count] = (Field){.name = shapes->names[shapes->count], .num_components = width, .values = *values, .of_cells = of_cells};
  shapes->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* STRESS_MODE and so on. */
static PetscErrorCode AddStresses(const char *mode, Vec motion, Shapes *shapes)
{
  const char *names[STRESSES_MOST_FIELDS];
  PetscInt    widths[STRESSES_MOST_FIELDS], count = 0;
  PetscBool   of_cells[STRESSES_MOST_FIELDS];
  PetscReal  *values;

  PetscFunctionBegin;
  PetscCall(StressesFind(&shapes->stresses, &(ModelStress){.motion = motion}));
  StressesAppend(&shapes->stresses, &count, names, widths, of_cells);
  for (PetscInt i = 0; i < count; i++) {
    PetscCall(AddField(names[i], mode, widths[i], of_cells[i], shapes, &values));
    PetscCall(StressesGet(&shapes->stresses, i, values));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Add(const char *mode, Vec motion, Shapes *shapes)
{
  PetscReal *values;

  PetscFunctionBegin;
  PetscCall(AddField("", mode, SPACE, PETSC_FALSE, shapes, &values));
  PetscCall(MeshedPartSpread(ModelMeshed(shapes->cache->model), motion, values));
  if (shapes->has_stresses) PetscCall(AddStresses(mode, motion, shapes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeMotion(const Model *model, const Modes *modes, PetscInt k, Vec *motion)
{
  Vec column;

  PetscFunctionBegin;
  if (!modes->field) {
    PetscCall(MeshedModelMotion(ModelMeshedModel(model), modes->shape + (size_t)k * (size_t)modes->num_unknowns, NULL, motion));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(MatDenseGetColumnVecRead(modes->field, k, &column));
  PetscCall(VecDuplicate(column, motion));
  PetscCall(VecCopy(column, *motion));
  PetscCall(MatDenseRestoreColumnVecRead(modes->field, k, &column));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "stuck_007_121.166Hz" */
static PetscErrorCode AddMode(JointState state, PetscInt k, Shapes *shapes)
{
  const Model *const model = shapes->cache->model;
  const Modes *const modes = shapes->cache->modes[state];
  char               name[NAME_LENGTH];
  Vec                motion;

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(name, NAME_LENGTH, "%s_%03" PetscInt_FMT "_%.6gHz", joint_state_names[state], k + 1, modes->omega[k] / (2.0 * PETSC_PI)));
  PetscCall(ModeMotion(model, modes, k, &motion));
  PetscCall(Add(name, motion, shapes));
  PetscCall(VecDestroy(&motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteShapes(PetscInt count, const PetscBool wanted[2], const char *path, Shapes *shapes)
{
  const ModeCache *const cache = shapes->cache;
  const Mesh *const      mesh  = ModelMesh(cache->model);
  const size_t           room  = SPACE * (size_t)MeshGetNodes(mesh)->count + (shapes->has_stresses ? StressesRoom(&shapes->stresses) : 0);
  PetscInt               most  = 0;

  PetscFunctionBegin;
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) most += wanted[state] ? PetscMin(count, cache->modes[state]->count) : 0;
  PetscCall(PetscMalloc3(most * (1 + STRESSES_MOST_FIELDS), &shapes->fields, most * (1 + STRESSES_MOST_FIELDS), &shapes->names, (size_t)most * room,
                         &shapes->values));
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    for (PetscInt k = 0; wanted[state] && k < PetscMin(count, cache->modes[state]->count); k++) PetscCall(AddMode(state, k, shapes));
  PetscCall(FieldsWrite(path, mesh, shapes->count, shapes->fields));
  PetscCall(PetscFree3(shapes->fields, shapes->names, shapes->values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModeFieldsWrite(const ModeCache *cache, const char *name, PetscInt count, const PetscBool wanted[2], PetscBool stresses,
                               PetscBool points, const char *result_path)
{
  Shapes shapes = {.cache = cache, .has_stresses = stresses};
  char   path[PETSC_MAX_PATH_LEN], suffix[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  if (!result_path[0]) PetscFunctionReturn(PETSC_SUCCESS); /* in memory */
  if (!cache->model || !ModelMesh(cache->model)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), "%s%s.hdf", name ? "_" : "", name ? name : ""));
  PetscCall(ResultPathBeside(result_path, suffix, path));
  if (stresses) PetscCall(StressesCreate(cache->model, points, &shapes.stresses));
  PetscCall(WriteShapes(count, wanted, path, &shapes));
  PetscCall(StressesDestroy(&shapes.stresses));
  ReportSay("  their shapes%s, for ParaView: %s\n", stresses ? " and stresses" : "", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}
