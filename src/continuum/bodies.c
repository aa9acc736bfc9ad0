/* bodies.c - the rigid motions of the bodies of a structure: what they strain, and what of them the boundary sees. */
#include "bodies.h"
#include "dense.h"
#include "product.h"
#include <petscblaslapack.h>

static const PetscReal different = 1e-13; /* least square of how far a rigid motion of a body differs from its others */

/* The columns of `change` combine six motions with these scalar products into orthonormal ones; those that a small body (a
   point, a line) does not have become zero. */
static PetscErrorCode Orthonormalise(const PetscReal product[BLOCK], PetscReal change[BLOCK])
{
  PetscReal length[SIX], eigenvalue[SIX], vectors[BLOCK];

  PetscFunctionBegin;
  for (PetscInt a = 0; a < SIX; a++) length[a] = product[a * SIX + a] > 0.0 ? PetscSqrtReal(product[a * SIX + a]) : 1.0;
  for (PetscInt a = 0; a < SIX; a++)
    for (PetscInt b = 0; b < SIX; b++) vectors[a * SIX + b] = product[a * SIX + b] / (length[a] * length[b]);
  PetscCall(Diagonalise(SIX, vectors, eigenvalue));
  for (PetscInt c = 0; c < SIX; c++)
    for (PetscInt a = 0; a < SIX; a++)
      change[c * SIX + a] = eigenvalue[c] > different ? vectors[c * SIX + a] / (length[a] * PetscSqrtReal(eigenvalue[c])) : 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode MakeOrthonormal(const Continuum *continuum, PetscInt m, Bodies *bodies)
{
  const PetscInt     P = continuum->num_bodies;
  const PetscScalar *rigid;
  PetscInt           stride;
  PetscReal         *product;

  PetscFunctionBegin;
  bodies->continuum   = continuum;
  bodies->num_motions = P * SIX;
  PetscCall(MatGetLocalSize(continuum->rigid, &bodies->num_local, NULL));
  PetscCall(PetscCalloc4(bodies->num_local * SIX, &bodies->motion, P * BLOCK, &bodies->change, (size_t)(P * SIX) * (size_t)(P * SIX),
                         &bodies->strained, (size_t)(P * SIX) * (size_t)m, &bodies->seen));
  PetscCall(PetscCalloc1(P * BLOCK, &product));
  PetscCall(MatDenseGetLDA(continuum->rigid, &stride));
  PetscCall(MatDenseGetArrayRead(continuum->rigid, &rigid));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt a = 0; a < SIX; a++)
      for (PetscInt b = 0; b < SIX; b++) product[continuum->body[i] * BLOCK + a * SIX + b] += rigid[a * stride + i] * rigid[b * stride + i];
  PetscCall(SumOverRanks(continuum->rigid, product, (size_t)(P * BLOCK)));
  for (PetscInt p = 0; p < P; p++) PetscCall(Orthonormalise(product + p * BLOCK, bodies->change + p * BLOCK));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt c = 0; c < SIX; c++)
      for (PetscInt a = 0; a < SIX; a++)
        bodies->motion[i * SIX + c] += rigid[a * stride + i] * bodies->change[continuum->body[i] * BLOCK + c * SIX + a];
  PetscCall(MatDenseRestoreArrayRead(continuum->rigid, &rigid));
  PetscCall(PetscFree(product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BodiesDestroy(Bodies *bodies)
{
  PetscFunctionBegin;
  PetscCall(PetscFree4(bodies->motion, bodies->change, bodies->strained, bodies->seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Moves one body and leaves the others where they are: springs between bodies are strained too. */
static PetscErrorCode StrainBody(const Bodies *bodies, PetscInt body, PetscReal factor, const Product *K, Mat moved, Mat forces)
{
  const PetscInt *const body_of = bodies->continuum->body;
  const PetscScalar    *force;
  PetscScalar          *x;
  PetscInt              stride;

  PetscFunctionBegin;
  PetscCall(MatDenseGetLDA(moved, &stride));
  PetscCall(MatDenseGetArrayWrite(moved, &x));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt c = 0; c < SIX; c++) x[c * stride + i] = body_of[i] == body ? bodies->motion[i * SIX + c] : 0.0;
  PetscCall(MatDenseRestoreArrayWrite(moved, &x));
  PetscCall(ProductCompute(K, moved, forces));
  PetscCall(MatDenseGetLDA(forces, &stride));
  PetscCall(MatDenseGetArrayRead(forces, &force));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt c = 0; c < SIX; c++)
      for (PetscInt a = 0; a < SIX; a++)
        bodies->strained[(body * SIX + c) * bodies->num_motions + body_of[i] * SIX + a] +=
          factor * bodies->motion[i * SIX + a] * force[c * stride + i];
  PetscCall(MatDenseRestoreArrayRead(forces, &force));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds `factor` times what a matrix strains. */
static PetscErrorCode StrainBodies(const Bodies *bodies, PetscReal factor, Mat matrix)
{
  Product *K;
  Mat      moved, forces;

  PetscFunctionBegin;
  PetscCall(ProductCreate(matrix, &K));
  PetscCall(MatDuplicate(bodies->continuum->rigid, MAT_DO_NOT_COPY_VALUES, &moved));
  PetscCall(MatDuplicate(bodies->continuum->rigid, MAT_DO_NOT_COPY_VALUES, &forces));
  for (PetscInt p = 0; p < bodies->continuum->num_bodies; p++) PetscCall(StrainBody(bodies, p, factor, K, moved, forces));
  PetscCall(MatDestroy(&forces));
  PetscCall(MatDestroy(&moved));
  PetscCall(ProductDestroy(&K));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By K, without what stresses have added to it. */
static PetscErrorCode Strain(const Bodies *bodies)
{
  const Continuum *const continuum = bodies->continuum;

  PetscFunctionBegin;
  PetscCall(StrainBodies(bodies, 1.0, continuum->K));
  if (continuum->stress) PetscCall(StrainBodies(bodies, -1.0, continuum->stress));
  PetscCall(SumOverRanks(continuum->K, bodies->strained, (size_t)bodies->num_motions * (size_t)bodies->num_motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much the rows of R see of each motion of each body. */
static PetscErrorCode SeeBodies(const Bodies *bodies, const Boundary *boundary)
{
  const PetscInt    *row;
  const PetscScalar *weight;
  PetscInt           first, end, count;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(boundary->rows, &first, &end));
  for (PetscInt i = first; i < end; i++) {
    PetscCall(MatGetRow(boundary->rows, i, &count, &row, &weight));
    for (PetscInt e = 0; e < count; e++)
      for (PetscInt a = 0; a < SIX; a++)
        bodies->seen[(bodies->continuum->body[i - first] * SIX + a) * boundary->m + row[e]] += weight[e] * bodies->motion[(i - first) * SIX + a];
    PetscCall(MatRestoreRow(boundary->rows, i, &count, &row, &weight));
  }
  PetscCall(SumOverRanks(boundary->rows, bodies->seen, (size_t)bodies->num_motions * (size_t)boundary->m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BodiesStiffness(const Bodies *bodies, PetscReal stiffness[])
{
  const PetscScalar *value;
  Vec                diagonal;

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(stiffness, bodies->continuum->num_bodies));
  PetscCall(MatCreateVecs(bodies->continuum->K, &diagonal, NULL));
  PetscCall(MatGetDiagonal(bodies->continuum->K, diagonal));
  PetscCall(VecGetArrayRead(diagonal, &value));
  for (PetscInt i = 0; i < bodies->num_local; i++)
    for (PetscInt a = 0; a < SIX; a++) stiffness[bodies->continuum->body[i]] += PetscAbsReal(value[i]) * PetscSqr(bodies->motion[i * SIX + a]);
  PetscCall(VecRestoreArrayRead(diagonal, &value));
  PetscCall(VecDestroy(&diagonal));
  PetscCall(SumOverRanks(bodies->continuum->K, stiffness, (size_t)bodies->continuum->num_bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BodiesCreate(const Boundary *boundary, const Continuum *continuum, Bodies *bodies)
{
  PetscFunctionBegin;
  PetscCall(MakeOrthonormal(continuum, boundary->m, bodies));
  PetscCall(Strain(bodies));
  PetscCall(SeeBodies(bodies, boundary));
  PetscFunctionReturn(PETSC_SUCCESS);
}
