/*
  expression.c - arithmetic in the place of a number: 2*pi*50, 1/3, (0.2 - 0.05)/2, sqrt(2).

      sum = term { " + " term | " - " term }     term = factor { "*" factor | "/" factor }
      factor = [ "-" | "+" ] primary [ "^" factor ]      primary = number | "pi" | "sqrt" ( sum ) | ( sum )

  A sum has blanks on both sides of its sign: 10-20 could be a range, and [1 -2] a list without its comma. A slash or an asterisk before a
  letter begins the unit.
*/
#include "input_private.h"
#include <ctype.h>
#include <string.h>

enum { MAX_NESTING = 32 };

static const char NOT_UNDERSTOOD[] = "";

typedef struct {
  const char *at;
  int         depth;
  const char *fault; /* NULL so far */
} Reader;

static PetscReal ReadSum(Reader *reader);

static PetscReal Fail(Reader *reader, const char *fault)
{
  if (!reader->fault) reader->fault = fault;
  return 0;
}

static void SkipBlanks(Reader *reader)
{
  while (*reader->at == ' ') reader->at++;
}

static PetscBool BeginsWord(const char *text, const char *word)
{
  const size_t length = strlen(word);

  return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]) ? PETSC_TRUE : PETSC_FALSE;
}

/* A result that is finite, and zero only where that is exact. */
static PetscReal Check(Reader *reader, PetscReal value, PetscBool zero)
{
  if (value != value) return Fail(reader, " - it has no real value");
  if (PetscAbsReal(value) > PETSC_MAX_REAL) return Fail(reader, " - it is too large");
  return value == 0 && !zero ? Fail(reader, " - it is too small") : value;
}

static PetscReal ReadBrackets(Reader *reader)
{
  PetscReal value;

  if (++reader->depth > MAX_NESTING) return Fail(reader, " - it has too many brackets in each other");
  reader->at++;
  value = ReadSum(reader);
  SkipBlanks(reader);
  if (*reader->at != ')') return Fail(reader, " - a bracket is not closed");
  reader->at++;
  reader->depth--;
  return value;
}

static PetscReal ReadPrimary(Reader *reader)
{
  PetscReal   value = 0;
  size_t      length;
  const char *fault;

  if (*reader->at == '(') return ReadBrackets(reader);
  if (BeginsWord(reader->at, "pi")) {
    reader->at += 2;
    return PETSC_PI;
  }
  if (BeginsWord(reader->at, "sqrt") && reader->at[4] == '(') {
    reader->at += 4;
    value = ReadBrackets(reader);
    return value < 0 ? Fail(reader, " - the root of a negative number is not real") : PetscSqrtReal(value);
  }
  fault = InputParseLeading(reader->at, &length, &value);
  reader->at += length;
  return fault ? Fail(reader, fault) : value;
}

static PetscReal ReadFactor(Reader *reader)
{
  const char      sign   = *reader->at;
  const PetscReal factor = sign == '-' ? -1 : 1;
  PetscReal       base, exponent;

  if (++reader->depth > MAX_NESTING) return Fail(reader, " - it has too many brackets in each other");
  if (sign == '-' || sign == '+') reader->at++;
  if (*reader->at == '-' || *reader->at == '+') return Fail(reader, NOT_UNDERSTOOD);
  base = ReadPrimary(reader);
  if (!reader->fault && *reader->at == '^') {
    reader->at++;
    exponent = ReadFactor(reader);
    base = base == 0 && exponent < 0 ? Fail(reader, " - it divides by zero") : Check(reader, PetscPowReal(base, exponent), (PetscBool)(base == 0));
  }
  reader->depth--;
  return factor * base;
}

/* After * or /: what follows is a number, not a unit. */
static PetscBool GoesOn(const char *text)
{
  while (*text == ' ') text++;
  return !isalpha((unsigned char)*text) || BeginsWord(text, "pi") || BeginsWord(text, "sqrt") ? PETSC_TRUE : PETSC_FALSE;
}

static PetscReal ReadTerm(Reader *reader)
{
  PetscReal value = ReadFactor(reader);

  while (!reader->fault) {
    const char *const begin = reader->at;
    PetscReal         factor;
    char              sign;

    SkipBlanks(reader);
    sign = *reader->at;
    if ((sign != '*' && sign != '/') || (unsigned char)reader->at[1] >= 0x80 || !GoesOn(reader->at + 1)) {
      reader->at = begin;
      break;
    }
    reader->at++;
    SkipBlanks(reader);
    factor = ReadFactor(reader);
    if (reader->fault) break;
    if (sign == '/' && factor == 0) return Fail(reader, " - it divides by zero");
    value = Check(reader, sign == '*' ? value * factor : value / factor, (PetscBool)(value == 0 || factor == 0));
  }
  return value;
}

static PetscReal ReadSum(Reader *reader)
{
  PetscReal value;

  SkipBlanks(reader);
  value = ReadTerm(reader);
  while (!reader->fault) {
    const char *sign = reader->at;
    PetscReal   term;

    while (*sign == ' ') sign++;
    if (*sign != '+' && *sign != '-') break;
    if (sign == reader->at || sign[1] != ' ') return Fail(reader, " - a sum has blanks on both sides of its sign");
    reader->at = sign + 1;
    SkipBlanks(reader);
    term = ReadTerm(reader);
    if (!reader->fault) value = Check(reader, *sign == '+' ? value + term : value - term, PETSC_TRUE);
  }
  return value;
}

const char *InputParseExpression(const char *text, const char **rest, PetscReal *value)
{
  Reader          reader = {.at = text};
  const PetscReal number = ReadSum(&reader);

  if (reader.fault) return reader.fault;
  SkipBlanks(&reader);
  *rest  = reader.at;
  *value = number;
  return NULL;
}
