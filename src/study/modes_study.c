/* modes_study.c - the study of natural frequencies and mode shapes. */
#include "mode_fields.h"
#include "study.h"

typedef struct {
  PetscInt   count;
  InputTexts joints;
  PetscBool  prove;
  PetscBool  wanted[2]; /* by JointState */
} ModesKeys;

#define OF(member) offsetof(ModesKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "count", .kind = INPUT_COUNT, .offset = OF(count), .fallback = 12, .least = 1, .most = PETSC_INFINITY,
   .help = "the lowest so many; all when there are fewer"},
  {.key = "joints", .kind = INPUT_TEXTS, .offset = OF(joints), .help = "stuck, slipping, or a list of both; both when not given"},
  {.key = "prove", .kind = INPUT_TRUTH, .offset = OF(prove), .fallback = 0,
   .help = "of a mesh that is not reduced, prove by one more factorisation that no mode was missed"},
  {.key = NULL}
};
// clang-format on

static const InputTable        modes_table  = {"modes", "natural frequencies and mass-normalised shapes", fields};
static const InputTable *const own_tables[] = {&modes_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

static PetscErrorCode Read(const InputNode *node, const System *system, Study *study)
{
  const InputNode *joints;
  ModesKeys       *keys;

  PetscFunctionBegin;
  PetscCall(PetscNew(&keys));
  study->data = keys;
  study->name = "modes";
  PetscCall(InputRead(node, &modes_table, keys));
  joints          = InputFind(node, "joints");
  keys->wanted[0] = keys->wanted[1] = (PetscBool)(keys->joints.count == 0);
  for (PetscInt i = 0; i < keys->joints.count; i++) {
    PetscInt state;

    PetscCall(InputChoose(InputIsList(joints) ? InputItem(joints, i) : joints, keys->joints.values[i], "state of joints", joint_state_names, &state));
    if (state >= 0) keys->wanted[state] = PETSC_TRUE;
  }
  if (keys->prove && system && !system->continuum)
    PetscCall(InputComplain(InputFind(node, "prove"), "has no use without a mesh that is not reduced; craig_bampton has a `prove` of its own"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Describe(const Study *study, const System *system, FILE *out)
{
  const ModesKeys *keys = study->data;
  PetscInt         size;

  PetscFunctionBegin;
  PetscCall(SystemGetSize(system, &size));
  fprintf(out, "  modes: the lowest %" PetscInt_FMT "%s%s\n", PetscMin(keys->count, size), keys->wanted[JOINT_STUCK] ? ", joints stuck" : "",
          keys->wanted[JOINT_SLIPPING] ? ", joints slipping" : "");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first `count`, whatever more another study has asked for: a view of the modes that are kept. */
static Modes Lowest(const Modes *modes, PetscInt count)
{
  Modes lowest = *modes;

  lowest.count     = PetscMin(count, modes->count);
  lowest.num_rigid = 0;
  for (PetscInt k = 0; k < lowest.count; k++) lowest.num_rigid += lowest.eigenvalue[k] == 0.0;
  return lowest;
}

static PetscErrorCode WriteUnder(Result *result, const char *group, const char *name, PetscInt num_dims, const PetscInt64 dims[],
                                 const PetscReal values[])
{
  char path[128];

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(path, sizeof(path), "%s/%s", group, name));
  PetscCall(ResultWriteReals(result, path, num_dims, dims, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteFrequencies(Result *result, const char *group, const Modes *modes)
{
  const PetscInt64 count = modes->count;
  PetscReal       *frequency, *mass;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &frequency, count, &mass));
  for (PetscInt k = 0; k < count; k++) {
    frequency[k] = modes->omega[k] / (2.0 * PETSC_PI);
    mass[k]      = 1.0;
  }
  PetscCall(WriteUnder(result, group, "omega", 1, &count, modes->omega));
  PetscCall(WriteUnder(result, group, "frequency", 1, &count, frequency));
  PetscCall(WriteUnder(result, group, "modal_mass", 1, &count, mass));
  PetscCall(PetscFree2(frequency, mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteParticipation(Result *result, const char *group, const System *system, const Modes *modes)
{
  const PetscInt64 dims[2] = {modes->count, NUM_DIRECTIONS};
  PetscReal       *participation, *effective;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(modes->count * NUM_DIRECTIONS, &participation, modes->count * NUM_DIRECTIONS, &effective));
  PetscCall(ModesParticipation(system, modes, participation));
  for (PetscInt i = 0; i < modes->count * NUM_DIRECTIONS; i++) effective[i] = PetscSqr(participation[i]);
  PetscCall(WriteUnder(result, group, "participation", 2, dims, participation));
  PetscCall(WriteUnder(result, group, "effective_mass", 2, dims, effective));
  PetscCall(PetscFree2(participation, effective));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteModes(const System *system, const Modes *modes, JointState state, Result *result)
{
  const PetscInt64 dims[2] = {system->num_motions, modes->count};
  char             group[64];
  PetscReal       *shape;

  PetscFunctionBegin;
  PetscCall(PetscSNPrintf(group, sizeof(group), "/modes/%s", joint_state_names[state]));
  PetscCall(WriteFrequencies(result, group, modes));
  PetscCall(WriteParticipation(result, group, system, modes));
  PetscCall(PetscMalloc1(dims[0] * dims[1], &shape));
  PetscCall(ModesMotions(system, modes, shape));
  PetscCall(WriteUnder(result, group, "shape", 2, dims, shape));
  PetscCall(PetscFree(shape));
  PetscCall(ResultAttributeCount(result, group, "rigid", modes->num_rigid));
  PetscCall(ResultAttributeText(result, group, "shape_rows", "motions of the points, named in /system/motions"));
  PetscCall(ResultAttributeText(result, group, "normalisation", "unit modal mass, component of largest magnitude positive"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, Result *result)
{
  const ModesKeys *keys = study->data;
  const Modes     *modes;
  Modes            lowest;

  PetscFunctionBegin;
  cache->prove = keys->prove;
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    if (!keys->wanted[state]) continue;
    PetscCall(ModeCacheGet(cache, state, keys->count, &modes));
    if (modes->count == 0) continue; /* the complaint has been made */
    lowest = Lowest(modes, keys->count);
    PetscCall(WriteModes(cache->system, &lowest, state, result));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One line a mode: frequencies in both states, of which one may have fewer; effective masses of the translations. */
static PetscErrorCode PrintMode(const ModeCache *cache, const ModesKeys *keys, PetscInt k, const PetscReal participation[])
{
  PetscFunctionBegin;
  ReportSay("  %4" PetscInt_FMT, k + 1);
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    const Modes *const modes = cache->modes[state];

    if (keys->wanted[state] && k < modes->count) ReportSay("  %14.7g %12.6g", modes->omega[k], modes->omega[k] / (2.0 * PETSC_PI));
    else if (keys->wanted[state]) ReportSay("  %14s %12s", "-", "-");
  }
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
    if (cache->system->base[d]) ReportSay("  %5.1f", 100.0 * PetscSqr(participation[k * NUM_DIRECTIONS + d]) / cache->system->base_mass[d]);
  ReportSay("\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintHeading(const ModeCache *cache, const ModesKeys *keys)
{
  PetscFunctionBegin;
  ReportSay("\nmodes: natural frequencies, and effective mass in %% of the mass that moves in each direction\n  mode");
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    if (keys->wanted[state]) ReportSay("  %8s rad/s %12s", joint_state_names[state], "Hz");
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
    if (cache->system->base[d]) ReportSay("  %5s", direction_names[d]);
  ReportSay("\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintRigid(const ModeCache *cache, const ModesKeys *keys)
{
  PetscFunctionBegin;
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    PetscInt num_rigid;

    if (!keys->wanted[state]) continue;
    num_rigid = Lowest(cache->modes[state], keys->count).num_rigid;
    if (num_rigid) ReportSay("  %" PetscInt_FMT " of them move without strain while the joints are %s\n", num_rigid, joint_state_names[state]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Print(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  const ModesKeys *keys  = study->data;
  const JointState shown = keys->wanted[JOINT_STUCK] ? JOINT_STUCK : JOINT_SLIPPING;
  const Modes      modes = Lowest(cache->modes[shown], keys->count);
  PetscReal       *participation;

  PetscFunctionBegin;
  PetscCall(PrintHeading(cache, keys));
  PetscCall(PetscMalloc1(modes.count * NUM_DIRECTIONS, &participation));
  PetscCall(ModesParticipation(cache->system, &modes, participation));
  for (PetscInt k = 0; k < modes.count; k++) PetscCall(PrintMode(cache, keys, k, participation));
  PetscCall(PetscFree(participation));
  PetscCall(PrintRigid(cache, keys));
  PetscCall(ModeFieldsWrite(cache, keys->count, keys->wanted, ResultPath(result)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_modes = {
  .name     = "modes",
  .summary  = "natural frequencies and mode shapes; those of a mesh also in RESULT.hdf, for ParaView",
  .tables   = tables,
  .read     = Read,
  .describe = Describe,
  .prepare  = Prepare,
  .run      = Print,
  .destroy  = Destroy,
};
