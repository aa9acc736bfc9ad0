/* response.c - the study of frequency responses by motions in time: stepped sines, up, down, or from rest. */
#include "balanced.h"
#include <string.h>
#include "one_mode.h"

static const PetscReal MOST_SAMPLES = 1e7; /* of each motion */

const char *const        response_directions[] = {"up", "down", "rest", NULL};
static const char *const response_methods[]    = {"newmark", "runge_kutta", "harmonic_balance", "one_mode",
                                                  NULL}; /* the first ones as StepMethodChoice */

#define OF(member) offsetof(ResponseKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `response`"},
  STUDY_ABOUT_FIELD(OF(about)),
  {.key = "frequencies", .kind = INPUT_NODE, .offset = OF(frequencies), .fallback = INPUT_REQUIRED, .help = "frequencies: an ascending list [Hz], or a range"},
  {.key = "direction", .kind = INPUT_TEXTS, .offset = OF(direction),
   .help = "up (default) or down: each frequency starts from the motion at the previous one; rest: each starts from rest; or a list of these"},
  {.key = "load", .kind = INPUT_NODE, .offset = OF(load), .fallback = INPUT_REQUIRED, .help = "one load or a list of them: {harmonic: {...}}"},
  {.key = "level", .kind = INPUT_REALS, .offset = OF(level), .above = PETSC_TRUE, .most = PETSC_INFINITY,
   .help = "factor of the loads; a list computes curves for each; default 1"},
  {.key = "steps", .kind = INPUT_COUNT, .offset = OF(steps), .fallback = 400, .least = 16, .most = 1000000,
   .help = "number of time steps in a period; average acceleration lowers a resonance frequency omega by the share (2 pi omega / Omega / steps)^2 / 12"},
  {.key = "method", .kind = INPUT_WORD, .offset = OF(method), .fallback = METHOD_NEWMARK, .words = response_methods,
   .help = "method: newmark solves the equilibrium of the joints in each step; runge_kutta, of fourth order, evaluates their forces explicitly, and its steps must resolve the highest mode; harmonic_balance follows curves of periodic motions, stable or not, with keys of its own, below; one_mode takes a nonlinear mode in place of the structure, with keys of its own, below"},
  {.key = "tolerance", .kind = INPUT_REAL, .offset = OF(tolerance), .fallback = 1e-4, .above = PETSC_TRUE, .most = 0.1,
   .help = "a motion is steady when its estimated distance from the steady motion, relative to its amplitude, is below this; estimated from all samples of the last cycles"},
  {.key = "window", .kind = INPUT_COUNT, .offset = OF(window), .fallback = 4, .least = 2, .most = 1000, .help = "length of each of the two comparison windows [cycles]"},
  {.key = "min_cycles", .kind = INPUT_COUNT, .offset = OF(min_cycles), .fallback = 10, .least = 1, .most = PETSC_INFINITY,
   .help = "least number of cycles at each frequency; never less than two windows and one cycle"},
  {.key = "max_cycles", .kind = INPUT_COUNT, .offset = OF(max_cycles), .fallback = 1000, .least = 1, .most = PETSC_INFINITY,
   .help = "largest number of cycles; the frequency is then marked as not steady"},
  {.key = "harmonics", .kind = INPUT_COUNT, .offset = OF(harmonics), .fallback = 5, .least = 1, .most = 1000, .help = "number of harmonics to store of each motion; less than half of `steps`"},
  {.key = "refine", .kind = INPUT_COUNT, .offset = OF(refine), .fallback = 0, .most = 1000000,
   .help = "largest number of frequencies added where the amplitude curves or jumps most; in a sweep, each starts from the previous frequency"},
  {.key = "watch", .kind = INPUT_NODE, .offset = OF(watch), .help = "motions that are stored, and that have to become steady"},
  {.key = "measured", .kind = INPUT_NODE, .offset = OF(measured),
   .help = "a measured frequency response, motion over force, or a list of them: {file, real, imaginary, quantity}; kept, drawn and compared"},
  {.key = "balance", .kind = INPUT_REAL, .offset = OF(balance), .fallback = 1e-11, .least = 1e-15, .most = 1e-2,
   .help = "accepted imbalance of a joint's force in a step, relative to its force"},
  {.key = "max_iterations", .kind = INPUT_COUNT, .offset = OF(max_iterations), .fallback = 25, .least = 1, .most = 10000,
   .help = "largest number of Newton iterations before the step is halved"},
  {.key = NULL}
};
// clang-format on

static const InputTable response_table = {"response",
                                          "steady motions under sinusoidal loads, frequency by frequency, by Newmark's rule or the Runge-Kutta "
                                          "method; amplitudes are half peak to peak, those of the first and higher harmonics are given beside them",
                                          fields};

typedef struct {
  InputTexts points, joints;
} WatchKeys;

// clang-format off
static const InputField watch_fields[] = {
  {.key = "points", .kind = INPUT_TEXTS, .offset = offsetof(WatchKeys, points), .help = "names of points, `all` (default) or `none`: displacements"},
  {.key = "joints", .kind = INPUT_TEXTS, .offset = offsetof(WatchKeys, joints), .help = "names of joints, `all` or `none` (default): relative displacements; of layers between faces their mean by area in each direction"},
  {.key = NULL}
};
// clang-format on

const InputTable               response_watch_table = {"watch", "motions that a response stores", watch_fields};
static const InputTable *const own_tables[]         = {&response_table, &response_range_table, &response_watch_table, &measured_response_table, NULL};
static const InputTables       tables[]             = {own_tables, sine_load_tables, balanced_tables, one_mode_tables, NULL};

static const InputNode *ItemOf(const InputNode *node, PetscInt i)
{
  return InputIsList(node) ? InputItem(node, i) : node;
}

/* A curve for each direction and level. */
static PetscErrorCode AddCurves(ResponseDirection direction, Response *response)
{
  static const PetscReal one    = 1.0;
  const InputReals       levels = response->keys.level.count ? response->keys.level : (InputReals){1, &one};

  PetscFunctionBegin;
  for (PetscInt l = 0; l < levels.count; l++) {
    ResponseCurve *curve;

    PetscCall(PetscRealloc(sizeof(ResponseCurve) * (size_t)(response->num_curves + 1), &response->curves));
    curve  = &response->curves[response->num_curves];
    *curve = (ResponseCurve){.number = response->num_curves++, .level = levels.values[l], .direction = direction};
    PetscCall(PetscSNPrintf(curve->name, sizeof(curve->name), "%s_%" PetscInt_FMT, response_directions[direction], l + 1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadCurves(const InputNode *node, Response *response)
{
  const InputTexts *texts                          = &response->keys.direction;
  const InputNode  *at                             = InputFind(node, "direction");
  PetscBool         taken[NUM_RESPONSE_DIRECTIONS] = {PETSC_FALSE};
  PetscInt          direction;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < texts->count; i++) {
    PetscCall(InputChoose(ItemOf(at, i), texts->values[i], "direction", response_directions, &direction));
    if (direction < 0) continue;
    if (taken[direction]) PetscCall(InputComplain(ItemOf(at, i), "direction '%s' is given twice", texts->values[i]));
    else PetscCall(AddCurves((ResponseDirection)direction, response));
    taken[direction] = PETSC_TRUE;
  }
  if (!at) PetscCall(AddCurves(RESPONSE_UP, response));
  else if (texts->count == 0 && InputIsList(at)) PetscCall(InputComplain(at, "expected up, down or rest, found none"));
  if (InputFind(node, "level") && InputIsList(InputFind(node, "level")) && InputCount(InputFind(node, "level")) == 0)
    PetscCall(InputComplain(InputFind(node, "level"), "expected one level or more, found none"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Points all and joints none, when nothing is said. */
PetscErrorCode ResponseReadWatch(const InputNode *node, const Names *names, Response *response)
{
  const PetscInt   before = InputNumComplaints(InputDocumentOf(node));
  const InputNode *watch  = response->keys.watch;
  WatchKeys        keys   = {0};

  PetscFunctionBegin;
  if (watch) PetscCall(InputRead(watch, &response_watch_table, &keys));
  PetscCall(WatchPoints(watch ? InputFind(watch, "points") : NULL, names, &keys.points, PETSC_TRUE, &response->watch));
  PetscCall(WatchJoints(watch ? InputFind(watch, "joints") : NULL, names, &keys.joints, PETSC_FALSE, &response->watch));
  PetscCall(WatchedCreate(names, &response->watch, &response->watched));
  if (names->known && response->watched.count == 0 && InputNumComplaints(InputDocumentOf(node)) == before)
    PetscCall(InputComplain(watch ? watch : node, "nothing is watched: name a point or a joint"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckNumbers(const InputNode *node, ResponseKeys *keys)
{
  static const char *const newmark_keys[] = {"balance", "max_iterations", NULL};

  PetscFunctionBegin;
  if (keys->method != METHOD_NEWMARK) PetscCall(InputRefuseKeys(node, newmark_keys, "belongs to the method newmark"));
  if (2 * keys->harmonics >= keys->steps)
    PetscCall(InputComplain(InputFind(node, "harmonics") ? InputFind(node, "harmonics") : InputFind(node, "steps"),
                            "%" PetscInt_FMT " steps in a period show %" PetscInt_FMT " harmonics at most, got %" PetscInt_FMT, keys->steps,
                            (keys->steps - 1) / 2, keys->harmonics));
  if ((PetscReal)keys->steps * (2.0 * (PetscReal)keys->window + 1.0) > MOST_SAMPLES)
    PetscCall(InputComplain(InputFind(node, "window") ? InputFind(node, "window") : InputFind(node, "steps"),
                            "two windows and a cycle are kept, of which 1e7 steps are the most: %" PetscInt_FMT " cycles of %" PetscInt_FMT
                            " steps are too many",
                            2 * keys->window + 1, keys->steps));
  if (keys->max_cycles < 2 * keys->window + 1 || keys->max_cycles < keys->min_cycles)
    PetscCall(InputComplain(InputFind(node, "max_cycles") ? InputFind(node, "max_cycles") : node,
                            "`max_cycles` must be two windows and a cycle, %" PetscInt_FMT ", and `min_cycles`, %" PetscInt_FMT
                            ", at least, got %" PetscInt_FMT,
                            2 * keys->window + 1, keys->min_cycles, keys->max_cycles));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseReadLoads(const InputNode *load, const Names *names, Response *response)
{
  PetscFunctionBegin;
  PetscCall(LoadsReadSines(load, names, &response->num_loads, &response->loads));
  if (load && response->num_loads == 0) PetscCall(InputComplain(load, "expected a load, {harmonic: {...}}, found none"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was measured is the motion over one force. */
static PetscErrorCode ReadMeasured(const InputNode *node, Response *response)
{
  const char **motions;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(response->watched.count + 1, &motions));
  for (PetscInt i = 0; i < response->watched.count; i++) motions[i] = response->watched.motions[i].name;
  PetscCall(MeasuredResponsesRead(node, motions, &response->num_measured, &response->measured));
  if (response->num_loads > 1)
    PetscCall(InputComplain(node, "a measured frequency response is compared with that to one load, found %" PetscInt_FMT, response->num_loads));
  PetscCall(PetscFree(motions));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadKeys(const InputNode *node, const Names *names, Response *response)
{
  PetscFunctionBegin;
  PetscCall(CheckNumbers(node, &response->keys));
  if (response->keys.frequencies) PetscCall(ResponseFrequenciesRead(response->keys.frequencies, &response->num_base, &response->frequency));
  PetscCall(ResponseReadLoads(response->keys.load, names, response));
  PetscCall(StepperCheckLoads(response->keys.load, (StepMethodChoice)response->keys.method, response->num_loads, response->loads));
  PetscCall(ReadCurves(node, response));
  PetscCall(ResponseReadWatch(node, names, response));
  if (response->keys.measured) PetscCall(ReadMeasured(response->keys.measured, response));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  Response      *response;

  PetscFunctionBegin;
  PetscCall(PetscNew(&response));
  study->data = response;
  PetscCall(InputRead(node, &response_table, &response->keys));
  PetscCall(StudySetName(study, node, response->keys.name));
  PetscCall(StudyReadAbout(node, response->keys.about, study));
  PetscCall(StepperCheck(names, (StepMethodChoice)response->keys.method, node));
  PetscCall(LinearCheck(names, node));
  PetscCall(ReadKeys(node, names, response));
  response->reference_motion = ResponsePushedMotion(response);
  if (names->known && InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(ResponseDeclare(study->name, names, study->findings, response));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseForget(Response *response)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(response->frequency));
  PetscCall(PetscFree(response->loads));
  PetscCall(WatchedDestroy(&response->watched));
  PetscCall(PetscFree(response->curves));
  PetscCall(MeasuredResponsesDestroy(response->num_measured, &response->measured));
  PetscCall(WatchDestroy(&response->watch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  PetscFunctionBegin;
  if (!study->data) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResponseForget(study->data));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const Response *response = study->data;
  const PetscReal points   = (PetscReal)(response->num_curves * (response->num_base + response->keys.refine));
  const PetscReal step     = StepperSeconds(study->names, (StepMethodChoice)response->keys.method) + 5e-9 * (PetscReal)response->watched.count;
  const PetscReal cycle    = step * (PetscReal)response->keys.steps;

  PetscFunctionBegin;
  fprintf(out,
          "  response %-25s %" PetscInt_FMT " curve%s, %" PetscInt_FMT " frequencies each and up to %" PetscInt_FMT
          " more, %.2g to %.2g s on one core\n",
          study->name, response->num_curves, response->num_curves == 1 ? "" : "s", response->num_base, response->keys.refine,
          (double)(points * cycle * (PetscReal)PetscMax(response->keys.min_cycles, 2 * response->keys.window + 1)),
          (double)(points * cycle * (PetscReal)response->keys.max_cycles));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What moves freely decays by exp(-c / 2 f) in a cycle, c of the mode that is damped least: cycles until it is within the tolerance. Joints may
   shorten it. Nothing is said of what does not decay at all. */
static void WarnOfSlowness(const Study *study, const ModeCache *cache)
{
  const Response      *response = study->data;
  const Modes         *modes    = cache->modes[JOINT_STUCK];
  const SystemDamping *damping  = &cache->system->damping;
  PetscReal            least    = PETSC_INFINITY, cycles;

  /* Rayleigh's damping of higher modes is not less. */
  if (!modes || cache->system->C || (damping->num_ratios && modes->count < cache->system->num_unknowns)) return;
  for (PetscInt k = modes->num_rigid; k < modes->count; k++) least = PetscMin(least, ModalDamping(damping, k, modes->omega[k]));
  if (!(least > 0.0)) return;
  cycles = 2.0 * response->frequency[response->num_base - 1] / least * PetscLogReal(1.0 / response->keys.tolerance);
  if (cycles > response->keys.max_cycles)
    LogWarn("%s: damping alone takes about %.2g cycles to let motions settle to %g, and `max_cycles` is %" PetscInt_FMT, InputPath(study->node),
            cycles, response->keys.tolerance, response->keys.max_cycles);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  Response    *response    = study->data;
  PetscInt     max_mode[2] = {0, 0};
  const Modes *modes;

  PetscFunctionBegin;
  PetscCall(LinearPrepare(cache));
  PetscCall(ModeCacheGetRigid(cache, JOINT_STUCK, &modes));
  LoadsMaxMode(response->num_loads, response->loads, max_mode);
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    if (max_mode[state]) PetscCall(ModeCacheGet(cache, state, max_mode[state], &modes));
  WarnOfSlowness(study, cache);
  PetscCall(StepperWarnOfStep(study->node, (StepMethodChoice)response->keys.method, cache, 1.0 / (response->frequency[0] * response->keys.steps)));
  if (response->reference_motion < 0) PetscCall(ResponseChooseReference(cache, response));
  PetscCall(FindingSayText(response->finding, "chief", response->watched.motions[response->reference_motion].name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode IsFinished(const ResponseCurve *curve, const Result *result, PetscBool *finished)
{
  PetscInt64 said;

  PetscFunctionBegin;
  PetscCall(FindingRead(curve->finding, RESPONSE_FINISHED, 0, 1, &said, result));
  *finished = (PetscBool)(said != 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Among those that sweep: a rank that the others help is alone. */
static PetscErrorCode FindRank(const System *system, PetscMPIInt *rank, PetscMPIInt *size)
{
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, size));
  if (SystemIsShared(system)) *size = 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sweeps belong to one rank each, frequencies from rest to all of them in turn. */
static PetscErrorCode ComputeBase(const Response *response, ResponseCurve *curve, ModeCache *cache, const Result *result, PetscBool resumed,
                                  Progress *progress)
{
  const PetscBool rests = (PetscBool)(curve->direction == RESPONSE_REST);
  ResponseMarch   march;
  PetscMPIInt     rank, size;
  PetscBool       finished = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(FindRank(cache->system, &rank, &size));
  PetscCall(IsFinished(curve, result, &finished));
  if (finished || (!rests && curve->number % size != rank)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResponseMarchBegin(response, curve, cache, result, progress, &march));
  if (rests) PetscCall(ResponseFromRest(&march, rank, size, resumed));
  else PetscCall(ResponseSweep(&march));
  PetscCall(ResponseMarchEnd(&march));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* When all frequencies of a curve from rest are there, whoever computed them. */
static PetscErrorCode ComputeRefined(const Response *response, ResponseCurve *curve, ModeCache *cache, const Result *result, Progress *progress)
{
  ResponseMarch march;
  PetscMPIInt   rank, size;
  PetscBool     finished = PETSC_FALSE;

  PetscFunctionBegin;
  PetscCall(FindRank(cache->system, &rank, &size));
  PetscCall(IsFinished(curve, result, &finished));
  if (finished || curve->direction != RESPONSE_REST || curve->number % size != rank) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResponseMarchBegin(response, curve, cache, result, progress, &march));
  PetscCall(ResponseRefineFromRest(&march));
  PetscCall(ResponseMarchEnd(&march));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  Response   *response = study->data;
  Progress    progress;
  PetscBool   leads;
  PetscMPIInt rank;

  PetscFunctionBegin;
  ProgressBegin(&progress, "frequencies", (PetscReal)(response->num_curves * (response->num_base + response->keys.refine)));
  PetscCall(SystemLead(cache->system, &leads));
  for (PetscInt c = 0; c < response->num_curves && leads && !InterruptAsked(); c++)
    PetscCall(ComputeBase(response, &response->curves[c], cache, result, resumed, &progress));
  if (!SystemIsShared(cache->system)) PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  for (PetscInt c = 0; c < response->num_curves && leads && !InterruptAsked(); c++)
    PetscCall(ComputeRefined(response, &response->curves[c], cache, result, &progress));
  if (leads) PetscCall(SystemDismiss(cache->system));
  ProgressEnd(&progress);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscCall(ResponsePrint(study->name, response, cache, result, outcome));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank == 0) PetscCall(ResponseCompareMeasured(response, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Harmonic balance has keys and outputs of its own; `kind` is this one at first. */
static PetscErrorCode Choose(const InputNode *node, const StudyKind **kind)
{
  const InputNode *const method = InputFind(node, "method");
  const char            *text   = NULL;

  PetscFunctionBegin;
  if (method && InputIsScalar(method)) PetscCall(InputGetText(method, &text));
  if (text && !strcmp(text, "harmonic_balance")) *kind = &response_balanced;
  if (text && !strcmp(text, "one_mode")) *kind = &response_one_mode;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const OutputTable *const all_outputs[] = {
  &response_study_output,   &response_curve_output,      &response_measured_table, &balanced_study_output, &balanced_curve_output,
  &balanced_support_output, &expansion_of_curves_output, &one_mode_study_output,   &one_mode_curve_output, NULL};

const StudyKind study_response = {
  .name     = "response",
  .summary  = "frequency responses: steady motions under sinusoidal loads, by motions in time or by harmonic balance",
  .tables   = tables,
  .outputs  = all_outputs,
  .choose   = Choose,
  .read     = Read,
  .group    = StudyOwnGroup,
  .describe = Describe,
  .prepare  = Prepare,
  .run      = Compute,
  .destroy  = Destroy,
};
