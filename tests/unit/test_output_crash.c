/* test_output_crash.c - killed at any moment, a result is readable, keeps what was written, and is resumed to the same bytes.
   [timeout: 240] */
#include "scratch.h"
#include "output.h"
#include <hdf5.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { NUM_ROWS = 6000, NUM_COLUMNS = 8, RESTART_EVERY = 400, NUM_TRIALS = 20 };

static const char values_used[] = "title: crash\ntime_step: 1e-05\n";

/* A chaotic map: a history resumed from anything but the exact state ends elsewhere. */
static PetscReal Advance(PetscReal x)
{
  return 3.97 * x * (1.0 - x);
}

static void MakeRow(PetscInt64 step, PetscReal x, PetscReal row[NUM_COLUMNS])
{
  for (int k = 0; k < NUM_COLUMNS; k++) row[k] = x * pow(2.0, k) + (PetscReal)step;
}

typedef struct {
  ResultArray rows, steps;
} Arrays;

static void LayOut(Result *result, PetscInt64 num_rows, Arrays *arrays)
{
  const PetscInt64 shape[] = {num_rows, NUM_COLUMNS}, one = 1;
  const PetscReal  omega[] = {1, 2, 3};
  const PetscInt64 three   = 3;

  assert_ok(ResultWriteReals(result, "/modes/stuck/omega", 1, &three, omega));
  assert_ok(ResultAttributeText(result, "/modes/stuck", "note", "three modes"));
  assert_ok(ResultReserve(result, "/transient/run/rows", RESULT_REAL, 2, shape, &arrays->rows));
  assert_ok(ResultReserve(result, "/transient/run/steps", RESULT_COUNT, 1, &one, &arrays->steps));
  assert_ok(ResultBeginData(result));
}

/* From the last restart file, or from the start. */
static void FindStart(const char *path, PetscBool resumed, PetscInt64 *step, PetscReal *x)
{
  PetscInt   count = 0;
  PetscReal *numbers;

  *step = 0;
  *x    = 0.3;
  if (resumed) assert_ok(RestartRead(path, "run", &count, &numbers));
  if (count == 0) return;
  *step = (PetscInt64)numbers[0];
  *x    = numbers[1];
  assert_ok(PetscFree(numbers));
}

/* Works as a transient does; `done` counts the rows of this process that were handed over. */
static void Work(const char *path, ResultMode mode, PetscInt64 end, volatile PetscInt64 *first, volatile PetscInt64 *done)
{
  Result    *result;
  Arrays     arrays;
  PetscBool  resumed;
  PetscInt64 step;
  PetscReal  x, row[NUM_COLUMNS];

  assert_ok(ResultOpen(path, mode, "title: crash\n", values_used, &result, &resumed));
  LayOut(result, NUM_ROWS, &arrays);
  FindStart(path, resumed, &step, &x);
  *first = *done = step;
  for (; step < end; step++) {
    if (step % RESTART_EVERY == 0) assert_ok(RestartWrite(path, "run", 2, (const PetscReal[]){(PetscReal)step, x}));
    MakeRow(step, x, row);
    assert_ok(ResultWriteRows(result, &arrays.rows, step, 1, row));
    assert_ok(ResultWriteRows(result, &arrays.steps, 0, 1, &(PetscInt64){step + 1}));
    *done = step + 1;
    x     = Advance(x);
  }
  if (end == NUM_ROWS) assert_ok(RestartRemove(path, "run"));
  assert_ok(ResultClose(&result, (PetscBool)(end == NUM_ROWS)));
}

/* In a process of its own, killed after a while. */
static void WorkAndDie(const char *path, ResultMode mode, double seconds, volatile PetscInt64 *progress)
{
  const struct timespec patience = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
  const pid_t           child    = fork();
  int                   status;

  assert_true(child >= 0);
  if (child == 0) {
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    Work(path, mode, NUM_ROWS, &progress[0], &progress[1]);
    _exit(0);
  }
  nanosleep(&patience, NULL);
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
}

static void ReadDataset(hid_t file, const char *name, hid_t type, void *values)
{
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);

  assert_true(dataset >= 0);
  assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(dataset);
}

/* All rows handed over are there; the others are those of an earlier life, right too, or "not yet". */
static void CheckRows(const char *path, PetscInt64 first, PetscInt64 done)
{
  static const char *datasets   = "/transient/run/rows";
  PetscReal(*rows)[NUM_COLUMNS] = malloc(sizeof(*rows) * NUM_ROWS), expected[NUM_COLUMNS], x = 0.3;
  PetscInt64  steps;
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);

  assert_true(file >= 0 && rows);
  ReadDataset(file, datasets, H5T_NATIVE_DOUBLE, rows);
  ReadDataset(file, "/transient/run/steps", H5T_NATIVE_INT64, &steps);
  H5Fclose(file);
  for (PetscInt64 i = 0; i < NUM_ROWS; i++, x = Advance(x)) {
    MakeRow(i, x, expected);
    for (int k = 0; k < NUM_COLUMNS; k++) assert_true(rows[i][k] == expected[k] || (i >= done && isnan(rows[i][k])));
  }
  assert_true(done == first || (steps >= done && steps <= done + 1));
  free(rows);
}

static double Seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static PetscBool IsOfDate(const char *bytes, const char *expected, size_t i)
{
  return (PetscBool)(bytes[i] >= '0' && bytes[i] <= '9' && expected[i] >= '0' && expected[i] <= '9');
}

/* But for the date of the first life, and the checksum of the block of HDF5 that it lies in. */
static void CheckSameBytes(const char *path, const char *expected_path)
{
  enum { CHECKSUM = 4 };
  size_t size, expected_size, num_different = 0, num_others = 0;
  char  *bytes = ReadBytes(path, &size), *expected = ReadBytes(expected_path, &expected_size);

  assert_int_equal(size, expected_size);
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == expected[i]) continue;
    num_different++;
    num_others += !IsOfDate(bytes, expected, i);
  }
  assert_true(num_different <= strlen("20000101000000") + CHECKSUM && num_others <= CHECKSUM);
  free(bytes);
  free(expected);
}

static void killed_at_random_moments_it_keeps_all_rows_and_is_resumed_to_the_same_bytes(void **state)
{
  PetscInt64          *shared   = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), unused[2];
  volatile PetscInt64 *progress = shared;
  char                 path[SCRATCH_LENGTH], unbroken[SCRATCH_LENGTH];
  double               duration = -Seconds();
  int                  num_cut  = 0;

  assert_true(shared != MAP_FAILED);
  PathIn(*state, "a.h5", path);
  Work(PathIn(*state, "unbroken.h5", unbroken), RESULT_NEW, NUM_ROWS, &unused[0], &unused[1]);
  duration += Seconds();
  srand(12345);
  for (int trial = 0; trial < NUM_TRIALS; trial++) {
    progress[0] = progress[1] = 0;
    WorkAndDie(path, RESULT_NEW, duration * rand() / RAND_MAX, progress);
    num_cut += progress[1] > 0 && progress[1] < NUM_ROWS;
    assert_true(Exists(*state, "a.h5") || progress[1] == 0);
    if (Exists(*state, "a.h5")) CheckRows(path, progress[0], progress[1]);
    progress[0] = progress[1] = 0;
    if (Exists(*state, "a.h5")) {
      WorkAndDie(path, RESULT_RESUME, 0.5 * duration * rand() / RAND_MAX, progress);
      CheckRows(path, progress[0], progress[1]);
    }
    if (Exists(*state, "a.h5")) {
      Work(path, RESULT_RESUME, NUM_ROWS, &unused[0], &unused[1]);
      CheckSameBytes(path, unbroken);
    }
  }
  assert_false(Exists(*state, "a.h5.1"));
  assert_false(Exists(*state, "a.h5.tmp"));
  assert_true(num_cut >= NUM_TRIALS / 4);
  munmap(shared, 4096);
}

static void ExpectNewRun(Scratch *scratch, const char *path, const char *values, const char *reason)
{
  char      expected[2 * SCRATCH_LENGTH];
  Result   *result;
  Arrays    arrays;
  PetscBool resumed;

  CaptureBegin(scratch);
  assert_ok(ResultOpen(path, RESULT_RESUME, "", values, &result, &resumed));
  CaptureEnd(scratch);
  assert_false(resumed);
  snprintf(expected, sizeof(expected), "warning: %s: cannot resume: %s\n", path, reason);
  assert_string_equal(scratch->said, expected);
  LayOut(result, NUM_ROWS, &arrays);
  assert_ok(ResultClose(&result, PETSC_FALSE));
}

static void a_result_of_other_values_is_not_resumed_but_kept(void **state)
{
  char path[SCRATCH_LENGTH];

  PathIn(*state, "a.h5", path);
  ExpectNewRun(*state, path, "a: 1\nb.c: 10 [N]\nd: x\n", "there is no such file");
  ExpectNewRun(*state, path, "a: 1\nb.c: 12 [N]\nd: x\n", "b.c was 10 [N], is now 12 [N]");
  ExpectNewRun(*state, path, "a: 1\nd: x\n", "b.c was 12 [N], is now absent");
  ExpectNewRun(*state, path, "a: 1\nd: x\ne: 5\n", "e was absent, is now 5");
  ExpectNewRun(*state, path, "a: 1\nc: y\nd: x\ne: 5\n", "c was absent, is now y");
  ExpectNewRun(*state, path, "a: 1\n", "c was y, is now absent");
  assert_true(Exists(*state, "a.h5.5"));
}

static void a_file_that_is_no_result_is_not_resumed(void **state)
{
  char      path[SCRATCH_LENGTH];
  Result   *result;
  PetscBool resumed;

  WriteBytes(PathIn(*state, "a.h5", path), 7, "nothing");
  CaptureBegin(*state);
  assert_int_equal(ResultOpen(path, RESULT_RESUME, "", "a: 1\n", &result, &resumed), PETSC_ERR_USER_INPUT);
  CaptureEnd(*state);
  assert_null(result);
  assert_non_null(strstr(((Scratch *)*state)->said, "a.h5: cannot be written: the file there is not a result of dovetail"));
  assert_false(Exists(*state, "a.h5.1"));
}

/* Killed in its layout, and resumed from the result of an earlier run: the layout serves nobody. */
static void resuming_removes_a_layout_left_behind(void **state)
{
  char       path[SCRATCH_LENGTH], left[SCRATCH_LENGTH];
  PetscInt64 unused[2];

  Work(PathIn(*state, "a.h5", path), RESULT_NEW, NUM_ROWS / 2, &unused[0], &unused[1]);
  WriteBytes(PathIn(*state, "a.h5.tmp", left), 4, "half");
  Work(path, RESULT_RESUME, NUM_ROWS, &unused[0], &unused[1]);
  assert_int_equal(unused[0] > 0, 1);
  assert_false(Exists(*state, "a.h5.tmp"));
}

static void ReplaceVersion(const char *path, const char *version)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(file, "/case", H5P_DEFAULT),
              attribute = H5Aopen(group, "version", H5P_DEFAULT);
  const hid_t type      = H5Aget_type(attribute);

  assert_true(H5Awrite(attribute, type, version) >= 0);
  H5Tclose(type);
  H5Aclose(attribute);
  H5Gclose(group);
  H5Fclose(file);
}

static void a_result_of_another_version_is_neither_resumed_nor_replaced(void **state)
{
  Scratch   *scratch = *state;
  char       path[SCRATCH_LENGTH];
  PetscInt64 unused[2];
  Result    *result;
  PetscBool  resumed;

  Work(PathIn(scratch, "a.h5", path), RESULT_NEW, NUM_ROWS, &unused[0], &unused[1]);
  ReplaceVersion(path, "0.0.1");
  CaptureBegin(scratch);
  assert_ok(ResultOpen(path, RESULT_RESUME, "", values_used, &result, &resumed));
  CaptureEnd(scratch);
  assert_false(resumed);
  assert_non_null(strstr(scratch->said, "cannot resume: it was made by dovetail 0.0.1"));
  assert_ok(ResultBeginData(result));
  assert_ok(ResultClose(&result, PETSC_TRUE));
  assert_true(Exists(scratch, "a.h5.1"));
}

static void resuming_with_another_layout_is_an_error_of_ours(void **state)
{
  const PetscInt64 four     = 4;
  const PetscReal  omega[4] = {0};
  char             path[SCRATCH_LENGTH];
  PetscInt64       unused[2];
  Result          *result;
  ResultArray      array;
  PetscBool        resumed;

  Work(PathIn(*state, "a.h5", path), RESULT_NEW, NUM_ROWS / 2, &unused[0], &unused[1]);
  assert_ok(ResultOpen(path, RESULT_RESUME, "", values_used, &result, &resumed));
  assert_true(resumed);
  assert_ok(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  assert_int_equal(ResultWriteReals(result, "/modes/stuck/omega", 1, &four, omega), PETSC_ERR_PLIB);
  assert_int_equal(ResultWriteReals(result, "/modes/slipping/omega", 1, &four, omega), PETSC_ERR_PLIB);
  assert_int_equal(ResultAttributeReal(result, "/modes/stuck", "scale", 1.0), PETSC_ERR_PLIB);
  assert_int_equal(ResultReserve(result, "/transient/run/steps", RESULT_REAL, 1, &(PetscInt64){1}, &array), PETSC_ERR_PLIB);
  assert_int_equal(ResultReserve(result, "/transient/run/rows", RESULT_REAL, 1, &(PetscInt64){NUM_ROWS}, &array), PETSC_ERR_PLIB);
  assert_ok(PetscPopErrorHandler());
  assert_ok(ResultClose(&result, PETSC_FALSE));
  assert_true(Exists(*state, "a.h5"));
}

static void a_killed_writer_holds_no_lock(void **state)
{
  PetscInt64          *shared   = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  volatile PetscInt64 *progress = shared;
  Scratch             *scratch  = *state;
  char                 path[SCRATCH_LENGTH];
  Result              *result = NULL;
  PetscBool            resumed;
  pid_t                child;

  assert_true(shared != MAP_FAILED);
  PathIn(scratch, "a.h5", path);
  child = fork();
  if (child == 0) {
    assert_ok(ResultOpen(path, RESULT_NEW, "", values_used, &result, &resumed));
    progress[0] = 1;
    for (;;) pause();
  }
  while (progress[0] == 0) usleep(1000);
  CaptureBegin(scratch);
  assert_int_equal(ResultOpen(path, RESULT_NEW, "", values_used, &result, &resumed), PETSC_ERR_USER_INPUT);
  CaptureEnd(scratch);
  assert_non_null(strstr(scratch->said, "is being written by another run"));
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  assert_true(Exists(scratch, "a.h5.lock") && Exists(scratch, "a.h5.tmp"));
  assert_ok(ResultOpen(path, RESULT_NEW, "", values_used, &result, &resumed));
  assert_ok(ResultBeginData(result));
  assert_ok(ResultClose(&result, PETSC_TRUE));
  assert_false(Exists(scratch, "a.h5.lock") || Exists(scratch, "a.h5.tmp"));
  munmap(shared, 4096);
}

static void a_damaged_restart_file_is_not_used(void **state)
{
  const PetscReal numbers[] = {1.25, -2.5, 3e300, 0, 1e-310};
  char            result[SCRATCH_LENGTH], path[SCRATCH_LENGTH], *bytes;
  size_t          size;
  PetscInt        count, num_refused = 0;
  PetscReal      *found;

  PathIn(*state, "a.h5", result);
  assert_ok(RestartWrite(result, "run_1.b-c", 5, numbers));
  bytes = ReadBytes(PathIn(*state, "a.h5.restart/run_1.b-c.h5", path), &size);
  CaptureBegin(*state);
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (char)(bytes[i] ^ 0x15);
    WriteBytes(path, size, bytes);
    bytes[i] = (char)(bytes[i] ^ 0x15);
    assert_ok(RestartRead(result, "run_1.b-c", &count, &found));
    num_refused += count == 0;
    if (count != 0) assert_memory_equal(found, numbers, sizeof(numbers));
    assert_ok(PetscFree(found));
  }
  WriteBytes(path, size / 2, bytes);
  assert_ok(RestartRead(result, "run_1.b-c", &count, &found));
  CaptureEnd(*state);
  assert_int_equal(count, 0);
  assert_true(num_refused > (PetscInt)sizeof(numbers));
  assert_non_null(strstr(((Scratch *)*state)->said, "damaged"));
  free(bytes);
}

/* A limit on the size of files stands for a full disk. */
static void a_restart_file_that_cannot_be_written_leaves_the_one_before(void **state)
{
  static const PetscReal many[2000] = {0};
  const PetscReal        numbers[]  = {1.25, -2.5};
  Scratch               *scratch    = *state;
  char                   result[SCRATCH_LENGTH];
  struct rlimit          old, low;
  PetscInt               count;
  PetscReal             *found;

  PathIn(scratch, "a.h5", result);
  assert_ok(RestartWrite(result, "run", 2, numbers));
  getrlimit(RLIMIT_FSIZE, &old);
  low          = old;
  low.rlim_cur = 8192;
  signal(SIGXFSZ, SIG_IGN);
  CaptureBegin(scratch);
  setrlimit(RLIMIT_FSIZE, &low);
  assert_ok(RestartWrite(result, "run", 2000, many));
  setrlimit(RLIMIT_FSIZE, &old);
  CaptureEnd(scratch);
  assert_non_null(strstr(scratch->said, "a.h5.restart/run.h5: cannot be written: File too large"));
  assert_false(Exists(scratch, "a.h5.restart/run.tmp"));
  assert_ok(RestartRead(result, "run", &count, &found));
  assert_int_equal(count, 2);
  assert_memory_equal(found, numbers, sizeof(numbers));
  assert_ok(PetscFree(found));
}

static void restart_files_come_and_go_by_name(void **state)
{
  const PetscReal numbers[] = {1.25, -2.5, 3e300};
  char            result[SCRATCH_LENGTH];
  PetscInt        count;
  PetscReal      *found;

  PathIn(*state, "a.h5", result);
  assert_ok(RestartRead(result, "one", &count, &found));
  assert_int_equal(count, 0);
  assert_ok(RestartWrite(result, "one", 1, numbers));
  assert_ok(RestartWrite(result, "one", 3, numbers));
  assert_ok(RestartWrite(result, "two", 0, numbers));
  assert_ok(RestartRead(result, "one", &count, &found));
  assert_int_equal(count, 3);
  assert_memory_equal(found, numbers, sizeof(numbers));
  assert_ok(PetscFree(found));
  assert_ok(RestartRemove(result, "one"));
  assert_true(Exists(*state, "a.h5.restart"));
  assert_ok(RestartRemove(result, "two"));
  assert_false(Exists(*state, "a.h5.restart"));
  assert_ok(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  assert_int_equal(RestartWrite(result, "a/b", 3, numbers), PETSC_ERR_ARG_WRONG);
  assert_int_equal(RestartWrite(result, "", 3, numbers), PETSC_ERR_ARG_WRONG);
  assert_ok(PetscPopErrorHandler());
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(killed_at_random_moments_it_keeps_all_rows_and_is_resumed_to_the_same_bytes, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_result_of_other_values_is_not_resumed_but_kept, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_file_that_is_no_result_is_not_resumed, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(resuming_removes_a_layout_left_behind, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_result_of_another_version_is_neither_resumed_nor_replaced, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(resuming_with_another_layout_is_an_error_of_ours, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_killed_writer_holds_no_lock, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_damaged_restart_file_is_not_used, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(a_restart_file_that_cannot_be_written_leaves_the_one_before, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(restart_files_come_and_go_by_name, MakeScratch, RemoveScratch),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0 || ErrorHandlerInstall() != 0) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
