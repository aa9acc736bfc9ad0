/* main.c - the program: a command line in, an exit code out. */
#ifndef PETSC_DESIRE_FEATURE_TEST_MACROS
  #define PETSC_DESIRE_FEATURE_TEST_MACROS /* open_memstream beside ISO C */
#endif
#include <slepcsys.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli.h"
#include "version.h"

/* Nothing is printed of a file that is refused. */
static PetscErrorCode PrintInfoAsJson(const char *result)
{
  char          *text = NULL;
  size_t         size;
  FILE *const    out = open_memstream(&text, &size);
  PetscErrorCode code;
  Json           json;

  PetscFunctionBegin;
  PetscCheck(out, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for a text");
  JsonBegin(out, &json);
  JsonOpenObject(&json, NULL);
  code = ResultDescribe(&json, result);
  JsonClose(&json);
  (void)fclose(out);
  if (code == PETSC_SUCCESS) ReportSay("%s", text);
  free(text);
  PetscFunctionReturn(code);
}

static PetscErrorCode PrintInfo(const Arguments *arguments)
{
  PetscFunctionBegin;
  if (arguments->json) PetscFunctionReturn(PrintInfoAsJson(arguments->operands[0]));
  PetscFunctionReturn(ResultPrintInfo(stdout, arguments->operands[0]));
}

static PetscErrorCode ExportResult(const Arguments *arguments)
{
  const ExportRequest request = {
    .format = arguments->format, .place = arguments->output, .num_paths = arguments->num_operands - 1, .paths = arguments->operands + 1};

  PetscFunctionBegin;
  PetscFunctionReturn(ResultExport(stdout, arguments->operands[0], &request));
}

/* Options of ours that PETSc keeps, so that they can also stand in PETSC_OPTIONS. */
static PetscErrorCode CheckSaveInterval(void)
{
  char      text[64];
  char     *end;
  PetscReal seconds;
  PetscBool given;

  PetscFunctionBegin;
  PetscCall(PetscOptionsGetString(NULL, NULL, "-save_interval", text, sizeof(text), &given));
  if (!given) PetscFunctionReturn(PETSC_SUCCESS);
  seconds = strtod(text, &end);
  if (text[0] && !*end && isfinite(seconds) && seconds >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFPrintf(PETSC_COMM_WORLD, stderr, "error: -save_interval: expected seconds, not negative, found %s%s%s\n", text[0] ? "'" : "nothing",
                         text, text[0] ? "'" : ""));
  PetscFunctionReturn(PETSC_ERR_USER_INPUT);
}

static PetscErrorCode CheckLanes(void)
{
  static const char *const words[] = {"", "yes", "no", "true", "false", "on", "off", "1", "0", NULL};
  char                     text[64];
  PetscBool                given, known = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(PetscOptionsGetString(NULL, NULL, "-lanes", text, sizeof(text), &given));
  for (PetscInt i = 0; given && !known && words[i]; i++) PetscCall(PetscStrcasecmp(text, words[i], &known));
  if (!given || known) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFPrintf(PETSC_COMM_WORLD, stderr, "error: -lanes: expected yes or no, found '%s'\n", text));
  PetscFunctionReturn(PETSC_ERR_USER_INPUT);
}

static PetscErrorCode Execute(const Arguments *arguments, int *exit_code)
{
  PetscFunctionBegin;
  LogSetLevel(arguments->log);
  PetscCall(ErrorHandlerInstall());
  InterruptInstall(ResultAbandon);
  (void)signal(SIGPIPE, SIG_IGN); /* nobody reads what is printed any more: no reason to stop computing */
  (void)signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is as a full disk */
  PetscCall(CheckSaveInterval());
  PetscCall(CheckLanes());
  if (arguments->command == COMMAND_RUN || arguments->command == COMMAND_CHECK || arguments->command == COMMAND_MERGE) PetscCall(BlasBegin());
  switch (arguments->command) {
  case COMMAND_RUN:
    PetscCall(RunCase(arguments, exit_code));
    break;
  case COMMAND_CHECK:
    PetscCall(CheckCases(arguments));
    break;
  case COMMAND_INFO:
    PetscCall(PrintInfo(arguments));
    break;
  case COMMAND_EXPORT:
    PetscCall(ExportResult(arguments));
    break;
  case COMMAND_MERGE:
    PetscCall(MergeResults(arguments, exit_code));
    break;
  case COMMAND_VERSION:
    ReportSay("dovetail %s (%s)\n", DOVETAIL_VERSION, DOVETAIL_COMMIT);
    break;
  default:
    PetscCall(HelpPrint(stdout, arguments));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A misspelt PETSc option would otherwise do nothing, silently. */
static PetscErrorCode WarnOfUnusedOptions(void)
{
  PetscInt count;
  char   **names, **values;

  PetscFunctionBegin;
  PetscCall(PetscOptionsLeftGet(NULL, &count, &names, &values));
  for (PetscInt i = 0; i < count; i++) LogWarn("option -%s was not used by anything", names[i]);
  PetscCall(PetscOptionsLeftRestore(NULL, &count, &names, &values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A full disk behind standard output is found here: PETSc, which would flush it at the end, takes it for a fault of ours. A reader
   that has left (`| head`) has what it wanted. */
static void FlushOutput(int *exit_code)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return;
  if (errno == 0 && putchar('\n') != EOF) (void)fflush(stdout); /* it failed before, when a buffer was full: why, this one tells */
  if (errno != EPIPE) {
    fprintf(stderr, "error: standard output cannot be written%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
    *exit_code = EXIT_INPUT;
  }
  if (!freopen("/dev/null", "w", stdout)) *exit_code = EXIT_OURS;
}

int main(int argc, char **argv)
{
  char          **petsc_argv = calloc((size_t)argc + 1, sizeof(*petsc_argv)), fault[256];
  int             petsc_argc, exit_code = EXIT_FINE;
  Arguments       arguments;
  const PetscBool seen = StreamsPlug(), sound = ArgumentsParse(argc, argv, &arguments, &petsc_argc, petsc_argv, fault, sizeof(fault));
  PetscErrorCode  code;

  if (!seen) return EXIT_INPUT;
  if (SlepcInitialize(&petsc_argc, &petsc_argv, NULL, NULL)) return EXIT_OURS;
  if (sound) code = Execute(&arguments, &exit_code);
  else {
    code = PETSC_ERR_USER_INPUT;
    (void)PetscFPrintf(PETSC_COMM_WORLD, stderr, "error: %s\n", fault);
  }
  if (code) ResultAbandon();
  if (code && code != PETSC_ERR_USER_INPUT) MPI_Abort(PETSC_COMM_WORLD, EXIT_OURS);
  if (code) exit_code = EXIT_INPUT;
  else if (arguments.command == COMMAND_RUN) (void)WarnOfUnusedOptions();
  FlushOutput(&exit_code);
  if (SlepcFinalize()) return EXIT_OURS;
  free(petsc_argv);
  return exit_code;
}
