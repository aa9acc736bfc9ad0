/* expansion.c - points of curves of periodic motions whose motion of the whole mesh is wanted: chosen by the case, kept in the result. */
#include "study/expansion.h"
#include "study/stresses.h"

enum { MOST_PASSES = 3, MOST_PEAKS = 8 }; /* of a value, as a curve with two folds does; of a curve */

#define OF(member) offsetof(ExpansionKeys, member)

#define SAMPLES_FIELD \
  { \
    .key = "samples", .kind = INPUT_COUNT, .offset = OF(samples), .fallback = 32, .least = 4, .most = 4096, \
    .help = "times of the period that are written, evenly from its start" \
  }
#define PERIOD_STRESSES_FIELD STRESSES_FIELD(OF(stresses), "those of the motion about the state that it is about")

// clang-format off
static const InputField curve_fields[] = {
  {.key = "frequencies", .kind = INPUT_REALS, .offset = OF(frequencies), .above = PETSC_TRUE, .most = PETSC_INFINITY, .unit = "Hz",
   .help = "of curves over the frequency: at these, each time that a curve passes one"},
  {.key = "levels", .kind = INPUT_REALS, .offset = OF(levels), .above = PETSC_TRUE, .most = PETSC_INFINITY, .help = "of curves over the level: likewise"},
  {.key = "peaks", .kind = INPUT_TRUTH, .offset = OF(peaks), .fallback = 0, .help = "at the peaks of the first harmonic of the reference motion"},
  SAMPLES_FIELD,
  PERIOD_STRESSES_FIELD,
  STRESS_POINTS_FIELD(OF(stress_points)),
  {.key = NULL}
};

static const InputField mode_fields[] = {
  {.key = "amplitudes", .kind = INPUT_REALS, .offset = OF(amplitudes), .fallback = INPUT_REQUIRED, .above = PETSC_TRUE, .most = PETSC_INFINITY,
   .help = "amplitudes, of what `from` and `to` are of: each time that a curve passes one"},
  SAMPLES_FIELD,
  PERIOD_STRESSES_FIELD,
  STRESS_POINTS_FIELD(OF(stress_points)),
  {.key = NULL}
};

static const OutputField fields[] = {
  [EXPANSION_KIND]           = {"kind", RESULT_TEXT, {"snapshots"}, NULL, "why a point is kept: `frequency`, `level`, `amplitude`, `peak`; empty behind the last"},
  [EXPANSION_FREQUENCY]      = {"frequency", RESULT_REAL, {"snapshots"}, "Hz", "frequency of each"},
  [EXPANSION_LEVEL]          = {"level", RESULT_REAL, {"snapshots"}, NULL, "of a response: factor of the loads"},
  [EXPANSION_AMPLITUDE]      = {"amplitude", RESULT_REAL, {"snapshots"}, "m kg^1/2", "of a nonlinear mode: amplitude of its coordinate"},
  [EXPANSION_COSINE]         = {"cosine", RESULT_REAL, {"snapshots", "motions", "harmonics"}, "m", "of each motion that is watched: C_k of C_k cos(k omega t) + S_k sin(k omega t), from the mean, k = 0, on"},
  [EXPANSION_SINE]           = {"sine", RESULT_REAL, {"snapshots", "motions", "harmonics"}, "m", "S_k likewise"},
  [EXPANSION_UNKNOWN_COSINE] = {"unknown_cosine", RESULT_REAL, {"snapshots", "harmonics", "unknowns"}, "m", "C_k of the unknowns, from which the motion of the mesh follows"},
  [EXPANSION_UNKNOWN_SINE]   = {"unknown_sine", RESULT_REAL, {"snapshots", "harmonics", "unknowns"}, "m", "S_k likewise"},
  [EXPANSION_SUPPORT_COSINE] = {"support_cosine", RESULT_REAL, {"snapshots", "harmonics", "supports"}, "m", "C_k of the moving supports, which the mesh follows, too"},
  [EXPANSION_SUPPORT_SINE]   = {"support_sine", RESULT_REAL, {"snapshots", "harmonics", "supports"}, "m", "S_k likewise"},
  [EXPANSION_FORCE_COSINE]   = {"force_cosine", RESULT_REAL, {"snapshots", "harmonics", "places"}, "N", "of a mesh on its modes: C_k of the forces on joints, points, patterns, base and bolts, which the modes that were left out follow"},
  [EXPANSION_FORCE_SINE]     = {"force_sine", RESULT_REAL, {"snapshots", "harmonics", "places"}, "N", "S_k likewise"},
  [EXPANSION_MISSED]         = {"missed", RESULT_COUNT, {"1"}, NULL, "points that were chosen beyond those that there is room for"},
  {0}
};
// clang-format on

const InputTable expansion_of_curves_table = {
  "response.fields",
  "points of a curve at which the motion of the mesh over a period is written for ParaView, RESULT_NAME_CURVE_1.xdmf for the first", curve_fields};
const InputTable expansion_of_modes_table = {
  "fields", "amplitudes at which the motion of the mesh over a period is written for ParaView, RESULT_NAME_MODE_1.xdmf for the first", mode_fields};
const OutputTable expansion_of_curves_output = {"response/NAME/CURVE/fields", "periodic motions of all unknowns at chosen points", fields, NULL};
const OutputTable expansion_of_modes_output = {"nonlinear_modes/NAME/MODE/fields", "periodic motions of all unknowns at chosen points", fields, NULL};

static const char *const leading_keys[]  = {"frequencies", "levels", "amplitudes"};
static const char *const leading_kinds[] = {"frequency", "level", "amplitude"};

static PetscErrorCode CheckValues(const InputNode *node, const InputReals *values, PetscReal from, PetscReal to)
{
  const PetscReal low = PetscMin(from, to), high = PetscMax(from, to), roundoff = 1e-9;

  PetscFunctionBegin;
  if (node && InputIsList(node) && InputCount(node) == 0) PetscCall(InputComplain(node, "expected a number or more, found none"));
  for (PetscInt i = 0; i < values->count; i++)
    if (values->values[i] < low * (1.0 - roundoff) || values->values[i] > high * (1.0 + roundoff))
      PetscCall(
        InputComplain(InputIsList(node) ? InputItem(node, i) : node, "must be on the curve, from %g to %g, got %g", low, high, values->values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExpansionRead(const InputNode *node, const Names *names, ExpansionLeading leading, PetscReal from, PetscReal to, ExpansionPlan *plan)
{
  const InputReals *const lists[] = {&plan->keys.frequencies, &plan->keys.levels, &plan->keys.amplitudes};
  const char *const       other[] = {leading_keys[1 - (leading & 1)], NULL};
  const PetscInt          before  = node ? InputNumComplaints(InputDocumentOf(node)) : 0;

  PetscFunctionBegin;
  plan->leading = leading;
  if (!node) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(InputRead(node, leading == EXPANSION_BY_AMPLITUDE ? &expansion_of_modes_table : &expansion_of_curves_table, &plan->keys));
  if (leading != EXPANSION_BY_AMPLITUDE)
    PetscCall(InputRefuseKeys(node, other,
                              leading == EXPANSION_BY_LEVEL ? "belongs to curves over the frequency; this one goes over the level"
                                                            : "belongs to curves over the level; this one goes over the frequency"));
  plan->values = *lists[leading];
  PetscCall(CheckValues(InputFind(node, leading_keys[leading]), &plan->values, from, to));
  if (InputNumComplaints(InputDocumentOf(node)) == before && plan->values.count == 0 && !plan->keys.peaks)
    PetscCall(InputComplain(node, "chooses no point of the curve: give `%s`, or `peaks: yes`", leading_keys[leading]));
  if (names->known && !names->mesh) PetscCall(InputComplain(node, "writes motions of a mesh, and this case has none; `watch` keeps those of points"));
  else if (plan->keys.stresses) PetscCall(StressesCheck(InputFind(node, "stresses"), names));
  PetscCall(StressesCheckPoints(InputFind(node, "stress_points"), plan->keys.stresses));
  plan->most = MOST_PASSES * plan->values.count + (plan->keys.peaks ? MOST_PEAKS : 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExpansionDeclare(const ExpansionPlan *plan, const Names *names, const Watched *watched, PetscInt most, Findings *findings,
                                const char *group, Expansion *expansion)
{
  const PetscBool          of_mode      = (PetscBool)(plan->leading == EXPANSION_BY_AMPLITUDE);
  const OutputTable *const table        = of_mode ? &expansion_of_modes_output : &expansion_of_curves_output;
  static const PetscInt    of_motions[] = {EXPANSION_COSINE, EXPANSION_SINE};
  Finding                 *finding;

  PetscFunctionBegin;
  *expansion = (Expansion){.plan = plan, .watched = watched, .per_value = 1.0};
  if (plan->most == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(FindingsAdd(findings, table, &expansion->finding, "%s/fields", group));
  finding = expansion->finding;
  PetscCall(FindingSetSize(finding, "snapshots", plan->most));
  PetscCall(FindingSetSize(finding, "motions", watched->count));
  PetscCall(FindingSetSize(finding, "harmonics", most + 1));
  PetscCall(FindingSetSize(finding, "unknowns", names->num_unknowns));
  PetscCall(FindingSetSize(finding, "supports", names->num_supports));
  PetscCall(WatchedSetUnits(watched, PETSC_STATIC_ARRAY_LENGTH(of_motions), of_motions, finding));
  PetscCall(FindingOmit(finding, of_mode ? EXPANSION_LEVEL : EXPANSION_AMPLITUDE));
  for (PetscInt f = 0; f < 2 && watched->count == 0; f++) PetscCall(FindingOmit(finding, of_motions[f]));
  for (PetscInt f = 0; f < 2 && names->num_supports == 0; f++) PetscCall(FindingOmit(finding, EXPANSION_SUPPORT_COSINE + f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal Leading(const Expansion *expansion, const HarmonicSetting *at)
{
  const PetscReal of[] = {at->frequency, at->level, at->amplitude};

  return of[expansion->plan->leading];
}

/* One harmonic of a motion, as rows of the result. */
typedef struct {
  PetscReal *cosine, *sine;                 /* [motions, harmonics] */
  PetscReal *unknown_cosine, *unknown_sine; /* [harmonics, unknowns] */
  PetscReal *support_cosine, *support_sine; /* [harmonics, supports] */
  PetscReal *force_cosine, *force_sine;     /* [harmonics, places] */
} Rows;

/* Forces on the places: those of the loads, less the remainders of the joints. */
static void TakeForces(const PeriodicMotion *motion, PetscReal c[], PetscReal s[])
{
  const HarmonicStructure *const structure = motion->structure;

  for (PetscInt r = 0; r < structure->m; r++) {
    c[r] = -motion->g_c[r];
    s[r] = -motion->g_s[r];
  }
  for (PetscInt p = 0; p < structure->num_places && motion->harmonic == 1; p++) {
    c[p] += motion->setting.level * structure->place_c[p];
    s[p] += motion->setting.level * structure->place_s[p];
  }
}

static void TakeSupports(const PeriodicMotion *motion, PetscReal c[], PetscReal s[])
{
  const HarmonicSupports *const supports = motion->structure->supports;

  for (PetscInt i = 0; supports && i < supports->count && motion->harmonic == 1; i++) {
    PetscReal value[2];

    HarmonicSineAt(&supports->motion[i], motion->setting.frequency, value, NULL);
    c[i] = motion->setting.level * value[0];
    s[i] = motion->setting.level * value[1];
  }
}

static PetscErrorCode TakeHarmonic(const Expansion *expansion, const PeriodicMotion *motion, PetscInt num_harmonics, Rows *rows)
{
  const HarmonicStructure *const structure = motion->structure;
  const PetscInt                 k = motion->harmonic, n = structure->system->num_unknowns, num_places = structure->num_places;
  const PetscInt                 num_supports = structure->system->names.num_supports;

  PetscFunctionBegin;
  PetscCall(ModesExpand(structure->modes, motion->q_c, rows->unknown_cosine + k * n));
  PetscCall(ModesExpand(structure->modes, motion->q_s, rows->unknown_sine + k * n));
  TakeSupports(motion, rows->support_cosine + k * num_supports, rows->support_sine + k * num_supports);
  if (SystemIsOnModes(structure->system)) TakeForces(motion, rows->force_cosine + k * num_places, rows->force_sine + k * num_places);
  for (PetscInt i = 0; i < expansion->watched->count; i++)
    PeriodicMotionAt(motion, &expansion->watched->places[i], &rows->cosine[i * num_harmonics + k], &rows->sine[i * num_harmonics + k]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteRows(const Expansion *expansion, const Rows *rows, const System *system, const Result *result)
{
  const PetscReal *const numbers[] = {rows->cosine,         rows->sine,         rows->unknown_cosine, rows->unknown_sine,
                                      rows->support_cosine, rows->support_sine, rows->force_cosine,   rows->force_sine};
  const PetscBool        there[]   = {(PetscBool)(expansion->watched->count > 0), PETSC_TRUE, (PetscBool)(system->names.num_supports > 0),
                                      SystemIsOnModes(system)};

  PetscFunctionBegin;
  for (PetscInt f = EXPANSION_COSINE; f <= EXPANSION_FORCE_SINE; f++)
    if (there[(f - EXPANSION_COSINE) / 2])
      PetscCall(FindingWrite(expansion->finding, f, expansion->passed->count, 1, numbers[f - EXPANSION_COSINE], result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeAll(const Expansion *expansion, PeriodicMotion *motion, const Result *result)
{
  const PetscInt num = (PetscInt)FindingSize(expansion->finding, "harmonics"), of_motions = num * expansion->watched->count;
  const PetscInt of_unknowns = num * motion->structure->system->num_unknowns, of_places = num * motion->structure->num_places;
  const PetscInt of_supports = num * motion->structure->system->names.num_supports;
  Rows           rows;

  PetscFunctionBegin;
  PetscCall(PetscCalloc4(of_motions, &rows.cosine, of_motions, &rows.sine, of_unknowns, &rows.unknown_cosine, of_unknowns, &rows.unknown_sine));
  PetscCall(
    PetscCalloc4(of_supports, &rows.support_cosine, of_supports, &rows.support_sine, of_places, &rows.force_cosine, of_places, &rows.force_sine));
  for (PetscInt h = 0; h < motion->basis->num_harmonics && motion->basis->harmonic[h] < num; h++) {
    PetscCall(PeriodicMotionSelect(motion, h));
    PetscCall(TakeHarmonic(expansion, motion, num, &rows));
  }
  PetscCall(WriteRows(expansion, &rows, motion->structure->system, result));
  PetscCall(PetscFree4(rows.cosine, rows.sine, rows.unknown_cosine, rows.unknown_sine));
  PetscCall(PetscFree4(rows.support_cosine, rows.support_sine, rows.force_cosine, rows.force_sine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The kind comes last: a row that has one is whole. */
PetscErrorCode ExpansionTake(Expansion *expansion, PeriodicMotion *motion, const char *kind, const Result *result)
{
  const PetscReal frequency                = motion->setting.frequency / (2.0 * PETSC_PI);
  char            text[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  if (expansion->passed->count == expansion->plan->most) {
    expansion->passed->missed++;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(TakeAll(expansion, motion, result));
  PetscCall(FindingWrite(expansion->finding, EXPANSION_FREQUENCY, expansion->passed->count, 1, &frequency, result));
  if (motion->setting.mode < 0)
    PetscCall(FindingWrite(expansion->finding, EXPANSION_LEVEL, expansion->passed->count, 1, &motion->setting.level, result));
  else PetscCall(FindingWrite(expansion->finding, EXPANSION_AMPLITUDE, expansion->passed->count, 1, &motion->setting.amplitude, result));
  PetscCall(PetscStrncpy(text, kind, sizeof(text)));
  PetscCall(FindingWrite(expansion->finding, EXPANSION_KIND, expansion->passed->count, 1, text, result));
  expansion->passed->count++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakePoint(Expansion *expansion, const Curve *curve, const char *kind, const Result *result)
{
  PeriodicMotion motion;

  PetscFunctionBegin;
  PetscCall(PeriodicMotionOfCurve(curve, &motion));
  PetscCall(ExpansionTake(expansion, &motion, kind, result));
  PetscCall(PeriodicMotionDestroy(&motion));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ExpansionTakePeak(Expansion *expansion, const Curve *curve, const Result *result)
{
  PetscFunctionBegin;
  if (expansion->finding && expansion->plan->keys.peaks) PetscCall(TakePoint(expansion, curve, "peak", result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How far the present point is from the value that is wanted, in parts of it. */
typedef struct {
  const Expansion *expansion;
  PetscReal        wanted;
} Distance;

static PetscErrorCode FindDistance(Curve *curve, void *context, PetscReal *value)
{
  const Distance *const distance = context;

  PetscFunctionBegin;
  *value = Leading(distance->expansion, &curve->setting) / distance->wanted - 1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The curve has passed the value since its last point: back to it, and again to the present point. */
static PetscErrorCode TakeBetween(Expansion *expansion, Curve *curve, PetscReal wanted, const Result *result)
{
  Distance   distance = {expansion, wanted};
  PetscBool  found;
  CurvePoint present;

  PetscFunctionBegin;
  PetscCall(CurvePointCreate(curve, &present));
  PetscCall(CurvePointCopy(curve, &curve->point, &present));
  PetscCall(CurveFindRoot(curve, &curve->last, &present, FindDistance, &distance, &found));
  if (found) PetscCall(TakePoint(expansion, curve, leading_kinds[expansion->plan->leading], result));
  PetscCall(CurvePointCopy(curve, &present, &curve->point));
  PetscCall(CurvePointDestroy(&present));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool IsNear(PetscReal value, PetscReal wanted)
{
  return (PetscBool)(PetscAbsReal(value - wanted) <= 1e-9 * wanted);
}

/* A value that is that of a point of the curve, as its ends are, is taken there, and first, while the equation is of this point. */
PetscErrorCode ExpansionLook(Expansion *expansion, Curve *curve, const Result *result)
{
  const PetscInt         num   = expansion->finding ? expansion->plan->values.count : 0;
  const PetscReal *const value = expansion->finding ? expansion->plan->values.values : NULL;
  const PetscReal        last = expansion->passed->last, now = expansion->finding ? Leading(expansion, &curve->setting) : 0.0;

  PetscFunctionBegin;
  for (PetscInt i = 0; i < num; i++)
    if (IsNear(now, expansion->per_value * value[i])) PetscCall(TakePoint(expansion, curve, leading_kinds[expansion->plan->leading], result));
  for (PetscInt i = 0; i < num && last > 0.0; i++) {
    const PetscReal wanted = expansion->per_value * value[i];

    if (!IsNear(last, wanted) && !IsNear(now, wanted) && (last - wanted) * (now - wanted) < 0.0)
      PetscCall(TakeBetween(expansion, curve, wanted, result));
  }
  expansion->passed->last = now;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of an attempt that was interrupted end here. */
PetscErrorCode ExpansionEnd(const Expansion *expansion, const Result *result)
{
  const char none[RESULT_TEXT_LENGTH] = "";

  PetscFunctionBegin;
  if (!expansion->finding) PetscFunctionReturn(PETSC_SUCCESS);
  if (expansion->passed->count < expansion->plan->most)
    PetscCall(FindingWrite(expansion->finding, EXPANSION_KIND, expansion->passed->count, 1, none, result));
  PetscCall(FindingWrite(expansion->finding, EXPANSION_MISSED, 0, 1, &expansion->passed->missed, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}
