/* catalogue.c - groups and datasets of a result: found, described, chosen, read. */
#include "catalogue.h"
#include "input.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ENTRIES = 1000000 };

static PetscErrorCode CopyAttribute(hid_t dataset, const char *name, size_t size, char text[])
{
  char *found;

  PetscFunctionBegin;
  text[0] = '\0';
  if (H5Aexists(dataset, name) <= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AttributeGetText(H5Aopen(dataset, name, H5P_DEFAULT), &found));
  if (found) PetscCall(PetscStrncpy(text, found, size));
  PetscCall(PetscFree(found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "samples, components" */
static PetscErrorCode ReadDimensions(hid_t dataset, Entry *entry)
{
  char  text[4 * RESULT_TEXT_LENGTH];
  char *name = text;

  PetscFunctionBegin;
  PetscCall(CopyAttribute(dataset, "dimensions", sizeof(text), text));
  for (int d = 0; d < RESULT_MAX_DIMS && *name; d++) {
    const size_t length = strcspn(name, ",");

    snprintf(entry->dims[d], RESULT_TEXT_LENGTH, "%.*s", (int)length, name);
    name += length + strspn(name + length, ", ");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool ReadType(hid_t dataset, Entry *entry)
{
  const hid_t       stored = H5Dget_type(dataset);
  const H5T_class_t kind   = H5Tget_class(stored);
  PetscBool         fine   = IsNumber(stored);

  entry->type = kind == H5T_STRING ? RESULT_TEXT : kind == H5T_INTEGER ? RESULT_COUNT : RESULT_REAL;
  if (kind == H5T_STRING) {
    entry->text_length = H5Tget_size(stored);
    fine               = (PetscBool)(H5Tis_variable_str(stored) == 0 && entry->text_length > 0 && entry->text_length < MOST_TEXT);
  }
  H5Tclose(stored);
  return fine;
}

static PetscErrorCode Describe(Entry *entry, hid_t dataset, PetscBool *fine)
{
  const hid_t space = H5Dget_space(dataset);
  hsize_t     sizes[H5S_MAX_RANK];
  const int   rank = H5Sget_simple_extent_dims(space, sizes, NULL);

  PetscFunctionBegin;
  *fine = (PetscBool)(ReadType(dataset, entry) && rank >= 0 && rank <= RESULT_MAX_DIMS);
  if (*fine) entry->num_dims = rank;
  for (int d = 0; d < rank && *fine; d++) entry->sizes[d] = sizes[d];
  PetscCall(CopyAttribute(dataset, "unit", sizeof(entry->unit), entry->unit));
  PetscCall(ReadDimensions(dataset, entry));
  H5Sclose(space);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Add(Catalogue *catalogue, const char *path, Entry **added)
{
  PetscFunctionBegin;
  if (catalogue->count == catalogue->capacity) {
    catalogue->capacity = PetscMax(2 * catalogue->capacity, 256);
    PetscCall(PetscRealloc(sizeof(Entry) * (size_t)catalogue->capacity, &catalogue->entries));
  }
  *added  = &catalogue->entries[catalogue->count++];
  **added = (Entry){0};
  PetscCall(PetscStrallocpy(path, &(*added)->path));
  for (const char *c = path; *c; c++) (*added)->depth += *c == '/';
  PetscFunctionReturn(PETSC_SUCCESS);
}

static herr_t Visit(hid_t file, const char *name, const H5O_info_t *info, void *context)
{
  Catalogue *const catalogue = context;
  char             path[PETSC_MAX_PATH_LEN];
  Entry           *entry = NULL;
  hid_t            dataset;
  PetscBool        fine = PETSC_FALSE;

  if (!strcmp(name, ".") || catalogue->count >= MOST_ENTRIES) return 0;
  if (snprintf(path, sizeof(path), "/%s", name) >= (int)sizeof(path) || Add(catalogue, path, &entry)) return -1;
  entry->is_group = (PetscBool)(info->type == H5O_TYPE_GROUP);
  if (entry->is_group) return 0;
  dataset = H5Dopen2(file, path, H5P_DEFAULT);
  if (dataset < 0) return -1;
  if (Describe(entry, dataset, &fine)) fine = PETSC_FALSE;
  H5Dclose(dataset);
  return fine ? 0 : -1;
}

PetscErrorCode CatalogueRead(const char *result, hid_t file, Catalogue *catalogue)
{
  PetscFunctionBegin;
  *catalogue = (Catalogue){.result = result, .file = file};
  if (H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, Visit, catalogue) >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CatalogueDestroy(catalogue));
  PetscFunctionReturn(Refuse(result, "is damaged: some of its parts cannot be read"));
}

PetscErrorCode CatalogueDestroy(Catalogue *catalogue)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < catalogue->count; i++) PetscCall(PetscFree(catalogue->entries[i].path));
  PetscCall(PetscFree(catalogue->entries));
  catalogue->count = catalogue->capacity = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of all that there is, or of the names without what stands in front. */
static PetscErrorCode RefusePath(const Catalogue *catalogue, const char *path)
{
  const char **names, *nearest;
  char         group[PETSC_MAX_PATH_LEN], there[512] = "";
  size_t       length = 0;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(catalogue->count + 1, &names));
  for (PetscInt i = 0; i < catalogue->count; i++) names[i] = catalogue->entries[i].path;
  names[catalogue->count] = NULL;
  nearest                 = InputNearest(path, names);
  PetscCall(PetscStrncpy(group, path, sizeof(group)));
  do *strrchr(group, '/') = '\0';
  while (group[0] && !CatalogueFind(catalogue, "%s", group));
  for (PetscInt i = 0; i < catalogue->count; i++) {
    char above[PETSC_MAX_PATH_LEN];

    EntryGroup(&catalogue->entries[i], above);
    if (strcmp(above, group) != 0 || length > sizeof(there) - 80) continue;
    length += (size_t)snprintf(there + length, sizeof(there) - length, "%s%s", length ? ", " : "", strrchr(names[i], '/') + 1);
    length = PetscMin(length, sizeof(there) - 1);
    if (length > sizeof(there) - 80) snprintf(there + length, sizeof(there) - length, ", ...");
  }
  PetscCall(PetscFree(names));
  if (nearest) PetscFunctionReturn(Refuse(catalogue->result, "there is no '%s'; did you mean '%s'?", path, nearest));
  PetscFunctionReturn(Refuse(catalogue->result, "there is no '%s'; %s has: %s", path, group[0] ? group : "the result", there));
}

PetscErrorCode CatalogueChoose(Catalogue *catalogue, const char *path)
{
  char         wanted[PETSC_MAX_PATH_LEN];
  size_t       length;
  const Entry *found;

  PetscFunctionBegin;
  PetscCheck(strlen(path) < PETSC_MAX_PATH_LEN - 2, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "path too long");
  snprintf(wanted, sizeof(wanted), "%s%s", path[0] == '/' ? "" : "/", path);
  for (length = strlen(wanted); length > 0 && wanted[length - 1] == '/'; length--) wanted[length - 1] = '\0';
  if (length == 0) {
    CatalogueChooseAll(catalogue);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  found = CatalogueFind(catalogue, "%s", wanted);
  if (!found) PetscFunctionReturn(RefusePath(catalogue, wanted));
  for (PetscInt i = 0; i < catalogue->count; i++) {
    Entry *const entry = &catalogue->entries[i];

    if (!strncmp(entry->path, wanted, length) && (entry->path[length] == '/' || !entry->path[length])) entry->chosen = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CatalogueChooseAll(Catalogue *catalogue)
{
  for (PetscInt i = 0; i < catalogue->count; i++) catalogue->entries[i].chosen = (PetscBool)(strcmp(catalogue->entries[i].path, SUMS) != 0);
}

const Entry *CatalogueFind(const Catalogue *catalogue, const char *format, ...)
{
  char    path[PETSC_MAX_PATH_LEN];
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(path, sizeof(path), format, arguments);
  va_end(arguments);
  for (PetscInt i = 0; i < catalogue->count; i++)
    if (!strcmp(catalogue->entries[i].path, path)) return &catalogue->entries[i];
  return NULL;
}

void EntryGroup(const Entry *entry, char group[PETSC_MAX_PATH_LEN])
{
  snprintf(group, PETSC_MAX_PATH_LEN, "%.*s", (int)(strrchr(entry->path, '/') - entry->path), entry->path);
}

PetscInt EntryRows(const Entry *entry)
{
  return entry->num_dims ? (PetscInt)entry->sizes[0] : 1;
}

PetscInt EntryWidth(const Entry *entry)
{
  PetscInt width = 1;

  for (int d = 1; d < entry->num_dims; d++) width *= (PetscInt)entry->sizes[d];
  return width;
}

size_t EntryItemBytes(const Entry *entry)
{
  return entry->type == RESULT_TEXT ? entry->text_length + 1 : 8;
}

/* From place to place of the file, without what is before and behind. */
static herr_t ReadPiece(hid_t dataset, const Entry *entry, hid_t memory, PetscInt first, PetscInt count, void *rows)
{
  const hsize_t start[RESULT_MAX_DIMS] = {(hsize_t)first}, width = (hsize_t)EntryWidth(entry);
  hsize_t       sizes[RESULT_MAX_DIMS], total                    = (hsize_t)count * width;
  const hid_t   space = H5Dget_space(dataset), flat = H5Screate_simple(1, &total, NULL);
  herr_t        status = 0;

  for (int d = 0; d < entry->num_dims; d++) sizes[d] = d ? entry->sizes[d] : (hsize_t)count;
  if (entry->num_dims) status = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, sizes, NULL);
  if (status >= 0) status = H5Dread(dataset, memory, flat, space, H5P_DEFAULT, rows);
  H5Sclose(flat);
  H5Sclose(space);
  return status;
}

PetscErrorCode EntryReadRows(const Catalogue *catalogue, const Entry *entry, PetscInt first, PetscInt count, void *rows)
{
  const hid_t dataset = H5Dopen2(catalogue->file, entry->path, H5P_DEFAULT);
  hid_t       memory  = entry->type == RESULT_COUNT ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
  herr_t      status;

  PetscFunctionBegin;
  if (count == 0 || EntryWidth(entry) == 0) {
    H5Dclose(dataset);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (entry->type == RESULT_TEXT) {
    memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, EntryItemBytes(entry));
    H5Tset_cset(memory, H5T_CSET_UTF8);
  }
  status = ReadPiece(dataset, entry, memory, first, count, rows);
  if (entry->type == RESULT_TEXT) H5Tclose(memory);
  H5Dclose(dataset);
  if (status < 0) PetscFunctionReturn(Refuse(catalogue->result, "is damaged: %s cannot be read", entry->path));
  PetscFunctionReturn(PETSC_SUCCESS);
}
