/* cli.h - the program: its arguments, its commands, its help. */
#pragma once
#include "ensemble.h"
#include "ensemble/update.h"
#include "output/export.h"

typedef enum { COMMAND_RUN, COMMAND_CHECK, COMMAND_HELP, COMMAND_INFO, COMMAND_EXPORT, COMMAND_MERGE, COMMAND_VERSION, NUM_COMMANDS } Command;

/* What the command line asks for. Anything that begins with one dash and cannot be ours is left to PETSc. */
typedef struct {
  Command      command;
  int          num_operands;
  char       **operands; /* the words behind the command, NULL behind the last; they stand in argv */
  const char  *output;   /* -o FILE */
  PetscBool    resume;
  PetscInt     part, parts; /* --part N/M of the samples; 1 of 1 for all */
  PetscBool    json;        /* what is printed, as data */
  ExportFormat format;
  LogLevel     log;
  unsigned     given; /* which options were */
} Arguments;

/* Splits the command line, and moves the operands to the start of argv; what is left for PETSc goes to petsc_argv (of argc + 1 places).
   False after a message in `fault`. */
PetscBool ArgumentsParse(int argc, char **argv, Arguments *arguments, int *petsc_argc, char **petsc_argv, char fault[], size_t fault_length);

/* Standard streams that are closed are opened on /dev/null. False after a message when standard output was: nobody would see a result. The
   first call of the program. */
PetscBool StreamsPlug(void);

/* Before any linear algebra; PETSC_ERR_USER_INPUT on all ranks after a message when there is too little memory for it. Collective. */
PetscErrorCode BlasBegin(void);

/* run.c: `run CASE`. */
PetscErrorCode RunCase(const Arguments *arguments, int *exit_code);
/* merge.c: `merge RESULT...`. */
PetscErrorCode MergeResults(const Arguments *arguments, int *exit_code);
/* check.c: `check CASE...`. */
PetscErrorCode CheckCases(const Arguments *arguments);

/* told.c: what is said while a command works, kept for JSON. */
typedef struct Told Told;
/* From now on reports and warnings are kept; the log stays on standard error. */
PetscErrorCode ToldBegin(Told **told);
/* So far: members `errors`, `warnings`, `report` of an open object, on rank 0; then all is forgotten. */
PetscErrorCode ToldWrite(Told *told, Json *json);
FILE          *ToldReport(Told *told); /* where reports go */
PetscErrorCode ToldEnd(Told **told);
/* An error that nobody else tells: `error: FILE: MESSAGE`. Rank 0. */
void ComplainOf(const char *file, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(2, 3);

/* `help [TOPIC [NAME]]`. Collective; rank 0 prints. */
PetscErrorCode HelpPrint(FILE *out, const Arguments *arguments);
