/* alone.c - the whole structure on each rank by itself. */
#include "alone.h"
#include "dense.h"

/* Ranks that share the memory of this machine. */
static PetscErrorCode CountNeighbours(MPI_Comm comm, PetscMPIInt *count)
{
  MPI_Comm machine;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine));
  PetscCallMPI(MPI_Comm_size(machine, count));
  PetscCallMPI(MPI_Comm_free(&machine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* It costs every rank a factor, and spares it the columns of the others. Half of the memory is left for all else. */
PetscErrorCode ContinuumChooseAlone(MPI_Comm comm, const ContinuumCost *cost, PetscInt num_places, ContinuumAlone *alone)
{
  const PetscReal most = 0.5, copies = 3.0; /* of the matrices: as they are, as they are factored, and as MUMPS has them */
  const PetscReal each  = cost->factor_memory + copies * cost->matrices_memory + cost->places_memory;
  const PetscReal solve = (PetscReal)num_places * cost->seconds_a_place;
  PetscMPIInt     size, neighbours;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(CountNeighbours(comm, &neighbours));
  alone->memory = (PetscReal)size * each;
  alone->taken  = (PetscBool)(size > 1 && solve - solve / size > cost->seconds_to_factor && neighbours * each < most * MachineMemory());
  PetscCall(PetscOptionsGetBool(NULL, "continuum_", "-alone", &alone->taken, NULL));
  if (size == 1) alone->taken = PETSC_FALSE;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &alone->taken, 1, MPIU_BOOL, MPI_LAND, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AloneChoose(const PlacesWhole *spread, ContinuumAlone *alone)
{
  const MPI_Comm comm = PetscObjectComm((PetscObject)spread->continuum->K);
  const PetscInt num  = spread->places->num;
  ContinuumCost  cost;
  PetscMPIInt    size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  *alone = (ContinuumAlone){.taken = PETSC_FALSE};
  if (size == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ContinuumMeasure(spread->continuum, &cost));
  PetscCall(SaddleEstimate(spread->saddle, 1, 0, &cost));
  PetscCall(ContinuumChooseAlone(comm, &cost, num, alone));
  if (alone->taken)
    LogDetail("columns of %" PetscInt_FMT " places: dealt out to %d ranks, each with a factor of its own, %.3g MB", num, size, alone->memory / 1e6);
  else
    LogDetail("columns of %" PetscInt_FMT " places: %d ranks solve together, as factors of their own, %.3g MB, would not help", num, size,
              alone->memory / 1e6);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All rows of a matrix, on each rank. */
static PetscErrorCode Collect(Mat spread, Mat *whole)
{
  PetscInt num_rows, num_columns, block, block_columns;
  IS       rows, columns;
  Mat     *all;

  PetscFunctionBegin;
  PetscCall(MatGetSize(spread, &num_rows, &num_columns));
  PetscCall(MatGetBlockSizes(spread, &block, &block_columns));
  PetscCall(ISCreateStride(PETSC_COMM_SELF, num_rows, 0, 1, &rows));
  PetscCall(ISCreateStride(PETSC_COMM_SELF, num_columns, 0, 1, &columns));
  PetscCall(ISSetBlockSize(rows, block));
  PetscCall(ISSetBlockSize(columns, block_columns));
  PetscCall(ISSetIdentity(columns));
  PetscCall(MatCreateSubMatrices(spread, 1, &rows, &columns, MAT_INITIAL_MATRIX, &all));
  PetscCall(MatConvert(all[0], MATSAME, MAT_INITIAL_MATRIX, whole)); /* what is created together must be destroyed together */
  PetscCall(MatDestroySubMatrices(1, &all));
  PetscCall(ISDestroy(&rows));
  PetscCall(ISDestroy(&columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of all ranks, one after another; the caller frees them. */
static PetscErrorCode GatherNumbers(MPI_Comm comm, MPI_Datatype type, size_t size, PetscInt num_own, const void *own, PetscInt *num_all, void **all)
{
  PetscMPIInt ranks, mine, *counts, *starts;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  PetscCall(PetscMPIIntCast(num_own, &mine));
  PetscCall(PetscMalloc2(ranks, &counts, ranks, &starts));
  PetscCallMPI(MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, comm));
  for (PetscMPIInt r = 0, start = 0; r < ranks; start += counts[r++]) starts[r] = start;
  *num_all = (PetscInt)starts[ranks - 1] + counts[ranks - 1];
  PetscCall(PetscMalloc(PetscMax(*num_all, 1) * size, all));
  PetscCallMPI(MPI_Allgatherv(own, mine, type, *all, counts, starts, type, comm));
  PetscCall(PetscFree2(counts, starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of a matrix: how long each is, and their entries one after another. */
typedef struct {
  PetscInt   num_rows, count;
  PetscInt  *length, *column;
  PetscReal *value;
} Rows;

static PetscErrorCode RowsFree(Rows *rows)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(rows->length));
  PetscCall(PetscFree(rows->column));
  PetscCall(PetscFree(rows->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those of this rank. */
static PetscErrorCode TakeOwnRows(Mat spread, Rows *own)
{
  const PetscInt    *columns;
  const PetscScalar *values;
  PetscInt           first, end, count;
  MatInfo            info;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(spread, &first, &end));
  PetscCall(MatGetInfo(spread, MAT_LOCAL, &info));
  *own = (Rows){.num_rows = end - first};
  PetscCall(PetscMalloc1(own->num_rows, &own->length));
  PetscCall(PetscMalloc1((size_t)info.nz_used, &own->column));
  PetscCall(PetscMalloc1((size_t)info.nz_used, &own->value));
  for (PetscInt r = first; r < end; r++) {
    PetscCall(MatGetRow(spread, r, &count, &columns, &values));
    PetscCall(PetscArraycpy(own->column + own->count, columns, count));
    PetscCall(PetscArraycpy(own->value + own->count, values, count));
    own->length[r - first] = count;
    own->count += count;
    PetscCall(MatRestoreRow(spread, r, &count, &columns, &values));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The same of a matrix whose columns are not spread as its rows are, such as rows of motions: MatCreateSubMatrices of PETSc 3.18.5 shifts the
   columns of a rank by the difference, when it is asked for all of them. */
static PetscErrorCode CollectRows(Mat spread, Mat *whole)
{
  const MPI_Comm comm = PetscObjectComm((PetscObject)spread);
  PetscInt       num_columns, place = 0;
  Rows           own, all;

  PetscFunctionBegin;
  PetscCall(MatGetSize(spread, NULL, &num_columns));
  PetscCall(TakeOwnRows(spread, &own));
  PetscCall(GatherNumbers(comm, MPIU_INT, sizeof(PetscInt), own.num_rows, own.length, &all.num_rows, (void **)&all.length));
  PetscCall(GatherNumbers(comm, MPIU_INT, sizeof(PetscInt), own.count, own.column, &all.count, (void **)&all.column));
  PetscCall(GatherNumbers(comm, MPIU_REAL, sizeof(PetscReal), own.count, own.value, &all.count, (void **)&all.value));
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, all.num_rows, num_columns, 0, all.length, whole));
  for (PetscInt r = 0; r < all.num_rows; place += all.length[r++])
    PetscCall(MatSetValues(*whole, 1, &r, all.length[r], all.column + place, all.value + place, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(*whole, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*whole, MAT_FINAL_ASSEMBLY));
  PetscCall(RowsFree(&own));
  PetscCall(RowsFree(&all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CollectAll(const PlacesWhole *spread, Mat kept, Alone *alone)
{
  PetscFunctionBegin;
  alone->places             = *spread->places;
  alone->continuum.num_held = spread->continuum->num_held;
  PetscCall(Collect(spread->continuum->K, &alone->continuum.K));
  PetscCall(Collect(spread->continuum->M, &alone->continuum.M));
  PetscCall(CollectRows(spread->continuum->R, &alone->continuum.R));
  PetscCall(CollectRows(spread->places->on_motion, &alone->places.on_motion));
  if (kept) PetscCall(Collect(kept, &alone->kept));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether all ranks could: fewer negative pivots than multipliers, or more, would be round-off of another order of unknowns. */
static PetscErrorCode FactorAll(const PlacesWhole *spread, Alone *alone, PetscBool *fine)
{
  ContinuumFault fault = {.reason = CONTINUUM_FINE};

  PetscFunctionBegin;
  PetscCall(BoundaryCreate(&alone->continuum, &alone->boundary));
  PetscCall(SaddleCreate(alone->continuum.K, spread->saddle->shift, alone->continuum.M, &alone->boundary, spread->ties, &alone->saddle));
  PetscCall(SaddleFactor(&alone->saddle));
  SaddleJudge(&alone->saddle, &fault);
  PetscCall(ProductCreate(alone->continuum.M, &alone->M));
  *fine = (PetscBool)(fault.reason == CONTINUUM_FINE);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, fine, 1, MPIU_BOOL, MPI_LAND, PetscObjectComm((PetscObject)spread->continuum->K)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AloneCreate(const PlacesWhole *spread, Mat kept, Alone **alone)
{
  PetscBool fine;

  PetscFunctionBegin;
  PetscCall(PetscNew(alone));
  PetscCall(CollectAll(spread, kept, *alone));
  PetscCall(FactorAll(spread, *alone, &fine));
  if (!fine) LogDetail("a rank could not factor the mesh by itself: all solve together");
  if (!fine) PetscCall(AloneDestroy(alone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AloneDestroy(Alone **alone)
{
  Alone *const a = *alone;

  PetscFunctionBegin;
  if (!a) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ProductDestroy(&a->M));
  PetscCall(SaddleDestroy(&a->saddle));
  PetscCall(BoundaryDestroy(&a->boundary));
  PetscCall(MatDestroy(&a->continuum.K));
  PetscCall(MatDestroy(&a->continuum.M));
  PetscCall(MatDestroy(&a->continuum.R));
  PetscCall(MatDestroy(&a->places.on_motion));
  PetscCall(MatDestroy(&a->kept));
  PetscCall(PetscFree(*alone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AloneCompliance(const Alone *alone, const PlacesWhole *spread, const PetscReal motion[], Compliance *compliance)
{
  const PlacesWhole own   = {&alone->continuum, spread->ties, alone->M, &alone->saddle, &alone->places};
  const Mat         like  = spread->continuum->K;
  const PetscInt    num   = compliance->num;
  PetscInt          first = compliance->first, end = first + compliance->width;
  PetscMPIInt       rank, size;

  PetscFunctionBegin;
  if (!ComplianceIsSpread(compliance)) {
    PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)like), &rank));
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)like), &size));
    first = (PetscInt)((PetscInt64)num * rank / size);
    end   = (PetscInt)((PetscInt64)num * (rank + 1) / size);
    PetscCall(PetscArrayzero(compliance->own, (size_t)num * (size_t)num));
  }
  PetscCall(PlacesColumns(&own, alone->kept, motion, first, end, compliance));
  if (!ComplianceIsSpread(compliance)) PetscCall(SumOverRanks(like, compliance->own, (size_t)num * (size_t)num));
  PetscFunctionReturn(PETSC_SUCCESS);
}
