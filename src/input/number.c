/* number.c - conversion of texts to numbers and back, independent of the locale. */
#include "input_private.h"
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 400 };

static size_t CountDigits(const char *text)
{
  return strspn(text, "0123456789");
}

/* Bytes of the decimal number that `text` begins with: sign, digits, point, exponent; 0 for none. */
static size_t MeasureNumber(const char *text)
{
  const size_t sign = text[0] == '+' || text[0] == '-', whole = CountDigits(text + sign);
  size_t       end = sign + whole, fraction = 0, exponent;

  if (text[end] == '.') {
    fraction = CountDigits(text + end + 1);
    end += 1 + fraction;
  }
  if (whole + fraction == 0) return 0;
  if (text[end] != 'e' && text[end] != 'E') return end;
  exponent = end + 1 + (text[end + 1] == '+' || text[end + 1] == '-');
  return CountDigits(text + exponent) ? exponent + CountDigits(text + exponent) : end;
}

static PetscBool EqualsAnyCase(const char *text, const char *lower)
{
  for (; *text && tolower((unsigned char)*text) == *lower; text++) lower++;
  return *text == *lower ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool IsNotFinite(const char *text)
{
  static const char *const names[] = {"nan", "inf", "infinity"};

  if (*text == '+' || *text == '-') text++;
  if (*text == '.') text++;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (EqualsAnyCase(text, names[i])) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* What was probably meant by a number followed by `rest`. */
static const char *ExplainRest(const char *text, const char *rest)
{
  const char *const digits = text + (*text == '+' || *text == '-');

  if (rest == digits + 1 && *digits == '0' && strchr("xXoObB", *rest)) return " - numbers are decimal";
  if (*rest == '_' || (*rest == '\'' && isdigit((unsigned char)rest[1]))) return " - digits are not grouped";
  if (*rest == ',' && isdigit((unsigned char)rest[1])) return " - the decimal mark is a point";
  if ((*rest == 'd' || *rest == 'D') && CountDigits(rest + 1 + (rest[1] == '+' || rest[1] == '-'))) return " - the exponent is written with e";
  if (strspn(rest, "eE+-.") == strlen(rest)) return "";
  while (*rest == ' ') rest++;
  return isalpha((unsigned char)*rest) || *rest == '%' || (unsigned char)*rest >= 0x80 ? INPUT_UNIT_NOTE : "";
}

/* The value of a text that is a decimal number; strtod expects the decimal mark of the locale. */
static PetscReal Convert(const char *text)
{
  const char *const mark = localeconv()->decimal_point, *const point = strchr(text, '.');
  const size_t before = point ? (size_t)(point - text) : 0;
  char         local[MAX_LENGTH + 16];

  if (!point || strcmp(mark, ".") == 0 || strlen(mark) > 8) return strtod(text, NULL);
  snprintf(local, sizeof local, "%.*s%s%s", (int)before, text, mark, point + 1);
  return strtod(local, NULL);
}

const char *InputParseLeading(const char *text, size_t *length, PetscReal *value)
{
  const char *const digits = text + (*text == '+' || *text == '-');
  char              number[MAX_LENGTH + 1];

  *length = MeasureNumber(text);
  if (*length == 0) return "";
  if (digits[0] == '0' && isdigit((unsigned char)digits[1])) return " - a leading zero could mean octal";
  if (*length > MAX_LENGTH) return " - it has too many digits";
  snprintf(number, sizeof number, "%.*s", (int)*length, text);
  *value = Convert(number);
  if (PetscAbsReal(*value) > PETSC_MAX_REAL) return " - it is too large";
  return *value == 0 && strcspn(number, "123456789") < strcspn(number, "eE") ? " - it is too small" : NULL;
}

const char *InputParseNumber(const char *text, PetscReal *value)
{
  const size_t length = MeasureNumber(text);
  PetscReal    number = 0;
  size_t       ignored;
  const char  *fault;

  if (IsNotFinite(text)) return " - it must be finite";
  if (length && text[length] != '\0') return ExplainRest(text, text + length);
  fault = InputParseLeading(text, &ignored, &number);
  if (!fault) *value = number;
  return fault;
}

const char *InputParseWhole(const char *text, PetscInt *value, PetscBool *number)
{
  const PetscReal   most  = PetscMin((PetscReal)PETSC_MAX_INT, 9007199254740992.0); /* beyond 2^53 a double skips numbers */
  PetscReal         real  = 0;
  const char *const fault = InputParseNumber(text, &real);

  *number = fault ? PETSC_FALSE : PETSC_TRUE;
  if (fault) return fault;
  if (PetscAbsReal(real) > most) return " - it is too large";
  if (real != PetscFloorReal(real)) return "";
  *value = (PetscInt)real;
  return NULL;
}
