/* tree.c - the contents of a result file: every group, dataset and attribute with its shape and what it spans. */
#include "result.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is worth reading for a summary, and how far a damaged file may lead us. */
enum { MOST_NUMBERS = 1 << 22, MOST_OBJECTS = 100000, MOST_DEPTH = 16, MOST_ALIKE = 8, NUMBER_LENGTH = 32 };

typedef struct {
  FILE    *out;
  hid_t    file;
  PetscInt num_objects, num_damaged;
} Tree;

Span SpanOf(PetscInt count, const PetscReal numbers[])
{
  Span span = {.least = PETSC_INFINITY, .most = PETSC_NINFINITY};

  for (PetscInt i = 0; i < count; i++) {
    if (isnan(numbers[i])) continue;
    span.num_known++;
    span.least     = PetscMin(span.least, numbers[i]);
    span.most      = PetscMax(span.most, numbers[i]);
    span.magnitude = PetscMax(span.magnitude, PetscAbsReal(numbers[i]));
    span.last      = numbers[i];
  }
  return span;
}

/* Whole numbers in full, others to six digits. */
static const char *Show(PetscReal number, char text[NUMBER_LENGTH])
{
  snprintf(text, NUMBER_LENGTH, PetscAbsReal(number) < 1e15 && number == PetscFloorReal(number) ? "%.0f" : "%.6g", number);
  return text;
}

static void PrintNumbers(FILE *out, PetscInt count, const PetscReal numbers[])
{
  const Span span = SpanOf(count, numbers);
  char       text[NUMBER_LENGTH];

  if (span.num_known == 0) {
    fputs(count > 0 ? "none" : "empty", out);
  } else if (span.least == span.most) {
    fputs(Show(span.least, text), out);
  } else {
    fputs(Show(span.least, text), out);
    fprintf(out, " .. %s", Show(span.most, text));
  }
  if (span.num_known > 0 && span.num_known < count) fprintf(out, " (%.0f %% filled)", floor(100.0 * (PetscReal)span.num_known / (PetscReal)count));
}

static void PrintShape(FILE *out, hid_t dataset)
{
  const hid_t space = H5Dget_space(dataset);
  hsize_t     sizes[H5S_MAX_RANK];
  const int   rank                 = H5Sget_simple_extent_dims(space, sizes, NULL);
  char        shape[NUMBER_LENGTH] = "one";
  int         length               = 0;

  for (int i = 0; i < rank && length < NUMBER_LENGTH; i++) {
    length += snprintf(shape + length, (size_t)(NUMBER_LENGTH - length), "%s%llu", i > 0 ? " x " : "", (unsigned long long)sizes[i]);
  }
  fprintf(out, "  %-16s  ", shape);
  H5Sclose(space);
}

static void PrintDamage(Tree *tree, const char *what)
{
  fprintf(tree->out, "%s\n", what);
  tree->num_damaged++;
}

static PetscErrorCode PrintDataset(Tree *tree, const char *path, hid_t dataset)
{
  const hid_t       stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const H5T_class_t kind = H5Tget_class(stored);
  const hssize_t    size = H5Sget_simple_extent_npoints(space);
  char              text[RESULT_TEXT_LENGTH];
  PetscInt          count;
  PetscReal        *numbers;

  PetscFunctionBegin;
  H5Tclose(stored);
  H5Sclose(space);
  fprintf(tree->out, "  %-44s", path);
  PrintShape(tree->out, dataset);
  if (kind == H5T_STRING) {
    PetscCall(DatasetGetText(tree->file, path, sizeof(text), text));
    fprintf(tree->out, "%s%s\n", text, size > 1 ? ", ..." : "");
  } else if (size > MOST_NUMBERS) {
    fprintf(tree->out, "%.0f MB\n", (double)size * 8e-6);
  } else {
    PetscCall(DatasetGetNumbers(tree->file, path, MOST_NUMBERS, &count, &numbers));
    if (numbers) PrintNumbers(tree->out, count, numbers);
    if (numbers) fputc('\n', tree->out);
    else PrintDamage(tree, "cannot be read");
    PetscCall(PetscFree(numbers));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Long texts (the case itself) are counted, not shown. */
static void PrintText(FILE *out, const char *text)
{
  PetscInt num_lines = 0;

  for (const char *c = text; *c; c++) num_lines += *c == '\n' || c[1] == '\0';
  if (num_lines > 1) fprintf(out, "%" PetscInt_FMT " lines\n", num_lines);
  else fprintf(out, "%.*s\n", (int)strcspn(text, "\n"), text);
}

static PetscErrorCode PrintNumberAttribute(Tree *tree, hid_t attribute)
{
  const hid_t     space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
  const PetscBool number = IsNumber(stored);
  PetscReal       value;
  char            text[NUMBER_LENGTH];

  PetscFunctionBegin;
  H5Tclose(stored);
  if (number && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) >= 0)
    fprintf(tree->out, "%s\n", Show(value, text));
  else fputs("of another kind\n", tree->out);
  H5Sclose(space);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintAttributes(Tree *tree, const char *path)
{
  char  name[RESULT_TEXT_LENGTH], label[2 * PETSC_MAX_PATH_LEN];
  char *text;
  hid_t attribute;

  PetscFunctionBegin;
  for (hsize_t i = 0; i < MOST_OBJECTS; i++) {
    attribute = H5Aopen_by_idx(tree->file, path, H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) break;
    name[0] = '\0';
    H5Aget_name(attribute, sizeof(name), name);
    snprintf(label, sizeof(label), "%s @%s", path, name);
    fprintf(tree->out, "  %-44s  %-16s  ", label, "");
    H5Iinc_ref(attribute);
    PetscCall(AttributeGetText(attribute, &text));
    if (text) PrintText(tree->out, text);
    else PetscCall(PrintNumberAttribute(tree, attribute));
    H5Aclose(attribute);
    PetscCall(PetscFree(text));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GroupGetMember(hid_t file, const char *path, PetscInt i, char name[RESULT_TEXT_LENGTH])
{
  PetscFunctionBegin;
  name[0] = '\0';
  if (H5Lget_name_by_idx(file, path, H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, name, RESULT_TEXT_LENGTH, H5P_DEFAULT) < 0) name[0] = '\0';
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintObject(Tree *tree, const char *path, int depth);

static PetscBool IsGroup(hid_t file, const char *path)
{
  const hid_t     object = H5Oopen(file, path, H5P_DEFAULT);
  const PetscBool is     = (PetscBool)(object >= 0 && H5Iget_type(object) == H5I_GROUP);

  if (object >= 0) H5Oclose(object);
  return is;
}

/* Of many groups side by side (runs) the first stands for all. */
static PetscErrorCode PrintMembers(Tree *tree, const char *path, hid_t group, int depth)
{
  char       name[RESULT_TEXT_LENGTH], member[PETSC_MAX_PATH_LEN];
  H5G_info_t info;
  PetscInt   num_groups = 0;

  PetscFunctionBegin;
  if (H5Gget_info(group, &info) < 0) info.nlinks = 0;
  for (hsize_t i = 0; i < info.nlinks && tree->num_objects < MOST_OBJECTS; i++) {
    PetscCall(GroupGetMember(tree->file, path, (PetscInt)i, name));
    snprintf(member, sizeof(member), "%s/%s", path[1] ? path : "", name);
    if (!name[0]) {
      fprintf(tree->out, "  %-44s  %-16s  ", member, "");
      PrintDamage(tree, "has members that cannot be read");
      break;
    }
    if (info.nlinks > MOST_ALIKE && IsGroup(tree->file, member) && num_groups++ > 0) continue;
    PetscCall(PrintObject(tree, member, depth + 1));
  }
  if (num_groups > 1) fprintf(tree->out, "  and %" PetscInt_FMT " more groups in %s\n", num_groups - 1, path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintObject(Tree *tree, const char *path, int depth)
{
  const hid_t      object = H5Oopen(tree->file, path, H5P_DEFAULT);
  const H5I_type_t type   = object >= 0 ? H5Iget_type(object) : H5I_BADID;

  PetscFunctionBegin;
  tree->num_objects++;
  if (type == H5I_DATASET) {
    PetscCall(PrintDataset(tree, path, object));
    PetscCall(PrintAttributes(tree, path));
  } else if (type == H5I_GROUP && depth < MOST_DEPTH) {
    PetscCall(PrintAttributes(tree, path));
    PetscCall(PrintMembers(tree, path, object, depth));
  } else {
    fprintf(tree->out, "  %-44s  %-16s  ", path, "");
    PrintDamage(tree, "cannot be read");
  }
  if (object >= 0) H5Oclose(object);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TreePrint(FILE *out, hid_t file, PetscInt *num_damaged)
{
  Tree tree = {.out = out, .file = file};

  PetscFunctionBegin;
  fprintf(out, "\nContents\n");
  PetscCall(PrintObject(&tree, "/", 0));
  *num_damaged = tree.num_damaged;
  PetscFunctionReturn(PETSC_SUCCESS);
}
