/* bar.h - a mesh of lines for tests of beams. */
#pragma once
#include "scratch.h"

/* A bar of `count` lines from the origin along x, 1 m long, with the groups root, tip and bar. */
static inline void WriteBar(const char *path, int count)
{
  FILE *file;

  if (RankOf(PETSC_COMM_WORLD) > 0) {
    MPI_Barrier(PETSC_COMM_WORLD);
    return;
  }
  file = fopen(path, "w");

  assert_non_null(file);
  fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n0 1 \"root\"\n0 2 \"tip\"\n1 3 \"bar\"\n$EndPhysicalNames\n");
  fprintf(file, "$Nodes\n%d\n", count + 1);
  for (int i = 0; i <= count; i++) fprintf(file, "%d %.17g 0 0\n", i + 1, (double)i / count);
  fprintf(file, "$EndNodes\n$Elements\n%d\n1 15 2 1 1 1\n2 15 2 2 2 %d\n", count + 2, count + 1);
  for (int i = 1; i <= count; i++) fprintf(file, "%d 1 2 3 1 %d %d\n", i + 2, i, i + 1);
  fprintf(file, "$EndElements\n");
  assert_int_equal(fclose(file), 0);
  MPI_Barrier(PETSC_COMM_WORLD);
}
