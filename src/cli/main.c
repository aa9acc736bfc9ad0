/* main.c - the program: a command line in, an exit code out. */
#include <slepcsys.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli.h"
#include "version.h"

/* CASE with .h5 in place of its ending, or what -o says. */
static PetscErrorCode ResultName(const Arguments *arguments, char path[PETSC_MAX_PATH_LEN])
{
  char *ending, *folder;

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(path, arguments->output ? arguments->output : arguments->operands[0], PETSC_MAX_PATH_LEN));
  if (arguments->output) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscStrrchr(path, '.', &ending));
  PetscCall(PetscStrrchr(path, '/', &folder));
  if (ending > folder) ending[-1] = '\0'; /* PetscStrrchr points behind what it found, or at the start */
  PetscCall(PetscStrlcat(path, ".h5", PETSC_MAX_PATH_LEN));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the case is read from must survive: neither the result nor what stands beside it meanwhile may be one of its files. */
static PetscErrorCode CheckResultName(const InputDocument *document, const char *path)
{
  static const char *const suffixes[] = {"", ".tmp", ".lock"};
  PetscErrorCode           code       = PETSC_SUCCESS;
  PetscMPIInt              rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  for (size_t i = 0; rank == 0 && code == PETSC_SUCCESS && i < sizeof(suffixes) / sizeof(*suffixes); i++) {
    char name[PETSC_MAX_PATH_LEN];

    snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
    if (!InputReads(document, name)) continue;
    fprintf(stderr, "error: %s: cannot be written: the case itself is read from it; choose another result with -o\n", name);
    code = PETSC_ERR_USER_INPUT;
  }
  PetscCallMPI(MPI_Bcast(&code, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(code);
}

/* A word as a shell reads it. */
static const char *Quote(const char *word, char quoted[], size_t length)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
  size_t            end     = 0;

  if (word[strspn(word, plain)] == '\0') return word;
  quoted[end++] = '\'';
  for (; *word && end + 6 < length; word++) {
    if (*word == '\'') end += (size_t)snprintf(quoted + end, length - end, "'\\''");
    else quoted[end++] = *word;
  }
  snprintf(quoted + end, length - end, "'");
  return quoted;
}

static void TellHowToGoOn(const Arguments *arguments, const Outcome *outcome)
{
  const PetscInt    num_unfinished = outcome->num_unfinished;
  const char *const named          = outcome->moved ? outcome->place : arguments->output;
  char              case_name[PETSC_MAX_PATH_LEN], output[PETSC_MAX_PATH_LEN];

  LogWarn("%" PetscInt_FMT " run%s broken off; `dovetail run %s%s%s --resume` goes on", num_unfinished, num_unfinished == 1 ? " was" : "s were",
          Quote(arguments->operands[0], case_name, sizeof(case_name)), named ? " -o " : "", named ? Quote(named, output, sizeof(output)) : "");
}

static PetscErrorCode RunCase(const Arguments *arguments, int *exit_code)
{
  char     path[PETSC_MAX_PATH_LEN];
  Case    *the_case;
  Outcome  outcome = {0};
  LogStage stage;

  PetscFunctionBegin;
  LogStageBegin(&stage, "reading %s", arguments->operands[0]);
  PetscCall(CaseRead(arguments->operands[0], &the_case));
  PetscCall(ResultName(arguments, path));
  PetscCall(CheckResultName(the_case->document, path));
  PetscCall(CaseBuild(the_case, PETSC_INFINITY));
  LogStageEnd(&stage);
  PetscCall(CaseRun(the_case, path, arguments->resume ? RESULT_RESUME : RESULT_NEW, &outcome));
  PetscCall(CaseDestroy(&the_case));
  if (outcome.place[0]) ReportSay("\nresult: %s\n", outcome.place);
  if (outcome.place[0] && outcome.num_unfinished) TellHowToGoOn(arguments, &outcome);
  if (outcome.num_stopped)
    LogWarn("%" PetscInt_FMT " run%s or fit%s stopped before %s end; the tables above say why", outcome.num_stopped,
            outcome.num_stopped == 1 ? "" : "s", outcome.num_stopped == 1 ? "" : "s", outcome.num_stopped == 1 ? "its" : "their");
  if (outcome.num_stopped || outcome.num_unfinished || outcome.moved) *exit_code = EXIT_NATURE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSC_ERR_USER_INPUT after complaints; the case is freed all the same. */
static PetscErrorCode CheckCase(const char *path, PetscReal patience)
{
  Case          *the_case;
  PetscErrorCode code;

  PetscFunctionBegin;
  code = CaseRead(path, &the_case);
  if (code == PETSC_SUCCESS) code = CaseBuild(the_case, patience);
  if (code != PETSC_ERR_USER_INPUT) {
    PetscCall(code);
    PetscCall(CaseDescribe(the_case, stdout));
  }
  PetscCall(CaseDestroy(&the_case));
  PetscFunctionReturn(code);
}

/* Several cases have headings, and after the complaints of each that is refused a line says so. */
static PetscErrorCode CheckCases(const Arguments *arguments)
{
  PetscReal      patience = 20.0; /* [s] for the reduction of a mesh */
  PetscErrorCode verdict  = PETSC_SUCCESS;

  PetscFunctionBegin;
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-patience", &patience, NULL));
  if (arguments->num_operands == 1) PetscFunctionReturn(CheckCase(arguments->operands[0], patience));
  for (int i = 0; i < arguments->num_operands; i++) {
    PetscErrorCode code;

    ReportSay("%s%s:\n", i > 0 ? "\n" : "", arguments->operands[i]);
    (void)fflush(stdout); /* complaints go to standard error */
    code = CheckCase(arguments->operands[i], patience);
    if (code == PETSC_SUCCESS) continue;
    if (code != PETSC_ERR_USER_INPUT) PetscCall(code);
    verdict = code;
    PetscCall(PetscFPrintf(PETSC_COMM_WORLD, stderr, "%s: refused\n", arguments->operands[i]));
  }
  PetscFunctionReturn(verdict);
}

static PetscErrorCode PrintInfo(const Arguments *arguments)
{
  PetscMPIInt    rank;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) code = ResultPrintInfo(stdout, arguments->operands[0]);
  PetscCallMPI(MPI_Bcast(&code, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn(code);
}

/* The only option of ours that PETSc keeps, so that it can also stand in PETSC_OPTIONS. */
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

static PetscErrorCode Execute(const Arguments *arguments, int *exit_code)
{
  PetscFunctionBegin;
  LogSetLevel(arguments->log);
  PetscCall(ErrorHandlerInstall());
  InterruptInstall(ResultAbandon);
  (void)signal(SIGPIPE, SIG_IGN); /* nobody reads what is printed any more: no reason to stop computing */
  (void)signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is as a full disk */
  PetscCall(CheckSaveInterval());
  if (arguments->command == COMMAND_RUN || arguments->command == COMMAND_CHECK) PetscCall(BlasBegin());
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
