/* test_output.c - result files: what is written is what any HDF5 program reads, and nothing earlier is lost. [ranks: 1 2 3] */
#include "scratch.h"
#include "output.h"
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

enum { NUM_ROWS = 24, NUM_COLUMNS = 3 };

typedef struct {
  ResultArray motion, steps, reason;
} Arrays;

static const char values_used[] = "title: test\njoints.j.x.slip_force: 10\ntime_step: 1e-05\n";

static PetscReal Motion(PetscInt64 row, PetscInt64 column)
{
  return sin(1.0 + (double)row) * pow(10.0, (double)column);
}

static void LayOut(Result *result, Arrays *arrays)
{
  const PetscInt64  shape[] = {2, 2}, motion[] = {NUM_ROWS, NUM_COLUMNS}, one = 1, counts[] = {1, -2, INT64_MAX, 4};
  const PetscReal   reals[] = {1.5, -2.5, 1e300, 0.1};
  const char *const texts[] = {"p1", "a longer name", ""};

  assert_ok(ResultWriteReals(result, "/modes/stuck/shape", 2, shape, reals));
  assert_ok(ResultWriteCounts(result, "/counts", 2, shape, counts));
  assert_ok(ResultWriteTexts(result, "/system/points", 3, texts));
  assert_ok(ResultAttributeReal(result, "/modes/stuck/shape", "scale", 0.25));
  assert_ok(ResultAttributeCount(result, "/modes/stuck", "count", 2));
  assert_ok(ResultAttributeText(result, "/loop/first", "unit", "N/m"));
  assert_ok(ResultReserve(result, "/transient/run/motion", RESULT_REAL, 2, motion, &arrays->motion));
  assert_ok(ResultReserve(result, "/transient/run/steps", RESULT_COUNT, 1, &one, &arrays->steps));
  assert_ok(ResultReserve(result, "/transient/run/reason", RESULT_TEXT, 1, &one, &arrays->reason));
  assert_ok(ResultBeginData(result));
}

/* All but the last row, each by the rank that `share` gives it. */
static void Fill(const Result *result, const Arrays *arrays, int rank, int share)
{
  const PetscInt64 steps                      = NUM_ROWS - 1;
  const char       reason[RESULT_TEXT_LENGTH] = "all steps done";

  for (PetscInt64 i = 0; i < steps; i++) {
    PetscReal row[NUM_COLUMNS];

    for (PetscInt64 k = 0; k < NUM_COLUMNS; k++) row[k] = Motion(i, k);
    if ((int)i % share == rank) assert_ok(ResultWriteRows(result, &arrays->motion, i, 1, row));
  }
  if (rank == share - 1) {
    assert_ok(ResultWriteRows(result, &arrays->steps, 0, 1, &steps));
    assert_ok(ResultWriteRows(result, &arrays->reason, 0, 1, reason));
  }
}

static void MakeResult(const char *path, const char *values, PetscBool complete)
{
  Result   *result;
  Arrays    arrays;
  PetscBool resumed;
  int       size;

  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  assert_ok(ResultOpen(path, RESULT_NEW, "title: test\n", values, &result, &resumed));
  assert_false(resumed);
  LayOut(result, &arrays);
  Fill(result, &arrays, RankOf(PETSC_COMM_WORLD), size);
  assert_ok(ResultClose(&result, complete));
  assert_null(result);
}

static void ReadDataset(const char *path, const char *name, hid_t type, void *values)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, name, H5P_DEFAULT);

  assert_true(file >= 0 && dataset >= 0);
  assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(dataset);
  H5Fclose(file);
}

static void ReadAttribute(const char *path, const char *object, const char *name, hid_t type, void *value)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);

  assert_true(file >= 0 && attribute >= 0);
  assert_true(H5Aread(attribute, type, value) >= 0);
  H5Aclose(attribute);
  H5Fclose(file);
}

static hid_t TypeOfAttribute(const char *path, const char *object, const char *name)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);

  assert_true(type >= 0);
  H5Aclose(attribute);
  H5Fclose(file);
  return type;
}

/* To be freed. */
static char *ReadTextAttribute(const char *path, const char *object, const char *name)
{
  const hid_t type = TypeOfAttribute(path, object, name);
  char       *text = calloc(1, H5Tget_size(type) + 1);

  assert_non_null(text);
  assert_int_equal(H5Tis_variable_str(type), 0); /* HDF5 keeps those without a checksum */
  ReadAttribute(path, object, name, type, text);
  H5Tclose(type);
  return text;
}

static PetscInt64 Completeness(const char *path)
{
  PetscInt64 complete;

  ReadDataset(path, "/case/complete", H5T_NATIVE_INT64, &complete);
  return complete;
}

static void CheckTextAttribute(const char *path, const char *object, const char *name, const char *expected)
{
  char *text = ReadTextAttribute(path, object, name);

  assert_string_equal(text, expected);
  free(text);
}

static void hdf5_reads_what_was_written(void **state)
{
  char       path[SCRATCH_LENGTH], texts[3][13];
  PetscReal  motion[NUM_ROWS][NUM_COLUMNS], shape[4], scale;
  PetscInt64 counts[4], steps, ranks;
  hid_t      text_type;
  int        size;

  MakeResult(PathIn(*state, "a.h5", path), values_used, PETSC_TRUE);
  ReadDataset(path, "/transient/run/motion", H5T_NATIVE_DOUBLE, motion);
  for (PetscInt64 i = 0; i < NUM_ROWS - 1; i++) {
    for (PetscInt64 k = 0; k < NUM_COLUMNS; k++) assert_true(motion[i][k] == Motion(i, k));
  }
  for (int k = 0; k < NUM_COLUMNS; k++) assert_true(isnan(motion[NUM_ROWS - 1][k]));
  ReadDataset(path, "/transient/run/steps", H5T_NATIVE_INT64, &steps);
  assert_int_equal(steps, NUM_ROWS - 1);
  ReadDataset(path, "/modes/stuck/shape", H5T_NATIVE_DOUBLE, shape);
  assert_true(shape[0] == 1.5 && shape[1] == -2.5 && shape[2] == 1e300 && shape[3] == 0.1);
  ReadDataset(path, "/counts", H5T_NATIVE_INT64, counts);
  assert_true(counts[0] == 1 && counts[1] == -2 && counts[2] == INT64_MAX && counts[3] == 4);
  text_type = H5Tcopy(H5T_C_S1);
  H5Tset_size(text_type, 13);
  H5Tset_strpad(text_type, H5T_STR_NULLPAD);
  H5Tset_cset(text_type, H5T_CSET_UTF8);
  ReadDataset(path, "/system/points", text_type, texts);
  H5Tclose(text_type);
  assert_memory_equal(texts, "p1\0\0\0\0\0\0\0\0\0\0\0a longer name\0\0\0\0\0\0\0\0\0\0\0\0\0", sizeof(texts));
  ReadAttribute(path, "/modes/stuck/shape", "scale", H5T_NATIVE_DOUBLE, &scale);
  assert_true(scale == 0.25);
  ReadAttribute(path, "/case", "ranks", H5T_NATIVE_INT64, &ranks);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  assert_int_equal(ranks, size);
  CheckTextAttribute(path, "/case", "text", "title: test\n");
  CheckTextAttribute(path, "/case", "values", values_used);
  CheckTextAttribute(path, "/loop/first", "unit", "N/m");
  assert_int_equal(Completeness(path), 1);
  assert_false(Exists(*state, "a.h5.tmp"));
  assert_false(Exists(*state, "a.h5.lock"));
}

/* The date, found by its text, and the number of ranks, which lies in place, are the only bytes that may differ. */
static char *BytesWithoutDateAndRanks(const char *path, size_t *size)
{
  const PetscInt64 none = 0;
  char            *date = ReadTextAttribute(path, "/case", "date"), *bytes;
  const hid_t      file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(file, "/case", H5P_DEFAULT),
              ranks = H5Aopen(group, "ranks", H5P_DEFAULT);

  assert_true(H5Awrite(ranks, H5T_NATIVE_INT64, &none) >= 0);
  H5Aclose(ranks);
  H5Gclose(group);
  H5Fclose(file);
  bytes = ReadBytes(path, size);
  assert_int_equal(strlen(date), strlen("2000-01-01T00:00:00Z"));
  for (size_t i = 0; i + strlen(date) <= *size; i++) {
    if (memcmp(bytes + i, date, strlen(date)) == 0) memset(bytes + i, 'x', strlen(date));
  }
  free(date);
  return bytes;
}

static void the_file_does_not_depend_on_the_number_of_ranks(void **state)
{
  MPI_Comm world = PETSC_COMM_WORLD;
  char     path[SCRATCH_LENGTH], alone[SCRATCH_LENGTH];

  MakeResult(PathIn(*state, "a.h5", path), values_used, PETSC_TRUE);
  PathIn(*state, "alone.h5", alone);
  if (RankOf(MPI_COMM_WORLD) == 0) {
    enum { CHECKSUM = 4 }; /* of the block of HDF5 that date and ranks lie in */
    char  *bytes, *expected;
    size_t size, expected_size, num_different = 0;

    sleep(1); /* the dates differ */
    PETSC_COMM_WORLD = MPI_COMM_SELF;
    MakeResult(alone, values_used, PETSC_TRUE);
    PETSC_COMM_WORLD = world;
    bytes            = BytesWithoutDateAndRanks(path, &size);
    expected         = BytesWithoutDateAndRanks(alone, &expected_size);
    assert_int_equal(size, expected_size);
    for (size_t i = 0; i < size; i++) num_different += bytes[i] != expected[i];
    assert_true(num_different <= CHECKSUM);
    free(bytes);
    free(expected);
  }
}

static void a_complete_result_of_the_same_values_is_replaced(void **state)
{
  char path[SCRATCH_LENGTH];

  MakeResult(PathIn(*state, "a.h5", path), values_used, PETSC_TRUE);
  MakeResult(path, values_used, PETSC_TRUE);
  assert_false(Exists(*state, "a.h5.1"));
}

static void any_other_earlier_result_is_kept(void **state)
{
  Scratch *scratch = *state;
  char     path[SCRATCH_LENGTH], kept[SCRATCH_LENGTH];

  MakeResult(PathIn(scratch, "a.h5", path), values_used, PETSC_FALSE);
  LogSetLevel(LOG_NORMAL);
  CaptureBegin(scratch);
  MakeResult(path, values_used, PETSC_TRUE);
  CaptureEnd(scratch);
  LogSetLevel(LOG_QUIET);
  assert_int_equal(Completeness(PathIn(scratch, "a.h5.1", kept)), 0);
  if (RankOf(MPI_COMM_WORLD) == 0) assert_non_null(strstr(scratch->said, "a.h5.1"));
  MakeResult(path, "title: another\n", PETSC_TRUE);
  CheckTextAttribute(PathIn(scratch, "a.h5.2", kept), "/case", "values", values_used);
  assert_int_equal(Completeness(path), 1);
}

/* Restart files belong to the result they were written for. */
static void restart_files_go_with_the_result_they_belong_to(void **state)
{
  const PetscReal numbers[] = {1, 2, 3};
  char            path[SCRATCH_LENGTH];

  MakeResult(PathIn(*state, "a.h5", path), values_used, PETSC_FALSE);
  if (RankOf(MPI_COMM_WORLD) == 0) assert_ok(RestartWrite(path, "run", 3, numbers));
  MPI_Barrier(MPI_COMM_WORLD);
  MakeResult(path, values_used, PETSC_TRUE);
  assert_true(Exists(*state, "a.h5.1.restart/run.h5"));
  assert_false(Exists(*state, "a.h5.restart"));
  MPI_Barrier(MPI_COMM_WORLD);
  if (RankOf(MPI_COMM_WORLD) == 0) assert_ok(RestartWrite(path, "run", 3, numbers));
  MPI_Barrier(MPI_COMM_WORLD);
  MakeResult(path, values_used, PETSC_TRUE);
  assert_false(Exists(*state, "a.h5.restart"));
}

static void texts_of_a_megabyte_are_kept_whole(void **state)
{
  const size_t length = 1 << 20;
  char        *text   = malloc(length + 1), path[SCRATCH_LENGTH];
  Result      *result;
  PetscBool    resumed;

  for (size_t i = 0; i < length; i++) text[i] = i % 61 == 60 ? '\n' : (char)('A' + i % 57);
  text[length] = '\0';
  assert_ok(ResultOpen(PathIn(*state, "a.h5", path), RESULT_NEW, text, text + 1, &result, &resumed));
  assert_ok(ResultBeginData(result));
  assert_ok(ResultClose(&result, PETSC_TRUE));
  CheckTextAttribute(path, "/case", "text", text);
  CheckTextAttribute(path, "/case", "values", text + 1);
  free(text);
}

static void a_result_that_is_open_is_locked(void **state)
{
  Scratch  *scratch = *state;
  char      path[SCRATCH_LENGTH];
  Result   *first, *second;
  PetscBool resumed;

  assert_ok(ResultOpen(PathIn(scratch, "a.h5", path), RESULT_NEW, "", values_used, &first, &resumed));
  CaptureBegin(scratch);
  assert_int_equal(ResultOpen(path, RESULT_NEW, "", values_used, &second, &resumed), PETSC_ERR_USER_INPUT);
  CaptureEnd(scratch);
  assert_null(second);
  if (RankOf(MPI_COMM_WORLD) == 0) {
    char expected[2 * SCRATCH_LENGTH];

    snprintf(expected, sizeof(expected), "error: %s: is being written by another run\n", path);
    assert_string_equal(scratch->said, expected);
  } else {
    assert_string_equal(scratch->said, "");
  }
  assert_ok(ResultBeginData(first));
  assert_ok(ResultClose(&first, PETSC_TRUE));
  MakeResult(path, values_used, PETSC_TRUE);
}

static void CheckRefusal(Scratch *scratch, const char *path, const char *reason)
{
  char      expected[2 * SCRATCH_LENGTH];
  Result   *result;
  PetscBool resumed;

  CaptureBegin(scratch);
  assert_int_equal(ResultOpen(path, RESULT_NEW, "", values_used, &result, &resumed), PETSC_ERR_USER_INPUT);
  CaptureEnd(scratch);
  assert_null(result);
  snprintf(expected, sizeof(expected), "error: %s: cannot be written: %s\n", path, reason);
  assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD) == 0 ? expected : "");
}

static void a_file_that_is_no_result_is_refused(void **state)
{
  char   path[SCRATCH_LENGTH], *bytes;
  size_t size;

  if (RankOf(MPI_COMM_WORLD) == 0) WriteBytes(PathIn(*state, "notes.txt", path), 5, "notes");
  MPI_Barrier(MPI_COMM_WORLD);
  CheckRefusal(*state, PathIn(*state, "notes.txt", path),
               "the file there is not a result of dovetail, or is damaged; choose another name, or move it away");
  bytes = ReadBytes(path, &size);
  assert_string_equal(bytes, "notes");
  free(bytes);
  assert_false(Exists(*state, "notes.txt.1"));
  assert_false(Exists(*state, "notes.txt.tmp"));
  assert_false(Exists(*state, "notes.txt.lock"));
}

/* Even one that comes while the modes are computed. */
static void a_file_that_comes_meanwhile_is_refused_too(void **state)
{
  char      path[SCRATCH_LENGTH];
  Result   *result;
  PetscBool resumed;

  assert_ok(ResultOpen(PathIn(*state, "a.h5", path), RESULT_NEW, "", values_used, &result, &resumed));
  if (RankOf(MPI_COMM_WORLD) == 0) WriteBytes(path, 5, "notes");
  CaptureBegin(*state);
  assert_int_equal(ResultBeginData(result), PETSC_ERR_USER_INPUT);
  CaptureEnd(*state);
  assert_ok(ResultClose(&result, PETSC_FALSE));
  assert_true(Exists(*state, "a.h5"));
  assert_false(Exists(*state, "a.h5.1"));
  assert_false(Exists(*state, "a.h5.tmp"));
}

static void an_abandoned_result_leaves_nothing(void **state)
{
  char      path[SCRATCH_LENGTH];
  Result   *result;
  PetscBool resumed;

  assert_ok(ResultOpen(PathIn(*state, "a.h5", path), RESULT_NEW, "", values_used, &result, &resumed));
  assert_true(Exists(*state, "a.h5.tmp"));
  assert_true(Exists(*state, "a.h5.lock"));
  MPI_Barrier(MPI_COMM_WORLD);
  ResultAbandon();
  MPI_Barrier(MPI_COMM_WORLD);
  assert_false(Exists(*state, "a.h5.tmp"));
  assert_false(Exists(*state, "a.h5.lock"));
  assert_ok(ResultClose(&result, PETSC_FALSE));
}

/* What has taken its place stays. */
static void an_abandoned_result_keeps_its_rows(void **state)
{
  char      path[SCRATCH_LENGTH];
  Result   *result;
  Arrays    arrays;
  PetscBool resumed;

  assert_ok(ResultOpen(PathIn(*state, "a.h5", path), RESULT_NEW, "", values_used, &result, &resumed));
  LayOut(result, &arrays);
  ResultAbandon();
  MPI_Barrier(MPI_COMM_WORLD);
  assert_true(Exists(*state, "a.h5"));
  assert_false(Exists(*state, "a.h5.lock"));
  assert_ok(ResultClose(&result, PETSC_TRUE));
}

static void a_place_that_cannot_be_written_is_refused_by_all_ranks(void **state)
{
  char path[SCRATCH_LENGTH], file[SCRATCH_LENGTH], reason[2 * SCRATCH_LENGTH];

  PathIn(*state, "nowhere", file);
  snprintf(reason, sizeof(reason), "the folder '%s' does not exist", file);
  CheckRefusal(*state, PathIn(*state, "nowhere/a.h5", path), reason);
  if (RankOf(MPI_COMM_WORLD) == 0) WriteBytes(PathIn(*state, "file", file), 1, "x");
  MPI_Barrier(MPI_COMM_WORLD);
  CheckRefusal(*state, PathIn(*state, "file/a.h5", path), "Not a directory");
  CheckRefusal(*state, ((Scratch *)*state)->folder, "it is a folder");
  CheckRefusal(*state, "/proc/a.h5", "the folder '/proc' takes no files");
  CheckRefusal(*state, "/dev/null", "it is not a regular file");
}

/* A limit on the size of files stands for a full disk: the system refuses the same calls. It leaves room for what is captured. */
static void WriteWithin(Scratch *scratch, const char *path, rlim_t limit, PetscErrorCode *code)
{
  const PetscInt64 large = 100000;
  struct rlimit    old, low;
  Result          *result;
  ResultArray      array;
  PetscBool        resumed;

  getrlimit(RLIMIT_FSIZE, &old);
  low          = old;
  low.rlim_cur = limit;
  CaptureBegin(scratch);
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &low);
  *code = ResultOpen(path, RESULT_NEW, "text", values_used, &result, &resumed);
  if (*code == PETSC_SUCCESS) {
    PetscErrorCode reserve = ResultReserve(result, "/transient/run/motion", RESULT_REAL, 1, &large, &array);

    *code = ResultBeginData(result);
    if (reserve == PETSC_SUCCESS) reserve = ResultClose(&result, PETSC_TRUE);
    if (reserve != PETSC_SUCCESS) *code = reserve;
  }
  setrlimit(RLIMIT_FSIZE, &old);
  CaptureEnd(scratch);
}

static void a_full_disk_is_told_once_and_spares_the_earlier_result(void **state)
{
  Scratch       *scratch = *state;
  char           path[SCRATCH_LENGTH], expected[2 * SCRATCH_LENGTH];
  PetscErrorCode code;

  MakeResult(PathIn(scratch, "a.h5", path), values_used, PETSC_TRUE);
  snprintf(expected, sizeof(expected), "error: %s: cannot be written: File too large\n", path);
  for (rlim_t limit = 512; limit < 1000000; limit = limit * 3 / 2) {
    WriteWithin(scratch, path, limit, &code);
    assert_int_equal(code, PETSC_ERR_USER_INPUT);
    assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD) == 0 ? expected : "");
    if (RankOf(MPI_COMM_WORLD) == 0) {
      assert_false(Exists(scratch, "a.h5.tmp"));
      assert_false(Exists(scratch, "a.h5.lock"));
      assert_false(Exists(scratch, "a.h5.1"));
    }
    assert_int_equal(Completeness(path), 1);
    MPI_Barrier(MPI_COMM_WORLD); /* the first rank would open what others still look at, and HDF5 locks it */
  }
  WriteWithin(scratch, path, 2000000, &code);
  assert_ok(code);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(hdf5_reads_what_was_written, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(the_file_does_not_depend_on_the_number_of_ranks, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_complete_result_of_the_same_values_is_replaced, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(any_other_earlier_result_is_kept, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(restart_files_go_with_the_result_they_belong_to, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(texts_of_a_megabyte_are_kept_whole, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_result_that_is_open_is_locked, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_file_that_is_no_result_is_refused, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_file_that_comes_meanwhile_is_refused_too, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(an_abandoned_result_leaves_nothing, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(an_abandoned_result_keeps_its_rows, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_place_that_cannot_be_written_is_refused_by_all_ranks, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_full_disk_is_told_once_and_spares_the_earlier_result, MakeScratch, RemoveScratch),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0 || ErrorHandlerInstall() != 0) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
