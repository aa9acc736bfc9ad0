/* identify.c - which kind of file one is, from its first bytes. */
#include "input_private.h"
#include <ctype.h>
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEGIN = 4096 };

/* Version 5 (and 7, which is packed): "IM" or "MI" by byte order, after the version. Version 4 has no mark: a type of at most four digits
   MOPT, rows, columns, 0 or 1, and the length of a name. */
static PetscBool IsMatlab(const char *path, const unsigned char begin[BEGIN], size_t length)
{
  const char *const end = strrchr(path, '.');
  uint32_t          head[5];

  if (length >= 128 && (memcmp(begin + 124, "\0\1IM", 4) == 0 || memcmp(begin + 124, "\1\0MI", 4) == 0)) return PETSC_TRUE;
  if (!end || strcmp(end, ".mat") != 0 || length < sizeof head) return PETSC_FALSE;
  memcpy(head, begin, sizeof head);
  if (head[0] > UINT16_MAX)
    for (int i = 0; i < 5; i++) head[i] = head[i] >> 24 | (head[i] >> 8 & 0xFF00u) | (head[i] << 8 & 0xFF0000u) | head[i] << 24;
  return (PetscBool)(head[0] < 5000 && head[0] % 1000 / 100 == 0 && head[0] % 100 / 10 < 6 && head[0] % 10 < 3 && head[3] < 2 && head[4] > 0 &&
                     head[4] < 256);
}

/* A line with nothing but -1 in columns 5 and 6, then the number of a dataset. */
static PetscBool IsUniversal(const char *begin)
{
  const char *next = begin + strspn(begin, "\r\n");

  if (strncmp(next, "    -1", 6) != 0) return PETSC_FALSE;
  next += 6;
  next += strspn(next, " ");
  if (*next != '\r' && *next != '\n') return PETSC_FALSE;
  next += strspn(next, "\r\n ");
  return (PetscBool)(isdigit((unsigned char)*next) != 0);
}

/* The first line that is no comment. */
static PetscBool IsPunch(const char *begin)
{
  while (*begin == '$' || *begin == '\r' || *begin == '\n') {
    begin += strcspn(begin, "\n");
    begin += *begin == '\n';
  }
  return (PetscBool)(strncmp(begin, "DMIG ", 5) == 0);
}

static InputFileKind Identify(const char *path)
{
  unsigned char begin[BEGIN + 1] = {0};
  FILE         *file;
  size_t        length;

  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* HDF5 would print its stack */
  if (H5Fis_hdf5(path) > 0) return INPUT_FILE_HDF5;
  file = fopen(path, "rb");
  if (!file) return INPUT_FILE_TEXT; /* reading it will tell */
  length = fread(begin, 1, BEGIN, file);
  fclose(file);
  if (IsMatlab(path, begin, length)) return INPUT_FILE_MATLAB;
  if (IsUniversal((const char *)begin)) return INPUT_FILE_UNIVERSAL;
  return IsPunch((const char *)begin) ? INPUT_FILE_PUNCH : INPUT_FILE_TEXT;
}

PetscErrorCode InputIdentify(const InputNode *node, const char *path, InputFileKind *kind)
{
  MPI_Comm    comm  = node->document->comm;
  PetscMPIInt found = 0, rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) found = (PetscMPIInt)Identify(path);
  PetscCallMPI(MPI_Bcast(&found, 1, MPI_INT, 0, comm));
  *kind = (InputFileKind)found;
  PetscFunctionReturn(PETSC_SUCCESS);
}
