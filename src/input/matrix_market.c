/* matrix_market.c - Matrix Market files [boisvert1996]: matrices as lists of entries or column by column. */
#include "input_private.h"
#include <ctype.h>
#include <string.h>

enum { MAX_WORD = 120, MAX_WORDS = 5 };

/* A word of a line, with its place. A word that is too long is cut, and is then not a number. */
typedef struct {
  PetscInt column;
  char     text[MAX_WORD];
} Word;

typedef struct {
  InputDocument *document;
  const char    *file, *next, *end; /* `next` is where the next line starts */
  PetscInt       line;
  PetscBool      array, symmetric, fine;
  PetscInt       listed; /* numbers or entries that must follow */
  InputMatrix   *matrix;
} Reader;

static PetscErrorCode ComplainAt(Reader *reader, PetscInt column, const char *message, const char *found, const char *hint)
{
  const Place place = {.file = reader->file, .line = reader->line, .column = PetscMax(1, column)};

  PetscFunctionBegin;
  reader->fine = PETSC_FALSE;
  PetscCall(InputComplainAt(reader->document, place, "%s%s%s", message, found, hint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The words of a line, lower case; their number, MAX_WORDS for more. */
static PetscInt Split(const char *line, const char *end, Word words[MAX_WORDS])
{
  PetscInt count = 0;

  for (const char *c = line; c < end && count < MAX_WORDS;) {
    Word  *word   = &words[count];
    size_t length = 0;

    while (c < end && isspace((unsigned char)*c)) c++;
    word->column = (PetscInt)(c - line) + 1;
    for (; c < end && !isspace((unsigned char)*c); c++)
      if (length + 1 < MAX_WORD) word->text[length++] = (char)tolower((unsigned char)*c);
    word->text[length] = '\0';
    count += length > 0;
  }
  return count;
}

/* The words of the next line that has any and is no comment; 0 at the end of the file. */
static PetscInt NextLine(Reader *reader, Word words[MAX_WORDS])
{
  while (reader->next < reader->end) {
    const char *const line = reader->next, *const newline = memchr(line, '\n', (size_t)(reader->end - line));
    const char *const end   = newline ? newline : reader->end;
    const PetscInt    count = line[0] == '%' && reader->line > 0 ? 0 : Split(line, end, words);

    reader->next = newline ? newline + 1 : reader->end;
    reader->line++;
    if (count || reader->line == 1) return count;
  }
  reader->line++; /* the place of what is missing */
  return 0;
}

/* %%MatrixMarket matrix coordinate|array real|integer|double general|symmetric */
static PetscErrorCode ReadBanner(Reader *reader)
{
  static const char *const shapes[] = {"array", "coordinate", NULL}, *const kinds[] = {"real", "integer", "double", NULL};
  static const char *const forms[] = {"general", "symmetric", NULL}, *const *const allowed[] = {shapes, kinds, forms};
  Word words[MAX_WORDS];

  PetscFunctionBegin;
  if (NextLine(reader, words) != MAX_WORDS || strcmp(words[0].text, "%%matrixmarket") != 0 || strcmp(words[1].text, "matrix") != 0) {
    PetscCall(ComplainAt(reader, 1, "is no Matrix Market file: expected a first line like %%MatrixMarket matrix coordinate real symmetric", "", ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < 3 && reader->fine; i++) {
    const Word *const word = &words[i + 2];
    PetscInt          k    = 0;

    while (allowed[i][k] && strcmp(word->text, allowed[i][k]) != 0) k++;
    if (i == 0) reader->array = (PetscBool)(k == 0);
    if (i == 2) reader->symmetric = (PetscBool)(k == 1);
    if (!allowed[i][k])
      PetscCall(ComplainAt(reader, word->column, "cannot use a matrix that is ", InputQuote(word->text).text,
                           "; it must be coordinate or array, real or integer, general or symmetric"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadWhole(Reader *reader, const Word *word, PetscInt least, PetscInt most, PetscInt *value)
{
  PetscInt    whole = 0;
  PetscBool   number;
  const char *fault = InputParseWhole(word->text, &whole, &number);
  char        message[96];

  PetscFunctionBegin;
  if (!fault && (whole < least || whole > most)) fault = "";
  if (!fault) *value = whole;
  if (!fault || !reader->fine) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSNPrintf(message, sizeof message, "expected a whole number from %" PetscInt_FMT " to %" PetscInt_FMT ", found ", least, most));
  PetscCall(ComplainAt(reader, word->column, message, InputQuote(word->text).text, fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A number takes at least two bytes, which bounds how many the file can hold, whatever its header says. */
static PetscErrorCode ReadSize(Reader *reader)
{
  const PetscInt   wanted = reader->array ? 2 : 3;
  const PetscInt64 room   = (reader->end - reader->next) / 2;
  InputMatrix     *matrix = reader->matrix;
  Word             words[MAX_WORDS];
  PetscInt64       listed;

  PetscFunctionBegin;
  if (NextLine(reader, words) != wanted) {
    PetscCall(ComplainAt(reader, 1, reader->array ? "expected the numbers of rows and columns" : "expected the numbers of rows, columns and entries",
                         "", ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(ReadWhole(reader, &words[0], 1, INPUT_MAX_SIZE, &matrix->rows));
  PetscCall(ReadWhole(reader, &words[1], 1, INPUT_MAX_SIZE, &matrix->columns));
  if (!reader->array) PetscCall(ReadWhole(reader, &words[2], 0, PETSC_MAX_INT, &reader->listed));
  if (!reader->fine) PetscFunctionReturn(PETSC_SUCCESS);
  listed = (PetscInt64)matrix->rows * (reader->symmetric ? matrix->rows + 1 : 2 * (PetscInt64)matrix->columns) / 2;
  if (!reader->array) listed = reader->listed;
  if (reader->symmetric && matrix->rows != matrix->columns) PetscCall(ComplainAt(reader, 1, "a symmetric matrix must be square", "", ""));
  else if (listed > room) PetscCall(ComplainAt(reader, 1, "promises more numbers than the file can hold", "", ""));
  else reader->listed = (PetscInt)listed;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void AddEntry(const Reader *reader, PetscInt i, PetscInt j, PetscReal value)
{
  InputMatrixAdd(reader->matrix, i, j, value);
  if (reader->symmetric && i != j) InputMatrixAdd(reader->matrix, j, i, value);
}

/* row column value, counted from 1; or a value alone. */
static PetscErrorCode ReadEntry(Reader *reader, PetscInt place[2])
{
  const InputMatrix *matrix = reader->matrix;
  const PetscInt     wanted = reader->array ? 1 : 3;
  Word               words[MAX_WORDS];
  const PetscInt     count = NextLine(reader, words);
  PetscReal          value = 0.0;
  const char        *fault;

  PetscFunctionBegin;
  if (count == 0) PetscCall(ComplainAt(reader, 1, "the file ends before its last number", "", ""));
  else if (count != wanted) PetscCall(ComplainAt(reader, 1, reader->array ? "expected one number" : "expected row, column and value", "", ""));
  if (!reader->fine) PetscFunctionReturn(PETSC_SUCCESS);
  if (!reader->array) PetscCall(ReadWhole(reader, &words[0], 1, matrix->rows, &place[0]));
  if (!reader->array) PetscCall(ReadWhole(reader, &words[1], 1, matrix->columns, &place[1]));
  if (!reader->array && reader->symmetric && reader->fine && place[0] < place[1])
    PetscCall(ComplainAt(reader, 1, "is above the diagonal: of a symmetric matrix only the lower triangle is listed", "", ""));
  fault = InputParseNumber(words[wanted - 1].text, &value);
  if (fault && reader->fine)
    PetscCall(ComplainAt(reader, words[wanted - 1].column, "expected a number, found ", InputQuote(words[wanted - 1].text).text, fault));
  if (reader->fine) AddEntry(reader, place[0] - 1, place[1] - 1, value);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadEntries(Reader *reader)
{
  PetscInt place[2] = {1, 1};
  Word     words[MAX_WORDS];

  PetscFunctionBegin;
  PetscCall(InputMatrixReserve(reader->matrix, reader->symmetric ? 2 * reader->listed : reader->listed));
  for (PetscInt e = 0; e < reader->listed && reader->fine; e++) {
    PetscCall(ReadEntry(reader, place));
    if (!reader->array || place[0]++ < reader->matrix->rows) continue;
    place[1]++; /* the next column, of a symmetric matrix from the diagonal on */
    place[0] = reader->symmetric ? place[1] : 1;
  }
  if (reader->fine && NextLine(reader, words) != 0)
    PetscCall(ComplainAt(reader, 1, "expected the end of the file: its last number has come", "", ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Parse(Reader *reader)
{
  PetscFunctionBegin;
  PetscCall(ReadBanner(reader));
  if (reader->fine) PetscCall(ReadSize(reader));
  if (reader->fine) PetscCall(ReadEntries(reader));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReadMatrixMarket(const InputNode *node, const char *path, InputMatrix *matrix)
{
  InputBytes bytes  = {0};
  Reader     reader = {.document = node->document, .file = path, .fine = PETSC_TRUE, .matrix = matrix};

  PetscFunctionBegin;
  *matrix = (InputMatrix){0};
  PetscCall(InputBytesRead(node->document, path, INPUT_MAX_TABLE_BYTES, "Matrix Market file", &bytes));
  if (bytes.fault) {
    reader.fine = PETSC_FALSE;
    PetscCall(InputComplain(node, "%s %s", InputQuote(path).text, bytes.fault));
  } else {
    PetscCall(InputRefuseNul(node->document, path, bytes.text, bytes.length, &reader.fine));
    reader.next = bytes.text;
    reader.end  = bytes.text + bytes.length;
    if (reader.fine) PetscCall(Parse(&reader));
  }
  PetscCall(InputBytesDestroy(&bytes));
  if (reader.fine) PetscCall(InputMatrixRecord(node, matrix));
  else PetscCall(InputMatrixDestroy(matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}
