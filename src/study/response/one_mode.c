/* one_mode.c - responses near a resonance from a nonlinear mode alone: what the case says of them. */
#include "one_mode.h"
#include "balanced.h"
#include "study/decays.h"

#define OF(member) offsetof(OneModeKeys, member)

static const char *const methods[] = {"newmark", "runge_kutta", "harmonic_balance", "one_mode", NULL};

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `response`"},
  {.key = "method", .kind = INPUT_WORD, .offset = OF(method), .fallback = INPUT_REQUIRED, .words = methods, .help = "one_mode: these keys; the others have keys of their own, above"},
  {.key = "of", .kind = INPUT_TEXT, .offset = OF(of), .fallback = INPUT_REQUIRED, .help = "name of an earlier study of nonlinear modes; the structure is that which this is about"},
  {.key = "mode", .kind = INPUT_COUNT, .offset = OF(mode), .fallback = INPUT_OPTIONAL, .least = 1, .most = PETSC_MAX_INT, .help = "number of the mode; default: the only one of that study"},
  {.key = "frequencies", .kind = INPUT_NODE, .offset = OF(frequencies), .fallback = INPUT_REQUIRED, .help = "range of frequencies, {from, to}"},
  {.key = "level", .kind = INPUT_REALS, .offset = OF(level), .above = PETSC_TRUE, .most = PETSC_INFINITY, .help = "factor of the loads; a list computes curves for each; default 1"},
  {.key = "load", .kind = INPUT_NODE, .offset = OF(load), .fallback = INPUT_REQUIRED, .help = "one load or a list of them: {harmonic: {...}}"},
  {.key = "other_modes", .kind = INPUT_TRUTH, .offset = OF(others), .fallback = 1, .help = "add what all other modes do while all joints stick"},
  {.key = "max_points", .kind = INPUT_COUNT, .offset = OF(max_points), .fallback = 2000, .least = 2, .most = 1000000, .help = "largest number of points of a curve"},
  {.key = "max_special", .kind = INPUT_COUNT, .offset = OF(max_special), .fallback = 200, .least = 1, .most = 1000000, .help = "largest number of located points (peaks, folds) that are kept of a curve; how many more there are is said"},
  {.key = "store", .kind = INPUT_COUNT, .offset = OF(stored_harmonics), .fallback = 5, .least = 1, .most = 500, .help = "number of harmonics to store of each motion; those above the first are of motions that the mode's study watches, as many as it stores"},
  {.key = "watch", .kind = INPUT_NODE, .offset = OF(watch), .help = "motions that are stored"},
  {.key = NULL}
};
// clang-format on

static const InputTable one_mode_table = {
  "response", "motions under sinusoidal loads near a resonance, from the frequency, damping and shape of one nonlinear mode against its amplitude",
  fields};

const InputTable *const one_mode_tables[] = {&one_mode_table, NULL};

/* "mode 3 is not among those of 'curves': 1, 2" */
static PetscErrorCode ComplainOfMode(const InputNode *node, const OneMode *one)
{
  const InputNode *const at = InputFind(node, "mode");
  char                   list[256];
  PetscInt               count, *modes;

  PetscFunctionBegin;
  PetscCall(DecayModes(1, &one->source, &count, &modes));
  PetscCall(DecayListModes(count, modes, list, sizeof(list)));
  PetscCall(PetscFree(modes));
  if (at) PetscCall(InputComplain(at, "mode %" PetscInt_FMT " is not among those of '%s': %s", one->keys.mode, one->source->name, list));
  else PetscCall(InputComplain(InputFind(node, "of"), "has several modes, %s: choose one by `mode`", list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the source was refused it has no findings, which is no other fault. */
static PetscErrorCode FindMode(const InputNode *node, Study *study, OneMode *one)
{
  PetscInt count, *modes;

  PetscFunctionBegin;
  if (!one->keys.of) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(StudyFindBefore(study, "nonlinear_modes", InputFind(node, "of"), one->keys.of, &one->source));
  if (!one->source) PetscFunctionReturn(PETSC_SUCCESS);
  study->about = one->source->about;
  if (one->source->refused) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(DecayModes(1, &one->source, &count, &modes));
  one->number = InputFind(node, "mode") ? one->keys.mode : count == 1 ? modes[0] : 0;
  one->mode   = FindingsFind(one->source->findings, "/nonlinear_modes/%s/mode%" PetscInt_FMT, one->source->name, one->number);
  if (!one->mode) PetscCall(ComplainOfMode(node, one));
  PetscCall(PetscFree(modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadCurves(const InputNode *node, OneMode *one)
{
  static const PetscReal one_level = 1.0;
  const InputNode *const list      = InputFind(node, "level");
  const InputReals       levels    = one->keys.level.count ? one->keys.level : (InputReals){1, &one_level};

  PetscFunctionBegin;
  if (list && InputIsList(list) && InputCount(list) == 0) PetscCall(InputComplain(list, "expected one level or more, found none"));
  one->from = 1.0;
  one->to   = 2.0;
  if (one->keys.frequencies) PetscCall(BalancedFrequenciesRead(one->keys.frequencies, &one->from, &one->to));
  PetscCall(PetscCalloc1(levels.count, &one->curves));
  for (PetscInt l = 0; l < levels.count; l++) {
    OneModeCurve *const curve = &one->curves[one->num_curves++];

    curve->level = levels.values[l];
    PetscCall(PetscSNPrintf(curve->name, sizeof(curve->name), "curve_%" PetscInt_FMT, one->num_curves));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  OneMode       *one;

  PetscFunctionBegin;
  PetscCall(PetscNew(&one));
  study->data = one;
  PetscCall(InputRead(node, &one_mode_table, &one->keys));
  PetscCall(StudySetName(study, node, one->keys.name));
  PetscCall(FindMode(node, study, one));
  PetscCall(ReadCurves(node, one));
  one->common.keys.watch = one->keys.watch;
  PetscCall(ResponseReadLoads(one->keys.load, names, &one->common));
  PetscCall(LoadsRefuseSupports(one->keys.load, one->common.num_loads, one->common.loads,
                                "the force of moving supports on a nonlinear mode depends on the frequency, which one mode leaves aside: take the "
                                "method harmonic_balance, or a load on the `base`"));
  PetscCall(ResponseReadWatch(node, names, &one->common));
  one->common.reference_motion = ResponsePushedMotion(&one->common);
  if (names->known && one->mode && InputNumComplaints(InputDocumentOf(node)) == before)
    PetscCall(OneModeDeclare(study->name, names, study->findings, one));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  OneMode *one = study->data;

  PetscFunctionBegin;
  if (!one) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResponseForget(&one->common));
  PetscCall(HarmonicStructureDestroy(&one->structure));
  PetscCall(PetscFree(one->curves));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const OneMode *one = study->data;

  PetscFunctionBegin;
  fprintf(out, "  response %-25s %" PetscInt_FMT " curve%s by nonlinear mode %" PetscInt_FMT " of %s alone\n", study->name, one->num_curves,
          one->num_curves == 1 ? "" : "s", one->number, one->source->name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where no motion that is watched is pushed: that which moves most in the mode, translations before angles, of equal ones (1 %) the first. */
static PetscInt LargestMotion(const OneMode *one)
{
  const Watched *const watched = &one->common.watched;
  PetscInt             best    = 0;

  for (PetscInt i = 1; i < watched->count; i++) {
    const PetscReal moves = PetscAbsReal(watched->places[i].modes[one->number - 1]),
                    most  = PetscAbsReal(watched->places[best].modes[one->number - 1]);

    if (watched->motions[i].turns < watched->motions[best].turns ||
        (watched->motions[i].turns == watched->motions[best].turns && 0.99 * moves > most))
      best = i;
  }
  return best;
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  OneMode     *one         = study->data;
  PetscInt     max_mode[2] = {0, 0};
  PetscBool    leads;
  const Modes *modes;

  PetscFunctionBegin;
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, cache->system->num_unknowns, &modes));
  LoadsMaxMode(one->common.num_loads, one->common.loads, max_mode);
  if (max_mode[JOINT_SLIPPING]) PetscCall(ModeCacheGet(cache, JOINT_SLIPPING, max_mode[JOINT_SLIPPING], &modes));
  PetscCall(SystemLead(cache->system, &leads));
  if (leads) {
    PetscCall(HarmonicStructureCreate(cache, one->common.num_loads, one->common.loads, &one->structure));
    PetscCall(WatchedFindPlaces(one->structure, &one->common.watched));
    if (one->common.reference_motion < 0) one->common.reference_motion = LargestMotion(one);
    PetscCall(SystemDismiss(cache->system));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &one->common.reference_motion, 1, MPIU_INT, MPI_MAX, PETSC_COMM_WORLD));
  PetscCall(FindingSayText(one->finding, "chief", one->common.watched.motions[one->common.reference_motion].name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A few milliseconds a curve: the first rank takes all. */
static PetscErrorCode FollowAll(const OneMode *one, const Result *result)
{
  Backbone backbone;

  PetscFunctionBegin;
  PetscCall(BackboneCreate(one, result, &backbone));
  for (PetscInt c = 0; c < one->num_curves; c++) PetscCall(OneModeFollow(one, &backbone, &one->curves[c], result));
  PetscCall(BackboneDestroy(&backbone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  OneMode    *one = study->data;
  PetscMPIInt rank;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  if (rank == 0) PetscCall(FollowAll(one, result));
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscCall(OneModePrint(study->name, one, result, outcome));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind response_one_mode = {
  .name     = "response",
  .summary  = "frequency responses by one nonlinear mode",
  .read     = Read,
  .group    = StudyOwnGroup,
  .describe = Describe,
  .prepare  = Prepare,
  .run      = Compute,
  .destroy  = Destroy,
};
