/* runs.c - the motions of a transient study: rows of a table, each the product of its lists. */
#include "transient.h"

typedef struct {
  const char *name;
  InputReals  level, mode, time_step, steps;
  InputTexts  point, joints;
} RunKeys;

#define OF(member) offsetof(RunKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the run; default: that of the study and a number"},
  {.key = "mode", .kind = INPUT_REALS, .offset = OF(mode), .least = 1, .most = PETSC_MAX_INT, .help = "mode of the shape that loads follow"},
  {.key = "joints", .kind = INPUT_TEXTS, .offset = OF(joints), .help = "state of the joints for that shape: stuck, slipping"},
  {.key = "point", .kind = INPUT_TEXTS, .offset = OF(point), .help = "point at which loads act"},
  {.key = "level", .kind = INPUT_REALS, .offset = OF(level), .help = "factor of the loads and of the initial motion"},
  {.key = "time_step", .kind = INPUT_REALS, .offset = OF(time_step), .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "instead of that of the study"},
  {.key = "steps", .kind = INPUT_REALS, .offset = OF(steps), .least = 1, .most = PETSC_MAX_INT, .help = "instead of that of the study"},
  {.key = NULL}
};
// clang-format on

const InputTable run_table = {"runs[]", "one run of a transient, or a run for each combination of the lists it has; the last key varies fastest",
                              fields};

/* One combination of a row; NULL and 0 where the row does not say. */
typedef struct {
  const char      *name, *point;
  PetscInt         mode, joints, steps;
  PetscReal        level, time_step;
  const InputNode *node;
} Choice;

enum { UNSAID = -1 };

static PetscErrorCode RedirectLoads(const Names *names, const Choice *choice, Run *run)
{
  PetscInt on_points = 0, on_shapes = 0;

  PetscFunctionBegin;
  for (PetscInt l = 0; l < run->num_loads; l++) {
    Load *load = &run->loads[l];

    if (load->place == LOAD_ON_POINT) {
      on_points++;
      if (choice->point) PetscCall(NamesChooseMotion(names, InputFind(choice->node, "point"), choice->point, load->direction, &load->motion));
    } else if (load->place == LOAD_ON_SHAPE) {
      on_shapes++;
      if (choice->mode && load->follows) load->time_mode = choice->mode;
      if (choice->mode) load->mode = choice->mode;
      if (choice->joints != UNSAID) load->joints = (JointState)choice->joints;
    }
  }
  if (choice->point && !on_points) PetscCall(InputComplain(InputFind(choice->node, "point"), "no load of this study is on a point"));
  if (choice->mode && !on_shapes) PetscCall(InputComplain(InputFind(choice->node, "mode"), "no load of this study is on a mode shape"));
  if (choice->joints != UNSAID && !on_shapes) PetscCall(InputComplain(InputFind(choice->node, "joints"), "no load of this study is on a mode shape"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A run of the study with what one choice changes of it. */
static PetscErrorCode MakeRun(const TransientKeys *keys, const Names *names, StepperOptions options, PetscInt num_loads, const Load loads[],
                              const Choice *choice, PetscInt number, Run *run)
{
  PetscFunctionBegin;
  PetscCall(PetscMemzero(run, sizeof(*run)));
  run->number    = number;
  run->level     = choice->level;
  run->options   = options;
  run->steps     = choice->steps ? choice->steps : keys->steps;
  run->num_loads = num_loads;
  if (choice->time_step > 0.0) run->options.time_step = choice->time_step;
  if (choice->name) PetscCall(PetscStrallocpy(choice->name, &run->name));
  PetscCall(PetscMalloc1(num_loads, &run->loads));
  PetscCall(PetscArraycpy(run->loads, loads, num_loads));
  PetscCall(RedirectLoads(names, choice, run));
  for (PetscInt l = 0; l < num_loads; l++) {
    run->loads[l].amplitude *= choice->level;
    run->loads[l].signal.until = (PetscReal)run->steps * run->options.time_step;
    if (number == 1) PetscCall(LoadCheckJumps(&run->loads[l]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckWhole(const InputNode *row, const char *key, const InputReals *values)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < values->count; i++)
    if (values->values[i] != PetscFloorReal(values->values[i]))
      PetscCall(InputComplain(InputFind(row, key), "expected whole numbers, found %g", values->values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The row's joint states as numbers, complaining of words that are none. */
static PetscErrorCode ReadStates(const InputNode *row, const InputTexts *texts, PetscInt states[])
{
  const InputNode *node = InputFind(row, "joints");

  PetscFunctionBegin;
  for (PetscInt i = 0; i < texts->count; i++)
    PetscCall(InputChoose(InputIsList(node) ? InputItem(node, i) : node, texts->values[i], "state of joints", joint_state_names, &states[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckModes(const InputNode *row, const Names *names, const InputReals *modes)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < modes->count; i++) PetscCall(NamesCheckMode(names, InputFind(row, "mode"), modes->values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which item of each list the combination number `index` takes: the last list runs fastest. */
static void Pick(PetscInt index, PetscInt num_lists, const PetscInt sizes[], PetscInt item[])
{
  for (PetscInt k = num_lists - 1; k >= 0; k--) {
    const PetscInt size = PetscMax(sizes[k], 1);

    item[k] = index % size;
    index /= size;
  }
}

enum { MODE, JOINTS, POINT, LEVEL, TIME_STEP, STEPS, NUM_LISTS };

static Choice Choose(const InputNode *row, const RunKeys *keys, const PetscInt states[], const PetscInt item[])
{
  return (Choice){
    .node      = row,
    .name      = keys->name,
    .mode      = keys->mode.count ? (PetscInt)keys->mode.values[item[MODE]] : 0,
    .joints    = keys->joints.count ? states[item[JOINTS]] : UNSAID,
    .point     = keys->point.count ? keys->point.values[item[POINT]] : NULL,
    .level     = keys->level.count ? keys->level.values[item[LEVEL]] : 1.0,
    .time_step = keys->time_step.count ? keys->time_step.values[item[TIME_STEP]] : 0.0,
    .steps     = keys->steps.count ? (PetscInt)keys->steps.values[item[STEPS]] : 0,
  };
}

/* What a row says, checked: its lists and how many runs they make; 0 runs after a complaint. */
typedef struct {
  const InputNode *node;
  RunKeys          keys;
  PetscInt        *states; /* of the joints, for keys.joints */
  PetscInt         sizes[NUM_LISTS], product;
} Row;

static PetscErrorCode CheckEmpty(const InputNode *row)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; InputIsMap(row) && i < InputCount(row); i++)
    if (InputIsList(InputItem(row, i)) && InputCount(InputItem(row, i)) == 0)
      PetscCall(InputComplain(InputItem(row, i), "an empty list makes no run: remove the key, or give values"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CountRuns(Row *row)
{
  const RunKeys  *keys             = &row->keys;
  const PetscInt  sizes[NUM_LISTS] = {keys->mode.count,  keys->joints.count,    keys->point.count,
                                      keys->level.count, keys->time_step.count, keys->steps.count};
  const PetscReal most             = 100000.0;
  PetscReal       product          = 1.0;

  PetscFunctionBegin;
  for (PetscInt k = 0; k < NUM_LISTS; k++) {
    row->sizes[k] = sizes[k];
    product *= PetscMax((PetscReal)sizes[k], 1.0);
  }
  row->product = product <= most ? (PetscInt)product : 0;
  if (product > most) PetscCall(InputComplain(row->node, "makes %g runs; a row may make %g at most", product, most));
  if (product > 1.0 && keys->name)
    PetscCall(InputComplain(InputFind(row->node, "name"), "this row makes %g runs, which cannot share a name", product));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadRow(const InputNode *node, const TransientKeys *study, const Names *names, Row *row)
{
  RunKeys *keys = &row->keys;

  PetscFunctionBegin;
  PetscCall(PetscMemzero(row, sizeof(*row)));
  row->node = node;
  PetscCall(InputRead(node, &run_table, keys));
  PetscCall(CheckEmpty(node));
  PetscCall(CheckWhole(node, "mode", &keys->mode));
  PetscCall(CheckWhole(node, "steps", &keys->steps));
  PetscCall(CheckModes(node, names, &keys->mode));
  PetscCall(PetscMalloc1(keys->joints.count, &row->states));
  PetscCall(ReadStates(node, &keys->joints, row->states));
  if (keys->name) PetscCall(InputCheckName(InputFind(node, "name"), keys->name));
  if (study->steps == 0 && keys->steps.count == 0) PetscCall(InputComplain(node, "neither the study nor this run says `steps`"));
  if (study->time_step == 0.0 && keys->time_step.count == 0) PetscCall(InputComplain(node, "neither the study nor this run says `time_step`"));
  PetscCall(CountRuns(row));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddRow(const InputNode *node, const TransientKeys *study, const Names *names, StepperOptions options, PetscInt num_loads,
                             const Load loads[], PetscInt *count, Run **runs)
{
  Row row;

  PetscFunctionBegin;
  PetscCall(ReadRow(node, study, names, &row));
  PetscCall(PetscRealloc(sizeof(Run) * (size_t)(*count + row.product), runs));
  for (PetscInt i = 0; i < row.product; i++) {
    PetscInt item[NUM_LISTS];
    Choice   choice;

    Pick(i, NUM_LISTS, row.sizes, item);
    choice = Choose(node, &row.keys, row.states, item);
    PetscCall(MakeRun(study, names, options, num_loads, loads, &choice, *count + 1, &(*runs)[*count]));
    (*count)++;
  }
  PetscCall(PetscFree(row.states));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* STUDY, or STUDY_07 among several. */
static PetscErrorCode NameRuns(const char *study, PetscInt count, Run runs[])
{
  int digits = 1;

  PetscFunctionBegin;
  for (PetscInt most = count; most >= 10; most /= 10) digits++;
  for (PetscInt r = 0; r < count; r++) {
    char name[PETSC_MAX_PATH_LEN];

    if (runs[r].name) continue;
    if (count == 1) PetscCall(PetscSNPrintf(name, sizeof(name), "%s", study));
    else PetscCall(PetscSNPrintf(name, sizeof(name), "%s_%0*" PetscInt_FMT, study, digits, runs[r].number));
    PetscCall(PetscStrallocpy(name, &runs[r].name));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunsRead(const TransientKeys *keys, const Names *names, StepperOptions options, PetscInt num_loads, const Load loads[],
                        PetscInt *count, Run **runs)
{
  const Choice plain = {.joints = UNSAID, .level = 1.0};

  PetscFunctionBegin;
  *count = 0;
  *runs  = NULL;
  if (!keys->runs) {
    PetscCall(PetscMalloc1(1, runs));
    PetscCall(MakeRun(keys, names, options, num_loads, loads, &plain, 1, &(*runs)[(*count)++]));
  } else if (!InputIsList(keys->runs) || InputCount(keys->runs) == 0) {
    PetscCall(InputComplain(keys->runs, "expected a list of runs: - {level: [...], point: [...], ...}"));
  } else {
    for (PetscInt i = 0; i < InputCount(keys->runs); i++)
      PetscCall(AddRow(InputItem(keys->runs, i), keys, names, options, num_loads, loads, count, runs));
  }
  PetscCall(NameRuns(keys->name, *count, *runs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunsDestroy(PetscInt count, Run **runs)
{
  PetscFunctionBegin;
  for (PetscInt r = 0; r < count; r++) {
    PetscCall(PetscFree((*runs)[r].name));
    PetscCall(PetscFree((*runs)[r].loads));
    PetscCall(RecorderDestroy(&(*runs)[r].recorder));
    PetscCall(SnapshotsDestroy(&(*runs)[r].snapshots));
  }
  PetscCall(PetscFree(*runs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RunsSpread(PetscInt count, Run runs[])
{
  PetscMPIInt size;
  PetscReal  *busy, *steps;
  PetscInt   *order;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(PetscCalloc3(size, &busy, count, &steps, count, &order));
  for (PetscInt r = 0; r < count; r++) {
    steps[r] = -(PetscReal)runs[r].steps;
    order[r] = r;
  }
  PetscCall(PetscSortRealWithArrayInt(count, steps, order));
  for (PetscInt i = 0; i < count; i++) {
    PetscMPIInt idlest = 0;

    for (PetscMPIInt rank = 1; rank < size; rank++)
      if (busy[rank] < busy[idlest]) idlest = rank;
    runs[order[i]].rank = idlest;
    busy[idlest] -= steps[i];
  }
  PetscCall(PetscFree3(busy, steps, order));
  PetscFunctionReturn(PETSC_SUCCESS);
}
