/* loop_data.c - the motion and force of a joint, from a study before or from a file. */
#include "loop_data.h"
#include "input/columns.h"
#include "loop.h"

typedef struct {
  const char *of, *joint, *file, *time, *displacement, *force, *velocity, *slope;
  PetscInt    run, direction;
  PetscReal   displacement_scale, force_scale, from, to;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
const InputField loop_data_fields[] = {
  {.key = "of", .kind = INPUT_TEXT, .offset = OF(of), .help = "a loop before this study, or a transient that watches the joint; or give a `file`"},
  {.key = "run", .kind = INPUT_COUNT, .offset = OF(run), .fallback = 1, .least = 1, .most = PETSC_MAX_INT, .help = "which of the transient's runs"},
  {.key = "joint", .kind = INPUT_TEXT, .offset = OF(joint), .help = "of the transient; needed when it watches several"},
  {.key = "direction", .kind = INPUT_WORD, .offset = OF(direction), .fallback = INPUT_OPTIONAL, .words = direction_names,
   .help = "of the joint; needed when it moves in several"},
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file),
   .help = "numbers in columns separated by commas, semicolons or blanks; or an HDF5 file"},
  {.key = "time", .kind = INPUT_TEXT, .offset = OF(time), .unit = "s",
   .help = "the column of the times, from 1 (the first when nothing is said), or their dataset, /a/b"},
  {.key = "displacement", .kind = INPUT_TEXT, .offset = OF(displacement), .unit = "m or rad", .help = "likewise; the second when nothing is said"},
  {.key = "force", .kind = INPUT_TEXT, .offset = OF(force), .unit = "N or N m", .help = "likewise; the third when nothing is said"},
  {.key = "velocity", .kind = INPUT_TEXT, .offset = OF(velocity), .unit = "m/s or rad/s", .help = "likewise; found from the displacement when nothing is said"},
  {.key = "slope", .kind = INPUT_TEXT, .offset = OF(slope), .unit = "N/m or N m/rad", .help = "of the force over the displacement, likewise; found from these when nothing is said"},
  {.key = "displacement_scale", .kind = INPUT_REAL, .offset = OF(displacement_scale), .fallback = 1.0, .help = "multiplies displacement and velocity: to SI units"},
  {.key = "force_scale", .kind = INPUT_REAL, .offset = OF(force_scale), .fallback = 1.0, .help = "multiplies the force: to SI units"},
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = INPUT_OPTIONAL, .unit = "s", .help = "start of what counts; of all there is when not given"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = INPUT_OPTIONAL, .unit = "s", .help = "its end"},
  {.key = NULL}
};
// clang-format on

/* Complains of a part that samples from `start` to `end` do not have. */
static PetscErrorCode CheckPart(const InputNode *node, const Keys *keys, PetscReal start, PetscReal end)
{
  PetscFunctionBegin;
  if (InputFind(node, "to") && keys->to <= keys->from)
    PetscCall(InputComplain(InputFind(node, "to"), "must be after `from`, %g s, got %g", keys->from, keys->to));
  else if (InputFind(node, "from") && keys->from >= end)
    PetscCall(InputComplain(InputFind(node, "from"), "must be before the samples end, at %g s, got %g", end, keys->from));
  else if (InputFind(node, "to") && keys->to <= start)
    PetscCall(InputComplain(InputFind(node, "to"), "must be after the samples begin, at %g s, got %g", start, keys->to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of the watched joint of that name, or of all of them when it is NULL: the last one, and how many. */
static PetscInt CountRows(const System *system, const Watch *watch, const char *joint, PetscInt direction, PetscInt *last)
{
  PetscInt count = 0;

  for (PetscInt i = 0; i < watch->num_rows; i++) {
    const SystemRow *row  = &system->rows[watch->rows[i]];
    PetscBool        same = PETSC_TRUE;

    if (joint) (void)PetscStrcmp(row->joint, joint, &same);
    if (!same || (direction >= 0 && row->direction != direction)) continue;
    *last = watch->rows[i];
    count++;
  }
  return count;
}

/* A name that is not among them gets the complaint that tells which are. */
static PetscErrorCode CheckJoint(const InputNode *node, const System *system, const Watch *watch, const char *joint, PetscBool *known)
{
  const char **names;
  PetscInt     count = 0, chosen;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(watch->num_rows + 1, &names));
  for (PetscInt i = 0; i < watch->num_rows; i++) {
    const char *const name = system->rows[watch->rows[i]].joint;
    PetscBool         told = PETSC_FALSE;

    for (PetscInt k = 0; k < count && !told; k++) PetscCall(PetscStrcmp(names[k], name, &told));
    if (!told) names[count++] = name;
  }
  PetscCall(InputChoose(node, joint, "joint", names, &chosen));
  *known = (PetscBool)(chosen >= 0);
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ChooseRow(const InputNode *node, const Keys *keys, const System *system, const Watch *watch, PetscInt *row)
{
  const InputNode *at    = InputFind(node, "joint") ? InputFind(node, "joint") : InputFind(node, "of");
  PetscBool        known = PETSC_TRUE;
  PetscInt         count;

  PetscFunctionBegin;
  *row = -1;
  if (watch->num_rows == 0) {
    PetscCall(InputComplain(at, "transient '%s' watches no joint: add one to the `joints` of its `watch`", keys->of));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (keys->joint) PetscCall(CheckJoint(at, system, watch, keys->joint, &known));
  if (!known) PetscFunctionReturn(PETSC_SUCCESS);
  count = CountRows(system, watch, keys->joint, keys->direction, row);
  if (count == 1) PetscFunctionReturn(PETSC_SUCCESS);
  *row = -1;
  if (count == 0 && keys->joint)
    PetscCall(InputComplain(InputFind(node, "direction"), "joint '%s' does not move in direction %s", keys->joint, direction_names[keys->direction]));
  else if (count == 0)
    PetscCall(InputComplain(InputFind(node, "direction"), "no joint that is watched moves in direction %s", direction_names[keys->direction]));
  else if (keys->joint) PetscCall(InputComplain(at, "joint '%s' moves in %" PetscInt_FMT " directions: say which", keys->joint, count));
  else PetscCall(InputComplain(at, "transient '%s' watches several motions of joints: say which `joint` and `direction`", keys->of));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadLoop(const InputNode *node, const Keys *keys, const Study *loop, LoopData *data)
{
  static const char *const of_transients[] = {"run", "joint", "direction", NULL};
  const LoopRecord         record          = LoopStudyRecord(loop);

  PetscFunctionBegin;
  PetscCall(InputRefuseKeys(node, of_transients, "belongs to a transient"));
  data->loop = loop;
  data->most = record.count;
  if (record.count) PetscCall(CheckPart(node, keys, record.time[0], record.time[record.count - 1]));
  PetscCall(PetscStrncpy(data->label, loop->name, sizeof(data->label)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadTransient(const InputNode *node, const Keys *keys, const Study *transient, const System *system, LoopData *data)
{
  const System *const moves = TransientSystem(transient, system);
  PetscInt            count;
  const Run          *runs;
  const Watch        *watch;
  PetscReal           end;

  PetscFunctionBegin;
  TransientRuns(transient, &count, &runs, &watch);
  if (keys->run > count) {
    PetscCall(InputComplain(InputFind(node, "run"), "transient '%s' has %" PetscInt_FMT " run%s, got %" PetscInt_FMT, keys->of, count,
                            count == 1 ? "" : "s", keys->run));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (moves) PetscCall(ChooseRow(node, keys, moves, watch, &data->row));
  if (!moves || data->row < 0) PetscFunctionReturn(PETSC_SUCCESS);
  data->run  = &runs[keys->run - 1];
  data->most = (PetscInt)RecorderSamples(watch, data->run->steps);
  end        = data->run->steps * data->run->options.time_step;
  if (end > 0.0) PetscCall(CheckPart(node, keys, 0.0, end));
  PetscCall(PetscSNPrintf(data->label, sizeof(data->label), "%s, %s %s", data->run->name, moves->rows[data->row].joint,
                          SystemRowDirection(&moves->rows[data->row])));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The arrays of a record, one after another in `numbers`. */
enum { TIME, DISPLACEMENT, FORCE, VELOCITY, SLOPE, NUM_QUANTITIES_OF_LOOPS };

static LoopRecord MakeRecord(PetscInt count, const PetscReal numbers[], PetscBool velocity, PetscBool slope)
{
  return (LoopRecord){.count        = count,
                      .time         = numbers + TIME * count,
                      .displacement = numbers + DISPLACEMENT * count,
                      .force        = numbers + FORCE * count,
                      .velocity     = velocity ? numbers + VELOCITY * count : NULL,
                      .slope        = slope ? numbers + SLOPE * count : NULL};
}

/* What brings each quantity to SI units; complains of what would leave nothing of it. */
static PetscErrorCode FindScales(const InputNode *node, const Keys *keys, PetscReal scale[])
{
  PetscFunctionBegin;
  if (keys->displacement_scale == 0.0) PetscCall(InputComplain(InputFind(node, "displacement_scale"), "must not be 0: nothing would move"));
  if (keys->force_scale == 0.0) PetscCall(InputComplain(InputFind(node, "force_scale"), "must not be 0: nothing would be left"));
  scale[TIME]         = 1.0;
  scale[DISPLACEMENT] = keys->displacement_scale;
  scale[FORCE]        = keys->force_scale;
  scale[VELOCITY]     = keys->displacement_scale;
  scale[SLOPE]        = keys->force_scale / keys->displacement_scale;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadFile(const InputNode *node, const Keys *keys, LoopData *data)
{
  const ColumnKey wanted[] = {[TIME]         = {"time", keys->time, 1},
                              [DISPLACEMENT] = {"displacement", keys->displacement, 2},
                              [FORCE]        = {"force", keys->force, 3},
                              [VELOCITY]     = {"velocity", keys->velocity, COLUMN_NONE},
                              [SLOPE]        = {"slope", keys->slope, COLUMN_NONE}};
  Column          columns[NUM_QUANTITIES_OF_LOOPS];
  PetscReal       scale[NUM_QUANTITIES_OF_LOOPS];
  PetscBool       ascend = PETSC_FALSE;
  const int       least  = 3; /* of fewer nothing has a slope on both sides */
  char           *name;
  PetscInt        count;

  PetscFunctionBegin;
  PetscCall(FindScales(node, keys, scale));
  PetscCall(ColumnsRead(node, keys->file, NUM_QUANTITIES_OF_LOOPS, wanted, columns));
  count = columns[TIME].count;
  if (count) PetscCall(ColumnCheckTimes(InputFind(node, InputFind(node, "time") ? "time" : "file"), &columns[TIME], &ascend));
  if (count && count < least) PetscCall(InputComplain(InputFind(node, "file"), "expected %d samples or more, found %" PetscInt_FMT, least, count));
  else if (ascend) {
    PetscCall(CheckPart(node, keys, ColumnAt(&columns[TIME], 0), ColumnAt(&columns[TIME], count - 1)));
    PetscCall(PetscCalloc1(NUM_QUANTITIES_OF_LOOPS * count, &data->numbers));
    for (PetscInt q = 0; q < NUM_QUANTITIES_OF_LOOPS; q++)
      for (PetscInt i = 0; i < columns[q].count; i++) data->numbers[q * count + i] = scale[q] * ColumnAt(&columns[q], i);
    data->measured = MakeRecord(count, data->numbers, (PetscBool)(keys->velocity != NULL), (PetscBool)(keys->slope != NULL));
    data->most     = count;
  }
  PetscCall(ColumnsDestroy(NUM_QUANTITIES_OF_LOOPS, columns));
  PetscCall(PetscStrrchr(keys->file, '/', &name));
  PetscCall(PetscStrncpy(data->label, name, sizeof(data->label)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadStudy(const InputNode *node, const Keys *keys, const Study *study, const System *system, LoopData *data)
{
  static const StudyKind *const kinds[] = {&study_loop, &study_transient, NULL};
  const Study                  *source;

  PetscFunctionBegin;
  PetscCall(StudyFindAmong(study, kinds, InputFind(node, "of"), keys->of, &source));
  if (source && source->kind == &study_loop) PetscCall(ReadLoop(node, keys, source, data));
  else if (source) PetscCall(ReadTransient(node, keys, source, system, data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopDataRead(const InputNode *node, const InputTable *table, const Study *study, const System *system, LoopData *data)
{
  static const char *const of_studies[] = {"run", "joint", "direction", NULL};
  static const char *const of_files[]   = {"time", "displacement", "force", "velocity", "slope", "displacement_scale", "force_scale", NULL};
  static const char *const sources[]    = {"of", "file", NULL};
  Keys     keys = {.run = 1, .direction = -1, .displacement_scale = 1.0, .force_scale = 1.0, .from = PETSC_MIN_REAL, .to = PETSC_MAX_REAL};
  PetscInt source;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(data, sizeof(*data)));
  PetscCall(InputRead(node, table, &keys));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  PetscCall(InputExclusive(node, sources, PETSC_TRUE, &source));
  data->from = keys.from;
  data->to   = keys.to;
  if (source == 0) PetscCall(InputRefuseKeys(node, of_files, "belongs to a `file`"));
  if (source == 1) PetscCall(InputRefuseKeys(node, of_studies, "belongs to a transient, `of`"));
  if (source == 0 && keys.of) PetscCall(ReadStudy(node, &keys, study, system, data));
  else if (source == 1 && keys.file) PetscCall(ReadFile(node, &keys, data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopDataDestroy(LoopData *data)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(data->numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Leaves of a record what lies within the part that counts; times that are equal but for round-off do. */
static void Cut(const LoopData *data, LoopRecord *record)
{
  const PetscReal roundoff = record->count ? 1e-9 * (record->time[record->count - 1] - record->time[0]) / record->count : 0.0;
  PetscInt        first = 0, end = record->count;

  while (first < end && record->time[first] < data->from - roundoff) first++;
  while (end > first && record->time[end - 1] > data->to + roundoff) end--;
  record->count = end - first;
  record->time += first;
  record->displacement += first;
  record->force += first;
  if (record->velocity) record->velocity += first;
  if (record->slope) record->slope += first;
}

static PetscErrorCode FindRun(const LoopData *data, const Result *result, LoopSamples *samples)
{
  PetscReal *columns[3];
  PetscInt   count;

  PetscFunctionBegin;
  PetscCall(RunReadJoint(data->run, result, data->row, &count, &columns[TIME], &columns[DISPLACEMENT], &columns[FORCE]));
  PetscCall(PetscMalloc1(3 * count, &samples->numbers));
  for (PetscInt c = 0; c < 3; c++) {
    PetscCall(PetscArraycpy(samples->numbers + c * count, columns[c], count));
    PetscCall(PetscFree(columns[c]));
  }
  samples->record = MakeRecord(count, samples->numbers, PETSC_FALSE, PETSC_FALSE);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopDataFind(const LoopData *data, const Result *result, LoopSamples *samples)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(samples, sizeof(*samples)));
  if (data->run) PetscCall(FindRun(data, result, samples));
  else if (data->loop) samples->record = LoopStudyRecord(data->loop);
  else samples->record = data->measured;
  Cut(data, &samples->record);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopSamplesDestroy(LoopSamples *samples)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(samples->numbers));
  PetscFunctionReturn(PETSC_SUCCESS);
}
