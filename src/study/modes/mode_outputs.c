/* mode_outputs.c - what the result holds of modes: known before it is laid out. */
#include "mode_outputs.h"
#include "mode_reactions.h"

enum { OMEGA, FREQUENCY, PARTICIPATION, EFFECTIVE_MASS, SHAPE, EQUAL, MAC, PAIR, PAIR_MAC, CHANGE };

// clang-format off
static const OutputField fields[] = {
  [OMEGA]          = {"omega", RESULT_REAL, {"modes"}, "rad/s", "natural frequencies, ascending; 0 for rigid and unstable modes"},
  [FREQUENCY]      = {"frequency", RESULT_REAL, {"modes"}, "Hz", "natural frequencies, omega / 2 pi"},
  [PARTICIPATION]  = {"participation", RESULT_REAL, {"modes", "6"}, "kg^1/2", "phi^T M r for unit motion r of the base in x, y, z, rx, ry, rz; rotations in kg^1/2 m"},
  [EFFECTIVE_MASS] = {"effective_mass", RESULT_REAL, {"modes", "6"}, "kg", "square of the participation; rotations in kg m^2"},
  [SHAPE]          = {"shape", RESULT_REAL, {"motions", "modes"}, "kg^-1/2", "motions of the points in each mode; rotations in rad kg^-1/2 m^-1"},
  [EQUAL]          = {"equal", RESULT_COUNT, {"modes"}, NULL, "how many modes have this frequency, those beyond the last one included; where more than 1, shapes, participation and effective masses are one choice among the mixtures of these modes, and only sums over all of them are determined"},
  [MAC]            = {"mac", RESULT_REAL, {"modes", "slipping modes"}, "1", "of stuck modes: (phi^T M psi)^2 with each slipping mode psi, 1 for the same shape; among modes of equal frequency for the mixtures that were chosen"},
  [PAIR]           = {"pair", RESULT_COUNT, {"modes"}, NULL, "of stuck modes: number of the slipping mode that resembles it, from 1; 0 where none has a MAC above 0.5"},
  [PAIR_MAC]       = {"pair_mac", RESULT_REAL, {"modes"}, "1", "of stuck modes: MAC of the pair, modes of equal frequency taken together; NaN without a pair"},
  [CHANGE]         = {"change", RESULT_REAL, {"modes"}, "1", "of stuck modes: relative change of the frequency to that of its pair; NaN without a pair, and of rigid modes"},
  {0}
};

static const OutputField facts[] = {
  {"rigid", RESULT_COUNT, {0}, NULL, "number of rigid modes"},
  {"shape_rows", RESULT_TEXT, {0}, NULL, "names of the rows of `shape`"},
  {"normalisation", RESULT_TEXT, {0}, NULL, "normalisation of the shapes: unit modal mass"},
  {0}
};
// clang-format on

static const OutputTable table           = {"modes/STATE", "modes with all joints stuck or slipping", fields, facts};
static const OutputTable named_table     = {"modes/NAME/STATE", "likewise, of a study with a name", fields, facts};
const OutputTable *const modes_outputs[] = {&table, &named_table, &mode_reaction_table, &named_mode_reaction_table, NULL};

static PetscErrorCode GiveFrequencies(const Modes *modes, Finding *finding)
{
  PetscReal *frequency;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(modes->count, &frequency));
  for (PetscInt k = 0; k < modes->count; k++) frequency[k] = modes->omega[k] / (2.0 * PETSC_PI);
  PetscCall(FindingGive(finding, OMEGA, modes->omega));
  PetscCall(FindingGive(finding, FREQUENCY, frequency));
  PetscCall(PetscFree(frequency));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GiveParticipation(const System *system, const Modes *modes, Finding *finding)
{
  const PetscInt count = modes->count * NUM_DIRECTIONS;
  PetscReal     *participation, *effective;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(count, &participation, count, &effective));
  PetscCall(ModesParticipation(system, modes, participation));
  for (PetscInt i = 0; i < count; i++) effective[i] = PetscSqr(participation[i]);
  PetscCall(FindingGive(finding, PARTICIPATION, participation));
  PetscCall(FindingGive(finding, EFFECTIVE_MASS, effective));
  PetscCall(PetscFree2(participation, effective));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GiveShapes(const System *system, const Modes *modes, Finding *finding)
{
  PetscReal *shape;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)system->names.num_motions * (size_t)modes->count, &shape));
  PetscCall(ModesMotions(system, modes, shape));
  PetscCall(FindingGive(finding, SHAPE, shape));
  PetscCall(PetscFree(shape));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of each mode, rigid ones among them. */
static PetscErrorCode GiveEqual(const Modes *modes, Finding *finding)
{
  PetscInt64 *equal;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(modes->count, &equal));
  for (PetscInt k = 0, end; k < modes->count; k = end) {
    end = ModesGroupEnd(modes, k);
    for (PetscInt i = k; i < end; i++) equal[i] = end - k + (end == modes->count ? modes->num_cut : 0);
  }
  PetscCall(FindingGive(finding, EQUAL, equal));
  PetscCall(PetscFree(equal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GivePairs(const ModePairs *pairs, Finding *finding)
{
  PetscInt64 *pair;

  PetscFunctionBegin;
  if (!pairs) {
    for (PetscInt field = MAC; field <= CHANGE; field++) PetscCall(FindingOmit(finding, field));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc1(pairs->num_stuck, &pair));
  for (PetscInt i = 0; i < pairs->num_stuck; i++) pair[i] = pairs->pair[i] + 1;
  PetscCall(FindingSetSize(finding, "slipping modes", pairs->num_slipping));
  PetscCall(FindingGive(finding, MAC, pairs->mac));
  PetscCall(FindingGive(finding, PAIR, pair));
  PetscCall(FindingGive(finding, PAIR_MAC, pairs->likeness));
  PetscCall(FindingGive(finding, CHANGE, pairs->change));
  PetscCall(PetscFree(pair));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesAdd(const char *name, JointState state, Findings *findings, Finding **finding)
{
  PetscFunctionBegin;
  if (name) PetscCall(FindingsAdd(findings, &named_table, finding, "/modes/%s/%s", name, joint_state_names[state]));
  else PetscCall(FindingsAdd(findings, &table, finding, "/modes/%s", joint_state_names[state]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesOmit(Finding *finding)
{
  PetscFunctionBegin;
  for (PetscInt field = 0; FindingTable(finding)->fields[field].key; field++) PetscCall(FindingOmit(finding, field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ModesGive(const System *system, const Modes *modes, const ModePairs *pairs, Finding *finding)
{
  PetscFunctionBegin;
  PetscCall(FindingSetSize(finding, "modes", modes->count));
  PetscCall(FindingSetSize(finding, "motions", system->names.num_motions));
  PetscCall(GiveFrequencies(modes, finding));
  PetscCall(GiveParticipation(system, modes, finding));
  PetscCall(GiveShapes(system, modes, finding));
  PetscCall(GiveEqual(modes, finding));
  PetscCall(GivePairs(pairs, finding));
  PetscCall(FindingSayCount(finding, "rigid", modes->num_rigid));
  PetscCall(FindingSayText(finding, "shape_rows", "motions of the points, named in /system/motions"));
  PetscCall(FindingSayText(finding, "normalisation", "unit modal mass, component of largest magnitude positive"));
  PetscFunctionReturn(PETSC_SUCCESS);
}
