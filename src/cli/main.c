/* main.c - the program: a command line in, an exit code out. */
#include <slepcsys.h>
#include <stdlib.h>
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

static PetscErrorCode RunCase(const Arguments *arguments, int *exit_code)
{
  char     path[PETSC_MAX_PATH_LEN];
  Case    *the_case;
  Outcome  outcome = {0};
  LogStage stage;

  PetscFunctionBegin;
  LogStageBegin(&stage, "reading %s", arguments->operands[0]);
  PetscCall(CaseRead(arguments->operands[0], &the_case));
  LogStageEnd(&stage);
  PetscCall(ResultName(arguments, path));
  PetscCall(CaseRun(the_case, path, arguments->resume ? RESULT_RESUME : RESULT_NEW, &outcome));
  PetscCall(CaseDestroy(&the_case));
  ReportSay("\nresult: %s\n", path);
  if (outcome.num_unfinished)
    LogWarn("%" PetscInt_FMT " runs were broken off; `dovetail run %s --resume` goes on", outcome.num_unfinished, arguments->operands[0]);
  if (outcome.num_stopped) LogWarn("%" PetscInt_FMT " runs stopped before their end; the table above says why", outcome.num_stopped);
  if (outcome.num_stopped || outcome.num_unfinished) *exit_code = EXIT_NATURE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckCase(const Arguments *arguments)
{
  Case       *the_case;
  PetscMPIInt rank;

  PetscFunctionBegin;
  PetscCall(CaseRead(arguments->operands[0], &the_case));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(CaseDescribe(the_case, stdout));
  PetscCall(CaseDestroy(&the_case));
  PetscFunctionReturn(PETSC_SUCCESS);
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

static PetscErrorCode Execute(const Arguments *arguments, int *exit_code)
{
  PetscFunctionBegin;
  LogSetLevel(arguments->log);
  PetscCall(ErrorHandlerInstall());
  InterruptInstall();
  switch (arguments->command) {
  case COMMAND_RUN:
    PetscCall(RunCase(arguments, exit_code));
    break;
  case COMMAND_CHECK:
    PetscCall(CheckCase(arguments));
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

int main(int argc, char **argv)
{
  char          **petsc_argv = calloc((size_t)argc + 1, sizeof(*petsc_argv)), fault[256];
  int             petsc_argc, exit_code = EXIT_FINE;
  Arguments       arguments;
  const PetscBool sound = ArgumentsParse(argc, argv, &arguments, &petsc_argc, petsc_argv, fault, sizeof(fault));
  PetscErrorCode  code;

  if (SlepcInitialize(&petsc_argc, &petsc_argv, NULL, NULL)) return EXIT_OURS;
  if (sound) code = Execute(&arguments, &exit_code);
  else {
    code = PETSC_ERR_USER_INPUT;
    (void)PetscFPrintf(PETSC_COMM_WORLD, stderr, "error: %s\n", fault);
  }
  if (code && code != PETSC_ERR_USER_INPUT) MPI_Abort(PETSC_COMM_WORLD, EXIT_OURS);
  if (code) exit_code = EXIT_INPUT;
  else if (arguments.command == COMMAND_RUN) (void)WarnOfUnusedOptions();
  if (SlepcFinalize()) return EXIT_OURS;
  free(petsc_argv);
  return exit_code;
}
