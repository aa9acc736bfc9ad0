/* columns_universal.c - columns that are functions of a universal file, and their times. */
#include "columns_universal.h"
#include <string.h>
#include "universal.h"

/* What universal files call displacement, velocity and acceleration; -1 for all else. */
static PetscInt RateOf(PetscInt ordinate)
{
  return ordinate == 8 ? 0 : ordinate == 11 ? 1 : ordinate == 12 ? 2 : -1;
}

/* What the numbers are measured in; lengths that are not metres count where the function says nothing itself. */
static PetscErrorCode FindUnit(const UniversalFile *file, const UniversalFunction *function, Column *column)
{
  char text[64];

  PetscFunctionBegin;
  column->rate = RateOf(function->ordinate);
  PetscCall(PetscStrncpy(text, function->unit, sizeof(text)));
  if (!text[0] && column->rate >= 0 && PetscAbsReal(file->length_factor - 1.0) > 1e-6)
    PetscCall(PetscSNPrintf(text, sizeof(text), "lengths of 1/%s m", DigitsOf(file->length_factor).text));
  if (text[0]) PetscCall(InputCopyText(file->document, text, strlen(text), &column->unit));
  if (function->is_complex && function->per[0]) PetscCall(InputCopyText(file->document, function->per, strlen(function->per), &column->per));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The times of all functions must be the same: they are samples of one measurement. */
static PetscErrorCode CompareTimes(const InputNode *node, const Column *times, const PetscReal others[], PetscInt count)
{
  const PetscReal close = 1e-3 * PetscAbsReal(times->values[times->count - 1] - times->values[0]) / PetscMax(1, times->count - 1);

  PetscFunctionBegin;
  for (PetscInt i = 0; i < PetscMin(times->count, count); i++) {
    if (PetscAbsReal(others[i] - times->values[i]) <= close) continue;
    PetscCall(InputComplain(node, "has other times than the function before: sample %" PetscInt_FMT " is at %.9g s, not at %.9g s", i + 1,
                            (double)others[i], (double)times->values[i]));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadFunction(const InputNode *node, const UniversalFile *file, const UniversalFunction *function, PetscBool imaginary,
                                   Column *times, Column *column)
{
  const PetscInt parts = UniversalParts(function);
  PetscReal     *abscissas;
  PetscBool      fine;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(function->count, &abscissas));
  PetscCall(PetscCalloc1(function->count * parts, &column->owned));
  PetscCall(UniversalReadNumbers(file, function, abscissas, column->owned, &fine));
  column->values = column->owned + imaginary;
  column->stride = parts;
  column->count  = fine ? function->count : 0;
  PetscCall(FindUnit(file, function, column));
  PetscCall(InputRecordContent(node, column->count, parts,
                               InputHash(INPUT_HASH_START, column->owned, (size_t)(column->count * parts) * sizeof(*column->owned))));
  if (times && times->count) PetscCall(CompareTimes(node, times, abscissas, column->count));
  else if (times && fine) {
    *times = (Column){.count = function->count, .stride = 1, .owned = abscissas, .values = abscissas, .rate = -1};
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscFree(abscissas));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ColumnsReadUniversal(const InputNode *map, const char *path, PetscInt count, const ColumnKey keys[], Column columns[])
{
  Column       *times = NULL;
  UniversalFile file;

  PetscFunctionBegin;
  PetscCall(UniversalOpen(InputFind(map, "file"), path, &file));
  for (PetscInt i = 0; i < count && file.count; i++) {
    const InputNode *const node = InputFind(map, keys[i].key);
    PetscInt               chosen;

    if (keys[i].abscissa && keys[i].text) PetscCall(InputComplain(node, "%s is a universal file, in which each function has its times", path));
    if (keys[i].abscissa && keys[i].otherwise != COLUMN_NONE) times = &columns[i];
    if (keys[i].abscissa || (!keys[i].text && keys[i].otherwise == COLUMN_NONE)) continue;
    PetscCall(
      UniversalChoose(node ? node : InputFind(map, "file"), keys[i].key, keys[i].text, (PetscBool)(keys[i].part != COLUMN_OF_TIME), &file, &chosen));
    if (chosen < 0) break; /* the other part would be complained of, too */
    columns[i].number = keys[i].part == COLUMN_IMAGINARY_PART ? 0 : chosen + 1;
    PetscCall(ReadFunction(node ? node : InputFind(map, "file"), &file, &file.functions[chosen], (PetscBool)(keys[i].part == COLUMN_IMAGINARY_PART),
                           times, &columns[i]));
  }
  PetscCall(UniversalClose(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* However a unit is written: m/s^2, m/s2, m/s\xC2\xB2, m/s**2, (m/s/s), meters/sec^2; and (m/s^2)/N. */
static void PlainUnit(const char *unit, size_t size, char plain[])
{
  size_t length = 0;

  for (const char *c = unit; *c && length + 1 < size; c++) {
    if (strchr("()[] ^*", *c) && !(*c == '^' && c[1] == '-')) continue;
    if (strncmp(c, "\xC2\xB2", 2) == 0) c++;
    plain[length++] = *c == '\xB2' ? '2' : *c;
  }
  plain[length] = '\0';
  if (length > 2 && strcmp(plain + length - 2, "/N") == 0) plain[length - 2] = '\0';
}

PetscBool ColumnIsOfSI(const Column *column, PetscInt rate)
{
  static const char *const known[][6] = {{"m", "meter", "metre", "meters", "metres", NULL},
                                         {"m/s", "m/sec", "ms-1", "ms^-1", NULL, NULL},
                                         {"m/s2", "m/sec2", "m/s/s", "ms-2", "ms^-2", NULL}};
  char                     plain[32];

  if (column->per && strcmp(column->per, "N") != 0 && strcmp(column->per, "Newton") != 0 && strcmp(column->per, "newton") != 0) return PETSC_FALSE;
  if (!column->unit) return PETSC_TRUE;
  PlainUnit(column->unit, sizeof plain, plain);
  for (PetscInt i = 0; known[rate][i]; i++)
    if (strcmp(plain, known[rate][i]) == 0) return PETSC_TRUE;
  return PETSC_FALSE;
}
