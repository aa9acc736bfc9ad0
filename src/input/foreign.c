/* foreign.c - files of other programs, told by how they begin or are called: what they are, and what makes something of them. */
#include "input_private.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef enum { MESH, GEOMETRY, GMSH, HDF5 } Remedy;

/* In this order: what a file says goes before what it is called. */
static const struct {
  const char *begin, *suffix; /* one is NULL */
  const char *what;
  Remedy      remedy;
} kinds[] = {
  {"\x89HDF\r\n", NULL, "an HDF5 file", HDF5},
  {"$MeshFormat", NULL, "a mesh of Gmsh", GMSH},
  {"$NOD\n", NULL, "a mesh of Gmsh", GMSH},
  {"ISO-10303-21", NULL, "a geometry (STEP)", GEOMETRY},
  {"# vtk DataFile", NULL, "a mesh of VTK", MESH},
  {"<VTKFile", NULL, "a mesh of VTK", MESH},
  {"CDF\x01", NULL, "a NetCDF file, such as a mesh of Exodus", MESH},
  {"CDF\x02", NULL, "a NetCDF file, such as a mesh of Exodus", MESH},
  {"MeshVersionFormatted", NULL, "a mesh of Medit", MESH},
  {NULL, ".inp", "an input file of Abaqus or CalculiX", MESH},
  {NULL, ".bdf", "an input file of Nastran", MESH},
  {NULL, ".nas", "an input file of Nastran", MESH},
  {NULL, ".unv", "a mesh in I-deas universal format", MESH},
  {NULL, ".vtu", "a mesh of VTK", MESH},
  {NULL, ".geo", "a geometry of Gmsh", GEOMETRY},
  {NULL, ".step", "a geometry (STEP)", GEOMETRY},
  {NULL, ".stp", "a geometry (STEP)", GEOMETRY},
  {NULL, ".brep", "a geometry (BREP)", GEOMETRY},
};

/* Lines of Abaqus begin with `*KEYWORD`, or `**` where they are comments. */
static PetscBool IsAbaqus(const char *bytes, size_t length)
{
  return (PetscBool)(length > 2 && bytes[0] == '*' && (bytes[1] == '*' || (bytes[1] >= 'A' && bytes[1] <= 'Z')));
}

static PetscBool Agrees(size_t k, const char *path, const char *bytes, size_t length)
{
  const char *const dot = strrchr(path, '.');

  if (kinds[k].suffix && strcmp(kinds[k].suffix, ".inp") == 0 && IsAbaqus(bytes, length)) return PETSC_TRUE;
  if (kinds[k].suffix) return (PetscBool)(dot && strcasecmp(dot, kinds[k].suffix) == 0);
  return (PetscBool)(length >= strlen(kinds[k].begin) && memcmp(bytes, kinds[k].begin, strlen(kinds[k].begin)) == 0);
}

/* The name of the mesh that is made of a file. */
static void NameMesh(const char *path, char mesh[PETSC_MAX_PATH_LEN])
{
  const char *const dot    = strrchr(path, '.');
  const int         length = (int)(dot && !strchr(dot, '/') ? dot - path : (ptrdiff_t)strlen(path));

  snprintf(mesh, PETSC_MAX_PATH_LEN, "%.*s%s.msh", length, path, dot && strcasecmp(dot, ".msh") == 0 ? "-gmsh" : "");
}

/* A mesh that is wanted is made by a command; of a case that is wanted it is said where such a file is named. */
static void Advise(size_t k, const char *path, PetscBool mesh_wanted, char text[], size_t size)
{
  char mesh[PETSC_MAX_PATH_LEN];

  NameMesh(path, mesh);
  if (kinds[k].remedy == GMSH) snprintf(text, size, "a case names it, `mesh: %s`", path);
  else if (kinds[k].remedy == HDF5 && !mesh_wanted) snprintf(text, size, "if it is a result, `dovetail info %s` tells what it holds", path);
  else if (kinds[k].remedy == GEOMETRY) snprintf(text, size, "make its mesh with `gmsh -3 %s -o %s`", path, mesh);
  else
    snprintf(text, size, "convert %s with `meshio convert %s %s --output-format gmsh22`", mesh_wanted && kinds[k].remedy == MESH ? "it" : "its mesh",
             path, mesh);
}

PetscBool InputRecognise(const char *path, const char *bytes, size_t length, PetscBool mesh_wanted, char text[], size_t size)
{
  char advice[3 * PETSC_MAX_PATH_LEN];

  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (!Agrees(k, path, bytes, length)) continue;
    if (mesh_wanted && kinds[k].remedy == GMSH) return PETSC_FALSE;
    Advise(k, path, mesh_wanted, advice, sizeof advice);
    snprintf(text, size, "is %s, not a %s: %s", kinds[k].what, mesh_wanted ? "mesh of Gmsh" : "case", advice);
    return PETSC_TRUE;
  }
  return PETSC_FALSE;
}
