/* log.c - the output of rank 0: the log on standard error, results on standard output. */
#include "base.h"
#include <petsctime.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static LogLevel log_level = LOG_NORMAL;
static PetscInt num_warnings;
static FILE    *report; /* NULL: standard output */

static void (*listener)(void *context, const LogMessage *message);
static void *listening;

static void (*diverted)(void *context, const char *warning);
static void *diverted_to;

LogLevel LogSetLevel(LogLevel level)
{
  const LogLevel before = log_level;

  log_level = level;
  return before;
}

static PetscBool Speaks(LogLevel least)
{
  int         rank = 0;
  PetscMPIInt initialized, finalized;

  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized && !finalized) MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return (PetscBool)(rank == 0 && log_level >= least);
}

/* A progress line may stand on the terminal; it is erased before anything else is printed. */
static void WipeLine(void)
{
  if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}

static void Speak(const char *prefix, const char *format, va_list arguments) PETSC_ATTRIBUTE_FORMAT(2, 0);
static void Speak(const char *prefix, const char *format, va_list arguments)
{
  WipeLine();
  fputs(prefix, stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

void LogSay(const char *format, ...)
{
  va_list arguments;

  if (!Speaks(LOG_NORMAL)) return;
  va_start(arguments, format);
  Speak("", format, arguments);
  va_end(arguments);
}

void LogDetail(const char *format, ...)
{
  va_list arguments;

  if (!Speaks(LOG_VERBOSE)) return;
  va_start(arguments, format);
  Speak("  ", format, arguments);
  va_end(arguments);
}

void LogListen(void (*who)(void *context, const LogMessage *message), void *context)
{
  listener  = who;
  listening = context;
}

void LogTellError(Place place, const char *text)
{
  const LogMessage message = {.place = place, .text = text};

  if (listener) listener(listening, &message);
}

static void TellWarning(const char *format, va_list arguments) PETSC_ATTRIBUTE_FORMAT(1, 0);
static void TellWarning(const char *format, va_list arguments)
{
  char             text[4096];
  const LogMessage message = {.warning = PETSC_TRUE, .text = text};

  vsnprintf(text, sizeof(text), format, arguments);
  listener(listening, &message);
}

void LogDivert(void (*hear)(void *context, const char *warning), void *context)
{
  diverted    = hear;
  diverted_to = context;
}

void LogWarn(const char *format, ...)
{
  va_list arguments;
  char    text[4096];

  if (diverted) {
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    diverted(diverted_to, text);
    return;
  }

  if (!Speaks(LOG_QUIET)) return;
  num_warnings++;
  va_start(arguments, format);
  Speak("warning: ", format, arguments);
  va_end(arguments);
  if (!listener) return;
  va_start(arguments, format);
  TellWarning(format, arguments);
  va_end(arguments);
}

PetscInt LogNumWarnings(void)
{
  return num_warnings;
}

FILE *ReportTo(FILE *out)
{
  FILE *const before = report;

  report = out;
  return before;
}

void ReportSay(const char *format, ...)
{
  va_list arguments;

  if (!Speaks(LOG_QUIET)) return;
  va_start(arguments, format);
  vfprintf(report ? report : stdout, format, arguments);
  va_end(arguments);
}

void LogStageBegin(LogStage *stage, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(stage->label, sizeof(stage->label), format, arguments);
  va_end(arguments);
  PetscTime(&stage->start);
}

void LogStageEnd(LogStage *stage)
{
  PetscLogDouble now;

  PetscTime(&now);
  LogSay("%-60s %9.3f s", stage->label, now - stage->start);
}

void ProgressBegin(Progress *progress, const char *what, PetscReal total)
{
  progress->what    = what;
  progress->total   = total;
  progress->done    = 0.0;
  progress->visible = (PetscBool)(Speaks(LOG_NORMAL) && isatty(STDERR_FILENO));
  PetscTime(&progress->start);
  progress->shown = progress->start;
}

void ProgressUpdate(Progress *progress, PetscReal done)
{
  PetscLogDouble now;
  PetscReal      rate;

  progress->done = done;
  if (!progress->visible) return;
  PetscTime(&now);
  if (now - progress->shown < 0.2) return;
  progress->shown = now;
  rate            = done / (now - progress->start);
  fprintf(stderr, "\r\033[K%3.0f %%  %.4g of %.4g %s, %.3g a second, %.0f s left", 100.0 * done / progress->total, done, progress->total,
          progress->what, rate, rate > 0 ? (progress->total - done) / rate : 0.0);
  fflush(stderr);
}

void ProgressEnd(Progress *progress)
{
  if (progress->visible) WipeLine();
  progress->visible = PETSC_FALSE;
}
