/* implied.c - groups that no file has to name: `all` elements of a dimension, and those of an entity of the geometry, `volume 3`. */
#include "keys.h"
#include "mesh_private.h"
#include <stdio.h>
#include <string.h>

enum { MAX_DIM = 3 };

static const char *const entity_kinds[MAX_DIM + 1] = {"point", "curve", "surface", "volume"};

static PetscInt64 Key(const MeshBlock *block, PetscInt number)
{
  return DraftKey(mesh_shapes[block->shape].dim, number);
}

/* Counts the elements that each of the groups has on this rank; lists them where fill[] says, unless `members` is NULL. */
static void Visit(const Mesh *mesh, PetscInt count, const PetscInt64 keys[], PetscInt fill[], MeshElement members[])
{
  for (PetscInt b = 0; b < mesh->num_blocks; b++) {
    const MeshBlock *const block = &mesh->blocks[b];
    const PetscInt         all   = KeysFind(count, keys, Key(block, WHOLE_ALL));

    for (PetscInt e = 0; e < block->count; e++) {
      const PetscInt own = KeysFind(count, keys, Key(block, block->entities[e]));

      if (members) members[fill[all]] = (MeshElement){.block = b, .index = e};
      fill[all]++;
      if (own == all) continue;
      if (members) members[fill[own]] = (MeshElement){.block = b, .index = e};
      fill[own]++;
    }
  }
}

static void Name(PetscInt64 key, char name[IMPLIED_NAME])
{
  const int number = (int)(key & INT32_MAX);

  if (number == WHOLE_ALL) snprintf(name, IMPLIED_NAME, "all");
  else snprintf(name, IMPLIED_NAME, "%s %d", entity_kinds[DraftKeyDim(key)], number);
}

static PetscErrorCode FillMembers(Mesh *mesh, PetscInt count, const PetscInt64 keys[])
{
  MeshGroup *const groups = &mesh->groups[mesh->num_groups];
  PetscInt        *fill, start = 0;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(count, &fill));
  Visit(mesh, count, keys, fill, NULL);
  for (PetscInt g = 0; g < count; g++) {
    groups[g].count = fill[g];
    fill[g]         = start;
    start += groups[g].count;
  }
  PetscCall(PetscMalloc1(start, &mesh->implied_members));
  for (PetscInt g = 0; g < count; g++)
    if (groups[g].count) groups[g].elements = &mesh->implied_members[fill[g]];
  Visit(mesh, count, keys, fill, mesh->implied_members);
  PetscCall(PetscFree(fill));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshImplyGroups(Mesh *mesh, PetscInt count, const PetscInt64 keys[])
{
  PetscFunctionBegin;
  mesh->num_implied = count;
  PetscCall(PetscRealloc((size_t)(mesh->num_groups + count) * sizeof *mesh->groups, &mesh->groups));
  PetscCall(PetscMalloc1(count, &mesh->implied_names));
  for (PetscInt g = 0; g < count; g++) {
    Name(keys[g], mesh->implied_names[g]);
    mesh->groups[mesh->num_groups + g] =
      (MeshGroup){.name = mesh->implied_names[g], .dim = DraftKeyDim(keys[g]), .number = (PetscInt)(keys[g] & INT32_MAX)};
  }
  PetscCall(FillMembers(mesh, count, keys));
  for (PetscInt g = 0; g < count; g++) {
    MeshGroup *const group = &mesh->groups[mesh->num_groups + g];

    PetscCallMPI(MPI_Allreduce(&group->count, &group->total, 1, MPIU_INT, MPI_SUM, mesh->comm));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool MeshGroupIsAll(const Mesh *mesh, PetscInt group)
{
  return (PetscBool)(group >= mesh->num_groups && mesh->groups[group].number == WHOLE_ALL);
}

PetscBool MeshNameIsOfEntity(const char *name)
{
  for (PetscInt dim = 0; dim <= MAX_DIM; dim++) {
    const size_t length = strlen(entity_kinds[dim]);

    if (strncmp(name, entity_kinds[dim], length) == 0 && name[length] == ' ') return PETSC_TRUE;
  }
  return PETSC_FALSE;
}
