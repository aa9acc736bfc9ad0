/* punch.c - matrices of a Nastran punch file: DMIG entries in large fields, as programs write them. */
#include <ctype.h>
#include <string.h>
#include "words.h"

enum { KEYWORD = 8, WIDTH = 16, MAX_NODE = PETSC_MAX_INT / 10 - 1, NUM_COMPONENTS = 6, SQUARE = 1, SYMMETRIC = 6, MAX_REAL = 2 };

typedef struct {
  InputLines   lines;
  const char  *wanted, *line, *line_end;
  PetscBool    found, within; /* its header has been there; the column that is being read is one of it */
  PetscInt     column;        /* its label */
  InputMatrix *matrix;
  InputBuffer  names; /* of all matrices of the file */
} Punch;

/* Columns of the line from `begin` on, without blanks around, lower case; FORTRAN's exponent D becomes an E in numbers. */
static InputWord FieldAt(const Punch *punch, PetscInt begin, PetscInt width)
{
  const PetscInt length = (PetscInt)(punch->line_end - punch->line), end = PetscMin(begin + width, length);
  InputWord      word  = {.column = begin + 1};
  PetscInt       count = 0;

  for (PetscInt i = begin; i < end; i++)
    if (!isspace((unsigned char)punch->line[i])) word.text[count++] = (char)tolower((unsigned char)punch->line[i]);
  return word;
}

static PetscErrorCode ReadLabel(Punch *punch, PetscInt begin, PetscInt *label)
{
  const InputWord node = FieldAt(punch, begin, WIDTH), component = FieldAt(punch, begin + WIDTH, WIDTH);
  PetscInt        number = 1, direction = 1;

  PetscFunctionBegin;
  PetscCall(InputLinesWhole(&punch->lines, &node, 1, MAX_NODE, &number));
  PetscCall(InputLinesWhole(&punch->lines, &component, 1, NUM_COMPONENTS, &direction));
  *label = InputLabel(number, direction);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* DMIG, name, 0, form, type, ... in fields of eight columns. */
static PetscErrorCode ReadHeader(Punch *punch)
{
  const InputWord name = FieldAt(punch, KEYWORD, KEYWORD), form = FieldAt(punch, 3 * KEYWORD, KEYWORD), type = FieldAt(punch, 4 * KEYWORD, KEYWORD);
  PetscInt        number = 0;

  PetscFunctionBegin;
  punch->within = PETSC_FALSE;
  PetscCall(InputBufferPrint(&punch->names, "%s%s", punch->names.length ? ", " : "", name.text));
  if (strcmp(name.text, punch->wanted) != 0) PetscFunctionReturn(PETSC_SUCCESS);
  punch->found = PETSC_TRUE;
  PetscCall(InputLinesWhole(&punch->lines, &form, SQUARE, SYMMETRIC, &number));
  if (punch->lines.fine && number != SQUARE && number != SYMMETRIC)
    PetscCall(
      InputLinesComplain(&punch->lines, form.column, "expected a square (1) or symmetric (6) matrix, found form ", InputQuote(form.text).text, ""));
  PetscCall(InputLinesWhole(&punch->lines, &type, 1, MAX_REAL, &number)); /* real numbers */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* DMIG*, name, node and component of the column. */
static PetscErrorCode ReadColumn(Punch *punch)
{
  const InputWord name = FieldAt(punch, KEYWORD, WIDTH);

  PetscFunctionBegin;
  punch->within = (PetscBool)(strcmp(name.text, punch->wanted) == 0);
  if (punch->within) PetscCall(ReadLabel(punch, KEYWORD + WIDTH, &punch->column));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* *, node and component of the row, value. */
static PetscErrorCode ReadEntry(Punch *punch)
{
  InputMatrix *const matrix = punch->matrix;
  InputWord          value  = FieldAt(punch, KEYWORD + 2 * WIDTH, WIDTH);

  PetscFunctionBegin;
  for (char *c = value.text; *c; c++)
    if (*c == 'd') *c = 'e';
  matrix->column[matrix->count] = punch->column;
  PetscCall(ReadLabel(punch, KEYWORD, &matrix->row[matrix->count]));
  PetscCall(InputLinesReal(&punch->lines, &value, &matrix->value[matrix->count]));
  matrix->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadLines(Punch *punch)
{
  PetscFunctionBegin;
  while (punch->lines.next < punch->lines.end && punch->lines.fine) {
    const char *const newline = memchr(punch->lines.next, '\n', (size_t)(punch->lines.end - punch->lines.next));
    InputWord         word;

    punch->line       = punch->lines.next;
    punch->line_end   = newline ? newline : punch->lines.end;
    punch->lines.next = newline ? newline + 1 : punch->lines.end;
    punch->lines.line++;
    word = FieldAt(punch, 0, KEYWORD);
    if (strcmp(word.text, "dmig") == 0) PetscCall(ReadHeader(punch));
    else if (strcmp(word.text, "dmig*") == 0) PetscCall(ReadColumn(punch));
    else if (word.text[0] == '*' && punch->within) PetscCall(ReadEntry(punch));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Parse(const InputNode *node, Punch *punch)
{
  PetscFunctionBegin;
  PetscCall(InputMatrixReserve(punch->matrix, 2 * InputLinesCount(&punch->lines))); /* for their mirror images */
  PetscCall(ReadLines(punch));
  if (punch->lines.fine && !punch->found) {
    punch->lines.fine = PETSC_FALSE;
    PetscCall(InputComplain(node, "%s has no matrix %s; it has: %s", InputQuote(punch->lines.file).text, InputQuote(punch->wanted).text,
                            punch->names.length ? punch->names.data : "nothing"));
  } else if (punch->lines.fine && punch->matrix->count == 0) {
    punch->lines.fine = PETSC_FALSE;
    PetscCall(InputComplain(node, "%s has no entry of the matrix %s in large fields (DMIG*)", InputQuote(punch->lines.file).text, punch->wanted));
  }
  if (punch->lines.fine) PetscCall(InputMatrixNumberLabels(punch->matrix));
  if (punch->lines.fine) PetscCall(InputMatrixMirror(punch->matrix));
  PetscCall(InputBufferDestroy(&punch->names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputReadPunch(const InputNode *node, const char *file, const char *name, InputMatrix *matrix)
{
  InputBytes bytes                = {0};
  char       lower[INPUT_MAX_KEY] = "";
  Punch      punch                = {.lines = {.document = node->document, .file = file, .fine = PETSC_TRUE}, .wanted = lower, .matrix = matrix};

  PetscFunctionBegin;
  for (size_t i = 0; name[i] && i + 1 < sizeof lower; i++) lower[i] = (char)tolower((unsigned char)name[i]);
  PetscCall(InputBytesRead(node->document, file, INPUT_MAX_TABLE_BYTES, "punch file", &bytes));
  punch.lines.next = bytes.text;
  punch.lines.end  = bytes.text + bytes.length;
  if (bytes.fault) PetscCall(InputComplain(node, "%s %s", InputQuote(file).text, bytes.fault));
  else PetscCall(Parse(node, &punch));
  punch.lines.fine = (PetscBool)(punch.lines.fine && !bytes.fault);
  PetscCall(InputBytesDestroy(&bytes));
  if (punch.lines.fine) PetscCall(InputMatrixRecord(node, matrix));
  else PetscCall(InputMatrixDestroy(matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}
