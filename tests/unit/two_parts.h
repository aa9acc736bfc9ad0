/* two_parts.h - the mesh, the values and the HDF5 that the tests of fields share. */
#pragma once
#include "parsed_mesh.h"
#include <hdf5.h>

/* A wedge on a brick with a surface between them, and beside them two beams on a second part; tags are out of order. */
static const char two_parts[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n13\n"
                                "21 0 0 0\n1 1 0 0\n22 1 1 0\n2 0 1 0\n23 0 0 1\n3 1 0 1\n24 1 1 1\n4 0 1 1\n30 0 0 2\n31 1 0 2\n"
                                "40 5 0 0\n41 6 0 0\n42 7 0 0\n$EndNodes\n$Elements\n5\n"
                                "101 3 2 5 1 23 3 24 4\n102 1 2 8 2 40 41\n103 1 2 9 3 41 42\n104 5 2 6 4 21 1 22 2 23 3 24 4\n"
                                "105 6 2 7 5 23 4 30 3 24 31\n$EndElements\n";

enum { NUM_NODES = 13, NUM_ELEMENTS = 5, NUM_CELLS = 4, NUM_CORNERS = 2 + 2 + 8 + 6 };

static inline PetscReal Value(PetscInt64 tag, PetscInt component)
{
  return sin((double)tag) * pow(10.0, (double)component);
}

static inline void Read(const char *path, const char *name, hid_t type, PetscInt count, void *values)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);

  assert_int_equal(H5Sget_simple_extent_npoints(space), count);
  assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
}

/* Six numbers of each element, block after block, drawn or not: by its number in the file. */
static inline void NumberElements(const Mesh *mesh, PetscReal values[])
{
  PetscReal *next = values;

  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++)
    for (PetscInt e = 0; e < MeshGetBlock(mesh, b)->count; e++)
      for (PetscInt c = 0; c < 6; c++) *next++ = Value(MeshGetBlock(mesh, b)->tags[e], c);
}

/* Those that are drawn have theirs. */
static inline void CheckElements(const char *path, const char *tags_name, const char *name)
{
  PetscInt64 tags[NUM_CELLS];
  PetscReal  values[NUM_CELLS][6];

  Read(path, tags_name, H5T_NATIVE_INT64, NUM_CELLS, tags);
  Read(path, name, H5T_NATIVE_DOUBLE, 6 * NUM_CELLS, values);
  for (PetscInt i = 0; i < NUM_CELLS; i++)
    for (PetscInt c = 0; c < 6; c++) assert_true(values[i][c] == Value(tags[i], c));
}
