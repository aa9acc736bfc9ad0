/* polynomial_term.c - the terms x^i v^j of polynomials of displacement and velocity, and their names. */
#include "post/loops.h"
#include <stdlib.h>

PetscInt PolynomialTriangle(PetscInt order, PolynomialTerm terms[])
{
  PetscInt count = 0;

  for (PetscInt row = 1; row <= order; row++)
    for (PetscInt v = 0; v <= row; v++, count++)
      if (terms) terms[count] = (PolynomialTerm){row - v, v};
  return count;
}

/* Appends the letter and its exponent; an exponent of 1 is not written. */
static void AddPower(char letter, PetscInt exponent, char **end)
{
  if (exponent == 0) return;
  *(*end)++ = letter;
  if (exponent >= 10) *(*end)++ = (char)('0' + exponent / 10);
  if (exponent > 1) *(*end)++ = (char)('0' + exponent % 10);
}

void PolynomialTermName(PolynomialTerm term, char name[POLYNOMIAL_NAME_LENGTH])
{
  char *end = name;

  AddPower('x', term.x, &end);
  AddPower('v', term.v, &end);
  *end = '\0';
}

/* Reads a power of this letter, if there is one. An exponent has one form only: no leading 0, no 1, no sign. */
static PetscInt ParsePower(char letter, const char **text)
{
  const char *digits = *text + 1;
  char       *end;
  long        exponent;

  if (**text != letter) return 0;
  *text = digits;
  if (*digits < '1' || *digits > '9') return 1;
  exponent = strtol(digits, &end, 10);
  *text    = exponent > 1 && exponent <= POLYNOMIAL_MAX_ORDER ? end : digits;
  return (PetscInt)exponent;
}

PetscBool PolynomialTermParse(const char *name, PolynomialTerm *term)
{
  const char *rest = name;

  term->x = ParsePower('x', &rest);
  term->v = ParsePower('v', &rest);
  return (PetscBool)(*rest == '\0' && term->x + term->v >= 1 && term->x + term->v <= POLYNOMIAL_MAX_ORDER);
}
