/* path_keys.c - paths as a case gives them. */
#include <string.h>
#include "input/columns.h"
#include "path.h"

typedef struct {
  PetscReal        amplitude, frequency, phase, duration, from, to, speed;
  PetscInt         growth;
  PetscReal        cycles;
  const InputNode *terms;
  InputReals       through;
  const char      *file, *time, *displacement;
  PetscReal        scale, noise;
  PathQuantity     quantity;
} PathKeys;

#define OF(member) offsetof(PathKeys, member)
#define OF_TERM(member) offsetof(PathTerm, member)

// clang-format off
#define FREQUENCY(offset_of) {.key = "frequency", .kind = INPUT_REAL, .offset = offset_of, .fallback = 1.0, .least = 1e-9, .most = 1e9, .unit = "Hz", .help = "frequency; it matters for laws that depend on velocity"}
#define CYCLES {.key = "cycles", .kind = INPUT_REAL, .offset = OF(cycles), .fallback = 2.0, .above = PETSC_TRUE, .most = 1e5, .help = "number of cycles"}

static const InputField sine_fields[] = {
  {.key = "amplitude", .kind = INPUT_REAL, .offset = OF(amplitude), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "m, rad", .help = "amplitude of the displacement"},
  FREQUENCY(OF(frequency)),
  CYCLES,
  {.key = "phase", .kind = INPUT_REAL, .offset = OF(phase), .fallback = 0.0, .unit = "rad", .help = "phase at the start; pi/2 for a cosine, whose start is reached on a straight line from 0"},
  {.key = NULL}
};

static const InputField multi_sine_fields[] = {
  {.key = "terms", .kind = INPUT_NODE, .offset = OF(terms), .fallback = INPUT_REQUIRED, .help = "the sines that are added"},
  {.key = "duration", .kind = INPUT_REAL, .offset = OF(duration), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s", .help = "duration of the path"},
  {.key = NULL}
};

static const InputField term_fields[] = {
  {.key = "amplitude", .kind = INPUT_REAL, .offset = OF_TERM(amplitude), .fallback = INPUT_REQUIRED, .unit = "m, rad", .help = "amplitude of the displacement"},
  {.key = "frequency", .kind = INPUT_REAL, .offset = OF_TERM(frequency), .fallback = INPUT_REQUIRED, .least = 1e-9, .most = 1e9, .unit = "Hz", .help = "frequency of this sine"},
  {.key = "phase", .kind = INPUT_REAL, .offset = OF_TERM(phase), .fallback = 0.0, .unit = "rad", .help = "phase at the start"},
  {.key = NULL}
};

static const InputField growing_fields[] = {
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = INPUT_REQUIRED, .most = PETSC_INFINITY, .unit = "m, rad", .help = "amplitude at the start"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "m, rad", .help = "amplitude at the end"},
  CYCLES,
  FREQUENCY(OF(frequency)),
  {.key = "growth", .kind = INPUT_WORD, .offset = OF(growth), .fallback = PATH_EXPONENTIAL, .words = path_growths, .help = "exponential: by equal ratios; linear: by equal differences"},
  {.key = NULL}
};

static const InputField ramp_fields[] = {
  {.key = "through", .kind = INPUT_REALS, .offset = OF(through), .fallback = INPUT_REQUIRED, .unit = "m, rad", .help = "displacements that are reached one after another on straight lines from 0"},
  {.key = "speed", .kind = INPUT_REAL, .offset = OF(speed), .fallback = 1.0, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "m/s, rad/s", .help = "speed; it matters for laws that depend on velocity"},
  {.key = NULL}
};

static const InputField table_fields[] = {
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_REQUIRED,
   .help = "numbers in columns separated by commas, semicolons or blanks; HDF5, MATLAB's or universal file; straight lines from 0 to the first value and from each to the next"},
  {.key = "time", .kind = INPUT_TEXT, .offset = OF(time), .unit = "s", .help = "column of the times, from 1 (default: the first), or their dataset, /a/b"},
  {.key = "displacement", .kind = INPUT_TEXT, .offset = OF(displacement), .unit = "m, rad", .help = "column of the displacement (default: the second) or its dataset"},
  {.key = "scale", .kind = INPUT_REAL, .offset = OF(scale), .fallback = 1.0, .help = "factor of the displacement, to convert it to SI units"},
  {.key = "noise", .kind = INPUT_REAL, .offset = OF(noise), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "m, rad", .help = "noise of the displacement: smaller reversals are ignored"},
  {.key = NULL}
};
// clang-format on

static const InputTable tables[NUM_PATHS] = {{"path.sine", "one sine", sine_fields},
                                             {"path.multi_sine", "a sum of sines", multi_sine_fields},
                                             {"path.growing_sine", "a sine whose amplitude grows or decreases", growing_fields},
                                             {"path.ramp", "straight pieces at constant speed", ramp_fields},
                                             {"path.table", "displacements of a file, for instance measured ones", table_fields}};
static const InputTable term_table        = {"path.multi_sine.terms[]", "one of the sines", term_fields};

const InputTable *const path_tables[] = {&tables[0], &tables[1], &term_table, &tables[2], &tables[3], &tables[4], NULL};

/* The keys of a kind, with the units of what moves. */
static PetscErrorCode ReadKeys(const InputNode *map, const InputTable *table, PathQuantity quantity, void *target)
{
  enum { MOST_FIELDS = 8 };
  static const char *const of_motion[NUM_PATH_QUANTITIES] = {"m, rad", "m", "N"}, *const of_speed[NUM_PATH_QUANTITIES] = {"m/s, rad/s", "m/s", "N/s"};
  InputField       fields[MOST_FIELDS + 1];
  const InputTable own   = {table->name, table->summary, fields};
  PetscInt         count = 0;

  PetscFunctionBegin;
  for (; table->fields[count].key; count++) {
    PetscCheck(count < MOST_FIELDS, PETSC_COMM_SELF, PETSC_ERR_PLIB, "more keys than there is room for");
    fields[count] = table->fields[count];
    if (fields[count].unit && !strcmp(fields[count].unit, of_motion[PATH_OF_JOINT])) fields[count].unit = of_motion[quantity];
    if (fields[count].unit && !strcmp(fields[count].unit, of_speed[PATH_OF_JOINT])) fields[count].unit = of_speed[quantity];
  }
  fields[count] = (InputField){.key = NULL};
  PetscCall(InputRead(map, &own, target));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadSine(const InputNode *map, const PathKeys *keys, Path *path)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1(1, &path->terms));
  path->num_terms = 1;
  path->terms[0]  = (PathTerm){keys->amplitude, keys->frequency, keys->phase};
  path->duration  = keys->cycles / keys->frequency;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadMultiSine(const InputNode *map, const PathKeys *keys, Path *path)
{
  const InputNode *list = keys->terms;

  PetscFunctionBegin;
  if (!list) PetscFunctionReturn(PETSC_SUCCESS);
  if (!InputIsList(list) || InputCount(list) == 0) {
    PetscCall(InputComplain(list, "expected a list of sines: [{amplitude: 1e-6, frequency: 1}, ...]"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  path->num_terms = InputCount(list);
  path->duration  = keys->duration;
  PetscCall(PetscCalloc1(path->num_terms, &path->terms));
  for (PetscInt i = 0; i < path->num_terms; i++) PetscCall(ReadKeys(InputItem(list, i), &term_table, keys->quantity, &path->terms[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadGrowingSine(const InputNode *map, const PathKeys *keys, Path *path)
{
  PetscFunctionBegin;
  path->from   = keys->from;
  path->to     = keys->to;
  path->growth = (PathGrowth)keys->growth;
  if (keys->from == 0.0 && path->growth == PATH_EXPONENTIAL)
    PetscCall(InputComplain(InputFind(map, "from"), "must be above 0 to grow by equal ratios; or say growth: linear"));
  PetscCall(ReadSine(map, keys, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadRamp(const InputNode *map, const PathKeys *keys, Path *path)
{
  const InputReals values = keys->through;
  const InputNode *list   = InputFind(map, "through");

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(values.count + 1, &path->corners));
  path->num_corners = values.count + 1;
  for (PetscInt i = 0; i < values.count; i++) {
    const PathCorner *before = &path->corners[i];
    const InputNode  *item   = InputIsList(list) ? InputItem(list, i) : list;

    if (values.values[i] == before->displacement)
      PetscCall(InputComplain(item, "must differ from %g, where the path is already", before->displacement));
    path->corners[i + 1] =
      (PathCorner){before->time + PetscAbsReal(values.values[i] - before->displacement) / keys->speed, values.values[i], PETSC_FALSE, 0.0};
    if (values.values[i] != before->displacement && !(path->corners[i + 1].time > before->time))
      PetscCall(InputComplain(item, "is so near to %g that nothing moves at %g %s", before->displacement, keys->speed,
                              keys->quantity == PATH_OF_PRESSING ? "N/s" : "m/s"));
  }
  if (values.count == 0 && list && InputIsList(list)) PetscCall(InputComplain(list, "must hold at least one displacement"));
  PathMarkTurns(path, 0.0, PETSC_TRUE);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadTable(const InputNode *map, const PathKeys *keys, Path *path)
{
  const InputNode *node = InputFind(map, "time") ? InputFind(map, "time") : InputFind(map, "file");
  Column           columns[2];
  PetscBool        ascend;

  PetscFunctionBegin;
  if (!keys->file) PetscFunctionReturn(PETSC_SUCCESS);
  if (keys->scale == 0.0) PetscCall(InputComplain(InputFind(map, "scale"), "must not be 0: nothing would move"));
  PetscCall(ColumnsRead(
    map, keys->file, 2,
    (const ColumnKey[]){{"time", keys->time, 1, PETSC_TRUE, COLUMN_OF_TIME}, {"displacement", keys->displacement, 2, PETSC_FALSE, COLUMN_OF_TIME}},
    columns));
  if (columns[0].count == 0) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  if (columns[0].count == 1) PetscCall(InputComplain(node, "expected two times or more, found one"));
  PetscCall(ColumnCheckTimes(node, &columns[0], &ascend));
  path->num_corners = columns[0].count;
  PetscCall(PetscCalloc1(path->num_corners, &path->corners));
  for (PetscInt i = 0; i < path->num_corners; i++)
    path->corners[i] = (PathCorner){.time = ColumnAt(&columns[0], i), .displacement = keys->scale * ColumnAt(&columns[1], i)};
  PetscCall(ColumnsDestroy(2, columns));
  PathMarkTurns(path, keys->noise, PETSC_FALSE);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* More reversals than anybody wants to look at, and than memory should be taken for. */
static PetscErrorCode CheckCycles(const InputNode *map, const Path *path)
{
  const PetscReal most = 1e5;

  PetscFunctionBegin;
  if (path->duration * PathFastest(path) > most)
    PetscCall(InputComplain(map, "the fastest sine would have %g cycles, %g at most", path->duration * PathFastest(path), most));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PathRead(const InputNode *node, PathQuantity quantity, Path *path)
{
  static PetscErrorCode (*const readers[NUM_PATHS])(const InputNode *, const PathKeys *, Path *) = {ReadSine, ReadMultiSine, ReadGrowingSine,
                                                                                                    ReadRamp, ReadTable};
  const InputDocument *document                                                                  = InputDocumentOf(node);
  const PetscInt       num_complaints                                                            = InputNumComplaints(document);
  PathKeys             keys                                                                      = {.speed = 0.0};
  const InputNode     *map;
  PetscInt             kind;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(path, sizeof(*path)));
  PetscCall(InputGetTagged(node, "path", path_names, &kind, &map));
  if (kind < 0) PetscFunctionReturn(PETSC_SUCCESS);
  path->kind    = (PathKind)kind;
  keys.quantity = quantity;
  PetscCall(ReadKeys(map, &tables[kind], quantity, &keys));
  if (InputNumComplaints(document) == num_complaints) PetscCall(readers[kind](map, &keys, path));
  if (path->num_terms && InputNumComplaints(document) == num_complaints) PetscCall(CheckCycles(map, path));
  if (InputNumComplaints(document) > num_complaints) path->num_corners = 0;
  else if (path->num_terms) PetscCall(PathFindTurns(path));
  PetscFunctionReturn(PETSC_SUCCESS);
}
