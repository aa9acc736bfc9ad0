/* groups.c - groups looked up by name. */
#include "mesh_private.h"
#include <string.h>

enum { MAX_DIM = 3 };

static const char *const kinds[MAX_DIM + 1] = {"points", "curves", "surfaces", "volumes"};

PetscInt MeshNumGroups(const Mesh *mesh)
{
  return mesh->num_groups;
}

const MeshGroup *MeshGetGroup(const Mesh *mesh, PetscInt i)
{
  return &mesh->groups[i];
}

PetscInt MeshFindGroup(const Mesh *mesh, PetscInt dim, const char *name)
{
  PetscInt found = MESH_NO_GROUP;

  for (PetscInt g = 0; g < mesh->num_groups; g++) {
    if ((dim != MESH_ANY_DIM && mesh->groups[g].dim != dim) || strcmp(mesh->groups[g].name, name) != 0) continue;
    found = found == MESH_NO_GROUP ? g : MESH_SEVERAL_GROUPS;
  }
  return found;
}

/* A group of this name and another dimension explains more than the list of all names. */
static PetscErrorCode ComplainOfDim(const Mesh *mesh, const InputNode *node, PetscInt dim, const char *name, PetscBool *explained)
{
  PetscFunctionBegin;
  *explained = PETSC_FALSE;
  for (PetscInt g = 0; g < mesh->num_groups && dim != MESH_ANY_DIM && !*explained; g++) {
    if (strcmp(mesh->groups[g].name, name) != 0) continue;
    *explained = PETSC_TRUE;
    PetscCall(InputComplain(node, "expected a group of %s, but '%s' of %s is one of %s", kinds[dim], name, mesh->file, kinds[mesh->groups[g].dim]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "unknown group of surfaces in beam.msh 'tpo'; did you mean 'top'? it has: ..." */
static PetscErrorCode ComplainOfName(const Mesh *mesh, const InputNode *node, PetscInt dim, const char *name)
{
  const char **names;
  char         what[PETSC_MAX_PATH_LEN];
  PetscInt     count = 0, ignored;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(mesh->num_groups + 1, &names));
  for (PetscInt g = 0; g < mesh->num_groups; g++) {
    if (dim == MESH_ANY_DIM || mesh->groups[g].dim == dim) names[count++] = mesh->groups[g].name;
  }
  PetscCall(
    PetscSNPrintf(what, sizeof what, "group%s%s of %s", dim == MESH_ANY_DIM ? "" : " of ", dim == MESH_ANY_DIM ? "" : kinds[dim], mesh->file));
  if (count) PetscCall(InputChoose(node, name, what, names, &ignored));
  else PetscCall(InputComplain(node, "there is no %s", what));
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshChooseGroup(const Mesh *mesh, const InputNode *node, PetscInt dim, const char *name, PetscInt *group)
{
  const PetscInt found     = MeshFindGroup(mesh, dim, name);
  PetscBool      explained = PETSC_FALSE;

  PetscFunctionBegin;
  *group = MESH_NO_GROUP;
  if (found == MESH_SEVERAL_GROUPS) {
    PetscCall(InputComplain(node, "%s has several groups '%s'%s; expected one", mesh->file, name,
                            dim == MESH_ANY_DIM ? ", of points, curves, surfaces or volumes" : ""));
  } else if (found == MESH_NO_GROUP) {
    PetscCall(ComplainOfDim(mesh, node, dim, name, &explained));
    if (!explained) PetscCall(ComplainOfName(mesh, node, dim, name));
  } else if (mesh->groups[found].total == 0) {
    PetscCall(InputComplain(node, "the group '%s' of %s has no elements", name, mesh->file));
  } else {
    *group = found;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
