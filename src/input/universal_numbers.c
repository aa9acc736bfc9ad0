/* universal_numbers.c - the numbers of a function of a universal file, written as text or as they are in memory. */
#include "universal.h"
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NUMBER = 40 };

/* Where the next number is looked for. */
typedef struct {
  const UniversalFile *file;
  size_t               next, end, line_start;
  PetscInt             line;
  PetscBool            fine;
} Scanner;

static PetscErrorCode ComplainAt(Scanner *scanner, const char *message, const char *found, const char *hint)
{
  const Place place = {.file = scanner->file->file, .line = scanner->line, .column = (PetscInt)(scanner->next - scanner->line_start) + 1};

  PetscFunctionBegin;
  scanner->fine = PETSC_FALSE;
  PetscCall(InputComplainAt(scanner->file->document, place, "%s%s%s", message, found, hint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void SkipBlanks(Scanner *scanner)
{
  for (const char *text = scanner->file->bytes.text; scanner->next < scanner->end && isspace((unsigned char)text[scanner->next]); scanner->next++) {
    if (text[scanner->next] != '\n') continue;
    scanner->line++;
    scanner->line_start = scanner->next + 1;
  }
}

/* A number ends at a blank, and at a sign that is not that of an exponent: fields of fixed width may touch. FORTRAN's exponent may be a D. */
static size_t CopyNumber(const Scanner *scanner, char text[MAX_NUMBER])
{
  const char *const begin  = scanner->file->bytes.text + scanner->next;
  const size_t      room   = scanner->end - scanner->next;
  size_t            length = 0;

  for (; length < room && !isspace((unsigned char)begin[length]); length++) {
    const PetscBool sign = (PetscBool)(begin[length] == '-' || begin[length] == '+');

    if (sign && length > 0 && !strchr("eEdD", begin[length - 1])) break;
    if (length + 1 < MAX_NUMBER) text[length] = begin[length] == 'D' || begin[length] == 'd' ? 'E' : begin[length];
  }
  text[PetscMin(length, (size_t)MAX_NUMBER - 1)] = '\0';
  return length;
}

static PetscErrorCode NextNumber(Scanner *scanner, PetscReal *value)
{
  char        text[MAX_NUMBER];
  const char *fault;
  size_t      length;

  PetscFunctionBegin;
  SkipBlanks(scanner);
  length = CopyNumber(scanner, text);
  fault  = length ? InputParseNumber(text, value) : NULL;
  if (length == 0 || (strcmp(text, "-1") == 0 && scanner->next == scanner->line_start + 4))
    PetscCall(ComplainAt(scanner, "the dataset ends before its last number", "", ""));
  else if (fault) PetscCall(ComplainAt(scanner, "expected a number, found ", InputQuote(text).text, fault));
  scanner->next += length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt UniversalParts(const UniversalFunction *function)
{
  return function->is_complex ? 2 : 1;
}

static PetscErrorCode ReadText(const UniversalFile *file, const UniversalFunction *function, PetscReal times[], PetscReal values[], PetscBool *fine)
{
  Scanner scanner = {.file = file, .next = function->begin, .end = function->end, .line_start = function->begin, .line = function->line};

  PetscFunctionBegin;
  scanner.fine = PETSC_TRUE;
  for (PetscInt i = 0; i < function->count && scanner.fine; i++) {
    if (!function->even) PetscCall(NextNumber(&scanner, &times[i]));
    for (PetscInt k = 0; k < UniversalParts(function) && scanner.fine; k++)
      PetscCall(NextNumber(&scanner, &values[i * UniversalParts(function) + k]));
  }
  *fine = scanner.fine;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The number at these bytes, of four or eight of them. */
static PetscReal Decode(const char *bytes, size_t size, PetscBool big_endian)
{
  uint64_t bits = 0;
  uint32_t short_bits;
  float    single;
  double   number;

  for (size_t i = 0; i < size; i++) bits |= (uint64_t)(unsigned char)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
  if (size == sizeof number) {
    memcpy(&number, &bits, sizeof number);
    return number;
  }
  short_bits = (uint32_t)bits;
  memcpy(&single, &short_bits, sizeof single);
  return (PetscReal)single;
}

/* The numbers of a sample: its time, where they are uneven, and its value. False where one is not finite. */
static PetscBool DecodeSample(const UniversalFunction *function, size_t time_width, const char *next, PetscReal *time, PetscReal values[])
{
  const size_t width = function->twice_as_long ? 8 : 4;
  PetscBool    fine  = PETSC_TRUE;

  if (time_width) *time = Decode(next, time_width, function->big_endian);
  if (time_width && PetscIsInfOrNanReal(*time)) fine = PETSC_FALSE;
  for (PetscInt k = 0; k < UniversalParts(function); k++) {
    values[k] = Decode(next + time_width + (size_t)k * width, width, function->big_endian);
    if (PetscIsInfOrNanReal(values[k])) fine = PETSC_FALSE;
  }
  return fine;
}

/* Uneven times have the precision of the values, or are single beside double values: the number of bytes tells. */
static PetscErrorCode ReadBinary(const UniversalFile *file, const UniversalFunction *function, PetscReal times[], PetscReal values[], PetscBool *fine)
{
  const PetscInt parts = UniversalParts(function);
  const size_t   width = function->twice_as_long ? 8 : 4, value_width = (size_t)parts * width;
  const size_t   count = (size_t)function->count, num_bytes = function->end - function->begin;
  const size_t   time_width = function->even ? 0 : num_bytes == count * (4 + value_width) ? 4 : width;
  const char    *next       = file->bytes.text + function->begin;
  const Place    place      = {.file = file->file, .line = function->line, .column = 1};

  PetscFunctionBegin;
  *fine = (PetscBool)(num_bytes == count * (time_width + value_width));
  if (!*fine)
    PetscCall(InputComplainAt(file->document, place, "expected %zu bytes for %zu samples, the header says %zu", count * (time_width + value_width),
                              count, num_bytes));
  for (size_t i = 0; i < count && *fine; i++, next += time_width + value_width) {
    *fine = DecodeSample(function, time_width, next, &times[i], values + i * (size_t)parts);
    if (!*fine) PetscCall(InputComplainAt(file->document, place, "numbers must be finite: sample %zu is not", i + 1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UniversalReadNumbers(const UniversalFile *file, const UniversalFunction *function, PetscReal times[], PetscReal values[],
                                    PetscBool *fine)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; function->even && i < function->count; i++) times[i] = function->start + (PetscReal)i * function->step;
  if (function->binary) PetscCall(ReadBinary(file, function, times, values, fine));
  else PetscCall(ReadText(file, function, times, values, fine));
  PetscFunctionReturn(PETSC_SUCCESS);
}
