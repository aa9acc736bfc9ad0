/* modes.c - the study of natural frequencies and mode shapes. */
#include "mode_estimate.h"
#include "mode_fields.h"
#include "mode_follow.h"
#include "mode_outputs.h"
#include "mode_reactions.h"
#include "study/reactions.h"
#include "study/stresses.h"
#include <string.h>

typedef struct {
  const char *name, *about;
  PetscInt    count;
  InputTexts  joints;
  PetscBool   prove, stresses, stress_points, reactions;
  PetscBool   wanted[2], shown[2]; /* by JointState */
  ModePairs   pairs;               /* none where the joints change nothing, or one state is not wanted */
  ModeCache   whole;               /* of the mesh itself, where other studies move one that is reduced to modes */
  Finding    *findings[2];         /* by JointState; NULL where not wanted */

  ModeLikeness likeness[2]; /* of modes of the case itself to those here, by JointState; none until asked for */
  Modes       *all[2];      /* all modes, for estimates of shapes; likewise */
} ModesKeys;

#define OF(member) offsetof(ModesKeys, member)

// clang-format off
static const InputField fields[] = {
  {.key = "name", .kind = INPUT_TEXT, .offset = OF(name), .fallback = INPUT_OPTIONAL,
   .help = "name of the study and of its group in the result, /modes/NAME, for a second study of modes; default: none, /modes"},
  STUDY_ABOUT_FIELD(OF(about)),
  {.key = "count", .kind = INPUT_COUNT, .offset = OF(count), .fallback = 12, .least = 1, .most = PETSC_INFINITY,
   .help = "number of modes, the lowest ones; all if there are fewer"},
  {.key = "joints", .kind = INPUT_TEXTS, .offset = OF(joints), .help = "state of the joints: stuck, slipping, or a list of both; default: both"},
  {.key = "prove", .kind = INPUT_TRUTH, .offset = OF(prove), .fallback = 0,
   .help = "for a mesh that is not reduced: verify, by one more factorisation, that no mode was missed"},
  STRESSES_FIELD(OF(stresses), "of each mode in RESULT.hdf, Pa for a coordinate of 1 m kg^1/2; about a preload what the motion changes"),
  STRESS_POINTS_FIELD(OF(stress_points)),
  {.key = "reactions", .kind = INPUT_TRUTH, .offset = OF(reactions), .fallback = 0,
   .help = "keep what the ground gives at each of the `supports` of the mesh in each mode, force and moment about the origin for a coordinate of 1 m kg^1/2"},
  {.key = NULL}
};
// clang-format on

static const InputTable        modes_table  = {"modes", "natural frequencies and mass-normalised shapes", fields};
static const InputTable *const own_tables[] = {&modes_table, NULL};
static const InputTables       tables[]     = {own_tables, NULL};

/* What has no mass gives way where they are held. */
static PetscErrorCode CheckSticking(const InputNode *node, const Names *names, const ModesKeys *keys)
{
  PetscFunctionBegin;
  if (names->known && keys->wanted[JOINT_STUCK] && NamesSticking(names) && (names->residual || names->num_mesh_modes))
    PetscCall(InputComplain(node,
                            "joint '%s' sticks without any give, and modes that hold it are found where all has mass, without modes that a "
                            "reduction leaves out: take the reduction craig_bampton, or ask for joints: slipping",
                            NamesSticking(names)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Its group stands beside those of the study without a name. */
static PetscErrorCode CheckName(const InputNode *node, const char *name)
{
  PetscFunctionBegin;
  for (JointState state = JOINT_STUCK; name && state <= JOINT_SLIPPING; state++)
    if (!strcmp(name, joint_state_names[state]))
      PetscCall(InputComplain(InputFind(node, "name"), "is the name of a state of the joints; take another"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Read(const InputNode *node, const Names *names, Study *study)
{
  const InputNode *joints;
  ModesKeys       *keys;

  PetscFunctionBegin;
  PetscCall(PetscNew(&keys));
  study->data = keys;
  PetscCall(InputRead(node, &modes_table, keys));
  PetscCall(StudySetName(study, node, keys->name));
  PetscCall(CheckName(node, keys->name));
  PetscCall(StudyReadAbout(node, keys->about, study));
  PetscCall(StressesCheckPoints(InputFind(node, "stress_points"), keys->stresses));
  if (keys->stresses) PetscCall(StressesCheck(InputFind(node, "stresses"), names));
  if (keys->reactions) PetscCall(ReactionsCheck(InputFind(node, "reactions"), names, 0, NULL));
  joints          = InputFind(node, "joints");
  keys->wanted[0] = keys->wanted[1] = (PetscBool)(keys->joints.count == 0);
  for (PetscInt i = 0; i < keys->joints.count; i++) {
    PetscInt state;

    PetscCall(InputChoose(InputIsList(joints) ? InputItem(joints, i) : joints, keys->joints.values[i], "state of joints", joint_state_names, &state));
    if (state >= 0) keys->wanted[state] = PETSC_TRUE;
  }
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    if (keys->wanted[state]) PetscCall(ModesAdd(keys->name, state, study->findings, &keys->findings[state]));
  PetscCall(CheckSticking(node, names, keys));
  if (keys->prove && names->known && !names->num_mesh_modes)
    PetscCall(InputComplain(InputFind(node, "prove"), "has no use without a mesh that is not reduced; craig_bampton has a `prove` of its own"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Destroy(Study *study)
{
  ModesKeys *keys = study->data;

  PetscFunctionBegin;
  if (keys) PetscCall(ModeCacheDestroy(&keys->whole));
  if (keys) PetscCall(ModePairsDestroy(&keys->pairs));
  for (JointState state = JOINT_STUCK; keys && state <= JOINT_SLIPPING; state++) {
    PetscCall(ModeLikenessDestroy(&keys->likeness[state]));
    PetscCall(ModesDestroy(&keys->all[state]));
  }
  PetscCall(PetscFree(study->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether there is anything that sticks or slips. */
static PetscBool HasJoints(const Names *names)
{
  return (PetscBool)(names->num_rows > 0 || names->num_contacts > 0);
}

static PetscErrorCode Describe(const Study *study, FILE *out)
{
  const ModesKeys *keys   = study->data;
  const PetscBool  joints = HasJoints(study->names);

  PetscFunctionBegin;
  fprintf(out, "  modes: the lowest %" PetscInt_FMT "%s%s\n",
          PetscMin(keys->count, study->names->num_mesh_modes ? study->names->num_mesh_modes : study->names->num_modes),
          joints && keys->wanted[JOINT_STUCK] ? ", joints stuck" : "", joints && keys->wanted[JOINT_SLIPPING] ? ", joints slipping" : "");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first `count`, whatever more another study has asked for: a view of the modes that are kept. */
static Modes Lowest(const Modes *modes, PetscInt count)
{
  Modes    lowest = *modes;
  PetscInt end;

  lowest.count     = PetscMin(count, modes->count);
  lowest.num_rigid = 0;
  for (PetscInt k = 0; k < lowest.count; k++) lowest.num_rigid += lowest.eigenvalue[k] == 0.0;
  for (end = lowest.count; end > 0 && end < modes->count && modes->eigenvalue[end] == modes->eigenvalue[end - 1];) end++;
  lowest.num_cut = end - lowest.count + (end == modes->count ? modes->num_cut : 0);
  return lowest;
}

static PetscErrorCode FindPairs(const Study *study, const ModeCache *cache, ModesKeys *keys)
{
  Modes stuck, slipping;

  PetscFunctionBegin;
  if (!HasJoints(study->names) || !keys->wanted[JOINT_STUCK] || !keys->wanted[JOINT_SLIPPING]) PetscFunctionReturn(PETSC_SUCCESS);
  if (cache->modes[JOINT_STUCK]->count == 0 || cache->modes[JOINT_SLIPPING]->count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  stuck    = Lowest(cache->modes[JOINT_STUCK], keys->count);
  slipping = Lowest(cache->modes[JOINT_SLIPPING], keys->count);
  PetscCall(ModePairsFind(cache->system, &stuck, &slipping, &keys->pairs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The structure whose modes are shown: the whole mesh, where other studies move it on modes; one whose joints hold. */
static ModeCache *CacheOf(ModesKeys *keys, ModeCache *cache)
{
  if (keys->whole.system) return &keys->whole;
  keys->whole = (ModeCache){.system = ModelWhole(cache->model), .model = cache->model};
  if (SystemSticks(cache->system)) keys->whole = (ModeCache){.system = cache->system, .model = cache->model, .holds = PETSC_TRUE};
  return keys->whole.system ? &keys->whole : cache;
}

static PetscErrorCode Prepare(Study *study, ModeCache *cache, const Result *result)
{
  ModesKeys   *keys = study->data;
  const Modes *modes;
  Modes        lowest;

  PetscFunctionBegin;
  cache        = CacheOf(keys, cache);
  cache->prove = keys->prove;
  PetscCall(PetscArraycpy(keys->shown, keys->wanted, 2));
  if (!HasJoints(study->names) && keys->wanted[JOINT_STUCK]) keys->shown[JOINT_SLIPPING] = PETSC_FALSE; /* it is the same */
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    if (keys->wanted[state]) PetscCall(ModeCacheGet(cache, state, keys->count, &modes));
  }
  PetscCall(FindPairs(study, cache, keys));
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    if (!keys->wanted[state]) continue;
    if (cache->modes[state]->count == 0) { /* after a complaint, or joints hold all motions */
      PetscCall(ModesOmit(keys->findings[state]));
      continue;
    }
    lowest = Lowest(cache->modes[state], keys->count);
    PetscCall(ModesGive(cache->system, &lowest, state == JOINT_STUCK && keys->pairs.mac ? &keys->pairs : NULL, keys->findings[state]));
    if (keys->reactions) PetscCall(ModesGiveReactions(InputFind(study->node, "reactions"), keys->name, cache->model, &lowest, study->findings));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which slipping mode it is, what slipping changes of its frequency, and how much they resemble each other. */
static void PrintPair(const ModePairs *pairs, PetscInt k)
{
  if (pairs->pair[k] < 0) ReportSay("  %5s %9s %6s", "none", "-", "-");
  else if (PetscIsNanReal(pairs->change[k])) ReportSay("  %5" PetscInt_FMT " %9s %6.3f", pairs->pair[k] + 1, "-", pairs->likeness[k]);
  else ReportSay("  %5" PetscInt_FMT " %9.3g %6.3f", pairs->pair[k] + 1, 100.0 * pairs->change[k], pairs->likeness[k]);
}

/* Of both states: where joints hold motions, there are fewer. */
static PetscInt MostShown(const ModeCache *cache, const ModesKeys *keys)
{
  PetscInt most = 0;

  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    if (keys->shown[state]) most = PetscMax(most, PetscMin(keys->count, cache->modes[state]->count));
  return most;
}

/* One line a mode: frequencies in both states, of which one may have fewer; effective masses of the translations, unless NULL. */
static PetscErrorCode PrintMode(const ModeCache *cache, const ModesKeys *keys, PetscInt k, const PetscReal participation[])
{
  PetscFunctionBegin;
  ReportSay("  %4" PetscInt_FMT, k + 1);
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    const Modes *const modes = cache->modes[state];

    if (keys->shown[state] && k < modes->count) ReportSay("  %14.7g %12.6g", modes->omega[k], modes->omega[k] / (2.0 * PETSC_PI));
    else if (keys->shown[state]) ReportSay("  %14s %12s", "-", "-");
  }
  if (keys->pairs.mac && participation) PrintPair(&keys->pairs, k);
  for (PetscInt d = 0; d < NUM_DIRECTIONS && participation; d++)
    if (cache->system->base[d]) ReportSay("  %5.1f", 100.0 * PetscSqr(participation[k * NUM_DIRECTIONS + d]) / cache->system->base_mass[d]);
  ReportSay("\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintHeading(const ModeCache *cache, const ModesKeys *keys, PetscBool joints)
{
  PetscFunctionBegin;
  ReportSay("\nmodes%s%s: natural frequencies, and effective mass in %% of the mass that moves in each direction\n  mode", keys->name ? " " : "",
            keys->name ? keys->name : "");
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++)
    if (keys->shown[state]) ReportSay("  %8s rad/s %12s", joints ? joint_state_names[state] : "", "Hz");
  if (keys->pairs.mac) ReportSay("  %5s %9s %6s", "pair", "change %", "MAC");
  for (PetscInt d = 0; d < NUM_DIRECTIONS; d++)
    if (cache->system->base[d]) ReportSay("  %5s", direction_names[d]);
  ReportSay("\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PrintRigid(const ModeCache *cache, const ModesKeys *keys, PetscBool joints)
{
  PetscFunctionBegin;
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) {
    PetscInt num_rigid;

    if (!keys->shown[state]) continue;
    num_rigid = Lowest(cache->modes[state], keys->count).num_rigid;
    if (num_rigid)
      ReportSay("  %" PetscInt_FMT " of them move without strain%s%s\n", num_rigid, joints ? " while the joints are " : "",
                joints ? joint_state_names[state] : "");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Modes of equal frequency have shapes, and effective masses, that are a choice; their sums are not, where all of them are here. */
static void PrintEqual(const ModeCache *cache, const ModesKeys *keys, JointState state)
{
  Modes    modes;
  PetscInt num_groups = 0, end, cut = 0;

  if (!keys->shown[state]) return;
  modes = Lowest(cache->modes[state], keys->count);
  for (PetscInt k = 0; k < modes.count; k = end) {
    end = ModesGroupEnd(&modes, k);
    cut = end == modes.count ? modes.num_cut : 0;
    if (modes.eigenvalue[k] == 0.0 || end - k + cut == 1) continue;
    if (num_groups++ == 0) ReportSay("  equal frequencies while the joints are %s: modes ", joint_state_names[state]);
    else ReportSay(", ");
    ReportSay("%" PetscInt_FMT " to %" PetscInt_FMT, k + 1, end + cut);
  }
  if (num_groups)
    ReportSay(
      "\n    of these any mixture is as good as the shapes here: what one of them moves (effective mass, participation) is not determined, the sum "
      "over a group is\n");
  if (num_groups && cut) ReportSay("    the last group is cut: ask for %" PetscInt_FMT " modes to have all of it\n", modes.count + cut);
}

static void PrintPairing(const ModePairs *pairs)
{
  PetscInt alone = 0;

  if (!pairs->mac) return;
  ReportSay("  pair: the slipping mode of the same shape, by the mass-weighted MAC; change: of its frequency against the stuck one\n");
  for (PetscInt i = 0; i < pairs->num_stuck; i++) alone += pairs->pair[i] < 0;
  if (alone)
    ReportSay("  %" PetscInt_FMT " stuck mode%s like no slipping mode that was found (MAC of 0.5 or less)\n", alone, alone == 1 ? " is" : "s are");
}

/* Joints that change no frequency: they carry little, or something beside them holds their two sides together. */
static void RemarkOnIdleJoints(const Names *names, const ModePairs *pairs)
{
  const PetscReal notable = 1e-3;
  PetscReal       most    = -1.0;

  if (!names->num_nonlinear && !names->num_contacts) return;
  for (PetscInt i = 0; pairs->mac && i < pairs->num_stuck; i++) {
    if (pairs->pair[i] < 0) return;
    if (!PetscIsNanReal(pairs->change[i])) most = PetscMax(most, PetscAbsReal(pairs->change[i]));
  }
  if (most <= 0.0 || most >= notable) return; /* where nothing changes at all, joints have no slip */
  ReportSay(
    "  no frequency changes by more than %.2g %% as the joints slip: they carry little in these modes, or their two sides are held together by "
    "something else, such as nodes of the mesh that both have\n",
    100.0 * most);
}

static PetscErrorCode Print(Study *study, ModeCache *cache, Result *result, PetscBool resumed, Outcome *outcome)
{
  ModesKeys       *keys  = study->data;
  const JointState shown = keys->wanted[JOINT_STUCK] ? JOINT_STUCK : JOINT_SLIPPING;
  Modes            modes;
  PetscReal       *participation;

  PetscFunctionBegin;
  cache = CacheOf(keys, cache);
  modes = Lowest(cache->modes[shown], keys->count);
  PetscCall(PrintHeading(cache, keys, HasJoints(study->names)));
  PetscCall(PetscMalloc1(modes.count * NUM_DIRECTIONS, &participation));
  PetscCall(ModesParticipation(cache->system, &modes, participation));
  for (PetscInt k = 0; k < modes.count; k++) PetscCall(PrintMode(cache, keys, k, participation));
  for (PetscInt k = modes.count; k < MostShown(cache, keys); k++) PetscCall(PrintMode(cache, keys, k, NULL));
  PetscCall(PetscFree(participation));
  PetscCall(PrintRigid(cache, keys, HasJoints(study->names)));
  for (JointState state = JOINT_STUCK; state <= JOINT_SLIPPING; state++) PrintEqual(cache, keys, state);
  PrintPairing(&keys->pairs);
  RemarkOnIdleJoints(study->names, &keys->pairs);
  PetscCall(ModeFieldsWrite(cache, keys->name, keys->count, keys->wanted, keys->stresses, keys->stress_points, ResultPath(result)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The lowest modes of the study, with the state of a table of it. */
static PetscErrorCode GetModes(ModesKeys *keys, ModeCache *cache, JointState state, Modes *modes)
{
  const Modes *known;

  PetscFunctionBegin;
  PetscCall(ModeCacheGet(cache, state, keys->count, &known));
  *modes = Lowest(known, keys->count);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Follow(Study *study, ModeCache *cache, const StudyTwin *origin, const Finding *finding, PetscInt number, PetscInt *found,
                             size_t size, char reason[])
{
  ModesKeys *const keys = study->data, *const theirs = origin->study->data;
  const JointState    state       = finding == keys->findings[JOINT_STUCK] ? JOINT_STUCK : JOINT_SLIPPING;
  ModeLikeness *const likeness    = &keys->likeness[state];
  ModeCache *const    their_cache = CacheOf(theirs, origin->cache);
  Modes               here, there;

  PetscFunctionBegin;
  cache = CacheOf(keys, cache);
  if (!likeness->likeness) {
    PetscCall(GetModes(keys, cache, state, &here));
    PetscCall(GetModes(theirs, their_cache, state, &there));
    PetscCall(ModeLikenessFind(cache, &here, their_cache, &there, origin->same_unknowns, likeness));
  }
  *found = ModeLikenessFollow(likeness, number, size, reason);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Estimate(Study *study, ModeCache *cache, const StudyTwin *twin, const Finding *finding, const char *key, PetscReal values[])
{
  ModesKeys *const keys  = study->data;
  const JointState state = finding == keys->findings[JOINT_STUCK] ? JOINT_STUCK : JOINT_SLIPPING;
  Modes            modes;

  PetscFunctionBegin;
  cache = CacheOf(keys, cache);
  PetscCall(GetModes(keys, cache, state, &modes));
  PetscCall(ModeEstimate(cache, &modes, CacheOf(twin->study->data, twin->cache), key, &keys->all[state], values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const StudyKind study_modes = {
  .name     = "modes",
  .summary  = "natural frequencies and mode shapes; those of a mesh also in RESULT.hdf, for ParaView",
  .tables   = tables,
  .outputs  = modes_outputs,
  .twice    = "two studies of modes are named",
  .read     = Read,
  .group    = StudyOwnGroup,
  .describe = Describe,
  .prepare  = Prepare,
  .run      = Print,
  .destroy  = Destroy,

  .followed  = "modes",
  .follow    = Follow,
  .estimates = ModeEstimates,
  .estimate  = Estimate,
};
