/* test_output_info.c - `dovetail info`: a result in a page, and one clear line for everything that is none. [ranks: 1 2] */
#include "scratch.h"
#include "output.h"
#include <hdf5.h>
#include <signal.h>
#include <sys/wait.h>

enum { PAGE_LENGTH = 1 << 16 };

static void MakeRun(Result *result, ResultArray *time, ResultArray *steps, ResultArray *reason, ResultArray *work, ResultArray *balance)
{
  const PetscInt64 rows = 4, one = 1;

  assert_ok(ResultReserve(result, "/transient/hit/time", RESULT_REAL, 1, &rows, time));
  assert_ok(ResultReserve(result, "/transient/hit/steps", RESULT_COUNT, 1, &one, steps));
  assert_ok(ResultReserve(result, "/transient/hit/reason", RESULT_TEXT, 1, &one, reason));
  assert_ok(ResultReserve(result, "/transient/hit/energy/work", RESULT_REAL, 1, &rows, work));
  assert_ok(ResultReserve(result, "/transient/hit/energy/balance", RESULT_REAL, 1, &rows, balance));
}

static void MakeResult(const char *path, PetscBool complete)
{
  const PetscInt64 three = 3, shape[] = {2, 3}, steps_done = 300;
  const PetscReal  stuck[] = {1.5, 20.25, 300.125}, slipping[] = {1.25, 18}, rows[] = {0, 0.5, 1}, work[] = {0, 0.25, 0.125},
                  balance[] = {0, -3e-9, 1e-9};
  const PetscInt64 counts[] = {5, 5, 5, 5, 5, 123456789}, two = 2;
  const char       done[RESULT_TEXT_LENGTH] = "all steps done";
  ResultArray      arrays[5], *list[] = {&arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4]};
  Result          *result;
  PetscBool        resumed;

  assert_ok(ResultOpen(path, RESULT_NEW, "line one\nline two\n", "a: 1\n", &result, &resumed));
  assert_ok(ResultWriteReals(result, "/modes/stuck/frequency", 1, &three, stuck));
  assert_ok(ResultWriteReals(result, "/modes/slipping/frequency", 1, &two, slipping));
  assert_ok(ResultWriteCounts(result, "/counts", 2, shape, counts));
  assert_ok(ResultAttributeReal(result, "/loop/first", "area", 0.125));
  MakeRun(result, list[0], list[1], list[2], list[3], list[4]);
  assert_ok(ResultBeginData(result));
  if (RankOf(PETSC_COMM_WORLD) == 0) {
    assert_ok(ResultWriteRows(result, &arrays[0], 0, 3, rows));
    assert_ok(ResultWriteRows(result, &arrays[1], 0, 1, &steps_done));
    assert_ok(ResultWriteRows(result, &arrays[2], 0, 1, done));
    assert_ok(ResultWriteRows(result, &arrays[3], 0, 3, work));
    assert_ok(ResultWriteRows(result, &arrays[4], 0, 3, balance));
  }
  assert_ok(ResultClose(&result, complete));
}

/* What info prints on rank 0, to be freed. */
static char *PrintPage(const char *path, PetscErrorCode *code)
{
  char *page = calloc(1, PAGE_LENGTH);
  FILE *out  = fmemopen(page, PAGE_LENGTH, "w");

  assert_true(page && out);
  *code = ResultPrintInfo(out, path);
  fclose(out);
  return page;
}

/* A line of the page holds these words, one after another with blanks between. */
static void CheckLine(const char *page, const char *expected)
{
  char squeezed[PAGE_LENGTH], *end = squeezed;

  for (const char *c = page; *c; c++) {
    if (*c != ' ') *end++ = *c;
    else if (end > squeezed && end[-1] != ' ' && end[-1] != '\n') *end++ = ' ';
  }
  *end = '\0';
  if (!strstr(squeezed, expected)) print_error("no line `%s` in\n%s", expected, squeezed);
  assert_non_null(strstr(squeezed, expected));
}

static void info_shows_what_an_engineer_looks_for(void **state)
{
  char           path[SCRATCH_LENGTH], *page;
  PetscErrorCode code;

  MakeResult(PathIn(*state, "a.h5", path), PETSC_TRUE);
  page = PrintPage(path, &code);
  assert_ok(code);
  if (RankOf(PETSC_COMM_WORLD) == 0) {
    CheckLine(page, "\nstate complete\n");
    CheckLine(page, "\nmode slipping stuck\n1 1.250000 1.500000\n2 18.000000 20.250000\n3 300.125000\n");
    CheckLine(page, "\nhit 300 1 - 0.25 3e-09 all steps done\n");
    CheckLine(page, "\n/counts 2 x 3 5 .. 123456789\n");
    CheckLine(page, "\n/loop/first @area 0.125\n");
    CheckLine(page, "\n/case @text 2 lines\n");
    CheckLine(page, "\n/transient/hit/time 4 0 .. 1 (75 % filled)\n");
    CheckLine(page, "\n/transient/hit/reason 1 all steps done\n");
  } else {
    assert_string_equal(page, "");
  }
  free(page);
}

static void info_shows_the_first_of_many_groups_only(void **state)
{
  const PetscInt64 one = 1, number = 7;
  char             path[SCRATCH_LENGTH], name[SCRATCH_LENGTH], *page;
  Result          *result;
  PetscBool        resumed;
  PetscErrorCode   code;

  assert_ok(ResultOpen(PathIn(*state, "a.h5", path), RESULT_NEW, "", "", &result, &resumed));
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof(name), "/loop/hit%02d/count", i);
    assert_ok(ResultWriteCounts(result, name, 1, &one, &number));
  }
  assert_ok(ResultBeginData(result));
  assert_ok(ResultClose(&result, PETSC_TRUE));
  page = PrintPage(path, &code);
  assert_ok(code);
  if (RankOf(PETSC_COMM_WORLD) == 0) {
    CheckLine(page, "\n/loop/hit00/count 1 7\n");
    CheckLine(page, "\nand 19 more groups in /loop\n");
    assert_null(strstr(page, "hit01"));
  }
  free(page);
}

static void info_says_that_a_result_is_incomplete(void **state)
{
  char           path[SCRATCH_LENGTH], *page;
  PetscErrorCode code;

  MakeResult(PathIn(*state, "a.h5", path), PETSC_FALSE);
  page = PrintPage(path, &code);
  assert_ok(code);
  if (RankOf(PETSC_COMM_WORLD) == 0) CheckLine(page, "\nstate incomplete: it stopped before the end\n");
  free(page);
}

static void CheckRefusal(Scratch *scratch, const char *path, const char *reason)
{
  char           expected[2 * SCRATCH_LENGTH], *page;
  PetscErrorCode code;

  CaptureBegin(scratch);
  page = PrintPage(path, &code);
  CaptureEnd(scratch);
  assert_int_equal(code, PETSC_ERR_USER_INPUT);
  assert_string_equal(page, "");
  snprintf(expected, sizeof(expected), "error: %s: %s\n", path, reason);
  assert_string_equal(scratch->said, RankOf(MPI_COMM_WORLD) == 0 ? expected : "");
  free(page);
}

static void info_refuses_what_is_no_result_in_one_line(void **state)
{
  char path[SCRATCH_LENGTH];

  CheckRefusal(*state, PathIn(*state, "none.h5", path), "cannot be read: No such file or directory");
  CheckRefusal(*state, ((Scratch *)*state)->folder, "is not a result of dovetail");
  PathIn(*state, "text.h5", path);
  if (RankOf(MPI_COMM_WORLD) == 0) WriteBytes(path, 6, "a text");
  MPI_Barrier(MPI_COMM_WORLD);
  CheckRefusal(*state, path, "is not a result of dovetail");
  if (RankOf(MPI_COMM_WORLD) == 0) WriteBytes(path, 0, "");
  MPI_Barrier(MPI_COMM_WORLD);
  CheckRefusal(*state, path, "is not a result of dovetail");
  if (RankOf(MPI_COMM_WORLD) == 0) H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  MPI_Barrier(MPI_COMM_WORLD);
  CheckRefusal(*state, path, "is not a result of dovetail");
}

enum { WRONG = 77 };

/* Either a page or a complaint that begins as all do; in a process of its own, which must not crash either. */
static int StatusOfInfo(Scratch *scratch, const char *path)
{
  const pid_t child = fork();
  int         status;

  assert_true(child >= 0);
  if (child == 0) {
    PetscErrorCode code;

    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
    alarm(60); /* info itself has patience for 20 s */
    CaptureBegin(scratch);
    free(PrintPage(path, &code));
    CaptureEnd(scratch);
    _exit(code == PETSC_SUCCESS || (code == PETSC_ERR_USER_INPUT && strncmp(scratch->said, "error: ", 7) == 0) ? 0 : WRONG);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void CheckCut(Scratch *scratch, const char *path, size_t size, const char *bytes)
{
  for (size_t length = 0; length < size; length += 1 + size / 97) {
    WriteBytes(path, length, bytes);
    assert_int_equal(StatusOfInfo(scratch, path), 0);
  }
}

static void CheckDamaged(Scratch *scratch, const char *path, size_t size, char *bytes)
{
  const int num_trials = 200;

  srand(54321);
  for (int trial = 0; trial < num_trials; trial++) {
    const size_t i   = (size_t)((double)size * rand() / (RAND_MAX + 1.0));
    const char   was = bytes[i];

    bytes[i] = (char)rand();
    WriteBytes(path, size, bytes);
    bytes[i] = was;
    assert_int_equal(StatusOfInfo(scratch, path), 0);
  }
}

/* As results were: the format of HDF5 1.0, whose metadata have no checksums, and texts in a heap. */
static void MakeOldResult(const char *path)
{
  static const char *const names[] = {"values", "version", "commit", "text", "title"};
  const char              *text    = "a: 1\n";
  const hid_t              file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1),
              group   = H5Gcreate2(file, "/case", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              dataset = H5Dcreate2(group, "complete", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
    const hid_t attribute = H5Acreate2(group, names[i], type, space, H5P_DEFAULT, H5P_DEFAULT);

    assert_true(H5Awrite(attribute, type, &text) >= 0);
    H5Aclose(attribute);
  }
  assert_true(H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &(PetscInt64){1}) >= 0);
  H5Dclose(dataset);
  H5Gclose(group);
  H5Tclose(type);
  H5Sclose(space);
  assert_true(H5Fclose(file) >= 0);
}

static void info_reads_results_of_before_and_survives_them_damaged(void **state)
{
  char           path[SCRATCH_LENGTH], *bytes, *page;
  size_t         size;
  PetscErrorCode code;

  if (RankOf(MPI_COMM_WORLD) != 0) return;
  PETSC_COMM_WORLD = MPI_COMM_SELF;
  MakeOldResult(PathIn(*state, "a.h5", path));
  page = PrintPage(path, &code);
  assert_ok(code);
  CheckLine(page, "\n/case @values a: 1\n");
  free(page);
  bytes = ReadBytes(path, &size);
  CheckDamaged(*state, path, size, bytes);
  free(bytes);
  PETSC_COMM_WORLD = MPI_COMM_WORLD;
}

static void info_survives_files_that_are_cut_or_damaged(void **state)
{
  char   path[SCRATCH_LENGTH], *bytes;
  size_t size;

  MakeResult(PathIn(*state, "a.h5", path), PETSC_TRUE);
  if (RankOf(MPI_COMM_WORLD) != 0) return;
  PETSC_COMM_WORLD = MPI_COMM_SELF;
  bytes            = ReadBytes(path, &size);
  assert_true(size > 0);
  CheckCut(*state, path, size, bytes);
  CheckDamaged(*state, path, size, bytes);
  WriteBytes(path, size, bytes);
  assert_int_equal(StatusOfInfo(*state, path), 0);
  free(bytes);
  PETSC_COMM_WORLD = MPI_COMM_WORLD;
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(info_shows_what_an_engineer_looks_for, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(info_shows_the_first_of_many_groups_only, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(info_says_that_a_result_is_incomplete, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(info_refuses_what_is_no_result_in_one_line, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(info_survives_files_that_are_cut_or_damaged, MakeScratch, RemoveScratch),
    cmocka_unit_test_setup_teardown(info_reads_results_of_before_and_survives_them_damaged, MakeScratch, RemoveScratch),
  };
  int failures;

  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0 || ErrorHandlerInstall() != 0) return 1;
  LogSetLevel(LOG_QUIET);
  failures = cmocka_run_group_tests(tests, NULL, NULL);
  if (PetscFinalize() != 0) return 1;
  return failures;
}
