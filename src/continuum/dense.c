/* dense.c - small dense matrices that all ranks hold. */
#include "dense.h"
#include <slepcblaslapack.h>

PetscErrorCode SumOverRanks(Mat like, PetscReal numbers[], size_t count)
{
  const size_t most = (size_t)1 << 30; /* that MPI counts in 32 bits */

  PetscFunctionBegin;
  for (size_t done = 0; done < count; done += most)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, numbers + done, (PetscMPIInt)PetscMin(most, count - done), MPIU_REAL, MPIU_SUM,
                               PetscObjectComm((PetscObject)like)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void Symmetrise(PetscInt size, PetscInt count, PetscReal matrix[])
{
  for (PetscInt i = 0; i < count; i++)
    for (PetscInt j = 0; j < i; j++) {
      PetscReal *const lower = &matrix[i * size + j], *const upper = &matrix[j * size + i];

      *lower = *upper = 0.5 * (*lower + *upper);
    }
}

PetscErrorCode ChooseSign(Vec shape)
{
  const PetscScalar *value;
  PetscInt           first, end;
  PetscReal          largest;
  PetscInt64         choice = INT64_MAX; /* twice the index, and one more when negative */

  PetscFunctionBegin;
  PetscCall(VecNorm(shape, NORM_INFINITY, &largest));
  PetscCall(VecGetOwnershipRange(shape, &first, &end));
  PetscCall(VecGetArrayRead(shape, &value));
  for (PetscInt i = first; i < end; i++) {
    if (PetscAbsReal(value[i - first]) * (1.0 + 1e-6) < largest) continue;
    choice = 2 * (PetscInt64)i + (value[i - first] < 0.0 ? 1 : 0);
    break;
  }
  PetscCall(VecRestoreArrayRead(shape, &value));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &choice, 1, MPIU_INT64, MPI_MIN, PetscObjectComm((PetscObject)shape)));
  if (choice % 2) PetscCall(VecScale(shape, -1.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MultiplyTransposed(Mat A, Mat B, PetscReal product[])
{
  const PetscScalar *a, *b, one = 1.0, zero = 0.0;
  PetscInt           num_local, num_a, num_b, stride_a, stride_b;
  PetscBLASInt       rows, columns, height, lead_a, lead_b;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(B, &num_local, NULL));
  PetscCall(MatGetSize(A, NULL, &num_a));
  PetscCall(MatGetSize(B, NULL, &num_b));
  PetscCall(MatDenseGetLDA(A, &stride_a));
  PetscCall(MatDenseGetLDA(B, &stride_b));
  PetscCall(PetscBLASIntCast(num_a, &rows));
  PetscCall(PetscBLASIntCast(num_b, &columns));
  PetscCall(PetscBLASIntCast(num_local, &height));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride_a), &lead_a));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride_b), &lead_b));
  PetscCall(MatDenseGetArrayRead(A, &a));
  PetscCall(MatDenseGetArrayRead(B, &b));
  BLASgemm_("T", "N", &rows, &columns, &height, &one, a, &lead_a, b, &lead_b, &zero, product, &rows);
  PetscCall(MatDenseRestoreArrayRead(B, &b));
  PetscCall(MatDenseRestoreArrayRead(A, &a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode Diagonalise(PetscInt n, PetscReal A[], PetscReal eigenvalue[])
{
  PetscBLASInt size = (PetscBLASInt)n, room = -1, integer_room = -1, integer, *integers, info;
  PetscReal    most, *work;

  PetscFunctionBegin;
  LAPACKsyevd_("V", "U", &size, A, &size, eigenvalue, &most, &room, &integer, &integer_room, &info);
  room         = (PetscBLASInt)most;
  integer_room = integer;
  PetscCall(PetscMalloc2(room, &work, integer_room, &integers));
  LAPACKsyevd_("V", "U", &size, A, &size, eigenvalue, work, &room, integers, &integer_room, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK's syevd gave %d", (int)info);
  PetscCall(PetscFree2(work, integers));
  PetscFunctionReturn(PETSC_SUCCESS);
}
