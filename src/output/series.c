/*
  series.c - a motion on a mesh as XDMF 3: a short text that tells what lies where in an HDF5 file beside it (xdmf.org, "XDMF Model and
  Format"). One dataset for each time: ParaView 5.11 drops arrays that are cut out of larger ones.
*/
#include "fields.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROOT "XDMF"

enum { SPACE = 3, TOPOLOGY = GRID_NUM_COLUMNS, TIME, NUM_COLUMNS };

typedef struct {
  const char   *path; /* of the text */
  const Mesh   *mesh;
  const Series *series;
  Grid          grid;
  Column        columns[NUM_COLUMNS]; /* what does not change with time */
  PetscReal    *values;               /* of one field at one time */
} Plan;

static PetscInt WidthOf(const Series *series, PetscInt field)
{
  return series->widths ? series->widths[field] : SPACE;
}

static PetscBool IsOfCells(const Series *series, PetscInt field)
{
  return (PetscBool)(series->of_cells && series->of_cells[field]);
}

/* The dataset of a field at a time. */
static PetscErrorCode DescribeField(const Plan *plan, PetscInt time, PetscInt field, Column *column)
{
  const char *const name     = plan->series->fields[field];
  const PetscInt    width    = WidthOf(plan->series, field);
  const PetscBool   of_cells = IsOfCells(plan->series, field);
  int               length;

  PetscFunctionBegin;
  *column = (Column){.stored = H5T_IEEE_F64LE, .width = width > 1 ? width : 0, .num_rows = plan->grid.totals[of_cells ? 1 : 0]};
  length  = snprintf(column->path, sizeof column->path, "/" ROOT "/%s/%s/%06" PetscInt_FMT, of_cells ? "CellData" : "PointData", name, time);
  PetscCheck(length < (int)sizeof column->path, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "field '%s': a short name", name);
  if (of_cells) GridAddElements(&plan->grid, plan->values, column);
  else ColumnAddSlice(column, plan->grid.num_nodes, 1, SliceCopy, plan->values);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode LayOut(hid_t file, const void *all)
{
  const Plan *const plan = all;
  Column            column;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < NUM_COLUMNS; c++) PetscCall(ColumnAllocate(file, &plan->columns[c]));
  for (PetscInt f = 0; f < plan->series->num_fields; f++)
    for (PetscInt t = 0; t < plan->series->num_times; t++) {
      PetscCall(DescribeField(plan, t, f, &column));
      PetscCall(ColumnAllocate(file, &column));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether any rank heard it. */
static PetscErrorCode AskedToStop(MPI_Comm comm, PetscBool *stop)
{
  const PetscBool asked = InterruptAsked();

  PetscFunctionBegin;
  PetscCallMPI(MPI_Allreduce(&asked, stop, 1, MPIU_BOOL, MPI_LOR, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An earlier text goes before the numbers that it tells of. */
static PetscErrorCode Fill(hid_t file, const void *all, PetscBool *whole)
{
  const Plan *const   plan   = all;
  const Series *const series = plan->series;
  PetscBool           stop   = PETSC_FALSE;
  Column              column;

  PetscFunctionBegin;
  for (PetscInt c = 0; c < NUM_COLUMNS; c++) PetscCall(ColumnWrite(MeshComm(plan->mesh), file, &plan->columns[c]));
  for (PetscInt t = 0; t < series->num_times && !stop; t++) {
    for (PetscInt f = 0; f < series->num_fields; f++) {
      PetscCall(series->find(series->source, t, f, plan->values));
      if (!IsOfCells(series, f)) GridKeepNodes(&plan->grid, WidthOf(series, f), plan->values);
      PetscCall(DescribeField(plan, t, f, &column));
      PetscCall(ColumnWrite(MeshComm(plan->mesh), file, &column));
    }
    PetscCall(AskedToStop(MeshComm(plan->mesh), &stop));
  }
  *whole = (PetscBool)!stop;
  if (*whole && file >= 0) (void)unlink(plan->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const FileKind kind_series = {.group = ROOT, .lay_out = LayOut, .fill = Fill};

/* Numbers of one field at one time. */
static size_t LargestField(const Mesh *mesh, const Series *series)
{
  size_t nodes = (size_t)MeshGetNodes(mesh)->count, elements = 0, largest = 0;

  for (PetscInt b = 0; b < MeshNumBlocks(mesh); b++) elements += (size_t)MeshGetBlock(mesh, b)->count;
  for (PetscInt f = 0; f < series->num_fields; f++)
    largest = PetscMax(largest, (size_t)WidthOf(series, f) * (IsOfCells(series, f) ? elements : nodes));
  return largest;
}

static PetscErrorCode PlanCreate(const char *path, const Mesh *mesh, const Series *series, Plan *plan)
{
  Column *const time = &plan->columns[TIME];
  PetscMPIInt   rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(MeshComm(mesh), &rank));
  *plan = (Plan){.path = path, .mesh = mesh, .series = series};
  if (series->group) PetscCall(GridCreateGroup(mesh, series->group, &plan->grid));
  else PetscCall(GridCreate(mesh, &plan->grid));
  GridDescribe(&plan->grid, ROOT, plan->columns);
  GridDescribeMixed(&plan->grid, ROOT, &plan->columns[TOPOLOGY]);
  *time = (Column){.path = "/" ROOT "/Time", .stored = H5T_IEEE_F64LE};
  ColumnAddSlice(time, rank == 0 ? series->num_times : 0, 1, SliceCopy, series->times);
  for (PetscInt c = 0; c < NUM_COLUMNS; c++) PetscCall(ColumnCount(MeshComm(mesh), &plan->columns[c]));
  PetscCall(PetscMalloc1(LargestField(mesh, series), &plan->values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PlanDestroy(Plan *plan)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(plan->values));
  PetscCall(GridDestroy(&plan->grid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On disk, at most. */
static PetscErrorCode CountBytes(const Plan *plan, PetscInt64 *num_bytes)
{
  Column column;

  PetscFunctionBegin;
  *num_bytes = 0;
  for (PetscInt f = 0; f < plan->series->num_fields; f++) {
    PetscCall(DescribeField(plan, 0, f, &column));
    *num_bytes += ColumnBytes(&column) * plan->series->num_times;
  }
  for (PetscInt c = 0; c < NUM_COLUMNS; c++) *num_bytes += ColumnBytes(&plan->columns[c]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A text in XML. */
static void PrintEscaped(FILE *out, const char *text)
{
  for (; *text; text++) {
    if (*text == '&') fputs("&amp;", out);
    else if (*text == '<') fputs("&lt;", out);
    else if (*text == '>') fputs("&gt;", out);
    else if (*text == '"') fputs("&quot;", out);
    else fputc(*text, out);
  }
}

/* Where the numbers of a dataset are, by the name of the file without its folder: both files may be moved together. */
static void PrintItem(FILE *out, const char *numbers, const Column *column)
{
  const char *const slash = strrchr(numbers, '/');

  fprintf(out, "<DataItem Dimensions=\"%" PetscInt64_FMT, column->num_rows);
  if (column->width) fprintf(out, " %" PetscInt_FMT, column->width);
  fprintf(out, "\" NumberType=\"%s\" Precision=\"8\" Format=\"HDF\">", column->stored == H5T_IEEE_F64LE ? "Float" : "Int");
  PrintEscaped(out, slash ? slash + 1 : numbers);
  fprintf(out, ":%s</DataItem>", column->path);
}

/* Tensors are "Matrix", as ParaView's older reader makes nine numbers of a Tensor6, in another order. */
static void PrintAttribute(FILE *out, const char *numbers, const char *name, PetscBool of_cells, const Column *column)
{
  const char *const type = column->width == 0 ? "Scalar" : column->width == SPACE ? "Vector" : "Matrix";

  fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", name, type, of_cells ? "Cell" : "Node");
  PrintItem(out, numbers, column);
  fputs("</Attribute>\n", out);
}

static PetscErrorCode PrintTime(FILE *out, const Plan *plan, const char *numbers, PetscInt time)
{
  static const char *const names[GRID_NUM_COLUMNS] = {NULL, "node", "part", "group", "element"}; /* as GridDescribe has them */
  Column                   column;

  PetscFunctionBegin;
  fprintf(out,
          "<Grid Name=\"mesh\" GridType=\"Uniform\"><Time Value=\"%.17g\"/>\n<Topology TopologyType=\"Mixed\" NumberOfElements=\"%" PetscInt64_FMT
          "\">",
          plan->series->times[time], plan->grid.totals[1]);
  PrintItem(out, numbers, &plan->columns[TOPOLOGY]);
  fputs("</Topology>\n<Geometry GeometryType=\"XYZ\">", out);
  PrintItem(out, numbers, &plan->columns[0]);
  fputs("</Geometry>\n", out);
  for (PetscInt c = 1; c < GRID_NUM_COLUMNS; c++) PrintAttribute(out, numbers, names[c], (PetscBool)(c > 1), &plan->columns[c]);
  for (PetscInt f = 0; f < plan->series->num_fields; f++) {
    PetscCall(DescribeField(plan, time, f, &column));
    PrintAttribute(out, numbers, plan->series->fields[f], IsOfCells(plan->series, f), &column);
  }
  fputs("</Grid>\n", out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char heading[] = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"3.0\">";

static PetscErrorCode PrintText(FILE *out, const Plan *plan, const char *numbers)
{
  PetscFunctionBegin;
  fprintf(out, "%s<Domain>\n<Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", heading, plan->series->name);
  for (PetscInt t = 0; t < plan->series->num_times; t++) PetscCall(PrintTime(out, plan, numbers, t));
  fputs("</Grid>\n</Domain></Xdmf>\n", out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On rank 0. */
static PetscErrorCode WriteText(const char *path, const Plan *plan, const char *numbers)
{
  char  temporary[PETSC_MAX_PATH_LEN];
  int   descriptor, error;
  FILE *out;

  PetscFunctionBegin;
  PetscCall(PathAppend(path, ".tmp", temporary));
  PetscCall(SpaceProbe(path, temporary, &descriptor));
  out = fdopen(descriptor, "w");
  PetscCheck(out, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s: %s", temporary, strerror(errno));
  errno = 0;
  PetscCall(PrintText(out, plan, numbers));
  error = fflush(out) != 0 || ftruncate(descriptor, ftello(out)) != 0 ? errno : 0;
  fclose(out);
  if (error == 0) error = PathReplace(temporary, path);
  if (error == 0) ScrapForget(temporary);
  else ScrapRemove(temporary);
  PetscFunctionReturn(error == 0 ? PETSC_SUCCESS : RefuseWriting(path, error));
}

/* Any file of XDMF may be replaced: nobody writes one by hand. */
static PetscBool IsText(const char *path, const char *kind)
{
  char        start[256] = "";
  FILE *const file       = fopen(path, "r");

  if (!file) return PETSC_FALSE;
  start[fread(start, 1, sizeof start - 1, file)] = '\0';
  fclose(file);
  return (PetscBool)(strstr(start, "<Xdmf") != NULL);
}

/* On rank 0. In a path these part what belongs to the file from what belongs to the dataset, and ParaView 5.11 ends with SIGABRT. */
static PetscErrorCode CheckPlaces(const char *path, const char *numbers)
{
  const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;

  PetscFunctionBegin;
  if (strpbrk(name, ":|")) PetscFunctionReturn(Refuse(path, "a name with ':' or '|' makes ParaView crash; give the result another name"));
  PetscCall(PlaceCheck(path, ROOT, IsText));
  PetscCall(PlaceCheck(numbers, ROOT, HoldsGroup));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SeriesCheckPlace(const char *path)
{
  char           numbers[PETSC_MAX_PATH_LEN];
  PetscErrorCode code = PETSC_SUCCESS;
  PetscMPIInt    rank;

  PetscFunctionBegin;
  if (!path[0]) PetscFunctionReturn(PETSC_SUCCESS); /* of a result in memory */
  PetscCall(QuietenHDF5());
  PetscCall(PathAppend(path, ".h5", numbers));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) code = CheckPlaces(path, numbers);
  PetscFunctionReturn(VerdictOfFirst(PETSC_COMM_WORLD, code));
}

/* The text comes last: what it tells of is always there. */
PetscErrorCode SeriesWrite(const char *path, const Mesh *mesh, const Series *series, PetscBool *whole)
{
  char           numbers[PETSC_MAX_PATH_LEN];
  PetscErrorCode code      = PETSC_SUCCESS;
  PetscInt64     num_bytes = 0;
  PetscMPIInt    rank;
  Plan           plan;

  PetscFunctionBegin;
  *whole = PETSC_TRUE;
  if (!path[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(QuietenHDF5());
  PetscCall(PathAppend(path, ".h5", numbers));
  PetscCall(PlanCreate(path, mesh, series, &plan));
  PetscCall(CountBytes(&plan, &num_bytes));
  PetscCallMPI(MPI_Comm_rank(MeshComm(mesh), &rank));
  if (rank == 0) code = CheckPlaces(path, numbers);
  code = VerdictOfFirst(MeshComm(mesh), code);
  if (code == PETSC_SUCCESS) code = FileWriteTogether(numbers, MeshComm(mesh), &kind_series, num_bytes, &plan, whole);
  if (code == PETSC_SUCCESS && *whole) {
    if (rank == 0) code = WriteText(path, &plan, numbers);
    code = VerdictOfFirst(MeshComm(mesh), code);
  }
  PetscCall(PlanDestroy(&plan));
  PetscFunctionReturn(code);
}
