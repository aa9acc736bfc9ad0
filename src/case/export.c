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
    if (word == 1 && !ModelIsReduced(model)) PetscCall(InputComplain(item, "has no use without a mesh that is reduced"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of the matrices of a System. */
static PetscReal CountNumbers(const System *system)
{
  const PetscReal n = system->num_unknowns, num_square = system->num_nonlinear ? 4.0 : 2.0;

  return num_square * n * n + (system->C ? n * n : 0.0) + n * (system->num_rows + system->num_motions);
}

PetscErrorCode ExportDescribe(const Export *export, const System *system, FILE *out)
{
  MeshUnknowns rows;

  PetscFunctionBegin;
  if (export->matrices) fprintf(out, "  export of matrices: %.3g MB\n", 8e-6 * CountNumbers(system));
  if (!export->mesh_map) PetscFunctionReturn(PETSC_SUCCESS);
  rows = ModelMeshUnknowns(export->model);
  fprintf(out, "  export of the mesh map: %" PetscInt_FMT " x %" PetscInt_FMT ", %.3g MB\n", rows.total, system->num_unknowns,
          8e-6 * (PetscReal)rows.total * (2.0 + (PetscReal)system->num_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExportPrepare(Export *export, const System *system, Result *result)
{
  PetscInt64 dims[2] = {0, system->num_unknowns};

  PetscFunctionBegin;
  PetscCall(SystemWrite(system, export->matrices, result));
  if (!export->mesh_map) PetscFunctionReturn(PETSC_SUCCESS);
  export->rows = ModelMeshUnknowns(export->model);
  dims[0]      = export->rows.total;
  PetscCall(ResultReserve(result, "/system/mesh_map", RESULT_REAL, 2, dims, &export->map));
  PetscCall(ResultReserve(result, "/system/mesh_nodes", RESULT_COUNT, 1, dims, &export->nodes));
  PetscCall(ResultReserve(result, "/system/mesh_directions", RESULT_COUNT, 1, dims, &export->directions));
  PetscCall(ResultAttributeText(result, "/system/mesh_map", "holds", "motions of the mesh (mesh_nodes, mesh_directions) by unknowns"));
  PetscCall(ResultAttributeText(result, "/system/mesh_nodes", "holds",
                                "numbers of nodes in the mesh file; -k: the k-th rigid point, at the centre of the nodes it moves"));
  PetscCall(ResultAttributeText(result, "/system/mesh_directions", "holds", "0 to 5: x, y, z, rx, ry, rz"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteMotions(const Export *export, const Result *result)
{
  PetscInt64 *node, *direction;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(export->rows.count, &node, export->rows.count, &direction));
  ModelMeshMotions(export->model, node, direction);
  PetscCall(ResultWriteRows(result, &export->nodes, export->rows.first, export->rows.count, node));
  PetscCall(ResultWriteRows(result, &export->directions, export->rows.first, export->rows.count, direction));
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

    PetscCall(ModelMeshMap(export->model, system->num_unknowns, done, count, rows));
    PetscCall(ResultWriteRows(result, &export->map, export->rows.first + done, count, rows));
  }
  PetscCall(PetscFree(rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}
