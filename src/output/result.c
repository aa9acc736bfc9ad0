/* result.c - the life of a result file: opened or resumed, laid out, put in its place, closed. */
#include "result.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <version.h>

/* What stands at the path may be renamed, so it must be a file, and not a device or somebody's folder. */
PetscErrorCode ResultCheckPlace(const char *path)
{
  struct stat status;

  PetscFunctionBegin;
  if (strlen(path) + 64 >= PETSC_MAX_PATH_LEN) PetscFunctionReturn(RefuseWriting(path, ENAMETOOLONG));
  if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscFunctionReturn(Refuse(path, "cannot be written: it is %s", S_ISDIR(status.st_mode) ? "a folder" : "not a regular file"));
}

/* Coordinated Universal Time, ISO 8601. */
static PetscErrorCode WriteDate(Result *result)
{
  const time_t now = time(NULL);
  char         date[32];
  struct tm    parts;

  PetscFunctionBegin;
  PetscCheck(gmtime_r(&now, &parts), PETSC_COMM_SELF, PETSC_ERR_SYS, "no date");
  strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &parts);
  PetscCall(ResultAttributeText(result, "/case", "date", date));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteCase(Result *result, const char *source)
{
  PetscMPIInt size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(ResultAttributeText(result, "/case", "text", source));
  PetscCall(ResultAttributeText(result, "/case", "values", result->values));
  PetscCall(ResultAttributeText(result, "/case", "version", DOVETAIL_VERSION));
  PetscCall(ResultAttributeText(result, "/case", "commit", DOVETAIL_COMMIT));
  PetscCall(ResultAttributeCount(result, "/case", "ranks", size));
  PetscCall(WriteDate(result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CreateFirst(Result *result, const char *source)
{
  char temporary[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PathAppend(result->path, ".tmp", temporary));
  PetscCall(SpaceProbe(result->path, temporary, &result->data));
  PetscCall(FileCreate(temporary, &result->file));
  PetscCall(WriteCase(result, source));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is read and mended before the layout has ended. */
static PetscErrorCode LoadSums(Result *result)
{
  PetscInt64 *pairs;

  PetscFunctionBegin;
  result->data = open(result->path, O_RDWR | O_CLOEXEC);
  if (result->data < 0) PetscFunctionReturn(RefuseWriting(result->path, errno));
  PetscCall(DatasetGetPairs(result->file, SUMS, &result->num_stored, &pairs));
  result->sums = (Sum *)pairs;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TryToResume(Result *result)
{
  Earlier earlier;
  char    difference[512], left[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(EarlierRead(result->path, &earlier));
  PetscCall(EarlierDifference(&earlier, result->values, sizeof(difference), difference));
  PetscCall(EarlierFree(&earlier));
  if (difference[0]) LogWarn("%s: cannot resume: %s", result->path, difference);
  else result->file = FileOpen(result->path);
  result->resumed = (PetscBool)(result->file >= 0);
  if (result->resumed && !FileIsWhole(result->file))
    PetscFunctionReturn(Refuse(result->path, "is damaged and cannot be resumed: HDF5 cannot read all of it; move it away, and run without --resume"));
  if (result->resumed) PetscCall(LoadSums(result));
  PetscCall(PathAppend(result->path, ".tmp", left));
  if (result->resumed) ScrapRemove(left); /* by a run that was killed in its layout */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0. */
static PetscErrorCode OpenFirst(Result *result, ResultMode mode, const char *source, const char *values)
{
  PetscFunctionBegin;
  PetscCall(QuietenHDF5());
  PetscCall(PetscStrallocpy(values, &result->values));
  PetscCall(ResultCheckPlace(result->path));
  PetscCall(LockTake(result->path, &result->lock));
  PetscCall(EarlierCheck(result->path));
  if (mode == RESULT_RESUME) PetscCall(TryToResume(result));
  if (!result->resumed) PetscCall(CreateFirst(result, source));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everybody gets rank 0's verdict. */
static PetscErrorCode Agree(PetscErrorCode *code, PetscBool *resumed)
{
  int verdict[2] = {(int)*code, (int)*resumed};

  PetscFunctionBegin;
  PetscCallMPI(MPI_Bcast(verdict, 2, MPI_INT, 0, PETSC_COMM_WORLD));
  *code    = (PetscErrorCode)verdict[0];
  *resumed = (PetscBool)verdict[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was laid out and never took its place. */
static PetscErrorCode Discard(Result *result)
{
  char temporary[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  if (result->file >= 0) {
    H5Fclose(result->file);
    result->file = H5I_INVALID_HID;
  }
  if (result->data >= 0 && result->rank == 0 && !result->resumed && !result->filling) {
    PetscCall(PathAppend(result->path, ".tmp", temporary));
    ScrapRemove(temporary);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Result **result)
{
  PetscFunctionBegin;
  PetscCall(Discard(*result));
  if ((*result)->data >= 0) close((*result)->data);
  if (!(*result)->in_memory) PetscCall(LockDrop((*result)->path, &(*result)->lock));
  PetscCall(MemoryDestroy(*result));
  PetscCall(PetscFree((*result)->path));
  PetscCall(PetscFree((*result)->values));
  for (PetscInt64 s = 0; s < (*result)->num_slots; s++) PetscCall(PetscFree((*result)->extents[s].path));
  PetscCall(PetscFree((*result)->extents));
  PetscCall(PetscFree((*result)->offsets));
  PetscCall(PetscFree((*result)->sums));
  PetscCall(PetscFree((*result)->settled));
  PetscCall(PetscFree((*result)->hold));
  PetscCall(PetscFree(*result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultCreate(const char *path, Result **result)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(result));
  PetscCall(PetscStrallocpy(path, &(*result)->path));
  PetscCall(PetscNew(&(*result)->hold));
  (*result)->file = H5I_INVALID_HID;
  (*result)->lock = -1;
  (*result)->data = -1;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &(*result)->rank));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultOpen(const char *path, ResultMode mode, const char *source, const char *values, Result **result, PetscBool *resumed)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  PetscCall(ResultCreate(path, result));
  if ((*result)->rank == 0) code = OpenFirst(*result, mode, source, values);
  PetscCall(Agree(&code, &(*result)->resumed));
  *resumed = (*result)->resumed;
  if (code != PETSC_SUCCESS) {
    PetscCall(Destroy(result));
    PetscFunctionReturn(code);
  }
  PetscCall(ResultReserve(*result, "/case/complete", RESULT_COUNT, 0, NULL, &(*result)->complete));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultOpenInMemory(Result **result)
{
  PetscFunctionBegin;
  PetscCall(ResultCreate("", result));
  (*result)->in_memory = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Closed by HDF5, which must never see the file again while it is filled. */
static PetscErrorCode CloseLayout(Result *result)
{
  hsize_t size;
  herr_t  status;

  PetscFunctionBegin;
  CallHDF5(status, H5Fflush, result->file, H5F_SCOPE_GLOBAL);
  CallHDF5(status, H5Fget_filesize, result->file, &size);
  CallHDF5(status, H5Fclose, result->file);
  result->file = H5I_INVALID_HID;
  if (!result->resumed) PetscCall(SpaceTrim(result->path, result->data, (PetscInt64)size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0: the file is on disk, and then only visible under its name. */
static PetscErrorCode FinishFirst(Result *result)
{
  char temporary[PETSC_MAX_PATH_LEN];
  int  error;

  PetscFunctionBegin;
  if (result->refused) PetscFunctionReturn(PETSC_ERR_USER_INPUT);
  PetscCall(CloseLayout(result));
  if (result->resumed) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PathAppend(result->path, ".tmp", temporary));
  error = PathSync(temporary);
  if (error != 0) PetscFunctionReturn(RefuseWriting(result->path, error));
  PetscCall(EarlierMakeRoom(result->path, result->values));
  error = PathReplace(temporary, result->path);
  if (error != 0) PetscFunctionReturn(RefuseWriting(result->path, error));
  ScrapForget(temporary);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every rank opens the file; the first reason why one cannot is everybody's. */
static PetscErrorCode OpenData(Result *result)
{
  int error = 0, worst;

  PetscFunctionBegin;
  if (result->data < 0) result->data = open(result->path, O_RDWR | O_CLOEXEC);
  if (result->data < 0) error = errno;
  PetscCallMPI(MPI_Allreduce(&error, &worst, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
  if (worst == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (result->rank == 0) (void)RefuseWriting(result->path, worst);
  PetscFunctionReturn(PETSC_ERR_USER_INPUT);
}

/* The lengths of texts are those of rank 0. */
static PetscErrorCode AgreeOnBlocks(Result *result)
{
  PetscInt64 *sizes;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(result->num_slots, &sizes));
  for (PetscInt64 s = 0; s < result->num_slots; s++) sizes[s] = result->extents[s].num_bytes;
  PetscCallMPI(MPI_Bcast(sizes, (PetscMPIInt)result->num_slots, MPIU_INT64, 0, PETSC_COMM_WORLD));
  result->num_blocks = 0;
  for (PetscInt64 s = 0; s < result->num_slots; s++) {
    result->extents[s].num_bytes   = sizes[s];
    result->extents[s].guarded     = (PetscBool)(sizes[s] > 0);
    result->extents[s].first_block = result->num_blocks;
    result->num_blocks += SumsCount(sizes[s]);
  }
  PetscCall(PetscFree(sizes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The order of the blocks, for who opens the file without its case: paths, one on each line. */
static PetscErrorCode NameBlocks(Result *result)
{
  size_t length = 1;
  char  *paths, *end;

  PetscFunctionBegin;
  for (PetscInt64 s = 0; s < result->num_slots; s++) length += strlen(result->extents[s].path) + 1;
  PetscCall(PetscCalloc1(length, &paths));
  end = paths;
  for (PetscInt64 s = 0; s < result->num_slots; s++)
    if (result->extents[s].guarded) end += sprintf(end, "%s\n", result->extents[s].path);
  PetscCall(ResultAttributeText(result, SUMS, "datasets", paths));
  PetscCall(PetscFree(paths));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReserveSums(Result *result)
{
  PetscInt64 dims[] = {0, 2};

  PetscFunctionBegin;
  PetscCall(AgreeOnBlocks(result));
  dims[0] = result->num_blocks;
  PetscCall(ResultReserve(result, SUMS, RESULT_COUNT, 2, dims, &result->guards));
  PetscCall(ResultAttributeText(result, SUMS, "dimensions", "blocks, 2"));
  PetscCall(NameBlocks(result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows may be written from here on. */
static PetscErrorCode BeginRows(Result *result)
{
  PetscFunctionBegin;
  PetscCall(OpenData(result));
  result->filling = PETSC_TRUE;
  PetscCall(HoldTake(result));
  if (result->resumed && result->rank == 0) PetscCall(MendAll(result));
  PetscCall(SumsBegin(result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultBeginData(Result *result)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  PetscCheck(!result->filling, PETSC_COMM_SELF, PETSC_ERR_ORDER, "%s: the layout has ended", result->path);
  if (result->in_memory) {
    result->filling = PETSC_TRUE;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (result->read_only) {
    PetscCall(CloseLayout(result));
    result->filling = PETSC_TRUE;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(ReserveSums(result));
  InterruptDefer();
  if (result->rank == 0) code = FinishFirst(result);
  PetscCall(Agree(&code, &result->resumed));
  if (code != PETSC_SUCCESS) PetscFunctionReturn(code);
  PetscCallMPI(MPI_Bcast(result->offsets, (PetscMPIInt)result->num_slots, MPIU_INT64, 0, PETSC_COMM_WORLD));
  PetscCall(BeginRows(result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mark comes last: when it is on disk, so are the rows of all ranks. */
static PetscErrorCode Mark(const Result *result, PetscBool complete)
{
  const PetscInt64 flag = complete ? 1 : 0;

  PetscFunctionBegin;
  PetscCall(ResultSync(result));
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  if (result->rank == 0) {
    if (complete) PetscCall(SumsFinish(result, PETSC_FALSE));
    PetscCall(ResultWriteRows(result, &result->complete, 0, 1, &flag));
    PetscCall(ResultSync(result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultClose(Result **result, PetscBool complete)
{
  PetscFunctionBegin;
  if (!*result) PetscFunctionReturn(PETSC_SUCCESS);
  if ((*result)->in_memory || (*result)->read_only) {
    PetscCall(Destroy(result));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if ((*result)->filling) PetscCall(Mark(*result, complete));
  if (complete && (*result)->rank == 0) PetscCall(RestartRemoveAll((*result)->path)); /* a kill may have left some, or their empty folder */
  PetscCall(Destroy(result));
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *ResultPath(const Result *result)
{
  return result->path;
}
