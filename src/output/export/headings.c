/* headings.c - what the columns of a table are called, and their units. */
#include "tables.h"
#include "names.h"
#include <stdio.h>
#include <string.h>

/* Word i of an attribute of the entry's group, `components` or `units`; empty when it has another number of words. */
static PetscErrorCode WordOfAttribute(const Catalogue *catalogue, const Entry *entry, const char *name, PetscInt count, PetscInt i, size_t size,
                                      char word[])
{
  char     group[PETSC_MAX_PATH_LEN], *words = NULL;
  PetscInt at = 0;

  PetscFunctionBegin;
  word[0] = '\0';
  EntryGroup(entry, group);
  if (group[0] && H5Aexists_by_name(catalogue->file, group, name, H5P_DEFAULT) > 0)
    PetscCall(AttributeGetTextByName(catalogue->file, group, name, &words));
  for (const char *from = words; from && *from; at++) {
    const size_t length = strcspn(from, " ");

    if (at == i) snprintf(word, size, "%.*s", (int)length, from);
    from += length + (from[length] == ' ');
  }
  if (at != count) word[0] = '\0';
  PetscCall(PetscFree(words));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Text i of those that are called `name`. */
static PetscErrorCode TextOfDataset(const Catalogue *catalogue, const Entry *entry, const char *name, PetscInt count, PetscInt i, size_t size,
                                    char text[])
{
  char         group[PETSC_MAX_PATH_LEN], *found;
  const Entry *texts;

  PetscFunctionBegin;
  text[0] = '\0';
  EntryGroup(entry, group);
  texts = NamesOfDimension(catalogue, group, name, count);
  if (!texts) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(EntryItemBytes(texts), &found));
  PetscCall(EntryReadRows(catalogue, texts, i, 1, found));
  PetscCall(PetscStrncpy(text, found, size));
  PetscCall(PetscFree(found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "mode 7" of `modes`, by the numbers `mode` of the entry's group; without these they are counted. */
static PetscErrorCode Count(const Catalogue *catalogue, const Entry *entry, const char *name, PetscInt count, PetscInt i, size_t size, char text[])
{
  const size_t length = strlen(name);
  char         group[PETSC_MAX_PATH_LEN], one[RESULT_TEXT_LENGTH];
  PetscInt64   number = i + 1;
  const Entry *numbers;

  PetscFunctionBegin;
  EntryGroup(entry, group);
  snprintf(one, sizeof(one), "%.*s", (int)(length && name[length - 1] == 's' ? length - 1 : length), name);
  numbers = one[0] ? CatalogueFind(catalogue, "%s/%s", group, one) : NULL;
  if (numbers && numbers->type == RESULT_COUNT && numbers->num_dims == 1 && EntryRows(numbers) == count)
    PetscCall(EntryReadRows(catalogue, numbers, i, 1, &number));
  if (!one[0] || (one[0] >= '0' && one[0] <= '9')) snprintf(text, size, "%" PetscInt64_FMT, number);
  else snprintf(text, size, "%s %" PetscInt64_FMT, one, number);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DimensionWord(const Catalogue *catalogue, const Entry *entry, int dimension, PetscInt i, size_t size, char word[])
{
  const char *const name  = entry->dims[dimension];
  const PetscInt    count = (PetscInt)entry->sizes[dimension];

  PetscFunctionBegin;
  word[0] = '\0';
  if (!strcmp(name, "6") && count == NUM_DIRECTIONS) snprintf(word, size, "%s", direction_names[i]);
  else if (name[0]) PetscCall(WordOfAttribute(catalogue, entry, name, count, i, size, word));
  if (name[0] && !word[0]) PetscCall(TextOfDataset(catalogue, entry, name, count, i, size, word));
  if (!word[0]) PetscCall(Count(catalogue, entry, name, count, i, size, word));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Components of points, motions and loads have a unit each. That of their dataset says of which rate: "m/s, rad/s". */
PetscErrorCode ColumnUnit(const Catalogue *catalogue, const Entry *entry, PetscInt i, size_t size, char unit[])
{
  const char *const rate                    = strchr(entry->unit, '/');
  const PetscBool   lengths                 = (PetscBool)(entry->unit[0] == 'm' && (!entry->unit[1] || strchr("/,", entry->unit[1])));
  char              own[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  snprintf(unit, size, "%s", entry->unit);
  if (entry->num_dims < 2) PetscFunctionReturn(PETSC_SUCCESS);
  i /= EntryWidth(entry) / (PetscInt)entry->sizes[1];
  if (lengths && !strcmp(entry->dims[1], "components"))
    PetscCall(WordOfAttribute(catalogue, entry, "units", (PetscInt)entry->sizes[1], i, sizeof(own), own));
  if ((lengths && !strcmp(entry->dims[1], "motions")) || !strcmp(entry->dims[1], "loads"))
    PetscCall(TextOfDataset(catalogue, entry, "units", (PetscInt)entry->sizes[1], i, sizeof(own), own));
  if (own[0]) snprintf(unit, size, "%s%.*s", own, rate ? (int)strcspn(rate, ",") : 0, rate ? rate : "");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ColumnHeading(const Catalogue *catalogue, const Table *table, const Entry *member, PetscInt i, size_t size, char heading[])
{
  const size_t anchor = strlen(table->anchor);
  PetscInt     rest   = EntryWidth(member);
  char         word[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  snprintf(heading, size, "%s", strncmp(member->path, table->anchor, anchor) != 0 ? strrchr(member->path, '/') + 1 : member->path + anchor + 1);
  for (int d = 1; d < member->num_dims; d++) {
    rest /= (PetscInt)member->sizes[d];
    PetscCall(DimensionWord(catalogue, member, d, (i / rest) % (PetscInt)member->sizes[d], sizeof(word), word));
    snprintf(heading + strlen(heading), size - strlen(heading), " %s", word);
  }
  PetscCall(ColumnUnit(catalogue, member, i, sizeof(word), word));
  if (word[0] && strcmp(word, "1") != 0) snprintf(heading + strlen(heading), size - strlen(heading), " [%s]", word);
  PetscFunctionReturn(PETSC_SUCCESS);
}
