/* column.c - datasets whose rows lie on all ranks: rank 0 writes them as they come, so much at a time that its memory stays small. */
#include "fields.h"
#include <string.h>

enum { PIECE = 1 << 22, HEADER = 4096 }; /* bytes; HDF5 adds less than HEADER for a dataset, on average */

static size_t RowBytes(const Column *column)
{
  return H5Tget_size(column->stored) * (size_t)PetscMax(column->width, 1);
}

void ColumnAddSlice(Column *column, PetscInt count, PetscInt length, void (*fill)(const Slice *, PetscInt, PetscInt, void *), const void *source)
{
  column->slices[column->num_slices++] = (Slice){count, length, fill, source, (size_t)length * RowBytes(column)};
}

void SliceCopy(const Slice *slice, PetscInt first, PetscInt count, void *rows)
{
  memcpy(rows, (const char *)slice->source + (size_t)first * slice->item_bytes, (size_t)count * slice->item_bytes);
}

PetscErrorCode ColumnCount(MPI_Comm comm, Column *column)
{
  PetscInt64 own = 0;

  PetscFunctionBegin;
  for (PetscInt s = 0; s < column->num_slices; s++) own += (PetscInt64)column->slices[s].count * column->slices[s].length;
  PetscCallMPI(MPI_Allreduce(&own, &column->num_rows, 1, MPIU_INT64, MPI_SUM, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt64 ColumnBytes(const Column *column)
{
  return column->num_rows * (PetscInt64)RowBytes(column) + HEADER;
}

PetscErrorCode ColumnAllocate(hid_t file, const Column *column)
{
  const PetscInt64 dims[] = {column->num_rows, column->width};

  PetscFunctionBegin;
  PetscCall(DatasetAllocate(file, column->path, column->stored, column->width ? 2 : 1, dims));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteRows(hid_t dataset, const Column *column, PetscInt64 first, PetscInt64 count, const void *rows)
{
  const hsize_t start[] = {(hsize_t)first, 0}, size[] = {(hsize_t)count, (hsize_t)column->width};
  hid_t         wanted, memory;
  herr_t        status;

  PetscFunctionBegin;
  CallHDF5(wanted, H5Dget_space, dataset);
  CallHDF5(status, H5Sselect_hyperslab, wanted, H5S_SELECT_SET, start, NULL, size, NULL);
  CallHDF5(memory, H5Screate_simple, column->width ? 2 : 1, size, NULL);
  CallHDF5(status, H5Dwrite, dataset, column->stored, memory, wanted, H5P_DEFAULT, rows);
  CallHDF5(status, H5Sclose, memory);
  CallHDF5(status, H5Sclose, wanted);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt PieceOf(const Slice *slice, PetscInt left)
{
  return PetscMin(left, PetscMax(1, (PetscInt)(PIECE / slice->item_bytes)));
}

static PetscErrorCode Send(MPI_Comm comm, const Slice *slice, void *rows)
{
  PetscFunctionBegin;
  for (PetscInt done = 0, piece; done < slice->count; done += piece) {
    piece = PieceOf(slice, slice->count - done);
    slice->fill(slice, done, piece, rows);
    PetscCallMPI(MPI_Send(rows, (PetscMPIInt)((size_t)piece * slice->item_bytes), MPI_BYTE, 0, 0, comm));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0: the items of one rank, which may be itself. */
static PetscErrorCode Receive(MPI_Comm comm, int rank, PetscInt count, const Slice *slice, hid_t dataset, const Column *column, PetscInt64 *row,
                              void *rows)
{
  PetscFunctionBegin;
  for (PetscInt done = 0, piece; done < count; done += piece) {
    piece = PieceOf(slice, count - done);
    if (rank == 0) slice->fill(slice, done, piece, rows);
    else PetscCallMPI(MPI_Recv(rows, (PetscMPIInt)((size_t)piece * slice->item_bytes), MPI_BYTE, rank, 0, comm, MPI_STATUS_IGNORE));
    PetscCall(WriteRows(dataset, column, *row, (PetscInt64)piece * slice->length, rows));
    *row += (PetscInt64)piece * slice->length;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteSlice(MPI_Comm comm, const Column *column, const Slice *slice, hid_t dataset, PetscInt64 *row)
{
  PetscMPIInt rank, size;
  PetscInt   *counts;
  char       *rows;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscMalloc2(size, &counts, PetscMax((size_t)PIECE, slice->item_bytes), &rows));
  PetscCallMPI(MPI_Gather(&slice->count, 1, MPIU_INT, counts, 1, MPIU_INT, 0, comm));
  if (rank > 0) PetscCall(Send(comm, slice, rows));
  for (PetscMPIInt r = 0; rank == 0 && r < size; r++) PetscCall(Receive(comm, r, counts[r], slice, dataset, column, row, rows));
  PetscCall(PetscFree2(counts, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ColumnWrite(MPI_Comm comm, hid_t file, const Column *column)
{
  hid_t      dataset = H5I_INVALID_HID;
  PetscInt64 row     = 0;
  herr_t     status;

  PetscFunctionBegin;
  if (file >= 0) CallHDF5(dataset, H5Dopen2, file, column->path, H5P_DEFAULT);
  for (PetscInt s = 0; s < column->num_slices; s++) PetscCall(WriteSlice(comm, column, &column->slices[s], dataset, &row));
  if (dataset >= 0) CallHDF5(status, H5Dclose, dataset);
  PetscFunctionReturn(PETSC_SUCCESS);
}
