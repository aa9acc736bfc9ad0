/* load.c - loads: read from the case, timed by modes, spread over the unknowns. */
#include "march/load.h"

/* The keys of a load as they are read. */
typedef struct {
  const char      *point, *pattern, *file, *moved[NUM_COURSES];
  const InputNode *shape, *spectrum;
  PetscInt         seed;
  PetscInt         direction, base, mode;
  PetscReal        amplitude;
  Signal           signal;
} LoadKeys;

typedef struct {
  PetscInt mode, joints;
} ShapeKeys;

enum { NO_DIRECTION = -1 };

#define OF(member) offsetof(LoadKeys, member)

// clang-format off
/* Every kind of load says where it acts and how strongly in the same words. */
#define WHERE_AND_HOW_MUCH \
  {.key = "point", .kind = INPUT_TEXT, .offset = OF(point), .help = "point at which the load acts; or give `shape`, `base`, `pattern`, or the motion of a support"}, \
    {.key = "direction", .kind = INPUT_WORD, .offset = OF(direction), .fallback = INPUT_OPTIONAL, .words = direction_names, \
     .help = "direction of the load, or of the motion of a support; required when the point has several"}, \
    {.key = "shape", .kind = INPUT_NODE, .offset = OF(shape), .help = "load along a mode shape, M phi: {mode, joints}"}, \
    {.key = "base", .kind = INPUT_WORD, .offset = OF(base), .fallback = INPUT_OPTIONAL, .words = direction_names, \
     .help = "direction in which the base is accelerated; motions are then relative to the base"}, \
    {.key = "pattern", .kind = INPUT_TEXT, .offset = OF(pattern), .help = "name of one of the `patterns` of the case"}, \
    {.key = "displacement", .kind = INPUT_TEXT, .offset = OF(moved[COURSE_DISPLACEMENT]), \
     .help = "point, one of `moving_supports`, whose displacement is given by the load; a displacement may not jump, and where its velocity does, the impulse on a mass matrix that couples it to others is left out"}, \
    {.key = "velocity", .kind = INPUT_TEXT, .offset = OF(moved[COURSE_VELOCITY]), \
     .help = "likewise its velocity; the displacement is its integral, 0 at time 0, of a response without a mean"}, \
    {.key = "acceleration", .kind = INPUT_TEXT, .offset = OF(moved[COURSE_ACCELERATION]), \
     .help = "likewise its acceleration; velocity and displacement are its integrals, from rest at time 0, of a response without a mean"}, \
    {.key = "amplitude", .kind = INPUT_REAL, .offset = OF(amplitude), .fallback = 1.0, .unit = "N or N m, N kg^-1/2 on a shape, m/s^2 or rad/s^2 of a base, Pa of a pressure, 1 of gravity, m or rad, m/s or rad/s, m/s^2 or rad/s^2 of a support", \
     .help = "factor of the signal"}

#define START \
  { .key = "start", .kind = INPUT_REAL, .offset = OF(signal.start), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "s", \
    .help = "time at which the load begins" }

#define PHASE \
  { .key = "phase", .kind = INPUT_REAL, .offset = OF(signal.phase), .fallback = 0.0, .unit = "rad", .help = "phase at the start" }

#define TIME_MODE \
  { .key = "mode", .kind = INPUT_COUNT, .offset = OF(mode), .fallback = INPUT_OPTIONAL, .least = 1, .most = PETSC_INFINITY, \
    .help = "take the frequency from this mode with joints stuck; with `shape`, from the mode of the shape" }

static const InputField half_sine_fields[] = {
  WHERE_AND_HOW_MUCH,
  START,
  TIME_MODE,
  {.key = "duration", .kind = INPUT_REAL, .offset = OF(signal.duration), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "duration of the half sine; or give `mode`"},
  {.key = NULL}
};

static const InputField harmonic_fields[] = {
  WHERE_AND_HOW_MUCH,
  START,
  TIME_MODE,
  {.key = "frequency", .kind = INPUT_REAL, .offset = OF(signal.frequency), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz",
   .help = "frequency of the sine; or give `mode`"},
  PHASE,
  {.key = "rise", .kind = INPUT_REAL, .offset = OF(signal.rise), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "s",
   .help = "duration of a smooth rise of its amplitude, half a cosine, which sets off less of the structure's own vibrations"},
  {.key = "duration", .kind = INPUT_REAL, .offset = OF(signal.duration), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "duration of the load; default: without end"},
  {.key = NULL}
};

static const InputField chirp_fields[] = {
  WHERE_AND_HOW_MUCH,
  START,
  {.key = "from", .kind = INPUT_REAL, .offset = OF(signal.frequency), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz",
   .help = "frequency at the start"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(signal.end_frequency), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz",
   .help = "frequency at the end"},
  {.key = "duration", .kind = INPUT_REAL, .offset = OF(signal.duration), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "duration of the sweep; the load is zero afterwards"},
  {.key = "sweep", .kind = INPUT_WORD, .offset = OF(signal.sweep), .fallback = 0, .words = sweep_names,
   .help = "linear: equal changes of frequency in equal times; logarithmic: equal ratios"},
  PHASE,
  {.key = NULL}
};

static const InputField step_fields[] = {
  WHERE_AND_HOW_MUCH,
  START,
  {.key = "rise", .kind = INPUT_REAL, .offset = OF(signal.rise), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "s",
   .help = "duration of a linear rise to the full value"},
  {.key = "duration", .kind = INPUT_REAL, .offset = OF(signal.duration), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "duration of the load; default: without end"},
  {.key = NULL}
};

static const InputField table_fields[] = {
  WHERE_AND_HOW_MUCH,
  START,
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file), .fallback = INPUT_REQUIRED,
   .help = "file with two columns: time [s], value; interpolated linearly, zero outside. Where its first or last value is not zero the load jumps: that time then has the mean of both sides, half the value, as steps on both sides share it; where the motion begins or ends there, it has the whole value"},
  {.key = NULL}
};

static const InputField random_fields[] = {
  WHERE_AND_HOW_MUCH,
  START,
  {.key = "spectrum", .kind = INPUT_NODE, .offset = OF(spectrum), .fallback = INPUT_REQUIRED,
   .help = "one-sided spectral density of the load, before `amplitude`: a list of points [frequency, density], in Hz and in the square of the load's SI unit over Hz, m^2/s^4/Hz of an acceleration; straight between them in logarithms, zero outside. Random and Gaussian"},
  {.key = "duration", .kind = INPUT_REAL, .offset = OF(signal.duration), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "duration of the load, within which nothing repeats; frequencies are 1 / duration apart. A support that is moved so does not drift: each line is integrated by itself, and starts from rest and ends there smoothly within one of its periods"},
  {.key = "seed", .kind = INPUT_COUNT, .offset = OF(seed), .fallback = 1, .least = 0, .most = PETSC_MAX_INT,
   .help = "another number is another sample of the same spectrum; the same number is the same load on any machine and any number of ranks"},
  {.key = NULL}
};

/* Of a study that gives the frequency itself. */
static const InputField sine_fields[] = {
  WHERE_AND_HOW_MUCH,
  PHASE,
  {.key = NULL}
};

/* Of a study that knows no time. */
static const InputField force_fields[] = {
  WHERE_AND_HOW_MUCH,
  {.key = NULL}
};

static const InputField shape_fields[] = {
  {.key = "mode", .kind = INPUT_COUNT, .offset = offsetof(ShapeKeys, mode), .fallback = INPUT_REQUIRED, .least = 1, .most = PETSC_INFINITY,
   .help = "number of the mode, from 1"},
  {.key = "joints", .kind = INPUT_WORD, .offset = offsetof(ShapeKeys, joints), .fallback = JOINT_STUCK, .words = joint_state_names,
   .help = "state of the joints for the mode shape"},
  {.key = NULL}
};
// clang-format on

static const InputTable tables[NUM_SIGNALS] = {{"load.half_sine", "one half period of a sine", half_sine_fields},
                                               {"load.harmonic", "a sine", harmonic_fields},
                                               {"load.chirp", "a sine whose frequency changes between two values", chirp_fields},
                                               {"load.step", "a constant, immediate or after a linear rise", step_fields},
                                               {"load.table", "values from a file, for instance a measured shock", table_fields},
                                               {"load.random", "a random load of a spectral density, the same for one seed", random_fields}};
static const InputTable sine_table          = {"load.harmonic", "a sine of the present frequency of the study", sine_fields};
static const InputTable force_table         = {"load.force", "a load at rest, times the factor of the path", force_fields};
static const InputTable shape_table         = {"load.KIND.shape", "mode shape of the load", shape_fields};

const InputTable *const load_tables[]       = {&tables[0], &tables[1], &tables[2], &tables[3], &tables[4], &tables[5], &shape_table, NULL};
const InputTable *const sine_load_tables[]  = {&sine_table, &shape_table, NULL};
const InputTable *const force_load_tables[] = {&force_table, &shape_table, NULL};

static PetscErrorCode CheckMode(const InputNode *map, const Names *names, PetscInt mode)
{
  const InputNode *node = InputFind(map, "mode");

  PetscFunctionBegin;
  PetscCall(NamesCheckMode(names, node ? node : map, mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool Turns(const Names *names, PetscInt motion)
{
  const NamedPoint *const point = &names->points[NamesPointOfMotion(names, motion)];

  return point->direction[motion - point->first_motion] >= 3 ? PETSC_TRUE : PETSC_FALSE;
}

const char *LoadUnit(const Load *load, const Names *names)
{
  static const char *const of_support[NUM_COURSES][2] = {{"m", "rad"}, {"m/s", "rad/s"}, {"m/s^2", "rad/s^2"}};

  switch (load->place) {
  case LOAD_ON_SHAPE:
    return "N kg^-1/2";
  case LOAD_ON_BASE:
    return load->direction >= 3 ? "rad/s^2" : "m/s^2";
  case LOAD_ON_PATTERN:
    return "1";
  case LOAD_ON_SUPPORT:
    return of_support[load->given][Turns(names, names->support_motion[load->support])];
  default:
    return Turns(names, load->motion) ? "N m" : "N";
  }
}

/* Not so after a complaint. */
static PetscBool ActsSomewhere(const Load *load)
{
  if (load->place == LOAD_ON_POINT) return load->motion >= 0 ? PETSC_TRUE : PETSC_FALSE;
  return load->place != LOAD_ON_SUPPORT || load->support >= 0 ? PETSC_TRUE : PETSC_FALSE;
}

/* The amplitude may be written in the units of any load; where it acts decides. */
static PetscErrorCode CheckUnit(const InputNode *map, const Names *names, const Load *load)
{
  PetscFunctionBegin;
  if (load->place == LOAD_ON_PATTERN) PetscCall(InputCheckUnit(InputFind(map, "amplitude"), "N or N m, Pa, 1"));
  else if (ActsSomewhere(load)) PetscCall(InputCheckUnit(InputFind(map, "amplitude"), LoadUnit(load, names)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadPlace(const InputNode *map, const Names *names, const LoadKeys *keys, Load *load)
{
  static const char *const choices[] = {"point", "shape", "base", "pattern", "displacement", "velocity", "acceleration", NULL};
  ShapeKeys                shape     = {1, JOINT_STUCK};
  PetscInt                 choice;

  PetscFunctionBegin;
  PetscCall(InputExclusive(map, choices, PETSC_TRUE, &choice));
  load->place     = (LoadPlace)PetscClipInterval(choice, 0, LOAD_ON_SUPPORT);
  load->given     = (CourseGiven)PetscMax(choice - LOAD_ON_SUPPORT, 0);
  load->direction = choice == LOAD_ON_BASE ? keys->base : keys->direction;
  if (choice != LOAD_ON_POINT && choice < LOAD_ON_SUPPORT && keys->direction != NO_DIRECTION)
    PetscCall(InputComplain(InputFind(map, "direction"), "belongs to a `point`, or to the motion of a support"));
  if (choice == LOAD_ON_POINT && keys->point)
    PetscCall(NamesChooseMotion(names, InputFind(map, "point"), keys->point, keys->direction, &load->motion));
  if (choice == LOAD_ON_SHAPE && keys->shape) {
    PetscCall(InputRead(keys->shape, &shape_table, &shape));
    PetscCall(CheckMode(keys->shape, names, shape.mode));
  }
  if (choice == LOAD_ON_BASE && names->known && keys->base != NO_DIRECTION && !names->base[keys->base])
    PetscCall(InputComplain(InputFind(map, "base"), "nothing moves in direction %s", direction_names[keys->base]));
  if (choice == LOAD_ON_PATTERN && keys->pattern) PetscCall(NamesChoosePattern(names, InputFind(map, "pattern"), keys->pattern, &load->pattern));
  if (choice >= LOAD_ON_SUPPORT && keys->moved[load->given])
    PetscCall(NamesChooseSupport(names, InputFind(map, choices[choice]), keys->moved[load->given], keys->direction, &load->support));
  load->mode   = shape.mode;
  load->joints = (JointState)shape.joints;
  PetscCall(CheckUnit(map, names, load));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Half sines and harmonics have a frequency of their own or that of a mode. */
static PetscErrorCode ReadTime(const InputNode *map, const Names *names, const LoadKeys *keys, Load *load)
{
  const char *const own       = load->signal.kind == SIGNAL_HALF_SINE ? "duration" : "frequency";
  const char *const choices[] = {"mode", own, NULL};
  const PetscBool   has_own   = (PetscBool)(InputFind(map, own) != NULL);
  PetscInt          choice;

  PetscFunctionBegin;
  if (load->signal.kind != SIGNAL_HALF_SINE && load->signal.kind != SIGNAL_HARMONIC) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputExclusive(map, choices, (PetscBool)(load->place != LOAD_ON_SHAPE), &choice));
  if (!has_own) load->time_mode = keys->mode ? keys->mode : load->mode;
  load->follows = (PetscBool)(!has_own && !keys->mode);
  PetscCall(CheckMode(map, names, keys->mode));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the square of the load over Hz; any after a complaint. */
static const char *DensityUnit(const Load *load, const Names *names)
{
  static const char *const units[][2] = {{"N", "N^2/Hz"},           {"N m", "N^2 m^2/Hz"},   {"N kg^-1/2", "N^2/kg/Hz"},
                                         {"m", "m^2/Hz"},           {"rad", "rad^2/Hz"},     {"m/s", "m^2/s^2/Hz"},
                                         {"rad/s", "rad^2/s^2/Hz"}, {"m/s^2", "m^2/s^4/Hz"}, {"rad/s^2", "rad^2/s^4/Hz"}};

  if (!ActsSomewhere(load)) return INPUT_ANY_UNIT;
  for (size_t i = 0; i < PETSC_STATIC_ARRAY_LENGTH(units); i++)
    if (strcmp(units[i][0], LoadUnit(load, names)) == 0) return units[i][1];
  return "1/Hz or Pa^2/Hz";
}

/* Points of a spectrum [count, 2], as far as they are fine; NULL after a complaint. */
static PetscErrorCode ReadSpectrum(const InputNode *node, const char *unit, PetscInt *count, PetscReal **points)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));

  PetscFunctionBegin;
  *points = NULL;
  *count  = InputIsList(node) ? InputCount(node) : 0;
  if (*count < 2) {
    PetscCall(InputComplain(node, "expected a list of two points or more, [[frequency, density], ...]"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(InputKeep(node, 2 * (size_t)*count * sizeof(PetscReal), points));
  for (PetscInt i = 0; i < *count; i++) {
    const InputNode *const item     = InputItem(node, i);
    PetscReal              point[2] = {0.0};

    if (InputIsList(item) && InputCount(item) == 2) {
      PetscCall(InputGetReal(InputItem(item, 0), "Hz", &point[0]));
      PetscCall(InputGetReal(InputItem(item, 1), unit, &point[1]));
    } else PetscCall(InputComplain(item, "expected [frequency, density], found %" PetscInt_FMT " numbers", InputIsList(item) ? InputCount(item) : 1));
    if (InputNumComplaints(InputDocumentOf(node)) > before) break;
    if (!(point[0] > (i ? (*points)[2 * i - 2] : 0.0) && point[0] < PETSC_INFINITY))
      PetscCall(InputComplain(item, "frequencies must be positive and ascend, got %g Hz", (double)point[0]));
    else if (!(point[1] > 0.0 && point[1] < PETSC_INFINITY)) PetscCall(InputComplain(item, "a density must be positive, got %g", (double)point[1]));
    if (InputNumComplaints(InputDocumentOf(node)) > before) break;
    PetscCall(PetscArraycpy(*points + 2 * i, point, 2));
  }
  if (InputNumComplaints(InputDocumentOf(node)) > before) *points = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadNoise(const Names *names, const LoadKeys *keys, Load *load)
{
  Signal *const signal = &load->signal;
  PetscInt      count;
  PetscReal    *points, *room;

  PetscFunctionBegin;
  if (signal->kind != SIGNAL_RANDOM || !keys->spectrum) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadSpectrum(keys->spectrum, DensityUnit(load, names), &count, &points));
  if (!points || !(signal->duration > 0.0)) PetscFunctionReturn(PETSC_SUCCESS);
  signal->end_frequency = points[2 * count - 2];
  if (signal->duration * signal->end_frequency > 2e6)
    PetscCall(
      InputComplain(keys->spectrum, "%g s up to %g Hz are more than two million periods", (double)signal->duration, (double)signal->end_frequency));
  else if (signal->duration * (points[2 * count - 2] - points[0]) < 4.0)
    PetscCall(InputComplain(keys->spectrum, "its frequencies are %g Hz apart, 1 / duration, of which fewer than four lie within it",
                            1.0 / (double)signal->duration));
  else {
    PetscCall(NoiseSample(count, points, keys->seed, NULL, signal));
    PetscCall(InputKeep(load->node, 2 * (size_t)(signal->num_samples + signal->num_lines) * sizeof(PetscReal), &room));
    PetscCall(NoiseSample(count, points, keys->seed, room, signal));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadSamples(const InputNode *map, const LoadKeys *keys, Load *load)
{
  const InputNode *node = InputFind(map, "file");
  PetscInt         rows, columns;
  const PetscReal *values;

  PetscFunctionBegin;
  if (load->signal.kind != SIGNAL_TABLE || !keys->file) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputReadTable(node, keys->file, &rows, &columns, &values));
  load->signal.num_samples = 0;
  if (rows == 0) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  if (columns != 2) PetscCall(InputComplain(node, "needs two columns, time and value; %s has %" PetscInt_FMT, keys->file, columns));
  else if (rows < 2) PetscCall(InputComplain(node, "needs two lines or more; %s has one", keys->file));
  else {
    load->signal.num_samples = rows;
    load->signal.samples     = values;
  }
  for (PetscInt i = 1; i < load->signal.num_samples; i++) {
    if (values[2 * i] > values[2 * (i - 1)]) continue;
    PetscCall(InputComplain(node, "times must ascend; in %s sample %" PetscInt_FMT " at %g s follows %g s", keys->file, i + 1, values[2 * i],
                            values[2 * i - 2]));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What every kind of load says; its place; `map` and `kind` for what only some say. */
static PetscErrorCode ReadLoad(const InputNode *node, const Names *names, const char *const kinds[], const InputTable kind_tables[], Load *load,
                               LoadKeys *keys, const InputNode **map, PetscInt *kind)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(load, sizeof(*load)));
  *keys        = (LoadKeys){.direction = NO_DIRECTION, .base = NO_DIRECTION};
  load->motion = load->support = -1;
  load->node                   = node;
  PetscCall(InputGetTagged(node, "load", kinds, kind, map));
  if (*kind < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(*map, &kind_tables[*kind], keys));
  if (!InputIsMap(*map)) { /* complained of */
    *kind = -1;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  load->signal    = keys->signal;
  load->amplitude = keys->amplitude;
  PetscCall(ReadPlace(*map, names, keys, load));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const InputNode *LoadNode(const InputNode *node, PetscInt i)
{
  return InputIsList(node) ? InputItem(node, i) : node;
}

static PetscErrorCode CreateLoads(const InputNode *node, PetscInt *count, Load **loads)
{
  PetscFunctionBegin;
  *count = !node ? 0 : InputIsList(node) ? InputCount(node) : 1;
  PetscCall(PetscCalloc1(*count, loads));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoadsRead(const InputNode *node, const Names *names, PetscInt *count, Load **loads)
{
  PetscFunctionBegin;
  PetscCall(CreateLoads(node, count, loads));
  for (PetscInt i = 0; i < *count; i++) {
    LoadKeys         keys;
    const InputNode *map;
    PetscInt         kind;

    PetscCall(ReadLoad(LoadNode(node, i), names, signal_names, tables, &(*loads)[i], &keys, &map, &kind));
    if (kind < 0) continue;
    (*loads)[i].signal.kind = (SignalKind)kind;
    PetscCall(ReadTime(map, names, &keys, &(*loads)[i]));
    PetscCall(ReadSamples(map, &keys, &(*loads)[i]));
    PetscCall(ReadNoise(names, &keys, &(*loads)[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Loads that are all of one kind, which says no more than where and how much. */
static PetscErrorCode ReadAlike(const InputNode *node, const Names *names, const char *kind_name, const InputTable *table, SignalKind signal,
                                PetscInt *count, Load **loads)
{
  const char *const kinds[] = {kind_name, NULL};

  PetscFunctionBegin;
  PetscCall(CreateLoads(node, count, loads));
  for (PetscInt i = 0; i < *count; i++) {
    LoadKeys         keys;
    const InputNode *map;
    PetscInt         kind;

    PetscCall(ReadLoad(LoadNode(node, i), names, kinds, table, &(*loads)[i], &keys, &map, &kind));
    (*loads)[i].signal.kind = signal;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoadsReadSines(const InputNode *node, const Names *names, PetscInt *count, Load **loads)
{
  PetscFunctionBegin;
  PetscCall(ReadAlike(node, names, "harmonic", &sine_table, SIGNAL_HARMONIC, count, loads));
  for (PetscInt l = 0; l < *count; l++) (*loads)[l].signal.steady = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoadsReadForces(const InputNode *node, const Names *names, PetscInt *count, Load **loads)
{
  PetscFunctionBegin;
  PetscCall(ReadAlike(node, names, "force", &force_table, SIGNAL_STEP, count, loads));
  for (PetscInt l = 0; l < *count; l++)
    if ((*loads)[l].place == LOAD_ON_SUPPORT && (*loads)[l].given != COURSE_DISPLACEMENT)
      PetscCall(InputComplain((*loads)[l].node, "nothing has a velocity at rest: give the `displacement` of the support"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoadsRefuseSupports(const InputNode *load, PetscInt count, const Load loads[], const char *reason)
{
  PetscFunctionBegin;
  for (PetscInt l = 0; l < count; l++) {
    if (loads[l].place != LOAD_ON_SUPPORT) continue;
    PetscCall(InputComplain(load, "%s", reason));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoadCheckJumps(const Load *load)
{
  PetscFunctionBegin;
  if (load->place == LOAD_ON_SUPPORT && load->given == COURSE_DISPLACEMENT && load->support >= 0 && !load->time_mode && SignalJumps(&load->signal, 0))
    PetscCall(InputComplain(load->node, "the displacement of a support cannot jump while the motion goes on: give it a `rise`, let it begin and end "
                                        "at 0, or begin with the motion, at time 0"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void LoadsMaxMode(PetscInt count, const Load loads[], PetscInt max_mode[2])
{
  for (PetscInt i = 0; i < count; i++) {
    max_mode[JOINT_STUCK] = PetscMax(max_mode[JOINT_STUCK], loads[i].time_mode);
    if (loads[i].place == LOAD_ON_SHAPE) max_mode[loads[i].joints] = PetscMax(max_mode[loads[i].joints], loads[i].mode);
  }
}

PetscErrorCode LoadResolve(Load *load, ModeCache *cache)
{
  const Modes *modes;
  PetscReal    omega;

  PetscFunctionBegin;
  if (!load->time_mode) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, load->time_mode, &modes));
  omega = modes->omega[load->time_mode - 1];
  if (omega == 0.0) {
    PetscCall(InputComplain(load->node, "mode %" PetscInt_FMT " has no frequency: it moves without strain, or is unstable", load->time_mode));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (load->signal.kind == SIGNAL_HALF_SINE) load->signal.duration = PETSC_PI / omega;
  else load->signal.frequency = omega / (2.0 * PETSC_PI);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt LoadSystemPlace(const Load *load, const System *system)
{
  if (load->place == LOAD_ON_POINT) return SystemPlaceOfMotion(system, load->motion);
  if (load->place == LOAD_ON_BASE) return SystemPlaceOfBase(system, load->direction);
  if (load->place == LOAD_ON_PATTERN) return SystemPlaceOfPattern(system, load->pattern);
  return -1;
}

PetscReal LoadFactor(const Load *load)
{
  return load->place == LOAD_ON_BASE ? -load->amplitude : load->amplitude;
}

/* Adds factor M phi. */
static PetscErrorCode AddShape(const Load *load, ModeCache *cache, PetscReal distribution[])
{
  const PetscInt     n = cache->system->num_unknowns;
  const PetscScalar *value;
  const Modes       *modes;
  Vec                shape, force;

  PetscFunctionBegin;
  PetscCall(ModeCacheGet(cache, load->joints, load->mode, &modes));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, modes->shape + (load->mode - 1) * n, &shape));
  PetscCall(VecDuplicate(shape, &force));
  PetscCall(MatMult(cache->system->M, shape, force));
  PetscCall(VecGetArrayRead(force, &value));
  for (PetscInt j = 0; j < n; j++) distribution[j] += LoadFactor(load) * value[j];
  PetscCall(VecRestoreArrayRead(force, &value));
  PetscCall(VecDestroy(&force));
  PetscCall(VecDestroy(&shape));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoadAddForces(const Load *load, ModeCache *cache, SystemForces *forces)
{
  const PetscInt place = LoadSystemPlace(load, cache->system);

  PetscFunctionBegin;
  if (load->place == LOAD_ON_SUPPORT) forces->supports[load->support] += load->amplitude;
  else if (place >= 0) forces->places[place] += LoadFactor(load);
  else PetscCall(AddShape(load, cache, forces->unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoadDistribution(const Load *load, ModeCache *cache, PetscReal distribution[])
{
  const PetscInt place = LoadSystemPlace(load, cache->system);

  PetscFunctionBegin;
  PetscCall(PetscArrayzero(distribution, cache->system->num_unknowns));
  if (load->place == LOAD_ON_SUPPORT)
    for (PetscInt j = 0; j < cache->system->num_unknowns; j++)
      distribution[j] = -load->amplitude * cache->system->supports[load->support].stiffness[j];
  else if (place >= 0) PetscCall(SystemAddPlace(cache->system, place, LoadFactor(load), distribution));
  else PetscCall(AddShape(load, cache, distribution));
  PetscFunctionReturn(PETSC_SUCCESS);
}
