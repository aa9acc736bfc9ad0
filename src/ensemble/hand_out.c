/*
  hand_out.c - numbers handed out to processes when they are free.

  On one machine: a counter in memory, which all add to and read at once (one-sided communication), so that no rank waits to answer others. Over a
  network that would only hold where its hardware does so by itself; where it does not, a rank would wait until rank 0 has computed what it has
  taken. Of ranks on several machines rank 0 therefore answers the others, and takes nothing itself.
*/
#include "ensemble_private.h"

struct HandOut {
  MPI_Comm    comm;
  PetscMPIInt rank, size;
  PetscBool   served; /* rank 0 answers */
  MPI_Win     window;
  PetscInt    total;
  int64_t    *next, given; /* of the counter, on rank 0; of a server */
  PetscMPIInt num_gone;    /* ranks that will not ask a server again */
  Progress   *progress;
};

enum { ASK = 1, ANSWER = 2 }; /* tags */

/* Whether ranks are on several machines, or the user says so. */
static PetscErrorCode IsServed(MPI_Comm comm, PetscMPIInt size, PetscBool *served)
{
  MPI_Comm    machine;
  PetscMPIInt here;
  int         apart;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine));
  PetscCallMPI(MPI_Comm_size(machine, &here));
  PetscCallMPI(MPI_Comm_free(&machine));
  apart = here < size;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_INT, MPI_MAX, comm));
  *served = (PetscBool)apart;
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-serve_samples", served, NULL));
  *served = (PetscBool)(*served && size > 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateCounter(HandOut *out)
{
  PetscFunctionBegin;
  PetscCallMPI(MPI_Win_allocate(out->rank == 0 ? sizeof(int64_t) : 0, sizeof(int64_t), MPI_INFO_NULL, out->comm, (void *)&out->next, &out->window));
  if (out->rank == 0) {
    PetscCallMPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, out->window));
    *out->next = 0;
    PetscCallMPI(MPI_Win_unlock(0, out->window));
  }
  PetscCallMPI(MPI_Barrier(out->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HandOutCreate(MPI_Comm comm, PetscInt total, Progress *progress, HandOut **out)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(out));
  (*out)->comm     = comm;
  (*out)->total    = total;
  (*out)->progress = progress;
  PetscCallMPI(MPI_Comm_rank(comm, &(*out)->rank));
  PetscCallMPI(MPI_Comm_size(comm, &(*out)->size));
  PetscCall(IsServed(comm, (*out)->size, &(*out)->served));
  if (!(*out)->served) PetscCall(CreateCounter(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Until all others are gone. After a wish to end nobody is given anything. */
static PetscErrorCode Serve(HandOut *out)
{
  int64_t    wanted, next;
  MPI_Status status;

  PetscFunctionBegin;
  while (out->num_gone < out->size - 1) {
    PetscCallMPI(MPI_Recv(&wanted, 1, MPI_INT64_T, MPI_ANY_SOURCE, ASK, out->comm, &status));
    out->num_gone += wanted == 0;
    if (wanted == 0) continue;
    next = InterruptAsked() ? out->total : out->given;
    PetscCallMPI(MPI_Send(&next, 1, MPI_INT64_T, status.MPI_SOURCE, ANSWER, out->comm));
    out->given = PetscMin(next + wanted, (int64_t)out->total);
    if (out->progress) ProgressUpdate(out->progress, (PetscReal)out->given);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Count(HandOut *out, int64_t wanted, int64_t *next)
{
  PetscFunctionBegin;
  PetscCallMPI(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, out->window));
  PetscCallMPI(MPI_Fetch_and_op(&wanted, next, MPI_INT64_T, 0, 0, MPI_SUM, out->window));
  PetscCallMPI(MPI_Win_unlock(0, out->window));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HandOutTake(HandOut *out, PetscInt wanted, PetscInt *first, PetscInt *count)
{
  const int64_t asked = wanted;
  int64_t       next  = out->total;

  PetscFunctionBegin;
  if (!out->served) PetscCall(Count(out, asked, &next));
  else if (out->rank == 0) PetscCall(Serve(out));
  else PetscCallMPI(MPI_Sendrecv(&asked, 1, MPI_INT64_T, 0, ASK, &next, 1, MPI_INT64_T, 0, ANSWER, out->comm, MPI_STATUS_IGNORE));
  *first = (PetscInt)PetscMin(next, (int64_t)out->total);
  *count = PetscMin(wanted, out->total - *first);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HandOutDestroy(HandOut **out)
{
  const int64_t none = 0;

  PetscFunctionBegin;
  if (!(*out)->served) PetscCallMPI(MPI_Win_free(&(*out)->window));
  else if ((*out)->rank == 0) PetscCall(Serve(*out));
  else PetscCallMPI(MPI_Send(&none, 1, MPI_INT64_T, 0, ASK, (*out)->comm));
  PetscCallMPI(MPI_Barrier((*out)->comm));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}
