/* modal_reduction.c - the whole structure reduced to its modes, and what the others give its joints and points in statics. */
#include "meshed_private.h"

/* Entries of a matrix that ranks know a part of. */
typedef struct {
  PetscInt   count, room, *row, *column;
  PetscReal *value;
} Triplets;

static PetscErrorCode Append(PetscInt row, PetscInt column, PetscReal value, Triplets *triplets)
{
  PetscFunctionBegin;
  if (triplets->count == triplets->room) {
    triplets->room = 2 * triplets->room + 64;
    PetscCall(PetscRealloc((size_t)triplets->room * sizeof(*triplets->row), &triplets->row));
    PetscCall(PetscRealloc((size_t)triplets->room * sizeof(*triplets->column), &triplets->column));
    PetscCall(PetscRealloc((size_t)triplets->room * sizeof(*triplets->value), &triplets->value));
  }
  triplets->row[triplets->count]     = row;
  triplets->column[triplets->count]  = column;
  triplets->value[triplets->count++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A row `scale` times a vector on the mesh. */
static PetscErrorCode AppendVector(PetscInt row, PetscReal scale, Vec vector, Triplets *triplets)
{
  const PetscScalar *value;
  PetscInt           first, end;

  PetscFunctionBegin;
  if (!vector || scale == 0.0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGetOwnershipRange(vector, &first, &end));
  PetscCall(VecGetArrayRead(vector, &value));
  for (PetscInt i = first; i < end; i++)
    if (value[i - first] != 0.0) PetscCall(Append(row, i, scale * value[i - first], triplets));
  PetscCall(VecRestoreArrayRead(vector, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of a matrix that this rank has, from row `shift` on. */
static PetscErrorCode AppendMatrix(PetscInt shift, Mat matrix, Triplets *triplets)
{
  PetscInt first, end;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(matrix, &first, &end));
  for (PetscInt r = first; r < end; r++) {
    const PetscInt    *column;
    const PetscScalar *value;
    PetscInt           count;

    PetscCall(MatGetRow(matrix, r, &count, &column, &value));
    for (PetscInt k = 0; k < count; k++) PetscCall(Append(shift + r, column[k], value[k], triplets));
    PetscCall(MatRestoreRow(matrix, r, &count, &column, &value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ToMatrix(Triplets *triplets, MPI_Comm comm, PetscInt num_rows, PetscInt num_local, PetscInt num_columns, Mat *matrix)
{
  PetscFunctionBegin;
  PetscCall(MatCreate(comm, matrix));
  PetscCall(MatSetSizes(*matrix, PETSC_DECIDE, num_local, num_rows, num_columns));
  PetscCall(MatSetType(*matrix, MATAIJ));
  PetscCall(MatSetPreallocationCOO(*matrix, triplets->count, triplets->row, triplets->column));
  PetscCall(MatSetValuesCOO(*matrix, triplets->value, INSERT_VALUES));
  PetscCall(PetscFree(triplets->row));
  PetscCall(PetscFree(triplets->column));
  PetscCall(PetscFree(triplets->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Points that follow the mesh, patterns, the base and bolts load it. */
static PetscErrorCode PlaceOnMesh(const Continuum *continuum, const Unknowns *unknowns, const Vec pressure[], const Vec bolts[], const System *system,
                                  Mat *rows)
{
  Triplets triplets = {0};

  PetscFunctionBegin;
  PetscCall(AppendMatrix(SystemPlaceOfMotion(system, 0), continuum->followers, &triplets));
  for (PetscInt p = 0; p < system->names.num_patterns; p++) {
    PetscCall(AppendVector(SystemPlaceOfPattern(system, p), 1.0, pressure[p], &triplets));
    for (PetscInt d = 0; d < SPACE; d++)
      PetscCall(AppendVector(SystemPlaceOfPattern(system, p), system->patterns[p].gravity[d], continuum->inertia[d], &triplets));
  }
  for (PetscInt d = 0; d < SPACE; d++) PetscCall(AppendVector(SystemPlaceOfBase(system, d), 1.0, continuum->inertia[d], &triplets));
  for (PetscInt b = 0; b < system->names.num_bolts; b++) PetscCall(AppendVector(SystemPlaceOfBolt(system, b), 1.0, bolts[b], &triplets));
  PetscCall(ToMatrix(&triplets, PetscObjectComm((PetscObject)continuum->K), SystemNumPlaces(system), unknowns->num_local, unknowns->num_total, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PlaceOnUnknowns(const System *system, Mat *rows)
{
  Triplets triplets = {0};

  PetscFunctionBegin;
  PetscCall(AppendMatrix(0, system->B, &triplets));
  PetscCall(AppendMatrix(SystemPlaceOfMotion(system, 0), system->T, &triplets));
  for (PetscInt p = 0; p < system->names.num_patterns; p++)
    PetscCall(AppendVector(SystemPlaceOfPattern(system, p), 1.0, system->patterns[p].force, &triplets));
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++) PetscCall(AppendVector(SystemPlaceOfBase(system, d), 1.0, system->base[d], &triplets));
  PetscCall(ToMatrix(&triplets, PETSC_COMM_SELF, SystemNumPlaces(system), system->num_unknowns, system->num_unknowns, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindModes(const MeshedModel *model, const Vec pressure[], const Vec bolts[], const System *system, ContinuumModes **modes)
{
  const Continuum *const  continuum = model->continuum;
  const MeshedPart *const meshed    = model->meshed;
  ContinuumTies           ties      = {.num = system->num_unknowns, .M = system->M, .unknown = continuum->unknown};
  ContinuumPlaces         places    = {.num = SystemNumPlaces(system)};

  PetscFunctionBegin;
  PetscCall(PlaceOnMesh(continuum, &meshed->unknowns, pressure, bolts, system, &places.on_motion));
  PetscCall(PlaceOnUnknowns(system, &places.on_tied));
  PetscCall(SystemStiffness(system, JOINT_STUCK, &ties.K));
  PetscCall(ContinuumModesFind(continuum, &ties, &places, meshed->reduction.options.num_modes, meshed->reduction.options.prove, modes));
  PetscCall(ContinuumComplain(meshed, continuum, &(*modes)->fault));
  PetscCall(MatDestroy(&ties.K));
  PetscCall(MatDestroy(&places.on_motion));
  PetscCall(MatDestroy(&places.on_tied));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* For MeshedModelExpand: column k of the basis is unknown k. */
static PetscErrorCode KeepBasis(ContinuumModes *modes, MeshedModel *model)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(&model->reduction));
  model->reduction->size  = modes->count;
  model->reduction->basis = modes->motion;
  modes->motion           = NULL;
  PetscCall(PetscMalloc1(modes->count, &model->unknown));
  for (PetscInt k = 0; k < modes->count; k++) model->unknown[k] = k;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Reduce(MeshedModel *model, const Vec pressure[], const Vec bolts[], System *system)
{
  ContinuumModes *found;

  PetscFunctionBegin;
  PetscCall(FindModes(model, pressure, bolts, system, &found));
  if (found->fault.reason == CONTINUUM_FINE) {
    const SystemModes modes = {.count      = found->count,
                               .num_rigid  = found->num_rigid,
                               .eigenvalue = found->eigenvalue,
                               .unknowns   = found->tied,
                               .motion     = found->placed,
                               .compliance = found->compliance};

    PetscCall(SystemReduceToModes(system, &modes));
    PetscCall(KeepBasis(found, model));
    model->num_modes = found->count;
  }
  PetscCall(ContinuumModesDestroy(&found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MeshedModelReduceToModes(MeshedModel *model, const Vec pressure[], const Vec bolts[], System *system)
{
  PetscInt size;
  LogStage stage;

  PetscFunctionBegin;
  PetscCall(SystemGetSize(system, &size));
  LogStageBegin(&stage, "reduction of %" PetscInt_FMT " unknowns to %" PetscInt_FMT " modes", size, model->num_modes);
  PetscCall(Reduce(model, pressure, bolts, system));
  LogStageEnd(&stage);
  PetscFunctionReturn(PETSC_SUCCESS);
}
