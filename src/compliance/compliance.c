/* compliance.c - slices of a symmetric matrix: how ranks share its places, and what they find together. */
#include "compliance.h"

PetscInt ComplianceFirst(const Compliance *compliance, PetscMPIInt rank)
{
  return (PetscInt)((PetscInt64)compliance->num * rank / compliance->size);
}

static PetscErrorCode CreateDialogue(Compliance *compliance)
{
  ComplianceDialogue *dialogue;

  PetscFunctionBegin;
  PetscCall(PetscNew(&compliance->dialogue));
  dialogue = compliance->dialogue;
  PetscCall(PetscMalloc4(compliance->num, &dialogue->given, compliance->num, &dialogue->found, compliance->size, &dialogue->counts, compliance->size,
                         &dialogue->starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceCreate(MPI_Comm comm, PetscBool spread, PetscInt num, Compliance **compliance)
{
  Compliance *c;

  PetscFunctionBegin;
  PetscCall(PetscNew(compliance));
  c  = *compliance;
  *c = (Compliance){.comm = PETSC_COMM_SELF, .size = 1, .num = num};
  if (spread) PetscCallMPI(MPI_Comm_size(comm, &c->size));
  if (c->size > 1) {
    PetscCallMPI(MPI_Comm_dup(comm, &c->comm)); /* what others say there is not heard here */
    PetscCallMPI(MPI_Comm_rank(comm, &c->rank));
    PetscCall(CreateDialogue(c));
  }
  c->first = ComplianceFirst(c, c->rank);
  c->width = ComplianceFirst(c, c->rank + 1) - c->first;
  PetscCall(PetscMalloc1((size_t)num * (size_t)c->width, &c->own));
  PetscCall(PetscCalloc1(num, &c->diagonal));
  c->slice = c->own;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceDuplicate(const Compliance *compliance, Compliance **copy)
{
  PetscFunctionBegin;
  PetscCall(ComplianceCreate(compliance->comm, (PetscBool)(compliance->size > 1), compliance->num, copy));
  PetscCall(PetscArraycpy((*copy)->own, compliance->slice, (size_t)compliance->num * (size_t)compliance->width));
  PetscCall(PetscArraycpy((*copy)->diagonal, compliance->diagonal, compliance->num));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceDestroy(Compliance **compliance)
{
  Compliance *const c = *compliance;

  PetscFunctionBegin;
  if (!c) PetscFunctionReturn(PETSC_SUCCESS);
  if (c->dialogue) {
    PetscCall(PetscFree4(c->dialogue->given, c->dialogue->found, c->dialogue->counts, c->dialogue->starts));
    PetscCall(PetscFree(c->dialogue));
    PetscCallMPI(MPI_Comm_free(&c->comm));
  }
  PetscCall(PetscFree(c->own));
  PetscCall(PetscFree(c->diagonal));
  PetscCall(PetscFree(*compliance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

Compliance ComplianceOfMatrix(PetscInt num, const PetscReal matrix[])
{
  return (Compliance){.comm = PETSC_COMM_SELF, .size = 1, .num = num, .width = num, .slice = matrix};
}

/* Places from `first` on of this slice, with themselves. */
static void MeanWithin(Compliance *compliance)
{
  const size_t     width  = (size_t)compliance->width;
  PetscReal *const square = compliance->own + (size_t)compliance->first * width;

  for (size_t i = 0; i < width; i++)
    for (size_t j = 0; j < i; j++) square[i * width + j] = square[j * width + i] = 0.5 * (square[i * width + j] + square[j * width + i]);
}

/* With the places of another slice: what that has of them comes by rows. */
static PetscErrorCode MeanWith(Compliance *compliance, PetscMPIInt other)
{
  const PetscInt    first = ComplianceFirst(compliance, other), height = ComplianceFirst(compliance, other + 1) - first, width = compliance->width;
  PetscReal *const  block = compliance->own + (size_t)first * (size_t)width;
  PetscReal        *theirs;
  const size_t      size  = (size_t)height * (size_t)width;
  const PetscMPIInt count = (PetscMPIInt)size;

  PetscFunctionBegin;
  PetscCheck(size <= PETSC_MPI_INT_MAX, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "%zu numbers are more than MPI counts", size);
  PetscCall(PetscMalloc1(size, &theirs));
  PetscCallMPI(MPI_Sendrecv(block, count, MPIU_REAL, other, 0, theirs, count, MPIU_REAL, other, 0, compliance->comm, MPI_STATUS_IGNORE));
  for (PetscInt i = 0; i < height; i++)
    for (PetscInt j = 0; j < width; j++) {
      PetscReal *const mine = &block[(size_t)i * (size_t)width + (size_t)j];

      *mine = 0.5 * (*mine + theirs[(size_t)j * (size_t)height + (size_t)i]);
    }
  PetscCall(PetscFree(theirs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindDiagonal(Compliance *compliance)
{
  const size_t width = (size_t)compliance->width, first = (size_t)compliance->first;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(compliance->diagonal, compliance->num));
  for (size_t i = 0; i < width; i++) compliance->diagonal[first + i] = compliance->own[(first + i) * width + i];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, compliance->diagonal, compliance->num, MPIU_REAL, MPIU_SUM, compliance->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In turn `turn` those ranks meet whose sum is that, but for whole rounds. */
PetscErrorCode ComplianceFinish(Compliance *compliance)
{
  PetscFunctionBegin;
  MeanWithin(compliance);
  for (PetscMPIInt turn = 0; turn < compliance->size; turn++) {
    const PetscMPIInt other = (turn - compliance->rank + compliance->size) % compliance->size;

    if (other != compliance->rank) PetscCall(MeanWith(compliance, other));
  }
  PetscCall(FindDiagonal(compliance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What this rank has of it, zero elsewhere. */
static void FillBetween(const Compliance *compliance, PetscInt count, const PetscInt places[], PetscReal between[])
{
  for (PetscInt a = 0; a < count; a++) {
    const PetscReal *const row = compliance->slice + (size_t)places[a] * (size_t)compliance->width;

    for (PetscInt b = 0; b < count; b++) {
      const PetscInt own = places[b] - compliance->first;

      between[(size_t)a * (size_t)count + (size_t)b] = own >= 0 && own < compliance->width ? row[own] : 0.0;
    }
  }
}

static PetscErrorCode AskBetween(const Compliance *compliance, PetscInt count, const PetscInt places[], PetscReal between[])
{
  ComplianceSelection selection = {0};
  const PetscReal    *rows;
  PetscReal          *room;

  PetscFunctionBegin;
  PetscCall(ComplianceSelect(compliance, count, places, 0, 0.0, NULL, NULL, &selection));
  PetscCall(ComplianceCollect(compliance, &selection, &room, &rows));
  PetscCall(PetscArraycpy(between, rows, (size_t)count * (size_t)count));
  PetscCall(PetscFree(room));
  PetscCall(ComplianceSelectionDestroy(&selection));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplianceBetween(const Compliance *compliance, PetscInt count, const PetscInt places[], PetscReal between[])
{
  const size_t most = (size_t)1 << 28, all = (size_t)count * (size_t)count; /* numbers at a time, which MPI counts in 32 bits */

  PetscFunctionBegin;
  if (compliance->dialogue && compliance->dialogue->leads) {
    PetscCall(AskBetween(compliance, count, places, between));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  FillBetween(compliance, count, places, between);
  for (size_t done = 0; compliance->dialogue && done < all; done += most)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, between + done, (PetscMPIInt)PetscMin(most, all - done), MPIU_REAL, MPIU_SUM, compliance->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}
