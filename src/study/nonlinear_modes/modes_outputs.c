/* modes_outputs.c - what nonlinear modes leave in the result: /nonlinear_modes/NAME, and a group for each mode. */
#include "modes_outputs.h"

// clang-format off
static const OutputField study_facts[] = {
  {"method", RESULT_TEXT, {0}, NULL, "epmc or quasi_static"},
  {"accuracy", RESULT_REAL, {0}, NULL, "of epmc: relative error that is asked for; 0: `harmonics` are given"},
  {"point", RESULT_TEXT, {0}, NULL, "motion that the range is of, as `tip y`; empty: the coordinate of the mode"},
  {0}
};

static const OutputField fields[] = {
  [MODES_AMPLITUDE]    = {"amplitude", RESULT_REAL, {"points"}, "m kg^1/2", "a: the first harmonic of the coordinate of the mode is a cos(omega t); in the order of the curve, NaN behind its last point"},
  [MODES_OMEGA]        = {"omega", RESULT_REAL, {"points"}, "rad/s", "frequency"},
  [MODES_ZETA]         = {"zeta", RESULT_REAL, {"points"}, NULL, "damping ratio"},
  [MODES_DISPLACEMENT] = {"displacement", RESULT_REAL, {"points"}, "m", "amplitude of the first harmonic of the point of the range"},
  [MODES_TRUSTED]      = {"trusted", RESULT_COUNT, {"points"}, NULL, "1 where the estimated error is 0.02 at most, or there is no estimate"},
  [MODES_ERROR]        = {"error", RESULT_REAL, {"points"}, NULL, "of epmc: estimated relative error of frequency, damping and motions of joints by harmonics and samples, the largest"},
  [MODES_GAP]          = {"gap", RESULT_REAL, {"points"}, NULL, "of epmc: by how much loops of laws with memory fail to close, relative to their force"},
  [MODES_HARMONICS]    = {"harmonics", RESULT_COUNT, {"points"}, NULL, "of epmc: highest harmonic used"},
  [MODES_SAMPLES]      = {"samples", RESULT_COUNT, {"points"}, NULL, "of epmc: samples of a period used"},
  [MODES_ITERATIONS]   = {"iterations", RESULT_COUNT, {"points"}, NULL, "iterations of Newton's method of the last correction"},
  [MODES_MEAN]         = {"mean", RESULT_REAL, {"points", "motions"}, "m", "mean of each motion"},
  [MODES_COSINE]       = {"cosine", RESULT_REAL, {"points", "motions", "kept"}, "m", "C_k of each motion, C_k cos(k omega t) + S_k sin(k omega t), k from 1; of quasi_static where the mode turns; 0 of harmonics that are not used"},
  [MODES_SINE]         = {"sine", RESULT_REAL, {"points", "motions", "kept"}, "m", "S_k likewise"},
  [MODES_COORDINATE_COSINE] = {"coordinate_cosine", RESULT_REAL, {"points", "modes"}, "m kg^1/2", "C_1 of the coordinates of all modes with joints stuck, from which all that moves follows: what a one-mode response projects loads on"},
  [MODES_COORDINATE_SINE]   = {"coordinate_sine", RESULT_REAL, {"points", "modes"}, "m kg^1/2", "S_1 likewise"},
  [MODES_REMAINDER_COSINE]  = {"remainder_cosine", RESULT_REAL, {"points", "rows"}, "N", "C_1 of the forces of nonlinear joints less those of their stuck stiffness, which modes that were left out follow"},
  [MODES_REMAINDER_SINE]    = {"remainder_sine", RESULT_REAL, {"points", "rows"}, "N", "S_1 likewise"},
  [MODES_MOVED_MASS]    = {"moved_mass", RESULT_REAL, {"points"}, NULL, "sum of k^2 |q_k|^2 / a^2 over all harmonics and modes: 2 zeta omega^2 times it is the damping of the motion as a whole"},
  [MODES_MOVED_DAMPING] = {"moved_damping", RESULT_REAL, {"points"}, "1/s", "the same of the modal damping c_j: sum of c_j k^2 |q_jk|^2 / a^2"},
  [MODES_RESONANCE_HARMONIC]  = {"resonance_harmonic", RESULT_COUNT, {"resonances"}, NULL, "k: internal resonances, where k times the frequency meets that of another mode; 0 behind the last"},
  [MODES_RESONANCE_MODE]      = {"resonance_mode", RESULT_COUNT, {"resonances"}, NULL, "the other mode, with joints stuck, from 1"},
  [MODES_RESONANCE_AMPLITUDE] = {"resonance_amplitude", RESULT_REAL, {"resonances"}, "m kg^1/2", "amplitude there"},
  [MODES_RESONANCE_APART]     = {"resonance_apart", RESULT_REAL, {"resonances"}, NULL, "relative distance of both frequencies there, 0 where they cross"},
  [MODES_RESONANCE_TURNS]     = {"resonance_turns", RESULT_COUNT, {"resonances"}, NULL, "1 where the curve turns back in amplitude there"},
  [MODES_LEFT_OUT_HARMONIC]  = {"left_out_harmonic", RESULT_COUNT, {"resonances"}, NULL, "k: harmonics that the curve does not have, up to four times its highest one, where k times the frequency meets that of another mode; 0 behind the last"},
  [MODES_LEFT_OUT_MODE]      = {"left_out_mode", RESULT_COUNT, {"resonances"}, NULL, "the other mode, with joints stuck, from 1"},
  [MODES_LEFT_OUT_AMPLITUDE] = {"left_out_amplitude", RESULT_REAL, {"resonances"}, "m kg^1/2", "amplitude there"},
  [MODES_COUNT]        = {"count", RESULT_COUNT, {"1"}, NULL, "number of points"},
  [MODES_FINISHED]     = {"finished", RESULT_COUNT, {"1"}, NULL, "1 when the curve is done, however it ended"},
  [MODES_END]          = {"end", RESULT_TEXT, {"1"}, NULL, "how it ended; empty until then"},
  [MODES_SECONDS]      = {"seconds", RESULT_REAL, {"1"}, "s", "computing time"},
  {0}
};

static const OutputField facts[] = {
  {"mode", RESULT_COUNT, {0}, NULL, "number of the mode with joints stuck, from 1"},
  {"linear_omega", RESULT_REAL, {0}, "rad/s", "frequency while all joints stick"},
  {"linear_zeta", RESULT_REAL, {0}, NULL, "damping ratio while all joints stick"},
  {0}
};
// clang-format on

const InternalResonanceFields modes_met = {
  MODES_RESONANCE_HARMONIC, MODES_RESONANCE_MODE, {MODES_RESONANCE_AMPLITUDE, -1}, MODES_RESONANCE_APART, MODES_RESONANCE_TURNS};
const InternalResonanceFields modes_left_out = {MODES_LEFT_OUT_HARMONIC, MODES_LEFT_OUT_MODE, {MODES_LEFT_OUT_AMPLITUDE, -1}, -1, -1};

static const OutputTable study_table = {"nonlinear_modes/NAME", "nonlinear modes: motions and settings", watched_fields, study_facts};
static const OutputTable mode_table  = {"nonlinear_modes/NAME/MODE", "a nonlinear mode: frequency, damping and shape along its curve; MODE is mode7",
                                        fields, facts};

const OutputTable *const nonlinear_modes_outputs[] = {&study_table, &mode_table, &expansion_of_modes_output, NULL};

static PetscErrorCode DeclareCurve(const char *name, const Names *names, const NonlinearModes *study, Findings *findings, ModeCurve *curve)
{
  static const PetscInt of_motions[] = {MODES_MEAN, MODES_COSINE, MODES_SINE};
  static const PetscInt of_periods[] = {MODES_ERROR, MODES_GAP, MODES_HARMONICS, MODES_SAMPLES};
  const PetscBool       periodic     = (PetscBool)(study->keys.method == METHOD_EPMC);

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &mode_table, &curve->finding, "/nonlinear_modes/%s/%s", name, curve->name));
  PetscCall(ExpansionDeclare(&study->expansion, names, &study->watched, study->keys.harmonics ? study->keys.harmonics : study->keys.most_harmonics,
                             findings, FindingPath(curve->finding), &curve->expansion));
  PetscCall(FindingSetSize(curve->finding, "points", periodic ? study->keys.max_points : study->keys.points));
  PetscCall(FindingSetSize(curve->finding, "motions", study->watched.count));
  PetscCall(FindingSetSize(curve->finding, "kept", study->num_kept));
  PetscCall(FindingSetSize(curve->finding, "rows", names->num_nonlinear));
  PetscCall(FindingSetSize(curve->finding, "resonances", MOST_INTERNAL_RESONANCES));
  PetscCall(WatchedSetUnits(&study->watched, PETSC_STATIC_ARRAY_LENGTH(of_motions), of_motions, curve->finding));
  PetscCall(FindingSayCount(curve->finding, "mode", curve->mode + 1));
  if (study->range_motion < 0) PetscCall(FindingOmit(curve->finding, MODES_DISPLACEMENT));
  for (PetscInt f = 0; f < 3 && study->watched.count == 0; f++) PetscCall(FindingOmit(curve->finding, of_motions[f]));
  for (PetscInt f = MODES_RESONANCE_HARMONIC; f <= MODES_LEFT_OUT_AMPLITUDE && !periodic; f++) PetscCall(FindingOmit(curve->finding, f));
  for (size_t f = 0; f < PETSC_STATIC_ARRAY_LENGTH(of_periods) && !periodic; f++) PetscCall(FindingOmit(curve->finding, of_periods[f]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NonlinearModesDeclare(const char *name, const Names *names, Findings *findings, NonlinearModes *study)
{
  const NonlinearModesKeys *keys = &study->keys;

  PetscFunctionBegin;
  PetscCall(FindingsAdd(findings, &study_table, &study->finding, "/nonlinear_modes/%s", name));
  if (study->watched.count) PetscCall(WatchedGive(&study->watched, study->finding));
  else
    for (PetscInt f = 0; f < NUM_WATCHED_FIELDS; f++) PetscCall(FindingOmit(study->finding, f));
  PetscCall(FindingSayText(study->finding, "method", nonlinear_modes_methods[keys->method]));
  if (keys->method == METHOD_EPMC) PetscCall(FindingSayReal(study->finding, "accuracy", keys->harmonics ? 0.0 : keys->accuracy));
  PetscCall(FindingSayText(study->finding, "point", study->range_watched >= 0 ? study->watched.motions[study->range_watched].name : ""));
  for (PetscInt i = 0; i < study->num_curves; i++) PetscCall(DeclareCurve(name, names, study, findings, &study->curves[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
