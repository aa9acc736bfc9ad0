/* table.c - what a table lays out in a result, told to people: a line for each field, in columns of a page. */
#include "findings.h"
#include <string.h>

enum { PAGE_WIDTH = 120, MOST_TEXT = 128 };

typedef struct {
  int key, unit, shape;
} Widths;

static const char *UnitOf(const OutputField *field)
{
  if (field->type == RESULT_TEXT) return "text";
  if (field->unit) return field->unit;
  return field->type == RESULT_COUNT ? "whole" : "1";
}

/* "samples x modes" */
static void ShapeOf(const OutputField *field, char shape[MOST_TEXT])
{
  shape[0] = '\0';
  for (PetscInt d = 0; d < RESULT_MAX_DIMS && field->dims[d]; d++)
    snprintf(shape + strlen(shape), MOST_TEXT - strlen(shape), "%s%s", d ? " x " : "", field->dims[d]);
}

static void Widen(const OutputField *fields, Widths *widths)
{
  for (const OutputField *field = fields; field && field->key; field++) {
    char shape[MOST_TEXT];

    ShapeOf(field, shape);
    widths->key   = PetscMax(widths->key, (int)strlen(field->key));
    widths->unit  = PetscMax(widths->unit, (int)strlen(UnitOf(field)));
    widths->shape = PetscMax(widths->shape, (int)strlen(shape));
  }
}

/* Words from a column to the end of the page, and on further lines below it. */
static void PrintWrapped(FILE *out, const char *words, int column)
{
  int at = column;

  while (*words) {
    const int length = (int)strcspn(words, " ");

    if (at > column && at + 1 + length > PAGE_WIDTH) {
      fprintf(out, "\n%*s", column, "");
      at = column;
    }
    at += fprintf(out, "%s%.*s", at > column ? " " : "", length, words);
    words += length + (words[length] == ' ');
  }
  fputc('\n', out);
}

static void PrintFields(FILE *out, const OutputField *fields, const Widths *widths)
{
  for (const OutputField *field = fields; field && field->key; field++) {
    char shape[MOST_TEXT];
    int  column;

    ShapeOf(field, shape);
    column = fprintf(out, "  %-*s  %-*s  ", widths->key, field->key, widths->unit, UnitOf(field));
    if (widths->shape) column += fprintf(out, "%-*s  ", widths->shape, shape);
    PrintWrapped(out, field->help, column);
  }
}

PetscErrorCode OutputTablePrint(FILE *out, const OutputTable *table)
{
  Widths widths = {0};

  PetscFunctionBegin;
  Widen(table->fields, &widths);
  Widen(table->facts, &widths);
  PrintWrapped(out, table->summary, fprintf(out, "/%s: ", table->path));
  PrintFields(out, table->fields, &widths);
  if (table->facts && table->facts->key) fprintf(out, "  attributes of this group:\n");
  PrintFields(out, table->facts, &widths);
  PetscFunctionReturn(PETSC_SUCCESS);
}
