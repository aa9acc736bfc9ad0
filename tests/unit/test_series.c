/* test_series.c - motions on a mesh: HDF5 holds what was asked for, the text tells where, the same bytes from any number of ranks. [ranks: 1 2 3] */
#include "two_parts.h"
#include "output.h"
#include <signal.h>
#include <sys/resource.h>

enum { NUM_TIMES = 3, NUM_VECTORS = 2, NUM_FIELDS = 3 };

static const PetscReal   times[NUM_TIMES]     = {0.0, 1e-3, 2.5e-3};
static const char *const fields[NUM_FIELDS]   = {"displacement", "velocity", "sixfold"};
static const PetscInt    widths[NUM_FIELDS]   = {3, 3, 6};
static const PetscBool   of_cells[NUM_FIELDS] = {PETSC_FALSE, PETSC_FALSE, PETSC_TRUE};

static PetscReal ValueAt(PetscInt64 tag, PetscInt component, PetscInt time, PetscInt field)
{
  return Value(tag, component) + 1000.0 * time + 1e6 * field;
}

static PetscErrorCode Find(void *source, PetscInt time, PetscInt field, PetscReal values[])
{
  const MeshNodes *const nodes = MeshGetNodes(source);

  if (field == NUM_VECTORS) NumberElements(source, values);
  for (PetscInt i = 0; i < nodes->count && field < NUM_VECTORS; i++)
    for (PetscInt c = 0; c < 3; c++) values[3 * i + c] = ValueAt(nodes->tags[i], c, time, field);
  return PETSC_SUCCESS;
}

/* On a disk where a file may have `limit` bytes. */
static PetscErrorCode WriteLimited(MPI_Comm comm, const char *path, PetscInt num_times, rlim_t limit, PetscBool *whole)
{
  ParsedMesh     parsed = Parse(comm, two_parts);
  const Series   series = {.name       = "run",
                           .num_times  = num_times,
                           .times      = times,
                           .num_fields = NUM_FIELDS,
                           .fields     = fields,
                           .find       = Find,
                           .source     = parsed.mesh,
                           .widths     = widths,
                           .of_cells   = of_cells};
  PetscErrorCode code;
  struct rlimit  old, low;

  getrlimit(RLIMIT_FSIZE, &old);
  low          = old;
  low.rlim_cur = limit;
  assert_ok(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  setrlimit(RLIMIT_FSIZE, &low);
  code = SeriesWrite(path, parsed.mesh, &series, whole);
  setrlimit(RLIMIT_FSIZE, &old);
  assert_ok(PetscPopErrorHandler());
  DestroyParsed(&parsed);
  return code;
}

static void Write(MPI_Comm comm, const char *path, PetscInt num_times)
{
  PetscBool whole;

  assert_ok(WriteLimited(comm, path, num_times, RLIM_INFINITY, &whole));
  assert_true(whole);
}

static void CheckField(const char *path, PetscInt time, PetscInt field)
{
  PetscInt64 tags[NUM_NODES];
  PetscReal  vectors[NUM_NODES][3];
  char       name[64];

  snprintf(name, sizeof name, "/XDMF/PointData/%s/%06d", fields[field], (int)time);
  Read(path, "/XDMF/PointData/node", H5T_NATIVE_INT64, NUM_NODES, tags);
  Read(path, name, H5T_NATIVE_DOUBLE, 3 * NUM_NODES, vectors);
  for (PetscInt i = 0; i < NUM_NODES; i++)
    for (PetscInt c = 0; c < 3; c++) assert_true(vectors[i][c] == ValueAt(tags[i], c, time, field));
}

static void hdf5_holds_each_field_at_each_time(void **state)
{
  char      path[SCRATCH_LENGTH], numbers[SCRATCH_LENGTH];
  PetscReal read[NUM_TIMES];

  Write(PETSC_COMM_WORLD, PathIn(*state, "a.xdmf", path), NUM_TIMES);
  if (RankOf(MPI_COMM_WORLD) > 0) return;
  PathIn(*state, "a.xdmf.h5", numbers);
  Read(numbers, "/XDMF/Time", H5T_NATIVE_DOUBLE, NUM_TIMES, read);
  assert_memory_equal(read, times, sizeof times);
  for (PetscInt t = 0; t < NUM_TIMES; t++)
    for (PetscInt f = 0; f < NUM_VECTORS; f++) CheckField(numbers, t, f);
  CheckElements(numbers, "/XDMF/CellData/element", "/XDMF/CellData/sixfold/000002");
  assert_false(Exists(*state, "a.xdmf.tmp") || Exists(*state, "a.xdmf.h5.tmp"));
}

/* Each element: its type in XDMF, for beams the number of corners, its corners. */
static void elements_of_all_shapes_follow_one_another(void **state)
{
  enum { LENGTH = 2 * (1 + 1 + 2) + (1 + 8) + (1 + 6) };
  static const PetscInt64 expected[LENGTH] = {2, 2, 40, 41, 2, 2, 41, 42, 9, 21, 1, 22, 2, 23, 3, 24, 4, 8, 23, 30, 4, 3, 31, 24};
  static const PetscInt   types[]          = {0, 1, 4, 5, 8, 17}; /* where no corner stands */
  PetscInt64              tags[NUM_NODES], topology[LENGTH];
  char                    path[SCRATCH_LENGTH], numbers[SCRATCH_LENGTH];

  Write(PETSC_COMM_WORLD, PathIn(*state, "b.xdmf", path), 1);
  if (RankOf(MPI_COMM_WORLD) > 0) return;
  PathIn(*state, "b.xdmf.h5", numbers);
  Read(numbers, "/XDMF/PointData/node", H5T_NATIVE_INT64, NUM_NODES, tags);
  Read(numbers, "/XDMF/Topology", H5T_NATIVE_INT64, LENGTH, topology);
  for (PetscInt i = 0, next = 0; i < LENGTH; i++) {
    const PetscBool corner = (PetscBool)(next == 6 || types[next] != i);

    if (!corner) next++;
    assert_int_equal(corner ? tags[topology[i]] : topology[i], expected[i]);
  }
}

static void the_number_of_ranks_does_not_matter(void **state)
{
  static const char *const names[] = {"all.xdmf", "alone/all.xdmf", "all.xdmf.h5", "alone/all.xdmf.h5"};
  char                     path[SCRATCH_LENGTH], *bytes[2];
  size_t                   size[2];

  Write(PETSC_COMM_WORLD, PathIn(*state, names[0], path), NUM_TIMES);
  if (RankOf(MPI_COMM_WORLD) > 0) return;
  assert_int_equal(mkdir(PathIn(*state, "alone", path), 0777), 0);
  Write(PETSC_COMM_SELF, PathIn(*state, names[1], path), NUM_TIMES);
  for (int i = 0; i < 4; i += 2) {
    for (int k = 0; k < 2; k++) bytes[k] = ReadBytes(PathIn(*state, names[i + k], path), &size[k]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    for (int k = 0; k < 2; k++) free(bytes[k]);
  }
}

static PetscInt CountIn(const char *path, const char *words)
{
  size_t      size;
  char *const text  = ReadBytes(path, &size);
  PetscInt    count = 0;

  for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) count++;
  free(text);
  return count;
}

static void an_earlier_series_is_replaced(void **state)
{
  char path[SCRATCH_LENGTH];

  Write(PETSC_COMM_WORLD, PathIn(*state, "again.xdmf", path), NUM_TIMES);
  if (RankOf(MPI_COMM_WORLD) == 0) assert_int_equal(CountIn(path, "<Time Value=\"0.0025"), 1);
  MPI_Barrier(MPI_COMM_WORLD);
  Write(PETSC_COMM_WORLD, path, 1);
  if (RankOf(MPI_COMM_WORLD) == 0) assert_int_equal(CountIn(path, "<Time "), 1);
}

static void names_are_written_as_xml_wants_them(void **state)
{
  char path[SCRATCH_LENGTH];

  Write(PETSC_COMM_WORLD, PathIn(*state, "a <&> \"b\".xdmf", path), 1);
  if (RankOf(MPI_COMM_WORLD) == 0) assert_int_equal(CountIn(path, ">a &lt;&amp;&gt; &quot;b&quot;.xdmf.h5:/XDMF/Points<"), 1);
}

/* Refused on all ranks, said once, nothing left behind. */
static void CheckRefusal(Scratch *scratch, const char *path, rlim_t limit, const char *refused, const char *reason)
{
  char           expected[3 * SCRATCH_LENGTH], name[2 * SCRATCH_LENGTH];
  PetscBool      whole;
  PetscErrorCode code;

  snprintf(expected, sizeof expected, "error: %s: %s\n", refused, reason);
  CaptureBegin(scratch);
  code = WriteLimited(PETSC_COMM_WORLD, path, NUM_TIMES, limit, &whole);
  CaptureEnd(scratch);
  assert_int_equal(code, PETSC_ERR_USER_INPUT);
  assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD) == 0 ? expected : "");
  snprintf(name, sizeof name, "%s.h5.tmp", path);
  assert_int_not_equal(access(name, F_OK), 0);
}

static void what_is_no_file_of_fields_stays(void **state)
{
  static const char text[] = "measured in May", reason[] = "is not a file of fields (XDMF) and will not be replaced; give the result another name";
  Scratch *const    scratch = *state;
  char              path[SCRATCH_LENGTH], numbers[SCRATCH_LENGTH];

  PathIn(scratch, "mine.xdmf", path);
  PathIn(scratch, "mine.xdmf.h5", numbers);
  if (RankOf(MPI_COMM_WORLD) == 0) WriteBytes(path, strlen(text), text);
  MPI_Barrier(MPI_COMM_WORLD);
  CheckRefusal(scratch, path, RLIM_INFINITY, path, reason);
  MPI_Barrier(MPI_COMM_WORLD);
  if (RankOf(MPI_COMM_WORLD) == 0) assert_int_equal(rename(path, numbers), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  CheckRefusal(scratch, path, RLIM_INFINITY, numbers, reason);
  if (RankOf(MPI_COMM_WORLD) == 0) assert_int_equal(CountIn(numbers, text), 1);
}

static void a_name_that_paraview_cannot_read_is_refused(void **state)
{
  Scratch *const scratch = *state;
  char           path[SCRATCH_LENGTH];

  CheckRefusal(scratch, PathIn(scratch, "at:10.xdmf", path), RLIM_INFINITY, path,
               "a name with ':' or '|' makes ParaView crash; give the result another name");
}

static void a_full_disk_is_told_and_spares_the_earlier_series(void **state)
{
  Scratch *const scratch = *state;
  char           path[SCRATCH_LENGTH], numbers[SCRATCH_LENGTH];

  Write(PETSC_COMM_WORLD, PathIn(scratch, "full.xdmf", path), NUM_TIMES);
  PathIn(scratch, "full.xdmf.h5", numbers);
  signal(SIGXFSZ, SIG_IGN);
  for (rlim_t limit = 512; limit < 300000; limit *= 2) CheckRefusal(scratch, path, limit, numbers, "cannot be written: File too large");
  if (RankOf(MPI_COMM_WORLD) > 0) return;
  assert_int_equal(CountIn(path, "<Time "), NUM_TIMES);
  CheckField(numbers, NUM_TIMES - 1, 1);
}

/* The last of the tests: the wish cannot be taken back. One rank hears it. */
static void the_wish_to_stop_leaves_nothing(void **state)
{
  char      path[SCRATCH_LENGTH];
  PetscBool whole = PETSC_TRUE;
  int       size;

  InterruptInstall(NULL);
  InterruptDefer();
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (RankOf(MPI_COMM_WORLD) == size - 1) raise(SIGTERM);
  assert_ok(WriteLimited(PETSC_COMM_WORLD, PathIn(*state, "c.xdmf", path), NUM_TIMES, RLIM_INFINITY, &whole));
  assert_false(whole);
  assert_false(Exists(*state, "c.xdmf") || Exists(*state, "c.xdmf.h5") || Exists(*state, "c.xdmf.h5.tmp"));
}

static const struct CMUnitTest tests[] = {
  cmocka_unit_test_setup_teardown(hdf5_holds_each_field_at_each_time, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(elements_of_all_shapes_follow_one_another, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(the_number_of_ranks_does_not_matter, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(an_earlier_series_is_replaced, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(names_are_written_as_xml_wants_them, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(what_is_no_file_of_fields_stays, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(a_name_that_paraview_cannot_read_is_refused, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(a_full_disk_is_told_and_spares_the_earlier_series, MakeScratch, RemoveScratch),
  cmocka_unit_test_setup_teardown(the_wish_to_stop_leaves_nothing, MakeScratch, RemoveScratch),
};

CHECK_MAIN(tests)
