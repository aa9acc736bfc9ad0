/* blas.c - the memory of OpenBLAS, taken before any work: what it does not get at its first call it asks for without end and in silence. */
#ifndef PETSC_DESIRE_FEATURE_TEST_MACROS
  #define PETSC_DESIRE_FEATURE_TEST_MACROS /* alarm beside ISO C */
#endif
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "cli.h"
#include <petscblaslapack.h>

/* OpenBLAS asks for 128 MB at its first call; what PETSC and this program take at least comes on top. */
enum { NEEDED = 192 << 20, PATIENCE = 20 /* [s], of a call that takes microseconds */ };

#define TOO_LITTLE \
  "error: too little memory: dovetail needs about 600 MB of address space on each rank, 128 MB of it for the linear algebra; see `ulimit -v`\n"

/* Of OpenBLAS only; any other BLAS keeps its own ways. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

/* Ranks share the work, and threads beside them get in each other's way; who wants threads says so. */
static void SetThreads(void)
{
  if (!openblas_set_num_threads || getenv("OPENBLAS_NUM_THREADS") || getenv("GOTO_NUM_THREADS") || getenv("OMP_NUM_THREADS")) return;
  openblas_set_num_threads(1);
}

static PetscBool IsThere(size_t num_bytes)
{
  void *volatile const memory = malloc(num_bytes); /* volatile, or a compiler needs no memory for what is freed at once */

  free(memory);
  return (PetscBool)(memory != NULL);
}

/* In a signal handler, of a call that will never return. */
static void GiveUp(int signal_number)
{
  static const char message[] = TOO_LITTLE;

  (void)signal_number;
  if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0) _exit(EXIT_OURS);
  _exit(EXIT_INPUT);
}

/* The factor of [4]: its memory stays with OpenBLAS. */
static PetscErrorCode CallFirst(void)
{
  PetscScalar  a = 4.0;
  PetscBLASInt n = 1, info;

  PetscFunctionBegin;
  (void)signal(SIGALRM, GiveUp);
  (void)alarm(PATIENCE);
  PetscCallBLAS("LAPACKpotrf", LAPACKpotrf_("L", &n, &a, &n, &info));
  (void)alarm(0);
  (void)signal(SIGALRM, SIG_DFL);
  PetscCheck(info == 0 && a == 2.0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK finds no factor of [4]");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BlasBegin(void)
{
  int enough = (int)IsThere(NEEDED), all;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(&enough, &all, 1, MPI_INT, MPI_MIN, PETSC_COMM_WORLD));
  if (!all) {
    PetscCall(PetscFPrintf(PETSC_COMM_WORLD, stderr, TOO_LITTLE));
    PetscFunctionReturn(PETSC_ERR_USER_INPUT);
  }
  SetThreads();
  PetscCall(CallFirst());
  PetscFunctionReturn(PETSC_SUCCESS);
}
