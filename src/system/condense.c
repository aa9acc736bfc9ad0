/*
  condense.c - unknowns without mass follow the others, and forces, at once: they leave the equation of motion, and it stays exact.

      u_s = K_ss^-1 (p_s - B_s^T g) - X u_m,   X = K_ss^-1 K_sm,   K with the tangents of stuck joints, g = f - k d

      u = W u_m + what forces do,   W = [1; -X],   K0' = W^T K0 W,   B' = B W,   T' = T W,   p' = W^T p

  What forces do between places, C_s K_ss^-1 C_s^T, is the residual of the System. Where a joint touches none of these unknowns its tangents stay
  out of all this, so that no digits of K are lost by adding and taking away.
*/
#include "cluster.h"
#include "draft.h"

enum { MOST_TOGETHER = 8000, MOST_PLACES = 20000 }; /* dense matrices of so many rows take 0.5 and 3.2 GB */

typedef struct {
  System     *system;
  PetscInt    n, kept;    /* unknowns; those with mass, which come first */
  Mat         tangents;   /* while joints stick, of those that touch unknowns without mass, between the rows of B */
  Mat         K;          /* with these tangents */
  Mat         sides;      /* [n, kept + places] K_sm and C_s^T; rows of unknowns with mass are empty */
  Entries     motion;     /* W */
  Compliance *compliance; /* between the places */
  Condensed  *outcome;
} Condensing;

static void SetFault(Condensing *work, CondensedFault fault, PetscInt unknown)
{
  if (work->outcome->fault == CONDENSED_FINE) *work->outcome = (Condensed){.fault = fault, .unknown = unknown};
}

/* What statics do not know must not act on an unknown without mass. */
static PetscErrorCode CheckRows(Condensing *work, Mat matrix, CondensedFault fault)
{
  PetscFunctionBegin;
  for (PetscInt i = work->kept; matrix && i < work->n; i++) {
    const PetscScalar *value;
    PetscInt           count;
    PetscBool          any = PETSC_FALSE;

    PetscCall(MatGetRow(matrix, i, &count, NULL, &value));
    for (PetscInt k = 0; k < count; k++) any = (PetscBool)(any || value[k] != 0.0);
    PetscCall(MatRestoreRow(matrix, i, &count, NULL, &value));
    if (any) SetFault(work, fault, i);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether a row of B moves with unknowns without mass. */
static PetscErrorCode Touches(const Condensing *work, PetscInt row, PetscBool *touches)
{
  const PetscInt    *unknown;
  const PetscScalar *value;
  PetscInt           count;

  PetscFunctionBegin;
  *touches = PETSC_FALSE;
  PetscCall(MatGetRow(work->system->B, row, &count, &unknown, &value));
  for (PetscInt k = 0; k < count; k++) *touches = (PetscBool)(*touches || (unknown[k] >= work->kept && value[k] != 0.0));
  PetscCall(MatRestoreRow(work->system->B, row, &count, &unknown, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Tangents of joints that touch none become zero. */
static PetscErrorCode DropOthers(const Condensing *work, Mat tangents)
{
  const PetscInt *start, *column;
  PetscInt        count;
  PetscBool      *touches, done;
  PetscScalar    *value;

  PetscFunctionBegin;
  PetscCall(MatGetRowIJ(tangents, 0, PETSC_FALSE, PETSC_FALSE, &count, &start, &column, &done));
  PetscCall(PetscMalloc1(count, &touches));
  for (PetscInt r = 0; r < count; r++) PetscCall(Touches(work, r, &touches[r]));
  PetscCall(MatSeqAIJGetArray(tangents, &value));
  for (PetscInt r = 0; r < count; r++)
    for (PetscInt e = start[r]; e < start[r + 1]; e++)
      if (!touches[r] && !touches[column[e]]) value[e] = 0.0;
  PetscCall(MatSeqAIJRestoreArray(tangents, &value));
  PetscCall(PetscFree(touches));
  PetscCall(MatRestoreRowIJ(tangents, 0, PETSC_FALSE, PETSC_FALSE, &count, &start, &column, &done));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* sum += factor tangents, of motions by these rows. */
static PetscErrorCode AddTangents(Mat tangents, Mat rows, PetscReal factor, Mat *sum)
{
  Mat joints;

  PetscFunctionBegin;
  PetscCall(MatPtAP(tangents, rows, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &joints));
  PetscCall(MatrixAdd(sum, factor, joints));
  PetscCall(MatDestroy(&joints));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the joints that touch unknowns without mass: their tangents, and K with them. */
static PetscErrorCode TakeStiffness(const Condensing *work, JointState state, Mat *tangents, Mat *K)
{
  PetscFunctionBegin;
  PetscCall(MatDuplicate(work->system->K, MAT_COPY_VALUES, K));
  PetscCall(SystemTangents(work->system, state, tangents));
  PetscCall(DropOthers(work, *tangents));
  PetscCall(AddTangents(*tangents, work->system->B, 1.0, K));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds rows of a matrix on the unknowns, the first of which is this place, to C_s^T. */
static PetscErrorCode AddPlaces(const Condensing *work, Mat matrix, PetscInt place, Entries *sides)
{
  PetscInt num_rows;

  PetscFunctionBegin;
  PetscCall(MatGetSize(matrix, &num_rows, NULL));
  for (PetscInt r = 0; r < num_rows; r++) {
    const PetscInt    *unknown;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(matrix, r, &count, &unknown, &value));
    for (PetscInt k = 0; k < count; k++)
      if (unknown[k] >= work->kept) PetscCall(EntriesAdd(sides, unknown[k], work->kept + place + r, value[k]));
    PetscCall(MatRestoreRow(matrix, r, &count, &unknown, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The base moves what has mass, and bolts and reactions belong to meshes: of the other places only patterns are left. */
static PetscErrorCode TakeSides(Condensing *work)
{
  const System *const system = work->system;
  const PetscInt     *column;
  const PetscScalar  *value;
  PetscInt            count;
  Entries             sides = {0};

  PetscFunctionBegin;
  for (PetscInt i = work->kept; i < work->n; i++) {
    PetscCall(MatGetRow(work->K, i, &count, &column, &value));
    for (PetscInt k = 0; k < count; k++)
      if (column[k] < work->kept) PetscCall(EntriesAdd(&sides, i, column[k], value[k]));
    PetscCall(MatRestoreRow(work->K, i, &count, &column, &value));
  }
  PetscCall(AddPlaces(work, system->B, 0, &sides));
  PetscCall(AddPlaces(work, system->T, SystemPlaceOfMotion(system, 0), &sides));
  for (PetscInt p = 0; p < system->names.num_patterns; p++) {
    PetscCall(VecGetArrayRead(system->patterns[p].force, &value));
    for (PetscInt i = work->kept; i < work->n; i++)
      if (value[i] != 0.0) PetscCall(EntriesAdd(&sides, i, work->kept + SystemPlaceOfPattern(system, p), value[i]));
    PetscCall(VecRestoreArrayRead(system->patterns[p].force, &value));
  }
  PetscCall(EntriesToMatrix(&sides, work->n, work->kept + SystemNumPlaces(system), &work->sides));
  PetscCall(EntriesDestroy(&sides));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* W of a cluster, and what it gives places under forces on them. */
static PetscErrorCode TakeCluster(Condensing *work, const Cluster *cluster)
{
  const size_t   n = (size_t)cluster->num;
  ClusterColumns columns;

  PetscFunctionBegin;
  PetscCall(ClusterSolve(cluster, work->sides, &columns));
  for (PetscInt a = 0; a < columns.count; a++) {
    const PetscReal *const solution = columns.solutions + (size_t)a * n;
    const PetscInt         place    = columns.column[a] - work->kept;

    for (size_t i = 0; i < n && place < 0; i++) PetscCall(EntriesAdd(&work->motion, cluster->unknown[i], columns.column[a], -solution[i]));
    for (PetscInt b = 0; b < columns.count && place >= 0; b++) {
      const PetscInt other = columns.column[b] - work->kept;
      PetscReal      moved = 0.0;

      for (size_t i = 0; i < n; i++) moved += columns.values[(size_t)b * n + i] * solution[i];
      if (other >= 0) work->compliance->own[(size_t)other * (size_t)work->compliance->width + (size_t)place] += moved;
    }
  }
  PetscCall(ClusterColumnsDestroy(&columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cluster by cluster: whether all are held, and what they do where `take`. */
static PetscErrorCode GoThrough(Condensing *work, Mat K, CondensedFault fault, PetscBool take)
{
  PetscBool *taken;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(work->n - work->kept, &taken));
  for (PetscInt i = work->kept; i < work->n && work->outcome->fault == CONDENSED_FINE; i++) {
    Cluster  cluster;
    PetscInt loose = -1;

    if (taken[i - work->kept]) continue;
    PetscCall(ClusterCreate(K, work->kept, i, taken, &cluster));
    if (cluster.num > MOST_TOGETHER) SetFault(work, CONDENSED_TOO_MANY, i);
    else PetscCall(ClusterFactor(K, work->kept, &cluster, &loose));
    if (loose >= 0) SetFault(work, fault, loose);
    if (work->outcome->fault == CONDENSED_FINE && take) PetscCall(TakeCluster(work, &cluster));
    PetscCall(ClusterDestroy(&cluster));
  }
  PetscCall(PetscFree(taken));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Check(Condensing *work)
{
  Mat tangents, K;

  PetscFunctionBegin;
  PetscCall(CheckRows(work, work->system->M, CONDENSED_COUPLED));
  PetscCall(CheckRows(work, work->system->C, CONDENSED_DAMPED));
  if (SystemNumPlaces(work->system) > MOST_PLACES) SetFault(work, CONDENSED_TOO_MANY, work->kept);
  PetscCall(TakeStiffness(work, JOINT_SLIPPING, &tangents, &K));
  PetscCall(GoThrough(work, work->K, CONDENSED_LOOSE, PETSC_FALSE));
  PetscCall(GoThrough(work, K, CONDENSED_SLIPPING, PETSC_FALSE));
  PetscCall(MatDestroy(&tangents));
  PetscCall(MatDestroy(&K));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReplaceMatrix(Mat *matrix, Mat W, PetscBool square)
{
  Mat product;

  PetscFunctionBegin;
  if (!*matrix) PetscFunctionReturn(PETSC_SUCCESS);
  if (square) PetscCall(MatPtAP(*matrix, W, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product));
  else PetscCall(MatMatMult(*matrix, W, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product));
  if (square) PetscCall(MatSetOption(product, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(MatDestroy(matrix));
  *matrix = product;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReplaceVector(Vec *vector, Mat W)
{
  Vec product;

  PetscFunctionBegin;
  if (!*vector) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatCreateVecs(W, &product, NULL));
  PetscCall(MatMultTranspose(W, *vector, product));
  PetscCall(VecDestroy(vector));
  *vector = product;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What has been taken out of the stiffness of each unknown that is kept. */
static PetscErrorCode NoteCancelled(Condensing *work)
{
  Vec                before, after;
  const PetscScalar *old, *now;

  PetscFunctionBegin;
  PetscCall(MatCreateVecs(work->K, &before, NULL));
  PetscCall(MatCreateVecs(work->system->K, &after, NULL));
  PetscCall(MatGetDiagonal(work->K, before));
  PetscCall(MatGetDiagonal(work->system->K, after));
  PetscCall(PetscMalloc1(work->kept, &work->system->cancelled));
  PetscCall(VecGetArrayRead(before, &old));
  PetscCall(VecGetArrayRead(after, &now));
  for (PetscInt i = 0; i < work->kept; i++) work->system->cancelled[i] = PetscMax(0.0, old[i] - now[i]);
  PetscCall(VecRestoreArrayRead(before, &old));
  PetscCall(VecRestoreArrayRead(after, &now));
  PetscCall(VecDestroy(&before));
  PetscCall(VecDestroy(&after));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* K' = W^T K0 W - B'^T k B', of the joints in question alone. */
static PetscErrorCode ReplaceAll(Condensing *work, Mat W)
{
  System *const system = work->system;

  PetscFunctionBegin;
  PetscCall(ReplaceMatrix(&system->B, W, PETSC_FALSE));
  PetscCall(ReplaceMatrix(&system->T, W, PETSC_FALSE));
  PetscCall(ReplaceMatrix(&system->M, W, PETSC_TRUE));
  PetscCall(ReplaceMatrix(&system->C, W, PETSC_TRUE));
  PetscCall(MatDestroy(&system->K));
  PetscCall(MatPtAP(work->K, W, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &system->K));
  PetscCall(AddTangents(work->tangents, system->B, -1.0, &system->K));
  PetscCall(MatSetOption(system->K, MAT_SYMMETRIC, PETSC_TRUE));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) PetscCall(ReplaceVector(&system->base[d], W));
  for (PetscInt p = 0; p < system->names.num_patterns; p++) PetscCall(ReplaceVector(&system->patterns[p].force, W));
  for (PetscInt r = 0; r < system->num_reactions; r++) {
    PetscCall(ReplaceVector(&system->reactions[r].stiffness, W));
    PetscCall(ReplaceVector(&system->reactions[r].mass, W));
  }
  PetscCall(NoteCancelled(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Condense(Condensing *work)
{
  System *const system = work->system;
  Mat           W;

  PetscFunctionBegin;
  PetscCall(TakeSides(work));
  PetscCall(ComplianceCreate(PETSC_COMM_SELF, PETSC_FALSE, SystemNumPlaces(system), &work->compliance));
  PetscCall(PetscArrayzero(work->compliance->own, (size_t)work->compliance->num * (size_t)work->compliance->width));
  for (PetscInt i = 0; i < work->kept; i++) PetscCall(EntriesAdd(&work->motion, i, i, 1.0));
  PetscCall(GoThrough(work, work->K, CONDENSED_LOOSE, PETSC_TRUE));
  PetscCall(ComplianceFinish(work->compliance));
  PetscCall(EntriesToMatrix(&work->motion, work->n, work->kept, &W));
  PetscCall(ReplaceAll(work, W));
  PetscCall(MatDestroy(&W));
  PetscCall(MatDestroy(&work->sides));
  PetscCall(EntriesDestroy(&work->motion));
  PetscCall(PetscNew(&system->residual));
  *system->residual    = (SystemResidual){.num_places = SystemNumPlaces(system), .compliance = work->compliance};
  system->num_unknowns = work->kept;
  NamesCondense(&system->names, work->n - work->kept);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SystemCondense(System *system, PetscInt count, Condensed *outcome)
{
  Condensing work = {.system = system, .n = system->num_unknowns, .kept = system->num_unknowns - count, .outcome = outcome};

  PetscFunctionBegin;
  *outcome = (Condensed){.fault = CONDENSED_FINE, .unknown = -1};
  PetscCall(TakeStiffness(&work, JOINT_STUCK, &work.tangents, &work.K));
  PetscCall(Check(&work));
  if (outcome->fault == CONDENSED_FINE) PetscCall(Condense(&work));
  PetscCall(MatDestroy(&work.tangents));
  PetscCall(MatDestroy(&work.K));
  PetscFunctionReturn(PETSC_SUCCESS);
}
