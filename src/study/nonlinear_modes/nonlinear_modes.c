/* nonlinear_modes.c - the study of nonlinear modes: frequency and damping against amplitude, without a single motion in time. */
#include "modes_outputs.h"
#include <string.h>
#include "march/linear.h"

const char *const nonlinear_modes_methods[] = {"epmc", "quasi_static", NULL};

#define OF(member) offsetof(NonlinearModesKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "name of the study and its group in the result; default `nonlinear_modes`"},
  STUDY_ABOUT_FIELD(OF(about)),
  {.key = "modes", .kind = INPUT_REALS, .offset = OF(modes), .fallback = INPUT_REQUIRED, .least = 1, .most = PETSC_MAX_INT,
   .help = "numbers of the modes, with joints stuck, from 1"},
  {.key = "from", .kind = INPUT_REAL, .offset = OF(from), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY,
   .help = "smallest amplitude: of the coordinate of the mode [m kg^1/2], or of the motion of `point` [m]"},
  {.key = "to", .kind = INPUT_REAL, .offset = OF(to), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY, .help = "largest amplitude, likewise"},
  {.key = "point", .kind = INPUT_TEXT, .offset = OF(point),
   .help = "a point whose displacement the range is of, by the shape of the linear mode; its amplitude on the curve is in the result"},
  {.key = "direction", .kind = INPUT_WORD, .offset = OF(direction), .fallback = INPUT_OPTIONAL, .words = direction_names,
   .help = "direction of the point; required when it has several"},
  {.key = "method", .kind = INPUT_WORD, .offset = OF(method), .fallback = METHOD_EPMC, .words = nonlinear_modes_methods,
   .help = "epmc: periodic motions of the structure under an artificial damping that keeps them going (extended periodic motion concept); quasi_static: equilibrium under a load along the mode, for joints with Masing's rules or elastic ones, a fast first look"},
  {.key = "accuracy", .kind = INPUT_REAL, .offset = OF(accuracy), .fallback = 1e-4, .least = 1e-8, .most = 0.1,
   .help = "of epmc: harmonics and samples are chosen so that the estimated relative error of a point is below this"},
  {.key = "most_harmonics", .kind = INPUT_COUNT, .offset = OF(most_harmonics), .fallback = 9, .least = 1, .most = 200,
   .help = "of epmc: highest harmonic that is chosen; points that need more are kept, with their estimated error. High harmonics meet other modes, where the curve makes loops"},
  {.key = "harmonics", .kind = INPUT_COUNT, .offset = OF(harmonics), .fallback = INPUT_OPTIONAL, .least = 1, .most = 200,
   .help = "of epmc: highest harmonic of all points, in place of one that is chosen"},
  {.key = "samples", .kind = INPUT_COUNT, .offset = OF(samples), .fallback = INPUT_OPTIONAL, .least = 16, .most = 65536,
   .help = "with `harmonics`: samples of a period; default 32 for each harmonic"},
  {.key = "step", .kind = INPUT_REAL, .offset = OF(step), .fallback = 0.5, .above = PETSC_TRUE, .most = 1,
   .help = "of epmc: largest step along the curve, about that of the logarithm of the amplitude"},
  {.key = "max_points", .kind = INPUT_COUNT, .offset = OF(max_points), .fallback = 400, .least = 2, .most = 100000, .help = "of epmc: largest number of points of a curve"},
  {.key = "points", .kind = INPUT_COUNT, .offset = OF(points), .fallback = 100, .least = 2, .most = 100000, .help = "of quasi_static: number of amplitudes, evenly in their logarithm"},
  {.key = "watch", .kind = INPUT_NODE, .offset = OF(watch), .help = "motions whose harmonics are stored: the shape of the mode"},
  {.key = "fields", .kind = INPUT_NODE, .offset = OF(fields), .help = "of epmc: the motion of the whole mesh over a period at chosen amplitudes, for ParaView"},
  {.key = NULL}
};

typedef struct {
  InputTexts points, joints;
  PetscInt   harmonics;
} WatchKeys;

static const InputField watch_fields[] = {
  {.key = "points", .kind = INPUT_TEXTS, .offset = offsetof(WatchKeys, points), .help = "names of points, `all` (default) or `none`: displacements"},
  {.key = "joints", .kind = INPUT_TEXTS, .offset = offsetof(WatchKeys, joints), .help = "names of joints, `all` (default) or `none`: relative displacements; of layers between faces their mean by area in each direction"},
  {.key = "harmonics", .kind = INPUT_COUNT, .offset = offsetof(WatchKeys, harmonics), .fallback = 5, .least = 1, .most = 200, .help = "number of harmonics that are stored of each, beside the mean"},
  {.key = NULL}
};
// clang-format on

static const InputTable modes_table = {
  "nonlinear_modes", "nonlinear modes: frequency, damping ratio and shape of a mode against its amplitude, from small amplitudes to full slip",
  fields};

static const InputTable        modes_watch_table = {"watch", "motions whose harmonics are stored", watch_fields};
static const InputTable *const own_tables[]      = {&modes_table, &modes_watch_table, &expansion_of_modes_table, NULL};
static const InputTables       tables[]          = {own_tables, NULL};

/* Points and joints all, when nothing is said. */
static PetscErrorCode ReadWatch(const Names *names, NonlinearModes *study)
{
  const InputNode *watch = study->keys.watch;
  WatchKeys        keys  = {.harmonics = 5};

  PetscFunctionBegin;
  if (watch) PetscCall(InputRead(watch, &modes_watch_table, &keys));
  PetscCall(WatchPoints(watch ? InputFind(watch, "points") : NULL, names, &keys.points, PETSC_TRUE, &study->watch));
  PetscCall(WatchJoints(watch ? InputFind(watch, "joints") : NULL, names, &keys.joints, PETSC_TRUE, &study->watch));
  PetscCall(WatchedCreate(names, &study->watch, &study->watched));
  study->num_kept = study->keys.harmonics ? PetscMin(keys.harmonics, study->keys.harmonics) : keys.harmonics;
  if (study->keys.method == METHOD_QUASI_STATIC) study->num_kept = 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadModes(const InputNode *list, const Names *names, NonlinearModes *study)
{
  const InputReals modes = study->keys.modes;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(modes.count, &study->curves));
  if (list && InputIsList(list) && InputCount(list) == 0) PetscCall(InputComplain(list, "expected numbers of modes, found none"));
  for (PetscInt i = 0; i < modes.count; i++) {
    const InputNode *item = InputIsList(list) ? InputItem(list, i) : list;
    const PetscReal  mode = modes.values[i];

    if (mode != PetscFloorReal(mode)) PetscCall(InputComplain(item, "expected the number of a mode, found %g", mode));
    for (PetscInt k = 0; k < i; k++)
      if (modes.values[k] == mode) PetscCall(InputComplain(item, "mode %g is there twice", mode));
    PetscCall(NamesCheckMode(names, item, mode));
    study->curves[study->num_curves] = (ModeCurve){.mode = (PetscInt)mode - 1};
    PetscCall(PetscSNPrintf(study->curves[study->num_curves].name, sizeof(study->curves[0].name), "mode%" PetscInt_FMT, (PetscInt)mode));
    study->num_curves++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motion that the range is of. */
static PetscErrorCode ReadRange(const InputNode *node, const Names *names, NonlinearModes *study)
{
  static const char *const of_points[] = {"direction", NULL};

  PetscFunctionBegin;
  study->range_motion = study->range_watched = -1;
  if (InputFind(node, "from") && InputFind(node, "to") && study->keys.from >= study->keys.to)
    PetscCall(InputComplain(InputFind(node, "to"), "must be larger than `from`, %g, got %g", study->keys.from, study->keys.to));
  if (!study->keys.point) PetscCall(InputRefuseKeys(node, of_points, "belongs to a `point`"));
  else PetscCall(NamesChooseMotion(names, InputFind(node, "point"), study->keys.point, study->keys.direction, &study->range_motion));
  for (PetscInt i = 0; i < study->watched.count && study->range_motion >= 0; i++)
    if (!study->watched.motions[i].of_joint && study->watched.motions[i].row == study->range_motion) study->range_watched = i;
  if (study->range_motion >= 0 && study->range_watched < 0)
    PetscCall(InputComplain(InputFind(node, "point"), "is not watched: it must be among the points of `watch`"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckNumbers(const InputNode *node, const NonlinearModesKeys *keys)
{
  static const char *const chosen[] = {"accuracy", "most_harmonics", NULL}, *const fixed[] = {"samples", NULL};
  static const char *const        of_periodic[] = {"accuracy", "most_harmonics", "harmonics", "samples", "step", "max_points", "fields", NULL},
                           *const of_static[]   = {"points", NULL};
  const PetscInt                  least         = 4 * (keys->harmonics + 1);

  PetscFunctionBegin;
  if (keys->method == METHOD_QUASI_STATIC) PetscCall(InputRefuseKeys(node, of_periodic, "belongs to the method epmc"));
  else PetscCall(InputRefuseKeys(node, of_static, "belongs to the method quasi_static"));
  if (keys->harmonics) PetscCall(InputRefuseKeys(node, chosen, "is for harmonics that are chosen, and `harmonics` gives their number"));
  else if (keys->method == METHOD_EPMC) PetscCall(InputRefuseKeys(node, fixed, "belongs to a number of `harmonics`"));
  if (keys->harmonics && keys->samples && keys->samples < least)
    PetscCall(InputComplain(InputFind(node, "samples"), "%" PetscInt_FMT " harmonics need %" PetscInt_FMT " samples at least, got %" PetscInt_FMT,
                            keys->harmonics, least, keys->samples));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the paths of all keys `damping` in a part of the case. */
static PetscErrorCode ListDampers(const InputNode *node, char list[], size_t size)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; node && !InputIsScalar(node) && i < InputCount(node); i++) {
    const InputNode *item = InputItem(node, i);

    if (!InputIsMap(node) || strcmp(InputKey(node, i), "damping") != 0) PetscCall(ListDampers(item, list, size));
    else {
      PetscCall(PetscStrlcat(list, list[0] ? ", " : "", size));
      PetscCall(PetscStrlcat(list, InputPath(item), size));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Their modes are coupled by velocities: the artificial damping of a nonlinear mode would not be one of modes. */
static PetscErrorCode CheckDamping(const InputNode *node, const Names *names)
{
  static const char *const parts[]   = {"springs", "dampers", "matrices", "laws", "joints"};
  const InputNode *const   root      = InputRoot(InputDocumentOf(node));
  char                     list[256] = "";

  PetscFunctionBegin;
  if (!names->known || !names->dampers) PetscFunctionReturn(PETSC_SUCCESS);
  for (size_t p = 0; p < PETSC_STATIC_ARRAY_LENGTH(parts); p++) PetscCall(ListDampers(InputFind(root, parts[p]), list, sizeof(list)));
  PetscCall(InputComplain(node, "nonlinear modes need damping that is known mode by mode (`damping: {modal: ...}`); this structure has dampers: %s",
                          list[0] ? list : "a law of a joint"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt  before = InputNumComplaints(InputDocumentOf(node));
  NonlinearModes *found;

  PetscFunctionBegin;
  PetscCall(PetscNew(&found));
  study->data           = found;
  found->keys.direction = -1;
  PetscCall(InputRead(node, &modes_table, &found->keys));
  PetscCall(StudySetName(study, node, found->keys.name));
  PetscCall(StudyReadAbout(node, found->keys.about, study));
  PetscCall(HarmonicStructureCheck(names, node));
  PetscCall(CheckDamping(node, names));
  PetscCall(CheckNumbers(node, &found->keys));
  if (found->keys.harmonics) PetscCall(HarmonicStructureCheckHarmonics(names, found->keys.harmonics, InputFind(node, "harmonics")));
  PetscCall(ReadModes(InputFind(node, "modes"), names, found));
  PetscCall(ReadWatch(names, found));
  PetscCall(ReadRange(node, names, found));
  PetscCall(ExpansionRead(found->keys.fields, names, EXPANSION_BY_AMPLITUDE, found->keys.from, found->keys.to, &found->expansion));
  if (names->known && InputNumComplaints(InputDocumentOf(node)) == before)
    PetscCall(NonlinearModesDeclare(study->name, names, study->findings, found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is needed while modes are followed. */
static PetscErrorCode End(NonlinearModes *study)
{
  PetscFunctionBegin;
  for (PetscInt i = 0; i < study->num_curves; i++) PetscCall(VirginDestroy(&study->curves[i].virgin));
  PetscCall(HarmonicStructureDestroy(&study->structure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  NonlinearModes *found = study->data;

  PetscFunctionBegin;
  if (!found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(End(found));
  PetscCall(WatchedDestroy(&found->watched));
  PetscCall(WatchDestroy(&found->watch));
  PetscCall(PetscFree(found->curves));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const NonlinearModes *found = study->data;

  PetscFunctionBegin;
  fprintf(out, "  nonlinear_modes %-18s mode", study->name);
  for (PetscInt i = 0; i < found->num_curves; i++) fprintf(out, "%s %" PetscInt_FMT, i ? "," : "", found->curves[i].mode + 1);
  fprintf(out, " by %s, amplitudes from %g to %g %s\n", nonlinear_modes_methods[found->keys.method], (double)found->keys.from, (double)found->keys.to,
          found->keys.point ? "m" : "m kg^1/2");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The range of a mode in its coordinate. */
static PetscErrorCode FindRange(const InputNode *node, const System *system, const Modes *modes, const NonlinearModes *study, ModeCurve *curve)
{
  const PetscReal *shape = modes->shape + curve->mode * modes->num_unknowns;
  PetscReal       *force, per_unit = 1.0, moved = 0.0, largest = 0.0;

  PetscFunctionBegin;
  if (study->range_motion >= 0) {
    PetscCall(PetscCalloc1(system->num_unknowns, &force));
    PetscCall(SystemAddPlace(system, SystemPlaceOfMotion(system, study->range_motion), 1.0, force));
    for (PetscInt i = 0; i < system->num_unknowns; i++) {
      moved += force[i] * shape[i];
      largest += PetscAbsReal(force[i] * shape[i]);
    }
    PetscCall(PetscFree(force));
    per_unit = PetscAbsReal(moved);
    if (per_unit <= 1e-9 * largest || moved == 0.0)
      PetscCall(InputComplain(InputFind(node, "point"), "does not move in mode %" PetscInt_FMT, curve->mode + 1));
  }
  curve->from                = study->keys.from / per_unit;
  curve->to                  = study->keys.to / per_unit;
  curve->expansion.per_value = 1.0 / per_unit;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a mode is before any joint slips. */
static PetscErrorCode SayLinear(const System *system, const Modes *modes, const ModeCurve *curve)
{
  const PetscReal omega = modes->omega[curve->mode];

  PetscFunctionBegin;
  PetscCall(FindingSayReal(curve->finding, "linear_omega", omega));
  PetscCall(FindingSayReal(curve->finding, "linear_zeta", ModalDamping(&system->damping, curve->mode, omega) / (2.0 * omega)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  NonlinearModes        *found  = study->data;
  const System *const    system = cache->system;
  const InputNode *const list   = InputFind(study->node, "modes");
  const Modes           *modes;

  PetscFunctionBegin;
  PetscCall(LinearPrepare(cache));
  PetscCall(ModeCacheGet(cache, JOINT_STUCK, system->num_unknowns, &modes));
  PetscCall(NonlinearModesCheckLaws(study->node, system, (NonlinearModesMethod)found->keys.method));
  for (PetscInt i = 0; i < found->num_curves; i++) {
    ModeCurve *const curve = &found->curves[i];

    if (curve->mode < modes->num_rigid || !(modes->eigenvalue[curve->mode] > 0.0)) {
      PetscCall(InputComplain(InputIsList(list) ? InputItem(list, i) : list,
                              "mode %" PetscInt_FMT " has no frequency: it moves without strain, or is unstable", curve->mode + 1));
      continue;
    }
    PetscCall(FindRange(study->node, system, modes, found, curve));
    PetscCall(SayLinear(system, modes, curve));
    PetscCall(FindingSetSize(curve->finding, "modes", modes->count));
    PetscCall(ExpansionPrepare(&curve->expansion, study->name, curve->name, system, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Follow(const NonlinearModes *study, const ModeCurve *curve, const HarmonicStructure *structure, const Result *result)
{
  ModeTrack track    = {.study = study, .curve = curve, .structure = structure, .result = result, .expansion = curve->expansion};
  PetscBool finished = PETSC_TRUE;
  char      reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  track.expansion.passed = &track.passed.expansion;
  PetscCall(CurveKeeperBegin(result, curve->finding, MODES_AMPLITUDE, &track.passed, sizeof(track.passed), &track.keeper));
  PetscCall(PetscMalloc1(structure->n, &track.coupled));
  InternalResonancesCoupled(structure, curve->mode, track.coupled);
  if (!ModeMovesJoints(structure, curve->mode)) PetscCall(ModeFollowLinear(&track, &finished, reason, sizeof(reason)));
  else if (study->keys.method == METHOD_EPMC) PetscCall(ModeFollowPeriodic(&track, &finished, reason, sizeof(reason)));
  else PetscCall(ModeWriteStatic(&track, &finished, reason, sizeof(reason)));
  PetscCall(PetscFree(track.coupled));
  PetscCall(ExpansionEnd(&track.expansion, result));
  PetscCall(ModeTrackEnd(&track, finished, reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each mode belongs to one rank; where the ranks share what was left out of the structure, all of them to that which leads. */
static PetscErrorCode IsToFollow(const NonlinearModes *study, const System *system, PetscInt i, const Result *result, PetscBool *follow)
{
  PetscMPIInt rank, size;
  PetscBool   finished = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  if (SystemIsShared(system)) size = 1, rank = 0;
  if (i % size == rank) PetscCall(NonlinearModesIsFinished(&study->curves[i], result, &finished));
  *follow = (PetscBool)!finished;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The structure, and what is followed side by side. */
static PetscErrorCode Begin(NonlinearModes *study, ModeCache *cache, const Result *result)
{
  PetscBool follow;

  PetscFunctionBegin;
  PetscCall(HarmonicStructureCreate(cache, 0, NULL, &study->structure));
  PetscCall(WatchedFindPlaces(study->structure, &study->watched));
  for (PetscInt i = 0; i < study->num_curves && study->keys.method == METHOD_QUASI_STATIC; i++) {
    PetscCall(IsToFollow(study, cache->system, i, result, &follow));
    if (follow && ModeMovesJoints(study->structure, study->curves[i].mode)) PetscCall(ModeStaticBegin(study, study->structure, &study->curves[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ComputeBeside(PetscInt count, Study *const studies[], ModeCache *const caches[], Result *const results[])
{
  NonlinearModes **all;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(count, &all));
  for (PetscInt i = 0; i < count; i++) {
    all[i] = studies[i]->data;
    PetscCall(Begin(all[i], caches[i], results[i]));
  }
  PetscCall(ModesFollowStatic(count, all));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FollowAll(NonlinearModes *study, ModeCache *cache, const Result *result, Progress *progress)
{
  PetscBool follow;

  PetscFunctionBegin;
  if (!study->structure) {
    PetscCall(Begin(study, cache, result));
    PetscCall(ModesFollowStatic(1, &study));
  }
  for (PetscInt i = 0; i < study->num_curves && !InterruptAsked(); i++) {
    PetscCall(IsToFollow(study, cache->system, i, result, &follow));
    if (follow) PetscCall(Follow(study, &study->curves[i], study->structure, result));
    ProgressUpdate(progress, progress->done + 1.0);
  }
  PetscCall(End(study));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  NonlinearModes *found = study->data;
  Progress        progress;
  PetscBool       leads;

  PetscFunctionBegin;
  ProgressBegin(&progress, "nonlinear modes", (PetscReal)found->num_curves);
  PetscCall(SystemLead(cache->system, &leads));
  if (leads) PetscCall(FollowAll(found, cache, result, &progress));
  if (leads) PetscCall(SystemDismiss(cache->system));
  ProgressEnd(&progress);
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscCall(NonlinearModesPrint(study->name, found, result, outcome));
  for (PetscInt i = 0; i < found->num_curves; i++)
    PetscCall(ExpansionWrite(&found->curves[i].expansion, study->name, found->curves[i].name, cache, result));
  ExpansionSayStresses(&found->expansion, cache->system);
  PetscFunctionReturn(PETSC_SUCCESS);
}

// clang-format off
#define MEMBERS \
  .name = "nonlinear_modes", \
  .summary = "nonlinear modes: frequency, damping and shape against amplitude", \
  .tables = tables, \
  .outputs = nonlinear_modes_outputs, \
  .read = Read, \
  .group = StudyOwnGroup, \
  .describe = Describe, \
  .prepare = Prepare, \
  .run = Compute, \
  .destroy = Destroy
// clang-format on

/* Only these gain by samples that are computed together. */
static const StudyKind quasi_static = {MEMBERS, .run_beside = ComputeBeside};

static PetscErrorCode Choose(const InputNode *node, const StudyKind **kind)
{
  const InputNode *const method = InputFind(node, "method");
  const char            *text   = NULL;

  PetscFunctionBegin;
  if (method && InputIsScalar(method)) PetscCall(InputGetText(method, &text));
  if (text && !strcmp(text, nonlinear_modes_methods[METHOD_QUASI_STATIC])) *kind = &quasi_static;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_nonlinear_modes = {MEMBERS, .choose = Choose};
