/* static.c - the study of equilibrium: what loads at rest do to a structure with joints, along a path. */
#include "static.h"
#include "study/reactions.h"
#include "study/stresses.h"

#define OF(member) offsetof(StaticKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .help = "of the study and its group in the result; `static` when not given"},
  STUDY_ABOUT_FIELD(OF(about)),
  {.key = "load", .kind = INPUT_NODE, .offset = OF(load), .fallback = INPUT_REQUIRED, .help = "one load or a list of them: {force: {point: tip, direction: z, amplitude: 100}}, {force: {pattern: weight}}"},
  {.key = "path", .kind = INPUT_NODE, .offset = OF(path),
   .help = "factors of the loads, one or a list: straight from 0 to each in turn, [1, -1, 1]; or {cycles: 2}; 1 when not given. Joints remember the path"},
  {.key = "steps", .kind = INPUT_COUNT, .offset = OF(steps), .fallback = 10, .least = 1, .most = 1000000, .help = "from one factor of the path to the next"},
  {.key = "tolerance", .kind = INPUT_REAL, .offset = OF(tolerance), .fallback = 1e-10, .least = 1e-15, .most = 1e-2,
   .help = "accepted imbalance of a joint's force, relative to its force"},
  {.key = "max_iterations", .kind = INPUT_COUNT, .offset = OF(max_iterations), .fallback = 50, .least = 1, .most = 10000, .help = "of Newton, before a step is halved"},
  {.key = "watch", .kind = INPUT_NODE, .offset = OF(watch), .help = "what is kept of each step"},
  {.key = "fields", .kind = INPUT_TRUTH, .offset = OF(fields), .fallback = 0,
   .help = "write the displacements of the mesh where the path turns, and at its end, for ParaView: RESULT_NAME.xdmf, its times the numbers of the steps; factors the mesh once more"},
  STRESSES_FIELD(OF(stresses), "of loads and joints together, exact for a mesh on its modes; about a preload without that"),
  STRESS_POINTS_FIELD(OF(stress_points)),
  {.key = "reactions", .kind = INPUT_TRUTH, .offset = OF(reactions), .fallback = 0,
   .help = "keep what the ground gives at each of the `supports` of the mesh, force and moment about the origin, where the path turns, and at its end; factors the mesh once more"},
  {.key = NULL}
};

typedef struct {
  InputTexts points, joints;
} WatchKeys;

static const InputField watch_fields[] = {
  {.key = "points", .kind = INPUT_TEXTS, .offset = offsetof(WatchKeys, points), .help = "names of points, `all` (default) or `none`: displacements"},
  {.key = "joints", .kind = INPUT_TEXTS, .offset = offsetof(WatchKeys, joints), .help = "names of joints, `all` (when not given) or `none`: relative displacement, force, dissipated energy; of contacts also how much of them is open, sticks, slips"},
  {.key = NULL}
};
// clang-format on

static const InputTable        static_table       = {"static",
                                                     "equilibrium under loads at rest, joints by their laws along a path of the loads; laws that depend on "
                                                                  "velocities are asked at rest, dampers carry nothing",
                                                     fields};
static const InputTable        static_watch_table = {"watch", "what is kept of each step", watch_fields};
static const InputTable *const own_tables[]       = {&static_table, &static_path_table, &static_watch_table, NULL};
static const InputTables       tables[]           = {own_tables, force_load_tables, NULL};

static PetscErrorCode ReadWatch(const Names *names, Static *data)
{
  const InputNode *watch = data->keys.watch;
  WatchKeys        keys  = {0};

  PetscFunctionBegin;
  if (watch) PetscCall(InputRead(watch, &static_watch_table, &keys));
  PetscCall(WatchPoints(watch ? InputFind(watch, "points") : NULL, names, &keys.points, PETSC_TRUE, &data->watch));
  PetscCall(WatchJoints(watch ? InputFind(watch, "joints") : NULL, names, &keys.joints, PETSC_TRUE, &data->watch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckFields(const InputNode *node, const StaticKeys *keys, const Names *names)
{
  PetscFunctionBegin;
  if (!names->known) PetscFunctionReturn(PETSC_SUCCESS);
  if (keys->fields && !names->mesh)
    PetscCall(InputComplain(InputFind(node, "fields"), "writes motions of a mesh, and this case has none; `watch` keeps those of points"));
  PetscCall(StressesCheckPoints(InputFind(node, "stress_points"), keys->stresses));
  if (!keys->stresses) PetscFunctionReturn(PETSC_SUCCESS);
  if (names->mesh && !keys->fields)
    PetscCall(InputComplain(InputFind(node, "stresses"), "are among the fields of the mesh: they need `fields: yes`"));
  PetscCall(StressesCheck(InputFind(node, "stresses"), names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const PetscInt before = InputNumComplaints(InputDocumentOf(node));
  Static        *data;

  PetscFunctionBegin;
  PetscCall(PetscNew(&data));
  study->data = data;
  PetscCall(InputRead(node, &static_table, &data->keys));
  PetscCall(StudySetName(study, node, data->keys.name));
  PetscCall(StudyReadAbout(node, data->keys.about, study));
  PetscCall(LoadsReadForces(data->keys.load, names, &data->num_loads, &data->loads));
  if (data->keys.load && data->num_loads == 0) PetscCall(InputComplain(data->keys.load, "expected a load, {force: {...}}, found none"));
  PetscCall(StaticPathRead(data->keys.path, data->keys.steps, &data->num_rows, &data->factor));
  PetscCall(ReadWatch(names, data));
  PetscCall(CheckFields(node, &data->keys, names));
  if (data->keys.reactions) PetscCall(ReactionsCheck(InputFind(node, "reactions"), names, data->num_loads, data->loads));
  study->writes_series = data->keys.fields;
  if (names->known && InputNumComplaints(InputDocumentOf(node)) == before) PetscCall(StaticDeclare(study->name, names, study->findings, data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  Static *data = study->data;

  PetscFunctionBegin;
  if (!data) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(data->loads));
  PetscCall(PetscFree(data->factor));
  PetscCall(FloatingDestroy(&data->floating));
  PetscCall(DeflectionsDestroy(&data->turns));
  PetscCall(PetscFree(data->supports));
  PetscCall(WatchDestroy(&data->watch));
  PetscCall(PetscFree2(data->record.points, data->record.joints));
  PetscCall(PetscFree2(data->record.bolts, data->record.tension));
  PetscCall(PetscFree2(data->record.supports, data->record.reaction));
  PetscCall(StaticContactsDestroy(&data->record.contacts));
  PetscCall(OutermostDestroy(&data->record.outermost));
  PetscCall(PetscFree4(data->record.displacement, data->record.deflection, data->record.force, data->record.dissipated));
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const Static *data = study->data;

  PetscFunctionBegin;
  fprintf(out, "  static %-27s %" PetscInt_FMT " load%s, %" PetscInt_FMT " steps, %" PetscInt_FMT " unknowns\n", study->name, data->num_loads,
          data->num_loads == 1 ? "" : "s", data->num_rows - 1, study->names->num_unknowns);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All loads at factor 1. */
static PetscErrorCode AddLoads(const Static *data, ModeCache *cache, SystemForces *total)
{
  PetscFunctionBegin;
  PetscCall(SystemForcesCreate(cache->system, total));
  for (PetscInt l = 0; l < data->num_loads; l++) PetscCall(LoadAddForces(&data->loads[l], cache, total));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  Static      *data        = study->data;
  PetscInt     max_mode[2] = {0, 0};
  const Modes *modes;
  SystemForces total;

  PetscFunctionBegin;
  LoadsMaxMode(data->num_loads, data->loads, max_mode);
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    if (max_mode[state]) PetscCall(ModeCacheGet(cache, state, max_mode[state], &modes));
  PetscCall(AddLoads(data, cache, &total));
  PetscCall(StaticFindFloating(study->node, cache, &total, &data->floating));
  PetscCall(SystemForcesDestroy(&total));
  PetscCall(StaticPlaceContacts(cache->system, data));
  PetscCall(StaticReactionsBegin(study, cache));
  PetscCall(StaticFieldsBegin(study, cache, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where a step to this row ended, after this share of it. */
static PetscReal FactorReached(const Static *data, PetscInt row, PetscReal share)
{
  const PetscReal start = data->factor[PetscMax(row - 1, 0)];

  return start + share * (data->factor[row] - start);
}

/* Along the path, until its end or a step without equilibrium; so many rows were found. */
static PetscErrorCode Follow(Static *data, const SystemForces *total, Statics *statics, State *state, const Result *result, PetscInt *rows,
                             char reason[RESULT_TEXT_LENGTH])
{
  const System *system    = statics->system;
  PetscBool     converged = PETSC_TRUE;

  PetscFunctionBegin;
  PetscCall(StaticsSetLoad(statics, total));
  PetscCall(PetscStrncpy(reason, "complete", RESULT_TEXT_LENGTH));
  for (*rows = 0; *rows < data->num_rows; ++*rows) {
    PetscCall(StaticsStep(statics, data->factor[*rows], state, &converged));
    if (!converged) break;
    TurnsLook(system, state, &data->sliding);
    PetscCall(StaticWriteRow(data, *rows, statics, state, result));
    PetscCall(StaticFieldsTake(data, *rows, statics, state));
  }
  if (!converged)
    PetscCall(PetscSNPrintf(reason, RESULT_TEXT_LENGTH, "stopped in step %" PetscInt_FMT " of %" PetscInt_FMT ": no equilibrium beyond factor %g",
                            *rows, data->num_rows - 1, (double)FactorReached(data, *rows, state->time)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Solve(const Study *study, const System *system, const SystemForces *total, const Result *result, PetscInt *rows)
{
  Static  *data = study->data;
  Statics *statics;
  State   *state;
  char     reason[RESULT_TEXT_LENGTH];

  PetscFunctionBegin;
  PetscCall(StaticsCreate(system, &data->floating, data->keys.tolerance, data->keys.max_iterations, &statics));
  PetscCall(StaticsStart(statics, &state));
  PetscCall(TurnsCreate(system, &data->sliding));
  PetscCall(Follow(data, total, statics, state, result, rows, reason));
  PetscCall(StaticWriteEnd(data, system, *rows, state, reason, result));
  PetscCall(StaticPrint(study->name, data, *rows, study->names, state, reason));
  OutermostWarn(InputPath(study->node), study->names, data->record.outermost.pressing, data->record.outermost.beside);
  StaticWarnOfSlip(InputPath(study->node), study->names, data);
  TurnsWarnOfAngle("static", study->name, TurnsAngle(&data->sliding), "in a step", "give more `steps`");
  PetscCall(TurnsDestroy(&data->sliding));
  PetscCall(StateDestroy(&state));
  PetscCall(StaticsDestroy(&statics));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* By all ranks alike, as it takes no time, or by one that the others help. */
static PetscErrorCode Compute(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  Static      *data = study->data;
  SystemForces total;
  PetscInt     rows = 0;
  PetscReal    found;
  PetscBool    leads;

  PetscFunctionBegin;
  if (outcome->num_unfinished > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AddLoads(data, cache, &total));
  PetscCall(SystemLead(cache->system, &leads));
  if (leads) {
    PetscCall(Solve(study, cache->system, &total, result, &rows));
    PetscCall(SystemDismiss(cache->system));
  }
  found = rows;
  PetscCall(SystemShare(cache->system, 1, &found));
  PetscCall(StaticFieldsWrite(study, cache, (PetscInt)found, result));
  if ((PetscInt)found < data->num_rows) outcome->num_stopped++;
  PetscCall(SystemForcesDestroy(&total));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_static = {
  .name     = "static",
  .summary  = "equilibrium under loads at rest, joints by their laws along a path",
  .tables   = tables,
  .outputs  = static_outputs,
  .read     = Read,
  .group    = StudyOwnGroup,
  .describe = Describe,
  .prepare  = Prepare,
  .run      = Compute,
  .destroy  = Destroy,
};
