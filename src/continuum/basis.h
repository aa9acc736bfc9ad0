/* basis.h - the columns of a Krylov space, which grow block by block and are never moved. */
#pragma once
#include <petscmat.h>
#include "base.h"

typedef struct {
  PetscBLASInt  num_local, width; /* rows of this rank; columns of a block */
  Mat           known;            /* further columns before the first, NULL for none */
  PetscInt      num_known, size, num_chunks;
  PetscScalar **chunks;
} Basis;

PetscErrorCode BasisCreate(PetscInt num_local, PetscInt width, Mat known, Basis *basis);
PetscErrorCode BasisDestroy(Basis *basis);
PetscErrorCode BasisAppend(Basis *basis, Mat block);

/* This rank's rows of block j. Local. */
const PetscScalar *BasisBlock(const Basis *basis, PetscInt j);

/* Takes the share of all columns V, the known ones too, out of a block: block -= V V^T weighed, where weighed = M block. The share goes
   to share[num_known + size, width]. */
PetscErrorCode BasisProject(const Basis *basis, Mat weighed, Mat block, PetscReal share[]);

/* modes[n, count] = V s, without the known columns; s[size, count] in columns. */
PetscErrorCode BasisGather(const Basis *basis, const PetscReal s[], Mat modes);
