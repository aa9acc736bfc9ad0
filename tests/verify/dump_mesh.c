/* dump_mesh.c - writes what was read of meshes as lines of text, for test_mesh_gmsh.py: dump_mesh FILE.msh... makes FILE.msh.RANK. */
#include "dump.h"
#include <stdio.h>

static PetscErrorCode DumpNodes(FILE *out, const Mesh *mesh)
{
  const MeshNodes *const nodes = MeshGetNodes(mesh);

  PetscFunctionBegin;
  for (PetscInt i = 0; i < nodes->count; i++) {
    const PetscReal *const x = &nodes->coordinates[3 * i];

    fprintf(out, "node %" PetscInt64_FMT " %.17g %.17g %.17g\n", nodes->tags[i], x[0], x[1], x[2]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DumpElements(FILE *out, const Mesh *mesh)
{
  PetscFunctionBegin;
  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++) {
    const MeshBlock *const     block = MeshGetBlock(mesh, b);
    const MeshShapeInfo *const shape = &mesh_shapes[block->shape];
    PetscInt64                *tags;

    PetscCall(PetscMalloc1(block->count * shape->num_nodes, &tags));
    PetscCall(MeshNodeTags(mesh, block->count * shape->num_nodes, block->nodes, tags));
    for (PetscInt e = 0; e < block->count; e++) {
      fprintf(out, "element %" PetscInt64_FMT " %d", block->tags[e], shape->gmsh_type);
      for (PetscInt i = 0; i < shape->num_nodes; i++) fprintf(out, " %" PetscInt64_FMT, tags[e * shape->num_nodes + i]);
      fprintf(out, "\n");
    }
    PetscCall(PetscFree(tags));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The elements of this rank, and the nodes of all ranks. */
static PetscErrorCode DumpGroups(FILE *out, const Mesh *mesh)
{
  PetscFunctionBegin;
  for (PetscInt g = 0; g < MeshNumGroups(mesh); g++) {
    const MeshGroup *const group = MeshGetGroup(mesh, g);
    PetscInt               count, *nodes;
    PetscInt64            *tags;

    fprintf(out, "group %" PetscInt_FMT " %" PetscInt_FMT " %" PetscInt_FMT " %s\n", group->dim, group->number, group->total, group->name);
    for (PetscInt i = 0; i < group->count; i++)
      fprintf(out, "member %" PetscInt_FMT " %" PetscInt_FMT " %" PetscInt64_FMT "\n", group->dim, group->number,
              MeshGetBlock(mesh, group->elements[i].block)->tags[group->elements[i].index]);
    PetscCall(MeshGroupNodes(mesh, g, &count, &nodes));
    PetscCall(PetscMalloc1(count, &tags));
    PetscCall(MeshNodeTags(mesh, count, nodes, tags));
    fprintf(out, "nodes %" PetscInt_FMT " %" PetscInt_FMT, group->dim, group->number);
    for (PetscInt i = 0; i < count; i++) fprintf(out, " %" PetscInt64_FMT, tags[i]);
    fprintf(out, "\n");
    PetscCall(PetscFree(tags));
    PetscCall(PetscFree(nodes));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Dump(const InputNode *node, const char *path)
{
  char        name[PETSC_MAX_PATH_LEN];
  Mesh       *mesh;
  PetscMPIInt rank;
  FILE       *out;

  PetscFunctionBegin;
  PetscCall(MeshReadGmsh(PETSC_COMM_WORLD, node, path, 1.0, &mesh));
  PetscCall(InputVerdict(InputDocumentOf(node)));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(PetscSNPrintf(name, sizeof name, "%s.%d", path, rank));
  out = fopen(name, "w");
  PetscCheck(out, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", name);
  PetscCall(DumpNodes(out, mesh));
  PetscCall(DumpElements(out, mesh));
  PetscCall(DumpGroups(out, mesh));
  fclose(out);
  PetscCall(MeshDestroy(&mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  return DumpAll(argc, argv, Dump);
}
