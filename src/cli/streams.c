/* streams.c - the standard streams, before anything is opened: their numbers must not go to files of ours. */
#ifndef PETSC_DESIRE_FEATURE_TEST_MACROS
  #define PETSC_DESIRE_FEATURE_TEST_MACROS /* open beside ISO C */
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "cli.h"

/* What is opened takes the lowest free number: a result that took that of a closed standard output would get all that is printed. */
static PetscBool Plug(int stream)
{
  if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) return PETSC_FALSE;
  (void)open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  return PETSC_TRUE;
}

PetscBool StreamsPlug(void)
{
  PetscBool closed[3];

  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) closed[stream] = Plug(stream);
  if (closed[STDOUT_FILENO]) fputs("error: standard output is closed, and results are printed there; `> /dev/null` discards them\n", stderr);
  return (PetscBool)!closed[STDOUT_FILENO];
}
