/* universal_58.c - datasets 58 and 58b: a function, its header and its numbers, in double precision. */
#include "universal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUM_LINES = 11 };

/* Values at the same distance from each other, to a millionth of it; the first and the distance then stand in the header. */
static PetscBool IsEven(const UniversalFunction58 *function)
{
  const PetscReal step = function->count > 1 ? (function->x[function->count - 1] - function->x[0]) / (PetscReal)(function->count - 1) : 1.0;

  for (PetscInt i = 0; i < function->count; i++)
    if (PetscAbsReal(function->x[i] - function->x[0] - step * (PetscReal)i) > 1e-6 * PetscAbsReal(step)) return PETSC_FALSE;
  return (PetscBool)(step > 0.0);
}

PetscInt UniversalKindOfLoad(const char *unit)
{
  static const char *const motions[] = {[8] = "m", [11] = "m/s", [12] = "m/s^2"};

  for (PetscInt kind = 0; kind < (PetscInt)PETSC_STATIC_ARRAY_LENGTH(motions); kind++)
    if (motions[kind] && !strcmp(motions[kind], unit)) return kind;
  return 13;
}

static void WriteAxis(FILE *out, PetscInt kind, const char *label, const char *unit)
{
  fprintf(out, "%10" PetscInt_FMT "%5d%5d%5d %-20.20s %-20.20s\n", kind, 0, 0, 0, label, unit);
}

static const char *LabelOf(PetscInt kind)
{
  static const char *const labels[] = {
    [8] = "Displacement", [9] = "Force", [11] = "Velocity", [12] = "Acceleration", [13] = "Load", [17] = "Time", [18] = "Frequency"};

  return kind < (PetscInt)PETSC_STATIC_ARRAY_LENGTH(labels) && labels[kind] ? labels[kind] : "NONE";
}

/* Eleven lines: five of text, what it is of and where, the form of the numbers, four axes. */
static void WriteHeader(const Universal *universal, const UniversalFunction58 *function, PetscBool even)
{
  FILE *const     out  = universal->out;
  const PetscReal step = function->count > 1 ? (function->x[function->count - 1] - function->x[0]) / (PetscReal)(function->count - 1) : 1.0;

  fprintf(out, "%.80s\nNONE\n%.80s\nNONE\nNONE\n", function->name, universal->date);
  fprintf(out, "%5" PetscInt_FMT "%10d%5d%10d %-10.10s%10" PetscInt64_FMT "%4" PetscInt_FMT " %-10s%10d%4d\n", function->function, 0, 0, 0,
          function->place.name[0] ? function->place.name : "NONE", function->place.node, function->place.direction, "NONE", 0, 0);
  fprintf(out, "%10d%10" PetscInt_FMT "%10d%13.5E%13.5E%13.5E\n", function->parts == 2 ? 6 : 4, function->count, even ? 1 : 0,
          even ? function->x[0] : 0.0, even ? step : 0.0, 0.0);
  WriteAxis(out, function->abscissa, LabelOf(function->abscissa), function->abscissa == 17 ? "s" : "Hz");
  WriteAxis(out, function->ordinate, LabelOf(function->ordinate), function->unit[0] ? function->unit : "NONE");
  WriteAxis(out, function->per ? UniversalKindOfLoad(function->per) : 0, function->per ? "Load" : "NONE", function->per ? function->per : "NONE");
  WriteAxis(out, 0, "NONE", "NONE");
}

/* Lines of 80 columns: of double values four, complex two of both parts, one less with their abscissas. */
static void WriteText(FILE *out, const UniversalFunction58 *function, PetscBool even)
{
  const PetscInt parts = function->parts, a_line = parts == 2 ? (even ? 2 : 1) : even ? 4 : 2;

  for (PetscInt i = 0; i < function->count; i++) {
    if (!even) fprintf(out, "%13.5E", function->x[i]);
    for (PetscInt k = 0; k < parts; k++) fprintf(out, "%20.12E", function->values[i * parts + k]);
    if (i % a_line == a_line - 1 || i == function->count - 1) fputc('\n', out);
  }
}

/* As they are in memory, abscissas in single precision. */
static void WriteBinary(FILE *out, const UniversalFunction58 *function, PetscBool even)
{
  for (PetscInt i = 0; i < function->count; i++) {
    const float x = (float)function->x[i];

    if (!even) (void)fwrite(&x, sizeof(x), 1, out);
    (void)fwrite(function->values + i * function->parts, sizeof(PetscReal), (size_t)function->parts, out);
  }
  fputc('\n', out);
}

PetscErrorCode UniversalWriteFunction(Universal *universal, const UniversalFunction58 *function)
{
  const PetscBool even  = IsEven(function);
  const size_t    bytes = (size_t)function->count * ((even ? 0 : sizeof(float)) + sizeof(PetscReal) * (size_t)function->parts);

  PetscFunctionBegin;
  if (function->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (universal->binary) fprintf(universal->out, "    -1\n%6d%c%6d%6d%12d%12zu%6d%6d%12d%12d\n", 58, 'b', 1, 2, NUM_LINES, bytes, 0, 0, 0, 0);
  else UniversalBegin(universal, 58);
  WriteHeader(universal, function, even);
  if (universal->binary) WriteBinary(universal->out, function, even);
  else WriteText(universal->out, function, even);
  UniversalEnd(universal);
  universal->num_functions++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
