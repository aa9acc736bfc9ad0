/* static_outputs.c - what equilibria leave in the result: /static/NAME, its points and joints. */
#include "static.h"

enum { FACTOR, STEPS, ITERATIONS, HALVED, HELD, TURNED, RIGID_MOTIONS, REASON };

// clang-format off
static const OutputField path_fields[] = {
  [FACTOR]     = {"factor", RESULT_REAL, {"rows"}, NULL, "of the loads: 0 in the first row, then after each step; NaN where no equilibrium was found"},
  [STEPS]      = {"steps", RESULT_COUNT, {"1"}, NULL, "that reached their equilibrium"},
  [ITERATIONS] = {"iterations", RESULT_COUNT, {"1"}, NULL, "of Newton, evaluations of all joints"},
  [HALVED]     = {"halved", RESULT_COUNT, {"1"}, NULL, "steps that were divided"},
  [HELD]       = {"held", RESULT_COUNT, {"1"}, NULL, "steps for which the friction of faces had to be held before Newton found their balance"},
  [TURNED]     = {"turned", RESULT_REAL, {"1"}, "rad", "angle by which the direction of sliding turned in a step, a mean by what was dissipated"},
  [RIGID_MOTIONS] = {"rigid_motions", RESULT_COUNT, {"1"}, NULL, "that nothing holds; the loads do not push them, the displacements leave them out"},
  [REASON]     = {"reason", RESULT_TEXT, {"1"}, NULL, "why the path ended: `complete`, or where there was no equilibrium"},
  {0}
};

static const OutputField path_facts[] = {
  {"steps_asked", RESULT_COUNT, {0}, NULL, "of the whole path"},
  {"tolerance", RESULT_REAL, {0}, NULL, "imbalance of a joint's force that was accepted, relative to its force"},
  {0}
};

enum { DISPLACEMENT };

static const OutputField point_fields[] = {
  [DISPLACEMENT] = {"displacement", RESULT_REAL, {"rows", "components"}, "m", "of a point; where the structure floats, without its rigid motions (mass-orthogonal to them)"},
  {0}
};

static const OutputField point_facts[] = {
  {"components", RESULT_TEXT, {0}, NULL, "directions of the columns, one word each"},
  {"units", RESULT_TEXT, {0}, NULL, "unit of the displacement in each direction"},
  {0}
};

enum { JOINT_DISPLACEMENT, JOINT_FORCE, JOINT_DISSIPATED };

static const OutputField joint_fields[] = {
  [JOINT_DISPLACEMENT] = {"displacement", RESULT_REAL, {"rows"}, "m", "relative displacement of the two sides, in the axes of the joint; of a layer between faces its mean by area, in those of each point"},
  [JOINT_FORCE]        = {"force", RESULT_REAL, {"rows"}, "N", "that the joint transmits; the reaction of the ground where that is one of its sides; of a layer the sum over its points"},
  [JOINT_DISSIPATED]   = {"dissipated", RESULT_REAL, {"rows"}, "J", "energy that it has lost along the path so far; of a layer all of its points"},
  {0}
};

static const OutputField bolt_fields[] = {
  {"tension", RESULT_REAL, {"rows"}, "N", "of a bolt, its preload included where the study is about one"},
  {0}
};

static const OutputField support_fields[] = {
  {"reaction", RESULT_REAL, {"rows"}, "N", "that holds the moving support where it is [N m of a rotation]"},
  {0}
};
// clang-format on

static const OutputTable path_table  = {"static/NAME", "equilibrium along a path of loads", path_fields, path_facts};
static const OutputTable point_table = {"static/NAME/points/POINT", "a point along the path", point_fields, point_facts};
static const OutputTable joint_table = {"static/NAME/joints/JOINT/DIRECTION", "a joint along the path; what `springs` carry is not kept",
                                        joint_fields, NULL};

static const OutputTable bolt_table = {"static/NAME/bolts/BOLT", "a bolt along the path", bolt_fields, NULL};

static const OutputTable support_table = {"static/NAME/moving_supports/POINT/DIRECTION", "a moving support along the path", support_fields, NULL};

const OutputTable *const static_outputs[] = {&path_table, &point_table,   &joint_table,           &static_contact_table,
                                             &bolt_table, &support_table, &static_reaction_table, NULL};

static PetscErrorCode DeclarePoint(const char *name, const NamedPoint *point, Findings *findings, PetscInt num_rows, Finding **finding)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &point_table, finding, "/static/%s/points/%s", name, point->name));
  PetscCall(FindingSetSize(*finding, "rows", num_rows));
  PetscCall(FindingSetSize(*finding, "components", point->num_components));
  PetscCall(WatchDescribePoint(point, 1, *finding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DeclareJoint(const char *name, const Names *names, PetscInt row, Findings *findings, PetscInt num_rows, Finding **finding)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &joint_table, finding, "/static/%s/joints/%s/%s", name, names->rows[row].joint, NamesRowDirection(names, row)));
  PetscCall(FindingSetSize(*finding, "rows", num_rows));
  PetscCall(WatchDescribeJoint(names->rows[row].direction, 0, *finding));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DeclareBolts(const char *name, const Names *names, Findings *findings, Static *data)
{
  StaticRecord *record = &data->record;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(names->num_bolts, &record->bolts, names->num_bolts, &record->tension));
  for (PetscInt b = 0; b < names->num_bolts; b++) {
    PetscCall(FindingsAdd(findings, &bolt_table, &record->bolts[b], "/static/%s/bolts/%s", name, names->bolts[b]));
    PetscCall(FindingSetSize(record->bolts[b], "rows", data->num_rows));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DeclareSupports(const char *name, const Names *names, Findings *findings, Static *data)
{
  StaticRecord *record = &data->record;

  PetscFunctionBegin;
  PetscCall(PetscCalloc2(names->num_supports, &record->supports, names->num_supports, &record->reaction));
  for (PetscInt s = 0; s < names->num_supports; s++) {
    const char *direction, *point = NamesSupport(names, s, &direction);

    PetscCall(FindingsAdd(findings, &support_table, &record->supports[s], "/static/%s/moving_supports/%s/%s", name, point, direction));
    PetscCall(FindingSetSize(record->supports[s], "rows", data->num_rows));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticDeclare(const char *name, const Names *names, Findings *findings, Static *data)
{
  const Watch  *watch  = &data->watch;
  StaticRecord *record = &data->record;

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &path_table, &record->path, "/static/%s", name));
  PetscCall(FindingSetSize(record->path, "rows", data->num_rows));
  PetscCall(FindingSayCount(record->path, "steps_asked", data->num_rows - 1));
  PetscCall(FindingSayReal(record->path, "tolerance", data->keys.tolerance));
  PetscCall(PetscCalloc2(watch->num_points, &record->points, watch->num_rows, &record->joints));
  for (PetscInt p = 0; p < watch->num_points; p++)
    PetscCall(DeclarePoint(name, &names->points[watch->points[p]], findings, data->num_rows, &record->points[p]));
  for (PetscInt r = 0; r < watch->num_rows; r++) PetscCall(DeclareJoint(name, names, watch->rows[r], findings, data->num_rows, &record->joints[r]));
  PetscCall(StaticDeclareContacts(name, names, findings, data));
  PetscCall(DeclareBolts(name, names, findings, data));
  PetscCall(DeclareSupports(name, names, findings, data));
  PetscCall(OutermostCreate(names, &record->outermost));
  PetscCall(PetscCalloc4(names->num_motions, &record->displacement, names->num_rows, &record->deflection, names->num_rows, &record->force,
                         names->num_rows, &record->dissipated));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first row of what is seen as one motion stands for it from now on. */
static void GatherLayers(const System *system, Static *data)
{
  StaticRecord *const record = &data->record;

  for (PetscInt i = 0; i < data->watch.num_rows; i++) {
    const PetscInt row = data->watch.rows[i], size = data->watch.sizes[i];

    record->deflection[row] = SystemLayerMean(system, row, size, record->deflection);
    record->force[row]      = SystemLayerSum(row, size, record->force);
    record->dissipated[row] = SystemLayerSum(row, size, record->dissipated);
  }
}

/* Laws know their own motion to more digits than the unknowns do. */
static PetscErrorCode TakeState(Statics *statics, const State *state, Static *data)
{
  const System    *system = statics->system;
  StaticRecord    *record = &data->record;
  const PetscReal *motion;

  PetscFunctionBegin;
  PetscCall(StaticsMotions(statics, state, &motion));
  PetscCall(PetscArraycpy(record->deflection, motion, system->names.num_rows));
  PetscCall(PetscArraycpy(record->displacement, motion + SystemPlaceOfMotion(system, 0), system->names.num_motions));
  for (PetscInt r = 0; r < system->names.num_rows; r++) {
    const PetscBool nonlinear = system->names.rows[r].nonlinear;

    if (nonlinear) record->deflection[r] = state->motion[r];
    record->force[r]      = system->rows[r].stiffness * record->deflection[r] + (nonlinear ? StaticsJointForce(statics, state, r) : 0.0);
    record->dissipated[r] = nonlinear ? state->dissipated[r] : 0.0;
  }
  GatherLayers(system, data);
  for (PetscInt b = 0; b < system->names.num_bolts; b++) record->tension[b] = system->bolts[b].tension + motion[SystemPlaceOfBolt(system, b)];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticWriteRow(Static *data, PetscInt row, Statics *statics, const State *state, const Result *result)
{
  const Names  *names  = &statics->system->names;
  const Watch  *watch  = &data->watch;
  StaticRecord *record = &data->record;
  PetscMPIInt   rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(TakeState(statics, state, data));
  StaticsReactions(statics, state, record->reaction);
  PetscCall(StaticTakeContacts(statics, state, row, data));
  OutermostLook(statics->system, state, &record->outermost);
  if (rank > 0) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt p = 0; p < watch->num_points; p++)
    PetscCall(FindingWrite(record->points[p], DISPLACEMENT, row, 1, record->displacement + names->points[watch->points[p]].first_motion, result));
  for (PetscInt r = 0; r < watch->num_rows; r++) {
    PetscCall(FindingWrite(record->joints[r], JOINT_DISPLACEMENT, row, 1, &record->deflection[watch->rows[r]], result));
    PetscCall(FindingWrite(record->joints[r], JOINT_FORCE, row, 1, &record->force[watch->rows[r]], result));
    PetscCall(FindingWrite(record->joints[r], JOINT_DISSIPATED, row, 1, &record->dissipated[watch->rows[r]], result));
  }
  PetscCall(StaticWriteContacts(data, row, result));
  for (PetscInt b = 0; b < names->num_bolts; b++) PetscCall(FindingWrite(record->bolts[b], 0, row, 1, &record->tension[b], result));
  for (PetscInt s = 0; s < names->num_supports; s++) PetscCall(FindingWrite(record->supports[s], 0, row, 1, &record->reaction[s], result));
  PetscCall(FindingWrite(record->path, FACTOR, row, 1, &data->factor[row], result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StaticWriteEnd(const Static *data, const System *system, PetscInt rows, const State *state, const char *reason, const Result *result)
{
  const PetscInt64 steps = PetscMax(rows - 1, 0), rigid = data->floating.num;
  const PetscReal  turned = TurnsAngle(&data->sliding);
  PetscMPIInt      rank;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingWrite(data->record.path, TURNED, 0, 1, &turned, result));
  PetscCall(FindingWrite(data->record.path, STEPS, 0, 1, &steps, result));
  PetscCall(FindingWrite(data->record.path, ITERATIONS, 0, 1, &state->iterations, result));
  PetscCall(FindingWrite(data->record.path, HALVED, 0, 1, &state->halved, result));
  PetscCall(FindingWrite(data->record.path, HELD, 0, 1, &state->num_held, result));
  PetscCall(FindingWrite(data->record.path, RIGID_MOTIONS, 0, 1, &rigid, result));
  if (rows > 0) PetscCall(StaticWriteLastContacts(data, system, result));
  PetscCall(FindingWrite(data->record.path, REASON, 0, 1, reason, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
