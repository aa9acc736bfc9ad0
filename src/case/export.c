/* export.c - what a case exports for other programs: its matrices whatever their size, and the map from its unknowns to the mesh. */
#include "export.h"

enum { PIECE = 1 << 19 }; /* numbers of the map that are made at once */

static const char *const words[] = {"matrices", "mesh_map", NULL};

PetscErrorCode ExportRead(const InputNode *node, const Model *model, Export *export)
{
  InputTexts texts;

  PetscFunctionBegin;
  export->model = model;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputGetTexts(node, &texts));
  for (PetscInt i = 0; i < texts.count; i++) {
    const InputNode *const item = InputIsList(node) ? InputItem(node, i) : node;
    PetscInt               word;

    PetscCall(InputChoose(item, texts.values[i], "export", words, &word));
    if (word == 0) export->matrices = PETSC_TRUE;
    if (word == 1) export->mesh_map = PETSC_TRUE;
    if (word == 0 && ModelMesh(model) && !ModelIsReduced(model))
      PetscCall(InputComplain(item, "the mesh is not reduced: its matrices are not exported"));
    if (word == 1 && ModelMeshed(model) && MeshedPartIsTurned(ModelMeshed(model)))
      PetscCall(InputComplain(item, "the mesh has supports with a `frame`: unknowns there are not along x, y, z"));
    if (word == 1 && !ModelIsReduced(model)) PetscCall(InputComplain(item, "has no use without a mesh that is reduced"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of the matrices of a System. */
static PetscReal CountNumbers(const Names *names)
{
  const PetscReal n = names->num_unknowns, places = names->num_rows + names->num_motions, num_square = names->num_nonlinear ? 4.0 : 2.0;

  return num_square * n * n + n * places + (names->residual ? places * places : 0.0);
}

PetscErrorCode ExportDescribe(const Export *export, const Names *names, FILE *out)
{
  MeshUnknowns rows;

  PetscFunctionBegin;
  if (export->matrices) fprintf(out, "  export of matrices: %.3g MB\n", 8e-6 * CountNumbers(names));
  if (!export->mesh_map) PetscFunctionReturn(PETSC_SUCCESS);
  rows = MeshedPartUnknowns(ModelMeshed(export->model));
  fprintf(out, "  export of the mesh map: %" PetscInt_FMT " x %" PetscInt_FMT ", %.3g MB\n", rows.total, names->num_unknowns,
          8e-6 * (PetscReal)rows.total * (2.0 + (PetscReal)names->num_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExportPrepare(Export *export, const System *system, Findings *findings)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &system_output, &export->finding, "/system"));
  PetscCall(SystemGive(system, export->matrices, export->finding));
  PetscCall(SystemGivePlaces(&system->names, export->model ? ModelMeshed(export->model) : NULL, export->finding));
  if (export->mesh_map) {
    export->rows = MeshedPartUnknowns(ModelMeshed(export->model));
    PetscCall(FindingSetSize(export->finding, "mesh_motions", export->rows.total));
    PetscCall(FindingSetSize(export->finding, "unknowns", system->num_unknowns));
  } else
    for (PetscInt field = SYSTEM_MESH_MAP; field <= SYSTEM_MESH_DIRECTIONS; field++) PetscCall(FindingOmit(export->finding, field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteMotions(const Export *export, const Result *result)
{
  PetscInt64 *node, *direction;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(export->rows.count, &node, export->rows.count, &direction));
  MeshedPartMotions(ModelMeshed(export->model), node, direction);
  PetscCall(FindingWrite(export->finding, SYSTEM_MESH_NODES, export->rows.first, export->rows.count, node, result));
  PetscCall(FindingWrite(export->finding, SYSTEM_MESH_DIRECTIONS, export->rows.first, export->rows.count, direction, result));
  PetscCall(PetscFree2(node, direction));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every rank writes its own rows, some at a time. */
PetscErrorCode ExportRun(const Export *export, const System *system, const Result *result)
{
  PetscInt   at_once;
  PetscReal *rows;

  PetscFunctionBegin;
  if (!export->mesh_map) PetscFunctionReturn(PETSC_SUCCESS); /* a whole mesh may have no unknowns here */
  at_once = PetscMax(1, PIECE / PetscMax(1, system->num_unknowns));
  PetscCall(WriteMotions(export, result));
  PetscCall(PetscMalloc1((size_t)at_once * (size_t)system->num_unknowns, &rows));
  for (PetscInt done = 0; done < export->rows.count; done += at_once) {
    const PetscInt count = PetscMin(at_once, export->rows.count - done);

    PetscCall(MeshedModelMap(ModelMeshedModel(export->model), system->num_unknowns, done, count, rows));
    PetscCall(FindingWrite(export->finding, SYSTEM_MESH_MAP, export->rows.first + done, count, rows, result));
  }
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}
