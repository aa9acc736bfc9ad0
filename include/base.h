/*
  base.h - what every room stands on: PETSc, the kinds of failure, places in files, the log.

  Three things can go wrong. The user's input: somebody complains (input.h), the call chain returns
  PETSC_ERR_USER_INPUT, the program prints the complaints and ends with EXIT_INPUT. Nature (no
  convergence): a reason in the result, EXIT_NATURE, never an error code. Ourselves or a library:
  PETSc's traceback and EXIT_OURS.
*/
#pragma once
#include <petscsys.h>

#if defined(PETSC_USE_COMPLEX) || !defined(PETSC_USE_REAL_DOUBLE)
  #error "dovetail needs a PETSc of real double-precision scalars"
#endif
#if PETSC_VERSION_LT(3, 19, 0)
  #define PETSC_SUCCESS 0
#endif

enum { EXIT_FINE = 0, EXIT_OURS = 1, EXIT_INPUT = 2, EXIT_NATURE = 3 };

/* Where something was written; line and column count from 1, 0 means the whole file. */
typedef struct {
  const char *file;
  PetscInt    line, column;
} Place;

/* Makes PETSC_ERR_USER_INPUT silent (the complaint has been printed); other errors keep PETSc's traceback. */
PetscErrorCode ErrorHandlerInstall(void);

/* The log is for people: rank 0, standard error. Local, all of it: other ranks say nothing. */
typedef enum { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE } LogLevel;
void LogSetLevel(LogLevel level);
void LogSay(const char *format, ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
void LogDetail(const char *format, ...) PETSC_ATTRIBUTE_FORMAT(1, 2); /* only when verbose */
void LogWarn(const char *format, ...) PETSC_ATTRIBUTE_FORMAT(1, 2);   /* also when quiet */

/* Results for people: rank 0, standard output. PetscPrintf would write 30 as "30.". */
void ReportSay(const char *format, ...) PETSC_ATTRIBUTE_FORMAT(1, 2);

/* A stage of work: `LogStageEnd` says the label with the seconds it took. */
typedef struct {
  char           label[128];
  PetscLogDouble start;
} LogStage;
void LogStageBegin(LogStage *stage, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
void LogStageEnd(LogStage *stage);

/* One line that renews itself on a terminal, with the rate and the time left; nothing elsewhere. */
typedef struct {
  const char    *what; /* of what is counted: "steps" */
  PetscReal      total, done;
  PetscLogDouble start, shown;
  PetscBool      visible;
} Progress;
void ProgressBegin(Progress *progress, const char *what, PetscReal total);
void ProgressUpdate(Progress *progress, PetscReal done);
void ProgressEnd(Progress *progress);

/* SIGINT and SIGTERM end the program at once, after `clean` (which must be safe in a signal handler), until InterruptDefer says
   that there is something to lose. From then on the first one asks for a good end: long work looks at InterruptAsked now and then,
   saves and stops; a second one ends the program at once. Local. */
void      InterruptInstall(void (*clean)(void));
void      InterruptDefer(void);
PetscBool InterruptAsked(void);
