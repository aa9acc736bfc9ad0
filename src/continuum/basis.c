/* basis.c - the columns of a Krylov space. */
#include "basis.h"
#include "dense.h"
#include <petscblaslapack.h>

enum { CHUNK = 32 /* columns that are allocated together, a multiple of all widths */ };

PetscErrorCode BasisCreate(PetscInt num_local, PetscInt width, Mat known, Basis *basis)
{
  PetscFunctionBegin;
  *basis = (Basis){.known = known};
  PetscCall(PetscBLASIntCast(num_local, &basis->num_local));
  PetscCall(PetscBLASIntCast(width, &basis->width));
  if (known) PetscCall(MatGetSize(known, NULL, &basis->num_known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BasisDestroy(Basis *basis)
{
  PetscFunctionBegin;
  for (PetscInt c = 0; c < basis->num_chunks; c++) PetscCall(PetscFree(basis->chunks[c]));
  PetscCall(PetscFree(basis->chunks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Reserve(Basis *basis)
{
  PetscFunctionBegin;
  if (basis->size < basis->num_chunks * CHUNK) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc((size_t)(basis->num_chunks + 1) * sizeof(*basis->chunks), &basis->chunks));
  PetscCall(PetscMalloc1((size_t)basis->num_local * CHUNK + 1, &basis->chunks[basis->num_chunks]));
  basis->num_chunks++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscScalar *ColumnOf(const Basis *basis, PetscInt column)
{
  return basis->chunks[column / CHUNK] + (size_t)(column % CHUNK) * (size_t)basis->num_local;
}

const PetscScalar *BasisBlock(const Basis *basis, PetscInt j)
{
  return ColumnOf(basis, j * basis->width);
}

PetscErrorCode BasisAppend(Basis *basis, Mat block)
{
  const PetscScalar *value;

  PetscFunctionBegin;
  PetscCall(Reserve(basis));
  PetscCall(MatDenseGetArrayRead(block, &value));
  PetscCall(PetscArraycpy(ColumnOf(basis, basis->size), value, (size_t)basis->num_local * (size_t)basis->width));
  PetscCall(MatDenseRestoreArrayRead(block, &value));
  basis->size += basis->width;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The known columns, then chunk after chunk: piece i; false when there are no more. */
typedef struct {
  const PetscScalar *columns;
  PetscInt           first; /* of all */
  PetscBLASInt       count;
} Piece;

static PetscBool PieceOf(const Basis *basis, const PetscScalar known[], PetscInt i, Piece *piece)
{
  const PetscInt c = basis->num_known ? i - 1 : i;

  if (c < 0) *piece = (Piece){known, 0, (PetscBLASInt)basis->num_known};
  else if (c < basis->num_chunks)
    *piece = (Piece){basis->chunks[c], basis->num_known + c * CHUNK, (PetscBLASInt)PetscMin(CHUNK, basis->size - c * CHUNK)};
  else return PETSC_FALSE;
  return PETSC_TRUE;
}

PetscErrorCode BasisProject(const Basis *basis, Mat weighed, Mat block, PetscReal share[])
{
  const PetscBLASInt rows = basis->num_local, lead = PetscMax(1, rows), width = basis->width, all = (PetscBLASInt)(basis->num_known + basis->size);
  const PetscScalar  one = 1.0, zero = 0.0, minus = -1.0, *forces, *known = NULL;
  PetscScalar       *value;
  Piece              piece;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(share, (size_t)all * (size_t)width));
  PetscCall(MatDenseGetArrayRead(weighed, &forces));
  PetscCall(MatDenseGetArray(block, &value));
  if (basis->known) PetscCall(MatDenseGetArrayRead(basis->known, &known));
  for (PetscInt i = 0; rows > 0 && PieceOf(basis, known, i, &piece); i++)
    BLASgemm_("T", "N", &piece.count, &width, &rows, &one, piece.columns, &lead, forces, &lead, &zero, share + piece.first, &all);
  PetscCall(SumOverRanks(block, share, (size_t)all * (size_t)width));
  for (PetscInt i = 0; rows > 0 && PieceOf(basis, known, i, &piece); i++)
    BLASgemm_("N", "N", &rows, &width, &piece.count, &minus, piece.columns, &lead, share + piece.first, &all, &one, value, &lead);
  if (basis->known) PetscCall(MatDenseRestoreArrayRead(basis->known, &known));
  PetscCall(MatDenseRestoreArray(block, &value));
  PetscCall(MatDenseRestoreArrayRead(weighed, &forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BasisGather(const Basis *basis, const PetscReal s[], Mat modes)
{
  const PetscBLASInt rows = basis->num_local, lead = PetscMax(1, rows), size = (PetscBLASInt)basis->size;
  const PetscScalar  one = 1.0;
  PetscScalar       *value;
  PetscInt           num_modes;
  PetscBLASInt       count;

  PetscFunctionBegin;
  PetscCall(MatGetSize(modes, NULL, &num_modes));
  PetscCall(PetscBLASIntCast(num_modes, &count));
  PetscCall(MatZeroEntries(modes));
  PetscCall(MatDenseGetArray(modes, &value));
  for (PetscInt c = 0; c < basis->num_chunks && rows > 0; c++) {
    const PetscBLASInt columns = PetscMin(CHUNK, size - c * CHUNK);

    BLASgemm_("N", "N", &rows, &count, &columns, &one, basis->chunks[c], &lead, s + c * CHUNK, &size, &one, value, &lead);
  }
  PetscCall(MatDenseRestoreArray(modes, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}
