/* values.c - the list of all values used, each once, in the order of reading. */
#include "input_private.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

PetscInt64 InputHash(PetscInt64 start, const void *bytes, size_t length)
{
  uint64_t hash = (uint64_t)start;

  for (size_t i = 0; i < length; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return hash ? (PetscInt64)hash : 1;
}

/* The slot of `hash`, or the free one where it belongs. */
static size_t FindSlot(const PetscInt64 slots[], size_t num_slots, PetscInt64 hash)
{
  size_t slot = (size_t)hash & (num_slots - 1);

  while (slots[slot] != 0 && slots[slot] != hash) slot = (slot + 1) & (num_slots - 1);
  return slot;
}

static PetscErrorCode Grow(InputDocument *document)
{
  const size_t num_slots = PetscMax(2 * document->num_slots, 64);
  PetscInt64  *slots;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(num_slots, &slots));
  for (size_t i = 0; i < document->num_slots; i++) {
    const PetscInt64 hash = document->recorded[i];

    if (hash) slots[FindSlot(slots, num_slots, hash)] = hash;
  }
  PetscCall(PetscFree(document->recorded));
  document->recorded  = slots;
  document->num_slots = num_slots;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Remember(InputDocument *document, PetscInt64 hash, PetscBool *fresh)
{
  size_t slot;

  PetscFunctionBegin;
  if (2 * document->num_recorded >= document->num_slots) PetscCall(Grow(document));
  slot   = FindSlot(document->recorded, document->num_slots, hash);
  *fresh = document->recorded[slot] ? PETSC_FALSE : PETSC_TRUE;
  if (*fresh) {
    document->recorded[slot] = hash;
    document->num_recorded++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputRecord(const InputNode *node, const char *key, const char *value, const char *unit)
{
  InputDocument *const document = node->document;
  InputBuffer          path     = {0};
  PetscBool            fresh    = PETSC_FALSE;

  PetscFunctionBegin;
  if (document->trial.under_way) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputWritePath(node, &path));
  if (key) PetscCall(InputBufferPrint(&path, "%s%s", path.length ? "." : "", key));
  PetscCall(Remember(document, InputHash(INPUT_HASH_START, path.data, path.length), &fresh));
  if (fresh) {
    PetscCall(InputBufferAdd(&document->values, path.data, path.length));
    PetscCall(InputBufferPrint(&document->values, ": %s", value));
    if (unit) PetscCall(InputBufferPrint(&document->values, " [%s]", unit));
    PetscCall(InputBufferAdd(&document->values, "\n", 1));
  }
  PetscCall(InputBufferDestroy(&path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputRecordText(const InputNode *node, const char *text)
{
  InputBuffer line = {0};

  PetscFunctionBegin;
  PetscCall(InputBufferAdd(&line, "", 0));
  PetscCall(InputBufferAddEscaped(&line, text));
  PetscCall(InputRecord(node, NULL, line.data, NULL));
  PetscCall(InputBufferDestroy(&line));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputRecordContent(const InputNode *node, PetscInt rows, PetscInt columns, PetscInt64 hash)
{
  char line[120];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(line, sizeof line, "%" PetscInt_FMT " x %" PetscInt_FMT " numbers, checksum %08x%08x", rows, columns,
                          (unsigned)((uint64_t)hash >> 32), (unsigned)((uint64_t)hash & 0xFFFFFFFFu)));
  PetscCall(InputRecord(node, "content", line, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The line of values that begins with this path; NULL for none. */
static PetscErrorCode FindLine(const InputNode *number, const char **value)
{
  const char *line = number->document->values.data;
  InputBuffer path = {0};

  PetscFunctionBegin;
  PetscCall(InputWritePath(number, &path));
  PetscCall(InputBufferAdd(&path, ": ", 2));
  while (line && strncmp(line, path.data, path.length) != 0) {
    line = strchr(line, '\n');
    line = line && line[1] ? line + 1 : NULL;
  }
  *value = line ? line + path.length : NULL;
  PetscCall(InputBufferDestroy(&path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputFindUsed(const InputNode *number, PetscReal *value, char **unit)
{
  const char *text = NULL, *bracket;
  size_t      length;

  PetscFunctionBegin;
  PetscCall(FindLine(number, &text));
  if (!text) { /* an item of a list */
    *value = number->quantity;
    if (!number->has_quantity) (void)InputParseNumber(number->text, value);
    PetscCall(PetscStrallocpy("", unit));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  length  = strcspn(text, "\n");
  bracket = memchr(text, '[', length);
  *value  = strtod(text, NULL);
  PetscCall(PetscCalloc1(length + 1, unit));
  if (bracket) memcpy(*unit, bracket + 1, (size_t)(text + length - bracket) - 2);
  PetscFunctionReturn(PETSC_SUCCESS);
}
