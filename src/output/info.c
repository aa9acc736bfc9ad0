/* info.c - `dovetail info`: a result for the eye, from its title to its contents. */
#include "result.h"
#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 22, MOST_STATES = 6, MOST_MODES = 40 };

static PetscErrorCode PrintTitle(FILE *out, hid_t file, const char *path, const Earlier *result)
{
  char       *title, *date;
  const char *state = NULL;

  PetscFunctionBegin;
  PetscCall(AttributeGetTextByName(file, "/case", "title", &title));
  PetscCall(AttributeGetTextByName(file, "/case", "date", &date));
  PetscCall(ReadableState(path, result->complete, &state));
  fprintf(out, "%s\n", path);
  if (title) fprintf(out, "  title    %s\n", title);
  fprintf(out, "  made by  dovetail %s (%s)\n", result->version, result->commit);
  fprintf(out, "  date     %s\n", date ? date : "unknown");
  fprintf(out, "  state    %s\n", state);
  PetscCall(PetscFree(title));
  PetscCall(PetscFree(date));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* NAME under GROUP as numbers; NULL when there is none. */
static PetscErrorCode GetMember(hid_t file, const char *group, const char *member, const char *name, PetscInt *count, PetscReal **numbers)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s/%s", group, member, name));
  PetscCall(DatasetGetNumbers(file, path, MOST_NUMBERS, count, numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  char       name[RESULT_TEXT_LENGTH];
  PetscInt   count;
  PetscReal *frequency;
} Modes;

static void PrintFrequencies(FILE *out, PetscInt num_states, const Modes states[], PetscInt num_modes)
{
  fprintf(out, "\nFrequencies [Hz]\n  mode");
  for (PetscInt i = 0; i < num_states; i++) fprintf(out, "  %16s", states[i].name);
  fputc('\n', out);
  for (PetscInt k = 0; k < PetscMin(num_modes, MOST_MODES); k++) {
    fprintf(out, "  %4" PetscInt_FMT, k + 1);
    for (PetscInt i = 0; i < num_states; i++) {
      if (k < states[i].count) fprintf(out, "  %16.6f", states[i].frequency[k]);
      else fprintf(out, "  %16s", "");
    }
    fputc('\n', out);
  }
  if (num_modes > MOST_MODES) fprintf(out, "  and %" PetscInt_FMT " more\n", num_modes - MOST_MODES);
}

/* The states side by side, since their differences are what an engineer looks for. */
static PetscErrorCode PrintModes(FILE *out, hid_t file)
{
  Modes    states[MOST_STATES];
  PetscInt num_states = 0, num_modes = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; num_states < MOST_STATES; i++) {
    Modes *state = &states[num_states];

    PetscCall(GroupGetMember(file, "/modes", i, state->name));
    if (!state->name[0]) break;
    PetscCall(GetMember(file, "/modes", state->name, "frequency", &state->count, &state->frequency));
    if (!state->frequency) continue;
    num_modes = PetscMax(num_modes, state->count);
    num_states++;
  }
  if (num_states > 0) PrintFrequencies(out, num_states, states, num_modes);
  for (PetscInt i = 0; i < num_states; i++) PetscCall(PetscFree(states[i].frequency));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GetSpan(hid_t file, const char *run, const char *name, Span *span)
{
  PetscInt   count;
  PetscReal *numbers;

  PetscFunctionBegin;
  PetscCall(GetMember(file, "/transient", run, name, &count, &numbers));
  *span = SpanOf(count, numbers);
  PetscCall(PetscFree(numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void PrintCell(FILE *out, Span span, int width, int digits, PetscReal value)
{
  if (span.num_known > 0) fprintf(out, "  %*.*g", width, digits, value);
  else fprintf(out, "  %*s", width, "-");
}

static PetscErrorCode PrintRun(FILE *out, hid_t file, const char *run)
{
  char path[PETSC_MAX_PATH_LEN], reason[RESULT_TEXT_LENGTH];
  Span steps, time, seconds, work, balance;

  PetscFunctionBegin;
  PetscCall(GetSpan(file, run, "steps", &steps));
  PetscCall(GetSpan(file, run, "time", &time));
  PetscCall(GetSpan(file, run, "seconds", &seconds));
  PetscCall(GetSpan(file, run, "energy/work", &work));
  PetscCall(GetSpan(file, run, "energy/balance", &balance));
  PetscCall(PetscSNPrintf(path, sizeof(path), "/transient/%s/reason", run));
  PetscCall(DatasetGetText(file, path, sizeof(reason), reason));
  fprintf(out, "  %-24s", run);
  PrintCell(out, steps, 10, 15, steps.last);
  PrintCell(out, time, 12, 6, time.most);
  PrintCell(out, seconds, 10, 4, seconds.last);
  PrintCell(out, work, 11, 4, work.magnitude);
  PrintCell(out, balance, 11, 2, balance.magnitude);
  fprintf(out, "  %s\n", reason[0] ? reason : "not finished");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintTransients(FILE *out, hid_t file)
{
  char name[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(GroupGetMember(file, "/transient", 0, name));
  if (!name[0]) PetscFunctionReturn(PETSC_SUCCESS);
  fprintf(out, "\nTransients: steps done, time reached, seconds taken, largest work and largest error of the energy balance\n");
  fprintf(out, "  %-24s  %10s  %12s  %10s  %11s  %11s  %s\n", "run", "steps", "time [s]", "took [s]", "work [J]", "balance [J]", "ended");
  for (PetscInt i = 0; name[0]; i++) {
    PetscCall(PrintRun(out, file, name));
    PetscCall(GroupGetMember(file, "/transient", i + 1, name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintResult(FILE *out, hid_t file, const char *path, const Earlier *result)
{
  PetscInt num_damaged;

  PetscFunctionBegin;
  PetscCall(PrintTitle(out, file, path, result));
  PetscCall(PrintModes(out, file));
  PetscCall(PrintTransients(out, file));
  PetscCall(TreePrint(out, file, &num_damaged));
  if (num_damaged > 0) PetscFunctionReturn(Refuse(path, "is damaged: %" PetscInt_FMT " of its parts cannot be read", num_damaged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintFirst(FILE *out, const char *path, void *unused)
{
  hid_t          file;
  Earlier        result;
  PetscErrorCode code;

  PetscFunctionBegin;
  (void)unused;
  code = ReadableOpen(path, &file, &result);
  if (code) PetscFunctionReturn(code);
  code = PrintResult(out, file, path, &result);
  PetscCall(ReadableClose(&file, &result));
  PetscFunctionReturn(code);
}

PetscErrorCode ResultPrintInfo(FILE *out, const char *path)
{
  const Reading reading = {.out = out, .work = PrintFirst, .path = path, .most_silence = READ_MOST_SILENCE};
  PetscMPIInt   rank;
  int           verdict = 0;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) verdict = (int)ReadApart(&reading);
  PetscCallMPI(MPI_Bcast(&verdict, 1, MPI_INT, 0, PETSC_COMM_WORLD));
  PetscFunctionReturn((PetscErrorCode)verdict);
}
