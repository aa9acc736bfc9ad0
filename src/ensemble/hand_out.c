/*
  hand_out.c - numbers handed out to processes when they are free: a counter on rank 0, which all add to and read at once (one-sided
  communication), so that no rank waits to answer others.
*/
#include "ensemble_private.h"

struct HandOut {
  MPI_Win  window;
  PetscInt total;
  int64_t *next; /* on rank 0 */
};

PetscErrorCode HandOutCreate(MPI_Comm comm, PetscInt total, HandOut **out)
{
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCall(PetscNew(out));
  (*out)->total = total;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Win_allocate(rank == 0 ? sizeof(int64_t) : 0, sizeof(int64_t), MPI_INFO_NULL, comm, &(*out)->next, &(*out)->window));
  if (rank == 0) {
    PetscCallMPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, (*out)->window));
    *(*out)->next = 0;
    PetscCallMPI(MPI_Win_unlock(0, (*out)->window));
  }
  PetscCallMPI(MPI_Barrier(comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HandOutTake(HandOut *out, PetscInt wanted, PetscInt *first, PetscInt *count)
{
  const int64_t added = wanted;
  int64_t       next;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, out->window));
  PetscCallMPI(MPI_Fetch_and_op(&added, &next, MPI_INT64_T, 0, 0, MPI_SUM, out->window));
  PetscCallMPI(MPI_Win_unlock(0, out->window));
  *first = (PetscInt)PetscMin(next, (int64_t)out->total);
  *count = PetscMin(wanted, out->total - *first);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HandOutDestroy(HandOut **out)
{
  PetscFunctionBegin;
  PetscCallMPI(MPI_Win_free(&(*out)->window));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}
