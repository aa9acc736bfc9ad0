/* arguments.c - the words of the command line. */
#include "cli.h"
#include <stdio.h>
#include <string.h>

static const char *const command_names[] = {"run", "check", "help", "info", "version", NULL};
static const char *const long_options[]  = {"--resume", "--quiet", "--verbose", "--output", "--help", "--version", NULL};

static PetscBool Is(const char *text, const char *short_form, const char *long_form)
{
  return (PetscBool)((short_form && !strcmp(text, short_form)) || !strcmp(text, long_form));
}

static PetscBool FindCommand(const char *text, Arguments *arguments, char fault[], size_t length)
{
  const char *nearest;

  for (int c = 0; command_names[c]; c++) {
    if (strcmp(text, command_names[c]) != 0) continue;
    arguments->command = (Command)c;
    return PETSC_TRUE;
  }
  nearest = InputNearest(text, command_names);
  if (nearest) snprintf(fault, length, "unknown command '%s'; did you mean '%s'? see `dovetail help`", text, nearest);
  else snprintf(fault, length, "unknown command '%s'; the commands are run, check, help, info: see `dovetail help`", text);
  return PETSC_FALSE;
}

/* Takes one of our options; 0: not ours, 1: taken, 2: taken with its value, -1: a fault. */
static int TakeOption(const char *text, const char *next, Arguments *arguments, char fault[], size_t length)
{
  const char *nearest;

  if (Is(text, NULL, "--resume")) arguments->resume = PETSC_TRUE;
  else if (Is(text, "-q", "--quiet")) arguments->log = LOG_QUIET;
  else if (Is(text, "-v", "--verbose")) arguments->log = LOG_VERBOSE;
  else if (Is(text, "-h", "--help")) arguments->command = COMMAND_HELP;
  else if (Is(text, NULL, "--version")) arguments->command = COMMAND_VERSION;
  else if (Is(text, "-o", "--output")) {
    arguments->output = next;
    if (next) return 2;
    snprintf(fault, length, "%s needs the name of a file", text);
    return -1;
  } else if (!strncmp(text, "--", 2)) {
    nearest = InputNearest(text, long_options);
    snprintf(fault, length, "unknown option '%s'%s%s%s; see `dovetail help`", text, nearest ? "; did you mean '" : "", nearest ? nearest : "",
             nearest ? "'?" : "");
    return -1;
  } else return 0;
  return 1;
}

static PetscBool CheckOperands(const Arguments *arguments, char fault[], size_t length)
{
  static const int least[NUM_COMMANDS] = {1, 1, 0, 1, 0}, most[NUM_COMMANDS] = {1, 1, 2, 1, 0};
  const int        command = arguments->command;

  if (arguments->num_operands < least[command]) {
    snprintf(fault, length, "`dovetail %s` needs a file; see `dovetail help`", command_names[command]);
    return PETSC_FALSE;
  }
  if (arguments->num_operands > most[command]) {
    snprintf(fault, length, "too many words for `dovetail %s`: '%s'", command_names[command], arguments->operands[most[command]]);
    return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

PetscBool ArgumentsParse(int argc, char **argv, Arguments *arguments, int *petsc_argc, char **petsc_argv, char fault[], size_t fault_length)
{
  PetscBool has_command = PETSC_FALSE, for_petsc = PETSC_FALSE;

  *arguments                  = (Arguments){.command = COMMAND_HELP, .log = LOG_NORMAL};
  *petsc_argc                 = 0;
  petsc_argv[(*petsc_argc)++] = argv[0];
  for (int i = 1; i < argc; i++) {
    const int taken = argv[i][0] == '-' && argv[i][1] ? TakeOption(argv[i], argv[i + 1], arguments, fault, fault_length) : 0;

    if (taken < 0) return PETSC_FALSE;
    if (taken > 0) {
      i += taken - 1;
      for_petsc = PETSC_FALSE;
    } else if (argv[i][0] == '-' || (for_petsc && arguments->num_operands)) {
      for_petsc                   = PETSC_TRUE;
      petsc_argv[(*petsc_argc)++] = argv[i];
    } else if (!has_command) {
      if (!FindCommand(argv[i], arguments, fault, fault_length)) return PETSC_FALSE;
      has_command = PETSC_TRUE;
    } else if (arguments->num_operands < 2) arguments->operands[arguments->num_operands++] = argv[i];
    else {
      snprintf(fault, fault_length, "too many words: '%s'", argv[i]);
      return PETSC_FALSE;
    }
  }
  petsc_argv[*petsc_argc] = NULL;
  return (PetscBool)(arguments->command == COMMAND_HELP || arguments->command == COMMAND_VERSION || CheckOperands(arguments, fault, fault_length));
}
