/* names.c - choices among names, and the name nearest in edit distance to a misspelt one. */
#include "input_private.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "synonyms.h"

enum { MAX_LENGTH = 64, STEP = 4, MAX_LIST = 400 };

/* The cost of replacing a letter: small where only the case or the kind of separator differs. */
static PetscInt Replace(char a, char b)
{
  if (a == b) return 0;
  if (tolower((unsigned char)a) == tolower((unsigned char)b)) return 1;
  return strchr("_- .", a) && strchr("_- .", b) ? 1 : STEP;
}

/* Damerau-Levenshtein distance (neighbours may be swapped, no letter twice), STEP for each change. */
static PetscInt Distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
  PetscInt  space[3][MAX_LENGTH + 1];
  PetscInt *before = space[0], *above = space[1], *row = space[2];

  for (size_t j = 0; j <= length_b; j++) above[j] = before[j] = STEP * (PetscInt)j;
  for (size_t i = 1; i <= length_a; i++) {
    PetscInt *const oldest = before;

    row[0] = STEP * (PetscInt)i;
    for (size_t j = 1; j <= length_b; j++) {
      row[j] = PetscMin(PetscMin(above[j], row[j - 1]) + STEP, above[j - 1] + Replace(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = PetscMin(row[j], before[j - 2] + STEP);
    }
    before = above;
    above  = row;
    row    = oldest;
  }
  return above[length_b];
}

/* The name nearest in edit distance. */
static const char *NearestSpelling(const char *text, const char *const names[])
{
  const size_t length = strlen(text);
  PetscInt     limit  = STEP * PetscMax(1, (PetscInt)PetscMin(length, MAX_LENGTH) / 3);
  const char  *best   = NULL;

  if (length == 0 || length > MAX_LENGTH) return NULL;
  if (length == 1) limit = STEP - 1; /* another letter is another name */
  for (PetscInt i = 0; names[i]; i++) {
    const size_t other      = strlen(names[i]);
    const size_t difference = other > length ? other - length : length - other;
    PetscInt     distance;

    if (other > MAX_LENGTH || STEP * (PetscInt)difference > limit) continue;
    distance = Distance(text, length, names[i], other);
    if (distance > limit) continue;
    best  = names[i];
    limit = distance - 1;
    if (limit < 0) break;
  }
  return best;
}

/* A slip of the pen first: a word of other programs is hardly ever that near to a name. */
const char *InputNearest(const char *text, const char *const names[])
{
  const char *const spelling = NearestSpelling(text, names);

  return spelling ? spelling : SynonymFind(text, names);
}

PetscErrorCode InputPrintNames(InputBuffer *buffer, const char *const names[])
{
  const size_t start = buffer->length;

  PetscFunctionBegin;
  for (PetscInt i = 0; names[i]; i++) {
    if (buffer->length - start > MAX_LIST) {
      PetscCall(InputBufferAdd(buffer, ", ...", 5));
      break;
    }
    PetscCall(InputBufferPrint(buffer, "%s%s", i ? ", " : "", names[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputComplainUnknown(const InputNode *node, PetscBool at_key, const char *what, const char *text, const char *const names[])
{
  const char *const nearest = node->document->num_complaints < INPUT_MAX_KEPT ? InputNearest(text, names) : NULL;
  InputBuffer       hint    = {0};

  PetscFunctionBegin;
  if (nearest) PetscCall(InputBufferPrint(&hint, "; did you mean '%s'?", nearest));
  PetscCall(InputBufferPrint(&hint, "%s", !names[0] ? "; there is none" : nearest ? " it has: " : "; it has: "));
  PetscCall(InputPrintNames(&hint, names));
  if (at_key) PetscCall(InputComplainKey(node, "unknown %s %s%s", what, InputQuote(text).text, hint.data));
  else PetscCall(InputComplain(node, "unknown %s %s%s", what, InputQuote(text).text, hint.data));
  PetscCall(InputBufferDestroy(&hint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The index of `text` among the names, -1 when it is not. */
static PetscInt IndexOf(const char *text, const char *const names[])
{
  for (PetscInt i = 0; names[i]; i++) {
    if (strcmp(names[i], text) == 0) return i;
  }
  return -1;
}

PetscErrorCode InputChoose(const InputNode *node, const char *text, const char *what, const char *const names[], PetscInt *index)
{
  PetscFunctionBegin;
  *index = IndexOf(text, names);
  if (*index < 0) PetscCall(InputComplainUnknown(node, text == node->key ? PETSC_TRUE : PETSC_FALSE, what, text, names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainOfNames(const InputNode *node, const char *message, const char *const names[], const char *found)
{
  InputBuffer text = {0};

  PetscFunctionBegin;
  PetscCall(InputBufferAdd(&text, message, strlen(message)));
  PetscCall(InputPrintNames(&text, names));
  PetscCall(InputBufferAdd(&text, found, strlen(found)));
  PetscCall(InputComplain(node, "%s", text.data));
  PetscCall(InputBufferDestroy(&text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputGetTagged(const InputNode *map, const char *what, const char *const names[], PetscInt *index, const InputNode **value)
{
  PetscFunctionBegin;
  *index = -1;
  *value = NULL;
  if (map->kind != NODE_MAP) {
    InputQuoted found = InputDescribe(map);
    char        tail[sizeof found + 16];

    PetscCall(PetscSNPrintf(tail, sizeof tail, ", found %s", found.text));
    PetscCall(ComplainOfNames(map, "expected a map with one of ", names, tail));
  } else if (map->count == 0) {
    PetscCall(ComplainOfNames(map, "needs one of ", names, ""));
  } else if (map->count > 1) {
    PetscCall(InputComplainKey(map->items[1], "has %s beside %s; each %s stands alone", InputQuote(map->items[1]->key).text,
                               InputQuote(map->items[0]->key).text, what));
  } else {
    PetscCall(InputChoose(map->items[0], map->items[0]->key, what, names, index));
    if (*index >= 0) *value = map->items[0];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputExclusive(const InputNode *map, const char *const keys[], PetscBool required, PetscInt *index)
{
  PetscFunctionBegin;
  *index = -1;
  for (PetscInt i = 0; keys[i]; i++) {
    const InputNode *const given = InputFind(map, keys[i]), *const earlier = *index >= 0 ? InputFind(map, keys[*index]) : NULL;

    if (given && earlier) {
      const PetscBool        swap  = given->index < earlier->index ? PETSC_TRUE : PETSC_FALSE;
      const InputNode *const later = swap ? earlier : given;

      PetscCall(InputComplainKey(later, "'%s' and '%s' exclude each other", keys[swap ? i : *index], keys[swap ? *index : i]));
      *index = -1;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    if (given) *index = i;
  }
  if (*index < 0 && required) PetscCall(ComplainOfNames(map, "needs one of ", keys, ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputRefuseKeys(const InputNode *map, const char *const keys[], const char *why)
{
  PetscFunctionBegin;
  for (PetscInt k = 0; keys[k]; k++)
    if (InputFind(map, keys[k])) PetscCall(InputComplain(InputFind(map, keys[k]), "%s", why));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode InputCheckName(const InputNode *node, const char *name)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static const char others[]  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  enum { LONGEST = 64 };
  const size_t length = strlen(name);

  PetscFunctionBegin;
  if (!name[0] || !strchr(letters, name[0]) || name[strspn(name, others)]) {
    PetscCall(InputComplain(node, "the name '%s' must begin with a letter and go on with letters, digits, _, - or a dot", name));
  } else if (name[length - 1] == '.' || strstr(name, "..")) {
    PetscCall(InputComplain(node, "the dots of the name '%s' must each stand between two other characters", name));
  } else if (length > LONGEST) {
    PetscCall(InputComplain(node, "the name '%.20s...' is too long: %d letters are the most", name, LONGEST));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
