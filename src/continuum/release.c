/* release.c - motions of the boundary that strain nothing, and the stiffness that round-off has against them. */
#include "release.h"
#include "dense.h"
#include <petscblaslapack.h>

/* Least stiffness that can be told from none, against that with each unknown held by itself: solids that hang together by an edge were seen to
   have up to 6e-17, beams 200 times as long as thick bend with 1e-7. */
static const PetscReal least   = 2e-15;
static const PetscReal outside = 1e-13; /* least square of what of a unit motion lies outside those that strain nothing */

typedef struct {
  PetscInt   m, count; /* rows; motions that strain nothing */
  PetscReal *root;     /* of the stiffness against each row, each unknown being held by itself */
  PetscReal *K;        /* [m, m] without unit: rows and columns divided by these */
  PetscReal *motion;   /* [m, m], the first `count` columns orthonormal */
} Release;

static PetscErrorCode FindRoots(Mat K, Mat modes, const Release *release)
{
  const PetscScalar *own, *mode;
  PetscInt           num_local, stride;
  Vec                diagonal;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(K, &diagonal, NULL));
  PetscCall(MatGetDiagonal(K, diagonal));
  PetscCall(VecGetLocalSize(diagonal, &num_local));
  PetscCall(MatDenseGetLDA(modes, &stride));
  PetscCall(VecGetArrayRead(diagonal, &own));
  PetscCall(MatDenseGetArrayRead(modes, &mode));
  for (PetscInt r = 0; r < release->m; r++)
    for (PetscInt i = 0; i < num_local; i++) release->root[r] += PetscAbsReal(own[i]) * PetscSqr(mode[(size_t)r * (size_t)stride + (size_t)i]);
  PetscCall(MatDenseRestoreArrayRead(modes, &mode));
  PetscCall(VecRestoreArrayRead(diagonal, &own));
  PetscCall(VecDestroy(&diagonal));
  PetscCall(SumOverRanks(K, release->root, (size_t)release->m));
  for (PetscInt r = 0; r < release->m; r++) release->root[r] = release->root[r] > 0.0 ? PetscSqrtReal(release->root[r]) : 1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rigid motions, orthonormal in units of the roots [Householder]. */
static PetscErrorCode BeginWithRigid(const Boundary *boundary, Release *release)
{
  PetscBLASInt m = (PetscBLASInt)release->m, count = (PetscBLASInt)boundary->num_rigid, room = 64 * count + 1, info;
  PetscReal   *tau, *work;

  PetscFunctionBegin;
  release->count = boundary->num_rigid;
  for (PetscInt i = 0; i < release->m * release->count; i++) release->motion[i] = boundary->rigid[i] * release->root[i % release->m];
  PetscCall(PetscMalloc2(count, &tau, room, &work));
  if (count) {
    LAPACKgeqrf_(&m, &count, release->motion, &m, tau, work, &room, &info);
    LAPACKorgqr_(&m, &count, &count, release->motion, &m, tau, work, &room, &info);
  }
  PetscCall(PetscFree2(tau, work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K = P K P = K - F N^T - N F^T, F = K N - N (N^T K N) / 2, of the columns N of the motions from `first` on. */
static PetscErrorCode Project(const Release *release, PetscInt first)
{
  const PetscBLASInt m = (PetscBLASInt)release->m, count = (PetscBLASInt)(release->count - first);
  const PetscReal    one = 1.0, zero = 0.0, minus = -1.0, minus_half = -0.5, *N = release->motion + (size_t)first * (size_t)release->m;
  PetscReal         *forces, *energies;

  PetscFunctionBegin;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2((size_t)m * (size_t)count, &forces, count * count, &energies));
  BLASgemm_("N", "N", &m, &count, &m, &one, release->K, &m, N, &m, &zero, forces, &m);
  BLASgemm_("T", "N", &count, &count, &m, &minus_half, N, &m, forces, &m, &zero, energies, &count);
  BLASgemm_("N", "N", &m, &count, &count, &one, N, &m, energies, &count, &one, forces, &m);
  BLASgemm_("N", "T", &m, &m, &count, &minus, forces, &m, N, &m, &one, release->K, &m);
  BLASgemm_("N", "T", &m, &m, &count, &minus, N, &m, forces, &m, &one, release->K, &m);
  PetscCall(PetscFree2(forces, energies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K + k N N^T - `less`, k the largest on the diagonal of K: rigid motions are stiff then, and what is left without stiffness are mechanisms. */
static PetscErrorCode Stiffen(const Release *release, PetscReal less, PetscReal stiff[])
{
  const PetscBLASInt m = (PetscBLASInt)release->m, count = (PetscBLASInt)release->count;
  const PetscReal    one     = 1.0;
  PetscReal          largest = 0.0;

  PetscFunctionBegin;
  PetscCall(PetscArraycpy(stiff, release->K, (size_t)m * (size_t)m));
  for (PetscInt i = 0; i < m; i++) largest = PetscMax(largest, stiff[i * m + i]);
  if (largest == 0.0) largest = 1.0;
  if (count) BLASgemm_("N", "T", &m, &m, &count, &largest, release->motion, &m, release->motion, &m, &one, stiff, &m);
  for (PetscInt i = 0; i < m; i++) stiff[i * m + i] -= less;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Usually there are none, which Cholesky's method tells sooner than eigenvalues. */
static PetscErrorCode FindMechanisms(Release *release)
{
  const PetscBLASInt m = (PetscBLASInt)release->m;
  PetscBLASInt       info;
  PetscReal         *stiff, *eigenvalue;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2((size_t)m * (size_t)m, &stiff, m, &eigenvalue));
  PetscCall(Stiffen(release, least, stiff));
  LAPACKpotrf_("U", &m, stiff, &m, &info);
  if (info != 0) {
    PetscCall(Stiffen(release, 0.0, stiff));
    PetscCall(Diagonalise(m, stiff, eigenvalue));
    for (PetscInt k = 0; k < m && release->count < m; k++) {
      if (PetscAbsReal(eigenvalue[k]) > least) continue;
      PetscCall(PetscArraycpy(release->motion + (size_t)release->count * (size_t)m, stiff + (size_t)k * (size_t)m, m));
      release->count++;
    }
  }
  PetscCall(PetscFree2(stiff, eigenvalue));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows that strain nothing when they move alone: of these even the round-off that the projection leaves would be all there is. */
static void ClearRows(const Release *release)
{
  for (PetscInt i = 0; i < release->m; i++) {
    PetscReal rest = 1.0;

    for (PetscInt k = 0; k < release->count; k++) rest -= PetscSqr(release->motion[k * release->m + i]);
    for (PetscInt j = 0; j < release->m && rest <= outside; j++) release->K[i * release->m + j] = release->K[j * release->m + i] = 0.0;
  }
}

PetscErrorCode ReleaseBoundary(const Boundary *boundary, Mat K, Mat modes, PetscInt size, PetscReal stiffness[])
{
  const PetscInt m       = boundary->m - boundary->num_held;
  Release        release = {.m = m};
  PetscInt       num_rigid;

  PetscFunctionBegin;
  if (m == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc3(m, &release.root, (size_t)m * (size_t)m, &release.K, (size_t)m * (size_t)m, &release.motion));
  PetscCall(FindRoots(K, modes, &release));
  for (PetscInt i = 0; i < m * m; i++) release.K[i] = stiffness[(i / m) * size + i % m] / (release.root[i / m] * release.root[i % m]);
  PetscCall(BeginWithRigid(boundary, &release));
  PetscCall(Project(&release, 0));
  num_rigid = release.count;
  PetscCall(FindMechanisms(&release));
  PetscCall(Project(&release, num_rigid));
  ClearRows(&release);
  for (PetscInt i = 0; i < m * m; i++) stiffness[(i / m) * size + i % m] = release.K[i] * release.root[i / m] * release.root[i % m];
  PetscCall(PetscFree3(release.root, release.K, release.motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}
