/* groups.c - groups looked up by name. */
#include "mesh_private.h"
#include <string.h>

enum { MAX_DIM = 3 };

static const char *const kinds[MAX_DIM + 1] = {"points", "curves", "surfaces", "volumes"};

PetscInt MeshNumGroups(const Mesh *mesh)
{
  return mesh->num_groups;
}

PetscInt MeshNumAllGroups(const Mesh *mesh)
{
  return mesh->num_groups + mesh->num_implied;
}

const MeshGroup *MeshGetGroup(const Mesh *mesh, PetscInt i)
{
  return &mesh->groups[i];
}

PetscInt MeshFindGroup(const Mesh *mesh, PetscInt dim, const char *name)
{
  PetscInt found = MESH_NO_GROUP;

  for (PetscInt g = 0; g < MeshNumAllGroups(mesh); g++) {
    if (g == mesh->num_groups && found != MESH_NO_GROUP) break; /* those that need no name */
    if ((dim != MESH_ANY_DIM && mesh->groups[g].dim != dim) || strcmp(mesh->groups[g].name, name) != 0) continue;
    found = found == MESH_NO_GROUP ? g : MESH_SEVERAL_GROUPS;
  }
  return found;
}

/* A group of this name and another dimension explains more than the list of all names; but `all` there is of every dimension. */
static PetscErrorCode ComplainOfDim(const Mesh *mesh, const InputNode *node, PetscInt dim, const char *name, PetscBool *explained)
{
  PetscFunctionBegin;
  *explained = PETSC_FALSE;
  for (PetscInt g = 0; g < MeshNumAllGroups(mesh) && dim != MESH_ANY_DIM && !*explained; g++) {
    if (strcmp(mesh->groups[g].name, name) != 0 || MeshGroupIsAll(mesh, g)) continue;
    *explained = PETSC_TRUE;
    PetscCall(InputComplain(node, "expected a group of %s, but '%s' of %s is one of %s", kinds[dim], name, mesh->file, kinds[mesh->groups[g].dim]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nothing can be chosen where there is no element of that dimension. */
static PetscErrorCode ComplainOfNone(const Mesh *mesh, const InputNode *node, PetscInt dim, const char *what)
{
  const PetscInt highest = mesh->groups[MeshNumAllGroups(mesh) - 1].dim; /* groups that need no name end with it */

  PetscFunctionBegin;
  if (dim == 3 && highest == 2)
    PetscCall(
      InputComplain(node, "there is no %s: its elements are surfaces, and dovetail computes solids and beams, but no shells or plane models", what));
  else if (dim == 3 && highest == 1)
    PetscCall(InputComplain(node, "there is no %s: its elements are lines, and a part that is made of beams needs a `section`", what));
  else PetscCall(InputComplain(node, "there is no %s: it has no such elements", what));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "unknown group of surfaces of beam.msh 'tpo'; did you mean 'top'? it has: ..." Groups that need no name are listed where no other is, or
   one of them was meant. */
static PetscErrorCode ComplainOfName(const Mesh *mesh, const InputNode *node, PetscInt dim, const char *name)
{
  const PetscBool of_entity = MeshNameIsOfEntity(name);
  const char    **names;
  char            what[PETSC_MAX_PATH_LEN];
  PetscInt        count = 0, ignored;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(MeshNumAllGroups(mesh) + 1, &names));
  for (PetscInt g = 0; g < MeshNumAllGroups(mesh); g++) {
    const PetscBool fits = (PetscBool)(dim == MESH_ANY_DIM ? !MeshGroupIsAll(mesh, g) : mesh->groups[g].dim == dim);

    if (g == mesh->num_groups && count > 0 && !of_entity) break;
    if (fits) names[count++] = mesh->groups[g].name;
  }
  PetscCall(
    PetscSNPrintf(what, sizeof what, "group%s%s of %s", dim == MESH_ANY_DIM ? "" : " of ", dim == MESH_ANY_DIM ? "" : kinds[dim], mesh->file));
  if (count) PetscCall(InputChoose(node, name, what, names, &ignored));
  else PetscCall(ComplainOfNone(mesh, node, dim, what));
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
