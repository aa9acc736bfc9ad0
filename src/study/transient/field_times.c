/* field_times.c - at which steps of which runs the case wants to see the motion of the mesh. */
#include "transient.h"
#include "study/stresses.h"

typedef struct {
  InputTexts runs;
  PetscInt   every;
  PetscReal  from, to;
  InputReals times;
  PetscBool  velocity, stresses, stress_points;
} Keys;

#define OF(member) offsetof(Keys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "every", .kind = INPUT_COUNT, .offset = OF(every), .fallback = INPUT_OPTIONAL, .least = 1, .most = PETSC_INFINITY,
   .help = "number of steps from one written time to the next; the first is at time 0"},
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = 0.0, .most = PETSC_INFINITY, .unit = "s", .help = "with `every`: start of the time window"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = INPUT_OPTIONAL, .most = PETSC_INFINITY, .unit = "s",
   .help = "with `every`: end of the time window; default: end of the run"},
  {.key = "times", .kind = INPUT_REALS, .offset = OF(times), .most = PETSC_INFINITY, .unit = "s",
   .help = "times in ascending order, instead of `every`; the nearest steps are written"},
  {.key = "velocity", .kind = INPUT_TRUTH, .offset = OF(velocity), .fallback = 0, .help = "write the velocity, too"},
  STRESSES_FIELD(OF(stresses), "of the modes that are kept, in motion, and of all others as loads and joints deflect them at rest; a preload is not in them"),
  STRESS_POINTS_FIELD(OF(stress_points)),
  {.key = "runs", .kind = INPUT_TEXTS, .offset = OF(runs), .help = "names of the runs; default: all"},
  {.key = NULL}
};
// clang-format on

const InputTable field_times_table = {"fields", "when the motion of the mesh is written for ParaView, RESULT_RUN.xdmf for each run", fields};

static PetscErrorCode CheckWindow(const InputNode *node, PetscBool by_times, const Keys *keys)
{
  static const char *const ends[] = {"from", "to"};

  PetscFunctionBegin;
  for (PetscInt i = 0; i < 2 && by_times; i++)
    if (InputFind(node, ends[i])) PetscCall(InputComplainKey(InputFind(node, ends[i]), "'%s' belongs to `every`, not to `times`", ends[i]));
  if (!by_times && keys->from > keys->to)
    PetscCall(InputComplain(InputFind(node, "to"), "must not be before `from`, %g s, got %g", keys->from, keys->to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is said at a time of the list is said once, not for each run. */
static PetscErrorCode CheckAscending(const InputNode *node, const InputReals *times)
{
  PetscFunctionBegin;
  for (PetscInt i = 1; i < times->count; i++)
    if (times->values[i] <= times->values[i - 1])
      PetscCall(InputComplain(InputItem(node, i), "times must ascend, got %g after %g", times->values[i], times->values[i - 1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ChooseTimes(const InputNode *node, const InputReals *times, Run *run)
{
  Snapshots *const snapshots = &run->snapshots;
  const PetscReal  h = run->options.time_step, end = h * run->steps, roundoff = 1e-9;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(times->count, &snapshots->steps));
  for (PetscInt i = 0; i < times->count; i++) {
    const InputNode *const item = InputIsList(node) ? InputItem(node, i) : node;

    if (times->values[i] > end * (1.0 + roundoff)) {
      PetscCall(InputComplain(item, "run '%s' ends at %g s, got %g", run->name, end, times->values[i]));
      break;
    }
    snapshots->steps[i] = (PetscInt)PetscFloorReal(times->values[i] / h + 0.5);
    if (i > 0 && snapshots->steps[i] <= snapshots->steps[i - 1]) {
      PetscCall(InputComplain(item, "falls on the same step of run '%s' as the time before; its steps are %g s", run->name, h));
      break;
    }
    snapshots->count++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ChooseEvery(const InputNode *node, const Keys *keys, Run *run)
{
  Snapshots *const snapshots = &run->snapshots;
  const PetscReal  h = run->options.time_step, roundoff = 1e-9;
  const PetscReal  first = PetscCeilReal(keys->from / h / keys->every - roundoff) * keys->every;
  const PetscReal  last  = PetscFloorReal(PetscMin(keys->to / h, run->steps) / keys->every + roundoff) * keys->every;

  PetscFunctionBegin;
  if (last < PetscMax(first, 1.0)) {
    PetscCall(InputComplain(node, "of the %" PetscInt_FMT " steps of run '%s', %g s each, none is chosen", run->steps, run->name, h));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  snapshots->count = (PetscInt)((last - first) / keys->every) + 1;
  PetscCall(PetscMalloc1(snapshots->count, &snapshots->steps));
  for (PetscInt i = 0; i < snapshots->count; i++) snapshots->steps[i] = (PetscInt)first + i * keys->every;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Choose(const InputNode *node, const Keys *keys, Run *run)
{
  PetscFunctionBegin;
  if (run->steps < 1 || run->options.time_step <= 0.0) PetscFunctionReturn(PETSC_SUCCESS); /* has been complained of */
  run->snapshots.velocity      = keys->velocity;
  run->snapshots.stresses      = keys->stresses;
  run->snapshots.stress_points = keys->stress_points;
  if (keys->times.count) PetscCall(ChooseTimes(InputFind(node, "times"), &keys->times, run));
  else PetscCall(ChooseEvery(InputFind(node, "every"), keys, run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ChooseRuns(const InputNode *node, const Keys *keys, PetscInt num_runs, Run runs[])
{
  const InputDocument *const document       = InputDocumentOf(node);
  const PetscInt             num_complaints = InputNumComplaints(document);
  const InputNode *const     names          = InputFind(node, "runs");
  const char               **known;
  PetscInt                   r;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(num_runs + 1, &known));
  for (PetscInt i = 0; i < num_runs; i++) known[i] = runs[i].name;
  for (PetscInt i = 0; i < keys->runs.count; i++) {
    PetscCall(InputChoose(InputIsList(names) ? InputItem(names, i) : names, keys->runs.values[i], "run", known, &r));
    if (r >= 0 && runs[r].snapshots.count == 0) PetscCall(Choose(node, keys, &runs[r]));
  }
  /* The first run that it does not suit is enough. */
  for (PetscInt i = 0; keys->runs.count == 0 && i < num_runs && InputNumComplaints(document) == num_complaints; i++)
    PetscCall(Choose(node, keys, &runs[i]));
  PetscCall(PetscFree(known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldTimesRead(const InputNode *node, const Names *names, PetscInt num_runs, Run runs[])
{
  static const char *const ways[]         = {"every", "times", NULL};
  const PetscInt           num_complaints = node ? InputNumComplaints(InputDocumentOf(node)) : 0;
  Keys                     keys           = {.to = PETSC_INFINITY};
  PetscInt                 way;

  PetscFunctionBegin;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(node, &field_times_table, &keys));
  PetscCall(InputExclusive(node, ways, PETSC_TRUE, &way));
  PetscCall(CheckWindow(node, (PetscBool)(way == 1), &keys));
  PetscCall(StressesCheckPoints(InputFind(node, "stress_points"), keys.stresses));
  PetscCall(CheckAscending(InputFind(node, "times"), &keys.times));
  if (names->known && !names->mesh) PetscCall(InputComplain(node, "writes motions of a mesh, and this case has none; `watch` keeps those of points"));
  if (InputNumComplaints(InputDocumentOf(node)) == num_complaints) PetscCall(ChooseRuns(node, &keys, num_runs, runs));
  PetscFunctionReturn(PETSC_SUCCESS);
}
