/* ring_down.c - the study of frequency and damping along decays, computed or measured. */
#include "ring_down.h"
#include <string.h>

#define OF(member) offsetof(RingDownKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study; default: that of the transient, `ring_down` for records and backbones"},
  {.key = "of", .kind = INPUT_TEXT, .offset = OF(of), .help = "an earlier transient whose runs are measured; or give `records` or `backbones`"},
  {.key = "records", .kind = INPUT_NODE, .offset = OF(records), .help = "a measured record, or a list of records: {file, time, values, quantity}"},
  {.key = "backbones", .kind = INPUT_NODE, .offset = OF(backbones),
   .help = "a measured table of amplitude, frequency and damping, or a list of them, for fits and comparisons: {file, quantity, ...}"},
  {.key = "modes", .kind = INPUT_REALS, .offset = OF(modes), .least = 1, .most = PETSC_MAX_INT,
   .help = "for runs: modes to measure; default: the mode whose shape the load follows, otherwise all that are watched; for records and backbones: the mode that was measured, default 1"},
  {.key = "point", .kind = INPUT_TEXT, .offset = OF(point), .help = "for runs: measure the motion of a watched point instead of modes"},
  {.key = "direction", .kind = INPUT_WORD, .offset = OF(direction), .fallback = INPUT_OPTIONAL, .words = direction_names,
   .help = "direction of the point; required when it has several"},
  {.key = "quantity", .kind = INPUT_WORD, .offset = OF(quantity), .fallback = QUANTITY_VELOCITY, .words = quantity_names, .help = "quantity of the point that is measured"},
  {.key = "amplitude", .kind = INPUT_WORD, .offset = OF(amplitude), .fallback = QUANTITY_DISPLACEMENT, .words = quantity_names,
   .help = "quantity of the amplitudes in the result, by eq. 22 of lacayo2017"},
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = INPUT_OPTIONAL, .unit = "s",
   .help = "start of the free decay; default: the end of the loads of a run, the start of a record"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = INPUT_OPTIONAL, .unit = "s", .help = "end of the decay; default: that of the samples"},
  {.key = "band", .kind = INPUT_REALS, .offset = OF(band), .most = PETSC_INFINITY, .unit = "Hz", 
   .help = "two frequencies: only signals between them are measured; default of a record with clear peaks and other motions: a band about the highest; a hum or another mode within 1 % of this mode cannot be separated from it"},
  {.key = "isolate", .kind = INPUT_TRUTH, .offset = OF(isolate), .fallback = 1,
   .help = "for modes without `band`: when other motions have more than 1e-4 of the energy, use a band halfway to the neighbouring modes"},
  {.key = "correct_period", .kind = INPUT_TRUTH, .offset = OF(correct_period), .fallback = 1,
   .help = "for runs by average acceleration: correct the frequency for the time step, which lowers it by (omega h)^2 / 12"},
  {.key = "knots", .kind = INPUT_REALS, .offset = OF(knots), .unit = "s", .help = "times between which lines are fitted; default: chosen from the data"},
  {.key = "drop", .kind = INPUT_REAL, .offset = OF(drop), .fallback = 0.35, .least = 0.01, .most = 2, .help = "approximate decrease of the logarithm of the amplitude from knot to knot"},
  {.key = "cycles", .kind = INPUT_REAL, .offset = OF(cycles), .fallback = 3, .least = 1, .most = 1000, .help = "approximate least number of cycles from knot to knot"},
  {.key = "edge", .kind = INPUT_REAL, .offset = OF(edge), .fallback = 1.5, .most = 1000, .help = "number of cycles omitted at both ends, where the Hilbert transform is least accurate"},
  {.key = "max_points", .kind = INPUT_COUNT, .offset = OF(max_points), .fallback = 60, .least = 5, .most = 10000, .help = "largest number of points of a decay"},
  {.key = "accept_frequency", .kind = INPUT_REAL, .offset = OF(accept_frequency), .fallback = 1e-3, .above = PETSC_TRUE, .most = 1,
   .help = "largest relative error (twice the standard deviation) of the frequency of a trusted point"},
  {.key = "accept_damping", .kind = INPUT_REAL, .offset = OF(accept_damping), .fallback = 0.02, .above = PETSC_TRUE, .most = 10, .help = "largest relative error of the damping, likewise"},
  {.key = NULL}
};
// clang-format on

static const InputTable ring_down_table = {"ring_down",
                                           "frequency and damping over the amplitude, by the Hilbert transform and piecewise linear fits", fields};

static const InputTable *const own_tables[] = {&ring_down_table, &record_file_table, &backbone_file_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

static PetscErrorCode CheckModes(const InputNode *node, const RingDownKeys *keys)
{
  const InputNode *modes = InputFind(node, "modes");

  PetscFunctionBegin;
  if (modes && InputIsList(modes) && InputCount(modes) == 0) PetscCall(InputComplain(modes, "expected numbers of modes, found none"));
  for (PetscInt i = 0; i < keys->modes.count; i++)
    if (keys->modes.values[i] != PetscFloorReal(keys->modes.values[i]))
      PetscCall(InputComplain(InputIsList(modes) ? InputItem(modes, i) : modes, "expected the number of a mode, found %g", keys->modes.values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckBand(const InputNode *node, const RingDownKeys *keys)
{
  const InputNode *band = InputFind(node, "band"), *knots = InputFind(node, "knots");

  PetscFunctionBegin;
  if (band && keys->band.count != 2)
    PetscCall(InputComplain(band, "expected two frequencies, [lowest, highest], found %" PetscInt_FMT, keys->band.count));
  else if (band && keys->band.values[0] >= keys->band.values[1])
    PetscCall(InputComplain(band, "expected two frequencies that ascend, found %g and %g Hz", keys->band.values[0], keys->band.values[1]));
  if (knots && keys->knots.count < 6) PetscCall(InputComplain(knots, "expected six times or more, found %" PetscInt_FMT, keys->knots.count));
  for (PetscInt k = 1; k < keys->knots.count; k++)
    if (keys->knots.values[k] <= keys->knots.values[k - 1]) {
      PetscCall(InputComplain(InputItem(knots, k), "times must ascend, got %g after %g", keys->knots.values[k], keys->knots.values[k - 1]));
      break;
    }
  if (keys->to <= keys->from) PetscCall(InputComplain(InputFind(node, "to"), "must be after `from`, %g s, got %g", keys->from, keys->to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is found of each decay, once it is known that nothing is wrong with them. */
static PetscErrorCode Declare(const Study *study, RingDown *ring_down)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < ring_down->num_decays; i++) PetscCall(DecayDeclare(&ring_down->decays[i], study->name, study->findings));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  static const char *const sources[] = {"of", "records", "backbones", NULL};
  const PetscInt           before    = InputNumComplaints(InputDocumentOf(node));
  RingDown                *ring_down;
  PetscInt                 source;

  PetscFunctionBegin;
  PetscCall(PetscNew(&ring_down));
  study->data     = ring_down;
  ring_down->keys = (RingDownKeys){.direction = -1, .from = PETSC_MIN_REAL, .to = PETSC_MAX_REAL};
  PetscCall(InputRead(node, &ring_down_table, &ring_down->keys));
  PetscCall(CheckModes(node, &ring_down->keys));
  PetscCall(CheckBand(node, &ring_down->keys));
  PetscCall(InputExclusive(node, sources, PETSC_TRUE, &source));
  study->name = ring_down->keys.name ? ring_down->keys.name : ring_down->keys.of ? ring_down->keys.of : "ring_down";
  PetscCall(InputCheckName(node, study->name));
  if (source == 0 && ring_down->keys.of) {
    PetscCall(StudyFindBefore(study, "transient", InputFind(node, "of"), ring_down->keys.of, &ring_down->transient));
    if (ring_down->transient) study->about = ring_down->transient->about;
    if (ring_down->transient) PetscCall(DecaysOfRuns(node, names, ring_down));
  } else if (source == 1 && ring_down->keys.records) PetscCall(DecaysOfRecords(node, study->name, ring_down));
  else if (source == 2 && ring_down->keys.backbones) PetscCall(DecaysOfBackbones(node, study->name, ring_down));
  if (InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(Declare(study, ring_down));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool StandsAlone(const InputNode *node)
{
  return (PetscBool)(InputFind(node, "records") || InputFind(node, "backbones"));
}

static PetscErrorCode Destroy(Study *study)
{
  RingDown *ring_down = study->data;

  PetscFunctionBegin;
  if (!ring_down) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < ring_down->num_records; i++) PetscCall(PetscFree(ring_down->records[i].values));
  for (PetscInt i = 0; i < ring_down->num_backbones; i++) PetscCall(PetscFree(ring_down->backbones[i].points));
  PetscCall(PetscFree(ring_down->records));
  PetscCall(PetscFree(ring_down->backbones));
  PetscCall(PetscFree(ring_down->decays));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A run or record can be measured more than once, each time with another mode or point. */
static const char *Group(const Study *study, PetscInt i)
{
  const RingDown *ring_down = study->data;

  return i < ring_down->num_decays ? ring_down->decays[i].path : NULL;
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const RingDown *ring_down = study->data;

  PetscFunctionBegin;
  fprintf(out, "  ring_down %-24s %" PetscInt_FMT " decay%s\n", study->name, ring_down->num_decays, ring_down->num_decays == 1 ? "" : "s");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Frequencies of a mode [rad/s] with the joints stuck and slipping, in ascending order. */
static PetscErrorCode FrequencyRange(ModeCache *cache, PetscInt mode, PetscReal range[2])
{
  PetscFunctionBegin;
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    const Modes *modes;

    PetscCall(ModeCacheGet(cache, state, mode, &modes));
    range[state] = mode >= 1 && mode <= modes->count ? modes->omega[mode - 1] : 0.0;
  }
  if (range[0] > range[1]) {
    const PetscReal stuck = range[0];

    range[0] = range[1];
    range[1] = stuck;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The band of a mode reaches halfway, in logarithms, to what its neighbours can do, and is an octave at most to each side. A mode
   can have the frequencies between its stuck and its slipping one, and what time steps make of them. */
static PetscErrorCode FindBand(ModeCache *cache, const InputNode *node, Decay *decay)
{
  const PetscReal margin = 0.02;
  PetscReal       own[2], below[2], above[2];

  PetscFunctionBegin;
  PetscCall(FrequencyRange(cache, decay->mode, own));
  PetscCall(FrequencyRange(cache, decay->mode - 1, below));
  PetscCall(FrequencyRange(cache, decay->mode + 1, above));
  if (own[1] == 0.0) PetscCall(InputComplain(node, "mode %" PetscInt_FMT " has no frequency: it moves without strain, or is unstable", decay->mode));
  decay->options.plausible[0] = (1.0 - margin) * own[0];
  decay->options.plausible[1] = (1.0 + margin) * own[1];
  if (!decay->isolate) PetscFunctionReturn(PETSC_SUCCESS);
  decay->options.lowest = PetscMin(PetscMax(PetscSqrtReal(own[0] * below[1]), 0.5 * own[0]), decay->options.plausible[0]);
  decay->options.highest =
    PetscMax(above[0] > 0.0 ? PetscMin(PetscSqrtReal(own[1] * above[0]), 2.0 * own[1]) : 2.0 * own[1], decay->options.plausible[1]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Newmark's rule as it conserves energy, whose period error is known. */
static PetscBool IsAverageAcceleration(const Finding *run)
{
  return (PetscBool)(!strcmp(FindingText(run, "method"), "newmark") && FindingReal(run, "beta") == 0.25 && FindingReal(run, "gamma") == 0.5 &&
                     FindingReal(run, "alpha") == 0.0);
}

/* What is known of a run only when its loads are: when it begins to be free. */
static PetscErrorCode FindStart(const Study *study, Decay *decay)
{
  const RingDown *ring_down = study->data;
  const Finding  *run       = decay->run;
  const PetscReal step = FindingReal(run, "time_step"), end = RunSamplesEnd(run);
  const char     *name = FindingPath(run) + sizeof("/transient/") - 1;

  PetscFunctionBegin;
  decay->measured.step  = RunSamplesStep(run);
  decay->measured.start = RunSamplesStart(run);
  if (ring_down->keys.correct_period && IsAverageAcceleration(run)) decay->options.integration_step = step;
  if (InputFind(study->node, "from")) PetscFunctionReturn(PETSC_SUCCESS);
  decay->from = FindingReal(run, "free_from");
  if (decay->from == PETSC_MAX_REAL)
    PetscCall(InputComplain(study->node, "a load of run '%s' never ends: say `from` when to measure, or give the load a duration", name));
  else if (decay->from >= end)
    PetscCall(InputComplain(study->node, "run '%s' is never free: it ends at %g s, its loads at %g s", name, end, decay->from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  RingDown      *ring_down = study->data;
  const PetscInt before    = InputNumComplaints(InputDocumentOf(study->node));

  PetscFunctionBegin;
  for (PetscInt i = 0; i < ring_down->num_decays && InputNumComplaints(InputDocumentOf(study->node)) == before; i++) {
    Decay *decay = &ring_down->decays[i];

    if (decay->run) PetscCall(FindStart(study, decay));
    if (decay->run && decay->mode) PetscCall(FindBand(cache, study->node, decay));
    if (!decay->backbone) PetscCall(FindingSayReal(decay->finding, "from", PetscMax(decay->from, decay->measured.start)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The ranks share the decays; what of a transient was broken off is measured when it is resumed. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  const RingDown *ring_down = study->data;
  PetscMPIInt     rank, size;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  for (PetscInt i = rank; i < ring_down->num_decays; i += size) PetscCall(DecayMeasure(&ring_down->decays[i], result));
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  if (rank == 0) PetscCall(RingDownPrint(study, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_ring_down = {
  .name         = "ring_down",
  .summary      = "frequency and damping over the amplitude, from decays",
  .tables       = tables,
  .outputs      = decay_tables,
  .twice        = "this case has two ring-downs of",
  .stands_alone = StandsAlone,
  .read         = Read,
  .group        = Group,
  .describe     = Describe,
  .prepare      = Prepare,
  .run          = Compute,
  .destroy      = Destroy,
};
