/* scanner.h - the bytes of a mesh file, read from first to last: numbers alike whether they are text or binary, and the texts
   between them. The first fault ends the reading: all that is read from then on is zero, and loops look at ScanFailed. */
#pragma once
#include "base.h"

enum { SCAN_WORD = 64, SCAN_FAULT = 400 };

typedef struct {
  const char *start, *at, *end;
  PetscBool   binary, swapped; /* swapped: written on a machine of the other byte order */
  PetscBool   short_sizes;     /* those of 4 bytes */
  const char *fault_at;        /* NULL: none so far */
  char        fault[SCAN_FAULT];
} Scanner;

Scanner   ScannerOf(const char *bytes, size_t size);
PetscBool ScanFailed(const Scanner *scanner);
void      ScanFail(Scanner *scanner, const char *at, const char *format, ...) PETSC_ATTRIBUTE_FORMAT(3, 4);
void      ScanFailExpected(Scanner *scanner, const char *expected); /* here; says what is found */

/* Where it stands, blanks before a text skipped. */
const char *ScanHere(Scanner *scanner);

/* Numbers: binary ones have 4 bytes (Int) or 8 (Real; Size, if they are not short). `what` is what they are: "a node tag". */
void ScanInts(Scanner *scanner, const char *what, PetscInt count, PetscInt64 values[]);
void ScanSizes(Scanner *scanner, const char *what, PetscInt count, PetscInt64 values[]);
void ScanReals(Scanner *scanner, const char *what, PetscInt count, PetscReal values[]);
void ScanTextInts(Scanner *scanner, const char *what, PetscInt count, PetscInt64 values[]); /* text even in a binary file */

/* Refuses a count of `things` that the rest of the file cannot hold, each having so many numbers and, if binary, bytes. */
PetscInt ScanCheckCount(Scanner *scanner, const char *at, PetscInt64 count, const char *things, PetscInt numbers, PetscInt bytes);

/* Texts: "$Name" (false at the end of the file), the rest of a line, a word, "$EndName". */
PetscBool   ScanSection(Scanner *scanner, char name[SCAN_WORD]);
void        ScanEndOfLine(Scanner *scanner);
const char *ScanLine(Scanner *scanner, size_t *length); /* not ended by a NUL */
void        ScanWord(Scanner *scanner, char word[SCAN_WORD]);
void        ScanSectionEnd(Scanner *scanner, const char *name);
void        ScanSkipSection(Scanner *scanner, const char *name);

/* Whether the next byte but blanks is this one; none is read. */
PetscBool ScanNextIs(Scanner *scanner, char byte);
