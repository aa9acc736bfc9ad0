/* fuzz_case.c - LibFuzzer: any bytes read as a case and as a file of numbers end in a verdict. */
#include "../../src/input/input_private.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) \
  do { \
    if (!(condition)) abort(); \
  } while (0)

static const char *const words[] = {"average", "linear", "hht", NULL};

typedef struct {
  PetscReal        real, positive;
  PetscInt         count, word;
  PetscBool        truth;
  const char      *text, *path;
  InputReals       reals;
  InputTexts       texts;
  const InputNode *node;
} Sample;

// clang-format off
static const InputField fields[] = {
  {.key = "real", .kind = INPUT_REAL, .offset = offsetof(Sample, real), .fallback = 0.1},
  {.key = "positive", .kind = INPUT_REAL, .offset = offsetof(Sample, positive), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .unit = "N"},
  {.key = "count", .kind = INPUT_COUNT, .offset = offsetof(Sample, count), .fallback = INPUT_OPTIONAL, .least = 1, .most = 100},
  {.key = "word", .kind = INPUT_WORD, .offset = offsetof(Sample, word), .fallback = INPUT_REQUIRED, .words = words, .help = "a word"},
  {.key = "truth", .kind = INPUT_TRUTH, .offset = offsetof(Sample, truth)},
  {.key = "text", .kind = INPUT_TEXT, .offset = offsetof(Sample, text)},
  {.key = "path", .kind = INPUT_PATH, .offset = offsetof(Sample, path), .fallback = INPUT_REQUIRED},
  {.key = "reals", .kind = INPUT_REALS, .offset = offsetof(Sample, reals), .fallback = 3, .unit = "m"},
  {.key = "texts", .kind = INPUT_TEXTS, .offset = offsetof(Sample, texts)},
  {.key = "node", .kind = INPUT_NODE, .offset = offsetof(Sample, node)},
  {.key = NULL},
};
// clang-format on
static const InputTable table = {.name = "sample", .summary = "one of every kind", .fields = fields};

/* Everything that can be asked of one value. */
static void Ask(const InputNode *node)
{
  static const char *const names[] = {"real", "reals", NULL};
  const char              *text;
  PetscReal                real;
  PetscInt                 index;
  InputReals               reals;
  InputTexts               texts;
  const InputNode         *value;

  CHECK(InputGetText(node, &text) == 0);
  CHECK(InputGetReal(node, INPUT_ANY_UNIT, &real) == 0);
  CHECK(strtod(DigitsOf(real).text, NULL) == real);
  CHECK(InputGetCount(node, &index) == 0);
  CHECK(InputGetReals(node, "m", &reals) == 0);
  CHECK(InputGetTexts(node, &texts) == 0);
  CHECK(InputGetTagged(node, "thing", names, &index, &value) == 0);
  CHECK((index >= 0) == (value != NULL));
  CHECK(InputExclusive(node, names, PETSC_TRUE, &index) == 0);
  if (text) CHECK(InputChoose(node, text, "name", names, &index) == 0);
  CHECK(InputPlace(node).line > 0 && InputPath(node) != NULL);
}

static void Walk(const InputNode *node, PetscInt depth, PetscInt *left)
{
  Sample sample;

  CHECK(depth <= INPUT_MAX_DEPTH + 1);
  if (--*left < 0) return;
  memset(&sample, 0, sizeof sample);
  Ask(node);
  if (InputIsMap(node)) CHECK(InputRead(node, &table, &sample) == 0);
  for (PetscInt i = 0; i < InputCount(node); i++) Walk(InputItem(node, i), depth + 1, left);
}

/* One line for each complaint, at most so many, and nothing that steers a terminal. */
static void Judge(InputDocument *document)
{
  InputBuffer text  = {0};
  int         lines = 0;

  CHECK(InputWriteComplaints(document, &text) == 0);
  for (size_t i = 0; i < text.length; i++) {
    if (text.data[i] == '\n') lines++;
    else CHECK((unsigned char)text.data[i] >= 0x20);
  }
  CHECK(lines <= INPUT_MAX_PRINTED + 1 && (lines > 0) == (InputNumComplaints(document) > 0));
  CHECK(InputBufferDestroy(&text) == 0);
}

/* PETSc counts its memory from here on: MPI's leaks hide ours from the sanitizer. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  CHECK(PetscMallocSetDebug(PETSC_FALSE, PETSC_FALSE) == 0);
  return PetscInitialize(argc, argv, NULL, NULL) != 0;
}

static PetscLogDouble BytesInUse(void)
{
  PetscLogDouble bytes;

  CHECK(PetscMallocGetCurrentUsage(&bytes) == 0);
  return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const PetscLogDouble before = BytesInUse();
  InputDocument       *document;
  PetscInt             rows, columns, left = 2000;
  const PetscReal     *values;

  CHECK(InputParse(PETSC_COMM_SELF, "none/case.yaml", (const char *)data, size, &document) == 0);
  Walk(InputRoot(document), 1, &left);
  CHECK(InputParseTable(InputRoot(document), "numbers.csv", (const char *)data, size, &rows, &columns, &values) == 0);
  for (PetscInt i = 0; i < rows * columns; i++) CHECK(PetscAbsReal(values[i]) <= PETSC_MAX_REAL);
  Judge(document);
  CHECK(InputClose(&document) == 0);
  CHECK(BytesInUse() == before);
  return 0;
}
