/* scanner.c - the bytes of a mesh file, read from first to last. */
#include "scanner.h"
#include "number.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

Scanner ScannerOf(const char *bytes, size_t size)
{
  return (Scanner){.start = bytes, .at = bytes, .end = bytes + size};
}

PetscBool ScanFailed(const Scanner *scanner)
{
  return scanner->fault_at ? PETSC_TRUE : PETSC_FALSE;
}

void ScanFail(Scanner *scanner, const char *at, const char *format, ...)
{
  va_list arguments;

  if (scanner->fault_at) return;
  scanner->fault_at = at;
  va_start(arguments, format);
  vsnprintf(scanner->fault, sizeof scanner->fault, format, arguments);
  va_end(arguments);
}

static PetscBool IsBlank(char c)
{
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' ? PETSC_TRUE : PETSC_FALSE;
}

static const char *SkipBlanks(const char *at, const char *end)
{
  while (at < end && IsBlank(*at)) at++;
  return at;
}

const char *ScanHere(Scanner *scanner)
{
  if (!scanner->binary) scanner->at = SkipBlanks(scanner->at, scanner->end);
  return scanner->at;
}

void ScanFailExpected(Scanner *scanner, const char *expected)
{
  enum { SHOWN = 40 };
  const char *const at          = SkipBlanks(scanner->at, scanner->end);
  char              word[SHOWN] = "";
  size_t            length      = 0;

  for (; length < SHOWN - 1 && at + length < scanner->end && !IsBlank(at[length]); length++)
    word[length] = at[length] > ' ' && at[length] < 0x7F ? at[length] : '?';
  if (length) ScanFail(scanner, at, "expected %s, found '%s'", expected, word);
  else ScanFail(scanner, at, "expected %s, found the end of the file", expected);
}

/* Text. */

void ScanTextInts(Scanner *scanner, const char *what, PetscInt count, PetscInt64 values[])
{
  for (PetscInt i = 0; i < count; i++) {
    values[i] = 0;
    if (scanner->fault_at) continue;
    scanner->at           = SkipBlanks(scanner->at, scanner->end);
    const char *const end = NumberScanInt(scanner->at, scanner->end, &values[i]);

    if (end && (end == scanner->end || IsBlank(*end))) scanner->at = end;
    else ScanFailExpected(scanner, what);
  }
}

static void ScanTextReals(Scanner *scanner, const char *what, PetscInt count, PetscReal values[])
{
  for (PetscInt i = 0; i < count; i++) {
    values[i] = 0;
    if (scanner->fault_at) continue;
    scanner->at           = SkipBlanks(scanner->at, scanner->end);
    const char *const end = NumberScanReal(scanner->at, scanner->end, &values[i]);

    if (end && (end == scanner->end || IsBlank(*end))) scanner->at = end;
    else ScanFailExpected(scanner, what);
  }
}

/* Binary. */

/* Whether so many bytes are left: a fault if not. */
static PetscBool HasBytes(Scanner *scanner, const char *what, PetscInt count, size_t bytes)
{
  const size_t left = (size_t)(scanner->end - scanner->at);

  if (!scanner->fault_at && left / bytes < (size_t)count)
    ScanFail(scanner, scanner->at, "expected %s (%zu bytes), but the file ends after %zu", what, bytes * (size_t)count, left);
  return scanner->fault_at ? PETSC_FALSE : PETSC_TRUE;
}

static uint32_t Swap4(uint32_t x)
{
  return x >> 24 | (x >> 8 & 0xFF00u) | (x & 0xFF00u) << 8 | x << 24;
}

static uint64_t Load8(const Scanner *scanner, const char *at)
{
  uint64_t bits;

  memcpy(&bits, at, sizeof bits);
  return scanner->swapped ? (uint64_t)Swap4((uint32_t)bits) << 32 | Swap4((uint32_t)(bits >> 32)) : bits;
}

void ScanInts(Scanner *scanner, const char *what, PetscInt count, PetscInt64 values[])
{
  if (!scanner->binary) {
    ScanTextInts(scanner, what, count, values);
    return;
  }
  memset(values, 0, (size_t)count * sizeof *values);
  if (!HasBytes(scanner, what, count, 4)) return;
  for (PetscInt i = 0; i < count; i++, scanner->at += 4) {
    uint32_t bits;

    memcpy(&bits, scanner->at, sizeof bits);
    values[i] = (int32_t)(scanner->swapped ? Swap4(bits) : bits);
  }
}

void ScanSizes(Scanner *scanner, const char *what, PetscInt count, PetscInt64 values[])
{
  if (!scanner->binary || scanner->short_sizes) {
    ScanInts(scanner, what, count, values);
    return;
  }
  memset(values, 0, (size_t)count * sizeof *values);
  if (!HasBytes(scanner, what, count, 8)) return;
  for (PetscInt i = 0; i < count; i++, scanner->at += 8) values[i] = (PetscInt64)Load8(scanner, scanner->at);
}

void ScanReals(Scanner *scanner, const char *what, PetscInt count, PetscReal values[])
{
  if (!scanner->binary) {
    ScanTextReals(scanner, what, count, values);
    return;
  }
  memset(values, 0, (size_t)count * sizeof *values);
  if (!HasBytes(scanner, what, count, 8)) return;
  for (PetscInt i = 0; i < count; i++, scanner->at += 8) {
    const uint64_t bits = Load8(scanner, scanner->at);

    memcpy(&values[i], &bits, sizeof bits);
    if (PetscIsInfOrNanReal(values[i])) {
      values[i] = 0;
      ScanFail(scanner, scanner->at, "expected %s, found a number that is not finite", what);
      return;
    }
  }
}

PetscInt ScanCheckCount(Scanner *scanner, const char *at, PetscInt64 count, const char *things, PetscInt numbers, PetscInt bytes)
{
  /* The last number of a text needs no blank behind it. */
  const PetscInt64 left = scanner->end - scanner->at, room = scanner->binary ? left / bytes : (left + 1) / (2 * numbers);

  if (count < 0) ScanFail(scanner, at, "expected a number of %s, found %" PetscInt64_FMT, things, count);
  else if (count > room)
    ScanFail(scanner, at, "%" PetscInt64_FMT " %s are announced, but the rest of the file has room for %" PetscInt64_FMT " at most", count, things,
             room);
  else if (count > PETSC_MAX_INT / PetscMax(numbers, 3))
    ScanFail(scanner, at, "%" PetscInt64_FMT " %s are too many: this PETSc has indices of %d bits", count, things, (int)(8 * sizeof(PetscInt)));
  return scanner->fault_at ? 0 : (PetscInt)count;
}

/* Texts between the numbers. */

void ScanWord(Scanner *scanner, char word[SCAN_WORD])
{
  size_t length = 0;

  scanner->at = SkipBlanks(scanner->at, scanner->end);
  while (scanner->at < scanner->end && !IsBlank(*scanner->at) && length < SCAN_WORD - 1) word[length++] = *scanner->at++;
  word[length] = '\0';
}

PetscBool ScanSection(Scanner *scanner, char name[SCAN_WORD])
{
  scanner->at = SkipBlanks(scanner->at, scanner->end);
  if (scanner->fault_at || scanner->at == scanner->end) return PETSC_FALSE;
  if (*scanner->at != '$') {
    ScanFailExpected(scanner, "a section such as $Nodes");
    return PETSC_FALSE;
  }
  scanner->at++;
  ScanWord(scanner, name);
  return PETSC_TRUE;
}

const char *ScanLine(Scanner *scanner, size_t *length)
{
  const char *const line = scanner->at;
  const char *const feed = line < scanner->end ? memchr(line, '\n', (size_t)(scanner->end - line)) : NULL;
  const char       *end  = feed ? feed : scanner->end;

  scanner->at = feed ? feed + 1 : scanner->end;
  while (end > line && IsBlank(end[-1])) end--;
  *length = (size_t)(end - line);
  return line;
}

void ScanEndOfLine(Scanner *scanner)
{
  const char *const here = scanner->at;
  size_t            length;

  if (scanner->fault_at) return;
  (void)ScanLine(scanner, &length);
  if (length == 0) return;
  scanner->at = here;
  ScanFailExpected(scanner, "the end of the line");
}

/* Whether "$End" ("$END" in version 1) and the name stand at `at`, and nothing more in that word. */
static PetscBool IsEndOf(const Scanner *scanner, const char *at, const char *name)
{
  const size_t length = strlen(name), left = (size_t)(scanner->end - at);

  if (left < length + 4 || memcmp(at + 4, name, length) != 0) return PETSC_FALSE;
  if (memcmp(at, "$End", 4) != 0 && memcmp(at, "$END", 4) != 0) return PETSC_FALSE;
  return left == length + 4 || IsBlank(at[length + 4]) ? PETSC_TRUE : PETSC_FALSE;
}

void ScanSectionEnd(Scanner *scanner, const char *name)
{
  char expected[SCAN_WORD + 64];

  if (scanner->fault_at) return;
  scanner->at = SkipBlanks(scanner->at, scanner->end);
  if (IsEndOf(scanner, scanner->at, name)) {
    scanner->at += 4 + strlen(name);
  } else {
    snprintf(expected, sizeof expected, "$End%s, as all it announced is read", name);
    ScanFailExpected(scanner, expected);
  }
}

void ScanSkipSection(Scanner *scanner, const char *name)
{
  const char *const start = scanner->at;

  while (scanner->at < scanner->end) {
    const char *const found = memchr(scanner->at, '$', (size_t)(scanner->end - scanner->at));

    if (!found) break;
    scanner->at = found + 1;
    if (!IsEndOf(scanner, found, name)) continue;
    scanner->at = found + 4 + strlen(name);
    return;
  }
  scanner->at = scanner->end;
  ScanFail(scanner, start, "section $%s has no end: the file ends before $End%s", name, name);
}

PetscBool ScanNextIs(Scanner *scanner, char byte)
{
  const char *const at = SkipBlanks(scanner->at, scanner->end);

  return (PetscBool)(at < scanner->end && *at == byte);
}
