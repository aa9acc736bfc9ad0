/* cluster.c - unknowns that a stiffness ties to each other, as a dense matrix. */
#include "cluster.h"
#include <petscblaslapack.h>

PetscErrorCode ClusterCreate(Mat K, PetscInt kept, PetscInt first, PetscBool taken[], Cluster *cluster)
{
  PetscInt size;

  PetscFunctionBegin;
  PetscCall(MatGetSize(K, &size, NULL));
  *cluster = (Cluster){.num = 1};
  PetscCall(PetscMalloc1(size - kept, &cluster->unknown));
  cluster->unknown[0] = first;
  taken[first - kept] = PETSC_TRUE;
  for (PetscInt i = 0; i < cluster->num; i++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(K, cluster->unknown[i], &count, &column, &value));
    for (PetscInt k = 0; k < count; k++) {
      if (column[k] < kept || value[k] == 0.0 || taken[column[k] - kept]) continue;
      taken[column[k] - kept]          = PETSC_TRUE;
      cluster->unknown[cluster->num++] = column[k];
    }
    PetscCall(MatRestoreRow(K, cluster->unknown[i], &count, &column, &value));
  }
  PetscCall(PetscSortInt(cluster->num, cluster->unknown));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ClusterDestroy(Cluster *cluster)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(cluster->unknown));
  PetscCall(PetscFree(cluster->factor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Fill(Mat K, PetscInt kept, Cluster *cluster)
{
  const size_t n = (size_t)cluster->num;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(n * n, &cluster->factor));
  for (size_t i = 0; i < n; i++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count, place;

    PetscCall(MatGetRow(K, cluster->unknown[i], &count, &column, &value));
    for (PetscInt k = 0; k < count; k++) {
      if (column[k] < kept || value[k] == 0.0) continue;
      PetscCall(PetscFindInt(column[k], cluster->num, cluster->unknown, &place));
      cluster->factor[i * n + (size_t)place] = value[k];
    }
    PetscCall(MatRestoreRow(K, cluster->unknown[i], &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ClusterFactor(Mat K, PetscInt kept, Cluster *cluster, PetscInt *loose)
{
  const size_t    n         = (size_t)cluster->num;
  const PetscReal round_off = 10.0 * (PetscReal)n * PETSC_MACHINE_EPSILON;
  PetscBLASInt    size, info;
  PetscReal      *diagonal;

  PetscFunctionBegin;
  *loose = -1;
  PetscCall(Fill(K, kept, cluster));
  PetscCall(PetscBLASIntCast(cluster->num, &size));
  PetscCall(PetscMalloc1(n, &diagonal));
  for (size_t i = 0; i < n; i++) diagonal[i] = cluster->factor[i * (n + 1)];
  LAPACKpotrf_("L", &size, cluster->factor, &size, &info);
  PetscCheck(info >= 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK potrf refuses argument %d", (int)-info);
  if (info > 0) *loose = cluster->unknown[info - 1];
  for (size_t i = info > 0 ? (size_t)(info - 1) : n; i-- > 0;)
    if (PetscSqr(cluster->factor[i * (n + 1)]) <= round_off * diagonal[i]) *loose = cluster->unknown[i];
  PetscCall(PetscFree(diagonal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindColumns(const Cluster *cluster, Mat sides, PetscBool seen[], ClusterColumns *columns)
{
  PetscInt width, next = 0;

  PetscFunctionBegin;
  PetscCall(MatGetSize(sides, NULL, &width));
  for (PetscInt i = 0; i < cluster->num; i++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(sides, cluster->unknown[i], &count, &column, &value));
    for (PetscInt k = 0; k < count; k++) seen[column[k]] = (PetscBool)(seen[column[k]] || value[k] != 0.0);
    PetscCall(MatRestoreRow(sides, cluster->unknown[i], &count, &column, &value));
  }
  for (PetscInt c = 0; c < width; c++) columns->count += seen[c];
  PetscCall(PetscMalloc1(columns->count, &columns->column));
  for (PetscInt c = 0; c < width; c++)
    if (seen[c]) columns->column[next++] = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillColumns(const Cluster *cluster, Mat sides, ClusterColumns *columns)
{
  const size_t n = (size_t)cluster->num;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)columns->count * n, &columns->values));
  PetscCall(PetscMalloc1((size_t)columns->count * n, &columns->solutions));
  for (size_t i = 0; i < n; i++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count, place;

    PetscCall(MatGetRow(sides, cluster->unknown[i], &count, &column, &value));
    for (PetscInt k = 0; k < count; k++) {
      PetscCall(PetscFindInt(column[k], columns->count, columns->column, &place));
      if (place >= 0) columns->values[(size_t)place * n + i] = value[k];
    }
    PetscCall(MatRestoreRow(sides, cluster->unknown[i], &count, &column, &value));
  }
  PetscCall(PetscArraycpy(columns->solutions, columns->values, (size_t)columns->count * n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ClusterSolve(const Cluster *cluster, Mat sides, ClusterColumns *columns)
{
  PetscInt     width;
  PetscBLASInt size, count, info = 0;
  PetscBool   *seen;

  PetscFunctionBegin;
  *columns = (ClusterColumns){.count = 0};
  PetscCall(MatGetSize(sides, NULL, &width));
  PetscCall(PetscCalloc1(width, &seen));
  PetscCall(FindColumns(cluster, sides, seen, columns));
  PetscCall(FillColumns(cluster, sides, columns));
  PetscCall(PetscBLASIntCast(cluster->num, &size));
  PetscCall(PetscBLASIntCast(columns->count, &count));
  if (count) LAPACKpotrs_("L", &size, &count, cluster->factor, &size, columns->solutions, &size, &info);
  PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK potrs refuses argument %d", (int)-info);
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ClusterColumnsDestroy(ClusterColumns *columns)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(columns->column));
  PetscCall(PetscFree(columns->values));
  PetscCall(PetscFree(columns->solutions));
  PetscFunctionReturn(PETSC_SUCCESS);
}
