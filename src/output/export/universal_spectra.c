/* universal_spectra.c - power spectral densities, as functions of universal files: auto spectra, of the square of a unit over Hz. */
#include "universal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a spectrum is of: its kind as ordinate, and the unit of its density in a direction, an angle in rotations. */
static PetscErrorCode FindQuantity(const Universal *universal, const char *group, PetscInt direction, PetscInt *kind, size_t size, char unit[])
{
  static const struct {
    const char *name, *per;
    PetscInt    kind;
  } quantities[] = {{"displacement", "", 8}, {"velocity", "/s", 11}, {"acceleration", "/s^2", 12}};
  char *quantity;

  PetscFunctionBegin;
  *kind = 1;
  snprintf(unit, size, "SI^2/Hz");
  PetscCall(AttributeGetTextByName(universal->catalogue->file, group, "quantity", &quantity));
  for (size_t i = 0; quantity && i < PETSC_STATIC_ARRAY_LENGTH(quantities); i++)
    if (!strcmp(quantity, quantities[i].name)) {
      *kind = quantities[i].kind;
      snprintf(unit, size, "(%s%s)^2/Hz", direction > 3 ? "rad" : "m", quantities[i].per);
    }
  PetscCall(PetscFree(quantity));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "/spectrum/NAME/RUN/POINT/density" */
static PetscErrorCode WriteDirection(Universal *universal, const Entry *entry, PetscInt i, PetscInt count, const PetscReal frequency[],
                                     const PetscReal values[])
{
  UniversalFunction58 function = {.function = 2, .abscissa = 18, .count = count, .parts = 1, .x = frequency};
  char                group[PETSC_MAX_PATH_LEN], name[2 * PETSC_MAX_PATH_LEN], word[RESULT_TEXT_LENGTH], unit[RESULT_TEXT_LENGTH];
  PetscReal          *column;

  PetscFunctionBegin;
  EntryGroup(entry, group);
  PetscCall(DimensionWord(universal->catalogue, entry, 1, i, sizeof(word), word));
  snprintf(name, sizeof(name), "%s %s", strrchr(group, '/') + 1, word);
  UniversalPlaceOf(universal, name, &function.place);
  PetscCall(FindQuantity(universal, group, function.place.direction, &function.ordinate, sizeof(unit), unit));
  snprintf(name, sizeof(name), "%s %s", entry->path, word);
  PetscCall(PetscMalloc1(count, &column));
  for (PetscInt line = 0; line < count; line++) column[line] = values[line * EntryWidth(entry) + i];
  function.name   = name;
  function.unit   = unit;
  function.values = column;
  PetscCall(UniversalWriteFunction(universal, &function));
  PetscCall(PetscFree(column));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteSpectrum(Universal *universal, const Entry *frequency, const Entry *density)
{
  const PetscInt count = EntryRows(density), width = EntryWidth(density);
  PetscReal     *x, *values;
  PetscInt       known = 0;
  PetscErrorCode code;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &x, count * width, &values));
  code = EntryReadRows(universal->catalogue, frequency, 0, count, x);
  if (code == PETSC_SUCCESS) code = EntryReadRows(universal->catalogue, density, 0, count, values);
  while (code == PETSC_SUCCESS && known < count && !isnan(x[known])) known++;
  for (PetscInt i = 0; i < width && code == PETSC_SUCCESS; i++) PetscCall(WriteDirection(universal, density, i, known, x, values));
  PetscCall(PetscFree2(x, values));
  PetscFunctionReturn(code);
}

PetscErrorCode UniversalWriteSpectra(Universal *universal)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < universal->catalogue->count && code == PETSC_SUCCESS; i++) {
    const Entry *const entry = &universal->catalogue->entries[i], *frequency;
    char               group[PETSC_MAX_PATH_LEN];

    if (!entry->chosen || entry->is_group || entry->type != RESULT_REAL || entry->num_dims != 2) continue;
    if (strncmp(entry->path, "/spectrum/", 10) != 0 || strcmp(strrchr(entry->path, '/'), "/density") != 0) continue;
    EntryGroup(entry, group);
    frequency = CatalogueFind(universal->catalogue, "%s/frequency", group);
    if (frequency && frequency->type == RESULT_REAL && EntryRows(frequency) == EntryRows(entry)) code = WriteSpectrum(universal, frequency, entry);
  }
  PetscFunctionReturn(code);
}
