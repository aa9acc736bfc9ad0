/* arguments.c - the words of the command line. */
#include "cli.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const command_names[] = {"run", "check", "help", "info", "export", "merge", "version", NULL};

/* Our options; those without a letter have '\0'. */
enum { OUTPUT, RESUME, PART, QUIET, VERBOSE, HELP, VERSION, CSV, TSV, JSON, UFF, UFF_BINARY, NUM_OPTIONS };
static const char *const long_options[NUM_OPTIONS + 1] = {"--output", "--resume", "--part", "--quiet", "--verbose",    "--help", "--version",
                                                          "--csv",    "--tsv",    "--json", "--uff",   "--uff-binary", NULL};
static const char        letters[NUM_OPTIONS]          = {[OUTPUT] = 'o', [QUIET] = 'q', [VERBOSE] = 'v', [HELP] = 'h'};

/* Which commands take the options that not all take. */
#define FOR(command) (1u << (command))
static const unsigned takers[NUM_OPTIONS] = {[OUTPUT]     = FOR(COMMAND_RUN) | FOR(COMMAND_EXPORT) | FOR(COMMAND_MERGE),
                                             [RESUME]     = FOR(COMMAND_RUN),
                                             [PART]       = FOR(COMMAND_RUN),
                                             [CSV]        = FOR(COMMAND_EXPORT),
                                             [TSV]        = FOR(COMMAND_EXPORT),
                                             [JSON]       = FOR(COMMAND_RUN) | FOR(COMMAND_CHECK) | FOR(COMMAND_INFO) | FOR(COMMAND_EXPORT),
                                             [UFF]        = FOR(COMMAND_EXPORT),
                                             [UFF_BINARY] = FOR(COMMAND_EXPORT)};

/* How the options of PETSc and SLEPc begin that begin with a letter of ours. */
static const char *const of_petsc[] = {"-on_error", "-options", "-objects", "-vec", "-view", "-help", "-history", NULL};

/* What went wrong, for the caller to print. */
typedef struct {
  char  *text;
  size_t length;
} Fault;

static PetscBool FindCommand(const char *text, Arguments *arguments, Fault fault)
{
  const char *nearest;

  for (int c = 0; command_names[c]; c++) {
    if (strcmp(text, command_names[c]) != 0) continue;
    arguments->command = (Command)c;
    return PETSC_TRUE;
  }
  nearest = InputNearest(text, command_names);
  if (nearest) snprintf(fault.text, fault.length, "unknown command '%s'; did you mean '%s'? see `dovetail help`", text, nearest);
  else snprintf(fault.text, fault.length, "unknown command '%s'; the commands are run, check, help, info, export, merge: see `dovetail help`", text);
  return PETSC_FALSE;
}

/* The option that a word is, -1 for none; `value` is what stands behind `--option=`, else NULL. */
static int FindOption(const char *word, const char **value)
{
  const size_t length = strcspn(word, "=");

  *value = NULL;
  for (int i = 0; i < NUM_OPTIONS; i++) {
    if (letters[i] && word[1] == letters[i] && !word[2]) return i;
    if (strlen(long_options[i]) != length || strncmp(word, long_options[i], length) != 0) continue;
    if (word[length]) *value = word + length + 1;
    return i;
  }
  return -1;
}

static int RefuseUnknown(const char *word, const char *nearest, Fault fault)
{
  snprintf(fault.text, fault.length, "unknown option '%s'; %s%s%ssee `dovetail help`", word, nearest ? "did you mean '" : "", nearest ? nearest : "",
           nearest ? "'? " : "");
  return -1;
}

static int RefuseLong(const char *word, Fault fault)
{
  char name[128];

  snprintf(name, sizeof(name), "%.*s", (int)PetscMin(strcspn(word, "="), sizeof(name) - 1), word);
  return RefuseUnknown(word, InputNearest(name, long_options), fault);
}

/* Words with one dash that nobody else can mean: letters that are not ours, ours joined to something, long options of ours. */
static int RefuseJoined(const char *word, Fault fault)
{
  char apart[128];

  for (int i = 0; i < NUM_OPTIONS; i++)
    if (i != HELP && !strcmp(word, long_options[i] + 1)) return RefuseUnknown(word, long_options[i], fault);
  for (int i = 0; of_petsc[i]; i++)
    if (!strncmp(word, of_petsc[i], strlen(of_petsc[i]))) return 0;
  if (isalpha((unsigned char)word[1]) && !word[2]) return RefuseUnknown(word, NULL, fault);
  if (!memchr(letters, word[1], NUM_OPTIONS)) return 0;
  snprintf(apart, sizeof(apart), word[1] == letters[OUTPUT] ? "-%c %s" : "-%c -%s", word[1], word + 2);
  return RefuseUnknown(word, apart, fault);
}

static int TakeOutput(const char *word, const char *value, const char *next, Arguments *arguments, Fault fault)
{
  arguments->output = value ? value : next;
  if (arguments->output && arguments->output[0]) return value ? 1 : 2;
  snprintf(fault.text, fault.length, "%s needs the name of a file", word);
  return -1;
}

/* N/M: two whole numbers, the first of which is not above the second. */
static int TakePart(const char *value, const char *next, Arguments *arguments, Fault fault)
{
  const char *const text = value ? value : next;
  char             *slash, *end;
  long              part, parts;

  if (text) {
    part  = strtol(text, &slash, 10);
    parts = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    if (isdigit((unsigned char)text[0]) && *slash == '/' && isdigit((unsigned char)slash[1]) && !*end && part >= 1 && part <= parts &&
        parts <= INT_MAX) {
      arguments->part  = (PetscInt)part;
      arguments->parts = (PetscInt)parts;
      return value ? 1 : 2;
    }
  }
  snprintf(fault.text, fault.length, "--part: expected a part of how many, as 3/10, found %s%s%s", text ? "'" : "nothing", text ? text : "",
           text ? "'" : "");
  return -1;
}

/* Takes one of our options; 0: not ours, 1: taken, 2: taken with its value, -1: a fault. */
static int TakeOption(const char *word, const char *next, Arguments *arguments, Fault fault)
{
  const char *value;
  const int   option = FindOption(word, &value);

  if (option == OUTPUT || option == PART) arguments->given |= 1u << option;
  if (option == PART) return TakePart(value, next, arguments, fault);
  if (option == OUTPUT) return TakeOutput(word, value, next, arguments, fault);
  if (option >= 0 && value) {
    snprintf(fault.text, fault.length, "%s takes no value", long_options[option]);
    return -1;
  }
  if (option >= 0) arguments->given |= 1u << option;
  switch (option) {
  case CSV:
  case TSV:
  case JSON:
  case UFF:
  case UFF_BINARY:
    arguments->json   = (PetscBool)(option == JSON);
    arguments->format = (ExportFormat)(option - CSV);
    return 1;
  case RESUME:
    arguments->resume = PETSC_TRUE;
    return 1;
  case QUIET:
    arguments->log = LOG_QUIET;
    return 1;
  case VERBOSE:
    arguments->log = LOG_VERBOSE;
    return 1;
  case HELP:
    arguments->command = COMMAND_HELP;
    return 1;
  case VERSION:
    arguments->command = COMMAND_VERSION;
    return 1;
  default:
    return word[1] == '-' ? RefuseLong(word, fault) : RefuseJoined(word, fault);
  }
}

static PetscBool CheckOperands(const Arguments *arguments, Fault fault)
{
  static const int least[NUM_COMMANDS] = {1, 1, 0, 1, 1, 1, 0}, most[NUM_COMMANDS] = {1, INT_MAX, 2, 1, INT_MAX, INT_MAX, 0};
  const int        command = arguments->command;

  if (arguments->num_operands < least[command]) {
    snprintf(fault.text, fault.length, "`dovetail %s` needs a %s; see `dovetail help`", command_names[command],
             command == COMMAND_EXPORT || command == COMMAND_MERGE ? "result" : "file");
    return PETSC_FALSE;
  }
  if (arguments->num_operands > most[command]) {
    snprintf(fault.text, fault.length, "too many words for `dovetail %s`: '%s'", command_names[command], arguments->operands[most[command]]);
    return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* Parts have no name that the whole could be called by. */
static PetscBool CheckOutput(const Arguments *arguments, Fault fault)
{
  if (arguments->command != COMMAND_MERGE || arguments->output) return PETSC_TRUE;
  snprintf(fault.text, fault.length, "`dovetail merge` needs -o FILE, the result to write");
  return PETSC_FALSE;
}

/* An option that this command does not take would do nothing, in silence. */
static PetscBool CheckOptions(const Arguments *arguments, Fault fault)
{
  for (int i = 0; i < NUM_OPTIONS; i++) {
    if (!(arguments->given & (1u << i)) || !takers[i] || (takers[i] & FOR(arguments->command))) continue;
    snprintf(fault.text, fault.length, "%s is not for `dovetail %s`; see `dovetail help`", long_options[i], command_names[arguments->command]);
    return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* The form of an export is said by an option, or by the ending of its file. */
static PetscBool CheckFormat(Arguments *arguments, Fault fault)
{
  static const struct {
    const char  *ending;
    ExportFormat format;
  } endings[]               = {{".csv", EXPORT_CSV}, {".tsv", EXPORT_TSV}, {".json", EXPORT_JSON}, {".uff", EXPORT_UFF}, {".unv", EXPORT_UFF}};
  const unsigned    formats = arguments->given >> CSV;
  const char *const ending  = arguments->output ? strrchr(arguments->output, '.') : NULL;

  if (arguments->command != COMMAND_EXPORT) return PETSC_TRUE;
  if (formats && !(formats & (formats - 1))) return PETSC_TRUE;
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(endings) && ending && !formats; i++) {
    if (strcmp(ending, endings[i].ending) != 0) continue;
    arguments->format = endings[i].format;
    return PETSC_TRUE;
  }
  snprintf(fault.text, fault.length, "`dovetail export` needs one of --csv, --tsv, --json, --uff, --uff-binary%s", formats ? ", not several" : "");
  return PETSC_FALSE;
}

PetscBool ArgumentsParse(int argc, char **argv, Arguments *arguments, int *petsc_argc, char **petsc_argv, char fault_text[], size_t fault_length)
{
  const Fault fault       = {fault_text, fault_length};
  PetscBool   has_command = PETSC_FALSE, for_petsc = PETSC_FALSE;

  *arguments                  = (Arguments){.command = COMMAND_HELP, .operands = argv + 1, .part = 1, .parts = 1, .log = LOG_NORMAL};
  fault_text[0]               = '\0';
  *petsc_argc                 = 0;
  petsc_argv[(*petsc_argc)++] = argv[0];
  for (int i = 1; i < argc; i++) {
    const int taken = argv[i][0] == '-' && argv[i][1] ? TakeOption(argv[i], argv[i + 1], arguments, fault) : 0;

    if (taken < 0) return PETSC_FALSE;
    if (taken > 0) {
      i += taken - 1;
      for_petsc = PETSC_FALSE;
    } else if (argv[i][0] == '-' || (for_petsc && arguments->num_operands)) {
      for_petsc                   = PETSC_TRUE;
      petsc_argv[(*petsc_argc)++] = argv[i];
    } else if (!has_command) {
      if (!FindCommand(argv[i], arguments, fault)) return PETSC_FALSE;
      has_command = PETSC_TRUE;
    } else arguments->operands[arguments->num_operands++] = argv[i]; /* behind the command: never onto a word not yet read */
  }
  petsc_argv[*petsc_argc]                      = NULL;
  arguments->operands[arguments->num_operands] = NULL;
  if (arguments->command == COMMAND_HELP || arguments->command == COMMAND_VERSION) return PETSC_TRUE;
  return (PetscBool)(CheckOperands(arguments, fault) && CheckOptions(arguments, fault) && CheckOutput(arguments, fault) &&
                     CheckFormat(arguments, fault));
}
