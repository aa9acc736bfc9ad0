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

static PetscErrorCode CollectAll(const PlacesWhole *spread, Mat kept, Alone *alone)
{
  PetscFunctionBegin;
  alone->places             = *spread->places;
  alone->continuum.num_held = spread->continuum->num_held;
  PetscCall(Collect(spread->continuum->K, &alone->continuum.K));
  PetscCall(Collect(spread->continuum->M, &alone->continuum.M));
  PetscCall(Collect(spread->continuum->R, &alone->continuum.R));
  PetscCall(Collect(spread->places->on_motion, &alone->places.on_motion));
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
