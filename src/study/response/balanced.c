/* balanced.c - responses by harmonic balance: what the case says of them, and their curves dealt out to the ranks. */
#include "balanced.h"
#include "march/linear.h"

#define OF(member) offsetof(BalancedKeys, member)

enum { STABILITY_NO, STABILITY_YES, STABILITY_IF_QUICK, QUICK_MODES = 20, QUICK_ROWS = 60 };
static const char *const stability_words[] = {"no", "yes", NULL};
static const char *const methods[]         = {"newmark", "runge_kutta", "harmonic_balance", "one_mode", NULL};

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `response`"},
  STUDY_ABOUT_FIELD(OF(about)),
  {.key = "method", .kind = INPUT_WORD, .offset = OF(method), .fallback = INPUT_REQUIRED, .words = methods, .help = "harmonic_balance: these keys; the others have keys of their own, above"},
  {.key = "frequencies", .kind = INPUT_NODE, .offset = OF(frequencies), .help = "range of frequencies, {from, to}: a curve over the frequency for each level, which goes round folds; or give `frequency` and `levels`, or `along`, `modes` and `levels`"},
  {.key = "level", .kind = INPUT_REALS, .offset = OF(level), .above = PETSC_TRUE, .most = PETSC_INFINITY, .help = "factor of the loads; a list computes curves for each; default 1"},
  {.key = "frequency", .kind = INPUT_REAL, .offset = OF(frequency), .fallback = INPUT_OPTIONAL, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz", .help = "frequency of a curve over the level"},
  {.key = "along", .kind = INPUT_WORD, .offset = OF(along), .fallback = INPUT_OPTIONAL, .words = balanced_along, .help = "curves over the level along the resonance of `modes`: phase_resonance: where the coordinate of the mode is in quadrature to its load, which both count, where supports move, from where these alone would have the structure at rest; peak: where the first harmonic of that coordinate, or of the point `at`, is largest"},
  {.key = "modes", .kind = INPUT_REALS, .offset = OF(modes), .least = 1, .most = PETSC_MAX_INT, .help = "with `along`: numbers of the modes, with joints stuck, from 1; a curve for each"},
  {.key = "at", .kind = INPUT_TEXT, .offset = OF(at), .help = "with `along: peak`: the point whose amplitude is largest, in place of the coordinate of the mode"},
  {.key = "direction", .kind = INPUT_WORD, .offset = OF(direction), .fallback = INPUT_OPTIONAL, .words = direction_names, .help = "direction of `at`; required when it has several"},
  {.key = "levels", .kind = INPUT_NODE, .offset = OF(levels), .help = "range of levels, {from, to}, of curves over the level: with `frequency` or `along`"},
  {.key = "load", .kind = INPUT_NODE, .offset = OF(load), .fallback = INPUT_REQUIRED, .help = "one load or a list of them: {harmonic: {...}}"},
  {.key = "accuracy", .kind = INPUT_REAL, .offset = OF(accuracy), .fallback = 1e-4, .least = 1e-8, .most = 0.1, .help = "harmonics and samples of a period are chosen so that the estimated error of each point is below this, relative to the largest harmonic of a joint's motion"},
  {.key = "harmonics", .kind = INPUT_COUNT, .offset = OF(harmonics), .least = 1, .most = 500, .help = "highest harmonic, in place of choosing it; the error is estimated all the same"},
  {.key = "samples", .kind = INPUT_COUNT, .offset = OF(samples), .least = 8, .most = 65536, .help = "samples of a period, with `harmonics`; default: eight for each harmonic"},
  {.key = "most_harmonics", .kind = INPUT_COUNT, .offset = OF(most_harmonics), .fallback = 31, .least = 3, .most = 500, .help = "largest harmonic that may be chosen; points that want more are computed with it, and counted"},
  {.key = "most_samples", .kind = INPUT_COUNT, .offset = OF(most_samples), .fallback = 2048, .least = 32, .most = 65536, .help = "largest number of samples that may be chosen"},
  {.key = "step", .kind = INPUT_REAL, .offset = OF(largest_step), .fallback = 0.1, .above = PETSC_TRUE, .most = 1, .help = "largest step along a curve, in parts of the motion and of the frequency, or in the logarithm of the level"},
  {.key = "max_points", .kind = INPUT_COUNT, .offset = OF(max_points), .fallback = 2000, .least = 2, .most = 1000000, .help = "largest number of points of a curve"},
  {.key = "max_special", .kind = INPUT_COUNT, .offset = OF(max_special), .fallback = 200, .least = 1, .most = 1000000, .help = "largest number of located points (peaks, folds, changes of stability) that are kept of a curve; how many more there are is said"},
  {.key = "stability", .kind = INPUT_WORD, .offset = OF(stability), .fallback = INPUT_OPTIONAL, .words = stability_words, .help = "yes: Floquet multipliers of each point; default: yes where the structure has 20 modes and 60 nonlinear motions of joints at most, as they take longer than the curve"},
  {.key = "store", .kind = INPUT_COUNT, .offset = OF(stored_harmonics), .fallback = 5, .least = 1, .most = 500, .help = "number of harmonics to store of each motion"},
  {.key = "watch", .kind = INPUT_NODE, .offset = OF(watch), .help = "motions that are stored"},
  {.key = "fields", .kind = INPUT_NODE, .offset = OF(fields), .help = "the motion of the whole mesh over a period at chosen points, for ParaView"},
  {.key = NULL}
};

static const InputField frequencies_fields[] = {
  {.key = "from", .kind = INPUT_REAL, .offset = offsetof(BalancedCurve, from), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz", .help = "frequency at which a curve begins"},
  {.key = "to", .kind = INPUT_REAL, .offset = offsetof(BalancedCurve, to), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz", .help = "frequency at which it ends, higher or lower"},
  {.key = NULL}
};

static const InputField levels_fields[] = {
  {.key = "from", .kind = INPUT_REAL, .offset = offsetof(BalancedCurve, from), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .help = "level at which the curve begins"},
  {.key = "to", .kind = INPUT_REAL, .offset = offsetof(BalancedCurve, to), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .help = "level at which it ends, higher or lower"},
  {.key = NULL}
};
// clang-format on

static const InputTable balanced_table    = {"response",
                                             "periodic motions under sinusoidal loads by harmonic balance: curves round folds, stable or not", fields};
static const InputTable frequencies_table = {"response.frequencies", "range of frequencies of the method harmonic_balance", frequencies_fields};
static const InputTable levels_table      = {"response.levels", "range of levels of the method harmonic_balance", levels_fields};

const InputTable *const balanced_tables[] = {&balanced_table, &frequencies_table, &levels_table, &expansion_of_curves_table, NULL};

static PetscErrorCode AddCurve(Balanced *balanced, PetscReal level, PetscReal from, PetscReal to)
{
  BalancedCurve *curve;

  PetscFunctionBegin;
  PetscCall(PetscRealloc(sizeof(BalancedCurve) * (size_t)(balanced->num_curves + 1), &balanced->curves));
  curve  = &balanced->curves[balanced->num_curves++];
  *curve = (BalancedCurve){.level = level, .from = from, .to = to, .mode = -1};
  PetscCall(PetscSNPrintf(curve->name, sizeof(curve->name), "curve_%" PetscInt_FMT, balanced->num_curves));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadRange(const InputNode *node, const InputTable *table, BalancedCurve *range)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));

  PetscFunctionBegin;
  PetscCall(InputRead(node, table, range));
  if (InputNumComplaints(InputDocumentOf(node)) == before && range->from == range->to)
    PetscCall(InputComplain(InputFind(node, "to"), "must differ from `from`, %g", range->from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keys that belong to another course of the curves. */
static PetscErrorCode RefuseKeys(const InputNode *node, BalancedCourse course)
{
  static const char *const of_resonances[] = {"modes", "at", "direction", NULL};
  const InputNode *const level = InputFind(node, "level"), *const levels = InputFind(node, "levels");

  PetscFunctionBegin;
  if (level && InputIsList(level) && InputCount(level) == 0) PetscCall(InputComplain(level, "expected one level or more, found none"));
  if (course == BALANCED_OVER_LEVEL && !levels)
    PetscCall(InputComplain(InputFind(node, "frequency"), "goes with `levels`, {from, to}: the range of the curve"));
  if (course == BALANCED_ALONG_RESONANCE && !levels)
    PetscCall(InputComplain(InputFind(node, "along"), "goes with `levels`, {from, to}: the range of the curves"));
  if (course != BALANCED_OVER_FREQUENCY && level) PetscCall(InputComplain(level, "belongs to `frequencies`; a curve over the level has `levels`"));
  if (course == BALANCED_OVER_FREQUENCY && levels)
    PetscCall(InputComplain(levels, "belongs to `frequency` or `along`; curves over the frequency have `level`"));
  if (course != BALANCED_ALONG_RESONANCE) PetscCall(InputRefuseKeys(node, of_resonances, "belongs to `along`"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BalancedFrequenciesRead(const InputNode *node, PetscReal *from, PetscReal *to)
{
  BalancedCurve range = {.from = 1.0, .to = 2.0};

  PetscFunctionBegin;
  PetscCall(ReadRange(node, &frequencies_table, &range));
  *from = range.from;
  *to   = range.to;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadCurves(const InputNode *node, const Names *names, Balanced *balanced)
{
  static const PetscReal    one       = 1.0;
  static const char *const  choices[] = {"frequencies", "frequency", "along", NULL};
  const BalancedKeys *const keys      = &balanced->keys;
  const InputReals          levels    = keys->level.count ? keys->level : (InputReals){1, &one};
  BalancedCurve             range     = {.from = 1.0, .to = 2.0};
  PetscInt                  choice;

  PetscFunctionBegin;
  PetscCall(InputExclusive(node, choices, PETSC_TRUE, &choice));
  balanced->course = choice < 0 ? BALANCED_OVER_FREQUENCY : (BalancedCourse)choice;
  if (choice >= 0) PetscCall(RefuseKeys(node, balanced->course));
  if (choice == 0) PetscCall(ReadRange(keys->frequencies, &frequencies_table, &range));
  else if (keys->levels) PetscCall(ReadRange(keys->levels, &levels_table, &range));
  switch (balanced->course) {
  case BALANCED_OVER_FREQUENCY:
    for (PetscInt l = 0; l < levels.count; l++) PetscCall(AddCurve(balanced, levels.values[l], range.from, range.to));
    break;
  case BALANCED_OVER_LEVEL:
    PetscCall(AddCurve(balanced, 1.0, range.from, range.to));
    break;
  default:
    for (PetscInt i = 0; i < PetscMax(keys->modes.count, 1); i++) PetscCall(AddCurve(balanced, 1.0, range.from, range.to));
    PetscCall(BalancedReadAlong(node, names, balanced));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadKeys(const InputNode *node, const Names *names, Balanced *balanced)
{
  BalancedKeys *const keys = &balanced->keys;

  PetscFunctionBegin;
  if (keys->samples && !keys->harmonics)
    PetscCall(InputComplain(InputFind(node, "samples"), "is given together with `harmonics`; without that the program chooses both"));
  if (keys->harmonics && InputFind(node, "accuracy"))
    PetscCall(
      InputComplain(InputFind(node, "accuracy"), "makes the program choose harmonics, which `harmonics` gives: only one of the two can be said"));
  if (keys->samples && keys->samples < 4 * keys->harmonics)
    PetscCall(InputComplain(InputFind(node, "samples"), "must be four for each harmonic at least, %" PetscInt_FMT ", got %" PetscInt_FMT,
                            4 * keys->harmonics, keys->samples));
  if (keys->harmonics) PetscCall(HarmonicStructureCheckHarmonics(names, keys->harmonics, InputFind(node, "harmonics")));
  if (keys->harmonics) keys->accuracy = 0.0;
  if (keys->harmonics && !keys->samples) keys->samples = 8 * (keys->harmonics + 1);
  balanced->common.keys.watch = keys->watch;
  balanced->judges            = (PetscBool)(keys->stability == STABILITY_YES ||
                                 (keys->stability == STABILITY_IF_QUICK && names->num_unknowns <= QUICK_MODES && names->num_nonlinear <= QUICK_ROWS));
  PetscCall(ResponseReadLoads(keys->load, names, &balanced->common));
  PetscCall(ResponseReadWatch(node, names, &balanced->common));
  PetscCall(ReadCurves(node, names, balanced));
  if (balanced->num_curves)
    PetscCall(ExpansionRead(keys->fields, names, balanced->course == BALANCED_OVER_FREQUENCY ? EXPANSION_BY_FREQUENCY : EXPANSION_BY_LEVEL,
                            balanced->curves[0].from, balanced->curves[0].to, &balanced->expansion));
  balanced->common.reference_motion = ResponsePushedMotion(&balanced->common);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  Balanced      *balanced;

  PetscFunctionBegin;
  PetscCall(PetscNew(&balanced));
  study->data              = balanced;
  balanced->keys.stability = STABILITY_IF_QUICK;
  balanced->keys.direction = balanced->keys.along = balanced->peak_motion = -1;
  PetscCall(InputRead(node, &balanced_table, &balanced->keys));
  PetscCall(StudySetName(study, node, balanced->keys.name));
  PetscCall(StudyReadAbout(node, balanced->keys.about, study));
  PetscCall(HarmonicStructureCheck(names, node));
  PetscCall(ReadKeys(node, names, balanced));
  if (names->known && InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(BalancedDeclare(study->name, names, study->findings, balanced));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  Balanced *balanced = study->data;

  PetscFunctionBegin;
  if (!balanced) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ResponseForget(&balanced->common));
  PetscCall(HarmonicStructureDestroy(&balanced->structure));
  for (PetscInt c = 0; c < balanced->num_curves; c++) PetscCall(PetscFree(balanced->curves[c].supports));
  PetscCall(PetscFree(balanced->curves));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  static const char *const courses[] = {"over the frequency", "over the level", "along a resonance"};
  const Balanced          *balanced  = study->data;

  PetscFunctionBegin;
  fprintf(out, "  response %-25s %" PetscInt_FMT " curve%s by harmonic balance %s, %" PetscInt_FMT " motions of joints\n", study->name,
          balanced->num_curves, balanced->num_curves == 1 ? "" : "s", courses[balanced->course], study->names->num_nonlinear);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FindStructure(Balanced *balanced, ModeCache *cache)
{
  PetscFunctionBegin;
  if (balanced->structure) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(HarmonicStructureCreate(cache, balanced->common.num_loads, balanced->common.loads, &balanced->structure));
  PetscCall(WatchedFindPlaces(balanced->structure, &balanced->common.watched));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the ranks share what was left out, that which leads chooses for all. */
static PetscErrorCode ChooseReference(Balanced *balanced, ModeCache *cache)
{
  PetscBool leads;

  PetscFunctionBegin;
  PetscCall(SystemLead(cache->system, &leads));
  if (leads) {
    PetscCall(FindStructure(balanced, cache));
    PetscCall(BalancedChooseReference(balanced->structure, balanced));
    PetscCall(SystemDismiss(cache->system));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &balanced->common.reference_motion, 1, MPIU_INT, MPI_MAX, PETSC_COMM_WORLD));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  Balanced    *balanced    = study->data;
  PetscInt     max_mode[2] = {0, 0};
  const Modes *modes;

  PetscFunctionBegin;
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, cache->system->num_unknowns, &modes));
  LoadsMaxMode(balanced->common.num_loads, balanced->common.loads, max_mode);
  if (max_mode[JOINT_SLIPPING]) PetscCall(ModeCacheGet(cache, JOINT_SLIPPING, max_mode[JOINT_SLIPPING], &modes));
  if (balanced->course == BALANCED_ALONG_RESONANCE) PetscCall(BalancedCheckAlong(study->node, cache, balanced));
  if (balanced->common.reference_motion < 0) PetscCall(ChooseReference(balanced, cache));
  PetscCall(FindingSayText(balanced->finding, "chief", balanced->common.watched.motions[balanced->common.reference_motion].name));
  for (PetscInt c = 0; c < balanced->num_curves; c++)
    PetscCall(ExpansionPrepare(&balanced->curves[c].expansion, study->name, balanced->curves[c].name, cache->system, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each curve belongs to one rank; where the ranks share what was left out of the structure, all of them to that which leads. */
static PetscErrorCode FollowAll(Balanced *balanced, ModeCache *cache, const Result *result, Progress *progress)
{
  PetscMPIInt rank, size;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  if (SystemIsShared(cache->system)) size = 1, rank = 0;
  PetscCall(FindStructure(balanced, cache));
  for (PetscInt c = rank; c < balanced->num_curves && !InterruptAsked(); c += size) {
    PetscInt64 finished = 0;

    PetscCall(FindingRead(balanced->curves[c].finding, BALANCED_FINISHED, 0, 1, &finished, result));
    if (!finished) PetscCall(BalancedFollow(balanced, &balanced->curves[c], result));
    ProgressUpdate(progress, (PetscReal)(c + 1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  Balanced *balanced = study->data;
  Progress  progress;
  PetscBool leads;

  PetscFunctionBegin;
  ProgressBegin(&progress, "curves", (PetscReal)balanced->num_curves);
  PetscCall(SystemLead(cache->system, &leads));
  if (leads) PetscCall(FollowAll(balanced, cache, result, &progress));
  if (leads) PetscCall(SystemDismiss(cache->system));
  ProgressEnd(&progress);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscCall(BalancedPrint(study->name, balanced, result, outcome));
  for (PetscInt c = 0; c < balanced->num_curves; c++)
    PetscCall(ExpansionWrite(&balanced->curves[c].expansion, study->name, balanced->curves[c].name, cache, result));
  ExpansionSayStresses(&balanced->expansion, cache->system);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind response_balanced = {
  .name     = "response",
  .summary  = "frequency responses by harmonic balance",
  .read     = Read,
  .group    = StudyOwnGroup,
  .describe = Describe,
  .prepare  = Prepare,
  .run      = Compute,
  .destroy  = Destroy,
};
