/* scratch.h - what the tests of result files share: a folder for each test, what was said on standard error, bytes of files. */
#pragma once
#ifndef PETSC_DESIRE_FEATURE_TEST_MACROS
  #define PETSC_DESIRE_FEATURE_TEST_MACROS /* mkdtemp, fork and their like beside ISO C */
#endif
#include "check.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRATCH_LENGTH = 256, SAID_LENGTH = 4096 };

typedef struct {
  char folder[SCRATCH_LENGTH]; /* the same on all ranks */
  char said[SAID_LENGTH];      /* by the last capture */
  int  standard_error;         /* what it is while captured */
} Scratch;

static inline int RankOf(MPI_Comm comm)
{
  int rank;

  MPI_Comm_rank(comm, &rank);
  return rank;
}

static inline int MakeScratch(void **state)
{
  Scratch *scratch = calloc(1, sizeof(*scratch));

  *state = scratch;
  if (!scratch) return 1;
  strcpy(scratch->folder, "scratch.XXXXXX");
  if (RankOf(MPI_COMM_WORLD) == 0 && !mkdtemp(scratch->folder)) return 1;
  return MPI_Bcast(scratch->folder, SCRATCH_LENGTH, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static inline void RemoveTree(const char *path)
{
  char                 child[2 * SCRATCH_LENGTH];
  DIR                 *listing = opendir(path);
  const struct dirent *entry;

  while (listing && (entry = readdir(listing)) != NULL) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (snprintf(child, sizeof(child), "%s/%s", path, entry->d_name) < (int)sizeof(child)) RemoveTree(child);
  }
  if (listing) closedir(listing);
  remove(path);
}

static inline int RemoveScratch(void **state)
{
  Scratch *scratch = *state;

  MPI_Barrier(MPI_COMM_WORLD);
  if (RankOf(MPI_COMM_WORLD) == 0) RemoveTree(scratch->folder);
  free(scratch);
  return 0;
}

/* FOLDER/NAME; of several calls in one expression each needs its own buffer. */
static inline const char *PathIn(const Scratch *scratch, const char *name, char path[SCRATCH_LENGTH])
{
  assert_true(snprintf(path, SCRATCH_LENGTH, "%s/%s", scratch->folder, name) < SCRATCH_LENGTH);
  return path;
}

static inline int Exists(const Scratch *scratch, const char *name)
{
  char path[SCRATCH_LENGTH];

  return access(PathIn(scratch, name, path), F_OK) == 0;
}

/* What this rank writes to standard error goes to scratch->said. */
static inline void CaptureBegin(Scratch *scratch)
{
  char name[64], path[SCRATCH_LENGTH];
  int  file;

  snprintf(name, sizeof(name), "said.%d", RankOf(MPI_COMM_WORLD));
  fflush(stderr);
  scratch->standard_error = dup(STDERR_FILENO);
  unlink(PathIn(scratch, name, path));
  file = open(path, O_RDWR | O_CREAT, 0600);
  assert_true(file >= 0 && dup2(file, STDERR_FILENO) >= 0);
  close(file);
}

static inline void CaptureEnd(Scratch *scratch)
{
  ssize_t length;

  fflush(stderr);
  length = pread(STDERR_FILENO, scratch->said, SAID_LENGTH - 1, 0);
  dup2(scratch->standard_error, STDERR_FILENO);
  close(scratch->standard_error);
  assert_true(length >= 0);
  scratch->said[length] = '\0';
}

/* The whole file, to be freed. */
static inline char *ReadBytes(const char *path, size_t *size)
{
  FILE       *file = fopen(path, "rb");
  struct stat status;
  char       *bytes;

  assert_non_null(file);
  assert_int_equal(fstat(fileno(file), &status), 0);
  *size = (size_t)status.st_size;
  bytes = malloc(*size + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  bytes[*size] = '\0';
  fclose(file);
  return bytes;
}

/* A new file: overwriting an old one costs a flush on some file systems. */
static inline void WriteBytes(const char *path, size_t size, const char *bytes)
{
  FILE *file;

  remove(path);
  file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}
