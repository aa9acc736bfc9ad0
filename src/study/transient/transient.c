/* transient.c - the study of motions in time. */
#include "motion_fields.h"
#include "mover.h"
#include "run_reactions.h"
#include "study/large_motion.h"
#include "study/reactions.h"

typedef struct {
  TransientKeys keys;
  Watch         watch;
  InitialKeys   initial;
  Mover         mover;
  PetscInt      num_runs;
  Run          *runs;
  PetscBool     marched; /* beside those of other variants */
} Transient;

#define OF(member) offsetof(TransientKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `transient`"},
  STUDY_ABOUT_FIELD(OF(about)),
  {.key = "time_step", .kind = INPUT_REAL, .offset = OF(time_step), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "s",
   .help = "time step; default for runs that set none; use at least twenty in the shortest period of interest"},
  {.key = "steps", .kind = INPUT_COUNT, .offset = OF(steps), .fallback = INPUT_OPTIONAL, .least = 1, .most = PETSC_INFINITY,
   .help = "number of time steps; default for runs that set none"},
  {.key = "model", .kind = INPUT_TEXT, .offset = OF(model),
   .help = "name of an earlier `modal_iwan`: its modal model is simulated instead of the structure, under the same loads"},
  {.key = "load", .kind = INPUT_NODE, .offset = OF(load), .help = "one load or a list of them: {half_sine: {...}}"},
  {.key = "initial", .kind = INPUT_NODE, .offset = OF(initial), .help = "initial displacement and velocity; default: rest"},
  {.key = "runs", .kind = INPUT_NODE, .offset = OF(runs), .help = "list of runs, by what changes from run to run; default: one run"},
  {.key = "every", .kind = INPUT_COUNT, .offset = OF(every), .fallback = 1, .least = 1, .most = PETSC_INFINITY,
   .help = "number of steps from one stored sample to the next; the first sample is at time 0"},
  {.key = "watch", .kind = INPUT_NODE, .offset = OF(watch), .help = "what is stored"},
  {.key = "keep", .kind = INPUT_NODE, .offset = OF(keep),
   .help = "which samples are stored, {from, to} or {last}; peaks and extremes of energies are those of all; default: all"},
  {.key = "reactions", .kind = INPUT_TRUTH, .offset = OF(reactions), .fallback = 0,
   .help = "keep what the ground gives at each of the `supports` of the mesh, histories of force and moment about the origin"},
  {.key = "fields", .kind = INPUT_NODE, .offset = OF(fields), .help = "times at which the motion of the mesh is written for ParaView; default: never"},
  {.key = "method", .kind = INPUT_WORD, .offset = OF(method), .fallback = METHOD_NEWMARK, .words = step_method_names,
   .help = "integration method: newmark solves the equilibrium of the joints in each step; runge_kutta, of fourth order, evaluates their forces explicitly, and its steps must resolve the highest mode"},
  {.key = "beta", .kind = INPUT_REAL, .offset = OF(beta), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = 1,
   .help = "beta of Newmark's rule; default (gamma + 1/2)^2 / 4, which is 1/4 (average acceleration) with the other defaults"},
  {.key = "gamma", .kind = INPUT_REAL, .offset = OF(gamma), .fallback = INPUT_OPTIONAL, .least = 0.5, .most = 1,
   .help = "gamma of Newmark's rule; default 1/2 - alpha, which is also the least"},
  {.key = "alpha", .kind = INPUT_REAL, .offset = OF(alpha), .fallback = 0.0, .least = -1.0 / 3.0, .most = 0.0,
   .help = "alpha of Hilber, Hughes and Taylor: numerical damping of what the step does not resolve; 0 for none. The energy error of a run is then what this damping takes"},
  {.key = "tolerance", .kind = INPUT_REAL, .offset = OF(tolerance), .fallback = 1e-11, .least = 1e-15, .most = 1e-2,
   .help = "accepted imbalance of a joint's force, relative to its force"},
  {.key = "max_iterations", .kind = INPUT_COUNT, .offset = OF(max_iterations), .fallback = 25, .least = 1, .most = 10000,
   .help = "largest number of Newton iterations before the step is halved"},
  {.key = NULL}
};
// clang-format on

static const InputTable transient_table = {
  "transient", "time integration, by Newmark's rule with the nonlinear problem at the joints, or by the Runge-Kutta method", fields};

static const InputTable *const own_tables[] = {&transient_table, &run_table, &watch_table, &keep_table, &field_times_table, NULL};
static const InputTables       tables[]     = {own_tables, load_tables, initial_tables, NULL};

static StepperOptions Options(const TransientKeys *keys)
{
  const PetscReal alpha = keys->alpha, gamma = keys->gamma > 0.0 ? keys->gamma : 0.5 - alpha;

  return (StepperOptions){
    .method         = (StepMethodChoice)keys->method,
    .rule           = {.alpha = alpha, .beta = keys->beta > 0.0 ? keys->beta : 0.25 * (0.5 + gamma) * (0.5 + gamma), .gamma = gamma},
    .tolerance      = keys->tolerance,
    .max_iterations = keys->max_iterations,
    .time_step      = keys->time_step,
  };
}

/* For any step when gamma >= 1/2 - alpha and beta >= gamma / 2 [Hughes 1987, sec. 9.1 and 9.3; checked by spectral radii], for small
   ones with a smaller beta, for none with a smaller gamma. */
static PetscErrorCode CheckStability(const InputNode *node, NewmarkRule rule)
{
  const PetscReal least = 0.5 - rule.alpha, roundoff = 1e-12;

  PetscFunctionBegin;
  if (rule.gamma < least - roundoff)
    PetscCall(
      InputComplain(InputFind(node, "gamma"), "must be at least 1/2 - alpha = %g, got %g: the motion would grow without bound", least, rule.gamma));
  else if (rule.beta < 0.5 * rule.gamma - roundoff)
    LogWarn("%s: beta = %g is less than gamma / 2 = %g: stable for small steps only", InputPath(node), rule.beta, 0.5 * rule.gamma);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the study says wrongly is not missing from its runs. */
static void MarkFaults(const InputNode *node, TransientKeys *keys)
{
  if (InputFind(node, "time_step") && keys->time_step == 0.0) keys->time_step = -1.0;
  if (InputFind(node, "steps") && keys->steps == 0) keys->steps = -1;
}

/* What the runs will keep, once it is known that nothing is wrong with them. */
static PetscErrorCode Declare(const Study *study, Transient *transient)
{
  const Names *const moves = MoverNames(&transient->mover, study->names);

  PetscFunctionBegin;
  for (PetscInt r = 0; r < transient->num_runs; r++) {
    Run *run = &transient->runs[r];
    char group[PETSC_MAX_PATH_LEN];

    PetscCall(PetscSNPrintf(group, sizeof(group), "/transient/%s", run->name));
    PetscCall(RecorderDeclare(&transient->watch, moves, study->findings, group, run->window, &run->recorder));
    PetscCall(RecorderDeclareLoads(&run->recorder, study->names, study->findings, group, run->num_loads, run->loads));
    PetscCall(SnapshotsDeclare(moves->num_unknowns, study->findings, group, &run->snapshots));
    PetscCall(RunSayFacts(run, study->name, transient->keys.model, study->names));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Supports that move have reactions of their own, and what those of the mesh take of their motions is not known here. */
static PetscErrorCode CheckReactions(const InputNode *key, const Transient *transient, const Names *names, PetscInt num_loads, const Load loads[])
{
  PetscFunctionBegin;
  PetscCall(ReactionsCheck(key, names, num_loads, loads));
  if (transient->keys.model) PetscCall(InputComplain(key, "belong to motions of the structure; a modal model has no supports"));
  if (names->known && names->num_supports)
    PetscCall(InputComplain(key, "are not known beside `moving_supports`, which have theirs in moving_supports/POINT/DIRECTION/reaction"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What cannot be where supports are moved. */
static PetscErrorCode CheckLoads(const InputNode *node, const Transient *transient, const Names *names, StepMethodChoice method, PetscInt num_loads,
                                 const Load loads[])
{
  const TransientKeys *const keys = &transient->keys;

  PetscFunctionBegin;
  PetscCall(StepperCheckLoads(keys->load, method, num_loads, loads));
  if (keys->model)
    PetscCall(LoadsRefuseSupports(keys->load, num_loads, loads, "a modal model has no supports that move: load it by forces, or along shapes"));
  if (keys->reactions) PetscCall(CheckReactions(InputFind(node, "reactions"), transient, names, num_loads, loads));
  if (keys->fields)
    PetscCall(
      LoadsRefuseSupports(keys->fields, num_loads, loads, "fields of the mesh do not show motions of supports yet; `watch` keeps those of points"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  Transient               *transient;
  const PetscInt           before         = InputNumComplaints(InputDocumentOf(node));
  static const char *const newmark_keys[] = {"beta", "gamma", "alpha", "tolerance", "max_iterations", NULL};
  StepperOptions           options;
  Load                    *loads;
  PetscInt                 num_loads;

  PetscFunctionBegin;
  PetscCall(PetscNew(&transient));
  study->data = transient;
  PetscCall(InputRead(node, &transient_table, &transient->keys));
  MarkFaults(node, &transient->keys);
  if (!transient->keys.name) transient->keys.name = "transient";
  study->name = transient->keys.name;
  options     = Options(&transient->keys);
  if (options.method != METHOD_NEWMARK) PetscCall(InputRefuseKeys(node, newmark_keys, "belongs to the method newmark"));
  PetscCall(CheckStability(node, options.rule));
  PetscCall(StepperCheck(names, options.method, node));
  PetscCall(LinearCheck(names, node));
  PetscCall(StudyReadAbout(node, transient->keys.about, study));
  PetscCall(MoverRead(InputFind(node, "model"), transient->keys.model, names, study, &transient->mover));
  if (study->about && transient->mover.study)
    PetscCall(InputComplain(InputFind(node, "about"), "a modal model moves about the state that it was measured about"));
  else if (transient->mover.study) study->about = transient->mover.study->about;
  PetscCall(LoadsRead(transient->keys.load, names, &num_loads, &loads));
  PetscCall(CheckLoads(node, transient, names, options.method, num_loads, loads));
  PetscCall(InitialRead(transient->keys.initial, names, &transient->initial));
  PetscCall(WatchRead(transient->keys.watch, MoverNames(&transient->mover, names), transient->keys.every, &transient->watch));
  PetscCall(InputCheckName(node, transient->keys.name));
  if (!transient->keys.runs && !InputFind(node, "time_step")) PetscCall(InputComplain(node, "missing key 'time_step'"));
  if (!transient->keys.runs && !InputFind(node, "steps")) PetscCall(InputComplain(node, "missing key 'steps'"));
  PetscCall(RunsRead(&transient->keys, names, options, num_loads, loads, &transient->num_runs, &transient->runs));
  study->writes_series = (PetscBool)(transient->keys.fields != NULL);
  PetscCall(KeepRead(transient->keys.keep, transient->keys.every, transient->num_runs, transient->runs));
  PetscCall(FieldTimesRead(transient->keys.fields, names, transient->num_runs, transient->runs));
  PetscCall(PetscFree(loads));
  if (names->known && InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(Declare(study, transient));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  Transient *transient = study->data;

  PetscFunctionBegin;
  if (!transient) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(RunsDestroy(transient->num_runs, &transient->runs));
  PetscCall(WatchDestroy(&transient->watch));
  PetscCall(InitialDestroy(&transient->initial));
  PetscCall(MoverDestroy(&transient->mover));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *Group(const Study *study, PetscInt i)
{
  const Transient *transient = study->data;

  return i < transient->num_runs ? transient->runs[i].name : NULL;
}

/* `bytes` of the histories. */
static void CountWork(const Transient *transient, const Names *moves, PetscReal *steps, PetscReal *samples, PetscReal *pictures, PetscReal *bytes)
{
  const PetscInt width = WatchWidth(&transient->watch, moves);

  *steps = *samples = *pictures = *bytes = 0.0;
  for (PetscInt r = 0; r < transient->num_runs; r++) {
    const Run *run = &transient->runs[r];

    *steps += run->steps;
    *samples += (PetscReal)RecorderSamples(&transient->watch, run->steps);
    *bytes += 8.0 * (PetscReal)(run->window.last - run->window.first + 1) * (PetscReal)(width + run->num_loads);
    *pictures += (PetscReal)run->snapshots.count * (run->snapshots.velocity ? 2 : 1);
  }
}

/* Says so when the steps of a run pass over one of its loads; the first of a study is enough. */
static void WarnOfFastLoads(const Transient *transient)
{
  const PetscReal enough = 10.0; /* steps to a period or half period: below, the load acts several per cent wrong */

  for (PetscInt r = 0; r < transient->num_runs; r++)
    for (PetscInt l = 0; l < transient->runs[r].num_loads; l++) {
      const Run      *run  = &transient->runs[r];
      const Load     *load = &run->loads[l];
      const PetscReal time = SignalFastest(&load->signal), step = run->options.time_step;

      if (time == 0.0 || step <= 0.0 || time > enough * step * (1.0 - 1e-9)) continue;
      LogWarn("%s: run %s takes only %.2g steps in the %g s of a %s; ten or more follow it", InputPath(load->node), run->name, time / step, time,
              load->signal.kind == SIGNAL_HALF_SINE ? "half sine" : "period");
      return;
    }
}

static PetscErrorCode WarnOfLongSteps(const Study *study, const ModeCache *cache)
{
  const Transient *transient = study->data;
  PetscReal        longest   = 0.0;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < transient->num_runs; r++) longest = PetscMax(longest, transient->runs[r].options.time_step);
  PetscCall(StepperWarnOfStep(study->node, (StepMethodChoice)transient->keys.method, cache, longest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nothing moves a run without loads and initial motion, not even about a preload, where all is in balance. */
static void WarnOfRest(const Transient *transient)
{
  for (PetscInt r = 0; r < transient->num_runs && !transient->keys.initial; r++) {
    const Run *run  = &transient->runs[r];
    PetscReal  most = 0.0;

    for (PetscInt l = 0; l < run->num_loads; l++) most = PetscMax(most, PetscAbsReal(run->loads[l].amplitude));
    if (most > 0.0) continue;
    LogWarn("run %s has neither a load nor an initial motion: nothing will move", run->name);
    return;
  }
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const Transient   *transient = study->data;
  const Names *const moves     = MoverNames(&transient->mover, study->names);
  PetscReal          steps, samples, pictures, bytes, seconds;

  PetscFunctionBegin;
  CountWork(transient, moves, &steps, &samples, &pictures, &bytes);
  bytes += 8.0 * ((PetscReal)transient->num_runs * WatchRunWidth(&transient->watch, moves) + pictures * moves->num_unknowns);
  seconds = steps * StepperSeconds(moves, (StepMethodChoice)transient->keys.method) + samples * WatchSampleSeconds(&transient->watch, moves);
  WarnOfFastLoads(transient);
  WarnOfRest(transient);
  fprintf(out, "  transient %-24s %" PetscInt_FMT " run%s, %g steps, about %.2g s on one core, %.3g MB of results\n", study->name,
          transient->num_runs, transient->num_runs == 1 ? "" : "s", steps, seconds, bytes / 1e6);
  if (!transient->mover.study && LinearLooksSparse(moves)) fprintf(out, "  %34s many joints on sparse matrices: steps need no modes\n", "");
  if (pictures > 0.0)
    fprintf(out, "  %34s %g fields on the mesh for ParaView, %.3g MB\n", "", pictures,
            pictures * 3.0 * 8.0 * (PetscReal)study->names->num_nodes / 1e6);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrepareModes(const Transient *transient, ModeCache *cache)
{
  PetscInt     max_mode[2] = {WatchMaxMode(&transient->watch), 0};
  const Modes *modes;

  PetscFunctionBegin;
  if (transient->mover.study) { /* made of all stuck modes, it needs no others */
    PetscCall(ModeCacheGet(cache, JOINT_STUCK, cache->system->num_unknowns, &modes));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(LinearPrepare(cache));
  for (PetscInt r = 0; r < transient->num_runs; r++) LoadsMaxMode(transient->runs[r].num_loads, transient->runs[r].loads, max_mode);
  if (transient->initial.mode) max_mode[transient->initial.joints] = PetscMax(max_mode[transient->initial.joints], transient->initial.mode);
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    if (max_mode[state]) PetscCall(ModeCacheGet(cache, state, max_mode[state], &modes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first run of a study that deserves a warning is enough. */
static PetscErrorCode WarnOfModes(const Study *study, ModeCache *cache)
{
  Transient *transient = study->data;
  PetscBool  warned    = PETSC_FALSE;

  PetscFunctionBegin;
  for (PetscInt r = 0; r < transient->num_runs && !warned; r++) {
    Run *run = &transient->runs[r];

    for (PetscInt l = 0; l < run->num_loads; l++) PetscCall(LoadResolve(&run->loads[l], cache));
    PetscCall(RunWarnOfFastModes(run, study->node, &transient->initial, cache, &warned));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Many joints on sparse matrices need no modes, and to find all of many for this alone would take longer than the run: what is not resolved is
   said, if not whether loads excite it. The first run of a study is enough. */
static PetscErrorCode WarnOfUnjudged(const Study *study, const ModeCache *cache)
{
  const Transient *const transient = study->data;
  PetscReal              highest;

  PetscFunctionBegin;
  PetscCall(ModeCacheHighest(cache, &highest));
  for (PetscInt r = 0; r < transient->num_runs; r++) {
    const Run *const run = &transient->runs[r];

    if (RunFollows(run, highest)) continue;
    LogWarn("%s: run %s takes %.2g time steps in a period of the highest mode, %.4g Hz. Whether its loads or initial motion excite modes that it "
            "does not resolve was not judged, as that takes all %" PetscInt_FMT " modes; a smaller time_step shows whether they matter",
            InputPath(study->node), run->name, 2.0 * PETSC_PI / (highest * run->options.time_step), highest / (2.0 * PETSC_PI),
            cache->system->num_unknowns);
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the run needs no modes, they are found for this alone, if there are few. */
static PetscErrorCode Foresee(Study *study, ModeCache *cache)
{
  const PetscInt count = cache->system->num_unknowns, few = 500;
  ModeCache      own   = {.system = cache->system, .model = cache->model};
  const Modes   *modes = cache->modes[JOINT_STUCK];

  PetscFunctionBegin;
  if (cache->system->continuum) PetscFunctionReturn(PETSC_SUCCESS);
  if (count > few && (!modes || modes->count < count)) {
    PetscCall(WarnOfUnjudged(study, cache));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!modes || modes->count < count) cache = &own;
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, count, &modes));
  if (modes->count == count) PetscCall(WarnOfModes(study, cache));
  PetscCall(ModeCacheDestroy(&own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  Transient *transient = study->data;

  PetscFunctionBegin;
  PetscCall(PrepareModes(transient, cache));
  for (PetscInt r = 0; r < transient->num_runs; r++) {
    Run *run = &transient->runs[r];

    for (PetscInt l = 0; l < run->num_loads; l++) PetscCall(LoadResolve(&run->loads[l], cache));
    PetscCall(RunSayTimes(run));
    PetscCall(RecorderPlaceParts(&run->recorder, cache->system));
    PetscCall(SnapshotsPlace(&run->snapshots, transient->mover.study ? NULL : cache->system));
    PetscCall(MotionFieldsCheck(run, ResultPath(result)));
  }
  if (transient->keys.reactions) PetscCall(RunsAddReactions(study, cache, transient->num_runs, transient->runs));
  WarnOfFastLoads(transient);
  WarnOfRest(transient);
  PetscCall(WarnOfLongSteps(study, cache));
  if (!SystemIsShared(cache->system)) PetscCall(RunsSpread(transient->num_runs, transient->runs)); /* else all on the rank that leads */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the rank that had the run has seen is in the result. */
static PetscErrorCode WarnOfOutermost(const Study *study, Run *run, const Result *result)
{
  const Transient *transient = study->data;
  const Outermost *outermost = &run->recorder.outermost;
  char             who[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(RecorderContinue(&run->recorder, result));
  PetscCall(PetscSNPrintf(who, sizeof(who), "run %s", run->name));
  OutermostWarn(who, MoverNames(&transient->mover, study->names), outermost->pressing, outermost->beside);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WarnOfLargeMotion(const Study *study, const Run *run, const ModeCache *cache, const Result *result)
{
  const Transient *transient = study->data;
  const Recorder  *recorder  = &run->recorder;
  char             who[RESULT_TEXT_LENGTH];
  PetscReal        largest[2];
  PetscMPIInt      rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(RecorderFindLargest(recorder, MoverNames(&transient->mover, study->names), result, largest));
  PetscCall(PetscSNPrintf(who, sizeof(who), "run %s", run->name));
  StudyWarnOfLargeMotion(who, cache, largest[0], largest[1]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Summarise(const Study *study, const ModeCache *cache, Result *result, Outcome *outcome)
{
  const Transient *transient = study->data;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscCall(RunsPrintHeading(study->name, transient->num_runs));
  for (PetscInt r = 0; r < transient->num_runs; r++) {
    RunSummary summary;

    PetscCall(RunSummarise(&transient->runs[r], result, &summary));
    PetscCall(RunPrint(&transient->runs[r], &summary, cache->system, (PetscBool)(transient->keys.initial == NULL && !study->about)));
    PetscCall(WarnOfOutermost(study, &transient->runs[r], result));
    PetscCall(WarnOfLargeMotion(study, &transient->runs[r], cache, result));
    if (summary.end == RUN_STOPPED) outcome->num_stopped++;
    if (summary.end == RUN_UNFINISHED) outcome->num_unfinished++;
  }
  if (transient->num_runs) RunsPrintFooting(&transient->runs[0]);
  if (transient->keys.reactions && !cache->system->residual) ReactionsSayReduced();
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* When all runs have ended; what is broken off here is made anew by --resume. */
static PetscErrorCode WriteFields(const Transient *transient, const ModeCache *cache, const Result *result, Outcome *outcome)
{
  PetscFunctionBegin;
  for (PetscInt r = 0; r < transient->num_runs && outcome->num_unfinished == 0; r++) {
    PetscBool whole;

    PetscCall(MotionFieldsWrite(&transient->runs[r], cache, transient->mover.study ? cache->modes[JOINT_STUCK] : NULL, result, &whole));
    if (!whole) outcome->num_unfinished++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Without a model nothing can move; what stands in the way has been said, or the user broke it off. */
static PetscErrorCode Refuse(const Study *study, const Result *result, const Outcome *outcome)
{
  const Transient *transient                  = study->data;
  char             reason[RESULT_TEXT_LENGTH] = "not run: there is no modal model";
  PetscMPIInt      rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (outcome->num_unfinished > 0 || rank > 0) PetscFunctionReturn(PETSC_SUCCESS);
  ReportSay("\ntransient %s: not run, because modal_iwan %s found no model for some of its modes\n", study->name, transient->keys.model);
  for (PetscInt r = 0; r < transient->num_runs; r++) PetscCall(FindingWrite(transient->runs[r].recorder.run, RUN_REASON, 0, 1, reason, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The tasks of a study, behind those that there are already. */
static void AddTasks(const Transient *transient, const InitialKeys *starts, ModeCache *moves, const Result *result, PetscInt *count,
                     MarchTask tasks[])
{
  for (PetscInt r = 0; r < transient->num_runs; r++)
    tasks[(*count)++] = (MarchTask){.run = &transient->runs[r], .initial = starts, .cache = moves, .result = result};
}

static PetscErrorCode MarchRuns(const Transient *transient, const InitialKeys *starts, ModeCache *moves, const Result *result, PetscBool resumed)
{
  PetscInt   count = 0;
  MarchTask *tasks;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(transient->num_runs, &tasks));
  AddTasks(transient, starts, moves, result, &count, tasks);
  PetscCall(TasksMarch(count, tasks, resumed));
  PetscCall(PetscFree(tasks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A modal model has a structure of its own, which is made when it is run. */
static PetscErrorCode ComputeBeside(PetscInt count, Study *const studies[], ModeCache *const caches[], Result *const results[])
{
  PetscInt   most = 0, num_tasks = 0;
  MarchTask *tasks;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < count; i++) most += ((const Transient *)studies[i]->data)->num_runs;
  PetscCall(PetscMalloc1(most, &tasks));
  for (PetscInt i = 0; i < count; i++) {
    Transient *const transient = studies[i]->data;

    if (transient->mover.study) continue;
    AddTasks(transient, &transient->initial, caches[i], results[i], &num_tasks, tasks);
    transient->marched = PETSC_TRUE;
  }
  PetscCall(TasksMarch(num_tasks, tasks, PETSC_FALSE));
  PetscCall(PetscFree(tasks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  Transient         *transient = study->data;
  const InitialKeys *starts;
  ModeCache         *moves;
  PetscBool          ready, leads;

  PetscFunctionBegin;
  PetscCall(MoverIsReady(&transient->mover, result, &ready));
  if (!ready) {
    PetscCall(Refuse(study, result, outcome));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(MoverBegin(&transient->mover, cache, &transient->initial, result, &moves, &starts));
  PetscCall(SystemLead(moves->system, &leads));
  if (leads && !transient->marched) PetscCall(MarchRuns(transient, starts, moves, result, resumed));
  if (leads) PetscCall(SystemDismiss(moves->system));
  PetscCall(MoverEnd(&transient->mover));
  PetscCall(Summarise(study, cache, result, outcome));
  PetscCall(WriteFields(transient, cache, result, outcome));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_transient = {
  .name       = "transient",
  .summary    = "time integration of motions under loads",
  .tables     = tables,
  .outputs    = recorder_tables,
  .twice      = "two runs of this case are named",
  .read       = Read,
  .group      = Group,
  .describe   = Describe,
  .prepare    = Prepare,
  .foresee    = Foresee,
  .run_beside = ComputeBeside,
  .run        = Compute,
  .destroy    = Destroy,
};
