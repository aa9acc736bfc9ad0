/* run.c - `dovetail run`: a case into a result, and what is said of it. */
#include <stdio.h>
#include <string.h>
#include "cli.h"

/* CASE with .h5 in place of its ending, of a part of the samples CASE_part3.h5, or what -o says. */
static PetscErrorCode ResultName(const Arguments *arguments, char path[PETSC_MAX_PATH_LEN])
{
  char *ending, *folder, suffix[64] = ".h5";

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(path, arguments->output ? arguments->output : arguments->operands[0], PETSC_MAX_PATH_LEN));
  if (arguments->output) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscStrrchr(path, '.', &ending));
  PetscCall(PetscStrrchr(path, '/', &folder));
  if (ending > folder) ending[-1] = '\0'; /* PetscStrrchr points behind what it found, or at the start */
  if (arguments->parts > 1) PetscCall(PetscSNPrintf(suffix, sizeof(suffix), "_part%" PetscInt_FMT ".h5", arguments->part));
  PetscCall(PetscStrlcat(path, suffix, PETSC_MAX_PATH_LEN));
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
    ComplainOf(name, "cannot be written: the case itself is read from it; choose another result with -o");
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
  char              case_name[PETSC_MAX_PATH_LEN], output[PETSC_MAX_PATH_LEN], part[64] = "";

  if (arguments->parts > 1) snprintf(part, sizeof(part), " --part %" PetscInt_FMT "/%" PetscInt_FMT, arguments->part, arguments->parts);
  LogWarn("%" PetscInt_FMT " run%s broken off; `dovetail run %s%s%s%s --resume` goes on", num_unfinished, num_unfinished == 1 ? " was" : "s were",
          Quote(arguments->operands[0], case_name, sizeof(case_name)), part, named ? " -o " : "", named ? Quote(named, output, sizeof(output)) : "");
}

/* A part of what there is not would be all of it, in every run. */
static PetscErrorCode TakePart(const Arguments *arguments, Ensemble *ensemble)
{
  PetscMPIInt rank;

  PetscFunctionBegin;
  if (arguments->parts == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (!ensemble && rank == 0) ComplainOf(arguments->operands[0], "--part is for cases with the key `vary`, whose samples it divides");
  if (!ensemble) PetscFunctionReturn(PETSC_ERR_USER_INPUT);
  PetscCall(EnsembleTakePart(ensemble, arguments->part, arguments->parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Run(const Arguments *arguments, Outcome *outcome)
{
  char       path[PETSC_MAX_PATH_LEN];
  Case      *the_case;
  Ensemble  *ensemble;
  Update    *update;
  LogStage   stage;
  ResultMode mode = arguments->resume ? RESULT_RESUME : RESULT_NEW;

  PetscFunctionBegin;
  LogStageBegin(&stage, "reading %s", arguments->operands[0]);
  PetscCall(CaseRead(arguments->operands[0], &the_case));
  PetscCall(EnsembleRead(the_case, &ensemble));
  PetscCall(UpdateRead(the_case, &update));
  PetscCall(CaseVerdict(the_case));
  PetscCall(TakePart(arguments, ensemble));
  PetscCall(ResultName(arguments, path));
  PetscCall(CheckResultName(the_case->document, path));
  PetscCall(CaseBuild(the_case, PETSC_INFINITY));
  LogStageEnd(&stage);
  PetscCall(EnsembleFindEarlier(ensemble, path, &mode));
  PetscCall(CaseRun(the_case, path, mode, update ? UpdateSequel(update) : EnsembleSequel(ensemble), outcome));
  PetscCall(UpdateDestroy(&update));
  PetscCall(EnsembleDestroy(&ensemble));
  PetscCall(CaseDestroy(&the_case));
  if (outcome->place[0]) ReportSay("\nresult: %s\n", outcome->place);
  if (outcome->place[0] && outcome->num_unfinished) TellHowToGoOn(arguments, outcome);
  if (outcome->num_stopped)
    LogWarn("%" PetscInt_FMT " run%s or fit%s stopped before %s end; the tables above say why", outcome->num_stopped,
            outcome->num_stopped == 1 ? "" : "s", outcome->num_stopped == 1 ? "" : "s", outcome->num_stopped == 1 ? "its" : "their");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int ExitCode(PetscErrorCode code, const Outcome *outcome)
{
  if (code) return EXIT_INPUT;
  return outcome->num_stopped || outcome->num_unfinished || outcome->moved ? EXIT_NATURE : EXIT_FINE;
}

/* What came of it, what was said, and what the result holds. */
static PetscErrorCode WriteOutcome(const Arguments *arguments, PetscErrorCode code, const Outcome *outcome, Told *told)
{
  PetscMPIInt rank;
  Json        json;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  JsonBegin(stdout, &json);
  if (rank == 0) {
    JsonOpenObject(&json, NULL);
    JsonText(&json, "case", arguments->operands[0]);
    JsonCount(&json, "exit_code", ExitCode(code, outcome));
    JsonCount(&json, "stopped", outcome->num_stopped);
    JsonCount(&json, "unfinished", outcome->num_unfinished);
    PetscCall(ToldWrite(told, &json));
  }
  if (code == PETSC_SUCCESS && outcome->place[0]) code = ResultDescribe(&json, outcome->place);
  if (rank == 0) JsonClose(&json);
  PetscFunctionReturn(code);
}

PetscErrorCode RunCase(const Arguments *arguments, int *exit_code)
{
  Outcome        outcome = {0};
  Told          *told;
  PetscErrorCode code;

  PetscFunctionBegin;
  if (arguments->json) PetscCall(ToldBegin(&told));
  code = Run(arguments, &outcome);
  if (code && code != PETSC_ERR_USER_INPUT) PetscCall(code);
  *exit_code = ExitCode(code, &outcome);
  if (!arguments->json) PetscFunctionReturn(code);
  code = WriteOutcome(arguments, code, &outcome, told);
  PetscCall(ToldEnd(&told));
  PetscFunctionReturn(code);
}
