/* fuzz_mesh.c - LibFuzzer: any bytes read as a mesh give a mesh that holds together, or one complaint. */
#include "mesh.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) \
  do { \
    if (!(condition)) abort(); \
  } while (0)

static void CheckElements(const Mesh *mesh)
{
  const MeshNodes *const nodes = MeshGetNodes(mesh);

  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++) {
    const MeshBlock *const block = MeshGetBlock(mesh, b);
    const PetscInt         width = mesh_shapes[block->shape].num_nodes;

    CHECK(block->count > 0 && block->count == block->total);
    for (PetscInt i = 0; i < block->count * width; i++) {
      CHECK(block->nodes[i] >= 0 && block->nodes[i] < nodes->total && block->nodes[i] == block->local_nodes[i]);
      CHECK(MeshPartOfNode(mesh, block->nodes[i]) == MeshPartOfNode(mesh, block->nodes[i / width * width]));
    }
  }
}

static void CheckGroups(const Mesh *mesh)
{
  for (PetscInt g = 0; g < MeshNumAllGroups(mesh); g++) {
    const MeshGroup *const group = MeshGetGroup(mesh, g);
    PetscInt               count, *nodes;

    CHECK(group->count == group->total && group->name[0]);
    for (PetscInt i = 0; i < group->count; i++) {
      const MeshElement element = group->elements[i];

      CHECK(element.block >= 0 && element.block < MeshNumBlocks(mesh));
      CHECK(element.index >= 0 && element.index < MeshGetBlock(mesh, element.block)->count);
    }
    CHECK(MeshFindGroup(mesh, group->dim, group->name) != MESH_NO_GROUP);
    CHECK(MeshGroupNodes(mesh, g, &count, &nodes) == 0);
    CHECK((count == 0) == (group->total == 0));
    CHECK(PetscFree(nodes) == 0);
  }
}

static void CheckNodes(const Mesh *mesh)
{
  const MeshNodes *const nodes = MeshGetNodes(mesh);
  MeshNearest            nearest;
  PetscInt               node;

  CHECK(nodes->total > 0 && nodes->count == nodes->total && nodes->num_ghosts == 0);
  for (PetscInt i = 0; i < 3 * nodes->total; i++) CHECK(PetscAbsReal(nodes->coordinates[i]) <= PETSC_MAX_REAL);
  CHECK(MeshPartStart(mesh, MeshNumParts(mesh)) == nodes->total);
  CHECK(MeshNodeByTag(mesh, nodes->tags[nodes->total - 1], &node) == 0 && node == nodes->total - 1);
  CHECK(MeshNearestNode(mesh, MESH_NO_GROUP, nodes->coordinates, &nearest) == 0);
  CHECK(nearest.node >= 0 && nearest.node < nodes->total && nearest.num_equal > 0 && nearest.distance == 0);
}

static PetscLogDouble BytesInUse(void)
{
  PetscLogDouble bytes;

  CHECK(PetscMallocGetCurrentUsage(&bytes) == 0);
  return bytes;
}

static void Read(const uint8_t *data, size_t size)
{
  InputDocument *document;
  Mesh          *mesh;

  CHECK(InputParse(PETSC_COMM_SELF, "none/case.yaml", "a: b\n", 5, &document) == 0);
  CHECK(MeshParseGmsh(PETSC_COMM_SELF, document, "none/beam.msh", (const char *)data, size, 1.0, &mesh) == 0);
  CHECK(InputNumComplaints(document) == (mesh ? 0 : 1));
  if (mesh) {
    CheckNodes(mesh);
    CheckElements(mesh);
    CheckGroups(mesh);
  }
  CHECK(MeshDestroy(&mesh) == 0);
  CHECK(InputClose(&document) == 0);
}

/* PETSc counts its memory from here on: MPI's leaks hide ours from the sanitizer. The first mesh makes what PETSc keeps for ever. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  static const char first[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 15 1 1 1\n$EndElements\n";

  CHECK(PetscMallocSetDebug(PETSC_FALSE, PETSC_FALSE) == 0);
  LogSetLevel(LOG_QUIET);
  CHECK(PetscInitialize(argc, argv, NULL, NULL) == 0);
  Read((const uint8_t *)first, sizeof first - 1);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const PetscLogDouble before = BytesInUse();

  Read(data, size);
  CHECK(BytesInUse() == before);
  return 0;
}
