/* matrix_market.c - Matrix Market files [boisvert1996]: matrices as lists of entries or column by column. */
#include "words.h"
#include <string.h>

enum { NUM_BANNER_WORDS = 5 };

typedef struct {
  InputLines   lines;
  PetscBool    array, symmetric;
  PetscInt     listed; /* numbers or entries that must follow */
  InputMatrix *matrix;
} Reader;

/* %%MatrixMarket matrix coordinate|array real|integer|double general|symmetric */
static PetscErrorCode ReadBanner(Reader *reader)
{
  static const char *const shapes[] = {"array", "coordinate", NULL}, *const kinds[] = {"real", "integer", "double", NULL};
  static const char *const forms[] = {"general", "symmetric", NULL}, *const *const allowed[] = {shapes, kinds, forms};
  InputWord words[INPUT_MAX_WORDS];

  PetscFunctionBegin;
  if (InputLinesNext(&reader->lines, words) != NUM_BANNER_WORDS || strcmp(words[0].text, "%%matrixmarket") != 0 ||
      strcmp(words[1].text, "matrix") != 0) {
    PetscCall(InputLinesComplain(&reader->lines, 1,
                                 "is no Matrix Market file: expected a first line like %%MatrixMarket matrix coordinate real symmetric", "", ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < 3 && reader->lines.fine; i++) {
    const InputWord *const word = &words[i + 2];
    PetscInt               k    = 0;

    while (allowed[i][k] && strcmp(word->text, allowed[i][k]) != 0) k++;
    if (i == 0) reader->array = (PetscBool)(k == 0);
    if (i == 2) reader->symmetric = (PetscBool)(k == 1);
    if (!allowed[i][k])
      PetscCall(InputLinesComplain(&reader->lines, word->column, "cannot use a matrix that is ", InputQuote(word->text).text,
                                   "; it must be coordinate or array, real or integer, general or symmetric"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A number takes at least two bytes, which bounds how many the file can hold, whatever its header says. */
static PetscErrorCode ReadSize(Reader *reader)
{
  const PetscInt   wanted = reader->array ? 2 : 3;
  const PetscInt64 room   = (reader->lines.end - reader->lines.next) / 2;
  InputMatrix     *matrix = reader->matrix;
  InputWord        words[INPUT_MAX_WORDS];
  PetscInt64       listed;

  PetscFunctionBegin;
  if (InputLinesNext(&reader->lines, words) != wanted) {
    PetscCall(InputLinesComplain(
      &reader->lines, 1, reader->array ? "expected the numbers of rows and columns" : "expected the numbers of rows, columns and entries", "", ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputLinesWhole(&reader->lines, &words[0], 1, INPUT_MAX_SIZE, &matrix->rows));
  PetscCall(InputLinesWhole(&reader->lines, &words[1], 1, INPUT_MAX_SIZE, &matrix->columns));
  if (!reader->array) PetscCall(InputLinesWhole(&reader->lines, &words[2], 0, PETSC_MAX_INT, &reader->listed));
  if (!reader->lines.fine) PetscFunctionReturn(PETSC_SUCCESS);
  listed = (PetscInt64)matrix->rows * (reader->symmetric ? matrix->rows + 1 : 2 * (PetscInt64)matrix->columns) / 2;
  if (!reader->array) listed = reader->listed;
  if (reader->symmetric && matrix->rows != matrix->columns)
    PetscCall(InputLinesComplain(&reader->lines, 1, "a symmetric matrix must be square", "", ""));
  else if (listed > room) PetscCall(InputLinesComplain(&reader->lines, 1, "promises more numbers than the file can hold", "", ""));
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
  InputWord          words[INPUT_MAX_WORDS];
  const PetscInt     count = InputLinesNext(&reader->lines, words);
  PetscReal          value = 0.0;
  const char        *fault;

  PetscFunctionBegin;
  if (count == 0) PetscCall(InputLinesComplain(&reader->lines, 1, "the file ends before its last number", "", ""));
  else if (count != wanted)
    PetscCall(InputLinesComplain(&reader->lines, 1, reader->array ? "expected one number" : "expected row, column and value", "", ""));
  if (!reader->lines.fine) PetscFunctionReturn(PETSC_SUCCESS);
  if (!reader->array) PetscCall(InputLinesWhole(&reader->lines, &words[0], 1, matrix->rows, &place[0]));
  if (!reader->array) PetscCall(InputLinesWhole(&reader->lines, &words[1], 1, matrix->columns, &place[1]));
  if (!reader->array && reader->symmetric && reader->lines.fine && place[0] < place[1])
    PetscCall(InputLinesComplain(&reader->lines, 1, "is above the diagonal: of a symmetric matrix only the lower triangle is listed", "", ""));
  fault = InputParseNumber(words[wanted - 1].text, &value);
  if (fault && reader->lines.fine)
    PetscCall(
      InputLinesComplain(&reader->lines, words[wanted - 1].column, "expected a number, found ", InputQuote(words[wanted - 1].text).text, fault));
  if (reader->lines.fine) AddEntry(reader, place[0] - 1, place[1] - 1, value);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadEntries(Reader *reader)
{
  PetscInt  place[2] = {1, 1};
  InputWord words[INPUT_MAX_WORDS];

  PetscFunctionBegin;
  PetscCall(InputMatrixReserve(reader->matrix, reader->symmetric ? 2 * reader->listed : reader->listed));
  for (PetscInt e = 0; e < reader->listed && reader->lines.fine; e++) {
    PetscCall(ReadEntry(reader, place));
    if (!reader->array || place[0]++ < reader->matrix->rows) continue;
    place[1]++; /* the next column, of a symmetric matrix from the diagonal on */
    place[0] = reader->symmetric ? place[1] : 1;
  }
  if (reader->lines.fine && InputLinesNext(&reader->lines, words) != 0)
    PetscCall(InputLinesComplain(&reader->lines, 1, "expected the end of the file: its last number has come", "", ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Parse(Reader *reader)
{
  PetscFunctionBegin;
  PetscCall(ReadBanner(reader));
  if (reader->lines.fine) PetscCall(ReadSize(reader));
  if (reader->lines.fine) PetscCall(ReadEntries(reader));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputParseMatrixMarket(const InputLines *lines, InputMatrix *matrix, PetscBool *fine)
{
  Reader reader = {.lines = *lines, .matrix = matrix};

  PetscFunctionBegin;
  PetscCall(Parse(&reader));
  *fine = reader.lines.fine;
  PetscFunctionReturn(PETSC_SUCCESS);
}
