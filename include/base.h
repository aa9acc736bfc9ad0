/*
  base.h - what every room uses: PETSc, the kinds of failure, places in files, the log, interrupts.

  Three things can go wrong. The user's input is wrong: the function that notices it complains (input.h), the call chain returns
  PETSC_ERR_USER_INPUT, the program prints the complaints and ends with EXIT_INPUT. The physics does not allow a result, as
  without convergence: the reason is stored in the result and the program ends with EXIT_NATURE; this is never an error code.
  There is a bug in dovetail or in a library: PETSc prints its traceback and the program ends with EXIT_OURS.
*/
#pragma once
#include <petscsys.h>
#include <stdio.h>

#if defined(PETSC_USE_COMPLEX) || !defined(PETSC_USE_REAL_DOUBLE)
  #error "dovetail needs a PETSc of real double-precision scalars"
#endif
#if PETSC_VERSION_LT(3, 19, 0)
  #define PETSC_SUCCESS 0
#endif

enum { EXIT_FINE = 0, EXIT_OURS = 1, EXIT_INPUT = 2, EXIT_NATURE = 3 };

/* A place in a file; line and column count from 1, and 0 means the whole file. */
typedef struct {
  const char *file;
  PetscInt    line, column;
} Place;

/* The shortest text of a number that reads back the same, with a point whatever the locale is. */
typedef struct {
  char text[40];
} Digits;
Digits DigitsOf(PetscReal value);

/* Makes PETSC_ERR_USER_INPUT silent (the complaint has been printed); other errors keep PETSc's traceback. */
PetscErrorCode ErrorHandlerInstall(void);

/* The log tells the user what the program does, on the standard error of rank 0; other ranks print nothing. All of it is local. */
typedef enum { LOG_SILENT = -1, LOG_QUIET, LOG_NORMAL, LOG_VERBOSE } LogLevel;
LogLevel LogSetLevel(LogLevel level); /* what it was before */
void     LogSay(const char *format, ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
void     LogDetail(const char *format, ...) PETSC_ATTRIBUTE_FORMAT(1, 2); /* only when verbose */
void     LogWarn(const char *format, ...) PETSC_ATTRIBUTE_FORMAT(1, 2);   /* also when quiet */
PetscInt LogNumWarnings(void);                                            /* so far, on rank 0 */

/* From now on warnings are not printed, nor counted, but told to whoever hears them, on this process; NULL: printed again. Local. */
void LogDivert(void (*hear)(void *context, const char *warning), void *context);

/* Prints results on the standard output of rank 0. (PetscPrintf would print 30 as "30.".) */
void ReportSay(const char *format, ...) PETSC_ATTRIBUTE_FORMAT(1, 2);

/* Where ReportSay prints from now on, NULL for standard output; what it was before. */
FILE *ReportTo(FILE *out);

/* An error, or a warning, that rank 0 has printed. */
typedef struct {
  PetscBool   warning;
  Place       place; /* without a file: of nothing in particular */
  const char *text;
} LogMessage;
/* Who hears of them, too, beside whoever reads standard error; NULL: nobody. The listener is called on rank 0. */
void LogListen(void (*listener)(void *context, const LogMessage *message), void *context);
/* An error has been printed, by whoever printed it. */
void LogTellError(Place place, const char *text);

/* A stage of the work: LogStageEnd logs its label and the seconds it took. */
typedef struct {
  char           label[128];
  PetscLogDouble start;
} LogStage;
void LogStageBegin(LogStage *stage, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
void LogStageEnd(LogStage *stage);

/* One line that is updated on a terminal, with the rate and the remaining time; nothing where there is no terminal. */
typedef struct {
  const char    *what; /* what is counted: "steps" */
  PetscReal      total, done;
  PetscLogDouble start, shown;
  PetscBool      visible;
} Progress;
void ProgressBegin(Progress *progress, const char *what, PetscReal total);
void ProgressUpdate(Progress *progress, PetscReal done);
void ProgressEnd(Progress *progress);

/* Memory of this machine, or of the container that the program runs in [bytes]: all of it, not what is free, so that it is the same in every run.
   0 where it is not known. Local. */
PetscReal MachineMemory(void);

/* Until InterruptDefer is called, SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGXCPU end the program at once, after a call of `clean`, which must
   be safe in a signal handler. After it, when there are results to lose, the first signal asks for an orderly end: long computations check
   InterruptAsked regularly, save their state and stop. A second signal ends the program at once. Local. */
void      InterruptInstall(void (*clean)(void));
void      InterruptDefer(void);
void      InterruptAsk(void); /* by the program itself, for a reason that it tells */
PetscBool InterruptAsked(void);
