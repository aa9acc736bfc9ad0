/* output_value.c - what an output is in one result: found, indexed, taken or interpolated. */
#include "ensemble_private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a field in a result, and which of them an output means: count of them, `stride` apart. */
typedef struct {
  PetscInt   count, stride;
  PetscReal *all, *first;
} Numbers;

PetscInt OutputCount(const Output *output)
{
  return output->is_curve ? output->count : 1;
}

/* All numbers of a field, whole ones, too. The caller frees them. */
static PetscErrorCode ReadAll(const Finding *finding, PetscInt field, PetscInt64 rows, PetscInt64 width, const Result *result, PetscReal **numbers)
{
  const PetscInt64 count = rows * width;

  PetscFunctionBegin;
  PetscCall(PetscMalloc((size_t)PetscMax(count, 1) * sizeof(PetscReal), numbers));
  PetscCall(FindingRead(finding, field, 0, rows, *numbers, result));
  if (FindingTable(finding)->fields[field].type == RESULT_COUNT)
    for (PetscInt64 i = 0; i < count; i++) (*numbers)[i] = (PetscReal)((PetscInt64 *)(void *)*numbers)[i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The place of a word among several, -1 for none. */
static PetscInt FindWord(const char *words, const char *word, size_t length)
{
  PetscInt place = 0;

  while (words && *words) {
    const size_t own = strcspn(words, " ");

    if (own == length && !strncmp(words, word, length)) return place;
    words += own + strspn(words + own, " ");
    place++;
  }
  return -1;
}

/* A number from 1, or the name of a component; from 0, -1 after a reason. */
static PetscInt ReadIndex(const Finding *finding, const char *text, size_t length, PetscInt64 size, size_t room, char reason[])
{
  const char *const components = FindingText(finding, "components");
  char             *end;
  const long        number = strtol(text, &end, 10);
  const PetscInt    named  = FindWord(components, text, length);

  if (end == text + length && number >= 1 && number <= size) return (PetscInt)number - 1;
  if (named >= 0 && named < size) return named;
  if (end == text + length) snprintf(reason, room, "index %ld is not one of 1 to %lld", number, (long long)size);
  else
    snprintf(reason, room, "there is no '%.*s'%s%s", (int)length, text, components ? "; there are " : "; count from 1", components ? components : "");
  return -1;
}

/* The indices in the brackets, at most `num`; how many there are, -1 after a reason. */
static PetscInt ReadIndices(const Finding *finding, const char *text, PetscInt num, const PetscInt64 sizes[], PetscInt index[], size_t room,
                            char reason[])
{
  PetscInt words = 1, count = 0;

  if (!text) return 0;
  for (const char *c = text; *c; c++) words += *c == ',';
  if (words > num) {
    snprintf(reason, room, "it has %" PetscInt_FMT " dimension%s, not %" PetscInt_FMT, num, num == 1 ? "" : "s", words);
    return -1;
  }
  while (count < words) {
    const size_t blanks = strspn(text, " "), length = strcspn(text + blanks, ", ");

    index[count] = ReadIndex(finding, text + blanks, length, sizes[num - words + count], room, reason);
    if (index[count++] < 0) return -1;
    text += blanks + length;
    text += strspn(text, ", ");
  }
  return words;
}

PetscInt OutputIndexOf(const OutputField *field, const char *brackets, const char *dimension)
{
  PetscInt num = 0, at = -1, words = 1;

  if (!brackets || !dimension) return -1;
  for (PetscInt d = 0; d < RESULT_MAX_DIMS && field->dims[d]; d++) {
    if (!strcmp(field->dims[d], dimension)) at = num;
    num += strcmp(field->dims[d], "1") != 0;
  }
  for (const char *c = brackets; *c; c++) words += *c == ',';
  return at < 0 ? -1 : PetscMax(-1, at - (num - words));
}

/* Where it is followed, the index is that of the case itself. */
static PetscErrorCode FollowIndex(const Output *output, Case *the_case, const Finding *finding, PetscInt field, PetscInt index[], size_t room,
                                  char reason[])
{
  const PetscInt at = OutputIndexOf(&FindingTable(finding)->fields[field], output->index, CaseFollowed(the_case->same, output->finding));

  PetscFunctionBegin;
  if (at < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CaseFollow(the_case, output->finding, index[at] + 1, &index[at], room, reason));
  index[at]--;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Dimensions that are always 1 need no index. */
static PetscErrorCode FindSizes(const Finding *finding, PetscInt field, PetscInt64 *rows, PetscInt64 *width, PetscInt *num, PetscInt64 sizes[])
{
  const OutputField *const output = &FindingTable(finding)->fields[field];
  PetscInt                 num_dims;
  PetscInt64               dims[RESULT_MAX_DIMS];

  PetscFunctionBegin;
  PetscCall(FindingShape(finding, field, &num_dims, dims));
  *rows  = num_dims ? dims[0] : 1;
  *width = 1;
  *num   = 0;
  for (PetscInt d = 1; d < num_dims; d++) *width *= dims[d];
  for (PetscInt d = 0; d < num_dims; d++)
    if (strcmp(output->dims[d], "1") != 0) sizes[(*num)++] = dims[d];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Those that the index leaves: all rows of one column, or one number. */
typedef struct {
  PetscInt   field, offset, count, stride;
  PetscInt64 rows, width;
} Selection;

static PetscErrorCode FindSelection(const Output *output, Case *the_case, const char *key, const Finding *finding, Selection *selection, size_t room,
                                    char reason[])
{
  const PetscBool own                    = (PetscBool)(key == output->key);
  PetscInt        num                    = 0, given, index[RESULT_MAX_DIMS];
  PetscInt64      sizes[RESULT_MAX_DIMS] = {0};

  PetscFunctionBegin;
  *selection = (Selection){.field = FindingField(finding, key)};
  if (selection->field < 0) {
    PetscCall(PetscSNPrintf(reason, room, "this case has no %s", key));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(FindSizes(finding, selection->field, &selection->rows, &selection->width, &num, sizes));
  given = ReadIndices(finding, own ? output->index : NULL, num, sizes, index, room, reason);
  if (given >= 0 && num - given > 1)
    PetscCall(
      PetscSNPrintf(reason, room, "it has %" PetscInt_FMT " dimensions: say which column, as in %s/%s[1]", num, FindingPath(finding) + 1, key));
  if (own && output->follow == FOLLOW_SHAPE && the_case->same && !reason[0])
    PetscCall(FollowIndex(output, the_case, finding, selection->field, index, room, reason));
  if (reason[0]) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < given; i++) selection->offset = selection->offset * (PetscInt)sizes[num - given + i] + index[i];
  selection->count  = num == given ? 1 : (PetscInt)sizes[0];
  selection->stride = num == given ? 1 : (PetscInt)(selection->rows * selection->width / PetscMax(sizes[0], 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadNumbers(const Output *output, const char *key, Case *the_case, const Finding *finding, const Result *result,
                                  Numbers *numbers, size_t room, char reason[])
{
  Selection selection;

  PetscFunctionBegin;
  *numbers = (Numbers){0};
  PetscCall(FindSelection(output, the_case, key, finding, &selection, room, reason));
  if (reason[0]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadAll(finding, selection.field, selection.rows, selection.width, result, &numbers->all));
  numbers->first  = numbers->all + selection.offset;
  numbers->count  = selection.count;
  numbers->stride = selection.stride;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputTakeFrom(const Output *output, Case *the_case, const PetscReal all[], PetscReal *value)
{
  char      reason[RESULT_TEXT_LENGTH] = "";
  Selection selection;

  PetscFunctionBegin;
  PetscCall(FindSelection(output, the_case, output->key, CaseFind(the_case, output->finding), &selection, sizeof(reason), reason));
  *value = reason[0] || selection.count != 1 ? (PetscReal)NAN : all[selection.offset];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal TakeOf(PetscInt take, const Numbers *numbers)
{
  PetscReal most = PETSC_NINFINITY, least = PETSC_INFINITY, sum = 0, squares = 0, first = (PetscReal)NAN, last = (PetscReal)NAN;
  PetscInt  count = 0;

  for (PetscInt i = 0; i < numbers->count; i++) {
    const PetscReal x = numbers->first[(size_t)i * (size_t)numbers->stride];

    if (isnan(x)) continue;
    if (count++ == 0) first = x;
    last  = x;
    most  = PetscMax(most, x);
    least = PetscMin(least, x);
    sum += x;
    squares += x * x;
  }
  if (count == 0) return (PetscReal)NAN;
  switch ((OutputTake)take) {
  case TAKE_LAST:
    return last;
  case TAKE_FIRST:
    return first;
  case TAKE_LARGEST:
    return PetscMax(most, -least);
  case TAKE_MOST:
    return most;
  case TAKE_LEAST:
    return least;
  case TAKE_MEAN:
    return sum / count;
  case TAKE_RMS:
    return PetscSqrtReal(squares / count);
  case TAKE_RANGE:
    return most - least;
  case TAKE_NOTHING:
    break;
  }
  return numbers->count == 1 ? first : (PetscReal)NAN;
}

enum { PICK_LARGEST, PICK_LEAST, PICK_FIRST };

/* Between two points of the curve, linearly, or linearly in logarithms where both values are positive. */
static PetscReal Between(PetscReal x, const PetscReal at[2], const PetscReal value[2], PetscBool logarithmic)
{
  const PetscBool logs = (PetscBool)(logarithmic && at[0] > 0 && at[1] > 0);
  PetscReal       part;

  if (at[0] == at[1]) return value[0];
  part = logs ? log(x / at[0]) / log(at[1] / at[0]) : (x - at[0]) / (at[1] - at[0]);
  if (logs && value[0] > 0 && value[1] > 0) return value[0] * pow(value[1] / value[0], part);
  return value[0] + part * (value[1] - value[0]);
}

/* The curve at x, NAN beyond its ends. */
static PetscReal Interpolate(PetscReal x, const Output *output, const Numbers *over, const Numbers *numbers)
{
  PetscReal found = (PetscReal)NAN;

  for (PetscInt i = 0; i + 1 < PetscMin(over->count, numbers->count); i++) {
    const PetscReal at[2]    = {over->first[(size_t)i * (size_t)over->stride], over->first[(size_t)(i + 1) * (size_t)over->stride]};
    const PetscReal value[2] = {numbers->first[(size_t)i * (size_t)numbers->stride], numbers->first[(size_t)(i + 1) * (size_t)numbers->stride]};
    PetscReal       y;

    if (isnan(value[0]) || isnan(value[1]) || !((at[0] <= x && x <= at[1]) || (at[1] <= x && x <= at[0]))) continue;
    y = Between(x, at, value, output->logarithmic);
    if (isnan(found) || (output->pick == PICK_LARGEST && y > found) || (output->pick == PICK_LEAST && y < found)) found = y;
    if (output->pick == PICK_FIRST) break;
  }
  return found;
}

static PetscErrorCode FindOver(const Output *output, Case *the_case, const Numbers *numbers, const Result *result, PetscReal values[], size_t room,
                               char reason[])
{
  PetscInt missing = 0;
  Numbers  over;

  PetscFunctionBegin;
  PetscCall(ReadNumbers(output, output->over, the_case, CaseFind(the_case, output->over_finding), result, &over, room, reason));
  for (PetscInt i = 0; over.all && i < output->count; i++) {
    values[i] = Interpolate(output->place[i], output, &over, numbers);
    missing += isnan(values[i]) ? 1 : 0;
  }
  if (over.all && missing == output->count && !reason[0])
    PetscCall(
      PetscSNPrintf(reason, room, output->count == 1 ? "%s does not reach %g" : "%s reaches none of the places", output->over, output->place[0]));
  PetscCall(PetscFree(over.all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindIn(const Output *output, Case *the_case, const Finding *finding, const Result *result, PetscReal values[], size_t room,
                             char reason[])
{
  Numbers numbers;

  PetscFunctionBegin;
  if (FindingField(finding, output->key) < 0 && FindingHasNumber(finding, output->key, values)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadNumbers(output, output->key, the_case, finding, result, &numbers, room, reason));
  if (!numbers.all) PetscFunctionReturn(PETSC_SUCCESS);
  if (output->over) PetscCall(FindOver(output, the_case, &numbers, result, values, room, reason));
  else if (output->take == TAKE_NOTHING && numbers.count > 1)
    PetscCall(PetscSNPrintf(reason, room, "it has %" PetscInt_FMT " rows: say which, as in %s/%s[1%s%s], or what to `take` of them", numbers.count,
                            FindingPath(finding) + 1, output->key, output->index ? ", " : "", output->index ? output->index : ""));
  else {
    values[0] = TakeOf(output->take, &numbers);
    if (isnan(values[0])) PetscCall(PetscSNPrintf(reason, room, "there is no value"));
  }
  PetscCall(PetscFree(numbers.all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputFind(const Output *output, Case *the_case, const Result *result, PetscReal values[], size_t size, char reason[])
{
  const Finding *const finding                 = CaseFind(the_case, output->finding);
  char                 why[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  reason[0] = '\0';
  for (PetscInt i = 0; i < OutputCount(output); i++) values[i] = (PetscReal)NAN;
  if (!finding) PetscCall(PetscSNPrintf(why, sizeof(why), "there is no such finding"));
  else PetscCall(FindIn(output, the_case, finding, result, values, sizeof(why), why));
  if (why[0]) PetscCall(PetscSNPrintf(reason, size, "%s: %s", output->name, why));
  PetscFunctionReturn(PETSC_SUCCESS);
}
