/* ritz.c - the eigenvalues of the band that block Lanczos builds. */
#include "ritz.h"
#include "dense.h"

static const PetscReal least = 1e-13; /* theta, against the largest: below there is only round-off */

PetscErrorCode BandExtend(Band *band)
{
  const size_t size = (size_t)(band->num_blocks + 1) * (size_t)(band->width * band->width) * sizeof(PetscReal);

  PetscFunctionBegin;
  PetscCall(PetscRealloc(size, &band->diagonal));
  PetscCall(PetscRealloc(size, &band->below));
  band->num_blocks++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BandDestroy(Band *band)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(band->diagonal));
  PetscCall(PetscFree(band->below));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal *BandDiagonal(const Band *band, PetscInt j)
{
  return band->diagonal + j * band->width * band->width;
}

PetscReal *BandBelow(const Band *band, PetscInt j)
{
  return band->below + j * band->width * band->width;
}

static void FillBlock(const Band *band, PetscInt j, size_t size, PetscReal T[])
{
  const PetscInt         w = band->width;
  const PetscReal *const A = BandDiagonal(band, j), *const R = BandBelow(band, j);

  for (PetscInt c = 0; c < w; c++)
    for (PetscInt r = 0; r < w; r++) {
      const size_t first = (size_t)j * (size_t)w, column = first + (size_t)c, row = first + (size_t)r;

      T[column * size + row] = A[c * w + r];
      if (j + 1 == band->num_blocks) continue;
      T[column * size + row + (size_t)w]   = R[c * w + r];
      T[(row + (size_t)w) * size + column] = R[c * w + r];
    }
}

/* LAPACK's order is ascending. */
static void Reverse(PetscInt n, PetscReal theta[], PetscReal vectors[])
{
  for (PetscInt a = 0, b = n - 1; a < b; a++, b--) {
    const PetscReal other = theta[a];

    theta[a] = theta[b];
    theta[b] = other;
    for (PetscInt i = 0; i < n; i++) {
      const PetscReal entry = vectors[(size_t)a * (size_t)n + (size_t)i];

      vectors[(size_t)a * (size_t)n + (size_t)i] = vectors[(size_t)b * (size_t)n + (size_t)i];
      vectors[(size_t)b * (size_t)n + (size_t)i] = entry;
    }
  }
}

/* |R s|, R the last one, s the part of a vector in the last block: how far the space is from holding the vector's image. */
static PetscReal Residual(const Band *band, const PetscReal vector[])
{
  const PetscInt         w = band->width;
  const PetscReal *const R = BandBelow(band, band->num_blocks - 1), *const s = vector + (band->num_blocks - 1) * w;
  PetscReal sum = 0.0;

  for (PetscInt r = 0; r < w; r++) {
    PetscReal component = 0.0;

    for (PetscInt c = 0; c < w; c++) component += R[c * w + r] * s[c];
    sum += PetscSqr(component);
  }
  return PetscSqrtReal(sum);
}

PetscErrorCode RitzCreate(const Band *band, PetscReal tolerance, Ritz *ritz)
{
  const size_t size = (size_t)band->num_blocks * (size_t)band->width;

  PetscFunctionBegin;
  *ritz = (Ritz){.size = (PetscInt)size};
  PetscCall(PetscCalloc2(size, &ritz->theta, size * size, &ritz->vectors));
  for (PetscInt j = 0; j < band->num_blocks; j++) FillBlock(band, j, size, ritz->vectors);
  PetscCall(Diagonalise(ritz->size, ritz->vectors, ritz->theta));
  Reverse(ritz->size, ritz->theta, ritz->vectors);
  while (ritz->count < ritz->size && ritz->theta[ritz->count] > least * ritz->theta[0] &&
         Residual(band, ritz->vectors + (size_t)ritz->count * size) <= tolerance * ritz->theta[ritz->count])
    ritz->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RitzDestroy(Ritz *ritz)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(ritz->theta, ritz->vectors));
  PetscFunctionReturn(PETSC_SUCCESS);
}
