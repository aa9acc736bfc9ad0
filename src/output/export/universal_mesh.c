/*
  universal_mesh.c - the mesh of a result, from the file for ParaView that its modes have beside it: nodes, elements (dataset 2412), shapes.

  Nodes of an element of second order go round it: a corner, the middle behind it, the next corner; of solids the lower ring, the middles of the
  edges upwards, the upper ring. Corners of wedges are as in Gmsh, VTK having their triangles the other way round. A pyramid is a brick whose upper
  corners are one node.
*/
#include "universal.h"
#include <stdio.h>
#include <string.h>

enum { MOST = 20, BEAM = 21, PARABOLIC_BEAM = 24 };

/* Which element VTK's cell of this type is, and in which order its corners go. */
typedef struct {
  unsigned char type;
  int           descriptor, count, order[MOST];
} Kind;

static const Kind kinds[] = {
  {3, BEAM, 2, {0, 1}},
  {4, PARABOLIC_BEAM, 3, {0, 1, 2}},
  {5, 91, 3, {0, 1, 2}},
  {22, 92, 6, {0, 3, 1, 4, 2, 5}},
  {9, 94, 4, {0, 1, 2, 3}},
  {23, 95, 8, {0, 4, 1, 5, 2, 6, 3, 7}},
  {28, 95, 8, {0, 4, 1, 5, 2, 6, 3, 7}},
  {10, 111, 4, {0, 1, 2, 3}},
  {24, 118, 10, {0, 4, 1, 5, 2, 6, 7, 8, 9, 3}},
  {12, 115, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
  {25, 116, 20, {0, 8, 1, 9, 2, 10, 3, 11, 16, 17, 18, 19, 4, 12, 5, 13, 6, 14, 7, 15}},
  {29, 116, 20, {0, 8, 1, 9, 2, 10, 3, 11, 16, 17, 18, 19, 4, 12, 5, 13, 6, 14, 7, 15}},
  {13, 112, 6, {0, 2, 1, 3, 5, 4}},
  {26, 113, 15, {0, 8, 2, 7, 1, 6, 12, 14, 13, 3, 11, 5, 10, 4, 9}},
  {32, 113, 15, {0, 8, 2, 7, 1, 6, 12, 14, 13, 3, 11, 5, 10, 4, 9}},
  {14, 115, 8, {0, 1, 2, 3, 4, 4, 4, 4}},
  {27, 115, 8, {0, 1, 2, 3, 4, 4, 4, 4}},
};

/* "/modes/stuck" and RESULT.hdf, "/modes/NAME/stuck" and RESULT_NAME.hdf. */
static PetscErrorCode FindPath(const Universal *universal, const char *group, char path[PETSC_MAX_PATH_LEN])
{
  const char *const name = group + sizeof("/modes/") - 1, *const end = strchr(name, '/');
  char suffix[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  snprintf(suffix, sizeof(suffix), "%s%.*s.hdf", end ? "_" : "", end ? (int)(end - name) : 0, name);
  PetscCall(ResultPathBeside(universal->catalogue->result, suffix, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All numbers of a dataset, NULL where there is none; the caller frees them. */
static PetscErrorCode ReadAll(hid_t file, const char *path, hid_t type, size_t bytes, PetscInt *count, void *values)
{
  const hid_t dataset = H5Lexists(file, path, H5P_DEFAULT) > 0 ? H5Dopen2(file, path, H5P_DEFAULT) : H5I_INVALID_HID;
  hid_t       space;
  void       *found = NULL;

  PetscFunctionBegin;
  *count           = 0;
  *(void **)values = NULL;
  if (dataset < 0) PetscFunctionReturn(PETSC_SUCCESS);
  space  = H5Dget_space(dataset);
  *count = (PetscInt)PetscMax(H5Sget_simple_extent_npoints(space), 0);
  PetscCall(PetscMalloc((size_t)*count * bytes + 1, &found));
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) < 0) PetscCall(PetscFree(found));
  if (!found) *count = 0;
  *(void **)values = found;
  (void)H5Sclose(space);
  (void)H5Dclose(dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A file that another run has left, or that is damaged, is none. */
static PetscBool IsWhole(const UniversalMesh *mesh, PetscInt num_places, PetscInt num_first, PetscInt num_corners)
{
  if (mesh->num_nodes == 0 || num_places != 3 * mesh->num_nodes || num_first != mesh->num_cells + 1) return PETSC_FALSE;
  for (PetscInt c = 0; c < mesh->num_cells; c++)
    if (mesh->first[c] < 0 || mesh->first[c + 1] < mesh->first[c] || mesh->first[c + 1] > num_corners) return PETSC_FALSE;
  for (PetscInt k = 0; k < num_corners; k++)
    if (mesh->corners[k] < 0 || mesh->corners[k] >= mesh->num_nodes) return PETSC_FALSE;
  return PETSC_TRUE;
}

static PetscErrorCode ReadMesh(hid_t file, UniversalMesh *mesh)
{
  PetscInt num_places, num_first, num_corners;

  PetscFunctionBegin;
  PetscCall(ReadAll(file, "/VTKHDF/PointData/node", H5T_NATIVE_INT64, sizeof(PetscInt64), &mesh->num_nodes, &mesh->tags));
  PetscCall(ReadAll(file, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, sizeof(PetscReal), &num_places, &mesh->places));
  PetscCall(ReadAll(file, "/VTKHDF/Types", H5T_NATIVE_UCHAR, 1, &mesh->num_cells, &mesh->type));
  PetscCall(ReadAll(file, "/VTKHDF/Offsets", H5T_NATIVE_INT64, sizeof(PetscInt64), &num_first, &mesh->first));
  PetscCall(ReadAll(file, "/VTKHDF/Connectivity", H5T_NATIVE_INT64, sizeof(PetscInt64), &num_corners, &mesh->corners));
  if (!IsWhole(mesh, num_places, num_first, num_corners)) mesh->num_nodes = mesh->num_cells = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UniversalReadMesh(Universal *universal)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < universal->catalogue->count && universal->mesh.num_nodes == 0; i++) {
    const Entry *const entry = &universal->catalogue->entries[i];
    char               group[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN];
    hid_t              file;

    if (strncmp(entry->path, "/modes/", 7) != 0 || strcmp(strrchr(entry->path, '/'), "/shape") != 0) continue;
    EntryGroup(entry, group);
    PetscCall(FindPath(universal, group, path));
    file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) continue;
    PetscCall(UniversalFreeMesh(universal));
    PetscCall(ReadMesh(file, &universal->mesh));
    (void)H5Fclose(file);
  }
  for (PetscInt n = 0; n < universal->mesh.num_nodes; n++) universal->before = PetscMax(universal->before, universal->mesh.tags[n]);
  if (universal->mesh.num_nodes == 0 && CatalogueFind(universal->catalogue, "/system/mesh_places"))
    LogWarn("%s: no file .hdf of its modes is beside it: the universal file has the points of the mesh, but neither its nodes nor its elements",
            universal->catalogue->result);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UniversalFreeMesh(Universal *universal)
{
  UniversalMesh *const mesh = &universal->mesh;

  PetscFunctionBegin;
  PetscCall(PetscFree(mesh->places));
  PetscCall(PetscFree(mesh->tags));
  PetscCall(PetscFree(mesh->corners));
  PetscCall(PetscFree(mesh->first));
  PetscCall(PetscFree(mesh->type));
  *mesh = (UniversalMesh){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Double precision has an exponent of Fortran's. */
void UniversalWriteNode(const Universal *universal, PetscInt64 number, const PetscReal place[3])
{
  fprintf(universal->out, "%10" PetscInt64_FMT "%10d%10d%10d\n", number, 1, 1, 11);
  for (PetscInt d = 0; d < 3; d++) {
    char text[32];

    snprintf(text, sizeof(text), "%25.16E", place[d]);
    *strchr(text, 'E') = 'D';
    fputs(text, universal->out);
  }
  fputc('\n', universal->out);
}

/* Eight numbers a line. */
static void WriteElement(const Universal *universal, PetscInt number, const Kind *kind, const PetscInt64 corners[])
{
  fprintf(universal->out, "%10" PetscInt_FMT "%10d%10d%10d%10d%10d\n", number, kind->descriptor, 1, 1, 7, kind->count);
  if (kind->descriptor == BEAM || kind->descriptor == PARABOLIC_BEAM) fprintf(universal->out, "%10d%10d%10d\n", 0, 1, 1);
  for (int k = 0; k < kind->count; k++)
    fprintf(universal->out, "%10" PetscInt64_FMT "%s", universal->mesh.tags[corners[kind->order[k]]], k % 8 == 7 || k == kind->count - 1 ? "\n" : "");
}

void UniversalWriteElements(const Universal *universal)
{
  const UniversalMesh *const mesh   = &universal->mesh;
  PetscInt                   number = 0;

  if (mesh->num_cells == 0) return;
  UniversalBegin(universal, 2412);
  for (PetscInt c = 0; c < mesh->num_cells; c++)
    for (size_t k = 0; k < PETSC_STATIC_ARRAY_LENGTH(kinds); k++)
      if (kinds[k].type == mesh->type[c]) WriteElement(universal, ++number, &kinds[k], mesh->corners + mesh->first[c]);
  UniversalEnd(universal);
}

PetscErrorCode UniversalReadShape(const Universal *universal, const char *group, PetscInt k, PetscReal frequency, PetscReal **shape)
{
  char     path[PETSC_MAX_PATH_LEN], field[PETSC_MAX_PATH_LEN];
  PetscInt count;
  hid_t    file;

  PetscFunctionBegin;
  *shape = NULL;
  if (universal->mesh.num_nodes == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindPath(universal, group, path));
  file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) PetscFunctionReturn(PETSC_SUCCESS);
  snprintf(field, sizeof(field), "/VTKHDF/PointData/%s_%03" PetscInt_FMT "_%.6gHz", strrchr(group, '/') + 1, k + 1, frequency);
  PetscCall(ReadAll(file, field, H5T_NATIVE_DOUBLE, sizeof(PetscReal), &count, shape));
  if (count != 3 * universal->mesh.num_nodes) PetscCall(PetscFree(*shape));
  (void)H5Fclose(file);
  PetscFunctionReturn(PETSC_SUCCESS);
}
