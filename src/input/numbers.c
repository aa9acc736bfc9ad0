/* numbers.c - files of numbers: lines of columns, read whole. */
#include "input_private.h"
#include <string.h>

enum { MAX_FIELD = 120 };

static const char blanks[] = " \t\r\v\f";

typedef struct {
  InputDocument *document;
  const char    *file;
  PetscInt       line, first_line; /* first_line: the first of numbers, 0 before */
  PetscBool      headed;           /* a heading has been read */
  PetscBool      faulty;           /* a fault of one line is usually that of all: only the first is reported */
  PetscInt       rows, columns;
  size_t         count, capacity;
  PetscReal     *values;
} Reader;

/* A line without its comment, and what separates its fields: ';', ',' or ' ' for blanks. */
typedef struct {
  const char *start, *end;
  char        separator;
} Line;

typedef struct {
  const char *start;
  size_t      length;
} Field;

static PetscBool IsBlank(char c)
{
  return c && strchr(blanks, c) ? PETSC_TRUE : PETSC_FALSE;
}

static const char *SkipBlanks(const char *c, const char *end)
{
  while (c < end && IsBlank(*c)) c++;
  return c;
}

/* The field at `*cursor`, trimmed, with `*cursor` moved behind it; false when there is none. */
static PetscBool NextField(const Line *line, const char **cursor, Field *field)
{
  const char *end;

  if (!*cursor) return PETSC_FALSE;
  field->start = SkipBlanks(*cursor, line->end);
  if (line->separator == ' ' && field->start == line->end) return PETSC_FALSE;
  for (end = field->start; end < line->end && (line->separator == ' ' ? !IsBlank(*end) : *end != line->separator);) end++;
  *cursor = end < line->end ? end + 1 : NULL;
  while (end > field->start && IsBlank(end[-1])) end--;
  field->length = (size_t)(end - field->start);
  return PETSC_TRUE;
}

static PetscErrorCode ComplainAt(Reader *reader, const Line *line, const char *at, const char *message, const char *found, const char *hint)
{
  const Place place = {.file = reader->file, .line = reader->line, .column = (PetscInt)(at - line->start) + 1};

  PetscFunctionBegin;
  reader->faulty = PETSC_TRUE;
  PetscCall(InputComplainAt(reader->document, place, "%s%s%s", message, found, hint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void CopyField(const Field *field, char text[MAX_FIELD])
{
  const size_t length = PetscMin(field->length, (size_t)MAX_FIELD - 1);

  memcpy(text, field->start, length);
  text[length] = '\0';
}

/* A heading holds nothing that is, or tries to be, a number. */
static PetscBool IsHeading(const Line *line)
{
  const char *cursor = line->start;
  Field       field;

  while (NextField(line, &cursor, &field)) {
    char        text[MAX_FIELD];
    PetscReal   value;
    const char *fault;

    CopyField(&field, text);
    fault = InputParseNumber(text, &value);
    if (!fault || *fault || field.length == 0) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscErrorCode AddNumber(Reader *reader, const Line *line, const Field *field)
{
  char        text[MAX_FIELD];
  PetscReal   value = 0;
  const char *fault;

  PetscFunctionBegin;
  CopyField(field, text);
  fault = field->length < MAX_FIELD ? InputParseNumber(text, &value) : " - it has too many digits";
  if (field->length == 0) PetscCall(ComplainAt(reader, line, field->start, "expected a number, found ", "nothing", ""));
  else if (fault) PetscCall(ComplainAt(reader, line, field->start, "expected a number, found ", InputQuote(text).text, fault));
  if (reader->count == reader->capacity) {
    reader->capacity = PetscMax(2 * reader->capacity, 256);
    PetscCall(PetscRealloc(reader->capacity * sizeof *reader->values, &reader->values));
  }
  reader->values[reader->count++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddRow(Reader *reader, const Line *line)
{
  const char *cursor  = line->start;
  PetscInt    columns = 0;
  Field       field;

  PetscFunctionBegin;
  for (; !reader->faulty && NextField(line, &cursor, &field); columns++) PetscCall(AddNumber(reader, line, &field));
  if (reader->faulty) PetscFunctionReturn(PETSC_SUCCESS);
  if (reader->first_line == 0) {
    reader->first_line = reader->line;
    reader->columns    = columns;
  }
  if (columns != reader->columns) {
    char message[120];

    PetscCall(PetscSNPrintf(message, sizeof message, "expected %" PetscInt_FMT " numbers as in line %" PetscInt_FMT ", found %" PetscInt_FMT,
                            reader->columns, reader->first_line, columns));
    PetscCall(ComplainAt(reader, line, line->start, message, "", ""));
  }
  reader->rows++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadLine(Reader *reader, const char *start, const char *end)
{
  const size_t      length  = (size_t)(end - start);
  const char *const comment = memchr(start, '#', length), *const stop = comment ? comment : end;
  const PetscBool semicolons = memchr(start, ';', (size_t)(stop - start)) ? PETSC_TRUE : PETSC_FALSE;
  const PetscBool commas     = memchr(start, ',', (size_t)(stop - start)) ? PETSC_TRUE : PETSC_FALSE;
  const Line      line       = {.start = start, .end = stop, .separator = semicolons ? ';' : commas ? ',' : ' '};

  PetscFunctionBegin;
  if (SkipBlanks(start, stop) == stop) PetscFunctionReturn(PETSC_SUCCESS);
  if (reader->first_line == 0 && !reader->headed && IsHeading(&line)) {
    reader->headed = PETSC_TRUE;
  } else if (semicolons && commas) {
    PetscCall(ComplainAt(reader, &line, memchr(start, ',', length), "commas and semicolons in one line; the decimal mark is a point", "", ""));
  } else {
    PetscCall(AddRow(reader, &line));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadLines(Reader *reader, const char *text, size_t length)
{
  const char *const end        = text + length;
  const char       *line_start = text;

  PetscFunctionBegin;
  while (line_start < end && !reader->faulty) {
    const char *const newline  = memchr(line_start, '\n', (size_t)(end - line_start));
    const char *const line_end = newline ? newline : end;

    reader->line++;
    PetscCall(ReadLine(reader, line_start, line_end));
    line_start = line_end + 1;
  }
  if (reader->rows == 0 && !reader->faulty) {
    reader->faulty = PETSC_TRUE;
    PetscCall(InputComplainAt(reader->document, (Place){.file = reader->file}, "holds no numbers"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputParseTable(const InputNode *node, const char *file, const char *text, size_t length, PetscInt *rows, PetscInt *columns,
                               const PetscReal **values)
{
  Reader     reader = {.document = node->document, .file = file};
  PetscReal *copy;
  PetscBool  fine;

  PetscFunctionBegin;
  *rows = *columns = 0;
  *values          = NULL;
  PetscCall(InputRefuseNul(node->document, file, text, length, &fine));
  if (!fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadLines(&reader, text, length));
  if (!reader.faulty && reader.values) {
    PetscCall(InputAllocate(node->document, reader.count * sizeof *copy, &copy));
    memcpy(copy, reader.values, reader.count * sizeof *copy);
    *rows    = reader.rows;
    *columns = reader.columns;
    *values  = copy;
    PetscCall(InputRecordContent(node, reader.rows, reader.columns, InputHash(INPUT_HASH_START, copy, reader.count * sizeof *copy)));
  }
  PetscCall(PetscFree(reader.values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReadTable(const InputNode *node, const char *path, PetscInt *rows, PetscInt *columns, const PetscReal **values)
{
  InputBytes bytes = {0};

  PetscFunctionBegin;
  *rows = *columns = 0;
  *values          = NULL;
  PetscCall(InputBytesRead(node->document, path, INPUT_MAX_TABLE_BYTES, "file of numbers", &bytes));
  if (bytes.fault) PetscCall(InputComplain(node, "%s %s", InputQuote(path).text, bytes.fault));
  else PetscCall(InputParseTable(node, path, bytes.text, bytes.length, rows, columns, values));
  PetscCall(InputBytesDestroy(&bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
