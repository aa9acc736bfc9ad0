/* universal.c - universal files: which functions there are, by the headers of datasets 58 and 58b [SDRC 1987]. */
#include "universal.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_HEADER_LINES = 11, LINE_LENGTH = 132 };

/* Where reading is: the next line. */
typedef struct {
  UniversalFile *file;
  size_t         next;
  PetscInt       line; /* number of the line that was read last */
  PetscBool      fine;
} Cursor;

static PetscErrorCode ComplainAt(Cursor *cursor, const char *message, const char *found)
{
  const Place place = {.file = cursor->file->file, .line = cursor->line, .column = 1};

  PetscFunctionBegin;
  cursor->fine = PETSC_FALSE;
  PetscCall(InputComplainAt(cursor->file->document, place, "%s%s", message, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next line, without its end, and blanks up to its full length; false at the end of the file. */
static PetscBool NextLine(Cursor *cursor, char line[LINE_LENGTH + 1])
{
  const InputBytes *bytes   = &cursor->file->bytes;
  const char       *start   = bytes->text + cursor->next;
  const char *const newline = cursor->next < bytes->length ? memchr(start, '\n', bytes->length - cursor->next) : NULL;
  size_t            length  = newline ? (size_t)(newline - start) : bytes->length - cursor->next;

  if (cursor->next >= bytes->length) return PETSC_FALSE;
  cursor->next += length + (newline != NULL);
  cursor->line++;
  memset(line, ' ', LINE_LENGTH);
  line[LINE_LENGTH] = '\0';
  while (length > 0 && (start[length - 1] == '\r' || start[length - 1] == '\0')) length--;
  memcpy(line, start, PetscMin(length, (size_t)LINE_LENGTH));
  return PETSC_TRUE;
}

static PetscBool IsDelimiter(const char line[])
{
  return (PetscBool)(strncmp(line, "    -1", 6) == 0 && line[6 + strspn(line + 6, " ")] == '\0');
}

/* Columns of a line, counted from 0, without the blanks around. "NONE" is how these files say nothing. */
static void CopyText(const char *line, size_t begin, size_t width, size_t size, char text[])
{
  while (width > 0 && line[begin] == ' ') begin++, width--;
  while (width > 0 && (line[begin + width - 1] == ' ' || line[begin + width - 1] == '\0')) width--;
  snprintf(text, size, "%.*s", (int)PetscMin(width, size - 1), line + begin);
  if (strcmp(text, "NONE") == 0) text[0] = '\0';
}

static PetscInt WholeAt(const char *line, size_t begin, size_t width)
{
  char text[UNIVERSAL_TEXT];

  CopyText(line, begin, width, sizeof text, text);
  return (PetscInt)strtol(text, NULL, 10);
}

/* The third of an axis: its label and its unit stand behind what it is. */
static PetscInt ReadAxis(const char *line, char unit[], size_t size)
{
  if (unit) CopyText(line, 47, 20, size, unit);
  return WholeAt(line, 0, 10);
}

/* Type of the numbers, how many, spacing, first abscissa and its increment. */
static PetscErrorCode ReadForm(Cursor *cursor, const char *line, UniversalFunction *function)
{
  const PetscInt type = WholeAt(line, 0, 10), spacing = WholeAt(line, 20, 10);
  char           text[2][UNIVERSAL_TEXT];

  PetscFunctionBegin;
  CopyText(line, 30, 13, sizeof text[0], text[0]);
  CopyText(line, 43, 13, sizeof text[1], text[1]);
  function->count         = WholeAt(line, 10, 10);
  function->is_complex    = (PetscBool)(type == 5 || type == 6);
  function->twice_as_long = (PetscBool)(type == 4 || type == 6);
  function->even          = (PetscBool)(spacing == 1);
  if (type != 2 && type != 4 && type != 5 && type != 6)
    PetscCall(ComplainAt(cursor, "expected the type of the numbers, 2, 4, 5 or 6, in columns 1 to 10, found ", InputQuote(line).text));
  else if (function->count < 1) PetscCall(ComplainAt(cursor, "expected the number of samples in columns 11 to 20, found ", InputQuote(line).text));
  else if ((size_t)function->count > cursor->file->bytes.length) PetscCall(ComplainAt(cursor, "promises more samples than the file can hold", ""));
  else if (spacing != 0 && spacing != 1)
    PetscCall(ComplainAt(cursor, "expected the spacing, 0 (uneven) or 1 (even), in columns 21 to 30, found ", InputQuote(line).text));
  else if (function->even && (InputParseNumber(text[0], &function->start) || InputParseNumber(text[1], &function->step)))
    PetscCall(ComplainAt(cursor, "expected the first abscissa and its increment in columns 31 to 56, found ", InputQuote(line).text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Five lines of text, which may be blank; what the function is and where; the form of its numbers; its axes. */
static PetscErrorCode ReadHeader(Cursor *cursor, UniversalFunction *function)
{
  char lines[NUM_HEADER_LINES][LINE_LENGTH + 1];

  PetscFunctionBegin;
  for (PetscInt i = 0; i < NUM_HEADER_LINES && cursor->fine; i++) {
    if (!NextLine(cursor, lines[i])) PetscCall(ComplainAt(cursor, "the file ends within the header of a function", ""));
    else if (IsDelimiter(lines[i])) PetscCall(ComplainAt(cursor, "expected eleven lines of header, found the end of the dataset", ""));
    else if (i == 6) PetscCall(ReadForm(cursor, lines[i], function));
  }
  if (!cursor->fine) PetscFunctionReturn(PETSC_SUCCESS);
  CopyText(lines[0], 0, UNIVERSAL_TEXT - 1, sizeof function->name, function->name);
  function->function = WholeAt(lines[5], 0, 5);
  CopyText(lines[5], 31, 10, sizeof function->entity, function->entity);
  function->node      = WholeAt(lines[5], 41, 10);
  function->direction = WholeAt(lines[5], 51, 4);
  function->abscissa  = ReadAxis(lines[7], NULL, 0);
  function->ordinate  = ReadAxis(lines[8], function->unit, sizeof function->unit);
  ReadAxis(lines[9], function->per, sizeof function->per);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `58b`, byte order (1: little), form of numbers (2: IEEE), lines of header, bytes of numbers. */
static PetscErrorCode ReadBinaryHeader(Cursor *cursor, const char *line, UniversalFunction *function)
{
  const PetscInt order = WholeAt(line, 7, 6), form = WholeAt(line, 13, 6), num_lines = WholeAt(line, 19, 12);
  const PetscInt num_bytes = WholeAt(line, 31, 12);

  PetscFunctionBegin;
  function->binary     = PETSC_TRUE;
  function->big_endian = (PetscBool)(order == 2);
  if ((order != 1 && order != 2) || form != 2)
    PetscCall(ComplainAt(cursor, "expected a byte order, 1 or 2, and numbers of IEEE 754, 2, found ", InputQuote(line).text));
  else if (num_lines != NUM_HEADER_LINES) PetscCall(ComplainAt(cursor, "expected eleven lines of header, found ", InputQuote(line).text));
  else PetscCall(ReadHeader(cursor, function));
  function->begin = cursor->next;
  function->end   = cursor->next + (size_t)PetscMax(num_bytes, 0);
  function->line  = cursor->line + 1;
  if (cursor->fine && (num_bytes < 1 || function->end > cursor->file->bytes.length))
    PetscCall(ComplainAt(cursor, "the file ends before the last of these numbers, ", function->name));
  if (!cursor->fine) PetscFunctionReturn(PETSC_SUCCESS);
  for (size_t i = cursor->next; i < function->end; i++) cursor->line += cursor->file->bytes.text[i] == '\n';
  cursor->next = function->end;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadFunction(Cursor *cursor, const char *line, PetscBool binary)
{
  UniversalFile    *file     = cursor->file;
  UniversalFunction function = {0};

  PetscFunctionBegin;
  if (binary) PetscCall(ReadBinaryHeader(cursor, line, &function));
  else PetscCall(ReadHeader(cursor, &function));
  if (!cursor->fine) PetscFunctionReturn(PETSC_SUCCESS);
  if (!binary) {
    function.begin = cursor->next;
    function.end   = file->bytes.length;
    function.line  = cursor->line + 1;
  }
  PetscCall(PetscRealloc(sizeof(function) * (size_t)(file->count + 1), &file->functions));
  file->functions[file->count++] = function;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Behind what units are and are called: how many of them make a metre. */
static PetscErrorCode ReadUnits(Cursor *cursor)
{
  char      line[LINE_LENGTH + 1], text[UNIVERSAL_TEXT];
  PetscReal factor;

  PetscFunctionBegin;
  if (!NextLine(cursor, line) || !NextLine(cursor, line)) PetscFunctionReturn(PETSC_SUCCESS);
  CopyText(line, 0, 25, sizeof text, text);
  for (char *c = text; *c; c++)
    if (*c == 'D' || *c == 'd') *c = 'E';
  if (!InputParseNumber(text, &factor) && factor > 0.0) cursor->file->length_factor = factor;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Between two lines of -1 lies a dataset, whose number comes first; those that are no functions are left out. */
static PetscErrorCode ReadDataset(Cursor *cursor)
{
  char     line[LINE_LENGTH + 1];
  PetscInt number;

  PetscFunctionBegin;
  if (!NextLine(cursor, line)) PetscFunctionReturn(PETSC_SUCCESS);
  number = WholeAt(line, 0, 6);
  if (number == 58) PetscCall(ReadFunction(cursor, line, (PetscBool)(line[6] == 'b')));
  if (number == 164) PetscCall(ReadUnits(cursor));
  while (cursor->fine && NextLine(cursor, line))
    if (IsDelimiter(line)) PetscFunctionReturn(PETSC_SUCCESS);
  if (cursor->fine) PetscCall(ComplainAt(cursor, "the file ends within a dataset: expected a line with -1 in columns 5 and 6", ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UniversalOpen(const InputNode *node, const char *path, UniversalFile *file)
{
  Cursor cursor = {.file = file, .fine = PETSC_TRUE};
  char   line[LINE_LENGTH + 1];

  PetscFunctionBegin;
  *file = (UniversalFile){.document = node->document, .file = path, .length_factor = 1.0};
  PetscCall(InputBytesRead(node->document, path, INPUT_MAX_TABLE_BYTES, "universal file", &file->bytes));
  if (file->bytes.fault) {
    PetscCall(InputComplain(node, "%s %s", InputQuote(path).text, file->bytes.fault));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  while (cursor.fine && NextLine(&cursor, line))
    if (IsDelimiter(line)) PetscCall(ReadDataset(&cursor));
  if (cursor.fine && file->count == 0) PetscCall(InputComplain(node, "%s holds no measured function (dataset 58 or 58b)", InputQuote(path).text));
  if (!cursor.fine) file->count = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode UniversalClose(UniversalFile *file)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(file->functions));
  PetscCall(InputBytesDestroy(&file->bytes));
  file->count = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}
