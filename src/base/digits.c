/* digits.c - numbers as texts that read back the same. */
#include "base.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Digits DigitsOf(PetscReal value)
{
  const char *const mark = localeconv()->decimal_point;
  Digits            digits;
  char             *found;

  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits.text, sizeof digits.text, "%.*g", precision, value);
    if (strtod(digits.text, NULL) == value) break;
  }
  found = *mark ? strstr(digits.text, mark) : NULL;
  if (found) {
    memmove(found + 1, found + strlen(mark), strlen(found + strlen(mark)) + 1);
    *found = '.';
  }
  return digits;
}
