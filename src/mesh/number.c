/* number.c - decimal numbers, fast: exact in a few operations where that is possible, by strtod elsewhere. */
#include "number.h"
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 400, MAX_DIGITS = 18, EXACT_POWER = 22 };

static PetscBool IsDigit(char c)
{
  return c >= '0' && c <= '9' ? PETSC_TRUE : PETSC_FALSE;
}

const char *NumberScanInt(const char *at, const char *end, PetscInt64 *value)
{
  const PetscBool negative = at < end && *at == '-' ? PETSC_TRUE : PETSC_FALSE;
  const char     *digits;
  PetscInt64      number = 0;

  if (at < end && (*at == '-' || *at == '+')) at++;
  for (digits = at; at < end && IsDigit(*at); at++) {
    if (at - digits == MAX_DIGITS) return NULL;
    number = 10 * number + (*at - '0');
  }
  *value = negative ? -number : number;
  return at > digits ? at : NULL;
}

/* strtod on a copy, with the decimal mark of the locale. */
static const char *ScanSlowly(const char *start, const char *end, PetscReal *value)
{
  const size_t length = (size_t)(end - start);
  char         copy[MAX_LENGTH + 1], *point, *behind;

  if (length > MAX_LENGTH) return NULL;
  memcpy(copy, start, length);
  copy[length] = '\0';
  point        = strchr(copy, '.');
  if (point) *point = *localeconv()->decimal_point;
  *value = strtod(copy, &behind);
  return *behind || PetscIsInfOrNanReal(*value) ? NULL : end;
}

static const char *ScanExponent(const char *at, const char *end, PetscInt64 *exponent)
{
  *exponent = 0;
  return at < end && (*at == 'e' || *at == 'E') ? NumberScanInt(at + 1, end, exponent) : at;
}

const char *NumberScanReal(const char *at, const char *end, PetscReal *value)
{
  static const PetscReal powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *const      start                   = at;
  const PetscBool        negative                = at < end && *at == '-' ? PETSC_TRUE : PETSC_FALSE;
  const char            *digits, *point = NULL;
  PetscInt64             power, exponent;
  PetscInt               num_digits;
  uint64_t               mantissa = 0; /* wraps around when there are too many digits: then it is not used */

  if (at < end && (*at == '-' || *at == '+')) at++;
  for (digits = at; at < end && (IsDigit(*at) || (*at == '.' && !point)); at++) {
    if (*at == '.') point = at;
    else mantissa = 10 * mantissa + (uint64_t)(*at - '0');
  }
  num_digits = (PetscInt)(at - digits - (point ? 1 : 0));
  if (num_digits == 0) return NULL;
  power = point ? point + 1 - at : 0;
  at    = ScanExponent(at, end, &exponent);
  if (!at) return NULL;
  power += exponent;
  /* [Clinger 1990]: both factors are exact, so that the one rounding is right. */
  if (num_digits <= MAX_DIGITS && mantissa <= UINT64_C(1) << 53 && power >= -EXACT_POWER && power <= EXACT_POWER) {
    const PetscReal factor = (PetscReal)mantissa, size = power < 0 ? factor / powers[-power] : factor * powers[power];

    *value = negative ? -size : size;
    return at;
  }
  return ScanSlowly(start, at, value);
}
