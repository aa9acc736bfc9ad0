/* tables.c - which datasets stand side by side in a table. */
#include "tables.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What others are drawn against, the first of these that a group has. */
static const char *const abscissas[] = {"time", "frequency", "factor", "amplitude", "curve_amplitude", "omega", NULL};

static PetscBool IsSingle(const Entry *entry)
{
  return (PetscBool)(entry->num_dims == 0 || !strcmp(entry->dims[0], "1"));
}

static const char *RowsOf(const Entry *entry)
{
  return IsSingle(entry) ? "1" : entry->dims[0];
}

static PetscBool Matches(const Entry *entry, const char *dimension, PetscInt rows)
{
  return (PetscBool)(!entry->is_group && EntryRows(entry) == rows && !strcmp(RowsOf(entry), dimension));
}

static PetscBool GroupHas(const Catalogue *catalogue, const char *group, const Entry *like)
{
  const size_t length = strlen(group);

  for (PetscInt i = 0; i < catalogue->count; i++) {
    const Entry *const entry = &catalogue->entries[i];

    if (strncmp(entry->path, group, length) != 0 || entry->path[length] != '/' || strchr(entry->path + length + 1, '/')) continue;
    if (Matches(entry, RowsOf(like), EntryRows(like))) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* The highest group that has such rows itself: numbers that are no names of dimensions, and single values, stay in their own. */
static void FindAnchor(const Catalogue *catalogue, const Entry *entry, char anchor[PETSC_MAX_PATH_LEN])
{
  const char *const rows = RowsOf(entry);
  char              group[PETSC_MAX_PATH_LEN];

  EntryGroup(entry, group);
  snprintf(anchor, PETSC_MAX_PATH_LEN, "%s", group);
  if (!rows[0] || (rows[0] >= '0' && rows[0] <= '9')) return;
  while (group[0]) {
    *strrchr(group, '/') = '\0';
    if (group[0] && GroupHas(catalogue, group, entry)) snprintf(anchor, PETSC_MAX_PATH_LEN, "%s", group);
  }
}

static PetscErrorCode TableFor(Tables *tables, const char *anchor, const Entry *entry, Table **table)
{
  PetscFunctionBegin;
  for (PetscInt t = 0; t < tables->count; t++) {
    *table = &tables->tables[t];
    if ((*table)->num_rows == EntryRows(entry) && !strcmp((*table)->dimension, RowsOf(entry)) && !strcmp((*table)->anchor, anchor))
      PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscRealloc(sizeof(Table) * (size_t)(tables->count + 1), &tables->tables));
  *table  = &tables->tables[tables->count++];
  **table = (Table){.num_rows = EntryRows(entry)};
  PetscCall(PetscStrncpy((*table)->anchor, anchor, sizeof((*table)->anchor)));
  PetscCall(PetscStrncpy((*table)->dimension, RowsOf(entry), sizeof((*table)->dimension)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddMember(Table *table, const Entry *entry, PetscBool in_front)
{
  PetscFunctionBegin;
  for (PetscInt m = 0; m < table->num_members; m++) {
    if (table->members[m] != entry) continue;
    if (!in_front) PetscFunctionReturn(PETSC_SUCCESS);
    table->num_members--;
    memmove(&table->members[m], &table->members[m + 1], sizeof(*table->members) * (size_t)(table->num_members - m));
  }
  PetscCall(PetscRealloc(sizeof(*table->members) * (size_t)(table->num_members + 1), &table->members));
  if (in_front) memmove(table->members + 1, table->members, sizeof(*table->members) * (size_t)table->num_members);
  table->members[in_front ? 0 : table->num_members] = entry;
  table->num_members++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const Entry *FindAbscissa(const Catalogue *catalogue, const char *anchor, const char *dimension, PetscInt rows)
{
  for (PetscInt a = 0; abscissas[a]; a++) {
    const Entry *const entry = CatalogueFind(catalogue, "%s/%s", anchor, abscissas[a]);

    if (entry && entry->num_dims == 1 && Matches(entry, dimension, rows)) return entry;
  }
  return NULL;
}

const Entry *AbscissaOf(const Catalogue *catalogue, const Entry *entry)
{
  char anchor[PETSC_MAX_PATH_LEN];

  if (IsSingle(entry)) return NULL;
  FindAnchor(catalogue, entry, anchor);
  return FindAbscissa(catalogue, anchor, RowsOf(entry), EntryRows(entry));
}

static const Entry *NamesAt(const Catalogue *catalogue, const char *group, const char *dimension, PetscInt count)
{
  const Entry *const entry = CatalogueFind(catalogue, "%s/%s", group, dimension);

  return entry && entry->type == RESULT_TEXT && entry->num_dims == 1 && EntryRows(entry) == count ? entry : NULL;
}

const Entry *NamesOfDimension(const Catalogue *catalogue, const char *group, const char *dimension, PetscInt count)
{
  char         above[PETSC_MAX_PATH_LEN];
  const Entry *names = NULL;

  for (snprintf(above, sizeof(above), "%s", group); above[0] && !names; *strrchr(above, '/') = '\0')
    names = NamesAt(catalogue, above, dimension, count);
  return names ? names : NamesAt(catalogue, "/system", dimension, count);
}

static PetscErrorCode AddFront(const Catalogue *catalogue, Table *table)
{
  const Entry *abscissa, *names;

  PetscFunctionBegin;
  if (!strcmp(table->dimension, "1") || !table->dimension[0]) PetscFunctionReturn(PETSC_SUCCESS);
  abscissa = FindAbscissa(catalogue, table->anchor, table->dimension, table->num_rows);
  names    = NamesOfDimension(catalogue, table->anchor, table->dimension, table->num_rows);
  if (abscissa) PetscCall(AddMember(table, abscissa, PETSC_TRUE));
  if (names) PetscCall(AddMember(table, names, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TablesFind(const Catalogue *catalogue, Tables *tables)
{
  PetscFunctionBegin;
  *tables = (Tables){0};
  for (PetscInt i = 0; i < catalogue->count; i++) {
    const Entry *const entry = &catalogue->entries[i];
    char               anchor[PETSC_MAX_PATH_LEN];
    Table             *table = NULL;

    if (!entry->chosen || entry->is_group || EntryRows(entry) * EntryWidth(entry) == 0) continue;
    FindAnchor(catalogue, entry, anchor);
    PetscCall(TableFor(tables, anchor, entry, &table));
    PetscCall(AddMember(table, entry, PETSC_FALSE));
  }
  for (PetscInt t = 0; t < tables->count; t++) PetscCall(AddFront(catalogue, &tables->tables[t]));
  if (tables->count == 0) PetscFunctionReturn(Refuse(catalogue->result, "what was chosen holds no values"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TablesDestroy(Tables *tables)
{
  PetscFunctionBegin;
  for (PetscInt t = 0; t < tables->count; t++) PetscCall(PetscFree(tables->tables[t].members));
  PetscCall(PetscFree(tables->tables));
  tables->count = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void TableName(const Tables *tables, const Table *table, size_t size, char name[])
{
  PetscInt alike = 0, before = 0;

  for (const Table *other = tables->tables; other < tables->tables + tables->count; other++) {
    alike += !strcmp(other->anchor, table->anchor);
    before += other < table && !strcmp(other->anchor, table->anchor) && !strcmp(other->dimension, table->dimension);
  }
  snprintf(name, size, "%s", table->anchor[0] ? table->anchor : "/");
  if (alike > 1) snprintf(name + strlen(name), size - strlen(name), " (%s", strcmp(table->dimension, "1") != 0 ? table->dimension : "single values");
  if (alike > 1 && before) snprintf(name + strlen(name), size - strlen(name), " %" PetscInt_FMT, before + 1);
  if (alike > 1) snprintf(name + strlen(name), size - strlen(name), ")");
}

PetscErrorCode TableFilledRows(const Catalogue *catalogue, const Table *table, PetscInt *count)
{
  const Entry *const abscissa = FindAbscissa(catalogue, table->anchor, table->dimension, table->num_rows);
  PetscReal         *values;

  PetscFunctionBegin;
  *count = table->num_rows;
  if (!abscissa || abscissa->type != RESULT_REAL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(*count + 1, &values));
  PetscCall(EntryReadRows(catalogue, abscissa, 0, *count, values));
  while (*count > 0 && isnan(values[*count - 1])) --*count;
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
