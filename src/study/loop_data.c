/* loop_data.c - the motion and force of a joint, from a study before or from a file. */
#include "study/loop_data.h"
#include <string.h>
#include "input/columns.h"
#include "study/run_samples.h"

typedef struct {
  const char *of, *joint, *file, *time, *displacement, *force, *velocity, *slope;
  PetscInt    run, direction;
  PetscReal   displacement_scale, force_scale, from, to;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
const InputField loop_data_fields[] = {
  {.key = "of", .kind = INPUT_TEXT, .offset = OF(of), .help = "an earlier loop, or an earlier transient that watches the joint; or give a `file`"},
  {.key = "run", .kind = INPUT_COUNT, .offset = OF(run), .fallback = 1, .least = 1, .most = PETSC_MAX_INT, .help = "number of the run of the transient"},
  {.key = "joint", .kind = INPUT_TEXT, .offset = OF(joint), .help = "joint of the transient; required when it watches several"},
  {.key = "direction", .kind = INPUT_WORD, .offset = OF(direction), .fallback = INPUT_OPTIONAL, .words = direction_names,
   .help = "direction of the joint, required when it has several; or of a loop of a contact"},
  {.key = "file", .kind = INPUT_PATH, .offset = OF(file),
   .help = "file of numbers in columns separated by commas, semicolons or blanks; HDF5 file; MATLAB's file NAME.mat; or universal file (datasets 58, 58b)"},
  {.key = "time", .kind = INPUT_TEXT, .offset = OF(time), .unit = "s",
   .help = "column of the times, from 1 (default: the first), or their dataset, /a/b"},
  {.key = "displacement", .kind = INPUT_TEXT, .offset = OF(displacement), .unit = "m or rad", .help = "column of the displacement (default: the second) or its dataset"},
  {.key = "force", .kind = INPUT_TEXT, .offset = OF(force), .unit = "N or N m", .help = "column of the force (default: the third) or its dataset"},
  {.key = "velocity", .kind = INPUT_TEXT, .offset = OF(velocity), .unit = "m/s or rad/s", .help = "column or dataset of the velocity; default: computed from the displacement"},
  {.key = "slope", .kind = INPUT_TEXT, .offset = OF(slope), .unit = "N/m or N m/rad", .help = "column or dataset of the slope of the force over the displacement; default: computed from these"},
  {.key = "displacement_scale", .kind = INPUT_REAL, .offset = OF(displacement_scale), .fallback = 1.0, .help = "factor of displacement and velocity, to convert them to SI units"},
  {.key = "force_scale", .kind = INPUT_REAL, .offset = OF(force_scale), .fallback = 1.0, .help = "factor of the force, to convert it to SI units"},
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = INPUT_OPTIONAL, .unit = "s", .help = "start of the part that is used; default: all samples"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = INPUT_OPTIONAL, .unit = "s", .help = "end of the part that is used"},
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

/* The histories of joints that a run keeps, and what each is of. */
typedef struct {
  PetscInt        count;
  const Finding **findings;
  char          **joints;
  const char    **directions;
} Histories;

/* Those whose paths begin with that of the run: RUN/joints/JOINT/DIRECTION. */
static PetscErrorCode HistoriesFind(const Findings *findings, const Finding *run, Histories *histories)
{
  const char *const table = "transient/RUN/joints/JOINT/DIRECTION";
  PetscInt          most  = 0;
  char              group[PETSC_MAX_PATH_LEN];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof(group), "%s/joints/", FindingPath(run)));
  for (const Finding *next = FindingsNext(findings, table, NULL); next; next = FindingsNext(findings, table, next)) most++;
  histories->count = 0;
  PetscCall(PetscCalloc3(most, &histories->findings, most, &histories->joints, most, &histories->directions));
  for (const Finding *next = FindingsNext(findings, table, NULL); next; next = FindingsNext(findings, table, next)) {
    const char *const path  = FindingPath(next);
    const char *const slash = strrchr(path, '/'), *joint = path + strlen(group);
    char            **name = &histories->joints[histories->count];

    if (strncmp(path, group, strlen(group)) != 0) continue;
    PetscCall(PetscStrallocpy(joint, name));
    (*name)[slash - joint]                  = '\0';
    histories->directions[histories->count] = slash + 1;
    histories->findings[histories->count++] = next;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode HistoriesDestroy(Histories *histories)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < histories->count; i++) PetscCall(PetscFree(histories->joints[i]));
  PetscCall(PetscFree3(histories->findings, histories->joints, histories->directions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The histories of that joint, or of all joints when it is NULL, in that direction, or in any when it is negative: the last one, and how
   many. */
static PetscInt CountHistories(const Histories *histories, const char *joint, PetscInt direction, PetscInt *last)
{
  PetscInt count = 0;

  for (PetscInt i = 0; i < histories->count; i++) {
    if (joint && strcmp(histories->joints[i], joint) != 0) continue;
    if (direction >= 0 && strcmp(histories->directions[i], direction_names[direction]) != 0) continue;
    *last = i;
    count++;
  }
  return count;
}

/* A name that is not among them gets the complaint that tells which are. */
static PetscErrorCode CheckJoint(const InputNode *node, const Histories *histories, const char *joint, PetscBool *known)
{
  const char **names;
  PetscInt     count = 0, chosen;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(histories->count + 1, &names));
  for (PetscInt i = 0; i < histories->count; i++) {
    PetscBool told = PETSC_FALSE;

    for (PetscInt k = 0; k < count && !told; k++) told = (PetscBool)!strcmp(names[k], histories->joints[i]);
    if (!told) names[count++] = histories->joints[i];
  }
  PetscCall(InputChoose(node, joint, "joint", names, &chosen));
  *known = (PetscBool)(chosen >= 0);
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The one history that is asked for; -1 after a complaint. */
static PetscErrorCode ChooseHistory(const InputNode *node, const Keys *keys, const Histories *histories, PetscInt *history)
{
  const InputNode *at    = InputFind(node, "joint") ? InputFind(node, "joint") : InputFind(node, "of");
  PetscBool        known = PETSC_TRUE;
  PetscInt         count;

  PetscFunctionBegin;
  *history = -1;
  if (histories->count == 0) {
    PetscCall(InputComplain(at, "transient '%s' watches no joint: add one to the `joints` of its `watch`", keys->of));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (keys->joint) PetscCall(CheckJoint(at, histories, keys->joint, &known));
  if (!known) PetscFunctionReturn(PETSC_SUCCESS);
  count = CountHistories(histories, keys->joint, keys->direction, history);
  if (count == 1) PetscFunctionReturn(PETSC_SUCCESS);
  *history = -1;
  if (count == 0 && keys->joint)
    PetscCall(InputComplain(InputFind(node, "direction"), "joint '%s' does not move in direction %s", keys->joint, direction_names[keys->direction]));
  else if (count == 0)
    PetscCall(InputComplain(InputFind(node, "direction"), "no joint that is watched moves in direction %s", direction_names[keys->direction]));
  else if (keys->joint) PetscCall(InputComplain(at, "joint '%s' moves in %" PetscInt_FMT " directions: say which", keys->joint, count));
  else PetscCall(InputComplain(at, "transient '%s' watches several motions of joints: say which `joint` and `direction`", keys->of));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of a contact, one of its directions. */
static PetscErrorCode ChooseColumn(const InputNode *node, const Keys *keys, LoopData *data)
{
  const PetscInt num_directions = 3;

  PetscFunctionBegin;
  if (keys->direction >= num_directions)
    PetscCall(InputComplain(InputFind(node, "direction"), "loop '%s' moves in x, y and z, not in %s", keys->of, direction_names[keys->direction]));
  else if (keys->direction < 0) PetscCall(InputComplain(InputFind(node, "of"), "loop '%s' moves in x, y and z: choose one by `direction`", keys->of));
  else PetscCall(PetscSNPrintf(data->label, sizeof(data->label), "%s %s", keys->of, direction_names[keys->direction]));
  data->column = keys->direction;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadLoop(const InputNode *node, const Keys *keys, const Study *loop, LoopData *data)
{
  static const char *const of_transients[] = {"run", "joint", "direction", NULL}, *const of_runs[] = {"run", "joint", NULL};
  const Finding *const found      = FindingsNext(loop->findings, "loop/NAME", NULL);
  const PetscBool      of_contact = (PetscBool)(found && FindingField(found, "pressing") >= 0);

  PetscFunctionBegin;
  PetscCall(InputRefuseKeys(node, of_contact ? of_runs : of_transients, "belongs to a transient"));
  if (!found) PetscFunctionReturn(PETSC_SUCCESS); /* it has complained itself */
  data->source = found;
  data->most   = (PetscInt)FindingSize(found, "samples");
  PetscCall(CheckPart(node, keys, FindingReal(found, "begin"), FindingReal(found, "end")));
  PetscCall(PetscStrncpy(data->label, loop->name, sizeof(data->label)));
  if (of_contact) PetscCall(ChooseColumn(node, keys, data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The run that is asked for; NULL after a complaint, and without one where the transient has complained itself and has no runs. */
static PetscErrorCode ChooseRun(const InputNode *node, const Keys *keys, const Study *transient, const Finding **run)
{
  const char *const table = "transient/RUN";
  PetscInt          count = 0;

  PetscFunctionBegin;
  *run = NULL;
  for (const Finding *next = FindingsNext(transient->findings, table, NULL); next; next = FindingsNext(transient->findings, table, next))
    if (++count == keys->run) *run = next;
  if (!*run && count)
    PetscCall(InputComplain(InputFind(node, "run"), "transient '%s' has %" PetscInt_FMT " run%s, got %" PetscInt_FMT, keys->of, count,
                            count == 1 ? "" : "s", keys->run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* After a complaint about the structure nobody knows which joints there are. */
static PetscErrorCode ReadTransient(const InputNode *node, const Keys *keys, const Study *transient, LoopData *data)
{
  const Finding *run;
  Histories      histories;
  PetscInt       chosen;
  PetscReal      end;

  PetscFunctionBegin;
  PetscCall(ChooseRun(node, keys, transient, &run));
  if (!run || !transient->names->known) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(HistoriesFind(transient->findings, run, &histories));
  PetscCall(ChooseHistory(node, keys, &histories, &chosen));
  if (chosen >= 0) {
    data->run    = run;
    data->source = histories.findings[chosen];
    data->most   = (PetscInt)FindingSize(run, "samples");
    end          = RunSamplesEnd(run);
    if (end > 0.0) PetscCall(CheckPart(node, keys, RunSamplesStart(run), end));
    PetscCall(PetscSNPrintf(data->label, sizeof(data->label), "%s, %s %s", strrchr(FindingPath(run), '/') + 1, histories.joints[chosen],
                            histories.directions[chosen]));
  }
  PetscCall(HistoriesDestroy(&histories));
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { TIME, DISPLACEMENT, FORCE, VELOCITY, SLOPE };

static LoopRecord MakeRecord(PetscInt count, PetscReal *const numbers[])
{
  return (LoopRecord){.count        = count,
                      .time         = numbers[TIME],
                      .displacement = numbers[DISPLACEMENT],
                      .force        = numbers[FORCE],
                      .velocity     = numbers[VELOCITY],
                      .slope        = numbers[SLOPE]};
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

/* NULL of one that is not there. */
static PetscErrorCode ScaleColumn(const Column *column, PetscReal scale, PetscReal **numbers)
{
  PetscFunctionBegin;
  *numbers = NULL;
  if (column->count) PetscCall(PetscMalloc1(column->count, numbers));
  for (PetscInt i = 0; i < column->count; i++) (*numbers)[i] = scale * ColumnAt(column, i);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadFile(const InputNode *node, const Keys *keys, LoopData *data)
{
  const ColumnKey wanted[] = {[TIME]         = {"time", keys->time, 1, PETSC_TRUE, COLUMN_OF_TIME},
                              [DISPLACEMENT] = {"displacement", keys->displacement, 2, PETSC_FALSE, COLUMN_OF_TIME},
                              [FORCE]        = {"force", keys->force, 3, PETSC_FALSE, COLUMN_OF_TIME},
                              [VELOCITY]     = {"velocity", keys->velocity, COLUMN_NONE, PETSC_FALSE, COLUMN_OF_TIME},
                              [SLOPE]        = {"slope", keys->slope, COLUMN_NONE, PETSC_FALSE, COLUMN_OF_TIME}};
  Column          columns[LOOP_DATA_QUANTITIES];
  PetscReal       scale[LOOP_DATA_QUANTITIES];
  PetscBool       ascend = PETSC_FALSE;
  const int       least  = 3; /* of fewer nothing has a slope on both sides */
  char           *name;
  PetscInt        count;

  PetscFunctionBegin;
  PetscCall(FindScales(node, keys, scale));
  PetscCall(ColumnsRead(node, keys->file, LOOP_DATA_QUANTITIES, wanted, columns));
  count = columns[TIME].count;
  if (count) PetscCall(ColumnCheckTimes(InputFind(node, InputFind(node, "time") ? "time" : "file"), &columns[TIME], &ascend));
  if (count && count < least) PetscCall(InputComplain(InputFind(node, "file"), "expected %d samples or more, found %" PetscInt_FMT, least, count));
  else if (ascend) {
    PetscCall(CheckPart(node, keys, ColumnAt(&columns[TIME], 0), ColumnAt(&columns[TIME], count - 1)));
    for (PetscInt q = 0; q < LOOP_DATA_QUANTITIES; q++) PetscCall(ScaleColumn(&columns[q], scale[q], &data->numbers[q]));
    data->measured = MakeRecord(count, data->numbers);
    data->most     = count;
  }
  PetscCall(ColumnsDestroy(LOOP_DATA_QUANTITIES, columns));
  PetscCall(PetscStrrchr(keys->file, '/', &name));
  PetscCall(PetscStrncpy(data->label, name, sizeof(data->label)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadStudy(const InputNode *node, const Keys *keys, const Study *study, LoopData *data)
{
  static const char *const kinds[] = {"loop", "transient", NULL};
  const Study             *source;

  PetscFunctionBegin;
  PetscCall(StudyFindAmong(study, kinds, InputFind(node, "of"), keys->of, &source));
  if (source && !strcmp(source->kind->name, "loop")) PetscCall(ReadLoop(node, keys, source, data));
  else if (source) PetscCall(ReadTransient(node, keys, source, data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopDataRead(const InputNode *node, const InputTable *table, const Study *study, LoopData *data)
{
  static const char *const of_studies[] = {"run", "joint", "direction", NULL};
  static const char *const of_files[]   = {"time", "displacement", "force", "velocity", "slope", "displacement_scale", "force_scale", NULL};
  static const char *const sources[]    = {"of", "file", NULL};
  Keys     keys = {.run = 1, .direction = -1, .displacement_scale = 1.0, .force_scale = 1.0, .from = PETSC_MIN_REAL, .to = PETSC_MAX_REAL};
  PetscInt source;

  PetscFunctionBegin;
  *data = (LoopData){.column = -1};
  PetscCall(InputRead(node, table, &keys));
  if (!InputIsMap(node)) PetscFunctionReturn(PETSC_SUCCESS); /* complained of */
  PetscCall(InputExclusive(node, sources, PETSC_TRUE, &source));
  data->from = keys.from;
  data->to   = keys.to;
  if (source == 0) PetscCall(InputRefuseKeys(node, of_files, "belongs to a `file`"));
  if (source == 1) PetscCall(InputRefuseKeys(node, of_studies, "belongs to a transient, `of`"));
  if (source == 0 && keys.of) PetscCall(ReadStudy(node, &keys, study, data));
  else if (source == 1 && keys.file) PetscCall(ReadFile(node, &keys, data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopDataDestroy(LoopData *data)
{
  PetscFunctionBegin;
  for (PetscInt q = 0; q < LOOP_DATA_QUANTITIES; q++) PetscCall(PetscFree(data->numbers[q]));
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

/* The histories of a joint share the times of their run; a loop has its own. */
static PetscErrorCode ReadSamples(const LoopData *data, const Result *result, LoopSamples *samples)
{
  static const char *const outputs[LOOP_DATA_QUANTITIES] = {
    [TIME] = "time", [DISPLACEMENT] = "displacement", [FORCE] = "force", [VELOCITY] = "velocity", [SLOPE] = "slope"};
  PetscInt count;

  PetscFunctionBegin;
  count = data->most;
  if (data->run) PetscCall(RunSamplesCount(data->run, result, &count));
  for (PetscInt q = 0; q < LOOP_DATA_QUANTITIES; q++) {
    const Finding *const from = q == TIME && data->run ? data->run : data->source;

    if (FindingField(from, outputs[q]) < 0) continue;
    if (data->column >= 0 && q != TIME) PetscCall(FindingReadColumn(from, outputs[q], count, data->column, result, &samples->numbers[q]));
    else PetscCall(FindingReadReals(from, outputs[q], count, result, &samples->numbers[q]));
  }
  samples->record = MakeRecord(count, samples->numbers);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopDataFind(const LoopData *data, const Result *result, LoopSamples *samples)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(samples, sizeof(*samples)));
  if (data->source) PetscCall(ReadSamples(data, result, samples));
  else samples->record = data->measured;
  Cut(data, &samples->record);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LoopSamplesDestroy(LoopSamples *samples)
{
  PetscFunctionBegin;
  for (PetscInt q = 0; q < LOOP_DATA_QUANTITIES; q++) PetscCall(PetscFree(samples->numbers[q]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
