/* words.h - lines of a text file that another program wrote, word by word. Not for other rooms. */
#pragma once
#include "input_private.h"

enum { INPUT_MAX_WORD = 120, INPUT_MAX_WORDS = 6 };

/* A word of a line, lower case, with its place. A word that is too long is cut, and is then not a number. */
typedef struct {
  PetscInt column;
  char     text[INPUT_MAX_WORD];
} InputWord;

typedef struct {
  InputDocument *document;
  const char    *file, *next, *end; /* `next` is where the next line starts */
  const char    *separators;        /* beside blanks */
  char           comment;           /* lines that begin with it say nothing, except the first */
  PetscInt       line;
  PetscBool      fine;
} InputLines;

/* The words of the next line that has any and is no comment, and their number, INPUT_MAX_WORDS for more; 0 at the end of the file. The first
   line counts whatever it is. */
PetscInt       InputLinesNext(InputLines *lines, InputWord words[INPUT_MAX_WORDS]);
PetscInt       InputLinesCount(const InputLines *lines); /* of those to come, or more */
PetscErrorCode InputLinesComplain(InputLines *lines, PetscInt column, const char *message, const char *found, const char *hint);
PetscErrorCode InputLinesWhole(InputLines *lines, const InputWord *word, PetscInt least, PetscInt most, PetscInt *value);
PetscErrorCode InputLinesReal(InputLines *lines, const InputWord *word, PetscReal *value);

/* What these files hold; `fine` is false after a complaint. Lines are given from the first one on. */
PetscErrorCode InputParseMatrixMarket(const InputLines *lines, InputMatrix *matrix, PetscBool *fine);
PetscErrorCode InputParseAbaqus(const InputLines *lines, InputMatrix *matrix, PetscBool *fine);
/* A matrix by its name; no rows after a complaint. */
PetscErrorCode InputReadPunch(const InputNode *node, const char *file, const char *name, InputMatrix *matrix);
/* Whether the first line that says something could be one of Abaqus. */
PetscBool InputIsAbaqus(const InputLines *lines);
