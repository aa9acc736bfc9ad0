/* response_outputs.c - what responses leave in the result: /response/NAME, and a group for each of its curves. */
#include "response.h"

enum { MOTIONS, UNITS };

// clang-format off
static const OutputField study_fields[] = {
  [MOTIONS] = {"motions", RESULT_TEXT, {"motions"}, NULL, "names of what was watched: `m2 y`, `joint pad y`"},
  [UNITS]   = {"units", RESULT_TEXT, {"motions"}, NULL, "unit of each motion, m or rad"},
  {0}
};

static const OutputField study_facts[] = {
  {"chief", RESULT_TEXT, {0}, NULL, "the motion of which the program tells: the one that is pushed, or moves most under the loads"},
  {"method", RESULT_TEXT, {0}, NULL, "of the time steps: newmark or runge_kutta"},
  {"tolerance", RESULT_REAL, {0}, NULL, "a motion is steady when it is this near to where it settles, relative to its amplitude"},
  {"window", RESULT_COUNT, {0}, NULL, "length of each of the two comparison windows [cycles]"},
  {"min_cycles", RESULT_COUNT, {0}, NULL, "fewest cycles at each frequency"},
  {"max_cycles", RESULT_COUNT, {0}, NULL, "cycles after which a frequency was left as not steady"},
  {"steps_per_period", RESULT_COUNT, {0}, NULL, "time steps in a period of the load"},
  {"balance", RESULT_REAL, {0}, NULL, "imbalance of a joint's force that was accepted, relative to its force; of newmark"},
  {"load_amplitude", RESULT_REAL, {0}, "N", "of the first load, at level 1; m/s^2 of a base, 1 of gravity, Pa of a pressure"},
  {0}
};

static const OutputField curve_fields[] = {
  [RESPONSE_FREQUENCY]       = {"frequency", RESULT_REAL, {"frequencies"}, "Hz", "those of the case, ascending, then those that refined it: sort by it; NaN where none was computed"},
  [RESPONSE_AMPLITUDE]       = {"amplitude", RESULT_REAL, {"frequencies", "motions"}, "m", "of the last cycle: half from peak to peak; NaN where the joints found no balance"},
  [RESPONSE_PHASE]           = {"phase", RESULT_REAL, {"frequencies", "motions"}, "rad", "of the first harmonic: a sin(Omega t + phase) under a load sin(Omega t)"},
  [RESPONSE_MEAN]            = {"mean", RESULT_REAL, {"frequencies", "motions"}, "m", "mean of the last cycle"},
  [RESPONSE_RMS]             = {"rms", RESULT_REAL, {"frequencies", "motions"}, "m", "root mean square of the last cycle without its mean"},
  [RESPONSE_HARMONICS]       = {"harmonics", RESULT_REAL, {"frequencies", "motions", "harmonics"}, "m", "amplitudes a of the harmonics, a sin(h Omega t + phase)"},
  [RESPONSE_HARMONIC_PHASES] = {"harmonic_phases", RESULT_REAL, {"frequencies", "motions", "harmonics"}, "rad", "phases of the harmonics"},
  [RESPONSE_STEADY]          = {"steady", RESULT_COUNT, {"frequencies"}, NULL, "1 where the motion was steady"},
  [RESPONSE_CHANGE]          = {"change", RESULT_REAL, {"frequencies"}, NULL, "how much the motion still changed, relative to its amplitude"},
  [RESPONSE_AWAY]            = {"away", RESULT_REAL, {"frequencies"}, NULL, "how far the motion still was from where it settles, relative to its amplitude"},
  [RESPONSE_HALVED]          = {"halved", RESULT_COUNT, {"frequencies"}, NULL, "time steps that had to be divided"},
  [RESPONSE_STEPS]           = {"steps", RESULT_COUNT, {"frequencies"}, NULL, "time steps taken"},
  [RESPONSE_SECONDS]         = {"seconds", RESULT_REAL, {"frequencies"}, "s", "of computing"},
  [RESPONSE_CYCLES]          = {"cycles", RESULT_COUNT, {"frequencies"}, NULL, "cycles taken"},
  [RESPONSE_REASON]          = {"reason", RESULT_TEXT, {"frequencies"}, NULL, "why the frequency ended; empty until it has"},
  [RESPONSE_FINISHED]        = {"finished", RESULT_COUNT, {"1"}, NULL, "1 when the curve is complete"},
  {0}
};

static const OutputField curve_facts[] = {
  {"level", RESULT_REAL, {0}, NULL, "multiplies the loads"},
  {"direction", RESULT_TEXT, {0}, NULL, "up, down, or rest: each frequency begins at rest"},
  {0}
};
// clang-format on

static const OutputTable study_table = {"response/NAME", "the motions of frequency responses, and what steady means", study_fields, study_facts};
static const OutputTable curve_table = {"response/NAME/CURVE", "one direction and level, `up_1`: the steady motion at each frequency", curve_fields,
                                        curve_facts};

const OutputTable *const response_outputs[] = {&study_table, &curve_table, NULL};

static PetscErrorCode GiveMotions(Response *response)
{
  const char **names, **units;

  PetscFunctionBegin;
  PetscCall(PetscMalloc2(response->num_motions, &names, response->num_motions, &units));
  for (PetscInt i = 0; i < response->num_motions; i++) {
    names[i] = response->motions[i].name;
    units[i] = response->motions[i].turns ? "rad" : "m";
  }
  PetscCall(FindingSetSize(response->finding, "motions", response->num_motions));
  PetscCall(FindingGiveTexts(response->finding, MOTIONS, response->num_motions, names));
  PetscCall(FindingGiveTexts(response->finding, UNITS, response->num_motions, units));
  PetscCall(PetscFree2(names, units));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SayFacts(Response *response)
{
  const ResponseKeys *keys    = &response->keys;
  Finding            *finding = response->finding;

  PetscFunctionBegin;
  PetscCall(FindingSayText(finding, "method", step_method_names[keys->method]));
  PetscCall(FindingSayReal(finding, "tolerance", keys->tolerance));
  PetscCall(FindingSayCount(finding, "window", keys->window));
  PetscCall(FindingSayCount(finding, "min_cycles", keys->min_cycles));
  PetscCall(FindingSayCount(finding, "max_cycles", keys->max_cycles));
  PetscCall(FindingSayCount(finding, "steps_per_period", keys->steps));
  if (keys->method == METHOD_NEWMARK) PetscCall(FindingSayReal(finding, "balance", keys->balance));
  PetscCall(FindingSayReal(finding, "load_amplitude", response->loads[0].amplitude));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The unit of what has a number for each motion. */
static PetscErrorCode SetUnits(const Response *response, Finding *finding)
{
  static const PetscInt fields[]  = {RESPONSE_AMPLITUDE, RESPONSE_MEAN, RESPONSE_RMS, RESPONSE_HARMONICS};
  PetscInt              num_turns = 0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < response->num_motions; i++) num_turns += response->motions[i].turns;
  for (size_t f = 0; f < PETSC_STATIC_ARRAY_LENGTH(fields) && num_turns; f++)
    PetscCall(FindingSetUnit(finding, fields[f], num_turns < response->num_motions ? "m, rad" : "rad"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DeclareCurve(const char *name, const Response *response, Findings *findings, ResponseCurve *curve)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &curve_table, &curve->finding, "/response/%s/%s", name, curve->name));
  PetscCall(FindingSetSize(curve->finding, "frequencies", response->num_base + response->keys.refine));
  PetscCall(FindingSetSize(curve->finding, "motions", response->num_motions));
  PetscCall(FindingSetSize(curve->finding, "harmonics", response->keys.harmonics));
  PetscCall(SetUnits(response, curve->finding));
  PetscCall(FindingSayReal(curve->finding, "level", curve->level));
  PetscCall(FindingSayText(curve->finding, "direction", response_directions[curve->direction]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseDeclare(const char *name, Findings *findings, Response *response)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &study_table, &response->finding, "/response/%s", name));
  PetscCall(GiveMotions(response));
  PetscCall(SayFacts(response));
  for (PetscInt c = 0; c < response->num_curves; c++) PetscCall(DeclareCurve(name, response, findings, &response->curves[c]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
