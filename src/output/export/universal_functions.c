/* universal_functions.c - histories over time and frequency responses, as functions of universal files. */
#include "universal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the last name of a path is to a universal file: 1 is anything. */
static PetscInt KindOf(const char *path)
{
  static const struct {
    const char *name;
    PetscInt    kind;
  } kinds[] = {{"/displacement", 8}, {"/velocity", 11}, {"/acceleration", 12}, {"/force", 9}, {"/tension", 9}, {"/pressing", 9}, {"/signal", 13}};

  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(kinds); i++)
    if (!strcmp(strrchr(path, '/'), kinds[i].name)) return kinds[i].kind;
  return 1;
}

/* "/transient/hit/points/m1/displacement" and x, or "/transient/hit/joints/bolt/x/force": the name behind points or joints, and its direction. */
static PetscErrorCode FindPlace(const Universal *universal, const Entry *entry, PetscInt i, UniversalPlace *place)
{
  const char *const point = strstr(entry->path, "/points/"), *const joint = strstr(entry->path, "/joints/");
  char        motion[2 * PETSC_MAX_PATH_LEN], word[RESULT_TEXT_LENGTH]    = "";
  const char *of = point ? point + 8 : joint ? joint + 8 : NULL;

  PetscFunctionBegin;
  *place = (UniversalPlace){0};
  if (entry->num_dims == 2) PetscCall(DimensionWord(universal->catalogue, entry, 1, i, sizeof(word), word));
  if (of) {
    const int length = (int)strcspn(of, "/");

    if (joint) snprintf(word, sizeof(word), "%.*s", (int)strcspn(of + length + 1, "/"), of + length + 1);
    snprintf(motion, sizeof(motion), "%.*s %s", length, of, word);
    UniversalPlaceOf(universal, motion, place);
    if (joint) place->node = 0; /* a point may have the same name */
  } else if (word[0]) UniversalPlaceOf(universal, word, place);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteColumn(Universal *universal, const Entry *entry, PetscInt i, PetscInt count, const PetscReal time[],
                                  const PetscReal values[])
{
  const PetscInt      width    = EntryWidth(entry);
  UniversalFunction58 function = {.function = 1, .abscissa = 17, .ordinate = KindOf(entry->path), .parts = 1};
  char                name[PETSC_MAX_PATH_LEN + RESULT_TEXT_LENGTH], unit[RESULT_TEXT_LENGTH], word[RESULT_TEXT_LENGTH] = "";
  PetscReal          *x, *column;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &x, count, &column));
  for (PetscInt row = 0; row < count; row++) {
    if (isnan(time[row]) || isnan(values[row * width + i])) continue;
    x[function.count]        = time[row];
    column[function.count++] = values[row * width + i];
  }
  if (entry->num_dims == 2) PetscCall(DimensionWord(universal->catalogue, entry, 1, i, sizeof(word), word));
  snprintf(name, sizeof(name), "%s%s%s", entry->path, word[0] ? " " : "", word);
  PetscCall(ColumnUnit(universal->catalogue, entry, i, sizeof(unit), unit));
  PetscCall(FindPlace(universal, entry, i, &function.place));
  if (function.ordinate == 13) function.ordinate = UniversalKindOfLoad(unit);
  function.name   = name;
  function.unit   = unit;
  function.x      = x;
  function.values = column;
  PetscCall(UniversalWriteFunction(universal, &function));
  PetscCall(PetscFree2(x, column));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All columns of one dataset. */
static PetscErrorCode WriteHistory(Universal *universal, const Entry *time, const Entry *entry)
{
  const PetscInt count = EntryRows(entry), width = EntryWidth(entry);
  PetscReal     *x, *values;
  PetscErrorCode code;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &x, count * width, &values));
  code = EntryReadRows(universal->catalogue, time, 0, count, x);
  if (code == PETSC_SUCCESS) code = EntryReadRows(universal->catalogue, entry, 0, count, values);
  for (PetscInt i = 0; i < width && code == PETSC_SUCCESS; i++) PetscCall(WriteColumn(universal, entry, i, count, x, values));
  PetscCall(PetscFree2(x, values));
  PetscFunctionReturn(code);
}

PetscErrorCode UniversalWriteHistories(Universal *universal)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < universal->catalogue->count && code == PETSC_SUCCESS; i++) {
    const Entry *const entry = &universal->catalogue->entries[i];
    const Entry       *time;

    if (!entry->chosen || entry->is_group || entry->type != RESULT_REAL || entry->num_dims < 1 || entry->num_dims > 2) continue;
    time = AbscissaOf(universal->catalogue, entry);
    if (time && time != entry && !strcmp(strrchr(time->path, '/'), "/time")) code = WriteHistory(universal, time, entry);
  }
  PetscFunctionReturn(code);
}

/* A curve of a response: harmonics and phases [frequencies, motions, harmonics], of which the first is over the load. */
typedef struct {
  const Entry *amplitude, *phase;
  PetscInt     count, num_motions, num_harmonics;
  PetscReal   *frequency, *level, *harmonics, *phases, load_amplitude, load_phase;
  char        *load_unit; /* NULL in results of earlier versions, which leave it open */
} Curve;

static PetscReal AttributeOr(const Catalogue *catalogue, const char *group, const char *name, PetscReal otherwise)
{
  const hid_t attribute = H5Aexists_by_name(catalogue->file, group, name, H5P_DEFAULT) > 0
                            ? H5Aopen_by_name(catalogue->file, group, name, H5P_DEFAULT, H5P_DEFAULT)
                            : H5I_INVALID_HID;
  PetscReal   value     = otherwise;

  if (attribute < 0) return otherwise;
  if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) value = otherwise;
  H5Aclose(attribute);
  return value;
}

/* The level is that of the curve, or where this goes over levels that of each point. */
static PetscErrorCode ReadCurve(const Universal *universal, const char *group, const Entry *frequency, Curve *curve)
{
  const Catalogue *const catalogue = universal->catalogue;
  const Entry *const     level     = CatalogueFind(catalogue, "%s/level", group);
  const PetscReal        of_curve  = AttributeOr(catalogue, group, "level", 1.0);
  PetscErrorCode         code;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < curve->count; i++) curve->level[i] = of_curve;
  code = EntryReadRows(catalogue, frequency, 0, curve->count, curve->frequency);
  if (code == PETSC_SUCCESS) code = EntryReadRows(catalogue, curve->amplitude, 0, curve->count, curve->harmonics);
  if (code == PETSC_SUCCESS) code = EntryReadRows(catalogue, curve->phase, 0, curve->count, curve->phases);
  if (code == PETSC_SUCCESS && level && EntryRows(level) == curve->count) code = EntryReadRows(catalogue, level, 0, curve->count, curve->level);
  PetscFunctionReturn(code);
}

static PetscErrorCode WriteMotion(Universal *universal, const Curve *curve, PetscInt motion)
{
  const PetscInt      width    = curve->num_motions * curve->num_harmonics;
  UniversalFunction58 function = {.function = 4, .abscissa = 18, .ordinate = 8, .parts = 2, .per = curve->load_unit ? curve->load_unit : "NONE"};
  char                group[PETSC_MAX_PATH_LEN], name[PETSC_MAX_PATH_LEN + RESULT_TEXT_LENGTH], word[RESULT_TEXT_LENGTH], unit[RESULT_TEXT_LENGTH];
  PetscReal          *x, *values;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(curve->count, &x, 2 * curve->count, &values));
  for (PetscInt i = 0; i < curve->count; i++) {
    const PetscReal size  = curve->harmonics[i * width + motion * curve->num_harmonics] / (curve->level[i] * curve->load_amplitude);
    const PetscReal phase = curve->phases[i * width + motion * curve->num_harmonics] - curve->load_phase;

    if (isnan(curve->frequency[i]) || !isfinite(size) || isnan(phase)) continue;
    x[function.count]                = curve->frequency[i];
    values[2 * function.count]       = size * PetscCosReal(phase);
    values[2 * function.count++ + 1] = size * PetscSinReal(phase);
  }
  EntryGroup(curve->amplitude, group);
  PetscCall(DimensionWord(universal->catalogue, curve->amplitude, 1, motion, sizeof(word), word));
  PetscCall(ColumnUnit(universal->catalogue, curve->amplitude, motion * curve->num_harmonics, sizeof(unit), unit));
  snprintf(name, sizeof(name), "%s %s", group, word);
  UniversalPlaceOf(universal, word, &function.place);
  function.name   = name;
  function.unit   = unit;
  function.x      = x;
  function.values = values;
  PetscCall(UniversalWriteFunction(universal, &function));
  PetscCall(PetscFree2(x, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteCurve(Universal *universal, const Entry *amplitude)
{
  Curve          curve = {.amplitude = amplitude, .count = EntryRows(amplitude)};
  const Entry   *frequency;
  char           group[PETSC_MAX_PATH_LEN], above[PETSC_MAX_PATH_LEN];
  PetscErrorCode code;

  PetscFunctionBegin;
  EntryGroup(amplitude, group);
  snprintf(above, sizeof(above), "%.*s", (int)(strrchr(group, '/') - group), group);
  frequency   = CatalogueFind(universal->catalogue, "%s/frequency", group);
  curve.phase = CatalogueFind(universal->catalogue, "%s/harmonic_phases", group);
  if (!frequency || !curve.phase || EntryWidth(curve.phase) != EntryWidth(amplitude) || EntryWidth(amplitude) == 0)
    PetscFunctionReturn(PETSC_SUCCESS);
  curve.num_motions    = (PetscInt)amplitude->sizes[1];
  curve.num_harmonics  = (PetscInt)amplitude->sizes[2];
  curve.load_amplitude = AttributeOr(universal->catalogue, above, "load_amplitude", 1.0);
  curve.load_phase     = AttributeOr(universal->catalogue, above, "load_phase", 0.0);
  if (H5Aexists_by_name(universal->catalogue->file, above, "load_unit", H5P_DEFAULT) > 0)
    PetscCall(AttributeGetTextByName(universal->catalogue->file, above, "load_unit", &curve.load_unit));
  PetscCall(PetscMalloc4(curve.count, &curve.frequency, curve.count, &curve.level, curve.count * EntryWidth(amplitude), &curve.harmonics,
                         curve.count * EntryWidth(amplitude), &curve.phases));
  code = ReadCurve(universal, group, frequency, &curve);
  for (PetscInt m = 0; m < curve.num_motions && code == PETSC_SUCCESS; m++) PetscCall(WriteMotion(universal, &curve, m));
  PetscCall(PetscFree4(curve.frequency, curve.level, curve.harmonics, curve.phases));
  PetscCall(PetscFree(curve.load_unit));
  PetscFunctionReturn(code);
}

PetscErrorCode UniversalWriteResponses(Universal *universal)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < universal->catalogue->count && code == PETSC_SUCCESS; i++) {
    const Entry *const entry = &universal->catalogue->entries[i];

    if (!entry->chosen || entry->is_group || entry->type != RESULT_REAL || entry->num_dims != 3) continue;
    if (!strncmp(entry->path, "/response/", 10) && !strcmp(strrchr(entry->path, '/'), "/harmonics")) code = WriteCurve(universal, entry);
  }
  PetscFunctionReturn(code);
}
