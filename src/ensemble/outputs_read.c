/*
  outputs_read.c - what is kept of each sample, as the case says it: the path of a finding, with an index where it has several numbers.

      frequency: modes/stuck/frequency[1]
      tip: { path: "transient/hit/points/tip/displacement[x]", take: largest }
      damping: { path: ring_down/hit/mode1/zeta, over: amplitude, at: 1e-6 }
      curve: { path: ring_down/hit/mode1/zeta, over: amplitude, grid: { from: 1e-8, to: 1e-5, count: 30, spacing: logarithmic } }
*/
#include "ensemble_private.h"
#include <math.h>
#include <string.h>

typedef struct {
  PetscReal from, to;
  PetscInt  count, spacing;
} GridKeys;

const char *const output_takes[] = {"nothing", "last", "first", "largest", "most", "least", "mean", "rms", "range", NULL};
const char *const output_picks[] = {"largest", "least", "first", NULL};

static const char *const spacings[] = {"linear", "logarithmic", NULL};

// clang-format off
static const InputField fields[] = {
  OUTPUT_FIELDS(0),
  {0},
};

static const InputField grid_fields[] = {
  {.key = "from", .kind = INPUT_REAL, .offset = offsetof(GridKeys, from), .fallback = INPUT_REQUIRED, .help = "first value"},
  {.key = "to", .kind = INPUT_REAL, .offset = offsetof(GridKeys, to), .fallback = INPUT_REQUIRED, .help = "last value"},
  {.key = "count", .kind = INPUT_COUNT, .offset = offsetof(GridKeys, count), .fallback = 30, .least = 2, .most = 10000, .help = "number of values"},
  {.key = "spacing", .kind = INPUT_WORD, .offset = offsetof(GridKeys, spacing), .fallback = 0, .words = spacings, .help = "equal differences, or equal ratios"},
  {0},
};
// clang-format on

const InputTable vary_output_table = {.name = "vary.outputs.NAME", .summary = "a number or a curve that is kept of each sample", .fields = fields};
const InputTable vary_grid_table   = {.name = "vary.outputs.NAME.grid", .summary = "where a curve is kept", .fields = grid_fields};

/* All that can be named: fields of numbers, and facts that are known. */
static PetscErrorCode ListOf(const Findings *findings, PetscInt *count, char **names)
{
  const Finding *finding;
  char           name[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  for (PetscInt i = 0; findings && (finding = FindingsItem(findings, i)) != NULL; i++) {
    const OutputTable *const table = FindingTable(finding);

    for (PetscInt f = 0; table->fields[f].key; f++) {
      if (table->fields[f].type == RESULT_TEXT || FindingField(finding, table->fields[f].key) < 0) continue;
      if (names) PetscCall(PetscSNPrintf(name, sizeof(name), "%s/%s", FindingPath(finding) + 1, table->fields[f].key));
      if (names) PetscCall(PetscStrallocpy(name, &names[*count]));
      ++*count;
    }
    for (PetscInt f = 0; table->facts && table->facts[f].key; f++) {
      if (table->facts[f].type == RESULT_TEXT) continue;
      if (names) PetscCall(PetscSNPrintf(name, sizeof(name), "%s/%s", FindingPath(finding) + 1, table->facts[f].key));
      if (names) PetscCall(PetscStrallocpy(name, &names[*count]));
      ++*count;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ListAll(const Case *the_case, PetscInt *count, char ***names)
{
  PetscFunctionBegin;
  *count = 0;
  for (PetscInt i = 0; i < the_case->num_studies; i++) PetscCall(ListOf(the_case->studies[i].findings, count, NULL));
  PetscCall(PetscCalloc1(*count + 1, names));
  *count = 0;
  for (PetscInt i = 0; i < the_case->num_studies; i++) PetscCall(ListOf(the_case->studies[i].findings, count, *names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComplainUnknown(const InputNode *node, const char *path, const Case *the_case)
{
  PetscInt    count;
  char      **names;
  const char *nearest;

  PetscFunctionBegin;
  PetscCall(ListAll(the_case, &count, &names));
  nearest = InputNearest(path, (const char *const *)names);
  PetscCall(InputComplain(node, "no study finds '%s'; %s%s%s`dovetail help results KIND` lists what a study finds", path,
                          nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : ""));
  for (PetscInt i = 0; i < count; i++) PetscCall(PetscFree(names[i]));
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The field, or fact, of a finding that the path "FINDING/KEY" leads to; NULL for none. */
static const OutputField *MatchKey(const Finding *finding, const char *path)
{
  const OutputTable *const table  = FindingTable(finding);
  const char *const        own    = FindingPath(finding) + 1;
  const size_t             length = strlen(own);

  if (strncmp(path, own, length) != 0 || path[length] != '/') return NULL;
  for (PetscInt f = 0; table->fields[f].key; f++)
    if (!strcmp(table->fields[f].key, path + length + 1) && FindingField(finding, table->fields[f].key) >= 0) return &table->fields[f];
  for (PetscInt f = 0; table->facts && table->facts[f].key; f++)
    if (!strcmp(table->facts[f].key, path + length + 1)) return &table->facts[f];
  return NULL;
}

static const OutputField *Match(const Case *the_case, const char *path, const Finding **finding)
{
  for (PetscInt s = 0; s < the_case->num_studies; s++)
    for (PetscInt i = 0; the_case->studies[s].findings && (*finding = FindingsItem(the_case->studies[s].findings, i)) != NULL; i++) {
      const OutputField *const field = MatchKey(*finding, path);

      if (field) return field;
    }
  return NULL;
}

/* PATH[INDEX] in two; a '/' at its beginning may be there. */
static PetscErrorCode Split(const InputNode *node, const char *text, char path[PETSC_MAX_PATH_LEN], char **index)
{
  const char *const bracket = strchr(text, '[');
  const size_t      length  = strlen(text);

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(path, text[0] == '/' ? text + 1 : text, PETSC_MAX_PATH_LEN));
  if (!bracket) PetscFunctionReturn(PETSC_SUCCESS);
  path[strcspn(path, "[")] = '\0';
  if (text[length - 1] != ']' || bracket[1] == ']') {
    PetscCall(InputComplain(node, "expected PATH[INDEX], as in modes/stuck/frequency[1], found '%s'", text));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscStrallocpy(bracket + 1, index));
  (*index)[strlen(*index) - 1] = '\0';
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Studies with faults have no findings, and these have been told. */
static PetscBool AnyRefused(const Case *the_case)
{
  for (PetscInt i = 0; i < the_case->num_studies; i++)
    if (!the_case->studies[i].kind || the_case->studies[i].refused) return PETSC_TRUE;
  return PETSC_FALSE;
}

static PetscBool CanFollow(const Case *the_case, const OutputField *field, const Output *output)
{
  return (PetscBool)(OutputIndexOf(field, output->index, CaseFollowed(the_case, output->finding)) >= 0);
}

static PetscErrorCode ReadPath(const InputNode *node, const char *text, const Case *the_case, Output *output)
{
  char               path[PETSC_MAX_PATH_LEN];
  const Finding     *finding;
  const OutputField *field;

  PetscFunctionBegin;
  output->path = text;
  output->node = node;
  PetscCall(Split(node, text, path, &output->index));
  field = Match(the_case, path, &finding);
  if (!field) {
    if (!AnyRefused(the_case)) PetscCall(ComplainUnknown(node, path, the_case));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (field->type == RESULT_TEXT) PetscCall(InputComplain(node, "'%s' is a text: only numbers can be kept", path));
  PetscCall(PetscStrallocpy(FindingPath(finding), &output->finding));
  output->key    = field->key;
  output->follow = CanFollow(the_case, field, output) ? FOLLOW_UNSAID : FOLLOW_NONE;
  output->unit   = FindingField(finding, field->key) >= 0 ? FindingUnit(finding, FindingField(finding, field->key)) : field->unit;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The tables that the place of a finding lies in, itself first: /transient/hit/points/tip, /transient/hit. NULL beyond the last; `place` is cut. */
static const Finding *NextAround(const Case *the_case, char place[])
{
  const Finding *finding = NULL;

  while (place[0] && !finding) {
    finding                = CaseFind(the_case, place);
    *(strrchr(place, '/')) = '\0';
  }
  return finding;
}

/* The dataset that an output is a function of: of its table, or of one around it, as the times of a run. */
static PetscErrorCode ReadOver(const InputNode *map, const Case *the_case, Output *output)
{
  enum { MOST = 256 };
  const char    *names[MOST], *places[MOST];
  char           place[PETSC_MAX_PATH_LEN];
  PetscInt       count = 0, chosen;
  const Finding *finding;

  PetscFunctionBegin;
  PetscCall(PetscStrncpy(place, output->finding, sizeof(place)));
  while ((finding = NextAround(the_case, place)) != NULL)
    for (const OutputField *field = FindingTable(finding)->fields; field->key && count < MOST - 1; field++) {
      if (field->type != RESULT_REAL || FindingField(finding, field->key) < 0) continue;
      places[count]  = FindingPath(finding);
      names[count++] = field->key;
    }
  names[count] = NULL;
  PetscCall(InputChoose(InputFind(map, "over"), output->over, "dataset beside it", names, &chosen));
  if (chosen < 0) PetscFunctionReturn(PETSC_SUCCESS);
  output->over = names[chosen];
  PetscCall(PetscStrallocpy(places[chosen], &output->over_finding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadGrid(const InputNode *map, Output *output)
{
  GridKeys   grid;
  PetscReal *place;

  PetscFunctionBegin;
  PetscCall(InputRead(map, &vary_grid_table, &grid));
  if (grid.from == grid.to) PetscCall(InputComplain(map, "`from` and `to` must differ, got %g", grid.from));
  if (grid.spacing && (grid.from <= 0 || grid.to <= 0))
    PetscCall(InputComplain(map, "equal ratios need positive values, got from %g to %g", grid.from, grid.to));
  PetscCall(InputKeep(map, (size_t)grid.count * sizeof(PetscReal), &place));
  for (PetscInt i = 0; i < grid.count; i++) {
    const PetscReal part = (PetscReal)i / (PetscReal)(grid.count - 1);

    place[i] = grid.spacing ? grid.from * pow(grid.to / grid.from, part) : grid.from + part * (grid.to - grid.from);
  }
  output->place       = place;
  output->count       = grid.count;
  output->is_curve    = PETSC_TRUE;
  output->logarithmic = (PetscBool)(grid.spacing == 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputReadPlaces(const InputNode *map, const OutputKeys *keys, Output *output)
{
  static const char *const ways[] = {"at", "grid", NULL}, *const alone[] = {"at", "grid", "pick", "logarithmic", NULL},
                           *const taken[] = {"take", NULL};
  PetscInt                        way;

  PetscFunctionBegin;
  if (!keys->over) {
    PetscCall(InputRefuseKeys(map, alone, "it needs `over`, the dataset that the path is a function of"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputRefuseKeys(map, taken, "beside `over` the value at a place is taken"));
  PetscCall(InputExclusive(map, ways, PETSC_TRUE, &way));
  output->count    = keys->at.count;
  output->place    = keys->at.values;
  output->is_curve = (PetscBool)(keys->at.count > 1);
  if (way == 1) PetscCall(ReadGrid(keys->grid, output));
  if (InputFind(map, "logarithmic")) output->logarithmic = keys->logarithmic;
  for (PetscInt i = 0; i < output->count && output->logarithmic; i++)
    if (output->place[i] <= 0) {
      PetscCall(InputComplain(map, "logarithms need positive values of `over`, got %g", output->place[i]));
      break;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadFollow(const InputNode *map, PetscBool follow, Output *output)
{
  const InputNode *const node = InputFind(map, "follow");

  PetscFunctionBegin;
  if (!node || !output->finding) PetscFunctionReturn(PETSC_SUCCESS);
  if (follow && output->follow == FOLLOW_NONE)
    PetscCall(InputComplain(node, "only modes about rest are followed, by their shape: expected a path such as modes/stuck/frequency[1]"));
  output->follow = follow ? FOLLOW_SHAPE : FOLLOW_NUMBER;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputReadWhat(const InputNode *map, const OutputKeys *keys, const Case *the_case, Output *output)
{
  PetscFunctionBegin;
  output->take = keys->take;
  output->pick = keys->pick;
  output->over = keys->over;
  if (!keys->path) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadPath(InputFind(map, "path"), keys->path, the_case, output));
  PetscCall(ReadFollow(map, keys->follow, output));
  if (output->finding && output->over) PetscCall(ReadOver(map, the_case, output));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMap(const InputNode *map, const Case *the_case, Output *output)
{
  OutputKeys keys;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(&keys, sizeof(keys)));
  PetscCall(InputRead(map, &vary_output_table, &keys));
  PetscCall(OutputReadWhat(map, &keys, the_case, output));
  if (keys.path) PetscCall(OutputReadPlaces(map, &keys, output));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadOne(const InputNode *node, const char *name, const Case *the_case, Output *output)
{
  const char *text;

  PetscFunctionBegin;
  PetscCall(InputCheckName(node, name));
  *output = (Output){.name = name, .node = node, .column = -1};
  if (InputIsMap(node)) PetscCall(ReadMap(node, the_case, output));
  else {
    PetscCall(InputGetText(node, &text));
    if (text) PetscCall(ReadPath(node, text, the_case, output));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputsAdd(const Output *output, Ensemble *ensemble)
{
  Output *added;

  PetscFunctionBegin;
  PetscCall(PetscRealloc((size_t)(ensemble->num_outputs + 1) * sizeof(Output), &ensemble->outputs));
  added  = &ensemble->outputs[ensemble->num_outputs++];
  *added = *output;
  if (!added->is_curve) added->column = ensemble->num_numbers++;
  ensemble->num_values += OutputCount(added);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void OutputsFollow(Ensemble *ensemble)
{
  for (Output *output = ensemble->outputs; output < ensemble->outputs + ensemble->num_outputs; output++)
    if (output->follow == FOLLOW_UNSAID) output->follow = FOLLOW_SHAPE;
}

PetscErrorCode OutputsRead(const InputNode *map, const Case *the_case, Ensemble *ensemble)
{
  Output output;

  PetscFunctionBegin;
  if (!InputIsMap(map) || InputCount(map) == 0) {
    PetscCall(InputComplain(map, "expected what is kept of each sample, {NAME: modes/stuck/frequency[1], ...}"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < InputCount(map); i++) {
    PetscCall(ReadOne(InputItem(map, i), InputKey(map, i), the_case, &output));
    PetscCall(OutputsAdd(&output, ensemble));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputsDestroy(Ensemble *ensemble)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < ensemble->num_outputs; i++) {
    PetscCall(PetscFree(ensemble->outputs[i].finding));
    PetscCall(PetscFree(ensemble->outputs[i].over_finding));
    PetscCall(PetscFree(ensemble->outputs[i].index));
  }
  PetscCall(PetscFree(ensemble->outputs));
  PetscFunctionReturn(PETSC_SUCCESS);
}
