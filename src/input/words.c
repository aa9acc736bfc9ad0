/* words.c - lines of a text file that another program wrote, word by word. */
#include "words.h"
#include <ctype.h>
#include <string.h>

static PetscBool Separates(const InputLines *lines, char c)
{
  return (PetscBool)(isspace((unsigned char)c) || (c && strchr(lines->separators, c)));
}

static PetscInt Split(const InputLines *lines, const char *line, const char *end, InputWord words[INPUT_MAX_WORDS])
{
  PetscInt count = 0;

  for (const char *c = line; c < end && count < INPUT_MAX_WORDS;) {
    InputWord *word   = &words[count];
    size_t     length = 0;

    while (c < end && Separates(lines, *c)) c++;
    word->column = (PetscInt)(c - line) + 1;
    for (; c < end && !Separates(lines, *c); c++)
      if (length + 1 < INPUT_MAX_WORD) word->text[length++] = (char)tolower((unsigned char)*c);
    word->text[length] = '\0';
    count += length > 0;
  }
  return count;
}

PetscInt InputLinesNext(InputLines *lines, InputWord words[INPUT_MAX_WORDS])
{
  while (lines->next < lines->end) {
    const char *const line = lines->next, *const newline = memchr(line, '\n', (size_t)(lines->end - line));
    const char *const end   = newline ? newline : lines->end;
    const PetscInt    count = line[0] == lines->comment && lines->line > 0 ? 0 : Split(lines, line, end, words);

    lines->next = newline ? newline + 1 : lines->end;
    lines->line++;
    if (count || lines->line == 1) return count;
  }
  lines->line++; /* the place of what is missing */
  return 0;
}

PetscInt InputLinesCount(const InputLines *lines)
{
  PetscInt count = 1;

  for (const char *c = lines->next; c && c < lines->end; c++) count += *c == '\n';
  return count;
}

PetscErrorCode InputLinesComplain(InputLines *lines, PetscInt column, const char *message, const char *found, const char *hint)
{
  const Place place = {.file = lines->file, .line = lines->line, .column = PetscMax(1, column)};

  PetscFunctionBegin;
  lines->fine = PETSC_FALSE;
  PetscCall(InputComplainAt(lines->document, place, "%s%s%s", message, found, hint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputLinesWhole(InputLines *lines, const InputWord *word, PetscInt least, PetscInt most, PetscInt *value)
{
  PetscInt    whole = 0;
  PetscBool   number;
  const char *fault = InputParseWhole(word->text, &whole, &number);
  char        message[96];

  PetscFunctionBegin;
  if (!fault && (whole < least || whole > most)) fault = "";
  if (!fault) *value = whole;
  if (!fault || !lines->fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSNPrintf(message, sizeof message, "expected a whole number from %" PetscInt_FMT " to %" PetscInt_FMT ", found ", least, most));
  PetscCall(InputLinesComplain(lines, word->column, message, InputQuote(word->text).text, fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputLinesReal(InputLines *lines, const InputWord *word, PetscReal *value)
{
  const char *const fault = InputParseNumber(word->text, value);

  PetscFunctionBegin;
  if (fault && lines->fine) PetscCall(InputLinesComplain(lines, word->column, "expected a number, found ", InputQuote(word->text).text, fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}
