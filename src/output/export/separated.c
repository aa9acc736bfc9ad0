/* separated.c - tables as text: a line of headings, a line for each row, all digits (RFC 4180). */
#include "formats.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 1 << 22, MOST_HEADING = 1024 }; /* bytes of rows that are read at once */

/* Some rows of a table, and which. */
typedef struct {
  const Catalogue *catalogue;
  const Table     *table;
  char             separator;
  FILE            *out;
  PetscInt         capacity; /* rows */
  char           **rows;     /* of each member */
} Writer;

/* Quoted where it would be taken for several; of columns between tabs, which know no quotes, blanks take the place of tabs and line ends. */
static void WriteText(const Writer *writer, const char *text)
{
  const PetscBool quoted = (PetscBool)(writer->separator == ',' && strpbrk(text, ",\"\r\n") != NULL);

  if (quoted) fputc('"', writer->out);
  for (; *text; text++) {
    if (quoted && *text == '"') fputc('"', writer->out);
    fputc(writer->separator == '\t' && strchr("\t\r\n", *text) ? ' ' : *text, writer->out);
  }
  if (quoted) fputc('"', writer->out);
}

static void WriteItem(const Writer *writer, const Entry *member, const char *item)
{
  PetscReal  real;
  PetscInt64 count;

  if (member->type == RESULT_TEXT) {
    WriteText(writer, item);
  } else if (member->type == RESULT_COUNT) {
    memcpy(&count, item, sizeof(count));
    fprintf(writer->out, "%" PetscInt64_FMT, count);
  } else {
    memcpy(&real, item, sizeof(real));
    fputs(isnan(real) ? "NaN" : isinf(real) ? (real > 0 ? "Inf" : "-Inf") : DigitsOf(real).text, writer->out);
  }
}

static PetscErrorCode WriteHeadings(const Writer *writer)
{
  const Table *const table = writer->table;

  PetscFunctionBegin;
  for (PetscInt m = 0, column = 0; m < table->num_members; m++)
    for (PetscInt i = 0; i < EntryWidth(table->members[m]); i++, column++) {
      char heading[MOST_HEADING];

      PetscCall(ColumnHeading(writer->catalogue, table, table->members[m], i, sizeof(heading), heading));
      if (column) fputc(writer->separator, writer->out);
      WriteText(writer, heading);
    }
  fputc('\n', writer->out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void WriteRow(const Writer *writer, PetscInt row)
{
  const Table *const table = writer->table;

  for (PetscInt m = 0, column = 0; m < table->num_members; m++) {
    const Entry *const member = table->members[m];
    const PetscInt     width  = EntryWidth(member);

    for (PetscInt i = 0; i < width; i++, column++) {
      if (column) fputc(writer->separator, writer->out);
      WriteItem(writer, member, writer->rows[m] + (size_t)(row * width + i) * EntryItemBytes(member));
    }
  }
  fputc('\n', writer->out);
}

static PetscErrorCode WriteRows(Writer *writer, PetscInt count)
{
  const Table *const table = writer->table;

  PetscFunctionBegin;
  for (PetscInt first = 0; first < count; first += writer->capacity) {
    const PetscInt now = PetscMin(writer->capacity, count - first);

    for (PetscInt m = 0; m < table->num_members; m++) {
      const PetscErrorCode code = EntryReadRows(writer->catalogue, table->members[m], first, now, writer->rows[m]);

      if (code) PetscFunctionReturn(code);
    }
    for (PetscInt row = 0; row < now; row++) WriteRow(writer, row);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteTable(const Catalogue *catalogue, const Table *table, char separator, FILE *out)
{
  Writer         writer = {.catalogue = catalogue, .table = table, .separator = separator, .out = out};
  size_t         bytes  = 1;
  PetscInt       count;
  PetscErrorCode code;

  PetscFunctionBegin;
  PetscCall(WriteHeadings(&writer));
  for (PetscInt m = 0; m < table->num_members; m++) bytes += EntryItemBytes(table->members[m]) * (size_t)EntryWidth(table->members[m]);
  writer.capacity = (PetscInt)PetscMax(MOST_BYTES / bytes, 1);
  PetscCall(PetscCalloc1(table->num_members, &writer.rows));
  for (PetscInt m = 0; m < table->num_members; m++)
    PetscCall(PetscCalloc1(
      EntryItemBytes(table->members[m]) * (size_t)(EntryWidth(table->members[m]) * PetscMin(writer.capacity, table->num_rows)) + 1, &writer.rows[m]));
  PetscCall(TableFilledRows(catalogue, table, &count));
  code = WriteRows(&writer, count);
  for (PetscInt m = 0; m < table->num_members; m++) PetscCall(PetscFree(writer.rows[m]));
  PetscCall(PetscFree(writer.rows));
  PetscFunctionReturn(code);
}

PetscErrorCode WriteTables(const Catalogue *catalogue, char separator, FILE *out)
{
  PetscErrorCode code;
  Tables         tables;

  PetscFunctionBegin;
  code = TablesFind(catalogue, &tables);
  for (PetscInt t = 0; t < tables.count && code == PETSC_SUCCESS; t++) {
    char name[PETSC_MAX_PATH_LEN];

    TableName(&tables, &tables.tables[t], sizeof(name), name);
    if (tables.count > 1) fprintf(out, "%s# %s\n", t ? "\n" : "", name);
    code = WriteTable(catalogue, &tables.tables[t], separator, out);
  }
  PetscCall(TablesDestroy(&tables));
  PetscFunctionReturn(code);
}

/* "/transient/hit (parts)" becomes "transient_hit_parts.csv". */
static void FileName(const char *folder, const char *table, char separator, char path[PETSC_MAX_PATH_LEN])
{
  const size_t start = (size_t)snprintf(path, PETSC_MAX_PATH_LEN, "%s/", folder);
  size_t       end   = start;

  for (; *table && end + 8 < PETSC_MAX_PATH_LEN; table++) {
    const PetscBool kept = (PetscBool)(isalnum((unsigned char)*table) || (unsigned char)*table >= 0x80 || strchr(".-+", *table));

    if (kept) path[end++] = *table;
    else if (end > start && path[end - 1] != '_') path[end++] = '_';
  }
  while (end > start && path[end - 1] == '_') end--;
  snprintf(path + end, PETSC_MAX_PATH_LEN - end, "%s.%s", end == start ? "result" : "", separator == ',' ? "csv" : "tsv");
}

static PetscErrorCode WriteTableFile(const Catalogue *catalogue, const Tables *tables, const Table *table, char separator, const char *folder)
{
  char           name[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN];
  FILE          *file;
  PetscErrorCode code;

  PetscFunctionBegin;
  TableName(tables, table, sizeof(name), name);
  FileName(folder, name, separator, path);
  file = fopen(path, "w");
  if (!file) PetscFunctionReturn(RefuseWriting(path, errno));
  code = WriteTable(catalogue, table, separator, file);
  if (ferror(file) + fclose(file) != 0 && code == PETSC_SUCCESS) code = RefuseWriting(path, errno);
  PetscFunctionReturn(code);
}

PetscErrorCode WriteTableFiles(const Catalogue *catalogue, char separator, const char *folder)
{
  PetscErrorCode code;
  Tables         tables;

  PetscFunctionBegin;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) PetscFunctionReturn(RefuseWriting(folder, errno));
  code = TablesFind(catalogue, &tables);
  for (PetscInt t = 0; t < tables.count && code == PETSC_SUCCESS; t++)
    code = WriteTableFile(catalogue, &tables, &tables.tables[t], separator, folder);
  PetscCall(TablesDestroy(&tables));
  PetscFunctionReturn(code);
}

PetscErrorCode CountTables(const Catalogue *catalogue, PetscInt *count)
{
  Tables         tables;
  PetscErrorCode code;

  PetscFunctionBegin;
  code   = TablesFind(catalogue, &tables);
  *count = tables.count;
  PetscCall(TablesDestroy(&tables));
  PetscFunctionReturn(code);
}
