/* reduction.c - a reduced structure: matrices and loads brought into it, motions brought back. */
#include "continuum.h"
#include "dense.h"
#include "product.h"
#include <petscblaslapack.h>

PetscErrorCode ReductionDestroy(Reduction **reduction)
{
  PetscFunctionBegin;
  if (!*reduction) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatDestroy(&(*reduction)->basis));
  PetscCall(PetscFree3((*reduction)->omega, (*reduction)->K, (*reduction)->M));
  PetscCall(PetscFree(*reduction));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReductionProjectMatrix(const Reduction *reduction, Mat A, PetscReal reduced[])
{
  Product *product;

  PetscFunctionBegin;
  PetscCall(ProductCreate(A, &product));
  PetscCall(ProductProject(product, reduction->basis, reduced));
  PetscCall(ProductDestroy(&product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReductionProject(const Reduction *reduction, Vec f, PetscReal reduced[])
{
  const PetscScalar *basis, *value, one = 1.0, zero = 0.0;
  PetscInt           num_local, stride;
  PetscBLASInt       height, width = (PetscBLASInt)reduction->size, lead, step = 1;

  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(f, &num_local));
  PetscCall(MatDenseGetLDA(reduction->basis, &stride));
  PetscCall(PetscBLASIntCast(num_local, &height));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride), &lead));
  PetscCall(PetscArrayzero(reduced, reduction->size)); /* gemv does nothing on a rank without rows */
  PetscCall(MatDenseGetArrayRead(reduction->basis, &basis));
  PetscCall(VecGetArrayRead(f, &value));
  BLASgemv_("T", &height, &width, &one, basis, &lead, value, &step, &zero, reduced, &step);
  PetscCall(VecRestoreArrayRead(f, &value));
  PetscCall(MatDenseRestoreArrayRead(reduction->basis, &basis));
  PetscCall(SumOverRanks(reduction->basis, reduced, (size_t)reduction->size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ReductionExpand(const Reduction *reduction, const PetscReal x[], Vec u)
{
  const PetscScalar *basis, one = 1.0, zero = 0.0;
  PetscScalar       *value;
  PetscInt           num_local, stride;
  PetscBLASInt       height, width = (PetscBLASInt)reduction->size, lead, step = 1;

  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(u, &num_local));
  PetscCall(MatDenseGetLDA(reduction->basis, &stride));
  PetscCall(PetscBLASIntCast(num_local, &height));
  PetscCall(PetscBLASIntCast(PetscMax(1, stride), &lead));
  PetscCall(MatDenseGetArrayRead(reduction->basis, &basis));
  PetscCall(VecGetArrayWrite(u, &value));
  BLASgemv_("N", &height, &width, &one, basis, &lead, x, &step, &zero, value, &step);
  PetscCall(VecRestoreArrayWrite(u, &value));
  PetscCall(MatDenseRestoreArrayRead(reduction->basis, &basis));
  PetscFunctionReturn(PETSC_SUCCESS);
}
