/* export.c - `dovetail export` and `dovetail info --json`: a result opened, what was asked for chosen, and written. */
#include "formats.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SHOWN = 256 }; /* numbers of a dataset that `info` shows */

static PetscBool IsText(ExportFormat format)
{
  return (PetscBool)(format == EXPORT_CSV || format == EXPORT_TSV);
}

static PetscErrorCode WriteJson(const Catalogue *catalogue, FILE *out)
{
  PetscErrorCode code;
  Json           json;

  PetscFunctionBegin;
  JsonBegin(out, &json);
  JsonOpenObject(&json, NULL);
  JsonText(&json, "result", catalogue->result);
  code = WriteContents(catalogue, -1, &json);
  JsonClose(&json);
  PetscFunctionReturn(code);
}

static PetscErrorCode Write(const Catalogue *catalogue, ExportFormat format, FILE *out)
{
  PetscFunctionBegin;
  if (IsText(format)) PetscFunctionReturn(WriteTables(catalogue, format == EXPORT_CSV ? ',' : '\t', out));
  if (format == EXPORT_JSON) PetscFunctionReturn(WriteJson(catalogue, out));
  PetscFunctionReturn(WriteUniversal(catalogue, (PetscBool)(format == EXPORT_UFF_BINARY), out));
}

/* The file takes its place when it is whole. */
static PetscErrorCode WriteFile(const Catalogue *catalogue, const ExportRequest *request)
{
  char           temporary[PETSC_MAX_PATH_LEN];
  FILE          *file;
  PetscErrorCode code;

  PetscFunctionBegin;
  PetscCall(PathAppend(request->place, ".tmp", temporary));
  file = fopen(temporary, "w");
  if (!file) PetscFunctionReturn(RefuseWriting(request->place, errno));
  code = Write(catalogue, request->format, file);
  if (ferror(file) + fclose(file) != 0 && code == PETSC_SUCCESS) code = RefuseWriting(request->place, errno);
  if (code == PETSC_SUCCESS && rename(temporary, request->place) != 0) code = RefuseWriting(request->place, errno);
  if (code) unlink(temporary);
  PetscFunctionReturn(code);
}

/* Several tables need a folder; one goes into a folder that is there, or named as one, too. */
static PetscErrorCode NeedsFolder(const Catalogue *catalogue, const ExportRequest *request, PetscBool *folder)
{
  const size_t   length = strlen(request->place);
  struct stat    status;
  PetscInt       count;
  PetscErrorCode code;

  PetscFunctionBegin;
  *folder = PETSC_FALSE;
  if (!IsText(request->format)) PetscFunctionReturn(PETSC_SUCCESS);
  code    = CountTables(catalogue, &count);
  *folder = (PetscBool)(count > 1 || request->place[length - 1] == '/' || (stat(request->place, &status) == 0 && S_ISDIR(status.st_mode)));
  PetscFunctionReturn(code);
}

static PetscErrorCode WriteToPlace(const Catalogue *catalogue, const ExportRequest *request)
{
  struct stat    result, place;
  PetscBool      folder;
  PetscErrorCode code;

  PetscFunctionBegin;
  if (stat(catalogue->result, &result) == 0 && stat(request->place, &place) == 0 && result.st_dev == place.st_dev && result.st_ino == place.st_ino)
    PetscFunctionReturn(Refuse(request->place, "is the result itself; choose another place with -o"));
  code = NeedsFolder(catalogue, request, &folder);
  if (code) PetscFunctionReturn(code);
  if (folder) PetscFunctionReturn(WriteTableFiles(catalogue, request->format == EXPORT_CSV ? ',' : '\t', request->place));
  PetscFunctionReturn(WriteFile(catalogue, request));
}

static PetscErrorCode Choose(Catalogue *catalogue, const ExportRequest *request)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  for (int i = 0; i < request->num_paths; i++) {
    const PetscErrorCode one = CatalogueChoose(catalogue, request->paths[i]);

    if (one) code = one; /* the others are looked at, too */
  }
  if (request->num_paths == 0) CatalogueChooseAll(catalogue);
  PetscFunctionReturn(code);
}

static PetscErrorCode Export(FILE *out, const char *path, void *context)
{
  const ExportRequest *const request = context;
  Earlier                    result;
  Catalogue                  catalogue;
  hid_t                      file;
  PetscErrorCode             code;

  PetscFunctionBegin;
  (void)setvbuf(out, NULL, _IOFBF, 1 << 16);
  code = ReadableOpen(path, &file, &result);
  if (code) PetscFunctionReturn(code);
  code = CatalogueRead(path, file, &catalogue);
  if (code == PETSC_SUCCESS) code = Choose(&catalogue, request);
  if (code == PETSC_SUCCESS) code = request->place ? WriteToPlace(&catalogue, request) : Write(&catalogue, request->format, out);
  PetscCall(CatalogueDestroy(&catalogue));
  PetscCall(ReadableClose(&file, &result));
  PetscFunctionReturn(code);
}

/* Whether all of its headers can be read, in time. */
static PetscErrorCode Look(FILE *out, const char *path, void *context)
{
  Earlier        result;
  Catalogue      catalogue;
  hid_t          file;
  PetscErrorCode code;

  PetscFunctionBegin;
  (void)out, (void)context;
  code = ReadableOpen(path, &file, &result);
  if (code) PetscFunctionReturn(code);
  code = CatalogueRead(path, file, &catalogue);
  PetscCall(CatalogueDestroy(&catalogue));
  PetscCall(ReadableClose(&file, &result));
  PetscFunctionReturn(code);
}

PetscErrorCode ResultExport(FILE *out, const char *result, const ExportRequest *request)
{
  ExportRequest copy = *request;
  const Reading look = {.out = out, .work = Look, .path = result, .most_silence = READ_MOST_SILENCE};
  const Reading work = {.out = out, .work = Export, .path = result, .context = &copy};
  PetscMPIInt   rank;
  int           verdict = 0;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) verdict = (int)ReadApart(&look);
  if (rank == 0 && verdict == 0) verdict = (int)ReadApart(&work);
  PetscCallMPI(MPI_Bcast(&verdict, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn((PetscErrorCode)verdict);
}

static PetscErrorCode DescribeTitle(const Catalogue *catalogue, const Earlier *result, Json *json)
{
  const char *state;
  char       *title, *date;

  PetscFunctionBegin;
  PetscCall(AttributeGetTextByName(catalogue->file, "/case", "title", &title));
  PetscCall(AttributeGetTextByName(catalogue->file, "/case", "date", &date));
  PetscCall(ReadableState(catalogue->result, result->complete, &state));
  JsonText(json, "title", title);
  JsonText(json, "version", result->version);
  JsonText(json, "commit", result->commit);
  JsonText(json, "date", date);
  JsonTruth(json, "complete", result->complete);
  JsonText(json, "state", state);
  PetscCall(PetscFree(title));
  PetscCall(PetscFree(date));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(FILE *out, const char *path, void *context)
{
  Json           json = *(Json *)context;
  Earlier        result;
  Catalogue      catalogue;
  hid_t          file;
  PetscErrorCode code;

  PetscFunctionBegin;
  json.out = out;
  code     = ReadableOpen(path, &file, &result);
  if (code) PetscFunctionReturn(code);
  code = CatalogueRead(path, file, &catalogue);
  if (code == PETSC_SUCCESS) PetscCall(DescribeTitle(&catalogue, &result, &json));
  CatalogueChooseAll(&catalogue);
  if (code == PETSC_SUCCESS) code = WriteContents(&catalogue, MOST_SHOWN, &json);
  PetscCall(CatalogueDestroy(&catalogue));
  PetscCall(ReadableClose(&file, &result));
  PetscFunctionReturn(code);
}

PetscErrorCode ResultDescribe(Json *json, const char *result)
{
  const Reading reading = {.out = json->out, .work = Describe, .path = result, .context = json, .most_silence = READ_MOST_SILENCE};
  PetscMPIInt   rank;
  int           verdict = 0;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) {
    JsonText(json, "result", result);
    verdict = (int)ReadApart(&reading);
  }
  PetscCallMPI(MPI_Bcast(&verdict, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn((PetscErrorCode)verdict);
}
