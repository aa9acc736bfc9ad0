/* apart.c - reading in a process of its own: HDF5 of today's distributions crashes on some damaged files, or turns in them for ever, and
   that must not be the end of the program. */
#include "result.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child, which leaves no core, does not ask MPI for anything, and ends without cleaning up what is its parent's. */
static void Work(int pipe_end, const Reading *reading)
{
  static const int    fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGHUP};
  const struct rlimit none    = {0, 0};
  FILE *const         out     = fdopen(pipe_end, "w");
  PetscErrorCode      code;

  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(fatal); i++) (void)signal(fatal[i], SIG_DFL);
  (void)setrlimit(RLIMIT_CORE, &none);
  if (!out) _exit(EXIT_OURS);
  (void)setvbuf(out, NULL, _IOLBF, 0);
  code = reading->work(out, reading->path, reading->context);
  (void)fclose(out);
  _exit(code == PETSC_SUCCESS ? EXIT_FINE : code == PETSC_ERR_USER_INPUT ? EXIT_INPUT : EXIT_OURS);
}

/* What it prints, as it comes; false when it has fallen silent. */
static PetscBool Listen(int pipe_end, const Reading *reading)
{
  struct pollfd watched = {.fd = pipe_end, .events = POLLIN};
  char          piece[4096];

  for (;;) {
    const int     ready = poll(&watched, 1, reading->most_silence > 0 ? 1000 * reading->most_silence : -1);
    const ssize_t got   = ready > 0 ? read(pipe_end, piece, sizeof(piece)) : -1;

    if (ready == 0) return PETSC_FALSE;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return PETSC_TRUE;
    (void)fwrite(piece, 1, (size_t)got, reading->out);
  }
}

static PetscErrorCode Judge(const char *path, int status, PetscBool silent)
{
  PetscFunctionBegin;
  if (silent) PetscFunctionReturn(Refuse(path, "is damaged: HDF5 finds no end in it"));
  if (!WIFEXITED(status)) PetscFunctionReturn(Refuse(path, "is damaged: HDF5 crashes in it"));
  if (WEXITSTATUS(status) == EXIT_INPUT) PetscFunctionReturn(PETSC_ERR_USER_INPUT);
  PetscCheck(WEXITSTATUS(status) == EXIT_FINE, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s: reading it failed", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReadApart(const Reading *reading)
{
  int       ends[2], status = 0;
  pid_t     child;
  PetscBool silent;

  PetscFunctionBegin;
  PetscCheck(pipe(ends) == 0, PETSC_COMM_SELF, PETSC_ERR_SYS, "no pipe");
  (void)fflush(NULL); /* or the child would print it again */
  child = fork();
  if (child == 0) {
    close(ends[0]);
    Work(ends[1], reading);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    PetscFunctionReturn(reading->work(reading->out, reading->path, reading->context)); /* without processes to spare: as well as can be */
  }
  silent = (PetscBool)!Listen(ends[0], reading);
  close(ends[0]);
  if (silent) kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  PetscFunctionReturn(Judge(reading->path, status, silent));
}
