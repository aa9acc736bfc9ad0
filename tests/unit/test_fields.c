/* test_fields.c - files of fields: HDF5 reads the mesh and the values that were written, the same bytes from any number of ranks. [ranks: 1 2 3] */
#include "two_parts.h"
#include "output.h"
#include <signal.h>
#include <sys/resource.h>

/* On a disk where a file may have `limit` bytes. */
static PetscErrorCode WriteLimited(MPI_Comm comm, const char *path, const char *name, rlim_t limit)
{
  ParsedMesh             parsed = Parse(comm, two_parts);
  const MeshNodes *const nodes  = MeshGetNodes(parsed.mesh);
  PetscReal              shape[3 * NUM_NODES], number[NUM_NODES], sixfold[6 * NUM_ELEMENTS];
  const Field            fields[] = {{name, 3, shape, PETSC_FALSE}, {"number", 1, number, PETSC_FALSE}, {"sixfold", 6, sixfold, PETSC_TRUE}};
  PetscErrorCode         code;
  struct rlimit          old, low;

  getrlimit(RLIMIT_FSIZE, &old);
  low          = old;
  low.rlim_cur = limit;
  for (PetscInt i = 0; i < nodes->count; i++) {
    for (PetscInt c = 0; c < 3; c++) shape[3 * i + c] = Value(nodes->tags[i], c);
    number[i] = (PetscReal)nodes->tags[i];
  }
  NumberElements(parsed.mesh, sixfold);
  assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  setrlimit(RLIMIT_FSIZE, &low);
  code = FieldsWrite(path, parsed.mesh, 3, fields);
  setrlimit(RLIMIT_FSIZE, &old);
  assert_ok(PetscPopErrorHandler());
  DestroyParsed(&parsed);
  return code;
}

static PetscErrorCode WriteAs(MPI_Comm comm, const char *path, const char *name)
{
  return WriteLimited(comm, path, name, RLIM_INFINITY);
}

static void CheckNodes(const char *path)
{
  PetscInt64 tags[NUM_NODES];
  PetscReal  shape[NUM_NODES][3], number[NUM_NODES], places[NUM_NODES][3];

  Read(path, "/VTKHDF/PointData/node", H5T_NATIVE_INT64, NUM_NODES, tags);
  Read(path, "/VTKHDF/PointData/number", H5T_NATIVE_DOUBLE, NUM_NODES, number);
  Read(path, "/VTKHDF/PointData/stuck_001_1Hz", H5T_NATIVE_DOUBLE, 3 * NUM_NODES, shape);
  Read(path, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, 3 * NUM_NODES, places);
  for (PetscInt i = 0; i < NUM_NODES; i++) {
    assert_true(number[i] == (PetscReal)tags[i]);
    for (PetscInt c = 0; c < 3; c++) assert_true(shape[i][c] == Value(tags[i], c));
    if (tags[i] == 41) assert_true(places[i][0] == 6 && places[i][1] == 0 && places[i][2] == 0);
    if (tags[i] == 31) assert_true(places[i][0] == 1 && places[i][1] == 0 && places[i][2] == 2);
  }
}

/* What is written of an element, whatever its place in the file. */
static void CheckCell(const char *path, PetscInt64 element, int type, PetscInt64 group, PetscInt count, const PetscInt64 corners[])
{
  PetscInt64    tags[NUM_NODES], elements[NUM_CELLS], groups[NUM_CELLS], offsets[NUM_CELLS + 1], ids[NUM_CORNERS];
  unsigned char types[NUM_CELLS];
  PetscInt      i = 0;

  Read(path, "/VTKHDF/PointData/node", H5T_NATIVE_INT64, NUM_NODES, tags);
  Read(path, "/VTKHDF/CellData/element", H5T_NATIVE_INT64, NUM_CELLS, elements);
  Read(path, "/VTKHDF/CellData/group", H5T_NATIVE_INT64, NUM_CELLS, groups);
  Read(path, "/VTKHDF/Types", H5T_NATIVE_UCHAR, NUM_CELLS, types);
  Read(path, "/VTKHDF/Offsets", H5T_NATIVE_INT64, NUM_CELLS + 1, offsets);
  Read(path, "/VTKHDF/Connectivity", H5T_NATIVE_INT64, NUM_CORNERS, ids);
  while (i < NUM_CELLS && elements[i] != element) i++;
  assert_true(i < NUM_CELLS);
  assert_int_equal(types[i], type);
  assert_int_equal(groups[i], group);
  assert_int_equal(offsets[i + 1] - offsets[i], count);
  for (PetscInt k = 0; k < count; k++) assert_int_equal(tags[ids[offsets[i] + k]], corners[k]);
}

static void CheckCells(const char *path)
{
  const PetscInt64 first[] = {40, 41}, second[] = {41, 42}, brick[] = {21, 1, 22, 2, 23, 3, 24, 4}, wedge[] = {23, 30, 4, 3, 31, 24};
  PetscInt64       parts[NUM_CELLS], elements[NUM_CELLS];

  CheckCell(path, 102, 3, 8, 2, first);
  CheckCell(path, 103, 3, 9, 2, second);
  CheckCell(path, 104, 12, 6, 8, brick);
  CheckCell(path, 105, 13, 7, 6, wedge);
  Read(path, "/VTKHDF/CellData/element", H5T_NATIVE_INT64, NUM_CELLS, elements);
  Read(path, "/VTKHDF/CellData/part", H5T_NATIVE_INT64, NUM_CELLS, parts);
  for (PetscInt i = 0; i < NUM_CELLS; i++)
    for (PetscInt k = 0; k < NUM_CELLS; k++) assert_int_equal(parts[i] == parts[k], (elements[i] < 104) == (elements[k] < 104));
}

static void hdf5_reads_the_mesh_and_the_fields(void **state)
{
  const Scratch *scratch = *state;
  char           path[SCRATCH_LENGTH];
  PetscInt64     points, cells, corners;

  assert_ok(WriteAs(PETSC_COMM_WORLD, PathIn(scratch, "a.hdf", path), "stuck_001_1Hz"));
  if (RankOf(MPI_COMM_WORLD) > 0) return;
  Read(path, "/VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, 1, &points);
  Read(path, "/VTKHDF/NumberOfCells", H5T_NATIVE_INT64, 1, &cells);
  Read(path, "/VTKHDF/NumberOfConnectivityIds", H5T_NATIVE_INT64, 1, &corners);
  assert_true(points == NUM_NODES && cells == NUM_CELLS && corners == NUM_CORNERS);
  CheckNodes(path);
  CheckCells(path);
  CheckElements(path, "/VTKHDF/CellData/element", "/VTKHDF/CellData/sixfold");
  assert_false(Exists(scratch, "a.hdf.tmp"));
}

static void the_number_of_ranks_does_not_matter(void **state)
{
  char   path[SCRATCH_LENGTH], alone[SCRATCH_LENGTH], *bytes, *alone_bytes;
  size_t size, alone_size;

  assert_ok(WriteAs(PETSC_COMM_WORLD, PathIn(*state, "all.hdf", path), "shape"));
  if (RankOf(MPI_COMM_WORLD) > 0) return;
  assert_ok(WriteAs(PETSC_COMM_SELF, PathIn(*state, "alone.hdf", alone), "shape"));
  bytes       = ReadBytes(path, &size);
  alone_bytes = ReadBytes(alone, &alone_size);
  assert_int_equal(size, alone_size);
  assert_memory_equal(bytes, alone_bytes, size);
  free(bytes);
  free(alone_bytes);
}

static void an_earlier_file_of_fields_is_replaced(void **state)
{
  char       path[SCRATCH_LENGTH];
  PetscReal  shape[3 * NUM_NODES];
  const char name[] = "/VTKHDF/PointData/later";

  assert_ok(WriteAs(PETSC_COMM_WORLD, PathIn(*state, "again.hdf", path), "earlier"));
  assert_ok(WriteAs(PETSC_COMM_WORLD, path, "later"));
  if (RankOf(MPI_COMM_WORLD) == 0) Read(path, name, H5T_NATIVE_DOUBLE, 3 * NUM_NODES, shape);
}

/* Refused on all ranks, said once, nothing left behind. */
static void CheckRefusal(Scratch *scratch, const char *path, rlim_t limit, const char *reason)
{
  char           expected[3 * SCRATCH_LENGTH], temporary[SCRATCH_LENGTH + 8];
  PetscErrorCode code;

  snprintf(expected, sizeof expected, "error: %s: %s\n", path, reason);
  CaptureBegin(scratch);
  code = WriteLimited(PETSC_COMM_WORLD, path, "shape", limit);
  CaptureEnd(scratch);
  assert_int_equal(code, PETSC_ERR_USER_INPUT);
  assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD) == 0 ? expected : "");
  snprintf(temporary, sizeof temporary, "%s.tmp", path);
  assert_int_not_equal(access(temporary, F_OK), 0);
}

static void a_place_that_cannot_be_written_is_refused(void **state)
{
  Scratch *const scratch = *state;
  char           path[SCRATCH_LENGTH], reason[2 * SCRATCH_LENGTH];

  snprintf(reason, sizeof reason, "cannot be written: the folder '%s/none' does not exist", scratch->folder);
  CheckRefusal(scratch, PathIn(scratch, "none/a.hdf", path), RLIM_INFINITY, reason);
  CheckRefusal(scratch, scratch->folder, RLIM_INFINITY, "cannot be written: it is a folder");
}

static void what_is_no_file_of_fields_stays(void **state)
{
  static const char text[]  = "measured in May";
  Scratch *const    scratch = *state;
  char              path[SCRATCH_LENGTH], *bytes;
  size_t            size;

  PathIn(scratch, "mine.hdf", path);
  if (RankOf(MPI_COMM_WORLD) == 0) WriteBytes(path, strlen(text), text);
  MPI_Barrier(MPI_COMM_WORLD);
  CheckRefusal(scratch, path, RLIM_INFINITY, "is not a file of fields (VTKHDF) and will not be replaced; give the result another name");
  bytes = ReadBytes(path, &size);
  assert_string_equal(bytes, text);
  free(bytes);
}

static void a_full_disk_is_told_and_spares_the_earlier_file(void **state)
{
  Scratch *const scratch = *state;
  char           path[SCRATCH_LENGTH];
  PetscReal      shape[3 * NUM_NODES];

  assert_ok(WriteAs(PETSC_COMM_WORLD, PathIn(scratch, "full.hdf", path), "earlier"));
  signal(SIGXFSZ, SIG_IGN);
  for (rlim_t limit = 512; limit < 300000; limit *= 2) CheckRefusal(scratch, path, limit, "cannot be written: File too large");
  if (RankOf(MPI_COMM_WORLD) == 0) Read(path, "/VTKHDF/PointData/earlier", H5T_NATIVE_DOUBLE, 3 * NUM_NODES, shape);
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test_setup_teardown(hdf5_reads_the_mesh_and_the_fields, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(the_number_of_ranks_does_not_matter, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(an_earlier_file_of_fields_is_replaced, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(a_place_that_cannot_be_written_is_refused, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(what_is_no_file_of_fields_stays, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(a_full_disk_is_told_and_spares_the_earlier_file, MakeScratch, RemoveScratch),
};

CHECK_MAIN(tests)
