/* samples.c - all samples of an ensemble, computed by ranks that take the next one when they are free. */
#include "ensemble_private.h"
#include "tables.h"
#include <math.h>
#include <petsctime.h>
#include <stdio.h>
#include <string.h>

/* One rank's work. */
typedef struct {
  Ensemble      *ensemble;
  Result        *result;
  MPI_Comm       world, together; /* all ranks; those that compute a sample with this one */
  PetscMPIInt    rank, place;     /* of this one among either */
  PetscInt       num_pending;
  PetscInt      *pending; /* rows that are not done, the same on all ranks */
  Variants      *variants;
  Sample         samples[VARIANTS_MOST]; /* on their way, and their values */
  PetscReal     *values[VARIANTS_MOST];
  PetscInt       num_done;     /* by this rank */
  PetscLogDouble begun, saved; /* [s] */
} Work;

/* What became of each row; the caller frees. Read by one rank for all: those of other machines may see the file a moment later. */
static PetscErrorCode ReadStatus(const Work *work, PetscInt64 **status)
{
  const PetscInt num_rows = work->ensemble->num_rows;
  PetscMPIInt    rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Barrier(work->world));
  PetscCallMPI(MPI_Comm_rank(work->world, &rank));
  if (rank == 0) PetscCall(FindingReadCounts(work->ensemble->samples, "status", num_rows, work->result, status));
  else PetscCall(PetscMalloc1(num_rows, status));
  PetscCallMPI(MPI_Bcast(*status, (PetscMPIInt)num_rows, MPIU_INT64, 0, work->world));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of earlier runs of the same case stay. */
static PetscErrorCode ListPending(Work *work, PetscBool resumed)
{
  const PetscInt num_rows = work->ensemble->num_rows, num_mine = ShareCount(work->ensemble);
  PetscInt64    *status = NULL;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(num_rows, &work->pending));
  PetscCall(ReadStatus(work, &status));
  for (PetscInt i = 0; i < num_rows; i++)
    if (ShareHas(work->ensemble, i) && (status[i] == SAMPLE_NONE || status[i] == SAMPLE_FAULT)) work->pending[work->num_pending++] = i;
  PetscCall(PetscFree(status));
  if (resumed && work->num_pending < num_mine) LogSay("  %" PetscInt_FMT " samples are in the result already", num_mine - work->num_pending);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As many at once as take a fifth of a second, or as are computed side by side, and never so many that others would wait for this rank at the
   end. */
static PetscInt ChooseShare(const Work *work, PetscInt taken)
{
  const PetscReal goal = 0.2, each = work->num_done ? (work->saved - work->begun) / work->num_done : goal;
  const PetscReal rest = (PetscReal)(work->num_pending - taken), least = VariantsMost(work->variants);
  PetscMPIInt     size;

  MPI_Comm_size(work->world, &size);
  return (PetscInt)PetscMax(1, PetscMin(PetscMax(goal / each, least), rest / (4.0 * size)));
}

/* The next samples, for all ranks that compute them together. */
static PetscErrorCode Take(const Work *work, HandOut *out, PetscInt wanted, PetscInt *first, PetscInt *count)
{
  PetscInt took[2] = {0, 0};

  PetscFunctionBegin;
  if (work->place == 0 && !InterruptAsked()) PetscCall(HandOutTake(out, wanted, &took[0], &took[1]));
  PetscCallMPI(MPI_Bcast(took, 2, MPIU_INT, 0, work->together));
  *first = took[0];
  *count = took[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A sample whose result is a file: that of all studies is kept as RESULT_sample_17.h5, that of outputs is for ranks that work together. */
typedef struct {
  PetscBool is_file, is_kept;
  char      path[PETSC_MAX_PATH_LEN];
} SampleFile;

static PetscErrorCode FindFile(const Work *work, PetscInt row, SampleFile *file)
{
  const Ensemble *const e = work->ensemble;
  char                  suffix[64];
  PetscInt              place = -1;

  PetscFunctionBegin;
  if (e->num_keep) PetscCall(PetscFindInt(row + 1, e->num_keep, e->keep, &place));
  file->is_kept = (PetscBool)(place >= 0);
  file->is_file = (PetscBool)(file->is_kept || e->ranks > 1);
  if (!file->is_file) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSNPrintf(suffix, sizeof(suffix), file->is_kept ? SAMPLE_SUFFIX : "_scratch_%" PetscInt_FMT ".h5", row + 1));
  PetscCall(ResultPathBeside(ResultPath(work->result), suffix, file->path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Write(Work *work, PetscInt row, PetscInt slot)
{
  PetscFunctionBegin;
  if (work->place == 0 && work->samples[slot].status != SAMPLE_NONE)
    PetscCall(TablesWriteSample(work->ensemble, row, work->values[slot], &work->samples[slot], work->result));
  work->num_done++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComputeIntoFile(Work *work, PetscInt row, const SampleFile *file)
{
  PetscFunctionBegin;
  PlanValues(work->ensemble->plan, row, work->values[0]);
  VariantsNeed(work->variants, file->is_kept ? NULL : work->ensemble->needed);
  PetscCall(VariantsCompute(work->variants, 1, (const PetscReal *const *)work->values, file->path, work->samples));
  VariantsNeed(work->variants, work->ensemble->needed);
  PetscCall(Write(work, row, 0));
  if (work->place == 0 && !file->is_kept) (void)remove(file->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first samples of these; so many of them as have been computed. */
static PetscErrorCode ComputeSome(Work *work, PetscInt count, const PetscInt rows[], PetscInt *done)
{
  SampleFile file = {0};

  PetscFunctionBegin;
  for (*done = 0; *done < PetscMin(count, VariantsMost(work->variants)); ++*done) {
    PetscCall(FindFile(work, rows[*done], &file));
    if (file.is_file) break;
    PlanValues(work->ensemble->plan, rows[*done], work->values[*done]);
  }
  if (*done == 0) {
    PetscCall(ComputeIntoFile(work, rows[0], &file));
    *done = 1;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(VariantsCompute(work->variants, *done, (const PetscReal *const *)work->values, NULL, work->samples));
  for (PetscInt i = 0; i < *done; i++) PetscCall(Write(work, rows[i], i));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether the user asked to stop: one of those that compute a sample together. */
static PetscBool IsStopped(const Work *work)
{
  int asked = InterruptAsked();

  MPI_Allreduce(MPI_IN_PLACE, &asked, 1, MPI_INT, MPI_MAX, work->together);
  return (PetscBool)(asked != 0);
}

/* The world is that of the ranks which work together, so that the case knows nothing of the others. */
static PetscErrorCode ComputeAll(Work *work, HandOut *out, Progress *progress)
{
  PetscInt       first = 0, count;
  PetscLogDouble synced, now;

  PetscFunctionBegin;
  PetscCall(PetscTime(&work->begun));
  work->saved = synced = work->begun;
  PetscCall(Take(work, out, 1, &first, &count));
  while (count > 0) {
    for (PetscInt i = 0, done; i < count && !IsStopped(work); i += done) PetscCall(ComputeSome(work, count - i, &work->pending[first + i], &done));
    PetscCall(PetscTime(&now));
    work->saved = now;
    if (work->place == 0 && now - synced > 2.0) {
      PetscCall(ResultSync(work->result));
      synced = now;
    }
    if (work->rank == 0) ProgressUpdate(progress, (PetscReal)first);
    PetscCall(Take(work, out, ChooseShare(work, first), &first, &count));
  }
  if (work->place == 0) PetscCall(ResultSync(work->result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Divide(Work *work)
{
  PetscMPIInt size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(work->world, &work->rank));
  PetscCallMPI(MPI_Comm_size(work->world, &size));
  PetscCallMPI(MPI_Comm_split(work->world, work->rank / PetscMin(work->ensemble->ranks, size), work->rank, &work->together));
  PetscCallMPI(MPI_Comm_rank(work->together, &work->place));
  for (PetscInt i = 0; i < VARIANTS_MOST; i++)
    PetscCall(PetscMalloc2(work->ensemble->num_values, &work->samples[i].outputs, work->ensemble->num_parameters, &work->values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComputeApart(Work *work)
{
  const LogLevel level = LogSetLevel(LOG_QUIET);
  PetscMPIInt    size, together;
  HandOut       *out;
  Progress       progress;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(work->world, &size));
  PetscCallMPI(MPI_Comm_size(work->together, &together));
  PetscCall(HandOutCreate(work->world, work->num_pending, work->rank == 0 ? &progress : NULL, &out));
  (void)LogSetLevel(level);
  if (work->rank == 0) ProgressBegin(&progress, "samples", (PetscReal)work->num_pending);
  PETSC_COMM_WORLD = work->together;
  PetscCall(VariantsCreate(work->ensemble, (PetscBool)(size == together), &work->variants));
  PetscCall(ComputeAll(work, out, &progress));
  PetscCall(VariantsDestroy(&work->variants));
  PETSC_COMM_WORLD = work->world;
  if (work->rank == 0) ProgressEnd(&progress);
  PetscCall(HandOutDestroy(&out)); /* waits for all */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows that are not computed, and those that may have values. */
static PetscErrorCode CountRows(const Work *work, PetscInt *missing, PetscInt *useful)
{
  PetscInt64 *status;

  PetscFunctionBegin;
  PetscCall(ReadStatus(work, &status));
  *missing = *useful = 0;
  for (PetscInt i = 0; i < work->ensemble->num_rows; i++) {
    *missing += ShareHas(work->ensemble, i) && status[i] == SAMPLE_NONE;
    *useful += status[i] == SAMPLE_DONE || status[i] == SAMPLE_PARTIAL;
  }
  PetscCall(PetscFree(status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SamplesCompute(Ensemble *ensemble, Result *result, PetscBool resumed, PetscInt *missing, PetscInt *useful)
{
  Work work = {.ensemble = ensemble, .result = result, .world = PETSC_COMM_WORLD};

  PetscFunctionBegin;
  PetscCall(ListPending(&work, resumed));
  PetscCall(Divide(&work));
  if (work.num_pending) PetscCall(ComputeApart(&work));
  PetscCall(CountRows(&work, missing, useful));
  PetscCallMPI(MPI_Comm_free(&work.together));
  for (PetscInt i = 0; i < VARIANTS_MOST; i++) PetscCall(PetscFree2(work.samples[i].outputs, work.values[i]));
  PetscCall(PetscFree(work.pending));
  PetscFunctionReturn(PETSC_SUCCESS);
}
