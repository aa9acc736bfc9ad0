/* abaqus.c - matrices that Abaqus wrote (*MATRIX OUTPUT): lines of row, column, value; or of node, degree of freedom, node, degree of freedom,
   value, with commas or blanks. */
#include "words.h"
#include <string.h>

enum { NUM_COORDINATE = 3, NUM_LABELS = 5, MAX_NODE = PETSC_MAX_INT / 10 - 1, NUM_DIRECTIONS_OF_A_NODE = 6 };

static PetscInt First(InputLines *lines, InputWord words[INPUT_MAX_WORDS])
{
  PetscInt count;

  lines->separators = ",";
  lines->comment    = '*'; /* and keywords, *MATRIX ASSEMBLE */
  do count = InputLinesNext(lines, words);
  while (lines->line == 1 && (count == 0 || words[0].text[0] == '*') && lines->next < lines->end);
  return count;
}

/* Values always have a point or an exponent: a line of three whole numbers is that of sizes, of a Matrix Market file whose first line is
   missing. */
PetscBool InputIsAbaqus(const InputLines *given)
{
  InputLines     lines = *given;
  InputWord      words[INPUT_MAX_WORDS];
  const PetscInt count = First(&lines, words);
  PetscReal      value;

  if (count != NUM_COORDINATE && count != NUM_LABELS) return PETSC_FALSE;
  for (PetscInt i = 0; i < count; i++)
    if (InputParseNumber(words[i].text, &value)) return PETSC_FALSE;
  return (PetscBool)(strpbrk(words[count - 1].text, ".e") != NULL);
}

/* A node and its degree of freedom in one number. */
static PetscErrorCode ReadLabel(InputLines *lines, const InputWord words[2], PetscInt *label)
{
  PetscInt node = 1, direction = 1;

  PetscFunctionBegin;
  PetscCall(InputLinesWhole(lines, &words[0], 1, MAX_NODE, &node));
  PetscCall(InputLinesWhole(lines, &words[1], 1, NUM_DIRECTIONS_OF_A_NODE, &direction));
  *label = InputLabel(node, direction);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadEntry(InputLines *lines, PetscInt num_words, PetscInt count, const InputWord words[], InputMatrix *matrix)
{
  const PetscInt entry = matrix->count;

  PetscFunctionBegin;
  if (count != num_words) {
    PetscCall(InputLinesComplain(
      lines, 1, num_words == NUM_LABELS ? "expected node, direction, node, direction and value" : "expected row, column and value", "", ""));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (num_words == NUM_LABELS) {
    PetscCall(ReadLabel(lines, words, &matrix->row[entry]));
    PetscCall(ReadLabel(lines, words + 2, &matrix->column[entry]));
  } else {
    PetscCall(InputLinesWhole(lines, &words[0], 1, INPUT_MAX_SIZE, &matrix->row[entry]));
    PetscCall(InputLinesWhole(lines, &words[1], 1, INPUT_MAX_SIZE, &matrix->column[entry]));
    matrix->rows    = PetscMax(matrix->rows, PetscMax(matrix->row[entry], matrix->column[entry]));
    matrix->columns = matrix->rows;
    matrix->row[entry]--;
    matrix->column[entry]--;
  }
  PetscCall(InputLinesReal(lines, &words[num_words - 1], &matrix->value[entry]));
  matrix->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputParseAbaqus(const InputLines *given, InputMatrix *matrix, PetscBool *fine)
{
  InputLines lines = *given;
  InputWord  words[INPUT_MAX_WORDS];
  PetscInt   count, num_words;

  PetscFunctionBegin;
  PetscCall(InputMatrixReserve(matrix, 2 * InputLinesCount(&lines))); /* for their mirror images */
  num_words = First(&lines, words);
  for (count = num_words; count && lines.fine; count = InputLinesNext(&lines, words)) PetscCall(ReadEntry(&lines, num_words, count, words, matrix));
  if (lines.fine && num_words == NUM_LABELS) PetscCall(InputMatrixNumberLabels(matrix));
  if (lines.fine) PetscCall(InputMatrixMirror(matrix));
  *fine = lines.fine;
  PetscFunctionReturn(PETSC_SUCCESS);
}
