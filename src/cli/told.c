/* told.c - errors, warnings and reports, kept while a command works, and written as data. */
#ifndef PETSC_DESIRE_FEATURE_TEST_MACROS
  #define PETSC_DESIRE_FEATURE_TEST_MACROS /* open_memstream beside ISO C */
#endif
#include "cli.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  PetscBool warning;
  PetscInt  line, column;
  char     *file, *text;
} Line;

struct Told {
  PetscInt count, capacity;
  Line    *lines;
  FILE    *report;
  char    *text; /* of the report */
  size_t   size;
};

/* Out of memory, what is missing here still stands on standard error. */
static void Hear(void *context, const LogMessage *message)
{
  Told *const told = context;
  Line        line = {.warning = message->warning, .line = message->place.line, .column = message->place.column};

  if (told->count == told->capacity) {
    told->capacity = PetscMax(2 * told->capacity, 16);
    if (PetscRealloc(sizeof(Line) * (size_t)told->capacity, &told->lines)) return;
  }
  if (PetscStrallocpy(message->place.file, &line.file) || PetscStrallocpy(message->text, &line.text)) return;
  told->lines[told->count++] = line;
}

static PetscErrorCode BeginReport(Told *told)
{
  PetscFunctionBegin;
  told->report = open_memstream(&told->text, &told->size);
  PetscCheck(told->report, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for a text");
  (void)ReportTo(told->report);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ToldBegin(Told **told)
{
  PetscFunctionBegin;
  PetscCall(PetscNew(told));
  PetscCall(BeginReport(*told));
  LogListen(Hear, *told);
  PetscFunctionReturn(PETSC_SUCCESS);
}

FILE *ToldReport(Told *told)
{
  return told->report;
}

static void WriteMessages(const Told *told, PetscBool warnings, Json *json)
{
  JsonOpenList(json, warnings ? "warnings" : "errors");
  for (const Line *line = told->lines; line < told->lines + told->count; line++) {
    if (line->warning != warnings) continue;
    if (warnings) {
      JsonText(json, NULL, line->text);
      continue;
    }
    JsonOpenObject(json, NULL);
    JsonText(json, "file", line->file);
    if (line->line > 0) JsonCount(json, "line", line->line);
    if (line->line > 0) JsonCount(json, "column", line->column);
    JsonText(json, "message", line->text);
    JsonClose(json);
  }
  JsonClose(json);
}

static PetscErrorCode Forget(Told *told)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < told->count; i++) {
    PetscCall(PetscFree(told->lines[i].file));
    PetscCall(PetscFree(told->lines[i].text));
  }
  told->count = 0;
  (void)ReportTo(NULL);
  (void)fclose(told->report);
  free(told->text);
  told->text = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ToldWrite(Told *told, Json *json)
{
  PetscFunctionBegin;
  (void)fflush(told->report);
  WriteMessages(told, PETSC_FALSE, json);
  WriteMessages(told, PETSC_TRUE, json);
  JsonLines(json, "report", told->text);
  PetscCall(Forget(told));
  PetscCall(BeginReport(told));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ToldEnd(Told **told)
{
  PetscFunctionBegin;
  LogListen(NULL, NULL);
  PetscCall(Forget(*told));
  PetscCall(PetscFree((*told)->lines));
  PetscCall(PetscFree(*told));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ComplainOf(const char *file, const char *format, ...)
{
  char    text[2 * PETSC_MAX_PATH_LEN];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  fprintf(stderr, "error: %s%s%s\n", file ? file : "", file ? ": " : "", text);
  LogTellError((Place){.file = file}, text);
}
