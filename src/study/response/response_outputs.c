/* response_outputs.c - what responses leave in the result: /response/NAME, and a group for each of its curves. */
#include "response.h"

// clang-format off
static const OutputField study_facts[] = {
  {"chief", RESULT_TEXT, {0}, NULL, "reference motion of the printed table: the loaded one, or that which moves most under the loads"},
  {"method", RESULT_TEXT, {0}, NULL, "integration method, newmark or runge_kutta"},
  {"tolerance", RESULT_REAL, {0}, NULL, "largest estimated distance from the steady motion, relative to the amplitude"},
  {"window", RESULT_COUNT, {0}, NULL, "length of each of the two comparison windows [cycles]"},
  {"min_cycles", RESULT_COUNT, {0}, NULL, "least number of cycles at each frequency"},
  {"max_cycles", RESULT_COUNT, {0}, NULL, "largest number of cycles at each frequency"},
  {"steps_per_period", RESULT_COUNT, {0}, NULL, "number of time steps in a period of the load"},
  {"balance", RESULT_REAL, {0}, NULL, "accepted imbalance of a joint's force, relative to its force (newmark)"},
  {"load_phase", RESULT_REAL, {0}, "rad", "phase of the first load"},
  {"load_amplitude", RESULT_REAL, {0}, NULL, "amplitude of the first load, at level 1, in its `load_unit`"},
  {"load_unit", RESULT_TEXT, {0}, NULL, "N or N m at a point, m/s^2 or rad/s^2 of a base, what is given of a support, N kg^-1/2 on a shape; 1 on a pattern, of which a pressure has Pa"},
  {0}
};

static const OutputField curve_fields[] = {
  [RESPONSE_FREQUENCY]       = {"frequency", RESULT_REAL, {"frequencies"}, "Hz", "frequencies of the case in ascending order, then those of the refinement (unsorted); NaN where none was computed"},
  [RESPONSE_AMPLITUDE]       = {"amplitude", RESULT_REAL, {"frequencies", "motions"}, "m", "half from the lowest to the highest value of the last cycle (half peak to peak), all harmonics together; that of the first harmonic alone is in `harmonics`; NaN where the joints found no equilibrium"},
  [RESPONSE_PHASE]           = {"phase", RESULT_REAL, {"frequencies", "motions"}, "rad", "phase of the first harmonic: a sin(Omega t + phase) under a load sin(Omega t)"},
  [RESPONSE_MEAN]            = {"mean", RESULT_REAL, {"frequencies", "motions"}, "m", "mean over the last cycle"},
  [RESPONSE_RMS]             = {"rms", RESULT_REAL, {"frequencies", "motions"}, "m", "root mean square of the last cycle, without its mean"},
  [RESPONSE_HARMONICS]       = {"harmonics", RESULT_REAL, {"frequencies", "motions", "harmonics"}, "m", "amplitudes of the harmonics, a sin(h Omega t + phase); the first of them is what frequency response functions have"},
  [RESPONSE_HARMONIC_PHASES] = {"harmonic_phases", RESULT_REAL, {"frequencies", "motions", "harmonics"}, "rad", "phases of the harmonics, likewise"},
  [RESPONSE_STEADY]          = {"steady", RESULT_COUNT, {"frequencies"}, NULL, "1 where the motion became steady, otherwise 0"},
  [RESPONSE_CHANGE]          = {"change", RESULT_REAL, {"frequencies"}, NULL, "change of the motion over a window, relative to the amplitude"},
  [RESPONSE_AWAY]            = {"away", RESULT_REAL, {"frequencies"}, NULL, "estimated distance from the steady motion, relative to the amplitude"},
  [RESPONSE_HALVED]          = {"halved", RESULT_COUNT, {"frequencies"}, NULL, "time steps that were divided"},
  [RESPONSE_HELD]            = {"held", RESULT_COUNT, {"frequencies"}, NULL, "time steps for which the friction of faces had to be held before Newton found their balance"},
  [RESPONSE_STEPS]           = {"steps", RESULT_COUNT, {"frequencies"}, NULL, "time steps taken"},
  [RESPONSE_SECONDS]         = {"seconds", RESULT_REAL, {"frequencies"}, "s", "computing time"},
  [RESPONSE_CYCLES]          = {"cycles", RESULT_COUNT, {"frequencies"}, NULL, "number of cycles computed"},
  [RESPONSE_REASON]          = {"reason", RESULT_TEXT, {"frequencies"}, NULL, "how the frequency ended; empty until then"},
  [RESPONSE_FINISHED]        = {"finished", RESULT_COUNT, {"1"}, NULL, "1 when the curve is complete, otherwise 0"},
  {0}
};

static const OutputField curve_facts[] = {
  {"level", RESULT_REAL, {0}, NULL, "factor of the loads"},
  {"direction", RESULT_TEXT, {0}, NULL, "up, down, or rest (each frequency starts from rest)"},
  {0}
};
// clang-format on

const OutputTable response_study_output = {"response/NAME", "frequency responses: motions and settings", watched_fields, study_facts};
const OutputTable response_curve_output = {
  "response/NAME/CURVE", "a curve of one direction and level, as `up_1`: the steady motion at each frequency", curve_fields, curve_facts};

static PetscErrorCode SayFacts(const Names *names, Response *response)
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
  PetscCall(FindingSayReal(finding, "load_phase", response->loads[0].signal.phase));
  PetscCall(FindingSayReal(finding, "load_amplitude", response->loads[0].amplitude));
  PetscCall(FindingSayText(finding, "load_unit", LoadUnit(&response->loads[0], names)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What has a number for each motion. */
static const PetscInt by_motion[] = {RESPONSE_AMPLITUDE, RESPONSE_MEAN, RESPONSE_RMS, RESPONSE_HARMONICS};

static PetscErrorCode DeclareCurve(const char *name, const Response *response, Findings *findings, ResponseCurve *curve)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &response_curve_output, &curve->finding, "/response/%s/%s", name, curve->name));
  PetscCall(FindingSetSize(curve->finding, "frequencies", response->num_base + response->keys.refine));
  PetscCall(FindingSetSize(curve->finding, "motions", response->watched.count));
  PetscCall(FindingSetSize(curve->finding, "harmonics", response->keys.harmonics));
  PetscCall(WatchedSetUnits(&response->watched, PETSC_STATIC_ARRAY_LENGTH(by_motion), by_motion, curve->finding));
  PetscCall(FindingSayReal(curve->finding, "level", curve->level));
  PetscCall(FindingSayText(curve->finding, "direction", response_directions[curve->direction]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResponseDeclare(const char *name, const Names *names, Findings *findings, Response *response)
{
  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &response_study_output, &response->finding, "/response/%s", name));
  PetscCall(WatchedGive(&response->watched, response->finding));
  PetscCall(SayFacts(names, response));
  for (PetscInt c = 0; c < response->num_curves; c++) PetscCall(DeclareCurve(name, response, findings, &response->curves[c]));
  PetscCall(ResponseDeclareMeasured(name, findings, response));
  PetscFunctionReturn(PETSC_SUCCESS);
}
